"""Recovering tokens from their hashes with a reference log (Kumar et al., WWW 2007)."""
