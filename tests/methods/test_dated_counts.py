"""Dated tables on small logs: limits by plain loops, laws outcome by outcome, and windows."""

import math
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import auditor
from auditor.__main__ import main
from auditor.attacks.dp_audit.trials import has_gaussian_noise
from auditor.errors import LogFormatError, ParameterError
from auditor.log.model import QueryLog
from auditor.log.writing import write_log
from auditor.methods.dated_counts import (
    METHOD,
    DatedBudget,
    DatedCountsParams,
    count_dated_cells,
    derive_budget,
    is_within_window,
)
from auditor.methods.noisy_counts.period_units import chain_steps, period_of
from auditor.privacy.noise import PreviewRandomness
from auditor.privacy.release import Product, Tables
from auditor.release.ledger.totals import from_plain, to_plain, total_of, write_sentences
from auditor.release.loading import read_release
from tests.measures.fakes import NONE
from tests.methods.logs import (
    QUIET,
    Row,
    draw_rows,
    explain_text,
    log_of,
    present,
    run_method,
    spend,
    statuses,
    tables_of,
)
from tests.privacy import exact_laws as exact

DAY = 86_400
MONDAY = 4 * DAY
"""5 January 1970."""
CROWD = log_of(
    [
        *((f"u{n}", "rose", MONDAY + day * DAY + n) for n in range(200) for day in range(10)),
        *((f"u{n}", "fern", MONDAY + 3 * DAY + 300 + n) for n in range(150)),
        ("u0", "own secret", MONDAY + 4 * DAY + 9_000),
        ("u1", " ", MONDAY),
    ]
)
released = partial(run_method, "dated-counts")


def dated(product: Product) -> dict[tuple[str, str], int]:
    tables = tables_of(product.content)
    query, time, counts = tables.dates
    dates = time.astype("datetime64[s]").astype("datetime64[D]").astype(str)
    names = tables.queries.list_strings()
    return {
        (str(date), names[code]): count
        for date, code, count in zip(dates, query.tolist(), counts.tolist(), strict=True)
    }


# Counting


def cells_by_hand(
    log: QueryLog, step: str, unit: str, q_f: int, parts: int
) -> dict[tuple[str, int], int]:
    def period(time: int, by: str) -> int:
        return 0 if by == "history" else int(period_of(np.array([time]), by)[0])

    units: dict[tuple[int, int], dict[int, list[str]]] = {}
    for user, query, time in zip(log.user, log.query, log.time, strict=True):
        owner = (int(user), period(int(time), unit))
        part = units.setdefault(owner, {}).setdefault(period(int(time), step), [])
        part.append(log.queries[query])
    cells: dict[tuple[str, int], int] = {}
    for pieces in units.values():
        for number, queries in list(pieces.items())[:parts]:
            for query in list(dict.fromkeys(q for q in queries if q.strip()))[:q_f]:
                cells[query, number] = cells.get((query, number), 0) + 1
    return cells


@given(
    draw_rows("uvwx", "abc ", (-40 * DAY, 40 * DAY)),
    st.sampled_from(("day", "week")),
    st.sampled_from(("history", "day", "week", "month")),
    st.integers(1, 3),
    st.integers(1, 4),
)
def test_that_cells_are_those_of_a_plain_loop(
    rows: list[Row], step: str, unit: str, q_f: int, parts: int
) -> None:
    log = log_of(rows)
    params = DatedCountsParams(step=step, protected_unit=unit, q_f=q_f, days=parts)
    cells = count_dated_cells(log, params, QUIET)
    result = {
        (log.queries[query], int(number)): int(count)
        for query, number, count in zip(cells.query, cells.step, cells.count, strict=True)
    }
    assert result == cells_by_hand(log, step, unit, q_f, parts)
    # One unit less changes as many cells as stated at most, by one each, whichever it is.
    for user in range(len(log.users)):
        mask = log.user == user
        periods = period_of(log.time, unit) if unit != "history" else np.zeros(len(log))
        for period in np.unique(periods[mask]):
            rest = log.rows(~(mask & (periods == period)))
            without = cells_by_hand(rest, step, unit, q_f, parts) if len(rest) else {}
            moved = [result.get(c, 0) - without.get(c, 0) for c in result.keys() | without.keys()]
            assert set(moved) <= {0, 1}
            assert sum(moved) <= params.budget.cells


# The law


