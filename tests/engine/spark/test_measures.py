"""Measures and attacks on Spark against the local engine: the same figures on any release."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.api.run import anonymize
from auditor.attacks.base import Evidence
from auditor.attacks.surviving_content import attack
from auditor.attacks.surviving_content.attack import SurvivingContentParams
from auditor.engine.backends.spark import rows
from auditor.engine.backends.spark.checks import frequencies as checks_frequencies
from auditor.engine.backends.spark.checks import surviving_content as checks_surviving_content
from auditor.engine.backends.spark.checks import volume as checks_volume
from auditor.engine.backends.spark.checks.release_folder import SparkRelease
from auditor.engine.backends.spark.run_context import SparkRunContext
from auditor.engine.plan import Intent, resolve_intent
from auditor.engine.run import Run
from auditor.log.model import QueryLog
from auditor.log.out_of_core.splits import LogSplits, plan_splits
from auditor.log.reading.reader import read_log
from auditor.log.synthetic.generator import synthesize_log, write_synthetic
from auditor.measures import frequencies, volume
from auditor.measures.base import MeasureResult
from auditor.measures.frequencies import FrequencyParams
from auditor.progress import silent_progress
from auditor.release.export import write_release
from auditor.release.loading import read_described, read_release, released_log, sheet_table

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def released(log: QueryLog, folder: Path, method: str, **params: Any) -> SparkRelease:
    """A release of the local engine, as Spark sees it."""
    plan = resolve_intent(
        Intent(method=method, attacks=(), measures=()).choose(method).set(**params), log
    )
    release = anonymize(log, method, **params)
    write_release(
        Run(plan, release, seconds={}, skipped={}), log, folder, progress=silent_progress()
    )
    file = released_log(folder)
    splits = plan_splits(file, size=file.stat().st_size // 3) if file is not None else None
    return SparkRelease(read_described(folder), folder, sheet_table, splits)


@pytest.fixture(params=["tables", "log"])
def release(request: pytest.FixtureRequest, log: QueryLog, tmp_path: Path) -> SparkRelease:
    if request.param == "tables":
        return released(log, tmp_path / "release", "safelog", K=3, b=2.0, q_f=6, c_f=4)
    return released(log, tmp_path / "release", "frequency-threshold", n=4)


@pytest.fixture
def work(spark: Any, splits: LogSplits, tmp_path: Path) -> Any:
    made = SparkRunContext(spark, splits, tmp_path / "work", silent_progress())
    yield made
    made.release()


def same(found: MeasureResult, wanted: MeasureResult) -> None:
    """All that is told, to the digits that sums in another order keep."""
    assert [value.name for value in found.values] == [value.name for value in wanted.values]
    for one, other in zip(found.values, wanted.values, strict=True):
        assert one.label == other.label
        assert one.value == pytest.approx(other.value, rel=1e-12, abs=1e-12), one.name
    for table, known in zip(found.tables, wanted.tables, strict=True):
        assert list(map(list, table.rows)) == list(map(list, known.rows)), table.name
    for figure, drawn in zip(found.figures, wanted.figures, strict=True):
        assert figure.x.categories == drawn.x.categories
        for line, points in zip(figure.series, drawn.series, strict=True):
            np.testing.assert_array_equal(line.x, points.x)
            np.testing.assert_allclose(line.y, points.y)
    assert dict(found.details) == dict(wanted.details)
    assert found.notes == wanted.notes


@pytest.mark.parametrize("params", [{}, {"depth": 7, "top": 5, "unit": "users"},
                                    {"unit": "rows", "stop_words": True}])  # fmt: skip
def test_that_frequencies_are_those_of_one_machine(
    work: SparkRunContext, release: SparkRelease, log: QueryLog, params: dict[str, Any]
) -> None:
    chosen = FrequencyParams(**params)
    found, facts = checks_frequencies.measure_frequencies(work, release, chosen)
    rng = np.random.default_rng(0)
    local = read_release(release.folder)
    same(found, frequencies.run(log, local, chosen, rng=rng, progress=silent_progress()))
    assert (len(facts), facts.clicks) == (len(log), log.clicks)


def test_that_volume_is_that_of_one_machine(
    work: SparkRunContext, release: SparkRelease, log: QueryLog
) -> None:
    found, _ = checks_volume.measure_volume(work, release)
    rng = np.random.default_rng(0)
    local = read_release(release.folder)
    same(found, volume.run(log, local, volume.VolumeParams(), rng=rng, progress=silent_progress()))


def test_that_a_user_is_counted_once_however_many_blocks_she_fills(
    work: SparkRunContext, log: QueryLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = checks_volume.count_log(work)
    monkeypatch.setattr(rows, "BLOCK", 40)
    cut = checks_volume.count_log(work)
    for found in (whole, cut):
        assert (len(found), len(found.users), len(found.queries), found.url_count) == (
            len(log), len(log.users), len(log.queries), len(log.urls)
        )  # fmt: skip


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A log whose people ask for names, places and worse, and one of an earlier period."""
    folder = tmp_path_factory.mktemp("synthetic")
    write_synthetic(synthesize_log(40, days=8, seed=3), folder)
    return folder / "log.tsv", folder / "reference.tsv"


def cut(path: Path, parts: int = 3) -> LogSplits:
    return plan_splits(path, size=path.stat().st_size // parts)


@pytest.mark.parametrize("method", ["none", "tables", "kept", "changed"])
def test_that_what_survives_is_what_one_machine_finds(
    spark: Any, told: tuple[Path, Path], tmp_path: Path, method: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    log, reference = (read_log(path) for path in told)
    ways: dict[str, tuple[str, dict[str, Any]]] = {
        "tables": ("safelog", {"K": 2, "b": 0.5, "q_f": 9}),
        "kept": ("frequency-threshold", {"n": 2, "ids": "keep"}),
        "changed": ("frequency-threshold", {"n": 2}),
    }
    made = None
    if method in ways:
        name, chosen = ways[method]
        made = released(log, tmp_path / "out", name, **chosen)
    params = SurvivingContentParams(min_risk=0.1, addresses=False, repeated=False)
    monkeypatch.setattr(rows, "BLOCK", 300)
    work = SparkRunContext(spark, cut(told[0]), tmp_path / "work", silent_progress())
    try:
        found = checks_surviving_content.attack_content(
            work, params, made, cut(told[1]) if made else None
        )
    finally:
        work.release()
    evidence = Evidence(
        log=log,
        release=None if made is None else read_release(made.folder),
        reference=reference if made else None,
    )
    rng = np.random.default_rng(0)
    wanted = attack.run(evidence, params, rng=rng, progress=silent_progress())
    assert wanted.tables[0].rows[4][0] > 0, "nothing to find"
    assert [value.name for value in found.values] == [value.name for value in wanted.values]
    for one, other in zip(found.values, wanted.values, strict=True):
        assert one.value == pytest.approx(other.value, rel=1e-12), one.name
    for table, known in zip(found.tables, wanted.tables, strict=True):
        assert list(table.rows) == list(known.rows), table.name
    for figure, drawn in zip(found.figures, wanted.figures, strict=True):
        for line, points in zip(figure.series, drawn.series, strict=True):
            np.testing.assert_array_equal(line.y, points.y)
    assert (found.rate, found.interval, found.control) == (
        wanted.rate, wanted.interval, wanted.control
    )  # fmt: skip
    assert found.baseline == pytest.approx(wanted.baseline, rel=1e-12)
    assert set(wanted.notes) <= set(found.notes)
