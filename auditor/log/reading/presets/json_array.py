"""JSON in any arrangement, and Takeout's pages, as lines of one value; rows of nested values."""

import codecs
import html
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

from auditor.log.reading.column_names import ALIKE, plain_name, role_of
from auditor.log.reading.decompression import PieceStream
from auditor.log.reading.presets.base import LOG_WORDS

CHUNK = 1 << 18
MOST = 8 << 20
"""Bytes of the longest element that is looked for."""
_SPACE = "\ufeff \t\r\n,"
_WRAPPED = re.compile(
    r'(?P<several>\s*\{\s*(?:"took"\s*:\s*\d+\s*,\s*)?"responses"\s*:\s*\[)?'
    r'(?:\s*\{\s*"(?:took|timed_out|hits|_shards|_scroll_id|pit_id|responseHeader|response)"'
    r'[^\[]{0,4000}?"(?:hits"\s*:\s*\{[^\[]{0,4000}?"hits|docs)"\s*:\s*\[(?=\s*[{\]])'
    r'|\s*\{\s*"hits"\s*:\s*\{[^\[]{0,4000}?"hits"\s*:\s*\[(?=\s*[{\]])'
    r'|\s*\{\s*"Browser History"\s*:\s*\[(?=\s*[{\]])'
    r'|\s*\{\s*(?:"(?:meta|metadata|status|success|total|count|page)"\s*:'
    r"\s*(?:\{[^{}\[\]]*\}|[^{}\[\],]*),\s*)*"
    r'"(?P<only>data|records|rows|logs|entries|searches)"\s*:\s*\[(?=\s*[{\]]))'
)
"""What stands before the records of OpenSearch's, Elasticsearch's or Solr's responses, of several
in one, of a browser's history in Google Takeout, or of a text that is `only` one list of them."""
_NAME = r'"(?:[^"\\]|\\.){1,80}"'
_PLAIN = (
    rf'(?:{_NAME}\s*:\s*(?:"(?:[^"\\]|\\.){{0,2000}}"|\{{[^{{}}\[\]]{{0,2000}}\}}'
    r'|[^{}\[\],"]{1,40})|"(?:fields|messages|schema|index)"\s*:\s*'
    r"(?:\[[^\[\]]*\]|\{[^{}\[\]]*\[[^\[\]]*\](?:[^{}\[\]]|\[[^\[\]]*\])*\})),\s*"
)
"""A plain value by its name in an object, or what exports say of their fields: lists, or objects
with lists, so that a text fits in one way alone."""
_LIST = re.compile(rf"\s*\{{\s*(?P<beside>(?:{_PLAIN})*){_NAME}\s*:\s*\[\s*(?=\{{)")
"""What stands before the list in an object that has only plain values before it."""
_TABLE = re.compile(
    rf'\s*\{{\s*(?:{_PLAIN}){{0,40}}?"(?:columns|fields|schema)"\s*:\s*(?P<names>\[[^\[\]]*\]),\s*'
    rf'(?:{_PLAIN}){{0,40}}"(?:values|rows|data|datarows)"\s*:\s*\[(?=\s*\[)'
)
"""What stands before the rows of a table whose columns are named once, as SQL's interfaces, Splunk
and pandas write them."""

_NEXT = re.compile(r"\}\s*,?\s*(?=\{)")
"""What stands between two objects."""


class ReadableBytes(Protocol):
    """What lines and elements are read from; `consumed` is bytes of the disk read so far."""

    @property
    def consumed(self) -> int: ...

    def readinto(self, view: memoryview, /) -> int:
        """Fill as much of `view` as comes at once; 0 at the end."""
        ...


def is_array(head: bytes) -> bool:
    """Whether a text is JSON values other than one object a line.

    These are arrays, objects over several lines or several on one, and a search engine's response.
    """
    text = head.removeprefix(codecs.BOM_UTF8).lstrip()
    if text.startswith(b"["):
        return text[1:].lstrip()[:1] in (b"{", b"[", b"]")
    if not text.startswith(b"{") or text[1:].lstrip()[:1] not in (b'"', b"}"):
        return False
    line, _, following = text.partition(b"\n")
    wrapped = _WRAPPED.match(text[:8192].decode("utf-8", "replace"))
    if wrapped and not (wrapped["only"] and following.lstrip().startswith(b"{")):
        return True
    try:
        json.loads(line)
    except RecursionError:
        return False
    except ValueError as error:
        has_more = isinstance(error, json.JSONDecodeError) and error.msg == "Extra data"
        return has_more or not (line.rstrip().endswith(b"}") or following.lstrip().startswith(b"{"))
    return False


def find_elements(head: bytes) -> "type[JsonArrayStream] | None":
    """What takes a text apart that begins like this; None where each line is a value by itself."""
    if head.lstrip()[:1] == b"<" and _CELL.encode() in head:
        return ActivityStream
    text = head.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")
    if _TABLE.match(text):
        return JsonTableStream
    if _lists_searches(text):
        return JsonListStream
    return JsonArrayStream if is_array(head) else None