@pytest.mark.parametrize(
    ("epsilon", "delta", "cells"), [(1.0, 0.02, 1), (1.0, 0.02, 2), (3.0, 0.05, 2), (0.3, 0.01, 1)]
)
def test_that_the_cells_of_a_unit_keep_the_curve(epsilon: float, delta: float, cells: int) -> None:
    budget = derive_budget(epsilon, delta, cells)
    assert budget.delta <= delta * (1 + 1e-9)
    noise = _noise(budget)
    for counts in [(0, 0), (0, 3), (budget.threshold, 1), (2 * budget.threshold, 0)]:
        more = [n + 1 if place < cells else n for place, n in enumerate(counts)]
        first, second = (
            exact.product(*(exact.thresholded(n, noise, budget.threshold) for n in ns))
            for ns in (counts, more)
        )
        assert exact.exact_delta(first, second, epsilon) <= budget.delta * (1 + 1e-9) + 1e-12


def test_that_many_cells_take_gaussian_noise_and_keep_the_curve_of_several() -> None:
    budget = derive_budget(2.0, 0.05, 60)
    assert budget.truncated is None
    assert budget.delta <= 0.05
    # A unit that uses three of its sixty cells; all of them would be too many outcomes.
    noise = _noise(budget)
    for counts in [(0, 0, 0), (budget.threshold, 0, 5)]:
        laws = [
            exact.product(*(exact.thresholded(n + more, noise, budget.threshold) for n in counts))
            for more in (0, 1)
        ]
        assert exact.exact_delta(laws[0], laws[1], 2.0) <= budget.delta


def _noise(budget: DatedBudget) -> dict[int, float]:
    if budget.truncated is None:
        return exact.gaussian(budget.sigma)
    return exact.truncated(budget.truncated)


def test_that_gaussian_noise_is_taken_where_it_shows_smaller_counts() -> None:
    for cells in (1, 5, 20, 100, 1_000):
        budget = derive_budget(1.0, 1e-6, cells)
        half = float(np.interp(0.5, budget.compute_chances(GRID), GRID))
        assert half == pytest.approx(budget.threshold, abs=1)
    assert derive_budget(1.0, 1e-6, 1).truncated is not None
    assert derive_budget(1.0, 1e-6, 1_000).truncated is None


@pytest.mark.parametrize(("days", "gaussian"), [(1, False), (200, True)])
def test_that_the_statement_names_rho_of_gaussian_noise_alone(days: int, gaussian: bool) -> None:
    """An audit of one run shows what the curve of Gaussian noise says where it has a ρ."""
    params = DatedCountsParams(q_f=5 if gaussian else 1, days=days, epsilon=1.0)
    log = log_of([("a", "rose", 0)])
    statement = METHOD.run(log, params, rng=PreviewRandomness(1), progress=QUIET).statement
    assert (params.budget.truncated is None) == gaussian
    assert statement.measured.get("rho", 0.0) == params.budget.rho
    assert has_gaussian_noise(statement) == gaussian


GRID = np.arange(0.0, 6_000.0)


# What is released


def test_that_days_with_enough_users_are_shown_near_their_numbers() -> None:
    product = released(CROWD, epsilon=4.0, delta=1e-6, protected_unit="day", q_f=2)
    cells = dated(product)
    assert {query for _, query in cells} == {"rose", "fern"}
    assert [day for day, query in cells if query == "fern"] == ["1970-01-08"]
    assert len(cells) == 11
    assert all(abs(n - (200 if q == "rose" else 150)) <= 30 for (_, q), n in cells.items())
    tables = tables_of(product.content)
    assert int(tables.query_count.sum()) == sum(cells.values())
    # The first week has 7 days of each user, which q_f = 2 cuts; a user's week is one cell each.
    weekly = released(CROWD, epsilon=4.0, protected_unit="week", step="week", q_f=2)
    assert {date for date, _ in dated(weekly)} == {"1970-01-05", "1970-01-12"}


def test_that_windows_of_a_growing_log_are_the_cells_of_one_release() -> None:
    """Without noise that matters: what is counted of the first days never changes later."""
    values: dict[str, Any] = {"epsilon": 90.0, "delta": 0.01, "q_f": 1, "days": 6}
    full = released(CROWD, **values)
    early = CROWD.rows(CROWD.time < MONDAY + 4 * DAY)
    first = released(early, last_day=19_700_108, **values)
    second = released(CROWD, first_day=19_700_109, last_day=19_700_131, **values)
    assert not dated(first).keys() & dated(second).keys()
    together = dated(first) | dated(second)
    assert together.keys() == dated(full).keys()
    assert all(abs(n - dated(full)[cell]) <= 20 for cell, n in together.items())
    assert statuses(second.statement)["earlier days are in the log"] == "unknown"
    assert "earlier days are in the log" not in statuses(first.statement)


def test_that_weeks_are_released_where_they_begin_within_the_days() -> None:
    params = DatedCountsParams(step="week", first_day=19_700_106, last_day=19_700_119)
    weeks = period_of(MONDAY + 7 * DAY * np.arange(5), "week")
    assert is_within_window(weeks, params).tolist() == [False, True, True, False, False]


