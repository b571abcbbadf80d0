"""Explaining why a query was released, changed or dropped."""
