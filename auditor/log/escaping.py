"""Text in a release: every row stays one row, and every string can be had back.

A backslash, a control character, a line or paragraph separator, a byte-order mark, a character
that turns the direction of writing, and half a surrogate pair are written as escapes: ``\\\\``,
``\\t``, ``\\n``, ``\\r``, ``\\xHH``, ``\\uHHHH``. All else stands as it is, so that nearly every
query reads the same with and without `unescape_text`.

A text that a spreadsheet would take for a formula is data like any other here: a mark before it
would change the query. Who wants the files safe to open in a spreadsheet asks for `formulas`, and
then the first character is escaped as well, which `unescape_text` takes back. Tables made only for
people (`escape_cell`) get the apostrophe that spreadsheets understand.
"""

import re
from typing import Any

INVISIBLE = r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
"""Characters that stand as escapes in tables, but for the backslash; Java reads it alike."""
_SPECIAL = re.compile(rf"\\|{INVISIBLE}")
_ESCAPE = re.compile(r"\\(?:([\\tnr])|x([0-9a-f]{2})|u([0-9a-f]{4})|(.?))", re.DOTALL)
_SHORT = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_LONG = {"\\": "\\", "t": "\t", "n": "\n", "r": "\r"}
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""Beginnings that spreadsheets evaluate; the last four are the full-width forms."""

RULE = (
    r"UTF-8, tab-separated, one header line; \\ \t \n \r \xHH \uHHHH stand for a backslash, "
    r"tab, line feed, carriage return and other control characters"
)
"""What the manifest says of it."""

FORMULA_RULE = "a first character that a spreadsheet would evaluate stands as an escape, too"


def escape_text(text: str, *, formulas: bool = False) -> str:
    """The text on one line; with `formulas` no spreadsheet evaluates it either."""
    if formulas and text.startswith(_FORMULA) and not _SPECIAL.match(text):
        return _escape_code(text[0]) + _SPECIAL.sub(_escape_match, text[1:])
    return _SPECIAL.sub(_escape_match, text)


def unescape_text(text: str) -> str:
    """What `escape_text` was given; raises ValueError on an escape that it never writes."""
    return _ESCAPE.sub(_unescape_match, text) if "\\" in text else text


def escape_cell(value: Any) -> Any:
    """A cell of a table for people: numbers as they are, text that no spreadsheet evaluates."""
    if value is None or isinstance(value, bool | int | float):
        return value
    text = _SPECIAL.sub(lambda match: _make_visible(match[0]), str(value))
    return f"'{text}" if str(value).startswith(_FORMULA) else text


def printable_text(text: str) -> str:
    """Text for a page: control and direction characters become visible marks."""
    return _SPECIAL.sub(lambda match: _make_visible(match[0]), text)


def shorten_text(text: str, length: int = 80) -> str:
    """The printable text, cut where it has more characters."""
    plain = printable_text(text)
    return plain if len(plain) <= length else plain[: length - 1] + "…"


def _make_visible(character: str) -> str:
    """A stand-in that people can see."""
    if character == "\\":
        return character
    return chr(0x2400 + ord(character)) if character < " " else "\ufffd"


def _escape_match(match: re.Match[str]) -> str:
    return _SHORT.get(match[0]) or _escape_code(match[0])


def _escape_code(character: str) -> str:
    number = ord(character)
    return f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}"


def _unescape_match(match: re.Match[str]) -> str:
    short, byte, unit, _ = match.groups()
    if short is not None:
        return _LONG[short]
    if byte is None and unit is None:
        raise ValueError("an escape that is none")
    return chr(int(byte or unit, 16))


_FILLERS = "\u115f\u1160\u3164\uffa0"
"""Letters by Unicode that are drawn as nothing: they hold the place of Hangul's."""


def says_something(text: str) -> bool:
    """Whether a text holds a letter or a digit, not blanks and invisible signs alone."""
    return any(letter.isalnum() and letter not in _FILLERS for letter in text)
