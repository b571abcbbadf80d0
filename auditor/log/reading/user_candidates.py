"""Which columns may hold a log's users, and what speaks against each: for people to choose from.

The user column decides whom a guarantee protects. The program never chooses it by its contents:
a format, a header that calls it so, or a person does.
"""

import itertools
import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

from auditor.errors import LogFormatError
from auditor.log.reading import column_inference, column_names
from auditor.log.reading.column_inference import SHARE, Rows
from auditor.log.user_column import UserCandidate
from auditor.messages import phrase

MIN_ROWS = 50
"""Rows from which on a value that is always, or never, the same says something."""
FEW = 5
"""Most different values of a column that is more likely a category than a person."""
VISIT_SECONDS = 3_600
"""What is never seen longer than this, in a log of days, is a visit rather than a person."""
EXAMPLES = 3
_SESSION = re.compile(r"session|visit(?!or)|\bsid\b|\bsess\b|impression|requestid|queryid|pageview")
CONSTANT = "all rows have the same value: one person, or no person at all"
NUMBERING = "no value comes twice: it numbers rows rather than people"
CATEGORY = "it has only a few different values: a category rather than a person"
SESSION = "it looks like a visit or session: somebody who comes back counts as another person"
COUNT_DOUBTS = (CONSTANT, NUMBERING, CATEGORY)
"""What only all rows of a log can say."""
FLAGS = "it says yes or no"
DATED = "its values look like dates or times"
ROUNDED = "a spreadsheet has rounded its numbers to 15 digits: people may share one"
FRACTIONS = "its values are numbers with fractions: measurements rather than persons"
_DATES = ("iso", *column_inference.PATTERNS)
_DAY = re.compile(r"(19|20)\d\d(0[1-9]|1[0-2])([0-2]\d|3[01])")
_ROUNDED = re.compile(r"[1-9]\d{14}0+")
_FRACTION = re.compile(r"(?!\d+\.1\d{9}$)-?\d+\.\d*[1-9]\d*")
"""Not ids of browsers as web analytics write them: a number, a point, the second of its making."""
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
                *(f"  {candidate.text}" for candidate in self.candidates[:12]),
            )


def mask_value(value: str) -> str:
    """A value of which only the ends are shown, and nothing of a short one."""
    if len(value) < 4:
        return "•" * len(value)
    return f"{value[0]}{'•' * min(6, len(value) - 2)}{value[-1]}"


def doubts_of(name: str, values: Sequence[str], times: Sequence[str] = ()) -> tuple[str, ...]:
    """Why the values of a column are hardly persons, in words, by some rows of a log.

    `times` are the same rows' times as text, if they can be compared (ISO 8601).
    """
    filled = [value for value in values if value]
    if not filled:
        return ("it is empty in all rows that were looked at",) if values else ()
    doubt = doubt_counts(len(set(filled)), len(filled), least=2)
    return list_doubts(name, doubt, filled, visits=_short_lived(values, times))


def list_doubts(name: str, doubt: str, values: Sequence[str], *, visits: bool) -> tuple[str, ...]:
    """All that speaks against a column: its counts (`doubt`), its values, its name, its visits."""
    doubts = [FLAGS] if len(set(values)) > 1 and {text.lower() for text in values} <= _FLAGS else []
    dated = any(column_inference.share_of(values, form) >= SHARE for form in _DATES)
    if dated or all(map(_DAY.fullmatch, values)):
        doubts.append(DATED)
    if sum(_FRACTION.fullmatch(value) is not None for value in values) > SHARE * len(values):
        doubts.append(FRACTIONS)
    long = {value for value in values if len(value) > 15}
    if len(long) > FEW and all(map(_ROUNDED.fullmatch, long)):
        doubts.append(ROUNDED)
    if doubt and FLAGS not in doubts:
        doubts.insert(0, doubt)
    session = _SESSION.search(column_names.plain_name(name)) is not None
    return (*doubts, SESSION) if session or visits else tuple(doubts)


def doubt_counts(users: int, rows: int, least: int = MIN_ROWS) -> str:
    """Why this number of ids is implausible for persons; empty if it is plausible."""
    if users == 1 and rows >= least:
        return CONSTANT
    if rows < MIN_ROWS:
        return ""
    if users == rows:
        return NUMBERING
    return CATEGORY if users <= FEW and rows >= 20 * users else ""


def _short_lived(values: Sequence[str], times: Sequence[str]) -> bool:
    """Whether no value is seen for longer than a visit in a log that is longer than a day."""
    moments: dict[str, list[float]] = {}
    for value, text in zip(values, times, strict=False):
        with suppress(ValueError, OverflowError, OSError):
            moment = datetime.fromisoformat(text.strip()).timestamp()
            moments.setdefault(value, []).append(moment)
    spans = [max(rows) - min(rows) for rows in moments.values() if len(rows) > 1]
    long = sum(seconds > VISIT_SECONDS for seconds in spans)
    all_moments = [*itertools.chain(*moments.values())]
    period = (min(all_moments), max(all_moments)) if all_moments else None
    return are_visits(len(moments), len(spans), long, period)


def are_visits(
    users: int, repeated_users: int, long: int, period: tuple[float, float] | None
) -> bool:
    """Whether no user is seen for longer than a visit in a log that is longer than a day.

    Of `users`, `repeated_users` have more than one row, of which `long` are seen for longer than a
    visit.
    """
    if repeated_users < MIN_ROWS or repeated_users * 2 < users or period is None:
        return False
    return period[1] - period[0] > 2 * 86_400 and long * 50 < repeated_users


def candidates_of(
    names: Sequence[str], rows: Rows, roles: dict[str, int], width: int
) -> tuple[UserCandidate, ...]:
    """Every column that may hold the users, the likeliest first.

    Columns that are the query or the time are left out.
    """
    from rapidfuzz import fuzz, process

    columns = column_inference.columns_of(rows, width)
    times = columns[roles["time"]] if "time" in roles and columns else ()
    used_places = {roles[role] for role in ("query", "time") if role in roles}
    result = []
    for place, values in enumerate(columns):
        if place in used_places:
            continue
        name = names[place] if place < len(names) else phrase("column {place}", place=place + 1)
        distinct_values = list(dict.fromkeys(value for value in values if value))
        usual = column_names.ALIKE["user"]
        best = process.extractOne(column_names.plain_name(name), usual, scorer=fuzz.WRatio)
        result.append(
            UserCandidate(
                name=name if len(name) <= 80 else name[:80],
                place=place,
                distinct=len(distinct_values),
                rows=len(values),
                examples=tuple(mask_value(value[:40]) for value in distinct_values[:EXAMPLES]),
                doubts=doubts_of(name, values, times),
                likeness=float(best[1]) if best else 0.0,
            )
        )
    return tuple(sorted(result, key=lambda item: (len(item.doubts), -item.likeness, item.place)))


QUESTION = (
    "Whom does the log protect? Neither its format nor you said which column holds the users, and "
    "a guarantee protects whoever stands there."
)
AT_THE_TERMINAL = (
    "Name it by `columns` user=COLUMN; a column without a name is called by its number, counted "
    "from 0."
)
