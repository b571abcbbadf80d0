"""Query Log Privacy Auditor: may this web-search query log be released?

As a library::

    import auditor
    log = auditor.read_log("log.tsv")
    release = auditor.anonymize(log, "safelog", q_f=40)
    marks = auditor.detect(["jo@example.org", "symptoms of diabetes"])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from auditor.version import __version__

__all__ = ["__version__", "anonymize", "detect", "read_log"]

if TYPE_CHECKING:
    from auditor.api.detection import detect
    from auditor.api.run import anonymize
    from auditor.log.reading.reader import read_log


def __getattr__(name: str) -> Any:
    """Import the library's functions when they are asked for: the command line starts fast."""
    import importlib

    homes = {
        "anonymize": "auditor.api.run",
        "detect": "auditor.api.detection",
        "read_log": "auditor.log.reading.reader",
    }
    if name in homes:
        return getattr(importlib.import_module(homes[name]), name)
    raise AttributeError(f"module 'auditor' has no attribute '{name}'")
