"""Finds personal identifiers in queries, each validated by the rules of whoever issues it.

How they are written, and in which order they are looked for, stands in
``resources/detection/identifiers.toml``; this module holds the validators that no library has, and
finds what no pattern can: e-mail addresses, bank accounts, telephone numbers, streets and handles.
A long number alone is never reported. Text must be folded first
(`auditor.attacks.detection.normalization`): one ASCII character for each character of the query.

Every pattern has bounded repeats and a fixed left edge, so the cost is linear in the length of
the text whatever it holds. Only queries whose digits and signs make an identifier possible are
searched.

Source: patterns with validation are beyond the published attacks; the rules are those of ICANN's
public suffix list, ITU-T E.164 through libphonenumber, the US Social Security Administration,
ISO/IEC 7812, the USPS street suffixes, 49 CFR 565, and of national numbers by `python-stdnum`.
"""

import functools
import ipaddress
import itertools
import pkgutil
import re
import string
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import numpy as np
import stdnum.iban
import stdnum.us.ssn
from stdnum import luhn

from auditor.arrays import Int64s, UInt8s
from auditor.attacks.detection import rules
from auditor.attacks.detection.kinds import EntityKind
from auditor.log import gazetteers
from auditor.resource_files import resource_text

Span = tuple[int, int]


