"""The world that synthetic logs are drawn from: words, topics, sites, names, places, and people.

Words co-occur as they do on the web: a topic is a head word and the words that stand
beside it in frequent English pairs, so that what is asked together belongs together. Tokens are
integers; misspellings, domains and numbers have codes of their own that are spelled out only
if they are used.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from auditor.arrays import Bools, Floats, Int32s, Int64s, Integers, UInt32s
from auditor.log import gazetteers
from auditor.log.model import NONE, Attribute, Vocabulary
from auditor.progress import Progress

if TYPE_CHECKING:
    import pandas as pd

Rng = np.random.Generator
PHRASE = 4
"""Words kept of a phrase."""
NUMBERS = 1_000_000
MISSPELLINGS = 12
"""Ways in which one word gets misspelled."""
GLUED = 4096
"""Words that are glued by twos into the names of small sites."""
PHRASES = ("local", "openings", "links", "fillers")
"""Uses of words that topics and places are put together with."""
DOMAIN_FORMS = ("{}.com", "www.{}.com", "{}.net", "{}.org")

terms = gazetteers.synthetic_terms
"""Words by their use; see ``resources/own/synthetic.txt``."""


@dataclass(frozen=True, eq=False)
class SyntheticShelf:
    """Rows of weighted choices: row r offers ``items[starts[r]:starts[r + 1]]``, heavier first."""

    items: Int32s
    starts: Int64s
    cumulative: Floats

    def draw(self, rows: Integers, u: Floats) -> Int32s:
        """One choice from each row, where the uniform numbers `u` point."""
        low, high = self.cumulative[self.starts[rows]], self.cumulative[self.starts[rows + 1]]
        index = np.searchsorted(self.cumulative, low + u * (high - low), side="right") - 1
        index = np.clip(index, self.starts[rows], self.starts[rows + 1] - 1)
        return self.items[index]


def draw_indices(weights: Floats, size: int, rng: Rng) -> Int64s:
    """Indices drawn with probability proportional to `weights`; O(size · log n)."""
    cumulative = np.cumsum(weights)
    index = np.searchsorted(cumulative, rng.random(size) * cumulative[-1], side="right")
    places: Int64s = np.minimum(index, len(weights) - 1).astype(np.int64)
    return places


@dataclass(frozen=True, eq=False)
class WeightedWords:
    """Codes of words or phrases, one a row, and how often each is typed."""

    codes: Int32s
    weights: Floats

    def draw(self, size: int, rng: Rng) -> Int32s:
        """Draw `size` of them by weight; O(size · log rows)."""
        return self.codes[draw_indices(self.weights, size, rng)]


class SyntheticLexicon:
    """All tokens by code: words, misspellings, domains, numbers, glued domains, extras."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = list(dict.fromkeys(words))
        self.code = {word: code for code, word in enumerate(self.words)}
        self.misspelled = len(self.words)
        self.domains = self.misspelled + MISSPELLINGS * len(self.words)
        self.numbers = self.domains + len(DOMAIN_FORMS) * len(self.words)
        self.zips = self.numbers + NUMBERS
        self.glued = self.zips + 100_000
        self.extra = self.glued + GLUED * GLUED
        self.extras: list[str] = []

    def find_codes(self, words: Sequence[str]) -> Int32s:
        """Codes of known words."""
        return np.fromiter((self.code[word] for word in words), np.int32, len(words))

    def encode_phrases(self, texts: Iterable[str]) -> Int32s:
        """Codes of phrases of known words; shape (phrases, PHRASE), −1 after the last word."""
        rows = [[self.code[word] for word in text.split()[:PHRASE]] for text in texts]
        return np.array([row + [NONE] * (PHRASE - len(row)) for row in rows], dtype=np.int32)

    def add(self, text: str) -> int:
        """A code for a token that is nobody's word: an address, a number with dashes."""
        self.extras.append(text)
        return self.extra + len(self.extras) - 1

    def spell(self, code: int) -> str:
        """The token as it is typed."""
        if code < self.misspelled:
            return self.words[code]
        if code < self.domains:
            word, slip = divmod(code - self.misspelled, MISSPELLINGS)
            return misspell_word(self.words[word], slip)
        if code < self.numbers:
            word, form = divmod(code - self.domains, len(DOMAIN_FORMS))
            return DOMAIN_FORMS[form].format(self.words[word])
        if code < self.zips:
            return str(code - self.numbers)
        if code < self.glued:
            return f"{code - self.zips:05d}"
        if code < self.extra:
            a, b = divmod(code - self.glued, GLUED)
            glue: str = DOMAIN_FORMS[(a + b) % 2]
            return glue.format(self.words[100 + 2 * a] + self.words[101 + 2 * b])
        return self.extras[code - self.extra]


