"""Train the model of people's names and write ``resources/detection/person-model.tsv``.

Run from the root of the source tree::

    python packaging/train_person_names.py [--labels FILE]

Examples are made: names drawn from the census by how many bear them, with and without initials
and words that stand beside names in queries (positive); pairs of common words, WordNet's and
GeoNames' phrases, places with states, terms and brands (negative). With `--labels`, a table of
real queries with labels (columns query and labels), the half of it that is for development is
added and weighs as much as all made examples; the other half is never read. The same seed and
data give the same coefficients.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

from auditor.attacks.detection import name_kernels as kernels
from auditor.attacks.detection import person_names
from auditor.attacks.detection.evidence_index import evidence_index
from auditor.attacks.detection.normalization import QueryNormalizer
from auditor.log import gazetteers
from auditor.log.model import Vocabulary

RESOURCE = Path(__file__).resolve().parent.parent / "resources/detection/person-model.tsv"
MADE = 6_000
BESIDE = [
    "{} obituary",
    "{} address",
    "{} phone number",
    "phone number for {}",
    "{} attorney",
    "{} myspace",
    "dr {}",
    "{} md",
    "{} realtor",
    "{} {place}",
    "{} {place}",
    "{} {place}",
    "{} {place}",
    "obituary of {}",
    "obituary of {} {place}",
    "{} obituary {place}",
    "{} attorney {place}",
    "dr {} {place}",
    "{} arrested {place}",
    "{} address {place}",
    "{} {place}",
    "{} {place}",
    "{} wedding",
    "{} genealogy",
    "{} arrested",
    "{} high school",
    "who is {}",
    "{} family tree",
    "{} photography",
    "{} law",
    "{} class of 1985",
    "mr {}",
    "{} pictures",
    "{} inmate",
    "{} murder",
    "{} teacher",
    "{} birthday",
    "{} homepage",
    "find {}",
    '"{}"',
    '"{}"',
    "{} and {other}",
    "{} email",
]


def held_out(query: str) -> bool:
    """Whether a labelled query belongs to the half that nobody looks at."""
    return hashlib.sha256(query.encode()).digest()[0] & 1 == 1


def made(rng: np.random.Generator) -> Iterator[tuple[str, bool]]:
    """Made queries, and whether the name in them is one."""
    first, last = gazetteers.first_names(), gazetteers.last_names()
    share = np.array(list(first.values())) ** 0.8
    firsts = rng.choice(list(first), 2 * MADE, p=share / share.sum())
    share = np.array(list(last.values())) ** 0.6
    lasts = rng.choice(list(last), 2 * MADE, p=share / share.sum())
    states = [name for name, abb in gazetteers.state_abbreviations().items()]
    cities = list(gazetteers.city_table())[:2000]
    for at in range(MADE):
        name = f"{firsts[at]} {lasts[at]}"
        if rng.random() < 0.12:
            name = f"{firsts[at]} {rng.choice(list('abcdejlmrstw'))} {lasts[at]}"
        elif rng.random() < 0.05:
            name = f"{firsts[at][0]} {lasts[at]}"
        text = name
        if rng.random() < 0.55:
            city, state = cities[rng.integers(len(cities))]
            place = rng.choice([city, state, f"{city} {state}", str(rng.choice(states))])
            other = f"{firsts[MADE + at]} {lasts[MADE + at]}"
            text = str(rng.choice(BESIDE)).format(name, place=place, other=other)
        yield text, True
    zipf = gazetteers.word_frequencies()
    words = [word for word in list(zipf)[:30_000] if len(word) > 1]
    chance = np.array([10 ** (0.75 * zipf[word]) for word in words])
    drawn = rng.choice(words, 6 * MADE, p=chance / chance.sum())
    for at in range(MADE):
        size = int(rng.integers(2, 5))
        yield beside(rng, " ".join(drawn[6 * at : 6 * at + size])), False
    for _ in range(MADE // 2):
        city, state = cities[rng.integers(len(cities))]
        head = rng.choice(["hotels in ", "weather ", "", "", "jobs in ", "map of ", "zip code "])
        yield f"{head}{city} {rng.choice([state, str(rng.choice(states))])}", False
    things = sorted(gazetteers.false_names() | gazetteers.brands() | gazetteers.company_names())
    terms = [term for terms in gazetteers.topic_terms().values() for term in terms]
    phrases = [text for text in [*things, *terms, *gazetteers.world_places()] if " " in text]
    for text in rng.choice(phrases, MADE):
        extra = str(rng.choice(drawn)) if rng.random() < 0.4 else ""
        yield beside(rng, f"{text} {extra}".strip()), False


def beside(rng: np.random.Generator, text: str) -> str:
    """The text, a third of the time beside what stands beside names, too."""
    pattern = str(rng.choice(BESIDE)) if rng.random() < 0.35 else "{}"
    return pattern.replace("{place}", "ohio").replace("{other}", "others").format(text)


def labelled(path: Path) -> Iterator[tuple[str, bool]]:
    """Real queries of the development half, and whether somebody's full name is in them."""
    for line in path.read_text("utf-8").split("\n")[1:]:
        query, _, labels = line.partition("\t")
        if query and not held_out(query):
            yield query, bool({"private_person", "public_person"} & set(labels.split(",")))


