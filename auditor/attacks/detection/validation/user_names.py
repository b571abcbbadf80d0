"""Finds user names and account numbers: what a query calls one, and handles made from a name.

A handle that nobody calls one ("jdoe77") can't be told from a product's number by its shape, so it
counts only where its letters are a first name or an initial and a last name of the lists, neither a
brand, a place nor a word that a dictionary writes in lower case, and where it is the whole query or
stands beside words that are asked of people.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from auditor.attacks.detection.identifiers import Span
from auditor.log import gazetteers

CALLED_CHANCE, ALONE_CHANCE = 0.85, 0.6
"""How sure a user name is: with a word beside it that says so, by the names in it."""

_SITE = (
    r"(?:aim|aol|msn|yahoo|icq|skype|myspace|xanga|livejournal|ebay|twitter|instagram|tiktok|"
    r"snapchat|reddit|github|discord|gamertag)"
)
_WORD = (
    r"(?:user ?(?:name|id)|screen ?name|log ?in(?: name| id)?|gamertag|"
    r"nick ?name|handle|profile|sn|alias)"
)
_HANDLE = r"[a-z][a-z0-9._-]{2,30}[a-z0-9_]"
_CALLED = re.compile(
    rf"(?<![0-9a-z._@-])(?:{_SITE} {_WORD}|{_SITE}|{_WORD})(?: is)?[ :#=]{{1,3}}({_HANDLE})"
    r"(?![0-9a-z@._-])"
)
_SAID_AFTER = re.compile(
    rf"(?<![0-9a-z@._-])({_HANDLE}) (?:on |at )?(?:{_SITE}|{_WORD})(?![0-9a-z@._-])"
)
_ACCOUNT = re.compile(
    r"(?<![0-9a-z])(?:(?:user|member|customer|client|account|acct|policy|patient|student|employee|"
    r"passport|licen[cs]e|medicare|medicaid)(?: ?(?:id|number|no|num|nr))?|"
    r"(?:order|tracking|case|docket|invoice|confirmation|claim|booking|reservation|receipt|ticket)"
    r" ?(?:id|number|no|num|nr|#)|kundennummer|kontonummer|mitgliedsnummer|bestellnummer|"
    r"sendungsnummer|aktenzeichen)(?:[ :#.=]{1,3}|(?<=#))"
    r"([a-z]{0,2}[0-9][0-9-]{4,22}[0-9])(?![0-9a-z-])"
)
_ORDER = re.compile(
    r"(?<![0-9a-z-])(?:[0-9]{3}-[0-9]{7}-[0-9]{7}|[0-9]:[0-9]{2}-(?:cv|cr|bk|mc|mj|po)-[0-9]{4,6})"
    r"(?![0-9a-z-])"
)
"""Numbers of orders and dockets that have a shape of their own."""
_PARCEL = re.compile(r"(?<![0-9a-z])1z([0-9a-z]{15})([0-9])(?![0-9a-z])")
_PROFILE = re.compile(
    r"(?<![0-9a-z.-])(?:www\.|m\.)?(?:facebook|instagram|twitter|x|tiktok|myspace|pinterest|snapchat|"
    r"github|linkedin|reddit|youtube|telegram|flickr|vk|soundcloud|patreon|onlyfans|venmo|t)"
    r"\.(?:com|me|tv|org)/(?:in/|u/|user/|users/|people/|profile/|add/|@)?"
    r"([a-z0-9][a-z0-9._-]{2,40}[a-z0-9_])(?![a-z0-9./_-])"
)
_PAGES = (
    "login help search pages groups marketplace home about watch explore hashtag settings events "
    "games gaming privacy policies jobs company learning signup register photo photos video videos "
    "channel download ads business stories reels news messages notifications premium support"
)
"""What stands in the place of a profile and is none."""
_MENTION = re.compile(r"(?<![0-9a-z._@/-])@([a-z0-9_][a-z0-9_.]{2,29})(?![0-9a-z@_-])")
_SHAPE = re.compile(
    r"(?<![0-9a-z@._/#&+'-])([a-z]{3,20})(?:[._-]?([a-z]{1,20}))?[._-]?([0-9]{1,4})"
    r"(?![0-9a-z@._/#&+'-])"
)
_ASKED = re.compile(
    r"\b(?:who is|profile|photos?|pics?|pictures?|blog|journal|home ?page|email|e-mail|address|"
    r"phone|myspace|facebook|my ?page)\b"
)
_LEAST_FIRST, _LEAST_LAST, _SHORT_LAST = 0.01, 0.004, 0.005
"""Shares of people, in per cent, who bear a name that makes a handle."""
_CITY = 100_000
"""Inhabitants of a city that is meant rather than a person of that name."""


def find_user_names(text: str) -> Iterator[tuple[int, int, float]]:
    """(start, stop, chance) of user names and account numbers in a folded query; O(len(text))."""
    folded = text.lower()
    for match in _ACCOUNT.finditer(folded):
        if sum(letter.isdecimal() for letter in match[1]) >= 5:
            yield *match.span(1), CALLED_CHANCE
    for match in _ORDER.finditer(folded):
        yield *match.span(), CALLED_CHANCE
    for match in _PARCEL.finditer(folded):
        if _is_parcel(match[1], match[2]):
            yield *match.span(), CALLED_CHANCE
    for match in _PROFILE.finditer(folded):
        if match[1] not in _PAGES.split():
            yield *match.span(1), CALLED_CHANCE
    for match in _MENTION.finditer(folded):
        if not match[1].replace(".", "").isdecimal():
            yield *match.span(), CALLED_CHANCE if re.search(_SITE, folded) else ALONE_CHANCE
    for pattern in (_CALLED, _SAID_AFTER):
        for match in pattern.finditer(folded):
            if _is_mixed(match[1]):
                yield *match.span(1), CALLED_CHANCE
    for start, stop in _find_alone(folded):
        yield start, stop, ALONE_CHANCE


def _is_parcel(number: str, check: str) -> bool:
    """Whether the check digit of a parcel of UPS is right."""
    values = (int(sign) if sign.isdecimal() else (ord(sign) - 95) % 10 for sign in number)
    return -sum(value * (1 + place % 2) for place, value in enumerate(values)) % 10 == int(check)


def _is_mixed(handle: str) -> bool:
    """Whether it has letters as a name has, and a digit or an underscore as no word has."""
    letters = sum(letter.isalpha() for letter in handle)
    return letters >= 4 and any(one.isdecimal() or one == "_" for one in handle)


def _find_alone(text: str) -> Iterator[Span]:
    whole = text.strip()
    for match in _SHAPE.finditer(text):
        if match.group() != whole and not _ASKED.search(text):
            continue
        first, second, digits = match.groups()
        if _is_pair(first, second, digits) if second else is_name_like(first, digits):
            yield match.span()


@functools.cache
def _neutral_names() -> frozenset[str]:
    """Brands, companies, states, and cities of a first name that are better known as cities."""
    first = gazetteers.first_names()
    cities = {name for (name, _), city in gazetteers.city_table().items()
              if name in first and city.population >= _CITY}  # fmt: skip
    names = gazetteers.load_brands() | gazetteers.company_names()
    return names | gazetteers.state_abbreviations().keys() | cities


def is_name_like(letters: str, digits: str) -> bool:
    """Whether letters before digits are a first name, an initial and a last name, or both names.

    A last year says when something happened ("katrina2005") and not who; one of the twentieth
    century may be that of a birth.
    """
    first, last = gazetteers.first_names(), gazetteers.last_names()
    if letters in _neutral_names() or re.fullmatch("20[0-9]{2}", digits):
        return False
    if first.get(letters, 0.0) >= _LEAST_FIRST and len(letters) >= 4:
        return len(digits) > 1
    if letters in gazetteers.dictionary_words():
        return False
    tail = letters[1:]
    if len(tail) >= 3 and last.get(tail, 0.0) >= _LEAST_LAST and len(digits) > 1:
        return len(tail) >= 5 or last[tail] >= _SHORT_LAST
    return any(
        first.get(letters[:at], 0.0) >= _LEAST_FIRST and last.get(letters[at:], 0.0) >= _LEAST_LAST
        for at in range(3, len(letters) - 2)
    )


def _is_pair(first: str, second: str, digits: str) -> bool:
    """Whether two parts with a sign between them are names: "john.smith7", "dave_k99"."""
    bearers = gazetteers.first_names().get(first, 0.0)
    if first in _neutral_names() or bearers < _LEAST_FIRST or re.fullmatch("20[0-9]{2}", digits):
        return False
    return len(second) == 1 or gazetteers.last_names().get(second, 0.0) >= _LEAST_LAST
