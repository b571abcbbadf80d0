"""Token hashing: each token is replaced by a keyed hash (Kumar et al., WWW 2007)."""