@dataclass(frozen=True)
class StreetWords:
    """What a street address needs to know of words; everything lower case."""

    plain: Collection[str] = frozenset()
    """Words that the dictionary writes in lower case."""
    stop: Collection[str] = frozenset()
    states: Collection[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class IdentifierShape:
    """One way in which an identifier is written, see ``identifiers.toml``."""

    kind: EntityKind
    rule: str
    chance: float
    hints: int
    finder: str = ""
    pattern: re.Pattern[str] = re.compile("")
    check: Callable[[str], object] = bool
    holds: re.Pattern[str] = re.compile("")
    country: str = ""
    beside: re.Pattern[str] | None = None

    def find(self, text: str, low: str) -> Iterator[Span]:
        """Where a text, and the same in lower case, has something valid of this shape."""
        group: int | str = "id" if "id" in self.pattern.groupindex else 0
        for match in self.pattern.finditer(low):
            start, stop = match.span(group)
            if self.holds.search(low[start:stop]) and self.check(text[start:stop]):
                yield start, stop


@functools.cache
def load_declarations() -> dict[str, Any]:
    """What ``identifiers.toml`` says."""
    return tomllib.loads(resource_text("detection/identifiers.toml"))


def combine_hints(names: str) -> int:
    """The bits of hints, by their names in `rules`."""
    return sum(getattr(rules, name) for name in names.split())


@functools.cache
def _load_shapes() -> tuple[IdentifierShape, ...]:
    """All shapes, those with the stricter checks first."""
    parts = load_declarations()["parts"]

    def compile_pattern(text: str) -> re.Pattern[str]:
        return re.compile(re.sub("(?<!P)<([a-z]+)>", lambda part: f"(?:{parts[part[1]]})", text))

    readers: dict[str, Callable[[Any], Any]] = {
        "kind": lambda name: EntityKind[name],
        "hints": combine_hints,
        "chance": float,
        "pattern": compile_pattern,
        "holds": compile_pattern,
        "check": pkgutil.resolve_name,
        "beside": lambda words: compile_pattern(rf"\b(?:{words})\b"),
    }
    shapes = []
    for rule in load_declarations()["rule"]:
        for shape in rule["shape"]:
            declared = {"rule": rule["name"], **rule, **shape}
            names = [field.name for field in fields(IdentifierShape) if field.name in declared]
            values = {name: readers.get(name, str)(declared[name]) for name in names}
            shapes.append(IdentifierShape(**values))
    return tuple(shapes)


class IdentifierSearch:
    """Finds identifiers of the wanted kinds in one folded query after another."""

    def __init__(
        self, kinds: frozenset[EntityKind], countries: tuple[str, ...], words: StreetWords
    ) -> None:
        self._shapes = [shape for shape in _load_shapes() if shape.kind in kinds]
        self._countries = countries
        self._finders: dict[str, Callable[[str], Iterable[Span]]] = {
            "e-mail": find_emails,
            "IBAN": find_ibans,
            "phone": partial(find_phones, countries=countries),
            "street": partial(find_streets, words=words),
            "handle": find_handles,
        }

    def find_in_block(
        self, data: UInt8s, offsets: Int64s, hints: UInt8s, check: Callable[[], object]
    ) -> Iterator[tuple[int, int, int, EntityKind, str, float]]:
        """Number of the query, then as `find`, of those queries of a block that hold some hint.

        `check` is called again and again and may raise to end it.
        """
        for number, index in enumerate(np.flatnonzero(hints).tolist()):
            if number % 100 == 0:
                check()
            text = data[offsets[index] : offsets[index + 1]].tobytes().decode("latin-1")
            for match in self.find(text, int(hints[index])):
                yield index, *match

    def find(self, text: str, hints: int) -> list[tuple[int, int, EntityKind, str, float]]:
        """(start, stop, kind, rule, chance) of each identifier, by position."""
        if text.count(".") >= 3:
            hints |= rules.COLONS
        matches, covered, low = [], bytearray(len(text)), text.lower()
        for shape in self._shapes:
            if not hints & shape.hints:
                continue
            has_cue = shape.beside is None or shape.beside.search(low)
            if not has_cue and shape.country not in self._countries:
                continue
            find = self._finders.get(shape.finder)
            for start, stop in find(low) if find else shape.find(text, low):
                if covered.find(1, start, stop) < 0:
                    covered[start:stop] = b"\x01" * (stop - start)
                    matches.append((start, stop, shape.kind, shape.rule, shape.chance))
        return sorted(matches)


# --- validators -------------------------------------------------------------------------------


def is_ssn(number: str) -> bool:
    """Whether nine digits can be a US social security number that was given to somebody."""
    digits = re.sub("[- .]", "", number)
    nobodys = load_declarations()["numbers"]["nobodys_ssn"]
    return stdnum.us.ssn.is_valid(digits) and digits not in nobodys


def is_card(number: str) -> bool:
    """Whether digits are a payment card's: a known issuer, its length, a right check digit."""
    digits = re.sub("[ -]", "", number)
    return luhn.is_valid(digits) and any(
        len(digits) in lengths and low <= digits[: len(low)] <= high
        for low, high, lengths in load_declarations()["numbers"]["issuers"]
    )


def is_nino(number: str) -> bool:
    """Whether a string can be a British national insurance number: it has no check digit."""
    compact = number.replace(" ", "")
    letters = r"(?!bg|gb|kn|nk|nt|tn|zz)[a-ceghj-pr-tw-z][a-ceghj-npr-tw-z]"
    return bool(re.fullmatch(letters + "[0-9]{6}[a-d]", compact, re.IGNORECASE))


def is_routed(address: str) -> bool:
    """Whether an IP address is routed on the internet, and so may be somebody's."""
    with suppress(ValueError):
        parsed = ipaddress.ip_address(address)
        return parsed.is_global and not parsed.is_multicast
    return False


def is_on_earth(position: str) -> bool:
    """Whether degrees are a latitude and a longitude."""
    north, east = map(float, re.findall(r"[0-9]+\.[0-9]+", position))
    return north <= 90.0 and east <= 180.0


_VIN_VALUES = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", map(int, "12345678123457923456789"), strict=True))
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def is_vehicle(number: str) -> bool:
    """Whether the check digit of a vehicle identification number is right (49 CFR 565)."""
    values = [_VIN_VALUES.get(sign) or int(sign) for sign in number.upper()]
    check = sum(weight * value for weight, value in zip(_VIN_WEIGHTS, values, strict=True)) % 11
    return number[8].upper() == "0123456789X"[check] and not number.isalpha()


def is_parcel(number: str) -> bool:
    """Whether the check digit of a parcel of UPS is right."""
    signs = number.lower()[2:]
    values = [int(sign) if sign.isdecimal() else (ord(sign) - 95) % 10 for sign in signs]
    weighted = sum(value * (1 + place % 2) for place, value in enumerate(values[:-1]))
    return -weighted % 10 == values[-1]


# --- e-mail addresses, bank accounts, telephone numbers ---------------------------------------

_MAX_LOCAL, _MAX_DOMAIN = 64, 253
_HOST = frozenset(f"{string.ascii_letters}{string.digits}.-")
_LOCAL = _HOST | frozenset("_%+")
_LABEL = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?")


def find_emails(text: str) -> Iterator[Span]:
    """E-mail addresses whose domain stands under a public suffix; O(len(text)), never on-line."""
    sign = text.find("@")
    while sign >= 0:
        start = sign
        while start > 0 and sign - start <= _MAX_LOCAL and text[start - 1] in _LOCAL:
            start -= 1
        stop = sign + 1
        end = min(len(text), sign + 2 + _MAX_DOMAIN)
        while stop < end and text[stop] in _HOST:
            stop += 1
        host = text[sign + 1 : stop].rstrip(".-")
        local = text[start:sign].lstrip(".-%+")  # less what punctuates the text before
        is_local = 0 < len(local) <= _MAX_LOCAL and not local.endswith(".") and ".." not in local
        if is_local and _is_host(host):
            yield sign - len(local), sign + 1 + len(host)
        sign = text.find("@", sign + 1)


def _is_host(host: str) -> bool:
    labels = host.split(".")
    if len(labels) < 2 or len(host) > _MAX_DOMAIN or labels[-1].isdecimal():
        return False
    if not all(_LABEL.fullmatch(label) for label in labels):
        return False
    parts = _load_suffixes()(host.lower())
    return bool(parts.domain and parts.suffix)


@functools.cache
def _load_suffixes() -> Any:
    import tldextract

    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)


