"""Why a query was kept or dropped: what a method's `explain` takes and returns, and solving.

An explanation is for those who hold the log. It shows counts of the log as they are, which no ε
covers, so it never goes into a release.

The tipping point is a chance of one half: a setting releases a query, or keeps it back, as is the
more likely. With discrete Laplace noise X that is the same as count ≥ K, since P[X ≥ 0] > 1/2 >
P[X ≥ 1]. `nearest_value` looks for the value of one parameter, all others as they are, at which
the query changes sides: outward from the present one, in steps that double, then by halving. That
is the nearest value wherever the side changes once in each direction; where it may change more
often, the caller says up to which distance to look at every value, or at which one it turns back.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.arrays import Bools, Int64s, UInt8s, expand_ranges, mark_run_starts
from auditor.errors import ParameterError
from auditor.figures import Figure, MetricValue, ShortRepr, Table
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.messages import phrase
from auditor.methods.noisy_counts.histograms import CountingUnit
from auditor.params import ParamKind, Params, ParamSpec
from auditor.privacy.release import Anonymized
from auditor.progress import Progress, run_cancellable

Chance = Callable[[Any], float]


@dataclass(frozen=True, eq=False)
class ExplanationRequest:
    """One query and where it stands in a log."""

    # log, release: the log; and its release that is to be explained, None where it is only looked
    # up
    log: QueryLog
    release: Anonymized | None
    # text, code: the query; its code in the log, −1 where nobody issued it
    text: str
    code: int
    rows: Int64s  # positions of its rows, ascending; shape (rows,)
    users: Int64s  # codes of the users who issued it, ascending; shape (users,)

    @property
    def released(self) -> QueryLog:
        """The log that is to be explained."""
        assert self.release is not None
        assert self.release.log is not None
        return self.release.log

    @classmethod
    def of(cls, log: QueryLog, text: str, release: Anonymized | None = None) -> ExplanationRequest:
        """Find a query in a log; O(distinct queries + rows), without sorting."""
        code = code_of(log.queries, text)
        none = np.zeros(0, dtype=np.int64)
        if code == NONE:
            return cls(log, release, text, NONE, none, none)
        rows = np.flatnonzero(log.query == code)
        users = log.user[rows].astype(np.int64)  # ascending, as the log is
        return cls(log, release, text, code, rows, users[np.diff(users, prepend=-1) > 0])

    def select_histories(self) -> QueryLog:
        """All rows of those who issued it."""
        is_selected = np.zeros(len(self.log.users), dtype=np.bool_)
        is_selected[self.users] = True
        return self.log.rows(is_selected[self.log.user])


def code_of(words: Vocabulary, text: str) -> int:
    """The code of one string, or −1; reads each string's beginning at most, unlike a table."""
    import pyarrow.compute as pc

    target = Vocabulary.of([text])
    same_length = np.flatnonzero(words.compute_lengths() == target.compute_lengths()[0])
    if not len(same_length):
        return NONE
    position = pc.index(words.take(same_length).as_arrow(), target.as_arrow()[0]).as_py()
    return int(same_length[position]) if position >= 0 else NONE


@dataclass(frozen=True)
class TurningPoint(ShortRepr):
    """The nearest value of one parameter that puts a query on the other side, if there is one."""

    parameter: str
    label: str
    now: Any
    value: Any = None
    chance: float | None = None  # what the query then has
    why: str = ""  # more about it, or why no value does it


