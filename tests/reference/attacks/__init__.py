"""One page for each attack that is compared."""
