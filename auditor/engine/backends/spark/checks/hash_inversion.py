"""What the hash inversion knows of two logs, counted on Spark; the inversion itself is n-sized.

Of each side the n most frequent words, how often any two of them stand in one query, and which
follows which, are counted over distinct queries wherever these are, with the loops of the local
engine, and added up. To the driver come n words and at most n² counts a side, whatever the size
of the logs: their matching is `hash_inversion`'s own.

Each user gets one of a few numbers at random. They make the halves of a log that is split, and the
parts of the reference from which chances are learnt, out of one pass.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.arrays import Array, Int64s
from auditor.attacks.base import AttackResult
from auditor.attacks.hash_inversion import attack, confidence, kernels, tables
from auditor.attacks.hash_inversion.attack import RecoveredMapping
from auditor.attacks.hash_inversion.features import PrecountedCorpus, count_cooccurrences
from auditor.attacks.hash_inversion.ground_truth import HASHED_BELOW, InversionProblem
from auditor.attacks.hash_inversion.inversion import invert_hashes
from auditor.attacks.hash_inversion.params import HashInversionParams
from auditor.attacks.hash_inversion.word_order import (
    TERMS_TO_JUDGE,
    WordSuccessions,
    count_successions,
    decided_by,
)
from auditor.engine.backends.spark.counting import query_counts
from auditor.engine.backends.spark.run_context import SparkRunContext, read_facts
from auditor.engine.backends.spark.session import map_in_arrow
from auditor.errors import MissingInput, ParameterError
from auditor.log.model import Vocabulary
from auditor.log.out_of_core.splits import LogSplits
from auditor.log.text import TokenizedQueries
from auditor.progress import silent_progress

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame
    from scipy.sparse import csr_array

COUNTED = "kind byte, i int, j int, n long"
TOGETHER, SINGLE, NEXT, ENDS, ORDER = range(5)
"""What a count is of: two terms in one query, a query of one term at a vocabulary size, a term
after another, a term's places in queries, a term after another in distinct queries."""
_PARTS = 8
_STRINGS = 1 << 18


@dataclass(frozen=True, eq=False)
class SparkTerms:
    """A side's most frequent terms: their strings and occurrences, and events of the side."""

    queries: DataFrame
    strings: Vocabulary
    freq: Int64s
    events: int


