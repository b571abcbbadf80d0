"""Bundling: who ends up together, what is lost, and what the numbers give away."""

from functools import partial

import numpy as np
import pytest

from auditor.errors import MissingInput
from auditor.log import bundles
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.privacy.release import Product
from tests.methods.logs import QUIET, expect, expected_values, log_in, run_method

LOG = synthesize_log(300, days=10, seed=2).log


def address(text: str) -> int:
    a, b, c, d = (int(part) for part in text.split("."))
    return a << 24 | b << 16 | c << 8 | d


SMALL = QueryLog.from_columns(
    user=["ann", "ann", "bob", "cid", "cid", "dee"],
    query=["tea", "coffee", "tea", "rum", "rum", "gin"],
    time=[10, 20, 30, 10, 20, 30],
    url=["http://t.example", None, None, "http://r.example", None, None],
    rank=[2, -1, -1, 1, -1, -1],
    ip=[
        address(text)
        for text in ("10.0.1.4", "10.0.1.9", "10.0.1.7", "10.0.2.1", "10.0.2.1", "10.9.2.1")
    ],
    cookie=["c1", "c1", "c2", "c3", "c4", "c5"],
)


bundled = partial(run_method, "bundling")


def contents(product: Product) -> list[list[tuple[str, int]]]:
    """The (query, time) rows of each bundle, in an order that forgets its number."""
    log = log_in(product.content)
    rows = zip(
        log.user.tolist(), log.queries.list_strings(log.query), log.time.tolist(), strict=True
    )
    table: dict[int, list[tuple[str, int]]] = {}
    for user, query, time in rows:
        table.setdefault(user, []).append((query, time))
    return sorted(sorted(part) for part in table.values())


def test_that_numbers_and_order_say_nothing_of_addresses_or_users() -> None:
    lows = []
    for seed in range(40):
        released = log_in(bundled(SMALL, seed, by="ip-mask", bits=8).content)
        lows.append(released.queries[int(released.query[0])])
    assert set(lows) == {"tea", "rum", "gin"}


def test_that_equal_seconds_do_not_stand_in_the_order_of_users() -> None:
    log = QueryLog.from_columns(
        user=[f"u{n}" for n in range(6)], query=[f"q{n}" for n in range(6)], time=[7] * 6
    )
    orders = set()
    for seed in range(12):
        released = log_in(bundled(log, seed, by="random-users", group=6).content)
        orders.add(tuple(released.queries.list_strings(released.query)))
        assert released.query.tolist() == list(range(6)), "codes are numbered by first appearance"
    assert len(orders) > 6


@pytest.mark.parametrize(("by", "lacks"), [("ip-mask", "addresses"), ("cookie-hash", "cookies")])
def test_that_a_log_without_what_is_masked_is_told_so(by: str, lacks: str) -> None:
    log = QueryLog.from_columns(user=["a", "b"], query=["x", "y"], time=[1, 2])
    with pytest.raises(MissingInput, match=lacks):
        bundled(log, by=by)
    assert bundled(log).changes["bundles"] == 1


def test_that_rows_without_an_address_share_one_bundle() -> None:
    log = QueryLog.from_columns(
        user=["a", "b", "c"], query=["x", "y", "z"], time=[1, 2, 3], ip=[0, 0, 1 << 20]
    )
    product = bundled(log, by="ip-mask")
    assert contents(product) == [[("x", 1), ("y", 2)], [("z", 3)]]
    assert product.changes["rows_without_key"] == 2


def test_that_sizes_count_events_not_clicks() -> None:
    log = QueryLog.from_columns(
        user=["a", "a", "a", "b"],
        query=["x", "x", "y", "x"],
        time=[1, 1, 2, 1],
        url=["http://1.example", "http://2.example", None, None],
        ip=[256, 256, 256, 257],
    )
    sizes = bundles.count_sizes(log, bundles.by_address(log, 8, QUIET), QUIET)
    assert sizes.queries.tolist() == [3]
    assert sizes.users.tolist() == [2]
    assert sizes.fiber_queries.tolist() == [2, 1]
    assert sizes.find_largest().tolist() == [2]


def test_that_the_statement_says_who_stands_alone() -> None:
    product = bundled(SMALL, by="ip-mask", bits=8)
    failing = {assumption.name: assumption for assumption in product.statement.failing}
    assert failing["bundles hold several users"].evidence.startswith("2 of 3 ")
    assert failing["nobody dominates a bundle"].evidence.startswith("in 3 of 3 ")
    assert product.statement.model == "pseudonymity"


def test_that_the_outlook_is_what_a_run_then_gives() -> None:
    outlook = expect("bundling", LOG, by="ip-mask", bits=8)
    mean = bundled(LOG, by="ip-mask", bits=8).statement.measured["mean_users"]
    assert expected_values(outlook)["users_per_bundle"] == mean
    curve = next(figure for figure in outlook.figures if figure.name == "by-bits").series[0]
    assert np.all(np.diff(curve.y) >= 0)
    assert curve.y[list(curve.x).index(8.0)] == mean


def test_that_a_sample_of_users_tells_what_the_whole_log_gives() -> None:
    log = synthesize_log(3_000, days=10, seed=6).log
    sample = log.sample_users(1_000, 1)
    for by in ("ip-mask", "cookie-hash", "random-users"):
        full, part = (
            expect("bundling", each, scale, by=by, bits=8, buckets=300, group=12)
            for each, scale in ((log, 1.0), (sample, 3.0))
        )
        truth, guessed = expected_values(full), expected_values(part)
        assert guessed["users_per_bundle"] == pytest.approx(truth["users_per_bundle"], rel=0.2)
        assert guessed["dominated"] == pytest.approx(truth["dominated"], abs=0.12)
        assert part.statement.measured["bundles"] == pytest.approx(
            full.statement.measured["bundles"], rel=0.2
        )
        assert part.statement.claim.startswith("About 3,000 users")
        assert full.statement.claim.startswith("3,000 users")
        assert any("sample" in a.evidence for a in part.statement.assumptions)
