"""Methods broken on purpose, each in one way that breaks its claim: what an audit has to find.

A mutant is a rerun of a method with something in it replaced; the statement stays that of the
whole method. `CASES` has the mutants and the whole methods, with the parameters of their audits.
"""

import dataclasses
import functools
import importlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

import numpy as np

from auditor.attacks.base import AttackResult, Evidence
from auditor.attacks.dp_audit.attack import ATTACK, DpAuditParams
from auditor.engine.backends import local
from auditor.log.model import QueryLog, UserSample
from auditor.methods import base, dated_counts, zealous
from auditor.methods import safelog as strict
from auditor.methods.dated_counts import DatedCells, DatedCountsParams, count_dated_cells
from auditor.methods.faults import Fault
from auditor.methods.noisy_counts import counting
from auditor.methods.noisy_counts.counting_plan import ReleaseFigures
from auditor.methods.noisy_counts.grouped_queries import pair_queries, split_pair
from auditor.methods.noisy_counts.histograms import (
    CountingUnit,
    LimitedCounts,
    assemble_tables,
    choose_queries,
    limit_users,
    transition_pairs,
)
from auditor.methods.registry import METHODS
from auditor.params import Params
from auditor.privacy.noise import PreviewRandomness, add_noise, passing_positions
from auditor.privacy.release import Anonymized, MethodRerun, Preview
from auditor.progress import Progress, silent_progress

LOG = QueryLog.from_columns(
    user=[f"u{i}" for i in range(40)], query=["x"] * 40, time=[1] * 40, url=["u"] * 40
)
MANY = 100_000

Change = Callable[[], Any]
"""A context within which the method is broken."""
Rerun = Callable[[str, Params, int], MethodRerun]


@dataclass(frozen=True)
class MutationCase:
    """A method with its parameters, and how it is broken; not at all without a `change`."""

    name: str
    method: str
    values: dict[str, Any]
    change: Change | None = None
    rerun: Rerun | None = None
    share: float | None = None
    claimed: Callable[[Anonymized, Params], Anonymized] = field(default=lambda made, params: made)

    @property
    def broken(self) -> bool:
        """Whether the audit should refute it."""
        return self.change is not None or self.rerun is not None or self.name.startswith("printed")

    def audit(self, seed: int, **values: Any) -> AttackResult:
        """The audit, with the default number of runs unless `values` say otherwise."""
        params = METHODS[self.method].params(**self.values)
        rng = PreviewRandomness(seed)
        log = local.sample_log(LOG, self.share, rng)
        release = self.claimed(
            local.apply_method(log, self.method, params, rng, silent_progress()), params
        )
        first = 10_000_000 * seed
        if self.rerun is not None:
            again = self.rerun(self.method, params, first)
        else:
            again = local.make_rerun(self.method, params, first, share=self.share)

        def rerun(log: QueryLog, number: int, progress: Progress) -> Anonymized:
            with self.change() if self.change is not None else ExitStack():
                return again(log, number, progress)

        return ATTACK.run(
            Evidence(log=LOG, release=release, rerun=rerun),
            DpAuditParams(**values),
            rng=np.random.default_rng(seed),
            progress=silent_progress(),
        )


# --- what is broken ---------------------------------------------------------------------------


def limits(module: Any, *, q_f: float = 1, c_f: float = 1) -> Change:
    """The limits are so many times too high; `MANY` times is none at all."""

    def loose(log: QueryLog, limits: Any, *args: Any, **more: Any) -> LimitedCounts:
        wide = dataclasses.replace(limits, q_f=int(limits.q_f * q_f), c_f=int(limits.c_f * c_f))
        return limit_users(log, wide, *args, **more)

    return lambda: mock.patch.object(module, "limit_users", loose)


def limit_each_group() -> Any:
    """A user counts for q_f queries in each group, as one user there each, not for q_f in all."""

    def pair_apart(log: QueryLog, by: str) -> tuple[QueryLog, bool]:
        paired, has_column = pair_queries(log, by)
        pairs = paired.queries.list_strings()
        queries = [pairs[query] for query in paired.query]
        users = [
            f"{split_pair(pair)[0]} {user}" for pair, user in zip(queries, paired.user, strict=True)
        ]
        return QueryLog.from_columns(user=users, query=queries, time=paired.time), has_column

    return mock.patch.object(base, "pair_queries", pair_apart)


