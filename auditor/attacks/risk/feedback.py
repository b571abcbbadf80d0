"""What a steward says of marks, counted by rule, and what follows from it for a project.

Confirmations and dismissals give every rule a live precision with a Wilson interval, from which
rules can be switched off or counted less in this project. A random sample of queries, marked and
not, gives the precision of the marks and how much sensitive content is missed. Nothing here
holds a query's text; O(marks).

Signed dismissals change what a gate counts: `dismissed_counts` gives the figure before and after,
and both are to be shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from auditor.arrays import Int32s, Int64s
from auditor.attacks.base import FlaggedFindings
from auditor.attacks.detection.detector import rule_names
from auditor.attacks.detection.entity_detection import EntityMarks
from auditor.attacks.intervals import wilson_interval
from auditor.errors import ParameterError

FEWEST_ANSWERS = 10
"""Answers below which no weight is suggested: too few to tell a rule's precision."""
LEAST_PRECISION = 0.5
"""A rule whose precision is below this, at the interval's upper end, is suggested to be off."""


@dataclass(frozen=True, kw_only=True)
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
    """Answers by rule, for one project; add to it with `answered`."""

    confirmed: Mapping[str, int] = field(default_factory=dict)
    dismissed: Mapping[str, int] = field(default_factory=dict)

    def answered(self, rules: Iterable[str], *, right: bool) -> RuleFeedback:
        """The answers with one more about a mark, or a session, that these rules made."""
        counts = dict(self.confirmed if right else self.dismissed)
        for rule in set(rules):
            counts[rule] = counts.get(rule, 0) + 1
        if right:
            return RuleFeedback(counts, self.dismissed)
        return RuleFeedback(self.confirmed, counts)

    def precisions(self) -> list[RulePrecision]:
        """The rules that anybody said anything about, the most answered first."""
        found = []
        for rule in sorted({*self.confirmed, *self.dismissed}):
            right, wrong = self.confirmed.get(rule, 0), self.dismissed.get(rule, 0)
            low, high = wilson_interval(right, right + wrong)
            found.append(
                RulePrecision(
                    rule=rule,
                    confirmed=right,
                    dismissed=wrong,
                    precision=right / (right + wrong),
                    low=low,
                    high=high,
                    suggested_weight=_suggest_weight(right, wrong, high),
                )
            )
        return sorted(found, key=lambda one: (-one.confirmed - one.dismissed, one.rule))

    def to_dict(self) -> dict[str, dict[str, int]]:
        """As plain values, to keep in a project."""
        return {"confirmed": dict(self.confirmed), "dismissed": dict(self.dismissed)}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Mapping[str, int]]) -> RuleFeedback:
        """From what `to_dict` gave.

        Raises
        ------
        ParameterError
            A count is no whole number from 0.
        """
        parts = [dict(stored.get(name, {})) for name in ("confirmed", "dismissed")]
        for count in (*parts[0].values(), *parts[1].values()):
            if not isinstance(count, int) or isinstance(count, bool) or count < 0:
                raise ParameterError("feedback", "A count of answers must be a whole number.")
        return cls(*parts)


def _suggest_weight(right: int, wrong: int, high: float) -> float:
    if right + wrong < FEWEST_ANSWERS:
        return 1.0
    if high < LEAST_PRECISION:
        return 0.0
    return 1.0 if right >= wrong else round(right / (right + wrong), 2)


def rules_of_session(
    findings: FlaggedFindings, index: int, marks: EntityMarks, query: Int32s
) -> list[str]:
    """The rules whose marks stand in a flagged session; `query` is the log's column of codes."""
    codes = np.unique(query[int(findings.start[index]) : int(findings.stop[index])])
    names = rule_names()
    here = np.isin(marks.query, codes)
    return sorted({names[rule] for rule in marks.rule[here].tolist()})


# --- gates ------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class DismissedCounts:
    """Flagged sessions, and those that remain after signed dismissals: both are to be shown."""

    flagged: int
    dismissed: int

    @property
    def remaining(self) -> int:
        """Flagged and not dismissed."""
        return self.flagged - self.dismissed


def dismissed_counts(
    findings: FlaggedFindings,
    dismissed: Iterable[tuple[int, int]],
    reasons: Iterable[str] | None = None,
) -> DismissedCounts:
    """How many flagged sessions there are, and how many of them somebody dismissed by signature.

    Parameters
    ----------
    dismissed
        (first row, row after the last) of each session that was dismissed.
    reasons
        Count only sessions with one of these reasons; all of them by default.
    """
    wanted = np.ones(len(findings), dtype=np.bool_)
    if reasons is not None:
        bits = sum(1 << findings.reasons.index(one) for one in set(reasons))
        wanted = (findings.reason & np.uint64(bits)) != 0
    gone = set(dismissed)
    pairs = zip(findings.start[wanted].tolist(), findings.stop[wanted].tolist(), strict=True)
    return DismissedCounts(flagged=int(wanted.sum()), dismissed=sum(pair in gone for pair in pairs))