def misspell_word(word: str, slip: int) -> str:
    """A slip of the fingers: two letters swapped, one dropped, doubled, or a vowel changed."""
    i = 1 + (len(word) * (2 * slip + 3) + slip // 4) % max(1, len(word) - 2)
    slip %= 4
    if slip == 0:
        return word[:i] + word[i + 1 : i + 2] + word[i : i + 1] + word[i + 2 :]
    if slip == 1:
        return word[:i] + word[i + 1 :]
    if slip == 2:
        return word[:i] + word[i : i + 1] + word[i:]
    swapped = word[i : i + 1].translate(str.maketrans("aeiouy", "eaioiu"))
    return word[:i] + (swapped if swapped != word[i : i + 1] else "e") + word[i + 1 :]


@dataclass(frozen=True, eq=False)
class SyntheticWorld:
    """What people can search for. Codes are the lexicon's; weights need not add up to 1.

    `heads` has each topic's head word and `topics` its popularity. Row t of `neighbours` has the
    topic's companions, as 2 · word, plus 1 for one that goes before the head. `explicit` and
    `shielded` mark words that are not to stand in one query.
    """

    lexicon: SyntheticLexicon
    heads: Int32s
    topics: Floats
    neighbours: SyntheticShelf
    sites: WeightedWords
    cities: WeightedWords
    city_states: Int32s
    city_keys: list[tuple[str, str]]
    first: WeightedWords
    last: WeightedWords
    stars: WeightedWords
    adult: WeightedWords
    rare: WeightedWords
    explicit: Bools
    shielded: Bools

    def topic_name(self, topic: int) -> str:
        """A topic's head word, or the kind of query that has no topic."""
        if topic < len(self.heads):
            return self.lexicon.words[int(self.heads[topic])]
        return KINDS[topic - len(self.heads)]


KINDS = ("(site)", "(person)", "(place)", "(adult)", "(rare)", "(none)", "(own name)", "(own data)")
SITE, PERSON, PLACE, ADULT, RARE, NOTHING, OWN_NAME, OWN_DATA = range(len(KINDS))


def build_world(rng: Rng, progress: Progress) -> SyntheticWorld:
    """Lay out words, topics, sites, names and places; what is popular is chance's choice."""
    lists = (gazetteers.city_table, gazetteers.city_zips, gazetteers.dictionary_words,
             gazetteers.last_names, gazetteers.word_counts, gazetteers.bigram_counts,
             gazetteers.noun_ngrams)  # fmt: skip
    for load in lists:
        load()
        progress.check()
    world = _unweighted_world()
    progress.check()
    lexicon = copy.copy(world.lexicon)
    lexicon.extras = []  # of this world alone
    topics = _draw_popularity(world.lexicon, world.heads, world.neighbours, rng)
    sites = _draw_zipf_weights(world.sites, 1.05, rng, spread=6.0)
    stars = _draw_zipf_weights(world.stars, 1.0, rng, spread=20.0)
    adult = _draw_zipf_weights(world.adult, 0.9, rng, spread=1e6)
    return replace(world, lexicon=lexicon, topics=topics, sites=sites, stars=stars, adult=adult)


@functools.cache
def _unweighted_world() -> SyntheticWorld:
    """What every world has in common; topics, sites, stars and adult terms have no weights yet."""
    places = gazetteers.city_table()
    with_zip = gazetteers.city_zips()
    city_keys = [key for key in places if key in with_zip and places[key].population > 0]
    companies = sorted(gazetteers.company_names(), key=_site_rank)
    stars = sorted(gazetteers.true_names(), key=_estimate_fame)
    adult = sorted(gazetteers.adult_terms())
    lexicon = SyntheticLexicon(
        [
            *gazetteers.word_counts(),
            *(word for phrase in (*companies, *stars, *adult) for word in phrase.split()),
            *(word for city, state in city_keys for word in (*city.split(), state)),
            *gazetteers.first_names(),
            *gazetteers.last_names(),
            *("".join(company.split()) for company in companies),
            *(word for use in PHRASES for phrase in terms()[use] for word in phrase.split()),
            "-",
        ]
    )
    heads, neighbours = _list_topics(lexicon)
    rare = np.arange(2_000, len(gazetteers.word_counts()), dtype=np.int32)
    rare = rare[
        ~np.isin(rare, [lexicon.code[word] for word in terms()["never"] if word in lexicon.code])
    ]
    unset = np.empty(0)
    return SyntheticWorld(
        lexicon=lexicon,
        heads=heads,
        topics=unset,
        neighbours=neighbours,
        sites=WeightedWords(lexicon.find_codes(["".join(c.split()) for c in companies]), unset),
        cities=WeightedWords(
            lexicon.encode_phrases(city for city, _ in city_keys),
            np.array([places[key].population for key in city_keys]) ** 0.85,
        ),
        city_states=lexicon.find_codes([state for _, state in city_keys]),
        city_keys=city_keys,
        first=_weigh_names(lexicon, gazetteers.first_names()),
        last=_weigh_names(lexicon, gazetteers.last_names()),
        stars=WeightedWords(lexicon.encode_phrases(stars), unset),
        adult=WeightedWords(lexicon.encode_phrases(adult), unset),
        rare=WeightedWords(rare, 1.0 / (rare + 1.0) ** 0.7),
        explicit=np.array([_is_adult(word) for word in lexicon.words]),
        shielded=np.isin(lexicon.words, terms()["kin-and-young"]),
    )


def _weigh_names(lexicon: SyntheticLexicon, names: Mapping[str, float]) -> WeightedWords:
    return WeightedWords(lexicon.find_codes([*names]), np.array([*names.values()]) + 1e-4)


def _site_rank(company: str) -> tuple[int, str]:
    """Names that people type before those that brokers know; the best known sites first."""
    glued = "".join(company.split())
    if glued in terms()["best-known"]:
        return terms()["best-known"].index(glued), company
    if glued in gazetteers.dictionary_words():
        return 1_000_000_000_000, company
    return 1_000_000_000_000 - gazetteers.word_counts().get(glued, 0), company


def _is_adult(word: str) -> bool:
    if word in terms()["counties"]:
        return False
    return word in gazetteers.adult_terms() or any(part in word for part in terms()["explicit"])


def _estimate_fame(name: str) -> tuple[int, str]:
    """How rarely a name's rarer word is written: a coarse guess, noise is added to it."""
    counts, words = gazetteers.word_counts(), name.split()
    if all(word in gazetteers.dictionary_words() for word in words):
        return 0, name
    return -min(counts.get(word, 0) for word in words), name


def _draw_zipf_weights(
    words: WeightedWords, exponent: float, rng: Rng, *, spread: float
) -> WeightedWords:
    """Zipf weights by position, after noise has moved each by about `spread` places."""
    n = len(words.codes)
    ranks = np.argsort(np.argsort(np.arange(n) + spread * rng.standard_normal(n)))
    return replace(words, weights=1.0 / (ranks + 2.0) ** exponent)


def _list_topics(lexicon: SyntheticLexicon) -> tuple[Int32s, SyntheticShelf]:
    """Heads with at least three companions, and the shelf `beside` of a `SyntheticWorld`."""
    pairs = gazetteers.bigram_counts()
    idle = {*terms()["small-talk"], *terms()["never"]}
    triples = [(a, b, n) for (a, b), n in pairs.items() if a not in idle and b not in idle]
    left = lexicon.find_codes([a for a, _, _ in triples])
    right = lexicon.find_codes([b for _, b, _ in triples])
    weights = np.array([n for _, _, n in triples], dtype=np.float64) ** 0.9
    both, other_words = np.concatenate((left, right)), np.concatenate((right, left))
    ahead = np.repeat(np.array([0, 1], dtype=np.int32), len(triples))
    companions = np.bincount(both, minlength=len(lexicon.words))
    nouns = {text.split()[-1] for text in gazetteers.noun_ngrams()}
    heads = lexicon.find_codes(
        [w for w in lexicon.words if w in nouns and companions[lexicon.code[w]] > 2]
    )
    topic = np.full(len(lexicon.words), NONE, dtype=np.int32)
    topic[heads] = np.arange(len(heads))
    has_topic = topic[both] != NONE
    rows, doubled = topic[both[has_topic]], np.concatenate((weights, weights))[has_topic]
    marked = 2 * other_words[has_topic] + ahead[has_topic]
    order = np.lexsort((marked, -doubled, rows))
    starts = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=len(heads)))))
    cumulative = np.concatenate(([0.0], np.cumsum(doubled[order])))
    return heads, SyntheticShelf(marked[order], starts, cumulative)


