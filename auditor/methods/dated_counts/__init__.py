"""Noisy numbers of users of each query on each day or in each week."""
