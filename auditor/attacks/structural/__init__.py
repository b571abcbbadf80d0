"""What the composition of bundles exposes by itself: dominant users and unique places."""
