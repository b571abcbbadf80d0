"""What columns hold, told from the first values: times and how they are written, roles."""

import functools
import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import NamedTuple
from urllib.parse import unquote_plus

from auditor.log.model import MISSING
from auditor.log.reading import column_names
from auditor.log.reading.column_mapping import DAYS_BEFORE_1970, EPOCH_UNITS, EXCITE_TIME
from auditor.log.reading.presets.base import LOG_WORDS
from auditor.log.reading.search_events import EVENT
from auditor.messages import as_phrase, phrase

Rows = list[list[str]]

NARROW_BLANK = "\u202f"
"""What JavaScript writes before AM and PM."""
_HALVES = (" %I:%M:%S %p", " %I:%M %p")
_CLOCKS = (
    *(" %H:%M:%S", " %H:%M", *_HALVES),
    *(", %H:%M:%S", ", %H:%M", *(f",{clock}" for clock in _HALVES)),
    *(f",{clock.replace(' %p', NARROW_BLANK + '%p')}" for clock in _HALVES),  # JavaScript's
    "",
)
_DAYS_FIRST = tuple(f"%d{mark}%m{mark}%Y{clock}" for mark in ("/", "-") for clock in _CLOCKS)
_SHORT_DAYS_FIRST = tuple(form.replace("%Y", "%y") for form in _DAYS_FIRST)
SWAPPED = {form: f"%m{form[2]}%d{form[5:]}" for form in (*_DAYS_FIRST, *_SHORT_DAYS_FIRST)}
SWAPPED |= {other: form for form, other in SWAPPED.items()}
"""Forms with the day and the month in one order, and those in the other."""
_SHORT_YEARS = (
    *(SWAPPED[form] for form in _SHORT_DAYS_FIRST),
    *_SHORT_DAYS_FIRST,
    *(f"%d{mid}%y{clock}" for mid in (".%m.", "-%b-", " %b ") for clock in _CLOCKS),
    "%d-%b-%y %I.%M.%S.%f %p",  # Oracle's
    *(f"%y{mid}%d{clock}" for mid in ("/%m/", "-%m-", ".%m.", "-%b-") for clock in _CLOCKS),
)
"""Forms with two digits for the year: see `_guess_short_year`."""
_NAMED_DAYS = ("%d-%b-%Y", "%d/%b/%Y", "%d %b %Y", "%d. %b %Y", "%d de %b de %Y")
PATTERNS = (
    EXCITE_TIME,
    "%Y%m%d%H%M%S",
    "%d/%b/%Y:%H:%M:%S %z",
    "[%d/%b/%Y:%H:%M:%S %z]",
    *(f"%Y{mark}%m{mark}%d{clock}" for mark in ("/", ".", "") for clock in _CLOCKS[:4]),
    *(f"%m{form[2]}%d{form[5:]}" for form in _DAYS_FIRST),
    *_DAYS_FIRST,
    *(f"%d.%m.%Y{clock}" for clock in _CLOCKS),
    *(f"{day}{clock}" for day in (*_NAMED_DAYS, "%b %d, %Y", "%b %d %Y") for clock in _CLOCKS),
    "%b %d, %Y @ %H:%M:%S.%f",  # Kibana's and OpenSearch Dashboards'
    "%b %d %Y %I:%M%p",  # SQL Server's
    "%a %b %d %H:%M:%S %Y",
    "%a %b %d %H:%M:%S %Z %Y",
    "%a, %d %b %Y %H:%M:%S %z",
    "%a, %d %b %Y %H:%M:%S %Z",
    "%A, %B %d, %Y %I:%M:%S %p",
    "%A, %d %B %Y %H:%M:%S",
    "%a %b %d %Y %H:%M:%S GMT%z",
    "%d%b%Y:%H:%M:%S",  # SAS's
    "%Y-%m-%d %H:%M:%S %z UTC",  # Go's
    "%Y-%m-%d %H:%M:%S.%f %z UTC",
    "%Y%m%dT%H%M%S%z",
    "%Y%m%dT%H%M%S",
    "%a %b %d %H:%M:%S %z %Y",  # Twitter's
    "%Y-%m-%d-%H.%M.%S.%f",  # DB2's
    *(f"{day} %H:%M{second}" for day in ("%Y-%m-%d", "%Y年%m月%d日") for second in (":%S", "")),
    "%Y年%m月%d日",
    "%Y-%m-%d %I:%M:%S %p",
    "%Y-%m-%d",
)
DATES = frozenset(
    form for form in (*PATTERNS, *_SHORT_YEARS) if "%H" not in form and "%I" not in form
)
_ISO = re.compile(
    r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[ Tt]([01]\d|2[0-3]):[0-5]\d"
    r"(:[0-6]\d([.,]\d+)?)?( ?([Zz]|UTC|GMT|[+-]\d\d(:?\d\d)?))?"
)
_EPOCHS = {
    form: re.compile(rf"[12]\d{{{digits}}}([.,]\d+)?")
    for form, digits in zip(EPOCH_UNITS, (9, 12, 15, 18), strict=True)
}
"""Counts since 1970 of times from 2001 to 2065: others may be another count, or date and clock."""
_SERIAL = re.compile(r"[3-6]\d{4}([.,]\d{1,12})?")
"""Days since 1900 as spreadsheets count them, from 1982 to 2091."""
_SHAPES = {"iso": _ISO, **_EPOCHS, **dict.fromkeys(DAYS_BEFORE_1970, _SERIAL)}
CLOCK = re.compile(r"([01]?\d|2[0-3]):[0-5]\d(:[0-6]\d([.,]\d+)?)?( ?[AaPp][Mm])?")
"""A time of day."""
_MIDNIGHT = re.compile(r".*[ T]00:00(:00([.,]0+)?)?")
_MONTHS = {word: words[0] for words in LOG_WORDS["months"] for word in words}
_MONTH = re.compile(
    rf"(?i)(?<![^\W\d])({'|'.join(sorted(_MONTHS, reverse=True))})[^\W\d]*(?:\.(?!\d))?"
)
_URL = re.compile(r"(?i)(https?|ftp)://|(www\.)?[\w-]+(\.[\w-]+)*\.[a-z]{2,}(/\S*)?$")
_IP = re.compile(r"\d{1,3}(\.\d{1,3}){3}$")
_SHORT_NUMBER = re.compile(r"\d{1,3}$")
_OTHER_DATES = re.compile(r"(?i)birth|geburt|\bdob\b|expir|naiss|nacim")
_CLICKS = ("clickurl", "clickedurl", "resulturl")
"""Names that can mean nothing but what was clicked."""
_CLICKED = re.compile(r"(?i)click(s|ed)?|clicked_?(results?|docs?|documents?|items?)")
_RESULTS = re.compile(r"(?i)result|hit|doc|item|click|respon|suggest|facet")
"""Objects that tell of what was clicked, and of what a search found rather than of the search."""
_MAY_BE_IP = re.compile(rf"{_IP.pattern}|\d+$").match
_OPAQUE = re.compile(r"(?=.*\d)[\w.-]*\d[\w.-]*|[0-9a-fA-F]{8,}")
"""An id: letters and digits without a blank."""
_HOLDER = re.compile(r"(https?:/)?/\S*(\?|$)|\??\w+=\S*(&|$)|\{\s*\"")
"""Addresses and pages, their parameters and JSON objects, in which what was searched may stand."""
MOST_ALIKE = 50
"""Rows from which on a query that is always the same, or an id of its own, is none."""
_FEW = 10
"""Rows from which on numbers, dates and addresses are no queries."""
MOST_CATEGORIES = 5
"""Different values of a column of categories, at most."""
SHARE = 0.8
"""Of a column's values, how many must look like something for the column to be taken for it."""

