"""How a log's rows are written: formats, which column plays which role, how times are read."""

import codecs
import functools
import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final
from zoneinfo import ZoneInfo

from auditor.errors import LogFormatError, ParameterError
from auditor.log.reading.presets.json_array import JsonArrayStream
from auditor.log.reading.presets.registry import PRESETS
from auditor.log.sentences import sentence
from auditor.log.user_column import UserCandidate, UserColumn
from auditor.messages import as_phrase, phrase

ROLES: Final = ("user", "query", "time", "url", "rank", "ip", "cookie")
"""What a column can be, in the order in which the compiled loops number them."""
ATTRIBUTE: Final = re.compile(r"[a-z][a-z0-9_]{0,31}")
"""How a column is called that is kept beside those: an attribute, like country or device."""
MOST_ATTRIBUTES: Final = 16
REQUIRED: Final = ("user", "query", "time")

FORMATS: Final = ("auto", "aol", "excite", "delimited", "parquet", "arrow", "jsonl", *PRESETS)

AOL_NAMES: Final = ("AnonID", "Query", "QueryTime", "ItemRank", "ClickURL")
AOL_ROLES: Final = ("user", "query", "time", "rank", "url")
EXTRA_NAMES: Final = {"IP": "ip", "Cookie": "cookie"}
"""Columns that may follow AOL's five."""
EXCITE_ROLES: Final = ("user", "time", "query")
EXCITE_TIME: Final = "%y%m%d%H%M%S"

TIME_FORMATS: Final = ("iso", "epoch_s", "epoch_ms", "epoch_us", "epoch_ns", "excel", "excel_1904")
"""Names of ways to write times; anything with a % is a pattern as `strptime` has it."""
DAYS_BEFORE_1970: Final = {"excel": 25_569, "excel_1904": 24_107}
"""The day of 1 January 1970, as spreadsheets count from 1900 or 1904."""
EPOCH_UNITS: Final = {"epoch_s": 1, "epoch_ms": 10**3, "epoch_us": 10**6, "epoch_ns": 10**9}

REASONS: Final = (
    *("", "empty line", "line too long", "NUL byte", "bad UTF-8", "wrong column count"),
    *("bad quoting", "repeated header", "field too long", "empty user", "bad time", "bad rank"),
    *("bad IP address", "bad JSON"),
)
"""Why a row is refused, by the numbers that the compiled loops give."""

RATIO_GRACE: Final = 64 * 2**20
"""Bytes that anything may expand to before its ratio is looked at."""
ANSWERS: Final = {"spellings": ("ask", "merge", "keep"), "shared_ids": ("ask", "drop", "keep")}
"""Options that say what is done with ids that aren't one person each, and their values."""

