"""Which released record is whose: what the auditor knows and an attacker wants to.

Where a release keeps its ids, they tell. Else rows do: a method that keeps an event keeps its
second, and its query or at least the number of its words, so a user's record is the one that
holds most of their rows. Where neither tells, nobody can say whether a guess was right.
"""

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
        is_same_person: Bools = self.person[records] == self.person[truth]
        return is_same_person


def rows_tell(log: QueryLog, release: Anonymized, progress: Progress) -> bool:
    """Whether a sample of released rows are rows of the log; O(rows), without sorting."""
    released = release.log
    if released is None or not len(released):
        return False
    keys = _RecordKeys(log, released, _find_times(release), progress)
    sample = np.linspace(0, len(released) - 1, min(len(released), _LOOKED_AT)).astype(np.int64)
    sample_keys = np.sort(keys.hash_released_rows(sample))
    is_released = np.zeros(len(sample_keys), dtype=np.bool_)
    for first, last in progress.blocks("comparing rows", len(log), _ROWS):
        block_keys = keys.hash_raw_rows(slice(first, last))
        place = np.minimum(np.searchsorted(sample_keys, block_keys), len(sample_keys) - 1)
        hits = sample_keys[place[sample_keys[place] == block_keys]]
        is_released |= is_among(sample_keys, hits)  # rows that are alike stand in a row
        if float(is_released.mean()) >= _ALIKE:
            return True
    return False


def records_of(
    log: QueryLog, release: Anonymized, users: Int64s, progress: Progress
) -> RecordTruth:
    """The true record of each of `users`; O(their rows log rows + rows of the release).

    Where ids don't tell, `rows_tell` must hold for what is found to mean anything.
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
    basis = "ids were changed or may be equal by accident; equal rows tell whose record is whose"
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
    no_owner = np.full(len(released.users), -1, dtype=np.int64)
    if kept_ids(log, release, progress) is None:
        if len(log) > MOST_ROWS:
            reason = sentence("records.too_many_rows", most_rows=MOST_ROWS)
            return RecordOwners(no_owner, reason)
        if not len(log) or not rows_tell(log, release, progress):
            reason = (
                "ids were changed or may be equal by accident, and the rows are no longer those of "
                "the log"
            )
            return RecordOwners(no_owner, reason)
    users = np.arange(len(log.users), dtype=np.int64)
    truth = records_of(log, release, users, progress)
    has_record = truth.record >= 0
    if not has_record.any():
        return RecordOwners(no_owner, "no user of the log is in the release")
    records, record_counts = np.unique(truth.record[has_record], return_counts=True)
    if (record_counts > 1).sum() > 0.05 * len(records):
        return RecordOwners(no_owner, "records are of several users each")
    first = np.flatnonzero(has_record)[np.unique(truth.record[has_record], return_index=True)[1]]
    no_owner[records[record_counts == 1]] = first[record_counts == 1]
    return RecordOwners(no_owner, truth.evidence)


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
    unmasked = np.flatnonzero(~find_masked(released.queries))
    return _are_most_known(released.queries.take(unmasked), log)


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
            codes = released.queries.match(log.queries).astype(np.int64)
            self.sharp = True
            self._raw = np.arange(len(log.queries), dtype=np.int64)
            self._released = codes
        else:
            self.sharp = False
            self._raw = tokenize_strings(log.queries, progress).compute_lengths()
            self._released = tokenize_strings(released.queries, progress).compute_lengths()
        self._log, self._release, self._times = log, released, times

    def hash_raw_rows(self, rows: slice | Int64s) -> UInt64s:
        return self._hash_rows(self._log.time[rows], self._raw[self._log.query[rows]])

    def hash_released_rows(self, rows: slice | Int64s) -> UInt64s:
        return self._hash_rows(self._release.time[rows], self._released[self._release.query[rows]])

    def _hash_rows(self, time: Int64s, content: Int64s) -> UInt64s:
        if self._times != SHUFFLED:
            time = floor_times(time, self._times)
        elif self.sharp:
            time = np.zeros_like(time)
        else:
            content = np.zeros_like(content)
        return mix_bits(time.astype(np.uint64) * GOLDEN_RATIO + content.astype(np.uint64))


def _by_rows(
    log: QueryLog, released: QueryLog, times: str, users: Int64s, progress: Progress
) -> Int64s:
    """The record with most of each user's events: every row votes for where its like stands."""
    keys = _RecordKeys(log, released, times, progress)
    if keys.sharp:
        search = _by_equal_rows if times == EXACT else _by_rare_rows
        records = search(log, released, keys, users, progress)
        return _drop_strangers(log, released, keys, records, users, progress)
    # The record with exactly the rows of each user; −2 where several have these.
    user_hashes = np.add.reduceat(keys.hash_raw_rows(slice(None)), log.user_starts[:-1])
    progress.check()
    record_hashes = np.add.reduceat(keys.hash_released_rows(slice(None)), released.user_starts[:-1])
    partner = match_partners(user_hashes, record_hashes)
    whole_records = np.where(
        partner < 0, np.where(is_among(user_hashes, record_hashes), -2, -1), partner
    )
    records = whole_records[users]
    unmatched = np.flatnonzero(records == -1)
    if times == EXACT and len(unmatched):
        row_matches = _by_equal_rows(log, released, keys, users[unmatched], progress)
        row_matches[is_among(row_matches, whole_records[whole_records >= 0])] = -1
        records[unmatched] = row_matches
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
    least = np.ones(len(users), dtype=np.int64)
    if not keys.sharp:  # by chance somebody else issued as many words in the same second
        least = (np.bincount(owner, minlength=len(users)) + 1) // 2
    records = _find_winners(target, record, count, least)
    if len(users) == len(released.users):  # to each their own: what others have is not theirs
        claimed = np.zeros(len(released.users), dtype=np.bool_)
        claimed[records[records >= 0]] = True
        free = ~claimed[record] & (records[target] == -2)
        second = _find_winners(target[free], record[free], count[free], least)
        peak = np.zeros(len(users), dtype=np.int64)
        np.maximum.at(peak, target, count)
        most_free = np.zeros(len(users), dtype=np.int64)
        np.maximum.at(most_free, target[free], count[free])
        records = np.where((records == -2) & (most_free == peak), second, records)
    winners = np.flatnonzero(records >= 0)
    pair = target * len(released.users) + record
    matched = count[np.searchsorted(pair, winners * len(released.users) + records[winners])]
    events = np.bincount(owner, minlength=len(users))[winners]
    events = np.minimum(events, _count_events(released)[records[winners]])
    records[winners[2 * matched < events]] = -2  # a stranger asked some of it in the same second
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
        owner, keys.hash_released_rows(rows), log, keys.hash_raw_rows, progress, popular_limit=_RARE
    )
    shared = np.zeros(len(claimed), dtype=np.int64)
    np.maximum.at(shared, record, count)
    may_be_of_several = 2 * len(released.users) <= len(log.users)
    is_whole = shared >= (_WHOLE * events if may_be_of_several else 0)
    matched_users = np.flatnonzero(records >= 0)
    place = np.searchsorted(claimed, records[matched_users])
    best = count == shared[record]
    firsts = record[best] * len(log.users) + user[best]
    is_first = is_among(place * len(log.users) + users[matched_users], firsts)
    rivals = record[best] if may_be_of_several else place[is_first]
    is_first &= np.bincount(rivals, minlength=len(claimed))[place] == 1
    records[matched_users[is_whole[place] & ~is_first]] = -2
    return records


