"""Train the model of people's names and write ``resources/detection/person-model.tsv``.

Run from the root of the source tree::

    python packaging/train_person_names.py [--labels FILE] [--development FILE]

Examples are made: names drawn from the census by how many bear them, with and without initials
and words that stand beside names in queries (positive); pairs of common words, WordNet's and
GeoNames' phrases, places with states, terms and brands (negative). With `--labels`, a table of
real queries with labels (columns query and labels), the half of it that is for development is
added and weighs as much as all made examples; the other half is never read. With `--development`
all of such a table is added. The same seed and data give the same coefficients.

A name that no list of people known to the public has is a private person's or that of somebody
whom the lists miss. How likely the former is, is calibrated (Platt) on the labelled queries, by
predictions of models that were trained without them. `--check` prints precision and recall of
private persons by nested cross-validation over all these queries: neither the model nor the
calibration that judges a query has seen it.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numba import njit
from sklearn.linear_model import LogisticRegression

from auditor.attacks.detection import evidence_kernels as kernels
from auditor.attacks.detection.evidence_index import evidence_index
from auditor.attacks.detection.kernels import find_child
from auditor.attacks.detection.kinds import EntityKind
from auditor.attacks.detection.normalization import QueryNormalizer
from auditor.attacks.detection.phrase_kernels import LETTERS, set_word_roles
from auditor.attacks.detection.rules import NAME_RULE
from auditor.attacks.detection.tables import (
    MARK_TYPES,
    SIZE,
    EvidenceLists,
    MarkColumns,
    ScanOptions,
    allocate_columns,
    fill_columns,
)
from auditor.attacks.intervals import wilson_interval
from auditor.log import gazetteers
from auditor.log.model import Vocabulary

RESOURCE = Path(__file__).resolve().parent.parent / "resources/detection/person-model.tsv"
QUERIES = 6_000
FOLDS = 5
BESIDE = [
    "{} obituary", "{} address", "{} phone number", "phone number for {}", "{} attorney",
    "{} myspace", "dr {}", "{} md", "{} realtor", "{} {place}", "{} {place}", "{} {place}",
    "{} {place}", "obituary of {}", "obituary of {} {place}", "{} obituary {place}",
    "{} attorney {place}", "dr {} {place}", "{} arrested {place}", "{} address {place}",
    "{} {place}", "{} {place}", "{} wedding", "{} genealogy", "{} arrested", "{} high school",
    "who is {}", "{} family tree", "{} photography", "{} law", "{} class of 1985", "mr {}",
    "{} pictures", "{} inmate", "{} murder", "{} teacher", "{} birthday", "{} homepage",
    "find {}", "\"{}\"", "\"{}\"", "{} and {other}", "{} email"
]  # fmt: skip


def held_out(query: str) -> bool:
    """Whether a labelled query belongs to the half that nobody looks at."""
    return hashlib.sha256(query.encode()).digest()[0] & 1 == 1


def make_queries(rng: np.random.Generator) -> Iterator[tuple[str, bool]]:
    """Made queries, and whether the name in them is one."""
    first, last = gazetteers.first_names(), gazetteers.last_names()
    share = np.array(list(first.values())) ** 0.8
    firsts = rng.choice(list(first), 2 * QUERIES, p=share / share.sum())
    share = np.array(list(last.values())) ** 0.6
    lasts = rng.choice(list(last), 2 * QUERIES, p=share / share.sum())
    states = [name for name, abb in gazetteers.state_abbreviations().items()]
    cities = list(gazetteers.city_table())[:2000]
    for row in range(QUERIES):
        name = f"{firsts[row]} {lasts[row]}"
        if rng.random() < 0.12:
            name = f"{firsts[row]} {rng.choice(list('abcdejlmrstw'))} {lasts[row]}"
        elif rng.random() < 0.04:
            name = f"{firsts[row]} {rng.choice(['van', 'von', 'de', 'de la', 'del'])} {lasts[row]}"
        elif rng.random() < 0.03:
            name = f"{firsts[row][0]} {rng.choice(list('abcdejlmrstw'))} {lasts[row]}"
        elif rng.random() < 0.05:
            name = f"{firsts[row][0]} {lasts[row]}"
        text = name
        if rng.random() < 0.55:
            city, state = cities[rng.integers(len(cities))]
            place = rng.choice([city, state, f"{city} {state}", str(rng.choice(states))])
            other = f"{firsts[QUERIES + row]} {lasts[QUERIES + row]}"
            text = str(rng.choice(BESIDE)).format(name, place=place, other=other)
        yield text, True
    zipf = gazetteers.word_frequencies()
    words = [word for word in list(zipf)[:30_000] if len(word) > 1]
    chance = np.array([10 ** (0.75 * zipf[word]) for word in words])
    drawn = rng.choice(words, 6 * QUERIES, p=chance / chance.sum())
    for row in range(QUERIES):
        size = int(rng.integers(2, 5))
        yield beside(rng, " ".join(drawn[6 * row : 6 * row + size])), False
    for _ in range(QUERIES // 2):
        city, state = cities[rng.integers(len(cities))]
        head = rng.choice(["hotels in ", "weather ", "", "", "jobs in ", "map of ", "zip code "])
        yield f"{head}{city} {rng.choice([state, str(rng.choice(states))])}", False
    names = gazetteers.false_names() | gazetteers.load_brands() | gazetteers.company_names()
    things = sorted(names)
    terms = [term for terms in gazetteers.topic_terms().values() for term in terms]
    phrases = [text for text in [*things, *terms, *gazetteers.world_places()] if " " in text]
    for text in rng.choice(phrases, QUERIES):
        extra = str(rng.choice(drawn)) if rng.random() < 0.4 else ""
        yield beside(rng, f"{text} {extra}".strip()), False


def beside(rng: np.random.Generator, text: str) -> str:
    """The text, a third of the time beside what stands beside names, too."""
    pattern = str(rng.choice(BESIDE)) if rng.random() < 0.35 else "{}"
    return pattern.replace("{place}", "ohio").replace("{other}", "others").format(text)


def labelled(path: Path, *, every: bool = False) -> Iterator[tuple[str, set[str]]]:
    """Real queries of the development half, or all of them, and their labels."""
    for line in path.read_text("utf-8").split("\n")[1:]:
        query, _, labels = line.partition("\t")
        if query and (every or not held_out(query)):
            yield query, set(labels.split(","))


@njit
def name_examples(
    data: np.ndarray, starts: np.ndarray, lists: EvidenceLists, options: ScanOptions,
    out: MarkColumns, vector: np.ndarray,
) -> int:  # fmt: skip
    """Features of every pair or triple of words that may be a name; how many there are.

    Examples beyond the room in `out` are counted but not written.
    """
    q = kernels.open_block(data, starts, lists, options, out)
    features = np.zeros(kernels.FEATURES)
    count = 0
    for query in range(len(starts) - 1):
        kernels.open_query(query, starts, q)
        set_word_roles(q)
        size, codes = q.now[SIZE], q.words.codes
        for first in range(size):
            there = first
            node = np.int64(lists.tree.root[codes[first]] if codes[first] >= 0 else -1)
            while node >= 0:
                q.roles[first : there + 1] |= lists.node_role[node]
                there += 1
                if there == size or q.words.joins[there] < 2 or codes[there] < 0:
                    break
                node = find_child(node, codes[there], lists.tree)
        for first in range(size - 1):
            if q.words.shapes[first] != LETTERS:
                continue
            begin = kernels.can_be_name(
                q.words.lengths[first], codes[first], q.roles[first], kernels.FIRST, lists.word
            )
            for last in range(first + 1, kernels.find_reach(first, q) + 1):
                end = kernels.can_be_name(
                    q.words.lengths[last], codes[last], q.roles[last], kernels.LAST, lists.word
                )
                if begin == 0 or end == 0 or begin + end < 3:
                    continue
                if count < len(out.query):
                    kernels.fill_features(first, last, q, features)
                    out.query[count], vector[count] = query, features
                count += 1
    return count


def vectors(queries: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Number of the query and features of every pair or triple that may be a name."""
    index = evidence_index()
    vocabulary = Vocabulary.of(queries)
    data, offsets = QueryNormalizer().fold_block(vocabulary, 0, len(vocabulary))
    room = 20 * len(queries)
    out = MarkColumns(*allocate_columns(MARK_TYPES, room))
    vector = np.zeros((room, kernels.FEATURES))
    options = ScanOptions(0, 0.0, index.person, np.ones(len(index.rules), np.float32))
    count = name_examples(data, offsets, index.lists, options, out, vector)
    assert count <= room
    return out.query[:count], vector[:count]


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
    for index in named.tolist():
        if query[index] not in best or score[index] > score[best[query[index]]]:
            best[query[index]] = index
    keep[named] = False
    keep[list(best.values())] = True
    return vector[keep], answer[keep]


