"""(k,δ)-anonymity by editing logs of similar users (Carpineto and Romano, 2010)."""
