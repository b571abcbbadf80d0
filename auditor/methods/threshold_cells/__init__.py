"""Releases of cells that enough users are in: methods that state as data what a cell is."""
