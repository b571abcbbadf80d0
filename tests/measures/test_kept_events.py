"""Events of a log that are still in a release, against a naive recount."""

import dataclasses
from collections import Counter
from pathlib import Path

import pytest

import auditor
from auditor.log.model import QueryLog
from auditor.measures.kept_events import count_kept_events
from auditor.privacy.release import Anonymized
from auditor.progress import silent_progress
from auditor.release.kept_content import KeptContent
from tests.measures.fakes import release_of
from tests.methods.logs import log_of

LOG = log_of(
    [
        ("ann", "rose", 10, "http://a"),
        ("ann", "rose", 10, "http://b"),
        ("ann", "tulip", 20, None),
        ("bob", "rose", 10, None),
        ("bob", " ", 30, None),
    ]
)


@pytest.fixture(scope="module")
def excite() -> QueryLog:
    log = auditor.read_log(Path(__file__).parents[1] / "data" / "excite-small.log")
    return log.sample_users(400, 1)


def events_of(log: QueryLog) -> set[tuple[str, str, int]]:
    rows = zip(log.user.tolist(), log.query.tolist(), log.time.tolist(), strict=True)
    every = ((log.users[user], log.queries[query], time) for user, query, time in rows)
    return {event for event in every if event[1].strip()}


def recount(log: QueryLog, release: Anonymized) -> tuple[int, int, int]:
    """By query and time, and whose they are where a truth table says, as often as in both."""
    assert release.log is not None
    truth = release.truth
    ids = truth.users.list_strings() if truth else []
    owners = dict(zip(truth.ids.list_strings(), truth.user.tolist(), strict=True)) if truth else {}

    def name(user: str) -> str:
        return ids[owners[user]] if user in owners else ""

    mine = Counter((user if truth else "", *event) for user, *event in events_of(log))
    theirs = Counter((name(user), *event) for user, *event in events_of(release.log))
    return sum(mine.values()), sum((mine & theirs).values()), sum(theirs.values())


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("k-delta", {}),
        ("m-k-delta-epsilon", {}),
        ("bundling", {}),
        ("microaggregation", {}),
        ("frequency-threshold", {"n": 2}),
    ],
)
def test_that_events_of_a_real_log_are_those_of_a_naive_recount(
    excite: QueryLog, method: str, params: dict[str, int]
) -> None:
    release = auditor.anonymize(excite, method, **params)  # type: ignore[arg-type]
    counts = count_kept_events(excite, release, silent_progress())
    assert counts.events == recount(excite, release)
    content = KeptContent.of(excite, release)
    assert content.share == counts.kept / counts.events[0] <= 1
    assert content.added == counts.events[2] - counts.kept


def test_that_what_was_added_is_never_set_off_against_what_is_missing() -> None:
    released = log_of([("1", "rose", 10, None), *(("1", "new", n, None) for n in range(100))])
    content = KeptContent.of(LOG, release_of(released))
    assert (content.searches, content.log_searches, content.added) == (1, 3, 100)
    assert content.share == 1 / 3
    assert (content.queries, content.log_queries, content.basis) == (1, 2, "events")


def test_that_an_event_of_the_log_is_kept_once() -> None:
    once = log_of([("1", "rose", 10, None)])
    thrice = log_of([(user, "rose", 10, None) for user in ("1", "2", "3")])
    assert count_kept_events(LOG, release_of(once), silent_progress()).events == (3, 1, 1)
    assert count_kept_events(LOG, release_of(thrice), silent_progress()).events == (3, 2, 3)


def test_that_equal_rows_of_several_people_are_all_kept_under_one_id() -> None:
    log = log_of([(user, "rose", 0, None) for user in ("ann", "bob", "cid")])
    nobody = log_of([("everybody", "rose", 0, None)] * 3)
    assert count_kept_events(log, release_of(nobody), silent_progress()).events == (3, 3, 3)


def test_that_where_ids_are_kept_an_event_is_somebody_s() -> None:
    swapped = log_of([("ann", "rose", 10, None), ("bob", "tulip", 20, None)])
    release = release_of(swapped, ids="keep")
    assert count_kept_events(LOG, release, silent_progress()).kept == 1
    shuffled = release_of(swapped, ids="random")
    assert count_kept_events(LOG, shuffled, silent_progress()).kept == 2


def test_that_times_are_compared_as_exactly_as_they_are_released() -> None:
    hours = log_of([("1", "rose", 0, None), ("2", "tulip", 0, None)])
    assert count_kept_events(LOG, release_of(hours), silent_progress()).kept == 0
    coarse = release_of(hours, times="hour")
    assert count_kept_events(LOG, coarse, silent_progress()).kept == 2


def test_that_hashed_words_are_told_by_the_rest() -> None:
    hashed = log_of([("1", "8f3a", 10, None), ("2", "8f3a", 10, None), ("1", "90bc", 20, None)])
    release = dataclasses.replace(release_of(hashed), method="token-hashing")
    content = KeptContent.of(LOG, release)
    assert (content.searches, content.added, content.queries, content.basis) == (3, 0, 2, "hashed")
    assert KeptContent.of(LOG, release_of(hashed)).share is None, "nobody says that these are words"


def test_that_queries_in_upper_case_are_readable() -> None:
    louder = log_of([("1", "ROSE", 10, None), ("2", "ROSE", 10, None), ("1", "TULIP", 20, None)])
    content = KeptContent.of(LOG, release_of(louder))
    assert (content.searches, content.added, content.queries, content.basis) == (3, 0, 2, "events")


def test_that_a_hidden_clock_loses_no_search() -> None:
    content = KeptContent.of(LOG, auditor.preview(LOG, "numbered-sessions", seed=1))
    assert (content.share, content.added, content.basis) == (1.0, 0, "hashed")
