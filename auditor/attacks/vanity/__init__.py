"""Re-identifying users by searches for their own names (Jones et al., CIKM 2008)."""
