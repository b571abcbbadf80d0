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
"""

from __future__ import annotations

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
    UInt8s,
    mark_run_starts,
)
from auditor.attacks.detection import places_kernels as kernels
from auditor.attacks.detection.entity_detection import (
    BLOCK_BYTES,
    EntityMarks,
    detect_entities,
    iterate_blocks,
)
from auditor.attacks.detection.kinds import EntityKind
from auditor.attacks.detection.normalization import QueryNormalizer
from auditor.attacks.detection.places_index import Gazetteer, shipped_gazetteer
from auditor.attacks.detection.tables import (
    MENTION_TYPES,
    MentionColumns,
    allocate_columns,
    fill_columns,
)
from auditor.log.lifetime_cache import LifetimeCache
from auditor.log.model import NONE, Vocabulary
from auditor.progress import Progress

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


@dataclass(frozen=True, eq=False, kw_only=True)
class PlaceMatches:
    """The place of each of m distinct queries.

    Attributes
    ----------
    place, confidence
        Number in the gazetteer of a city, a town or a state, −1 for none, and how sure it is, in
        [0, 1]; shape (m,), as all that follows.
    zip, exact
        Postal code: the one in the query, or the one at the middle of the city; −1 for a state or
        none. Whether it stands in the query.
    start, stop
        Characters that name it.
    """

    place: Int32s
    confidence: Float32s
    zip: Int32s
    exact: Bools
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

    Raises
    ------
    Cancelled
        Somebody asked to stop.
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
    for start, stop in iterate_blocks(queries, BLOCK_BYTES):
        data, offsets = folder.fold_block(queries, start, stop)

        def fill(columns: Sequence[Array], data: UInt8s = data, offsets: Int64s = offsets) -> int:
            out = MentionColumns(*columns)
            return int(kernels.find_mentions(data, offsets, gazetteer.lists, out))

        parts.append(fill_columns(MENTION_TYPES, stop - start + 1024, fill))
        parts[-1][0] += np.int32(start)
        progress.update(stop)
    return MentionColumns(*map(np.concatenate, zip(*parts, strict=True)))


def _resolve_places(
    found: MentionColumns,
    people: EntityMarks,
    queries: int,
    gazetteer: Gazetteer,
    progress: Progress,
) -> PlaceMatches:
    """The surest place of each query."""
    progress.stage("telling places apart")
    told = _find_stated_states(found, queries, gazetteer)
    place, confidence = _judge_mentions(found, told, _in_a_name(found, people, progress), gazetteer)
    progress.check()
    order = np.lexsort((found.start - found.stop, found.zip < 0, -confidence, found.query))
    best = order[mark_run_starts(found.query[order])]
    at = np.full(queries, NONE, dtype=np.int64)
    at[found.query[best]] = best
    mine = at[found.query]
    rival = place != place[mine]
    rival &= gazetteer.state[place] != gazetteer.state[place[mine]]
    other = np.zeros(queries)
    np.maximum.at(other, found.query[rival], confidence[rival])
    # Two places of one state are near each other, yet two.
    near = (place != place[mine]) & ~rival & (found.start != found.start[mine])
    near &= ~gazetteer.is_state[place]
    np.maximum.at(other, found.query[near], confidence[near])
    sure = confidence[best]
    sure = sure * sure / np.maximum(sure + other[found.query[best]], 1e-12)
    query, exact = found.query[best], found.zip[best] >= 0
    code = np.where(exact, found.zip[best], gazetteer.zip[place[best]])

    def spread(values: Array, dtype: type, empty: int = 0) -> Array:
        column: Array = np.full(queries, empty, dtype=dtype)
        column[query] = values
        return column

    return PlaceMatches(
        place=spread(place[best], np.int32, NONE),
        confidence=spread(sure, np.float32),
        zip=spread(code, np.int32, NONE),
        exact=spread(exact, np.bool_),
        start=spread(found.start[best], np.int32),
        stop=spread(found.stop[best], np.int32),
        gazetteer=gazetteer,
    )


def _find_stated_states(found: MentionColumns, queries: int, gazetteer: Gazetteer) -> Int16s:
    """The state that a code, a city with its state, or a state's name tells of each query.

    −1 where nothing does, or two disagree.
    """
    state = found.state.copy()
    coded = found.zip >= 0
    state[coded] = gazetteer.state[gazetteer.lists.zip_place[found.zip[coded]]]
    by_city = (found.name >= 0) & (found.state >= 0)
    alone = (found.name < 0) & ~coded & found.has(kernels.STATE | kernels.SHORT)
    # "new york" and "washington" are cities, too: they tell nothing.
    doubled = np.zeros(len(found.query), dtype=np.bool_)
    same = (found.query[1:] == found.query[:-1]) & (found.start[1:] == found.start[:-1])
    doubled[1:] = same & gazetteer.rival[found.name[:-1]]
    telling = by_city | (coded & ~found.has(kernels.NO_CODE)) | (alone & ~doubled)
    low = np.full(queries, np.iinfo(np.int16).max, dtype=np.int16)
    high = np.full(queries, NONE, dtype=np.int16)
    np.minimum.at(low, found.query[telling], state[telling])
    np.maximum.at(high, found.query[telling], state[telling])
    return np.where(low == high, high, NONE).astype(np.int16)


def _in_a_name(found: MentionColumns, people: EntityMarks, progress: Progress) -> Bools:
    """Mentions that are a part, not the whole, of what looks like a person's name."""
    inside = np.zeros(len(found.query), dtype=np.bool_)
    rest = np.arange(len(people))
    begin = np.searchsorted(found.query, people.query, side="left")
    end = np.searchsorted(found.query, people.query, side="right")
    turn = begin.copy()
    while len(rest):
        progress.check()
        rest = rest[turn[rest] < end[rest]]
        at = turn[rest]
        meet = (found.start[at] < people.stop[rest]) & (found.stop[at] > people.start[rest])
        whole = (found.start[at] <= people.start[rest]) & (found.stop[at] >= people.stop[rest])
        inside[at[meet & ~whole]] = True
        turn[rest] += 1
    return inside & ~found.has(kernels.PRECEDED)  # "in" is a first name, too


