"""National identity, tax, health and bank numbers, each by the rules of who issues it.

`python-stdnum` checks shapes and check digits. A number that people write like any other (nine
bare digits) counts only beside a word that names it, or where its country was asked for; one that
has letters, dates or a fixed punctuation counts by itself. O(len(text)).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

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

from auditor.attacks.detection.identifiers import AFTER, BEFORE, Span, find_valid

_NINO_PREFIX = frozenset({"BG", "GB", "KN", "NK", "NT", "TN", "ZZ"})


def is_nino(number: str) -> bool:
    """Whether a string can be a British national insurance number: it has no check digit."""
    compact = re.sub("[ -]", "", number).upper()
    return bool(
        re.fullmatch(r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][0-9]{6}[A-D]", compact)
        and compact[:2] not in _NINO_PREFIX
    )


NUMBERS = (
    ("GB", r"[a-z]{2} ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[a-d]", is_nino,
     "nino|national insurance|ni number", True),
    ("GB", r"[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{4}", nhs.is_valid, "nhs", False),
    ("DE", r"[0-9]{2} ?[0-9]{3} ?[0-9]{3} ?[0-9]{3}", idnr.is_valid,
     "steuer id|steuerid|steuernummer|idnr|identifikationsnummer", False),
    ("FR", r"[12] ?[0-9]{2} ?[0-9]{2} ?(?:[0-9]{2}|2[ab]) ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}",
     nir.is_valid, "nir|securite sociale|insee", True),
    ("IT", r"[a-z]{6}[0-9a-z]{2}[a-z][0-9a-z]{2}[a-z][0-9a-z]{3}[a-z]", codicefiscale.is_valid,
     "codice fiscale", True),
    ("NL", r"[0-9]{4}[.]?[0-9]{2}[.]?[0-9]{3}", bsn.is_valid,
     "bsn|burgerservicenummer|sofi|sofinummer", False),
    ("PL", r"[0-9]{11}", pesel.is_valid, "pesel", False),
    ("ES", r"[0-9]{8}[ -]?[a-z]", dni.is_valid, "dni|nif", True),
    ("ES", r"[xyz][ -]?[0-9]{7}[ -]?[a-z]", nie.is_valid, "nie", True),
    ("SE", r"(?:19|20)?[0-9]{6}[-+][0-9]{4}", personnummer.is_valid, "personnummer", True),
    ("FI", r"[0-9]{6}[-+a][0-9]{3}[0-9a-y]", hetu.is_valid, "hetu", True),
    ("DK", r"[0-9]{6}-?[0-9]{4}", cpr.is_valid, "cpr", False),
    ("BE", r"[0-9]{2}[.]?[0-9]{2}[.]?[0-9]{2}[ -]?[0-9]{3}[. ]?[0-9]{2}", be_nn.is_valid,
     "rijksregister|registre national|national number", False),
    ("CH", r"756[.]?[0-9]{4}[.]?[0-9]{4}[.]?[0-9]{2}", ch_ssn.is_valid, "ahv|avs", True),
    ("PT", r"[0-9]{8} ?[0-9] ?[a-z]{2}[0-9]", pt_cc.is_valid, "cartao de cidadao", True),
    ("CA", r"[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{3}", sin.is_valid, "sin|social insurance", False),
    ("AU", r"[0-9]{3} ?[0-9]{3} ?[0-9]{2,3}", tfn.is_valid, "tfn|tax file", False),
    ("IN", r"[2-9][0-9]{3} ?[0-9]{4} ?[0-9]{4}", aadhaar.is_valid, "aadhaar|aadhar", False),
    ("BR", r"[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}", cpf.is_valid, "cpf", True),
    ("CN", r"[1-9][0-9]{16}[0-9x]", ric.is_valid, "id card", True),
)  # fmt: skip
"""Country, how the number is written, its check, the words that name it, and whether shape and
check are so strict that it needs none of them beside it."""


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(BEFORE + pattern + AFTER, re.IGNORECASE)


_PATTERNS = [_compile(pattern) for _, pattern, *_ in NUMBERS]
_IBAN = _compile(r"[a-z]{2}[0-9]{2}(?: ?[0-9a-z]{4}){2,7}(?: ?[0-9a-z]{1,3})?")


def find_national_numbers(text: str, countries: Collection[str] = ()) -> Iterator[Span]:
    """Each number of a person in a folded text.

    Numbers of `countries` need no word beside them.
    """
    for pattern, (country, _, check, words, alone) in zip(_PATTERNS, NUMBERS, strict=True):
        if alone or country in countries or re.search(rf"\b(?:{words})\b", text.lower()):
            for match in pattern.finditer(text):
                # 000000000 passes many checks.
                varied = len({char for char in match.group() if char.isdecimal()}) > 2
                if varied and check(match.group().upper()):
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


def find_wallets(text: str) -> Iterator[Span]:
    """Addresses of Bitcoin with the right check sum, and of Ethereum by their shape."""
    return find_valid(
        _WALLET, text, lambda found: found.lower().startswith("0x") or bitcoin.is_valid(found)
    )
