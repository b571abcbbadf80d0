"""Linking released records to people whose queries are partly known."""
