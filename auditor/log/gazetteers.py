"""Word lists, names, places and the sample log: the one module that reads ``resources/``.

Everything is lower case, loaded when first asked for and then kept; each list loads in well
under 0.2 s. Where each file comes from and its licence: ``resources/LICENSES.md``.
"""

import functools
import gzip
import math
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeVar

import numpy as np

from auditor.arrays import Int64s
from auditor.resource_files import resource_path

N = TypeVar("N", int, float)


class PostalCode(NamedTuple):
    """A postal code: the place it belongs to, and where that is in degrees."""

    city: str
    state: str
    latitude: float
    longitude: float


class GazetteerCity(NamedTuple):
    """A populated place: where it is in degrees, and how many people live there."""

    name: str
    state: str
    latitude: float
    longitude: float
    population: int


def _read_lines(name: str) -> Iterator[str]:
    """The lines of a text file, without comments and empty ones."""
    path = resource_path(name)
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
    return (line for line in text.splitlines() if line and not line.startswith("#"))


def _read_table(name: str) -> Iterator[list[str]]:
    return (line.split("\t") for line in _read_lines(name))


def _word_list(*names: str) -> Callable[[], frozenset[str]]:
    """What reads the lines of some files, once."""
    return functools.cache(lambda: frozenset(chain.from_iterable(map(_read_lines, names))))


def _number_table(name: str, number: Callable[[str], N]) -> Callable[[], Mapping[str, N]]:
    """What reads a file of texts with a number each, once."""
    return functools.cache(
        lambda: MappingProxyType({text: number(value) for text, value in _read_table(name)})
    )


def _term_table(*names: str) -> Callable[[], Mapping[str, tuple[str, ...]]]:
    """What reads files of terms by their headings, once."""

    @functools.cache
    def read() -> Mapping[str, tuple[str, ...]]:
        table: dict[str, list[str]] = {}
        for name in names:
            for head, terms in _read_terms(name).items():
                table.setdefault(head, []).extend(terms)
        return MappingProxyType({head: tuple(terms) for head, terms in table.items() if head})

    return read


first_names = _number_table("names/first.tsv.gz", float)
"""First name → share of people in the 1990 US census, in per cent; the commonest first.

Of a name borne by women and men, the greater of the two shares.
"""

last_names = _number_table("names/last.tsv.gz", float)
"""Last name → share of people in the 1990 US census, in per cent; the commonest first."""

true_names = _word_list("names/true.txt", "own/names-true.txt")
"""Full names, "first last", that surely denote a person."""


@functools.cache
def false_names() -> frozenset[str]:
    """Pairs of a first and a last name that denote a place or a thing; none is a true name."""
    return _word_list("names/false.txt", "own/names-false.txt")() - true_names()


dictionary_words = _word_list("words/dictionary.txt.gz")
"""English words that are written in lower case, inflected forms among them."""

capitalized_words = _word_list("words/capitalised.txt.gz")
"""Words that the dictionary has only with a capital, here in lower case."""

stop_words = _word_list("words/stop.txt")
"""Words that say nothing about a query's subject."""

adult_terms = _word_list("own/adult.txt")
"""Terms, of one or more words, of sexual queries."""

revealing_terms = _word_list("own/revealing.txt")
"""The twelve terms that reveal something of a person (Kumar et al. 2007, section 5)."""


@functools.cache
def word_counts() -> Mapping[str, int]:
    """English words of letters alone → occurrences in 10¹² words; the commonest first."""
    zipf = word_frequencies()
    return MappingProxyType(
        {w: round(1000 * 10**z) for w, z in zipf.items() if w.isascii() and w.isalpha()}
    )


@functools.cache
def bigram_counts() -> Mapping[tuple[str, str], int]:
    """Terms of two words, neither a stop word → occurrences, as estimated; the commonest first.

    A term is a noun of WordNet; what is written with a capital alone, such as a city, is none. The
    estimate is a thirtieth of the rarer word's occurrences in 10¹² words.
    """
    rows = ((*pair.split(" "), count) for pair, count in _read_table("words/bigrams.tsv.gz"))
    return MappingProxyType({(a, b): int(count) for a, b, count in rows})


