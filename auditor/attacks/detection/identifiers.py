"""Validated personal identifiers in one query: e-mail, phone, SSN, card, IP, street address.

Every shape is checked against the rules of whoever issues it (top-level domains, numbering
plans, check digits, reserved ranges), so a long number alone is never reported. Text must be
folded first (`auditor.attacks.detection.normalization`): one ASCII character for each character of
the query.

Every pattern has bounded repeats and a fixed left edge, so the cost is linear in the length of
the text whatever it holds: there is no string that makes one backtrack at length.

Source: patterns with validation are beyond the published attacks; the rules are those of ICANN's
public suffix list, ITU-T E.164 through libphonenumber, the US Social Security Administration,
ISO/IEC 7812 and the USPS street suffixes.
"""

from __future__ import annotations

import ipaddress
import itertools
import re
import string
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from stdnum import luhn

Span = tuple[int, int]
Suffix = Callable[[str], str]


def _parse_word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


STREET_SUFFIXES = _parse_word_set(
    "alley aly avenue ave av boulevard blvd bypass causeway circle cir court ct cove crescent cres "
    "crossing drive dr expressway expy extension freeway fwy heights hts highway hwy junction lane "
    "ln loop mews parkway pkwy place pl plaza plz ridge road rd route rte row square sq street st "
    "terrace ter terr trail trl turnpike tpke way"
)
"""Endings of street names, in full and as the USPS abbreviates them."""

_DIRECTIONS = _parse_word_set(
    "n s e w ne nw se sw north south east west northeast northwest southeast southwest"
)
_UNITS = _parse_word_set("apt apartment suite ste unit bldg building floor fl room rm lot box po")
_MAX_LOCAL, _MAX_DOMAIN = 64, 253

_HOST = frozenset(f"{string.ascii_letters}{string.digits}.-")
_LOCAL = _HOST | frozenset("_%+")
_LABEL = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?")

BEFORE, AFTER = r"(?<![0-9A-Za-z])(?<![0-9][.-])", r"(?![0-9A-Za-z]|[.-][0-9])"
_SSN = re.compile(BEFORE + r"([0-9]{3})([- .])([0-9]{2})\2([0-9]{4})" + AFTER)
_BARE_SSN = re.compile(
    r"\b(?:ssn|social security)(?: number| no| num)?[ :#.]{1,3}([0-9]{9})" + AFTER, re.IGNORECASE
)
_CARD = re.compile(
    BEFORE + r"(?:[0-9]{4}([ -])[0-9]{4}\1[0-9]{4}\1[0-9]{1,4}(?:\1[0-9]{1,3})?"
    r"|[0-9]{4}([ -])[0-9]{6}\2[0-9]{4,5}|[0-9]{13,19})" + AFTER
)
_US_PHONE = re.compile(
    BEFORE + r"(?:\+?1[ .-]?)?(?:\([0-9]{3}\)[ .-]?|[0-9]{3}[ ./-]?)[0-9]{3}[ .-]?[0-9]{4}" + AFTER
)
_WORLD_PHONE = re.compile(r"(?<![0-9A-Za-z+])\+[1-9](?:[ .()-]{0,2}[0-9]){6,14}(?![0-9A-Za-z])")
_IPV4 = re.compile(
    r"(?<![0-9A-Za-z])(?<![0-9A-Za-z][.-])[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?![0-9A-Za-z]|[.-][0-9])"
)
_SERVER_PART = re.compile(r"(?::[0-9]{1,5})?/[^0-9]|:[0-9]{2,5}\b")
_IPV6 = re.compile(
    r"(?<![0-9A-Za-z:.])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:\.[0-9]{1,3}){0,3}"
    r"(?![0-9A-Za-z:])"
)
_WORD = re.compile(r"[0-9A-Za-z]+(?:'[0-9A-Za-z]+)?")

# Numbers that stand in advertisements and leaflets, and so belong to nobody.
_NOBODYS_SSN = frozenset({"078051120", "219099999", "457555462", "123456789"})

