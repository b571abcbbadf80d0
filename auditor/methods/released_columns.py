"""Columns beside a log that are released with its rows: no rare combination of values leaves.

Of each row values are taken away until every combination of them, missing ones included, is that
of `group` users at least, and every query beside a value was issued by `cell` users with that
combination. (Spec 7, section 4: location, device and language of groups of 1,000 users; cells of
a query, country and device of 5.) Values only vanish, so the search ends; what is left can be
counted on the release alone. It hides columns, not people: a pseudonym links a user's rows.
Cost: O(attributes · rows log rows) for each of a few passes.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from auditor.arrays import Bools
from auditor.log.columns import Columns, count_holders, count_users
from auditor.log.gil_friendly import is_among
from auditor.log.model import NONE, Attribute, QueryLog, number_by_appearance
from auditor.log.sentences import sentence
from auditor.privacy.statement import Assumption, Statement, Status
from auditor.progress import Progress, run_cancellable

SUPPRESSED = "column_values_suppressed"
"""The entry under a release's changes: values that were taken away."""


def suppress_rare_values(
    log: QueryLog, group: int, cell: int, progress: Progress
) -> tuple[QueryLog, int]:
    """The log without rare values of its attributes, and how many were taken away.

    Of a row with a rare combination the attribute goes first without which fewest rows would be
    rare, of equals the one with the most distinct values. An attribute of which nothing is left is
    left out. Raises `Cancelled`.
    """
    progress.stage("suppressing rare columns")
    return run_cancellable(lambda: _suppress_rare_values(log, group, cell, progress), progress)


def _suppress_rare_values(
    log: QueryLog, group: int, cell: int, progress: Progress
) -> tuple[QueryLog, int]:
    codes = {name: one.codes for name, one in log.attributes.items()}
    held = _count_values(codes)

    def rank_attribute(name: str) -> tuple[int, int, str]:
        without = codes | {name: np.full_like(codes[name], NONE)}
        left = np.count_nonzero(find_rare_rows(log, without, group, cell)) if len(codes) > 1 else 0
        progress.check()
        return int(left), -len(log.attributes[name].texts), name

    order = sorted(codes, key=rank_attribute)
    while True:
        progress.check()
        rare = find_rare_rows(log, codes, group, cell)
        if rare.any():
            for name in order:  # one value of each rare row
                there = rare & (codes[name] != NONE)
                codes[name] = np.where(there, np.int32(NONE), codes[name])
                rare &= ~there
            continue
        shown = _is_shown(codes)
        combination, holders = count_holders(log, codes)
        if shown.all() or not shown.any() or holders[combination[~shown][0]] >= group:
            break
        # Who shows nothing is too few to hide among each other: the smallest group joins them.
        there = np.unique(combination[shown])
        smallest = combination == there[np.argmin(holders[there])]
        codes = {name: np.where(smallest, np.int32(NONE), one) for name, one in codes.items()}
    attributes = {
        name: Attribute(*number_by_appearance(codes[name], one.texts))
        for name, one in log.attributes.items()
        if (codes[name] != NONE).any()
    }
    return dataclasses.replace(log, attributes=attributes), held - _count_values(codes)


def find_rare_rows(log: QueryLog, codes: Columns, group: int, cell: int) -> Bools:
    """Rows that show values of which too few users have the combination, or beside their query."""
    combination, holders = count_holders(log, codes)
    beside = combination * len(log.queries) + log.query
    cells, users = count_users(beside, log.user, len(log.users))
    few = cells[users < cell]
    return _is_shown(codes) & ((holders < group)[combination] | is_among(beside, few))


def shows_rare_values(log: QueryLog, group: int, cell: int) -> bool:
    """Whether a released log shows what `suppress_rare_values` takes away; its ids tell users."""
    codes = {name: one.codes for name, one in log.attributes.items()}
    few = _is_shown(codes).any() and (count_holders(log, codes)[1] < group).any()
    return bool(few or find_rare_rows(log, codes, group, cell).any())


def _count_values(codes: Columns) -> int:
    return sum(int(np.count_nonzero(one != NONE)) for one in codes.values())


def _is_shown(codes: Columns) -> Bools:
    """Rows with any value."""
    shown: Bools = np.any([one != NONE for one in codes.values()], axis=0)
    return shown


def state_columns(statement: Statement, log: QueryLog, params: Any, taken: int) -> Statement:
    """The statement of a release with columns, of which so many values were taken away."""
    if not log.attributes:
        said = sentence("released_columns.nothing", claim=statement.claim, group=params.group)
        return dataclasses.replace(statement, claim=said)
    codes = {name: one.codes for name, one in log.attributes.items()}
    values = _count_values(codes)
    least = int(count_holders(log, codes)[1].min(initial=len(log.users)))
    stated = _add_assumption(
        statement,
        log,
        params,
        "holds" if min(params.group, params.cell) > 1 else "fails",
        sentence("released_columns.taken_away", values=values, taken=taken, least=least),
    )
    measured = {**statement.measured, "smallest_column_group": float(least)}
    return dataclasses.replace(stated, measured=measured)


def expect_columns(statement: Statement, log: QueryLog, params: Any) -> Statement:
    """The statement before a run, if it releases columns."""
    if params.columns == "drop" or not log.attributes:
        return statement
    return _add_assumption(
        statement, log, params, "unknown", "it is counted when the release is made"
    )


def _add_assumption(
    statement: Statement, log: QueryLog, params: Any, status: Status, evidence: str
) -> Statement:
    places = {"group": params.group, "cell": params.cell}
    text = sentence("released_columns.shared", **places)
    columns = ", ".join(log.attributes)
    return dataclasses.replace(
        statement,
        claim=sentence("released_columns.claim", claim=statement.claim, columns=columns, **places),
        assumptions=(
            *statement.assumptions,
            Assumption("columns are shared", text, status, evidence),
        ),
    )
