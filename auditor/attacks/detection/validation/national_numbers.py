"""National identity, tax, health and bank numbers, each by the rules of who issues it.

`python-stdnum` checks shapes and check digits. A number that people write like any other (nine
bare digits) counts only beside a word that names it, or where its country was asked for; one that
has letters, dates or a fixed punctuation counts by itself. O(len(text)).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from types import ModuleType

import stdnum.iban
from stdnum import bitcoin
from stdnum.au import tfn
from stdnum.be import nn as be_nn
from stdnum.br import cpf
from stdnum.ca import sin
from stdnum.ch import ssn as ch_ssn
from stdnum.cn import ric
from stdnum.de import idnr
from stdnum.dk import cpr
from stdnum.es import dni, nie
from stdnum.fi import hetu
from stdnum.fr import nir
from stdnum.gb import nhs
from stdnum.in_ import aadhaar
from stdnum.it import codicefiscale
from stdnum.nl import bsn
from stdnum.pl import pesel
from stdnum.pt import cc as pt_cc
from stdnum.se import personnummer

from auditor.attacks.detection.identifiers import Span

_BEFORE, _AFTER = r"(?<![0-9A-Za-z])(?<![0-9][.-])", r"(?![0-9A-Za-z]|[.-][0-9])"


@dataclass(frozen=True)
class NationalNumber:
    """One kind of number: its country, how it is written, its check, the words that name it.

    ``alone``: the shape and the check are so strict that the number needs no word beside it.
    """

    country: str
    pattern: re.Pattern[str]
    is_valid: Callable[[str], bool]
    words: tuple[str, ...]
    alone: bool


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(_BEFORE + pattern + _AFTER, re.IGNORECASE)


def _check_by(module: ModuleType) -> Callable[[str], bool]:
    check: Callable[[str], bool] = module.is_valid
    return check


_NINO_PREFIX = frozenset({"BG", "GB", "KN", "NK", "NT", "TN", "ZZ"})


def is_nino(number: str) -> bool:
    """Whether a string can be a British national insurance number: it has no check digit."""
    compact = re.sub("[ -]", "", number).upper()
    return bool(
        re.fullmatch(r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][0-9]{6}[A-D]", compact)
        and compact[:2] not in _NINO_PREFIX
    )


NUMBERS: tuple[NationalNumber, ...] = (
    NationalNumber(
        "GB", _compile(r"[a-z]{2} ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[a-d]"), is_nino,
        ("nino", "national insurance", "ni number"), True,
    ),
    NationalNumber(
        "GB", _compile(r"[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{4}"), _check_by(nhs),
        ("nhs", "nhs number"), False,
    ),
    NationalNumber(
        "DE", _compile(r"[0-9]{2} ?[0-9]{3} ?[0-9]{3} ?[0-9]{3}"), _check_by(idnr),
        ("steuer id", "steuerid", "steuernummer", "idnr", "identifikationsnummer"), False,
    ),
    NationalNumber(
        "FR",
        _compile(r"[12] ?[0-9]{2} ?[0-9]{2} ?(?:[0-9]{2}|2[ab]) ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}"),
        _check_by(nir), ("nir", "securite sociale", "insee"), True,
    ),
    NationalNumber(
        "IT", _compile(r"[a-z]{6}[0-9a-z]{2}[a-z][0-9a-z]{2}[a-z][0-9a-z]{3}[a-z]"),
        _check_by(codicefiscale), ("codice fiscale",), True,
    ),
    NationalNumber(
        "NL", _compile(r"[0-9]{4}[.]?[0-9]{2}[.]?[0-9]{3}"), _check_by(bsn),
        ("bsn", "burgerservicenummer", "sofi", "sofinummer"), False,
    ),
    NationalNumber("PL", _compile(r"[0-9]{11}"), _check_by(pesel), ("pesel",), False),
    NationalNumber("ES", _compile(r"[0-9]{8}[ -]?[a-z]"), _check_by(dni), ("dni", "nif"), True),
    NationalNumber("ES", _compile(r"[xyz][ -]?[0-9]{7}[ -]?[a-z]"), _check_by(nie), ("nie",), True),
    NationalNumber(
        "SE", _compile(r"(?:19|20)?[0-9]{6}[-+][0-9]{4}"), _check_by(personnummer),
        ("personnummer",), True,
    ),
    NationalNumber(
        "FI", _compile(r"[0-9]{6}[-+a][0-9]{3}[0-9a-y]"), _check_by(hetu), ("hetu",), True
    ),
    NationalNumber("DK", _compile(r"[0-9]{6}-?[0-9]{4}"), _check_by(cpr), ("cpr",), False),
    NationalNumber(
        "BE", _compile(r"[0-9]{2}[.]?[0-9]{2}[.]?[0-9]{2}[ -]?[0-9]{3}[. ]?[0-9]{2}"),
        _check_by(be_nn), ("rijksregister", "registre national", "national number"), False,
    ),
    NationalNumber("CH", _compile(r"756[.]?[0-9]{4}[.]?[0-9]{4}[.]?[0-9]{2}"), _check_by(ch_ssn),
                   ("ahv", "avs"), True),
    NationalNumber("PT", _compile(r"[0-9]{8} ?[0-9] ?[a-z]{2}[0-9]"), _check_by(pt_cc),
                   ("cartao de cidadao",), True),
    NationalNumber("CA", _compile(r"[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{3}"), _check_by(sin),
                   ("sin", "social insurance"), False),
    NationalNumber("AU", _compile(r"[0-9]{3} ?[0-9]{3} ?[0-9]{2,3}"), _check_by(tfn),
                   ("tfn", "tax file"), False),
    NationalNumber("IN", _compile(r"[2-9][0-9]{3} ?[0-9]{4} ?[0-9]{4}"), _check_by(aadhaar),
                   ("aadhaar", "aadhar"), False),
    NationalNumber("BR", _compile(r"[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}"), _check_by(cpf),
                   ("cpf",), True),
    NationalNumber("CN", _compile(r"[1-9][0-9]{16}[0-9x]"), _check_by(ric), ("id card",), True),
)  # fmt: skip

_IBAN = _compile(r"[a-z]{2}[0-9]{2}(?: ?[0-9a-z]{4}){2,7}(?: ?[0-9a-z]{1,3})?")


def find_national_numbers(text: str, countries: Collection[str] = ()) -> Iterator[Span]:
    """Each number of a person in a folded text.

    Numbers of `countries` need no word beside them.
    """
    low = text.lower()
    for number in NUMBERS:
        said = number.alone or number.country in countries
        if not said and not any(re.search(rf"\b{word}\b", low) for word in number.words):
            continue
        for match in number.pattern.finditer(text):
            if _is_varied(match.group()) and number.is_valid(match.group().upper()):
                yield match.span()


def find_ibans(text: str) -> Iterator[Span]:
    """International bank account numbers, in one piece or in groups of four."""
    for match in _IBAN.finditer(text):
        groups = match.group()
        while groups:
            if stdnum.iban.is_valid(groups.upper(), check_country=True):
                yield match.start(), match.start() + len(groups)
                break
            groups = groups.rpartition(" ")[0]


_WALLET = re.compile(
    r"(?<![0-9A-Za-z])(?:0x[0-9a-f]{40}|bc1[0-9a-z]{25,62}|[13][0-9A-Za-z]{25,34})(?![0-9A-Za-z])",
    re.IGNORECASE,
)


def find_wallets(text: str) -> Iterator[tuple[int, int]]:
    """Addresses of Bitcoin with the right check sum, and of Ethereum by their shape."""
    for match in _WALLET.finditer(text):
        if match.group().lower().startswith("0x") or bitcoin.is_valid(match.group()):
            yield match.span()


def _is_varied(text: str) -> bool:
    """Whether the digits are more than one repeated: 000000000 passes many checks."""
    return len({char for char in text if char.isdecimal()}) > 2
