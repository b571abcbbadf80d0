"""The next query: by hand, on people that weren't learned from, and within hashed releases."""

from typing import Any

import numpy as np
import pytest

from auditor.engine.backends import local
from auditor.log.model import QueryLog, Vocabulary
from auditor.measures.base import MeasureResult
from auditor.measures.next_query import MEASURE, count_answers
from auditor.methods.registry import METHODS
from auditor.privacy.release import Anonymized
from auditor.progress import Progress, silent_progress
from tests.measures.fakes import log_of, release_of, tables_of, take, value

LEARNED = tables_of(
    {"d": 1, "a": 9, "c": 1, "b": 5},
    None,
    {("a", "c"): 3, ("a", "d"): 3, ("a", "b"): 5, ("b", "a"): 1, ("c", "b"): -2},
)
QUERIES = Vocabulary.of(("z", "c", "d", "b", "a"))
# a→b twice, a→d, c→a (c has no follower of a positive count), three times z→a (not there)
STEPS = np.array([4, 4, 1, 0]), np.array([3, 2, 4, 4]), np.array([2, 1, 1, 3])


def test_that_answers_are_counted_as_by_hand() -> None:
    counts = count_answers(LEARNED, QUERIES, STEPS, silent_progress())
    assert (counts.steps, counts.predictable) == (7, 4)
    assert counts.hits.tolist() == [2, 3, 3]
    # a is the most frequent; the first five hold all three
    assert counts.popular.tolist() == [4, 7, 7]
    assert counts.rates.tolist() == pytest.approx([2 / 7, 3 / 7, 3 / 7])


def habits(users: int = 120, seed: int = 2, order: int | None = None) -> QueryLog:
    """People who mostly ask the next query of a cycle of thirty."""
    rng = np.random.default_rng(seed)
    rows = []
    for user in range(users):
        place = int(rng.integers(0, 30))
        for step in range(8):
            rows.append((f"user {user}", f"word{place}", 60 * step + int(rng.integers(0, 59))))
            place = (place + 1) % 30 if rng.random() < 0.7 else int(rng.integers(0, 30))
    if order is not None:
        rows = [rows[i] for i in np.random.default_rng(order).permutation(len(rows))]
    return log_of(rows)


def taken(log: QueryLog, method: str = "", again: Any = None, **values: Any) -> MeasureResult:
    release: Anonymized = release_of(log)
    if method:
        again = local.make_rerun(method, METHODS[method].params(), 3)
        release = again(log, 9, silent_progress())
    return take(MEASURE, log, release, again=again, **values)


def unchanged(log: QueryLog, number: int, progress: Progress) -> Anonymized:
    return release_of(log)


def test_that_an_unchanged_log_tells_what_the_log_tells() -> None:
    details = taken(habits(), again=unchanged).details
    for k in (1, 5, 10):
        assert details[f"next_query.release_{k}"] == details[f"next_query.log_{k}"]
        assert details[f"next_query.inside_release_{k}"] == details[f"next_query.log_{k}"]
    assert 0.5 < details["next_query.log_1"] < 0.85  # 0.7 follow the cycle


def test_that_the_order_of_rows_changes_nothing() -> None:
    first, two = (taken(habits(order=i), again=unchanged) for i in (1, 2))
    assert first.details == two.details


def test_that_people_who_are_asked_about_were_not_learned_from() -> None:
    log = habits()
    everybody = set(log.users.list_strings())
    left_out: list[str] = []

    def again(part: QueryLog, number: int, progress: Progress) -> Anonymized:
        left_out.extend(everybody - set(part.users.list_strings()))
        return release_of(part)

    taken(log, again=again)
    assert sorted(left_out) == sorted(everybody)


def test_that_hashed_queries_tell_nothing_outside_and_everything_within() -> None:
    result = taken(habits(), "token-hashing")
    assert value(result, "next_query.coverage") == value(result, "next_query.hit10") == 0
    assert "within the release" in result.notes[0]
    # Ties are broken by other names, so that the figure is near, not equal.
    expected = result.details["next_query.inside_log_10"]
    assert value(result, "next_query.inside_hit10") == pytest.approx(expected, abs=0.03)


def test_that_tables_are_asked_about_from_outside_alone() -> None:
    log = habits(400)
    settings = (
        METHODS["safelog"].params().replace(mode="published", counting_unit="events", K=2, b=0.5)
    )
    again = local.make_rerun("safelog", settings, 1)
    result = take(MEASURE, log, again(log, 9, silent_progress()), again=again)
    assert value(result, "next_query.coverage") > 0.9
    assert 0.5 < value(result, "next_query.hit10") <= value(result, "next_query.hit10_found")
    assert not any(v.name == "next_query.inside_hit10" for v in result.values)


def test_that_it_says_why_there_is_nothing() -> None:
    log, silent_tables = habits(20), release_of(tables_of({"a": 1}))
    result = take(MEASURE, log, silent_tables, again=unchanged)
    assert "no table of transitions" in result.notes[0]
    assert "It is unknown" in take(MEASURE, log, silent_tables).notes[0]
    result = taken(log)  # a log of unknown making is only asked about itself
    assert [v.name for v in result.values] == ["next_query.inside_hit10"]


@pytest.mark.parametrize(
    "released",
    [
        log_of([("all", "rose", 0, None), ("all", "lily", 9, None)]),
        log_of([("a", "rose", 0, None), ("b", "lily", 9, None)]),
    ],
)
def test_that_nothing_is_measured_within_a_release_without_another_user(released: QueryLog) -> None:
    result = take(MEASURE, habits(20), release_of(released))
    assert not result.values
    assert any("Not measured" in note for note in result.notes)


def test_that_a_log_without_transitions_says_nothing_of_them() -> None:
    log = log_of([("ann", "rose", 1, None), ("bob", "lily", 2, None), ("cid", "rose", 3, None)])
    result = taken(log, again=unchanged)
    assert not result.values
    assert "nothing to predict" in result.notes[0]


def test_that_a_pause_ends_a_step() -> None:
    steps = taken(habits(), again=unchanged).tables[0].rows[0][2]
    short = taken(habits(), again=unchanged, pause=30).tables[0].rows[0][2]
    assert 0 < short < steps
