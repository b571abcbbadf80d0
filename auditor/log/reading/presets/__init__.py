"""Formats that the program knows by name, each read after its own documentation."""
