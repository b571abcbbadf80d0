"""Methods that release the cells of a log which enough users are in, as `rule` has them."""

import functools
from typing import Any

import numpy as np

from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog
from auditor.log.sentences import sentence
from auditor.log.text import merge_spellings
from auditor.methods.base import ExpectedRelease, Method, Recheck
from auditor.methods.explanation.explanation import (
    Explanation,
    ExplanationRequest,
    find_threshold_turn,
)
from auditor.methods.noisy_counts.expectations import extrapolate_users
from auditor.methods.noisy_counts.outlook import metric_of_searches
from auditor.methods.threshold_cells.rule import CellRule
from auditor.privacy.randomness import PreviewRandomness, Randomness
from auditor.privacy.release import Product, Tables
from auditor.progress import Progress

describe_metric = MetricCatalogue("methods", "threshold_cells")


def build_method(rule: CellRule, strictness: tuple[str, ...] = ()) -> Method:
    """The method of a rule."""
    return Method(
        **MetricCatalogue("methods", rule.params.owner.replace("-", "_")).card,
        recheck=Recheck(
            "every released cell has the users it needs",
            functools.partial(_find_contradiction, rule),
        ),
        params=rule.params,
        yields="tables",
        randomised=False,
        run=functools.partial(_run, rule),
        outlook=functools.partial(_expect_release, rule),
        explain=functools.partial(_explain, rule),
        cells=rule,
        main=rule.main,
        strictness=strictness,
        reads=rule.reads,
        folds=True,
    )


def _run(
    rule: CellRule, log: QueryLog, params: Any, *, rng: Randomness, progress: Progress
) -> Product:
    """Release the cells that enough users are in."""
    progress.check()
    cells = rule.find_cells(log, params, progress, rng=rng)
    table = cells.build_table(rule.show_cells(cells, log, params))
    return Product(
        content=Tables.of_cells(table, folded=True),
        statement=rule.state_cells(params, cells.facts),
        changes={
            "rows": len(log),
            "rows_counted": len(cells.log),
            "cells": len(cells.users),
            "cells_released": len(table),
        },
    )


def _expect_release(
    rule: CellRule, log: QueryLog, params: Any, *, scale: float, progress: Progress
) -> ExpectedRelease:
    """What is left, exactly on the whole log and estimated from a sample of users."""
    log = log.keep_attributes(rule.reads)
    cells = rule.find_cells(log, params, progress, rng=PreviewRandomness(0), scale=scale)
    released = Tables.of_cells(cells.build_table())
    totals, stand_for = extrapolate_users(cells.users, scale)
    log = merge_spellings(log)
    code, starts = log.queries.match(released.queries), log.event_starts
    kept = released.hold_searches(code[log.query[starts]], log.time[starts])
    k = getattr(params, rule.least)
    note = ""
    if k is None:
        keys = rule.list_headings(log.attributes, params)
        note = sentence("threshold_cells.unset", keys=" × ".join(keys))
    elif not cells.passing.any():
        most_users = float(totals.max(initial=0.0))
        note = sentence("threshold_cells.nothing", most=most_users, k=k)
    return ExpectedRelease(
        statement=rule.state_cells(params, cells.facts),
        values=(
            describe_metric("expected.cells", float(stand_for[cells.passing].sum())),
            describe_metric("expected.queries", float(len(released.queries))),
            metric_of_searches(np.count_nonzero(kept) / max(len(kept), 1)),
        ),
        note=note,
    )


def _explain(
    rule: CellRule, request: ExplanationRequest, params: Any, progress: Progress
) -> Explanation:
    """How many users its largest cell has, and which number of users would turn the answer."""
    log = request.log.keep_attributes(rule.reads)
    if request.code == NONE:
        return Explanation(outcome=sentence("entity_allowlist.nobody"), chance=0.0)
    spelt = merge_spellings(log).query
    only = spelt == spelt[request.rows[0]]
    cells = rule.find_cells(log, params, progress, only=only)
    most_users = int(cells.users.max(initial=0))
    is_kept = bool(cells.passing.any())
    turn = find_threshold_turn(params, rule.least, most_users, sentence("threshold_cells.no_cell"))
    return Explanation(
        outcome=sentence(
            "threshold_cells.explained",
            cells=len(cells.users),
            released=int(cells.passing.sum()),
            most=most_users,
        ),
        chance=float(is_kept),
        values=(describe_metric("most", float(most_users)),),
        turns=(turn,),
    )


def _find_contradiction(
    rule: CellRule, log: QueryLog, released: Tables, params: Any, progress: Progress
) -> str:
    """Content of a release that the log's passing cells contradict."""
    log = log.without_blank.keep_attributes(rule.reads)
    cells = rule.find_cells(log, params, progress)
    expected = cells.build_table().keys
    keys = () if released.alone is None else released.alone.keys
    if [key.heading for key in keys] != [key.heading for key in expected]:
        return "its cells have other keys than its method gives them"
    actual, allowed = (
        set(zip(*(key.list_texts() for key in side), strict=True)) for side in (keys, expected)
    )
    return "" if actual <= allowed else "it holds cells of fewer users of the log than they need"