def vectors(queries: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Number of the query and features of every pair or triple that may be a name."""
    index = evidence_index()
    vocabulary = Vocabulary.of(queries)
    data, offsets = QueryNormalizer().block(vocabulary, 0, len(vocabulary))
    lists = (
        index.words.data, index.words.offsets, index.slots, index.root, index.edge_key,
        index.edge_node, index.word, index.role, index.node_role,
    )  # fmt: skip
    room = 20 * len(queries)
    query, start, stop = (np.zeros(room, np.int32) for _ in range(3))
    vector = np.zeros((room, kernels.FEATURES))
    found = kernels.name_examples(data, offsets, *lists, query, start, stop, vector)
    assert found <= room
    return query[:found], vector[:found]


def examples(
    rows: list[tuple[str, bool]], weights: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Features and answers; of a query with a name, the likeliest candidate is taken for it."""
    query, vector = vectors([text for text, _ in rows])
    answer = np.array([is_name for _, is_name in rows])[query]
    score = vector @ (weights if weights is not None else _first_guess())
    keep = np.ones(len(query), dtype=bool)
    named = np.flatnonzero(answer)
    best: dict[int, int] = {}
    for at in named:
        if query[at] not in best or score[at] > score[best[query[at]]]:
            best[query[at]] = at
    keep[named] = False
    keep[list(best.values())] = True
    return vector[keep], answer[keep]


def _first_guess() -> np.ndarray:
    guess = np.zeros(len(person_names.FEATURES))
    guess[1] = guess[2] = guess[3] = 1.0
    return guess


def main() -> None:
    """Train and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--labels", type=Path, help="labelled real queries")
    path = parser.parse_args().labels
    rows = list(dict(made(np.random.default_rng(1))).items())
    real = [] if path is None else list(dict(labelled(path)).items())
    weights = None
    for _ in range(2):  # the second round knows better which candidate of a query is its name
        vector, answer = examples(rows, weights)
        weight = np.ones(len(answer))
        if real:
            more, told = examples(real, weights)
            share = len(answer) / len(told)
            vector, answer = np.concatenate([vector, more]), np.concatenate([answer, told])
            weight = np.concatenate([weight, np.full(len(told), share)])
        model = LogisticRegression(C=0.3, max_iter=5_000, fit_intercept=False)
        model.fit(vector, answer, sample_weight=weight)
        weights = model.coef_[0]
    lines = (
        f"{name}\t{value:.4f}" for name, value in zip(person_names.FEATURES, weights, strict=True)
    )
    RESOURCE.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    chance = 1 / (1 + np.exp(-(vector @ weights)))
    sys.stdout.write(f"{len(answer):,} examples, right: {((chance > 0.5) == answer).mean():.3f}\n")


if __name__ == "__main__":
    main()