def _draw_popularity(
    lexicon: SyntheticLexicon, heads: Int32s, neighbours: SyntheticShelf, rng: Rng
) -> Floats:
    """Zipf over topics: heads of many pairs tend to be popular, revealing ones are common."""
    weight = np.where(neighbours.items % 2 == 1, np.diff(neighbours.cumulative), 0.0)
    mass = np.add.reduceat(weight, neighbours.starts[:-1]) + 1.0
    score = np.log(mass) + rng.normal(0.0, 1.5, len(heads))
    revealing = {lexicon.code[word] for word in gazetteers.revealing_terms()}
    common = np.isin(heads, list(revealing))
    score[common] = np.quantile(score, rng.uniform(0.9, 0.99, int(common.sum())))
    ranks = np.argsort(np.argsort(-score))
    return 1.0 / (ranks + 5.0) ** 0.95


INTERESTS = 6
"""Topics that a person comes back to."""
FAVOURITES = 3
"""Sites that a person reaches by typing their names."""
OWN_NAME_SHARE = 0.30
"""Of users, those who ask for their own name (Jones et al. 2008, section 1)."""
HOME_SHARE = 0.50
"""Of users, those who ask for a place that shares three digits of ZIP with their home (same)."""
OWN_DATA_SHARE = 0.04
"""Of users, those who type a number or an address of their own."""
SUBNETS = 1 << 16
"""Class C networks within 10.0.0.0/8, which belongs to nobody."""
PEOPLE_PER_SUBNET = 14
NEIGHBOURS = 5
"""Networks that four more masked bits join, as far as there is room."""


