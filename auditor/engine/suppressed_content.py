"""Leaves marked strings out of a method's product; see `auditor.methods.suppression`."""

import dataclasses
import math

from auditor.attacks.detection.marked_strings import (
    is_marked,
    mark_identifying,
    mark_identifying_addresses,
)
from auditor.figures import MetricValue
from auditor.log.model import QueryLog, Vocabulary
from auditor.messages import DisplayText, join_phrases
from auditor.methods import suppression
from auditor.methods.base import ExpectedRelease
from auditor.methods.noisy_counts.grouped_queries import EXPECTED_PAIRS
from auditor.params import Params
from auditor.privacy.release import Product, Tables
from auditor.progress import Progress

_STILL_COUNTED = "What is expected to be kept still counts what is suppressed afterwards."
_NOT_MARKED_YET = (
    "What is expected to be kept is at most this: which queries are suppressed is being looked for."
)
_ALL_SUPPRESSED = (
    "Hardly any query that is expected to pass is left: what passes is suppressed. Suppress less, "
    "or let more queries pass."
)


def suppress_content(product: Product, params: Params, progress: Progress) -> Product:
    """The product without the strings that its setting suppresses; O(bytes of its strings).

    A method that releases rows leaves them out itself, before it counts what its rows show.
    """
    level = suppression.suppression_level(params)
    if level == suppression.NOTHING:
        return product
    tables = product.content
    if not isinstance(tables, Tables):
        statement = suppression.state_suppression(product.statement, level, "log")
        return dataclasses.replace(product, statement=statement)
    progress.stage("leaving out marked strings")
    queries = mark_identifying(tables.queries, progress, names=level == suppression.NAMES)
    urls = mark_identifying_addresses(tables.urls)
    remaining = suppression.suppress_strings(tables, queries, urls)
    return dataclasses.replace(
        product,
        content=remaining,
        statement=suppression.state_suppression(product.statement, level, "tables"),
        changes={
            **product.changes,
            suppression.SUPPRESSED_QUERIES: int(queries.sum()),
            suppression.SUPPRESSED_ADDRESSES: int(urls.sum()),
        },
    )


def expect_suppression(
    raw: ExpectedRelease, log: QueryLog, params: Params, progress: Progress, *, soon: bool = False
) -> ExpectedRelease:
    """What a method's outlook expects of a log, without what the setting suppresses.

    With `soon`, where the log's strings are not marked yet, it is what the method expects, said to
    be at most that; its `delayed` then marks them and leaves them out.
    """
    level = suppression.suppression_level(params)
    if level == suppression.NOTHING:
        return raw
    expect_without = raw.expect_without
    if expect_without is None:
        return dataclasses.replace(raw, note=_join_notes(raw.note, _STILL_COUNTED))

    def leave_out(progress: Progress) -> ExpectedRelease:
        marks = suppression.StringMarks(
            lambda strings: mark_identifying(strings, progress, names=level == suppression.NAMES),
            mark_identifying_addresses,
        )
        values, figures = expect_without(marks)
        note = raw.note
        if _count_kept(raw.values) >= 1 > _count_kept(values):
            note = _join_notes(note, _ALL_SUPPRESSED)
        return dataclasses.replace(raw, values=values, figures=figures, note=note, delayed=None)

    if soon and not is_marked(log.without_blank.queries):
        note = _join_notes(raw.note, _NOT_MARKED_YET)
        return dataclasses.replace(raw, note=note, delayed=leave_out)
    return leave_out(progress)


def _count_kept(values: tuple[MetricValue, ...]) -> float:
    names = "expected.queries", EXPECTED_PAIRS
    return next((metric.value for metric in values if metric.name in names), math.nan)


def _join_notes(*notes: str) -> DisplayText:
    return join_phrases(" ", filter(None, notes))


def is_suppressed(query: str, params: Params, progress: Progress) -> bool:
    """Whether a setting leaves a query out for its text."""
    level = suppression.suppression_level(params)
    if level == suppression.NOTHING or not query:
        return False
    names = level == suppression.NAMES
    return bool(mark_identifying(Vocabulary.of([query]), progress, names=names)[0])
