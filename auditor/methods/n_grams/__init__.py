"""Differentially private n-grams: runs of words of queries, found length by length."""
