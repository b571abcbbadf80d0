"""What two or more releases of one log tell together that none of them tells alone.

Each other release is compared with the one at hand:

* **Intersection** (Ganta, Kasiviswanathan and Smith, KDD 2008): somebody who knows in which group
  of equal records a user is in either release knows that they are in both. The users who share
  both groups are fewer than those of each.
* **Differencing**: a query whose users in one release are one to k − 1 more than in the other was
  issued by those few, and whoever knows who came or went between the two knows their names.
* **Alignment**: hashes under two keys are matched through the events that stand in both releases
  (second, number of tokens), position by position. What is read in one is then read in the other.

The rate is the share of users of whom a comparison leaves fewer than k candidates; for hashed
releases, the share of hashed tokens that are aligned. Tables with noise are not compared: what
they tell together is bounded by the sum of their ε, which the ledger keeps. Cost: O(rows · log
rows) for each other release.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from auditor.arrays import Bools, Int64s
from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.attacks.intervals import wilson_interval
from auditor.bit_mixing import mix_bits
from auditor.errors import MissingInput
from auditor.figures import MetricValue, Table, UserReference
from auditor.log.model import QueryLog
from auditor.log.text import TokenizedQueries, tokenize_strings
from auditor.messages import as_phrase, phrase
from auditor.params import Params, integer
from auditor.privacy.identity import kept_ids
from auditor.privacy.records import is_readable, records_of, rows_tell
from auditor.privacy.release import Anonymized
from auditor.progress import Progress, silent_progress

DAY = 86_400
_FEWEST_VOTES = 2
"""Events in which two hashes must stand in the same place before they count as aligned."""


@dataclass(frozen=True, kw_only=True)
class DifferencingParams(Params, owner="differencing"):
    """How many candidates are too few."""

    k: int = integer(
        5,
        2,
        10_000,
        label="Fewest candidates (k)",
        unit="users",
        slider=(2, 100),
        scale="log",
        ends=("only near certainty counts", "larger groups count, too"),
        help="A user is exposed if comparing the releases leaves fewer candidates than this for "
        "a record of theirs, or for one of the queries that they issued.",
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class ReleaseComparison:
    """One other release compared with the one at hand; u users of the log.

    Attributes
    ----------
    method
        What made the other release.
    alone
        Users who have fewer than k candidates in one of the two releases by itself; shape (u,).
    intersected
        Users who have fewer than k in both together; shape (u,).
    differenced
        Users who issued a query that fewer than k have in one release and not in the other;
        shape (u,).
    smallest
        The fewest users who share both groups.
    only_here, only_there
        Users of whom a record stands in one release and not in the other.
    queries
        Queries of both releases whose users differ by one to k − 1.
    aligned, hashes, chance
        Hashed tokens that are aligned, of how many, and how many are with the events shifted by a
        day; 0 where the releases can be read.
    """

    method: str
    alone: Bools
    intersected: Bools
    differenced: Bools
    smallest: int = 0
    only_here: int = 0
    only_there: int = 0
    queries: int = 0
    aligned: int = 0
    hashes: int = 0
    chance: int = 0
    unknown: int = 0
    notes: tuple[str, ...] = field(default=())


def compare_releases(
    log: QueryLog, one: Anonymized, other: Anonymized, k: int, progress: Progress
) -> ReleaseComparison:
    """Compare two releases of which somebody knows whose records are whose; O(rows · log rows)."""
    assert one.log is not None
    assert other.log is not None
    users = np.arange(len(log.users), dtype=np.int64)
    here = records_of(log, one, users, progress).record
    there = records_of(log, other, users, progress).record
    both = (here >= 0) & (there >= 0)
    first, second = _group_of(one.log, here), _group_of(other.log, there)
    alone = (here >= 0) & (_size_of(first, here >= 0) < k)
    alone |= (there >= 0) & (_size_of(second, there >= 0) < k)
    pair = np.unique(np.stack([first, second]), axis=1, return_inverse=True)[1].ravel()
    together = _size_of(pair.astype(np.int64), both)
    aligned = hashes = chance = queries = 0
    differenced = np.zeros(len(users), dtype=np.bool_)
    if is_readable(one.log, log) and is_readable(other.log, log):
        differenced, queries = _find_differences(one.log, other.log, here, there, k)
    else:
        aligned, hashes = align_hashes(one.log, other.log, 0, progress)
        chance, _ = align_hashes(one.log, other.log, DAY, progress)
    return ReleaseComparison(
        method=other.method,
        alone=alone,
        intersected=both & (together < k),
        differenced=differenced,
        smallest=int(together[both].min(initial=len(users))) if both.any() else 0,
        only_here=int(((here >= 0) & (there == -1)).sum()),
        only_there=int(((there >= 0) & (here == -1)).sum()),
        queries=queries,
        aligned=aligned,
        hashes=hashes,
        chance=chance,
        unknown=int(((here == -2) | (there == -2)).sum()),
    )


def _group_of(released: QueryLog, record: Int64s) -> Int64s:
    """A number for each user's record, equal for records with the same queries; shape (users,)."""
    begins = released.event_starts
    owner = released.user[begins].astype(np.int64)
    query = released.query[begins].astype(np.uint64) + np.uint64(1)
    # Two records are taken for equal if both sums of 64-bit hashes of their queries are.
    sums = np.zeros((len(released.users), 2), dtype=np.uint64)
    for column, salt in enumerate((0x9E3779B97F4A7C15, 0xD1B54A32D192ED03)):
        np.add.at(sums[:, column], owner, mix_bits(query * np.uint64(salt)))
    _, group = np.unique(sums, axis=0, return_inverse=True)
    # A user without a record, or of whom nobody knows which it is, is in no group.
    found: Int64s = np.where(record >= 0, group.ravel()[np.maximum(record, 0)], -1)
    return found


