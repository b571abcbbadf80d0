"""What the window works on: log, configuration, runs, undo; no widgets."""
