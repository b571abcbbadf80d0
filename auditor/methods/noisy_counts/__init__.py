"""What the counting methods share: limited counts, noise, expectations and tables."""
