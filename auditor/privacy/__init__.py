"""Noise, privacy accounting, statements, and the records that releases consist of."""
