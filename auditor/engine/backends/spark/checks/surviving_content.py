"""Which sessions are at risk and what of them a release shows, on Spark: `surviving-content`.

Figure by figure it is the attack of one machine; only the list of sessions is not made.
Queries are marked once each, where they are. Sessions are judged by blocks of users, and a user of
many rows is cut where they pause, so that memory is bounded by a block or one session. What comes
to the driver are counts by name and, for each power of two, the share of queries asked by so many
users that survives.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.arrays import Float64s, Int64s, UInt64s
from auditor.attacks.base import AttackResult
from auditor.attacks.detection.kinds import EntityKind
from auditor.attacks.risk import reasons as why
from auditor.attacks.risk.session_scoring import (
    ScoringRules,
    collect_scored_sessions,
    find_marks,
    judged_queries,
    looked_up_bits,
    plain_rows,
    unsure_bits,
)
from auditor.attacks.risk.survival_chances import survival_shares
from auditor.attacks.surviving_content import attack as content
from auditor.attacks.surviving_content import counts
from auditor.attacks.surviving_content.counts import SurvivalCounts
from auditor.engine.backends.spark import rows
from auditor.engine.backends.spark.checks import borrowed_queries, marked_rows
from auditor.engine.backends.spark.checks.release_folder import SparkRelease
from auditor.engine.backends.spark.counting import query_counts
from auditor.engine.backends.spark.run_context import SparkRunContext, read_facts
from auditor.engine.backends.spark.session import map_in_arrow
from auditor.figures import MetricValue
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import Vocabulary
from auditor.log.out_of_core.splits import LogSplits
from auditor.progress import silent_progress

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

SPOTTED = (
    "a string, n long, users long, someone string, survives boolean, bits long, names array<long>"
)
JUDGED = "kind byte, user string, query string, n long, chance double"
_CLASSES = 64
"""Powers of two of users: more than there are people."""


@dataclass(frozen=True, eq=False)
class SparkSessionScores:
    """One log's counts, and its distinct queries with their marks."""

    counted: SurvivalCounts
    queries: DataFrame


def attack_content(
    work: SparkRunContext,
    params: content.SurvivingContentParams,
    released: SparkRelease | None,
    reference: LogSplits | None = None,
) -> AttackResult:
    """The attack's result; `reference` is another log, for the control."""
    texts = None if released is None else _select_texts(work, released)
    found = score_spark_log(work, work.splits, texts, params)
    notes = [content.MISTAKES, "Sessions are listed by the local engine alone."]
    if params.rules != "source" and (params.addresses or params.repeated):
        notes.append(content.LOCAL_REASONS)
    control, more = None, tuple[MetricValue, ...]()
    if released is None:
        notes.append(content.NO_RELEASE)
    else:
        if released.splits is None:
            notes.append(content.OF_TABLES)
        else:
            single = found.queries.where("users = 1").select("a")
            more, said = borrowed_queries.build_metrics(work, released, single)
            notes += said
        if reference is not None:
            control = content.surviving_share(
                score_spark_log(work, reference, texts, params).counted
            )
            notes += [content.SHARED] if _any_user_shared(work, reference) else []
    return content.build_result(
        params, found.counted, released=released is not None, control=control, more=more,
        notes=tuple(notes),
    )  # fmt: skip


def score_spark_log(
    work: SparkRunContext,
    splits: LogSplits,
    texts: DataFrame | None,
    params: content.SurvivingContentParams,
) -> SparkSessionScores:
    """Judge every session of a log; `texts` are the release's strings."""
    rules = content.rules_of(params)
    work.stage("counting who issued what")
    known = query_counts.count_queries(work, splits, "events", users=True)
    people = _count_people(work, splits)
    known.found.total["users"] = people
    read_facts(work, known.records, known.found, splits)
    work.stage("looking for names and numbers")
    queries = work.persist_frame(
        _with_bits(work, splits, _detect_entities(known.queries, texts, rules), rules)
    )
    chance = _compute_chances(work, queries)
    strings = _string_counts(work, queries)
    work.stage("judging sessions")
    marks = queries.where("bits != 0").select("bits", "users", "survives", queries.a.alias("query"))
    frame = marked_rows.by_user(work.spark, splits, marks)
    records = work.persist_frame(map_in_arrow(frame, _SparkScorer(rules, chance), JUDGED))
    return SparkSessionScores(_put_together(work, records, strings, queries, people), queries)


