"""The distance between users of Navarro-Arribas et al. (2012), section 3.2.1, eqs. 1-4.

Two events are apart by the weighted mean of what separates their times, ranks, domains and
query strings; two users by half the difference of their numbers of events and half the
Hausdorff distance of their events. Exact but for single precision (about 10⁻⁶).

Two slips of the print are mended. Eq. 1 doubles the number of terms, while the text says twice
that the Hausdorff distance of the words weighs double: `DistanceWeights` doubles the latter, and
swapping its `length` and `words` gives the print. The norm subtracts the maximum in print, which
changes no distance, since only differences enter.

Cost of all pairs: O(n² + Q·q·l²) for n events with q distinct queries of l words, Q pairs of a
user and a query, plus O(w²) for w words: 1,000 users with 56 events each take some ten seconds
on two cores. Memory: u² floats, w² bytes up to `MOST_TABLE`, and O(q + w) a thread.
"""

from __future__ import annotations

import itertools
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from auditor import platform
from auditor.arrays import Float32s, Int32s, Int64s, expand_ranges
from auditor.log.model import QueryLog
from auditor.log.user_distance.features import (
    DistanceWeights,
    UserSpace,
    block_edges,
    interleave_rows,
    inverse_order,
    space_of,
)
from auditor.progress import Progress

if TYPE_CHECKING:
    from auditor.log.user_distance import hausdorff_kernels as hausdorff
    from auditor.log.user_distance import kernels


MOST_TABLE = 1 << 30
"""Bytes that a table of word distances may take; rows of rarer words are computed on demand."""
KEPT_BYTES = 512 << 20
"""Bytes of distance matrices that are kept for the next run."""

_ASKED = 32  # events, at most, that tell which ones are odd
_WORK = 60_000_000  # pairs of events between two looks at the cancel flag: some 50 ms


@dataclass(frozen=True, eq=False)
class DistanceProbe:
    """Events of a centroid, or of a user: what the distance to all users is asked of.

    `query` are codes of the space, `labels` domains from the right (p, deepest), `depth` their
    numbers of labels (0 = no domain), `rank` normalised (−1 = none), `time` normalised, `count`
    the normalised number of events.
    """

    query: Int64s
    time: Float32s
    labels: Int32s
    depth: Int32s
    rank: Float32s
    count: float


