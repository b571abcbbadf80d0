"""A project's answers and weights of rules: what they say, and that they change nothing else."""

import dataclasses
import itertools
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from auditor.attacks.base import Evidence, FlaggedFindings
from auditor.attacks.detection.detector import detect_marks, rule_names
from auditor.attacks.risk import reasons as why
from auditor.attacks.risk.feedback import (
    QueryAnswer,
    RuleFeedback,
    SessionAnswer,
    count_answers,
    deciding_rules,
    most_informative,
)
from auditor.attacks.surviving_content.attack import ATTACK
from auditor.engine.plan import Intent, checked_weights, resolve_intent
from auditor.errors import ParameterError
from auditor.log.model import QueryLog, Vocabulary
from auditor.privacy.blank_queries import LogPlaces
from tests.attacks.attacked import findings
from tests.measures.fakes import run_attack
from tests.narrowing import present

# --- answers


def answered(right: int, wrong: int) -> RuleFeedback:
    return RuleFeedback({"person:name": right}, {"person:name": wrong})


@pytest.mark.parametrize(("right", "wrong"), list(itertools.product((0, 1, 7, 40), (0, 1, 5, 60))))
def test_that_answers_give_a_precision_with_wilsons_interval(right: int, wrong: int) -> None:
    summaries = answered(right, wrong).list_precisions()
    if not right + wrong:
        assert summaries == []
        return
    (summary,) = summaries
    assert (summary.rule, summary.confirmed, summary.dismissed) == ("person:name", right, wrong)
    assert summary.precision == pytest.approx(right / (right + wrong))
    expected = binomtest(right, right + wrong).proportion_ci(method="wilson")
    assert (summary.low, summary.high) == pytest.approx((expected.low, expected.high), abs=1e-12)


@pytest.mark.parametrize(
    ("right", "wrong", "weight"), [(1, 8, 1.0), (1, 19, 0.0), (4, 8, 0.33), (9, 3, 1.0)]
)
def test_that_a_rule_that_is_mostly_wrong_is_suggested_to_count_less_or_be_off(
    right: int, wrong: int, weight: float
) -> None:
    (summary,) = answered(right, wrong).list_precisions()
    assert summary.suggested_weight == weight


def answers_of(findings: FlaggedFindings, count: int) -> list[SessionAnswer]:
    pairs = zip(findings.start[:count].tolist(), findings.stop[:count].tolist(), strict=True)
    return [SessionAnswer(*rows, right=i % 3 == 0) for i, rows in enumerate(pairs)]


def test_that_answers_count_once_for_each_rule(log: QueryLog, found: FlaggedFindings) -> None:
    answers = answers_of(found, 60)
    assert found.mark_rule is not None
    feedback = count_answers(found, log.query, answers)
    names, expected = rule_names(), {True: Counter[str](), False: Counter[str]()}
    for i, answer in enumerate(answers):
        decided = found.reasons[int(present(found.decided)[i])]
        pairs = [(a, b) for a, b, c in why.pairs_of("default") if why.LABELS[c] == decided]
        bits = {b for pair in pairs for b in pair} | {why.LABELS.index(decided)}
        codes = set(log.query[answer.start : answer.stop].tolist())
        marks = [s for s in range(len(found.mark_query)) if int(found.mark_query[s]) in codes]
        some = {names[found.mark_rule[s]] for s in marks if int(found.mark_reason[s]) in bits}
        expected[answer.right].update(some or {names[found.mark_rule[s]] for s in marks})
    assert feedback.confirmed == dict(expected[True])
    assert feedback.dismissed == dict(expected[False])
    assert sum(rule.confirmed + rule.dismissed for rule in feedback.list_precisions()) == sum(
        len(deciding_rules(found, i, log.query)) for i in range(60)
    )


def test_that_the_order_of_answers_is_of_no_effect_and_taking_one_back_undoes_it(
    log: QueryLog, found: FlaggedFindings
) -> None:
    answers = answers_of(found, 40)
    queries = [QueryAnswer(int(code), right=bool(code % 2)) for code in found.mark_query[:30]]
    feedback = count_answers(found, log.query, answers, queries)
    assert count_answers(found, log.query, answers[::-1], queries[::-1]) == feedback
    without = count_answers(found, log.query, answers[:-1], queries)
    again = count_answers(found, log.query, [answers[-1], *answers[:-1]], queries)
    assert again == feedback
    assert without != feedback


def test_that_queries_without_sensitive_marks_and_sessions_no_longer_flagged_count_for_no_rule(
    log: QueryLog, found: FlaggedFindings
) -> None:
    place = why.LABELS.index("place")
    only = set(found.mark_query[found.mark_reason == place].tolist())
    only -= set(found.mark_query[found.mark_reason != place].tolist())
    assert count_answers(found, log.query, [], [QueryAnswer(min(only), right=True)]) == (
        RuleFeedback()
    )
    rows = int(found.start[0]), int(found.stop[0]) + 10**6
    assert count_answers(found, log.query, [SessionAnswer(*rows, right=True)]) == RuleFeedback()


QUERIES = Vocabulary.of(
    ["helen pruitt", "breast cancer", "weather", "maps", "recipes", "symptoms of flu", "games"]
)


def test_that_marks_near_even_odds_of_rules_with_few_answers_come_first() -> None:
    marks = detect_marks(QUERIES)
    names = rule_names()
    first = most_informative(marks, RuleFeedback(), 2)
    assert len({int(marks.rule[mark]) for mark in first}) == 2
    queue = most_informative(marks, RuleFeedback({"person:name": 50}), 99)
    assert names[int(marks.rule[queue[-1]])] == "person:name"
    assert sorted(queue) == list(range(len(marks)))