def _select_texts(work: SparkRunContext, released: SparkRelease) -> DataFrame:
    """The distinct strings that stand in a release, but for the empty one."""
    if released.splits is not None:
        every = rows.scan(work.spark, released.splits)
        found = every.where(every.kind == rows.ROW).select(every.query.alias("a"))
    else:
        found = released.read_table(work, "queries", "query").select("a")
    return work.persist_frame(found.where("a != ''").distinct())


def _count_people(work: SparkRunContext, splits: LogSplits) -> int:
    from pyspark.sql import functions as F

    every = rows.scan(work.spark, splits).where(F.col("kind") == rows.ROW)
    return work.count_rows(every.select("user").distinct())


def _any_user_shared(work: SparkRunContext, reference: LogSplits) -> bool:
    """Whether any user stands in both logs."""
    from pyspark.sql import functions as F

    one, other = (
        rows.scan(work.spark, splits).where(F.col("kind") == rows.ROW).select("user").distinct()
        for splits in (work.splits, reference)
    )
    return bool(work.collect_rows(one.join(other, "user", "left_semi").limit(1), 1))


# --- queries ----------------------------------------------------------------------------------


def _detect_entities(queries: DataFrame, texts: DataFrame | None, rules: ScoringRules) -> DataFrame:
    """Queries with the bits of what was found in them, and the keys of people's names."""
    from pyspark.sql import functions as F

    if texts is None:
        known = queries.withColumn("survives", F.lit(False))
    else:
        there = texts.withColumn("there", F.lit(True))
        known = queries.join(there, "a", "left").withColumn(
            "survives", F.coalesce(F.col("there"), F.lit(False))
        )

    def detect_batches(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            if not len(batch):
                continue
            words = Vocabulary.of_arrow(batch.column(0))
            spots = find_marks(words, rules, silent_progress(), keys=True)
            people = spots.is_of_kind(EntityKind.PERSON) & ~spots.known
            bits = spots.take(~people).build_bit_sets(len(words))
            if rules.variant != "source":
                reason = np.where(people, np.uint8(why.NON_STAR), spots.kind)
                bits = bits | looked_up_bits(spots, reason, len(words))
                bits = bits | unsure_bits(spots, len(words))
            pairs = np.zeros((2, 0), dtype=np.int64)
            if people.any():
                pairs = np.unique(np.stack([spots.query[people], spots.name[people]]), axis=1)
            ends = np.searchsorted(pairs[0], np.arange(len(words) + 1))
            names = pa.ListArray.from_arrays(pa.array(ends.astype(np.int32)), pa.array(pairs[1]))
            columns = [*batch.columns, pa.array(bits.astype(np.int64)), names]
            yield pa.RecordBatch.from_arrays(columns, names=_SPOTTED)

    return map_in_arrow(
        known.select("a", "n", "users", "someone", "survives"), detect_batches, SPOTTED
    )


_SPOTTED = [column.split()[0] for column in SPOTTED.split(", ")]


def _with_bits(
    work: SparkRunContext, splits: LogSplits, spotted: DataFrame, rules: ScoringRules
) -> DataFrame:
    """Queries with all bits that they carry by themselves.

    A name is non-star if few users searched for it, whatever else they typed; under the source's
    rules, if few searches hold it.
    """
    from pyspark.sql import functions as F

    spotted = work.persist_frame(spotted)
    named = spotted.select("a", "n", F.explode("names").alias("name"))
    if rules.variant == "source":
        often = named.groupBy("name").agg(F.sum("n").alias("events"))
    else:
        every = rows.scan(work.spark, splits).where(F.col("kind") == rows.ROW)
        asked = every.select("user", every.query.alias("a")).distinct()
        often = named.join(asked, "a").groupBy("name").agg(F.countDistinct("user").alias("events"))
    bit = F.when(F.col("events") < rules.non_star, 1 << why.NON_STAR).otherwise(
        1 << EntityKind.PERSON
    )
    people = (
        named.join(often, "name")
        .groupBy("a")
        .agg(F.bit_or(bit.cast("long")).alias("person"))
    )  # fmt: skip
    bits = F.col("bits").bitwiseOR(F.coalesce(F.col("person"), F.lit(0)))
    whole = spotted.join(people, "a", "left").withColumn("bits", bits)
    famous = F.col("bits").bitwiseAND(1 << why.NON_STAR) == 0
    looked_up = F.lit(~(1 << why.LOOKED_UP)).cast("long")
    known = F.when(famous, F.col("bits").bitwiseAND(looked_up)).otherwise(F.col("bits"))
    whole = whole.withColumn("bits", known)
    if rules.unique:
        alone = (F.col("users") == 1) & (F.col("bits").bitwiseAND(why.SENSITIVE) != 0)
        unique = F.col("bits").bitwiseOR(F.when(alone, 1 << why.UNIQUE).otherwise(0))
        whole = whole.withColumn("bits", unique)
    return whole.drop("names", "person")


def _compute_chances(work: SparkRunContext, queries: DataFrame) -> Float64s:
    """For each power of two of users, the share of unmarked queries that survives."""
    from pyspark.sql import functions as F

    power = (F.length(F.bin(F.greatest("users", F.lit(1)))) - 1).alias("power")
    survives = F.col("survives").cast("long")
    plain = queries.where("bits = 0").groupBy(power).agg(F.count("*"), F.sum(survives))
    there, kept = np.zeros((2, _CLASSES), dtype=np.int64)
    for row in work.collect_rows(plain, _CLASSES):
        there[row[0]], kept[row[0]] = row[1], row[2]
    return survival_shares(there, kept)


def _string_counts(work: SparkRunContext, queries: DataFrame) -> counts.FlaggedStrings:
    def count(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            events, users, survives, bits = (
                column.to_numpy(zero_copy_only=False) for column in batch.columns
            )
            found = counts.of_strings(bits.astype(np.uint64), users, events, survives)
            yield _pack_figures(
                _flatten_counts(single=found.single, shown=found.shown, lines=found.lines)
            )

    told = _add_counts(
        work, map_in_arrow(queries.select("n", "users", "survives", "bits"), count, JUDGED)
    )
    none = np.zeros(0)
    empty = counts.of_strings(none.astype(np.uint64), none, none.astype(np.int64), none > 0)
    return counts.FlaggedStrings(
        told.get("single", 0),
        _unpack_array(told, "shown", empty.shown),
        _unpack_array(told, "lines", empty.lines),
    )


# --- sessions ---------------------------------------------------------------------------------


class _SparkScorer:
    """Judges blocks of users: counts of sessions, and who asked which flagged string."""

    def __init__(self, rules: ScoringRules, chance: Float64s) -> None:
        self._rules, self._chance = rules, chance

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rules = self._rules
        for table in rows.iterate_users(batches, apart=rules.gap_seconds):
            log, marks = marked_rows.log_of(table)
            judged = judged_queries(marks["bits"], marks["users"], marks["survives"])
            found = collect_scored_sessions(log, rules, judged, plain_rows(log), silent_progress())
            start, stop, reason, left, risk, _, standing, whole, _ = found
            told = counts.of_sessions(whole, reason, left, standing, risk, rules.min_risk)
            yield _pack_figures(
                _flatten_counts(
                    whole=told.whole, flagged=told.flagged, lines=told.lines, risks=told.risks
                )
            )  # fmt: skip
            flagged = risk >= rules.min_risk
            pairs = _count_flagged(
                log, marks["bits"], start[flagged], stop[flagged], reason[flagged]
            )
            yield from self._iterate_pairs(log, marks, pairs)

    def _iterate_pairs(self, log: Any, marks: Any, pairs: Int64s) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        user, query = pairs >> 32, pairs & 0xFFFFFFFF
        power = np.log2(np.maximum(marks["users"][query], 1)).astype(np.int64)
        if len(pairs):
            yield pa.RecordBatch.from_arrays(
                [
                    pa.array(np.full(len(pairs), rows.QUERY, dtype=np.int8)),
                    rows.take_strings(log.users, user),
                    rows.take_strings(log.queries, query),
                    pa.array(marks["survives"][query].astype(np.int64)),
                    pa.array(self._chance[power]),
                ],
                names=_JUDGED,
            )


_JUDGED = [column.split()[0] for column in JUDGED.split(", ")]


def _count_flagged(log: Any, bits: UInt64s, start: Int64s, stop: Int64s, reason: UInt64s) -> Int64s:
    """Distinct (user, query) whose query counts in a flagged session, as "
    "`kernels.count_exposed`."""
    sizes = stop - start
    places = np.arange(int(sizes.sum())) + np.repeat(start - (np.cumsum(sizes) - sizes), sizes)
    mask = np.where(reason & np.uint64(why.IDENTIFYING), np.uint64(why.IDENTIFYING), ~np.uint64(0))
    query = log.query[places]
    hit = (bits[query] & np.repeat(mask, sizes)) != 0
    pairs = (log.user[places].astype(np.int64) << 32) | query
    found: Int64s = sorted_distinct(pairs[hit])
    return found


def _put_together(
    work: SparkRunContext,
    records: DataFrame,
    strings: counts.FlaggedStrings,
    queries: DataFrame,
    people: int,
) -> SurvivalCounts:
    from pyspark.sql import functions as F

    told = _add_counts(work, records)
    none = np.zeros(0)
    bare = none.astype(np.uint64)
    empty = counts.of_sessions(0, bare, bare, none, none, 0.0)
    pairs = work.persist_frame(
        records.where(F.col("kind") == rows.QUERY).select("user", "query", "n", "chance").distinct()
    )
    each = pairs.groupBy("user").agg(
        F.max("n").alias("standing"), F.exp(F.sum(F.log1p(-F.col("chance")))).alias("missed"),
        F.max("chance").alias("most"),
    )  # fmt: skip
    # No string survives a chance of 1, whose logarithm Spark has not.
    missed = F.when(F.col("most") >= 1.0, 0.0).otherwise(F.col("missed"))
    users = work.collect_rows(each.agg(F.count("*"), F.sum("standing"), F.sum(missed)), 1)[0]
    texts = pairs.groupBy("query").agg(F.max("n").alias("n"))
    flagged = work.collect_rows(texts.agg(F.count("*"), F.sum("n")), 1)[0]
    alone = queries.where("users = 1 and survives").select("someone").distinct()
    return SurvivalCounts(
        users=people,
        users_flagged=int(users[0]),
        users_exposed=int(users[1] or 0),
        missed=float(users[2]) / users[0] if users[0] else 1.0,
        single_users=work.count_rows(alone),
        strings_flagged=int(flagged[0]),
        strings_surviving=int(flagged[1] or 0),
        addresses_flagged=0,
        addresses_surviving=0,
        strings=strings,
        sessions=counts.FlaggedSessionCounts(
            told.get("whole", 0),
            told.get("flagged", 0),
            _unpack_array(told, "lines", empty.lines),
            _unpack_array(told, "risks", empty.risks),
        ),
    )


# --- figures by name --------------------------------------------------------------------------


def _flatten_counts(**found: Any) -> dict[str, int]:
    told: dict[str, int] = {}
    for name, value in found.items():
        if isinstance(value, np.ndarray):
            told |= {f"{name}.{at}": int(n) for at, n in enumerate(value.ravel()) if n}
        else:
            told[name] = int(value)
    return told


def _pack_figures(told: dict[str, int]) -> pa.RecordBatch:
    import pyarrow as pa

    size = len(told)
    return pa.RecordBatch.from_arrays(
        [
            pa.array(np.full(size, rows.DONE, dtype=np.int8)),
            pa.nulls(size, pa.string()),
            pa.array(list(told), pa.string()),
            pa.array(list(told.values()), pa.int64()),
            pa.nulls(size, pa.float64()),
        ],
        names=_JUDGED,
    )


def _add_counts(work: SparkRunContext, records: DataFrame) -> dict[str, int]:
    from pyspark.sql import functions as F

    named = records.where(F.col("kind") == rows.DONE).groupBy("query").agg(F.sum("n"))
    return {row[0]: int(row[1]) for row in work.collect_rows(named, 1_000)}


def _unpack_array(told: dict[str, int], name: str, shape: Int64s) -> Int64s:
    found = np.zeros(shape.size, dtype=np.int64)
    for at in range(shape.size):
        found[at] = told.get(f"{name}.{at}", 0)
    return found.reshape(shape.shape)
