"""A random sample of queries that somebody judges, and what follows from it for the whole log.

The sample has marked queries, from which the precision of the marks follows, and unmarked ones,
from which follows how much sensitive content is missed. Unmarked queries are drawn by stratum
(how many words, one user or several), in proportion to its size: long queries of one user hold
most of what is missed, and no stratum stays without any. Nothing here holds a query's text.

A share of marked queries has Wilson's interval. The share of unmarked ones that are sensitive is
Σ Nₕ/N · xₕ/nₕ over the strata with the interval of Korn and Graubard (Survey Methodology 24,
1998): Clopper and Pearson's, with the effective sample size in place of the sample's. Recall takes
both at 97.5 %, so that it holds at 95 %.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from auditor.arrays import Bools, Int64s
from auditor.attacks.base import FlaggedFindings
from auditor.attacks.intervals import clopper_pearson_interval, wilson_interval
from auditor.attacks.risk import reasons as why
from auditor.errors import ParameterError
from auditor.log.columns import count_query_users
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.messages import phrase
from auditor.progress import silent_progress

SIZE = 60
"""Marked queries, and unmarked ones, of a sample: together about 12 minutes at 6 s a query."""
FEWEST = 3
"""Queries that are drawn of a stratum at least, where it has as many."""
_Z975 = 2.241402727604947
"""The normal quantile of two-sided 97.5 %."""
MARKED = "marked"


@dataclass(frozen=True, kw_only=True)
class QueryStratum:
    """A part of the log's distinct queries: its name, whether it is of marked ones, its size."""

    name: str
    marked: bool
    size: int


@dataclass(frozen=True, eq=False, kw_only=True)
class QuerySample:
    """Distinct queries to be judged, in the order in which they are judged; n of them."""

    # What the log's queries were divided into; blank queries are in none.
    strata: tuple[QueryStratum, ...]
    # query, stratum: codes of the log, and the position in `strata` of each; shape (n,)
    query: Int64s
    stratum: Int64s


@dataclass(frozen=True, kw_only=True)
class JudgedStratum:
    """The answers on the judged queries of a stratum."""

    stratum: QueryStratum
    sampled: int
    sensitive: int


@dataclass(frozen=True)
class EstimatedShare:
    """A value with the ends of its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class ContentEstimate:
    """What a judged sample says of a log; every interval is a 95 % one."""

    judged_marked: int
    judged_unmarked: int
    marked: int
    unmarked: int
    # precision, missed: share of marked, and of unmarked queries that are sensitive; None where
    # none was judged
    precision: EstimatedShare | None = None
    missed: EstimatedShare | None = None
    missed_queries: EstimatedShare | None = None  # how many distinct queries are missed
    # Share of sensitive queries that are marked; None unless both kinds were judged.
    recall: EstimatedShare | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what isn't known stays out."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def is_sensitive(findings: FlaggedFindings, queries: int) -> Bools:
    """Which queries have a mark that is sensitive by itself; places, companies and stars aren't."""
    mask = why.SENSITIVE | why.reason_mask(why.OWN_NAME)
    labels = {label for bit, label in enumerate(why.LABELS) if mask >> bit & 1}
    reasons = [bit for bit, label in enumerate(findings.reasons) if label in labels]
    marked = np.zeros(queries, dtype=np.bool_)
    marked[findings.mark_query[np.isin(findings.mark_reason, reasons)]] = True
    return marked


def sample_queries(
    log: QueryLog, findings: FlaggedFindings, *, size: int = SIZE, seed: int = 0
) -> QuerySample:
    """Draw `size` marked and `size` unmarked queries at random, without replacement; O(rows).

    The same log, findings and seed give the same sample. All stand in one random order: whoever
    stops early has judged a random sample, too, and the order doesn't tell which are marked.
    """
    rng = np.random.default_rng(seed)
    count = len(log.queries)
    marked = is_sensitive(findings, count)
    words = np.array([min(3, len(text.split(maxsplit=3))) for text in log.queries.list_strings()])
    users = count_query_users(log, silent_progress())
    parts = [(MARKED, np.flatnonzero(marked & (words > 0)))]
    for issuers, is_issued in (("one user", users == 1), ("several users", users > 1)):
        names = (
            phrase("1 word, {whose}", whose=issuers),
            phrase("2 words, {whose}", whose=issuers),
            phrase("3 words or more, {whose}", whose=issuers),
        )
        for number, name in enumerate(names, 1):
            parts.append((name, np.flatnonzero(~marked & (words == number) & is_issued)))
    parts = [(name, codes) for name, codes in parts if len(codes)]
    strata = [QueryStratum(name=name, marked=name == MARKED, size=len(c)) for name, c in parts]
    sizes = [stratum.size for stratum in strata if not stratum.marked]
    shares = allocate_sample(sizes, size)
    if len(shares) < len(strata):
        shares = [min(size, strata[0].size), *shares]
    sampled_codes = [
        rng.choice(codes, n, replace=False) for (_, codes), n in zip(parts, shares, strict=True)
    ]
    order = rng.permutation(sum(shares))
    return QuerySample(
        strata=tuple(strata),
        query=np.concatenate([np.zeros(0, np.int64), *sampled_codes])[order].astype(np.int64),
        stratum=np.repeat(np.arange(len(strata)), np.array(shares, np.int64))[order],
    )


