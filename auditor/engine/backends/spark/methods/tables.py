"""A counting plan on Spark: parameters, noise, changes and statement are the methods' own.

A user's part is limited where all of their rows stand together, in order, so which of their
queries, clicks and transitions count is what `noisy_counts.histograms` says, to the row. Only then
are counts added up: within a task first, then across tasks, so a query that everybody asks is some
thousand small numbers in the shuffle and no task gets all of its rows.

A split hands on no more of a user than could count: rows up to the one that brings unit number
q_f + 1 *of the split*, that row included. A unit of the split is one of the history, so the row
at which the whole history is cut is never behind it; and it must come along, since without it
rows of other splits would not be cut. So a user with a million rows costs about what others do.
(Not where queries rarer than τ are dropped first: then all rows count for who is rare.)

A released table is drawn once, written, and everything after reads what was written: an executor
that is lost takes no draw with it that anything else has seen.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from auditor.arrays import Bools, Int64s
from auditor.engine.backends.spark import rows
from auditor.engine.backends.spark.run_context import (
    SparkJobResult,
    SparkRunContext,
    SparkSums,
    count_blank_rows,
    number_densely,
    read_facts,
)
from auditor.engine.backends.spark.session import map_in_arrow
from auditor.engine.distributed_results import DistributedTable
from auditor.errors import ParameterError
from auditor.log.model import QueryLog
from auditor.methods.noisy_counts.counting import pair_of
from auditor.methods.noisy_counts.counting_plan import (
    CountingMethod,
    CountingPlan,
    NoiseRule,
    ReleaseFigures,
    pair_changes,
    query_changes,
    transition_changes,
)
from auditor.methods.noisy_counts.grouped_queries import (
    NO_GROUPS,
    group_column,
    split_pair,
    state_pairs,
)
from auditor.methods.noisy_counts.histograms import (
    ContributionLimits,
    CountingUnit,
    click_pairs,
    limit_users,
    transition_pairs,
    unit_counts,
)
from auditor.params import Params
from auditor.privacy.noise import zero_cells
from auditor.privacy.randomness import SecureRandomness
from auditor.privacy.release import CELLS, CLICKS, QUERIES, QUERY, TRANSITIONS, URL
from auditor.progress import silent_progress


def release_counts(work: SparkRunContext, params: Params, method: CountingMethod) -> SparkJobResult:
    """The tables of a counting method, and its statement."""
    plan, by = method.plan(params), group_column(params)
    for name in plan.local_parameters:
        raise ParameterError(
            name,
            f"The Spark engine can't follow {name} = {getattr(params, name)}. Choose another, or "
            "use `engine` local.",
        )
    whole_log, units = None, None
    if plan.whole_counts:
        work.stage("counting queries")
        count = partial(count_units, plan.limits.unit)
        whole_log = work.count_users(rows.scan(work.spark, work.splits, by=by), count)
        units = work.persist_frame(add_counts(whole_log[0], rows.UNIT))
    records, sums = _count_limited(work, plan, units, by)
    facts, of_rows = whole_log or (records, sums)
    query_count = {} if units is None else {"query_count": work.count_rows(units)}
    log = read_facts(work, facts, of_rows, **query_count)
    totals = add_counts(records, rows.QUERY)
    work.stage("drawing queries")
    fewest = plan.fewest or 1
    queries = work.draw_table(totals.where(totals.n >= fewest), plan.queries.draw, "queries")
    changes = query_changes(
        plan,
        rows=len(log) - of_rows["blank_rows"],
        rows_within=sums["rows_within"],
        histories=work.count_rows(totals) if fewest > 1 else queries.candidates,
        candidates=queries.candidates,
        released=queries.rows,
    ) | count_blank_rows(of_rows)
    figures = ReleaseFigures(users=len(log.users), queries=0, changes=changes)
    sheets = [queries.as_sheet(QUERIES, QUERY)]
    if plan.clicks is not None:
        work.stage("drawing clicks")
        pairs = _released_pairs(add_counts(records, rows.CLICK), queries.frame, "a")
        noisy = work.draw_table(pairs, plan.clicks.draw, "clicks")
        sheets.append(noisy.as_sheet(CLICKS, QUERY, URL))
        changes["clicks_not_counted"] = log.clicks - of_rows["blank_clicks"] - sums["clicks_taken"]
        changes |= pair_changes("click_pairs", plan.clicks, noisy.candidates, noisy.rows)
        figures = replace(figures, single_clicks=noisy.single)
    if plan.transitions is not None:
        work.stage("drawing transitions")
        pairs = _released_pairs(add_counts(records, rows.STEP), queries.frame, "a", "b")
        if plan.lowest_transition is not None:
            frame, counts = _draw_all_cells(work, plan, pairs, queries.frame, queries.rows)
        else:
            noisy = work.draw_table(pairs, plan.transitions.draw, "transitions")
            frame = noisy.frame
            counts = pair_changes("transitions", plan.transitions, noisy.candidates, noisy.rows)
            figures = replace(figures, single_transitions=noisy.single)
        changes |= counts
        released = counts["transitions_released"]
        sheets.append((DistributedTable(TRANSITIONS, ("from", "to", "count"), released), frame))
    if units is not None:
        figures = _describe_whole_counts(work, plan, units, queries.frame, sums, figures)
        figures = replace(figures, queries=len(log.queries))
    statement = method.state(params, figures)
    result = SparkJobResult(sheets, statement, changes, log, queries.rows)
    return split_pairs(work, result, by, of_rows)


def _describe_whole_counts(
    work: SparkRunContext,
    plan: CountingPlan,
    units: DataFrame,
    released_queries: DataFrame,
    sums: SparkSums,
    figures: ReleaseFigures,
) -> ReleaseFigures:
    """Rows that τ passes over, queries at its edge, and the share of volume that is released."""
    tau = plan.limits.tau
    rare = work.sum_up(
        units,
        rare=F.count_if(units.n < tau),
        edge=F.count_if(units.n.isin(tau - 1, tau)),
        all=F.sum("n"),
    )
    figures.changes["rows_rarer_than_tau"] = sums["rows_rare"]
    figures.changes["rows_over_limit"] -= sums["rows_rare"] - sums["rows_rare_within"]
    figures.changes["queries_rarer_than_tau"] = rare["rare"]
    kept_units = work.sum_up(_released_pairs(units, released_queries, "a"), all=F.sum("n"))
    return replace(
        figures,
        rare=rare["rare"],
        borderline=rare["edge"] if tau > 1 else 0,
        kept_share=kept_units["all"] / max(rare["all"], 1),
    )


def split_pairs(
    work: SparkRunContext, result: SparkJobResult, by: str, sums: SparkSums
) -> SparkJobResult:
    """A result of pairs as one of queries by group, in one table; as it is where none are paired.

    The last of its tables has them, behind a date if there is one.
    """
    if by == NO_GROUPS:
        return result
    sheet, frame = result.sheets[-1]
    *dates, _, _ = sheet.heading
    headings = (*dates, by, QUERY, "count")
    schema = ", ".join([*(f"`{name}` string" for name in headings[:-1]), "count long"])

    def split(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            *dates, texts, count = batch.columns
            pairs = [split_pair(pair) for pair in texts.to_pylist()]
            both = [[pair[place] for pair in pairs] for place in range(2)]
            columns = zip(headings, [*dates, *both, count], strict=True)
            yield rows.make_batch(dict(columns), schema)

    cells = map_in_arrow(frame.select(*("a", "b")[: len(dates) + 1], "n"), split, schema)
    return replace(
        result,
        sheets=[(DistributedTable(CELLS, headings, sheet.rows), cells)],
        statement=state_pairs(result.statement, by, has_column=sums["groups"] > 0),
        query_count=work.count_rows(cells.select(QUERY).distinct()),
    )


def _draw_all_cells(
    work: SparkRunContext, plan: CountingPlan, happened: DataFrame, queries: DataFrame, size: int
) -> tuple[DataFrame, dict[str, int]]:
    """Pairs that happened and pass, and pairs that never happened and pass.

    Every cell draws for itself. So the cells that never happened and pass are those of *all*
    cells that a draw for zeros lets pass, less those that happened, whose own draw counts.
    """
    assert plan.transitions is not None
    assert plan.lowest_transition is not None
    cells = size * (size - 1)
    scale, least = plan.transitions.scale, plan.lowest_transition(cells)
    pairs = work.persist_frame(happened)
    real = work.draw_table(pairs, NoiseRule(scale, least).draw, "transitions")
    places, lifted = zero_cells(cells, scale, least, SecureRandomness(), work.progress)
    released, never = real.frame.select("a", "b", "n"), 0
    if len(places):
        first, second = pair_of(places, size)
        cell = work.read_table(pa.table({"first": first, "second": second, "n": lifted}), "cells")
        names = number_densely(work, queries.select("a"))
        from_names = names.withColumnRenamed("place", "first")
        to_names = names.select(F.col("place").alias("second"), F.col("a").alias("b"))
        lifted_cells = cell.join(from_names, "first").join(to_names, "second")
        false = lifted_cells.select("a", "b", "n").join(pairs, ["a", "b"], "left_anti")
        false = work.write_frame(false, "never")
        never = work.count_rows(false)
        released = released.unionByName(false)
    return released, transition_changes(real.candidates, real.rows, never)


def _count_limited(
    work: SparkRunContext, plan: CountingPlan, units: DataFrame | None, by: str
) -> tuple[DataFrame, SparkSums]:
    """What limited users contribute, and the figures that come with it.

    `units` of the whole log's queries, counted `by` group, say which of them are rarer than τ.
    """
    work.stage("limiting users")
    limits, names = plan.limits, list(rows.NAMES)
    if units is None or limits.tau <= 1:
        frame = rows.scan(work.spark, work.splits, could_count(limits), by=by)
    else:
        frequent = units.where(units.n >= limits.tau)
        flags = frequent.select(F.col("a").alias("query"), F.lit(True).alias("often"))
        frame = rows.scan(work.spark, work.splits, by=by).join(flags, "query", "left")
        names.append("often")
    clicks, transitions = plan.clicks is not None, plan.transitions is not None
    count = partial(count_contributions, limits, clicks, transitions)
    return work.count_users(frame.select(*names), count)


def _released_pairs(pairs: DataFrame, released_queries: DataFrame, *columns: str) -> DataFrame:
    """Those of `pairs` whose `columns` are released queries."""
    for column in columns:
        released = released_queries.select(released_queries.a.alias(column))
        pairs = pairs.join(released, column, "left_semi")
    return pairs


# --- counts of limited users ---------------------------------------------------------------------


def could_count(limits: ContributionLimits) -> rows.Step:
    """The rows of a split that could be in a limited history, or cut it."""

    def keep(log: QueryLog) -> Bools:
        stops = limit_users(log, limits, silent_progress()).stops
        return np.arange(len(log)) <= stops[log.user]

    return keep


def count_contributions(
    limits: ContributionLimits, clicks: bool, transitions: bool, table: pa.Table, log: QueryLog
) -> list[rows.Records]:
    """What a block of users contributes: counts, and figures to be added up.

    A column `often` of the table says whether a row's query has `tau` units at least.
    """
    units = None
    if "often" in table.column_names:  # stands in for the counts of the whole log
        units = np.zeros(len(log.queries), dtype=np.int32)
        units[log.query[table["often"].fill_null(False).to_numpy()]] = limits.tau
    limited = limit_users(log, limits, silent_progress(), units=units)
    query_codes = np.arange(len(log.queries), dtype=np.int32)
    codes = np.flatnonzero(limited.query_count)
    rare = limited.dropped[log.query] if len(limited.dropped) else np.zeros(len(log), np.uint8)
    is_within = np.arange(len(log)) < limited.stops[log.user]
    totals = {
        "users": len(log.users),
        "rows_within": int(np.count_nonzero(is_within)),
        "rows_rare": int(np.count_nonzero(rare)),
        "rows_rare_within": int(np.count_nonzero(rare[is_within])),
    }
    parts: list[rows.Records] = [
        (rows.QUERY, rows.take_strings(log.queries, codes), None, limited.query_count[codes])
    ]
    for kind, is_counted, count_pairs, seconds in (
        (rows.CLICK, clicks, click_pairs, log.urls),
        (rows.STEP, transitions, transition_pairs, log.queries),
    ):
        if is_counted:
            pairs = count_pairs(log, limited, query_codes, silent_progress())
            first = rows.take_strings(log.queries, pairs.first)
            parts.append((kind, first, rows.take_strings(seconds, pairs.second), pairs.count))
            if kind == rows.CLICK:
                totals["clicks_taken"] = pairs.total
    return [*parts, rows.make_totals(totals)]


def find_first_uses(log: QueryLog, row_numbers: Int64s) -> Int64s:
    """Which of `row_numbers` rows are the first of a user's with their query, by user and query."""
    pairs = log.user[row_numbers].astype(np.int64) * len(log.queries) + log.query[row_numbers]
    first: Int64s = np.unique(pairs, return_index=True)[1]
    return first