@functools.cache
def noun_ngrams() -> tuple[str, ...]:
    """English n-grams, of two to five words, that end in a noun; the commonest first."""
    return tuple(text for text, _ in _read_table("words/noun-ngrams.tsv.gz"))


@functools.cache
def state_abbreviations() -> Mapping[str, str]:
    """State's name and its abbreviation → abbreviation, the District of Columbia included."""
    table = dict(_read_table("places/states.tsv"))
    return MappingProxyType(table | {abbreviation: abbreviation for abbreviation in table.values()})


@functools.cache
def postal_codes() -> Mapping[str, PostalCode]:
    """Five-digit postal code → its place, in ascending order of codes."""
    return MappingProxyType(
        {
            code: PostalCode(city, state, float(latitude), float(longitude))
            for code, city, state, latitude, longitude in _read_table("places/zips.tsv.gz")
        }
    )


@functools.cache
def city_table() -> Mapping[tuple[str, str], GazetteerCity]:
    """(city's name, state's abbreviation) → the city; the most populous first."""
    return MappingProxyType(
        {
            (name, state): GazetteerCity(
                name, state, float(latitude), float(longitude), int(population)
            )
            for name, state, latitude, longitude, population in _read_table("places/cities.tsv.gz")
        }
    )


@functools.cache
def city_zips() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """(city's name, state's abbreviation) → its postal codes, ascending.

    "saint louis" is there as "st louis", too.
    """
    table: dict[tuple[str, str], list[str]] = {}
    for code, place in postal_codes().items():
        table.setdefault((place.city, place.state), []).append(code)
        if place.city.startswith("saint "):
            table.setdefault(("st " + place.city[6:], place.state), []).append(code)
    return MappingProxyType({place: tuple(codes) for place, codes in table.items()})


@functools.cache
def plain_counties() -> frozenset[str]:
    """Counties of the United States that are called like English words: "manatee county"."""
    return frozenset(f"{name} county" for name in _read_lines("places/counties.txt"))


cities_abroad = _number_table("places/abroad.tsv", int)
"""A US city's name → inhabitants of the large cities elsewhere that bear it, too."""

company_names = _word_list("companies.txt.gz", "own/companies.txt")
"""Names of large companies without their legal form, and abbreviations people use."""

word_frequencies = _number_table("words/frequencies.tsv.gz", float)
"""English word → Zipf frequency: log10 of its occurrences in a thousand million words."""


@functools.cache
def public_people() -> frozenset[str]:
    """Full names of people known to the public, of bands and of characters of stories."""
    names = (name for name, _ in _read_table("names/public.tsv.gz"))
    other_names = chain.from_iterable(_read_terms("detection/public-names.txt").values())
    return frozenset([*names, *_read_terms("detection/public-people.txt")[""], *other_names])


@functools.cache
def encyclopedia_people() -> tuple[Int64s, Int64s]:
    """Ascending marks of people of an encyclopedia whose names few bear, and their salt.

    Marks are those of `phrase_kernels.person_mark`: names can't be read from them.
    """
    with np.load(resource_path("names/encyclopedia.npz")) as file:
        return np.cumsum(file["steps"], dtype=np.int64), file["salt"]


world_first_names = _number_table("names/world-first.tsv.gz", float)
"""First names of the world that the census hardly knows → their share of people, per cent."""

world_last_names = _number_table("names/world-last.tsv.gz", float)
"""Last names of the world that the census hardly knows → their share of people, per cent."""

world_places = _number_table("places/world.tsv.gz", int)
"""Countries, regions and large cities outside the United States → inhabitants."""


@functools.cache
def load_brands() -> frozenset[str]:
    """Companies, products, sites, teams and publications that people search by name."""
    return frozenset(_read_terms("detection/brands.txt")[""])


