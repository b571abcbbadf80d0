"""Columns beside a log that are released with its rows: they never tell few users from the others.

Values are taken away until two things hold. Whoever knows somebody's columns finds `group` users or
more who may be them: as many have the same combination of values on a row, or, where an id links a
user's rows, the same set of combinations under it. Where an id links the rows of a record (a user's
day or mini-session), as many users have a record with the same set. And each query beside a value
was issued by `cell` users with that combination. (Spec 7, section 4: location, device and language
of groups of 1,000 users; cells of a query, country and device of 5.) Values only vanish, so the
search ends; what is left can be counted on the release alone. It hides columns, not people: an id
links all else.
Cost: O(attributes · rows log rows) for each of a few passes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.arrays import Bools, Int32s, Int64s
from auditor.bit_mixing import mix_numbers
from auditor.log.columns import Columns, count_holders, count_users, list_public
from auditor.log.gil_friendly import is_among, sorted_distinct
from auditor.log.model import NONE, Attribute, QueryLog, number_by_appearance
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, join_phrases
from auditor.privacy.statement import Statement, Status, assume
from auditor.progress import Progress, run_cancellable

SUPPRESSED = "column_values_suppressed"
"""The entry under a release's changes: values that were taken away."""


def list_released(names: Iterable[str], params: Any) -> tuple[str, ...]:
    """Those of the columns beside a log that are released, before any value is taken away."""
    return () if params.columns == "drop" else list_public(names)


def keep_released(log: QueryLog, params: Any) -> QueryLog:
    """The log with no attributes but those that are released."""
    return log.keep_attributes(list_released(log.attributes, params))


def suppress_rare_values(
    log: QueryLog,
    group: int,
    cell: int,
    linked: bool,
    progress: Progress,
    record: Int32s | None = None,
) -> tuple[QueryLog, int]:
    """The log without rare values of its attributes, and how many were taken away.

    `linked` says that ids link the rows of a user in the release, or of a `record`: its number for
    each row. The attribute goes first without which fewest rows would be rare, of equals the one
    with the most distinct values. An attribute of which nothing is left is left out. Raises
    `Cancelled`.
    """
    progress.stage("suppressing rare columns")
    columns = _ShownColumns(log, group, cell, linked, record)
    return run_cancellable(lambda: _suppress_rare_values(columns, progress), progress)


def _suppress_rare_values(columns: _ShownColumns, progress: Progress) -> tuple[QueryLog, int]:
    log = columns.log
    codes: Columns = {name: attribute.codes for name, attribute in log.attributes.items()}
    before = _count_values(codes)

    def rank_attribute(name: str) -> tuple[int, int, str]:
        other_codes = {**codes, name: np.full_like(codes[name], NONE)}
        rare = columns.find_rare_groups(other_codes) | columns.find_rare_cells(other_codes)
        progress.check()
        return int(np.count_nonzero(rare)), -len(log.attributes[name].texts), name

    order = sorted(codes, key=rank_attribute) if len(codes) > 1 else list(codes)
    while True:
        progress.check()
        if (rare := columns.find_rare_groups(codes)).any():
            codes = columns.take_one(codes, rare, order)
        elif (rare := columns.find_rare_cells(codes)).any():
            # Under an id a row shows all of its user's combination or nothing.
            take = columns.take_all if columns.linked else columns.take_one
            codes = take(codes, rare, order)
        elif (rare := columns.find_smallest_group(codes)).any():
            codes = columns.take_all(codes, rare, order)
        else:
            break
    attributes = {
        name: Attribute(*number_by_appearance(codes[name], attribute.texts))
        for name, attribute in log.attributes.items()
        if (codes[name] != NONE).any()
    }
    return dataclasses.replace(log, attributes=attributes), before - _count_values(codes)


def shows_rare_values(log: QueryLog, group: int, cell: int, linked: bool) -> bool:
    """Whether a log shows what `suppress_rare_values` takes away; its ids tell users."""
    columns = _ShownColumns(log, group, cell, linked)
    codes = {name: attribute.codes for name, attribute in log.attributes.items()}
    find = (columns.find_rare_groups, columns.find_rare_cells, columns.find_smallest_group)
    return any(bool(rule(codes).any()) for rule in find)


