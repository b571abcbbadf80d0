"""Cells of a log that enough users are in: what is a cell, whose rows count, and what it shows.

A cell is a combination of keys: a query, a page, a day, columns beside the log. A query stands
without regard to case and white space. A cell is released if so many distinct users have a row in
it; one user who repeats it counts once. Figures are exact: nothing here is noisy, and nothing
formal is guaranteed. Where no published text says how many users a cell needs, nothing is released
until somebody does. Cost: O(keys · rows log rows).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from auditor.arrays import Bools, Int64s
from auditor.log.columns import count_holders, count_users
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog, Vocabulary, number_by_appearance
from auditor.log.sentences import sentence
from auditor.log.text import merge_spellings
from auditor.messages import phrase
from auditor.methods.base import ExpectedRelease, Method, Recheck, read_card
from auditor.methods.explanation.explanation import (
    Explanation,
    ExplanationRequest,
    find_threshold_turn,
)
from auditor.methods.noisy_counts.expectations import extrapolate_users, share_of_searches
from auditor.methods.noisy_counts.outlook import metric_of_searches
from auditor.methods.noisy_counts.period_units import period_of
from auditor.methods.statements import DECIDED_LATER, NO_OTHER_RELEASE, one_id
from auditor.params import Params
from auditor.privacy.randomness import PreviewRandomness, Randomness
from auditor.privacy.release import (
    CELLS,
    QUERY,
    URL,
    CellFigure,
    CellKey,
    CellTable,
    Product,
    Tables,
)
from auditor.privacy.statement import Assumption, Statement, assume
from auditor.progress import Progress, run_cancellable

_THURSDAY = 3
_STEPS = ("day", "week")
_OWN = (QUERY, URL, "step", *_STEPS)
"""Keys that are no columns beside the log."""


@dataclass(frozen=True, eq=False)
class CountedCells:
    """Cells of some rows of a log.

    Attributes
    ----------
    keys
        The texts of each cell, by key.
    users
        Distinct users with a row in each; shape (cells,).
    log, cell
        The rows, and the number of each one's cell; shape (rows,).
    passing
        Cells that are released; shape (cells,).
    """

    keys: tuple[CellKey, ...]
    users: Int64s
    log: QueryLog
    cell: Int64s
    passing: Bools

    def count_rows(self, some: Bools) -> Int64s:
        """How many of some rows each cell has; shape (cells,)."""
        return np.bincount(self.cell[some], minlength=len(self.users)).astype(np.int64)

    def group_cells(self, *without: str) -> Int64s:
        """The number of each cell's combination of all keys but some; shape (cells,)."""
        number = np.zeros(len(self.users), dtype=np.int64)
        for key in self.keys:
            if key.heading not in without:
                _, number = np.unique(
                    number * (len(key.texts) + 1) + key.codes + 1, return_inverse=True
                )
        return number

    def count_smallest_group(self) -> int:
        """The fewest users of a combination of columns beside the log in the cells that pass."""
        shown = self.passing[self.cell]
        group = self.group_cells(*_OWN)[self.cell[shown]]
        _, users = count_users(group, self.log.user[shown], len(self.log.users))
        return int(users.min(initial=len(self.log.users)))

    def build_table(self, figures: Sequence[CellFigure]) -> CellTable:
        """The cells that pass as they are released, with figures of all cells."""
        keys = (
            CellKey(key.heading, *number_by_appearance(key.codes[self.passing], key.texts))
            for key in self.keys
        )
        shown = (CellFigure(one.heading, one.values[self.passing]) for one in figures)
        return CellTable(CELLS, tuple(keys), tuple(shown))


class UserThreshold(Protocol):
    """``enough(users, least)``: which counts reach a number of users; none where it is not set."""

    def __call__(self, users: Int64s, least: int | None) -> Bools: ...


