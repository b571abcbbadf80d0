"""Algorithm 1 as printed, at noise that is 0, and pools of every kind."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.errors import LogFormatError, MissingInput
from auditor.log.model import QueryLog
from auditor.methods.noisy_counts.query_pool import ListPool, NgramPool, canonical_pairs, load_pool
from auditor.privacy.randomness import PreviewRandomness
from auditor.privacy.release import Product
from auditor.progress import Progress
from tests.methods.logs import SILENT, Row, log_of, queries_of, random_rows, run_method, tables_of

QUIET: dict[str, Any] = {
    "mode": "published",
    "b": SILENT,
    "b_q": SILENT,
    "b_c": SILENT,
    "b_t": SILENT,
    "K": 3,
    "tau": 1,
}


def run(rows: list[Row], seed: int = 1, **values: Any) -> Product:
    return run_method("safelog", log_of(rows), seed, **values)


def test_that_selection_and_count_are_two_draws() -> None:
    """What is released may be below K, since its count was drawn anew."""
    rows: list[Row] = [(f"u{n}", f"q{n % 400}", 1, None) for n in range(4_000)]
    values = QUIET | {"b": 3.0, "b_q": 3.0, "K": 10}
    count = tables_of(run(rows, **values).content).query_count
    assert count.min() < 10
    # Each of 400 queries has 10 users: it passes with P[X ≥ 0] = 1/(1 + e^(−1/3)).
    chance = 1 / (1 + math.exp(-1 / 3))
    assert abs(len(count) - 400 * chance) < 5 * math.sqrt(400 * chance * (1 - chance))
    assert abs(count.mean() - 10) < 5 * math.sqrt(2 * 9 / len(count))


def test_that_rows_are_accounted_for_with_tau_and_limits() -> None:
    rows = random_rows()
    changes = run(rows, **QUIET | {"tau": 30, "q_f": 5, "counting_unit": "rows", "K": 1}).changes
    log = log_of(rows)
    often = np.bincount(log.query)
    dropped = int((often[log.query] < 30).sum())
    frequent = log.user[often[log.query] >= 30]
    within = int(np.minimum(np.bincount(frequent, minlength=len(log.users)), 5).sum())
    assert changes["rows_rarer_than_tau"] == dropped
    assert changes["rows_over_limit"] == len(rows) - dropped - within


# Pools --------------------------------------------------------------------------------------


def test_that_a_list_adds_decoys_and_no_second_chance(tmp_path: Path) -> None:
    """1,000 strangers and the log's own queries in a list: each string has one count."""
    file = tmp_path / "pool.txt"
    strangers = [f"stranger {n}" for n in range(1_000)]
    log_queries = ["a", "b"]
    file.write_text("\n".join([*strangers, *log_queries, "", strangers[0]]), encoding="utf-8")
    rows: list[Row] = [(f"u{n}", "a", 1, None) for n in range(50)]
    product = run(rows, K=4, b=2.0, pool="file", pool_file=file)
    tables = tables_of(product.content)
    counts = queries_of(tables)
    assert len(counts) == len(tables.queries)
    decoys = len(counts) - 1
    assert product.changes["pool_queries_released"] == decoys
    chance = math.exp(-4 / 2) / (1 + math.exp(-1 / 2))
    assert abs(decoys - 1_001 * chance) < 5 * math.sqrt(1_001 * chance)
    assert abs(counts["a"] - 50) < 40
    assert set(counts) <= {*strangers, *log_queries}


def test_that_a_pool_query_beyond_everybodys_limit_counts_as_zero(tmp_path: Path) -> None:
    file = tmp_path / "pool.txt"
    file.write_text("second\nnowhere\n", encoding="utf-8")
    log = log_of([("u", "first", 1, None), ("u", "second", 2, None)])
    pool = load_pool("file", file, 0, Progress())
    assert isinstance(pool, ListPool)
    assert pool.count_zeros(log, np.array([1, 0], dtype=np.int32)) == 2
    assert pool.count_zeros(log, np.array([1, 1], dtype=np.int32)) == 1
    assert pool.count_overlap(log) == 1


def test_that_ngram_pairs_are_drawn_from_the_noun_ngrams() -> None:
    ngrams = tuple(f"word{n} noun" for n in range(40))
    pool = NgramPool(ngrams, 1_600, "test")
    texts, noisy = pool.draw_passing(
        log_of([("u", "a", 1, None)]),
        np.array([1], dtype=np.int32),
        2.0,
        3,
        PreviewRandomness(2),
        Progress(),
    )
    chance = math.exp(-3 / 2) / (1 + math.exp(-1 / 2))
    assert abs(len(texts) - 1_600 * chance) < 5 * math.sqrt(1_600 * chance)
    assert len(set(texts)) == len(texts) == len(noisy)
    assert noisy.min() >= 3
    assert all(len(text.split()) == 4 for text in texts)


def test_that_a_string_that_two_pairs_spell_is_in_the_pool_once() -> None:
    ngrams = ("old car", "old", "car park", "park")
    canonical = canonical_pairs(ngrams)
    assert canonical("old", "car park")
    assert not canonical("old car", "park")
    draws = [draw_texts(NgramPool(ngrams, 16, "test"), log_of([]), seed) for seed in range(60)]
    assert all(len(set(texts)) == len(texts) for texts in draws)
    assert 0.2 < sum("old car park" in texts for texts in draws) / 60 < 0.8


def test_that_ngrams_that_the_log_counts_keep_their_own_count() -> None:
    pool = NgramPool(("red", "car"), 4, "test")
    log = log_of([("u", "red car", 1, None)])
    assert not any("red car" in draw_texts(pool, log, seed) for seed in range(30))


def draw_texts(pool: NgramPool, log: QueryLog, seed: int) -> list[str]:
    """What a pool adds to a log each of whose queries counts 1, with much noise."""
    counted = np.ones(len(log.queries), dtype=np.int32)
    return pool.draw_passing(log, counted, 1e6, 1, PreviewRandomness(seed), Progress())[0]


@pytest.mark.parametrize("kind", ["file", "reference"])
def test_that_a_pool_without_its_file_says_what_to_give(kind: str) -> None:
    with pytest.raises(MissingInput, match="pool_file"):
        load_pool(kind, None, 1, Progress())


@pytest.mark.parametrize(
    ("content", "error"),
    [(None, "can't be read"), (b"good\n\xff\xfe\n", "line 2"), (b"\n \n", "no query")],
)
def test_that_pools_that_cannot_be_read_are_clear_errors(
    content: bytes | None, error: str, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / "pool.txt").write_bytes(content)
    with pytest.raises(LogFormatError, match=error):
        load_pool("file", tmp_path / "pool.txt", 1, Progress())


def test_that_a_changed_pool_file_is_read_anew(tmp_path: Path) -> None:
    file = tmp_path / "pool.txt"
    for text, size in (("one\n", 1), ("one\ntwo\nthree\n", 3)):
        file.write_text(text)
        pool = load_pool("file", file, 1, Progress())
        assert isinstance(pool, ListPool)
        assert len(pool.strings) == size


def test_that_the_shipped_ngrams_make_a_pool() -> None:
    product = run(random_rows(), K=30, b=4.0, pool="n-grams", pool_size=1_000_000)
    assert product.changes["pool_queries_released"] > 100
