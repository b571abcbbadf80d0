"""Identifiers in queries and clicked addresses: what is found, and what is refused; all made up."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import auditor
from auditor.attacks.detection import identifiers
from auditor.attacks.detection.detector import DetectorOptions
from auditor.attacks.detection.identifiers import IdentifierSearch
from auditor.attacks.detection.kinds import PII, EntityKind
from auditor.attacks.detection.marked_strings import AddressMark, find_in_addresses
from auditor.attacks.detection.normalization import QueryNormalizer
from auditor.log.model import Vocabulary
from tests.attacks.detection.bracketed import find_wrong

WORDS = identifiers.StreetWords(
    plain=frozenset(["belt", "drive", "oak", "old", "street", "war", "ways"]),
    stop=frozenset(["to", "the", "of", "in", "for"]),
    states=frozenset(["ohio", "oh", "new york", "ny"]),
)


KINDS = (
    EntityKind.EMAIL, EntityKind.IP, EntityKind.CARD, EntityKind.SSN, EntityKind.PHONE,
    EntityKind.STREET,
)  # fmt: skip
EVERY_HINT = 255


def search(text: str, *kinds: EntityKind) -> list[tuple[int, int, EntityKind]]:
    finder = IdentifierSearch(frozenset(kinds or KINDS), ("US",), WORDS)
    return [(start, stop, kind) for start, stop, kind, *_ in finder.find(text, EVERY_HINT)]


def find(text: str, *kinds: EntityKind) -> list[tuple[str, EntityKind]]:
    folded = QueryNormalizer().fold_query(text)
    assert len(folded) == len(text)
    return [(text[start:stop], kind) for start, stop, kind in search(folded, *kinds)]


ACCEPTED = {
    EntityKind.EMAIL: """
        write [jo.doe@example.org] now|[JO+shop@mail.example.co.uk].|-[jo@example.com]
        <[jo_d@example.museum]>|mail [jane.doe at gmail dot com]|[jo＠example．org]
        \x00[jo@example.org]\x07|[2125550123@example.com]
    """,
    EntityKind.PHONE: """
        [212-555-0123]|call [(212) 555-0123] now|[2125550123]|[1 212 555 0123]
        [+44 20 7946 0958]|whose is [212.555.0123]?|[212–555–0123]
    """,
    EntityKind.SSN: """
        ssn [212-45-6789]|[212 45 6789]|my ssn: [212456789]|social security number [212456789]
        [２１２-４５-６７８９]|[٢١٢-٤٥-٦٧٨٩]|\u202e[212-45-6789]\u202c
    """,
    EntityKind.CARD: """
        [4111 1111 1111 1111]|card [5555-5555-5555-4444] stolen|[378282246310005]
        [3782 822463 10005]|[6011111111111117]|[30569309025904]|[3530111333300000]
        [bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq]
    """,
    EntityKind.IP: "who is [8.8.8.8]|[2607:f8b0:4005:805::200e]|who is [158.18.1.181]",
    EntityKind.STREET: """
        [12 old oak street]|[12 old oak street] new york|who lives at [4505b elm st] apt 4
        [77 n 5th ave] springville|[1950 elm street] ohio|[1950 elm street] 44101
        [po box 1234] springfield
    """,
    EntityKind.PLATE: "recall [1HGCM82633A004352]",
    EntityKind.USER_ID: """
        order number [114-3941689-8772232]|where is [1Z999AA10123456784]
        case number [2:19-cv-01234]|tracking number [9400111899223817428490]
        facebook.com/[jane.smith]|www.linkedin.com/in/[jane-smith-4]|twitter [@jsmith1984]
    """,
    EntityKind.COORDINATES: "[40 degrees 26 minutes north 79 degrees 58 minutes west]",
}


@pytest.mark.parametrize("kind", ACCEPTED)
def test_that_a_valid_identifier_is_found_where_it_stands(kind: EntityKind) -> None:
    def mark(text: str) -> list[str]:
        marks = find(text, *KINDS, kind)
        assert {each for _, each in marks} <= {kind}
        return [part for part, _ in marks]

    assert find_wrong(ACCEPTED[kind], mark, "|") == {}


REFUSED = {
    EntityKind.EMAIL: f"""
        jo@localhost|jo@example.invalidtld|jo@co.uk|jo@8.8.8.256|jo..doe@example.org|@example.org
        {"j" * 65}@example.org|jo@exa-.org|5 apples @ 3.50
    """,
    # No area code, bad area, bad exchange, freephone, premium rate, no country, parts of longer.
    EntityKind.PHONE: """
        555-0123|112-555-0123|212-055-0123|800-555-1234|900-555-1234|+999 20 7946 0958
        99212-555-0123|212-555-01234
    """,
    # Area, group, serial; the wallet's sample; mixed separators; nobody calls it an SSN.
    EntityKind.SSN: """
        000-45-6789|666-45-6789|912-45-6789|212-00-6789|212-45-0000|078-05-1120|212-45 6789
        212456789
    """,
    # Check digit, length of the issuer, no issuer, grouping.
    EntityKind.CARD: "4111 1111 1111 1112|41111111111111|9999999999999995|41111 111111 11111",
    # Octets, private, loopback, documentation, multicast, times, scopes, and servers' addresses.
    EntityKind.IP: """
        8.8.8.256|8.8.8.08|192.168.1.1|127.0.0.1|203.0.113.7|224.0.0.1|1.8.8.8.8|::1|2001:db8::1
        12:30:45|std::vector::size|http://158.18.1.181:80/demo/a.htm|158.18.1.181/index.html
        158.18.1.181:8080
    """,
    # A stop word between, a part of a car, a year, no name, house number 0, seven digits, a film.
    EntityKind.STREET: """
        100 ways to drive|2004 oak drive belt|1950 elm street|100 street|100 200 300 street
        100 north street|0 elm street|1234567 elm street|12 elm street war
    """,
}


@pytest.mark.parametrize("kind", REFUSED)
def test_that_what_only_looks_like_an_identifier_is_refused(kind: EntityKind) -> None:
    assert find_wrong(REFUSED[kind], lambda text: [part for part, _ in find(text)], "|") == {}


LOOKALIKES = """
    facebook.com/login; 1HGCM82633A004353; 1Z999AA10123456785; case 580 tractor; dance at night
    bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdr; glasses case 481778; ticket 2006 world cup
    40 degrees north; 5 apples @ 3.50