def _size_of(group: Int64s, some: Bools) -> Int64s:
    """How many of `some` users have each user's group; shape (users,)."""
    _, number = np.unique(group, return_inverse=True)
    sizes: Int64s = np.bincount(number[some], minlength=int(number.max(initial=0)) + 1)[number]
    return sizes


def _find_differences(
    one: QueryLog, other: QueryLog, here: Int64s, there: Int64s, k: int
) -> tuple[Bools, int]:
    """Users behind queries that differ by fewer than k of them, and how many such queries."""
    shared = other.queries.match(one.queries).astype(np.int64)
    pairs = []
    for released, record in ((one, here), (other, there)):
        has = np.unique((released.user.astype(np.int64) << 32) | released.query)
        query = has & 0xFFFFFFFF
        query = shared[query] if released is other else query
        owner = np.full(len(released.users), -1, dtype=np.int64)
        alone = np.flatnonzero(record >= 0)
        _, first, often = np.unique(record[alone], return_index=True, return_counts=True)
        owner[record[alone[first[often == 1]]]] = alone[first[often == 1]]
        user = owner[has >> 32]
        known = (user >= 0) & (query >= 0)
        pairs.append(np.unique((user[known] << 32) | query[known]))
    exposed = np.zeros(len(here), dtype=np.bool_)
    in_both = np.zeros(len(one.queries), dtype=np.bool_)
    in_both[shared[shared >= 0]] = True
    queries: set[int] = set()
    for mine, theirs in (pairs, pairs[::-1]):
        extra = mine[~np.isin(mine, theirs)]
        extra = extra[in_both[extra & 0xFFFFFFFF]]
        code, count = np.unique(extra & 0xFFFFFFFF, return_counts=True)
        few = code[count < k]
        exposed[(extra >> 32)[np.isin(extra & 0xFFFFFFFF, few)]] = True
        queries.update(few.tolist())
    return exposed, len(queries)


def align_hashes(one: QueryLog, other: QueryLog, shift: int, progress: Progress) -> tuple[int, int]:
    """How many tokens of `one` have one partner in `other`, and how many tokens there are.

    Events are matched where their second and number of tokens occur once in either release; with
    a `shift` in seconds the matches are chance.
    """
    mine, theirs = (
        tokenize_strings(one.queries, progress),
        tokenize_strings(other.queries, progress),
    )
    keys = [_event_keys(one, mine, 0), _event_keys(other, theirs, shift)]
    common, at, there = np.intersect1d(keys[0][0], keys[1][0], return_indices=True)
    if not len(common):
        return 0, len(mine.vocabulary)
    a, b = one.query[keys[0][1][at]], other.query[keys[1][1][there]]
    left = _tokens_at(mine, a.astype(np.int64))
    right = _tokens_at(theirs, b.astype(np.int64))
    progress.check()
    pair, votes = np.unique((left << 32) | right, return_counts=True)
    first, second = pair >> 32, pair & 0xFFFFFFFF
    most = np.zeros(len(mine.vocabulary), dtype=np.int64)
    total = np.zeros(len(mine.vocabulary), dtype=np.int64)
    np.maximum.at(most, first, votes)
    np.add.at(total, first, votes)
    backwards = np.zeros(len(theirs.vocabulary), dtype=np.int64)
    np.maximum.at(backwards, second, votes)
    best = (votes == most[first]) & (votes == backwards[second]) & (2 * votes > total[first])
    return len(np.unique(first[best & (votes >= _FEWEST_VOTES)])), len(mine.vocabulary)


