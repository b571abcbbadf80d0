"""Coverage by n-grams: counted by hand, against a slow count, and refused for queries."""

import random

import pytest

import auditor
from auditor.errors import ParameterError
from auditor.log.model import QueryLog, Vocabulary
from auditor.measures import ngram_coverage
from auditor.measures.ngram_coverage import NgramCoverage, count_coverage
from auditor.measures.registry import MEASURES
from auditor.progress import silent_progress
from tests.methods.logs import log_of


def count(queries: list[str], ngrams: list[str]) -> NgramCoverage:
    return count_coverage(of(queries), Vocabulary.of(ngrams), silent_progress())


def of(queries: list[str]) -> QueryLog:
    return log_of([(f"u{n}", text, n, None) for n, text in enumerate(queries)])


def count_slowly(queries: list[str], ngrams: list[str]) -> tuple[int, int, int, list[int]]:
    """Covered words, all words, searches with a phrase, and covered runs by length."""
    longest = max(len(ngram.split()) for ngram in ngrams)
    words = total = phrased = 0
    runs = [0] * longest
    for text in queries:
        tokens, under, phrase = text.split(), set(), False
        for length in range(1, longest + 1):
            for start in range(len(tokens) - length + 1):
                if " ".join(tokens[start : start + length]) in ngrams:
                    runs[length - 1] += 1
                    under |= set(range(start, start + length))
                    phrase |= length > 1
        words, total, phrased = words + len(under), total + len(tokens), phrased + phrase
    return words, total, phrased, runs


def test_that_a_search_counts_once_however_many_pages_were_clicked() -> None:
    log = log_of([("a", "train", 1, "x"), ("a", "train", 1, "y"), ("b", "bus", 2, None)])
    coverage = count_coverage(log, Vocabulary.of(["train"]), silent_progress())
    assert (coverage.words, coverage.log_words, coverage.log_searches) == (1, 2, 2)


def test_that_an_empty_release_covers_nothing_and_an_empty_log_neither() -> None:
    assert count(["a b"], []).words_share == 0.0
    assert count([], ["a"]).words_share == 0.0


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("block", [1, 7, 1 << 17])
def test_that_it_agrees_with_a_slow_count(
    seed: int, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ngram_coverage, "BLOCK", block)
    rng = random.Random(seed)
    queries = [" ".join(rng.choices("abcd", k=rng.randint(1, 6))) for _ in range(60)]
    ngrams = sorted({" ".join(rng.choices("abcde", k=rng.randint(1, 4))) for _ in range(12)})
    coverage = count(queries, ngrams)
    slow = count_slowly(queries, ngrams)
    assert (coverage.words, coverage.log_words, coverage.searches, list(coverage.covered)) == slow


def test_that_the_measure_tells_lengths_and_shares() -> None:
    log = of([f"train to london from place{n} please" for n in range(300)])
    release = auditor.preview(log, "n-grams", seed=1, epsilon=8.0)
    result = auditor.measure("n-gram-coverage", log, release)
    value = {metric.name: metric.value for metric in result.values}
    assert value["ngrams"] == 10
    assert [value[f"ngrams.length_{n}"] for n in (1, 2, 3)] == [5, 3, 2]
    assert value["words_share"] == pytest.approx(5 / 6)
    assert value["phrased_share"] == 1.0
    (table,) = result.tables
    assert [row[:4] for row in table.rows] == [
        [1, 5, 1500, 1800],
        [2, 3, 900, 1500],
        [3, 2, 600, 1200],
    ]


def test_that_it_applies_to_n_grams_alone() -> None:
    log = of(["rose"] * 30)
    release = auditor.preview(log, "frequency-threshold", seed=1, n=2)
    assert "holds no n-grams" in MEASURES["n-gram-coverage"].why_not(release)
    with pytest.raises(ParameterError, match="holds no n-grams"):
        auditor.measure("n-gram-coverage", log, release)
