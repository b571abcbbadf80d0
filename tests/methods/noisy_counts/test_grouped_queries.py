"""Counts by group: pairs by a plain loop, the same guarantee, and one table of them."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from auditor.log.model import Attribute, QueryLog, Vocabulary
from auditor.methods.noisy_counts.grouped_queries import pair_queries
from auditor.privacy.release import Product
from tests.methods.logs import expect, explain_text, present, run_method, tables_of

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


def cells_of(product: Product) -> dict[tuple[str, ...], int]:
    table = present(tables_of(product.content).alone)
    keys = zip(*(key.list_texts() for key in table.keys), strict=True)
    return dict(zip(keys, table.figures[0].values.tolist(), strict=True))


def count_pairs(q_f: int, days: int | None) -> dict[tuple[str, ...], int]:
    """Users of each pair, or of each (day, pair), among the first q_f of each user (and day)."""
    parts: dict[tuple[int, int], list[tuple[str, ...]]] = {}
    country = LOG.attributes["country"].codes
    for user, query, time, where in zip(LOG.user, LOG.query, LOG.time, country, strict=True):
        day = () if days is None else (str(np.datetime64(int(time) // DAY, "D")),)
        part = parts.setdefault((int(user), 0 if days is None else int(time) // DAY), [])
        pair = (*day, COUNTRIES[where], LOG.queries[query])
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
    cells = cells_of(release(name, group_by="country", **values))
    right = count_pairs(q_f, days)
    assert cells.keys() <= right.keys()
    assert {pair for pair, users in right.items() if users > 25} <= cells.keys()
    assert all(abs(count - right[pair]) <= 12 for pair, count in cells.items())
    assert sum(right.values()) <= 400 * q_f * (days or 1)


@pytest.mark.parametrize("name", ["partition-selection", "dated-counts"])
def test_that_the_guarantee_stays_and_says_that_pairs_count(name: str) -> None:
    for unit in ("history", "day"):
        values: dict[str, Any] = {"protected_unit": unit, "q_f": 2}
        plain = release(name, **values).statement
        joint = release(name, group_by="country", **values).statement
        assert (joint.epsilon, joint.delta, joint.unit) == (plain.epsilon, plain.delta, plain.unit)
        assert [term.law for term in joint.terms] == [term.law for term in plain.terms]
        assert "pairs of a query and a country" in joint.claim
        assert "pairs" not in plain.claim
        assert expect(name, LOG, group_by="country", **values).statement.claim == joint.claim


def test_that_a_log_without_the_column_is_one_group() -> None:
    paired, groups = pair_queries(LOG.without_attributes, "country")
    assert (len(groups), len(paired.queries)) == (0, 3)
    product = release("partition-selection", LOG.without_attributes, group_by="country")
    cells = cells_of(product)
    assert {where for where, _ in cells} == {""}
    assert "The log has no country" in product.statement.claim
    assert len(cells) == 3


def test_that_a_query_is_explained_where_most_users_issued_it() -> None:
    rose, oak = (
        explain_text("partition-selection", LOG, text, group_by="country", q_f=5)
        for text in ("rose", "oak")
    )
    assert "DE" in rose.notes[-1]
    assert present(rose.chance) > 0.99
    assert oak.chance == 0.0
