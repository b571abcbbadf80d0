"""Which place in the United States a query is about, how surely, and which postal code that is.

Every query is read once, whoever sent it, by words: names of cities and states, states'
abbreviations, five-digit postal codes; the longest name counts. How sure a place is, its
`confidence`, is the chance that the words mean a place at all, times the chance that they mean
this one.

**A place at all.** A name that is neither an English word nor a person's name is a place's with
up to 0.95. Otherwise the chance is that share of the word's uses which the inhabitants of the
places so called explain: the web writes a city's name about 20 times for each of them, so
"houston" is a place (0.95), "jackson" is one in five times, "mobile" and "reading" in 40. Odds,
p / (1 − p), then change with what stands around it, by the factors below. What follows must exist
("paris pa" is no place; "paris tx" is); a country or "county" after a name takes it away.

**This one.** Where a state or a code tells, 1 (0.9 if it stands elsewhere in the query).
Otherwise the share of the largest in the inhabitants of all places so called: "springfield" is
Springfield, Missouri, with 0.25, "portland" the one in Oregon with 0.8. Large cities abroad take
part at a quarter of their weight, so "paris" and "london" are no place here. Of two places in
one query the surer is taken, and its confidence falls to its share of both.

Source: the classifier that Jones, Kumar, Pang and Tomkins (CIKM 2008, sections 4.3 and 5) used
was a product; these rules are this program's own. Cities: GeoNames; codes and their positions,
by way of `zipcodes`: ``resources/LICENSES.md``. O(bytes of the queries).

The gazetteer is built from the shipped lists in about a second and kept between runs.
"""

import itertools
import operator
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from auditor.arrays import (
    Array,
    Bools,
    Float32s,
    Float64s,
    Int16s,
    Int32s,
    Int64s,
    Integers,
    UInt8s,
    find_sorted,
    mark_run_starts,
)
from auditor.attacks.detection import places_kernels as kernels
from auditor.attacks.detection.entity_detection import BLOCK_BYTES, EntityMarks, detect_entities
from auditor.attacks.detection.kinds import EntityKind
from auditor.attacks.detection.lexicon import PhraseTreeBuilder, fill_column
from auditor.attacks.detection.normalization import QueryNormalizer
from auditor.attacks.detection.tables import (
    MENTION_TYPES,
    MentionColumns,
    PlaceLists,
    allocate_columns,
    fill_columns,
)
from auditor.log import gazetteers
from auditor.log.built_lists import keep_between_runs
from auditor.log.lifetime_cache import LifetimeCache
from auditor.log.model import NONE, Vocabulary
from auditor.progress import Progress, split_ranges