@dataclass(frozen=True, eq=False)
class _ShownColumns:
    """What rows of a log show by some codes of its attributes; masks are of shape (rows,).

    Who shows something, and what, is a row, or where rows are `linked` a user, or a `record` where
    rows have numbers of these.
    """

    log: QueryLog
    group: int
    cell: int
    linked: bool
    record: Int32s | None = None

    @property
    def owner(self) -> Int32s:
        """The number of what links each row; shape (rows,)."""
        if not self.linked:
            return np.arange(len(self.log), dtype=np.int32)
        return self.log.user if self.record is None else self.record

    def find_rare_groups(self, codes: Columns) -> Bools:
        """Rows of those who show something that fewer than `group` users show."""
        _, users, visible = self._group_rows(codes)
        rare: Bools = visible & (users < self.group)
        return rare

    def find_rare_cells(self, codes: Columns) -> Bools:
        """Rows that show something that fewer than `cell` users show beside their query."""
        combination, _ = count_holders(self.log, codes)
        cell_keys = combination * len(self.log.queries) + self.log.query
        cells, users = count_users(cell_keys, self.log.user, len(self.log.users))
        return _is_shown(codes) & is_among(cell_keys, cells[users < self.cell])

    def find_smallest_group(self, codes: Columns) -> Bools:
        """The rows of the fewest who show the same, where too few users show nothing."""
        number, users, visible = self._group_rows(codes)
        if visible.all() or not visible.any() or users[~visible][0] >= self.group:
            return np.zeros(len(visible), dtype=np.bool_)
        smallest: Bools = number == number[visible][np.argmin(users[visible])]
        return smallest

    def take_one(self, codes: Columns, rare: Bools, order: Sequence[str]) -> Columns:
        """The codes without the first attribute that each of those with a rare row shows."""
        owner = self.owner
        owners = int(owner.max(initial=-1)) + 1
        pending = np.zeros(owners, dtype=np.bool_)
        pending[owner[rare]] = True
        reduced_codes = dict(codes)
        for name in order:
            has = np.zeros(owners, dtype=np.bool_)
            has[owner[codes[name] != NONE]] = True
            reduced_codes[name] = np.where((pending & has)[owner], np.int32(NONE), codes[name])
            pending &= ~has
        return reduced_codes

    def take_all(self, codes: Columns, rare: Bools, _order: Sequence[str]) -> Columns:
        """The codes without any of the rare rows."""
        return {name: np.where(rare, np.int32(NONE), column) for name, column in codes.items()}

    def count_least(self, codes: Columns) -> int:
        """The fewest users who show the same."""
        return int(self._group_rows(codes)[1].min(initial=len(self.log.users)))

    def _group_rows(self, codes: Columns) -> tuple[Int64s, Int64s, Bools]:
        """What is shown, as a number; how many users show the same; whether it is anything.

        Sets of combinations are told apart by a 64-bit sum: two agree by chance with 2⁻⁶⁴.
        """
        log, owner, visible = self.log, self.owner, _is_shown(codes)
        combination, holders = count_holders(log, codes)
        if not self.linked:
            return combination, holders[combination], visible
        pairs = sorted_distinct((owner[visible].astype(np.int64) << 32) | combination[visible])
        total = np.zeros(int(owner.max(initial=-1)) + 1, dtype=np.uint64)
        np.add.at(total, pairs >> 32, mix_numbers((pairs & 0xFFFFFFFF).astype(np.uint64) + 1))
        number = np.unique(total, return_inverse=True)[1][owner]
        sets, users = count_users(number, log.user, len(log.users))
        apparent = np.zeros(len(total), dtype=np.bool_)
        apparent[pairs >> 32] = True
        return number, users[np.searchsorted(sets, number)], apparent[owner]


def _count_values(codes: Columns) -> int:
    return sum(int(np.count_nonzero(column != NONE)) for column in codes.values())


def _is_shown(codes: Columns) -> Bools:
    """Rows with any value."""
    visible: Bools = np.any([column != NONE for column in codes.values()], axis=0)
    return visible


def state_columns(
    statement: Statement,
    log: QueryLog,
    params: Any,
    suppressed_values: int,
    linked: bool,
    record: Int32s | None = None,
) -> Statement:
    """The statement of a release with columns, of which so many values were taken away."""
    if not log.attributes:
        return state_values(statement, ShownValues((), 0, suppressed_values, 0), params)
    codes = {name: attribute.codes for name, attribute in log.attributes.items()}
    least = _ShownColumns(log, params.group, params.cell, linked, record).count_least(codes)
    facts = ShownValues(_describe_columns(log), _count_values(codes), suppressed_values, least)
    return state_values(statement, facts, params)


@dataclass(frozen=True)
class ShownValues:
    """The columns that are released, how many values they show and lost, and the least group."""

    columns: tuple[str, ...]
    values: int
    suppressed: int
    least: int


def state_values(statement: Statement, facts: ShownValues, params: Any) -> Statement:
    """The statement of a release of which rare values were taken away."""
    if not facts.columns:
        claim = sentence("released_columns.nothing", claim=statement.claim, group=params.group)
        return dataclasses.replace(statement, claim=claim)
    stated = _add_assumption(
        statement,
        facts.columns,
        params,
        "holds" if min(params.group, params.cell) > 1 else "fails",
        sentence(
            "released_columns.taken_away",
            values=facts.values,
            taken=facts.suppressed,
            least=facts.least,
        ),
    )
    measured = {**statement.measured, "smallest_column_group": float(facts.least)}
    return dataclasses.replace(stated, measured=measured)


def expect_columns(statement: Statement, log: QueryLog, params: Any) -> Statement:
    """The statement before a run, if it releases columns."""
    log = keep_released(log, params)
    if not log.attributes:
        return statement
    return _add_assumption(
        statement,
        _describe_columns(log),
        params,
        "unknown",
        "it is counted when the release is made",
    )


def _describe_columns(log: QueryLog) -> tuple[str, ...]:
    return tuple(map(log.describe_attribute, log.attributes))


def _add_assumption(
    statement: Statement, names: tuple[str, ...], params: Any, status: Status, evidence: str
) -> Statement:
    group, cell = params.group, params.cell
    places = {"claim": statement.claim, "columns": as_phrase(join_phrases(", ", names))}
    if cell > 1:
        claim = sentence("released_columns.claim", group=group, cell=cell, **places)
        cells = sentence("released_columns.rare_cells", cell=cell)
    else:
        claim = sentence("released_columns.claim_of_groups", group=group, **places)
        cells = sentence("released_columns.lone_cells")
    shared = assume(
        "released_columns.columns_are_shared", status, evidence, group=group, cells=cells
    )
    return dataclasses.replace(statement, claim=claim, assumptions=(*statement.assumptions, shared))
