"""Which reasons of a session are shown."""

from __future__ import annotations

from auditor.attacks.risk.reasons import LABELS, MOST_SHOWN, NON_STAR, UNIQUE, main_reasons

NAME, ALONE = LABELS[NON_STAR], LABELS[UNIQUE]
LOOKED_UP = "private person's name that is looked up"


def test_that_the_one_that_decided_stands_first_and_three_at_most() -> None:
    assert main_reasons(["politics", "health", "sexuality", "crime"], decided=True)[0] == "politics"
    shown = main_reasons(list(LABELS))
    assert len(shown) == MOST_SHOWN
    assert ALONE not in shown


def test_that_a_string_of_one_user_is_said_only_where_nothing_else_is() -> None:
    assert main_reasons([ALONE, "health"]) == ["health"]
    assert main_reasons([ALONE]) == [ALONE]
    assert main_reasons([]) == []


def test_that_a_name_with_something_beside_it_is_said_once() -> None:
    assert main_reasons([NAME, LOOKED_UP]) == [LOOKED_UP]
    assert main_reasons([NAME]) == [NAME]
