"""Reports as HTML, PDF and SVG from one document model."""