@dataclass(frozen=True, eq=False, kw_only=True)
class CellRule:
    """What is a cell of a release, whose rows count, how many users it needs and what it shows.

    Attributes
    ----------
    name, params, main
        As those of its method.
    keys
        Headings of its keys; columns beside the log are keys where it has them, "step" is the
        parameter of that name.
    least
        The parameter that says how many users a cell needs.
    choose
        ``choose(log, query, params, enough, progress)``: the rows that count; `query` holds the
        query of each row.
    show
        ``show(cells, log, params)``: the figures of all cells of a log.
    claim
        ``claim(keys, k)``: what is promised of cells of so many users.
    sample
        The parameter that says which share of the rows is drawn, if any.
    unset
        Parameters of which no published text gives the value.
    also_reads
        Columns beside the log that are no keys.
    state
        ``state(statement, log, params)``: the statement with what else it says of a log.
    """

    name: str
    params: type[Params]
    keys: tuple[str, ...]
    least: str
    choose: Callable[[QueryLog, CellKey, Any, UserThreshold, Progress], Bools]
    show: Callable[[CountedCells, QueryLog, Any], tuple[CellFigure, ...]]
    claim: Callable[[str, int], str]
    main: tuple[str, ...]
    sample: str = ""
    unset: tuple[str, ...] = ()
    also_reads: tuple[str, ...] = ()
    state: Callable[[Statement, QueryLog, Any], Statement] | None = None

    @property
    def reads(self) -> tuple[str, ...]:
        """Columns beside the log that it is shown."""
        return (*(key for key in self.keys if key not in _OWN), *self.also_reads)

    def list_headings(self, log: QueryLog, params: Any) -> list[str]:
        """The headings of the keys that cells of this log have."""
        steps = [getattr(params, key) if key == "step" else key for key in self.keys]
        return [key for key in steps if key not in self.reads or key in log.attributes]

    def find_cells(
        self,
        log: QueryLog,
        params: Any,
        progress: Progress,
        *,
        rng: Randomness | None = None,
        scale: float = 1.0,
        only: Bools | None = None,
    ) -> CountedCells:
        """The cells of a log, or of some of its rows, that pass and that don't.

        A sample is drawn where there is an `rng`; one user of the log stands for `scale`.
        """

        def is_enough(users: Int64s, least: int | None) -> Bools:
            if least is None:
                return np.zeros(len(users), dtype=np.bool_)
            enough: Bools = extrapolate_users(users, scale)[0] >= least
            return enough

        progress.stage("choosing rows")
        merged = merge_spellings(log)
        query = CellKey(QUERY, merged.query, merged.queries)
        chosen = self.choose(log, query, params, is_enough, progress)
        if only is not None:
            chosen &= only
        share = getattr(params, self.sample) if self.sample else None
        if share is not None and rng is not None:
            chosen &= rng.integers(1 << 53, len(log)) < share * (1 << 53)
        progress.check()
        kept = log.rows(chosen)
        query = query._replace(codes=query.codes[chosen])
        headings = self.list_headings(log, params)
        keys = [_find_key(kept, heading, query) for heading in headings]
        progress.stage("counting cells")
        codes = {key.heading: key.codes for key in keys}
        cell, users = run_cancellable(lambda: count_holders(kept, codes), progress)
        first = np.zeros(len(users), dtype=np.int64)
        first[cell[::-1]] = np.arange(len(cell))[::-1]
        return CountedCells(
            tuple(CellKey(key.heading, key.codes[first], key.texts) for key in keys),
            users,
            kept,
            cell,
            is_enough(users, getattr(params, self.least)),
        )

    def build_method(self, strictness: tuple[str, ...] = ()) -> Method:
        """The method of this rule."""
        return Method(
            **read_card(MetricCatalogue("methods", self.name.replace("-", "_"))),
            recheck=Recheck(
                "every released cell has the users it needs",
                functools.partial(_find_contradiction, self),
            ),
            name=self.name,
            params=self.params,
            yields="tables",
            randomised=False,
            run=functools.partial(_run, self),
            outlook=functools.partial(_expect_release, self),
            explain=functools.partial(_explain, self),
            main=self.main,
            strictness=strictness,
            reads=self.reads,
            folds=True,
        )


def count_key_users(log: QueryLog, key: CellKey, rows: Bools) -> Int64s:
    """Distinct users of each text in some rows; shape (texts,)."""
    users = np.zeros(len(key.texts), dtype=np.int64)
    texts, holders = count_users(key.codes[rows].astype(np.int64), log.user[rows], len(log.users))
    users[texts] = holders
    return users


def _find_key(log: QueryLog, heading: str, query: CellKey) -> CellKey:
    if heading == QUERY:
        return query
    if heading == URL:
        return CellKey(URL, log.url, log.urls)
    if heading in log.attributes:
        return CellKey(heading, *log.attributes[heading])
    steps, codes = np.unique(period_of(log.time, heading), return_inverse=True)
    days = steps if heading == "day" else 7 * steps - _THURSDAY
    texts = days.astype("datetime64[D]").astype(str).tolist()
    return CellKey(heading, codes.astype(np.int32), Vocabulary.of(texts))


def _run(
    rule: CellRule, log: QueryLog, params: Any, *, rng: Randomness, progress: Progress
) -> Product:
    """Release the cells that enough users are in."""
    progress.check()
    cells = rule.find_cells(log, params, progress, rng=rng)
    table = cells.build_table(rule.show(cells, log, params))
    return Product(
        content=Tables.of_cells(table, folded=True),
        statement=_state(rule, log, params, cells),
        changes={
            "rows": len(log),
            "rows_counted": len(cells.log),
            "cells": len(cells.users),
            "cells_released": len(table),
        },
    )


