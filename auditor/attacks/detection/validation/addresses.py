"""Street addresses as they are written in the US, Britain, Germany, France, Spain, Italy and the
Netherlands, numbered streets among them, and positions in degrees. O(len(text)) each."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.attacks.detection.identifiers import Span, StreetWords, find_valid
from auditor.attacks.detection.identifiers import find_streets as find_us_streets

_NUMBER = r"[1-9][0-9]{0,3}[a-z]?"
_NAME = r"[a-z][a-z'-]+"
_GERMAN = re.compile(
    rf"(?<![0-9a-z])(?:{_NAME}(?:strass?e|str|weg|platz|allee|gasse|ufer|ring|damm|chaussee)"
    rf"|(?:{_NAME} ){{1,2}}(?:strass?e|str|weg|platz|allee|gasse|ufer|damm))\.? {_NUMBER}"
    r"(?![0-9a-z])"
)
_DUTCH = re.compile(
    rf"(?<![0-9a-z]){_NAME}(?:straat|laan|plein|gracht|kade|singel|dijk|weg) {_NUMBER}"
    r"(?![0-9a-z])"
)
_FRENCH = re.compile(
    r"(?<![0-9a-z])[1-9][0-9]{0,3}(?: ?(?:bis|ter))?,? (?:rue|boulevard|bd|avenue|av|chemin|"
    rf"impasse|quai|allee|cours|place|route) (?:{_NAME}(?: |$)){{1,5}}"
)
_SPANISH = re.compile(
    rf"(?<![0-9a-z])(?:calle|avenida|avda|plaza|paseo|carrer|camino|ronda) (?:{_NAME} ){{1,4}}"
    rf"(?:n|no|num|numero)?\.? ?,?{_NUMBER}(?![0-9a-z])"
)
_ITALIAN = re.compile(
    rf"(?<![0-9a-z])(?:via|viale|piazza|corso|vicolo|largo) (?:{_NAME},? ){{1,4}}{_NUMBER}"
    r"(?![0-9a-z])"
)
_ORDINAL = re.compile(
    r"(?<![0-9a-z])([1-9][0-9]{0,5}) (?:(?:n|s|e|w|ne|nw|se|sw|north|south|east|west) )?"
    r"([1-9][0-9]{0,2}(?:st|nd|rd|th)) (?:st|street|ave|avenue|rd|road|pl|place|ct|court|dr|drive|"
    r"ln|lane|terrace|ter|blvd|way)(?: (?:n|s|e|w|ne|nw|se|sw|north|south|east|west))?(?![0-9a-z])"
)
_ROUTE = re.compile(
    r"(?<![0-9a-z])(?:rr|rural route|p ?o ?box|po box|post office box|postfach|boite postale|"
    r"apartado(?: de correos)?|postbus) ?#? ?[1-9][0-9]{0,5}(?: box [0-9]{1,5})?(?![0-9a-z])"
)
_DEGREES = re.compile(
    r"(?<![0-9a-z.])([+-]?[0-9]{1,2}\.[0-9]{3,8})°? ?([ns])?[ ,;/]{1,3}"
    r"([+-]?[0-9]{1,3}\.[0-9]{3,8})°? ?([ew])?(?![0-9a-z.])"
)
_ANGLE = (
    r" ?(?:degrees?|deg) ([0-9]{1,2}) ?(?:minutes?|min)?(?: (?:[0-9]{1,2}(?:\.[0-9]+)?) ?"
    r"(?:seconds?|sec))?"
)
_ANGLES = re.compile(
    rf"(?<![0-9a-z.])[0-9]{{1,2}}{_ANGLE} (?:n|s|north|south),? (?:and )?"
    rf"[0-9]{{1,3}}{_ANGLE} (?:e|w|east|west)(?![0-9a-z])"
)
"""A position in words, to the minute."""
_PLATES = (
    re.compile(r"(?<![0-9a-z])[a-hj-pr-y][a-y][0-9]{2} ?[a-hj-pr-z]{3}(?![0-9a-z])"),  # GB
    re.compile(r"(?<![0-9a-z])[a-z]{1,3}-[a-z]{1,2} ?[1-9][0-9]{0,3}[eh]?(?![0-9a-z])"),  # DE
    re.compile(r"(?<![0-9a-z])[a-hj-np-tv-z]{2}-[0-9]{3}-[a-hj-np-tv-z]{2}(?![0-9a-z])"),  # FR, IT
    re.compile(r"(?<![0-9a-z])[0-9]{4}[ -]?[b-df-hj-np-tv-z]{3}(?![0-9a-z])"),  # ES
    re.compile(
        r"(?<![0-9a-z])(?:[0-9]{1,3}[a-z]{2,3}[0-9]{2,4}|[a-z]{3}[ -]?[0-9]{3,4})(?![0-9a-z])"
    ),
)
_PLATE_WORDS = re.compile(
    r"\b(?:license|licence|number|registration|vehicle|car) plates?\b|\bvehicle registration\b"
    r"|\bdvla\b|\bkennzeichen\b|\bmatricula\b|\btarga\b|\bimmatriculation\b|\bkenteken\b"
)


def find_streets(text: str, words: StreetWords) -> Iterator[Span]:
    """House number and street, or a post box, in any of the written forms."""
    yield from find_us_streets(text, words)
    low = text.lower()
    for pattern in (_ORDINAL, _ROUTE, _GERMAN, _DUTCH, _SPANISH, _ITALIAN):
        yield from find_valid(pattern, low)
    for match in _FRENCH.finditer(low):
        yield match.start(), match.start() + len(match.group().rstrip())


def find_coordinates(text: str) -> Iterator[Span]:
    """Latitude and longitude in degrees with three decimals or more: within 100 metres."""
    for match in _DEGREES.finditer(text.lower()):
        if abs(float(match[1])) <= 90.0 and abs(float(match[3])) <= 180.0:
            yield match.span()
    yield from find_valid(_ANGLES, text.lower())


_VIN = re.compile(r"(?<![0-9A-Za-z])[A-HJ-NPR-Z0-9]{17}(?![0-9A-Za-z])", re.IGNORECASE)
_VIN_VALUES = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", map(int, "12345678123457923456789"), strict=True))
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def find_vehicles(text: str) -> Iterator[Span]:
    """Vehicle identification numbers with the right check digit (49 CFR 565)."""
    return find_valid(_VIN, text, lambda number: _is_vehicle(number.upper()))


def _is_vehicle(number: str) -> bool:
    values = [_VIN_VALUES.get(sign) or int(sign) for sign in number]
    check = sum(weight * value for weight, value in zip(_VIN_WEIGHTS, values, strict=True)) % 11
    return number[8] == ("X" if check == 10 else str(check)) and not number.isalpha()


def find_plates(text: str) -> Iterator[Span]:
    """Licence plates of Britain, Germany, France, Italy, Spain and the US, where the text says
    that it is one: their shapes are those of many part numbers."""
    low = text.lower()
    if _PLATE_WORDS.search(low):
        for pattern in _PLATES:
            yield from find_valid(pattern, low)
