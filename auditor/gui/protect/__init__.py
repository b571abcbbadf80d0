"""Choosing a method and its parameters, with the expected result."""
