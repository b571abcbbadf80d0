"""Anonymization methods on Spark."""