# (least prefix, greatest prefix, lengths) of each issuer, after ISO/IEC 7812 and their own rules.
_LONG = range(16, 20)
_ISSUERS = (
    ("4", "4", (13, 16, 19)), ("51", "55", (16,)), ("2221", "2720", (16,)), ("34", "34", (15,)),
    ("37", "37", (15,)), ("6011", "6011", _LONG), ("644", "649", _LONG), ("65", "65", _LONG),
    ("300", "305", (14, 16)), ("3095", "3095", (14,)), ("36", "36", (14,)), ("38", "39", (14,)),
    ("3528", "3589", _LONG), ("62", "62", _LONG),
)  # fmt: skip


def find_valid(
    pattern: re.Pattern[str], text: str, is_valid: Callable[[str], bool] = bool
) -> Iterator[Span]:
    """Where a pattern stands in a text, as something valid."""
    for match in pattern.finditer(text):
        if is_valid(match.group()):
            yield match.span()


@dataclass(frozen=True)
class StreetWords:
    """What a street address needs to know of words; everything lower case."""

    plain: Collection[str] = frozenset()
    """Words that the dictionary writes in lower case."""
    stop: Collection[str] = frozenset()
    states: Collection[str] = frozenset()


def public_suffix() -> Suffix:
    """A function from a host name to its public suffix ("" if it has none); never on-line."""
    import tldextract

    extract = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)

    def find_suffix(host: str) -> str:
        found = extract(host)
        return str(found.suffix) if found.domain else ""

    return find_suffix


def find_emails(text: str, suffix: Suffix) -> Iterator[Span]:
    """E-mail addresses whose domain stands under a public suffix; O(len(text))."""
    at = text.find("@")
    while at >= 0:
        start = at
        while start > 0 and at - start <= _MAX_LOCAL and text[start - 1] in _LOCAL:
            start -= 1
        stop = at + 1
        end = min(len(text), at + 2 + _MAX_DOMAIN)
        while stop < end and text[stop] in _HOST:
            stop += 1
        host = text[at + 1 : stop].rstrip(".-")
        local = text[start:at]
        start += len(local) - len(local.lstrip(".-%+"))  # what punctuates the text before
        if _is_local(text[start:at]) and _is_host(host) and suffix(host.lower()):
            yield start, at + 1 + len(host)
        at = text.find("@", at + 1)


_SPELT = re.compile(
    r"(?<![0-9a-z._-])[0-9a-z][0-9a-z._-]{1,40} ?(?:at|\(at\)|\[at\]) ?[0-9a-z-]{2,40}"
    r" ?(?:dot|\(dot\)|\[dot\]) ?(?:com|net|org|edu|gov|de|fr|uk|co uk|es|it|nl)(?![0-9a-z])"
)


def find_spelt_emails(text: str) -> Iterator[Span]:
    """E-mail addresses in words: "jane at gmail dot com"."""
    return find_valid(_SPELT, text.lower())


def _is_local(local: str) -> bool:
    return 0 < len(local) <= _MAX_LOCAL and not local.endswith(".") and ".." not in local


def _is_host(host: str) -> bool:
    labels = host.split(".")
    return (
        len(labels) > 1
        and len(host) <= _MAX_DOMAIN
        and all(_LABEL.fullmatch(label) for label in labels)
        and not labels[-1].isdecimal()
    )


def find_phones(text: str, region: str = "US") -> Iterator[Span]:
    """Valid phone numbers of a person: national ones of `region`'s shape, others with a +.

    Freephone, premium-rate and shared-cost numbers are left out: a business has those. A
    number without its area code is not valid by itself and is left out, too.
    """
    import phonenumbers

    types = phonenumbers.PhoneNumberType
    nobodys = {types.TOLL_FREE, types.PREMIUM_RATE, types.SHARED_COST, types.UAN, types.VOICEMAIL}
    stop = 0
    found = [*_WORLD_PHONE.finditer(text), *_US_PHONE.finditer(text)]
    for match in sorted(found, key=lambda match: (match.start(), -match.end())):
        if match.start() < stop:
            continue
        number = parse_phone(match.group(), region)
        if number is not None and phonenumbers.number_type(number) not in nobodys:
            stop = match.end()
            yield match.span()


def parse_phone(text: str, region: str) -> Any:
    """The telephone number that a text is in a region; None if it is none."""
    import phonenumbers

    with suppress(phonenumbers.NumberParseException):
        number = phonenumbers.parse(text, region)
        if phonenumbers.is_valid_number(number):
            return number
    return None


