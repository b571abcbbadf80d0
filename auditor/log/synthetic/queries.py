"""Queries of synthetic logs, as rows of token codes: composed, reformulated, and private ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Floats, Int32s, Int64s, Integers
from auditor.log.synthetic import world as w
from auditor.log.synthetic.people import FAVOURITES, INTERESTS, SyntheticPeople
from auditor.log.synthetic.world import NONE, Rng, SyntheticWorld, draw_indices, terms

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
