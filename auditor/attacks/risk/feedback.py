"""What a steward says of marks, counted by rule, and which mark to ask about next.

Confirmations and dismissals give every rule a live precision with a Wilson interval, from which
rules can be switched off or counted less in this project. An answer about a session counts for
the rules whose marks give the reason that decided, an answer about a query for the rules of its
sensitive marks. Nothing here holds a query's text, and nothing depends on the order of answers.

These precisions are of what somebody chose to look at, so they say which rules to mend and not
how good the detector is: a random sample says that (`auditor.attacks.risk.query_sample`).
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from auditor.arrays import Int32s, Int64s
from auditor.attacks.base import FlaggedFindings
from auditor.attacks.detection.detector import rule_names
from auditor.attacks.detection.entity_detection import EntityMarks
from auditor.attacks.intervals import wilson_interval
from auditor.attacks.risk import reasons as why
from auditor.errors import ParameterError
from auditor.log.gil_friendly import sorted_distinct

DISMISSAL_REASONS: Mapping[str, str] = {
    "nobody": "about nobody in particular",
    "public": "about a public figure or place",
    "phrase": "an ordinary phrase, wrongly recognised",
    "own": "belongs to somebody who agreed",
    "other": "for another reason",
}
"""Why a flagged session may be dismissed. Fixed, so that what a manifest counts holds no query."""
FALSE_ALARMS = frozenset({"nobody", "public", "phrase"})
"""Reasons that say that a rule was wrong. That somebody agreed says nothing of the rule."""

FEWEST_ANSWERS = 10
"""Answers below which no weight is suggested: too few to tell a rule's precision."""
LEAST_PRECISION = 0.5
"""A rule whose precision is below this, at the interval's upper end, is suggested to be off."""


@dataclass(frozen=True)
class RulePrecision:
    """One rule's answers so far: how many marks were confirmed, and the share with its interval."""

    rule: str
    confirmed: int
    dismissed: int
    precision: float
    low: float
    high: float
    suggested_weight: float
    """1 to keep it, 0 to switch it off, the precision in between."""


@dataclass(frozen=True)
class RuleFeedback:
    """Answers by rule, for one project."""

    confirmed: Mapping[str, int] = field(default_factory=dict)
    dismissed: Mapping[str, int] = field(default_factory=dict)

    def list_precisions(self) -> list[RulePrecision]:
        """The rules that anybody said anything about, the most answered first."""
        answers = Counter(self.confirmed) + Counter(self.dismissed)
        precisions = []
        for rule, count in sorted(answers.items(), key=lambda answer: (-answer[1], answer[0])):
            right = self.confirmed.get(rule, 0)
            share, (low, high) = right / count, wilson_interval(right, count)
            weight = 1.0
            if count >= FEWEST_ANSWERS and 2 * right < count:
                weight = 0.0 if high < LEAST_PRECISION else round(share, 2)
            precisions.append(RulePrecision(rule, right, count - right, share, low, high, weight))
        return precisions

    def to_dict(self) -> dict[str, dict[str, int]]:
        """As plain values, to keep in a project."""
        return {"confirmed": dict(self.confirmed), "dismissed": dict(self.dismissed)}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Mapping[str, int]]) -> RuleFeedback:
        """From what `to_dict` gave.

        Raises `ParameterError`: a count is no whole number from 0.
        """
        parts = [dict(stored.get(name, {})) for name in ("confirmed", "dismissed")]
        for count in (*parts[0].values(), *parts[1].values()):
            if not isinstance(count, int) or isinstance(count, bool) or count < 0:
                raise ParameterError("feedback", "A count of answers must be a whole number.")
        return cls(*parts)


@dataclass(frozen=True)
class SessionAnswer:
    """A steward's answer on the session of these rows: a risk, or a false alarm."""

    start: int
    stop: int
    right: bool


@dataclass(frozen=True)
class QueryAnswer:
    """A steward's answer on a distinct query: sensitive or not."""

    query: int
    right: bool


def count_answers(
    findings: FlaggedFindings,
    query: Int32s,
    sessions: Iterable[SessionAnswer],
    queries: Iterable[QueryAnswer] = (),
) -> RuleFeedback:
    """All answers by rule; O(rows of the answered sessions).

    `query` is the log's column of codes. A session that isn't flagged any more counts for no rule.
    """
    place = {
        (int(start), int(stop)): index
        for index, (start, stop) in enumerate(zip(findings.start, findings.stop, strict=True))
    }
    counts: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    for session in sessions:
        index = place.get((session.start, session.stop))
        if index is not None:
            counts[session.right].update(deciding_rules(findings, index, query))
    for answer in queries:
        counts[answer.right].update(_find_rules(findings, answer.query, _SENSITIVE))
    return RuleFeedback(dict(counts[True]), dict(counts[False]))


def deciding_rules(findings: FlaggedFindings, index: int, query: Int32s) -> set[str]:
    """The rules whose marks give the reason that decided on a session.

    All rules with marks in it where that reason has no marks of its own, and where none decided.
    """
    codes = sorted_distinct(query[int(findings.start[index]) : int(findings.stop[index])]).tolist()
    gives = -1
    if findings.decided is not None:
        label = findings.reasons[int(findings.decided[index])]
        bit = why.LABELS.index(label) if label in why.LABELS else -1
        if bit == why.UNIQUE:
            gives = why.SENSITIVE
        elif bit >= 0:  # marks give it themselves, or the two reasons that it is made of
            pairs = [pair for *pair, both in why.pairs_of("default") if both == bit]
            gives = why.reason_mask(bit, *itertools.chain(*pairs))
    supporting = {rule for code in codes for rule in _find_rules(findings, code, gives)}
    return supporting or {rule for code in codes for rule in _find_rules(findings, code, -1)}


_SENSITIVE = why.SENSITIVE | why.reason_mask(why.OWN_NAME)


def _find_rules(findings: FlaggedFindings, query: int, bits: int) -> set[str]:
    """The rules that marked a query for one of some reasons, a set of bits."""
    if findings.mark_rule is None:
        return set()
    low, high = np.searchsorted(findings.mark_query, [query, query + 1])
    names = rule_names()
    return {
        names[int(findings.mark_rule[mark])]
        for mark in range(low, high)
        if bits >> int(findings.mark_reason[mark]) & 1
    }


def most_informative(marks: EntityMarks, feedback: RuleFeedback, size: int) -> Int64s:
    """Positions of the marks whose judgement tells most, best first.

    What one more answer tells of a rule is the fall of the variance of its precision, times the
    marks that it makes; of a rule, the marks nearest to even odds come first. O(s log s).
    """
    names = rule_names()
    right = np.array([feedback.confirmed.get(rule, 0) for rule in names], dtype=np.float64)
    wrong = np.array([feedback.dismissed.get(rule, 0) for rule in names], dtype=np.float64)
    order = np.lexsort((np.abs(marks.confidence - 0.5), marks.rule))
    rule = marks.rule[order].astype(np.int64)
    turn = np.arange(len(order)) - np.searchsorted(rule, rule, side="left")
    share = (right + 1.0) / (right + wrong + 2.0)
    answers = right[rule] + wrong[rule] + turn
    counts = np.bincount(rule, minlength=len(names))[rule]
    gain = counts * (share * (1.0 - share))[rule] / ((answers + 2.0) * (answers + 3.0))
    best = np.lexsort((np.abs(marks.confidence[order] - 0.5), -gain))
    return order[best][:size]
