"""What happens in one period of a synthetic log: queries, sessions, times, clicks, addresses.

Queries are rows of token codes: composed, reformulated, and private ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, TypeVar

import numpy as np

from auditor.arrays import Bools, Floats, Int16s, Int32s, Int64s, Integers
from auditor.bit_mixing import splitmix64
from auditor.log.model import NONE
from auditor.log.synthetic import world as w
from auditor.log.synthetic.world import (
    FAVOURITES,
    INTERESTS,
    Rng,
    SyntheticPeople,
    SyntheticWorld,
    draw_indices,
    terms,
)
from auditor.progress import Progress

WORDS = 8
"""Most words of a query."""


@dataclass(eq=False)
class SyntheticQueries:
    """m queries: token codes, shape (m, WORDS), −1 past the end; lengths; topics.

    The arrays change while queries are composed.
    """

    words: Int32s
    length: Int64s
    topic: Int64s

    @classmethod
    def make_blank(cls, m: int) -> SyntheticQueries:
        words = np.full((m, WORDS), NONE, dtype=np.int32)
        return cls(words, np.zeros(m, dtype=np.int64), np.zeros(m, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.length)

    def take(self, rows: Integers) -> SyntheticQueries:
        """Copies of some queries."""
        return SyntheticQueries(self.words[rows], self.length[rows], self.topic[rows])

    def put(self, rows: Integers, other: SyntheticQueries) -> None:
        """Replace the queries `rows` by `other`."""
        self.words[rows], self.length[rows] = other.words, other.length
        self.topic[rows] = other.topic

    def append(self, rows: Integers, codes: Integers) -> None:
        """Add one word at the end of each of `rows`; −1 and a full query add nothing."""
        fits = (self.length[rows] < WORDS) & (codes != NONE)
        rows, codes = rows[fits], codes[fits]
        self.words[rows, self.length[rows]] = codes
        self.length[rows] += 1

    def append_phrase(self, rows: Integers, phrase: Int32s) -> None:
        """Add several words at the end of each of `rows`; shape (len(rows), any)."""
        for column in phrase.T:
            self.append(rows, column)

    def prepend(self, rows: Integers, codes: Integers) -> None:
        """Add one word at the beginning of each of `rows`; a full query loses its last."""
        self.words[rows, 1:] = self.words[rows, :-1]
        self.words[rows, 0] = codes
        self.length[rows] = np.minimum(self.length[rows] + 1, WORDS)

    def drop(self, rows: Integers, position: Integers) -> None:
        """Take the word at place `position` out of each of `rows`."""
        columns = np.arange(WORDS - 1)[None, :]
        source = columns + (columns >= position[:, None])
        shorter = np.take_along_axis(self.words[rows], source, axis=1)
        self.words[rows, :-1] = shorter
        self.words[rows, -1] = NONE
        self.length[rows] -= 1


def compose_queries(
    topics: Floats, people: SyntheticPeople, person: Int64s, rng: Rng
) -> SyntheticQueries:
    """A fresh query for each of `person`, after taste, habit and fashion; O(m · log)."""
    m, world = len(person), people.world
    batch = SyntheticQueries.make_blank(m)
    edges = np.array([0.20, 0.035, 0.025, 0.045, 0.05, 0.004])
    kind = np.searchsorted(np.cumsum(edges), rng.random(m), side="right")
    adult = rng.random(m) < people.adult[person]
    kind[adult] = 7
    sites, stars, names, places, rare, blank_rows, topical, adults = (
        np.flatnonzero(kind == number) for number in range(8)
    )
    themes = np.array([w.SITE, w.PERSON, w.PERSON, w.PLACE, w.RARE, w.NOTHING, 0, w.ADULT])
    batch.topic[:] = len(world.heads) + themes[kind]
    _about_topics(batch, topical, topics, people, person[topical], rng)
    _fill_sites(batch, sites, people, person, rng)
    batch.append_phrase(stars, world.stars.draw(len(stars), rng))
    batch.append(names, world.first.draw(len(names), rng))
    batch.append(names, world.last.draw(len(names), rng))
    _add_city(batch, places, world, draw_indices(world.cities.weights, len(places), rng), rng)
    for share in (1.0, 0.75, 0.4):
        part = rare[rng.random(len(rare)) < share]
        batch.append(part, world.rare.draw(len(part), rng))
    batch.append(blank_rows, np.full(len(blank_rows), world.lexicon.code["-"], dtype=np.int32))
    part = adults[rng.random(len(adults)) < 0.35]
    batch.append(part, world.lexicon.find_codes(terms()["fillers"])[rng.integers(0, 2, len(part))])
    batch.append_phrase(adults, world.adult.draw(len(adults), rng))
    part = adults[rng.random(len(adults)) < 0.2]
    batch.append_phrase(part, world.adult.draw(len(part), rng))
    _misspell_words(batch, world, rng)
    return batch


def _about_topics(
    batch: SyntheticQueries,
    rows: Int64s,
    topics: Floats,
    people: SyntheticPeople,
    person: Int64s,
    rng: Rng,
) -> None:
    """Head words with companions; a person's own topics, with the person's own taste, in most."""
    m, world = len(rows), people.world
    topic = draw_indices(topics, m, rng)
    slot = np.minimum((INTERESTS * rng.random(m) ** 1.8).astype(np.int64), INTERESTS - 1)
    is_own = rng.random(m) < 0.6
    topic[is_own] = people.interests[person[is_own], slot[is_own]]
    batch.topic[rows] = topic
    u = rng.random(m)
    is_leaning = is_own & (rng.random(m) < 0.6)
    taste = people.leaning[person[is_leaning], slot[is_leaning]]
    u[is_leaning] = np.abs(taste + rng.normal(0.0, 0.04, len(taste))) % 1.0
    shape = np.searchsorted(np.cumsum([0.13, 0.36, 0.21, 0.09]), rng.random(m), side="right")
    batch.append(rows, world.heads[topic])
    paired = rows[shape >= 1]
    add_companion(batch, paired, world, u[shape >= 1])
    three = rows[(shape == 2) | (shape == 4)]
    add_companion(batch, three, world, rng.random(len(three)))
    part = rows[shape == 3]
    batch.prepend(part, _fitting_words(world, terms()["fillers"], batch.topic[part], rng))
    part = rows[shape == 4]
    style = rng.random(len(part))
    opened = part[style < 0.25]
    openings = world.lexicon.encode_phrases(terms()["openings"])
    opening = openings[_choose_fitting(len(openings), batch.topic[opened], rng)]
    for column in (1, 0):
        serials = opening[:, column] != NONE
        batch.prepend(opened[serials], opening[serials, column])
    linked = part[(style >= 0.25) & (style < 0.6)]
    batch.append(linked, _fitting_words(world, terms()["links"], batch.topic[linked], rng))
    batch.append(
        linked, world.neighbours.draw(batch.topic[linked], rng.random(len(linked)) ** 2) // 2
    )
    placed = part[(style >= 0.6) & (style < 0.8)]
    _add_city(batch, placed, world, draw_indices(world.cities.weights, len(placed), rng), rng)
    last = part[style >= 0.8]
    batch.append(last, world.rare.draw(len(last), rng))
    dated = rows[rng.random(m) < 0.03]
    serials = (w.NUMBERS * rng.random(len(dated)) ** 3).astype(np.int64)
    numbers = np.where(rng.random(len(dated)) < 0.4, 2006, serials)
    batch.append(dated, world.lexicon.numbers + numbers)


def add_companion(
    batch: SyntheticQueries, rows: Integers, world: SyntheticWorld, u: Floats
) -> None:
    """Put a companion of each query's topic before or after it, unless it is there already."""
    item = world.neighbours.draw(batch.topic[rows], u)
    code, before = item // 2, item % 2 == 1
    new = ~np.any(batch.words[rows] == code[:, None], axis=1) & (batch.length[rows] < WORDS)
    batch.prepend(rows[new & before], code[new & before])
    batch.append(rows[new & ~before], code[new & ~before])