@pytest.mark.parametrize("count", [-1, 1.5, True, "2"])
def test_that_counts_of_answers_that_cannot_be_are_refused(count: Any) -> None:
    with pytest.raises(ParameterError):
        RuleFeedback.from_dict({"confirmed": {"person:name": count}})


# --- weights


@pytest.fixture(scope="module")
def sample(log: QueryLog) -> QueryLog:
    """Some users of the shipped log, whose sessions show all that a weight changes."""
    return log.sample_users(200, 1)


NAMES_HALF = {"person:name": 0.5}


def judge(log: QueryLog, weights: Mapping[str, float] = {}, **params: Any) -> FlaggedFindings:
    evidence = Evidence(log=log, rule_weights=weights)
    return findings(run_attack(ATTACK, evidence, **{"min_risk": 0.0} | params))


def test_that_a_weight_changes_risks_and_neither_marks_nor_reasons(sample: QueryLog) -> None:
    first, second = judge(sample), judge(sample, NAMES_HALF)
    for name in ("mark_query", "mark_start", "mark_stop", "mark_reason", "mark_rule", "survives"):
        assert np.array_equal(getattr(first, name), getattr(second, name)), name
    assert len(first) == len(second)
    by_row, by_row_too = np.argsort(first.start), np.argsort(second.start)
    for name in ("start", "stop", "reason", "flagged", "surviving"):
        assert np.array_equal(getattr(first, name)[by_row], getattr(second, name)[by_row_too]), name
    before, after = first.risk[by_row], second.risk[by_row_too]
    assert (after <= before).all()
    rule = rule_names().index("person:name")
    named = np.isin(sample.query, first.mark_query[first.mark_rule == rule])
    rows = zip(first.start[by_row], first.stop[by_row], strict=True)
    touched = np.array([named[start:stop].any() for start, stop in rows])
    assert touched.any()
    assert np.array_equal(before[~touched], after[~touched])
    assert (after[touched] < before[touched]).any()


def test_that_weights_in_any_order_give_the_same(sample: QueryLog) -> None:
    assert checked_weights({"b": 0.5, "a": 0.0, "c": 1}) == (("a", 0.0), ("b", 0.5))
    weights = {**NAMES_HALF, "health:disease": 0.25}
    first, second = judge(sample, weights), judge(sample, dict(reversed(weights.items())))
    assert np.array_equal(first.risk, second.risk)
    assert np.array_equal(first.start, second.start)


def test_that_a_rule_of_weight_zero_marks_nothing(sample: QueryLog) -> None:
    sessions = judge(sample, {"person:name": 0.0})
    assert rule_names().index("person:name") not in present(sessions.mark_rule)
    assert len(sessions.mark_query)
    # The source's rules know no weights.
    assert judge(sample, {"person:name": 0.0}, rules="source").full is None


def test_that_what_all_rules_flag_is_kept_beside_what_the_weights_leave(sample: QueryLog) -> None:
    plain = judge(sample, min_risk=0.3)
    evidence = Evidence(log=sample, rule_weights={"person:name": 0.1})
    weighed = run_attack(ATTACK, evidence, min_risk=0.3)
    full = present(findings(weighed).full)
    assert plain.full is None
    assert np.array_equal(full.start, plain.start)
    assert np.array_equal(full.risk, plain.risk)
    assert len(findings(weighed)) < len(full) == weighed.details["sessions_flagged_with_all_rules"]


@pytest.mark.parametrize("weight", [-0.1, 1.1, float("nan"), True, "half", None])
def test_that_a_weight_outside_0_to_1_is_refused(weight: object) -> None:
    with pytest.raises(ParameterError):
        checked_weights({"person:name": weight})  # type: ignore[dict-item]


def test_that_weights_are_part_of_the_plan_and_of_its_code(sample: QueryLog) -> None:
    intent = Intent(method="token-hashing")
    plain = resolve_intent(intent, sample)
    weighed = resolve_intent(intent.weigh_rules(NAMES_HALF), sample)
    assert weighed.rule_weights == (("person:name", 0.5),)
    assert plain.digest != weighed.digest
    assert dataclasses.replace(weighed, rule_weights=()).digest == plain.digest
    assert "rule_weights={'person:name': 0.5}" in weighed.as_python()
    assert "rule_weights" not in plain.as_python()


def test_that_findings_with_every_rule_stand_in_rows_of_the_log_as_it_was_read() -> None:
    log = QueryLog.from_columns(
        user=["a", "a", "b"], query=[" ", "jane doe phoenix az", "hiv test"], time=[0, 1, 2]
    )
    full = present(judge(log, NAMES_HALF).full)
    assert sorted(full.start.tolist()) == sorted(judge(log).start.tolist())


def test_that_marks_keep_their_rules_where_queries_have_other_codes(sample: QueryLog) -> None:
    marks, last = judge(sample), len(sample.queries) - 1
    other = dataclasses.replace(
        sample, query=last - sample.query, queries=sample.queries.take(np.arange(last, -1, -1))
    )
    moved = marks.move_to_log(LogPlaces.of(other, sample))
    before, after = (
        sorted(zip(query.tolist(), np.asarray(each.mark_rule).tolist(), strict=True))
        for query, each in ((last - marks.mark_query, marks), (moved.mark_query, moved))
    )
    assert before == after