LOOKED_AT = 300
"""Characters of a value that are looked at: patterns take their time over long ones."""


def columns_of(rows: Rows, width: int) -> list[list[str]]:
    full_rows = [row for row in rows if len(row) == width]
    return [[row[place][:LOOKED_AT] for row in full_rows] for place in range(width)]


def without_missing(values: Sequence[str]) -> list[str]:
    """The values, empty where a program wrote its word for a missing one."""
    return ["" if value in MISSING else value for value in values]


def is_time(value: str, form: str) -> bool:
    value = value.strip(" ")
    if (shape := _SHAPES.get(form)) is not None:
        return shape.fullmatch(value) is not None
    digits = {EXCITE_TIME: 12, "%Y%m%d%H%M%S": 14}.get(form)
    if digits is not None and not (len(value) == digits and value.isdecimal()):
        return False
    # `strptime` takes most of the time of a small log's reading, so it only sees what may fit.
    for mark, count in _list_marks(form):
        if value.count(mark) < count:
            return False
    if NARROW_BLANK in value and NARROW_BLANK not in form:
        return False
    try:
        parse_moment(value, form)
    except ValueError:
        return False
    return True


def parse_moment(value: str, form: str) -> datetime:
    """The time of a pattern, names of months in any of the known languages; raises `ValueError`."""
    if "%b" in form or "%B" in form:
        form = form.replace("%B", "%b")
        value = _MONTH.sub(lambda name: _MONTHS[name[1].lower()], value, count=1)
    if "%f" in form:  # Python reads no nanoseconds
        value = re.sub(r"(\.\d{6})\d+", r"\1", value)
    return datetime.strptime(value, form)


