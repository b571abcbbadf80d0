"""What columns hold, told from the first values: times and how they are written, roles."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from auditor.log.reading import column_mapping
from auditor.log.reading.column_mapping import EXCITE_TIME
from auditor.messages import as_phrase, phrase

Rows = list[list[str]]

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
SHARE = 0.8
"""Of a column's values, how many must look like something for the column to be taken for it."""


LOOKED_AT = 300
"""Characters of a value that are looked at: patterns take their time over long ones."""


def columns_of(rows: Rows, width: int) -> list[list[str]]:
    whole = [row for row in rows if len(row) == width]
    return [[row[place][:LOOKED_AT] for row in whole] for place in range(width)]


def is_time(value: str, form: str) -> bool:
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
        datetime.strptime(value, form)
    except ValueError:
        return False
    return True


def share_of(values: Sequence[str], form: str) -> float:
    """Of the values that aren't empty, the share that are times of this form."""
    some = [value for value in values if value][:100]
    return sum(is_time(value, form) for value in some) / len(some) if some else 0.0


def guess_time(values: Sequence[str]) -> str | None:
    """The time format that most values have, if any fits `SHARE` of them."""
    best, form = SHARE, None
    for candidate in ("iso", *PATTERNS, *(name for name, _ in _EPOCHS)):
        share = share_of(values, candidate)
        if share > best or (share == best and form is None):
            best, form = share, candidate
    return form


def guess_roles(
    names: Sequence[str],
    rows: Rows,
    width: int,
    assumptions: list[str],
    given: Mapping[str, int],
) -> dict[str, int]:
    """The roles that are given, more from column names (none if there is no header), and from
    the contents of `width` columns what names leave open.
    """
    roles = dict(given)
    for role, known in column_mapping.NAMES.items():
        if role in roles:
            continue
        plain = ["".join(x for x in name.lower() if x.isalnum()) for name in names]
        for name in known:
            if name in plain and plain.index(name) not in roles.values():
                roles[role] = plain.index(name)
                break
    columns, named = columns_of(rows, width), set(roles)
    # Whom the log protects is not guessed: see `user_candidates`.
    for role in ("time", "ip", "url", "rank", "query"):
        if role == "rank" and names:
            continue  # any small number looks like a rank; its name would say so
        free = [place for place in range(len(columns)) if place not in roles.values()]
        needed = sum(one not in roles for one in ("user", "query"))
        if role not in roles and (place := _by_contents(role, free, columns, needed)) is not None:
            roles[role] = place
    for role, place in sorted(roles.items(), key=lambda one: one[1]):
        if role not in named:
            assumptions.append(
                phrase(
                    "column {place} is taken for the {role}, by its contents",
                    place=place + 1,
                    role=as_phrase(role),
                )
            )
    return roles


def _by_contents(
    role: str, free: Sequence[int], columns: Sequence[Sequence[str]], needed: int
) -> int | None:
    def measure_share(place: int, test: re.Pattern[str]) -> float:
        some = [value for value in columns[place] if value][:200]
        return sum(test.match(value) is not None for value in some) / len(some) if some else 0.0

    if role == "time":
        for place in free:
            if guess_time(columns[place]) is not None:
                return place
        return None
    if role in ("ip", "url", "rank"):
        shape = {"ip": _IP, "url": _URL, "rank": re.compile(r"\d{1,3}$")}[role]
        # Columns for the user and the query must remain.
        fits = [place for place in free if measure_share(place, shape) >= SHARE]
        return fits[-1] if fits and len(free) > needed else None
    if not free:
        return None
    words = re.compile(r".*[^\W\d].*\s|.*[^\W\d]")
    spaces = re.compile(r".*\S\s+\S")
    return max(free, key=lambda place: (measure_share(place, spaces), measure_share(place, words)))
