"""Query logs: the columnar model, text, sessions, and everything that reads or writes them."""
