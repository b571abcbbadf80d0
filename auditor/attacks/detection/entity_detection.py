"""Marks names, places, companies, telling terms and personal identifiers in distinct queries.

Works on a vocabulary, not on rows: a query that a thousand people sent is read once. Entities
come from one pass of a kernel over the bytes; identifiers are validated, one by one, only in
queries whose digits and signs make them possible. Cost O(bytes), 1 to 2 seconds for a million
web queries on one core; memory is one block of a few MB, the marks, and the lexicon (20 MB).

Source: Kumar et al., WWW 2007, section 5.1. Beyond it: a middle initial may stand between
first and last name, a comma between place and state, and the identifiers; a company whose name
is one common word ("target") counts only where it is the whole query.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from auditor.arrays import (
    Array,
    Bools,
    Float32s,
    Int32s,
    Int64s,
    UInt8s,
    UInt16s,
    UInt64s,
    expand_ranges,
)
from auditor.attacks.detection.identifiers import IdentifierSearch
from auditor.attacks.detection.kinds import EntityKind
from auditor.attacks.detection.lexicon import DetectionLexicon, shipped_lexicon
from auditor.attacks.detection.normalization import QueryNormalizer
from auditor.attacks.detection.rules import SOURCE_RULE
from auditor.attacks.detection.tables import MARK_TYPES, MarkColumns, fill_columns
from auditor.log.model import Vocabulary
from auditor.progress import Progress, run_in_threads, silent_progress, split_ranges

BLOCK_BYTES = 1 << 20
"""Query bytes handled between two looks at the cancel flag; some 50 ms."""
THREADS = 2


@dataclass(frozen=True, eq=False, kw_only=True)
class EntityMarks:
    """Marks in a vocabulary's queries, by query, then start, then kind; s marks."""

    # query, start, stop, kind: query codes, ascending; characters; `EntityKind`; shape (s,), as all
    # that follows
    query: Int32s
    start: Int32s
    stop: Int32s
    kind: UInt8s
    # Number of the person's name: equal for equal first and last names, −1 for other kinds.
    name: Int64s
    confidence: Float32s  # chance that the mark is right; 1 for rules that only say yes or no
    # rule, term: rule that made the mark, see `detector.rule_names`, and term of a topic, −1 for
    # other marks
    rule: UInt16s
    term: Int32s
    # Whether the person is known to the public, by a list or by what is asked about them.
    is_public: Bools

    @classmethod
    def from_spans(
        cls,
        query: ArrayLike,
        start: ArrayLike,
        stop: ArrayLike,
        kind: ArrayLike,
        *,
        confidence: ArrayLike = 1.0,
        rule: ArrayLike = SOURCE_RULE,
    ) -> EntityMarks:
        """Marks without terms; `kind` and what follows are columns, or the same for all marks."""
        size = np.size(query)
        return cls(
            query=np.asarray(query, dtype=np.int32),
            start=np.asarray(start, dtype=np.int32),
            stop=np.asarray(stop, dtype=np.int32),
            kind=np.full(size, kind, dtype=np.uint8),
            name=np.full(size, -1, dtype=np.int64),
            confidence=np.full(size, confidence, dtype=np.float32),
            rule=np.full(size, rule, dtype=np.uint16),
            term=np.full(size, -1, dtype=np.int32),
            is_public=np.zeros(size, dtype=np.bool_),
        )

    @classmethod
    def of_kernel(cls, room: int, mark: Callable[..., int], *inputs: Any) -> EntityMarks:
        """The marks that a kernel writes, given about how many; its columns are the first input."""
        columns = fill_columns(MARK_TYPES, room, lambda out: mark(MarkColumns(*out), *inputs))
        return cls(**MarkColumns(*columns)._asdict())

    @classmethod
    def concatenate_marks(cls, parts: Sequence[EntityMarks]) -> EntityMarks:
        """The marks of all parts, one part after another."""
        if not parts:
            return cls.from_spans([], [], [], [])
        names = [field.name for field in dataclasses.fields(cls)]
        return cls(**{name: np.concatenate([getattr(p, name) for p in parts]) for name in names})

    def __len__(self) -> int:
        return len(self.query)

    def take(self, keep: Array) -> EntityMarks:
        """Some of the marks: a mask or positions."""
        return EntityMarks(
            **{field.name: getattr(self, field.name)[keep] for field in dataclasses.fields(self)}
        )

    def sort(self) -> EntityMarks:
        """The marks by query, then start, then kind; equal ones stay in their order."""
        return self.take(np.lexsort((self.kind, self.start, self.query)))

    def is_of_kind(self, kind: EntityKind) -> Bools:
        """Which marks are of `kind`; shape (s,)."""
        return np.equal(self.kind, int(kind))

    def build_bit_sets(self, queries: int) -> UInt64s:
        """For each query a bit set over `EntityKind`; shape (queries,)."""
        bits = np.zeros(queries, dtype=np.uint64)
        np.bitwise_or.at(bits, self.query, np.uint64(1) << self.kind.astype(np.uint64))
        return bits


