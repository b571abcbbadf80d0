"""A project's weights of rules: they change how sessions rank, and nothing else."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from auditor.attacks.base import AttackResult, Evidence
from auditor.attacks.detection.detector import rule_names
from auditor.attacks.surviving_content import attack
from auditor.engine.plan import Intent, checked_weights, resolve_intent
from auditor.errors import ParameterError
from auditor.log.model import QueryLog
from auditor.privacy.blank_queries import LogPlaces
from tests.attacks.attacked import findings
from tests.measures.fakes import run_attack


@pytest.fixture(scope="module")
def log(log: QueryLog) -> QueryLog:
    """Some users of the shipped log, whose sessions show all that a weight changes."""
    return log.sample_users(200, 1)


def flagged(log: QueryLog, least: float = 0.0, **weights: float) -> AttackResult:
    named = {name.replace("__", ":").replace("_", " "): w for name, w in weights.items()}
    return run_attack(attack.ATTACK, Evidence(log=log, rule_weights=named), min_risk=least)


def test_that_a_weight_changes_risks_and_neither_marks_nor_reasons(log: QueryLog) -> None:
    plain, weighed = flagged(log), flagged(log, person__name=0.5)
    first, second = findings(plain), findings(weighed)
    for name in ("mark_query", "mark_start", "mark_stop", "mark_reason", "mark_rule", "survives"):
        assert np.array_equal(getattr(first, name), getattr(second, name)), name
    assert len(first) == len(second)
    by_row, by_row_too = np.argsort(first.start), np.argsort(second.start)
    for name in ("start", "stop", "reason", "flagged", "surviving"):
        assert np.array_equal(getattr(first, name)[by_row], getattr(second, name)[by_row_too]), name
    before, after = first.risk[by_row], second.risk[by_row_too]
    assert (after <= before).all()
    rule = rule_names().index("person:name")
    codes = set(first.mark_query[first.mark_rule == rule].tolist())
    touched = np.array(
        [
            bool(codes.intersection(log.query[start:stop].tolist()))
            for start, stop in zip(first.start[by_row], first.stop[by_row], strict=True)
        ]
    )
    assert touched.any()
    assert np.array_equal(before[~touched], after[~touched])
    assert (after[touched] < before[touched]).any()


def test_that_weights_in_any_order_give_the_same_and_one_is_as_if_nobody_said_it(
    log: QueryLog,
) -> None:
    assert checked_weights({"b": 0.5, "a": 0.0, "c": 1}) == (("a", 0.0), ("b", 0.5))
    first = findings(flagged(log, person__name=0.5, health__disease=0.25))
    second = findings(flagged(log, health__disease=0.25, person__name=0.5))
    assert np.array_equal(first.risk, second.risk)
    assert np.array_equal(first.start, second.start)


def test_that_a_rule_of_weight_zero_marks_nothing_and_the_sources_rules_know_no_weights(
    log: QueryLog,
) -> None:
    sessions = findings(flagged(log, person__name=0.0))
    assert sessions.mark_rule is not None
    assert rule_names().index("person:name") not in sessions.mark_rule
    assert len(sessions.mark_rule)
    evidence = Evidence(log=log, rule_weights={"person:name": 0.0})
    assert findings(run_attack(attack.ATTACK, evidence, rules="source")).full is None


def test_that_what_all_rules_flag_is_kept_beside_what_the_weights_leave(log: QueryLog) -> None:
    plain, weighed = findings(flagged(log, 0.3)), flagged(log, 0.3, person__name=0.1)
    full = findings(weighed).full
    assert plain.full is None
    assert full is not None
    assert np.array_equal(full.start, plain.start)
    assert np.array_equal(full.risk, plain.risk)
    assert len(findings(weighed)) < len(full)
    assert weighed.details["sessions_flagged_with_all_rules"] == len(full)


@pytest.mark.parametrize("weight", [-0.1, 1.1, float("nan"), True, "half", None])
def test_that_a_weight_outside_0_to_1_is_refused(weight: object) -> None:
    with pytest.raises(ParameterError):
        checked_weights({"person:name": weight})  # type: ignore[dict-item]


def test_that_weights_are_part_of_the_plan_and_of_the_code_that_repeats_it(log: QueryLog) -> None:
    intent = Intent(method="token-hashing")
    plain = resolve_intent(intent, log)
    weighed = resolve_intent(intent.weigh_rules({"person:name": 0.5}), log)
    assert weighed.rule_weights == (("person:name", 0.5),)
    assert plain.digest != weighed.digest
    assert dataclasses.replace(weighed, rule_weights=()).digest == plain.digest
    assert "rule_weights={'person:name': 0.5}" in weighed.as_python()
    assert "rule_weights" not in plain.as_python()


def test_that_findings_with_every_rule_stand_in_rows_of_the_log_as_it_was_read() -> None:
    log = QueryLog.from_columns(
        user=["a", "a", "b"], query=[" ", "jane doe phoenix az", "hiv test"], time=[0, 1, 2]
    )
    full = findings(flagged(log, person__name=0.5)).full
    assert full is not None
    assert sorted(full.start.tolist()) == sorted(findings(flagged(log)).start.tolist())


def test_that_marks_keep_their_rules_where_queries_have_other_codes(log: QueryLog) -> None:
    marks, last = findings(flagged(log)), len(log.queries) - 1
    other = dataclasses.replace(
        log, query=last - log.query, queries=log.queries.take(np.arange(last, -1, -1))
    )
    moved = marks.move_to_log(LogPlaces.of(other, log))
    before, after = (
        sorted(zip(query.tolist(), np.asarray(each.mark_rule).tolist(), strict=True))
        for query, each in ((last - marks.mark_query, marks), (moved.mark_query, moved))
    )
    assert before == after
