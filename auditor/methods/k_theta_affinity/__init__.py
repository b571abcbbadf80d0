"""kΘ-affinity: rare refinements of frequent queries (after Carpineto and Romano, 2015)."""
