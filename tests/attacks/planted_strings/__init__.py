"""Tests of planted strings."""