def _state(rule: CellRule, log: QueryLog, params: Any, cells: CountedCells) -> Statement:
    """What is promised, and what these cells show of it."""
    k = getattr(params, rule.least)
    keys = " × ".join(rule.list_headings(log, params))
    unset = [params.spec(name).label for name in rule.unset if getattr(params, name) is None]
    said = [
        Assumption(
            NO_OTHER_RELEASE,
            "Nothing else of the same log, or of one that differs by few users, is released. Two "
            "exact counts differ by what those few did, and no sum bounds it.",
            "unknown",
            DECIDED_LATER,
        ),
        one_id(),
    ]
    if k is not None:
        said += _assume_users(rule, log, params, cells)
    if rule.unset:
        said.append(
            assume(
                "threshold_cells.rules_that_are_not_published_are_set",
                "fails" if unset else "holds",
                sentence("entity_allowlist.unset", names=", ".join(unset) or "–"),
            )
        )
    statement = Statement(
        model="none",
        claim=sentence("threshold_cells.unset", keys=keys) if k is None else rule.claim(keys, k),
        unit="one cell",
        assumptions=tuple(said),
        measured={"unset_rules": float(len(unset))} | _measure_users(cells, k),
    )
    return statement if rule.state is None else rule.state(statement, log, params)


def _measure_users(cells: CountedCells, k: int | None) -> dict[str, float]:
    """What gates ask: users of each released cell, word and combination of columns, at least."""
    users = cells.users[cells.passing]
    if k is None or not len(users):
        return {}
    measured = {"smallest_cell": float(users.min()), "entity_users": float(k)}
    if any(key.heading not in _OWN for key in cells.keys):
        measured["smallest_column_group"] = float(cells.count_smallest_group())
    return measured


def _assume_users(
    rule: CellRule, log: QueryLog, params: Any, cells: CountedCells
) -> tuple[Assumption, Assumption]:
    """That enough users are in each cell, and that attackers are none of them."""
    k, users = getattr(params, rule.least), cells.users[cells.passing]
    headings = rule.list_headings(log, params)
    missing = [key for key in rule.keys if key in rule.reads and key not in headings]
    evidence = sentence(
        "threshold_cells.counted",
        cells=len(users),
        of=len(cells.users),
        smallest=int(users.min()) if len(users) else 0,
        missing=", ".join(missing) or "–",
    )
    return (
        assume("threshold_cells.every_cell_has_k_users", "holds", evidence, k=k),
        assume(
            "frequency_threshold.attackers_are_none_of_the_n",
            "unknown",
            phrase("{n:,} user ids of one's own are enough", n=k - 1),
        ),
    )


def _expect_release(
    rule: CellRule, log: QueryLog, params: Any, *, scale: float, progress: Progress
) -> ExpectedRelease:
    """What is left, exactly on the whole log and estimated from a sample of users."""
    log = log.keep_attributes(rule.reads)
    cells = rule.find_cells(log, params, progress, rng=PreviewRandomness(0), scale=scale)
    released = Tables.of_cells(cells.build_table(()))
    whole, stand_for = extrapolate_users(cells.users, scale)
    log = merge_spellings(log)
    shown = log.queries.match(released.queries) != NONE
    describe_metric = MetricCatalogue("methods", "threshold_cells")
    k = getattr(params, rule.least)
    note = ""
    if k is None:
        note = sentence("threshold_cells.unset", keys=" × ".join(rule.list_headings(log, params)))
    elif not cells.passing.any():
        most = float(whole.max(initial=0.0))
        note = sentence("threshold_cells.nothing", most=most, k=k)
    return ExpectedRelease(
        statement=_state(rule, log, params, cells),
        values=(
            describe_metric("expected.cells", float(stand_for[cells.passing].sum())),
            describe_metric("expected.queries", float(len(released.queries))),
            metric_of_searches(share_of_searches(shown.astype(np.float64), log.searches_by_query)),
        ),
        note=note,
    )


def _explain(
    rule: CellRule, request: ExplanationRequest, params: Any, progress: Progress
) -> Explanation:
    """How many users its largest cell has, and which number of users would turn the answer."""
    log = request.log.keep_attributes(rule.reads)
    if request.code == NONE:
        return Explanation(outcome=sentence("entity_allowlist.nobody"), chance=0.0)
    spelt = merge_spellings(log).query
    only = spelt == spelt[request.rows[0]]
    cells = rule.find_cells(log, params, progress, only=only)
    most = int(cells.users.max(initial=0))
    kept = bool(cells.passing.any())
    turn = find_threshold_turn(params, rule.least, most, sentence("threshold_cells.no_cell"))
    describe_metric = MetricCatalogue("methods", "threshold_cells")
    return Explanation(
        outcome=sentence(
            "threshold_cells.explained",
            cells=len(cells.users),
            released=int(cells.passing.sum()),
            most=most,
        ),
        chance=float(kept),
        values=(describe_metric("most", float(most)),),
        turns=(turn,),
    )


def _find_contradiction(
    rule: CellRule, log: QueryLog, released: Tables, params: Any, progress: Progress
) -> str:
    """What of a release no cells of the log that pass allow."""
    log = log.without_blank.keep_attributes(rule.reads)
    cells = rule.find_cells(log, params, progress)
    wanted = cells.build_table(()).keys
    keys = () if released.alone is None else released.alone.keys
    if [key.heading for key in keys] != [key.heading for key in wanted]:
        return "its cells have other keys than its method gives them"
    shown, allowed = (
        set(zip(*(key.list_texts() for key in columns), strict=True)) for columns in (keys, wanted)
    )
    return "" if shown <= allowed else "it holds cells of fewer users of the log than they need"