def _first_guess() -> np.ndarray:
    guess = np.zeros(kernels.FEATURES)
    guess[1] = guess[2] = guess[3] = 1.0
    return guess


Rows = list[tuple[str, bool]]


def train(made_rows: Rows, real: Rows) -> np.ndarray:
    """The coefficients, by feature."""
    weights: np.ndarray | None = None
    for _ in range(2):  # the second round knows better which candidate of a query is its name
        vector, answer = examples(made_rows, weights)
        weight = np.ones(len(answer))
        if real:
            more, answers = examples(real, weights)
            share = len(answer) / len(answers)
            vector, answer = np.concatenate([vector, more]), np.concatenate([answer, answers])
            weight = np.concatenate([weight, np.full(len(answers), share)])
        model = LogisticRegression(C=0.3, max_iter=5_000, fit_intercept=False)
        model.fit(vector, answer, sample_weight=weight)
        weights = model.coef_[0]
    assert weights is not None
    return weights


def log_odds(queries: list[str], weights: np.ndarray) -> np.ndarray:
    """Greatest log odds that a query holds a name that no list knows; −inf where it has none."""
    index = dataclasses.replace(evidence_index(), person=np.append(weights, (1.0, 0.0)))
    data, offsets = QueryNormalizer().fold_block(Vocabulary.of(queries), 0, len(queries))
    every = np.ones(len(index.rules), np.float32)
    options = ScanOptions(1 << int(EntityKind.PERSON), 0.01, index.person, every)
    inputs = data, offsets, index.lists, options, np.zeros(len(queries), np.uint8)

    def fill(columns: Sequence[np.ndarray]) -> int:
        return int(kernels.scan_queries(MarkColumns(*columns), *inputs))

    out = MarkColumns(*fill_columns(MARK_TYPES, 8 * len(queries) + 64, fill))
    odds = np.full(len(queries), -np.inf)
    marks = np.flatnonzero(~out.is_public & (out.rule == NAME_RULE))
    chance = out.confidence[marks].astype(np.float64)
    np.maximum.at(odds, out.query[marks], np.log(chance / (1.0 - chance)))
    return odds


