"""Coarser times: what is left of them, under every method that yields a log."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from auditor.attacks.base import Evidence
from auditor.attacks.bundle_view import BundleParams, find_bundles
from auditor.attacks.hash_inversion.alignment import align_rows, labels_of
from auditor.engine.backends import local
from auditor.errors import ParameterError
from auditor.log.model import QueryLog
from auditor.log.text import tokenize_strings
from auditor.methods.registry import METHODS
from auditor.methods.time_granularity import ASSUMPTION, coarsen_times, count_kept_seconds
from auditor.privacy.noise import PreviewRandomness
from auditor.privacy.records import records_of
from auditor.privacy.release import Anonymized, ReleasedGroups
from auditor.privacy.release_times import STEPS, floor_times
from auditor.privacy.verification.k_delta import verify_k_delta
from auditor.privacy.verification.user_k import verify_user_k
from tests.methods.logs import (
    QUIET,
    Row,
    expect,
    find_assumption,
    log_of,
    present,
    random_rows,
    statuses,
)

LOG_METHODS = [name for name in METHODS if METHODS[name].yields == "log"]
TIMES = ["hour", "day", "week", "shuffled"]
MONDAY = 1_141_603_200  # 2006-03-06 00:00 UTC
DAY, HOUR = 86_400, 3_600
SMALL: dict[str, dict[str, Any]] = {
    "frequency-threshold": {"n": 1, "ids": "keep"},
    "k-theta-affinity": {"k": 1, "w": 1, "ids": "keep"},
    "token-hashing": {"users": "kept"},
    "numbered-sessions": {"clock": "kept"},
    "day-pseudonyms": {},
    "entity-allowlist": {"k_entity": 1},
    "bundling": {"by": "random-users", "group": 2},
    "k-delta": {"k": 2, "ids": "keep"},
    "m-k-delta-epsilon": {"m": 2, "k": 2, "ids": "keep"},
    "microaggregation": {"k": 2},
}


def small_log() -> QueryLog:
    """Two users with the same three searches, one of them issued twice on a day."""
    return log_of([
        (user, query, MONDAY + 2 * DAY + hour * HOUR + 61 * place, None)
        for place, user in enumerate(("ann", "bob"))
        for query, hour in (("red car", 9), ("blue dog", 10), ("red car", 11))
    ])  # fmt: skip


def spread_log(seed: int = 3) -> QueryLog:
    rng = np.random.default_rng(seed)
    rows: list[Row] = [
        (user, query, MONDAY + int(rng.integers(0, 20 * DAY)), url)
        for user, query, _, url in random_rows(users=24, rows=500, seed=seed)
    ]
    return log_of(rows)


def released(log: QueryLog, name: str, **values: Any) -> Anonymized:
    params = METHODS[name].params(**values)
    return local.apply_method(log, name, params, PreviewRandomness(4), QUIET)


def content(release: Anonymized) -> QueryLog:
    return present(release.log)


def count_rows(log: QueryLog) -> Counter[tuple[str, str, str | None]]:
    frame = log.to_pandas().astype(object)
    return Counter(zip(frame["user"], frame["query"], frame["url"], strict=True))


def searches(log: QueryLog) -> Counter[tuple[str, str]]:
    """How often each user issued each query, in plain Python."""
    frame = log.to_pandas().astype(object)
    every = set(zip(frame["user"], frame["query"], frame["time"], strict=True))
    return Counter((user, query) for user, query, _ in every)


def events(log: QueryLog) -> Counter[tuple[int, int]]:
    begins = log.event_starts
    return Counter(zip(log.user[begins].tolist(), log.query[begins].tolist(), strict=True))


def test_that_every_method_that_yields_a_log_has_the_same_parameter_and_no_other() -> None:
    for name in METHODS:
        specs = {spec.name: spec for spec in METHODS[name].params.specs()}
        assert ("times" in specs) == (name in LOG_METHODS)
        if name in LOG_METHODS:
            daily = name in ("day-pseudonyms", "entity-allowlist")
            assert specs["times"].default == ("day" if daily else "exact")
            assert [option.value for option in specs["times"].options] == ["exact", *TIMES]
            with pytest.raises(ParameterError, match="'times'"):
                METHODS[name].params.of({"times": "minute"})


@pytest.mark.parametrize("name", LOG_METHODS)
def test_the_times_of_a_small_log(name: str) -> None:
    log, values = small_log(), SMALL[name]
    exact = content(released(log, name, **values, times="exact"))
    daily = content(released(log, name, **values, times="day"))
    midnight = MONDAY + 2 * DAY
    assert len(exact) == len(daily) == 6
    for user in range(len(daily.users)):
        rows = slice(int(daily.user_starts[user]), int(daily.user_starts[user + 1]))
        # The first search of a query stands at midnight, each further one a second later.
        expected = {
            (query, midnight + number)
            for (owner, query), often in searches(exact).items()
            for number in range(often)
            if owner == daily.users[user]
        }
        result = set(
            zip(daily.queries.list_strings(daily.query[rows]), daily.time[rows], strict=True)
        )
        assert result == expected
    assert set(floor_times(daily.time, "week").tolist()) == {MONDAY}
    weekly = content(released(log, name, **values, times="week"))
    assert weekly.time.min() == MONDAY
    assert weekly.time.max() < MONDAY + 6
    hourly = content(released(log, name, **values, times="hour"))
    assert set(floor_times(hourly.time, "hour").tolist()) <= set(
        floor_times(exact.time, "hour").tolist()
    )
    assert hourly.time.max() - floor_times(hourly.time, "hour").max() <= 1
    shuffled = content(released(log, name, **values, times="shuffled"))
    assert Counter(shuffled.time.tolist()) == Counter(exact.time.tolist())


@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize("seed", range(6))
def test_that_rows_and_searches_are_conserved_and_nothing_finer_than_the_step_is_left(
    times: str, seed: int
) -> None:
    log = spread_log(seed)
    coarse = coarsen_times(log, times, PreviewRandomness(seed), progress=QUIET)
    assert count_rows(coarse) == count_rows(log)
    assert searches(coarse) == searches(log)
    assert int(coarse.event_starts.sum()) == int(log.event_starts.sum())
    if times == "shuffled":
        return
    before = Counter(zip(log.user.tolist(), floor_times(log.time, times).tolist(), strict=True))
    after = Counter(
        zip(coarse.user.tolist(), floor_times(coarse.time, times).tolist(), strict=True)
    )
    assert before == after
    most = max(events(log).values())
    assert int((coarse.time - floor_times(coarse.time, times)).max()) < most
    # The order of a user's searches within a step follows from draws, not from their times.
    orders = {
        tuple(
            coarsen_times(log, times, PreviewRandomness(draw), progress=QUIET)
            .queries.list_strings(np.arange(3))
        )
        for draw in range(12)
    }  # fmt: skip
    assert len(orders) > 1 or times == "hour"


def test_that_an_hour_full_of_one_query_keeps_every_search() -> None:
    rows: list[Row] = [("ann", "red car", MONDAY + second, None) for second in range(HOUR)]
    coarse = coarsen_times(log_of(rows), "hour", PreviewRandomness(1), progress=QUIET)
    assert sorted(coarse.time.tolist()) == [MONDAY + second for second in range(HOUR)]


def test_that_times_before_1970_and_of_far_years_are_cut_off_downwards() -> None:
    time = np.array([-1, 0, DAY - 1, 253_402_300_799], dtype=np.int64)
    assert floor_times(time, "day").tolist() == [-DAY, 0, 0, 253_402_214_400]
    assert (floor_times(time, "week") % (7 * DAY) == 4 * DAY).all()
    assert floor_times(time, "exact") is time


def test_that_shuffled_searches_of_one_query_never_meet() -> None:
    rows: list[Row] = [("ann", "red car", MONDAY + second, None) for second in range(5)]
    rows += [("bob", "red car", MONDAY + second, None) for second in range(5)]
    groups = ReleasedGroups(np.zeros(2, dtype=np.int64), equal=False)
    for seed in range(30):
        mixed = coarsen_times(
            log_of(rows), "shuffled", PreviewRandomness(seed), groups=groups, progress=QUIET
        )
        assert int(mixed.event_starts.sum()) == 10


@pytest.mark.parametrize("times", TIMES)
def test_that_groups_keep_equal_records(times: str) -> None:
    release = released(spread_log(), "microaggregation", k=3, times=times)
    assert verify_user_k(content(release), 3).holds


@pytest.mark.parametrize("times", TIMES)
def test_that_k_delta_anonymity_holds_with_coarser_times(times: str) -> None:
    log = spread_log()
    for name in ("k-delta", "m-k-delta-epsilon"):
        equal = {"m": 3, "epsilon": 0.0} if name == "m-k-delta-epsilon" else {}
        release = released(log, name, k=3, times=times, **equal)
        assert verify_k_delta(content(release), 3, 0.5, clicked=log).holds == (
            release.statement.model == "k-anonymity"
        )


@pytest.mark.parametrize("name", LOG_METHODS)
def test_that_the_statement_says_what_is_left_of_times(name: str) -> None:
    log = spread_log()
    for times, words in (
        ("exact", "to the second"),
        ("day", "the day is left (UTC)"),
        ("shuffled", "exchanged at random"),
    ):
        release = released(log, name, **SMALL[name], times=times)
        assert words in release.statement.claim
        status = statuses(release.statement)[ASSUMPTION]
        assert status in ("holds", "fails")
        before = expect(name, log, **SMALL[name], times=times).statement
        assert words in before.claim
        # Before a run, only what groups do to coarser times isn't known.
        unknown = METHODS[name].grouped and times != "exact"
        assert statuses(before)[ASSUMPTION] == ("unknown" if unknown else status)


@pytest.mark.parametrize(
    ("name", "values", "words"),
    [
        ("bundling", {"by": "random-users"}, "of its bundle,"),
        ("frequency-threshold", {"n": 1, "ids": "drop"}, "of the whole release,"),
        ("token-hashing", {"users": "dropped"}, "of the whole release,"),
        ("day-pseudonyms", {}, "of its user's record,"),
        ("microaggregation", {"k": 3}, "of its group,"),
    ],
)
def test_that_shuffled_times_are_of_those_with_whom_they_are_exchanged(
    name: str, values: dict[str, Any], words: str
) -> None:
    log = spread_log()
    values = values | {"times": "shuffled"}
    for release in (released(log, name, **values), expect(name, log, **values)):
        statement = release.statement
        assert words in statement.claim
        (entry,) = (a for a in statement.assumptions if a.name == ASSUMPTION)
        if "whole" in words:
            kept = statement.measured.get("kept_seconds")
            assert "pairs" not in entry.evidence or name != "token-hashing"
            assert entry.status == ("unknown" if kept is None else "fails" if kept else "holds")


@pytest.mark.parametrize("times", ["exact", *TIMES])
def test_that_the_release_of_groups_counts_the_seconds_that_are_left(times: str) -> None:
    log = spread_log()
    release = released(log, "microaggregation", k=3, times=times)
    measured, entry = release.statement.measured, find_assumption(release.statement, ASSUMPTION)
    kept, every = count_kept_seconds(log, content(release), QUIET)
    assert (measured["kept_seconds"], measured["released_seconds"]) == (kept, every)
    assert entry.status == ("fails" if kept else "holds")
    if times in STEPS:
        assert (kept, measured["lone_times"]) == (0, 0)
    else:
        assert f"{kept:,} of {every:,}" in entry.evidence
    assert kept or times != "exact"


@pytest.mark.parametrize("span", [100, 10**9, (1 << 62)])
@pytest.mark.parametrize("readable", [True, False])
def test_that_kept_seconds_are_those_of_a_naive_count(span: int, readable: bool) -> None:
    """Also where a second and a query don't fit into one number, or no query can be read."""
    rng = random.Random(span)
    times = [rng.randrange(span) - span // 3 for _ in range(40)]

    def draw_rows(prefix: str, rows: int) -> list[tuple[str, str, int, str | None]]:
        queries = [f"{prefix} {number}" for number in range(6)]
        return [(f"u{n % 7}", rng.choice(queries), rng.choice(times), None) for n in range(rows)]

    for rows in (0, 1, 300):
        before = log_of(draw_rows("car", rows))
        after = log_of(draw_rows("car" if readable else "hidden", 200))
        pairs = [
            {
                (query if readable and rows else "", time)
                for query, time in zip(
                    log.queries.list_strings(log.query), log.time.tolist(), strict=True
                )
            }
            for log in (before, after)
        ]
        counts = count_kept_seconds(before, after, QUIET)
        assert counts == (len(pairs[0] & pairs[1]), len(pairs[1]))
        assert not readable or rows < 300 or span > 100 or 0 < counts[0] < counts[1]


def test_that_pairs_are_of_one_user_by_users_and_not_by_released_ids() -> None:
    own = log_of([
        (f"u{user}", f"zebra {user}", MONDAY + day * DAY + user, None)
        for user in range(20) for day in range(2)
    ])  # fmt: skip
    shared = log_of([(f"u{user}", "flu", MONDAY + user, None) for user in range(20)])
    for log, method, values, lone in (
        (own, "day-pseudonyms", {"times": "week"}, 20),
        (shared, "frequency-threshold", {"ids": "drop", "times": "day", "n": 10}, 0),
        (own, "frequency-threshold", {"ids": "drop", "times": "day", "n": 1}, 40),
        (own, "token-hashing", {"users": "dropped", "times": "day"}, 40),
        (own, "bundling", {"by": "random-users", "times": "day"}, 40),
    ):
        statement = released(log, method, **values).statement
        (entry,) = (a for a in statement.assumptions if a.name == ASSUMPTION)
        assert statement.measured["lone_times"] == lone
        assert entry.status == ("fails" if lone else "holds")
        assert not lone or entry.evidence.startswith(f"{lone} pairs of a query and its ")
        assert ("user" in entry.evidence) == (method != "bundling")


@pytest.mark.parametrize("clock", ["scaled", "order"])
def test_that_coarse_times_under_a_hidden_clock_have_no_order(clock: str) -> None:
    release = released(spread_log(), "numbered-sessions", clock=clock, times="day")
    (entry,) = (a for a in release.statement.assumptions if a.name == "the clock stays hidden")
    assert "order" not in entry.evidence
    assert "seconds" not in entry.evidence


def varied_log() -> QueryLog:
    """Thirty users with queries of one to four words out of sixty."""
    rng = np.random.default_rng(8)
    words = [f"w{number}" for number in range(60)]
    rows: list[Row] = []
    for user in range(30):
        texts = [" ".join(rng.choice(words, int(rng.integers(1, 5)))) for _ in range(8)]
        rows += [
            (f"u{user}", texts[int(rng.integers(8))], MONDAY + int(rng.integers(0, 20 * DAY)), None)
            for _ in range(int(rng.integers(10, 40)))
        ]
    return log_of(rows)


@pytest.mark.parametrize("times", TIMES)
def test_that_the_auditor_still_knows_whose_record_is_whose(times: str) -> None:
    log = varied_log()
    release = released(log, "frequency-threshold", n=1, ids="random", times=times)
    exact = released(log, "frequency-threshold", n=1, ids="random")
    users = np.arange(len(log.users), dtype=np.int64)
    result = records_of(log, release, users, QUIET).record
    # The seed gives both the same numbers, and exact rows tell them all.
    truth = records_of(log, exact, users, QUIET).record
    names = [content(exact).users[int(code)] for code in truth]
    assert [content(release).users[int(code)] if code >= 0 else "" for code in result] == names


@pytest.mark.parametrize("times", TIMES)
def test_that_hashed_words_are_still_matched_to_their_words(times: str) -> None:
    log = varied_log()
    release = content(released(log, "token-hashing", times=times))
    rows = present(align_rows(log, release, QUIET, times=times))
    mine, theirs = labels_of(log, release, rows, QUIET)
    exact = content(released(log, "token-hashing"))
    pairs = present(align_rows(log, exact, QUIET))
    truth = labels_of(log, exact, pairs, QUIET)[0]
    # Words whose label is known are those that exact times give, under the same key.
    labelled = mine >= 0
    assert labelled.mean() > 0.5
    place = tokenize_strings(release.queries).vocabulary.match(
        tokenize_strings(exact.queries).vocabulary
    )
    words = tokenize_strings(log.queries).vocabulary
    by_word = {int(label): word for word, label in enumerate(theirs.tolist()) if label >= 0}
    for hash_code in np.flatnonzero(labelled).tolist():
        word = by_word[int(mine[hash_code])]
        true = int(truth[place[hash_code]])
        assert words[word] == words[true]


def test_that_an_attack_on_bundles_sees_the_released_times() -> None:
    log = varied_log()
    for times in TIMES:
        release = released(log, "bundling", by="random-users", group=4, times=times)
        view = find_bundles(Evidence(log=log, release=release), BundleParams(min_queries=1), QUIET)
        assert view.lost == 0
        exact = np.sort(log.time[view.row])
        if times in STEPS:
            assert (view.time == floor_times(log.time[view.row], times)).all()
        else:
            assert not np.array_equal(view.time, log.time[view.row])
            assert np.array_equal(np.sort(view.time), exact)
