"""A counting method as data: what of a user counts, how noisy it becomes, and what is shown.

Limit what each user contributes → count queries, clicks and transitions → drop what too few units
have → noise → threshold. `CountingPlan` says how. `counting` carries it out in memory and from
working files, the Spark engine on many machines; a preview and a release differ in the source of
the noise alone.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.arrays import Int64s
from auditor.log.model import QueryLog, Vocabulary
from auditor.methods.noisy_counts.histograms import ContributionLimits, PairCounts, ReleasedQueries
from auditor.methods.noisy_counts.query_pool import QueryPool
from auditor.privacy import count_error
from auditor.privacy.noise import add_noise, noisy_at_least, passing_positions
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import CLICKS, QUERIES, TRANSITIONS
from auditor.privacy.statement import Statement
from auditor.progress import Progress


@dataclass(frozen=True)
class NoiseRule:
    """Discrete Laplace noise on the counts of a table, and which of them are shown."""

    scale: float  # of the draw that decides what is shown
    # The noisy count from which on a row is shown; None where every row is.
    least: int | None = None
    # Scale of a second draw, whose count is released; None where the first one's is.
    second_scale: float | None = None

    @property
    def error(self) -> int:
        """How far 95 % of released counts are at most from what was counted."""
        return count_error.of_laplace(
            self.scale if self.second_scale is None else self.second_scale
        )

    def draw(self, counts: Int64s, rng: Randomness, progress: Progress) -> tuple[Int64s, Int64s]:
        """Positions of the shown counts, ascending, and their noisy values; shapes (shown,)."""
        if self.least is None:
            return np.arange(len(counts)), add_noise(counts, self.scale, rng, progress)
        if self.second_scale is None:
            return noisy_at_least(counts, self.scale, self.least, rng, progress)
        index = passing_positions(counts, self.scale, self.least, rng, progress)
        return index, add_noise(counts[index], self.second_scale, rng, progress)


ListPages = Callable[
    [QueryLog, PairCounts, ReleasedQueries, Progress], tuple[PairCounts, Vocabulary]
]


@dataclass(frozen=True, kw_only=True)
class CountingPlan:
    """What of a user counts, and the noise of each released table."""

    limits: ContributionLimits  # how much of each user counts, and of queries of how many units
    # queries, clicks, transitions: noise of each table; None where it is not released
    queries: NoiseRule
    # Limited counts below this are dropped before the noise; None where none is for its size.
    fewest: int | None = None
    clicks: NoiseRule | None = None
    transitions: NoiseRule | None = None
    # ``lowest_transition(cells)`` is the threshold where all ordered pairs of released queries get
    # noise, also those that nobody made; None where only pairs that occurred are released.
    lowest_transition: Callable[[float], int] | None = None
    # Loads the pool whose queries can stand among those of the log with a count of 0, or None where
    # none was asked for; None where the method has no pool.
    load_pool: Callable[[Progress], QueryPool | None] | None = None
    # Puts the pairs of a public list in the place of the clicked ones, with the list's pages.
    list_pages: ListPages | None = None
    # Whether the statement speaks of counts in the whole log: of rare queries, of volume kept.
    whole_counts: bool = False
    # Parameters, as they are set, that this machine alone can follow: a pool, a list.
    local_parameters: tuple[str, ...] = ()

    @property
    def errors(self) -> dict[str, int]:
        """`NoiseRule.error` by the file of each table."""
        rules = {QUERIES: self.queries, CLICKS: self.clicks, TRANSITIONS: self.transitions}
        return {file: rule.error for file, rule in rules.items() if rule is not None}

    @property
    def threshold(self) -> int:
        """The noisy count from which on a query is shown."""
        assert self.queries.least is not None
        return self.queries.least


@dataclass(frozen=True, kw_only=True)
class ReleaseFigures:
    """What was counted while a release was made, for its changes and its statement's evidence."""

    # users, queries: users and distinct queries of the log; 0 queries where nobody counted them
    users: int
    queries: int
    changes: dict[str, int]  # what was left out and what was released, by name
    secure: bool = True  # whether the noise came from a vetted sampler
    # Whether these are expectations, so that the statement has to come while a slider moves.
    expected: bool = False
    # rare, borderline: queries below τ; queries at τ − 1 or τ, which one user can drop or bring
    # back
    rare: int = 0
    borderline: int = 0
    # single_clicks, single_transitions: released pairs with a true count of 1
    single_clicks: int = 0
    single_transitions: int = 0
    # Share of query volume that the released queries had in the log.
    kept_share: float | None = None
    # pool, pooled: what the pool is, in words, and how many of the log's queries it lists; empty
    # without one, and None where it is no list
    pool: str = ""
    pooled: int | None = None


@dataclass(frozen=True, eq=False)
class CountingMethod:
    """How a method's parameters become a plan, and what is stated of a release by it."""

    plan: Callable[[Any], CountingPlan]
    state: Callable[[Any, ReleaseFigures], Statement]
    limit: str = "q_f"  # the parameter that limits users
    threshold: str = "K"  # the symbol of what noisy counts have to reach
    # ``list_turning(params)``: parameters that may turn what becomes of a query.
    list_turning: Callable[[Any], tuple[str, ...]] = lambda _params: ()


def query_changes(
    plan: CountingPlan,
    *,
    rows: int,
    rows_within: int,
    histories: int,
    candidates: int,
    released: int,
    decoys: int = 0,
) -> dict[str, int]:
    """The changes that every counting method has, of rows and of queries.

    `rows_within` are rows in limited histories, `histories` queries in them, `candidates` those
    that get noise.
    """
    rare = {"queries_rarer_than_tau": histories - candidates} if plan.fewest is not None else {}
    return {
        "rows": rows,
        "rows_over_limit": rows - rows_within,
        "queries_in_histories": histories,
        **rare,
        "queries_below_threshold": candidates - released,
        "queries_released": released + decoys,
        **({} if plan.load_pool is None else {"pool_queries_released": decoys}),
    }


def pair_changes(name: str, rule: NoiseRule, candidates: int, released: int) -> dict[str, int]:
    """The changes of a table of pairs: "click_pairs" or "transitions"."""
    below = {} if rule.least is None else {f"{name}_below_threshold": candidates - released}
    return {**below, f"{name}_released": released}


def transition_changes(happened: int, passed: int, never: int) -> dict[str, int]:
    """The changes of a table whose every cell got noise."""
    return {
        "transitions_below_threshold": happened - passed,
        "transitions_released": passed + never,
        "transitions_that_never_happened": never,
    }
