"""Coarser times for every method that yields a log: to the hour, day or week, or shuffled.

`Method` applies it to whatever a log method's `run` returns, so that no method knows of it: each
declares the parameter ``times`` and says in its `Product` which users form a group.

Events (distinct user, query and time) stay distinct, since methods and verifiers count them. Of
the searches of one query by one user within a step, the first stands at the step's beginning and
each other one a second later; which is first is random. So is the order of all that stands at the
same time. Users with equal records keep equal records. Cost: O(n log n), and nothing for exact
times.
"""

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from auditor.arrays import Int64s, Integers, mark_run_starts
from auditor.bit_mixing import mix_numbers
from auditor.log.gil_friendly import is_among, sorted_distinct
from auditor.log.model import NONE, QueryLog, name_fields
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.methods.released_ids import NO_USER
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import Product, ReleasedGroups
from auditor.privacy.release_times import EXACT, SHUFFLED, STEPS, floor_times
from auditor.privacy.statement import Assumption, Statement
from auditor.progress import Progress, run_cancellable

ASSUMPTION = "times are not recognised"
RECORD, GROUP, BUNDLE, RELEASE = (
    phrase("its user's record"),
    phrase("its group"),
    phrase("its bundle"),
    phrase("the whole release"),
)
"""Among whose searches times are exchanged where they are shuffled."""
_STEP_NAMES = {"hour": phrase("hour"), "day": phrase("day"), "week": phrase("week")}
Draw = Callable[..., Int64s]
"""``draw(things, spare=0)``: the place of each string or number, and of others, in some order."""


def with_coarse_times(
    product: Product, log: QueryLog, times: str, among: str, rng: Randomness, progress: Progress
) -> Product:
    """A log method's product with its times made coarser, and what is left of them stated."""
    released = product.content
    assert isinstance(released, QueryLog)
    groups = product.groups
    if times != EXACT:
        released = coarsen_times(released, times, rng, groups=groups, progress=progress)
    matches = pairs = lone_pairs = 0
    is_readable = bool((released.queries.match(log.queries) != NONE).any())
    if times != EXACT or groups is not None:
        matches, pairs = count_kept_seconds(log, released, progress)
    if times in STEPS:
        lone_pairs = count_lone_pairs(*_find_owned_rows(product, log), times, progress)
    facts = TimeFacts(times, len(released), matches, pairs, lone_pairs, among, is_readable)
    return dataclasses.replace(
        product, content=released, statement=state_times(product.statement, facts)
    )


@dataclasses.dataclass(frozen=True)
class TimeFacts:
    """What is known of a release's times."""

    times: str  # the parameter's value
    rows: int | None = None  # released rows; None before the release is made
    # kept, pairs: released pairs of a query and a second, and how many of them the log holds, too;
    # pairs is 0 where they were not counted
    kept: int = 0
    pairs: int = 0
    lone_pairs: int = 0  # released pairs of a query and a step that one user, or bundle, alone has
    among: str = RECORD  # `RECORD`, `GROUP` (of users alike), `BUNDLE` or `RELEASE`
    readable: bool = True  # whether released queries can be read; else pairs are of seconds alone

    @property
    def step(self) -> str:
        """The step to which times are cut off, in a word."""
        return _STEP_NAMES[self.times]


def state_times(statement: Statement, facts: TimeFacts) -> Statement:
    """The statement with a sentence, an assumption and figures about times."""
    measured = dict(statement.measured)
    if facts.pairs:
        measured |= {"kept_seconds": float(facts.kept), "released_seconds": float(facts.pairs)}
    if facts.times in STEPS and facts.rows is not None:
        measured["lone_times"] = float(facts.lone_pairs)
    if facts.times == SHUFFLED:
        note = sentence("time_granularity.times_those_searches_exchanged", among=facts.among)
    elif facts.times == EXACT:
        note = "Times are released to the second."
    else:
        note = sentence("time_granularity.times_left_utc_without", times=facts.step)
    status, evidence = _decide_status(facts)
    assumption = Assumption(
        ASSUMPTION,
        "Nobody who knows when somebody issued a query finds it in the release by its time, and "
        "so learns whose record it is in.",
        status,
        evidence,
    )
    return dataclasses.replace(
        statement,
        claim=phrase(
            "{claim} {sentence}", claim=as_phrase(statement.claim), sentence=as_phrase(note)
        ),
        assumptions=(*statement.assumptions, assumption),
        measured=measured,
    )


