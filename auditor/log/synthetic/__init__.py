"""Synthetic query logs with known truth."""
