"""Brings every query to one ASCII byte a character, so that a byte's place is a character's.

Accented letters lose the accent, digits of every script and full-width forms become ASCII,
Unicode spaces, dashes and quotes become their plain likes, other letters become byte 255 and
everything else a blank. So a detector needs no Unicode, and full-width or Arabic digits, soft
hyphens and no-break blanks hide nothing. O(bytes); only queries with a byte above 127 pay.

What shows nothing (control characters, zero-width and other characters that Unicode says to
ignore) and accents written behind their letter could break a word where nobody sees it. Queries
that hold any are read a second time without them (`read_bare`).
"""

import re
import unicodedata
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Int32s, Int64s, UInt8s
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import Vocabulary

LETTER = "\xff"
"""Stands for a letter that has no ASCII likeness."""

_LIKENESS = {
    "‘": "'", "’": "'", "ʼ": "'", "“": '"', "”": '"', "−": "-", "。": ".", "ß": "s",
    "ø": "o", "Ø": "O", "æ": "a", "Æ": "A", "œ": "o", "Œ": "O", "ł": "l", "Ł": "L", "đ": "d",
    "Đ": "D", "ð": "d", "Ð": "D", "ı": "i", "\ufffd": LETTER,
}  # fmt: skip
# What Unicode does not decompose. U+FFFD replaces what a wrong encoding lost, mostly an accented
# letter: one inside a word must not split it.


_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u0300-\u036f\u061c\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Default_Ignorable_Code_Point of Unicode 16, control characters, and combining accents."""
_MAYBE = np.zeros(256, dtype=np.bool_)
"""The bytes with which one of these begins in UTF-8."""
_MAYBE[[*range(0x09), *range(0x0E, 0x20), 0x7F]] = True
_MAYBE[[0xC2, 0xCC, 0xCD, 0xD8, 0xE1, 0xE2, 0xE3, 0xEF, 0xF0, 0xF3]] = True
_LOOKED_AT = 1 << 24
"""Bytes in which such are looked for at once."""


def strip_invisible(text: str) -> str:
    """A text without what shows nothing."""
    return text if text.isascii() and text.isprintable() else _INVISIBLE.sub("", text)


@dataclass(frozen=True, eq=False)
class BareQueries:
    """The queries that hold invisible characters, without these; q of them."""

    queries: Vocabulary  # what is left of each; shape (q,)
    codes: Int32s  # where each stands in the vocabulary they are from, ascending; shape (q,)
    starts: Int64s  # of each of the q queries its first place in `places`; shape (q + 1,)
    places: Int32s  # where each character that is left stood in its query; shape (characters,)

    def locate(self, query: Int32s, offset: Int32s) -> Int32s:
        """Where characters `offset` of the bare queries stood; shape (characters asked for,)."""
        places: Int32s = self.places[self.starts[query] + offset]
        return places


def read_bare(queries: Vocabulary) -> BareQueries:
    """The queries with invisible characters, without them; O(bytes)."""
    codes: list[int] = []
    texts: list[str] = []
    places = [np.zeros(0, dtype=np.int32)]
    for code in _find_candidates(queries):
        text = queries[code]
        if not _INVISIBLE.search(text):
            continue
        visible = np.ones(len(text), dtype=np.bool_)
        visible[[match.start() for match in _INVISIBLE.finditer(text)]] = False
        codes.append(code)
        texts.append(_INVISIBLE.sub("", text))
        places.append(np.flatnonzero(visible).astype(np.int32))
    return BareQueries(
        Vocabulary.of(texts),
        np.asarray(codes, dtype=np.int32),
        np.cumsum([len(part) for part in places]),
        np.concatenate(places),
    )


def _find_candidates(queries: Vocabulary) -> list[int]:
    """Queries with a byte that an invisible character may begin with."""
    parts = []
    for first in range(0, len(queries.data), _LOOKED_AT):
        positions = np.flatnonzero(_MAYBE[queries.data[first : first + _LOOKED_AT]]) + first
        parts.append(np.searchsorted(queries.offsets, positions, side="right") - 1)
    if not parts:
        return []
    codes: list[int] = sorted_distinct(np.concatenate(parts)).tolist()
    return codes


class QueryNormalizer(dict[int, str]):
    """A table for `str.translate`, filled as characters are met; one to one."""

    def __missing__(self, code: int) -> str:
        self[code] = plain = _fold_character(chr(code))
        return plain

    def fold_query(self, query: str) -> str:
        """The folded query, as long as `query` in characters."""
        return query if query.isascii() else query.translate(self)

    def fold_block(self, queries: Vocabulary, start: int, stop: int) -> tuple[UInt8s, Int64s]:
        """Queries ``start:stop`` folded: their bytes, and offsets that begin at 0."""
        first, last = queries.offsets[start], queries.offsets[stop]
        data = queries.data[first:last]
        offsets = queries.offsets[start : stop + 1] - first
        high = np.flatnonzero(data > 127)
        if not len(high):
            return data, offsets
        foreign = sorted_distinct(np.searchsorted(offsets, high, side="right") - 1)
        pieces: list[bytes] = []
        lengths = np.diff(offsets)
        done = 0
        for index in foreign.tolist():
            pieces.append(data[done : offsets[index]].tobytes())
            done = offsets[index + 1]
            text = data[offsets[index] : done].tobytes().decode("utf-8", "replace")
            pieces.append(self.fold_query(text).encode("latin-1"))
            lengths[index] = len(pieces[-1])
        pieces.append(data[done:].tobytes())
        folded = np.zeros(len(offsets), dtype=np.int64)
        np.cumsum(lengths, out=folded[1:])
        return np.frombuffer(b"".join(pieces), dtype=np.uint8), folded


def _fold_character(char: str) -> str:
    if char < "\x80":
        return char
    if char in _LIKENESS:
        return _LIKENESS[char]
    if (digit := unicodedata.decimal(char, -1)) >= 0:
        return str(digit)
    category = unicodedata.category(char)
    if category == "Pd":
        return "-"
    if category in ("Mn", "Cf"):
        return "'"
    first = unicodedata.normalize("NFKD", char)[0]
    if first < "\x80":
        return first
    return LETTER if category[0] in "LM" else " "
