"""Tests of comparing releases."""
