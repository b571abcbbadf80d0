"""Editing a log so that everybody in a group has the same shares: which events go, which come.

Given a target with shares p_c and a user's counts n_c, the final size N is their own (``keep``),
the N that changes least (Σ_c |n_c − p_c N| is piecewise linear in N, so its minimum stands at a
weighted median of n_c/p_c), or the multiple of the target's reduced total that changes least
(``exact``: then p_c N is whole for every c). Other sizes are rounded by largest remainders, which
leaves a distance. Whoever may only add takes the smallest N that nothing needs to be taken from;
whoever may only suppress the largest that nothing needs to be added to, or what is least change if
there is none; the counts are then clipped.

Events to go are drawn at random. Events to come are copies, with their clicks, of random events
that members of the group have in that cluster; a copy that meets the same query of the same user
in the same second moves to the next free one. Cost: O(events log events).
"""

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Int32s, Int64s, expand_ranges, mark_run_starts
from auditor.errors import ParameterError
from auditor.log import gil_friendly
from auditor.log.model import QueryLog, number_by_appearance
from auditor.log.sentences import sentence
from auditor.methods.k_delta import kernels
from auditor.methods.k_delta.kernels import CountEdits
from auditor.methods.k_delta.user_groups import InterestVectors, UserGroups
from auditor.privacy.randomness import Randomness
from auditor.progress import Progress, run_cancellable

SIZES = ("keep", "least-change", "exact")
MODES = ("both", "add", "suppress")
MOST_EVENTS = 400_000_000
"""Events that a release may have at most; adding without suppressing can need very many."""
_BLOCK = 1 << 20
_EVENTS = 1 << 18
"""Events that are edited between two looks at whether somebody cancelled; whole groups."""


@dataclass(frozen=True, eq=False)
class EditedLog:
    """The log that came out, under the users' old codes, and how much was changed."""

    log: QueryLog
    added: int
    suppressed: int
    misattributed: int
    """Pairs of a user and a query that they never made."""


def target_counts(
    vectors: InterestVectors, groups: UserGroups, epsilon: float, progress: Progress
) -> InterestVectors:
    """The counts whose shares each part is to have; shape (parts,).

    A group's representative is the target of all its parts where epsilon is 0. Otherwise each
    part's own representative is moved towards the group's until they are within epsilon / 2, so
    that any two targets of a group are within epsilon. O(entries log entries).
    """
    above = np.zeros(len(groups.part_lead), dtype=np.int64)
    above[groups.part] = groups.group
    lead = groups.lead[above]
    if epsilon == 0 or np.array_equal(lead, groups.part_lead):
        return vectors.select_users(lead)
    parts, other = vectors.select_users(groups.part_lead), vectors.select_users(lead)
    progress.check()
    keys = np.concatenate((parts.encode_keys(), other.encode_keys()))
    cells, inverse = np.unique(keys, return_inverse=True)
    progress.check()
    counts = np.zeros((2, len(cells)), dtype=np.int64)
    counts[0, inverse[: len(parts.counts)]] = parts.counts
    counts[1, inverse[len(parts.counts) :]] = other.counts
    starts = np.searchsorted(cells >> 32, np.arange(len(parts) + 1))
    out = np.empty(len(cells), dtype=np.int64)
    half = epsilon / 2 * (1 - 1e-12)
    for first, last in progress.blocks("moving towards representatives", len(parts), 2_000):
        kernels.blend_all(first, last, starts, counts[0], counts[1], half, out)
    positive = out > 0
    offsets = np.concatenate(([0], np.cumsum(positive)))[starts]
    totals = np.bincount(cells[positive] >> 32, out[positive], minlength=len(parts)).astype(
        np.int64
    )
    return InterestVectors(
        offsets, cells[positive] & 0xFFFFFFFF, out[positive], totals, vectors.width
    )


