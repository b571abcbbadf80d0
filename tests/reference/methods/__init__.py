"""One page for each method, under the method's name with `_` for `-`."""
