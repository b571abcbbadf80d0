"""Counts over a whole log on Spark."""
