"""A release of tables in the shape of a log: synthetic sessions, made from the tables alone.

Nothing here sees a log. What is made is f(T, R) of released tables T and random bits R that don't
depend on the log, so whatever (ε, δ) the tables keep, the sessions keep, at no further cost
(post-processing; Dwork and Roth: The Algorithmic Foundations of Differential Privacy, 2014,
Proposition 2.1): for every set S of logs let B(r) = {t : f(t, r) ∈ S}. Then

    P[f(T(D), R) ∈ S] = E_R P[T(D) ∈ B(R)]
                      ≤ E_R (e^ε P[T(D′) ∈ B(R)] + δ) = e^ε P[f(T(D′), R) ∈ S] + δ.

R may be public, even chosen by the reader: the seed stands in the manifest, and whoever has the
tables can make the same sessions again.

A query of released count n becomes n events. The t released transitions from p to q join t events
of p, each with one event of q, drawn at random, as long as there are events that have no follower
(of p) and no forerunner (of q) yet. That is a Markov walk over the released transitions, drawn
without replacement, so that its tables are the released ones and not the released ones with a
second noise. What is joined end to end is a session, which is cut after `LONGEST` queries; a circle
is opened at one place. The c released clicks of a query on a page go to its events at random, one
each before any gets a second. Released dates go to the events of their query.

Every row says that it is synthetic: each session is the whole history of a user of its own, and
all their names begin with ``synthetic-``. Without dates, times lie in the year 1970 and say in
which order a session's queries came, and nothing else.

Cost: O(n log n) for the n released events, transitions and clicks.
"""

import dataclasses
from typing import TypeVar

import numpy as np

from auditor.arrays import Int32s, Int64s
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.origin import LogOrigin
from auditor.log.sentences import sentence
from auditor.messages import phrase
from auditor.privacy.release import Anonymized, MethodRerun, Tables
from auditor.privacy.statement import Assumption, Statement
from auditor.progress import Progress

LONGEST = 100
"""Queries of a session at most."""
MARK = "synthetic-"
"""How the name of every synthetic user begins."""
STEP = 60
"""Seconds between two queries of a session."""
ALONE = "generated from released tables alone"
"""The assumption that stands in the statement of every synthetic log."""
_DAY = 86_400
_YEAR = 365 * _DAY

Released = TypeVar("Released", bound=Anonymized)


def shape_as_log(release: Released, seed: int, progress: Progress) -> Released:
    """The same release with synthetic sessions in the place of its tables; a preview stays one.

    A release that is a log already, or lies in files on other machines, is for the caller to
    refuse.
    """
    tables = release.tables
    assert tables is not None
    return dataclasses.replace(
        release,
        content=generate_sessions(tables, seed, progress),
        statement=synthetic_statement(release.statement, tables),
        synthetic_seed=seed,
    )


def shape_reruns(rerun: MethodRerun, seed: int) -> MethodRerun:
    """A method that is run anew, with sessions made of each result."""
    return lambda log, number, progress: shape_as_log(rerun(log, number, progress), seed, progress)


def synthetic_statement(statement: Statement, tables: Tables) -> Statement:
    """The tables' statement, which says that rows are made up and strings are real."""
    parts = [
        *(["transitions"] if tables.has_transitions else []),
        *(["clicks"] if tables.has_clicks else []),
        *([phrase("dates by {step}", step=tables.step)] if tables.step else []),
    ]
    queries_alone = Assumption(
        ALONE,
        "Every row is synthetic: it was generated from released tables and from random bits that "
        "do not depend on the log. What the tables guarantee, the rows guarantee, too.",
        "holds",
        phrase("made of counts of queries, {others}", others=", ".join(parts))
        if parts
        else "made of counts of queries",
    )
    return dataclasses.replace(
        statement,
        claim=sentence("synthetic_sessions.synthetic_log_rows_made", claim=statement.claim),
        assumptions=(*statement.assumptions, queries_alone),
    )


def generate_sessions(tables: Tables, seed: int, progress: Progress) -> QueryLog:
    """Synthetic sessions of released tables; the same seed gives the same log."""
    rng = np.random.default_rng(seed)
    progress.stage("generating synthetic sessions")
    count = np.maximum(tables.query_count, 0).astype(np.int64)
    pool = _EventPool(count, np.repeat(np.arange(len(count), dtype=np.int32), count))
    before = _join_events(tables, pool, rng, progress)
    session, depth = _number_sessions(before, rng, progress)
    progress.check()
    start = _start_times(tables, pool, rng, session, depth)
    # The event and the page of each click.
    times = np.where(count[tables.click_query] > 0, np.maximum(tables.click_count, 0), 0)
    query = np.repeat(tables.click_query, times)
    mixed = rng.permutation(len(query))
    query, url = query[mixed], np.repeat(tables.click_url, times)[mixed].astype(np.int32)
    place = _place_within(query) % np.maximum(count[query], 1)
    event = pool.shuffle(rng)[pool.first[query] + place]
    progress.check()
    row = np.concatenate([np.arange(len(pool.query)), event])
    page = np.concatenate([np.full(len(pool.query), NONE, np.int32), url])
    clicked = np.zeros(len(pool.query), dtype=np.bool_)
    clicked[event] = True
    stays = np.concatenate([~clicked, np.ones(len(event), np.bool_)])
    row, page = row[stays], page[stays]
    order = np.lexsort((page, depth[row], session[row]))
    row, page = row[order], page[order]
    progress.check()
    log = QueryLog.from_codes(
        user=session[row].astype(np.int32),
        query=pool.query[row],
        time=start[session[row]] + STEP * depth[row],
        url=page,
        rank=np.full(len(row), NONE, dtype=np.int16),
        users=Vocabulary.of(f"{MARK}{user}" for user in range(1, int(session.max(initial=-1)) + 2)),
        queries=tables.queries,
        urls=tables.urls,
        origin=LogOrigin(format="synthetic", rows_read=len(row)),
    )
    return log.rows(np.ones(len(row), dtype=np.bool_))  # only strings that occur


