"""Planted stems: what accounts bring out of what one user added, with truth that is planted."""

from typing import Any

import numpy as np
import pytest

from auditor.attacks import planted_stems
from auditor.attacks.base import AttackResult
from auditor.attacks.planted_stems import ATTACK, draw_targets, plant_stems
from auditor.engine.backends import local
from auditor.log.model import QueryLog
from auditor.privacy.release import Preview
from tests.attacks.attacked import QUIET, run_attack, value
from tests.measures.fakes import made_by
from tests.methods.logs import Row, log_of

SECRETS = 40
COMMON = "garden"


def planted_log() -> QueryLog:
    """Forty users with a name and one common word each; the word is common, the names aren't.

    So a name of k accounts brings out the query, if half of a query is enough for a stem.
    """
    rows: list[Row] = [(f"u{n}", f"jane roe{n} {COMMON}", n, None) for n in range(SECRETS)]
    rows += [(f"v{n}", COMMON, 1_000 + n, None) for n in range(50)]
    return log_of(rows)


def attack(log: QueryLog, release: Preview, **params: Any) -> AttackResult:
    rerun = local.repeating_release(release, 0)
    return run_attack(ATTACK, log, release, rerun=rerun, **params)


def affine(log: QueryLog, **params: Any) -> Preview:
    return made_by("k-theta-affinity", log, **{"k": 5, "w": 1, "theta": 0.5} | params)


def test_that_stems_of_enough_accounts_bring_out_what_one_user_added_and_nothing_else() -> None:
    log = planted_log()
    result = attack(log, affine(log))
    assert (result.details["targets"], result.details["accounts"]) == (20, 4)
    assert (result.rate, result.baseline, result.control) == (1.0, 0.0, 0.0)
    assert value(result, "brought_out") == 20
    (table,) = result.tables
    assert [row[0] for row in table.rows] == [f"{row[1]} {COMMON}" for row in table.rows]
    assert [attack(log, affine(log), accounts=count).rate for count in (3, 4)] == [0.0, 1.0]


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("frequency-threshold", {"n": 5}),
        ("k-theta-affinity", {"k": 5, "w": 1, "theta": 1.0}),
        ("k-theta-affinity", {"k": 5, "w": 5, "theta": 0.5}),
    ],
)
def test_that_thresholds_and_rules_on_words_withstand(method: str, params: dict[str, Any]) -> None:
    """At Θ = 1 a stem is the whole query; with w = 5 four accounts make no name common."""
    log = planted_log()
    result = attack(log, made_by(method, log, **params), accounts=3)
    assert (result.rate, result.control, result.baseline) == (0.0, 0.0, 0.0)


def test_that_stems_have_accounts_of_their_own_and_the_log_stays() -> None:
    log = planted_log()
    more = plant_stems(log, ("jane roe1", COMMON, "jane roe1"), 3)
    assert len(more) == len(log) + 6
    assert len(more.users) == len(log.users) + 6
    assert more.queries.list_strings() == [*log.queries.list_strings(), "jane roe1"]
    assert np.array_equal(more.query[: len(log)], log.query)
    pairs = np.unique(np.stack([more.query, more.user]), axis=1)
    assert np.bincount(pairs[0])[more.queries.find(["jane roe1", COMMON])].tolist() == [3, 53]
    again = plant_stems(more, ("jane roe2",), 2)
    assert len(set(again.users.list_strings())) == len(again.users)


def test_that_targets_stayed_back_and_no_control_shares_their_stem() -> None:
    rows: list[Row] = [(f"u{n}", f"jane roe word{n}", n, None) for n in range(30)]
    rows += [(f"v{n}", f"john doe{n} word", n, None) for n in range(30)]
    rows += [(f"w{n}", "rose garden", n, None) for n in range(9)]
    rows += [("x", "lone", 1, None)]
    log = log_of(rows)
    release = made_by("frequency-threshold", log, n=5)
    drawn = draw_targets(log, release, 100, np.random.default_rng(1), QUIET)
    texts = log.queries.list_strings(drawn.planted.tolist())
    assert not {"rose garden", "lone"} & set(texts)
    assert len(texts) == 30
    others = log.queries.list_strings(drawn.control.tolist())
    assert not {text.rsplit(None, 1)[0] for text in others} & set(drawn.stems)
    assert not set(others) & set(texts)


def test_that_no_query_is_attacked_that_accounts_issue_themselves() -> None:
    """With the accounts its one user would be enough, which shows nothing about stems."""
    rows: list[Row] = [("a", "jane roe", 0, None), ("b", "jane roe garden", 1, None)]
    rows += [("c", "jane roe garden rose", 2, None), ("d", "jane roe garden rose red", 3, None)]
    log = log_of(rows)
    release = made_by("frequency-threshold", log, n=2)
    for seed in range(8):
        drawn = draw_targets(log, release, 4, np.random.default_rng(seed), QUIET)
        every = [*drawn.planted.tolist(), *drawn.control.tolist()]
        assert not set(log.queries.list_strings(every)) & set(drawn.stems)
        assert len(drawn.planted)


def test_that_where_nothing_stayed_back_nothing_is_brought_out() -> None:
    """A result, not a refusal: a gate on it passes."""
    every = log_of([(f"u{n}", "rose", n, None) for n in range(9)])
    result = attack(every, affine(every))
    assert (result.rate, result.baseline, result.control) == (0.0, 0.0, None)
    assert result.details == {"brought_out": 0, "targets": 0}
    assert any("nothing to bring out" in note for note in result.notes)


def test_that_many_accounts_a_stem_leave_fewer_targets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planted_stems, "MOST_ROWS", 20)
    log = planted_log()
    result = attack(log, affine(log))
    assert (result.details["accounts"], result.details["targets"]) == (4, 5)
    assert result.rate == 1.0