@pytest.mark.parametrize(("first", "last"), [(None, 20_061_301), (20_060_302, 20_060_301)])
def test_that_what_is_no_last_day_is_refused(first: int | None, last: int) -> None:
    with pytest.raises(ParameterError):
        DatedCountsParams(first_day=first, last_day=last)


def test_that_the_statement_names_the_unit_and_what_histories_have() -> None:
    day = released(CROWD, protected_unit="day", epsilon=1.0, delta=1e-6).statement
    assert day.unit == "what one user did in one day"
    assert day.measured["cells_of_one_unit"] == 1
    total, lost = chain_steps(1.0, day.delta or 0.0, 31)
    assert day.measured["epsilon_of_usual_history"] == total
    assert day.measured["delta_of_usual_history"] == lost
    history = released(CROWD, epsilon=1.0, delta=1e-6, q_f=2, days=5).statement
    assert history.unit == "one user's whole history"
    assert history.measured["cells_of_one_unit"] == 10
    assert math.fsum(term.delta for term in history.terms) == pytest.approx(history.delta)


def test_that_a_query_is_explained_by_its_days() -> None:
    values: dict[str, Any] = {"epsilon": 4.0, "delta": 1e-6, "protected_unit": "day", "q_f": 2}
    rose, own, nobodys, fern = (
        explain_text("dated-counts", CROWD, text, **values)
        for text in ("rose", "own secret", "nobody's", "fern")
    )
    assert rose.chance == pytest.approx(1.0)
    assert len(rose.tables[0].rows) == 10
    assert present(own.chance) < 1e-5
    assert nobodys.chance == 0.0
    assert {turn.parameter for turn in fern.turns} == {"epsilon", "delta"}


# Files


def test_that_a_dated_table_is_written_and_read_back(tmp_path: Path) -> None:
    release = auditor.anonymize(CROWD, "dated-counts", epsilon=4.0, protected_unit="day", q_f=2)
    write_log(CROWD, tmp_path / "log.tsv")
    params = ["-p", "epsilon=4", "-p", "protected_unit=day", "-p", "q_f=2"]
    call = ["anonymize", str(tmp_path / "log.tsv"), "--method", "dated-counts", *params]
    out = tmp_path / "out"
    assert main([*call, "--out", str(out)]) == 0
    lines = (out / "dated.tsv").read_text().splitlines()
    assert lines[0] == "day\tquery\tcount"
    read = read_release(out)
    assert isinstance(read.content, Tables)
    cells = dated(Product(content=read.content, statement=read.statement))
    assert cells.keys() == dated(Product(content=release.local_content, statement=NONE)).keys()
    assert {f"{day}\t{query}\t{n}" for (day, query), n in cells.items()} == set(lines[1:])
    assert read.content.step == "day"
    for text, error in (
        ("year\tquery\tcount\n", "neither a day nor a week"),
        ("day\tquery\tcount\nsoon\trose\t3\n", "a date that is none"),
    ):
        (out / "dated.tsv").write_text(text)
        with pytest.raises(LogFormatError, match=error):
            read_release(out)


# The ledger


def spent(first: int | None, last: int | None, **values: Any) -> Any:
    budget = spend("dated-counts", CROWD, first_day=first, last_day=last, delta=1e-6, **values)
    assert from_plain(to_plain(budget)) == budget
    return budget


def total(*releases: Any) -> tuple[float, int]:
    totals = total_of(releases)
    assert totals.bounded is not None
    return round(totals.bounded.epsilon, 9), totals.bounded.releases


def test_that_later_days_with_the_same_parameters_cost_nothing_more() -> None:
    january, february = spent(19_700_101, 19_700_131), spent(19_700_201, 19_700_228)
    assert total(january, february) == (2.0, 2)
    assert "count once" in " ".join(write_sentences(total_of([january, february])))
    # The same days again are drawn anew, and so are days without an end that was said before.
    assert total(january, february, spent(19_700_115, 19_700_210)) == (4.0, 3)
    assert total(january, spent(None, 19_700_228)) == (4.0, 2)
    assert total(january, spent(19_700_201, 19_700_228, epsilon=1.0)) == (3.0, 2)


def test_that_other_parameters_add_up_unless_a_day_is_protected() -> None:
    spent_daily = partial(spent, protected_unit="day")
    january = spent_daily(19_700_101, 19_700_131, epsilon=1.0)
    assert total(january, spent_daily(19_700_201, 19_700_228, epsilon=3.0)) == (3.0, 2)
    assert total(january, spent_daily(19_700_131, 19_700_228, epsilon=3.0)) == (4.0, 2)
    # A week that begins in January may end in February.
    assert total(january, spent_daily(19_700_201, 19_700_228, step="week")) == (3.0, 2)