"""


def test_that_no_account_vehicle_or_wallet_is_seen_in_what_only_looks_like_one() -> None:
    assert find_wrong(LOOKALIKES, lambda text: [part for part, _ in find(text, *PII)]) == {}


HOSTILE = ["1", "1-", "1 ", "1.", "a:", "@", "a@a", "a.", "1 st ", "+1", "("]


@pytest.mark.parametrize("piece", HOSTILE)
def test_that_much_hostile_text_does_not_stall(piece: str) -> None:
    """Of 100,000 characters linear work takes a third of a second; quadratic work a minute."""
    text = piece * (100_000 // len(piece)) + "@" * (piece == "a.")
    begun = time.process_time()  # that of the clock is also other programs'
    assert all(kind is EntityKind.STREET for _, _, kind in search(text))
    assert time.process_time() - begun < 20


@given(st.text(alphabet="0123456789-. +()@:abcxy'\u0661\u202e\x00é", max_size=60))
def test_that_spans_lie_inside_the_text_apart_from_each_other(text: str) -> None:
    end = 0
    for start, stop, _ in search(QueryNormalizer().fold_query(text), *PII):
        assert end <= start < stop <= len(text)
        end = stop


@given(st.integers(10**11, 10**18))
def test_that_one_wrong_digit_makes_a_card_invalid(number: int) -> None:
    digits = f"4{number}"
    valid = [digits + str(check) for check in range(10) if identifiers.is_card(digits + str(check))]
    assert len(valid) == (1 if len(digits) + 1 in (13, 16, 19) else 0)


@given(st.text(max_size=40))
def test_that_folding_keeps_every_character_in_its_place(text: str) -> None:
    folded = QueryNormalizer().fold_query(text)
    assert len(folded) == len(text)
    assert all(ord(char) < 128 or char == "\xff" for char in folded)
    assert all(a == b for a, b in zip(text, folded, strict=True) if a.isascii())


USER_NAMES = """
    [jdoe77]; [mike1982]; [john.smith7]; [dave_k99]; who is [jsmith1975]; aim [skaterboy_23]
    user name [sweetangel23]; userid [4417749]; account number [12345678]
    kundennummer [4711-0815]
    nokia6230; katrina2005; madison99; windows98; john deere 4020; ford150; blink182; maroon5
    pentium4; aim 5.9; how to make a user name; ebay user name search; mike1982 lyrics
    account number; jdoe@example.org
"""


def test_that_user_names_are_found_and_products_years_and_words_are_none() -> None:
    finder = IdentifierSearch(frozenset({EntityKind.USER_ID}), (), identifiers.StreetWords())

    def mark(text: str) -> list[str]:
        spans = finder.find(text, EVERY_HINT)
        return list(dict.fromkeys(text[start:stop] for start, stop, *_ in spans))

    assert find_wrong(USER_NAMES, mark) == {}


def test_that_a_user_name_is_a_mark_of_its_own_kind_that_can_be_switched_off() -> None:
    table = auditor.detect(["jdoe77", "weather"], kinds=["user_id"], text=True)
    assert table[["query", "text", "kind", "rule"]].to_numpy().tolist() == [
        [0, "jdoe77", "user_id", "identifier:user name or account"]
    ]
    assert not len(auditor.detect(["jdoe77"], kinds=["phone", "email"]))


# --- clicked addresses

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
def test_that_what_identifies_a_person_is_found(
    address: str, kind: str, place: str, text: str
) -> None:
    assert found_in(address) == [(0, kind, place, text)]


@pytest.mark.parametrize(
    "address",
    [
        "http://a.org/", "a.org", "", "http://a.org/article/2125557890", "http://a.org/users/index",
        "http://a.org/?id=2125557890&session=4111111111111111&page=2", "http://[broken/?email=x",
        "http://a.org/?q=weather&user=", f"http://a.org/?{MANY}",
    ],
)  # fmt: skip
def test_that_numbers_of_things_and_broken_addresses_are_not(address: str) -> None:
    assert found_in(address) == []


def test_that_each_address_is_told_by_its_number_and_once() -> None:
    marks = found_in("http://a.org/", "http://a.org/?user=jdoe&user=jdoe", "http://a.org/~amy")
    assert marks == [(1, "user_name", "user", "jdoe"), (2, "user_name", "path", "amy")]
