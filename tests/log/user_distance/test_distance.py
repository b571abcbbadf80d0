"""The fast distances between users against plain Python, and what their caller relies on."""

import functools
import threading
import time
from typing import Any

import numpy as np
import pytest

from auditor.errors import Cancelled
from auditor.log.model import NONE, QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.log.user_distance import distance
from auditor.log.user_distance.distance import UserDistance, all_distances, kept_distances
from auditor.log.user_distance.features import DistanceWeights, UserSpace, host_name, space_of
from auditor.progress import Progress, silent_progress
from tests.log.rows import Row, rows_of
from tests.reference.methods.microaggregation import domain_distance, hausdorff, levenshtein, norm

QUIET = silent_progress()
LOG = synthesize_log(10, days=1, seed=4).log
ODD = QueryLog.from_columns(
    user=["a", "a", "b", "b", "c", "d", "d"],
    query=["", "a a b", "x" * 40 + " zürich", "y" * 70 + " 東京", "b a", "", "東京 zürich ö"],
    time=[5, 6, 5, 9, 7, 5, 30],
    url=["http://WWW.a.com/x", None, "http://a.com", None, "http://b.co.uk", "http://b.org", None],
    rank=np.array([1, -1, 7, -1, -1, 2, 3], np.int16),
)
DEFAULT = DistanceWeights()
PRINTED = DistanceWeights(length=2, words=1)
SKEWED = DistanceWeights(time=0, rank=2, url=0.5, text=1, length=0, words=1, count=0, queries=1)


@functools.cache
def distances(log: QueryLog, w: DistanceWeights) -> np.ndarray:
    """The distance of every two users with any weights, word for word after its definition."""
    rows = rows_of(log)
    time = norm([row[2] for row in rows])
    rank = norm([row[4] for row in rows if row[4] != NONE] or [0])
    terms = norm([len(row[1].split()) for row in rows])
    users: list[list[Row]] = [[] for _ in range(len(log.users))]
    for user, row in zip(log.user.tolist(), rows, strict=True):
        users[user].append(row)
    size = norm([len(history) for history in users])

    def apart_in_text(a: list[str], b: list[str]) -> float:
        words = hausdorff(a, b, levenshtein) if a and b else float(bool(a) != bool(b))
        return w.length * abs(terms(len(a)) - terms(len(b))) + w.words * words

    def apart_in_rank(a: int, b: int) -> float:
        return float(a != b) if NONE in (a, b) else abs(rank(a) - rank(b))

    def apart(a: Row, b: Row) -> float:
        parts = w.time * abs(time(a[2]) - time(b[2])) + w.rank * apart_in_rank(a[4], b[4])
        parts += w.url * domain_distance(a[3], b[3])
        parts += w.text * apart_in_text(a[1].split(), b[1].split()) / (w.length + w.words)
        return parts / (w.time + w.rank + w.url + w.text)

    def users_apart(a: list[Row], b: list[Row]) -> float:
        parts = w.count * abs(size(len(a)) - size(len(b))) + w.queries * hausdorff(a, b, apart)
        return parts / (w.count + w.queries)

    return np.array([[users_apart(a, b) for b in users] for a in users])


def near(expected: np.ndarray) -> Any:
    return pytest.approx(expected, abs=2e-6)


def measure_space(space: UserSpace, weights: DistanceWeights = DEFAULT) -> UserDistance:
    return UserDistance(space, weights, QUIET)


@pytest.mark.parametrize("log", [LOG, ODD])
@pytest.mark.parametrize("weights", [DEFAULT, PRINTED, SKEWED])
def test_that_fast_distances_are_those_of_the_definition(
    log: QueryLog, weights: DistanceWeights
) -> None:
    space, expected = space_of(log, QUIET), distances(log, weights)
    assert measure_space(space, weights).compute_pairs(QUIET) == near(expected)
    # Part of the users keeps the whole log's norms.
    chosen = np.array([3, 2, 0])
    part = measure_space(space.select_users(chosen), weights).compute_pairs(QUIET)
    assert part == near(expected[np.ix_(chosen, chosen)])
    # Of few users no table of words is needed.
    apart = UserDistance(space, weights, QUIET, table_bytes=0)
    probes = [apart.make_probe(user) for user in range(3)]
    assert apart.to_all(probes, QUIET) == near(expected[:3])


@pytest.mark.parametrize("rows", [0, 7])
def test_that_words_on_demand_give_the_same(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    """Of no words, or of the few that most queries have, the distances are in a table."""
    space = space_of(LOG, QUIET)
    words = len(space.words)
    assert words > rows
    monkeypatch.setattr(distance, "MOST_TABLE", rows * words)
    apart = measure_space(space)
    assert apart._tables.table.shape == (rows, words)
    assert apart.compute_pairs(QUIET) == near(distances(LOG, DEFAULT))


def draw_equal_sums() -> QueryLog:
    """A log of few words, in which thousands of sums of distances are equal."""
    rng = np.random.default_rng(5)
    words = ["a", "ab", "abc", "bcd", "abcde", "bcdefg", "cdefghi", "abcdefgh", "xyz", "y"]
    users, each = 200, 12
    return QueryLog.from_columns(
        user=np.repeat([f"u{user}" for user in range(users)], each).tolist(),
        query=[" ".join(rng.choice(words, rng.integers(1, 6))) for _ in range(users * each)],
        time=rng.integers(0, 5, users * each).tolist(),
    )


@pytest.mark.parametrize("log", [LOG, ODD, draw_equal_sums()])
def test_that_a_probe_of_a_user_is_as_far_as_the_user(log: QueryLog) -> None:
    """A search that stops early against one that looks at all: a bound that is rounded down to what
    is known already must not pass for a distance."""
    apart = measure_space(space_of(log, QUIET))
    probes = [apart.make_probe(user) for user in range(len(log.users))]
    expected = apart.to_all(probes, QUIET)
    assert apart.compute_pairs(QUIET) == pytest.approx(expected, abs=1e-6)


def test_that_the_matrix_is_kept_by_log_and_weights_and_within_its_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = all_distances(LOG, DEFAULT, QUIET)
    assert all_distances(LOG, DEFAULT, QUIET) is first
    assert all_distances(LOG, DistanceWeights(time=2, rank=2, url=2, text=6), QUIET) is first
    assert all_distances(LOG, PRINTED, QUIET) is not first
    assert kept_distances(ODD, DEFAULT) is None
    monkeypatch.setattr(distance, "KEPT_BYTES", 3 * first.nbytes)
    choices = [DistanceWeights(time=1 + number) for number in range(5)]
    for weights in choices:
        all_distances(LOG, weights, QUIET)
    kept = [weights for weights in choices if kept_distances(LOG, weights) is not None]
    assert kept == choices[2:]


def test_that_cancel_is_heard_within_200_ms() -> None:
    log = synthesize_log(150, days=30, seed=5).log
    measure_space(space_of(LOG, QUIET)).compute_pairs(QUIET)  # compiled
    progress = Progress()
    apart = measure_space(space_of(log, QUIET))
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
