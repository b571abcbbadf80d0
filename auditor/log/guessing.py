"""What a log looks like from its first quarter of a megabyte: a layout, and what was assumed.

Everything here is a guess that a person may correct; whatever the options say is taken as said.
"""

from __future__ import annotations

import codecs
import csv
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from auditor.errors import LogFormatError
from auditor.log import mapping
from auditor.log.mapping import AOL_NAMES, AOL_ROLES, EXCITE_ROLES, EXCITE_TIME, Layout, ReadOptions

Rows = list[list[str]]

BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
DELIMITERS = "\t,;|"
PATTERNS = (
    EXCITE_TIME,
    "%Y%m%d%H%M%S",
    "%d/%b/%Y:%H:%M:%S %z",
    "[%d/%b/%Y:%H:%M:%S %z]",
    "%Y/%m/%d %H:%M:%S",
    "%Y/%m/%d %H:%M",
    "%m/%d/%Y %H:%M:%S",
    "%m/%d/%Y %H:%M",
    "%m/%d/%Y %I:%M:%S %p",
    "%m/%d/%Y %I:%M %p",
    "%d/%m/%Y %H:%M:%S",
    "%d/%m/%Y %H:%M",
    "%d.%m.%Y %H:%M:%S",
    "%d.%m.%Y %H:%M",
    "%d-%b-%Y %H:%M:%S",
    "%a %b %d %H:%M:%S %Y",
    "%a, %d %b %Y %H:%M:%S %z",
    "%Y-%m-%d",
    "%m/%d/%Y",
    "%d/%m/%Y",
)
_ISO = re.compile(
    r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[ Tt]([01]\d|2[0-3]):[0-5]\d"
    r"(:[0-6]\d([.,]\d+)?)?( ?([Zz]|UTC|GMT|[+-]\d\d(:?\d\d)?))?"
)
_EPOCHS = (
    ("epoch_s", re.compile(r"[1-4]?\d{9}(\.\d+)?")),
    ("epoch_ms", re.compile(r"[1-4]?\d{12}")),
    ("epoch_us", re.compile(r"[1-4]?\d{15}")),
    ("epoch_ns", re.compile(r"[1-4]?\d{18}")),
)
_URL = re.compile(r"(?i)(https?|ftp)://|(www\.)?[\w-]+(\.[\w-]+)*\.[a-z]{2,}(/\S*)?$")
_IP = re.compile(r"\d{1,3}(\.\d{1,3}){3}$")
_SHARE = 0.8
"""Of a column's values, how many must look like something for the column to be taken for it."""


@dataclass
class Guess:
    """A layout with the evidence: column names, the first rows, assumptions and problems."""

    layout: Layout | None
    options: ReadOptions
    names: tuple[str, ...] = ()
    rows: Rows = field(default_factory=list)
    header: bool = False
    assumptions: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    row_bytes: float = 64.0


def guess_encoding(head: bytes, notes: list[str]) -> str:
    """The encoding of a text from its byte order mark or its bytes."""
    for mark, name in BOMS:
        if head.startswith(mark):
            return name
    if len(head) >= 4 and head.count(0) * 4 > len(head):
        odd = head[1::2].count(0)
        if odd * 10 > len(head) * 3 or (head.count(0) - odd) * 10 > len(head) * 3:
            name = "utf-16-le" if odd * 10 > len(head) * 3 else "utf-16-be"
            notes.append(f"the encoding is taken for {name}")
            return name
    beyond = [line for line in head.split(b"\n")[:-1] if not line.isascii()]
    bad = sum(not _is_utf8(line) for line in beyond)
    # A few bad lines are bad lines; if nothing beyond ASCII is UTF-8, it is another encoding.
    if bad >= 5 and bad * 10 >= len(beyond) * 9:
        notes.append("the encoding is taken for Windows-1252, as the text is no UTF-8")
        return "cp1252"
    return "utf-8"


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def guess(head: bytes, complete: bool, options: ReadOptions) -> Guess:
    """Work out the layout of a text from its beginning; `complete` if `head` is all of it."""
    notes: list[str] = []
    encoding = options.encoding or guess_encoding(head, notes)
    encoding = mapping.encoding_name(encoding)
    text = codecs.getincrementaldecoder(encoding)("replace").decode(head, complete)
    text = text.removeprefix("\ufeff")
    returns = "\n" not in text and "\r" in text
    if returns:
        notes.append("lines end with carriage returns")
        text = text.replace("\r", "\n")
    lines = text.split("\n")
    ended = lines.pop()
    if complete and ended:
        lines.append(ended)
    elif not lines:
        lines = [ended[: options.max_line_bytes]]
    lines = [line.removesuffix("\r") for line in lines]
    known = options.__class__(**(_values(options) | {"encoding": encoding}))
    if options.format == "jsonl" or (options.format == "auto" and _looks_json(lines)):
        found = _guess_json(lines, known)
    else:
        found = _guess_delimited(lines, known, returns)
    found.assumptions = notes + found.assumptions
    size = len(head) - (0 if complete else len(ended.encode("utf-8", "replace")))
    found.row_bytes = max(1.0, size / max(1, len(lines)))
    return found


