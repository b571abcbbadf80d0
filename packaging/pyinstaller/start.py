"""Where the bundled program starts."""

import multiprocessing
import sys

from auditor.__main__ import main

if __name__ == "__main__":
    multiprocessing.freeze_support()  # libraries may start a helper, which is this program again
    sys.exit(main())