def plan_edits(
    vectors: InterestVectors,
    part: Int64s,
    target: InterestVectors,
    size: str,
    mode: str,
    progress: Progress,
) -> CountEdits:
    """How many events of each cluster each user is to have; O(entries log entries)."""
    room = np.diff(vectors.starts) + np.diff(target.starts)[part]
    pieces: list[tuple[Int64s, ...]] = []
    bounds = np.concatenate(([0], np.cumsum(room)))
    users = kernels.ClusterCounts(vectors.starts, vectors.clusters, vectors.counts)
    targets = kernels.ClusterCounts(target.starts, target.clusters, target.counts)
    options = SIZES.index(size), MODES.index(mode)
    total = 0
    for first, last in progress.whole_blocks("planning edits", bounds, _BLOCK // 4):
        entries = int(bounds[last] - bounds[first])
        out = CountEdits(*(np.empty(entries, dtype=np.int64) for _ in range(4)))
        edit_count = kernels.edit_counts(first, last, users, part, targets, options, out)
        pieces.append(tuple(column[:edit_count] for column in out))
        total += int(out.after[:edit_count].sum())
        if total > MOST_EVENTS:
            raise ParameterError(
                "size", sentence("k_delta.release_events_choose_another", most_events=MOST_EVENTS)
            )
    if not pieces:
        return CountEdits(*(np.zeros(0, dtype=np.int64) for _ in range(4)))
    return CountEdits(*(np.concatenate([piece[i] for piece in pieces]) for i in range(4)))


def edit_log(
    log: QueryLog,
    cluster: Int64s,
    group: Int64s,
    edits: CountEdits,
    rng: Randomness,
    progress: Progress,
) -> EditedLog:
    """Suppress and copy events as planned; addresses and cookies are dropped.

    Groups are edited by and by, about `_EVENTS` events at a time: what one does never touches
    another, and so memory beyond the log's and the wait for a cancel stay small.
    """
    first = np.flatnonzero(log.event_starts)
    users = np.arange(len(group) + 1)
    events_of, edits_of = np.searchsorted(log.user[first], users), edits.user.searchsorted(users)
    order = np.argsort(group, kind="stable")
    edges = np.concatenate(([0], np.flatnonzero(np.diff(group[order], append=-1)) + 1))
    through = np.concatenate(([0], np.cumsum(np.diff(events_of)[order])))[edges]
    pieces: list[_AddedEvents] = []
    for low, high in progress.whole_blocks("editing groups", through, _EVENTS):
        members = np.sort(order[edges[low] : edges[high]])
        index = expand_ranges(events_of[members], events_of[members + 1] - events_of[members])
        cells = expand_ranges(edits_of[members], edits_of[members + 1] - edits_of[members])
        entries = CountEdits(*(column[cells] for column in edits))
        pieces.append(_edit_groups(log, first[index], index, cluster, group, entries, rng))
    added_events, suppressed, strange = (
        sum(getattr(piece, name) for piece in pieces) for name in ("added", "suppressed", "strange")
    )
    event, number = np.empty(len(log), dtype=np.int64), 0
    for start, stop in progress.blocks("numbering events", len(log), _BLOCK):
        number = kernels.number_events(start, stop, number, log.query, log.event_starts, event)
    source, owner, time = (
        np.concatenate([np.zeros(0, kind), *(getattr(piece, name) for piece in pieces)])
        for name, kind in (("source", np.int32), ("owner", np.int32), ("time", np.int64))
    )
    progress.stage("writing the edited log")
    edited = run_cancellable(lambda: _build_log(log, event, source, owner, time), progress)
    return EditedLog(edited, added_events, suppressed, strange)


@dataclass(frozen=True, eq=False)
class _AddedEvents:
    """What came of some groups: which event, whose it is now and when; shape (events,)."""

    source: Int32s
    owner: Int32s
    time: Int64s
    added: int
    suppressed: int
    strange: int


def _edit_groups(
    log: QueryLog,
    rows: Int64s,
    events: Int64s,
    cluster: Int64s,
    group: Int64s,
    edits: CountEdits,
    rng: Randomness,
) -> _AddedEvents:
    """Edit all events of some groups, of which `rows` are the first rows."""
    user, query = log.user[rows].astype(np.int64), log.query[rows].astype(np.int64)
    row_cluster = cluster[query]
    order = rng.permutation(len(user))
    order = order[np.lexsort((row_cluster[order], user[order]))]
    present = edits.before > 0
    before, stay = edits.before[present], np.minimum(edits.before, edits.after)[present]
    rank = np.arange(len(order)) - np.repeat(np.cumsum(before) - before, before)
    kept_events = np.sort(order[rank < np.repeat(stay, before)])

    missing_events = np.maximum(edits.after - edits.before, 0)
    entries = np.flatnonzero(missing_events)
    times, receiver = missing_events[entries], edits.user[entries]
    pool = np.lexsort((row_cluster, group[user]))
    keys = (group[user][pool] << 32) | row_cluster[pool]
    key = (group[receiver] << 32) | edits.cluster[entries]
    low = np.searchsorted(keys, key, side="left")
    width = np.searchsorted(keys, key, side="right") - low
    # 62 random bits modulo the pool's size: no event is favoured by more than size / 2⁶².
    offset = rng.integers(1 << 62, int(times.sum())) % np.repeat(np.maximum(width, 1), times)
    copied, to = pool[np.repeat(low, times) + offset], np.repeat(receiver, times)

    source, owner = np.concatenate((kept_events, copied)), np.concatenate((user[kept_events], to))
    time = _free_seconds(owner, query[source], log.time[rows[source]])
    old_pairs = gil_friendly.sorted_distinct((user << 32) | query)
    new_pairs = gil_friendly.sorted_distinct((to << 32) | query[copied])
    return _AddedEvents(
        events[source].astype(np.int32),
        owner.astype(np.int32),
        time,
        added=len(copied),
        suppressed=len(user) - len(kept_events),
        strange=len(new_pairs) - len(np.intersect1d(old_pairs, new_pairs, assume_unique=True)),
    )


def _free_seconds(owner: Int64s, query: Int64s, time: Int64s) -> Int64s:
    """Times at which no two events of one (user, query) meet; later ones move on. O(n log n)."""
    if not len(time):
        return time
    order = np.lexsort((np.arange(len(time)), time, query, owner))
    new = mark_run_starts(owner[order], query[order])
    user = np.cumsum(new) - 1
    rank = np.arange(len(order)) - np.flatnonzero(new)[user]
    free = time[order] - rank
    span = int(free.max()) - int(free.min()) + 1
    free = np.maximum.accumulate((free - free.min()) + user * span) - user * span + free.min()
    moved = np.empty_like(time)
    moved[order] = free + rank
    return moved


def _build_log(
    log: QueryLog, event: Int64s, source: Int32s, owner: Int32s, time: Int64s
) -> QueryLog:
    """The log of events by (user, time); `event` is that of each row, the rest of each event."""
    rows = np.argsort(event, kind="stable").astype(np.int32)
    size = np.bincount(event, minlength=int(event.max(initial=-1)) + 1)
    starts = np.cumsum(size) - size
    order = np.lexsort((time, owner))
    source, owner, time = source[order], owner[order], time[order]
    size, starts = size[source], starts[source]
    kept_rows = rows[expand_ranges(starts, size)]
    # Numbered anew in the order of rows: a log written and read again is the same.
    user, users = number_by_appearance(np.repeat(owner, size), log.users)
    query, queries = number_by_appearance(log.query[kept_rows], log.queries)
    url, urls = number_by_appearance(log.url[kept_rows], log.urls)
    return QueryLog.from_codes(
        user=user,
        query=query,
        time=np.repeat(time, size),
        url=url,
        rank=log.rank[kept_rows],
        users=users,
        queries=queries,
        urls=urls,
        origin=log.origin,
    )
