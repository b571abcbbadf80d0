"""Which event of a release is which of the raw log, and so which hash is which word.

Only the auditor, who has both, can ask. O(rows + tokens), and a sort of the rows where users were
dropped.
"""

import numpy as np

from auditor.arrays import Int64s, Integers, UInt64s, expand_ranges, find_sorted, mark_run_starts
from auditor.bit_mixing import GOLDEN_RATIO, mix_bits
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog
from auditor.log.text import TokenizedQueries, tokenize_strings
from auditor.privacy.records import match_partners
from auditor.privacy.release import Anonymized
from auditor.privacy.release_times import EXACT, SHUFFLED, floor_times, times_of
from auditor.progress import Progress, run_cancellable


def align_release(
    raw: QueryLog, release: Anonymized, progress: Progress
) -> tuple[Int64s, Int64s] | None:
    """`align_rows` of a release, by its truth table where there is one and rows keep their order.

    Users of whom not as many rows are left, with queries as long, are left out then.
    """
    assert release.log is not None
    times = times_of(release.params)
    if release.truth is None or times != EXACT:
        return align_rows(raw, release.log, progress, times=times)
    owner = release.truth.find_owners(raw, release.log)
    sizes, raw_sizes = np.diff(release.log.user_starts), np.diff(raw.user_starts)
    complete = np.flatnonzero((owner >= 0) & (sizes == np.append(raw_sizes, 0)[owner]))
    raw_rows = expand_ranges(raw.user_starts[owner[complete]], sizes[complete])
    released_rows = expand_ranges(release.log.user_starts[complete], sizes[complete])
    before, after = (
        tokenize_strings(log.queries, progress).compute_lengths()[log.query[rows]]
        for log, rows in ((raw, raw_rows), (release.log, released_rows))
    )
    other = np.bincount(release.log.user[released_rows], before != after, len(sizes)) > 0
    is_unambiguous = ~other[release.log.user[released_rows]]
    return (
        (raw_rows[is_unambiguous], released_rows[is_unambiguous]) if is_unambiguous.any() else None
    )


def align_rows(
    raw: QueryLog, release: QueryLog, progress: Progress, *, times: str = EXACT
) -> tuple[Int64s, Int64s] | None:
    """Rows of the raw log and of the release that are the same event, or None if none are.

    A method that keeps every row and its time may have renamed and reordered users, or put all
    rows under one. Users are told apart by their times and lengths of queries; those whom that
    doesn't tell apart are left out. Where `times` says that they are coarser or shuffled, so are
    rows that share a user, length and what is left of the time with a row of another query.
    """
    if len(raw) != len(release) or not len(raw):
        return None
    if times != EXACT:
        return _aligned_coarsely(raw, release, times, progress)
    raw_keys, released_keys = _row_keys(raw, progress), _row_keys(release, progress)
    rows = np.arange(len(raw), dtype=np.int64)
    if np.array_equal(raw_keys, released_keys):
        return rows, rows
    if len(release.users) == 1:
        order = run_cancellable(lambda: np.argsort(raw.time, kind="stable"), progress)
        ordered = run_cancellable(lambda: raw_keys[order], progress)
        return (order, rows) if np.array_equal(ordered, released_keys) else None
    if len(raw.users) != len(release.users):
        return None
    left, right = _user_keys(raw, raw_keys), _user_keys(release, released_keys)
    if not np.array_equal(np.sort(left), np.sort(right)):
        return None
    partner = match_partners(left, right)
    rows = np.flatnonzero(partner[raw.user] >= 0)
    user = raw.user[rows]
    image = release.user_starts[partner[user]] + (rows - raw.user_starts[user])
    return (rows, image) if np.array_equal(raw_keys[rows], released_keys[image]) else None


def _aligned_coarsely(
    raw: QueryLog, release: QueryLog, times: str, progress: Progress
) -> tuple[Int64s, Int64s] | None:
    one_user = len(release.users) == 1
    if not one_user and len(raw.users) != len(release.users):
        return None
    raw_keys, released_keys = _row_keys(raw, progress, times), _row_keys(release, progress, times)
    partner = np.zeros(len(raw.users), dtype=np.int64)
    if not one_user:
        partner = match_partners(
            _records_keys(raw, times, raw_keys), _records_keys(release, times, released_keys)
        )
    paired = np.flatnonzero(partner[raw.user] >= 0)
    if not len(paired):
        return None
    owner = partner[raw.user[paired]]
    left = _find_unambiguous_rows(owner, raw_keys[paired], raw.query[paired])
    right = _find_unambiguous_rows(release.user, released_keys, release.query)
    progress.check()
    first = mix_bits(owner[left].astype(np.uint64) * GOLDEN_RATIO + raw_keys[paired[left]])
    second = mix_bits(release.user[right].astype(np.uint64) * GOLDEN_RATIO + released_keys[right])
    _, a, b = np.intersect1d(first, second, return_indices=True)
    return (paired[left][a], right[b]) if len(a) else None