def allocate_sample(sizes: Sequence[int], target: int) -> list[int]:
    """How many to draw of each stratum: in proportion, `FEWEST` at least where there are as many.

    They add up to `target`, or to all there are, unless the least of each stratum make more.
    """
    total = sum(sizes)
    if target >= total:
        return list(sizes)
    shares = [min(size, FEWEST) for size in sizes]
    while sum(shares) < target:
        lacks = [
            target * size / total - have if have < size else -float(target)
            for size, have in zip(sizes, shares, strict=True)
        ]
        shares[lacks.index(max(lacks))] += 1
    return shares


def estimate_content(strata: Iterable[JudgedStratum]) -> ContentEstimate:
    """What follows from the queries judged so far; the order of the strata is of no effect.

    A stratum of which none was judged yet counts as one with all other unmarked ones.

    Raises `ParameterError`: more are sensitive than were judged, or more were judged than there
    are.
    """
    parts = list(strata)
    for part in parts:
        if not 0 <= part.sensitive <= part.sampled <= part.stratum.size:
            raise ParameterError(
                "sample",
                sentence(
                    "risk.judged_queries_sensitive",
                    sensitive=part.sensitive,
                    judged=part.sampled,
                    size=part.stratum.size,
                ),
            )
    flagged = [part for part in parts if part.stratum.marked]
    unflagged = [part for part in parts if not part.stratum.marked]
    marked, unmarked = (
        sum(part.stratum.size for part in parts_of_side) for parts_of_side in (flagged, unflagged)
    )
    right, sampled = sum(part.sensitive for part in flagged), sum(part.sampled for part in flagged)
    looked = sum(part.sampled for part in unflagged)
    shares: dict[str, EstimatedShare] = {}
    if sampled:
        shares["precision"] = EstimatedShare(right / sampled, *wilson_interval(right, sampled))
    if looked:
        missed = shares["missed"] = missed_share(unflagged)
        counts = (share * unmarked for share in (missed.value, missed.low, missed.high))
        shares["missed_queries"] = EstimatedShare(*counts)
    if sampled and looked:
        low, high = wilson_interval(right, sampled, _Z975)
        wide = missed_share(unflagged, confidence=0.975)
        ends = (right / sampled, wide.value), (low, wide.high), (high, wide.low)
        sides = [(share * marked, missed_part * unmarked) for share, missed_part in ends]
        recalls = (hits / (hits + lost) if hits + lost else 1.0 for hits, lost in sides)
        shares["recall"] = EstimatedShare(*recalls)
    return ContentEstimate(
        judged_marked=sampled, judged_unmarked=looked, marked=marked, unmarked=unmarked, **shares
    )


def missed_share(parts: Sequence[JudgedStratum], confidence: float = 0.95) -> EstimatedShare:
    """The share of sensitive queries over strata, with Korn and Graubard's interval.

    The effective sample size is no more than the number judged, than what the strata's weights
    leave of it, and than what the spread between strata gives.
    """
    strata = [part for part in parts if part.sampled]
    looked = sum(part.sampled for part in strata)
    total = sum(part.stratum.size for part in strata)
    share = spread = crowded = 0.0
    for part in strata:
        weight, rate = part.stratum.size / total, part.sensitive / part.sampled
        share += weight * rate
        spread += weight * weight * rate * (1.0 - rate) / part.sampled
        crowded += weight * weight / part.sampled
    effective = min(looked, 1.0 / crowded)
    if spread > 0.0:
        effective = min(effective, share * (1.0 - share) / spread)
    share = min(1.0, share)
    low, high = clopper_pearson_interval(share * effective, effective, confidence)
    return EstimatedShare(share, low, high)
