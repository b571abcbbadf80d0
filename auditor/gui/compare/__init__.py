"""Comparing runs: metrics, plots, and who is exposed by which."""
