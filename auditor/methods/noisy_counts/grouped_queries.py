"""Queries by group: each pair of a query and a row's value in a column is counted as a query is.

**Steps.** Each row's query is replaced by the pair of it and the row's group (a value of a column,
or the day, week or month of its time), a method M counts pairs as it counts queries, and the pairs
of what it releases are taken apart. Rows without a value are a group of their own.

**Claim.** What M guarantees between logs of which one has one user more, one period of a user more,
or another history of a user, holds for all groups together, and so for each of them.

**Proof.** Which pair a row gets depends on that row alone, so two such logs are two such logs of
pairs (a transformation of stability 1: McSherry, Privacy integrated queries, SIGMOD 2009), between
which M has its (ε, δ). Taking pairs apart looks at the release alone. ∎

**Sensitivity.** M limits a user to q_f pairs in all, not in each group: one with rows in several
groups still changes at most q_f counts (as Wilson et al., Differentially private SQL with bounded
user contribution, PoPETs 2020, limit a user over partitions). So ε and δ are neither divided among
groups nor added up over them; the price is that a user of g groups has g pairs in the place of a
query, and that each count has fewer users. A group is named only beside a query that is released.

Clicks, transitions and pools of queries have no group; `check_queries_alone` refuses them.
Cost: O(n log p) for n rows and p pairs, 4 bytes a row more than the log.
"""

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from auditor.arrays import Bools, Int32s
from auditor.errors import ParameterError
from auditor.figures import MetricValue
from auditor.log.gil_friendly import encode_keys, sorted_distinct
from auditor.log.model import NONE, QueryLog, Vocabulary, number_by_appearance
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.methods.explanation.explanation import Explanation, ExplanationRequest
from auditor.methods.noisy_counts.period_units import DAY, MONTH, WEEK, encode_periods
from auditor.methods.suppression import StringMarks
from auditor.privacy.release import CELLS, QUERY, CellFigure, CellKey, CellTable, Product, Tables
from auditor.privacy.statement import Statement

NO_GROUPS = "none"
EXPECTED_PAIRS = "expected.pairs"
_JOINT = "\x1f"
"""Stands behind the length of a group's name; a number has none in it."""


def group_column(params: Any) -> str:
    """The column by whose values queries are counted, `NO_GROUPS` for none."""
    return str(getattr(params, "group_by", NO_GROUPS))


def check_queries_alone(params: Any, *, releases_queries_alone: bool) -> None:
    """Raise `ParameterError` where queries are by group and something is released beside them."""
    if group_column(params) != NO_GROUPS and not releases_queries_alone:
        raise ParameterError("group_by", sentence("noisy_counts.groups_have_queries_alone"))


def pair_queries(log: QueryLog, by: str) -> tuple[QueryLog, bool]:
    """The log with a query for each pair of a query and a group, and whether it has the column.

    Not whether anybody has a value there, which one user may decide: it stands in the statement.
    """
    codes, groups = _find_groups(log, by)
    width = len(groups) + 1
    distinct, code = encode_keys(
        len(log), lambda part: log.query[part].astype(np.int64) * width + codes[part] + 1
    )
    query, group = np.divmod(distinct, width)
    texts = log.queries.list_strings(query)
    names = ["", *groups.list_strings()]
    pair_texts = Vocabulary.of(
        _join_pair(names[number], text) for number, text in zip(group.tolist(), texts, strict=True)
    )
    numbered, pair_texts = number_by_appearance(code, pair_texts)
    has_column = by in (DAY, WEEK, MONTH, *log.attributes)
    return dataclasses.replace(
        log.without_attributes, query=numbered, queries=pair_texts
    ), has_column


def _find_groups(log: QueryLog, by: str) -> tuple[Int32s, Vocabulary]:
    """The code of each row's group, −1 where it has none, and the groups; shape (rows,)."""
    if by in (DAY, WEEK, MONTH):
        return encode_periods(log.time, by)
    return log.attributes.get(by, (np.full(len(log), NONE, np.int32), Vocabulary.of(())))


def _join_pair(group: str, text: str) -> str:
    return f"{len(group)}{_JOINT}{group}{text}"


def split_pair(pair: str) -> tuple[str, str]:
    """The group of a pair, empty for that of rows without a value, and the query."""
    size, _, both = pair.partition(_JOINT)
    return both[: int(size)], both[int(size) :]


def mark_pairs(marks: StringMarks, queries: Vocabulary) -> StringMarks:
    """The marks of pairs: each has that of its query, one of `queries`."""

    def find_marked(pairs: Vocabulary) -> Bools:
        texts = [split_pair(pair)[1] for pair in pairs.list_strings()]
        return marks.queries(queries)[queries.find(texts)]

    return dataclasses.replace(marks, queries=find_marked)


def name_pairs(values: Iterable[MetricValue], by: str) -> tuple[MetricValue, ...]:
    """Expectations of a method that counts pairs as queries: how many of them are pairs."""
    return tuple(
        dataclasses.replace(
            metric,
            name=EXPECTED_PAIRS,
            label=phrase("released pairs of a query and a {by}", by=as_phrase(by)),
            help="Pairs that are expected to be released. A query stands in one for each group.",
        )
        if metric.name == "expected.queries"
        else metric
        for metric in values
    )


def split_pairs(product: Product, by: str, *, has_column: bool) -> Product:
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
        statement=state_pairs(product.statement, by, has_column=has_column),
    )


def _encode(heading: str, texts: Sequence[str]) -> CellKey:
    """A column of texts, numbered in their order; an empty one is none."""
    words = sorted(set(texts) - {""})
    place = {text: code for code, text in enumerate(words)} | {"": NONE}
    codes = np.fromiter((place[text] for text in texts), np.int32, len(texts))
    return CellKey(heading, codes, Vocabulary.of(words))


def state_pairs(statement: Statement, by: str, *, has_column: bool) -> Statement:
    """The statement of counts by group; in a log without the column all rows are one group."""
    note = sentence("noisy_counts.counted_by_group", by=as_phrase(by))
    if not has_column:
        note = phrase(
            "The log has no {by}, so all of its rows are one group: keep the column when it is "
            "read, or count all together.",
            by=by,
        )
    claim = phrase("{claim} {sentence}", claim=as_phrase(statement.claim), sentence=as_phrase(note))
    return dataclasses.replace(statement, claim=claim)


def request_pair(request: ExplanationRequest, by: str) -> tuple[ExplanationRequest, str]:
    """The request for a query in the group in which most users issued it, and that group."""
    codes, groups = _find_groups(request.log, by)
    rows = request.rows
    group_numbers = (
        sorted_distinct((codes[rows] + np.int64(1)) << 32 | request.log.user[rows]) >> 32
    )
    number = int(np.bincount(group_numbers, minlength=1).argmax())
    group = ["", *groups.list_strings()][number]
    paired, _ = pair_queries(request.log, by)
    return ExplanationRequest.of(paired, _join_pair(group, request.text)), group


def note_group(explanation: Explanation, by: str, group: str) -> Explanation:
    """The explanation, which says of which group it is."""
    note = phrase(
        "It is explained for the {by} in which most users issued it: {group}.",
        by=by,
        group=group or "–",
    )
    return dataclasses.replace(explanation, notes=(*explanation.notes, note))
