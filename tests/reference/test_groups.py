"""Methods that make groups of users, and the two verifiers, against their pages."""

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.reference import logs, product
from tests.reference.logs import Row
from tests.reference.methods import k_delta, m_k_delta_epsilon, microaggregation

SEEDS = range(4)
WIDTHS = (0.0, 0.45, 0.5, 0.55, 0.7)


def few(seed: int) -> list[Row]:
    """A log in which some users are alike: short histories of few queries."""
    return logs.random_log(seed, users=25, rows=55, queries=6)


def verify(log: Path, model: str, *words: object, **params: object) -> Any:
    options = [part for name, value in params.items() for part in ("-p", f"{name}={value}")]
    return product.call("verify", "--model", model, log, *words, *options)


@pytest.mark.parametrize("seed", SEEDS)
def test_that_user_k_fails_for_the_users_of_the_page(seed: int, tmp_path: Path) -> None:
    rows = few(seed)
    rows += [row._replace(user=f"twin of {row.user}") for row in rows if row.user < "u3"]
    log = product.write(rows, tmp_path / "log.tsv")
    for k in (2, 3):
        code, result = verify(log, "user-k", k=k)
        assert set(result["failing_users"]) == microaggregation.failing(rows, k)
        assert code == (1 if result["failing_users"] else 0)


@pytest.mark.parametrize("seed", SEEDS)
def test_that_k_delta_fails_for_the_users_of_the_page(seed: int, tmp_path: Path) -> None:
    rows = few(seed)
    log = product.write(rows, tmp_path / "log.tsv")
    tried = 0
    for delta in WIDTHS:
        cluster = k_delta.clusters(rows, delta)
        if cluster is None:
            continue
        tried += 1
        users = k_delta.vectors(rows, cluster)
        for k in (2, 3):
            code, result = verify(log, "k-delta", k=k, delta=delta)
            assert set(result["failing_users"]) == k_delta.failing(users, k), (delta, k)
            assert code == (1 if result["failing_users"] else 0)
        m, k, epsilon = 2, 4, Fraction(random.Random(seed).choice([1, 2, 3, 4]), 8)
        _, result = verify(log, "k-delta", k=k, delta=delta, m=m, epsilon=float(epsilon))
        expected = m_k_delta_epsilon.failing(users, m=m, k=k, epsilon=epsilon)
        assert set(result["failing_users"]) == expected, delta
    assert tried >= 2


def test_that_the_verifiers_agree_on_excite(tmp_path: Path) -> None:
    rows = logs.some_of_excite(250, 1)
    log = product.write(rows, tmp_path / "log.tsv")
    users = k_delta.vectors(rows, {})
    _, result = verify(log, "k-delta", k=2, delta=0.5)
    assert set(result["failing_users"]) == k_delta.failing(users, 2)
    _, result = verify(log, "k-delta", k=3, m=1, delta=0.5, epsilon=0.75)
    expected = m_k_delta_epsilon.failing(users, m=1, k=3, epsilon=Fraction(3, 4))
    assert set(result["failing_users"]) == expected


@pytest.mark.parametrize("size", ["exact", "keep"])
@pytest.mark.parametrize("seed", [*SEEDS, "excite"])
def test_that_k_delta_s_release_is_what_it_says(seed: int | str, size: str, tmp_path: Path) -> None:
    rows = logs.some_of_excite(120, 2) if isinstance(seed, str) else few(seed)
    cluster = k_delta.clusters(rows, 0.45) if isinstance(seed, int) else {}
    if cluster is None:
        cluster = k_delta.clusters(rows, 0.0)
    release = product.anonymize(rows, tmp_path, "k-delta", k=3, delta=0.45, size=size)
    assert cluster is not None
    users = k_delta.vectors(release.rows, cluster)
    apart = max(
        sorted(k_delta.distance(vector, other) for other in users.values())[2]
        for vector in users.values()
    )
    assert release.said.measured["largest_distance"] == pytest.approx(float(apart), abs=1e-12)
    assert len(users) == len({row.user for row in rows})
    assert {row.query for row in release.rows} <= {row.query for row in rows}
    if size == "exact":
        assert apart == 0
        assert not k_delta.failing(users, 3)


@pytest.mark.parametrize("seed", [*SEEDS[:3], "excite"])
def test_that_m_k_delta_epsilon_s_release_fails_for_nobody(seed: int | str, tmp_path: Path) -> None:
    rows = logs.some_of_excite(100, 3) if isinstance(seed, str) else few(seed)
    run = product.anonymize(rows, tmp_path, "m-k-delta-epsilon", m=2, k=4, delta=0.0, epsilon=0.25)
    cluster = k_delta.clusters(rows, 0.0) if isinstance(seed, int) else {}
    assert cluster is not None
    users = k_delta.vectors(run.rows, cluster)
    assert not m_k_delta_epsilon.failing(users, m=2, k=4, epsilon=Fraction(1, 4))


@pytest.mark.parametrize(("seed", "k"), [(0, 2), (1, 3), (2, 4), (3, 5), ("excite", 3)])
def test_that_microaggregation_makes_the_groups_and_lists_of_its_page(
    seed: int | str, k: int, tmp_path: Path
) -> None:
    if isinstance(seed, str):
        rows = logs.some_of_excite(40, 4)
    else:
        rows = logs.random_log(seed, users=23, rows=90, queries=14, seconds=90_000)
    by_user = logs.histories(rows)
    release = product.anonymize(rows, tmp_path, "microaggregation", k=k, search="exact")
    assert not microaggregation.failing(release.rows, k)
    lists: dict[tuple[str, ...], list[Row]] = {}
    groups: dict[tuple[str, ...], set[str]] = {}
    for user, record in microaggregation.records(release.rows).items():
        groups.setdefault(record, set()).add(user)
        lists[record] = logs.histories(release.rows)[user]
    assert {user for group in groups.values() for user in group} == set(by_user)
    apart = microaggregation.user_distances(rows)
    assert microaggregation.is_mdav(list(groups.values()), apart, k, slack=1e-5)
    for record, group in groups.items():
        members = {user: by_user[user] for user in by_user if user in group}
        assert microaggregation.wrong_lists(members, lists[record]) == []
