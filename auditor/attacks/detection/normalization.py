"""Brings every query to one ASCII byte a character, so that a byte's place is a character's.

Accented letters lose the accent, digits of every script and full-width forms become ASCII,
Unicode spaces, dashes and quotes become their plain likes, other letters become byte 255 and
everything else a blank. So a detector needs no Unicode, and full-width or Arabic digits, soft
hyphens and no-break blanks hide nothing. O(bytes); only queries with a byte above 127 pay.
"""

from __future__ import annotations

import unicodedata

import numpy as np

from auditor.arrays import Int64s, UInt8s
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