@dataclass(frozen=True, eq=False, kw_only=True)
class Explanation(ShortRepr):
    """What a method says of one query; of the log, so private throughout."""

    outcome: str  # the answer in a sentence or two
    chance: float | None  # that of being released; None where only running tells
    values: tuple[MetricValue, ...] = ()
    turns: tuple[TurningPoint, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = ()
    # Whether the release holds it, where the method can tell better than by its text.
    released: bool | None = None


# --- counts -----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class QueryOccurrences:
    """How far into their histories users issued the query, in units from 1, by user ascending."""

    places: Int64s
    first: Int64s  # 0 where it was dropped
    length: Int64s  # units of the whole history

    def count_within(self, limit: int) -> int:
        """The query's count where each history ends after `limit` units."""
        return int(np.searchsorted(self.places, limit, side="right"))

    def users_within(self, limit: int) -> int:
        """How many users have it within the limit."""
        return int(np.count_nonzero((self.first > 0) & (self.first <= limit)))

    @property
    def last(self) -> int:
        """The limit from which on nothing more is counted."""
        return int(self.places[-1]) if len(self.places) else 0


def find_occurrences(
    request: ExplanationRequest,
    unit: CountingUnit,
    progress: Progress,
    dropped: UInt8s | None = None,
) -> QueryOccurrences:
    """Where in the histories of those who issued it a query stands; O(their rows).

    A unit is what `histograms.limit_users` takes for one, so that a limit of q counts exactly the
    places up to q. Queries with ``dropped[query] != 0`` are passed over.
    """
    log, users = request.log, request.users
    sizes = np.diff(log.user_starts)[users]
    rows = expand_ranges(log.user_starts[users], sizes)
    owner, query = np.repeat(np.arange(len(users)), sizes), log.query[rows]
    new: Bools = np.ones(len(rows), dtype=np.bool_)
    if unit is CountingUnit.USERS:  # the first rows of a user with a query
        pairs = (owner << 32) | query
        order = run_cancellable(lambda: np.argsort(pairs, kind="stable"), progress)
        new[order] = mark_run_starts(pairs[order])
    elif unit is CountingUnit.EVENTS:
        new = log.event_starts[rows]
    if dropped is not None and len(dropped):
        new &= dropped[query] == 0
    length = np.bincount(owner[new], minlength=len(users)).astype(np.int64)
    ordinal: Int64s = np.cumsum(new) - np.repeat(np.cumsum(length) - length, sizes)
    is_occurrence = new & (query == request.code)
    places, holder = ordinal[is_occurrence], owner[is_occurrence]
    first, leads = np.zeros(len(users), dtype=np.int64), mark_run_starts(holder)
    first[holder[leads]] = places[leads]
    return QueryOccurrences(np.sort(places), first, length)


NO_ROWS = "a query that nobody issued has no rows to keep"


def find_threshold_turn(params: Params, name: str, count: int, reason: str) -> TurningPoint:
    """Where the least number of users that `name` is lets a query of `count` users in, or out.

    `reason` says what keeps it out at any value where `count` is 0.
    """
    least, label = getattr(params, name), params.spec(name).label
    if not count:
        return TurningPoint(name, label, least, why=reason)
    is_kept = least is not None and count >= least
    return TurningPoint(name, label, least, count + is_kept, 0.0 if is_kept else 1.0)


# --- solving ----------------------------------------------------------------------------------


def find_turning_points(
    params: Params,
    chance: Chance,
    names: Iterable[str],
    *,
    present_values: dict[str, Any] | None = None,
    dense: dict[str, int] | None = None,
    peaks: dict[str, int] | None = None,
    progress: Progress,
) -> tuple[TurningPoint, ...]:
    """For each named parameter the nearest value that puts the query on the other side.

    ``chance(params)`` is that of being released. `present_values` has the values of parameters that
    are solved for; `dense` up to which distance every value is looked at, where the side may change
    more than once; `peaks` the value up to which a query's chance rises, to fall thereafter.
    """
    likely = chance(params) >= 0.5
    turns = []
    for name in names:
        spec = params.spec(name)
        if not params.matters(name):
            continue
        progress.check()
        present = getattr(params, name)
        if present is None:
            present = (present_values or {}).get(name)

        def changes_outcome(value: Any, name: str = name) -> bool:
            progress.check()
            try:
                return (chance(params.replace(**{name: value})) >= 0.5) != likely
            except (ParameterError, OverflowError):
                return False

        if spec.kind in (ParamKind.CHOICE, ParamKind.FLAG):
            flag = spec.kind is ParamKind.FLAG
            other_values = (True, False) if flag else [option.value for option in spec.options]
            value = next(
                (new for new in other_values if new != present and changes_outcome(new)), None
            )
        else:
            peak = (peaks or {}).get(name)
            value = nearest_value(
                spec, present, changes_outcome, dense=(dense or {}).get(name, 0), peak=peak
            )
        chance_there, reason = None, _describe_no_value(spec)
        if value is not None:
            chance_there, reason = chance(params.replace(**{name: value})), ""
        turn = TurningPoint(name, spec.label, present, value, chance_there, reason)
        turns.append(turn)
    return tuple(turns)


def nearest_value(
    spec: ParamSpec,
    start: float,
    other: Callable[[Any], bool],
    *,
    dense: int = 0,
    peak: float | None = None,
) -> Any:
    """The value nearest to `start` within the parameter's bounds for which `other` holds, or None.

    Nearest is by ratio where the slider is logarithmic, else by difference. Reals come rounded to
    what a person would type, on the side where `other` holds.
    """
    assert spec.bounds is not None
    is_int = spec.kind is ParamKind.INTEGER
    low, high = _choose_ends(spec)

    def changes(value: float) -> bool:
        return other(int(value) if is_int else value)

    def find_towards(end: float) -> float | None:
        near = start
        for far in _list_steps(start, end, peak, dense, is_int=is_int):
            if changes(far):
                while abs(far - near) > 1 if is_int else abs(math.log(far / near)) > 1e-4:
                    middle = (near + far) // 2 if is_int else math.sqrt(near * far)
                    near, far = (near, middle) if changes(middle) else (middle, far)
                return far
            near = far
        return None

    best = find_towards(high)
    if best is not None:  # below, only what is nearer matters
        low = max(low, start * start / best if spec.scale == "log" else 2 * start - best)
        low = math.ceil(low) if is_int else low
    below = find_towards(low) if low < start else None
    best = best if below is None else below
    if best is None:
        return None
    return int(best) if is_int else _round_boundary(best, start, other, spec)


def _list_steps(
    present: float, end: float, peak: float | None, dense: int, *, is_int: bool
) -> Iterator[float]:
    """Values from `present` to `end`: up to `dense` whole ones, then in steps that double.

    From a `peak` in between they begin anew.
    """
    sign = 1 if end > present else -1
    if is_int:
        dense_steps = min(dense, int(abs(end - present)))
        yield from (present + sign * step for step in range(1, dense_steps + 1))
        present += sign * dense_steps
    is_between = peak is not None and min(present, end) < peak < max(present, end)
    for stop in (peak, end) if is_between and peak is not None else (end,):
        step = 1.0 if is_int else 1e-3
        while present != stop:
            present = present + sign * step if is_int else present * math.exp(sign * step)
            present = stop if (present - stop) * sign >= 0 else present
            yield present
            step *= 2


def _describe_no_value(spec: ParamSpec) -> str:
    """That no value does it, and of which values that is said."""
    if spec.bounds is not None and spec.kind is ParamKind.REAL and 0.0 not in spec.bounds:
        low, high = _choose_ends(spec)
        if low > 0 and spec.bounds.low == 0:
            return phrase("no value from {low:.2g} to {high:.4g} changes it", low=low, high=high)
    return "no value in its bounds changes it"


def _choose_ends(spec: ParamSpec) -> tuple[float, float]:
    """The least and the largest value to try; open ends are left out by a hair."""
    assert spec.bounds is not None
    low, high = float(spec.bounds.low), float(spec.bounds.high)
    if spec.kind is ParamKind.INTEGER:
        return low, high
    if low not in spec.bounds:  # what lies nearer to 0 nobody would set, nor can all be computed
        assert spec.slider is not None
        low = low * (1 + 1e-9) if low > 0 else float(spec.slider[0]) * 1e-6
    if high not in spec.bounds:
        high *= 1 - 1e-9
    return low, high


def _round_boundary(
    value: float, present: float, other: Callable[[Any], bool], spec: ParamSpec
) -> float:
    """A value of few digits at or just beyond the one found, if there is one."""
    assert spec.bounds is not None
    for digits in (3, 4):
        unit = 10.0 ** (math.floor(math.log10(value)) + 1 - digits)
        steps = math.ceil(value / unit) if value > present else math.floor(value / unit)
        rounded = float(f"{steps * unit:.{digits}g}")
        if rounded in spec.bounds and rounded != present and other(rounded):
            return rounded
    return value
