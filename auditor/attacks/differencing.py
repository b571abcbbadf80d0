"""What two or more releases of one log tell together that none of them tells alone.

Each other release is compared with the one at hand:

* **Intersection** (Ganta, Kasiviswanathan and Smith, KDD 2008): who knows in which group of equal
  records a user is in either release knows that they are in both, with fewer users than each has.
* **Differencing**: a query whose users in one release are one to k − 1 more than in the other was
  issued by those few, and whoever knows who came or went between the two knows their names.
* **Alignment**: hashes under two keys are matched through the events that stand in both releases
  (second, number of tokens), position by position. What is read in one is then read in the other.
* **Exact cells**: a count that is one to k − 1 more in one release than in the other is what those
  few did who are in one of them.

The rate is the share of users with a record in one of the releases of whom a comparison leaves
fewer than k candidates; for hashed releases, the share of hashed tokens that are aligned; for
cells, the share of those in both releases whose counts differ so. What tables with noise tell
together is bounded by the sum of their ε, which the ledger keeps. Cost: O(rows · log rows) for each
other release.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from auditor.arrays import Bools, Int64s, expand_ranges, find_sorted, mark_run_starts
from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.attacks.hash_inversion.alignment import take_tokens
from auditor.attacks.record_linkage.targets import (
    NEEDS_TRUTH,
    explain_no_targets,
    why_unknown_owners,
)
from auditor.bit_mixing import GOLDEN_RATIO, mix_bits
from auditor.errors import MissingInput
from auditor.figures import Table, UserReference
from auditor.log.gil_friendly import is_among, select_where, sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog
from auditor.log.text import TokenizedQueries, tokenize_strings
from auditor.messages import as_phrase, phrase
from auditor.params import Params
from auditor.privacy.records import is_readable, pair_records, records_of
from auditor.privacy.release import Anonymized, CellTable
from auditor.progress import Progress

catalogue = MetricCatalogue("attacks", "differencing")

_SALTS = 0x9E3779B97F4A7C15, 0xD1B54A32D192ED03


@dataclass(frozen=True, eq=False)
class KnownRelease:
    """A released log, made by `method`, whose records have owners; u users of the original.

    `record` is a record of each user, below 0 where there is none or nobody can say; shape (u,).
    `holders` and `records` are all pairs of a user and a record of theirs, ascending; shape
    (pairs,). `group` numbers the records, equal for those with the same queries; shape (records,).
    `readable` says that its queries are those of the original. `issuer` is the user of each row,
    below 0 where it is nobody's or nobody can say, and `is_shared` says which rows stand in a
    record of several users; shapes (rows,).
    """

    method: str
    log: QueryLog
    readable: bool
    record: Int64s
    holders: Int64s
    records: Int64s
    group: Int64s
    issuer: Int64s
    is_shared: Bools

    @classmethod
    def of(cls, log: QueryLog, release: Anonymized, progress: Progress) -> KnownRelease:
        """Find whose records are whose; O(rows log rows)."""
        assert release.log is not None
        users = np.arange(len(log.users), dtype=np.int64)
        record = records_of(log, release, users, progress).record
        progress.check()
        holders, records = pair_records(log, release, record)
        owner = np.full(len(release.log.users), -1, dtype=np.int64)
        owner[records] = holders
        issuer = owner[release.log.user]
        is_shared = (np.bincount(records, minlength=len(owner)) > 1)[release.log.user]
        if is_shared.any():
            issuer = np.where(is_shared, _find_issuers(log, release.log), issuer)
        return cls(
            release.method,
            release.log,
            is_readable(release.log, log),
            record,
            holders,
            records,
            _group_records(release.log),
            issuer,
            is_shared,
        )

    @cached_property
    def groups(self) -> tuple[Int64s, Int64s]:
        """The distinct pairs of a user and a group of a record of theirs, by user."""
        pairs = sorted_distinct(self.holders << 32 | self.group[self.records])
        return pairs >> 32, pairs & 0xFFFFFFFF

    @cached_property
    def sharers(self) -> Int64s:
        """The fewest users who have a record in one group with each user; 0 without a record."""
        user, group = self.groups
        return _find_fewest(len(self.record), user, group)

    @cached_property
    def issued(self) -> Int64s:
        """``user << 32 | query``, ascending and distinct.

        Users are those of the original, queries those of the release.
        """
        rows = np.flatnonzero((self.issuer >= 0) & self.log.event_starts)
        return sorted_distinct((self.issuer[rows] << 32) | self.log.query[rows])

    @property
    def has_record(self) -> Bools:
        """Users with a record or a row that is known to be theirs; shape (u,)."""
        has_record = self.record >= 0
        has_record[self.issuer[self.issuer >= 0]] = True
        return has_record

    @cached_property
    def is_undecided(self) -> Bools:
        """Queries in records of several users with an event of which nobody can say whose it is."""
        undecided = np.zeros(len(self.log.queries), dtype=np.bool_)
        undecided[self.log.query[self.is_shared & (self.issuer < 0)]] = True
        return undecided

    @property
    def tells_issuers(self) -> bool:
        """Whether most events are of queries of which each event's user is known."""
        events = self.log.query[self.log.event_starts]
        return 2 * int(np.count_nonzero(self.is_undecided[events])) < len(events)


