"""Which columns may hold a log's users, and what speaks against each: for people to choose from.

The user column decides whom a guarantee protects. The program never chooses it by its contents:
a format, a header that calls it so, or a person does.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from auditor.errors import LogFormatError
from auditor.log.reading import column_inference, column_mapping
from auditor.log.reading.column_inference import SHARE, Rows
from auditor.log.user_column import UserCandidate, UserColumn
from auditor.messages import phrase

ENOUGH = 50
"""Rows from which on a value that is always, or never, the same says something."""
FEW = 5
"""Most different values of a column that is more likely a category than a person."""
VISIT_SECONDS = 3_600
"""What is never seen longer than this, in a log of days, is a visit rather than a person."""
EXAMPLES = 3
_SESSION = re.compile(r"session|visit(?!or)|\bsid\b|\bsess\b|impression|requestid|queryid|pageview")
CONSTANT = "all rows have the same value: one person, or no person at all"
NUMBERING = "no value comes twice: it numbers rows rather than people"
FLAGS = "it says yes or no"
DATED = "its values look like dates or times"
_DATES = ("iso", *column_inference.PATTERNS, "%Y%m%d")
_FLAGS = {"true", "false", "yes", "no", "y", "n", "t", "f"}


class UserColumnUnnamed(LogFormatError):
    """Neither the log's format nor a person says which column holds its users."""

    def __init__(
        self, message: str, candidates: Sequence[UserCandidate], path: str | None = None
    ) -> None:
        self.candidates = tuple(candidates)
        super().__init__(message, path=path, columns=True)
        self.details = (AT_THE_TERMINAL,)
        if candidates:
            self.details += (
                "Columns that may be meant, the likeliest first:",
                *(f"  {one.text}" for one in self.candidates[:12]),
            )


def mask_value(value: str) -> str:
    """A value of which only the ends are shown, and nothing of a short one."""
    if len(value) < 4:
        return "•" * len(value)
    return f"{value[0]}{'•' * min(6, len(value) - 2)}{value[-1]}"


def doubts_of(name: str, values: Sequence[str], times: Sequence[str] = ()) -> tuple[str, ...]:
    """Why the values of a column are hardly persons, in words.

    `times` are the same rows' times as text, if they can be compared (ISO 8601).
    """
    some = [value for value in values if value]
    found: list[str] = []
    if not some:
        return ("it is empty in all rows that were looked at",) if values else ()
    distinct = len(set(some))
    if distinct == 1 and len(some) > 1:
        found.append(CONSTANT)
    elif distinct == len(some) and len(some) >= ENOUGH:
        found.append(NUMBERING)
    elif {value.lower() for value in set(some)} <= _FLAGS:
        found.append(FLAGS)
    elif distinct <= FEW and len(some) >= 20 * distinct and len(some) >= ENOUGH:
        found.append("it has only a few different values: a category rather than a person")
    if any(_looks_dated(some, form) for form in _DATES):
        found.append(DATED)
    if _SESSION.search(_normalize_name(name)) or _short_lived(values, times):
        found.append(
            "it looks like a visit or session: somebody who comes back counts as another person"
        )
    return tuple(found)


def _looks_dated(values: Sequence[str], form: str) -> bool:
    if form == "%Y%m%d":
        return all(re.fullmatch(r"(19|20)\d\d(0[1-9]|1[0-2])([0-2]\d|3[01])", v) for v in values)
    return column_inference.share_of(values, form) >= SHARE


def _normalize_name(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


def _short_lived(values: Sequence[str], times: Sequence[str]) -> bool:
    """Whether no value is seen for longer than a visit in a log that is longer than a day."""
    from datetime import datetime

    spans: dict[str, list[float]] = {}
    for value, text in zip(values, times, strict=False):
        try:
            moment = datetime.fromisoformat(text.strip()).timestamp()
        except (ValueError, OverflowError, OSError):
            continue
        span = spans.setdefault(value, [moment, moment, 0])
        span[0], span[1], span[2] = min(span[0], moment), max(span[1], moment), span[2] + 1
    several = [span for span in spans.values() if span[2] > 1]
    if len(several) < ENOUGH or len(several) * 2 < len(spans):
        return False
    whole = max(span[1] for span in spans.values()) - min(span[0] for span in spans.values())
    long = sum(last - first > VISIT_SECONDS for first, last, _ in several)
    return whole > 2 * 86_400 and long * 50 < len(several)


def is_implausible(doubts: Sequence[str], rows: int) -> bool:
    """Whether doubts outweigh a header's word for it, by the beginning of a log.

    That one value, or no value twice, stands there may be the order of the rows: `confirm_user`
    knows when all rows were read.
    """
    return rows >= ENOUGH and (FLAGS in doubts or DATED in doubts)


def confirm_user(column: UserColumn, users: int, rows: int, file: str) -> UserColumn:
    """What is known of the user column when all rows were read: so many users in so many rows.

    Raises
    ------
    UserColumnUnnamed
        If the header alone calls it the user, and there is one user or a new one in every row.
    """
    kept = [doubt for doubt in column.doubts if doubt not in (CONSTANT, NUMBERING)]
    wrong = ""
    if rows >= ENOUGH and users in (1, rows):
        wrong = CONSTANT if users == 1 else NUMBERING
    if wrong and column.chosen == "header":
        raise UserColumnUnnamed(
            phrase(
                "The header calls “{name}” the user, but {wrong}. Say which column holds the "
                "users, or that it is this one.",
                name=column.name,
                wrong=wrong,
            ),
            (),
            file,
        )
    return dataclasses.replace(column, doubts=(*([wrong] if wrong else []), *kept))


def candidates_of(
    names: Sequence[str], rows: Rows, roles: dict[str, int], width: int
) -> tuple[UserCandidate, ...]:
    """Every column that may hold the users, the likeliest first.

    Columns that are the query or the time are left out.
    """
    from rapidfuzz import fuzz, process

    columns = column_inference.columns_of(rows, width)
    times = columns[roles["time"]] if "time" in roles and columns else ()
    taken = {roles[role] for role in ("query", "time") if role in roles}
    found = []
    for place, values in enumerate(columns):
        if place in taken:
            continue
        name = names[place] if place < len(names) else phrase("column {place}", place=place + 1)
        some = list(dict.fromkeys(value for value in values if value))
        best = process.extractOne(
            _normalize_name(name), column_mapping.NAMES["user"] + MORE_NAMES, scorer=fuzz.WRatio
        )
        found.append(
            UserCandidate(
                name=name[:80],
                place=place,
                distinct=len(some),
                rows=len(values),
                examples=tuple(mask_value(value[:40]) for value in some[:EXAMPLES]),
                doubts=doubts_of(name, values, times),
                likeness=float(best[1]) if best else 0.0,
            )
        )
    return tuple(sorted(found, key=lambda one: (len(one.doubts), -one.likeness, one.place)))


MORE_NAMES = (
    "clientid", "client", "customer", "customerid", "member", "memberid", "account", "accountid",
    "person", "personid", "subscriber", "deviceid", "device", "fullvisitorid", "userpseudoid",
    "searcher", "login", "email", "reader", "patron", "cookie", "cookieid", "anonymousid",
)  # fmt: skip
"""Names that are like a user's, for the order of suggestions alone."""


QUESTION = (
    "Whom does the log protect? Neither its format nor you said which column holds the users, and "
    "a guarantee protects whoever stands there."
)
AT_THE_TERMINAL = (
    "Name it by --columns user=COLUMN; a column without a name is called by its number, counted "
    "from 0."
)