def calibrate(odds: np.ndarray, private: np.ndarray) -> tuple[float, float]:
    """Slope and constant by which log odds of a name become those of a private person's name."""
    named = np.isfinite(odds)
    model = LogisticRegression(C=1.0).fit(odds[named, None], private[named])
    return float(model.coef_[0, 0]), float(model.intercept_[0])


def predict_apart(made_rows: Rows, real: Rows, seed: int) -> np.ndarray:
    """Log odds of each real query by a model that was trained without its fold."""
    fold = np.random.default_rng(seed).permutation(len(real)) % FOLDS
    odds = np.zeros(len(real))
    for turn in range(FOLDS):
        rest = [row for row, there in zip(real, fold, strict=True) if there != turn]
        rows = np.flatnonzero(fold == turn)
        odds[rows] = log_odds([real[i][0] for i in rows], train(made_rows, rest))
    return odds


def check(made_rows: Rows, real: Rows, private: np.ndarray) -> None:
    """Print precision and recall of private persons by nested cross-validation."""
    fold = np.random.default_rng(7).permutation(len(real)) % FOLDS
    marked = np.zeros(len(real), dtype=bool)
    for turn in range(FOLDS):
        inner, outer = np.flatnonzero(fold != turn), np.flatnonzero(fold == turn)
        rest = [real[i] for i in inner]
        slope, constant = calibrate(predict_apart(made_rows, rest, turn), private[inner])
        odds = log_odds([real[i][0] for i in outer], train(made_rows, rest))
        marked[outer] = slope * odds + constant > 0.0
    hits = int((marked & private).sum())
    for name, of in (("precision", int(marked.sum())), ("recall", int(private.sum()))):
        low, high = wilson_interval(hits, of)
        sys.stdout.write(f"{name} {hits}/{of} = {hits / of:.2f} [{low:.2f}–{high:.2f}]\n")


def main() -> None:
    """Train and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--labels", type=Path, help="labelled real queries, half held out")
    parser.add_argument("--development", type=Path, help="labelled real queries, none held out")
    parser.add_argument("--check", action="store_true", help="nested cross-validation, no saving")
    options = parser.parse_args()
    made_rows = list(dict(make_queries(np.random.default_rng(1))).items())
    labels = dict(labelled(options.labels)) if options.labels else {}
    if options.development:
        labels |= dict(labelled(options.development, every=True))
    named = {"private_person", "public_person"}
    real = [(query, bool(named & kinds)) for query, kinds in labels.items()]
    private = np.array(["private_person" in kinds for kinds in labels.values()])
    if options.check:
        check(made_rows, real, private)
        return
    weights = train(made_rows, real)
    calibration = calibrate(predict_apart(made_rows, real, 1), private) if real else (1.0, 0.0)
    names = gazetteers.person_model()
    lines = (f"{name}\t{v:.4f}" for name, v in zip(names, (*weights, *calibration), strict=True))
    RESOURCE.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    sys.stdout.write(f"{len(made_rows):,} made and {len(real):,} real queries\n")


if __name__ == "__main__":
    main()