@functools.lru_cache(maxsize=256)
def _list_marks(form: str) -> tuple[tuple[str, int], ...]:
    """The marks between a form's parts, with how often each stands in a time at least."""
    between = re.sub("%.", "", form)
    return tuple(
        (mark, between.count(mark)) for mark in f"/-:,.[@T{NARROW_BLANK}" if mark in between
    )


def share_of(values: Sequence[str], form: str) -> float:
    """Of the values that aren't empty, the share that are times of this form; 0 below `SHARE`."""
    sample = [value for value in values if value][:100]
    decisive = sample[: len(sample) - math.ceil(SHARE * len(sample)) + 1]
    if not any(is_time(value, form) for value in decisive):
        return 0.0
    hits = sum(count for value, count in Counter(sample).items() if is_time(value, form))
    return hits / len(sample)


def swap_days(values: Sequence[str], form: str) -> str:
    """The form with day and month in the other order, if no value speaks against it; else ""."""
    other = SWAPPED.get(form, "")
    return other if other and all(is_time(value, other) for value in values if value) else ""


def guess_time(values: Sequence[str]) -> str | None:
    """The time format that most values have, if any fits `SHARE` of them.

    Of forms that differ in the order of day and month, that which more of all values have.
    """
    form, highest_share = None, 0.0
    for name in ("iso", *PATTERNS, *_EPOCHS):
        share = share_of(values, name)
        if share >= SHARE and share > highest_share:  # the first of several
            form, highest_share = name, share
        if highest_share == 1:
            break
    if form == EXCITE_TIME and share_of(values, "%d%m%y%H%M%S") >= SHARE:
        return None  # either end may be the year
    form = form or _guess_short_year(values)
    other = SWAPPED.get(form or "")
    if form is None or other is None:
        return form
    fits = [sum(is_time(value, name) for value in values) for name in (form, other)]
    return other if fits[1] > fits[0] else form


def _guess_short_year(values: Sequence[str]) -> str | None:
    """The form with two digits for the year, where only one end of the dates can be the year.

    That end has one or two different values, and the other end has more.
    """
    sample = [value.strip(" ") for value in values if value][:100]
    fits = [form for form in _SHORT_YEARS if share_of(sample, form) >= SHARE]
    years = [
        {parse_moment(value, form).year for value in sample if is_time(value, form)}
        for form in fits
    ]
    forms = [form for form, period in zip(fits, years, strict=True) if len(period) <= 2]
    is_last = {form.startswith("%y") for form in forms}
    return forms[0] if len(is_last) == 1 else None


