"""Clicked addresses: what names somebody in them is found, and numbers of things are not."""

from __future__ import annotations

import pytest

from auditor.attacks.detection.clicked_addresses import AddressMark, find_in_addresses
from auditor.attacks.detection.detector import DetectorOptions
from auditor.log.model import Vocabulary

JANE = "jane.doe@example.org"
MANY = "&".join(f"a{number}={number}" for number in range(101))


def found_in(*addresses: str) -> list[AddressMark]:
    return find_in_addresses(Vocabulary.of(addresses), DetectorOptions())


@pytest.mark.parametrize(
    ("address", "kind", "place", "text"),
    [
        ("http://a.org/x?mail=jane.doe%40example.org", "email", "mail", "jane.doe@example.org"),
        ("http://a.org/jane.doe@example.org/inbox", "email", "path", "jane.doe@example.org"),
        ("http://a.org/?phone=212-555-7890", "phone", "phone", "212-555-7890"),
        ("http://a.org/?address=12+main+street", "street", "address", "12 main street"),
        ("http://a.org/?username=jdoe77", "user_name", "username", "jdoe77"),
        ("a.org/?friendid=48211907", "account_number", "friendid", "48211907"),
        ("http://a.org/~jdoe/", "user_name", "path", "jdoe"),
        ("http://a.org/users/jdoe77/photos", "user_name", "path", "jdoe77"),
        ("http://jdoe@a.org/", "user_name", "user", "jdoe"),
        ("http://a.org/search?q=jane.doe%40example.org", "email", "q", "jane.doe@example.org"),
        ("http://a.org/search?q=call+212-555-7890", "phone", "q", "212-555-7890"),
        ("http://a.org/search?q=jane%E2%80%8B.doe%07%40example.org", "email", "q", JANE),
        ("http://a.org/jane.\u200bdoe@example.org", "email", "path", JANE),
        (f"http://a.org/?mail=jane.doe@example.org&{MANY}", "email", "mail", JANE),
        (f"http://a.org/?{MANY}&mail=jane.doe%40example.org", "email", "path", JANE),
        ("http://a.org/#jane.doe@example.org", "email", "path", JANE),
        ("http://[a.org/?mail=jane.doe%40example.org", "email", "path", JANE),
        ("http://a.org/Users/jdoe77", "user_name", "path", "jdoe77"),
        ("http://a.org/?cc=4111111111111111", "card", "cc", "4111111111111111"),
    ],
)
def test_that_what_identifies_somebody_is_found(
    address: str, kind: str, place: str, text: str
) -> None:
    assert found_in(address) == [(0, kind, place, text)]


@pytest.mark.parametrize(
    "address",
    [
        "http://a.org/",
        "a.org",
        "",
        "http://a.org/article/2125557890",
        "http://a.org/?id=2125557890&session=4111111111111111&page=2",
        "http://a.org/users/index",
        "http://a.org/?q=weather&user=",
        "http://[broken/?email=x",
        "http://a.org/?" + "&".join(f"a{at}={at}" for at in range(200)),
    ],
)
def test_that_numbers_of_things_and_broken_addresses_are_not(address: str) -> None:
    assert found_in(address) == []


def test_that_each_address_is_told_by_its_number_and_once() -> None:
    marks = found_in("http://a.org/", "http://a.org/?user=jdoe&user=jdoe", "http://a.org/~amy")
    assert marks == [(1, "user_name", "user", "jdoe"), (2, "user_name", "path", "amy")]