def detect_entities(
    queries: Vocabulary,
    kinds: Collection[EntityKind] = tuple(EntityKind),
    *,
    rare_below: float = 0.006,
    words: DetectionLexicon | None = None,
    progress: Progress | None = None,
    block_bytes: int = BLOCK_BYTES,
) -> EntityMarks:
    """Mark every entity of `kinds` in every query.

    `queries`: distinct queries. `rare_below`: census share, in per cent, below which a name that is
    also a common word still counts (condition 3 of the source). `words`: the lists; the shipped
    ones by default. `block_bytes`: query bytes a block; the marks don't depend on it.
    """
    from auditor.attacks.detection import kernels

    lexicon = words or shipped_lexicon()
    watch = progress or silent_progress()
    search = IdentifierSearch(frozenset(kinds), ("US",), lexicon.street_words)
    kind_bits = sum(1 << int(kind) for kind in set(kinds))

    def scan(data: UInt8s, offsets: Int64s) -> EntityMarks:
        likely = np.zeros(len(offsets) - 1, dtype=np.uint8)
        inputs = data, offsets, kind_bits, rare_below, lexicon.lists, likely
        entities = EntityMarks.of_kernel(len(likely) + 1024, kernels.mark_entities, *inputs)
        spans = [span[:4] for span in search.find_in_block(data, offsets, likely, watch.check)]
        identifiers = EntityMarks.from_spans(*np.array(spans, dtype=np.int64).reshape(-1, 4).T)
        return EntityMarks.concatenate_marks([entities, identifiers])

    marks = scan_blocks(scan, "looking for names and numbers", queries, watch, block_bytes)
    persons = marks.is_of_kind(EntityKind.PERSON)
    marks.name[persons] = np.unique(marks.name[persons], return_inverse=True)[1]
    return marks


def scan_blocks(
    scan: Callable[[UInt8s, Int64s], EntityMarks],
    stage: str,
    queries: Vocabulary,
    progress: Progress,
    block_bytes: int,
    threads: int = THREADS,
) -> EntityMarks:
    """The marks that ``scan(data, offsets)`` finds in folded blocks of queries, in order.

    `threads` blocks of about `block_bytes` query bytes are handled at once.
    """
    blocks = list(split_ranges(queries.offsets, block_bytes))
    parts = [EntityMarks.from_spans([], [], [], [])] * len(blocks)

    def scan_block(number: int) -> None:
        start, stop = blocks[number]
        marks = scan(*QueryNormalizer().fold_block(queries, start, stop))
        parts[number] = marks.sort()
        parts[number].query[:] += np.int32(start)

    sizes = [stop - start for start, stop in blocks]
    run_in_threads(stage, sizes, lambda: scan_block, progress, threads)
    return EntityMarks.concatenate_marks(parts)


def index_marks(query: Int32s, queries: int) -> Int64s:
    """The first mark of each of so many queries, of marks by query; shape (queries + 1,)."""
    return np.searchsorted(query, np.arange(queries + 1)).astype(np.int64)


def find_marked_rows(code: Int32s, begin: Int64s) -> tuple[Int64s, Int64s]:
    """Every (row, mark) of rows with these queries; see `index_marks`."""
    rows = np.flatnonzero(begin[code + 1] > begin[code])
    first = begin[code[rows]]
    sizes = begin[code[rows] + 1] - first
    return np.repeat(rows, sizes), expand_ranges(first, sizes)