def _lists_searches(text: str) -> bool:
    """Whether a text is an object with a list of searches in it, and nothing of them beside it.

    It is none where it is an object a line, or a known response.
    """
    wrapped = _LIST.match(text)
    lines = text.partition("\n")[2].lstrip().startswith("{")
    if wrapped is None or lines or _WRAPPED.match(text[:8192]):
        return False
    try:
        entry, _ = json.JSONDecoder().raw_decode(text, wrapped.end())
        beside = json.loads(f'{{{wrapped["beside"]}"":0}}')
    except (ValueError, RecursionError):
        return False
    roles = {role_of(name.rpartition(".")[2]) for name in dotted_names(entry)}
    usual = {name for names in ALIKE.values() for name in names}
    return {"query", "time"} <= roles and not {*map(plain_name, beside)} & usual


class JsonArrayStream(PieceStream):
    """JSON values, each on a line of its own; what isn't JSON is a line that isn't.

    Elements of arrays count as values, one array after the other, and so do the records of a
    search engine's response; what else such a response holds is passed over. Of a text that is
    `cut` the last value is left out.
    """

    wrapper = _WRAPPED
    beside = re.compile('"_source"')
    """What would be more records behind those of a list."""

    def __init__(self, stream: Any, *, cut: bool = False) -> None:
        super().__init__(stream)
        self._cut = cut
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self._scan = json.JSONDecoder()
        self._text = ""
        self._begun = self._ended = False
        self._open: list[int] = []
        """Objects around the records, of each list that is open, the inner ones last."""
        self._names: list[str] | None = None
        """The columns of a table, whose elements are rows without names."""

    def _iterate_pieces(self) -> Iterator[bytes]:
        while not self._ended:
            buffer = bytearray(CHUNK)
            got = self._stream.readinto(memoryview(buffer))
            self._text += self._decoder.decode(bytes(buffer[:got]), not got)
            self._ended = not got
            lines = self._split_elements()
            text = "".join(line.replace("\n", " ").replace("\r", " ") + "\n" for line in lines)
            yield text.encode("utf-8", "surrogateescape")

    def _split_elements(self) -> list[str]:
        elements: list[str] = []
        text, place = self._text, 0
        while True:
            while place < len(text) and text[place] in _SPACE:
                place += 1
            if place == len(text):
                if self._open and self._ended and not self._cut:
                    elements.append("[")  # nobody closed the list: the file was cut, a bad line
                break
            if not self._begun and (wrapped := self.wrapper.match(text, place)):
                objects = wrapped[0].count("{") - wrapped[0].count("}")
                is_list = wrapped.groupdict().get("several")
                self._open += [1, objects - 1] if is_list else [objects]
                if columns := wrapped.groupdict().get("names"):
                    self._names = [
                        str(column.get("name") if isinstance(column, dict) else column)
                        for column in json.loads(columns)
                    ]
                self._begun, place = True, wrapped.end()
                continue
            if not self._open and text[place] == "[":
                self._open, self._begun = [0], True
                place += 1
                continue
            if self._open and text[place] == "]":
                end = self._close_wrapper(text, place + 1)
                if end is None:
                    break  # the end of the response is still to come
                self._open.pop()
                self._begun, place = False, end
                continue
            try:
                _, end = self._scan.raw_decode(text, place)
            except (ValueError, RecursionError):
                if not self._is_last(text, place):
                    break
                # Cut short, or no JSON: a bad line as far as another object may begin.
                after = _NEXT.search(text, place)
                end = after.end() if after else len(text)
                self._open = self._open if after else []
            if end == len(text) and not self._is_last(text, place):
                break  # a number may go on
            elements.append(self._write_element(text[place:end]))
            self._begun, place = True, end
        self._text = text[place:]
        return elements

    def _write_element(self, text: str) -> str:
        """A value as it is written on a line of its own; a table's row as an object.

        A row that hasn't a value for each column stays a list: a line that can't be read.
        """
        if self._names is None:
            return text
        try:
            cells = json.loads(text)
        except (ValueError, RecursionError):
            return text
        if not isinstance(cells, list) or len(cells) != len(self._names):
            return text
        return json.dumps(dict(zip(self._names, cells, strict=True)), ensure_ascii=False)

    def _is_last(self, text: str, place: int) -> bool:
        """Whether what stands from `place` on is all that there will be of an element."""
        return (self._ended and not self._cut) or len(text) - place > MOST

    def _close_wrapper(self, text: str, place: int) -> int | None:
        """Where what follows the records of a response ends; None if it isn't there yet.

        What is no JSON, or holds more records, is left to be a bad line.
        """
        begin = '{"":' * self._open[-1] + "0"
        try:
            _, end = self._scan.raw_decode(begin + text[place:])
        except (ValueError, RecursionError):
            return place if self._is_last(text, place) else None
        end += place - len(begin)
        return place if self.beside.search(text, place, end) else end


class JsonListStream(JsonArrayStream):
    """The entries of the list in an object, under whatever name, each on a line of its own."""

    wrapper = _LIST
    beside = re.compile(r"\[\s*\{")


class JsonTableStream(JsonArrayStream):
    """The rows of a table in an object, each as an object on a line of its own."""

    wrapper = _TABLE
    beside = re.compile(r"\[\s*\[")