FULL_STATE, SHORT_STATE, WORDLIKE_STATE = 3000.0, 1500.0, 60.0
"""Factors on the odds where a state's name follows ("reading pennsylvania"), its abbreviation
("reading, pa"), or at the end one that is a word ("bend or"; "mobile or" is no place)."""
TOLD_ELSEWHERE, SOUGHT = 20.0, 8.0
"""Where a code or a place in that state is named, too; where the query seeks what one seeks at
places ("hotels", "zip code"), or "in", "near" or the like comes before."""
PERSON, FICTION, BUSINESS = 0.02, 0.02, 1 / 30
"""In a person's name ("jackson browne"); where the query seeks a song, film or game and nothing at
places; where it begins with a town's name before another word ("fairview furniture")."""
LARGE_TOWN = 75_000
"""Inhabitants from which hardly any business is called like a city."""
STATE_ALONE, SHORT_TOLD, SHORT_LAST, SHORT_ELSEWHERE = 0.9, 0.8, 0.5, 0.2
"""Chances of a state's name alone, half that where it is a city's, too (the city has the other
half); of an abbreviation that is no word: behind "in", at the end of a longer query or clear at
its beginning ("nj"), and elsewhere."""
CODE, CODE_ALONE, CODE_TOLD, CODE_DOUBTFUL = 0.8, 0.9, 0.99, 0.1
"""Chances of a postal code: beside other words, alone, beside a place in its state; of round
numbers, 12345, and what follows words like "model"."""
ELSEWHERE = 0.9
"""The chance that a state named elsewhere in a query is a city's."""
HIGHEST = 0.99
LIKELY = 0.3
"""A city so sure takes in the name of its state, wherever that stands in the query."""
MENTIONS = 20.0
"""How often the web writes a city's name for each inhabitant, in the shipped counts of words:
15 for Houston, 24 for Chicago, 15 for Chattanooga, 22 for Poughkeepsie."""
MENTIONS_OF_TWO = 1.0
"""The same for names of two words, in the shipped counts of pairs: 0.5 for Los Angeles, 1.3 for
San Diego."""
VISITORS, VISITS = 50_000, 5
"""Inhabitants by whom places whose name means nothing else are known beyond their size, and how
many times their own these are at most: hardly anybody means a hamlet of forty."""
ABROAD = 0.25
"""Weight of an inhabitant of a namesake abroad, for somebody who searches in the US."""
UNLISTED = 500
"""Inhabitants of a place that only the list of postal codes knows."""
GREAT = 500_000
"""Inhabitants of a city that many mean by the name of a state: New York, Washington."""
GLUED, GLUED_LETTERS = 20_000, 8
"""Inhabitants of a city that people write as one word with its state, and letters of such."""
STATE_FIRST = 0.01
"""How likely the name of a state is that of a lesser city."""
SUREST = 0.95
"""The most that a name says by itself of being a place's."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Gazetteer:
    """Names and places; w words, p phrases, n names, k places."""

    lists: PlaceLists
    # likely, rival, titled: how sure a name by itself is a place's, whether it is also a state's,
    # and whether it begins as hardly anything but a place's does; shape (n,)
    likely: Float64s
    # biggest, share: the place of that name with the most people, and its share of all who live in
    # one, here or, at a discount, abroad; shape (n,)
    biggest: Int32s
    share: Float64s
    rival: Bools
    titled: Bools
    pair_place: Int32s  # the place of each name and state in ``lists.pair_key``
    # labels, state, zip, people, is_state: of each place: "springfield, il", or a state's name; its
    # state; the postal code at its middle, −1 for a state; inhabitants; whether it is a state;
    # shape (k,)
    labels: tuple[str, ...]
    state: Int16s
    zip: Int32s
    people: Int64s
    is_state: Bools
    # Whether a state's abbreviation means it at the beginning of a query; shape (states,).
    clear: Bools
    # zip_starts, zips: the postal codes of place k are ``zips[zip_starts[k]:zip_starts[k + 1]]``,
    # ascending
    zip_starts: Int64s
    zips: Int32s

    def find_places(self, name: Integers, state: Integers) -> Int32s:
        """The place of that name in that state, or −1."""
        key = name.astype(np.int64) * kernels.STATES + state
        index = find_sorted(key, self.lists.pair_key)
        hit = (index >= 0) & (name >= 0) & (state >= 0)
        return np.where(hit, self.pair_place[index], NONE).astype(np.int32)


@keep_between_runs("gazetteer")
def shipped_gazetteer() -> Gazetteer:
    """The gazetteer of the lists that ship with the program."""
    abbreviations = sorted(set(gazetteers.state_abbreviations().values()))
    codes = {abbreviation: code for code, abbreviation in enumerate(abbreviations)}
    places = _KnownPlaces()
    distinct_names = dict.fromkeys(name for name, _ in places.number)
    names = {name: number for number, name in enumerate(distinct_names)}
    likely, biggest, share = _estimate_meanings(names, places)
    full = {text: abb for text, abb in gazetteers.state_abbreviations().items() if text != abb}
    people = np.array(places.people, dtype=np.int64)
    as_state = np.array([name in full for name in names])
    rival = as_state & (people[biggest] >= GREAT)
    likely[as_state & ~rival] = STATE_FIRST
    keys = np.array([names[n] * kernels.STATES + codes[s] for n, s in places.number], np.int64)
    order = np.argsort(keys)
    pair_place = np.fromiter(places.number.values(), np.int32, len(places.number))[order]
    zip_place, zip_starts, zips = places.index_postal_codes()
    labels = [f"{name}, {state}" for name, state in places.first]
    labels += [next(text for text, abb in full.items() if abb == short) for short in abbreviations]
    state = np.array([codes[state] for _, state in places.first], dtype=np.int16)
    totals = np.bincount(state, people, minlength=len(codes)).astype(np.int64)
    extra = np.arange(len(codes), dtype=np.int16)
    titles = gazetteers.role_words()["titled"]
    return Gazetteer(
        lists=_build_lists(names, codes, full, keys[order], zip_place),
        likely=likely,
        biggest=biggest,
        share=share,
        rival=rival,
        titled=np.array([" " in name and name.split()[0] in titles for name in names]),
        pair_place=pair_place,
        labels=tuple(labels),
        state=np.concatenate((state, extra)),
        zip=np.concatenate(
            (places.find_central_codes(zip_starts, zips), np.full(len(codes), NONE, np.int32))
        ),
        people=np.concatenate((people, totals)),
        is_state=np.arange(len(labels)) >= len(places.first),
        clear=np.isin(abbreviations, gazetteers.role_words()["clear-state"]),
        zip_starts=np.concatenate((zip_starts, np.full(len(codes), zip_starts[-1]))),
        zips=zips,
    )


class _KnownPlaces:
    """Cities and towns, spellings of one place under one number."""

    def __init__(self) -> None:
        self.number: dict[tuple[str, str], int] = {}
        self.first: list[tuple[str, str]] = []
        self.people: list[int] = []
        self.where: list[tuple[float, float] | None] = []
        spots: dict[tuple[str, float, float, int], int] = {}
        full = {abb: text for text, abb in gazetteers.state_abbreviations().items() if text != abb}
        of_states = set(gazetteers.state_abbreviations()) - {full["ny"]}
        cities = gazetteers.city_table()
        # The largest cities first; of one city the spelling that people know first.
        by_size = [
            ((-city.population, name != full["ny"], not name.endswith(" city"), name), state, city)
            for (name, state), city in cities.items()
        ]
        for (*_, name), state, city in sorted(by_size, key=operator.itemgetter(0)):
            if name in of_states and cities.get((f"{name} city", state)) is not None:
                continue  # nobody says "kansas" for Kansas City
            spot = (state, city.latitude, city.longitude, city.population)
            if spot not in spots:
                spots[spot] = self._add_place((name, state), city.population, spot[1:3])
            self.number[name, state] = spots[spot]
        for name, state in gazetteers.city_zips():
            if (name, state) not in self.number:
                other = ("saint " + name[3:], state) if name.startswith("st ") else (name, state)
                place = self.number.get(other)
                self.number[name, state] = (
                    place if place is not None else self._add_place((name, state), UNLISTED, None)
                )
        for (name, state), number in list(self.number.items()):
            for long, short in (("fort ", "ft "), ("mount ", "mt "), ("saint ", "st ")):
                if name.startswith(long):
                    self.number.setdefault((short + name[len(long) :], state), number)
        # Spell names of several words, and larger cities with their state, as one word.
        plain, counts = gazetteers.dictionary_words(), gazetteers.word_frequencies()
        for (name, state), number in list(self.number.items()):
            glued = [name] if " " in name else []
            if self.people[number] >= GLUED:
                glued += [f"{name}{state}", f"{name}{full[state]}"]
            for text in glued:
                word = text.replace(" ", "")
                if len(word) >= GLUED_LETTERS and word not in plain and word not in counts:
                    self.number.setdefault((word, state), number)

    def _add_place(
        self, key: tuple[str, str], people: int, position: tuple[float, float] | None
    ) -> int:
        self.first.append(key)
        self.people.append(max(people, UNLISTED))
        self.where.append(position)
        return len(self.first) - 1

    def index_postal_codes(self) -> tuple[Int32s, Int64s, Int32s]:
        """The place of each postal code, and the codes of each place.

        A place without a code of its own has the one nearest to it in its state.
        """
        zip_place = np.full(100_000, NONE, dtype=np.int32)
        table: dict[str, list[tuple[int, float, float]]] = {}
        for code, area in gazetteers.postal_codes().items():
            zip_place[int(code)] = self.number[area.city, area.state]
            table.setdefault(area.state, []).append((int(code), area.latitude, area.longitude))
        columns = {state: np.array(rows) for state, rows in table.items()}
        codes = np.flatnonzero(zip_place >= 0)
        counts = np.bincount(zip_place[codes], minlength=len(self.first))
        without_code = np.flatnonzero(counts == 0)
        nearest = np.empty(len(without_code), dtype=np.int64)
        for index, number in enumerate(without_code.tolist()):
            rows, position = columns[self.first[number][1]], self.where[number]
            assert position is not None  # what only the postal list knows has a code
            nearest[index] = int(rows[_find_nearest(rows[:, 1:], position), 0])
        place = np.concatenate((zip_place[codes], without_code))
        codes = np.concatenate((codes, nearest))
        order = np.lexsort((codes, place))
        counts = np.bincount(place, minlength=len(self.first))
        starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        return zip_place, starts, codes[order].astype(np.int32)

    def find_central_codes(self, starts: Int64s, codes: Int32s) -> Int32s:
        """The code nearest to the middle of each place."""
        position = np.full((100_000, 2), np.nan)
        for code, area in gazetteers.postal_codes().items():
            position[int(code)] = area.latitude, area.longitude
        central = codes[starts[:-1]].copy()
        for place in np.flatnonzero(np.diff(starts) > 1).tolist():
            own_codes = codes[starts[place] : starts[place + 1]]
            centre = self.where[place] or tuple(position[own_codes].mean(axis=0).tolist())
            central[place] = own_codes[_find_nearest(position[own_codes], centre)]
        return central


def _find_nearest(positions: Float64s, centre: tuple[float, ...]) -> int:
    """Which of some latitudes and longitudes is nearest to one."""
    north, east = positions[:, 0] - centre[0], positions[:, 1] - centre[1]
    return int(np.argmin(north**2 + (east * np.cos(np.radians(centre[0]))) ** 2))


def _estimate_meanings(
    names: dict[str, int], places: _KnownPlaces
) -> tuple[Float64s, Int32s, Float64s]:
    """How likely each name is a place's, the largest place of that name, and its share."""
    people = np.zeros(len(names))
    most_people = np.zeros(len(names))
    biggest = np.full(len(names), NONE, dtype=np.int32)
    pairs: set[tuple[int, int]] = set()
    for (name, _), place in places.number.items():
        number = names[name]
        if (number, place) in pairs:
            continue
        pairs.add((number, place))
        people[number] += places.people[place]
        if places.people[place] > most_people[number]:
            most_people[number], biggest[number] = places.people[place], place
    likely = np.array(
        [_estimate_likelihood(name, people[number]) for name, number in names.items()]
    )
    abroad = np.array([gazetteers.cities_abroad().get(name, 0) for name in names])
    return likely, biggest, most_people / (people + ABROAD * abroad)