@functools.cache
def topic_terms() -> Mapping[str, tuple[str, ...]]:
    """Heading "topic group weight" → terms: those written by hand, then those of open lists.

    The headings of open lists end with a blank.
    """
    curated = _term_table("detection/topics.txt")()
    grown: dict[str, list[str]] = {}
    for term, topic, group, weight in _read_table("detection/grown-terms.tsv.gz"):
        grown.setdefault(f"{topic} {group} {weight} ", []).append(term)
    return MappingProxyType({**curated, **{head: tuple(terms) for head, terms in grown.items()}})


SHARED_WORD = 3.0
"""Zipf frequency from which a word is an English one, whatever else it is."""
_LANGUAGES = {
    "de": "German", "es": "Spanish", "fr": "French", "it": "Italian",
    "nl": "Dutch", "pt": "Portuguese", "ca": "Catalan", "pl": "Polish", "sv": "Swedish",
    "da": "Danish", "nb": "Norwegian", "fi": "Finnish", "cs": "Czech", "sk": "Slovak",
    "hu": "Hungarian", "ro": "Romanian", "tr": "Turkish", "id": "Indonesian", "vi": "Vietnamese",
    "fil": "Filipino", "lt": "Lithuanian", "lv": "Latvian", "sl": "Slovenian",
    "sh": "Serbo-Croatian", "is": "Icelandic",
}  # fmt: skip


@functools.cache
def language_words() -> Mapping[str, Mapping[str, float]]:
    """Language in the Latin alphabet → its frequent words, without accents → Zipf frequency.

    A word that English has, too, is in no other language more frequent than there: in short
    queries it is a name ("santa rosa") or an English word more often than a foreign one.
    """
    english = word_frequencies()
    languages: dict[str, dict[str, float]] = {"English": {**english}}
    for code, word, zipf in _read_table("words/languages.tsv.gz"):
        frequency = english.get(word, 0.0)
        shared = frequency if frequency >= SHARED_WORD else math.inf
        languages.setdefault(_LANGUAGES[code], {})[word] = min(float(zipf), shared)
    return MappingProxyType(languages)


TOPIC_LANGUAGES = {"de": "German", "es": "Spanish", "fr": "French", "it": "Italian", "nl": "Dutch"}
"""Languages besides English that have a list of terms of sensitive topics."""

foreign_topic_terms = _term_table(*(f"detection/topics-{code}.txt" for code in TOPIC_LANGUAGES))
"""Heading "topic group weight" → terms of all `TOPIC_LANGUAGES`, with their accents."""

term_contexts = _term_table("detection/contexts.txt")
"""Heading "factor …" or "neutral" → words that change what stands beside them."""

cue_words = _term_table("detection/cues.txt")
"""Role of a word beside a name, such as "title" or "place-head" → words and phrases."""

synthetic_terms = _term_table("own/synthetic.txt")
"""Use of a word in synthetic logs, such as "fillers" or "local" → words and phrases."""

role_words = _term_table("detection/word-roles.txt")
"""What words tell of a query, such as "local", "country" or "mail" → words and phrases."""

person_model = _number_table("detection/person-model.tsv", float)
"""Feature of the model of people's names → its coefficient."""


def _read_terms(name: str) -> dict[str, list[str]]:
    """Terms separated by semicolons or line ends, by the heading in brackets above them."""
    sections: dict[str, list[str]] = {}
    before, *parts = re.split(r"(?m)^\[(.*)\]$", "\n".join(_read_lines(name)))
    for head, text in zip(["", *parts[::2]], [before, *parts[1::2]], strict=True):
        terms = (term.strip() for term in text.replace("\n", " ").split(";"))
        sections.setdefault(head, []).extend(filter(None, terms))
    return sections


def sample_log() -> Path:
    """The bundled synthetic log, in AOL's columns with address and cookie."""
    return resource_path("sample/log.tsv.gz")


def sample_reference() -> Path:
    """An earlier period of the sample's world: what an attacker may hold."""
    return resource_path("sample/reference.tsv.gz")


def sample_profiles() -> Path:
    """The sample users' profiles: user, userid, name, zip."""
    return resource_path("sample/profiles.csv.gz")
