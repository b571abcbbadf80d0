"""Spotters on a small lexicon, rule by rule; names are made up or long dead."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.attacks.detection.entity_detection import EntityMarks, detect_entities
from auditor.attacks.detection.kinds import EntityKind
from auditor.attacks.detection.lexicon import DetectionLexicon, shipped_lexicon, split_words
from auditor.log.model import Vocabulary
from tests.attacks.detection.bracketed import find_wrong

SMALL = DetectionLexicon.of(
    first_names={"JANE": 0.2, "Bill": 0.5, "rose": 0.002, "mark": 0.9, "mary": 2.6},
    last_names={"Zorkin": 0.001, "gates": 0.01, "garden": 0.001, "o'brien": 0.1, "hill": 0.1},
    dictionary={"bill", "gates", "rose", "garden", "mark", "hill", "the", "lake", "target"},
    capitalised={"paris", "springfield"},
    states={"texas", "tx", "new york", "ny", "oregon", "or"},
    companies={"Acme Widgets", "AT&T", "target", "macy's", "Acme"},
    adult={"naked", "naked pictures"},
    revealing={"cancer", "jobs"},
    true_names={"mark hill", "Johann Sebastian Bach"},
    false_names={"jane hill"},
    stop_words={"the", "to"},
)


def find(text: str, *kinds: EntityKind, rare_below: float = 0.006) -> list[tuple[str, EntityKind]]:
    spots = detect_entities(
        Vocabulary.of([text]), kinds or tuple(EntityKind), words=SMALL, rare_below=rare_below
    )
    return [
        (text[start:stop], EntityKind(kind))
        for start, stop, kind in zip(spots.start, spots.stop, spots.kind, strict=True)
    ]


SPANS = {
    EntityKind.PERSON: """
        [jane zorkin]|[JANE GATES] phone|[bill zorkin]|[rose garden]|[bill garden]|[mark hill]
        [johann sebastian bach] organ|[mary o'brien]|[mary obrien]|[mary q. zorkin]
        mary-[jane zorkin]|who is [jane zorkin]'s husband|[jáne zörkin]|[ｊａｎｅ zorkin]
        [jane\u00a0zorkin]|日本 [jane zorkin]
        bill gates|mark gates|jane hill|zorkin jane|jane|jane, zorkin|jane / zorkin|jane's zorkin
        janezorkin|jane the zorkin
    """,
    EntityKind.PLACE: """
        [paris texas]|hotels [springfield, tx]|[qwzzyx new york] hotels|[springfield county] jail
        [paris city]|[springfield oregon]
        the city|lake county|springfield or|texas|9 city|paris; texas|x tx
    """,
    EntityKind.COMPANY: """
        cheap [acme widgets] store|[at&t] bill|[AT T] bill|[macys] sale|[macy's] sale|[target]
        [qwzzyx holdings inc]|[qwzzyx Corp].
        inc|marine corps|target practice|incense|acmes
    """,
    EntityKind.ADULT: "[naked pictures]|cancerous jobsite nakedness",
    EntityKind.REVEALING: "[jobs] for [cancer] patients|cancerous jobsite nakedness",
}
"""Of names: neither word is common; one is; both are, and one name is rare; or it is a true name.
Of places: a word with a capital, or in no dictionary, before a state, city or county."""


@pytest.mark.parametrize("kind", SPANS)
def test_that_what_stands_in_brackets_is_marked_and_nothing_else(kind: EntityKind) -> None:
    assert find_wrong(SPANS[kind], lambda text: [part for part, _ in find(text, kind)], "|") == {}


def test_that_the_share_below_which_a_name_is_rare_is_a_parameter() -> None:
    assert find("bill gates", EntityKind.PERSON, rare_below=0.02) == [
        ("bill gates", EntityKind.PERSON)
    ]
    assert find("rose garden", EntityKind.PERSON, rare_below=0.0) == []


def test_that_identifiers_stand_beside_entities_in_order() -> None:
    text = "jane zorkin 212-45-6789 jane@example.org 12 elm street 8.8.8.8 4111111111111111"
    assert [kind for _, kind in find(text)] == [
        EntityKind.PERSON, EntityKind.SSN, EntityKind.EMAIL, EntityKind.STREET, EntityKind.IP,
        EntityKind.CARD,
    ]  # fmt: skip


def test_that_equal_names_have_equal_numbers_and_others_have_others() -> None:
    queries = ["jane zorkin", "JANE ZORKIN home", "bill zorkin", "paris texas"]
    spots = detect_entities(Vocabulary.of(queries), words=SMALL)
    assert spots.query.tolist() == [0, 1, 2, 3]
    assert spots.name[0] == spots.name[1] != spots.name[2] >= 0
    assert spots.name[3] == -1


def test_that_only_the_kinds_asked_for_are_marked_and_nothing_in_nothing() -> None:
    text = "jane zorkin cancer paris texas acme 212-45-6789 naked"
    for kind in (*SPANS, EntityKind.SSN):
        assert {mark for _, mark in find(text, kind)} == {kind}
    for queries in ([], ["", "-", "\x00", "\u202e", "'''"]):
        assert len(detect_entities(Vocabulary.of(queries), words=SMALL)) == 0


def test_that_broken_utf8_and_megabytes_of_one_letter_are_survived() -> None:
    vocabulary = Vocabulary.of(
        ["jane zorkin \ud800 jane zorkin", "1" * 10**6, "j" * 10**6, "' " * 10**5]
    )
    spots = detect_entities(vocabulary, words=SMALL)
    text = vocabulary[0]
    assert [text[a:b] for a, b in zip(spots.start, spots.stop, strict=True)] == ["jane zorkin"] * 2


WORDS = st.sampled_from(
    [
        *("jane", "zorkin", "bill", "gates", "rose", "garden", "o'brien", "ｊane", "é", "日本"),
        *("paris", "texas", "new", "york", "city", "acme", "inc", "cancer", "naked"),
        *("212-45-6789", "jo@example.org", "12", "elm", "street", "8.8.8.8"),
        *("'", ",", "\x00", "\u202e"),
    ]
)
QUERIES = st.lists(st.lists(WORDS, max_size=6).map(" ".join), max_size=12, unique=True)


def plain(spots: EntityMarks) -> list[tuple[int, int, int, int]]:
    columns = (spots.query, spots.start, spots.stop, spots.kind)
    return list(zip(*(column.tolist() for column in columns), strict=True))


@given(QUERIES, st.integers(1, 64))
def test_that_marks_lie_in_their_queries_in_order_whatever_stands_beside_or_parts_them(
    queries: list[str], size: int
) -> None:
    vocabulary = Vocabulary.of(queries)
    spots = plain(detect_entities(vocabulary, words=SMALL))
    assert spots == sorted(spots, key=lambda mark: (mark[0], mark[1], mark[3]))
    for query, start, stop, _ in spots:
        assert 0 <= start < stop <= len(queries[query])
        assert queries[query][start:stop].strip() == queries[query][start:stop]
    assert spots == plain(detect_entities(vocabulary, words=SMALL, block_bytes=size))
    assert spots == [
        (index, *mark[1:])
        for index, query in enumerate(queries)
        for mark in plain(detect_entities(Vocabulary.of([query]), words=SMALL))
    ]


@given(st.text(max_size=30))
def test_that_no_text_breaks_the_spotters(text: str) -> None:
    for _, start, stop, _ in plain(detect_entities(Vocabulary.of([text]), words=SMALL)):
        assert 0 <= start < stop <= len(text)


def test_that_words_are_split_in_the_lists_as_in_the_queries() -> None:
    assert split_words("AT&T, O'Brien's café №5") == ["at", "t", "obriens", "cafe", "n5"]


def test_that_the_shipped_lists_find_well_known_cases() -> None:
    queries = ["albert einstein", "springfield illinois", "bank of america", "breast cancer"]
    spots = detect_entities(Vocabulary.of(queries))
    kinds = (EntityKind.PERSON, EntityKind.PLACE, EntityKind.COMPANY, EntityKind.REVEALING)
    assert all(int(kind) in spots.kind[spots.query == code] for code, kind in enumerate(kinds))
    assert shipped_lexicon() is shipped_lexicon()
