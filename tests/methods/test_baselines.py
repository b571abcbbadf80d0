"""Korolova, ZEALOUS and the frequency threshold: releases, thresholds, what they say."""

import contextlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.errors import AuditorError, LogFormatError, ParameterError
from auditor.log.model import QueryLog
from auditor.methods.frequency_threshold import count_kept_rows
from auditor.methods.korolova import KorolovaParams
from auditor.methods.registry import METHODS
from auditor.methods.zealous import ZealousParams, derive_bounds
from auditor.privacy import accounting
from auditor.privacy.release import Product
from auditor.progress import Progress
from tests.methods.logs import (
    Row,
    expect,
    log_in,
    log_of,
    present,
    queries_of,
    random_rows,
    run_method,
    tables_of,
)
from tests.test_conformance import REFUSED, bounds


def run(name: str, rows: list[Row], seed: int = 1, **values: Any) -> Product:
    return run_method(name, log_of(rows), seed, **values)


# Korolova -----------------------------------------------------------------------------------


def test_that_korolova_says_the_sources_epsilon_and_delta() -> None:
    """ε of Table 3's first row without transitions (the same sum at p_g = 1), δ = 5 as printed."""
    wide: dict[str, Any] = {"b": 10.0, "b_q": 10.0, "b_c": 10.0}
    statement = run(
        "korolova", random_rows(), K=10, q_f=10, c_f=10, clicks="observed", **wide
    ).statement
    assert statement.epsilon == pytest.approx(4.27, abs=5e-3)
    assert statement.measured["printed_delta"] == pytest.approx(5.0)
    assert statement.delta == pytest.approx(accounting.threshold_delta(10, 10, 10.0, once=False))
    assert any(entry.name == "delta" and entry.status == "fails" for entry in statement.assumptions)


def test_that_observed_clicks_are_said_to_be_of_pages_that_are_not_public(tmp_path: Path) -> None:
    rows: list[Row] = [(f"u{n}", "a", 1, "p") for n in range(9)]
    observed = run("korolova", rows, clicks="observed", K=3)
    assert observed.statement.failing[0].name == "pages are public"
    results = tmp_path / "results.tsv"
    for line in ("no tab here", "a\t", "a\t  "):
        results.write_text(f"{line}\n", encoding="utf-8")
        with pytest.raises(LogFormatError, match="line 1"):
            run("korolova", rows, clicks="results", results=results)


@pytest.mark.parametrize("K", [None, 40])
def test_that_korolovas_solvers_reach_what_is_wanted(K: int | None) -> None:
    params = KorolovaParams(K=K, b_q=50.0)
    by_name = {solver.parameter: solver for solver in METHODS["korolova"].solvers}
    b: Any = by_name["b"].solve(params, 3.0, 100)
    statement = run("korolova", random_rows(), **params.replace(b=b.b).to_dict()).statement
    assert 2.9 < present(statement.epsilon) <= 3.0 + 1e-9
    least: Any = by_name["K"].solve(params, 1e-8, 100)
    assert run("korolova", random_rows(), **least.to_dict()).statement.delta <= 1e-8  # type: ignore[operator]
    with pytest.raises(ParameterError, match="No b reaches"):
        by_name["b"].solve(params, 0.1, 100)


# ZEALOUS ------------------------------------------------------------------------------------


def test_that_the_printed_threshold_lets_a_users_own_query_out_more_often_than_delta() -> None:
    """m lone queries of each user: the chance that some pass is far above the wanted δ'."""
    users = 1_500
    rows: list[Row] = [(f"u{u}", f"{u} {n}", n, None) for u in range(users) for n in range(5)]
    product = run("zealous", rows, 2, m=5, epsilon=2.0, delta=1e-4, threshold="printed")
    owners = {query.split()[0] for query in queries_of(tables_of(product.content))}
    delta = present(product.statement.delta)
    assert len(owners) / users == pytest.approx(delta, rel=0.5)
    assert delta > 50 * 1e-4
    assert "the wanted δ' is reached" in [entry.name for entry in product.statement.failing]


@pytest.mark.parametrize("tau", [1, 7])
def test_that_the_sound_threshold_keeps_delta_at_any_first_threshold(tau: int) -> None:
    params = ZealousParams(m=5, epsilon=2.0, delta=1e-4, tau=tau)
    derived = derive_bounds(params)
    assert derived.delta <= 1e-4
    assert accounting.zealous_delta(5, derived.scale, derived.least - tau) > 1e-4
    rows: list[Row] = [(f"u{n}", "a", 1, None) for n in range(tau)]
    assert run("zealous", rows, **params.to_dict()).statement.delta == derived.delta


def test_that_zealous_tells_the_queries_rarer_than_tau() -> None:
    rows: list[Row] = [(f"u{n}", q, t, None) for n in range(50) for t, q in enumerate("aabcd")]
    changes = run("zealous", rows, m=2, epsilon=400.0, delta=0.1, tau=51).changes
    assert changes["queries_rarer_than_tau"] == 2


# Frequency threshold --------------------------------------------------------------------------


def test_that_user_ids_are_renumbered_at_random_or_dropped() -> None:
    rows: list[Row] = [(f"name {n}", "a", 100 - n, None) for n in range(40)]
    renumbered, dropped = (
        log_in(run("frequency-threshold", rows, n=1, ids=ids).content) for ids in ("random", "drop")
    )
    assert set(renumbered.users.list_strings()) == {str(n + 1) for n in range(40)}
    assert np.all(np.diff(renumbered.user) >= 0)
    assert np.any(np.diff(renumbered.time) > 0)
    assert dropped.users.list_strings() == ["everybody"]
    assert np.all(np.diff(dropped.time) >= 0)


def test_that_addresses_and_cookies_stay_with_the_ids() -> None:
    log = QueryLog.from_columns(
        user=["u", "v"], query=["a", "a"], time=[1, 2], ip=[3, 4], cookie=["x", "y"]
    )
    kept, dropped = (
        log_in(run_method("frequency-threshold", log, n=2, ids=ids).content)
        for ids in ("keep", "drop")
    )
    assert (kept.ip is None, kept.cookie is None) == (False, False)
    assert (dropped.ip, dropped.cookie) == (None, None)


def test_that_unique_users_and_lonely_pages_are_counted() -> None:
    rows: list[Row] = [("u", "a", 1, "p"), ("u", "b", 2, None), ("v", "b", 1, None)]
    rows += [("v", "a", 2, "p"), ("v", "a", 3, "r"), ("w", "a", 1, "p"), ("x", "a", 9, None)]
    rows += [("y", "b", 1, "s")]
    log = log_of(rows)
    facts = count_kept_rows(log, 2, Progress())
    assert (facts.unique, facts.pages) == (1, 2)
    statement = run("frequency-threshold", rows, n=2).statement
    assert [entry.name for entry in statement.failing] == [
        "users can't be told apart",
        "clicked pages are shared, too",
        "times are not recognised",
    ]
    assert "1 of 5 users" in statement.failing[0].evidence


@pytest.mark.parametrize(
    ("parameter", "value"),
    [(name, value) for method, name, value in bounds() if method == "safelog"],
)
def test_that_published_mode_runs_and_looks_at_every_bound(parameter: str, value: Any) -> None:
    log, values = log_of(random_rows(20, 150)), {"mode": "published", parameter: value}
    refused = ("safelog", parameter, value) in REFUSED
    with pytest.raises(AuditorError) if refused else contextlib.nullcontext():
        assert run_method("safelog", log, **values).statement.claim
        outlook = expect("safelog", log, 3.0, **values)
        assert all(np.isfinite(metric.value) for metric in outlook.values)
