"""Public keys: counts by a plain loop, exact laws, zeros, lists, and what the ledger adds."""

import dataclasses
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from auditor.errors import LogFormatError, MissingInput, ParameterError
from auditor.log.model import Attribute, QueryLog, Vocabulary
from auditor.methods.public_keys import counts
from auditor.methods.public_keys.counts import PublicKeys, PublicList, count_public_keys
from auditor.methods.registry import METHODS
from auditor.privacy.planted_keys import plant_keys
from auditor.privacy.randomness import PreviewRandomness, SecureRandomness
from auditor.release.ledger.totals import total_of
from tests.methods.logs import (
    QUIET,
    cells_of,
    draw_rows,
    expect,
    expected_values,
    explain_text,
    present,
    run_method,
    spend,
    tables_of,
)
from tests.privacy import exact_laws as exact
from tests.reference.logs import Row as PlainRow
from tests.reference.methods import public_keys as reference

DAY = 86_400
MONDAY = 4 * DAY
Row = tuple[str, str, int, str]
"""User, query, time and country."""


def log_of(*rows: Row) -> QueryLog:
    users, queries, times, countries = zip(*rows, strict=True)
    names = sorted(set(countries))
    log = QueryLog.from_columns(user=users, query=queries, time=times)
    first = {user: place for place, user in reversed(list(enumerate(users)))}
    order = sorted(range(len(rows)), key=lambda row: (first[users[row]], times[row]))
    codes = np.array([names.index(countries[row]) for row in order], dtype=np.int32)
    return dataclasses.replace(log, attributes={"country": Attribute(codes, Vocabulary.of(names))})


def list_file(folder: Path, *lines: str) -> Path:
    path = folder / f"{abs(hash(lines))}.tsv"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


# Counting