READ_FLAGS: Final = {
    name: name.replace("_", "-")
    for name in (
        *("format", "encoding", "header", "time_format", "time_zone", "table", "spellings"),
        *("shared_ids", "coarsen", "keep_shown"),
    )
} | {"since": "from", "until": "to", "only_users": "users"}
"""Options that the command line has as they are, by the names that they have there."""


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """What is stated about a log; None and "auto" are inferred from its beginning.

    Attributes
    ----------
    format
        auto, aol, excite, delimited, parquet, arrow, jsonl, or a known format (`presets`).
    columns
        Role (user, query, time, url, rank, ip, cookie) → a column's name, or its place from 0.
        Other names are attributes: columns that are kept beside the log, to be seen and measured.
        In JSON, names of what stands in objects are dotted. Of a web server's log, query is the
        name of the parameter that holds it. Names with a + between are columns that make up one
        value ("date+time", "ip+agent").
        Of the query and the time, what isn't given is guessed from names and contents; the user
        is taken from a format, a header that names it or from here, and never guessed.
    delimiter, quoting, header
        One ASCII character; whether fields may stand in double quotes; whether each file's
        first line names the columns.
    encoding
        As Python's `codecs` names it.
    time_format
        iso, epoch_s, epoch_ms, epoch_us, epoch_ns, excel (days since 1900), excel_1904, or a
        strptime pattern.
    time_zone
        The zone whose clock the log's times are: days begin at its midnight. Times that name no
        zone are taken for this clock's; others are turned to it.
    max_rejected_share
        The load fails if a larger share of the rows can't be read.
    max_line_bytes, max_field_bytes
        Longer lines and fields are refused.
    max_expanded_bytes, max_expansion_ratio
        A compressed file that grows beyond these is refused as a whole; None: no limit.
    keep_rejects
        How many refused rows are kept to be looked at; all are counted.
    table
        The table or sheet that is read of a file that has several.
    spellings
        Of ids that differ only in how they are written: "merge" takes them for one
        user, "keep" for several; "ask" does that, too, and calls the user column doubtful.
    shared_ids
        Of ids that are nobody's, a machine's or busier than a person: "drop" leaves their rows out
        and counts them as rejected, "keep" keeps them; "ask" does so and calls the column doubtful.
    since, until
        The first and the last day, or moment, whose rows are taken, on the log's clock: 2006-03-01
        or 2006-03-01T12:30:00.
    only_users
        A file with the ids, one a line, of the users whose rows are taken.
    coarsen
        How the values of columns kept beside the log become coarser, before anything else sees
        them: "city=regions.csv,agent=device". A table has two columns, a value and the coarser
        one, or one for each level, of which one is named: "city=places.csv#region"; device makes
        devices of user agents, language the base language of tags.
    keep_shown
        Of a log of events, whether what each search showed is kept beside it: `views` (how many
        results), `results_shown`, `positions_shown`, and of each column kept beside the log, like
        result_type, the values of these results (`result_type_shown`).
    """

    format: str = "auto"
    columns: Mapping[str, str | int] = field(default_factory=dict)
    delimiter: str | None = None
    header: bool | None = None
    quoting: bool | None = None
    encoding: str | None = None
    time_format: str | None = None
    time_zone: str = "UTC"
    max_rejected_share: float = 0.05
    max_line_bytes: int = 65_536
    max_field_bytes: int = 16_384
    max_expanded_bytes: int | None = 64 * 2**30
    max_expansion_ratio: float = 250.0
    keep_rejects: int = 1_000
    table: str | None = None
    spellings: str = "ask"
    shared_ids: str = "ask"
    since: str | None = None
    until: str | None = None
    only_users: str | None = None
    coarsen: str | None = None
    keep_shown: bool = False

    @property
    def is_part(self) -> bool:
        """Whether only a part of the rows is wanted."""
        return any(value is not None for value in (self.since, self.until, self.only_users))

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", MappingProxyType(dict(self.columns)))
        for name, expected, got in self._find_faults():
            raise _make_option_error(name, expected, got)

    def _find_faults(self) -> Iterator[tuple[str, str, object]]:
        """Each option that can't be, what it must be, and what it is."""
        if self.format not in FORMATS:
            yield "format", phrase("one of {formats}", formats=", ".join(FORMATS)), self.format
        for role, column in self.columns.items():
            if role not in ROLES and not _may_be_attribute(role):
                roles = ", ".join(ROLES)
                yield "columns", sentence("column_mapping.roles_or_attributes", roles=roles), role
            if isinstance(column, bool) or not isinstance(column, str | int):
                yield "columns", phrase("a name or a place for {role}", role=role), column
            elif isinstance(column, int) and not 0 <= column < 4096:
                yield "columns", phrase("a place in [0, 4096) for {role}", role=role), column
        if len(list_roles(self.columns)) > len(ROLES) + MOST_ATTRIBUTES:
            attribute_limit = phrase("no more than {most} attributes", most=MOST_ATTRIBUTES)
            yield "columns", attribute_limit, len(self.columns)
        if self.delimiter is not None and (
            len(self.delimiter) != 1 or not self.delimiter.isascii() or self.delimiter in '\n\r"\0'
        ):
            yield "delimiter", "one ASCII character, no quote or line end", self.delimiter
        for name, answers in ANSWERS.items():
            if (answer := getattr(self, name)) not in answers:
                yield name, phrase("one of {formats}", formats=", ".join(answers)), answer
        if self.encoding is not None:
            encoding_name(self.encoding)
        if self.time_format is not None:
            compile_time(self.time_format)
        try:
            ZoneInfo(self.time_zone)
        except (KeyError, OSError, ValueError, TypeError, AttributeError):
            yield "time_zone", "the name of a time zone, like Europe/Berlin", self.time_zone
        if not 0 <= self.max_rejected_share <= 1:
            yield "max_rejected_share", "a number in [0, 1]", self.max_rejected_share
        for name, low, high in (
            ("max_line_bytes", 16, 2**26),
            ("max_field_bytes", 1, 2**26),
            ("keep_rejects", 0, 10**7),
        ):
            if not low <= (value := getattr(self, name)) <= high:
                yield name, phrase("an integer in [{low}, {high}]", low=low, high=high), value
        if self.max_expanded_bytes is not None and self.max_expanded_bytes < 1:
            yield "max_expanded_bytes", "a positive integer", self.max_expanded_bytes
        if not self.max_expansion_ratio >= 1:
            yield "max_expansion_ratio", "a number of at least 1", self.max_expansion_ratio

    def describe_excess(self, packed: int, expanded: int) -> str:
        """What `packed` bytes that become `expanded` exceed, in words; empty if nothing."""
        byte_limit, ratio = self.max_expanded_bytes, self.max_expansion_ratio
        if byte_limit is not None and expanded > byte_limit:
            return sentence("sources.unpacked_larger_bytes_max", expanded=byte_limit)
        if expanded > RATIO_GRACE and expanded > max(1, packed) * ratio:
            return sentence("sources.expands_times_max_expansion", ratio=ratio)
        return ""

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return functools.partial(ReadOptions, **values | {"columns": dict(self.columns)}), ()