def thresholds(**changes: Callable[[int], int]) -> Change:
    """K or K_c is another than the statement's δ is for."""
    solved = strict.strict_budget

    def low(params: Any) -> strict.StrictBudget:
        spent = solved(params)
        return dataclasses.replace(
            spent, **{name: change(getattr(spent, name)) for name, change in changes.items()}
        )

    return lambda: mock.patch.object(strict, "strict_budget", low)


def support_only_transitions() -> Any:
    """No pair that nobody made gets noise."""
    none = np.zeros(0, dtype=np.int64)
    return mock.patch.object(counting, "zero_cells", return_value=(none, none))


def unlimited_transitions() -> Any:
    """Every transition of a limited history counts, as often as it was made."""
    original = transition_pairs

    def count_all(log: QueryLog, limited: LimitedCounts, *args: Any) -> Any:
        wide = dataclasses.replace(limited.limits, unit=CountingUnit.EVENTS, q_f=MANY)
        return original(log, dataclasses.replace(limited, limits=wide), *args)

    return mock.patch.object(counting, "transition_pairs", count_all)


def unlimited_repeats() -> Any:
    """Every event of the first q_f different queries counts."""

    def count_all(log: QueryLog, limits: Any, *args: Any, **more: Any) -> LimitedCounts:
        limited = limit_users(log, limits, *args, **more)
        return dataclasses.replace(limited, query_count=_events(log, limited).astype(np.int32))

    return mock.patch.object(counting, "limit_users", count_all)


def threshold_on_events() -> Any:
    """Events decide whether a query is released, and users are what is released of it."""

    def release(log: QueryLog, plan: Any, rng: Any, progress: Any, **_: Any) -> Any:
        limited, rule = limit_users(log, plan.limits, progress), plan.queries
        events = _events(log, limited)
        there = np.flatnonzero(events)
        index = there[passing_positions(events[there], rule.scale, rule.least, rng, progress)]
        users = limited.query_count[index].astype(np.int64)
        chosen = choose_queries(log, index, add_noise(users, rule.scale, rng, progress))
        figures = ReleaseFigures(users=len(log.users), queries=0, changes={}, secure=rng.secure)
        return assemble_tables(log.urls, chosen, None, None), figures

    return mock.patch.object(counting, "release_counts", release)


def _events(log: QueryLog, limited: LimitedCounts) -> Any:
    """How often each query stands in the limited histories."""
    assert limited.limits.unit is CountingUnit.USERS
    within = np.arange(len(log)) < limited.stops[log.user]
    return np.bincount(log.query[within], minlength=len(log.queries)).astype(np.int64)


def unlimited_days() -> Any:
    """Every day or week of a user counts."""
    original = count_dated_cells

    def all_days(log: QueryLog, params: DatedCountsParams, progress: Progress) -> DatedCells:
        return original(log, params.replace(days=MANY), progress)

    return mock.patch.object(dated_counts, "count_dated_cells", all_days)


def same_seed(method: str, params: Params, first: int) -> MethodRerun:
    """All runs draw the same noise."""
    again = local.make_rerun(method, params, first)
    return lambda log, number, progress: again(log, 0, progress)


def fixed_size(share: float) -> Rerun:
    """The sample has always round(users · share) users."""

    def rerun(method: str, params: Params, first: int) -> MethodRerun:
        def again(log: QueryLog, number: int, progress: Progress) -> Anonymized:
            rng, users = PreviewRandomness(first + number), len(log.users)
            chosen = np.zeros(users, dtype=np.bool_)
            chosen[rng.sample(users, round(users * share))] = True
            part = log.rows(chosen[log.user])
            sample = UserSample(users=len(part.users), of=users, share=share)
            origin = dataclasses.replace(part.origin, sample=sample)
            part = dataclasses.replace(part, origin=origin)
            return local.apply_method(part, method, params, rng, progress)

        return again

    return rerun


def printed(release: Anonymized, params: Params) -> Anonymized:
    """The statement has the δ that the source prints for its threshold."""
    assert isinstance(params, zealous.ZealousParams)
    statement = dataclasses.replace(release.statement, delta=params.delta)
    assert isinstance(release, Preview)
    return dataclasses.replace(release, statement=statement)


