"""Sessions at risk: scores, the reasons for them, and the sessions that an attack exposes."""