def _find_issuers(log: QueryLog, released: QueryLog) -> Int64s:
    """The one user of the log who issued each row's query in its second, −1 where there is none."""
    raw = mix_bits(log.time.astype(np.uint64) * GOLDEN_RATIO + log.query.astype(np.uint64))
    order = np.argsort(raw, kind="stable")
    starts = np.flatnonzero(mark_run_starts(raw[order]))
    user = log.user[order].astype(np.int64)
    first, last = np.minimum.reduceat(user, starts), np.maximum.reduceat(user, starts)
    raw = raw[order[starts]]
    query = released.queries.match(log.queries)[released.query].astype(np.uint64)
    keys = mix_bits(released.time.astype(np.uint64) * GOLDEN_RATIO + query)
    return np.append(np.where(first == last, first, -1), -1)[find_sorted(keys, raw)]


def _find_fewest(users: int, user: Int64s, cell: Int64s) -> Int64s:
    """The fewest users in one of each user's cells, 0 without any; pairs (user, cell) are distinct.

    Shape (users,); O(pairs log pairs).
    """
    _, number, cell_sizes = np.unique(cell, return_inverse=True, return_counts=True)
    fewest = np.full(users, users + 1, dtype=np.int64)
    np.minimum.at(fewest, user, cell_sizes[number])
    return np.where(fewest > users, 0, fewest)


def _count_sharers_of_both(base: KnownRelease, other: KnownRelease) -> tuple[Int64s, bool]:
    """The fewest users who share a group of each release with each user; 0 without one in both.

    Also whether all pairs of groups were looked at: where there are too many, only that group of
    each user counts which fewest share. O(pairs log pairs).
    """
    users = len(base.record)
    if base is other:
        return base.sharers, True
    (user, group), (other_user, other_group) = base.groups, other.groups
    sizes = (np.bincount(codes, minlength=users) for codes in (user, other_user))
    is_whole = int(np.prod(list(sizes), axis=0).sum()) <= _MOST_PAIRS
    if not is_whole:
        (user, group), (other_user, other_group) = map(_choose_rarest, (base, other))
    bounds = np.searchsorted(other_user, np.arange(users + 1))
    size = np.diff(bounds)[user]
    other_groups = other_group[expand_ranges(bounds[user], size)]
    cell = np.repeat(group, size) * (int(other_group.max(initial=0)) + 1) + other_groups
    return _find_fewest(users, np.repeat(user, size), cell), is_whole


def _choose_rarest(release: KnownRelease) -> tuple[Int64s, Int64s]:
    """Each user, ascending, and that group of a record of theirs which fewest users share."""
    user, group = release.groups
    order = np.lexsort((np.bincount(group)[group], user))
    first = order[mark_run_starts(user[order])]
    return user[first], group[first]


