"""Runs of settings: in full, repeated, and along what withstands an attack."""
