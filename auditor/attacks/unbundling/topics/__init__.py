"""Topics for un-bundling: tokens that the same users search for in different queries."""
