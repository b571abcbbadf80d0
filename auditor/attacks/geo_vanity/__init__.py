"""Locating users by searches for places near their homes (Jones et al., CIKM 2008)."""
