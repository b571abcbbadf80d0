"""Answers counted by rule, and what a sample says of what is missed."""

from __future__ import annotations

import numpy as np
import pytest

from auditor.attacks.base import FlaggedFindings
from auditor.attacks.detection.detector import detect, rule_names
from auditor.attacks.detection.kinds import EntityKind
from auditor.attacks.risk.feedback import (
    RuleFeedback,
    dismissed_counts,
    estimate_missed,
    most_informative,
    rules_of_session,
    sample_queries,
)
from auditor.errors import ParameterError
from auditor.log.model import Vocabulary


def answered(right: int, wrong: int) -> RuleFeedback:
    feedback = RuleFeedback()
    for _ in range(right):
        feedback = feedback.answered(["person:name"], right=True)
    for _ in range(wrong):
        feedback = feedback.answered(["person:name", "person:name"], right=False)
    return feedback


def test_that_answers_give_each_rule_a_precision_with_wilsons_interval() -> None:
    (one,) = answered(8, 2).precisions()
    assert (one.rule, one.confirmed, one.dismissed) == ("person:name", 8, 2)
    assert one.precision == pytest.approx(0.8)
    assert one.low == pytest.approx(0.490, abs=1e-3)
    assert one.high == pytest.approx(0.943, abs=1e-3)


@pytest.mark.parametrize(
    ("right", "wrong", "weight"), [(1, 8, 1.0), (1, 19, 0.0), (4, 8, 0.33), (9, 3, 1.0)]
)
def test_that_a_rule_that_is_mostly_wrong_is_suggested_to_count_less_or_be_off(
    right: int, wrong: int, weight: float
) -> None:
    (one,) = answered(right, wrong).precisions()
    assert one.suggested_weight == weight


def test_that_answers_survive_being_stored_and_nonsense_is_refused() -> None:
    feedback = answered(3, 1)
    assert RuleFeedback.from_dict(feedback.to_dict()) == feedback
    for wrong in (-1, 1.5, True, "2"):
        with pytest.raises(ParameterError):
            RuleFeedback.from_dict({"confirmed": {"person:name": wrong}})  # type: ignore[dict-item]


def findings() -> FlaggedFindings:
    none = np.zeros(3, dtype=np.int32)
    return FlaggedFindings(
        start=np.array([0, 4, 9]),
        stop=np.array([4, 6, 12]),
        reason=np.array([1, 2, 3], dtype=np.uint64),
        risk=np.array([0.9, 0.5, 0.4]),
        surviving=none,
        flagged=none,
        reasons=("a", "b"),
        mark_query=none,
        mark_start=none,
        mark_stop=none,
        mark_reason=none.astype(np.uint8),
        survives=np.zeros(1, dtype=np.bool_),
    )


def test_that_dismissals_subtract_and_both_figures_are_told() -> None:
    counts = dismissed_counts(findings(), [(4, 6), (100, 101)])
    assert (counts.flagged, counts.dismissed, counts.remaining) == (3, 1, 2)
    counts = dismissed_counts(findings(), [(4, 6)], reasons=["a"])
    assert (counts.flagged, counts.dismissed) == (2, 0)


QUERIES = Vocabulary.of(
    ["helen pruitt", "breast cancer", "weather", "maps", "recipes", "symptoms of flu", "games"]
)


def test_that_a_session_tells_the_rules_that_marked_it() -> None:
    marks = detect(QUERIES)
    codes = np.array([0, 1, 2, 2, 3, 4, 5, 6, 6, 0, 2, 2])
    assert rules_of_session(findings(), 0, marks, codes) == ["health:disease", "person:name"]
    assert rules_of_session(findings(), 1, marks, codes) == []


def test_that_a_sample_is_of_marked_and_unmarked_queries_and_repeats_with_its_seed() -> None:
    marks = detect(QUERIES)
    sample = sample_queries(marks, len(QUERIES), size=2, seed=3)
    assert set(sample.marked) <= {0, 1, 5}
    assert set(sample.unmarked) <= {2, 3, 4, 6}
    assert (sample.marked_of, sample.unmarked_of) == (3, 4)
    again = sample_queries(marks, len(QUERIES), size=2, seed=3)
    assert np.array_equal(sample.marked, again.marked)
    assert np.array_equal(sample.unmarked, again.unmarked)
    plain = sample_queries(marks, len(QUERIES), size=9, ignore=[EntityKind.HEALTH])
    assert set(plain.marked) == {0}


def test_that_what_is_missed_is_estimated_with_an_interval() -> None:
    marks = detect(QUERIES)
    sample = sample_queries(marks, len(QUERIES), size=9)
    found = estimate_missed(sample, 3, 1)
    assert found.precision == 1.0
    assert found.missed == 0.25
    assert found.missed_queries[0] == pytest.approx(1.0)
    assert found.missed_queries[1] < 1.0 < found.missed_queries[2] <= 4.0
    assert found.recall == pytest.approx(0.75)
    assert found.recall_interval[0] < 0.75 < found.recall_interval[1]
    with pytest.raises(ParameterError):
        estimate_missed(sample, 4, 0)


def test_that_marks_near_even_odds_of_rules_with_few_answers_come_first() -> None:
    marks = detect(QUERIES)
    names = rule_names()
    first = most_informative(marks, RuleFeedback(), 2)
    assert len({int(marks.rule[at]) for at in first}) == 2
    told = RuleFeedback({"person:name": 50})
    last = most_informative(marks, told, len(marks))[-1]
    assert names[int(marks.rule[last])] == "person:name"
