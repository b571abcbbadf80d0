"""Web search trained on a release: nDCG, MAP, precision and recall."""
