"""Suggest: the search for the most useful release that passes a policy."""
