"""Which strings of a log point at a person by their text: the marks of its queries, found once.

The marks are those of the default rules without what a log adds to them: how many users issued a
name, or clicked an address, plays no part. So a name counts here unless a list knows it, and an
address unless it holds no identifier. Whatever `session_scoring` takes for identifying in a query
of several users is marked here, too. Cost O(bytes).

In clicked addresses, what identifies somebody stands in the query string, the path or the user. A
number counts only where its parameter says what it is ("phone=…"), see
``resources/detection/identifiers.toml``. What somebody searched for on another site ("q=…") is
read like a query. Cost O(bytes) for the addresses that hold a sign of any of it, which few do.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

import numpy as np

from auditor.arrays import Bools
from auditor.attacks.detection import rules as bits
from auditor.attacks.detection.detector import DetectorOptions, detect_marks
from auditor.attacks.detection.entity_detection import EntityMarks
from auditor.attacks.detection.identifiers import IdentifierSearch, combine_hints, load_declarations
from auditor.attacks.detection.kinds import PII, EntityKind
from auditor.attacks.detection.lexicon import shipped_lexicon
from auditor.attacks.detection.normalization import strip_invisible
from auditor.log.lifetime_cache import LifetimeCache
from auditor.log.model import Vocabulary
from auditor.progress import Progress

MARKS = LifetimeCache[Vocabulary, EntityMarks](2)
"""Two sets for each log: a project's own weights are held against all rules counting fully."""
_IDENTIFYING = LifetimeCache[Vocabulary, Bools]()
"""Which queries hold an identifier, and which that or a private name; shape (2, queries)."""
_ADDRESSES = LifetimeCache[Vocabulary, Bools]()


def mark_everything(queries: Vocabulary, progress: Progress) -> EntityMarks:
    """The marks of all kinds by the default rules, remembered. Raises `Cancelled`."""
    options = DetectorOptions()
    return MARKS.get(queries, options, lambda: detect_marks(queries, options, progress=progress))


def mark_identifying(queries: Vocabulary, progress: Progress, *, names: bool) -> Bools:
    """Queries that hold an identifier of a person or, with `names`, a private name.

    Remembered as long as the vocabulary lives; shape (len(queries),).

    Raises `Cancelled`.
    """

    def find() -> Bools:
        marks = mark_everything(queries, progress)
        private = marks.is_of_kind(EntityKind.PERSON) & ~marks.is_public
        identifying = np.zeros((2, len(queries)), dtype=np.bool_)
        identifying[:, marks.query[np.isin(marks.kind, PII)]] = True
        identifying[1, marks.query[private]] = True
        return identifying

    flags: Bools = _IDENTIFYING.get(queries, None, find)[int(names)]
    return flags


def is_marked(queries: Vocabulary) -> bool:
    """Whether it is known already which of these queries are marked."""
    return queries in _IDENTIFYING


def mark_identifying_addresses(urls: Vocabulary) -> Bools:
    """Web addresses that hold an identifier of a person, remembered; shape (len(urls),)."""

    def find() -> Bools:
        flags = np.zeros(len(urls), dtype=np.bool_)
        flags[[mark.address for mark in find_in_addresses(urls, DetectorOptions())]] = True
        return flags

    return _ADDRESSES.get(urls, None, find)


# --- clicked addresses

USER_NAME, ACCOUNT = "user_name", "account_number"
"""Kinds that stand in addresses alone."""
MOST_PARAMETERS = 100
"""Parameters read of one address; of those beyond only e-mail addresses are."""
_PROFILE = re.compile(
    r"/(?:~|(?:users?|profiles?|members?|people|homepages?)/)([A-Za-z0-9._-]{3,40})", re.IGNORECASE
)
_SIGNS = re.compile(rb"[=@~]|%40|/(?:users?|profiles?|members?|people|homepages?)/", re.IGNORECASE)


class AddressMark(NamedTuple):
    """One thing found: number of the address, what it is, where it stood, and the words."""

    address: int
    kind: str
    place: str
    """Name of the parameter, "user" for what stands before the @ of the host, else "path"."""
    text: str


