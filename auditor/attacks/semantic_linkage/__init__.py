"""Linking records to people through queries that mean what the attacker knows in other words."""
