"""Leaves marked strings out of a method's product; see `auditor.methods.suppression`."""

from __future__ import annotations

import dataclasses

from auditor.attacks.risk.marked_strings import mark_identifying, mark_identifying_addresses
from auditor.log.model import Vocabulary
from auditor.methods import suppression
from auditor.params import Params
from auditor.privacy.release import Product, Tables
from auditor.progress import Progress


def suppress_content(product: Product, params: Params, progress: Progress) -> Product:
    """The product without the strings that its setting suppresses; O(bytes of its strings).

    Raises
    ------
    Cancelled
        Somebody asked to stop.
    """
    level = suppression.suppression_level(params)
    if level == suppression.NOTHING:
        return product
    tables = product.content
    assert isinstance(tables, Tables)
    progress.stage("leaving out marked strings")
    queries = mark_identifying(tables.queries, progress, names=level == suppression.NAMES)
    urls = mark_identifying_addresses(tables.urls)
    left = suppression.suppress_strings(tables, queries, urls)
    return dataclasses.replace(
        product,
        content=left,
        statement=suppression.state_suppression(product.statement, level),
        changes={
            **product.changes,
            suppression.SUPPRESSED_QUERIES: int(queries.sum()),
            suppression.SUPPRESSED_ADDRESSES: int(urls.sum()),
        },
    )


def is_suppressed(query: str, params: Params, progress: Progress) -> bool:
    """Whether a setting leaves a query out for its text."""
    level = suppression.suppression_level(params)
    if level == suppression.NOTHING or not query:
        return False
    names = level == suppression.NAMES
    return bool(mark_identifying(Vocabulary.of([query]), progress, names=names)[0])
