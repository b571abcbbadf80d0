"""Topics by general vocabulary, on invented queries."""

from __future__ import annotations

import pytest

from auditor.attacks.detection.detector import detect_marks
from auditor.attacks.detection.kinds import EntityKind
from auditor.attacks.detection.lexicon import form_plural, list_spellings
from auditor.log.model import Vocabulary


def is_marked(query: str, kind: EntityKind) -> bool:
    return bool(detect_marks(Vocabulary.of([query])).is_of_kind(kind).any())


@pytest.mark.parametrize(
    ("kind", "queries"),
    [
        (
            EntityKind.RELIGION,
            "plymouth brethren history|coptic christians|yeshiva admission|ketubah art|iftar time"
            "|diwali 2004|padre pio prayer|women of the sangha|umbanda|past life regression tape",
        ),
        (
            EntityKind.CRIME,
            "how to seal records in ohio|license reinstatement fee|juvenile hall visiting hours"
            "|extradition to canada|beat a ticket|grandparents rights|helmet laws"
            "|public intoxication",
        ),
        (
            EntityKind.ADULT,
            "micro bikini photos|big beautiful women dating|gilf pictures|skinny dipping stories",
        ),
        (
            EntityKind.HEALTH,
            "hard of hearing help|cortisol levels men|ringing in the ears|parkinson s exercises"
            "|torn cartilage in the knee|liver enzymes high|wheel chair ramp|sore elbow bumps",
        ),
        (
            EntityKind.MONEY,
            "wic office hours|repo homes in denver|sell my plasma|cant pay rent help"
            "|lost job no money|need rent money|irs payment plan|evicted",
        ),
        (
            EntityKind.DISTRESS,
            "signs of a batterer|who died today|my dog died|xanax withdrawal"
            "|missing woman went missing|hangover cure|child protective services complaint"
            "|feeling lonely",
        ),
        (EntityKind.POLITICS, "nazi flag|presidential debate schedule|pro life rally"),
    ],
)
def test_general_terms_of_each_topic_are_found(kind: EntityKind, queries: str) -> None:
    missed = [query for query in queries.split("|") if not is_marked(query, kind)]
    assert not missed


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("heaven lyrics", EntityKind.RELIGION),
        ("greek god costume", EntityKind.RELIGION),
        ("knee socks", EntityKind.HEALTH),
        ("leg warmers", EntityKind.HEALTH),
        ("trooper game", EntityKind.CRIME),
        ("hooters wings", EntityKind.ADULT),
        ("check credit card balance", EntityKind.MONEY),
    ],
)
def test_words_of_several_meanings_need_a_second_one(query: str, kind: EntityKind) -> None:
    assert not is_marked(query, kind)


def test_a_term_that_counts_as_the_whole_query_counts_nowhere_else() -> None:
    assert is_marked("law", EntityKind.CRIME)
    assert not is_marked("law of gravity", EntityKind.CRIME)
    assert is_marked("facials", EntityKind.ADULT)
    assert not is_marked("spa facials boston", EntityKind.ADULT)


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("womensshelter", EntityKind.DISTRESS),
        ("women s shelters", EntityKind.DISTRESS),
        ("debtconsolidation", EntityKind.MONEY),
        ("paroleviolations", EntityKind.CRIME),
    ],
)
def test_terms_run_together_or_without_their_apostrophe_are_found(
    query: str, kind: EntityKind
) -> None:
    assert is_marked(query, kind)


def test_spellings_of_a_term() -> None:
    assert list_spellings("womens shelter", frozenset()) == ["women s shelter", "womensshelter"]
    assert list_spellings("hand job", frozenset()) == []
    assert list_spellings("section 8 housing", frozenset()) == []
    assert list_spellings("battle field", {"battlefield"}) == []
    assert form_plural("felony") == "felonies"
    assert form_plural("bus") == "bus"


def test_that_gender_and_orientation_are_found_in_todays_words() -> None:
    for query in ("nonbinary pronouns", "am i trans", "grindr", "gender dysphoria", "lgbtq youth"):
        assert is_marked(query, EntityKind.SEXUALITY), query
    for query in ("trans am 1978", "pronouns in french", "queen size bed"):
        assert not is_marked(query, EntityKind.SEXUALITY), query


def test_that_a_deportation_is_about_origin_and_the_law() -> None:
    assert is_marked("deportation lawyer", EntityKind.ETHNICITY)
    assert is_marked("deportation lawyer", EntityKind.CRIME)


def test_that_roofs_and_stools_are_no_illness() -> None:
    for query in ("metal roof shingles", "barstools", "bar stools with backs", "step stool"):
        assert not is_marked(query, EntityKind.HEALTH), query
    for query in ("shingles vaccine", "blood in stool"):
        assert is_marked(query, EntityKind.HEALTH), query