def _group_records(released: QueryLog) -> Int64s:
    """A number for each record, equal for records with the same queries; shape (records,)."""
    query = released.query.astype(np.uint64) + np.uint64(1)
    # Two records are taken for equal if both sums of 64-bit hashes of their queries are.
    sums = []
    for salt in _SALTS:
        keys = mix_bits(query * np.uint64(salt))
        keys[~released.event_starts] = 0
        running = np.concatenate((np.zeros(1, dtype=np.uint64), np.cumsum(keys, dtype=np.uint64)))
        sums.append(np.diff(running[released.user_starts]))
    order = np.lexsort(sums)
    group = np.empty(len(order), dtype=np.int64)
    group[order] = np.cumsum(mark_run_starts(*(values[order] for values in sums)))
    return group


DAY = 86_400
_QUERY = 0xFFFFFFFF
"""The bits of a pair of a user and a query that hold the query's code."""
_SHORTEST_HASH = 8
_MOST_PAIRS = 20_000_000
"""Pairs of groups of one user in two releases that are counted."""
_SHARED = (
    "needs a truth table: several users share a record, and equal rows don't tell who issued what"
)
_FEWEST_VOTES = 2
"""Events in which two hashes must stand in the same place before they count as aligned."""


@dataclass(frozen=True, kw_only=True)
class DifferencingParams(Params, owner="differencing"):
    """How many candidates are too few."""

    k: int = 5


@dataclass(frozen=True, eq=False, kw_only=True)
class ReleaseComparison:
    """One other release, made by `method`, compared with the one at hand; u users of the log."""

    method: str
    # is_alone, intersected: users who have fewer than k candidates in one of the two releases by
    # itself, and in both together; shapes (u,)
    is_alone: Bools
    intersected: Bools
    # Users who issued a query that fewer than k have in one release and not in the other; shape
    # (u,).
    differenced: Bools
    smallest: int = 0  # the fewest users who share both groups
    # only_here, only_there: users of whom a record stands in one release and not in the other
    only_here: int = 0
    only_there: int = 0
    queries: int = 0  # queries of both releases whose users differ by one to k − 1
    # Queries of both releases that stand in records of several users, with events of unknown users.
    undecided: int = 0
    # aligned, hashes, chance: hashed tokens that are aligned, of how many, and how many are with
    # the events shifted by a day; 0 where the releases can be read
    aligned: int = 0
    hashes: int = 0
    chance: int = 0
    is_whole: bool = True  # whether all groups of users with several records were intersected


def compare_releases(
    base: KnownRelease, other: KnownRelease, k: int, progress: Progress
) -> ReleaseComparison:
    """Compare two releases of which somebody knows whose records are whose; O(rows · log rows)."""
    base_record, other_record = base.record, other.record
    together, is_whole = _count_sharers_of_both(base, other)
    both = together > 0
    is_alone = np.zeros(len(base_record), dtype=np.bool_)
    for release in (base, other):
        is_alone |= (release.sharers > 0) & (release.sharers < k)
    aligned = hashes = chance = queries = undecided = 0
    differenced = np.zeros(len(base_record), dtype=np.bool_)
    if base.readable and other.readable:
        differenced, queries, undecided = _find_differences(base, other, k, progress)
    else:
        aligned, hashes = align_hashes(base.log, other.log, 0, progress)
        chance, _ = align_hashes(base.log, other.log, DAY, progress)
    return ReleaseComparison(
        method=other.method,
        is_alone=is_alone,
        intersected=both & (together < k),
        differenced=differenced,
        smallest=int(together[both].min(initial=len(base_record))) if both.any() else 0,
        only_here=int(((base_record >= 0) & (other_record == -1)).sum()),
        only_there=int(((other_record >= 0) & (base_record == -1)).sum()),
        queries=queries,
        undecided=undecided,
        aligned=aligned,
        hashes=hashes,
        chance=chance,
        is_whole=is_whole,
    )