def element_lines(
    head: bytes, complete: bool, elements: type[JsonArrayStream] = JsonArrayStream
) -> bytes:
    """The whole values of the beginning of a text as lines."""
    return b"".join(elements(io.BytesIO(head), cut=not complete).pieces)


DEEPEST = 8
"""Objects within objects that are looked into."""


def dotted_names(value: dict[str, Any], before: str = "", depth: int = 0) -> Iterable[str]:
    """Names of all that stands in an object, in objects in it, and in its lists of objects."""
    for name, field in value.items():
        if isinstance(field, dict) and depth < DEEPEST:
            yield from dotted_names(field, f"{before}{name}.", depth + 1)
        elif isinstance(field, list) and any(isinstance(part, dict) for part in field):
            for part in field[:20]:
                if isinstance(part, dict) and depth < DEEPEST:
                    yield from dotted_names(part, f"{before}{name}.", depth + 1)
        else:
            yield before + name


def unwrap_single(value: Any) -> Any:
    """The only element of a list, as Solr writes fields; any other value as it is."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


MOST_ROWS = 10_000
"""Rows that one object may give: lists side by side multiply."""


def explode_lists(value: Any, names: Sequence[str]) -> list[dict[str, Any]] | None:
    """The values under dotted names: one row, or one for each object of a nested list.

    Two lists side by side give every pair; None where that makes more than `MOST_ROWS`. A name that
    stands for itself, dots and all, goes first. Nothing is there for a name that leads nowhere.
    """
    rows: list[dict[str, Any]] = [{}]
    if not isinstance(value, dict):
        return rows
    deeper: dict[str, list[str]] = {}
    for name in names:
        if name in value:
            for row in rows:
                row[name] = value[name]
        elif "." in name:
            first, _, inner_name = name.partition(".")
            deeper.setdefault(first, []).append(inner_name)
    for first, below in deeper.items():
        inner = value.get(first)
        parts = inner if isinstance(inner, list) else [inner]
        inner_rows: list[dict[str, Any]] = []
        for part in parts:
            exploded = explode_lists(part, below)
            if exploded is None or len(rows) * (len(inner_rows) + len(exploded)) > MOST_ROWS:
                return None
            inner_rows += exploded
        rows = [
            row | {f"{first}.{name}": cell for name, cell in inner_row.items()}
            for row in rows
            for inner_row in inner_rows or [{}]
        ]
    return rows


# Google Takeout's pages of what somebody did, as the JSON lines that Takeout writes otherwise

_CELL = '<div class="outer-cell'
_HEADER = re.compile(r'"mdl-typography--title">(.*?)<', re.DOTALL)
_CONTENT = re.compile(r'mdl-typography--body-1">(.*?)</div>', re.DOTALL)
_LINK = re.compile(r'<a href="([^"]*)"')
_ZONED = re.compile(r"(.*\d|.*[AP]M) ?(?:([^\W\d]{3,5})|(?:GMT|UTC)?([+-]\d{1,2})(?::?(\d\d))?)")
_DAY_FIRST = re.compile(
    r"(\d{1,2})\.? ?(?:de )?(\d{1,2}|[^\W\d]+)\.? ?(?:de )?(\d{4}),? (\d{1,2})[:.](\d\d)[:.](\d\d)"
)
_HOURS: dict[str, int] = LOG_WORDS["hours"]
_MONTHS = {word: number for number, words in enumerate(LOG_WORDS["months"], 1) for word in words}


class ActivityStream(JsonArrayStream):
    """The cells of a page, each as a line of JSON."""

    def _split_elements(self) -> list[str]:
        pieces = re.split(f"(?={_CELL})", self._text)
        self._text = "" if self._ended and not self._cut else pieces.pop()
        return [_read_cell(piece) for piece in pieces if piece.startswith(_CELL)]


def _read_cell(cell: str) -> str:
    content, header = _CONTENT.search(cell), _HEADER.search(cell)
    markup = content[1] if content else ""
    link = _LINK.search(markup)
    plain = re.sub(r"<[^>]*>", "", markup.replace("<br>", "\n"))
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
    """A time with its zone, its month as in `_MONTHS`, as ISO 8601; "" if it isn't one."""
    parts = _ZONED.fullmatch(text)
    if parts is None or (parts[2] is not None and parts[2] not in _HOURS):
        return ""
    before = timedelta(hours=_HOURS[parts[2]] if parts[2] else int(parts[3]))
    before += timedelta(minutes=int(parts[4] or 0) * (-1 if (parts[3] or "")[:1] == "-" else 1))
    time_text, form = parts[1], "%b %d, %Y, %I:%M:%S %p"
    if fields := _DAY_FIRST.fullmatch(time_text):
        day, month, *remainder = fields.groups()
        time_text = " ".join((day, str(_MONTHS.get(month.lower(), month)), *remainder))
        form = "%d %m %Y %H %M %S"
    try:
        moment = datetime.strptime(time_text, form) - before
    except (ValueError, OverflowError):
        return ""
    return moment.replace(tzinfo=UTC).isoformat()
