"""Linking records to people through queries that are nearly those the attacker knows."""
