"""The page Suggest: the search for the most useful release that passes."""