_IBAN = re.compile(
    r"(?<![0-9a-z])(?<![0-9][.-])[a-z]{2}[0-9]{2}(?: ?[0-9a-z]{4}){2,7}(?: ?[0-9a-z]{1,3})?"
    r"(?![0-9a-z]|[.-][0-9])"
)


def find_ibans(text: str) -> Iterator[Span]:
    """International bank account numbers, in one piece or in groups of four."""
    for match in _IBAN.finditer(text):
        groups = match.group()
        while groups:
            if stdnum.iban.is_valid(groups.upper(), check_country=True):
                yield match.start(), match.start() + len(groups)
                break
            groups = groups.rpartition(" ")[0]


_US_PHONE = re.compile(
    r"(?<![0-9a-z])(?<![0-9][.-])(?:\+?1[ .-]?)?(?:\([0-9]{3}\)[ .-]?|[0-9]{3}[ ./-]?)"
    r"[0-9]{3}[ .-]?[0-9]{4}(?![0-9a-z]|[.-][0-9])"
)
_WORLD_PHONE = re.compile(r"(?<![0-9a-z+])\+[1-9](?:[ .()-]{0,2}[0-9]){6,14}(?![0-9a-z])")
_NATIONAL_PHONE = re.compile(r"(?<![0-9a-z+])\(?0[1-9](?:[ .()/-]{0,2}[0-9]){6,12}(?![0-9a-z])")
_SPANISH_PHONE = re.compile(r"(?<![0-9a-z+])[6-9](?:[ .-]?[0-9]){8}(?![0-9a-z])")
_PHONE_WORD = re.compile(
    r"\b(?:tel|phone|telefon|telefonnummer|handy|handynummer|mobile|mobil|call|fax|telephone|"
    r"telefono|telefoon|portable|movil|cell)\b"
)
_OTHER_NUMBER = re.compile(
    r"\b(?:part|model|serial|item|isbn|upc|sku|order|invoice|tracking|patent|case|fedex|ups)"
    r"(?: number| no| num)?[ :#.]*$"
)
_EUROPE = ("GB", "DE", "FR", "IT", "NL", "AT", "CH", "BE", "IE", "AU")


def find_phones(text: str, countries: tuple[str, ...]) -> Iterator[Span]:
    """Valid phone numbers of a person.

    Those of the first country as written there, of any with a +, and of Europe's countries where
    asked for or where the text says that it is one. A number without its area code isn't valid by
    itself; freephone, premium-rate and shared-cost numbers are left out: a business has those.
    """
    import phonenumbers

    types = phonenumbers.PhoneNumberType
    nobodys = {types.TOLL_FREE, types.PREMIUM_RATE, types.SHARED_COST, types.UAN, types.VOICEMAIL}
    home, stop = countries[0] if countries else "US", 0
    matches = [*_WORLD_PHONE.finditer(text), *_US_PHONE.finditer(text)]
    for match in sorted(matches, key=lambda match: (match.start(), -match.end())):
        number = _parse_phone(match.group(), home) if match.start() >= stop else None
        if number is not None and phonenumbers.number_type(number) not in nobodys:
            stop = match.end()
            if not _OTHER_NUMBER.search(text[: match.start()]):
                yield match.span()
    has_cue = _PHONE_WORD.search(text) is not None
    for pattern, regions in ((_NATIONAL_PHONE, _EUROPE), (_SPANISH_PHONE, ("ES",))):
        served = [region for region in regions if has_cue or region in countries]
        for match in pattern.finditer(text) if served else ():
            if any(_parse_phone(match.group(), region) is not None for region in served):
                yield match.span()


def _parse_phone(text: str, region: str) -> Any:
    """The telephone number that a text is in a region; None if it is none."""
    import phonenumbers

    with suppress(phonenumbers.NumberParseException):
        number = phonenumbers.parse(text, region)
        if phonenumbers.is_valid_number(number):
            return number
    return None


# --- streets ----------------------------------------------------------------------------------

_WORD = re.compile(r"[0-9a-z]+(?:'[0-9a-z]+)?")


def find_streets(text: str, words: StreetWords) -> Iterator[Span]:
    """US street addresses: a house number, one to four words, a street's ending.

    What keeps "100 ways to drive" and "2004 mustang drive belt" out: the words between hold no
    stop word and are not all numbers, and what follows is nothing, a unit, a direction, a
    number, a state, or a word that a dictionary doesn't write in lower case. A number that
    looks like a year needs a state or a ZIP code afterwards.
    """
    tokens = list(_WORD.finditer(text))
    place = 0
    while place < len(tokens):
        last = 0
        if tokens[place].group()[0].isdecimal():
            last = _street_end([token.group() for token in tokens[place : place + 11]], words)
        if last:
            yield tokens[place].start(), tokens[place + last].end()
        place += last + 1


