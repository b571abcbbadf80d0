"""Bundling: queries of several users under one opaque number (Jones et al., CIKM 2008)."""