@dataclass(frozen=True, eq=False)
class SyntheticPeople:
    """n people; every array has one row for each.

    `first`, `last` are word codes; `city` and `zip_code` say where home is; `activity` is the
    mean number of sessions a day; `interests` are topics, `leaning` is where in a topic's
    companions each person's taste lies; `ip` is the usual address.
    """

    world: SyntheticWorld
    number: Int64s
    first: Int32s
    last: Int32s
    city: Int64s
    zip_code: Int64s
    activity: Floats
    interests: Int64s
    leaning: Floats
    favourites: Int64s
    adult: Floats
    asks_name: Bools
    asks_home: Bools
    types_data: Bools
    ip: UInt32s
    roams: Bools
    cookies: Int64s

    def __len__(self) -> int:
        return len(self.number)

    def format_name(self, person: int) -> str:
        """First and last name, in lower case."""
        words = self.world.lexicon.words
        return f"{words[int(self.first[person])]} {words[int(self.last[person])]}"

    def zip_text(self, person: int) -> str:
        """The home's five-digit postal code."""
        return f"{self.zip_code[person]:05d}"


def make_people(n: int, world: SyntheticWorld, rng: Rng) -> SyntheticPeople:
    """Draw n people; O(n · log n)."""
    city = draw_indices(world.cities.weights, n, rng)
    codes = [gazetteers.city_zips()[key] for key in world.city_keys]
    sizes = np.array([len(person_codes) for person_codes in codes])
    starts = np.concatenate(([0], np.cumsum(sizes)))
    flat = np.array([int(code) for person_codes in codes for code in person_codes])
    zip_code = flat[starts[city] + (rng.random(n) * sizes[city]).astype(np.int64)]
    # A person who came back to a topic would be rare if interests were as skewed as fashions.
    interests = draw_indices(world.topics**0.7, n * INTERESTS, rng).reshape(n, INTERESTS)
    return SyntheticPeople(
        world,
        number=np.sort(rng.choice(40 * n + 100_000, n, replace=False)) + 1,
        first=world.first.draw(n, rng),
        last=world.last.draw(n, rng),
        city=city,
        zip_code=zip_code,
        activity=0.37 * rng.lognormal(-0.72, 1.2, n),
        interests=interests,
        leaning=rng.random((n, INTERESTS)),
        favourites=draw_indices(world.sites.weights, n * FAVOURITES, rng).reshape(n, FAVOURITES),
        adult=np.where(rng.random(n) < 0.12, 0.22, 0.008),
        asks_name=rng.random(n) < OWN_NAME_SHARE,
        asks_home=rng.random(n) < HOME_SHARE,
        types_data=rng.random(n) < OWN_DATA_SHARE,
        ip=_draw_addresses(zip_code, rng),
        roams=rng.random(n) < 0.35,
        cookies=1 + rng.poisson(0.35, n),
    )