def _street_end(tokens: list[str], words: StreetWords) -> int:
    """The token with which the address that begins with the first one ends, or 0."""
    number = tokens[0]
    if not re.fullmatch(r"[1-9][0-9]{0,5}[a-z]?", number):
        return 0
    suffixes = gazetteers.role_words()["street-ending"]
    declared = load_declarations()["street"]
    directions, units = declared["directions"].split(), declared["units"].split()
    for last in range(2, min(6, len(tokens))):
        between, after = tokens[1:last], tokens[last + 1 : last + 6]
        if any(word in words.stop for word in between):
            return 0
        if tokens[last] not in suffixes or not any(
            word[0].isalpha() or re.fullmatch(r"[0-9]+(?:st|nd|rd|th)", word) for word in between
        ):
            continue
        if all(word in directions for word in between) or (after and after[0] in suffixes):
            continue
        located = any(
            word in words.states or (len(word) == 5 and word.isdecimal())
            for word in (*after, *map(" ".join, itertools.pairwise(after)))
        )
        if after and not located and after[0] in words.plain:
            allowed = after[0] in units or after[0] in directions or after[0] in words.states
            if not allowed and not after[0][0].isdecimal():
                return 0
        return 0 if re.fullmatch(r"(?:19|20)[0-9]{2}", number) and not located else last
    return 0


# --- handles ----------------------------------------------------------------------------------

_HANDLE = re.compile(
    r"(?<![0-9a-z@._/#&+'-])([a-z]{3,20})(?:[._-]?([a-z]{1,20}))?[._-]?([0-9]{1,4})"
    r"(?![0-9a-z@._/#&+'-])"
)
_PERSON_CUE = re.compile(
    r"\b(?:who is|profile|photos?|pics?|pictures?|blog|journal|home ?page|email|e-mail|address|"
    r"phone|myspace|facebook|my ?page)\b"
)
_LEAST_FIRST, _LEAST_LAST, _SHORT_LAST = 0.01, 0.004, 0.005
"""Shares of people, in per cent, who bear a name that makes a handle."""
_CITY = 100_000
"""Inhabitants of a city that is meant rather than a person of that name."""


def find_handles(text: str) -> Iterator[Span]:
    """Handles that nobody calls one ("jdoe77"): a product's number may look the same.

    So the letters must be a first name, or an initial and a last name, of the lists, neither a
    brand, a place nor a word that a dictionary writes in lower case, and the handle must be the
    whole query or stand beside words that are asked of people. A last year says when something
    happened ("katrina2005") and not who; one of the twentieth century may be that of a birth.
    """
    matches, query = list(_HANDLE.finditer(text)), text.strip()
    cued = bool(matches) and _PERSON_CUE.search(text) is not None
    for match in matches:
        if cued or match.group() == query:
            first, second, digits = match.groups()
            dated = re.fullmatch("20[0-9]{2}", digits) is not None
            if not dated and first not in _neutral_names() and _is_name(first, second, digits):
                yield match.span()


@functools.cache
def _neutral_names() -> frozenset[str]:
    """Brands, companies, states, and cities of a first name that are better known as cities."""
    first = gazetteers.first_names()
    cities = {name for (name, _), city in gazetteers.city_table().items()
              if name in first and city.population >= _CITY}  # fmt: skip
    names = gazetteers.load_brands() | gazetteers.company_names()
    return names | gazetteers.state_abbreviations().keys() | cities


def _is_name(letters: str, second: str | None, digits: str) -> bool:
    """Whether letters before digits are a first name, an initial and a last name, or both names.

    Two parts with a sign between them are a first name, and a last one or its initial:
    "john.smith7", "dave_k99".
    """
    first, last = gazetteers.first_names(), gazetteers.last_names()
    borne = first.get(letters, 0.0) >= _LEAST_FIRST
    if second:
        return borne and (len(second) == 1 or last.get(second, 0.0) >= _LEAST_LAST)
    if borne and len(letters) >= 4:
        return len(digits) > 1
    if letters in gazetteers.dictionary_words():
        return False
    tail = letters[1:]
    if len(tail) >= 3 and last.get(tail, 0.0) >= _LEAST_LAST and len(digits) > 1:
        return len(tail) >= 5 or last[tail] >= _SHORT_LAST
    return any(
        first.get(letters[:i], 0.0) >= _LEAST_FIRST and last.get(letters[i:], 0.0) >= _LEAST_LAST
        for i in range(3, len(letters) - 2)
    )