def _records_keys(log: QueryLog, times: str, keys: UInt64s) -> UInt64s:
    """A number for each user's record; shuffled times are all there, in another order."""
    row_hashes = mix_bits(keys)
    if times == SHUFFLED:
        row_hashes = row_hashes + mix_bits(log.time.astype(np.uint64) * GOLDEN_RATIO)
    return np.add.reduceat(row_hashes, log.user_starts[:-1])


def _find_unambiguous_rows(user: Integers, key: UInt64s, query: Integers) -> Int64s:
    """A row of each pair of a user and a key under which one query alone stands."""
    order = np.lexsort((query, key, user))
    user, key, query = user[order], key[order], query[order]
    first = np.flatnonzero(mark_run_starts(user, key))
    last = np.append(first[1:], len(order)) - 1
    unambiguous: Int64s = order[first[query[first] == query[last]]]
    return unambiguous


def _row_keys(log: QueryLog, progress: Progress, times: str = EXACT) -> UInt64s:
    """What is left of each row's time, and its query's length; the latter alone if shuffled."""
    lengths = tokenize_strings(log.queries, progress).compute_lengths().astype(np.uint64)
    progress.stage("distinguishing rows")
    keys = lengths[log.query]
    if times != SHUFFLED:
        keys += floor_times(log.time, times).astype(np.uint64) * np.uint64(4096)
    progress.check()
    return mix_bits(keys)


def _user_keys(log: QueryLog, keys: UInt64s) -> UInt64s:
    place = np.arange(len(log)) - log.user_starts[log.user]
    row_hashes = mix_bits(keys + place.astype(np.uint64) * GOLDEN_RATIO)
    return np.add.reduceat(row_hashes, log.user_starts[:-1])


def labels_of(
    raw: QueryLog, release: QueryLog, rows: tuple[Int64s, Int64s], progress: Progress
) -> tuple[Int64s, Int64s]:
    """Labels of the release's and of the raw log's tokens, by code; −1 where nothing tells.

    Where words kept their places, hash and word stand in the same place of the same query. Else
    a hash and a word are the same if they stand in the same queries, equally often: words that
    always stand together share a label.
    """
    raw_tokens, released_tokens = (
        tokenize_strings(log.queries, progress) for log in (raw, release)
    )
    progress.stage("pairing queries")
    # The released query of each raw one, −1 where rows disagree or none tells.
    image = np.full(len(raw.queries), -1, dtype=np.int64)
    before, after = raw.query[rows[0]], release.query[rows[1]]
    image[before] = after
    image[before[image[before] != after]] = -1
    progress.stage("comparing words")
    paired = np.flatnonzero(image >= 0)
    words, hashes = take_tokens(raw_tokens, paired), take_tokens(released_tokens, image[paired])
    progress.check()
    raw_label = np.full(len(raw_tokens.vocabulary), -1, dtype=np.int64)
    hash_label = np.full(len(released_tokens.vocabulary), -1, dtype=np.int64)
    hash_label[hashes] = words
    raw_label[words] = words
    one_to_one = np.bincount(hash_label[hash_label >= 0]).max(initial=0) <= 1
    if one_to_one and np.array_equal(hash_label[hashes], words):
        return hash_label, raw_label
    raw_sum = np.zeros(len(raw_tokens.vocabulary), dtype=np.uint64)
    hash_sum = np.zeros(len(released_tokens.vocabulary), dtype=np.uint64)
    noise = np.repeat(
        mix_bits((paired + 1).astype(np.uint64) * GOLDEN_RATIO),
        raw_tokens.compute_lengths()[paired],
    )
    np.add.at(raw_sum, words, noise)
    np.add.at(hash_sum, hashes, noise)
    distinct = run_cancellable(lambda: sorted_distinct(raw_sum[raw_sum > 0]), progress)
    return find_sorted(hash_sum, distinct), find_sorted(raw_sum, distinct)


def take_tokens(tokens: TokenizedQueries, strings: Integers) -> Int64s:
    """The tokens of some strings, end to end."""
    start = tokens.offsets[strings]
    places = expand_ranges(start, tokens.offsets[strings + 1] - start)
    return tokens.codes[places].astype(np.int64)
