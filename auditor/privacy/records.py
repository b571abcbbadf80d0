"""Which released record is whose: what the auditor knows and an attacker wants to.

Where a release keeps its ids, they tell. Else rows do: a method that keeps an event keeps its
second, and its query or at least the number of its words, so a user's record is the one that
holds most of their rows. Where neither tells, nobody can say whether a guess was right.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Int64s, UInt64s, expand_ranges, mark_run_starts
from auditor.bit_mixing import GOLDEN_RATIO, mix_bits
from auditor.log.gil_friendly import is_among, sorted_distinct
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.sentences import sentence
from auditor.log.text import tokenize_strings
from auditor.privacy.entities import find_masked
from auditor.privacy.identity import kept_ids, rows_of
from auditor.privacy.release import Anonymized
from auditor.privacy.release_times import EXACT, SHUFFLED, apparent_times, floor_times, times_of
from auditor.progress import Progress

MOST_ROWS = 5_000_000
"""Rows of a log up to which `owners` looks for its users by their rows."""
ONE_OF_SEVERAL = (
    "ids were changed, and there are more of them than users; equal rows tell one of each user's, "
    "and a guess of another one counts as wrong: rates are too low"
)
_LOOKED_AT = 512
_RARE, _USERS = 64, 2_000
_WHOLE = 0.95
"""Share of a record's events from which on it is its first user's alone."""
_SCALE = 1 << 12
_ROWS = 1 << 21
_ALIKE = 0.2
"""Share of released rows that must be rows of the log for rows to tell whose a record is."""


@dataclass(frozen=True, eq=False)
class RecordTruth:
    """The record of each target.

    Attributes
    ----------
    record
        int64 code in the release's users; −1 where they have none, −2 where several may be theirs;
        shape (targets,).
    evidence
        How it is known, in words.
    person
        A number for each record of the release, equal for records of one user; None where no user
        has several.
    """

    record: Int64s
    evidence: str
    person: Int64s | None = None

    def guess_rate(self, records: int) -> float:
        """How often one of so many records, drawn at random, is the target's, on average."""
        truth = self.record[self.record >= 0]
        if self.person is None or not len(truth):
            return 1.0 / records
        counts = np.bincount(self.person)
        return float(counts[self.person[truth]].mean()) / records

    def is_own(self, target: int, records: Int64s) -> Bools:
        """Which of some records are the target's; shape (len(records),)."""
        truth = int(self.record[target])
        if self.person is None or truth < 0:
            return np.equal(records, truth)
        same: Bools = self.person[records] == self.person[truth]
        return same


def rows_tell(log: QueryLog, release: Anonymized, progress: Progress) -> bool:
    """Whether a sample of released rows are rows of the log; O(rows), without sorting."""
    released = release.log
    if released is None or not len(released):
        return False
    keys = _RecordKeys(log, released, _find_times(release), progress)
    sample = np.linspace(0, len(released) - 1, min(len(released), _LOOKED_AT)).astype(np.int64)
    sample_keys = np.sort(keys.hash_released_rows(sample))
    there = np.zeros(len(sample_keys), dtype=np.bool_)
    for first, last in progress.blocks("comparing rows", len(log), _ROWS):
        block_keys = keys.hash_raw_rows(slice(first, last))
        place = np.minimum(np.searchsorted(sample_keys, block_keys), len(sample_keys) - 1)
        hits = sample_keys[place[sample_keys[place] == block_keys]]
        there |= is_among(sample_keys, hits)  # rows of the sample that are alike stand in a row
        if float(there.mean()) >= _ALIKE:
            return True
    return False


def records_of(
    log: QueryLog, release: Anonymized, users: Int64s, progress: Progress
) -> RecordTruth:
    """The true record of each of `users`; O(their rows log rows + rows of the release).

    Where ids were changed, `rows_tell` must hold for what is found to mean anything.
    """
    assert release.log is not None
    if release.truth is not None:
        owners = release.truth.find_owners(log, release.log)
        owned = np.flatnonzero(owners >= 0)
        record = np.full(len(log.users), -1, dtype=np.int64)
        record[owners[owned][::-1]] = owned[::-1]  # the first of several stands for all of them
        evidence = "a truth table tells whose record is whose"
        if len(owned) < len(owners):  # a record of nobody known may be anybody's
            record[record == -1] = -2
            evidence = sentence("records.partial_table", named=len(owned), records=len(owners))
        person = None
        if len(sorted_distinct(owners[owned])) < len(owned):
            person = np.where(owners >= 0, owners, len(log.users) + np.arange(len(owners)))
        return RecordTruth(record[users], evidence, person)
    place = kept_ids(log, release, progress)
    if place is not None:
        return RecordTruth(place[users].astype(np.int64), "ids are those of the log")
    record = _by_rows(log, release.log, _find_times(release), users, progress)
    basis = "ids were changed; equal rows tell whose record is whose"
    if len(release.log.users) > len(log.users):
        basis = ONE_OF_SEVERAL
    return RecordTruth(record, basis)