# --- what is missed ---------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class QuerySample:
    """Queries to be judged: first marked ones, by how unsure they are, then random unmarked ones.

    Attributes
    ----------
    marked, unmarked
        Query codes; the unmarked ones are a simple random sample without replacement.
    marked_of, unmarked_of
        How many there are of each in the log.
    """

    marked: Int64s
    unmarked: Int64s
    marked_of: int
    unmarked_of: int


@dataclass(frozen=True, kw_only=True)
class MissedEstimate:
    """What a judged sample says of a log; shares with 95 % Wilson intervals.

    ``missed`` is the share of unmarked queries that are sensitive, ``missed_queries`` how many
    that makes, ``recall`` the share of sensitive queries that are marked.
    """

    judged_marked: int
    judged_unmarked: int
    precision: float
    precision_interval: tuple[float, float]
    missed: float
    missed_interval: tuple[float, float]
    missed_queries: tuple[float, float, float]
    recall: float
    recall_interval: tuple[float, float]


def sample_queries(
    marks: EntityMarks,
    queries: int,
    *,
    size: int = 60,
    seed: int = 0,
    ignore: Iterable[int] = (),
) -> QuerySample:
    """Draw `size` marked and `size` unmarked queries at random, which a steward judges.

    `ignore` are kinds that aren't sensitive by themselves, such as places. The same seed and
    marks give the same sample.
    """
    rng = np.random.default_rng(seed)
    counted = marks.take(~np.isin(marks.kind, list(ignore)))
    is_marked = np.zeros(queries, dtype=np.bool_)
    is_marked[counted.query] = True
    some, others = np.flatnonzero(is_marked), np.flatnonzero(~is_marked)
    return QuerySample(
        marked=rng.choice(some, min(size, len(some)), replace=False),
        unmarked=rng.choice(others, min(size, len(others)), replace=False),
        marked_of=len(some),
        unmarked_of=len(others),
    )


def most_informative(marks: EntityMarks, feedback: RuleFeedback, size: int) -> Int64s:
    """Positions of the marks whose judgement tells most, best first; one of a rule at a time.

    Rules with few answers come first, and of a rule the marks nearest to even odds.
    """
    names = rule_names()
    answers = np.array(
        [feedback.confirmed.get(rule, 0) + feedback.dismissed.get(rule, 0) for rule in names]
    )
    order = np.lexsort((np.abs(marks.confidence - 0.5), marks.rule))
    rule = marks.rule[order]
    first = np.searchsorted(rule, rule, side="left")
    turn = np.arange(len(order)) - first
    best = np.lexsort((np.abs(marks.confidence[order] - 0.5), turn + answers[rule]))
    found: Int64s = order[best][:size].astype(np.int64)
    return found


def estimate_missed(
    sample: QuerySample, sensitive_marked: int, sensitive_unmarked: int
) -> MissedEstimate:
    """What follows from judging a whole sample.

    Parameters
    ----------
    sensitive_marked, sensitive_unmarked
        How many of the sample's marked and unmarked queries the steward found sensitive.

    Raises
    ------
    ParameterError
        More were found than the sample holds.
    """
    for found, there in (
        (sensitive_marked, len(sample.marked)),
        (sensitive_unmarked, len(sample.unmarked)),
    ):
        if not 0 <= found <= there:
            raise ParameterError("sample", f"{found} of {there} queries can't be sensitive.")
    judged, others = len(sample.marked), len(sample.unmarked)
    precise = _interval(sensitive_marked, judged)
    missed = _interval(sensitive_unmarked, others)
    right = [share * sample.marked_of for share in precise]
    lost = [share * sample.unmarked_of for share in missed]
    return MissedEstimate(
        judged_marked=judged,
        judged_unmarked=others,
        precision=precise[0],
        precision_interval=(precise[1], precise[2]),
        missed=missed[0],
        missed_interval=(missed[1], missed[2]),
        missed_queries=(lost[0], lost[1], lost[2]),
        recall=_share(right[0], lost[0]),
        recall_interval=(_share(right[1], lost[2]), _share(right[2], lost[1])),
    )


def _interval(hits: int, of: int) -> tuple[float, float, float]:
    low, high = wilson_interval(hits, of)
    return (hits / of if of else 0.0), low, high


def _share(part: float, rest: float) -> float:
    return part / (part + rest) if part + rest else 1.0
