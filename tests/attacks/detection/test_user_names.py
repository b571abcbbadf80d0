"""User names and account numbers: what a query calls one, and handles made from names."""

from __future__ import annotations

import auditor
from auditor.attacks.detection.identifiers import IdentifierSearch, StreetWords
from auditor.attacks.detection.kinds import EntityKind
from tests.attacks.detection.bracketed import find_wrong


def spans(text: str) -> list[str]:
    search = IdentifierSearch(frozenset({EntityKind.USER_ID}), (), StreetWords())
    return [text[start:stop] for start, stop, *_ in search.find(text, 255)]


QUERIES = """
    [jdoe77]; [mike1982]; [john.smith7]; [dave_k99]; who is [jsmith1975]; aim [skaterboy_23]
    user name [sweetangel23]; userid [4417749]; account number [12345678]
    kundennummer [4711-0815]
    nokia6230; katrina2005; madison99; windows98; john deere 4020; ford150; blink182; maroon5
    pentium4; aim 5.9; how to make a user name; ebay user name search; mike1982 lyrics
    account number; jdoe@example.org
"""


def test_that_user_names_are_found_and_products_years_and_words_are_none() -> None:
    assert find_wrong(QUERIES, lambda query: list(dict.fromkeys(spans(query)))) == {}


def test_that_a_user_name_is_a_mark_of_its_own_kind_that_can_be_switched_off() -> None:
    found = auditor.detect(["jdoe77", "weather"], kinds=["user_id"], text=True)
    assert found[["query", "text", "kind", "rule"]].to_numpy().tolist() == [
        [0, "jdoe77", "user_id", "identifier:user name or account"]
    ]
    assert not len(auditor.detect(["jdoe77"], kinds=["phone", "email"]))
