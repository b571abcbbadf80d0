"""Saving, opening and recovering projects."""
