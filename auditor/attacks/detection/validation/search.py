"""Runs the validators of identifiers on the few queries whose digits and signs make one possible.

Where two would overlap, the one with the stricter check stands, in the order of `_iterate_finders`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

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
            for start, stop in spans:
                if taken.find(1, start, stop) < 0:
                    taken[start:stop] = b"\x01" * (stop - start)
                    found.append((start, stop, kind, rule, chance))
        return sorted(found)

    def _iterate_finders(
        self, text: str, hints: int
    ) -> Iterator[tuple[EntityKind, str, float, Iterable[Span]]]:
        from auditor.attacks.detection.validation import national_numbers as national

        digits = hints & (bits.NUMBERS | bits.LETTERED)
        if hints & bits.AT and self._suffix is not None:
            yield (
                EntityKind.EMAIL,
                "e-mail address",
                SURE,
                identifiers.find_emails(text, self._suffix),
            )
        if hints & bits.HANDLE and EntityKind.EMAIL in self._kinds:
            spans = identifiers.find_spelt_emails(text)
            yield EntityKind.EMAIL, "e-mail address without @", LIKELY, spans
        if EntityKind.IP in self._kinds and (hints & bits.COLONS or text.count(".") >= 3):
            yield EntityKind.IP, "internet address", SURE, identifiers.find_ip_addresses(text)
        if digits and EntityKind.COORDINATES in self._kinds:
            spans = addresses.find_coordinates(text)
            yield EntityKind.COORDINATES, "coordinates", SURE, spans
        if digits and EntityKind.CARD in self._kinds:
            yield EntityKind.CARD, "card or account", SURE, identifiers.find_cards(text)
            if hints & bits.LETTERED:
                yield EntityKind.CARD, "card or account", SURE, national.find_ibans(text)
                yield EntityKind.CARD, "card or account", SURE, national.find_wallets(text)
        if digits and EntityKind.SSN in self._kinds:
            yield EntityKind.SSN, "national number", SURE, identifiers.find_ssns(text)
            spans = national.find_national_numbers(text, self._countries)
            yield EntityKind.SSN, "national number", SURE, spans
        if hints & bits.NUMBERS and EntityKind.PHONE in self._kinds:
            yield EntityKind.PHONE, "phone number", SURE, self._find_phones(text)
        if hints & bits.LETTERED and EntityKind.PLATE in self._kinds:
            yield EntityKind.PLATE, "license plate", SURE, addresses.find_vehicles(text)
        if hints & bits.PLATE and EntityKind.PLATE in self._kinds:
            yield EntityKind.PLATE, "license plate", LIKELY, addresses.find_plates(text)
        if EntityKind.STREET in self._kinds and hints & bits.STREET:
            spans = addresses.find_streets(text, self._words)
            yield EntityKind.STREET, "street address", LIKELY, spans
        if hints & (bits.AT | bits.HANDLE | bits.NUMBERS) and EntityKind.USER_ID in self._kinds:
            for start, stop, chance in user_names.find_user_names(text):
                yield EntityKind.USER_ID, "user name or account", chance, ((start, stop),)

    def _find_phones(self, text: str) -> Iterator[Span]:
        """Numbers of the first country as written there, of any with a +, and of Europe's
        countries where asked for or where the text says that it is a telephone number."""
        home = self._countries[0] if self._countries else "US"
        for start, stop in identifiers.find_phones(text, home):
            if not _OTHER_NUMBER.search(text[:start].lower()):
                yield start, stop
        said = _PHONE_WORD.search(text.lower()) is not None
        regions = [one for one in _EUROPE if said or one in self._countries]
        if not regions:
            return
        import phonenumbers

        shapes: tuple[tuple[re.Pattern[str], Callable[[str], bool]], ...] = (
            (_NATIONAL_PHONE, lambda region: region != "ES"),
            (_SPANISH_PHONE, lambda region: region == "ES"),
        )
        for pattern, serves in shapes:
            for match in pattern.finditer(text):
                for region in filter(serves, regions):
                    try:
                        number = phonenumbers.parse(match.group(), region)
                    except phonenumbers.NumberParseException:
                        continue
                    if phonenumbers.is_valid_number(number):
                        yield match.span()
                        break
