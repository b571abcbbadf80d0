"""Logs larger than memory, kept in private working files."""
