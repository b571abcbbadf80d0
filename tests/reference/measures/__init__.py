"""One page for each measure that is compared."""
