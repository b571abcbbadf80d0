"""Counts by group: pairs by a plain loop, the same guarantee, and one table of them."""

import dataclasses
from typing import Any

import numpy as np
import pytest

from auditor.arrays import Bools
from auditor.errors import ParameterError
from auditor.log.model import Attribute, QueryLog, Vocabulary
from auditor.methods.noisy_counts.grouped_queries import pair_queries, split_pair
from auditor.methods.noisy_counts.histograms import ContributionLimits, CountingUnit, limit_users
from auditor.methods.registry import METHODS
from auditor.methods.suppression import StringMarks
from auditor.privacy.release import Product
from tests.methods.logs import QUIET, SILENT, cells_of, expect, explain_text, present, run_method

DAY = 86_400
COUNTRIES = ("DE", "FR", "")
"""The empty one is none."""


def make_log(seed: int = 1) -> QueryLog:
    """400 users with ten searches each on two days, from one country on each row."""
    rng = np.random.default_rng(seed)
    users, words = np.repeat(np.arange(400), 10), rng.choice(["rose", "fern", "moss"], 4_000)
    log = QueryLog.from_columns(
        user=[f"u{user}" for user in users],
        query=words.tolist(),
        time=4 * DAY + np.tile(np.repeat([0, DAY], 5), 400) + np.arange(4_000) % 10,
    )
    codes = rng.choice(np.array([0, 1, -1], dtype=np.int32), 4_000, p=[0.6, 0.3, 0.1])
    return dataclasses.replace(log, attributes={"country": Attribute(codes, TEXTS)})


TEXTS = Vocabulary.of(COUNTRIES[:2])
LOG = make_log()


def release(name: str, log: QueryLog = LOG, **values: Any) -> Product:
    return run_method(name, log, **values)


