"""The ledger from Python: what was approved of which log, and what it adds up to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from auditor.figures import ResultCard
from auditor.release.ledger import history, store
from auditor.release.ledger.history import LedgerHistory
from auditor.release.ledger.store import LedgerState

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd


class LedgerReport(ResultCard):
    """A ledger as it stands.

    Attributes
    ----------
    path
        Its file.
    problems
        Everything that is wrong with it; empty if each entry is as it was written.
    histories
        What was approved of each log, in sum, `LedgerHistory` each.
    """

    def __init__(self, path: Path, state: LedgerState, histories: Sequence[LedgerHistory]) -> None:
        self.path, self.problems, self.histories = path, state.problems, tuple(histories)
        self._state = state

    def card_title(self) -> str:
        """What the card is headed with."""
        return "Ledger"

    def card_lines(self) -> tuple[str, ...]:
        """What each log's releases add up to."""
        logs = (f"Log {log.digest[:16]}: {log.before.format_headline()}" for log in self.histories)
        return (*self.problems, *logs) or ("Nothing was written yet.",)

    def to_pandas(self) -> pd.DataFrame:
        """The approvals that were not withdrawn: of one release there may be several.

        Returns
        -------
        pandas.DataFrame
            A row for each, by entry: ``at``, ``method``, ``params``, ``unit``, ``epsilon``,
            ``delta`` (missing without a guarantee), ``log``, ``release``, ``reviewer``.
        """
        import pandas as pd

        names = ["at", "method", "params", "unit", "epsilon", "delta", "release", "reviewer"]
        rows = [
            {"entry": entry.number}
            | {name: entry.body.get(name) for name in names}
            | {"log": entry.body.get("log", {}).get("digest", "")}
            for entry in self._state.approvals
        ]
        return pd.DataFrame(rows, columns=["entry", *names, "log"]).set_index("entry")


def ledger(path: Path | str | None = None) -> LedgerReport:
    """What was approved of which log, what that adds up to, and whether the record is whole.

    Parameters
    ----------
    path
        The ledger's file; None for the usual one of this account. Nothing is made or changed.

    Returns
    -------
    LedgerReport
        A card in a notebook; `to_pandas` has the approvals as a table.

    Raises
    ------
    ExportRefused
        It is no ledger, or others than its owner may read it.
    """
    place = store.ledger_path(None if path is None else Path(path))
    state = store.read_ledger(place)
    logs = [] if state.problems else history.known_logs(state)
    return LedgerReport(place, state, [history.ledger_history(state, digest) for digest in logs])
