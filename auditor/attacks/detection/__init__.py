"""Detection of sensitive content in query strings: people, places, identifiers, topics."""
