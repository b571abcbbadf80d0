"""The fast distances between users against plain Python, and what their caller relies on."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from auditor.errors import Cancelled
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.log.user_distance import distance
from auditor.log.user_distance.distance import UserDistance, all_distances, kept_distances
from auditor.log.user_distance.features import DistanceWeights, host_name, space_of
from auditor.progress import Progress, silent_progress
from tests.log.user_distance.naive_distance import distances

QUIET = silent_progress()
LOG = synthesize_log(10, days=1, seed=4).log
ODD = QueryLog.from_columns(
    user=["a", "a", "b", "b", "c", "d", "d"],
    query=["", "a a b", "x" * 40 + " zürich", "y" * 70 + " 東京", "b a", "", "東京 zürich ö"],
    time=[5, 6, 5, 9, 7, 5, 30],
    url=["http://WWW.a.com/x", None, "http://a.com", None, "http://b.co.uk", "http://b.org", None],
    rank=np.array([1, -1, 7, -1, -1, 2, 3], np.int16),
)
PRINTED = DistanceWeights(length=2, words=1)
SKEWED = DistanceWeights(time=0, rank=2, url=0.5, text=1, length=0, words=1, count=0, queries=1)


@pytest.mark.parametrize("log", [LOG, ODD])
@pytest.mark.parametrize("weights", [DistanceWeights(), PRINTED, SKEWED])
def test_that_fast_distances_are_those_of_the_definition(
    log: QueryLog, weights: DistanceWeights
) -> None:
    matrix = UserDistance(space_of(log, QUIET), weights, QUIET).compute_pairs(QUIET)
    assert matrix == pytest.approx(distances(log, weights), abs=2e-6)


@pytest.mark.parametrize("rows", [0, 7])
def test_that_words_on_demand_give_the_same(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    """Of no words, or of the few that most queries have, the distances are in a table."""
    space = space_of(LOG, QUIET)
    words = len(space.words)
    assert words > rows
    monkeypatch.setattr(distance, "MOST_TABLE", rows * words)
    apart = UserDistance(space, DistanceWeights(), QUIET)
    assert apart._tables.table.shape == (rows, words)
    matrix = apart.compute_pairs(QUIET)
    assert matrix == pytest.approx(distances(LOG, DistanceWeights()), abs=2e-6)


def test_that_asking_few_users_needs_no_table_of_words() -> None:
    space = space_of(LOG, QUIET)
    apart = UserDistance(space, DistanceWeights(), QUIET, table_bytes=0)
    probes = [apart.make_probe(user) for user in range(3)]
    far = apart.to_all(probes, QUIET)
    assert far == pytest.approx(distances(LOG, DistanceWeights())[:3], abs=2e-6)


def test_that_equal_distances_are_not_taken_for_nearer_ones() -> None:
    """A search that stops early against one that looks at all, where thousands of sums are equal:
    a bound that is rounded down to what is known already must not pass for a distance."""
    rng = np.random.default_rng(5)
    words = np.array(
        ["a", "ab", "abc", "bcd", "abcde", "bcdefg", "cdefghi", "abcdefgh", "xyz", "y"]
    )
    users, each = 200, 12
    texts = [" ".join(rng.choice(words, rng.integers(1, 6))) for _ in range(users * each)]
    log = QueryLog.from_columns(
        user=np.repeat([f"u{user}" for user in range(users)], each).tolist(),
        query=texts,
        time=rng.integers(0, 5, users * each).tolist(),
    )
    apart = UserDistance(space_of(log, QUIET), DistanceWeights(), QUIET)
    probes = [apart.make_probe(user) for user in range(users)]
    expected = apart.to_all(probes, QUIET)
    assert apart.compute_pairs(QUIET) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("log", [LOG, ODD])
def test_that_a_probe_of_a_user_is_as_far_as_the_user(log: QueryLog) -> None:
    apart = UserDistance(space_of(log, QUIET), DistanceWeights(), QUIET)
    probes = [apart.make_probe(user) for user in range(len(log.users))]
    assert apart.to_all(probes, QUIET) == pytest.approx(apart.compute_pairs(QUIET), abs=1e-6)


def test_that_part_of_the_users_keeps_the_whole_logs_norms() -> None:
    space = space_of(LOG, QUIET)
    chosen = np.array([9, 2, 5, 0])
    part = UserDistance(space.select_users(chosen), DistanceWeights(), QUIET).compute_pairs(QUIET)
    expected = distances(LOG, DistanceWeights())
    assert part == pytest.approx(expected[np.ix_(chosen, chosen)], abs=2e-6)


def test_that_the_matrix_is_kept_by_log_and_weights_and_within_its_bound() -> None:
    first = all_distances(LOG, DistanceWeights(), QUIET)
    assert all_distances(LOG, DistanceWeights(), QUIET) is first
    assert all_distances(LOG, DistanceWeights(time=2, rank=2, url=2, text=6), QUIET) is first
    assert all_distances(LOG, PRINTED, QUIET) is not first
    assert kept_distances(ODD, DistanceWeights()) is None
    small = distance._KeptDistances(3 * first.nbytes)
    for number in range(5):
        small.put((str(number), DistanceWeights()), first.copy())
    assert [small.get((str(number), DistanceWeights())) is None for number in range(5)] == [
        True, True, False, False, False,
    ]  # fmt: skip


def test_that_cancel_is_heard_within_200_ms() -> None:
    log = synthesize_log(150, days=30, seed=5).log
    UserDistance(space_of(LOG, QUIET), DistanceWeights(), QUIET).compute_pairs(QUIET)  # compiled
    progress = Progress()
    apart = UserDistance(space_of(log, QUIET), DistanceWeights(), QUIET)
    stamps = []

    def stop() -> None:
        stamps.append(time.process_time())
        progress.cancel()

    threading.Timer(0.05, stop).start()
    with pytest.raises(Cancelled):
        [apart.compute_pairs(progress) for _ in range(1_000)]
    assert time.process_time() - stamps[0] < 0.5  # of the processor, however busy it is


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://www.A.com", "www.a.com"),
        ("https://u:p@a.org:8080/x?y=http://b", "a.org"),
        ("a.com/x", "a.com"),
        ("", ""),
    ],
)
def test_that_a_host_is_a_host(url: str, host: str) -> None:
    assert host_name(url) == host