def pair_records(log: QueryLog, release: Anonymized, record: Int64s, /) -> tuple[Int64s, Int64s]:
    """All pairs of a user and a record of theirs, by user; `record` is one of each, or below 0."""
    if release.truth is None:
        users = np.flatnonzero(record >= 0)
        return users, record[users]
    assert release.log is not None
    owners = release.truth.find_owners(log, release.log)
    records = np.argsort(owners, kind="stable")[np.count_nonzero(owners < 0) :]
    return owners[records], records


@dataclass(frozen=True, eq=False)
class RecordOwners:
    """The user of each record, for releases whose records are of one user each.

    Attributes
    ----------
    user
        int64 code in the log, −1 where nobody's or not known; shape (records,).
    evidence
        How it is known, or why it isn't, in words.
    """

    user: Int64s
    evidence: str

    @property
    def has_owners(self) -> bool:
        """Whether any record has a user."""
        return bool((self.user >= 0).any())


def record_owners(log: QueryLog, release: Anonymized, progress: Progress) -> RecordOwners:
    """Whose each record is. Nobody's where users share records, or nothing tells."""
    released = release.log
    assert released is not None
    if release.truth is not None:
        owners = release.truth.find_owners(log, released)
        return RecordOwners(owners, "a truth table tells whose record is whose")
    nobody = np.full(len(released.users), -1, dtype=np.int64)
    if kept_ids(log, release, progress) is None:
        if len(log) > MOST_ROWS:
            why = sentence("records.too_many_rows", most_rows=MOST_ROWS)
            return RecordOwners(nobody, why)
        if not len(log) or not rows_tell(log, release, progress):
            why = "ids were changed, and the rows are no longer those of the log"
            return RecordOwners(nobody, why)
    users = np.arange(len(log.users), dtype=np.int64)
    truth = records_of(log, release, users, progress)
    has_record = truth.record >= 0
    if not has_record.any():
        return RecordOwners(nobody, "no user of the log is in the release")
    records, often = np.unique(truth.record[has_record], return_counts=True)
    if (often > 1).sum() > 0.05 * len(records):
        return RecordOwners(nobody, "records are of several users each")
    first = np.flatnonzero(has_record)[np.unique(truth.record[has_record], return_index=True)[1]]
    nobody[records[often == 1]] = first[often == 1]
    return RecordOwners(nobody, truth.evidence)


def users_in_release(log: QueryLog, release: Anonymized, progress: Progress) -> Bools | None:
    """Which users of the log have a record, or may have one; None where nothing tells.

    Shape (users of the log,).
    """
    if release.log is None or release.synthetic_seed is not None:
        return None
    tells_by_id = release.truth is not None or kept_ids(log, release, progress) is not None
    if not tells_by_id and (len(log) > MOST_ROWS or not rows_tell(log, release, progress)):
        return None
    users = np.arange(len(log.users), dtype=np.int64)
    has_record: Bools = records_of(log, release, users, progress).record != -1
    return has_record


def group_by_owner(log: QueryLog, released: QueryLog, owners: Int64s) -> QueryLog:
    """The released rows under the id of their record's user in the log, of records that have one.

    `owners` are codes in the log, below 0 for none; shape (records,).
    """
    has_owner = owners >= 0
    users = sorted_distinct(owners[has_owner])
    codes = np.searchsorted(users, owners[has_owner]).astype(np.int32)
    owned = released if has_owner.all() else released.rows(has_owner[released.user])
    return owned.with_users(codes, log.users.take(users))


def is_readable(released: QueryLog, log: QueryLog) -> bool:
    """Whether most of a sample of the released queries stand in the log; masked ones are none."""
    whole = np.flatnonzero(~find_masked(released.queries))
    return _are_most_known(released.queries.take(whole), log)


def is_verbatim(released: QueryLog, log: QueryLog) -> bool:
    """Whether most of a sample of the released queries, masked ones too, stand in the log."""
    return _are_most_known(released.queries, log)