def _find_differences(
    base: KnownRelease, other: KnownRelease, k: int, progress: Progress
) -> tuple[Bools, int, int]:
    """Users behind queries that differ by fewer than k of them, and how many such queries.

    Also how many queries of both can't be compared, as nobody can say who issued them.
    """
    exposed = np.zeros(len(base.record), dtype=np.bool_)
    if base is other:
        return exposed, 0, 0
    shared = other.log.queries.match(base.log.queries).astype(np.int64)
    in_both = np.zeros(len(base.log.queries), dtype=np.bool_)
    in_both[shared[shared >= 0]] = True
    lost = in_both & base.is_undecided
    lost[shared[(shared >= 0) & other.is_undecided]] = True
    in_both &= ~lost
    own_issued = select_where(base.issued, in_both[base.issued & _QUERY])
    progress.check()
    query = shared[other.issued & _QUERY]
    other_issued = select_where((other.issued & ~_QUERY) | query, query >= 0)
    other_issued = sorted_distinct(select_where(other_issued, in_both[other_issued & _QUERY]))
    progress.check()
    differs = np.zeros(len(in_both), dtype=np.bool_)
    for minuend, subtrahend in ((own_issued, other_issued), (other_issued, own_issued)):
        extra = select_where(minuend, ~is_among(minuend, subtrahend))
        count = np.bincount(extra & _QUERY, minlength=len(in_both))
        is_rare = (count > 0) & (count < k)
        exposed[extra[is_rare[extra & _QUERY]] >> 32] = True
        differs |= is_rare
        progress.check()
    return exposed, int(differs.sum()), int(lost.sum())


def align_hashes(base: QueryLog, other: QueryLog, lag: int, progress: Progress) -> tuple[int, int]:
    """How many tokens of `base` have one partner in `other`, and how many tokens there are.

    Events are matched where their second and number of tokens occur once in either release, or once
    in records that are alike in all of these, whichever tells more; with a `lag` in seconds the
    matches are chance.
    """
    own_tokens, other_tokens = (tokenize_strings(log.queries, progress) for log in (base, other))
    aligned = [0]
    for by_record in (False, True):
        keys, rows = _event_keys(base, own_tokens, 0, by_record=by_record)
        other_keys, other_rows = _event_keys(other, other_tokens, lag, by_record=by_record)
        _, index, other_index = np.intersect1d(keys, other_keys, return_indices=True)
        left = take_tokens(own_tokens, base.query[rows[index]])
        right = take_tokens(other_tokens, other.query[other_rows[other_index]])
        progress.check()
        if len(left):
            aligned.append(_count_partners(left, right, len(own_tokens.vocabulary)))
    return max(aligned), len(own_tokens.vocabulary)


def _count_partners(left: Int64s, right: Int64s, tokens: int) -> int:
    """How many of so many tokens have one partner, by pairs of tokens in the same places."""
    pair, votes = np.unique((left << 32) | right, return_counts=True)
    first, second = pair >> 32, pair & 0xFFFFFFFF
    most_votes, total = np.zeros((2, tokens), dtype=np.int64)
    np.maximum.at(most_votes, first, votes)
    np.add.at(total, first, votes)
    backwards = np.zeros(int(second.max()) + 1, dtype=np.int64)
    np.maximum.at(backwards, second, votes)
    best = (votes == most_votes[first]) & (votes == backwards[second]) & (2 * votes > total[first])
    return len(sorted_distinct(first[best & (votes >= _FEWEST_VOTES)]))


def _event_keys(
    log: QueryLog, split: TokenizedQueries, lag: int, *, by_record: bool
) -> tuple[Int64s, Int64s]:
    """The keys that occur once in a log, ascending, and the row of each."""
    rows = np.flatnonzero(log.event_starts)
    words = np.minimum(split.compute_lengths()[log.query[rows]], 63)
    rows, words = rows[words > 0], words[words > 0]
    key = (log.time[rows] + lag) * 64 + words
    if by_record:
        user_hash = np.zeros(len(log.users), dtype=np.uint64)
        np.add.at(user_hash, log.user[rows], mix_bits(key.astype(np.uint64)))
        key = mix_bits(user_hash[log.user[rows]] * GOLDEN_RATIO + key.astype(np.uint64)).view(
            np.int64
        )
    distinct, first, key_counts = np.unique(key, return_index=True, return_counts=True)
    return distinct[key_counts == 1], rows[first[key_counts == 1]]


