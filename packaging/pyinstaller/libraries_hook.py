"""Runs before the bundled program: what it opens for its user gets that user's own libraries.

The bundle's starter sets ``LD_LIBRARY_PATH`` to the bundle and starts itself again. The loader has
read it by then; a browser or file manager that is asked to show a report must not.
"""

import os

if "LD_LIBRARY_PATH_ORIG" in os.environ:
    os.environ["LD_LIBRARY_PATH"] = os.environ.pop("LD_LIBRARY_PATH_ORIG")
else:
    os.environ.pop("LD_LIBRARY_PATH", None)
