"""What there is to choose from, as tables: methods, attacks, measures and bundled policies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from auditor.attacks.registry import ATTACKS
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS
from auditor.release.policy.policy import read_bundled

if TYPE_CHECKING:
    import pandas as pd


def list_methods() -> pd.DataFrame:
    """The methods, those of installed packages too.

    Returns
    -------
    pandas.DataFrame
        A row for each, by name: ``title``, ``summary``, ``yields`` (log or tables),
        ``guarantee``, and ``params`` with their defaults.
    """
    methods = [METHODS[name] for name in METHODS]
    return _tabulate(methods, "title", "summary", "yields", "guarantee")


def list_attacks() -> pd.DataFrame:
    """The attacks, those of installed packages too.

    Returns
    -------
    pandas.DataFrame
        A row for each, by name: ``title``, ``summary``, ``needs`` (what it looks at besides the
        log), and ``params`` with their defaults.
    """
    return _tabulate([ATTACKS[name] for name in ATTACKS], "title", "summary", "needs")


def list_measures() -> pd.DataFrame:
    """The measures of utility, those of installed packages too.

    Returns
    -------
    pandas.DataFrame
        A row for each, by name: ``title``, ``summary``, and ``params`` with their defaults.
    """
    return _tabulate([MEASURES[name] for name in MEASURES], "title", "summary")


def list_policies() -> pd.DataFrame:
    """The bundled policies, whose names `audit` and `suggest` take as ``policy``.

    Returns
    -------
    pandas.DataFrame
        A row for each, by name: ``title``, how many ``checks`` it makes, and its ``note``.
    """
    import pandas as pd

    rows = [
        {"name": name, "title": policy.name, "checks": len(policy.checks), "note": policy.note}
        for name, policy in read_bundled().items()
    ]
    return pd.DataFrame(rows).set_index("name")


def _tabulate(items: list[Any], *columns: str) -> pd.DataFrame:
    import pandas as pd

    rows = [
        {"name": item.name}
        | {column: _plain_text(getattr(item, column)) for column in columns}
        | {"params": ({spec.name: spec.default for spec in item.params.specs()})}
        for item in items
    ]
    return pd.DataFrame(rows).set_index("name")


def _plain_text(value: Any) -> Any:
    """A plain text where it is one that can be translated, joined words of several."""
    return ", ".join(value) if isinstance(value, tuple) else str(value)
