"""Comparing two or more releases of the same or overlapping logs."""
