"""The ledger of approved releases and what they cost together."""
