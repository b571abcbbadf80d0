"""Names, places and identifiers that readable tokens expose (Kumar et al., WWW 2007)."""
