"""Query Log Privacy Auditor: may this web-search query log be released?

As a library::

    import auditor
    log = auditor.read_log("log.tsv")
    release = auditor.anonymize(log, auditor.SafeLog(q_f=40))
    marks = auditor.detect(["jo@example.org", "symptoms of diabetes"])
"""

from typing import TYPE_CHECKING, Any

from auditor.api import parameters
from auditor.log.kernel_cache import settle_folder
from auditor.version import __version__

settle_folder()  # before anything imports Numba, which looks for its folder only then

if TYPE_CHECKING:
    from auditor.api.detection import detect
    from auditor.api.ledger import account, ledger
    from auditor.api.listing import list_attacks, list_measures, list_methods, list_policies
    from auditor.api.log import (
        check,
        from_arrow,
        from_duckdb,
        from_pandas,
        from_polars,
        load_sample,
        read_log,
    )
    from auditor.api.parameters import *  # noqa: F403
    from auditor.api.progress_bars import show_progress
    from auditor.api.run import (
        anonymize,
        approve,
        attack,
        audit,
        explain,
        load_release,
        measure,
        new_key,
        plan,
        preview,
        read_feedback,
        reproduce,
        save,
        sweep,
        synthesize_release,
        verify,
    )
    from auditor.api.suggest import suggest
    from auditor.engine.notebook_export import export_notebook
    from auditor.errors import (
        AuditorError,
        Cancelled,
        ExportRefused,
        LogFormatError,
        MissingInput,
        ParameterError,
    )
    from auditor.log.reading.column_mapping import ReadOptions
    from auditor.privacy.selection import ParameterSelection

__all__ = [
    "AuditorError", "Cancelled", "ExportRefused", "LogFormatError", "MissingInput",
    "ParameterError", "ParameterSelection", "ReadOptions", "__version__", "account", "anonymize",
    "approve", "attack", "audit", "check", "detect", "explain", "export_notebook", "from_arrow",
    "from_duckdb", "from_pandas", "from_polars", "ledger", "list_attacks", "list_measures",
    "list_methods", "list_policies", "load_release", "load_sample", "measure", "new_key", "plan",
    "preview", "read_feedback", "read_log", "reproduce", "save", "show_progress", "suggest",
    "sweep", "synthesize_release", "verify"
]  # fmt: skip
__all__ += parameters.__all__

_PLACES = {
    "auditor.api.detection": ("detect",),
    "auditor.api.ledger": ("account", "ledger"),
    "auditor.api.listing": ("list_attacks", "list_measures", "list_methods", "list_policies"),
    "auditor.api.log": (
        "check", "from_arrow", "from_duckdb", "from_pandas", "from_polars", "load_sample",
        "read_log",
    ),
    "auditor.api.progress_bars": ("show_progress",),
    "auditor.api.suggest": ("suggest",),
    "auditor.engine.notebook_export": ("export_notebook",),
    "auditor.errors": (
        "AuditorError", "Cancelled", "ExportRefused", "LogFormatError", "MissingInput",
        "ParameterError",
    ),
    "auditor.log.reading.column_mapping": ("ReadOptions",),
    "auditor.privacy.selection": ("ParameterSelection",),
}  # fmt: skip
_HOMES = {name: module for module, names in _PLACES.items() for name in names}
"""Where the library's names are that are not in `auditor.api.run`."""


def __getattr__(name: str) -> Any:
    """Import the library's functions when they are asked for: the command line starts fast."""
    import importlib

    if name in parameters.__all__:
        return getattr(parameters, name)
    if name in __all__:
        return getattr(importlib.import_module(_HOMES.get(name, "auditor.api.run")), name)
    raise AttributeError(f"module 'auditor' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
