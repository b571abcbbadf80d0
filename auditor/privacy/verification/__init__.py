"""Verifiers: whether a given log really is (k,δ)-anonymous or user k-anonymous."""