def run(
    evidence: Evidence,
    params: DifferencingParams,
    *,
    rng: np.random.Generator,  # noqa: ARG001  nothing here is random
    progress: Progress,
) -> AttackResult:
    """Compare a release with each of the others.

    The baseline is the share of them who have fewer than k candidates in a single release; the
    control is the release compared with itself, which can tell nothing new.
    """
    reasons = _find_unfit(evidence)
    log, release = evidence.log, evidence.release
    assert release is not None
    rivals = [
        candidate
        for candidate, cause in zip(evidence.others, reasons[1:], strict=True)
        if not cause
    ]
    if (cells := _find_exact_cells(release)) is not None:
        return _compare_cells(params, cells, rivals, progress)
    own = KnownRelease.of(log, release, progress)
    foreign = [KnownRelease.of(log, other, progress) for other in rivals]
    if own.readable:
        reasons[1:] += [_SHARED for other in foreign if not other.tells_issuers]
        foreign = [other for other in foreign if other.tells_issuers]
        if not own.tells_issuers or not foreign:
            raise MissingInput(_SHARED)
    comparisons = [compare_releases(own, other, params.k, progress) for other in foreign]
    if not own.readable:
        return _of_hashes(params, comparisons)
    has_record = np.any([side.has_record for side in (own, *foreign)], axis=0)
    if not has_record.any():
        raise explain_no_targets()
    itself = compare_releases(own, own, params.k, progress)
    single = np.any([item.is_alone for item in comparisons], axis=0)
    exposed = single | np.any([item.intersected | item.differenced for item in comparisons], axis=0)
    newly = exposed & ~single
    newly_exposed = UserReference.from_parts("users", [np.flatnonzero(newly)])
    notes = ["The control is the release compared with itself, which tells nothing new."]
    notes += [
        phrase("A release was left out: it {why}.", why=as_phrase(cause))
        for cause in dict.fromkeys(filter(None, reasons[1:]))
    ]
    is_unknown = has_record & np.any([side.record == -2 for side in (own, *foreign)], axis=0)
    if lost := int(is_unknown.sum()):
        notes.append(catalogue.say("unknown_records", lost=lost))
    if lost := int((~has_record).sum()):
        notes.append(catalogue.say("uncounted_users", lost=lost))
    if undecided := max(item.undecided for item in comparisons):
        notes.append(catalogue.say("undecided_queries", undecided=undecided))
    if not all(item.is_whole for item in comparisons):
        notes.append(catalogue.say("rarest_groups"))
    return ATTACK.build_result(
        params,
        int(exposed.sum()),
        int(has_record.sum()),
        baseline=float(single[has_record].mean()),
        control=float((itself.intersected | itself.differenced)[has_record].mean()),
        rate_label=catalogue.say("rate", k=params.k),
        values=(
            catalogue("newly_exposed", int(newly.sum()), who=newly_exposed),
            catalogue("smallest_intersection", min(item.smallest for item in comparisons)),
            catalogue("differenced_queries", max(item.queries for item in comparisons)),
            catalogue("one_sided", max(item.only_here + item.only_there for item in comparisons)),
        ),
        tables=(_comparisons_table(comparisons),),
        notes=tuple(notes),
        details={"releases": len(comparisons) + 1},
    )


def _of_hashes(params: DifferencingParams, comparisons: list[ReleaseComparison]) -> AttackResult:
    """Of hashed releases: the best alignment with another one."""
    best = max(comparisons, key=lambda comparison: comparison.aligned)
    trials = max(best.hashes, 1)
    return ATTACK.build_result(
        params,
        best.aligned,
        trials,
        baseline=1 / trials,
        control=best.chance / trials,
        rate_label="hashed tokens that are aligned with those of another release",
        values=(catalogue("aligned", best.aligned),),
        tables=(_comparisons_table(comparisons),),
        notes=("The control is the same with the other release's times shifted by a day.",),
        details={"releases": len(comparisons) + 1},
    )


def _compare_cells(
    params: DifferencingParams, table: CellTable, rivals: list[Anonymized], progress: Progress
) -> AttackResult:
    """Of exact counts: cells in which a comparison leaves what fewer than k events did."""
    counts = _map_cells(table)
    common: set[tuple[str, ...]] = set()
    exposed: set[tuple[str, ...]] = set()
    for cells in filter(None, map(_find_exact_cells, rivals)):
        progress.check()
        other_counts = _map_cells(cells)
        both = counts.keys() & other_counts.keys()
        common |= both
        exposed |= {cell for cell in both if 0 < abs(counts[cell] - other_counts[cell]) < params.k}
    return ATTACK.build_result(
        params,
        len(exposed),
        len(common),
        baseline=0.0,
        control=0.0,
        rate_label=catalogue.say("cells", k=params.k),
        values=(catalogue("differenced_cells", len(exposed)),),
        notes=("The control is the release compared with itself, which tells nothing new.",),
        details={"releases": len(rivals) + 1},
    )


