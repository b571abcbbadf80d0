"""Plots of the window, drawn with pyqtgraph."""
