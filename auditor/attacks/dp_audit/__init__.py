"""Auditing a claimed ε: statistical lower bounds from runs on neighbouring logs."""
