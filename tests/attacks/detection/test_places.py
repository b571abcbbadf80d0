"""Which place a query is about: names that mean many things, codes, context, and the limits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.attacks.detection import places
from auditor.attacks.detection.places import PlaceMatches, classify_places, shipped_gazetteer
from auditor.log.model import Vocabulary
from tests.attacks.attacked import QUIET


def of(*queries: str) -> PlaceMatches:
    return classify_places(Vocabulary.of(queries), QUIET)


def named(query: str) -> tuple[str, float]:
    matches = of(query)
    place = int(matches.place[0])
    return (matches.label(place) if place >= 0 else "", float(matches.confidence[0]))


SETTLED = {
    "springfield il": "springfield, il", "hotels springfield, massachusetts": "springfield, ma",
    "springfield hotels illinois": "springfield, il", "springfield 62701": "springfield, il",
    "paris tx": "paris, tx", "PARIS Texas": "paris, tx", "reading pa": "reading, pa",
    "mobile, al": "mobile, al", "bend or": "bend, or", "portland or": "portland, or",
    "portland maine": "portland, me", "washington dc": "washington, dc",
    "kansas city ks": "kansas city, ks", "ontario california": "ontario, ca",
    "st. louis, mo": "saint louis, mo", "ft worth tx": "fort worth, tx",
    "mount vernon ny": "mount vernon, ny", "york pa": "york, pa", "surprise az": "surprise, az",
    "hotels in san josé ca": "san jose, ca", "saint louis mo": "saint louis, mo",
    "st louis missouri": "saint louis, mo", "new york city": "new york, ny",
}  # fmt: skip


def test_that_a_state_or_a_code_settles_which_place_a_name_means() -> None:
    places_of = {query: named(query) for query in SETTLED}
    assert {query: label for query, (label, _) in places_of.items()} == SETTLED
    assert {query: sure for query, (_, sure) in places_of.items() if sure <= 0.8} == {}


@pytest.mark.parametrize(
    "query",
    ["reading", "reading glasses", "mobile", "mobile phones", "paris", "paris hilton", "london",
     "nice", "nice dogs", "star wars", "home depot", "jackson browne", "michael jackson",
     "athens", "independence", "springfield", "bend it like beckham", "surprise me", "best buy",
     "12345", "model 95014", "call 20000", "$90210", "or", "in", "me", "orange"],
)  # fmt: skip
def test_that_a_name_that_may_mean_much_else_is_held_unsure(query: str) -> None:
    assert named(query)[1] < 0.3


@pytest.mark.parametrize("query", ["paris france", "london england", "ontario canada", "", "pizza"])
def test_that_a_place_elsewhere_is_none(query: str) -> None:
    assert named(query) == ("", 0.0)


@pytest.mark.parametrize(
    ("query", "label", "zip_code"),
    [
        ("pizza 95014", "cupertino, ca", 95014),
        ("95014-2345", "cupertino, ca", 95014),
        ("cupertino", "cupertino, ca", 95014),
        ("boston ma 02118", "boston, ma", 2118),
    ],
)
def test_that_a_place_has_a_postal_code(query: str, label: str, zip_code: int) -> None:
    matches = of(query)
    assert named(query)[0] == label
    assert matches.zip[0] == zip_code
    assert matches.exact[0] == any(letter.isdigit() for letter in query)


def test_that_a_large_city_needs_no_state_and_what_is_sought_at_places_speaks_for_one() -> None:
    for query in ("houston", "chicago", "los angeles", "brooklyn", "las vegas"):
        assert named(query)[1] > 0.8
    assert named("weather buffalo")[1] > 2 * named("buffalo wings")[1]
    assert named("hotels in reading")[1] > 2 * named("reading glasses")[1]


def test_that_a_state_is_a_place_without_a_code() -> None:
    matches = of("california", "lawyers in nj", "orange county ca")
    labels = [matches.label(int(place)) for place in matches.place]
    assert labels == ["california", "new jersey", "california"]
    assert matches.zip.tolist() == [-1, -1, -1]
    assert not matches.is_sure(0.1).any()
    assert matches.is_sure(0.1, cities=False).all()


def test_that_a_name_of_a_city_and_its_state_is_half_of_each() -> None:
    label, confidence = named("new york")
    assert label == "new york, ny"
    assert 0.4 < confidence < 0.5
    assert named("new york city")[1] > 0.9
    label, confidence = named("chicago to denver")
    assert label in ("chicago, il", "denver, co")
    assert confidence < 0.6


def test_that_the_mark_covers_the_name_in_characters() -> None:
    queries = ("cafés near reading, pa 2006", "ñ 95014")
    matches = of(*queries)
    spans = zip(queries, matches.start, matches.stop, strict=True)
    assert [text[start:stop] for text, start, stop in spans] == ["reading, pa", "95014"]


def test_that_every_place_has_a_middle_among_its_codes() -> None:
    lists = shipped_gazetteer()
    for place in range(0, len(lists.labels), 97):
        mine = lists.zips[lists.zip_starts[place] : lists.zip_starts[place + 1]]
        assert (lists.zip[place] in mine) != lists.is_state[place]
    assert np.all(np.diff(lists.lists.pair_key) > 0)


WORDS = st.sampled_from(
    ("springfield", "il", "or", "portland", "paris", "texas", "95014", "in", "new", "york", "é")
)


@given(st.lists(st.lists(WORDS, max_size=6).map(" ".join), max_size=8, unique=True))
def test_that_queries_do_not_depend_on_each_other(queries: list[str]) -> None:
    together = of(*queries)
    for index, query in enumerate(queries):
        alone = of(query)
        assert alone.place[0] == together.place[index]
        assert alone.confidence[0] == together.confidence[index]
        assert 0 <= alone.confidence[0] <= 1
        assert (alone.place[0] >= 0) == (alone.stop[0] > alone.start[0])


def test_that_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    queries = ["hotels springfield il", "paris tx", "pizza 95014", "é", "", "reading pa"]
    together = of(*queries)
    monkeypatch.setattr(places, "BLOCK_BYTES", 9)
    parts = of(*queries)
    assert parts.place.tolist() == together.place.tolist()
    assert parts.start.tolist() == together.start.tolist()
