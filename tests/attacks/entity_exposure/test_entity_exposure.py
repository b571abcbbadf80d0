"""Tables 6 and 7 on logs made by hand, and what holds of any reading of a log."""

import dataclasses
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from auditor.attacks.base import AttackResult
from auditor.attacks.detection.entity_detection import detect_entities
from auditor.attacks.detection.kinds import EntityKind
from auditor.attacks.entity_exposure import ATTACK, HIDDEN, PartialReading, most_frequent
from auditor.attacks.risk import reasons as why
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.synthetic.generator import SyntheticLog, synthesize_log
from auditor.log.text import tokenize_strings
from auditor.privacy.truth_table import TruthTable
from tests.attacks.attacked import (
    QUIET,
    Event,
    check_result,
    findings,
    log_of,
    release_of,
    run_attack,
    searches,
    value,
    whose,
)

NAME = "marjorie quackenbush"
STAR = "britney spears"
PEOPLE: list[Event] = [
    *searches(
        ann=f"0 {NAME}; 10 lexington ky; 20 lexington ky; 100 porn",
        bob=f"0 {NAME} lexington ky; 25 breast cancer",
        cid=f"0 {NAME}; 5 acme inc",
        dan=f"0 {NAME}; 30 porn",
        eve="0 jobs",
        zoe="0 weather",
    ),
    *[(f"fan{i}", STAR, i) for i in range(12)],
]


attack = partial(run_attack, ATTACK)


def column(result: AttackResult, table: int, which: int = 0) -> dict[str, int]:
    return {row[1]: row[which] for row in result.tables[table].rows}


@pytest.fixture(scope="module")
def result() -> AttackResult:
    return attack(log_of(*PEOPLE))


def test_that_table_6_counts_sessions_and_table_7_distinct_queries(result: AttackResult) -> None:
    assert list(column(result, 0).items())[:8] == [
        ("unique person name", 16),
        ("unique company name", 1),
        ("unique place name", 2),
        ("unique non-star name", 4),
        ("non-star name and a place name", 2),
        ("non-star name and a company name", 1),
        ("non-star name and an adult term", 1),
        ("non-star name and a revealing term", 1),
    ]
    assert list(column(result, 1).items())[:5] == [
        ("name", 3),
        ("place", 2),
        ("company", 1),
        ("name and place", 1),
        ("non-star name and place", 1),
    ]
    asked = column(result, 1, 2)
    assert (asked["name"], asked["place"]) == (16, 3)
    assert result.rate == 16 / 18  # users with an entity


@pytest.mark.parametrize(
    ("params", "entity", "sessions"),
    [
        ({"gap": 29}, "non-star name and an adult term", 0),
        ({"non_star": 4}, "unique non-star name", 0),
        ({"non_star": 13}, "unique non-star name", 16),
        ({"n": 2, "n_queries": 4}, "unique person name", 12),
        ({"n": 2, "n_queries": 4}, "unique non-star name", 0),
    ],
)
def test_that_parameters_decide_what_counts(
    params: dict[str, Any], entity: str, sessions: int
) -> None:
    """A longer pause parts two queries; a name of as many queries as the limit is a star's."""
    result = attack(log_of(*PEOPLE), **params)
    assert column(result, 0)[entity] == sessions
    assert "n" not in params or column(result, 1)["name"] == 3


def test_that_marks_are_the_recovered_words_alone_in_characters() -> None:
    log = log_of(("a", "acme zebra  inc", 0), ("b", "inc", 0), ("b", "zebra", 1), ("b", "inc", 2))
    sessions = findings(attack(log, n=2, n_queries=2))
    code = int(log.queries.find(["acme zebra  inc"])[0])
    marked = [log.queries[code][start:stop] for start, stop, _ in sessions.list_marks(code)]
    assert marked
    assert all(set(text.split()) <= {"inc", "zebra"} for text in marked)
    log = log_of(("a", f"münchen\u2003 ü {NAME}", 0))
    marks = findings(attack(log)).list_marks(0)
    assert [log.queries[0][a:b] for a, b, _ in marks] == [NAME]


@pytest.mark.parametrize(
    "text",
    [
        "marjorie {} quackenbush", "lexington {} ky", "acme inc {}", "target {}",
        "606 {} 555 0142", "123 {} street",
    ],
)  # fmt: skip
def test_that_nothing_is_read_across_a_hidden_word(text: str) -> None:
    queries = Vocabulary.of([text.format(HIDDEN)])
    assert len(detect_entities(queries, tuple(EntityKind))) == 0


def test_that_a_view_shows_what_words_are_taken_for() -> None:
    log = log_of(("a", "one  two three", 0), ("a", "two", 1))
    tokens = tokenize_strings(log.queries)
    words = Vocabulary.of(["two", "éins"])
    guess = np.full(len(tokens.vocabulary), -1, dtype=np.int32)
    guess[tokens.vocabulary.find(["one"])] = 1
    guess[tokens.vocabulary.find(["two"])] = 0
    reading = PartialReading(log, tokens, guess, words)
    assert {reading.build_view(QUIET).queries[i] for i in range(2)} == {f"éins two {HIDDEN}", "two"}
    right = reading.only_right().build_view(QUIET).queries
    assert {right[i] for i in range(2)} == {f"{HIDDEN} two {HIDDEN}", "two"}