def _are_most_known(queries: Vocabulary, log: QueryLog) -> bool:
    size = min(200, len(queries))
    sample = queries.take(np.linspace(0, len(queries) - 1, size).astype(int))
    return not size or int(np.count_nonzero(sample.match(log.queries) >= 0)) * 2 > size


def _find_times(release: Anonymized) -> str:
    """How exact the times are: a release may keep those of a log that has no more than days."""
    assert release.log is not None
    times = times_of(release.params)
    return apparent_times(release.log.time) if times == EXACT else times


class _RecordKeys:
    """A number for each row, equal for rows that a method may have kept, in both logs.

    Times are compared as coarsely as the release has them. Where they were shuffled, a readable
    query tells more than its time, and a hashed one less.
    """

    def __init__(self, log: QueryLog, released: QueryLog, times: str, progress: Progress) -> None:
        if is_verbatim(released, log):
            same = released.queries.match(log.queries).astype(np.int64)
            self.sharp = True
            self._raw = np.arange(len(log.queries), dtype=np.int64)
            self._released = same
        else:
            self.sharp = False
            self._raw = tokenize_strings(log.queries, progress).compute_lengths()
            self._released = tokenize_strings(released.queries, progress).compute_lengths()
        self._log, self._release, self._times = log, released, times

    def hash_raw_rows(self, rows: slice | Int64s) -> UInt64s:
        return self._hash_rows(self._log.time[rows], self._raw[self._log.query[rows]])

    def hash_released_rows(self, rows: slice | Int64s) -> UInt64s:
        return self._hash_rows(self._release.time[rows], self._released[self._release.query[rows]])

    def _hash_rows(self, time: Int64s, what: Int64s) -> UInt64s:
        if self._times != SHUFFLED:
            time = floor_times(time, self._times)
        elif self.sharp:
            time = np.zeros_like(time)
        else:
            what = np.zeros_like(what)
        return mix_bits(time.astype(np.uint64) * GOLDEN_RATIO + what.astype(np.uint64))


def _by_rows(
    log: QueryLog, released: QueryLog, times: str, users: Int64s, progress: Progress
) -> Int64s:
    """The record with most of each user's events: every row votes for where its like stands."""
    keys = _RecordKeys(log, released, times, progress)
    if keys.sharp:
        search = _by_equal_rows if times == EXACT else _by_rare_rows
        records = search(log, released, keys, users, progress)
        return _drop_strangers(log, released, keys, records, users, progress)
    whole = _by_whole_records(log, released, keys, progress)
    records = whole[users]
    rest = np.flatnonzero(records == -1)
    if times == EXACT and len(rest):
        others = _by_equal_rows(log, released, keys, users[rest], progress)
        others[is_among(others, whole[whole >= 0])] = -1
        records[rest] = others
    return records


def _by_equal_rows(
    log: QueryLog, released: QueryLog, keys: _RecordKeys, users: Int64s, progress: Progress
) -> Int64s:
    """The record that shares most rows with each user, by keys that few rows have."""
    rows, owner = rows_of(log, users)
    begins = log.event_starts[rows]
    rows, owner = rows[begins], owner[begins]
    target, record, count, _ = _count_shared(
        owner, keys.hash_raw_rows(rows), released, keys.hash_released_rows, progress
    )
    needed = np.ones(len(users), dtype=np.int64)
    if not keys.sharp:  # by chance somebody else issued as many words in the same second
        needed = (np.bincount(owner, minlength=len(users)) + 1) // 2
    records = _find_winners(target, record, count, needed)
    if len(users) == len(released.users):  # to each their own: what others have is not theirs
        taken = np.zeros(len(released.users), dtype=np.bool_)
        taken[records[records >= 0]] = True
        free = ~taken[record] & (records[target] == -2)
        again = _find_winners(target[free], record[free], count[free], needed)
        most = np.zeros(len(users), dtype=np.int64)
        np.maximum.at(most, target, count)
        most_free = np.zeros(len(users), dtype=np.int64)
        np.maximum.at(most_free, target[free], count[free])
        records = np.where((records == -2) & (most_free == most), again, records)
    named = np.flatnonzero(records >= 0)
    pair = target * len(released.users) + record
    matched = count[np.searchsorted(pair, named * len(released.users) + records[named])]
    events = np.bincount(owner, minlength=len(users))[named]
    events = np.minimum(events, _count_events(released)[records[named]])
    records[named[2 * matched < events]] = -2  # a stranger asked some of it in the same second
    return records


