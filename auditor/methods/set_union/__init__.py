"""Differentially private set union: query strings alone, found in several rounds."""
