"""Policies: what a release has to meet before it may be approved."""