def _decide_status(facts: TimeFacts) -> tuple[Any, str]:
    """The assumption's status, and the evidence for it."""
    lone_status = "fails" if facts.lone_pairs else "holds"
    if facts.rows is None:  # before a run; `lone` are pairs of the original log then
        if facts.times == EXACT:
            return "fails", "times are released to the second"
        if facts.among == GROUP:
            return "unknown", "groups are made in the run: it is counted when the release is made"
        if facts.times == SHUFFLED and facts.among == RELEASE:
            return "unknown", "it is counted when the release is made"
        if facts.times == SHUFFLED:
            return "fails", (
                "every record keeps its own seconds, in another order: whoever knows one finds the "
                "record"
            )
        return lone_status, sentence(
            "time_granularity.pairs_query_stand_under", lone=facts.lone_pairs, times=facts.step
        )
    if not facts.rows:
        return "holds", "no search is released"
    if facts.times in STEPS:
        return lone_status, sentence(
            "time_granularity.pairs_in_one_bundle"
            if facts.among == BUNDLE
            else "time_granularity.pairs_query_stand_under_2",
            lone=facts.lone_pairs,
            times=facts.step,
        )
    text = sentence(
        "time_granularity.released_pairs_query_second"
        if facts.readable
        else "time_granularity.released_seconds",
        kept=facts.kept,
        pairs=facts.pairs,
    )
    if facts.times == SHUFFLED and facts.among in (RECORD, BUNDLE):
        return "fails", sentence("time_granularity.record_keeps_own_seconds", kept=text)
    if facts.pairs:
        coarser = "; coarser times keep fewer" if facts.times == EXACT and facts.kept else ""
        return ("fails" if facts.kept else "holds"), text + coarser
    return "fails", "times are released to the second, as they stand in the original log"


def count_kept_seconds(log: QueryLog, released: QueryLog, progress: Progress) -> tuple[int, int]:
    """Released pairs of a query and a second that the log has, too, and of how many.

    Where no query can be read, as after hashing, seconds alone are compared. Two different pairs
    agree by chance with a probability of 2⁻⁶⁴. O(n log n).
    """

    def count_matches() -> tuple[int, int]:
        codes = released.queries.match(log.queries).astype(np.int64)
        before, after = (mix_numbers(time.view(np.uint64)) for time in (log.time, released.time))
        if bool((codes >= 0).any()):
            code = np.where(codes >= 0, codes, len(log.queries) + np.arange(len(codes)))
            before = mix_numbers(before + log.query.astype(np.uint64))
            after = mix_numbers(after + code[released.query].astype(np.uint64))
        distinct = sorted_distinct(after)
        return int(np.count_nonzero(is_among(distinct, before))), len(distinct)

    progress.stage("comparing times")
    return run_cancellable(count_matches, progress)


def _find_owned_rows(product: Product, log: QueryLog) -> tuple[QueryLog, Integers]:
    """Rows with the released pairs of a query and a step, and the user of `log` behind each.

    A user may stand under several released ids. Without any id, rows are those of the log whose
    query is released, or all of them where queries were replaced: methods that drop ids release
    all rows of a query.
    """
    released = product.content
    assert isinstance(released, QueryLog)
    if product.truth is not None:
        owner = product.truth.find_owners(log, released)
        unknown = len(log.users) + np.arange(len(owner))
        return released, np.where(owner == NONE, unknown, owner)[released.user]
    if released.users.list_strings() == [NO_USER]:
        is_kept = log.queries.match(released.queries) != NONE
        rows = log.rows(is_kept[log.query]) if is_kept.any() else log
        return rows, rows.user
    return released, released.user


def count_lone_pairs(log: QueryLog, owner: Integers, times: str, progress: Progress) -> int:
    """Pairs of a query and a step under which one user alone stands; O(n log n).

    `owner` is the user of each row; shape (rows,).
    """

    def count_lone() -> int:
        step = floor_times(log.time, times)
        order = np.lexsort((owner, step, log.query))
        query, step, user = log.query[order], step[order], owner[order]
        pair = mark_run_starts(query, step)
        person = pair | mark_run_starts(user)
        first = np.flatnonzero(pair)
        if not len(first):
            return 0
        return int(np.count_nonzero(np.add.reduceat(person.astype(np.int64), first) == 1))

    progress.stage("comparing times")
    return run_cancellable(count_lone, progress)


