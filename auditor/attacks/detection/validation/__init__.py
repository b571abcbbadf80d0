"""Validators of identifiers beyond those of the source: national numbers, addresses, plates."""