def _fill_sites(
    batch: SyntheticQueries, rows: Int64s, people: SyntheticPeople, person: Int64s, rng: Rng
) -> None:
    m, world = len(rows), people.world
    site = draw_indices(world.sites.weights, m, rng)
    usual = rng.random(m) < 0.65
    site[usual] = people.favourites[
        person[rows[usual]], rng.integers(0, FAVOURITES, int(usual.sum()))
    ]
    codes = world.sites.codes[site].astype(np.int64)
    form = np.searchsorted(np.cumsum([0.55, 0.25, 0.15]), rng.random(m), side="right")
    typed = form > 0
    codes[typed] = world.lexicon.domains + len(w.DOMAIN_FORMS) * codes[typed] + form[typed] - 1
    small = rng.random(m) < 0.25
    pair = (w.GLUED * rng.random((2, int(small.sum()))) ** 2).astype(np.int64)
    codes[small] = world.lexicon.glued + w.GLUED * pair[0] + pair[1]
    batch.append(rows, codes)


def _add_city(
    batch: SyntheticQueries, rows: Integers, world: SyntheticWorld, city: Int64s, rng: Rng
) -> None:
    """A city's name, mostly with its state."""
    batch.append_phrase(rows, world.cities.codes[city])
    stated = rng.random(len(rows)) < 0.7
    batch.append(rows[stated], world.city_states[city[stated]])


