"""The distance between users, and the centroid of a group (Navarro-Arribas et al., 2012)."""
