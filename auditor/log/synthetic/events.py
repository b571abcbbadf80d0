"""What happens in one period of a synthetic log: sessions, times, steps, clicks, addresses."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, TypeVar

import numpy as np

from auditor.arrays import Bools, Floats, Int16s, Int64s
from auditor.bit_mixing import splitmix64
from auditor.log.synthetic import world as w
from auditor.log.synthetic.people import SyntheticPeople
from auditor.log.synthetic.queries import (
    NEW,
    NEXT_PAGE,
    SyntheticQueries,
    compose_queries,
    home_places,
    keep_apart,
    own_data,
    own_names,
    reformulate_queries,
)
from auditor.log.synthetic.world import Rng, SyntheticWorld
from auditor.progress import Progress

LONGEST = 15
"""Most queries of a session before private ones join it."""
HOURS = np.array([3, 2, 1, 1, 1, 1, 2, 3, 5, 6, 7, 7, 7, 7, 7, 7, 7, 7, 8, 9, 9, 9, 7, 5], float)
"""How busy each hour of the day is."""
BLOCK = 2_000
"""People made at a time."""
ORDINARY, OWN_NAME, HOME, OWN_DATA = range(4)


@dataclass(frozen=True, eq=False)
class SyntheticEvents:
    """Queries sent, by person and time: who, when, what, which page of results, and why.

    `kind` is ORDINARY, OWN_NAME, HOME or OWN_DATA. `page` counts from 0.
    """

    who: Int64s
    time: Int64s
    queries: SyntheticQueries
    page: Int64s
    kind: Int64s

    def __len__(self) -> int:
        return len(self.who)


@dataclass(frozen=True, eq=False)
class SyntheticClicks:
    """Rows of a log: the event of each, the rank clicked (−1 for none), and the URL's key.

    A URL's key is three integers: its sort (of URL_SORTS) and two numbers; shape (rows, 3).
    """

    event: Int64s
    rank: Int16s
    url: Int64s


P = TypeVar("P", SyntheticEvents, SyntheticClicks, SyntheticQueries)


class SyntheticPeriod(NamedTuple):
    """Weights of the topics, the ascending numbers of those who search, first second, days."""

    topics: Floats
    present: Int64s
    start: int
    days: int


def make_period(
    people: SyntheticPeople, period: SyntheticPeriod, rng: Rng, progress: Progress
) -> tuple[SyntheticEvents, SyntheticClicks]:
    """What the people of a period send, each something, and click in it; O(events · log).

    Works through blocks of people, each with its own random stream, so that memory and the
    time to a cancel don't grow with their number.
    """
    events, clicks, rows = [], [], 0
    streams = rng.spawn(-(-len(period.present) // BLOCK))
    for first, last in progress.blocks("making up sessions", len(period.present), BLOCK):
        stream = streams[first // BLOCK]
        block = period._replace(present=period.present[first:last])
        ordinary = _make_sessions(people, block, stream, progress)
        private = _make_private_events(people, block.present, ordinary, stream)
        merged = _join_parts([ordinary, *private])
        order = np.lexsort((merged.time, merged.who))
        part = SyntheticEvents(
            merged.who[order],
            merged.time[order],
            merged.queries.take(order),
            merged.page[order],
            merged.kind[order],
        )
        hit = make_clicks(people.world, part, stream)
        events.append(part)
        clicks.append(SyntheticClicks(hit.event + rows, hit.rank, hit.url))
        rows += len(part)
    return _join_parts(events), _join_parts(clicks)


def _join_parts(parts: list[P]) -> P:
    """The rows of several, one part behind the other."""
    columns = ([getattr(part, field.name) for part in parts] for field in fields(parts[0]))
    joined_columns: Iterator[Any] = (
        np.concatenate(c) if isinstance(c[0], np.ndarray) else _join_parts(c) for c in columns
    )
    return type(parts[0])(*joined_columns)


def _make_sessions(
    people: SyntheticPeople, period: SyntheticPeriod, rng: Rng, progress: Progress
) -> SyntheticEvents:
    world = people.world
    topics, present, start, days = period
    counts = np.maximum(1, rng.poisson(people.activity[present] * days))
    person = np.repeat(present, counts)
    sessions = len(person)
    hour = rng.choice(24, sessions, p=HOURS / HOURS.sum())
    begin = start + rng.integers(0, days, sessions) * 86_400 + hour * 3600
    begin += rng.integers(0, 3600, sessions)
    order = np.lexsort((begin, person))
    person, begin = person[order], begin[order]
    lengths = np.minimum(rng.geometric(0.42, sessions), LONGEST)
    starts = np.concatenate(([0], np.cumsum(lengths)))
    queries = SyntheticQueries.make_blank(int(starts[-1]))
    page = np.zeros(len(queries), dtype=np.int64)
    for step in range(int(lengths.max(initial=0))):
        progress.check()
        on = np.flatnonzero(lengths > step)
        rows = starts[on] + step
        if step == 0:
            queries.put(rows, compose_queries(topics, people, person[on], rng))
            _return_to_pages(queries, starts[:-1], person, rng)
            continue
        followups, steps = reformulate_queries(queries.take(rows - 1), world, rng)
        page[rows] = np.where(steps == NEXT_PAGE, page[rows - 1] + 1, 0)
        new_queries = np.flatnonzero(steps == NEW)
        followups.put(new_queries, compose_queries(topics, people, person[on][new_queries], rng))
        queries.put(rows, followups)
    keep_apart(queries, world)
    pauses = np.clip(rng.lognormal(np.log(50), 1.1, len(page)), 2, 1500).astype(np.int64)
    pauses[starts[:-1]] = 0
    passed = np.cumsum(pauses)
    offset = passed - np.repeat(passed[starts[:-1]], lengths)
    time = np.repeat(begin, lengths) + offset
    return SyntheticEvents(np.repeat(person, lengths), time, queries, page, np.zeros_like(page))


def _return_to_pages(queries: SyntheticQueries, rows: Int64s, person: Int64s, rng: Rng) -> None:
    """Let a third of the sessions open with what the same person opened an earlier one with."""
    n = len(rows)
    first = np.searchsorted(person, person, side="left")
    returns = (rng.random(n) < 0.35) & (first < np.arange(n))
    source = np.arange(n)
    steps = rng.random(int(returns.sum())) * (source[returns] - first[returns])
    source[returns] = first[returns] + steps.astype(np.int64)
    while np.any(source[source] != source):
        source = source[source]
    queries.put(rows, queries.take(rows[source]))


def _make_private_events(
    people: SyntheticPeople, present: Int64s, ordinary: SyntheticEvents, rng: Rng
) -> list[SyntheticEvents]:
    """Own names, home places and own data, a minute or so after something else the person asked."""
    first = np.searchsorted(ordinary.who, present, side="left")
    counts = np.searchsorted(ordinary.who, present, side="right") - first

    parts = []
    for kind, mask, extra, compose in (
        (OWN_NAME, people.asks_name, np.full(len(present), 0.8), own_names),
        (HOME, people.asks_home, 0.5 + 0.02 * np.minimum(counts, 500), home_places),
        (OWN_DATA, people.types_data, np.full(len(present), 0.2), own_data),
    ):
        index = np.flatnonzero(mask[present])
        index = np.repeat(index, 1 + rng.poisson(extra[index]))
        after = first[index] + (rng.random(len(index)) * counts[index]).astype(np.int64)
        time = ordinary.time[after] + rng.integers(5, 400, len(index))
        queries = compose(people, present[index], rng)
        page, kinds = np.zeros(len(index), dtype=np.int64), np.full(len(index), kind)
        parts.append(SyntheticEvents(present[index], time, queries, page, kinds))
    return parts


TOPIC_URL, SITE_URL, PAIR_URL = range(3)
URLS_PER_TOPIC = 40


def make_clicks(world: SyntheticWorld, events: SyntheticEvents, rng: Rng) -> SyntheticClicks:
    """Zero to many clicks an event, most at the top; a query has the same results for everybody."""
    m = len(events)
    site = events.queries.topic == len(world.heads) + w.SITE
    chance = np.where(site, 0.72, 0.52) * np.where(events.page > 0, 0.6, 1.0)
    chance[events.queries.topic == len(world.heads) + w.NOTHING] = 0.0
    clicked = rng.random(m) < chance
    counts = np.where(clicked, np.where(site, 1, rng.geometric(0.72, m)), 0)
    rows = np.repeat(np.arange(m), np.maximum(counts, 1))
    hit = np.repeat(clicked, np.maximum(counts, 1))
    skew = np.where(site[rows], 4.0, 2.2)
    rank = 1 + (10 * rng.random(len(rows)) ** skew).astype(np.int64) + 10 * events.page[rows]
    rank = np.where(hit, np.minimum(rank, 500), -1)
    order = np.lexsort((rank, rows))
    rows, rank = rows[order], rank[order]
    is_repeated = np.concatenate(([False], (rows[1:] == rows[:-1]) & (rank[1:] == rank[:-1])))
    rows, rank = rows[~is_repeated], rank[~is_repeated]
    urls = _choose_urls(world, events, rows, rank, site)
    return SyntheticClicks(rows, rank.astype(np.int16), urls)


def _choose_urls(
    world: SyntheticWorld, events: SyntheticEvents, rows: Int64s, rank: Int64s, site: Bools
) -> Int64s:
    """What stands at each rank: mostly the topic's sites, from a place that the words fix."""
    words = events.queries.words
    token = splitmix64(words.astype(np.int64).astype(np.uint64))
    token[words < 0] = 0
    meaning = token.sum(axis=1, dtype=np.uint64)[rows]
    at_rank = splitmix64(meaning + rank.astype(np.uint64))
    keys = np.full((len(rows), 3), -1, dtype=np.int64)
    u = (splitmix64(meaning) >> np.uint64(11)).astype(np.float64) / float(1 << 53)
    base = (u**2.5 * URLS_PER_TOPIC).astype(np.int64)
    keys[:, 0] = TOPIC_URL
    keys[:, 1] = events.queries.topic[rows]
    keys[:, 2] = (base + rank - 1) % URLS_PER_TOPIC
    share = np.where(keys[:, 1] < len(world.heads), 30, 60).astype(np.uint64)
    is_pair = (at_rank % np.uint64(100) < share) & (events.queries.length[rows] >= 2)
    pair = np.sort(words[rows[is_pair], :2], axis=1)
    keys[is_pair, 0], keys[is_pair, 1], keys[is_pair, 2] = PAIR_URL, pair[:, 0], pair[:, 1]
    home = site[rows] & (rank % 10 == 1)
    keys[home, 0], keys[home, 1], keys[home, 2] = SITE_URL, words[rows[home], 0], 0
    keys[rank < 0] = -1
    return keys