class UserDistance:
    """Distances between the users of a space; holds the tables that all of them need.

    `table_bytes` is the most that the table of word distances may take, `MOST_TABLE` by default: 0
    where few users are asked, since looking up what isn't in it costs less than making it. Raises
    `Cancelled` while it builds that table.
    """

    def __init__(
        self,
        space: UserSpace,
        weights: DistanceWeights,
        progress: Progress,
        *,
        threads: int | None = None,
        table_bytes: int | None = None,
    ) -> None:
        from auditor.log.user_distance import kernels

        self.space = space
        self.weights = weights.normalize_shares()
        self._parts = np.array(
            [self.weights.rank, self.weights.url, self.weights.length, self.weights.words]
        )
        sizes = np.diff(space.word_starts)
        order = np.argsort(sizes, kind="stable")
        self._place = inverse_order(order)
        most = MOST_TABLE if table_bytes is None else table_bytes
        self._lexicon, word_place = self._build_words(most, progress, threads)
        every = np.arange(int(sizes.max(initial=0)) + 2)
        first = np.searchsorted(sizes[order], every).astype(np.int64)
        codes = word_place[space.word]
        tokens, base = interleave_rows(codes, space.word_starts, order, every[:-1], first)
        self._texts = kernels.QueryWords(
            offsets=block_edges(sizes[order]),
            words=codes[expand_ranges(space.word_starts[order], sizes[order])],
            size_first=first,
            size_base=base,
            tokens=tokens.astype(np.uint32),
            terms=space.terms[order],
        )
        self._sites = self._build_sites()
        self._events = kernels.UserEvents(
            time=space.time * np.float32(self.weights.time),
            query=self._place[space.query].astype(np.uint32),
            click=space.click.astype(np.uint32),
            starts=space.starts,
        )

    def _build_words(
        self, most: int, progress: Progress, threads: int | None
    ) -> tuple[kernels.WordTable, Int64s]:
        from auditor.log.user_distance import kernels

        space = self.space
        lengths = np.diff(space.letter_starts)
        order = np.argsort(lengths, kind="stable")
        kinds, first = np.unique(lengths[order], return_index=True)
        first = np.append(first, len(lengths)).astype(np.int64)
        chars, base = interleave_rows(space.letters, space.letter_starts, order, kinds, first)
        n, longest = len(lengths), int(lengths.max(initial=0))
        rows = min(n, most // max(n, 1)) if longest <= 255 else 0
        place = inverse_order(order)
        held = np.arange(n)
        if rows < n:  # those asked most often
            held = np.sort(place[np.argsort(-self._count_word_uses(), kind="stable")[:rows]])
        row = np.full(n, -1, dtype=np.int64)
        row[held] = np.arange(rows)
        lexicon = kernels.WordTable(
            lengths=lengths[order].astype(np.int32),
            places=np.repeat(np.arange(len(kinds), dtype=np.int32), np.diff(first)),
            chars=chars.astype(np.uint16),
            group_first=first,
            group_base=base,
            alphabet=max(space.alphabet, 1),
            table=np.empty((rows, n), dtype=np.uint8),
            row=row,
        )
        size = int(max(1, min(64, 40_000_000 // max(n, 1))))
        blocks = range(0, rows, size)

        def fill(task: int) -> None:
            first, last = blocks[task], min(blocks[task] + size, rows)
            if rows == n:
                kernels.edit_block(first, last, lexicon)
            else:
                kernels.edit_rows(held[first:last], first, lexicon)

        in_threads("comparing words", [size] * len(blocks), lambda: fill, progress, threads)
        return lexicon, place

    def _count_word_uses(self) -> Int64s:
        """How often each word's distances are asked: once for each user and query of theirs."""
        space = self.space
        first = np.ones(space.events, dtype=np.bool_)  # a user's equal queries stand together
        first[1:] = space.query[1:] != space.query[:-1]
        first[space.starts[:-1][np.diff(space.starts) > 0]] = True
        users = np.bincount(space.query[first], minlength=len(space.terms))
        each = np.repeat(users, np.diff(space.word_starts))
        return np.bincount(space.word, each, len(space.letter_starts) - 1).astype(np.int64)

    def _build_sites(self) -> kernels.ClickedSites:
        from auditor.log.user_distance import kernels

        space = self.space
        every = np.arange(int(space.depth.max(initial=0)) + 2)
        order = np.argsort(space.depth, kind="stable")
        first = np.searchsorted(space.depth[order], every).astype(np.int64)
        width = space.labels.shape[1]
        starts = np.arange(len(order)) * width
        labels, base = interleave_rows(space.labels.ravel(), starts, order, every[:-1], first)
        place = np.append(inverse_order(order), len(order))
        none = np.full((1, max(width, 1)), -1, dtype=np.int32)
        mine = space.labels[order] if len(order) and width else none
        self._labels = mine, np.append(space.depth[order], 0).astype(np.int64)
        ranks, rank = np.unique(space.rank, return_inverse=True)
        return kernels.ClickedSites(
            first=first,
            base=base,
            labels=labels,
            host=place[space.host].astype(np.uint32),
            rank=rank.astype(np.uint32),
            ranks=ranks,
        )

    def _allocate_scratch(self) -> kernels.DistanceScratch:
        from auditor.log.user_distance import kernels

        words = len(self._lexicon.lengths)
        return kernels.DistanceScratch(
            edits=np.empty(words, dtype=np.uint16),
            rows=np.empty((3, words), dtype=np.float32),
            queries=np.empty(len(self._texts.terms), dtype=np.float32),
            clicks=np.empty(len(self._sites.host), dtype=np.float32),
            hosts=np.empty(len(self.space.depth) + 1, dtype=np.float32),
            ranks=np.empty(len(self._sites.ranks), dtype=np.float32),
            events=np.empty(self.space.events, dtype=np.float32),
            held=np.full(1, -1, dtype=np.int64),
            lanes=np.empty(kernels.LANES, dtype=np.float32),
        )

    def make_probe(self, user: int) -> DistanceProbe:
        """User number `user` of the space, as a probe."""
        space = self.space
        rows = np.arange(space.starts[user], space.starts[user + 1])
        count = float(space.count[user])
        return DistanceProbe(
            space.query[rows], space.time[rows], *self._collect_clicks(rows), count
        )

    def _collect_clicks(self, rows: Int64s) -> tuple[Int32s, Int32s, Float32s]:
        """Labels, depths and ranks of some events."""
        space = self.space
        click = space.click[rows]
        host = space.host[click]
        labels = np.full((len(host), space.labels.shape[1]), -1, dtype=np.int32)
        labels[host >= 0] = space.labels[host[host >= 0]]
        depth = np.zeros(len(host), dtype=np.int32)
        depth[host >= 0] = space.depth[host[host >= 0]]
        return labels, depth, space.rank[click]

    def _follow_probe(
        self,
        probe: DistanceProbe,
        scratch: kernels.DistanceScratch,
        best: Float32s,
        least: Float32s,
        check: Callable[[], None],
    ) -> None:
        from auditor.log.user_distance import kernels

        ready = kernels.UserProbe(
            time=probe.time * np.float32(self.weights.time),
            query=self._place[probe.query],
            labels=probe.labels,
            depth=probe.depth,
            rank=probe.rank,
        )
        tables = self._collect_tables()
        scratch.held[0] = -1
        work = 2 * self.space.events + 12 * len(self._texts.terms) + 4 * len(self._lexicon.lengths)
        size = max(1, _WORK // max(work, 1))
        for first in range(0, len(ready.time), size):
            check()
            span = first, min(first + size, len(ready.time))
            kernels.follow_events(span, ready, self._events, tables, scratch, best, least)

    def _collect_tables(self) -> kernels.DistanceTables:
        from auditor.log.user_distance import kernels

        return kernels.DistanceTables(self._lexicon, self._texts, self._sites, self._parts)

    def _measure_oddness(self, progress: Progress) -> Float32s:
        """How far each event is from the nearest of a few events, taken evenly."""
        space = self.space
        asked = min(_ASKED, max(4, space.events // 256), space.events)
        some = np.unique(np.linspace(0, space.events - 1, asked).astype(int))
        every = DistanceProbe(space.query[some], space.time[some], *self._collect_clicks(some), 0.0)
        least = np.full(space.events, np.inf, dtype=np.float32)
        none = np.empty(0, dtype=np.float32)
        self._follow_probe(every, self._allocate_scratch(), none, least, progress.check)
        return least

    def _order_events(self, odd: Float32s) -> tuple[hausdorff.HausdorffUsers, Int64s]:
        """Events in the order in which they answer; and in that in which they ask."""
        from auditor.log.user_distance import hausdorff_kernels as hausdorff

        space = self.space
        user = np.repeat(np.arange(len(space.users)), np.diff(space.starts))
        clicked = space.host[space.click] >= 0
        answer = np.lexsort((odd, clicked, user))
        query, click = self._place[space.query[answer]], space.click[answer]
        texts, sites = self._texts, self._sites
        sizes = np.diff(texts.offsets)
        codes = np.zeros((len(user), hausdorff.LINE), dtype=np.int32)
        codes[:, 0], codes[:, 1] = sites.host[click], sites.rank[click]
        codes[:, 2], codes[:, 3] = sizes[query], texts.offsets[query]
        reals = codes.view(np.float32)
        reals[:, 4] = self._events.time[answer]
        reals[:, 5] = texts.terms[query] * np.float32(self.weights.length)
        words = texts.words.astype(np.int32)
        for place in range(min(hausdorff.INLINE, int(sizes.max(initial=0)))):
            there = np.flatnonzero(sizes[query] > place)
            codes[there, 6 + place] = words[texts.offsets[query[there]] + place]
        crowd = hausdorff.HausdorffUsers(
            starts=space.starts,
            middle=space.starts[1:] - np.bincount(user[clicked], minlength=len(space.users)),
            codes=codes.ravel(),
            reals=reals.ravel(),
            words=words,
        )
        fresh = np.ones(len(user), dtype=np.bool_)  # rows of one user and query stand together
        fresh[1:] = (user[1:] != user[:-1]) | (space.query[1:] != space.query[:-1])
        begin = np.flatnonzero(fresh)
        oddest = np.maximum.reduceat(odd, begin)[np.cumsum(fresh) - 1]
        return crowd, np.lexsort((space.click, space.query, -oddest, user))

    def compute_pairs(
        self, progress: Progress, stage: str = "comparing users", *, threads: int | None = None
    ) -> Float32s:
        """Distances between all users; symmetric, zero diagonal; float32 (u, u)."""
        from auditor.log.user_distance import hausdorff_kernels as hausdorff

        space = self.space
        users = len(space.users)
        far = np.zeros((users, users), dtype=np.float32)
        if not space.events:
            return far
        crowd, asking = self._order_events(self._measure_oddness(progress))
        progress.check()
        sizes = np.diff(space.starts)
        order = np.argsort(-sizes, kind="stable")
        done = np.zeros(users, dtype=np.bool_)
        step = max(1, _WORK // 64 // space.events)
        events = hausdorff.ChasedEvents(
            asking, self._events.time, self._events.query, self._events.click, *self._labels
        )
        tables = self._collect_tables()

        def make_worker() -> Callable[[int], None]:
            room = self._allocate_buffers()

            def compute_row(task: int) -> None:
                user = int(order[task])
                first, last = int(space.starts[user]), int(space.starts[user + 1])
                best = np.where(done, far[:, user], np.float32(0.0))  # h(b → a) counts as well
                for at in range(first, last, step):
                    progress.check()
                    span = at, min(at + step, last)
                    hausdorff.chase_events(span, user, events, crowd, tables, room, best)
                best[user] = 0.0
                far[user] = best
                done[user] = True

            return compute_row

        in_threads(stage, sizes[order].tolist(), make_worker, progress, threads)
        self._finish_distances(far, progress)
        return far

    def _finish_distances(self, far: Float32s, progress: Progress) -> None:
        """From the greater of both directions so far to distances, in place."""
        users, count = len(far), self.space.count
        for first in range(0, users, 256):
            progress.check()
            rows = slice(first, min(first + 256, users))
            both = np.maximum(far[rows, first:], far[first:, rows].T)
            far[rows, first:] = both
            far[first:, rows] = both.T
        for first in range(0, users, 256):
            progress.check()
            part = far[first : first + 256]
            part *= np.float32(self.weights.queries)
            apart = np.abs(count[first : first + 256, None] - count[None])
            part += np.float32(self.weights.count) * apart

    def _allocate_buffers(self) -> hausdorff.HausdorffScratch:
        from auditor.log.user_distance import hausdorff_kernels as hausdorff

        words = len(self._lexicon.lengths)
        return hausdorff.HausdorffScratch(
            words=np.empty((len(self._texts.size_base), words), dtype=np.float32),
            near=np.empty(words, dtype=np.float32),
            edits=np.empty(words, dtype=np.uint16),
            hosts=np.empty(len(self.space.depth) + 1, dtype=np.float32),
            ranks=np.empty(len(self._sites.ranks), dtype=np.float32),
            held=np.full(1, -1, dtype=np.int64),
        )

    def to_all(
        self, probes: Sequence[DistanceProbe], progress: Progress, stage: str = ""
    ) -> Float32s:
        """Distances of probes to all users; float32 (probes, u)."""
        users, space = len(self.space.users), self.space
        out = np.zeros((len(probes), users), dtype=np.float32)
        starts = np.minimum(space.starts[:-1], max(space.events - 1, 0))

        def make_worker() -> Callable[[int], None]:
            scratch = self._allocate_scratch()
            least = np.empty(space.events, dtype=np.float32)

            def compute_row(task: int) -> None:
                probe = probes[task]
                least.fill(np.inf)
                best = out[task]
                self._follow_probe(probe, scratch, best, least, progress.check)
                if users:
                    np.maximum(best, np.maximum.reduceat(least, starts), out=best)
                best *= np.float32(self.weights.queries)
                best += np.float32(self.weights.count) * np.abs(space.count - probe.count)

            return compute_row

        in_threads(
            stage or "comparing users", [len(p.query) for p in probes], make_worker, progress
        )
        return out


def in_threads(
    stage: str,
    units: Sequence[int],
    worker: Callable[[], Callable[[int], None]],
    progress: Progress,
    threads: int | None = None,
) -> None:
    """Do tasks 0, 1, 2 … on all cores, or in so many threads.

    ``units[i]`` is how much task i is for the progress.

    `worker` makes what one thread calls with task numbers. Tasks must look at
    ``progress.check`` themselves if they take long. Raises what a task raises, and `Cancelled`.
    """
    total = int(sum(units))
    progress.stage(stage, total)
    numbers = itertools.count()
    done = [0]
    lock = threading.Lock()
    stop = threading.Event()

    def run_tasks() -> None:
        do = worker()
        for task in numbers:
            if task >= len(units) or stop.is_set():
                return
            do(task)
            with lock:
                done[0] += units[task]

    threads = min(threads or platform.count_usable_cores(), len(units))
    if threads <= 1:
        do = worker() if units else None
        for task in range(len(units)):
            assert do is not None
            do(task)
            progress.advance(units[task])
        return
    with ThreadPoolExecutor(threads, thread_name_prefix="users") as pool:
        futures = [pool.submit(run_tasks) for _ in range(threads)]
        try:
            while wait(futures, timeout=0.05).not_done:
                progress.update(done[0])
                if any(future.done() and future.exception() for future in futures):
                    break
        finally:
            stop.set()
    for future in futures:
        future.result()
    progress.update(total)


class _KeptDistances:
    """Distance matrices used last, up to so many bytes; safe to use from several threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._held: OrderedDict[tuple[str, DistanceWeights], Float32s] = OrderedDict()

    def get(self, key: tuple[str, DistanceWeights]) -> Float32s | None:
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
            return self._held.get(key)

    def put(self, key: tuple[str, DistanceWeights], matrix: Float32s) -> None:
        matrix.flags.writeable = False
        with self._lock:
            self._held[key] = matrix
            self._held.move_to_end(key)
            while sum(held.nbytes for held in self._held.values()) > self._most:
                self._held.popitem(last=False)


_kept = _KeptDistances(KEPT_BYTES)


def kept_distances(log: QueryLog, weights: DistanceWeights) -> Float32s | None:
    """The matrix of all pairs, if it is still in memory from before."""
    return _kept.get((log.digest, weights.normalize_shares()))


def all_distances(
    log: QueryLog, weights: DistanceWeights, progress: Progress, *, space: UserSpace | None = None
) -> Float32s:
    """Distances between all users of a log, read-only float32 (users, users); kept for later."""
    found = kept_distances(log, weights)
    if found is None:
        progress.check()
        space = space or space_of(log, progress)
        found = UserDistance(space, weights, progress).compute_pairs(progress)
        _kept.put((log.digest, weights.normalize_shares()), found)
    progress.check()
    return found
