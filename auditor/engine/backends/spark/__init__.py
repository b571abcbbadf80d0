"""The same plans on Spark: for logs that one machine can't hold. See the page on Spark.

Nothing here is imported before `--engine spark` is asked for.
"""
