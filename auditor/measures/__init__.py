"""Measures of what a release is still worth, and of how much information it exposes."""