def pair_date_and_clock(columns: Sequence[Sequence[str]]) -> tuple[int, ...] | None:
    """The only columns of dates and of times of day, where none holds both; of "AM", too."""
    clocks = [
        place
        for place, values in enumerate(columns)
        if any(values) and all(CLOCK.fullmatch(value) for value in values if value)
    ]
    if len(clocks) != 1:
        return None
    forms = [guess_time(values) for values in columns]
    dates = [place for place, form in enumerate(forms) if form in DATES]
    timed = [form for form in forms if form is not None and form not in DATES]
    halves = [
        place
        for place, values in enumerate(columns)
        if any(values) and {value.upper() for value in values} <= {"AM", "PM"}
    ]
    return (dates[0], clocks[0], *halves[:1]) if len(dates) == 1 and not timed else None


def guess_roles(
    names: Sequence[str], rows: Rows, width: int, assumptions: list[str], answers: Mapping[str, int]
) -> dict[str, int]:
    """The roles that are given, more from column names (none if there is no header), and from
    the contents of `width` columns what names leave open.
    """
    roles = dict(answers)
    columns = columns_of(rows, width)
    plain = [column_names.plain_name(name) for name in names]
    for role, aliases in column_names.NAMES.items():
        if role in roles:
            continue
        places = [place for alias in aliases for place, name in enumerate(plain) if name == alias]
        places = places or _find_inner(role, names, aliases, roles)
        fits = [place for place in places if place not in roles.values()]
        if columns:  # a column that stands there twice is no other one
            fits = [*{(plain[p], *columns[p]): p for p in reversed(fits)}.values()][::-1]
        if role == "user" and len({tuple(columns[place]) for place in fits}) > 1:
            continue  # they may mean different people, however many
        if role == "ip":
            fits = [p for p in fits if not any(columns[p]) or any(map(_MAY_BE_IP, columns[p]))]
        if role == "time" and len(fits) > 1:
            fits = _choose_times(fits, columns)
        if role == "url":
            texts = columns[roles["query"]] if "query" in roles else []
            fits = [
                place
                for place in fits
                if plain[place] in _CLICKS
                or not _is_no_click(without_missing(columns[place]), texts)
            ]
        if role == "query":
            used = roles.values()
            free_columns = [values for place, values in enumerate(columns) if place not in used]
            fits = [
                place
                for place in fits
                if not is_no_query(columns[place])
                and not _is_category(columns[place], free_columns)
            ]
            varied = [p for p in fits if len(columns[p]) < _FEW or len(set(columns[p])) > 1]
            if fits and not varied and any(map(may_be_query, free_columns)):
                continue
            if fits and not varied:
                assumptions.append("all queries of the first rows are the same")
            clear = [p for p in fits if plain[p] not in column_names.VAGUE_QUERIES]
            fits = varied or clear
            if len({*fits} & {*clear}) > 1:
                continue  # two columns fit: a person says which
        if fits:
            roles[role] = fits[0]
    settled = set(roles)
    # Whom the log protects is not guessed: see `user_ids`.
    # Of others a name would say so, or a person.
    for role in ("time", "ip") if names else ("time", "ip", "url", "rank", "query"):
        if role in roles:
            continue
        free = [
            place
            for place in range(len(columns))
            if place not in roles.values()
            and not (names and role == "time" and _OTHER_DATES.search(names[place]))
        ]
        missing = sum(required not in roles for required in ("user", "query"))
        place = _by_contents(role, free, columns, missing, has_names=bool(names))
        if place is not None:
            roles[role] = place
    for role, place in sorted(roles.items(), key=lambda item: item[1]):
        if role not in settled:
            facts = {"place": place + 1, "role": as_phrase(role)}
            note = phrase("column {place} is taken for the {role}, by its contents", **facts)
            assumptions.append(note)
    return roles