def _draw_addresses(zip_code: Int64s, rng: Rng) -> UInt32s:
    """An address each: neighbours share networks, and now and then one address.

    People in order of postal code fill networks of very unequal size, which lie in order in
    10.0.0.0/8; so the longer the prefix two people share, the nearer they live. Networks lie
    close together: four more masked bits join about five of them (Jones et al. 2008, Table 2),
    more where 10.0.0.0/8 becomes too small for that.
    """
    n = len(zip_code)
    order = np.lexsort((rng.random(n), zip_code))
    networks = min(SUBNETS, max(1, n // PEOPLE_PER_SUBNET))
    shares = rng.lognormal(0.0, 0.8, networks)
    edges = np.cumsum(shares) / shares.sum() * n
    network = np.minimum(np.searchsorted(edges, np.arange(n), side="right"), networks - 1)
    places = np.zeros(1, dtype=np.int64)
    for children, neighbours in ((256, NEIGHBOURS**2), (16, NEIGHBOURS), (16, 1)):
        candidates = (places[:, None] * children + np.arange(children)).ravel()
        count = min(len(candidates), -(-networks // neighbours))
        places = np.sort(rng.choice(candidates, count, replace=False))
    host = rng.integers(1, 255, n)
    shared = np.flatnonzero(rng.random(n) < 0.1)
    shared = shared[(shared > 0) & (network[shared] == network[shared - 1])]
    host[shared] = host[shared - 1]
    address = np.empty(n, dtype=np.uint32)
    address[order] = ((10 << 24) + places[network] * 256 + host).astype(np.uint32)
    return address


def make_profiles(people: SyntheticPeople, rng: Rng) -> pd.DataFrame:
    """What an attacker may find about users elsewhere.

    Columns: `user`, `userid` (made from a name by nine in ten, from both names by four in
    ten), `format_name` (given by a quarter; missing otherwise), `zip`. The rates are those of
    Jones et al. 2008, Table 3.
    """
    import pandas as pd

    words = people.world.lexicon.words
    nouns = [words[int(code)] for code in people.world.heads]
    draws = rng.random((len(people), 4))
    names: list[str | None] = []
    userids = []
    for person in range(len(people)):
        first, last = people.format_name(person).split()
        pick, shape, number, chance = draws[person]
        noun = nouns[int(number * len(nouns))]
        if pick < 0.42:
            forms = (f"{last}_{first}", f"{first}.{last}", f"{first}{last}", f"{first}_{last}")
        elif pick < 0.88:
            numbered = f"{first}_{int(number * 10_000)}"
            forms = (f"{first}{noun}", f"{first[0]}{last}", numbered, first)
        else:
            other = nouns[int(shape * len(nouns))]
            forms = (f"{noun}{other}", f"{noun}_{other}", f"{other}{noun}x", f"{noun}4{other}")
        digits = str(int(number * 100)) if number * 10 % 1 < 0.6 else ""
        userids.append(forms[int(shape * len(forms))] + digits)
        full = f"{first.title()} {last.title()}"
        names.append(full if chance < 0.2 else first.title() if chance < 0.25 else None)
    return pd.DataFrame(
        {
            "user": [str(number) for number in people.number],
            "userid": userids,
            "name": pd.array(names, dtype="string"),
            "zip": [people.zip_text(person) for person in range(len(people))],
        }
    )


COUNTRIES = ("US", "DE", "FR", "IT", "ES", "PL", "NL", "RO", "BE", "CZ", "SE", "PT", "AT", "DK",
             "FI", "IE", "SI", "EE", "LU", "MT")  # fmt: skip
LANGUAGES = ("en", "de", "fr", "it", "es", "pl", "nl", "ro", "nl", "cs", "sv", "pt", "de", "da",
             "fi", "en", "sl", "et", "fr", "mt")  # fmt: skip
"""The language of most people of each country."""
DEVICES = ("mobile", "desktop", "tablet")
_COUNTRY_WEIGHTS = np.arange(1, len(COUNTRIES) + 1) ** -1.5
_DEVICE_WEIGHTS = np.array([0.58, 0.37, 0.05])
_FOREIGN = 0.06
"""People whose language is not that of their country."""
_SIGNED_IN = 0.6


def make_attributes(
    people: SyntheticPeople, person: Int64s, machine: Int32s, clicked: Int64s, rng: Rng
) -> dict[str, Attribute]:
    """`country`, `region`, `language`, `device`, `signed_in` and `dwell_ms` of every row.

    `person` and `machine` are the person and the browser of each row, `clicked` the rows with a
    click; shape (rows,). Country, region (the home's state, in the US), language and signing in are
    a person's, a device is a browser's, a dwell time is a click's. O(people + rows).
    """
    n = len(people)
    country = draw_indices(_COUNTRY_WEIGHTS, n, rng)
    tongues = sorted(set(LANGUAGES))
    language = np.array([tongues.index(tongue) for tongue in LANGUAGES])[country]
    foreign = rng.random(n) < _FOREIGN
    language[foreign] = rng.integers(0, len(tongues), int(foreign.sum()))
    states = sorted({state for _, state in people.world.city_keys})
    place = {state: number for number, state in enumerate(states)}
    home = np.array([place[state] for _, state in people.world.city_keys])[people.city]
    region = np.where(country == COUNTRIES.index("US"), home, NONE)
    signed_in = (rng.random(n) < _SIGNED_IN).astype(np.int64)
    device = draw_indices(_DEVICE_WEIGHTS, int(machine.max(initial=-1)) + 1, rng)
    dwell = np.full(len(person), NONE)
    dwell[clicked] = np.minimum(rng.lognormal(10.0, 1.2, len(clicked)), 1.8e6).astype(np.int64)
    spent, dwell_codes = np.unique(dwell[clicked], return_inverse=True)
    dwell[clicked] = dwell_codes
    columns = {
        "country": (country[person], COUNTRIES),
        "region": (region[person], [f"US-{state.upper()}" for state in states]),
        "language": (language[person], tongues),
        "device": (device[machine], DEVICES),
        "signed_in": (signed_in[person], ("no", "yes")),
        "dwell_ms": (dwell, map(str, spent.tolist())),
    }
    return {
        name: Attribute(codes.astype(np.int32), Vocabulary.of(texts))
        for name, (codes, texts) in columns.items()
    }
