"""Anonymization methods: each turns a log into a release with a statement."""