def coarsen_times(
    log: QueryLog,
    times: str,
    rng: Randomness,
    *,
    groups: ReleasedGroups | None = None,
    progress: Progress,
    draw: Draw | None = None,
) -> QueryLog:
    """The same rows with coarser or shuffled times, in an order that tells nothing more.

    `draw` gives orders in the place of `rng`, where a log is worked on in parts.

    Raises `Cancelled`.
    """
    if times == EXACT or not len(log):
        return log
    progress.stage("coarsening times")
    place = draw or (lambda things, spare=0: rng.permutation(len(things) + spare))

    def coarsen() -> QueryLog:
        rows = np.lexsort((log.query, log.time, log.user))
        begins = mark_run_starts(log.user[rows], log.time[rows], log.query[rows])
        event = np.empty(len(log), dtype=np.int64)
        event[rows] = np.cumsum(begins) - 1
        first = rows[begins]
        events = _Events(
            log.user[first].astype(np.int64), log.query[first].astype(np.int64), log.time[first]
        )
        progress.check()
        if times == SHUFFLED:
            moved = _shuffle_event_times(events, groups, rng, progress)
        else:
            moved = _floor_event_times(events, times, place)
        progress.check()
        time = moved[event]
        # Codes were given in the order of rows: an order by draws for each string forgets it, and
        # is the same under every user.
        query_place = place(log.queries)[log.query]
        url_place = place(log.urls, 1)[log.url]
        keys: list[Any] = [place(entry.texts, 1)[entry.codes] for entry in log.attributes.values()]
        order = np.lexsort([*keys, log.rank, url_place, query_place, time, log.user])
        columns = {name: column[order] for name, column in log.columns.items()}
        columns["time"] = time[order]
        arranged = QueryLog(**name_fields(columns, log.vocabularies), origin=log.origin)
        return arranged.rows(np.ones(len(arranged), dtype=np.bool_))

    return run_cancellable(coarsen, progress)


@dataclasses.dataclass(frozen=True, eq=False)
class _Events:
    """Distinct (user, query, time), ordered by user, time and query; shape (events,)."""

    user: Int64s
    query: Int64s
    time: Int64s


def _floor_event_times(events: _Events, times: str, draw: Draw) -> Int64s:
    """Each event's new time: its step, and a second for each earlier one of the same query."""
    seconds, code = np.unique(events.time, return_inverse=True)
    # One draw for each second of the log, so that equal records get equal times.
    place = draw(seconds)[code]
    step = floor_times(events.time, times)
    order = np.lexsort((place, step, events.query, events.user))
    begins = mark_run_starts(events.user[order], events.query[order], step[order])
    index = np.arange(len(order))
    ordinal = index - np.maximum.accumulate(np.where(begins, index, 0))
    moved = np.empty_like(events.time)
    moved[order] = step[order] + ordinal
    return moved


def _shuffle_event_times(
    events: _Events, groups: ReleasedGroups | None, rng: Randomness, progress: Progress
) -> Int64s:
    """Each event's new time: that of a random event of its group, or of its user."""
    count = len(events.user)
    place = np.arange(count)
    if groups is not None and groups.equal:
        # Members have the same list: one permutation of it serves them all.
        begins = mark_run_starts(events.user)
        position_in_group = place - np.maximum.accumulate(np.where(begins, place, 0))
        group = groups.group[events.user]
        length = int(position_in_group.max()) + 1
        keys, position = np.unique(group * length + position_in_group, return_inverse=True)
        draw = rng.permutation(len(keys))[position]
        pool = events.user
    else:
        draw = rng.permutation(count)
        pool = events.user if groups is None else groups.group[events.user]
    progress.check()
    moved = np.empty_like(events.time)
    moved[np.lexsort((draw, pool))] = events.time[np.argsort(pool, kind="stable")]
    # No two events of one user and query meet: later ones move on by seconds.
    order = np.lexsort((draw, moved, events.query, events.user))
    begins = mark_run_starts(events.user[order], events.query[order])
    sorted_time = moved[order]
    met = np.flatnonzero(~begins[1:] & (sorted_time[1:] == sorted_time[:-1])) + 1
    starts = np.flatnonzero(begins)
    ends = np.append(starts[1:], len(order))
    for number, block in enumerate(sorted_distinct(np.searchsorted(starts, met, side="right") - 1)):
        if number % 4096 == 0:
            progress.check()
        part = slice(int(starts[block]), int(ends[block]))
        offset = np.arange(part.stop - part.start)
        sorted_time[part] = np.maximum.accumulate(sorted_time[part] - offset) + offset
    moved[order] = sorted_time
    return moved


def expect_times(log: QueryLog, times: str, among: str, progress: Progress) -> TimeFacts:
    """What is known of a release's times before it is made."""
    lone_pairs = 0
    if times in STEPS and among != GROUP:
        lone_pairs = count_lone_pairs(log, log.user, times, progress)
    return TimeFacts(times, lone_pairs=lone_pairs, among=among)
