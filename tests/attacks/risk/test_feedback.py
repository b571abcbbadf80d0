"""Answers counted by rule, whatever their order, and which mark to ask about next."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from scipy.stats import binomtest

from auditor.attacks.base import FlaggedFindings
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
from auditor.errors import ParameterError
from auditor.log.model import QueryLog, Vocabulary


def answered(right: int, wrong: int) -> RuleFeedback:
    return RuleFeedback({"person:name": right}, {"person:name": wrong})


@pytest.mark.parametrize(("right", "wrong"), list(itertools.product((0, 1, 7, 40), (0, 1, 5, 60))))
def test_that_answers_give_each_rule_a_precision_with_wilsons_interval(
    right: int, wrong: int
) -> None:
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


def test_that_answers_survive_being_stored_and_nonsense_is_refused() -> None:
    feedback = answered(3, 1)
    assert RuleFeedback.from_dict(feedback.to_dict()) == feedback
    for wrong in (-1, 1.5, True, "2"):
        with pytest.raises(ParameterError):
            RuleFeedback.from_dict({"confirmed": {"person:name": wrong}})  # type: ignore[dict-item]


def answers_of(findings: FlaggedFindings, count: int) -> list[SessionAnswer]:
    pairs = zip(findings.start[:count].tolist(), findings.stop[:count].tolist(), strict=True)
    return [SessionAnswer(*rows, right=i % 3 == 0) for i, rows in enumerate(pairs)]


def test_that_every_answer_counts_once_for_each_rule_that_decided(
    log: QueryLog, found: FlaggedFindings
) -> None:
    answers = answers_of(found, 60)
    assert found.decided is not None
    assert found.mark_rule is not None
    feedback = count_answers(found, log.query, answers)
    names, expected = rule_names(), {True: Counter[str](), False: Counter[str]()}
    for i, answer in enumerate(answers):
        decided = found.reasons[int(found.decided[i])]
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
