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
from auditor.attacks.detection.entity_detection import BLOCK_BYTES, EntityMarks, detect_entities
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
    place[state_hits] = gazetteer.of_state(hits.state[state_hits])
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
    confidence[coded[_match_neighbour_states(hits, place, coded, gazetteer)]] = CODE_TOLD
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


def _match_neighbour_states(
    hits: MentionColumns, place: Int32s, coded: Int64s, gazetteer: Gazetteer
) -> Bools:
    """Codes beside a city or a state, named next in the query or before, of the same state."""
    agrees = np.zeros(len(coded), dtype=np.bool_)
    if not len(hits.query):
        return agrees
    for step in (-1, 1):
        other = np.clip(coded + step, 0, len(hits.query) - 1)
        is_neighbour = (hits.query[other] == hits.query[coded]) & (hits.zip[other] < 0)
        agrees |= is_neighbour & (gazetteer.state[place[other]] == gazetteer.state[place[coded]])
    return agrees


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