def _find_inner(
    role: str, names: Sequence[str], aliases: Sequence[str], roles: Mapping[str, int]
) -> list[int]:
    """Columns of objects within objects that have a usual name there.

    The query and the time are looked for in what holds no results, what was clicked in clicks or
    beside what says of a result whether it was clicked. Whom a log protects is never taken so.
    """
    flagged = names[roles[EVENT]].rpartition(".")[0] if EVENT in roles and names else ""
    places = []
    for alias in aliases if role in ("query", "time", "url", "rank") else ():
        for place, name in enumerate(names):
            parent, _, last = name.rpartition(".")
            is_clicked = parent == flagged or _CLICKED.fullmatch(parent.rpartition(".")[2])
            fits = is_clicked if role in ("url", "rank") else not _RESULTS.search(parent)
            if parent and fits and column_names.plain_name(last) == alias:
                places.append(place)
    return places if role != "query" or len(places) == 1 else []


def _choose_times(places: Sequence[int], columns: Sequence[Sequence[str]]) -> list[int]:
    """Of columns that are called the time those with a clock; none if they are days apart.

    What is midnight in all rows is a date.

    One of those is the time of something else, as of the export: a person says which.
    """
    forms = {place: form for place in places if (form := guess_time(columns[place]))}
    clocks = [place for place, form in forms.items() if form not in DATES]
    fits = [p for p in clocks if not all(map(_MIDNIGHT.match, filter(None, columns[p])))]
    fits = fits or clocks or [*forms]
    rows = zip(*(columns[place][:100] for place in fits), strict=True)
    days = [[*map(_day_of, row, (forms[place] for place in fits))] for row in rows]
    differing_days = sum(max(row) - min(row) > 1 for row in days if all(row))
    return (fits or [*places]) if differing_days <= (1 - SHARE) * len(days) else []


def _day_of(value: str, form: str) -> int:
    """The day of a time, 1 for that of the year 1; 0 if it isn't of this form."""
    value = value.strip(" ")
    with suppress(ValueError, OverflowError, OSError):
        if form in EPOCH_UNITS:
            seconds = int(re.split("[.,]", value)[0]) // EPOCH_UNITS[form]
            return datetime.fromtimestamp(seconds, UTC).toordinal()
        text_and_form = (value[:10], "%Y-%m-%d") if form == "iso" else (value, form)
        return parse_moment(*text_and_form).toordinal()
    return 0


def _by_contents(
    role: str,
    free: Sequence[int],
    columns: Sequence[Sequence[str]],
    missing: int,
    *,
    has_names: bool,
) -> int | None:
    if role == "time":
        forms = {place: guess_time(columns[place]) or "" for place in free}
        # Bare numbers may be anybody's ids.
        fits = [place for place, form in forms.items() if form and not form.startswith("epoch")]
        fits = [place for place in fits if forms[place] not in DATES] or fits
        if len({tuple(columns[place]) for place in fits}) > 1:
            return None  # a person says which
        fits = fits or [place for place, form in forms.items() if form]
        numbers = bool(fits) and forms[fits[0]].startswith("epoch")
        return fits[0] if fits and not (numbers and (has_names or len(fits) > 1)) else None
    if shape := {"ip": _IP, "url": _URL, "rank": _SHORT_NUMBER}.get(role):
        # Columns for the user and the query must remain.
        fits = [place for place in free if _share(columns[place], shape) >= SHARE]
        return fits[-1] if fits and len(free) > missing else None
    fits = [place for place in free if may_be_query(columns[place])]
    return fits[0] if len(fits) == 1 else None


def _share(values: Sequence[str], shape: re.Pattern[str]) -> float:
    """Of the values that aren't empty, the share that begin like this."""
    sample = [value for value in values if value][:200]
    return sum(shape.match(value) is not None for value in sample) / len(sample) if sample else 0.0


def _is_no_click(values: Sequence[str], queries: Sequence[str]) -> bool:
    """Whether a column that is called the address isn't what was clicked.

    It says yes or no, is the same in all rows, or the address of the page of results itself.
    """
    pairs = [
        (value, query) for value, query in zip(values, queries or values, strict=True) if value
    ]
    flags = {value.lower() for value, _ in pairs}
    result_pages = sum(
        "?" in value and query not in ("", value) and query.lower() in unquote_plus(value).lower()
        for value, query in pairs
    )
    if len(flags) > 1 and flags <= {"0", "1", "yes", "no", "y", "n", "true", "false"}:
        return True
    is_constant = len(flags) <= (1 if any("://" in value for value in flags) else 2)
    everywhere = is_constant and len(pairs) == len(values) >= MOST_ALIKE
    return everywhere or (bool(pairs) and result_pages >= SHARE * len(pairs))


