"""Sessions at risk: the list, one session in full, notes and dismissals."""
