"""SafeLog: noisy counts of queries, clicks and transitions (Zhang et al., CIKM 2016)."""