def attack_hashes(
    work: SparkRunContext, params: HashInversionParams, reference: LogSplits | None
) -> AttackResult:
    """The attack on a log as it is, against a reference or against half of its own users.

    Raises `MissingInput` or `ParameterError` for what the local engine alone does.
    """
    _check_params(params, reference)
    rng = np.random.default_rng(0)
    halves = reference is None or params.reference == "users"
    hashed = _distinct_queries(work, work.splits, halves)
    told = "split of one log: the reference holds other users"
    if halves:
        known = hashed.where(f"part >= {_PARTS // 2}")
        hashed = hashed.where(f"part < {_PARTS // 2}")
    else:
        assert reference is not None
        told = "the reference is another log"
        known = _distinct_queries(work, reference, params.confidence != "never")
    game = _build_problem(work, (hashed, known), params, told, blind=not halves)
    how, n = params.make_config(), min(params.n, game.largest)
    found = RecoveredMapping(game, invert_hashes(game, n, how, rng, work.progress))
    chance = None
    if attack.wants_chances(params, game):
        size = found.outcome.scores[-1].n
        games = _learning_parts(work, known, params, size, _PARTS // 2 if halves else 0)
        curve = confidence.learn_curve(games, size, how, rng, work.progress)
        chance = curve.estimate_chances(found.outcome.margin)
    return attack.build_result(found, params, chance, ((), ()), log=None, progress=work.progress)


def _check_params(params: HashInversionParams, reference: LogSplits | None) -> None:
    if params.reference == "earlier":
        raise ParameterError(
            "reference", "The Spark engine splits a log by users, not by time: choose users."
        )
    if params.reference == "file" and reference is None:
        raise MissingInput(
            "The inversion needs a reference log. Give one, or let it split this log."
        )
    if params.table != "none":
        raise ParameterError(
            "table", "The Spark engine makes none of the source's tables: set table to none."
        )


def _distinct_queries(work: SparkRunContext, splits: LogSplits, parts: bool) -> DataFrame:
    """Distinct queries `a` with their events `n`; by parts of the users if that is wanted."""
    work.stage("counting queries")
    found = query_counts.count_queries(work, splits, "events", parts=_PARTS if parts else 1)
    read_facts(work, found.records, found.found, splits)
    return found.queries


def _learning_parts(
    work: SparkRunContext, known: DataFrame, params: HashInversionParams, n: int, first: int
) -> Iterator[tuple[float, InversionProblem]]:
    """Halves and quarters of the reference's users against others; its parts begin at `first`."""
    size = _PARTS - first
    for share in confidence.SHARES:
        width = max(1, int(share * size))
        sides = [
            known.where(f"part >= {low} and part < {low + width}") for low in (first, first + width)
        ]
        told = confidence.TOLD
        with contextlib.suppress(MissingInput):
            yield share, _build_problem(work, (sides[0], sides[1]), params, told, n=n)


# --- a game -----------------------------------------------------------------------------------


def _build_problem(
    work: SparkRunContext,
    sides: tuple[DataFrame, DataFrame],
    params: HashInversionParams,
    told: str,
    *,
    n: int | None = None,
    blind: bool = False,
) -> InversionProblem:
    """Both sides counted. Hashing only renames words, so the words serve as their own hashes.

    With `blind`, a log that shares next to no word with the reference is taken for hashed already.
    """
    most = n or params.n
    left, right = (_count_terms(work, side, most, shuffled=True) for side in sides)
    own: Int64s = np.arange(len(left.strings))
    same = right.strings.match(left.strings).astype(np.int64)
    top = own[:100]
    hidden = blind and len(top) > 0 and float(np.isin(top, same).mean()) < HASHED_BELOW
    if hidden:
        # Nothing to give away: equal frequencies stand in the order of the terms.
        left, right = (_count_terms(work, side, most, shuffled=False) for side in sides)
        told += "; the log is taken for hashed already; the true words are not known"
    largest = min(len(left.strings), len(right.strings))
    if largest < 2:
        raise MissingInput("The inversion needs two words at least on either side.")
    one, other = (count_corpus_side(work, side, largest, params) for side in (left, right))
    return InversionProblem(one, other, None if hidden else own, None if hidden else same, told)


def _count_terms(
    work: SparkRunContext, queries: DataFrame, n: int, *, shuffled: bool
) -> SparkTerms:
    """The n most frequent words of a side; equal ones by their bytes, or in a random order."""
    from pyspark.sql import functions as F

    work.stage("counting words")
    added = work.persist_frame(queries.groupBy("a").agg(F.sum("n").alias("n")))
    words = query_counts.count_words(added, stop_words=True)
    tie = F.xxhash64(F.lit(secrets.randbits(62)), "a") if shuffled else F.col("a")
    table = work.collect_columns(words.orderBy(F.desc("n"), tie).limit(n), n)
    events = int(work.collect_rows(added.agg(F.sum("n")), 1)[0][0] or 0)
    strings = Vocabulary.of_arrow(table["a"])
    return SparkTerms(added, strings, table["n"].to_numpy().astype(np.int64), events)


def count_corpus_side(
    work: SparkRunContext, side: SparkTerms, n: int, params: HashInversionParams
) -> PrecountedCorpus:
    """What is counted of a side through its terms, at vocabulary size n and smaller ones."""
    from pyspark.sql import functions as F

    work.stage("counting co-occurrences")
    whole = len(side.strings)
    sizes = sorted({*tables.list_sizes(n, min(params.start, n)), n}) if n else []
    ordered = params.make_config().order
    count = partial(_count_blocks, side.strings, sizes, n if ordered else 0)
    records = map_in_arrow(side.queries.select("a", "n"), count, COUNTED)
    added = work.persist_frame(records.groupBy("kind", "i", "j").agg(F.sum("n").alias("n")))
    most = 2 * whole * whole + TERMS_TO_JUDGE**2 + (len(sizes) + 3) * whole + 1
    found = work.collect_columns(added, most)
    kinds, i, j, counts = (found[name].to_numpy() for name in ("kind", "i", "j", "n"))

    def select_kind(kind: int) -> tuple[Array, Array, Array]:
        some = kinds == kind
        return i[some], j[some], counts[some]

    judged = min(TERMS_TO_JUDGE, whole)
    return PrecountedCorpus(
        terms=np.arange(whole, dtype=np.int64),
        freq=side.freq,
        counts=_make_symmetric(*select_kind(TOGETHER), whole),
        words=TokenizedQueries(np.zeros(0, np.int32), np.zeros(1, np.int64), side.strings),
        weights=np.zeros(0, dtype=np.int64),
        vocabulary=side.strings,
        events=side.events,
        singles={size: _make_column(*select_kind(SINGLE), size) for size in sizes},
        steps={n: _make_successions(select_kind(NEXT), select_kind(ENDS), n)} if ordered else {},
        order=decided_by(_make_matrix(*select_kind(ORDER), judged)) if ordered else 0.0,
    )


def _make_matrix(i: Any, j: Any, counts: Any, n: int) -> csr_array[Any, Any]:
    from scipy.sparse import csr_array

    found: csr_array[Any, Any] = csr_array((counts.astype(np.int64), (i, j)), shape=(n, n))
    found.sort_indices()
    return found


def _make_symmetric(i: Any, j: Any, counts: Any, n: int) -> csr_array[Any, Any]:
    both = np.concatenate([i, j]), np.concatenate([j, i]), np.concatenate([counts, counts])
    return _make_matrix(*both, n)


def _make_column(i: Any, j: Any, counts: Any, size: int) -> Int64s:
    found = np.zeros(size, dtype=np.int64)
    here = j == size
    found[i[here]] = counts[here]
    return found


def _make_successions(following: Sequence[Any], ends: Sequence[Any], n: int) -> WordSuccessions:
    places = np.zeros((n, 3), dtype=np.int64)
    places[ends[0], ends[1]] = ends[2]
    return WordSuccessions(_make_matrix(following[0], following[1], following[2], n), places)


# --- on the executors -------------------------------------------------------------------------


def _count_blocks(
    terms: Vocabulary, sizes: list[int], ordered: int, batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Counts over distinct queries, a quarter of a million at a time."""
    import pyarrow as pa

    held: list[pa.RecordBatch] = []
    for batch in batches:
        held.append(batch)
        if sum(map(len, held)) >= _STRINGS:
            yield from _count_partition(pa.Table.from_batches(held), terms, sizes, ordered)
            held = []
    if sum(map(len, held)):
        yield from _count_partition(pa.Table.from_batches(held), terms, sizes, ordered)


def _count_partition(
    table: pa.Table, terms: Vocabulary, sizes: list[int], ordered: int
) -> Iterator[pa.RecordBatch]:
    every = query_counts.tokens_of(table["a"])
    words = every.recode_tokens(every.vocabulary.match(terms), terms)
    weights = table["n"].to_numpy().astype(np.int64)
    together = count_cooccurrences(words, weights, len(terms), silent_progress())
    yield from _iterate_entries(TOGETHER, together, upper=True)
    for size in sizes:
        single = np.zeros(size, dtype=np.int64)
        kernels.add_single(0, len(words), words.codes, words.offsets, weights, size, single)
        at = np.flatnonzero(single)
        yield from _make_records(SINGLE, at, np.full(len(at), size), single[at])
    if ordered:
        found = count_successions(words, weights, ordered, silent_progress())
        yield from _iterate_entries(NEXT, found.follows)
        at, which = np.nonzero(found.ends)
        yield from _make_records(ENDS, at, which, found.ends[at, which])
        judged = min(TERMS_TO_JUDGE, len(terms))
        once = count_successions(
            words, np.ones(len(words), dtype=np.int64), judged, silent_progress()
        )
        yield from _iterate_entries(ORDER, once.follows)


def _iterate_entries(
    kind: int, matrix: csr_array[Any, Any], *, upper: bool = False
) -> Iterator[pa.RecordBatch]:
    found = matrix.tocoo()
    i, j = found.coords
    some = i < j if upper else np.ones(len(i), dtype=np.bool_)
    yield from _make_records(kind, i[some], j[some], found.data[some])


def _make_records(kind: int, i: Any, j: Any, counts: Any) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    for first in range(0, len(i), 1 << 16):
        part = slice(first, first + (1 << 16))
        size = len(i[part])
        yield pa.RecordBatch.from_arrays(
            [
                pa.array(np.full(size, kind, dtype=np.int8)),
                pa.array(i[part].astype(np.int32)),
                pa.array(j[part].astype(np.int32)),
                pa.array(counts[part].astype(np.int64)),
            ],
            names=["kind", "i", "j", "n"],
        )
