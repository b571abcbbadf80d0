"""Methods that keep every search: what token hashing and bundling conserve, and set union."""

import math
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

import auditor
from tests.reference import logs, product
from tests.reference.logs import Row
from tests.reference.methods import (
    bundling,
    dated_counts,
    n_grams,
    partition_selection,
    set_union,
    token_hashing,
)

SEEDS = range(4)


def apart_in_time(seed: int) -> list[Row]:
    """A log of which every row has its own second, so that it is known again by that."""
    rows = logs.random_log(seed, users=30, rows=200)
    return [row._replace(time=logs.EPOCH + 7 * place) for place, row in enumerate(rows)]


def by_time(rows: list[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: row.time)


def own_query_each(rows: list[Row]) -> list[Row]:
    """The same, and a query of each user's own, by which the user is known again."""
    users = sorted({row.user for row in rows})
    last = max(row.time for row in rows)
    return rows + [Row(user, f"own {user}", last + n) for n, user in enumerate(users, 1)]


@pytest.mark.parametrize("urls", ["kept", "hashed", "dropped"])
@pytest.mark.parametrize("users", ["kept", "hashed", "dropped"])
def test_that_token_hashing_renames_and_no_more(users: str, urls: str, tmp_path: Path) -> None:
    rows = apart_in_time(1)
    released = product.anonymize(rows, tmp_path, "token-hashing", users=users, urls=urls).rows
    raw, hashed = by_time(rows), by_time(released)
    assert [row.time for row in raw] == [row.time for row in hashed]
    pairs = token_hashing.token_pairs(raw, hashed)
    assert token_hashing.one_to_one(pairs)
    assert all(token_hashing.is_hash(right) for _, right in pairs)
    pages = [(a.url or "", b.url or "") for a, b in zip(raw, hashed, strict=True)]
    people = [(a.user, b.user) for a, b in zip(raw, hashed, strict=True)]
    if urls == "dropped":
        assert not any(right for _, right in pages)
    else:
        assert token_hashing.one_to_one(pages)
        assert [row.rank for row in raw] == [row.rank for row in hashed]
        assert all((left == right) == (urls == "kept" or not left) for left, right in pages)
    if users == "dropped":
        assert not {left for left, _ in people} & {right for _, right in people}
    else:
        assert token_hashing.one_to_one(people)
        assert all((left == right) == (users == "kept") for left, right in people)


def test_that_hidden_order_sorts_hashes_and_each_run_has_its_own_key(tmp_path: Path) -> None:
    rows = apart_in_time(2)
    hidden = product.anonymize(rows, tmp_path, "token-hashing", order="hidden").rows
    assert all(row.query.split() == sorted(row.query.split()) for row in hidden)
    sizes = [len(row.query.split()) for row in by_time(rows)]
    assert [len(row.query.split()) for row in by_time(hidden)] == sizes
    again = product.anonymize(rows, tmp_path, "token-hashing", order="hidden").rows
    assert not {row.query for row in hidden} & {row.query for row in again}


def test_that_token_hashing_keeps_excite_s_histories(tmp_path: Path) -> None:
    rows = logs.excite()
    released = product.anonymize(rows, tmp_path, "token-hashing", users="kept").rows
    raw, hashed = logs.histories(rows), logs.histories(released)
    pairs = [
        pair
        for user, history in raw.items()
        for pair in token_hashing.token_pairs(history, hashed.pop(user))
    ]
    assert not hashed
    assert token_hashing.one_to_one(pairs)


@pytest.mark.parametrize("clicks", [True, False])
@pytest.mark.parametrize(("seed", "group"), [(0, 2), (1, 7), (2, 20), (3, 31)])
def test_that_bundles_of_random_users_keep_users_and_searches_whole(
    seed: int, group: int, clicks: bool, tmp_path: Path
) -> None:
    rows = own_query_each(apart_in_time(seed))
    released = product.anonymize(
        rows, tmp_path, "bundling", by="random-users", group=group, clicks=clicks
    ).rows
    expected = [row if clicks else row._replace(url=None, rank=None) for row in rows]
    assert Counter(row[1:] for row in released) == Counter(row[1:] for row in expected)
    bundle = bundling.bundle_of(rows, released)
    assert all(len(bundles) == 1 for bundles in bundle.values())
    where = {user: next(iter(bundles)) for user, bundles in bundle.items()}
    bundle_at = {row.time: row.user for row in released}
    assert all(bundle_at[row.time] == where[row.user] for row in rows)
    sizes = sorted(Counter(where.values()).values())
    assert len(sizes) == max(1, len(where) // group)
    assert sizes[-1] - sizes[0] <= 1
    assert sizes[0] >= min(group, len(where))
    assert not set(where.values()) & set(where)


@pytest.mark.parametrize("bits", [1, 6, 8, 16, 24])
def test_that_bundles_by_address_are_the_networks(bits: int, tmp_path: Path) -> None:
    rows = [
        row._replace(ip=f"10.{n % 2}.{n % 3}.{n}", cookie=f"c{n % 5}")
        for row in own_query_each(apart_in_time(5))
        for n in [int(row.user[1:])]
    ]
    released = product.anonymize(rows, tmp_path, "bundling", by="ip-mask", bits=bits).rows
    network = bundling.by_address(rows, bits)
    bundle_at = {row.time: row.user for row in released}
    pairs = [(str(network[row.user]), bundle_at[row.time]) for row in rows]
    assert token_hashing.one_to_one(pairs)
    numbers = {int(bundle) for bundle in bundle_at.values()}
    assert numbers == set(range(1, len(numbers) + 1))
    buckets = product.anonymize(rows, tmp_path, "bundling", by="cookie-hash", buckets=3).rows
    bundle_at = {row.time: row.user for row in buckets}
    of_cookie = {(row.cookie, bundle_at[row.time]) for row in rows}
    assert len(of_cookie) == 5
    assert len({bundle for _, bundle in of_cookie}) <= 3


def crowded_log(seed: int | str) -> list[Row]:
    return logs.excite() if isinstance(seed, str) else logs.random_log(seed, users=60, rows=700)


@pytest.mark.parametrize(
    ("seed", "q_f", "epsilon"), [(0, 3, 100.0), (1, 8, 60.0), ("excite", 5, 40.0)]
)
def test_that_set_union_finds_what_its_noise_leaves_no_doubt_about(
    seed: int | str, q_f: int, epsilon: float, tmp_path: Path
) -> None:
    rows, delta = crowded_log(seed), 1e-3
    release = product.anonymize(
        rows, tmp_path, "set-union", q_f=q_f, epsilon=epsilon, delta=delta, rounds=1
    )
    measured = release.said.measured
    rho = measured["rho"]
    assert set_union.delta_of(rho, epsilon) == pytest.approx(delta / 2, rel=1e-2)
    spent = rho - measured["rho_of_counts"]
    assert measured["rho_of_counts"] == pytest.approx(0.2 * rho, rel=1e-9)
    sigma = 1 / math.sqrt(2 * spent)
    least = set_union.threshold(q_f, sigma, delta / 2)
    assert measured["threshold_of_last_round"] == pytest.approx(least, rel=1e-4)
    noise = math.sqrt(q_f / (2 * measured["rho_of_counts"]))
    assert measured["sigma_of_counts"] == pytest.approx(noise, rel=1e-4)
    weight, users = set_union.weights(rows, q_f)
    surely, never = split_by_certainty(weight, least, sigma)
    assert surely
    assert surely <= set(release.queries) <= set(weight) - never
    assert all(abs(n - users[query]) <= 1 + 8 * noise for query, n in release.queries.items())


def split_by_certainty(
    weight: dict[str, float], least: float, sigma: float
) -> tuple[set[str], set[str]]:
    """What passes and what never does: 8 deviations are exceeded once in 10^15."""
    surely = {text for text, sum_ in weight.items() if sum_ > least + 8 * sigma}
    never = {text for text, sum_ in weight.items() if sum_ < least - 8 * sigma}
    return surely, never


@pytest.mark.parametrize(
    ("seed", "q_f", "longest", "epsilon"),
    [(0, 3, 2, 100.0), (1, 9, 3, 80.0), ("excite", 5, 3, 100.0), ("excite", 40, 2, 60.0)],
)
def test_that_n_grams_are_found_which_the_noise_leaves_no_doubt_about(
    seed: int | str, q_f: int, longest: int, epsilon: float, tmp_path: Path
) -> None:
    rows, delta = crowded_log(seed), 1e-3
    release = product.anonymize(
        rows, tmp_path, "n-grams", q_f=q_f, epsilon=epsilon, delta=delta, longest=longest
    )
    measured = release.said.measured
    assert set_union.delta_of(measured["rho"], epsilon) == pytest.approx(delta / 2, rel=1e-2)
    sigma = 1 / math.sqrt(2 * measured["rho"] / longest)
    assert measured["sigma_of_weights"] == pytest.approx(sigma, rel=1e-9)
    least = set_union.threshold(q_f, sigma, delta / 2 / longest)
    assert measured["threshold"] == pytest.approx(least, rel=1e-4)
    released, sure = set(release.queries), 0
    for length in range(1, longest + 1):
        weight = n_grams.weights(rows, length, q_f, released)
        mine = {ngram for ngram in released if len(ngram.split()) == length}
        surely, never = split_by_certainty(weight, least, sigma)
        assert surely <= mine <= set(weight) - never
        assert all(abs(release.queries[ngram] - weight[ngram]) <= 1 + 8 * sigma for ngram in mine)
        sure += len(surely)
    assert sure
    assert all(len(ngram.split()) <= longest for ngram in released)


@pytest.mark.parametrize(
    ("seed", "q_f", "epsilon", "k"), [(0, 1, 4.0, 1), (1, 3, 8.0, 3), ("excite", 1, 6.0, 2)]
)
def test_that_partition_selection_shows_what_its_noise_leaves_no_doubt_about(
    seed: int | str, q_f: int, epsilon: float, k: int, tmp_path: Path
) -> None:
    rows, delta = crowded_log(seed), 1e-3
    release = product.anonymize(
        rows, tmp_path, "partition-selection", q_f=q_f, epsilon=epsilon, delta=delta, k=k
    )
    step = release.said.measured["epsilon_of_one_count"]
    bound = int(release.said.measured["bound_of_noise"])
    assert partition_selection.delta_of(step, bound, q_f, epsilon) == pytest.approx(
        release.said.delta, rel=1e-6
    )
    assert release.said.delta <= delta
    assert bound <= partition_selection.bound(epsilon / q_f, delta / q_f)
    users = partition_selection.users_of(rows, q_f)
    surely = {query for query, n in users.items() if n - k + 1 > 2 * bound}
    assert surely <= set(release.queries) <= {query for query, n in users.items() if n >= k}
    assert all(abs(n - users[query]) <= bound for query, n in release.queries.items())
    assert all(n > bound + k - 1 for n in release.queries.values())


@pytest.mark.parametrize(("q_f", "days"), [(1, 1), (1, 2), (2, 2)])
def test_that_dated_tables_show_what_their_noise_leaves_no_doubt_about(
    q_f: int, days: int, tmp_path: Path
) -> None:
    rows = logs.random_log(3, users=150, rows=2_500, seconds=5 * 86_400)
    log = auditor.read_log(product.write(rows, tmp_path / "log.tsv"))
    release = auditor.anonymize(log, "dated-counts", epsilon=6.0, delta=1e-3, q_f=q_f, days=days)
    tables = release.tables
    assert tables is not None
    statement = release.statement
    least = int(statement.measured["threshold"])
    bound = least - 1  # truncated noise: so few cells never take the Gaussian
    assert statement.measured["cells_of_one_unit"] == q_f * days
    assert bound <= partition_selection.bound(6.0 / (q_f * days), 1e-3 / (q_f * days))
    names = tables.queries.list_strings()
    counts = {
        (datetime.fromtimestamp(int(time), UTC).date().isoformat(), names[query]): int(count)
        for query, time, count in zip(*tables.dates, strict=True)
    }
    users = dated_counts.users_of(rows, q_f, days)
    surely = {cell for cell, n in users.items() if n > 2 * bound}
    assert surely
    assert surely <= set(counts) <= set(users)
    assert all(abs(n - users[cell]) <= bound and n >= least for cell, n in counts.items())
    sums = dict.fromkeys(names, 0)
    for (_, query), n in counts.items():
        sums[query] += n
    assert dict(zip(names, tables.query_count.tolist(), strict=True)) == sums
