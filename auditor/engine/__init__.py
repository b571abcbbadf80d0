"""Plans, runs, events, costs, grids: everything between a configuration and its results."""
