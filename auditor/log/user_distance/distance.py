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

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from auditor import platform
from auditor.arrays import Array, Float32s, Int32s, Int64s, UInt8s, expand_ranges, mark_run_starts
from auditor.log import gil_friendly
from auditor.log.model import QueryLog
from auditor.log.user_distance.features import DistanceWeights, UserSpace, space_of
from auditor.progress import Progress, run_in_threads

if TYPE_CHECKING:
    from auditor.log.user_distance import kernels

MOST_TABLE = 1 << 30
"""Bytes that a table of word distances may take; rows of rarer words are computed on demand."""
KEPT_BYTES = 512 << 20
"""Bytes of distance matrices that are kept for the next run."""

_WORK = 60_000_000  # pairs of events between two looks at the cancel flag: some 50 ms
_WORD_PAIRS = 20_000_000  # the same of pairs of words
_EVENTS = 32  # whose words are compared at once where the table lacks them


class DistanceProbe(NamedTuple):
    """Events of a centroid, or of a user: what the distance to all users is asked of.

    `query` are codes of the space, `labels` domains from the right (p, deepest), `depth` their
    numbers of labels (0 = no domain), `rank` normalised (−1 = none), `time` normalised, `size`
    the normalised number of events. Equal queries should stand together, and equal clicks within
    them: their rows are then computed once.
    """

    query: Int64s
    time: Float32s
    labels: Int32s
    depth: Int32s
    rank: Float32s
    size: float


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

        self._kernels = kernels
        self.space = space
        self._words = space.words.list_strings()
        self.weights = shares = weights.normalize_shares()
        table_limit = MOST_TABLE if table_bytes is None else table_bytes
        ranks, rank = np.unique(space.rank, return_inverse=True)
        none = np.full((1, 1), -1, dtype=np.int32)
        self._tables = tables = kernels.DistanceTables(
            *self._build_words(table_limit, progress, threads),
            offsets=space.word_starts,
            words=space.word,
            terms=space.terms,
            labels=np.ascontiguousarray(space.labels.T) if space.labels.size else none,
            depth=space.depth.astype(np.int64),
            host=np.where(space.host < 0, len(space.depth), space.host).astype(np.uint32),
            rank=rank.astype(np.uint32),
            ranks=ranks,
            weights=np.array([shares.rank, shares.url, shares.length, shares.words]),
        )
        self._events = kernels.UserEvents(
            time=space.time * np.float32(shares.time),
            query=space.query.astype(np.uint32),
            click=space.click.astype(np.uint32),
            terms=space.terms[space.query] * np.float32(shares.length),
            host=tables.host[space.click],
            rank=tables.rank[space.click],
            starts=space.starts,
        )

    def _build_words(
        self, table_limit: int, progress: Progress, threads: int | None
    ) -> tuple[Int32s, UInt8s, Int64s]:
        """The first three of `DistanceTables`."""
        lengths = np.array([len(word) for word in self._words], dtype=np.int32)
        n, longest = len(lengths), int(lengths.max(initial=0))
        rows = min(n, table_limit // max(n, 1)) if longest <= 255 else 0
        # How often each word's distances are asked: once for each user and query of theirs.
        space = self.space
        # Equal queries of a user stand together.
        is_new = mark_run_starts(gil_friendly.expand_owners(space.starts), space.query)
        users = np.bincount(space.query[is_new], minlength=len(space.terms))
        users_of_word = np.repeat(users, np.diff(space.word_starts))
        uses = np.bincount(space.word, users_of_word, n).astype(np.int64)
        codes = np.argsort(-uses, kind="stable")[:rows]
        row = np.full(n, -1, dtype=np.int64)
        row[codes] = np.arange(rows)
        table = np.empty((rows, n), dtype=np.uint8)
        workers = threads or platform.count_usable_cores()
        for first, last in progress.blocks("comparing words", rows, 1 + _WORD_PAIRS // max(n, 1)):
            table[first:last] = self._compare_words(codes[first:last], np.uint8, workers)
        return lengths, table, row

    def _compare_words(self, word_codes: Int64s, kind: type, workers: int = 1) -> Array:
        """Edit distances of some words to all."""
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import cdist

        words = [self._words[word] for word in word_codes.tolist()]
        scorer = Levenshtein.distance
        return cdist(words, self._words, scorer=scorer, dtype=kind, workers=workers)

    def _hold_words(
        self, scratch: kernels.DistanceScratch, queries: Int64s
    ) -> kernels.DistanceScratch:
        """The room with the distances of those words of some queries that the table lacks."""
        starts = self.space.word_starts
        words = self.space.word[
            expand_ranges(starts[queries], starts[queries + 1] - starts[queries])
        ]
        missing = gil_friendly.sorted_distinct(words[self._tables.row[words] < 0])
        if not len(missing):
            return scratch
        scratch.place[missing] = np.arange(len(missing))
        return scratch._replace(edits=self._compare_words(missing, np.uint16))

    def _allocate_scratch(self, *, rows: int = 0) -> kernels.DistanceScratch:
        """One thread's room; `rows` are the words of a query whose distances are held."""
        space, words = self.space, len(self._words)

        def room(*shape: int) -> Float32s:
            return np.empty(shape, dtype=np.float32)

        return self._kernels.DistanceScratch(
            edits=np.empty((0, words), dtype=np.uint16),
            place=np.zeros(words, dtype=np.int64),
            rows=room(rows + 3, words),
            queries=room(len(space.terms)),
            hosts=room(len(space.depth) + 1),
            ranks=room(len(self._tables.ranks)),
            clicks=room(len(space.host)),
            events=room(space.events),
            query=np.full(1, -1, dtype=np.int64),
        )

    def make_probe(self, user: int) -> DistanceProbe:
        """User number `user` of the space, as a probe."""
        space, rows = self.space, slice(*self.space.starts[user : user + 2].tolist())
        click = space.click[rows]
        host = space.host[click]
        labels = np.full((len(host), space.labels.shape[1]), -1, dtype=np.int32)
        labels[host >= 0] = space.labels[host[host >= 0]]
        depth = np.zeros(len(host), dtype=np.int32)
        depth[host >= 0] = space.depth[host[host >= 0]]
        rank, count = space.rank[click], float(space.count[user])
        return DistanceProbe(space.query[rows], space.time[rows], labels, depth, rank, count)

    def _follow_probe(
        self,
        probe: DistanceProbe,
        scratch: kernels.DistanceScratch,
        best: Float32s,
        least: Float32s,
        progress: Progress,
    ) -> None:
        probe = probe._replace(time=probe.time * np.float32(self.weights.time))
        scratch.query[0] = -1
        space = self.space
        work = 2 * space.events + 12 * len(space.terms) + 4 * len(self._words)
        size = min(max(1, _WORK // max(work, 1)), _EVENTS)
        for first in range(0, len(probe.time), size):
            progress.check()
            span = first, min(first + size, len(probe.time))
            scratch = self._hold_words(scratch, probe.query[slice(*span)])
            self._kernels.follow_events(
                span, probe, self._events, self._tables, scratch, best, least
            )

    def compute_pairs(self, progress: Progress, *, threads: int | None = None) -> Float32s:
        """Distances between all users; symmetric, zero diagonal; float32 (u, u)."""
        space = self.space
        users = len(space.users)
        distances = np.zeros((users, users), dtype=np.float32)
        if not space.events:
            return distances
        sizes = np.diff(space.starts)
        order = np.argsort(-sizes, kind="stable")
        done = np.zeros(users, dtype=np.bool_)
        step = 1 << max(0, min(_WORK // 64 // space.events, _EVENTS).bit_length() - 1)  # divides it
        longest = int(np.diff(space.word_starts).max())

        def make_worker() -> Callable[[int], None]:
            scratch = self._allocate_scratch(rows=longest)

            def compute_row(task: int) -> None:
                user = int(order[task])
                first, last = int(space.starts[user]), int(space.starts[user + 1])
                best = np.where(
                    done, distances[:, user], np.float32(0.0)
                )  # h(b → a) counts as well
                for start in range(first, last, step):
                    progress.check()
                    span = start, min(start + step, last)
                    if (start - first) % _EVENTS == 0:
                        block_queries = space.query[start : min(start + _EVENTS, last)]
                        room = self._hold_words(scratch, block_queries)
                    self._kernels.chase_events(span, user, self._events, self._tables, room, best)
                best[user] = 0.0
                distances[user] = best
                done[user] = True

            return compute_row

        run_in_threads("comparing users", sizes[order].tolist(), make_worker, progress, threads)
        for first in range(0, users, 256):  # the greater of both directions, and the numbers
            progress.check()
            rows = slice(first, min(first + 256, users))
            part = np.maximum(distances[rows, first:], distances[first:, rows].T)
            part *= np.float32(self.weights.queries)
            count = np.abs(space.count[rows, None] - space.count[first:])
            part += np.float32(self.weights.count) * count
            distances[rows, first:] = part
            distances[first:, rows] = part.T
        return distances

    def to_all(
        self, probes: Sequence[DistanceProbe], progress: Progress, stage: str = "comparing users"
    ) -> Float32s:
        """Distances of probes to all users; float32 (probes, u)."""
        users, space = len(self.space.users), self.space
        out = np.zeros((len(probes), users), dtype=np.float32)
        starts = np.minimum(space.starts[:-1], max(space.events - 1, 0))

        def make_worker() -> Callable[[int], None]:
            scratch = self._allocate_scratch()
            least = np.empty(space.events, dtype=np.float32)

            def compute_row(task: int) -> None:
                probe, best = probes[task], out[task]
                least.fill(np.inf)
                self._follow_probe(probe, scratch, best, least, progress)
                if users:
                    np.maximum(best, np.maximum.reduceat(least, starts), out=best)
                best *= np.float32(self.weights.queries)
                best += np.float32(self.weights.count) * np.abs(space.count - probe.size)

            return compute_row

        run_in_threads(stage, [len(probe.query) for probe in probes], make_worker, progress)
        return out


_kept: OrderedDict[tuple[str, DistanceWeights], Float32s] = OrderedDict()
"""The latest matrices by log and weights, at most `KEPT_BYTES` of them."""
_lock = threading.Lock()


def kept_distances(log: QueryLog, weights: DistanceWeights) -> Float32s | None:
    """The matrix of all pairs, if it is still in memory from before."""
    key = log.digest, weights.normalize_shares()
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
        return _kept.get(key)


def all_distances(
    log: QueryLog, weights: DistanceWeights, progress: Progress, *, space: UserSpace | None = None
) -> Float32s:
    """Distances between all users of a log, read-only float32 (users, users); kept for later."""
    distances = kept_distances(log, weights)
    if distances is None:
        progress.check()
        space = space or space_of(log, progress)
        distances = UserDistance(space, weights, progress).compute_pairs(progress)
        distances.flags.writeable = False
        with _lock:
            _kept[log.digest, weights.normalize_shares()] = distances
            while sum(matrix.nbytes for matrix in _kept.values()) > KEPT_BYTES:
                _kept.popitem(last=False)
    progress.check()
    return distances