def _drop_strangers(
    log: QueryLog,
    released: QueryLog,
    keys: _RecordKeys,
    records: Int64s,
    users: Int64s,
    progress: Progress,
) -> Int64s:
    """The record of each user, −2 where it is all but wholly that of another one.

    Records of several users, as in bundles, are left to those who have a part in them.
    """
    claimed = sorted_distinct(records[records >= 0])
    rows, owner = rows_of(released, claimed)
    begins = released.event_starts[rows]
    rows, owner = rows[begins], owner[begins]
    record, user, count, events = _count_shared(
        owner, keys.hash_released_rows(rows), log, keys.hash_raw_rows, progress, most=_RARE
    )
    shared = np.zeros(len(claimed), dtype=np.int64)
    np.maximum.at(shared, record, count)
    may_be_of_several = 2 * len(released.users) <= len(log.users)
    is_whole = shared >= (_WHOLE * events if may_be_of_several else 0)
    named = np.flatnonzero(records >= 0)
    place = np.searchsorted(claimed, records[named])
    best = count == shared[record]
    firsts = record[best] * len(log.users) + user[best]
    is_first = is_among(place * len(log.users) + users[named], firsts)
    rivals = record[best] if may_be_of_several else place[is_first]
    is_first &= np.bincount(rivals, minlength=len(claimed))[place] == 1
    records[named[is_whole[place] & ~is_first]] = -2
    return records


def _count_shared(
    owner: Int64s,
    key: UInt64s,
    log: QueryLog,
    hash_rows: Callable[[slice], UInt64s],
    progress: Progress,
    *,
    most: int | None = None,
) -> tuple[Int64s, Int64s, Int64s, Int64s]:
    """How many events each owner of keys shares with each user of a log, by both, ascending.

    Of equal events only as many count as both have: else whoever has many would have them all.
    Those that more than `most` users have tell nothing and are left out. The last array says how
    many events of each owner count.
    """
    owner, key, often = _count_pairs(owner, key)
    order = np.argsort(key, kind="stable")
    owner, key, often = owner[order], key[order], often[order]
    pairs = [np.zeros(0, dtype=np.int64)]
    for first, last in progress.blocks("comparing rows", len(log), _ROWS):
        block = slice(first, last)
        keys = hash_rows(block)
        low = np.searchsorted(key, keys)
        is_hit = log.event_starts[block] & (low < np.searchsorted(key, keys, side="right"))
        hits = np.flatnonzero(is_hit)
        pairs.append(low[hits] * len(log.users) + log.user[block][hits])
    pair, again = np.unique(np.concatenate(pairs), return_counts=True)
    low = pair // len(log.users)
    is_popular = np.zeros(len(key), dtype=np.bool_)
    if most is not None:
        is_popular = np.bincount(low, minlength=len(key))[np.searchsorted(key, key)] > most
        rare = np.flatnonzero(~is_popular[low])
        pair, again, low = pair[rare], again[rare], low[rare]
    events = np.bincount(owner, np.where(is_popular, 0, often)).astype(np.int64)
    size = np.searchsorted(key, key[low], side="right") - low
    index = expand_ranges(low, size)
    shared = np.minimum(often[index], np.repeat(again, size))
    pair, place = np.unique(
        owner[index] * len(log.users) + np.repeat(pair % len(log.users), size), return_inverse=True
    )
    count = np.zeros(len(pair), dtype=np.int64)
    np.add.at(count, place, shared)
    return pair // len(log.users), pair % len(log.users), count, events


