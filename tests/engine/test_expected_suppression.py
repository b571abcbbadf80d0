"""What is expected before a run leaves out what the setting suppresses."""

from typing import Any

import numpy as np
import pytest

from auditor.attacks.detection.marked_strings import (
    is_marked,
    mark_identifying,
    mark_identifying_addresses,
)
from auditor.engine.backends import local
from auditor.engine.suppressed_content import expect_suppression
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods import safelog as strict
from auditor.methods.base import ExpectedRelease
from auditor.methods.noisy_counts import discrete_laplace
from auditor.methods.noisy_counts.histograms import (
    ContributionLimits,
    CountingUnit,
    click_pairs,
    limit_users,
)
from auditor.methods.registry import METHODS
from auditor.methods.safelog import SafeLogParams
from auditor.methods.suppression import IDENTIFIERS, LEVELS, NAMES, NOTHING, SUPPRESSED_QUERIES
from auditor.privacy.noise import PreviewRandomness
from auditor.privacy.release import Tables
from auditor.progress import silent_progress
from tests.methods import logs
from tests.narrowing import present

RUNS = 30
MIXED: dict[str, dict[str, Any]] = {
    "safelog": {"q_f": 10, "c_f": 10, "b": 2.0, "b_c": 2.0, "b_t": 2.0, "delta": 0.01},
    "korolova": {"q_f": 10, "c_f": 10, "b": 2.0, "b_q": 1.0, "delta": 0.01, "clicks": "observed"},
    "zealous": {"m": 10, "epsilon": 10.0, "delta": 0.01},
    "set-union": {"epsilon": 4.0, "delta": 0.01, "q_f": 10},
    "partition-selection": {"epsilon": 5.0, "delta": 0.01, "q_f": 10},
    "dated-counts": {"epsilon": 20.0, "delta": 0.01, "q_f": 5},
}
"""Parameters with which the chance decides over many queries."""
LOOKED_UP = (
    "jane.miller1962@aol.com",
    "maria kowalczyk phone number",
    "212-555-0147",
    "weather",
    "cheap flights",
    "abraham lincoln",
)
ACCOUNT = "http://forum.example/profile?email=jane.miller1962@aol.com"


def expect(log: QueryLog, method: str, *, soon: bool = False, **values: Any) -> ExpectedRelease:
    values = MIXED.get(method, {}) | values
    raw, params = logs.expect(method, log, **values), METHODS[method].params(**values)
    return expect_suppression(raw, log, params, silent_progress(), soon=soon)


def value(release: ExpectedRelease, name: str) -> float:
    return next(metric.value for metric in release.values if metric.name == name)


@pytest.fixture(scope="module")
def crowd() -> QueryLog:
    """Strings that more and more users issue, marked ones among them, every other with a click."""
    rows = [
        (f"u{user}", text, 60 * position, (ACCOUNT, "http://a.example/")[user % 2])
        for position, text in enumerate(LOOKED_UP)
        for user in range(6 + 5 * (position % 3))
    ]
    users, queries, times, urls = zip(*rows, strict=True)
    return QueryLog.from_columns(user=users, query=queries, time=times, url=urls)


def naive_chances(log: QueryLog) -> tuple[np.ndarray, dict[tuple[int, int], float]]:
    """How likely each query passes in `safelog`, and each clicked pair, one by one."""
    params = METHODS["safelog"].params().replace(**MIXED["safelog"])
    assert isinstance(params, SafeLogParams)
    spent = strict.strict_budget(params)
    limits = ContributionLimits(CountingUnit.USERS, 10, 10)
    limited = limit_users(log, limits, silent_progress())

    def passes(count: float, threshold: float) -> float:
        chances = discrete_laplace.chance_of_passing(np.array([float(count)]), 2.0, threshold)
        return float(chances[0])

    counts = limited.query_count.tolist()
    chance = np.array([passes(count, spent.K) if count else 0.0 for count in counts])
    codes = np.arange(len(log.queries), dtype=np.int32)
    pairs = click_pairs(log, limited, codes, silent_progress())
    columns = (pairs.first.tolist(), pairs.second.tolist(), pairs.count.tolist())
    clicked = {(q, u): chance[q] * passes(n, spent.K_c) for q, u, n in zip(*columns, strict=True)}
    return chance, clicked