def _count_shared(
    owner: Int64s,
    key: UInt64s,
    log: QueryLog,
    hash_rows: Callable[[slice], UInt64s],
    progress: Progress,
    *,
    popular_limit: int | None = None,
) -> tuple[Int64s, Int64s, Int64s, Int64s]:
    """How many events each owner of keys shares with each user of a log, by both, ascending.

    Of equal events only as many count as both have: else whoever has many would have them all.
    Those that more than `popular_limit` users have tell nothing and are left out. The last array
    says how many events of each owner count.
    """
    owner, key, key_counts = _count_pairs(owner, key)
    order = np.argsort(key, kind="stable")
    owner, key, key_counts = owner[order], key[order], key_counts[order]
    pairs = [np.zeros(0, dtype=np.int64)]
    for first, last in progress.blocks("comparing rows", len(log), _ROWS):
        block = slice(first, last)
        keys = hash_rows(block)
        low = np.searchsorted(key, keys)
        is_hit = log.event_starts[block] & (low < np.searchsorted(key, keys, side="right"))
        hits = np.flatnonzero(is_hit)
        pairs.append(low[hits] * len(log.users) + log.user[block][hits])
    pair, pair_counts = np.unique(np.concatenate(pairs), return_counts=True)
    low = pair // len(log.users)
    is_popular = np.zeros(len(key), dtype=np.bool_)
    if popular_limit is not None:
        is_popular = np.bincount(low, minlength=len(key))[np.searchsorted(key, key)] > popular_limit
        rare = np.flatnonzero(~is_popular[low])
        pair, pair_counts, low = pair[rare], pair_counts[rare], low[rare]
    events = np.bincount(owner, np.where(is_popular, 0, key_counts)).astype(np.int64)
    size = np.searchsorted(key, key[low], side="right") - low
    index = expand_ranges(low, size)
    shared = np.minimum(key_counts[index], np.repeat(pair_counts, size))
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
    own, keys_of, counts = _count_pairs(owner[begins], keys.hash_raw_rows(rows[begins]))
    record_events = np.flatnonzero(released.event_starts)
    record_of, keys_released, shared_counts = _count_pairs(
        released.user[record_events].astype(np.int64), keys.hash_released_rows(record_events)
    )
    progress.check()
    order = np.argsort(keys_released, kind="stable")
    low = np.searchsorted(keys_released[order], keys_of)
    size = np.searchsorted(keys_released[order], keys_of, side="right") - low
    rare = np.flatnonzero((size > 0) & (size <= _RARE))
    records = np.full(len(users), -1, dtype=np.int64)
    records[sorted_distinct(own[size > _RARE])] = -2
    for first, last in progress.blocks("comparing rows", len(users), _USERS):
        begin, end = np.searchsorted(own[rare], (first, last))
        part = rare[begin:end]
        index = expand_ranges(low[part], size[part])
        entry = np.repeat(part, size[part])
        shared = np.minimum(counts[entry], shared_counts[order[index]]) * (_SCALE // size[entry])
        pair = (own[entry] - first) * len(released.users) + record_of[order[index]]
        distinct, place = np.unique(pair, return_inverse=True)
        votes = np.zeros(len(distinct), dtype=np.int64)
        np.add.at(votes, place, shared)
        votes_needed = np.ones(last - first, dtype=np.int64)
        target, record = distinct // len(released.users), distinct % len(released.users)
        best = _find_winners(target, record, votes, votes_needed)
        records[first:last] = np.where(best == -1, records[first:last], best)
    # Of what a user did a stranger, too, has done some; half of a record is its user's or nobody's.
    winners = np.flatnonzero(records[own] >= 0)
    pairs = _mix_pairs(record_of, keys_released)
    order = np.argsort(pairs)
    owned = _mix_pairs(records[own[winners]], keys_of[winners])
    place = order[np.minimum(np.searchsorted(pairs[order], owned), len(order) - 1)]
    shared = np.where(pairs[place] == owned, np.minimum(counts[winners], shared_counts[place]), 0)
    matched = np.bincount(own[winners], shared, minlength=len(users))
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


def match_partners(own_hashes: UInt64s, other_hashes: UInt64s) -> Int64s:
    """For each number the place of the same one among others, −1 unless both are there once."""
    _, first, own_counts = np.unique(own_hashes, return_index=True, return_counts=True)
    _, other_first, other_counts = np.unique(other_hashes, return_index=True, return_counts=True)
    left, right = first[own_counts == 1], other_first[other_counts == 1]
    _, a, b = np.intersect1d(own_hashes[left], other_hashes[right], return_indices=True)
    partner = np.full(len(own_hashes), -1, dtype=np.int64)
    partner[left[a]] = right[b]
    return partner


def _count_pairs(owner: Int64s, key: UInt64s) -> tuple[Int64s, UInt64s, Int64s]:
    """The distinct pairs of an owner and a key, by owner, and how often each is there."""
    order = np.lexsort((key, owner))
    owner, key = owner[order], key[order]
    first = np.flatnonzero(mark_run_starts(owner, key))
    return owner[first], key[first], np.diff(np.append(first, len(order)))


def _find_winners(target: Int64s, record: Int64s, count: Int64s, needed_votes: Int64s) -> Int64s:
    """The record with most votes; −1 without (enough) votes, −2 where two have the most."""
    winners = np.full(len(needed_votes), -1, dtype=np.int64)
    order = np.lexsort((-count, target))
    target, record, count = target[order], record[order], count[order]
    first = np.flatnonzero(np.diff(target, prepend=-1))
    winners[target[first]] = record[first]
    winners[target[first][count[first] < needed_votes[target[first]]]] = -1
    second = np.minimum(first + 1, max(len(target) - 1, 0))
    tied = (second > first) & (target[second] == target[first]) & (count[second] == count[first])
    has_winner = winners[target[first]] >= 0
    winners[target[first][tied & has_winner]] = -2
    return winners