@given(
    draw_rows("uvwx", "abcd", (0, 4 * DAY), "xyz"), st.integers(1, 3), st.sampled_from([None, 1, 2])
)
def test_that_a_user_day_changes_m_counts_by_one_and_days_of_a_user_share_none(
    rows: list[Row], m: int, days: int | None
) -> None:
    log = log_of(*rows)
    items = PublicList.of_queries(Vocabulary.of("caeb"))
    groups = PublicList.of_queries(Vocabulary.of("zx"))
    keys = PublicKeys(items, dataclasses.replace(groups, columns=("country",)), 0, 4)

    def count(log: QueryLog) -> dict[int, int]:
        result = count_public_keys(log, keys, m, days, QUIET)
        return dict(zip(result.key.tolist(), result.count.tolist(), strict=True))

    plain = [PlainRow(*row) for row in rows]  # the country in place of the page
    page = reference.count(plain, lambda row: str(row.url), "caeb", "zx", m, days)
    full = count(log)
    assert full == {
        (day * 2 + "zx".find(group)) * 4 + "caeb".find(item): number
        for (day, group, item), number in page.items()
        if day < 4
    }
    for user in range(len(log.users)):
        history = log.user == user
        for day in np.unique(log.time[history] // DAY):
            rest = log.rows(~(history & (log.time // DAY == day)))
            after = count(rest)
            moved = [full.get(key, 0) - after.get(key, 0) for key in full.keys() | after.keys()]
            assert set(moved) <= ({0, 1} if days is None else {-1, 0, 1})
            assert sum(move > 0 for move in moved) <= m
            assert sum(move < 0 for move in moved) <= (0 if days is None else m)
        gone = count(log.rows(~history))
        moved = [n - gone.get(key, 0) for key, n in full.items()]
        assert set(moved) <= {0, 1}
        assert sum(moved) <= m * (days or 5)


# The law


@pytest.mark.parametrize(("rho", "m", "threshold"), [(0.3, 1, 1), (0.5, 2, 2), (0.05, 2, 0)])
def test_that_a_user_day_keeps_the_stated_curve(rho: float, m: int, threshold: int) -> None:
    params = counts.DpPublicKeyCountsParams(rho=rho, m=m, threshold=threshold, delta=1e-3)
    noise = exact.gaussian(params.sigma)

    def law(*counts: int) -> exact.Law:
        """Every key has noise: a count of 0 is as any other."""
        return exact.product(
            *(exact.thresholded(100 + n, noise, 100 + threshold + 1) for n in counts)
        )

    epsilon, delta = params.compute_epsilon(1)
    twice, _ = params.compute_epsilon(2)
    for crowd in ([0] * m, [threshold + 1, *[0] * (m - 1)]):
        with_one = [n + 1 for n in crowd]
        assert exact.exact_delta(law(*crowd), law(*with_one), epsilon) <= delta
        if m == 1:  # a day in the place of another, and two days of one user
            both = law(crowd[0] + 1, 0), law(crowd[0], 1)
            assert exact.exact_delta(*both, twice) <= delta
            both = law(crowd[0], 0), law(crowd[0] + 1, 1)
            assert exact.exact_delta(*both, twice) <= delta


def test_that_published_numbers_give_their_noise() -> None:
    params = counts.DpPublicKeyCountsParams()
    assert params.sigma**2 == pytest.approx(10 / 0.03)
    least = params.find_noise_limit(125_000_000)
    assert 125e6 * stats.norm.sf((least - 0.5) / params.sigma) == pytest.approx(0.05, rel=0.5)
    assert 100 < least < 130


# Keys


CROWD = [(f"u{n}", "fever", MONDAY + n % 2 * DAY, "DE") for n in range(300)]
CROWD += [(f"u{n}", f"own {n}", MONDAY + 9, "DE") for n in range(300)]
CROWD += [("u1", "own 1", MONDAY + 7 * DAY, "FR")]


@pytest.mark.parametrize("rng", [SecureRandomness(), PreviewRandomness(3)])
def test_that_keys_of_nobody_are_released_as_noise_has_it_and_others_never(
    rng: SecureRandomness | PreviewRandomness, tmp_path: Path
) -> None:
    """Lists decide which keys there are: 20,000 words that nobody used are above 5 by noise."""
    words = [f"word {n}" for n in range(20_000)]
    values: dict[str, Any] = {
        "items": list_file(tmp_path, "query", "fever", *words),
        "groups": list_file(tmp_path, "country", "DE", "FR", "LU"),
        "rho": 1.25, "threshold": 5, "first_day": 19_700_105, "last_day": 19_700_112,
    }  # fmt: skip
    method = METHODS["dp-public-key-counts"]
    product = method.run(log_of(*CROWD), method.params(**values), rng=rng, progress=QUIET)
    cells = cells_of(product.content)
    assert {query for *_, query in cells} <= {"fever", *words}
    assert abs(cells["1970-01-05", "DE", "fever"] - 150) < 12
    law = exact.gaussian(2.0)
    alone = sum(chance for x, chance in law.items() if x > 5)
    empty = [count for (*_, query), count in cells.items() if query != "fever"]
    number = 20_000 * 3 * 8
    assert 1e-9 < stats.binom.cdf(len(empty), number, alone) < 1 - 1e-9
    shares = np.array([law[x] / alone for x in (6, 7, 8)])
    tally = np.bincount(np.array(empty, dtype=np.int64) - 6, minlength=3)
    assert np.abs(tally[:3] / len(empty) - shares).max() < 6 * math.sqrt(0.25 / len(empty))
    assert {where for _, where, _ in cells} == {"DE", "FR", "LU"}
    # The same keys, whoever is in the log.
    other = run_method("dp-public-key-counts", log_of(CROWD[0]), **values)
    assert other.statement.measured == product.statement.measured
    assert product.statement.measured["public_keys"] == 20_001 * 3 * 8


def test_that_days_that_are_left_open_are_said_to_be_the_logs_own(tmp_path: Path) -> None:
    items = list_file(tmp_path, "query", "fever")
    evidence = []
    for days in ({}, {"first_day": 19_700_105, "last_day": 19_700_112}):
        statement = run_method(
            "dp-public-key-counts", log_of(*CROWD), items=items, **days
        ).statement
        (keys,) = (entry for entry in statement.assumptions if entry.name == "keys are public")
        assert keys.status == "unknown"
        evidence.append("log's own" in keys.evidence)
    assert evidence == [True, False]


@pytest.mark.parametrize(
    ("lines", "error"),
    [
        (("query\tquery", "a\tb"), LogFormatError),
        (("signed_in", "yes"), LogFormatError),
        (("query", " "), LogFormatError),
        (("query\turl", "a"), LogFormatError),
        (("query",), LogFormatError),
        (("country\tusers", "DE\tmany"), LogFormatError),
        (("country\tusers", "DE\t0"), LogFormatError),
        (("page_id", "17"), MissingInput),
        (("query", "fever"), ParameterError),
    ],
)
def test_that_lists_that_name_no_keys_are_refused(
    lines: tuple[str, ...], error: type[Exception], tmp_path: Path
) -> None:
    with pytest.raises(error):
        run_method("dp-public-key-counts", log_of(*CROWD), groups=list_file(tmp_path, *lines))


def test_that_items_match_in_any_case_and_spacing_and_idle_ones_are_counted(tmp_path: Path) -> None:
    log = log_of(*((f"u{n}", f"{'Old' if n % 2 else 'old'}  maps ", MONDAY, "x") for n in range(9)))
    path = list_file(tmp_path, "query", "OLD Maps", "old maps", "tea", "coffee")
    values: dict[str, Any] = {"items": path, "rho": 10, "m": 1, "threshold": 0}
    product = run_method("dp-public-key-counts", log, **values)
    assert cells_of(product.content) == {("1970-01-05", "old maps"): 9.0}
    assert product.changes["items_never_counted"] == 2
    groups = list_file(tmp_path, "country", " x ", "X")
    grouped = run_method("dp-public-key-counts", log, groups=groups, **values)
    assert cells_of(grouped.content)["1970-01-05", "x", "old maps"] == 9.0
    assert grouped.changes["groups_never_counted"] == 1
    assert tables_of(product.content).folded
    assert explain_text("dp-public-key-counts", log, "Old  maps ", items=path).chance


def test_that_an_audit_plants_its_own_keys() -> None:
    with plant_keys(Vocabulary.of(("own 7", "nobody's"))):
        product = run_method("dp-public-key-counts", log_of(*CROWD), rho=10.0, m=1, threshold=0)
    cells = cells_of(product.content)
    assert ("1970-01-05", "own 7") not in cells or cells["1970-01-05", "own 7"] <= 5
    assert {query for _, query in cells} <= {"own 7", "nobody's"}
    assert product.statement.measured["public_keys"] == 2 * 8


# The index


def trend_log() -> QueryLog:
    """400 users a day search for a fever, 40 for a rash, and 2 for gout, on 28 days."""
    return log_of(*(
        (f"u{n} {day}", query, MONDAY + day * DAY + n, "DE")
        for query, users in (("fever", 400), ("rash", 40), ("gout", 2))
        for day in range(28)
        for n in range(users + (200 if query == "fever" and day == 20 else 0))
    ))  # fmt: skip


def test_that_items_are_shown_by_day_by_week_or_not_at_all(tmp_path: Path) -> None:
    values: dict[str, Any] = {
        "items": list_file(tmp_path, "query", "fever", "rash", "gout", "nothing"),
        "groups": list_file(tmp_path, "country\tusers", "DE\t1000"),
        "epsilon": 0.2, "m": 3, "signal": 3.0, "first_day": 19_700_105, "last_day": 19_700_201,
    }  # fmt: skip
    log = trend_log()
    product = run_method("dp-relative-index", log, **values)
    cells = cells_of(product.content)
    assert {(step, query) for _, step, _, query in cells} == {("day", "fever"), ("week", "rash")}
    assert max(cells, key=lambda key: cells[key]) == ("1970-01-25", "day", "DE", "fever")
    assert cells["1970-01-25", "day", "DE", "fever"] == 100
    weeks = sorted(date for date, step, *_ in cells if step == "week")
    assert weeks == ["1970-01-05", "1970-01-12", "1970-01-19", "1970-01-26"]
    assert np.mean([cells[key] for key in cells if key[1] == "week"]) == pytest.approx(6.7, abs=3)
    (term,) = product.statement.terms
    assert term.epsilon == pytest.approx(0.2)
    assert product.statement.measured["least_mean_for_days"] == pytest.approx(
        3 * math.sqrt(2) * 15, rel=0.01
    )
    # Without public numbers a share of ε pays for those of users: user-days of that day.
    noised = run_method("dp-relative-index", log, **(values | {"groups": None, "epsilon": 2.0}))
    assert [term.epsilon for term in noised.statement.terms] == pytest.approx([1.8, 0.2])
    index = cells_of(noised.content)
    assert index["1970-01-05", "day", "fever"] == pytest.approx(
        100 * (400 / 442) / (600 / 642), rel=0.15
    )


def test_that_no_bound_is_pretended(tmp_path: Path) -> None:
    items = list_file(tmp_path, "query", CROWD[0][1], "nobody's")
    product = run_method("dp-relative-index", log_of(*CROWD), items=items)
    assert not cells_of(product.content)
    assert (product.changes["rows_counted"], product.changes["cells"]) == (0, 0)
    assert product.changes["items_never_counted"] == 1
    (bound,) = (item for item in product.statement.failing if item.name == "bound of a day is set")
    assert "not published" in bound.evidence
    assert "choose m" in expect("dp-relative-index", log_of(*CROWD), items=items).note


# Outlook, explanation, ledger


@pytest.mark.parametrize(
    ("name", "values", "key"),
    [
        ("dp-public-key-counts", {"rho": 0.5, "threshold": 6}, "cells"),
        ("dp-relative-index", {"m": 1, "signal": 3.0}, "daily"),
    ],
)
def test_that_the_outlook_is_the_mean_of_many_runs(
    name: str, values: dict[str, Any], key: str, tmp_path: Path
) -> None:
    rows = [
        (f"u{n}", f"query {n % 7 % (1 + n // 60)}", MONDAY + n % 3 * DAY, "DE") for n in range(600)
    ]
    values |= {"items": list_file(tmp_path, "query", *(f"query {n}" for n in range(40)))}
    log = log_of(*rows)
    expected = expected_values(expect(name, log, **values))[key]
    runs = [cells_of(run_method(name, log, seed, **values).content) for seed in range(200)]
    if name == "dp-relative-index":
        runs = [{cell: 1 for cell in cells if cell[:2] == ("1970-01-05", "day")} for cells in runs]
    sizes = [len(cells) for cells in runs]
    assert np.mean(sizes) == pytest.approx(expected, abs=4 * np.std(sizes) / 200**0.5 + 0.25)


@pytest.mark.parametrize("name", ["dp-public-key-counts", "dp-relative-index"])
def test_that_a_query_is_explained_by_its_keys(name: str, tmp_path: Path) -> None:
    items = list_file(tmp_path, "query", "fever", "own 7")
    groups = list_file(tmp_path, "country", "DE", "FR")
    fever, own, other = (
        explain_text(name, log_of(*CROWD), text, m=1, items=items, groups=groups)
        for text in ("fever", "own 7", "own 8")
    )
    assert present(fever.chance) > 0.99
    assert fever.tables[0].rows
    assert present(own.chance) < 0.01
    assert other.chance == 0.0
    assert "no key" in str(other.outcome)


def test_that_the_ledger_counts_a_day_once_and_lists_of_one_day_twice(tmp_path: Path) -> None:
    def spent(first: int, last: int, **more: Any) -> Any:
        values = {"items": list_file(tmp_path, "query", "fever"), "first_day": first} | more
        return spend("dp-public-key-counts", log_of(*CROWD), last_day=last, **values)

    def total(*releases: Any) -> float:
        return round(present(total_of(releases).bounded).epsilon, 3)

    january, february = spent(19_700_101, 19_700_131), spent(19_700_201, 19_700_228, rho=0.005)
    daily = counts.DpPublicKeyCountsParams().compute_epsilon(1)[0]
    assert total(january) == total(january, february) == pytest.approx(daily, abs=1e-3)
    both = total(january, spent(19_700_101, 19_700_131))
    assert daily < both <= 2 * daily + 1e-3
    limited = [spent(19_700_101 + 100 * n, 19_700_128 + 100 * n, days=n + 1) for n in range(2)]
    assert total(*limited) > total(limited[0]) > daily
