"""Queries by group: each pair of a query and a row's value in a column is counted as a query is.

Whoever limits a user to q_f queries limits them to q_f such pairs in all, whatever their groups, so
a user changes as many counts as before and what is guaranteed stays. `Method` pairs queries before
histories are cut and counted, and takes the pairs of a release apart. Rows without a value are a
group of their own. O(rows log rows).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from auditor.log.model import NONE, QueryLog, Vocabulary, number_by_appearance
from auditor.messages import as_phrase, phrase
from auditor.methods.explanation.explanation import Explanation, ExplanationRequest
from auditor.privacy.release import CELLS, QUERY, CellFigure, CellKey, CellTable, Product, Tables
from auditor.privacy.statement import Statement

NO_GROUPS = "none"
_JOINT = "\x1f"
"""Stands behind the length of a group's name; a number has none in it."""


def group_column(params: Any) -> str:
    """The column by whose values queries are counted, `NO_GROUPS` for none."""
    return str(getattr(params, "group_by", NO_GROUPS))


def pair_queries(log: QueryLog, by: str) -> tuple[QueryLog, Vocabulary]:
    """The log with a query for each pair of a query and a value of `by`, and these values."""
    nobody = np.full(len(log), NONE, dtype=np.int32)
    codes, groups = log.attributes.get(by, (nobody, Vocabulary.of(())))
    pairs, code = np.unique(
        log.query.astype(np.int64) * (len(groups) + 1) + codes + 1, return_inverse=True
    )
    query, group = np.divmod(pairs, len(groups) + 1)
    texts = log.queries.list_strings(query)
    names = ["", *groups.list_strings()]
    joined = Vocabulary.of(
        _join_pair(names[number], text) for number, text in zip(group.tolist(), texts, strict=True)
    )
    numbered, joined = number_by_appearance(code.astype(np.int32), joined)
    bare = log.without_attributes
    return dataclasses.replace(bare, query=numbered, queries=joined), groups


def _join_pair(group: str, text: str) -> str:
    return f"{len(group)}{_JOINT}{group}{text}"


def split_pair(pair: str) -> tuple[str, str]:
    """The group of a pair, empty for that of rows without a value, and the query."""
    size, _, both = pair.partition(_JOINT)
    return both[: int(size)], both[int(size) :]


def split_pairs(product: Product, by: str, groups: Vocabulary) -> Product:
    """The product with a table of query and group in the place of its tables of pairs."""
    tables = product.content
    assert isinstance(tables, Tables)
    pairs = [split_pair(pair) for pair in tables.queries.list_strings()]
    codes, count = np.arange(len(pairs)), tables.query_count
    keys: list[CellKey] = []
    if tables.step:
        assert tables.cells is not None
        query, _, count = tables.dates
        codes = query.astype(np.int64)
        keys.append(tables.cells.keys[0])
    keys.append(_encode(by, [pairs[code][0] for code in codes.tolist()]))
    keys.append(_encode(QUERY, [pairs[code][1] for code in codes.tolist()]))
    order = np.lexsort([key.codes for key in keys[::-1]])  # by texts: what is released decides
    cells = CellTable(
        CELLS,
        tuple(key._replace(codes=key.codes[order]) for key in keys),
        (CellFigure("count", count[order]),),
    )
    return dataclasses.replace(
        product,
        content=Tables.of_cells(cells),
        statement=state_pairs(product.statement, by, len(groups)),
    )


def _encode(heading: str, texts: Sequence[str]) -> CellKey:
    """A column of texts, numbered in their order; an empty one is none."""
    words = sorted(set(texts) - {""})
    place = {text: code for code, text in enumerate(words)} | {"": NONE}
    codes = np.fromiter((place[text] for text in texts), np.int32, len(texts))
    return CellKey(heading, codes, Vocabulary.of(words))


def state_pairs(statement: Statement, by: str, groups: int) -> Statement:
    """The statement of counts by group.

    `groups` is how many values there are; where there is none, all rows are one group.
    """
    note = phrase(
        "Queries are counted by {by}: where it speaks of queries of a user, those are pairs of a "
        "query and a {by}, so many in all.",
        by=by,
    )
    if not groups:
        note = phrase(
            "The log has no {by}, so all of its rows are one group: keep the column when it is "
            "read, or count all together.",
            by=by,
        )
    claim = phrase("{claim} {sentence}", claim=as_phrase(statement.claim), sentence=as_phrase(note))
    return dataclasses.replace(statement, claim=claim)


def request_pair(request: ExplanationRequest, by: str) -> tuple[ExplanationRequest, str]:
    """The request for a query in the group in which most users issued it, and that group."""
    paired, groups = pair_queries(request.log, by)
    names = ["", *groups.list_strings()]
    requests = [ExplanationRequest.of(paired, _join_pair(name, request.text)) for name in names]
    users = [len(candidate.users) for candidate in requests]
    most = int(np.argmax(users))
    return requests[most], names[most]


def note_group(explanation: Explanation, by: str, group: str) -> Explanation:
    """The explanation, which says of which group it is."""
    note = phrase(
        "It is explained for the {by} in which most users issued it: {group}.",
        by=by,
        group=group or "–",
    )
    return dataclasses.replace(explanation, notes=(*explanation.notes, note))
