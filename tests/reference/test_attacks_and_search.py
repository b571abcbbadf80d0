"""Un-bundling and web search, against their pages."""

import functools
from collections import Counter, defaultdict
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest

import auditor
from auditor.measures.registry import MEASURES
from auditor.progress import silent_progress
from tests.reference import logs, product
from tests.reference.attacks import unbundling
from tests.reference.logs import Row
from tests.reference.measures import retrieval
from tests.reference.methods import bundling

WORDS = Path(__file__).parents[2] / "resources" / "words" / "stop.txt"


@functools.cache
def stems(query: str) -> frozenset[str]:
    """Words of a query as English stems, without stop words: the library, called word by word."""
    import snowballstemmer

    stop = set(WORDS.read_text(encoding="utf-8").split())
    stemmer = snowballstemmer.stemmer("english")
    return frozenset(stemmer.stemWord(word) for word in query.split() if word not in stop)


def plain(row: Row) -> bool:
    """Whether nobody can dispute what its words are: lower-case letters alone."""
    words = row.query.split()
    return bool(words) and all(
        word.isascii() and word.isalpha() and word.islower() for word in words
    )


def addressed(rows: list[Row], users_of_a_network: int) -> list[Row]:
    """The rows with an address for each user, so many users to a network of 8 bits."""
    names = list(dict.fromkeys(row.user for row in rows))
    place = {name: divmod(n, users_of_a_network) for n, name in enumerate(names)}
    return [row._replace(ip=f"10.0.{place[row.user][0]}.{1 + place[row.user][1]}") for row in rows]


@pytest.mark.parametrize("seed", [0, 1, 2, "excite"])
def test_that_fibers_score_as_on_the_page(seed: int | str, tmp_path: Path) -> None:
    if isinstance(seed, str):
        rows = [row for row in logs.excite() if plain(row)]
    else:
        rows = logs.random_log(seed, users=40, rows=300, queries=25)
    rows = addressed(rows, 10)
    log = product.write(rows, tmp_path / "log.tsv")
    result = product.call(
        *("attack", "unbundling", log, "-p", "by=ip-mask", "-p", "min_queries=25"),
        *("-p", "variant=w", "-p", "compare=false", "-p", "table=none"),
    )[1]
    bundles: dict[object, list[Row]] = defaultdict(list)
    for row in dict.fromkeys(row._replace(url=None, rank=None) for row in rows):
        bundles[bundling.network(row.ip or "", 8)].append(row)
    cuts = {"bl1": unbundling.alone, "bl2": unbundling.together, "w": unbundling.by_words}
    for name, cut in cuts.items():
        expected = unbundling.scores(bundles, cut, stems, 25)
        got = [result[measure][name] for measure in ("f", "meila", "rand")]
        assert got == pytest.approx(expected, rel=1e-9), name


PARAMS: dict[str, Any] = {
    "mode": "published",
    "tau": 2,
    "K": 12,
    "q_f": 40,
    "c_f": 40,
} | dict.fromkeys(("b", "b_q", "b_c", "b_t"), 0.01)


@pytest.mark.parametrize(("seed", "moves", "stay"), [(0, 2, 0.1), (1, 5, 0.5), (2, 1, 0.0)])
def test_that_web_search_scores_as_on_the_page(
    seed: int, moves: int, stay: float, tmp_path: Path
) -> None:
    rows = logs.random_log(seed, users=60, rows=900, queries=20, seconds=90_000)
    log = auditor.read_log(product.write(rows, tmp_path / "log.tsv"))
    folds: list[tuple[list[Row], product.Released]] = []

    def again(train: Any, number: int, progress: Any) -> Any:
        release = auditor.anonymize(train, "safelog", **PARAMS)
        folds.append((product.rows_of(train), product.released(release)))
        return release

    measure: Any = MEASURES["retrieval"]
    params = measure.params(moves=moves, stay=stay)
    result = measure.take(
        log,
        auditor.anonymize(log, "safelog", **PARAMS),
        params,
        again=again,
        rng=np.random.default_rng(0),
        progress=silent_progress(),
    )
    values = {value.name: value.value for value in result.values}
    expected: dict[str, list[float]] = defaultdict(list)
    tested = 0
    for train, release in folds:
        test = list((Counter(rows) - Counter(train)).elements())
        assert {row[:3] for row in test}.isdisjoint(row[:3] for row in train)
        relevant: dict[str, set[str]] = defaultdict(set)
        places: dict[tuple[str, str], list[int]] = defaultdict(list)
        for row in test:
            if row.url is not None:
                relevant[row.query].add(row.url)
                places[row.query, row.url].append(row.rank or 0)
        tested += len(relevant)
        graph = release.clicks, release.transitions, stay
        chains = {"walk": retrieval.walk_chain(*graph), "impact": retrieval.impact_chain(*graph)}
        for query, pages in relevant.items():
            if query not in release.queries:
                continue
            ranked = {name: retrieval.walk(chain, query, moves) for name, chain in chains.items()}
            feedback = {page: fmean(places[query, page]) for page in pages}
            ranked["feedback_printed"] = retrieval.by_feedback(release.clicks, query, feedback, 0.6)
            for name, ranking in ranked.items():
                expected[f"{name}.ndcg"].append(retrieval.ndcg(ranking, pages))
                expected[f"{name}.map"].append(retrieval.average_precision(ranking, pages))
    assert tested > len(expected["walk.map"]) > 20
    for name, each in expected.items():
        assert values[f"retrieval.{name}"] == pytest.approx(fmean(each), rel=1e-9), name
        assert values[f"retrieval.{name}_all"] == pytest.approx(sum(each) / tested, rel=1e-9)
    assert values["retrieval.coverage"] == pytest.approx(len(expected["walk.map"]) / tested)
