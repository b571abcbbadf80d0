"""Google Takeout's pages of what somebody did, as the JSON lines that Takeout writes otherwise."""

from __future__ import annotations

import html
import json
import re
from datetime import UTC, datetime, timedelta

from auditor.log.reading.presets.json_array import JsonArrayStream

_CELL = '<div class="outer-cell'
_HEADER = re.compile(r'"mdl-typography--title">(.*?)<', re.DOTALL)
_CONTENT = re.compile(r'mdl-typography--body-1">(.*?)</div>', re.DOTALL)
_LINK = re.compile(r'<a href="([^"]*)"')
_ZONED = re.compile(r"(.*\d|.*[AP]M) ?(?:([A-Z]{3,4})|(?:GMT|UTC)?([+-]\d{1,2})(?::?(\d\d))?)")
_HOURS = {
    "UTC": 0, "GMT": 0, "WET": 0, "BST": 1, "WEST": 1, "CET": 1, "MEZ": 1, "CEST": 2, "MESZ": 2,
    "EET": 2, "OEZ": 2, "EEST": 3, "OESZ": 3, "EST": -5, "EDT": -4, "CDT": -5, "MDT": -6,
    "PST": -8, "PDT": -7,
}  # fmt: skip
"""Hours before UTC of the zones' names that mean one thing."""
_FORMS = ("%b %d, %Y, %I:%M:%S %p", "%d %b %Y, %H:%M:%S", "%d.%m.%Y, %H:%M:%S")


def is_activity(head: bytes) -> bool:
    """Whether a text is such a page."""
    return head.lstrip()[:1] == b"<" and _CELL.encode() in head


class ActivityStream(JsonArrayStream):
    """The cells of a page, each as a line of JSON."""

    def _split_elements(self) -> list[str]:
        pieces = re.split(f"(?={_CELL})", self._text)
        self._text = "" if self._ended else pieces.pop()
        return [_read_cell(piece) for piece in pieces if piece.startswith(_CELL)]


def _read_cell(cell: str) -> str:
    content, header = _CONTENT.search(cell), _HEADER.search(cell)
    said = content[1] if content else ""
    link = _LINK.search(said)
    plain = re.sub(r"<[^>]*>", "", said.replace("<br>", "\n"))
    lines = re.sub(r"[^\S\n]+", " ", html.unescape(plain)).strip().split("\n")
    return json.dumps(
        {
            "header": html.unescape(header[1]) if header else "",
            "title": lines[0].strip(),
            "titleUrl": html.unescape(link[1]) if link else "",
            "time": _read_time(lines[-1].strip()),
            "products": [],
        }
    )


def _read_time(text: str) -> str:
    """A time in English or German with its zone as ISO 8601; "" if it isn't one."""
    parts = _ZONED.fullmatch(text)
    if parts is None or (parts[2] is not None and parts[2] not in _HOURS):
        return ""
    before = timedelta(hours=_HOURS[parts[2]] if parts[2] else int(parts[3]))
    before += timedelta(minutes=int(parts[4] or 0) * (-1 if (parts[3] or "")[:1] == "-" else 1))
    for form in _FORMS:
        try:
            moment = datetime.strptime(parts[1].replace("Sept", "Sep"), form) - before
            return moment.replace(tzinfo=UTC).isoformat()
        except (ValueError, OverflowError):
            continue
    return ""