def _choose_fitting(choices: int, topic: Int64s, rng: Rng) -> Int64s:
    """A choice each: the same for a topic most of the time, as "free" goes with games."""
    usual = topic * 7 % choices
    return np.where(rng.random(len(topic)) < 0.7, usual, rng.integers(0, choices, len(topic)))


def _fitting_words(
    world: SyntheticWorld, words: tuple[str, ...], topic: Int64s, rng: Rng
) -> Int32s:
    return world.lexicon.find_codes(words)[_choose_fitting(len(words), topic, rng)]


def _misspell_words(batch: SyntheticQueries, world: SyntheticWorld, rng: Rng) -> None:
    """One word in every fourteenth query goes wrong."""
    rows = np.flatnonzero((rng.random(len(batch)) < 0.07) & (batch.length > 0))
    position = (rng.random(len(rows)) * batch.length[rows]).astype(np.int64)
    words = batch.words[rows, position].astype(np.int64)
    plain = words < world.lexicon.misspelled
    lengths = np.array([len(world.lexicon.words[code]) for code in words[plain]], dtype=np.int64)
    slip = np.minimum(rng.geometric(0.3, len(rows)) - 1, w.MISSPELLINGS - 1)
    rows, position, words, slip = rows[plain], position[plain], words[plain], slip[plain]
    long = lengths >= 5
    wrong = world.lexicon.misspelled + w.MISSPELLINGS * words[long] + slip[long]
    batch.words[rows[long], position[long]] = wrong


ADD, DROP, REPLACE, SAME, NEXT_PAGE, NEW = range(6)
STEPS = np.cumsum([0.17, 0.08, 0.17, 0.08, 0.15])
"""How a query follows another of its session, most of the rest being a new one."""


def reformulate_queries(
    previous: SyntheticQueries, world: SyntheticWorld, rng: Rng
) -> tuple[SyntheticQueries, Int64s]:
    """The queries that follow `previous` by each step; rows of a NEW query stay as they are."""
    batch = previous.take(np.arange(len(previous)))
    step = np.searchsorted(STEPS, rng.random(len(batch)), side="right")
    no_topic = batch.topic >= len(world.heads)
    step[no_topic & ((step == ADD) | (step == REPLACE))] = NEW
    step[(batch.length < 2) & ((step == DROP) | (step == REPLACE))] = NEW
    rows = np.flatnonzero((step == DROP) | (step == REPLACE))
    batch.drop(rows, (rng.random(len(rows)) * batch.length[rows]).astype(np.int64))
    rows = np.flatnonzero((step == ADD) | (step == REPLACE))
    add_companion(batch, rows, world, rng.random(len(rows)))
    return batch, step


def keep_apart(batch: SyntheticQueries, world: SyntheticWorld) -> None:
    """Take words about family and the young out of queries that hold an adult word."""
    explicit, shielded = (np.append(mask, False) for mask in (world.explicit, world.shielded))
    words = _meant_words(batch.words, world)
    rows = np.flatnonzero(explicit[words].any(axis=1) & shielded[words].any(axis=1))
    while len(rows):
        hits = shielded[_meant_words(batch.words[rows], world)]
        rows, hits = rows[hits.any(axis=1)], hits[hits.any(axis=1)]
        batch.drop(rows, hits.argmax(axis=1))


