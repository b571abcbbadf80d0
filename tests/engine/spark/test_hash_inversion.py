"""Hash inversion on Spark: the counts, and what they lead to, are those of one machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.api.run import anonymize
from auditor.attacks.base import Evidence
from auditor.attacks.hash_inversion import attack
from auditor.attacks.hash_inversion.features import count_corpus
from auditor.attacks.hash_inversion.params import HashInversionParams
from auditor.engine.backends.spark.checks import hash_inversion as checks_hash_inversion
from auditor.engine.backends.spark.counting import query_counts
from auditor.engine.backends.spark.run_context import SparkRunContext
from auditor.errors import MissingInput, ParameterError
from auditor.log.out_of_core.splits import LogSplits, plan_splits
from auditor.log.reading.reader import read_log
from auditor.log.synthetic.generator import synthesize_log, write_synthetic
from auditor.log.writing import write_log
from auditor.progress import silent_progress
from tests.engine.spark.spark_logs import watch

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A log, the same one hashed, and one of an earlier period."""
    folder = tmp_path_factory.mktemp("synthetic")
    write_synthetic(synthesize_log(60, days=10, seed=4), folder)
    hashed = anonymize(read_log(folder / "log.tsv"), "token-hashing").log
    assert hashed is not None
    write_log(hashed, folder / "hashed.tsv")
    names = ("log", "hashed", "reference")
    return {name: folder / f"{name}.tsv" for name in names}


def cut(path: Path) -> LogSplits:
    return plan_splits(path, size=path.stat().st_size // 3)


@pytest.fixture
def work(spark: Any, told: dict[str, Path], tmp_path: Path) -> Iterator[SparkRunContext]:
    made = SparkRunContext(spark, cut(told["hashed"]), tmp_path / "work", silent_progress())
    yield made
    made.release()


def test_that_words_and_their_company_are_counted_as_on_one_machine(
    work: SparkRunContext, told: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks_hash_inversion, "_STRINGS", 100)
    n = 150
    queries = query_counts.count_queries(work, work.splits, "events").queries
    terms = checks_hash_inversion._count_terms(work, queries, n, shuffled=False)
    found = checks_hash_inversion.count_corpus_side(
        work, terms, n, HashInversionParams(n=n, start=40)
    )
    wanted = count_corpus(read_log(told["hashed"]), n, silent_progress())
    assert found.vocabulary.list_strings() == wanted.vocabulary.take(wanted.terms).list_strings()
    assert found.events == wanted.events
    assert found.measure_decidedness(silent_progress()) == wanted.measure_decidedness(
        silent_progress()
    )
    for size in (40, 80, n):
        one = found.build_side(size, ordered=size == n)
        other = wanted.build_side(size, ordered=size == n)
        np.testing.assert_array_equal(one.freq, other.freq)
        np.testing.assert_array_equal(one.single, other.single)
        np.testing.assert_array_equal(one.counts.toarray(), other.counts.toarray())
    assert one.steps is not None
    assert other.steps is not None
    np.testing.assert_array_equal(one.steps.follows.toarray(), other.steps.follows.toarray())
    np.testing.assert_array_equal(one.steps.ends, other.steps.ends)


def test_that_a_hashed_log_is_read_as_on_one_machine(
    work: SparkRunContext, told: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    params = HashInversionParams(n=120, confidence="never", iterations=6)
    collected = watch(monkeypatch)
    found = checks_hash_inversion.attack_hashes(work, params, cut(told["reference"]))
    # Words, sums and facts but for what is n-sized by itself: the counts of two words each.
    assert sorted(collected)[:-2][-1] <= params.n
    assert max(collected) <= 3 * params.n**2
    evidence = Evidence(log=read_log(told["hashed"]), reference=read_log(told["reference"]))
    rng = np.random.default_rng(0)
    wanted = attack.run(evidence, params, rng=rng, progress=silent_progress())
    assert "not known" in found.tables[0].note
    assert {v.name: v.value for v in found.values} == {v.name: v.value for v in wanted.values}
    assert [list(map(list, t.rows)) for t in found.tables] == [
        list(map(list, t.rows)) for t in wanted.tables
    ]
    assert (found.rate, found.notes) == (wanted.rate, wanted.notes)


def test_that_a_log_split_by_its_users_is_inverted_with_chances(
    spark: Any, told: dict[str, Path], tmp_path: Path
) -> None:
    work = SparkRunContext(spark, cut(told["log"]), tmp_path / "work", silent_progress())
    params = HashInversionParams(n=600, confidence="always", iterations=4)
    try:
        found = checks_hash_inversion.attack_hashes(work, params, None)
    finally:
        work.release()
    events = {value.name: value.value for value in found.values}
    assert events["hashed_events"] + events["reference_events"] == len(
        np.flatnonzero(read_log(told["log"]).event_starts)
    )
    assert 10 < found.details["matchable"] <= 600
    assert any(table.name == "reliability" for table in found.tables)


def test_that_a_log_betrays_most_of_its_words_to_itself(
    spark: Any, told: dict[str, Path], tmp_path: Path
) -> None:
    work = SparkRunContext(spark, cut(told["log"]), tmp_path / "work", silent_progress())
    params = HashInversionParams(n=49, confidence="never", iterations=4)
    try:
        found = checks_hash_inversion.attack_hashes(work, params, cut(told["log"]))
    finally:
        work.release()
    assert found.details["matchable"] == 49, "the next word is less frequent"
    assert found.rate > 0.6


def test_that_what_only_one_machine_does_is_said(work: SparkRunContext) -> None:
    with pytest.raises(ParameterError, match="choose users"):
        checks_hash_inversion.attack_hashes(work, HashInversionParams(reference="earlier"), None)
    with pytest.raises(ParameterError, match="table to none"):
        checks_hash_inversion.attack_hashes(work, HashInversionParams(table="fig1"), None)
    with pytest.raises(MissingInput, match="reference log"):
        checks_hash_inversion.attack_hashes(work, HashInversionParams(reference="file"), None)