def find_in_addresses(addresses: Vocabulary, options: DetectorOptions) -> list[AddressMark]:
    """What identifies somebody in each address, in their order; without doubles."""
    reader = _AddressReader(options)
    marks: list[AddressMark] = []
    data = addresses.data.tobytes()
    for index, (start, stop) in enumerate(
        zip(addresses.offsets[:-1].tolist(), addresses.offsets[1:].tolist(), strict=True)
    ):
        if _SIGNS.search(data, start, stop):
            marks += dict.fromkeys(reader.read(index, data[start:stop].decode("utf-8", "replace")))
    return marks


class _AddressReader:
    def __init__(self, options: DetectorOptions) -> None:
        def search(kind: EntityKind) -> IdentifierSearch:
            return IdentifierSearch(options.kinds & {kind}, options.countries, words)

        words, declared = shipped_lexicon().street_words, load_declarations()["address"]
        self._options, self._emails = options, search(EntityKind.EMAIL)
        self._users, self._searched, self._no_user = (
            frozenset(declared[names].split()) for names in ("users", "searched", "no_user")
        )
        self._parameters: dict[str, tuple[IdentifierSearch, str, int]] = {}
        for parameter in declared["parameter"]:
            kind = EntityKind[parameter["kind"]]
            if kind in options.kinds:
                reading = search(kind), parameter["cue"], combine_hints(parameter["hints"])
                self._parameters |= dict.fromkeys(parameter["names"].split(), reading)

    def read(self, index: int, address: str) -> Iterator[AddressMark]:
        """Everything in one address."""
        try:
            parts = urlsplit(address if "//" in address else f"//{address}")
        except ValueError:  # no address: all of it is text
            yield from self._read_text(index, address)
            return
        if parts.username:
            yield AddressMark(index, USER_NAME, "user", strip_invisible(parts.username))
        fields = parts.query.split("&", MOST_PARAMETERS)
        pairs, more_fields = parse_qsl("&".join(fields[:MOST_PARAMETERS])), fields[MOST_PARAMETERS:]
        for text in (parts.path, *more_fields, parts.fragment):
            yield from self._read_text(index, text)
        for match in _PROFILE.finditer(strip_invisible(unquote(parts.path))):
            if match[1].lower() not in self._no_user and not match[1].lower().endswith(".html"):
                yield AddressMark(index, USER_NAME, "path", match[1])
        for name, value in pairs:
            yield from self._read_parameter(index, name.lower(), strip_invisible(value).strip())

    def _read_text(self, index: int, text: str) -> Iterator[AddressMark]:
        for email in self._find_emails(strip_invisible(unquote(text))):
            yield AddressMark(index, EntityKind.EMAIL.name.lower(), "path", email)

    def _find_emails(self, text: str) -> Iterator[str]:
        folded = text.lower()
        for start, stop, *_ in self._emails.find(folded, bits.AT) if "@" in text else ():
            yield folded[start:stop]

    def _read_parameter(self, index: int, name: str, value: str) -> Iterator[AddressMark]:
        if not value:
            return
        emails = list(self._find_emails(value))
        for text in emails:
            yield AddressMark(index, EntityKind.EMAIL.name.lower(), name, text)
        if name in self._parameters:
            search, cue, hints = self._parameters[name]
            text = cue + value.lower()
            for start, stop, kind, *_ in search.find(text, hints):
                yield AddressMark(index, kind.name.lower(), name, text[max(start, len(cue)) : stop])
        elif name in self._users and not emails and 3 <= len(value) <= 64:
            if value.lower() not in self._no_user:
                yield AddressMark(index, ACCOUNT if value.isdecimal() else USER_NAME, name, value)
        elif name in self._searched:
            marks = detect_marks(Vocabulary.of([value]), self._options, threads=1)
            identifiers = marks.take(np.isin(marks.kind, [int(kind) for kind in PII]))
            for start, stop, code in zip(
                identifiers.start, identifiers.stop, identifiers.kind, strict=True
            ):
                if not (code == EntityKind.EMAIL and emails):
                    text = value[int(start) : int(stop)]
                    yield AddressMark(index, EntityKind(code).name.lower(), name, text)
