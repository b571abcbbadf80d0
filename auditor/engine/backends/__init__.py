"""Where a plan is executed: in this process, or on Spark."""