def test_that_the_words_read_are_those_asked_most_often_by_events() -> None:
    log = log_of(("a", "rare common", 0), ("b", "common", 0), ("c", "common", 0))
    reading = most_frequent(log, 1, QUIET)
    assert reading.tokens.vocabulary[int(np.flatnonzero(reading.guess >= 0)[0])] == "common"


def test_that_a_random_mapping_keeps_the_words_and_finds_hardly_anybody() -> None:
    log = synthesize_log(300, days=10, seed=2).log
    reading = most_frequent(log, 500, QUIET)
    random = reading.shuffle_guesses(np.random.default_rng(1))
    assert sorted(random.guess[random.guess >= 0]) == sorted(reading.guess[reading.guess >= 0])
    result = attack(log, n=500, n_queries=500)
    assert result.baseline < result.rate / 4


@pytest.fixture(scope="module")
def world() -> SyntheticLog:
    return synthesize_log(1500, days=30, seed=3)


INVERTED: dict[str, Any] = {"assume": "inversion", "n": 400, "n_queries": 400}


@pytest.fixture(scope="module")
def inverted(world: SyntheticLog) -> AttackResult:
    return attack(world.log, reference=world.reference, **INVERTED)


def test_that_inversion_exposes_no_more_than_perfect_recovery(
    inverted: AttackResult, world: SyntheticLog
) -> None:
    perfect = attack(world.log, n=65_536, n_queries=65_536)
    for entity, count in column(inverted, 1).items():
        if not entity.startswith("non-star"):
            assert count <= column(perfect, 1)[entity]
    assert 0 < inverted.rate <= perfect.rate


def test_that_wrong_recoveries_are_shown_so(inverted: AttackResult, world: SyntheticLog) -> None:
    sessions = findings(inverted)
    wrong = sessions.mark_reason == why.WRONG
    assert wrong.any()
    assert sessions.reasons[why.WRONG] == why.WRONG_REASON.label
    assert why.explain_reason(sessions.reasons[why.WRONG])
    assert ((sessions.reason >> np.uint64(why.WRONG)) & np.uint64(1)).any()
    check_result(world.log, inverted)


def test_that_only_the_unknown_part_of_a_split_log_is_counted(world: SyntheticLog) -> None:
    log = world.log
    result = attack(log, assume="inversion", n=300, n_queries=300)
    assert value(result, "users") == len(log.users) - len(log.users) // 2
    sessions = findings(result)
    assert len(sessions)
    assert np.all(log.user[sessions.start] == log.user[sessions.stop - 1])
    assert np.all(log.time[sessions.stop - 1] >= log.time[sessions.start])


@pytest.mark.parametrize("shift", [0, 1])
def test_that_a_hashed_release_opens_as_its_log_does(shift: int, world: SyntheticLog) -> None:
    """The attacker's reference is the log itself, so that a small one is enough to find words by.

    The words of a query stand in their order or turned about.
    """
    log = world.log
    release = hash_queries(log, shift=shift)
    through = attack(log, reference=log, release=release, **INVERTED)
    plain = attack(log, reference=log, **INVERTED)
    assert through.rate > 0
    assert abs(through.rate - plain.rate) < 0.1
    assert len(findings(through))


def hash_queries(log: QueryLog, users: Callable[[str], str] = str, shift: int = 0) -> QueryLog:
    """The log with its words numbered in hexadecimal, under other users."""
    tokens = tokenize_strings(log.queries)
    return QueryLog.from_columns(
        user=[users(log.users[code]) for code in log.user.tolist()],
        query=[
            " ".join(f"{word:08x}" for word in np.roll(tokens[query], shift).tolist())
            for query in log.query.tolist()
        ],
        time=log.time.tolist(),
    )


@pytest.mark.parametrize("users", [str, "x{}".format])
@pytest.mark.parametrize("assume", ["perfect", "inversion"])
def test_that_users_in_the_release_are_attacked(assume: str, users: Callable[[str], str]) -> None:
    present = ["ann", "bob", "tim"]
    log = log_of(*PEOPLE, ("tim", "weather report today", 7))
    sample = log.rows(np.isin(log.user, log.users.find(present)))
    release = release_of(hash_queries(sample, users))
    if assume == "inversion":
        truth = TruthTable.of({users(user): user for user in present})
        release = dataclasses.replace(release, truth=truth)
    result = attack(log, release, reference=log, assume=assume)
    assert value(result, "users") == 3
    assert set(whose(log, findings(result))) <= set(present)
    assert assume == "inversion" or result.rate == 2 / 3


def test_that_it_says_where_nobody_can_tell_who_is_in_the_release() -> None:
    log = log_of(*PEOPLE)
    hashed = hash_queries(log, lambda _: "all")
    elsewhen = dataclasses.replace(hashed, time=hashed.time + 12_345_678)
    unknown = attack(log, release=elsewhen)
    assert value(unknown, "users") == len(log.users)
    assert any("not the release" in note for note in unknown.notes)
    assert not any("not the release" in note for note in attack(log).notes)