def _meant_words(words: Int32s, world: SyntheticWorld) -> Int64s:
    """The plain word behind each code, a misspelt one's own; one past the last for all else."""
    size, lexicon = len(world.explicit), world.lexicon
    slips = (words >= lexicon.misspelled) & (words < lexicon.domains)
    base = np.where(slips, (words - lexicon.misspelled) // w.MISSPELLINGS, words)
    return np.where((base >= 0) & (base < size), base, size).astype(np.int64)


def own_names(people: SyntheticPeople, person: Int64s, rng: Rng) -> SyntheticQueries:
    """Each person's own name, sometimes with the home's city or a middle initial."""
    batch = SyntheticQueries.make_blank(len(person))
    rows = np.arange(len(person))
    batch.append(rows, people.first[person])
    style = rng.random(len(person))
    initial_rows = np.flatnonzero(style < 0.06)
    letters = people.world.lexicon.find_codes(
        [chr(97 + int(n)) for n in rng.integers(0, 26, len(initial_rows))]
    )
    batch.append(initial_rows, letters)
    batch.append(rows, people.last[person])
    initial_rows = np.flatnonzero(style > 0.86)
    _add_city(batch, initial_rows, people.world, people.city[person[initial_rows]], rng)
    batch.topic[:] = len(people.world.heads) + w.OWN_NAME
    return batch


def home_places(people: SyntheticPeople, person: Int64s, rng: Rng) -> SyntheticQueries:
    """Something near each person's home: by city and state, by city, or by postal code."""
    batch = SyntheticQueries.make_blank(len(person))
    batch.topic[:] = len(people.world.heads) + w.PLACE
    style = rng.random(len(person))
    sought = np.flatnonzero(rng.random(len(person)) < 0.75)
    places = people.world.lexicon.encode_phrases(terms()["local"])
    weights = 1.0 / (np.arange(len(places)) + 2.0) ** 0.8
    batch.append_phrase(sought, places[draw_indices(weights, len(sought), rng)])
    coded = np.flatnonzero(style < 0.2)
    batch.append(coded, people.world.lexicon.zips + people.zip_code[person[coded]])
    with_city = np.flatnonzero(style >= 0.2)
    batch.append_phrase(with_city, people.world.cities.codes[people.city[person[with_city]]])
    stated = with_city[style[with_city] < 0.85]
    batch.append(stated, people.world.city_states[people.city[person[stated]]])
    return batch


# Personal data, well formed and nobody's: telephone numbers of the 555-01xx range kept for fiction,
# card numbers that payment networks set aside for testing, e-mail addresses under ``example``, and
# social security numbers of areas from which none had been issued in the years the log claims.

CARDS = (
    *("4111111111111111", "4012888888881881", "5555555555554444", "5105105105105100"),
    *("378282246310005", "371449635398431", "6011111111111117", "6011000990139424"),
    "3530111333300000",
)
AREA_CODES = ("205", "212", "303", "312", "404", "503", "541", "602", "617", "713", "808", "916")
STREETS = ("maple", "oak", "cedar", "main", "washington", "park", "lake", "hill", "elm", "walnut")
STREET_TYPES = ("street", "st", "avenue", "ave", "road", "rd", "drive", "lane", "court")
DATA_KINDS = ("e-mail", "telephone", "social security", "street address", "payment card")
DATA_SHARES = (0.3, 0.25, 0.1, 0.25, 0.1)


def own_data(people: SyntheticPeople, owner_of_data: Int64s, rng: Rng) -> SyntheticQueries:
    """A query with personal data of each `owner_of_data`; the kind is drawn of DATA_KINDS."""
    batch = SyntheticQueries.make_blank(len(owner_of_data))
    batch.topic[:] = len(people.world.heads) + w.OWN_DATA
    kinds = rng.choice(len(DATA_KINDS), len(owner_of_data), p=DATA_SHARES).astype(np.int64)
    numbers = rng.integers(0, 1 << 30, (len(owner_of_data), 3))
    lexicon = people.world.lexicon
    for row, person in enumerate(owner_of_data):
        tokens = _make_tokens(DATA_KINDS[kinds[row]], people, int(person), numbers[row].tolist())
        for token in tokens:
            existing = lexicon.code.get(token)
            code = lexicon.add(token) if existing is None else existing
            batch.append(np.array([row]), np.array([code]))
    return batch


def _make_tokens(kind: str, people: SyntheticPeople, person: int, numbers: list[int]) -> list[str]:
    first, last = people.format_name(person).split()
    a, b, c = numbers
    if kind == "e-mail":
        return [f"{first}.{last}{a % 100 if b % 2 else ''}@example.{'com' if c % 3 else 'org'}"]
    if kind == "telephone":
        number = f"{AREA_CODES[a % len(AREA_CODES)]}-555-01{b % 100:02d}"
        return [number] if c % 2 else [first, last, number]
    if kind == "social security":
        number = f"{773 + a % 127}-{1 + b % 99:02d}-{1 + c % 9999:04d}"
        return [number] if a % 2 else ["social", "security", "number", number]
    if kind == "payment card":
        return [CARDS[a % len(CARDS)]]
    city, state = people.world.city_keys[int(people.city[person])]
    street = [STREETS[a % len(STREETS)], STREET_TYPES[b % len(STREET_TYPES)]]
    return [str(100 + c % 9_800), *street, *city.split(), state]


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
    for first, last in progress.blocks("generating sessions", len(period.present), BLOCK):
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
