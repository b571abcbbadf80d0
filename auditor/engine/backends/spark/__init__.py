"""The same plans on Spark: for logs that one machine can't hold. See the page on Spark.

Nothing here is imported before `--engine spark` is asked for.
"""

import importlib.util

from auditor.errors import MissingInput

if importlib.util.find_spec("pyspark") is None:
    raise MissingInput(
        "The Spark engine needs PySpark: install the program with its extra spark ('.[spark]')."
    )