def are_addresses(values: Sequence[str]) -> bool:
    """Whether values are pages, or parameters or objects in which what was searched may stand."""
    return _share(values, _HOLDER) >= SHARE


def is_no_query(values: Sequence[str]) -> bool:
    """Whether a column that is called the query can't be: dates, ids of rows, or what holds it."""
    filled = [value for value in values if value]
    if len(filled) < _FEW:
        return False
    if are_addresses(filled) or guess_time(filled) is not None:
        return True
    ids = len({*filled}) == len(filled) >= MOST_ALIKE and all(map(_OPAQUE.fullmatch, filled))
    return ids or all(re.fullmatch(r"[\d.,-]+", value) for value in filled)


def _is_category(values: Sequence[str], columns: Sequence[Sequence[str]]) -> bool:
    """Whether values are a few single words, each very often, and another column may be queries."""
    categories = {value for value in values if value}
    has_few = 1 < len(categories) <= MOST_CATEGORIES and len(values) >= MOST_ALIKE
    return (
        has_few
        and not any(" " in value.strip() for value in categories)
        and any(len(set(column)) > len(categories) and may_be_query(column) for column in columns)
    )


def may_be_query(values: Sequence[str]) -> bool:
    """Whether values may be what people typed: no constant, no date, no number, no id, no address.

    Something typed twice, or words with blanks between, must be among them.
    """
    filled = [value for value in values if value.strip()]
    if not filled or (len(set(filled)) == 1 and len(filled) > 1):
        return False
    worded = [value for value in filled if re.search(r"[^\W\d]", value)]
    if len(worded) * 2 < len(filled) or guess_time(filled) is not None:
        return False
    if sum(bool(_URL.match(value) or _OPAQUE.fullmatch(value)) for value in filled) * 2 > len(
        filled
    ):
        return False
    spaced = sum(re.search(r"\S\s+\S", value) is not None for value in filled)
    return spaced * 20 >= len(filled) or len(filled) < 5


LIKELY = 85.0
"""Likeness (0 to 100) from which on a column is suggested."""
MOST_WORDS = 3
"""More words are hardly a name."""
_SHORT = 3


class ColumnSuggestion(NamedTuple):
    """A column that may have a role, its place from 0, and how like a usual name its name is."""

    name: str
    place: int
    likeness: float


def suggest_columns(
    role: str, names: Sequence[str], used_places: Collection[int] = (), *, limit: int = 3
) -> list[ColumnSuggestion]:
    """Columns whose names are like those of a role, the likeliest first, without `used_places`.

    An order to look in, never a choice: a misread column decides what is protected or released. No
    other names are suggested, since what is taken for names may be the first row, a query.
    """
    from rapidfuzz import fuzz, process

    aliases = [name for name in column_names.ALIKE.get(role, ()) if len(name) > _SHORT]
    suggestions = []
    for place, name in enumerate(names):
        plain = column_names.plain_name(name[:80])
        if place in used_places or len(plain) < _SHORT or len(name.split()) > MOST_WORDS:
            continue
        best = process.extractOne(plain, aliases, scorer=fuzz.WRatio, score_cutoff=LIKELY)
        if best is not None:
            suggestions.append(ColumnSuggestion(name[:80], place, float(best[1])))
    return sorted(suggestions, key=lambda item: (-item.likeness, item.place))[:limit]


def describe_suggestions(
    missing: Sequence[str], names: Sequence[str], used_places: Collection[int] = ()
) -> str:
    """For each missing role the columns with the likeliest names, in a sentence; "" for none."""
    parts = [
        " ".join(("the", role, " or ".join(f"“{column.name}”" for column in columns)))
        for role in missing
        if (columns := suggest_columns(role, names, used_places))
    ]
    if not parts:
        return ""
    return phrase("By the names it may be {parts}, the likeliest first.", parts="; ".join(parts))
