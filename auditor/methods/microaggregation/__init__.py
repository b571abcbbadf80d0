"""User k-anonymity by microaggregation (Navarro-Arribas et al., 2012)."""
