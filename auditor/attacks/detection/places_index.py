"""The gazetteer as arrays: names of places, what each may mean, and where that is.

Built from the shipped lists in about a second and kept between runs; O(bytes of the lists).
"""

import itertools
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Array, Bools, Float64s, Int16s, Int32s, Int64s, Integers, find_sorted
from auditor.attacks.detection import places_kernels as kernels
from auditor.attacks.detection.lexicon import PhraseTreeBuilder, fill_column
from auditor.attacks.detection.tables import PlaceLists
from auditor.log import gazetteers
from auditor.log.built_lists import keep_between_runs
from auditor.log.model import NONE

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

    def of_state(self, state: Integers) -> Int32s:
        """The place that is the state itself."""
        first = len(self.labels) - int(np.count_nonzero(self.is_state))
        return (state.astype(np.int32) + np.int32(first)).astype(np.int32)

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
    places = _KnownPlaces(codes)
    names = {name: number for number, name in enumerate(places.list_names())}
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

    def __init__(self, codes: dict[str, int]) -> None:
        self.number: dict[tuple[str, str], int] = {}
        self.first: list[tuple[str, str]] = []
        self.people: list[int] = []
        self.where: list[tuple[float, float] | None] = []
        spots: dict[tuple[str, float, float, int], int] = {}
        of_states = set(gazetteers.state_abbreviations()) - {"new york"}
        cities = gazetteers.city_table()
        for (name, state), city in sorted(cities.items(), key=_by_spelling):
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
        full = {abb: text for text, abb in gazetteers.state_abbreviations().items() if text != abb}
        plain, counts = gazetteers.dictionary_words(), gazetteers.word_frequencies()
        for (name, state), number in list(self.number.items()):
            glued = [name] if " " in name else []
            if self.people[number] >= GLUED:
                glued += [f"{name}{state}", f"{name}{full[state]}"]
            for text in glued:
                word = text.replace(" ", "")
                if len(word) >= GLUED_LETTERS and word not in plain and word not in counts:
                    self.number.setdefault((word, state), number)
        self._codes = codes

    def _add_place(
        self, key: tuple[str, str], people: int, position: tuple[float, float] | None
    ) -> int:
        self.first.append(key)
        self.people.append(max(people, UNLISTED))
        self.where.append(position)
        return len(self.first) - 1

    def list_names(self) -> Iterable[str]:
        return dict.fromkeys(name for name, _ in self.number)

    def index_postal_codes(self) -> tuple[Int32s, Int64s, Int32s]:
        """The place of each postal code, and the codes of each place.

        A place without a code of its own has the one nearest to it in its state.
        """
        zip_place = np.full(100_000, NONE, dtype=np.int32)
        for code, area in gazetteers.postal_codes().items():
            zip_place[int(code)] = self.number[area.city, area.state]
        codes = np.flatnonzero(zip_place >= 0)
        counts = np.bincount(zip_place[codes], minlength=len(self.first))
        without_code = np.flatnonzero(counts == 0)
        place = np.concatenate((zip_place[codes], without_code))
        codes = np.concatenate((codes, self._find_nearest_codes(without_code)))
        order = np.lexsort((codes, place))
        counts = np.bincount(place, minlength=len(self.first))
        starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        return zip_place, starts, codes[order].astype(np.int32)

    def _find_nearest_codes(self, places: Int64s) -> Int64s:
        table: dict[str, list[tuple[int, float, float]]] = {}
        for code, area in gazetteers.postal_codes().items():
            table.setdefault(area.state, []).append((int(code), area.latitude, area.longitude))
        columns = {state: np.array(rows) for state, rows in table.items()}
        nearest = np.empty(len(places), dtype=np.int64)
        for index, place in enumerate(places.tolist()):
            rows, position = columns[self.first[place][1]], self.where[place]
            assert position is not None  # what only the postal list knows has a code
            nearest[index] = int(
                rows[np.argmin(_compute_squared_distances(rows[:, 1:], position)), 0]
            )
        return nearest

    def find_central_codes(self, starts: Int64s, codes: Int32s) -> Int32s:
        """The code nearest to the middle of each place."""
        position = np.full((100_000, 2), np.nan)
        for code, area in gazetteers.postal_codes().items():
            position[int(code)] = area.latitude, area.longitude
        central = codes[starts[:-1]].copy()
        for place in np.flatnonzero(np.diff(starts) > 1).tolist():
            own_codes = codes[starts[place] : starts[place + 1]]
            centre = self.where[place] or tuple(position[own_codes].mean(axis=0).tolist())
            central[place] = own_codes[
                np.argmin(_compute_squared_distances(position[own_codes], centre))
            ]
        return central


def _by_spelling(
    item: tuple[tuple[str, str], gazetteers.GazetteerCity],
) -> tuple[int, bool, bool, str]:
    """The largest cities first; of one city the spelling that people know first."""
    (name, _), city = item
    return -city.population, name != "new york", not name.endswith(" city"), name


def _compute_squared_distances(positions: Float64s, centre: tuple[float, ...]) -> Float64s:
    """Squared distances, in squared degrees of latitude."""
    north, east = positions[:, 0] - centre[0], positions[:, 1] - centre[1]
    squares: Float64s = north**2 + (east * np.cos(np.radians(centre[0]))) ** 2
    return squares


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
