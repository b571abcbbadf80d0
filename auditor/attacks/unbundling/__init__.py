"""Splitting bundles of several users into the queries of each (Jones et al., CIKM 2008)."""
