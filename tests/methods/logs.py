"""Small logs and plain-Python readings of a release, for this package's tests."""

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from auditor.arrays import Int32s, Int64s
from auditor.log.model import QueryLog
from auditor.methods.base import ExpectedRelease
from auditor.methods.explanation.explanation import Explanation, ExplanationRequest
from auditor.methods.registry import METHODS
from auditor.privacy.randomness import PreviewRandomness
from auditor.privacy.release import Anonymized, Product, Tables
from auditor.privacy.statement import Assumption, Statement
from auditor.progress import Progress, silent_progress
from auditor.release.ledger.totals import SpentBudget, spent_of
from auditor.release.record import ReleaseRecord
from tests.narrowing import present as present

Row = tuple[str, str, int, str | None]

COLUMNS = ("user", "query", "time", "url")
QUIET = silent_progress()
SILENT = 0.01
"""A noise scale at which noise is 0 but for a chance of 10⁻⁴³."""


def log_of(rows: Sequence[tuple[Any, ...]]) -> QueryLog:
    """Rows of user, query and time, and of address where they have one; no more is read."""
    columns: list[Any] = list(zip(*rows, strict=True)) or [(), (), ()]
    return QueryLog.from_columns(**dict(zip(COLUMNS, columns, strict=False)))


def run_method(name: str, log: QueryLog, seed: int = 1, **values: Any) -> Product:
    method = METHODS[name]
    rng = PreviewRandomness(seed)
    return method.run(log, method.params(**values), rng=rng, progress=QUIET)


def expect(
    name: str, log: QueryLog, scale: float = 1.0, progress: Progress = QUIET, **values: Any
) -> ExpectedRelease:
    """The outlook of a method."""
    method = METHODS[name]
    return present(method.outlook)(log, method.params(**values), scale=scale, progress=progress)


def expect_whole(name: str, log: QueryLog, **values: Any) -> ExpectedRelease:
    """The outlook with all that follows it."""
    outlook = expect(name, log, **values)
    while outlook.delayed is not None:
        outlook = outlook.delayed(QUIET)
    return outlook


def expected_values(outlook: ExpectedRelease) -> dict[str, float]:
    return {value.name.removeprefix("expected."): value.value for value in outlook.values}


def statuses(statement: Statement) -> dict[str, str]:
    """Whether each assumption holds, by its name."""
    return {entry.name: entry.status for entry in statement.assumptions}


def find_assumption(statement: Statement, name: str) -> Assumption:
    (assumption,) = (entry for entry in statement.assumptions if entry.name == name)
    return assumption


def names_of_failing(statement: Statement) -> set[str]:
    return {entry.name for entry in statement.failing}


def explain_text(
    name: str, log: QueryLog, text: str, release: Anonymized | None = None, **values: Any
) -> Explanation:
    """What a method says of a query of the log."""
    method, request = METHODS[name], ExplanationRequest.of(log, text, release)
    return present(method.explain)(request, method.params(**values), QUIET)


def contradiction(name: str, log: QueryLog, content: Any, **values: Any) -> str:
    """What contradicts the log in a release of it; "" where nothing does."""
    method = METHODS[name]
    recheck = present(method.recheck)
    return recheck.find_contradiction(log, content, method.params(**values), QUIET)


def spend(name: str, log: QueryLog, **values: Any) -> SpentBudget:
    """What the ledger holds of a release, as if its seeded noise were secure."""
    statement = run_method(name, log, **values).statement
    statement = dataclasses.replace(statement, assumptions=())
    public = METHODS[name].params(**values).to_public()
    return spent_of(ReleaseRecord(statement, method=name, params=public))


def line_of(outlook: ExpectedRelease, figure: str, series: str) -> Any:
    drawn = next(part for part in outlook.figures if part.name == figure)
    return next(part.y for part in drawn.series if part.name == series)


def random_rows(
    users: int = 60, rows: int = 900, seed: int = 3, *, clicks: bool = True
) -> list[Row]:
    rng = np.random.default_rng(seed)
    words = [f"{a} {b}" for a in ("red", "blue", "old", "big", "my") for b in ("car", "dog", "ox")]
    result: list[Row] = []
    for _ in range(rows):
        query = words[min(int(rng.geometric(0.2)) - 1, len(words) - 1)]
        url = f"http://{query.split()[1]}.example/{rng.integers(3)}" if rng.random() < 0.6 else None
        user = f"u{int(users * rng.random() ** 2)}"
        result.append((user, query, int(rng.integers(0, 5_000)), url if clicks else None))
    return result


def draw_rows(
    users: str, queries: str, times: tuple[int, int], pages: Sequence[str | None] = (None,)
) -> SearchStrategy[list[Row]]:
    """Up to forty rows of these users, queries and pages, from the first time to the last."""
    row = st.tuples(
        st.sampled_from(users),
        st.sampled_from(queries),
        st.integers(*times),
        st.sampled_from(pages),
    )
    return st.lists(row, min_size=1, max_size=40)


def queries_of(tables: Tables) -> dict[str, int]:
    return dict(zip(tables.queries.list_strings(), tables.query_count.tolist(), strict=True))


def clicks_of(tables: Tables) -> dict[tuple[str, str], int]:
    pairs = tables.click_query, tables.click_url, tables.click_count
    return {
        (tables.queries[query], tables.urls[url]): count
        for query, url, count in zip(*(column.tolist() for column in pairs), strict=True)
    }


def transitions_of(tables: Tables) -> dict[tuple[str, str], int]:
    pairs = tables.from_query, tables.to_query, tables.transition_count
    return {
        (tables.queries[before], tables.queries[after]): count
        for before, after, count in zip(*(column.tolist() for column in pairs), strict=True)
    }


def log_in(content: Any) -> QueryLog:
    assert isinstance(content, QueryLog)
    return content


def tables_of(content: Any) -> Tables:
    assert isinstance(content, Tables)
    return content


def cells_of(content: Any) -> dict[tuple[str, ...], float]:
    """The last figure of each cell, by its keys."""
    table = present(tables_of(content).alone)
    keys = zip(*(key.list_texts() for key in table.keys), strict=True)
    return dict(zip(keys, table.figures[-1].values.tolist(), strict=True))


def released_places(index: Int64s, queries: int) -> Int32s:
    """``places`` for the released queries `index`: each one's place in it, −1 elsewhere."""
    places = np.full(queries, -1, dtype=np.int32)
    places[index] = np.arange(len(index), dtype=np.int32)
    return places
