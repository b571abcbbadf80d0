"""Synthetic logs that are generated from the tables of a release folder."""