def find_lists(records: DataFrame) -> DataFrame:
    """Lists of users' queries among records, each with its `place`."""
    names = {"a": "query", "b": "user", "n": "place"}
    return records.where(F.col("kind") == rows.ROW).drop("kind").withColumnsRenamed(names)


def take_lists(lists: DataFrame, *extra_columns: str) -> DataFrame:
    """Lists of users' queries, in the order of a `place`, as rows of a log, with some columns."""
    empty_columns = {"kind": F.lit(rows.ROW).cast("byte"), "rank": F.lit(-1).cast("short")}
    empty_columns |= {name: F.lit(None).cast("string") for name in ("url", "cookie")}
    empty_columns |= {"time": F.col("place"), "ip": F.lit(None).cast("long")}
    return lists.withColumns(empty_columns).select(*rows.NAMES, *extra_columns)


def count_units(unit: CountingUnit, _table: pa.Table, log: QueryLog) -> list[rows.Records]:
    """The units of every query of a block of users."""
    units = unit_counts(log, unit, silent_progress())
    texts = rows.take_strings(log.queries, np.arange(len(log.queries)))
    return [(rows.UNIT, texts, None, units), rows.make_totals({"users": len(log.users)})]


def add_counts(records: DataFrame, kind: int) -> DataFrame:
    """Counts of one kind added up, over tasks that have added up their own."""
    keys = ("a",) if kind in (rows.QUERY, rows.UNIT, rows.WEIGHT) else ("a", "b")
    return records.where(F.col("kind") == kind).groupBy(*keys).agg(F.sum("n").alias("n"))