def _map_cells(cells: CellTable) -> dict[tuple[str, ...], int]:
    """The count of each cell, by its texts."""
    texts = zip(*(key.list_texts() for key in cells.keys), strict=True)
    return dict(zip(texts, cells.figures[0].values.tolist(), strict=True))


def _find_exact_cells(release: Anonymized) -> CellTable | None:
    """The cells of a release that is counts without noise of nothing else; None of others."""
    cells = release.tables.alone if release.tables is not None else None
    exact = cells is not None and cells.is_counted and release.statement.epsilon is None
    return cells if exact else None


def _comparisons_table(comparisons: list[ReleaseComparison]) -> Table:
    rows = [
        [
            number,
            comparison.method,
            comparison.only_here,
            comparison.only_there,
            comparison.smallest,
            int(comparison.intersected.sum()),
            comparison.queries,
            comparison.aligned,
        ]
        for number, comparison in enumerate(comparisons, 1)
    ]
    return catalogue.table("comparisons", rows)


def _why_not_compared(log: QueryLog, release: Anonymized) -> str:
    """Why one release can't be compared, in words; empty if it can."""
    if release.log is None:
        if _find_exact_cells(release) is not None:
            return ""
        if release.statement.epsilon is None:
            return "is tables that have no counts of cells"
        return "is tables: what tables with noise tell together is bounded by the sum of their ε"
    if not len(release.log):
        return "is empty"
    if not is_readable(release.log, log):
        other = "holds queries of another log: most of them do not stand in this one"
        # Words of a sample of the queries that look like hashes: long and equally so.
        sample = np.linspace(0, len(release.log.queries) - 1, min(200, len(release.log.queries)))
        words = " ".join(release.log.queries.list_strings(sample.astype(np.int64))).split()
        lengths = {len(word) for word in words}
        return "" if len(lengths) == 1 and min(lengths) >= _SHORTEST_HASH else other
    return why_unknown_owners(log, release, release.log)


def _find_unfit(evidence: Evidence) -> list[str]:
    """Why the release can't be compared, and each of the others; empty where it can."""
    release = evidence.release
    if release is None:
        return [""] * (1 + len(evidence.others))
    own_table = _find_exact_cells(release)

    def explain_other(other: Anonymized) -> str:
        cells = _find_exact_cells(other)
        shapes = [None if table is None else table.heading for table in (own_table, cells)]
        reason = _why_not_compared(evidence.log, other)
        return reason or ("" if shapes[0] == shapes[1] else "is of another form")

    return [_why_not_compared(evidence.log, release), *map(explain_other, evidence.others)]


def explain_unfit(evidence: Evidence) -> str:
    """Why nothing can be compared, in words; empty if it can."""
    release = evidence.release
    if release is None:
        return "needs a release"
    if not evidence.others:
        return "needs another release of the same or an overlapping log"
    if not len(evidence.log):
        return "needs rows: there is nothing to compare"
    reasons = _find_unfit(evidence)
    if reasons[0].startswith(NEEDS_TRUTH):
        return reasons[0]
    if reasons[0]:
        return phrase("can't compare this release: it {why}", why=as_phrase(reasons[0]))
    if all(reasons[1:]):
        if reasons[1].startswith(NEEDS_TRUTH):
            return reasons[1]
        return catalogue.say("other_unfit", reasons=as_phrase(reasons[1]))
    if release.log is None:
        return ""
    plain = is_readable(release.log, evidence.log)
    fit = [item for item, reason in zip(evidence.others, reasons[1:], strict=True) if not reason]
    if not any(item.log and is_readable(item.log, evidence.log) == plain for item in fit):
        return "can't compare hashed queries with readable ones"
    return ""


ATTACK = Attack(
    **catalogue.card,
    criterion="linkability",
    params=DifferencingParams,
    run=run,
    applies=("log", "tables", "hashes", "bundles"),
    unfit=explain_unfit,
)
