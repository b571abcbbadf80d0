"""Queries that pass a threshold because few parties pushed them."""
