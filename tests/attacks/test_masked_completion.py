"""Masked words guessed from their frame, against counting in plain Python."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

import auditor
from auditor.attacks.base import AttackResult
from auditor.attacks.masked_completion import ATTACK
from auditor.attacks.record_linkage.targets import NEEDS_TRUTH
from auditor.privacy.truth_table import TruthTable
from tests.attacks.attacked import explain, release_of, run_attack
from tests.measures.fakes import log_in_order
from tests.reference.attacks.masked_completion import Guesser

Row = tuple[str, str]
"""A user and a query."""
HIDDEN = frozenset({"ox", "elk"})


def mask(query: str) -> str:
    return " ".join("*" if word in HIDDEN else word for word in query.split())


def attack(rows: list[Row], other: list[Row] | None, *, truth: bool = True) -> AttackResult | str:
    """The attack on a release with each of `HIDDEN` masked, a new id for each row."""
    masked = [(f"r{place}", mask(query)) for place, (_, query) in enumerate(rows)]
    owners = {new: user for (new, _), (user, _) in zip(masked, rows, strict=True)}
    release = dataclasses.replace(
        release_of(log_in_order(*masked)), truth=TruthTable.of(owners) if truth else None
    )
    log, reference = log_in_order(*rows), log_in_order(*other) if other else None
    if why := explain(ATTACK, log, release):
        return why
    return run_attack(ATTACK, log, release, reference=reference)


QUERIES = st.lists(st.sampled_from(["ox", "elk", "big", "old", "zoo"]), min_size=1, max_size=4)
ROWS = st.lists(st.tuples(st.sampled_from("abc"), QUERIES.map(" ".join)), min_size=1, max_size=20)


@given(ROWS, ROWS)
def test_that_guesses_are_those_of_the_definition(rows: list[Row], other: list[Row]) -> None:
    rows += [("a", "big zoo"), ("a", "old")]  # all words but the hidden ones can be read
    other = [(f"other {user}", query) for user, query in other]
    result = attack(rows, other)
    attempts = {
        (user, tuple(None if word in HIDDEN else word for word in query.split()), place, hidden)
        for user, query in rows
        for place, hidden in enumerate(query.split())
        if hidden in HIDDEN
    }
    if not attempts:
        assert result == "needs masked words: no released query has a star for one"
        return
    assert isinstance(result, AttackResult)
    guesser = Guesser(other, {"big", "old", "zoo"})
    least, most, users = 0, 0, set()
    for user, frame, place, hidden in attempts if guesser.counts else ():
        chance = {word: guesser.chance(frame, place, word) for word in HIDDEN}
        ahead = chance[hidden] - max(chance[word] for word in HIDDEN - {hidden})
        least += ahead > 1e-12
        most += ahead > -1e-12
        users |= {user} if ahead > 1e-12 else set()
    assert result.counts is not None
    assert result.counts[1] == len(attempts)
    assert least <= result.counts[0] <= most
    if least == most:
        assert result.values[0].value == len(users) / len({user for user, *_ in attempts})


def test_that_a_frame_is_known_from_others_and_a_name_is_one_word() -> None:
    learned = [(f"v{n}", query) for n in range(9) for query in ("big ox", "old elk", "elk", "elk")]
    rows = [("a", "big ox"), ("b", "old elk"), ("c", "big elk zoo"), ("c", "zoo"), ("c", "old big")]
    result = attack(rows, learned)
    assert isinstance(result, AttackResult)
    # "big * zoo" was never issued: what follows "big" is "ox".
    assert result.counts == (2.0, 3.0)
    assert result.baseline == pytest.approx(2 / 3)
    # "ox" is guessed twice and is the word of one of three; "elk" once, of two.
    assert result.control == pytest.approx((1 / 3 + 2 / 3 + 1 / 3) / 3)
    table = {row[0]: list(row[1:]) for row in result.tables[0].rows}
    assert table["other word"] == [3, pytest.approx(2 / 3), pytest.approx(2 / 3)]


def test_that_half_of_the_users_teach_where_there_are_no_others() -> None:
    rows = [(f"u{n}", query) for n in range(40) for query in ("big ox", "old elk", "big", "old")]
    for other in (None, rows):
        result = attack(rows, other)
        assert isinstance(result, AttackResult)
        assert (result.counts, result.details["masked"]) == ((40.0, 40), 40)


def test_that_an_allowlist_s_stars_are_guessed_and_nobody_else_s_rows() -> None:
    rows = [(f"u{n}", "big zoo") for n in range(9)] + [(f"u{n}", "big ox") for n in range(4)]
    log = log_in_order(*rows, *((f"u{n}", "ox cart") for n in range(4)), ("u8", "big elk"))
    release = auditor.preview(log, "entity-allowlist", k_entity=5, forbidden="mask", seed=1)
    learned = log_in_order(*((f"v{n}", "big ox") for n in range(3)))
    result = auditor.attack("masked-completion", log, release, reference=learned)
    # Four of five are right; nothing is left of "ox cart" and "zoo" can be read.
    assert result.counts == (4.0, 5.0)
    assert result.control == pytest.approx(4 / 5)


def test_that_ids_of_rows_need_a_truth_table() -> None:
    assert str(attack([("a", "big ox"), ("a", "big")], None, truth=False)).startswith(NEEDS_TRUTH)
