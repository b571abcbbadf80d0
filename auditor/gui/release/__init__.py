"""Reviewing, approving and exporting a release; policy and ledger."""
