"""Which names of places are a place's, a business's or a title's, on invented queries."""

from __future__ import annotations

import pytest

from auditor.attacks.detection.detector import detect_marks
from auditor.attacks.detection.kinds import EntityKind
from auditor.log.model import Vocabulary


def has_place(query: str) -> bool:
    return bool(detect_marks(Vocabulary.of([query])).is_of_kind(EntityKind.PLACE).any())


@pytest.mark.parametrize(
    "query",
    [
        "grafton state university",
        "moorhead clarion",
        "opelousas daily mail",
        "ferndale junior college",
        "valdosta state",
    ],
)
def test_a_place_inside_the_name_of_an_institution_is_none(query: str) -> None:
    assert not has_place(query)


@pytest.mark.parametrize("query", ["maplewood furniture", "brookfield trademarks"])
def test_a_small_town_before_another_word_is_rather_a_business(query: str) -> None:
    assert not has_place(query)


@pytest.mark.parametrize(
    "query",
    [
        "brookfield wi furniture",
        "furniture in maplewood minnesota",
        "kalispell events",
        "lake hopatcong boats",
        "kalispell and whitefish",
        "houston furniture",
    ],
)
def test_a_town_is_a_place_with_its_state_an_ordinary_word_or_many_people(query: str) -> None:
    assert has_place(query)


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("nj divorce forms", True),
        ("apartments in ga with pool", True),
        ("ct scan results", False),
        ("lumber supply co", False),
        ("durango co", True),
        ("al", False),
    ],
)
def test_an_abbreviation_of_a_state_by_itself(query: str, place: bool) -> None:
    assert has_place(query) == place


def test_a_place_abroad_is_none_where_a_film_or_song_is_sought() -> None:
    assert not has_place("casablanca dvd")
    assert has_place("dvd shops in casablanca")


@pytest.mark.parametrize(
    "query", ["nags head cottages", "dulles airport shuttle", "louisiana lottery"]
)
def test_regions_airports_and_lotteries_of_states_are_places(query: str) -> None:
    assert has_place(query)
