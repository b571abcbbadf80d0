"""What is a cell of a release: its keys, whose rows count, how many users, and what it shows.

A cell is a combination of keys: a query, a page, a day, columns beside the log. A query stands
without regard to case and white space. A cell is released if so many distinct users have a row in
it; one user who repeats it counts once. Figures are exact: nothing here is noisy, and nothing
formal is guaranteed. Where no published text says how many users a cell needs, nothing is released
until somebody does. Cost: O(keys · rows log rows).

What a rule says of rows is said of each row alone, and what it says of cells in sums over rows and
over cells, so that an engine which holds no whole log follows the same rule.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from auditor.arrays import Bools, Int64s
from auditor.log.columns import count_holders, count_users
from auditor.log.model import QueryLog, number_by_appearance
from auditor.log.sentences import sentence
from auditor.log.text import merge_spellings
from auditor.methods.noisy_counts.expectations import extrapolate_users
from auditor.methods.noisy_counts.period_units import encode_periods
from auditor.methods.statements import DECIDED_LATER, NO_OTHER_RELEASE, one_id, outsiders_evidence
from auditor.params import Params
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import CELLS, QUERY, URL, CellFigure, CellKey, CellTable
from auditor.privacy.statement import Assumption, Statement, assume
from auditor.progress import Progress, run_cancellable

RESULTS_SHOWN = "results_shown"
"""The column of the pages that a row's search showed (`log.reading.search_events`)."""
STEPS = ("day", "week")
_LOG_KEYS = (QUERY, URL, "step", *STEPS)
"""Keys that are no columns beside the log."""
_FOLDS: Mapping[str, tuple[np.ufunc, int]] = {
    "sum": (np.add, 0),
    "min": (np.minimum, np.iinfo(np.int64).max),
    "max": (np.maximum, 0),
}
Columns = Mapping[str, Any]
"""Figures of cells by name: arrays, or columns of a table elsewhere that add and divide alike."""


@dataclass(frozen=True)
class CellFacts:
    """What a statement says of a release of cells."""

    columns: tuple[str, ...]  # the columns beside the log that it was shown
    # cells, released: how many there are, and how many pass
    cells: int
    released: int
    # smallest, smallest_group: the fewest users of a cell that passes, and of a combination of
    # columns beside the log in any of these
    smallest: int = 0
    smallest_group: int = 0


@dataclass(frozen=True, eq=False)
class CountedCells:
    """Cells of some rows of a log."""

    keys: tuple[CellKey, ...]  # the texts of each cell, by key
    users: Int64s  # distinct users with a row in each; shape (cells,)
    # log, cell: the rows, and the number of each one's cell; shape (rows,)
    log: QueryLog
    cell: Int64s
    passing: Bools  # cells that are released; shape (cells,)

    def group_cells(self, excluded_headings: tuple[str, ...]) -> Int64s:
        """The number of each cell's combination of all keys but some; shape (cells,)."""
        number = np.zeros(len(self.users), dtype=np.int64)
        for key in self.keys:
            if key.heading not in excluded_headings:
                _, number = np.unique(
                    number * (len(key.texts) + 1) + key.codes + 1, return_inverse=True
                )
        return number

    @property
    def facts(self) -> CellFacts:
        """What a statement says of them."""
        rows = self.passing[self.cell]
        group = self.group_cells(_LOG_KEYS)[self.cell[rows]]
        _, users = count_users(group, self.log.user[rows], len(self.log.users))
        return CellFacts(
            tuple(self.log.attributes),
            len(self.users),
            int(np.count_nonzero(self.passing)),
            int(self.users[self.passing].min()) if self.passing.any() else 0,
            int(users.min(initial=len(self.log.users))),
        )

    def build_table(self, figures: Iterable[CellFigure] = ()) -> CellTable:
        """The cells that pass as they are released, with their figures."""
        keys = (
            CellKey(key.heading, *number_by_appearance(key.codes[self.passing], key.texts))
            for key in self.keys
        )
        return CellTable(CELLS, tuple(keys), tuple(figures))


@dataclass(frozen=True, eq=False)
class FrequentQueries:
    """How many users a query needs before any of its rows counts."""

    least: str  # the parameter that says so
    # ``list_windows(period, params)``: times [start, stop), in any of which they are enough.
    list_windows: Callable[[tuple[int, int] | None, Any], Iterable[tuple[int, int]]]
    vote: Callable[[QueryLog], Bools]  # the rows whose users count


