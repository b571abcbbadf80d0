"""Sensitive sessions of the raw log that can still be read in the release."""
