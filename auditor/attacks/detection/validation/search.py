"""Runs the validators of identifiers on the few queries whose digits and signs make one possible.

Where two would overlap, the one with the stricter check stands, in the order of `_iterate_finders`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

from auditor.arrays import Int64s, UInt8s
from auditor.attacks.detection import identifiers
from auditor.attacks.detection import rules as bits
from auditor.attacks.detection.identifiers import Span, StreetWords
from auditor.attacks.detection.kinds import EntityKind
from auditor.attacks.detection.validation import addresses, user_names

SURE, LIKELY = 0.97, 0.8
"""Chance that a mark is right: with a check digit or a registry behind it, by its shape alone."""

_PHONE_WORD = re.compile(
    r"\b(?:tel|phone|telefon|telefonnummer|handy|handynummer|mobile|mobil|call|fax|telephone|"
    r"telefono|telefoon|portable|movil|cell)\b"
)
_OTHER_NUMBER = re.compile(
    r"\b(?:part|model|serial|item|isbn|upc|sku|order|invoice|tracking|patent|case|fedex|ups)"
    r"(?: number| no| num)?[ :#.]*$"
)
_NATIONAL_PHONE = re.compile(
    r"(?<![0-9A-Za-z+])\(?0[1-9](?:[ .()/-]{0,2}[0-9]){6,12}(?![0-9A-Za-z])"
)
_SPANISH_PHONE = re.compile(r"(?<![0-9A-Za-z+])[6-9](?:[ .-]?[0-9]){8}(?![0-9A-Za-z])")
_EUROPE = ("GB", "DE", "FR", "IT", "NL", "ES", "AT", "CH", "BE", "IE", "AU")


class IdentifierSearch:
    """Finds identifiers of the wanted kinds in one folded query after another."""

    def __init__(
        self, kinds: frozenset[EntityKind], countries: tuple[str, ...], words: StreetWords
    ) -> None:
        self._kinds, self._countries, self._words = kinds, countries, words
        self._suffix = identifiers.public_suffix() if EntityKind.EMAIL in kinds else None

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
            for found in self.find(text, int(hints[index])):
                yield index, *found

    def find(self, text: str, hints: int) -> list[tuple[int, int, EntityKind, str, float]]:
        """(start, stop, kind, rule, chance) of each identifier, by position."""
        found: list[tuple[int, int, EntityKind, str, float]] = []
        taken = bytearray(len(text))
        for kind, rule, chance, spans in self._iterate_finders(text, hints):
            for start, stop, *own in spans:
                if taken.find(1, start, stop) < 0:
                    taken[start:stop] = b"\x01" * (stop - start)
                    found.append((start, stop, kind, rule, own[0] if own else chance))
        return sorted(found)

    def _iterate_finders(
        self, text: str, hints: int
    ) -> Iterator[tuple[EntityKind, str, float, Iterable[tuple[Any, ...]]]]:
        """Kind, rule, chance and spans, which may have chances of their own."""
        from auditor.attacks.detection.validation import national_numbers as national

        if text.count(".") >= 3:
            hints |= bits.COLONS
        digits, names = bits.NUMBERS | bits.LETTERED, bits.AT | bits.HANDLE | bits.NUMBERS
        for hint, kind, rule, chance, find in (
            (bits.AT, EntityKind.EMAIL, "e-mail address", SURE, self._find_emails),
            (bits.HANDLE, EntityKind.EMAIL, "e-mail address without @", LIKELY,
             identifiers.find_spelt_emails),
            (bits.COLONS, EntityKind.IP, "internet address", SURE, identifiers.find_ip_addresses),
            (digits, EntityKind.COORDINATES, "coordinates", SURE, addresses.find_coordinates),
            (digits, EntityKind.CARD, "card or account", SURE, identifiers.find_cards),
            (bits.LETTERED, EntityKind.CARD, "card or account", SURE, national.find_ibans),
            (bits.LETTERED, EntityKind.CARD, "card or account", SURE, national.find_wallets),
            (digits, EntityKind.SSN, "national number", SURE, identifiers.find_ssns),
            (digits, EntityKind.SSN, "national number", SURE,
             lambda text: national.find_national_numbers(text, self._countries)),
            (bits.NUMBERS, EntityKind.PHONE, "phone number", SURE, self._find_phones),
            (bits.LETTERED, EntityKind.PLATE, "license plate", SURE, addresses.find_vehicles),
            (bits.PLATE, EntityKind.PLATE, "license plate", LIKELY, addresses.find_plates),
            (bits.STREET, EntityKind.STREET, "street address", LIKELY,
             lambda text: addresses.find_streets(text, self._words)),
            (names, EntityKind.USER_ID, "user name or account", 0.0, user_names.find_user_names),
        ):  # fmt: skip
            if hints & hint and kind in self._kinds:
                yield kind, rule, chance, find(text)

    def _find_emails(self, text: str) -> Iterator[Span]:
        assert self._suffix is not None
        return identifiers.find_emails(text, self._suffix)

    def _find_phones(self, text: str) -> Iterator[Span]:
        """Numbers of the first country as written there, of any with a +, and of Europe's
        countries where asked for or where the text says that it is a telephone number."""
        home = self._countries[0] if self._countries else "US"
        for start, stop in identifiers.find_phones(text, home):
            if not _OTHER_NUMBER.search(text[:start].lower()):
                yield start, stop
        named = _PHONE_WORD.search(text.lower()) is not None
        regions = [region for region in _EUROPE if named or region in self._countries]
        others = [region for region in regions if region != "ES"]
        spanish = [region for region in regions if region == "ES"]
        for pattern, served in ((_NATIONAL_PHONE, others), (_SPANISH_PHONE, spanish)):
            yield from identifiers.find_valid(pattern, text, partial(_is_phone, served))


def _is_phone(regions: list[str], number: str) -> bool:
    return any(identifiers.parse_phone(number, region) is not None for region in regions)
