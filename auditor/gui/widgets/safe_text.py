"""Query text made safe to look at: bounded, one character for one, nothing hidden, no markup.

A character that would act instead of show becomes a visible sign; positions of marks stay.
"""

import html
import unicodedata
from datetime import UTC, datetime

from auditor.gui.app.translation import mark_for_translation, tr
from auditor.gui.widgets import formats
from auditor.log.model import Vocabulary

LINE_LIMIT = 400
"""Characters of a query that a table cell works with."""
TEXT_LIMIT = 20_000
"""Characters of a query that the reading pane shows; a longer line would stall its layout."""

_SIGN = "□"
_HARMLESS = {"\u200d"}  # joins emoji; harmless between two others
_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp", "Cn"}


def make_visible(text: str) -> str:
    """`text` with every character that acts or hides replaced by a sign; same length."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_make_shown, text))


def _make_shown(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if character not in _HARMLESS and unicodedata.category(character) in _HIDDEN:
        return _SIGN
    return character


def plain_tip(text: str) -> str:
    """A tooltip that shows the text as it is, also one that would be taken for mark-up."""
    if "<" not in text:
        return text
    return f'<span style="white-space: pre-wrap">{html.escape(text)}</span>'


def take_head(words: Vocabulary, code: int, limit: int) -> tuple[str, int]:
    """The first `limit` characters of a string, visible, and how many bytes are left; O(limit)."""
    start, stop = int(words.offsets[code]), int(words.offsets[code + 1])
    cut = min(stop, start + 4 * limit)
    text = words.data[start:cut].tobytes().decode("utf-8", "replace")
    head = text[:limit]
    if cut == stop and len(text) <= limit:
        return make_visible(head), 0
    return make_visible(head), stop - start - len(head.encode("utf-8", "replace"))


def make_line(words: Vocabulary, code: int, limit: int = LINE_LIMIT) -> str:
    """One line for a table cell, with an ellipsis where the string goes on."""
    text, has_more = take_head(words, code, limit)
    return text + "…" if has_more else text


def shorten_text(text: str, limit: int = LINE_LIMIT) -> str:
    """The same for text that is no vocabulary's."""
    return make_visible(text[:limit]) + ("…" if len(text) > limit else "")


def format_moment(seconds: int, *, date: bool = True) -> str:
    """A time in UTC as people write it; never fails, whatever the log held."""
    try:
        when = datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return tr("outside the calendar")
    return when.strftime("%Y-%m-%d %H:%M:%S" if date else "%H:%M:%S")


def format_span(first: int, last: int) -> str:
    """From when to when, the date said once where it is the same day."""
    start, end = format_moment(first), format_moment(last)
    if first == last:
        return f"{start} UTC"
    return f"{start} – {end[11:] if start[:10] == end[:10] else end} UTC"


def format_bytes(count: float) -> str:
    """Bytes as people read them, in powers of 1024."""
    for unit in (mark_for_translation("bytes"), "KiB", "MiB", "GiB"):
        if count < 1024 or unit == "GiB":
            places = 0 if unit in ("bytes", "KiB") or count >= 100 else 1
            return f"{formats.format_fixed(count, places)} {tr(unit)}"
        count /= 1024
    return ""