@dataclass(frozen=True, eq=False)
class GroupFigure:
    """A figure that cells share which agree in all keys but some; those of all cells come first."""

    name: str
    kind: Literal["sum", "min", "max"]
    value: Callable[[Columns], Any]  # of each cell, to be summed, or the least or greatest taken
    excluded: tuple[str, ...]
    passing: bool  # whether of cells that are released alone


@dataclass(frozen=True, eq=False, kw_only=True)
class CellRule:
    """What is a cell of a release, whose rows count, how many users it needs and what it shows."""

    # params, main: as those of its method
    params: type[Params]
    # Headings of its keys; columns beside the log are keys where it has them, "step" is the
    # parameter of that name.
    keys: tuple[str, ...]
    least: str  # the parameter that says how many users a cell needs
    # ``choose(log, query, params, progress)``: the rows that count, told by each row alone; `query`
    # holds the query of each row.
    choose: Callable[[QueryLog, CellKey, Any, Progress], Bools]
    # ``claim(keys, k)``: what is promised of cells of so many users.
    claim: Callable[[str, int], str]
    main: tuple[str, ...]
    # ``show(columns)``: what is released of cells that pass, from all these figures of them.
    show: Callable[[Columns], tuple[CellFigure, ...]] = lambda _columns: ()
    once: bool = False  # whether of the rows of a search the first alone counts
    frequent: FrequentQueries | None = None  # which queries count at all, where not all do
    # Numbers of each row that are added up in each cell.
    adds: Mapping[str, Callable[[QueryLog], Any]] = field(default_factory=dict)
    # ``count_views(cells, log, params)``: the figure `views` of all cells of a log that has
    # `RESULTS_SHOWN`.
    count_views: Callable[[CountedCells, QueryLog, Any], Int64s] | None = None
    # Figures of groups of cells, made of `users`, of `adds` and of those before.
    groups: tuple[GroupFigure, ...] = ()
    sample: str = ""  # the parameter that says which share of the rows is drawn, if any
    unset: tuple[str, ...] = ()  # parameters of which no published text gives the value
    also_reads: tuple[str, ...] = ()  # columns beside the log that are no keys
    # ``state(statement, beside, params)``: the statement with what else it says of a log that has
    # these columns beside it.
    state: Callable[[Statement, Collection[str], Any], Statement] | None = None

    @property
    def reads(self) -> tuple[str, ...]:
        """Columns beside the log that it is shown."""
        return (*(key for key in self.keys if key not in _LOG_KEYS), *self.also_reads)

    def list_headings(self, column_names: Collection[str], params: Any) -> list[str]:
        """The headings of the keys that cells of a log with these columns beside it have."""
        steps = [getattr(params, key) if key == "step" else key for key in self.keys]
        return [key for key in steps if key not in self.reads or key in column_names]

    def build_keys(
        self, log: QueryLog, query: CellKey, params: Any, is_counted: Bools
    ) -> tuple[QueryLog, list[CellKey]]:
        """The rows that are chosen, and their keys."""
        kept_log, kept_query = log.rows(is_counted), query._replace(codes=query.codes[is_counted])
        keys = {QUERY: kept_query, URL: CellKey(URL, kept_log.url, kept_log.urls)}
        keys |= {name: CellKey(name, *column) for name, column in kept_log.attributes.items()}
        headings = self.list_headings(log.attributes, params)
        for step in {*STEPS}.intersection(headings):
            keys[step] = CellKey(step, *encode_periods(kept_log.time, step))
        return kept_log, [keys[heading] for heading in headings]

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
            passing: Bools = extrapolate_users(users, scale)[0] >= least
            return passing

        progress.stage("choosing rows")
        query = merge_queries(log)
        is_counted = self.choose(log, query, params, progress)
        if self.once:
            is_counted &= log.event_starts
        if self.frequent is not None:
            votes, is_frequent = self.frequent.vote(log), np.zeros(len(query.texts), dtype=np.bool_)
            for start, stop in self.frequent.list_windows(log.period, params):
                is_in_window = votes & (log.time >= start) & (log.time < stop)
                users = np.zeros(len(query.texts), dtype=np.int64)
                window_queries = query.codes[is_in_window].astype(np.int64)
                texts, holders = count_users(window_queries, log.user[is_in_window], len(log.users))
                users[texts] = holders
                is_frequent |= is_enough(users, getattr(params, self.frequent.least))
                progress.check()
            is_counted &= is_frequent[query.codes]
        if only is not None:
            is_counted &= only
        share = getattr(params, self.sample) if self.sample else None
        if share is not None and rng is not None:
            is_counted &= rng.integers(1 << 53, len(log)) < share * (1 << 53)
        progress.check()
        kept_log, keys = self.build_keys(log, query, params, is_counted)
        progress.stage("counting cells")
        codes = {key.heading: key.codes for key in keys}
        cell, users = run_cancellable(lambda: count_holders(kept_log, codes), progress)
        first = np.zeros(len(users), dtype=np.int64)
        first[cell[::-1]] = np.arange(len(cell))[::-1]
        return CountedCells(
            tuple(CellKey(key.heading, key.codes[first], key.texts) for key in keys),
            users,
            kept_log,
            cell,
            is_enough(users, getattr(params, self.least)),
        )

    def show_cells(self, cells: CountedCells, log: QueryLog, params: Any) -> tuple[CellFigure, ...]:
        """The figures of the cells of a log that pass."""
        columns: dict[str, Any] = {"users": cells.users}
        if self.count_views is not None and RESULTS_SHOWN in log.attributes:
            columns["views"] = self.count_views(cells, log, params)
        for name, add in self.adds.items():
            total = np.bincount(cells.cell, add(cells.log), minlength=len(cells.users))
            columns[name] = total.astype(np.int64)
        for group in self.groups:
            number = cells.group_cells(group.excluded)
            values = group.value(columns)
            fold, start = _FOLDS[group.kind]
            result = np.full(len(values), start, dtype=values.dtype)
            passing_cells = cells.passing if group.passing else slice(None)
            fold.at(result, number[passing_cells], values[passing_cells])
            columns[group.name] = result[number]
        return self.show({name: values[cells.passing] for name, values in columns.items()})

    def state_cells(self, params: Any, facts: CellFacts) -> Statement:
        """What is promised, and what the cells of a log show of it."""
        k = getattr(params, self.least)
        keys = " × ".join(self.list_headings(facts.columns, params))
        unset = [params.spec(name).label for name in self.unset if getattr(params, name) is None]
        assumptions = [
            Assumption(
                NO_OTHER_RELEASE,
                "Nothing else of the same log, or of one that differs by few users, is released. "
                "Two exact counts differ by what those few did, and no sum bounds it.",
                "unknown",
                DECIDED_LATER,
            ),
            one_id(),
        ]
        if k is not None:
            missing = [key for key in self.keys if key in self.reads and key not in facts.columns]
            evidence = sentence(
                "threshold_cells.counted",
                cells=facts.released,
                of=facts.cells,
                smallest=facts.smallest,
                missing=", ".join(missing) or "–",
            )
            assumptions += [
                assume("threshold_cells.every_cell_has_k_users", "holds", evidence, k=k),
                assume(
                    "frequency_threshold.attackers_are_none_of_the_n",
                    "unknown",
                    outsiders_evidence(k),
                ),
            ]
        if self.unset:
            assumptions.append(
                assume(
                    "threshold_cells.rules_that_are_not_published_are_set",
                    "fails" if unset else "holds",
                    sentence("entity_allowlist.unset", names=", ".join(unset) or "–"),
                )
            )
        measured = {"unset_rules": float(len(unset))}
        if k is not None and facts.released:
            measured |= {"smallest_cell": float(facts.smallest), "entity_users": float(k)}
            if any(key in facts.columns for key in self.keys):
                measured["smallest_column_group"] = float(facts.smallest_group)
        statement = Statement(
            model="none",
            claim=self.claim(keys, k) if k else sentence("threshold_cells.unset", keys=keys),
            unit="one cell",
            assumptions=tuple(assumptions),
            measured=measured,
        )
        return statement if self.state is None else self.state(statement, facts.columns, params)


def merge_queries(log: QueryLog) -> CellKey:
    """The query of each row, without regard to case and white space."""
    merged = merge_spellings(log)
    return CellKey(QUERY, merged.query, merged.queries)