def list_roles(columns: Iterable[str]) -> tuple[str, ...]:
    """The roles, and behind them the attributes among some columns, by name."""
    return (*ROLES, *sorted(set(columns) - set(ROLES)))


def name_attribute(column: str, used_names: Collection[str]) -> str:
    """What an attribute is called by its column's name, unlike the roles and `used_names`."""
    plain = re.sub(r"[^a-z0-9]+", "_", column.lower()).strip("_")[:20]
    name = plain if plain and plain[0].isalpha() and _may_be_attribute(plain) else f"column_{plain}"
    tried = (name if number == 1 else f"{name}_{number}" for number in itertools.count(1))
    return next(candidate for candidate in tried if candidate not in used_names)


def _may_be_attribute(name: str) -> bool:
    """Whether a column can be kept under a name, which is no slip for a role."""
    from rapidfuzz.distance import OSA

    slips = (OSA.distance(name, role) <= min(2, (len(role) - 1) // 2) for role in ROLES)
    return ATTRIBUTE.fullmatch(name) is not None and not any(slips)


def _make_option_error(name: str, expected: str, got: object) -> ParameterError:
    text = sentence(
        "column_mapping.reading_option_must_got", name=name, wanted=as_phrase(expected), got=got
    )
    return ParameterError(name, text)


def encoding_name(name: str) -> str:
    """The standard name of a text encoding; raises `ParameterError` if there is none such."""
    try:
        info = codecs.lookup(name)
        "a".encode(name).decode(name)
        bytes(range(256)).decode(name, "replace")  # what can't do that can't read a log
    except (LookupError, UnicodeError, ValueError, AttributeError, TypeError):
        raise _make_option_error(
            "encoding", "the name of a text encoding, like utf-8", name
        ) from None
    return info.name


@dataclass(frozen=True)
class TimeForm:
    """A way to write times as the compiled loops take it; see `time_kernels`."""

    kind: int
    unit: int = 1
    pattern: tuple[int, ...] = ()

    @property
    def zoned(self) -> bool:
        """Whether every time names its zone, or counts from a moment; of ISO 8601 each row says."""
        return self.kind == _EPOCH or _ZONE in self.pattern


_ISO, _EPOCH, _PATTERN, SERIAL = 0, 1, 2, 3
_ZONE, _SPACE, _LITERAL = 12, 13, 256
_OPERATIONS = {
    "Y": (0,), "y": (1,), "m": (2,), "d": (3,), "H": (4,), "I": (5,), "M": (6,), "S": (7,),
    "b": (8,), "B": (8,), "h": (8,), "a": (9,), "A": (9,), "p": (10,), "f": (11,), "z": (_ZONE,),
    "Z": (_ZONE,), "%": (_LITERAL + 37,),
    "T": (4, _LITERAL + 58, 6, _LITERAL + 58, 7),
    "F": (0, _LITERAL + 45, 2, _LITERAL + 45, 3),
}  # fmt: skip


def compile_time(form: str) -> TimeForm:
    """A time format as operations; raises `ParameterError` for one that can't be read."""
    if form == "iso":
        return TimeForm(_ISO)
    if form in EPOCH_UNITS:
        return TimeForm(_EPOCH, EPOCH_UNITS[form])
    if form in DAYS_BEFORE_1970:
        return TimeForm(SERIAL, DAYS_BEFORE_1970[form])
    if "%" not in form:
        raise _make_option_error(
            "time_format",
            phrase("{formats} or a pattern like %Y-%m-%d", formats=", ".join(TIME_FORMATS)),
            form,
        )
    operations: list[int] = []
    letters = iter(form)
    for letter in letters:
        if letter == "%":
            directive = next(letters, "")
            if directive not in _OPERATIONS or not directive:
                directives = " ".join(f"%{name}" for name in _OPERATIONS)
                raise _make_option_error(
                    "time_format", phrase("a pattern of {known}", known=directives), form
                )
            operations += _OPERATIONS[directive]
        elif letter == " ":
            operations.append(_SPACE)
        else:
            operations += [_LITERAL + byte for byte in letter.encode("utf-8")]
    return TimeForm(_PATTERN, 1, tuple(operations))


@dataclass(frozen=True)
class ColumnLayout:
    """Everything needed to read rows, nothing left to guess.

    `columns` are the places (from 0) of the roles that there are, or for named fields (JSON
    lines, Parquet) their names; `joined` those of the several columns that make up a role's value
    together; `width` is how many columns a row has, `short_width` a smaller
    number that will do.
    """

    format: str
    columns: Mapping[str, str | int]
    time: TimeForm
    delimiter: str = "\t"
    quoting: bool = False
    encoding: str = "utf-8"
    returns: bool = False
    width: int = 0
    short_width: int = -1
    padded: bool = False
    """Whether blanks behind delimiters, and before them, are no part of the fields."""
    header: bytes = b""
    skipped_lines: int = 0
    """Lines before the first row: the header, and what stands above it."""
    elements: type[JsonArrayStream] | None = None
    """What turns the text into lines of JSON, where it isn't any."""
    zoned: bool = True
    """Whether counts since 1970 are moments; in some known formats they are what a clock showed."""
    joined: Mapping[str, tuple[str | int, ...]] = field(default_factory=dict)
    roles: tuple[str, ...] = ROLES
    """The roles and attributes of all files of the log, by the numbers that the loops know."""

    @property
    def recoded(self) -> str | None:
        """The encoding to translate from, None if the bytes are UTF-8 already."""
        return None if self.encoding in ("utf-8", "ascii", "utf-8-sig") else self.encoding


@dataclass(frozen=True)
class SniffedLog:
    """What a log looks like from its beginning, ready to be shown and corrected.

    `options` hold every guess; edit them with `dataclasses.replace` and sniff again. Memory is
    in bytes, rows are estimated from the first quarter of a megabyte. `problems` say what keeps
    the log from being read; `notes` what was assumed or left out.
    """

    format: str
    options: ReadOptions
    files: tuple[Path, ...]
    compression: str
    column_names: tuple[str, ...]
    preview: tuple[tuple[str, ...], ...]
    bytes_on_disk: int
    estimated_rows: int
    estimated_memory: int
    estimated_peak: int
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    user: UserColumn | None = None
    candidates: tuple[UserCandidate, ...] = ()
    """Columns that may hold the users, where nobody named it; the likeliest first."""
    parameters: tuple[tuple[str, int], ...] = ()
    """Of a web server's log, the addresses' parameters and how often each stands there."""
    headers: tuple[tuple[str, ...] | None, ...] = ()
    """The names of all columns of each part; None where a part may have others than are named in
    its beginning."""


def split_name(column: str, names: Sequence[str]) -> tuple[str, ...]:
    """The columns that a name means: itself, or those between whose names it has a +."""
    return (column,) if column in names else tuple(part.strip() for part in column.split("+"))


def has_column(names: Sequence[str], column: str) -> bool:
    """Whether a column, or each that makes it up, is there once."""
    return all(names.count(part) == 1 for part in split_name(column, names))


def column_places(
    columns: Mapping[str, str | int], names: tuple[str, ...], width: int
) -> dict[str, int]:
    """The place of each role's column; raises `LogFormatError` for one that isn't there."""
    places: dict[str, int] = {}
    for role, column in columns.items():
        if isinstance(column, int):
            if column >= width:
                text = sentence(
                    "column_mapping.column_beyond_last_counted",
                    column=column,
                    role=role,
                    width=width,
                )
                raise LogFormatError(text)
            places[role] = column
        elif names.count(column) == 1:
            places[role] = names.index(column)
        else:
            # Of the names there only those like the wanted one are said: what is taken for names
            # may be somebody's query.
            amount = "more than one column" if column in names else "no column"
            from auditor.fuzzy_search import did_you_mean

            suggestion = did_you_mean(column[:80], names) if column not in names else ""
            facts = {"much": amount, "column": column[:80], "role": role, "meant": suggestion}
            raise LogFormatError(sentence("column_mapping.called_take", **facts), columns=True)
    role_of_place: dict[int, str] = {}
    for role, place in places.items():
        if place in role_of_place:
            both = {"taken": as_phrase(role_of_place[place]), "role": as_phrase(role)}
            raise LogFormatError(phrase("One column can't be both {taken} and {role}.", **both))
        role_of_place[place] = role
    return places