def _judge_mentions(
    found: MentionColumns, told: Int16s, inside: Bools, gazetteer: Gazetteer
) -> tuple[Int32s, Float64s]:
    """The place of each mention and how sure it is."""
    place = np.full(len(found.query), NONE, dtype=np.int32)
    confidence = np.zeros(len(found.query))
    state = told[found.query]
    named = np.flatnonzero((found.name >= 0) & (found.zip < 0))
    place[named], confidence[named] = _resolve_cities(found, named, state, inside, gazetteer)

    alone = np.flatnonzero((found.name < 0) & (found.zip < 0))
    place[alone] = gazetteer.of_state(found.state[alone])
    meant = (found.start == 0) & (found.state >= 0)
    meant[meant] = gazetteer.clear[found.state[meant]]
    meant |= found.has(kernels.LAST) & ~found.has(kernels.WHOLE)
    short = np.where(meant, SHORT_LAST, SHORT_ELSEWHERE)
    short = np.where(found.has(kernels.PRECEDED), SHORT_TOLD, short)[alone]
    confidence[alone] = np.where(found.has(kernels.STATE)[alone], STATE_ALONE, short)
    confidence[alone[inside[alone]]] *= 0.5

    coded = np.flatnonzero(found.zip >= 0)
    code = found.zip[coded]
    place[coded] = gazetteer.lists.zip_place[code]
    confidence[coded] = np.where(found.has(kernels.WHOLE)[coded], CODE_ALONE, CODE)
    doubtful = (code % 1000 == 0) | (code == 12_345) | found.has(kernels.NO_CODE)[coded]
    confidence[coded[doubtful]] = CODE_DOUBTFUL
    confidence[coded[_match_neighbour_states(found, place, coded, gazetteer)]] = CODE_TOLD
    cities = np.flatnonzero((found.zip < 0) & (found.name >= 0) & (confidence >= LIKELY))
    keys = [
        (found.query[of].astype(np.int64) * kernels.STATES + gazetteer.state[place[of]])
        for of in (alone, cities)
    ]
    confidence[alone[np.isin(keys[0], keys[1])]] = 0
    # A name that is a city's and a state's is half of each.
    twice = (found.query[1:] == found.query[:-1]) & (found.start[1:] == found.start[:-1])
    twice &= gazetteer.rival[found.name[:-1]]
    either = np.zeros(len(found.query), dtype=np.bool_)
    either[1:] |= twice
    either[:-1] |= twice
    confidence[either] *= 0.5
    return place, np.minimum(confidence, HIGHEST)


def _match_neighbour_states(
    found: MentionColumns, place: Int32s, coded: Int64s, gazetteer: Gazetteer
) -> Bools:
    """Codes beside a city or a state, named next in the query or before, of the same state."""
    agrees = np.zeros(len(coded), dtype=np.bool_)
    if not len(found.query):
        return agrees
    for step in (-1, 1):
        other = np.clip(coded + step, 0, len(found.query) - 1)
        near = (found.query[other] == found.query[coded]) & (found.zip[other] < 0)
        agrees |= near & (gazetteer.state[place[other]] == gazetteer.state[place[coded]])
    return agrees


def _resolve_cities(
    found: MentionColumns, named: Int64s, told: Int16s, inside: Bools, gazetteer: Gazetteer
) -> tuple[Int32s, Float64s]:
    """The place that each name of `named` means, and how sure that is."""
    name, state = found.name[named], found.state[named]
    chance = gazetteer.likely[name]
    odds = chance / (1.0 - chance)
    stated = state >= 0
    for bit, factor in (
        (kernels.STATE, FULL_STATE),
        (kernels.SHORT, SHORT_STATE),
        (kernels.WORDLIKE, WORDLIKE_STATE / SHORT_STATE),
    ):
        odds = np.where(stated & found.has(bit)[named], odds * factor, odds)
    here = gazetteer.find_places(name, state)
    elsewhere = gazetteer.find_places(name, told[named])
    share = np.where(stated, 1.0, np.where(elsewhere >= 0, ELSEWHERE, gazetteer.share[name]))
    place = np.where(stated, here, np.where(elsewhere >= 0, elsewhere, gazetteer.biggest[name]))
    sought = found.has(kernels.IN_QUERY_LOCAL | kernels.PRECEDED)[named]
    plain = ~sought & ~stated
    small = gazetteer.people[place] < LARGE_TOWN
    named_so = small & plain & (elsewhere < 0) & ~gazetteer.titled[name]
    for some, factor in (
        (~stated & (elsewhere >= 0), TOLD_ELSEWHERE),
        (~stated & sought, SOUGHT),
        (~stated & inside[named], PERSON),
        (plain & found.has(kernels.BESIDE_FICTION)[named], FICTION),
        (named_so & found.has(kernels.LEADING)[named], BUSINESS),
    ):
        odds = np.where(some, odds * factor, odds)
    return place.astype(np.int32), odds / (1.0 + odds) * share