def _values(options: ReadOptions) -> dict[str, object]:
    return {name: getattr(options, name) for name in options.__dataclass_fields__}


def with_changes(options: ReadOptions, **changes: object) -> ReadOptions:
    """A copy of `options` with some values changed."""
    return ReadOptions(**(_values(options) | changes))  # type: ignore[arg-type]


def _looks_json(lines: Sequence[str]) -> bool:
    first = [line for line in lines[:50] if line.strip()]
    if not first or not first[0].lstrip().startswith("{"):
        return False
    return sum(isinstance(_object(line), dict) for line in first) * 2 >= len(first)


def _object(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _guess_json(lines: Sequence[str], options: ReadOptions) -> Guess:
    objects = [found for line in lines[:200] if isinstance(found := _object(line), dict)]
    names = tuple(dict.fromkeys(name for found in objects for name in found))[:200]
    rows = [
        ["" if found.get(name) is None else str(found.get(name)) for name in names]
        for found in objects
    ]
    made = Guess(None, with_changes(options, format="jsonl"), names, rows)
    if not objects:
        made.problems.append("No line of the beginning is a JSON object.")
        return made
    return finish_named(made, options)


def finish_named(made: Guess, options: ReadOptions) -> Guess:
    """Roles and times of a format whose fields have names (JSON lines, Parquet)."""
    try:
        roles = mapping.places(options.columns, made.names, len(made.names))
        if not options.columns:
            roles = _guess_roles(made.names, made.rows, made.assumptions)
    except LogFormatError as error:
        made.problems.append(str(error))
        return made
    form = options.time_format or _time_of(made, roles)
    if form is None:
        return made
    columns = {role: made.names[place] for role, place in roles.items()}
    made.options = with_changes(made.options, columns=columns, time_format=form)
    if _complete(roles, made.problems):
        made.layout = Layout(
            made.options.format,
            columns,
            mapping.compile_time(form),
            encoding=made.options.encoding or "utf-8",
        )
    return made


def _guess_delimited(lines: Sequence[str], options: ReadOptions, returns: bool) -> Guess:
    fixed = {"aol": "\t", "excite": "\t"}.get(options.format)
    delimiter = options.delimiter or fixed or _guess_delimiter(lines)
    quoting = options.quoting
    if quoting is None:
        quoting = delimiter != "\t" or _all_quoted(lines[0] if lines else "")
        if options.format in ("aol", "excite") and delimiter != "\t":
            quoting = False
    rows = _split(lines[:500], delimiter, quoting)
    options = with_changes(options, delimiter=delimiter, quoting=quoting)
    made = Guess(None, options, rows=rows)
    widths = Counter(len(row) for row in rows if row)
    width = widths.most_common(1)[0][0] if widths else 0
    try:
        _roles_of_columns(made, width)
    except LogFormatError as error:
        made.problems.append(str(error))
    if made.problems or made.options.time_format is None:
        return made
    roles = mapping.places(made.options.columns, made.names if made.header else (), len(made.names))
    if _complete(roles, made.problems):
        header = lines[0].encode("utf-8", "surrogatepass") if made.header else b""
        made.layout = Layout(
            made.options.format,
            dict(roles),
            mapping.compile_time(made.options.time_format),
            delimiter=delimiter,
            quoting=quoting,
            encoding=options.encoding or "utf-8",
            returns=returns,
            width=len(made.names),
            short_width=3 if made.options.format == "aol" and len(made.names) == 5 else -1,
            header=header,
        )
    return made


def _roles_of_columns(made: Guess, width: int) -> None:
    """Fill in names, header, roles and time format of delimited rows."""
    options, rows = made.options, made.rows
    first = rows[0] if rows else []
    kind = options.format
    named = is_aol_header(first)
    if kind == "auto":
        kind = "aol" if named and options.delimiter == "\t" else "delimited"
    if kind == "aol":
        made.header = named if options.header is None else options.header
        made.names = tuple(first) if named else AOL_NAMES
        roles = dict(zip(AOL_ROLES, range(5), strict=True))
        for place, name in enumerate(made.names[5:], 5):
            roles[
                {key.lower(): role for key, role in mapping.EXTRA_NAMES.items()}[name.lower()]
            ] = place
    elif kind == "excite":
        made.header, made.names = bool(options.header), ("user", "time", "query")
        roles = dict(zip(EXCITE_ROLES, range(3), strict=True))
    else:
        made.header = _has_header(rows, width) if options.header is None else options.header
        if made.header:
            made.names = tuple(first)
        else:
            made.names = tuple(f"column {place + 1}" for place in range(width))
        roles = {}
    body = made.rows = rows[1:] if made.header else rows
    if options.columns:
        roles = mapping.places(options.columns, made.names if made.header else (), len(made.names))
    elif not roles:
        kind, roles = _known_shape(body, made, kind)
    made.options = with_changes(
        options,
        format=kind,
        header=made.header,
        columns=_named(roles, made.names, made.header),
    )
    form = options.time_format or {"aol": "iso", "excite": EXCITE_TIME}.get(kind)
    form = form or _time_of(made, roles)
    if form is not None:
        made.options = with_changes(made.options, time_format=form)


def _known_shape(body: Rows, made: Guess, kind: str) -> tuple[str, dict[str, int]]:
    """Excite's rows and AOL's without a header by their contents, else a guess by column."""
    columns = _columns(body, len(made.names))
    if made.options.delimiter == "\t" and not made.header and made.options.format == "auto":
        if len(columns) == 3 and _share(columns[1], EXCITE_TIME) >= _SHARE:
            return "excite", dict(zip(EXCITE_ROLES, range(3), strict=True))
        ranks = [value for value in columns[3] if value] if len(columns) == 5 else ["no"]
        if all(rank.isdecimal() for rank in ranks) and _share(columns[2], "iso") >= _SHARE:
            made.assumptions.append("without a header, the columns are taken for AOL's")
            made.names = AOL_NAMES
            return "aol", dict(zip(AOL_ROLES, range(5), strict=True))
    return kind, _guess_roles(made.names if made.header else (), body, made.assumptions)


def _named(roles: Mapping[str, int], names: Sequence[str], header: bool) -> dict[str, str | int]:
    """Roles by column name where that is enough to find it, else by place."""
    unique = Counter(names)
    return {
        role: names[place] if header and unique[names[place]] == 1 else place
        for role, place in roles.items()
    }


def is_aol_header(row: Sequence[str]) -> bool:
    """Whether a row is AOL's header, with or without the columns that may follow."""
    plain = [name.strip().lower() for name in row]
    extra = {name.lower() for name in mapping.EXTRA_NAMES}
    return (
        plain[:5] == [name.lower() for name in AOL_NAMES]
        and set(plain[5:]) <= extra
        and len(set(plain)) == len(plain)
    )


def _guess_delimiter(lines: Sequence[str]) -> str:
    scores: list[tuple[float, str]] = []
    for delimiter in DELIMITERS:
        widths = Counter(len(row) for row in _split(lines[:200], delimiter, delimiter != "\t"))
        width, count = widths.most_common(1)[0] if widths else (0, 0)
        share = count / max(1, widths.total())
        if width >= 3 and share >= 0.9:
            return delimiter
        scores.append((share if width >= 3 else share * 0.1 * (width - 1), delimiter))
    best = max(score for score, _ in scores)
    return next(delimiter for score, delimiter in scores if score == best)


def _all_quoted(line: str) -> bool:
    fields = line.split("\t")
    return len(fields) > 1 and all(len(name) >= 2 and name[0] == name[-1] == '"' for name in fields)


def _split(lines: Sequence[str], delimiter: str, quoting: bool) -> Rows:
    if not quoting:
        return [line.split(delimiter) for line in lines if line]
    rows: Rows = []
    reader = csv.reader((line + "\n" for line in lines), delimiter=delimiter)
    while True:
        try:
            rows.append(next(reader))
        except StopIteration:
            break
        except csv.Error:
            continue
    return [row for row in rows if row]


def _columns(rows: Rows, width: int) -> list[list[str]]:
    whole = [row for row in rows if len(row) == width]
    return [[row[place] for row in whole] for place in range(width)]


def _is_time(value: str, form: str) -> bool:
    if form == "iso":
        return _ISO.fullmatch(value) is not None
    for name, shape in _EPOCHS:
        if form == name:
            return shape.fullmatch(value) is not None
    if form == EXCITE_TIME and not (len(value) == 12 and value.isdecimal()):
        return False
    if form == "%Y%m%d%H%M%S" and not (len(value) == 14 and value.isdecimal()):
        return False
    try:
        datetime.strptime(value, form)  # noqa: DTZ007
    except ValueError:
        return False
    return True


def _share(values: Sequence[str], form: str) -> float:
    """Of the values that aren't empty, the share that are times of this form."""
    some = [value for value in values if value][:100]
    return sum(_is_time(value, form) for value in some) / len(some) if some else 0.0


def guess_time(values: Sequence[str]) -> str | None:
    """The time format that most values have, if any fits `_SHARE` of them."""
    best, form = _SHARE, None
    for candidate in ("iso", *PATTERNS, *(name for name, _ in _EPOCHS)):
        share = _share(values, candidate)
        if share > best or (share == best and form is None):
            best, form = share, candidate
    return form


def _time_of(made: Guess, roles: Mapping[str, int]) -> str | None:
    if "time" not in roles:
        made.problems.append("No column could be taken for the time.")
        return None
    values = _columns(made.rows, len(made.names))[roles["time"]]
    form = guess_time(values)
    if form is None:
        made.problems.append(
            "How times are written could not be guessed: give the time format."
            if any(values)
            else "There is no row to guess the time format from."
        )
        return None
    made.assumptions.append(f"times are read as {form}")
    if form.startswith("%m/%d/%Y") and _share(values, "%d/%m" + form[5:]) == _share(values, form):
        made.assumptions.append("in dates the month is taken to stand before the day")
    return form


def _has_header(rows: Rows, width: int) -> bool:
    if not rows:
        return False
    names = [mapping.role_of(name) for name in rows[0]]
    if len({name for name in names if name}) >= 2:
        return True
    for place, values in enumerate(_columns(rows[1:], width)):
        form = guess_time(values)
        if form is not None:
            return place < len(rows[0]) and not _is_time(rows[0][place], form)
    return False


def _guess_roles(names: Sequence[str], rows: Rows, assumptions: list[str]) -> dict[str, int]:
    """Roles from column names, and what names leave open from contents."""
    roles: dict[str, int] = {}
    for role, known in mapping.NAMES.items():
        plain = ["".join(x for x in name.lower() if x.isalnum()) for name in names]
        for name in known:
            if name in plain and plain.index(name) not in roles.values():
                roles[role] = plain.index(name)
                break
    columns = _columns(rows, len(names) or max((len(row) for row in rows[:1]), default=0))
    for role in ("time", "ip", "url", "rank", "query", "user"):
        free = [place for place in range(len(columns)) if place not in roles.values()]
        if role not in roles and (place := _by_contents(role, free, columns)) is not None:
            roles[role] = place
            assumptions.append(f"column {place + 1} is taken for the {role}, by its contents")
    return roles


def _by_contents(role: str, free: Sequence[int], columns: Sequence[Sequence[str]]) -> int | None:
    def share(place: int, test: re.Pattern[str]) -> float:
        some = [value for value in columns[place] if value][:200]
        return sum(test.match(value) is not None for value in some) / len(some) if some else 0.0

    if role == "time":
        for place in free:
            if guess_time(columns[place]) is not None:
                return place
        return None
    if role in ("ip", "url", "rank"):
        shape = {"ip": _IP, "url": _URL, "rank": re.compile(r"\d{1,3}$")}[role]
        # The user is the one column that must remain.
        fits = [place for place in free if share(place, shape) >= _SHARE]
        return fits[-1] if fits and len(free) > 2 else None
    if not free:
        return None
    if role == "query":
        words = re.compile(r".*[^\W\d].*\s|.*[^\W\d]")
        spaces = re.compile(r".*\S\s+\S")
        return max(free, key=lambda place: (share(place, spaces), share(place, words)))
    return free[0]


def _complete(roles: Mapping[str, int], problems: list[str]) -> bool:
    missing = [role for role in mapping.REQUIRED if role not in roles]
    if missing:
        problems.append("No column is said to be, or looks like, the " + ", the ".join(missing))
    return not missing