def _estimate_likelihood(name: str, people: float) -> float:
    """How likely a name without context is a place's: see `auditor.attacks.detection.places`."""
    words = name.split()
    plain = gazetteers.dictionary_words()
    if len(words) == 1:
        counts = gazetteers.word_counts()
        count = counts.get(name, 10_000)
        borne = name in gazetteers.first_names() or name in gazetteers.last_names()
        visitors = 0.0 if name in plain or borne else min(VISITORS, VISITS * people)
        audience = people + visitors
        return max(0.001, min(SUREST, MENTIONS * audience / count))
    if any(word not in plain for word in words):
        return SUREST
    count = gazetteers.bigram_counts().get((words[0], words[1]), 0) if len(words) == 2 else 0
    if count == 0:
        return SUREST if people >= GREAT else 0.8 if people >= 10_000 else 0.4
    return max(0.001, min(SUREST, MENTIONS_OF_TWO * people / count))


def _build_lists(
    names: dict[str, int], codes: dict[str, int], full: dict[str, str], *columns: Array
) -> PlaceLists:
    """Every name and every phrase that counts beside one, what it is, and the last `columns`."""
    tree, state = PhraseTreeBuilder(), dict[int, int]()
    name = {tree.intern_phrase(text.split()): number for text, number in names.items()}
    words = gazetteers.role_words()
    marked = [(text, kernels.STATE, codes[abb]) for text, abb in full.items()]
    marked += [(t.replace(" ", ""), kernels.STATE, codes[a]) for t, a in full.items() if " " in t]
    marked += [
        (abb, kernels.SHORT | (kernels.WORDLIKE if abb in words["wordlike-state"] else 0), code)
        for abb, code in codes.items()
    ]
    marked += [("d c", kernels.SHORT, codes["dc"]), ("county", kernels.COUNTY, NONE)]
    other_words = gazetteers.cue_words()["feature"], gazetteers.stop_words()
    ordinary = itertools.chain(
        *(words[head] for head in ("ordinary", "local", "before")), *other_words
    )
    for bit, texts in (
        (kernels.COUNTRY, words["country"]),
        (kernels.LOCAL, words["local"]),
        (kernels.BEFORE, words["before"]),
        (kernels.NUMBERED, words["numbered"]),
        (kernels.FICTION, words["fiction"]),
        (kernels.ORDINARY, ordinary),
    ):
        marked += [(text, bit, NONE) for text in texts]
    for text, bits, code in marked:
        node = tree.intern_phrase(text.split())
        tree.node_bits[node] |= bits
        if code != NONE:
            state[node] = code
    return PlaceLists(
        tree.build(),
        fill_column(tree.node_bits, len(tree), np.uint16),
        fill_column(name, len(tree), np.int32, NONE),
        fill_column(state, len(tree), np.int16, NONE),
        *columns,
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class PlaceMatches:
    """The place of each of m distinct queries."""

    # place, confidence: number in the gazetteer of a city, a town or a state, −1 for none, and how
    # sure it is, in [0, 1]; shape (m,), as all that follows
    place: Int32s
    confidence: Float32s
    # zip, exact: postal code: the one in the query, or the one at the middle of the city; −1 for a
    # state or none. Whether it stands in the query.
    zip: Int32s
    exact: Bools
    # start, stop: characters that name it
    start: Int32s
    stop: Int32s
    gazetteer: Gazetteer

    def __len__(self) -> int:
        return len(self.place)

    def label(self, place: int) -> str:
        """What a place is called: "springfield, il", or "illinois"."""
        return self.gazetteer.labels[place]

    def is_sure(self, confidence: float, *, cities: bool = True) -> Bools:
        """Queries with a place at least so sure; with `cities`, no states. Shape (m,)."""
        flags: Bools = (self.place >= 0) & (self.confidence >= confidence)
        return flags & (self.zip >= 0) if cities else flags


_PLACES = LifetimeCache[Vocabulary, PlaceMatches]()


def classify_places(queries: Vocabulary, progress: Progress) -> PlaceMatches:
    """The place of each query; remembered for as long as the vocabulary lives. O(bytes).

    Raises `Cancelled`.
    """

    def find() -> PlaceMatches:
        gazetteer = shipped_gazetteer()
        people = detect_entities(queries, (EntityKind.PERSON,), progress=progress)
        mentions = _find_mentions(queries, gazetteer, progress)
        return _resolve_places(mentions, people, len(queries), gazetteer, progress)

    return _PLACES.get(queries, None, find)


def _find_mentions(queries: Vocabulary, gazetteer: Gazetteer, progress: Progress) -> MentionColumns:
    folder = QueryNormalizer()
    parts: list[list[Array]] = [allocate_columns(MENTION_TYPES, 0)]
    progress.stage("looking for places", len(queries))
    for start, stop in split_ranges(queries.offsets, BLOCK_BYTES):
        data, offsets = folder.fold_block(queries, start, stop)

        def fill(columns: Sequence[Array], data: UInt8s = data, offsets: Int64s = offsets) -> int:
            out = MentionColumns(*columns)
            return int(kernels.find_mentions(data, offsets, gazetteer.lists, out))

        parts.append(fill_columns(MENTION_TYPES, stop - start + 1024, fill))
        parts[-1][0] += np.int32(start)
        progress.update(stop)
    return MentionColumns(*map(np.concatenate, zip(*parts, strict=True)))


def _resolve_places(
    hits: MentionColumns,
    people: EntityMarks,
    queries: int,
    gazetteer: Gazetteer,
    progress: Progress,
) -> PlaceMatches:
    """The surest place of each query."""
    progress.stage("distinguishing places")
    stated = _find_stated_states(hits, queries, gazetteer)
    place, confidence = _judge_mentions(hits, stated, _in_a_name(hits, people, progress), gazetteer)
    progress.check()
    order = np.lexsort((hits.start - hits.stop, hits.zip < 0, -confidence, hits.query))
    best = order[mark_run_starts(hits.query[order])]
    best_hit = np.full(queries, NONE, dtype=np.int64)
    best_hit[hits.query[best]] = best
    own_best = best_hit[hits.query]
    rival = place != place[own_best]
    rival &= gazetteer.state[place] != gazetteer.state[place[own_best]]
    other = np.zeros(queries)
    np.maximum.at(other, hits.query[rival], confidence[rival])
    # Two places of one state are near each other, yet two.
    is_close = (place != place[own_best]) & ~rival & (hits.start != hits.start[own_best])
    is_close &= ~gazetteer.is_state[place]
    np.maximum.at(other, hits.query[is_close], confidence[is_close])
    sure = confidence[best]
    sure = sure * sure / np.maximum(sure + other[hits.query[best]], 1e-12)
    query, exact = hits.query[best], hits.zip[best] >= 0
    code = np.where(exact, hits.zip[best], gazetteer.zip[place[best]])

    def spread(values: Array, dtype: type, empty: int = 0) -> Array:
        column: Array = np.full(queries, empty, dtype=dtype)
        column[query] = values
        return column

    return PlaceMatches(
        place=spread(place[best], np.int32, NONE),
        confidence=spread(sure, np.float32),
        zip=spread(code, np.int32, NONE),
        exact=spread(exact, np.bool_),
        start=spread(hits.start[best], np.int32),
        stop=spread(hits.stop[best], np.int32),
        gazetteer=gazetteer,
    )


def _find_stated_states(hits: MentionColumns, queries: int, gazetteer: Gazetteer) -> Int16s:
    """The state that a code, a city with its state, or a state's name tells of each query.

    −1 where nothing does, or two disagree.
    """
    state = hits.state.copy()
    coded = hits.zip >= 0
    state[coded] = gazetteer.state[gazetteer.lists.zip_place[hits.zip[coded]]]
    by_city = (hits.name >= 0) & (hits.state >= 0)
    is_lone = (hits.name < 0) & ~coded & hits.has(kernels.STATE | kernels.SHORT)
    # "new york" and "washington" are cities, too: they tell nothing.
    doubled = np.zeros(len(hits.query), dtype=np.bool_)
    is_same_start = (hits.query[1:] == hits.query[:-1]) & (hits.start[1:] == hits.start[:-1])
    doubled[1:] = is_same_start & gazetteer.rival[hits.name[:-1]]
    telling = by_city | (coded & ~hits.has(kernels.NO_CODE)) | (is_lone & ~doubled)
    low = np.full(queries, np.iinfo(np.int16).max, dtype=np.int16)
    high = np.full(queries, NONE, dtype=np.int16)
    np.minimum.at(low, hits.query[telling], state[telling])
    np.maximum.at(high, hits.query[telling], state[telling])
    return np.where(low == high, high, NONE).astype(np.int16)


def _in_a_name(hits: MentionColumns, people: EntityMarks, progress: Progress) -> Bools:
    """Mentions that are a part, not the whole, of what looks like a person's name."""
    covered = np.zeros(len(hits.query), dtype=np.bool_)
    open_people = np.arange(len(people))
    begin = np.searchsorted(hits.query, people.query, side="left")
    end = np.searchsorted(hits.query, people.query, side="right")
    turn = begin.copy()
    while len(open_people):
        progress.check()
        open_people = open_people[turn[open_people] < end[open_people]]
        row = turn[open_people]
        meet = (hits.start[row] < people.stop[open_people]) & (
            hits.stop[row] > people.start[open_people]
        )
        covers = (hits.start[row] <= people.start[open_people]) & (
            hits.stop[row] >= people.stop[open_people]
        )
        covered[row[meet & ~covers]] = True
        turn[open_people] += 1
    return covered & ~hits.has(kernels.PRECEDED)  # "in" is a first name, too


def _judge_mentions(
    hits: MentionColumns, stated: Int16s, is_in_name: Bools, gazetteer: Gazetteer
) -> tuple[Int32s, Float64s]:
    """The place of each mention and how sure it is."""
    place = np.full(len(hits.query), NONE, dtype=np.int32)
    confidence = np.zeros(len(hits.query))
    state = stated[hits.query]
    city_hits = np.flatnonzero((hits.name >= 0) & (hits.zip < 0))
    place[city_hits], confidence[city_hits] = _resolve_cities(
        hits, city_hits, state, is_in_name, gazetteer
    )

    state_hits = np.flatnonzero((hits.name < 0) & (hits.zip < 0))
    first_state = np.argmax(gazetteer.is_state).astype(np.int32)  # behind the cities
    place[state_hits] = hits.state[state_hits] + first_state
    clear = (hits.start == 0) & (hits.state >= 0)
    clear[clear] = gazetteer.clear[hits.state[clear]]
    clear |= hits.has(kernels.LAST) & ~hits.has(kernels.WHOLE_QUERY)
    short = np.where(clear, SHORT_LAST, SHORT_ELSEWHERE)
    short = np.where(hits.has(kernels.PRECEDED), SHORT_TOLD, short)[state_hits]
    confidence[state_hits] = np.where(hits.has(kernels.STATE)[state_hits], STATE_ALONE, short)
    confidence[state_hits[is_in_name[state_hits]]] *= 0.5

    coded = np.flatnonzero(hits.zip >= 0)
    code = hits.zip[coded]
    place[coded] = gazetteer.lists.zip_place[code]
    confidence[coded] = np.where(hits.has(kernels.WHOLE_QUERY)[coded], CODE_ALONE, CODE)
    doubtful = (code % 1000 == 0) | (code == 12_345) | hits.has(kernels.NO_CODE)[coded]
    confidence[coded[doubtful]] = CODE_DOUBTFUL
    for step in (-1, 1):  # a city or a state of the same state, named next to a code
        other = np.clip(coded + step, 0, len(hits.query) - 1)
        agrees = (hits.query[other] == hits.query[coded]) & (hits.zip[other] < 0)
        agrees &= gazetteer.state[place[other]] == gazetteer.state[place[coded]]
        confidence[coded[agrees]] = CODE_TOLD
    cities = np.flatnonzero((hits.zip < 0) & (hits.name >= 0) & (confidence >= LIKELY))
    keys = [
        (hits.query[of].astype(np.int64) * kernels.STATES + gazetteer.state[place[of]])
        for of in (state_hits, cities)
    ]
    confidence[state_hits[np.isin(keys[0], keys[1])]] = 0
    # A name that is a city's and a state's is half of each.
    is_doubled = (hits.query[1:] == hits.query[:-1]) & (hits.start[1:] == hits.start[:-1])
    is_doubled &= gazetteer.rival[hits.name[:-1]]
    either = np.zeros(len(hits.query), dtype=np.bool_)
    either[1:] |= is_doubled
    either[:-1] |= is_doubled
    confidence[either] *= 0.5
    return place, np.minimum(confidence, HIGHEST)


def _resolve_cities(
    hits: MentionColumns, cities: Int64s, query_state: Int16s, in_name: Bools, gazetteer: Gazetteer
) -> tuple[Int32s, Float64s]:
    """The place that each name of `cities` means, and how sure that is."""
    name, state = hits.name[cities], hits.state[cities]
    chance = gazetteer.likely[name]
    odds = chance / (1.0 - chance)
    stated = state >= 0
    for bit, factor in (
        (kernels.STATE, FULL_STATE),
        (kernels.SHORT, SHORT_STATE),
        (kernels.WORDLIKE, WORDLIKE_STATE / SHORT_STATE),
    ):
        odds = np.where(stated & hits.has(bit)[cities], odds * factor, odds)
    local = gazetteer.find_places(name, state)
    elsewhere = gazetteer.find_places(name, query_state[cities])
    share = np.where(stated, 1.0, np.where(elsewhere >= 0, ELSEWHERE, gazetteer.share[name]))
    place = np.where(stated, local, np.where(elsewhere >= 0, elsewhere, gazetteer.biggest[name]))
    sought = hits.has(kernels.IN_QUERY_LOCAL | kernels.PRECEDED)[cities]
    plain = ~sought & ~stated
    small = gazetteer.people[place] < LARGE_TOWN
    named_so = small & plain & (elsewhere < 0) & ~gazetteer.titled[name]
    for fits, factor in (
        (~stated & (elsewhere >= 0), TOLD_ELSEWHERE),
        (~stated & sought, SOUGHT),
        (~stated & in_name[cities], PERSON),
        (plain & hits.has(kernels.BESIDE_FICTION)[cities], FICTION),
        (named_so & hits.has(kernels.LEADING)[cities], BUSINESS),
    ):
        odds = np.where(fits, odds * factor, odds)
    return place.astype(np.int32), odds / (1.0 + odds) * share
