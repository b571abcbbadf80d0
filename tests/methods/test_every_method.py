"""What holds for every method on logs of next to nothing, and of what it never says."""

import numpy as np
import pytest

from auditor.errors import ParameterError
from auditor.log.model import QueryLog
from auditor.methods.registry import METHODS
from tests.methods.logs import (
    Row,
    expect,
    log_in,
    log_of,
    names_of_failing,
    random_rows,
    run_method,
)

LOG = log_of(random_rows())
DATED = [
    name
    for name in METHODS
    if any(spec.name == "first_day" for spec in METHODS[name].params.specs())
]
TINY: list[tuple[str, list[Row]]] = [(name, []) for name in METHODS]


LOGS = [name for name in METHODS if METHODS[name].yields == "log"]
TINY += [(name, [("u", "a", 1, None)]) for name in METHODS if not METHODS[name].grouped]
"""Logs of no row and of one; groups of users need users."""


@pytest.mark.parametrize("name", METHODS)
def test_that_no_query_text_reaches_a_statement(name: str) -> None:
    statement = str(run_method(name, LOG).statement.to_dict())
    assert not any(query in statement for query in LOG.queries.list_strings())


@pytest.mark.parametrize(("name", "rows"), TINY)
def test_that_a_log_of_next_to_nothing_is_expected_and_released(name: str, rows: list[Row]) -> None:
    log = log_of(rows)
    product, outlook = run_method(name, log), expect(name, log)
    assert product.statement.claim
    assert outlook.statement.claim
    assert all(np.isfinite(metric.value) for metric in outlook.values)
    assert all(count >= 0 for count in product.changes.values())


@pytest.mark.parametrize("name", DATED)
def test_that_what_is_no_date_is_refused(name: str) -> None:
    with pytest.raises(ParameterError, match="no date"):
        METHODS[name].params.of({"first_day": 19_700_231})


@pytest.mark.parametrize("name", LOGS)
def test_that_ids_come_through_where_it_is_said_and_addresses_and_sources_never(name: str) -> None:
    rows = random_rows()
    log = QueryLog.from_columns(
        user=[f"secret-{row[0]}" for row in rows],
        query=[row[1] for row in rows],
        time=[row[2] for row in rows],
        ip=[7] * len(rows),
        cookie=["c"] * len(rows),
    )
    product = run_method(name, log)
    content = log_in(product.content)
    assert len(content)
    assert (content.ip, content.cookie, content.cookies) == (None, None, None)
    assert content.origin.files == ()
    known = any("secret" in user for user in content.users.list_strings())
    assert known == ("ids are unknown" in names_of_failing(product.statement))
