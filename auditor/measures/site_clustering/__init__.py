"""Clusters of web sites found through shared queries, before and after."""
