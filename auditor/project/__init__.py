"""Projects: a saved workspace with its log, runs, notes and layout."""