@dataclasses.dataclass(frozen=True, eq=False)
class _EventPool:
    """The events to be, query by query: how many each query has, and whose each is."""

    count: Int64s
    query: Int32s

    @property
    def first(self) -> Int64s:
        """The first event of each query."""
        return np.cumsum(self.count) - self.count

    def shuffle(self, rng: np.random.Generator) -> Int64s:
        """The events of each query in random order, query by query; shape (events,)."""
        return np.lexsort((rng.random(len(self.query)), self.query))


def _place_within(group: Int64s | Int32s) -> Int64s:
    """How many earlier entries are of the same group, for each entry; O(n log n)."""
    order = np.argsort(group, kind="stable")
    ordered = group[order]
    new = np.flatnonzero(np.diff(ordered, prepend=-1))
    begins = np.zeros(len(group), dtype=np.int64)
    begins[new] = new
    place = np.empty(len(group), dtype=np.int64)
    place[order] = np.arange(len(group)) - np.maximum.accumulate(begins)
    return place


def _join_events(
    tables: Tables, pool: _EventPool, rng: np.random.Generator, progress: Progress
) -> Int64s:
    """The event before each one in its session, −1 for none; circles are still closed."""
    before = np.full(len(pool.query), NONE, dtype=np.int64)
    times = np.where(
        tables.from_query == tables.to_query, 0, np.maximum(tables.transition_count, 0)
    )
    source = np.repeat(tables.from_query.astype(np.int64), times)
    target = np.repeat(tables.to_query.astype(np.int64), times)
    mixed = rng.permutation(len(source))
    source, target = source[mixed], target[mixed]
    for side in (0, 1):
        progress.check()
        group = (source, target)[side]
        fits = _place_within(group) < pool.count[group]
        source, target = source[fits], target[fits]
    leaving = pool.shuffle(rng)[pool.first[source] + _place_within(source)]
    coming = pool.shuffle(rng)[pool.first[target] + _place_within(target)]
    before[coming] = leaving
    return before


def _number_sessions(
    before: Int64s, rng: np.random.Generator, progress: Progress
) -> tuple[Int64s, Int64s]:
    """The session of each event, in random order, and its place there.

    A circle is opened at its least event.
    """
    size = len(before)
    following = np.full(size, NONE)
    following[before[before != NONE]] = np.flatnonzero(before != NONE)
    nexts, roots, places = following.tolist(), [NONE] * size, [0] * size
    for turn, first in enumerate((*np.flatnonzero(before == NONE).tolist(), *range(size))):
        if turn % 4096 == 0:
            progress.check()
        event, place = first, 0
        while event != NONE and roots[event] == NONE:
            roots[event], places[event] = first, place
            event, place = nexts[event], place + 1
    root, depth = np.array(roots, dtype=np.int64), np.array(places, dtype=np.int64)
    key = root * (size // LONGEST + 1) + depth // LONGEST
    _, session = np.unique(key, return_inverse=True)
    number = rng.permutation(int(session.max(initial=-1)) + 1)
    return number[session], depth % LONGEST


def _start_times(
    tables: Tables, pool: _EventPool, rng: np.random.Generator, session: Int64s, depth: Int64s
) -> Int64s:
    """When each session begins: in a released day or week of its first query, or some time."""
    sessions = int(session.max(initial=-1)) + 1
    start = np.sort(rng.integers(0, _YEAR, sessions))
    if not tables.step:
        return start
    length = _DAY if tables.step == "day" else 7 * _DAY
    dates = tables.dates
    times = np.maximum(dates.counts, 0)
    query = np.repeat(dates.query, times)
    mixed = rng.permutation(len(query))
    query, date = query[mixed], np.repeat(dates.time, times)[mixed]
    place = _place_within(query)
    fits = place < pool.count[query]
    of_event = np.full(len(pool.query), -1, dtype=np.int64)
    of_event[pool.first[query[fits]] + place[fits]] = date[fits]
    first = np.flatnonzero(depth == 0)
    dated = first[of_event[first] >= 0]
    day_offset = rng.integers(0, length - STEP * LONGEST, len(dated))
    start[session[dated]] = of_event[dated] + day_offset
    return start