def _event_keys(log: QueryLog, split: TokenizedQueries, shift: int) -> tuple[Int64s, Int64s]:
    """The keys that occur once in a log, ascending, and the row of each."""
    rows = np.flatnonzero(log.event_starts)
    words = np.minimum(split.compute_lengths()[log.query[rows]], 63)
    rows, words = rows[words > 0], words[words > 0]
    key = (log.time[rows] + shift) * 64 + words
    found, first, often = np.unique(key, return_index=True, return_counts=True)
    return found[often == 1], rows[first[often == 1]]


def _tokens_at(split: TokenizedQueries, query: Int64s) -> Int64s:
    """The tokens of all these strings, one after another."""
    size = split.compute_lengths()[query]
    ends = np.cumsum(size)
    at = np.arange(int(size.sum())) - np.repeat(ends - size - split.offsets[query], size)
    return split.codes[at].astype(np.int64)


def run(
    evidence: Evidence,
    params: DifferencingParams,
    *,
    rng: np.random.Generator,  # noqa: ARG001  nothing here is random
    progress: Progress,
) -> AttackResult:
    """Compare a release with each of the others.

    The baseline is the share of users who have fewer than k candidates in a single release; the
    control is the release compared with itself, which can tell nothing new.

    Raises
    ------
    MissingInput
        There is no other release, or nothing in them can be compared.
    Cancelled
        Somebody asked to stop.
    """
    if why := explain_unfit(evidence):
        raise MissingInput(phrase("differencing {why}.", why=as_phrase(why)))
    log, release = evidence.log, evidence.release
    assert release is not None
    assert release.log is not None
    others = [one for one in evidence.others if not _why_not_compared(evidence.log, one)]
    found = [compare_releases(log, release, other, params.k, progress) for other in others]
    if not is_readable(release.log, log):
        return _of_hashes(params, found)
    itself = compare_releases(log, release, release, params.k, progress)
    exposed, alone = np.zeros(len(log.users), np.bool_), np.zeros(len(log.users), np.bool_)
    for one in found:
        exposed |= one.alone | one.intersected | one.differenced
        alone |= one.alone
    trials, hits = len(log.users), int(exposed.sum())
    return AttackResult(
        attack=ATTACK.name,
        params=params.to_dict(),
        rate=hits / trials,
        baseline=float(alone.mean()),
        control=float((itself.intersected | itself.differenced).mean()),
        interval=wilson_interval(hits, trials),
        rate_label=phrase(
            "users of whom comparing the releases leaves fewer than {k} candidates", k=params.k
        ),
        values=_build_metrics(found, exposed & ~alone),
        tables=(_comparisons_table(found),),
        notes=_write_notes(evidence, found),
        details={"releases": len(found) + 1},
    )


def _of_hashes(params: DifferencingParams, found: list[ReleaseComparison]) -> AttackResult:
    """Of hashed releases: the best alignment with another one."""
    best = max(found, key=lambda one: one.aligned)
    trials = max(best.hashes, 1)
    return AttackResult(
        attack=ATTACK.name,
        params=params.to_dict(),
        rate=best.aligned / trials,
        baseline=1 / trials,
        control=best.chance / trials,
        interval=wilson_interval(best.aligned, trials),
        rate_label="hashed tokens that are aligned with those of another release",
        values=(
            MetricValue(
                "aligned",
                "hashed tokens aligned with another release",
                best.aligned,
                unit="tokens",
                help="Matched through events that stand in both releases, whatever the keys are. "
                "What is recovered in one release is then known in the other.",
                better="lower",
                side="privacy",
            ),
        ),
        tables=(_comparisons_table(found),),
        notes=("The control is the same with the other release's times shifted by a day.",),
        details={"releases": len(found) + 1},
    )


