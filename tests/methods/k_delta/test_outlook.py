"""The k slider's pictures of (k,δ) and (m,k,δ,ε): by hand, beside runs, and in shape."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods.base import ExpectedRelease
from auditor.methods.k_curves import KS
from auditor.methods.k_delta.method import SEED
from auditor.methods.k_delta.user_groups import group_similarities, user_vectors
from tests.methods.logs import (
    QUIET,
    Row,
    expect,
    expect_whole,
    expected_values,
    line_of,
    log_of,
    random_rows,
    run_method,
)

LOG = log_of(random_rows(users=80, rows=1_500))


@given(seed=st.integers(0, 999), groups=st.integers(1, 5))
def test_that_sums_of_similarity_are_those_of_all_pairs(seed: int, groups: int) -> None:
    log = log_of(random_rows(users=12, rows=80, seed=seed))
    rows = user_vectors(log, np.arange(len(log.queries)), QUIET).compute_shares()
    group = np.random.default_rng(seed).integers(0, groups, len(rows))
    dense = np.zeros((len(rows), rows.width))
    for user in range(len(rows)):
        part = slice(rows.starts[user], rows.starts[user + 1])
        dense[user, rows.columns[part]] = rows.values[part]
    pairs = np.minimum(dense[:, None], dense[None]).sum(axis=2)
    assert group_similarities(rows, group) == pytest.approx(
        [(pairs[user] * (group == group[user])).sum() for user in range(len(rows))]
    )


def test_that_alice_and_bob_of_the_talk_are_half_alike_before() -> None:
    """q1×2, q2×2, q3, q4 and q1, q2, q5, q6 are 0.5 apart; exact shares make them one."""
    rows: list[Row] = [("alice", query, n, None) for n, query in enumerate("112234")]
    rows += [("bob", query, n, None) for n, query in enumerate("1256")]
    values = expected_values(expect("k-delta", log_of(rows), k=2))
    assert values["similarity_before"] == 0.5
    assert values["similarity_after"] == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("name", ["k-delta", "m-k-delta-epsilon"])
@pytest.mark.parametrize("size", ["exact", "keep", "least-change"])
@pytest.mark.parametrize("mode", ["both", "add", "suppress"])
def test_that_the_slider_counts_the_edits_of_a_run(name: str, size: str, mode: str) -> None:
    """A run draws the order in which users are taken; with the outlook's they are the same."""
    outlook = expect(name, LOG, k=5, size=size, mode=mode)
    values = expected_values(outlook)
    run = run_method(name, LOG, SEED, k=5, size=size, mode=mode)
    for edit in ("added", "suppressed"):
        assert values[edit] == pytest.approx(run.changes[f"events_{edit}"] / len(LOG.users))
    assert values["groups"] == run.statement.measured["groups"]
    if outlook.statement.model == "k-anonymity":
        assert run.statement.model == "k-anonymity"


def test_that_it_says_what_is_certain_and_what_is_not() -> None:
    assert expect("k-delta", LOG, k=3).statement.model == "k-anonymity"
    changes: list[dict[str, Any]] = [{"size": "keep"}, {"mode": "add"}, {"mode": "suppress"}]
    for values in changes:
        statement = expect("k-delta", LOG, k=3, **values).statement
        assert statement.model == "none"
        assert "not certain" in statement.claim
    assert "no clicks" in expect("k-delta", log_of(random_rows(clicks=False)), k=3).note


@pytest.fixture(scope="module")
def source() -> QueryLog:
    return synthesize_log(400, days=30, seed=1).log


@pytest.fixture(scope="module")
def exact(source: QueryLog) -> ExpectedRelease:
    return expect_whole("k-delta", source, k=3)


@pytest.fixture(scope="module")
def rounded(source: QueryLog) -> ExpectedRelease:
    return expect_whole("k-delta", source, k=3, size="keep")


@pytest.mark.usefixtures("exact")
def test_that_other_times_compute_no_point_anew(source: QueryLog) -> None:
    assert expect("k-delta", source, k=3).delayed is None
    assert expect("k-delta", source, k=3, times="day").delayed is None


def test_that_similarity_after_is_one_where_shares_are_exact(exact: ExpectedRelease) -> None:
    assert line_of(exact, "expected-similarity", "released") == pytest.approx(np.ones(len(KS)))
    before = line_of(exact, "expected-similarity", "in the log")
    assert before[0] > 4 * before[-1]  # larger groups hold less similar users
    assert before.max() < 0.3


def test_that_rounded_shares_have_a_best_k_for_each_group_of_users(
    exact: ExpectedRelease, rounded: ExpectedRelease
) -> None:
    """The talk's sweet spot; with exact shares every k is as good, and the picture says so."""
    after = line_of(rounded, "expected-similarity", "released")
    before = line_of(rounded, "expected-similarity", "in the log")
    assert (after > 0.5).all()
    assert (after > 5 * before).all()
    names = [line.name for line in rounded.figures[2].series]
    assert len(names) == 4
    for line in rounded.figures[2].series:
        best = int(line.name.rsplit("k = ", 1)[1])
        assert line.y[KS.index(best)] == line.y.max()
    assert "best" not in exact.figures[2].series[0].name
    assert "every k" in exact.figures[2].note


def test_that_whoever_keeps_her_number_adds_as_much_as_she_loses(rounded: ExpectedRelease) -> None:
    added = line_of(rounded, "expected-edits", "added")
    assert added == pytest.approx(line_of(rounded, "expected-edits", "suppressed"))
    assert added[-1] > added[0]


def test_that_each_phase_is_timed_on_every_k(exact: ExpectedRelease) -> None:
    for phase in ("clustering queries", "grouping users", "planning what to add and suppress"):
        assert (line_of(exact, "expected-times", phase) > 0).all()


def test_that_more_users_find_more_similar_ones(exact: ExpectedRelease) -> None:
    """The talk's curves over users, at the k that is set."""
    drawn = next(figure for figure in exact.figures if figure.name == "expected-similarity-users")
    assert drawn.series[0].x.tolist() == [12, 25, 50, 100, 200, 400]
    before = line_of(exact, "expected-similarity-users", "in the log")
    assert before[-1] > before[0]
    assert line_of(exact, "expected-similarity-users", "released") == pytest.approx(np.ones(6))
    assert before[-1] == expected_values(exact)["similarity_before"]
    added = line_of(exact, "expected-edits-users", "added")
    assert added[-1] == pytest.approx(expected_values(exact)["added"])
    small = expect_whole("k-delta", log_of(random_rows(users=8, rows=90)), k=3)
    assert not any(figure.name.endswith("-users") for figure in small.figures)


def test_that_the_time_of_a_run_grows_with_the_log(source: QueryLog) -> None:
    seconds = [
        expected_values(expect("k-delta", source, scale))["seconds"] for scale in (1.0, 1_000.0)
    ]
    assert seconds[1] > 1_000 * max(seconds[0], 0.1)


def test_that_m_never_exceeds_the_k_of_a_point(source: QueryLog) -> None:
    """With m = 20 the points below k = 20 are those of groups that become equal as a whole."""
    outlook = expect_whole("m-k-delta-epsilon", source, m=20, k=25, epsilon=0.4)
    after = line_of(outlook, "expected-similarity", "released")
    ks = sorted({*KS, 25})
    assert after[: ks.index(20) + 1] == pytest.approx(np.ones(ks.index(20) + 1))