def _by_rare_rows(
    log: QueryLog, released: QueryLog, keys: _RecordKeys, users: Int64s, progress: Progress
) -> Int64s:
    """The record that shares most with each user, what few records hold counting for more.

    Coarse times leave rows that many records hold: those tell nothing and are passed over.
    """
    rows, owner = rows_of(log, users)
    begins = log.event_starts[rows]
    mine, keys_of, often = _count_pairs(owner[begins], keys.hash_raw_rows(rows[begins]))
    there = np.flatnonzero(released.event_starts)
    record_of, theirs, again = _count_pairs(
        released.user[there].astype(np.int64), keys.hash_released_rows(there)
    )
    progress.check()
    order = np.argsort(theirs, kind="stable")
    low = np.searchsorted(theirs[order], keys_of)
    size = np.searchsorted(theirs[order], keys_of, side="right") - low
    rare = np.flatnonzero((size > 0) & (size <= _RARE))
    records = np.full(len(users), -1, dtype=np.int64)
    records[sorted_distinct(mine[size > _RARE])] = -2
    for first, last in progress.blocks("comparing rows", len(users), _USERS):
        begin, end = np.searchsorted(mine[rare], (first, last))
        some = rare[begin:end]
        index = expand_ranges(low[some], size[some])
        entry = np.repeat(some, size[some])
        shared = np.minimum(often[entry], again[order[index]]) * (_SCALE // size[entry])
        pair = (mine[entry] - first) * len(released.users) + record_of[order[index]]
        distinct, place = np.unique(pair, return_inverse=True)
        votes = np.zeros(len(distinct), dtype=np.int64)
        np.add.at(votes, place, shared)
        needed = np.ones(last - first, dtype=np.int64)
        target, record = distinct // len(released.users), distinct % len(released.users)
        best = _find_winners(target, record, votes, needed)
        records[first:last] = np.where(best == -1, records[first:last], best)
    # Of what a user did a stranger, too, has done some; half of a record is its user's or nobody's.
    named = np.flatnonzero(records[mine] >= 0)
    pairs = _mix_pairs(record_of, theirs)
    order = np.argsort(pairs)
    owned = _mix_pairs(records[mine[named]], keys_of[named])
    place = order[np.minimum(np.searchsorted(pairs[order], owned), len(order) - 1)]
    shared = np.where(pairs[place] == owned, np.minimum(often[named], again[place]), 0)
    matched = np.bincount(mine[named], shared, minlength=len(users))
    events = _count_events(released)[np.maximum(records, 0)]
    if 2 * len(released.users) <= len(log.users):  # records of several users, each with their part
        events = np.minimum(events, np.bincount(owner[begins], minlength=len(users)))
    records[(records >= 0) & (2 * matched < events)] = -2
    return records


def _count_events(log: QueryLog) -> Int64s:
    """How many events each user has; shape (users,)."""
    return np.bincount(log.user[log.event_starts], minlength=len(log.users))


def _mix_pairs(record: Int64s, key: UInt64s) -> UInt64s:
    """A number for each pair of a record and a row's key, equal for equal pairs."""
    return mix_bits(record.astype(np.uint64) * GOLDEN_RATIO + key)


def _by_whole_records(
    log: QueryLog, released: QueryLog, keys: _RecordKeys, progress: Progress
) -> Int64s:
    """The record whose rows are all like those of one user, whom no other is like."""
    mine = np.add.reduceat(keys.hash_raw_rows(slice(None)), log.user_starts[:-1])
    progress.check()
    theirs = np.add.reduceat(keys.hash_released_rows(slice(None)), released.user_starts[:-1])
    partner = match_partners(mine, theirs)
    return np.where(partner < 0, np.where(is_among(mine, theirs), -2, -1), partner)


def match_partners(mine: UInt64s, theirs: UInt64s) -> Int64s:
    """For each number the place of the same one among others, −1 unless both are there once."""
    _, first, often = np.unique(mine, return_index=True, return_counts=True)
    _, where, again = np.unique(theirs, return_index=True, return_counts=True)
    left, right = first[often == 1], where[again == 1]
    _, a, b = np.intersect1d(mine[left], theirs[right], return_indices=True)
    partner = np.full(len(mine), -1, dtype=np.int64)
    partner[left[a]] = right[b]
    return partner


def _count_pairs(owner: Int64s, key: UInt64s) -> tuple[Int64s, UInt64s, Int64s]:
    """The distinct pairs of an owner and a key, by owner, and how often each is there."""
    order = np.lexsort((key, owner))
    owner, key = owner[order], key[order]
    first = np.flatnonzero(mark_run_starts(owner, key))
    return owner[first], key[first], np.diff(np.append(first, len(order)))


def _find_winners(target: Int64s, record: Int64s, count: Int64s, needed: Int64s) -> Int64s:
    """The record with most votes; −1 without (enough) votes, −2 where two have the most."""
    winners = np.full(len(needed), -1, dtype=np.int64)
    order = np.lexsort((-count, target))
    target, record, count = target[order], record[order], count[order]
    first = np.flatnonzero(np.diff(target, prepend=-1))
    winners[target[first]] = record[first]
    winners[target[first][count[first] < needed[target[first]]]] = -1
    second = np.minimum(first + 1, max(len(target) - 1, 0))
    tied = (second > first) & (target[second] == target[first]) & (count[second] == count[first])
    some = winners[target[first]] >= 0
    winners[target[first][tied & some]] = -2
    return winners