def is_ssn(digits: str) -> bool:
    """Whether nine digits can be a US social security number that was given to somebody."""
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    return (
        len(digits) == 9
        and area not in ("000", "666")
        and area < "900"
        and group != "00"
        and serial != "0000"
        and digits not in _NOBODYS_SSN
    )


def find_ssns(text: str) -> Iterator[Span]:
    """US social security numbers: written 3-2-4, or nine digits that the text calls one."""
    yield from find_valid(
        _SSN, text, lambda written: is_ssn(written[:3] + written[4:6] + written[7:])
    )
    for match in _BARE_SSN.finditer(text):
        if is_ssn(match[1]):
            yield match.span(1)


def is_card(digits: str) -> bool:
    """Whether digits are a payment card's: a known issuer, its length, a right check digit."""
    return luhn.is_valid(digits) and any(
        len(digits) in lengths and low <= digits[: len(low)] <= high
        for low, high, lengths in _ISSUERS
    )


def find_cards(text: str) -> Iterator[Span]:
    """Payment cards, in one run of digits or in the groups that are printed on cards."""
    return find_valid(_CARD, text, lambda written: is_card(re.sub("[ -]", "", written)))


def find_ip_addresses(text: str) -> Iterator[Span]:
    """IPv4 and IPv6 addresses that are routed on the internet, and so may be somebody's.

    Private, loopback, multicast, documentation and other reserved addresses are left out, and
    so is the host of a web address: it is a server's.
    """
    for match in (*_IPV4.finditer(text), *_IPV6.finditer(text)):
        if text[: match.start()].endswith("//") or _SERVER_PART.match(text, match.end()):
            continue
        with suppress(ValueError):
            address = ipaddress.ip_address(match.group())
            if address.is_global and not address.is_multicast:
                yield match.span()


def find_streets(text: str, words: StreetWords) -> Iterator[Span]:
    """Street addresses: a house number, one to four words, a street's ending.

    What keeps "100 ways to drive" and "2004 mustang drive belt" out: the words between hold no
    stop word and are not all numbers, and what follows is nothing, a unit, a direction, a
    number, a state, or a word that a dictionary doesn't write in lower case. A number that
    looks like a year needs a state or a ZIP code afterwards.
    """
    tokens = [(m.start(), m.end(), m.group().lower()) for m in _WORD.finditer(text)]
    place = 0
    while place < len(tokens):
        last = _street_end(tokens, place, words) if tokens[place][2][:1].isdecimal() else 0
        if last:
            yield tokens[place][0], tokens[last][1]
        place = max(place, last) + 1


def _street_end(tokens: list[tuple[int, int, str]], first: int, words: StreetWords) -> int:
    """The token with which the address that begins at `first` ends, or 0."""
    number = tokens[first][2]
    if not re.fullmatch(r"[1-9][0-9]{0,5}[a-z]?", number):
        return 0
    for last in range(first + 2, min(first + 6, len(tokens))):
        between = [word for _, _, word in tokens[first + 1 : last]]
        if any(word in words.stop for word in between):
            return 0
        if tokens[last][2] not in STREET_SUFFIXES or not any(
            word[0].isalpha() or re.fullmatch(r"[0-9]+(?:st|nd|rd|th)", word) for word in between
        ):
            continue
        if all(word in _DIRECTIONS for word in between):
            continue
        if last + 1 < len(tokens) and tokens[last + 1][2] in STREET_SUFFIXES:
            continue
        after = [word for _, _, word in tokens[last + 1 : last + 6]]
        located = _has_state_or_zip(after, words)
        if after and not located and after[0] in words.plain:
            known = after[0] in _UNITS or after[0] in _DIRECTIONS or after[0] in words.states
            if not known and not after[0][0].isdecimal():
                return 0
        if re.fullmatch(r"(?:19|20)[0-9]{2}", number) and not located:
            return 0
        return last
    return 0


def _has_state_or_zip(after: list[str], words: StreetWords) -> bool:
    """Whether a state or a ZIP code stands among the words that follow."""
    return any(
        word in words.states or (len(word) == 5 and word.isdecimal())
        for word in (*after, *map(" ".join, itertools.pairwise(after)))
    )