def _build_metrics(found: list[ReleaseComparison], newly: Bools) -> tuple[MetricValue, ...]:
    who = UserReference.from_parts("users", [np.flatnonzero(newly).astype(np.int32)])
    return (
        MetricValue(
            "newly_exposed",
            "users exposed by the comparison alone",
            int(newly.sum()),
            unit="users",
            help="In each single release they have enough candidates.",
            better="lower",
            side="privacy",
            who=who,
        ),
        MetricValue(
            "smallest_intersection",
            "fewest users who share their groups in two releases",
            min(one.smallest for one in found),
            unit="users",
            better="higher",
            side="privacy",
        ),
        MetricValue(
            "differenced_queries",
            "queries whose users differ by fewer than k",
            max(one.queries for one in found),
            unit="queries",
            better="lower",
        ),
        MetricValue(
            "one_sided",
            "users with a record in one release and not in the other",
            max(one.only_here + one.only_there for one in found),
            unit="users",
            help="Whoever sees both releases learns that somebody came or went between them.",
            better="lower",
        ),
    )


def _comparisons_table(found: list[ReleaseComparison]) -> Table:
    rows = [
        [
            number,
            one.method,
            one.only_here,
            one.only_there,
            one.smallest,
            int(one.intersected.sum()),
            one.queries,
            one.aligned,
        ]
        for number, one in enumerate(found, 1)
    ]
    return Table(
        "comparisons",
        "This release compared with each of the others",
        (
            "Release",
            "Method",
            "Users only here",
            "Users only there",
            "Smallest intersection",
            "Users below k",
            "Queries differing by fewer than k",
            "Hashes aligned",
        ),
        rows,
        own_words=True,
    )


def _write_notes(evidence: Evidence, found: list[ReleaseComparison]) -> tuple[str, ...]:
    said = ["The control is the release compared with itself, which tells nothing new."]
    left_out = [why for one in evidence.others if (why := _why_not_compared(evidence.log, one))]
    said += [
        phrase("A release was left out: it {why}.", why=as_phrase(why))
        for why in dict.fromkeys(left_out)
    ]
    if lost := max(one.unknown for one in found):
        said.append(
            phrase(
                "For {lost:,} users equal rows don't determine which record is theirs. "
                "They count as not exposed, so the rate is a lower bound.",
                lost=lost,
            )
        )
    return tuple(said)


def _why_not_compared(log: QueryLog, release: Anonymized) -> str:
    """Why one release can't be compared, in words; empty if it can."""
    if release.log is None:
        return "is tables: what tables with noise tell together is bounded by the sum of their ε"
    if not len(release.log):
        return "is empty"
    if not is_readable(release.log, log):
        return ""
    known = kept_ids(log, release, silent_progress()) is not None
    if not known and not rows_tell(log, release, silent_progress()):
        return "has neither the ids nor the rows of this log"
    return ""


def explain_unfit(evidence: Evidence) -> str:
    """Why nothing can be compared, in words; empty if it can."""
    release = evidence.release
    if release is None:
        return "needs a release"
    if not evidence.others:
        return "needs another release of the same or an overlapping log (--other)"
    if not len(evidence.log):
        return "needs rows: there is nothing to compare"
    if why := _why_not_compared(evidence.log, release):
        return phrase("can't compare this release: it {why}", why=as_phrase(why))
    reasons = [_why_not_compared(evidence.log, one) for one in evidence.others]
    if all(reasons):
        return phrase(
            "can't compare with the other release: it {reasons}", reasons=as_phrase(reasons[0])
        )
    assert release.log is not None
    plain = is_readable(release.log, evidence.log)
    fit = [one for one, why in zip(evidence.others, reasons, strict=True) if not why]
    if not any(one.log and is_readable(one.log, evidence.log) == plain for one in fit):
        return "can't compare hashed queries with readable ones"
    return ""


ATTACK = Attack(
    name="differencing",
    cost="O(rows · log rows) for each other release",
    title="Differencing and intersection of releases",
    summary="Compares a release with others of the same or an overlapping log: groups that "
    "intersect below k, queries that differ by a few users, hashes aligned under two keys.",
    source="Ganta, Kasiviswanathan and Smith, KDD 2008; alignment and differences are beyond it",
    params=DifferencingParams,
    run=run,
    applies=("log", "hashes", "bundles"),
    unfit=explain_unfit,
)