def name_group(by: str, time: int, where: int) -> str:
    """The group of a row at that time, of the country of that code."""
    day = str(np.datetime64(time // DAY, "D"))
    return {"country": COUNTRIES[where], "day": day, "month": f"{day[:7]}-01"}[by]


def count_pairs(q_f: int, days: int | None, by: str = "country") -> dict[tuple[str, ...], int]:
    """Users of each pair, or of each (day, pair), among the first q_f of each user (and day)."""
    parts: dict[tuple[int, int], list[tuple[str, ...]]] = {}
    country = LOG.attributes["country"].codes
    for user, query, time, where in zip(LOG.user, LOG.query, LOG.time, country, strict=True):
        day = () if days is None else (str(np.datetime64(int(time) // DAY, "D")),)
        part = parts.setdefault((int(user), 0 if days is None else int(time) // DAY), [])
        pair = (*day, name_group(by, int(time), where), LOG.queries[query])
        if pair not in part and len(part) < q_f:
            part.append(pair)
    counts: dict[tuple[str, ...], int] = {}
    for part in parts.values():
        for pair in part:
            counts[pair] = counts.get(pair, 0) + 1
    return counts


@pytest.mark.parametrize("q_f", [1, 2, 20])
@pytest.mark.parametrize("name", ["partition-selection", "dated-counts"])
def test_that_a_user_counts_for_so_many_pairs_in_all(name: str, q_f: int) -> None:
    days = None if name == "partition-selection" else 2
    values: dict[str, Any] = {"epsilon": 90.0, "delta": 0.05, "q_f": q_f}
    cells = cells_of(release(name, group_by="country", **values).content)
    right = count_pairs(q_f, days)
    assert cells.keys() <= right.keys()
    assert {pair for pair, users in right.items() if users > 25} <= cells.keys()
    assert all(abs(count - right[pair]) <= 12 for pair, count in cells.items())
    assert sum(right.values()) <= 400 * q_f * (days or 1)


BARE: dict[str, Any] = {"clicks": False, "transitions": False}
PLANS: list[tuple[str, dict[str, Any]]] = [
    ("safelog", {"q_f": 3, **BARE}),
    ("safelog", {"q_f": 3, "mode": "published", "tau": 1, "counting_unit": "rows", **BARE}),
    ("korolova", {"q_f": 3, "counting_unit": "events"}),
    ("korolova", {"q_f": 3, "counting_unit": "users"}),
    ("zealous", {"m": 3}),
    ("set-union", {"q_f": 3}),
    ("set-union", {"q_f": 3, "weighting": "adaptive"}),
]
UNITS = ["country", "day", "month"]


@pytest.mark.parametrize("by", UNITS)
@pytest.mark.parametrize(("name", "values"), PLANS)
def test_that_one_user_changes_as_many_counts_over_all_groups_as_without_groups(
    name: str, values: dict[str, Any], by: str
) -> None:
    """Neighbouring logs: each user in turn is left out, who has rows in several groups."""
    params = METHODS[name].params.of(values | {"group_by": by})
    method = METHODS[name].counting
    limits = ContributionLimits(CountingUnit.USERS, 3, 1)
    if method is not None:
        limits = method.plan(params).limits
    log, _ = pair_queries(LOG.rows(LOG.user < 40), by)
    several = 0
    for user in range(40):
        rest, _ = pair_queries(LOG.rows((LOG.user < 40) & (LOG.user != user)), by)
        counts, less = (limit_users(part, limits, QUIET).query_count for part in (log, rest))
        place = log.queries.match(rest.queries)
        change = counts - np.where(place >= 0, less[place], 0)
        groups = {split_pair(log.queries[code])[0] for code in np.flatnonzero(change).tolist()}
        several += len(groups) > 1
        assert (change >= 0).all()
        assert change.sum() <= 3
        assert change.max() <= (3 if limits.unit is not CountingUnit.USERS else 1)
    assert several > 10 or by != "country"


@pytest.mark.parametrize("by", UNITS)
@pytest.mark.parametrize(
    ("name", "values"), [("safelog", BARE), ("korolova", {"b_q": SILENT, "counting_unit": "users"})]
)
def test_that_counts_are_those_of_a_plain_loop(name: str, values: dict[str, Any], by: str) -> None:
    quiet: dict[str, Any] = {"b": SILENT, "K": 2, "q_f": 3, "group_by": by}
    cells = cells_of(release(name, **quiet, **values).content)
    assert cells == {pair: users for pair, users in count_pairs(3, None, by).items() if users > 1}


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("safelog", {}),
        ("safelog", {**BARE, "pool": "n-grams"}),
        ("korolova", {"clicks": "observed"}),
    ],
)
def test_that_tables_and_pools_of_no_groups_are_refused(name: str, values: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match="queries alone"):
        METHODS[name].params.of(values | {"group_by": "country"})


@pytest.mark.parametrize(
    ("name", "values"), [("partition-selection", {"q_f": 3}), ("dated-counts", {"q_f": 3}), *PLANS]
)
def test_that_the_guarantee_stays_and_names_the_pairs(name: str, values: dict[str, Any]) -> None:
    for unit in ("history", "day"):
        values = values | {"protected_unit": unit}
        plain = release(name, **values).statement
        joint = release(name, group_by="country", **values).statement
        assert (joint.epsilon, joint.delta, joint.unit) == (plain.epsilon, plain.delta, plain.unit)
        assert [term.law for term in joint.terms] == [term.law for term in plain.terms]
        assert "pairs of a query and a country" in joint.claim
        assert "pairs" not in plain.claim
        outlook = expect(name, LOG, group_by="country", **values)
        assert "pairs of a query and a country" in outlook.statement.claim


@pytest.mark.parametrize(
    ("name", "values"), [("partition-selection", {"q_f": 3}), ("dated-counts", {"q_f": 3}), *PLANS]
)
def test_that_an_outlook_leaves_out_every_pair_of_a_marked_query(
    name: str, values: dict[str, Any]
) -> None:
    def mark_roses(queries: Vocabulary) -> Bools:
        return np.array([text == "rose" for text in queries.list_strings()], dtype=np.bool_)

    outlook = expect(name, LOG, group_by="country", **values)
    rest, _ = present(outlook.expect_without)(StringMarks(mark_roses, mark_roses))
    pairs, fewer = (
        next(metric.value for metric in metrics if metric.name == "expected.pairs")
        for metrics in (outlook.values, rest)
    )
    assert fewer == pytest.approx(2 / 3 * pairs, rel=0.1)


def test_that_a_log_without_the_column_is_one_group() -> None:
    paired, has_column = pair_queries(LOG.without_attributes, "country")
    assert (has_column, len(paired.queries)) == (False, 3)
    product = release("partition-selection", LOG.without_attributes, group_by="country")
    cells = cells_of(product.content)
    assert {where for where, _ in cells} == {""}
    assert "The log has no country" in product.statement.claim
    assert len(cells) == 3


def test_that_no_claim_says_whether_anybody_has_a_value() -> None:
    nobody = Attribute(np.full(len(LOG), -1, dtype=np.int32), Vocabulary.of(()))
    log = dataclasses.replace(LOG, attributes={"country": nobody})
    claims = [release("zealous", part, group_by="country").statement.claim for part in (LOG, log)]
    assert claims[0] == claims[1]


def test_that_a_query_is_explained_where_most_users_issued_it() -> None:
    rose, oak = (
        explain_text("partition-selection", LOG, text, group_by="country", q_f=5)
        for text in ("rose", "oak")
    )
    assert "DE" in rose.notes[-1]
    assert present(rose.chance) > 0.99
    assert oak.chance == 0.0
