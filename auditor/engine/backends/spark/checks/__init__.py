"""Attacks and measures on Spark."""