@pytest.mark.parametrize("level", LEVELS)
def test_that_marked_strings_contribute_nothing(crowd: QueryLog, level: str) -> None:
    """The expectation is the sum of what each string that isn't marked contributes by itself."""
    chance, clicked = naive_chances(crowd)
    bad = np.zeros(len(chance), bool)
    bad_pages = np.zeros(len(crowd.urls), bool)
    if level != NOTHING:
        bad = mark_identifying(crowd.queries, silent_progress(), names=level == NAMES)
        bad_pages = mark_identifying_addresses(crowd.urls)
        assert bad.sum() == {IDENTIFIERS: 2, NAMES: 3}[level]
        assert bad_pages.sum() == 1
    release = expect(crowd, "safelog", suppress=level)
    assert value(release, "expected.queries") == pytest.approx(float(chance[~bad].sum()))
    clicks = sum(item for (q, u), item in clicked.items() if not (bad[q] or bad_pages[u]))
    assert value(release, "expected.clicks") == pytest.approx(clicks)
    lost = {item.name: item.value for item in release.values if item.name.startswith("error.")}
    volume = value(release, "expected.volume")
    parts = ("error.bounding", "error.threshold", "error.suppression")
    assert volume + sum(lost.get(name, 0.0) for name in parts) == pytest.approx(1.0)
    assert ("error.suppression" in lost) == (level != NOTHING)
    plain = expect(crowd, "safelog")
    assert release.statement == plain.statement  # what is suppressed costs nothing
    assert [item.name for item in release.figures] == [item.name for item in plain.figures]


@pytest.fixture(scope="module")
def synthetic() -> QueryLog:
    return synthesize_log(1_000, days=20, seed=3).log


@pytest.mark.parametrize("method", MIXED)
def test_that_it_is_the_mean_of_runs(method: str, synthetic: QueryLog) -> None:
    params = METHODS[method].params().replace(**MIXED[method], suppress=NAMES)
    counts = []
    for seed in range(RUNS):
        rng = PreviewRandomness(seed)
        release = local.apply_method(synthetic, method, params, rng, silent_progress())
        assert isinstance(release.content, Tables)
        gone = release.changes[SUPPRESSED_QUERIES]
        counts.append((len(release.content.queries), len(release.content.click_count), gone))
    mean, spread = np.mean(counts, axis=0), np.std(counts, axis=0) / np.sqrt(RUNS)
    expected = expect(synthetic, method, suppress=NAMES)
    queries = value(expected, "expected.queries")
    # A round of the set union depends on the one before it: its expectation is an estimate.
    about = 0.03 * queries if method == "set-union" else 0.0
    assert abs(mean[0] - queries) < 5 * spread[0] + 0.01 + about
    left_out = value(expect(synthetic, method), "expected.queries") - queries
    assert left_out > 0
    # Of a sum of coins the variance is at most the mean.
    assert abs(mean[2] - left_out) < 5 * np.sqrt(left_out / RUNS)
    if method in ("safelog", "korolova"):
        assert abs(mean[1] - value(expected, "expected.clicks")) < 5 * spread[1] + 0.01


def test_that_it_is_an_upper_bound_until_the_strings_are_marked() -> None:
    """At first what the method expects, said to be at most that; what follows is exact."""
    log = synthesize_log(300, days=10, seed=4).log
    assert not is_marked(log.without_blank.queries)
    first = expect(log, "safelog", suppress=NAMES, soon=True)
    assert not is_marked(log.without_blank.queries)
    assert "at most this" in first.note
    assert value(first, "expected.queries") == value(expect(log, "safelog"), "expected.queries")
    then = present(first.delayed)(silent_progress())
    assert then.delayed is None
    assert "at most" not in then.note
    assert value(then, "expected.queries") < value(first, "expected.queries")
    # The marks are known now.
    again = expect(log, "safelog", suppress=NAMES, soon=True)
    assert again.delayed is None
    assert again.values == then.values


def test_that_it_is_said_where_all_that_passes_is_suppressed(synthetic: QueryLog) -> None:
    marked = QueryLog.from_columns(
        user=[f"u{n}" for n in range(200)] * 2,
        query=["212-555-0147"] * 200 + ["jane.miller1962@aol.com"] * 200,
        time=[0] * 400,
    )
    words = "what passes is suppressed"
    for method in MIXED:
        release = expect(marked, method, suppress=IDENTIFIERS)
        assert value(release, "expected.queries") == 0
        assert words in release.note
        assert words not in expect(marked, method).note
    assert words not in expect(synthetic, "safelog", suppress=NAMES).note


def test_that_n_grams_say_that_they_still_count_what_is_suppressed(crowd: QueryLog) -> None:
    release = expect(crowd, "n-grams", suppress=NAMES)
    assert "still counts what is suppressed" in release.note