BARE = {"clicks": False, "transitions": False}
QUERIES = {"q_f": 2, "b": 1.0, "delta": 0.01, **BARE}
SINGLE = {"q_f": 1, "b": 1.0, "delta": 0.01, **BARE}
CLICKS = {"q_f": 1, "c_f": 1, "b": 2.0, "b_c": 1.0, "delta": 0.01, "transitions": False}
ORDER = {"q_f": 2, "b": 2.0, "b_t": 2.0, "K_t": 3, "delta": 0.01, "clicks": False}
KOROLOVA = {"q_f": 2, "b": 2.0, "b_q": 2.0, "delta": 0.01, "clicks": "none"}
ZEALOUS = {"m": 2, "epsilon": 1.0, "delta": 1e-3}
UNION = {"q_f": 2, "epsilon": 2.0, "delta": 0.01, "counting": 0.9}
SELECTED = {"q_f": 2, "epsilon": 2.0, "delta": 0.01}
BY_COUNTRY = [
    (name, {**values, "group_by": "country"})
    for name, values in (
        ("safelog", QUERIES),
        ("korolova", KOROLOVA),
        ("zealous", ZEALOUS),
        ("set-union", UNION),
        ("partition-selection", SELECTED),
    )
]
DATED = {"q_f": 2, "days": 1, "epsilon": 2.0, "delta": 0.01}
SHARE = 0.1


def of_registry() -> Iterator[MutationCase]:
    """The faults that each method's registry entry declares, and each method whole."""
    for name in METHODS.modules:
        faults = METHODS[name].faults
        for fault in faults:
            yield MutationCase(
                fault.name, name, dict(fault.values), functools.partial(apply_fault, fault)
            )
        if faults:
            yield MutationCase("seed reused", name, dict(faults[0].values), rerun=same_seed)
        for values in {str(fault.values): dict(fault.values) for fault in faults}.values():
            yield MutationCase("whole", name, values)


@contextmanager
def apply_fault(fault: Fault) -> Iterator[None]:
    """The method broken as the fault says."""
    with ExitStack() as stack:
        for place in fault.places:
            module, _, path = place.partition(":")
            *owners, name = path.split(".")
            owner = functools.reduce(getattr, owners, importlib.import_module(module))
            change = fault.change(getattr(owner, name))
            stack.enter_context(mock.patch.object(owner, name, change))
        yield


EXTRA_CASES: tuple[MutationCase, ...] = (
    MutationCase("limit of queries removed", "safelog", QUERIES, limits(counting, q_f=MANY)),
    MutationCase("limit of queries removed", "korolova", KOROLOVA, limits(counting, q_f=MANY)),
    MutationCase("limit of queries removed", "zealous", ZEALOUS, limits(counting, q_f=MANY)),
    *(
        MutationCase("limit in each group", name, values, limit_each_group)
        for name, values in BY_COUNTRY
    ),
    MutationCase("limit of clicks removed", "safelog", CLICKS, limits(counting, c_f=MANY)),
    MutationCase("limit of clicks × 4", "safelog", CLICKS, limits(counting, c_f=4)),
    MutationCase("limit of transitions removed", "safelog", ORDER, unlimited_transitions),
    MutationCase("K_c = 1", "safelog", CLICKS, thresholds(K_c=lambda K: 1)),
    MutationCase("support-only clicks", "safelog", CLICKS, thresholds(K_c=lambda K: -MANY)),
    MutationCase("support-only transitions", "safelog", ORDER, support_only_transitions),
    MutationCase("unlimited repeats", "safelog", QUERIES, unlimited_repeats),
    MutationCase("threshold on events, not users", "safelog", QUERIES, threshold_on_events),
    MutationCase("sample of a fixed size", "safelog", SINGLE, rerun=fixed_size(SHARE), share=SHARE),
    MutationCase("printed δ'", "zealous", ZEALOUS | {"threshold": "printed"}, claimed=printed),
    MutationCase("limit of queries removed", "dated-counts", DATED, limits(dated_counts, q_f=MANY)),
    MutationCase("limit of days removed", "dated-counts", DATED, unlimited_days),
    MutationCase("whole", "dated-counts", DATED),
    MutationCase("whole", "safelog", QUERIES),
    MutationCase("whole, sampled", "safelog", SINGLE, share=SHARE),
    MutationCase("whole, with clicks", "safelog", CLICKS),
    MutationCase("whole, with transitions", "safelog", ORDER),
    MutationCase("whole", "korolova", KOROLOVA),
    MutationCase("whole", "zealous", ZEALOUS),
    MutationCase("whole, threshold as printed", "zealous", ZEALOUS | {"threshold": "printed"}),
    *(MutationCase("whole", name, values) for name, values in BY_COUNTRY),
)
"""Faults of single methods' tables, samples and statements, and the methods whole there."""
CASES = (*EXTRA_CASES, *of_registry())
