"""What was approved of which log and what it adds up to; what settings cost, without a log."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.api.log import from_arrow
from auditor.errors import ParameterError
from auditor.figures import ResultCard
from auditor.methods.registry import METHODS
from auditor.params import Params
from auditor.privacy.statement import Statement
from auditor.progress import silent_progress
from auditor.release.ledger import history, store
from auditor.release.ledger.history import LedgerHistory
from auditor.release.ledger.store import LedgerState
from auditor.release.ledger.totals import (
    LedgerTotal,
    SpentBudget,
    spent_of,
    total_of,
    write_sentences,
)
from auditor.release.record import ReleaseRecord

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


class BudgetReport(ResultCard):
    """What releases with these settings cost, each and together.

    Attributes
    ----------
    statements
        The guarantee of each, as a release states it; None for methods without ε, whose
        guarantee needs a log.
    total
        Their sum as the ledger adds it up, None in it where no ε bounds all of them.
    """

    def __init__(self, statements: list[Statement | None], total: LedgerTotal) -> None:
        self.statements, self.total = tuple(statements), total

    @property
    def epsilon(self) -> float | None:
        """ε of all of them together by adding up; None if no ε bounds them."""
        return self.total.bounded.epsilon if self.total.bounded else None

    @property
    def delta(self) -> float | None:
        """δ of all of them together by adding up; None if no ε bounds them."""
        return self.total.bounded.delta if self.total.bounded else None

    @property
    def tight_epsilon(self) -> float | None:
        """The smaller ε by the mechanisms' laws, at twice the δ; None where there is none."""
        return self.total.bounded.tight_epsilon if self.total.bounded else None

    def card_title(self) -> str:
        """What the card is headed with."""
        return "Privacy budget"

    def card_lines(self) -> tuple[str, ...]:
        """The total, then what each guarantees."""
        claims = (statement.claim for statement in self.statements if statement is not None)
        return (*write_sentences(self.total), *claims)

    def to_pandas(self) -> pd.DataFrame:
        """The mechanisms.

        Returns
        -------
        pandas.DataFrame
            A row for each: ``release`` (counted from 0), ``method``, ``mechanism``, ``epsilon``,
            ``delta``, ``formula``.
        """
        import pandas as pd

        releases = zip(self.total.releases, self.statements, strict=True)
        rows = [
            (place, spent.method, term.name, term.epsilon, term.delta, term.formula)
            for place, (spent, statement) in enumerate(releases)
            for term in (statement.terms if statement is not None else ())
        ]
        names = ["release", "method", "mechanism", "epsilon", "delta", "formula"]
        return pd.DataFrame(rows, columns=names)


def account(*settings: Params) -> BudgetReport:
    """What releases of one log by these settings cost, each and together; no log is needed.

    Parameters
    ----------
    *settings
        One for each release: ``auditor.account(auditor.SafeLog(q_f=40), auditor.Zealous())``.

    Returns
    -------
    BudgetReport
        Its `epsilon` and `delta` bound all of them together.

    Raises
    ------
    ParameterError
        There are none, or they are no method's.
    """
    import pyarrow as pa

    # costs follow from parameters, so that any log will do
    log = from_arrow(
        pa.table({"user": ["-"], "query": ["-"], "time": ["2020-01-01T00:00:00"]}), user="user"
    )
    if not settings:
        raise ParameterError("settings", "Give the parameters of one release at least.")
    spent: list[SpentBudget] = []
    statements: list[Statement | None] = []
    for params in settings:
        if params.owner not in METHODS:
            raise ParameterError("settings", f"{params!r} is no method's.")
        method = METHODS[params.owner]
        if not method.randomised or method.outlook is None:
            reason = "no formal guarantee that adds up"
            spent.append(SpentBudget(method.name, "", "", 0.0, 0.0, why=reason, noise=False))
            statements.append(None)
            continue
        outlook = method.outlook(log, params, scale=1.0, progress=silent_progress())
        record = ReleaseRecord.of_outlook(outlook, log, method)
        record = dataclasses.replace(record, method=method.name, params=params.to_public())
        spent.append(spent_of(record))
        statements.append(outlook.statement)
    return BudgetReport(statements, total_of(spent))
