"""Whose searches a log has: columns that may hold its users, and whether their ids are persons.

The user column decides whom a guarantee protects. The program never chooses it by its contents:
a format, a header that calls it so, or a person does, who is told what speaks against each column.

Of a log that was read whole everything is judged on all rows: spellings of one id, ids that many
people share, ids that are categories, numbers of rows, dates or visits. Where a person says what is
to be done, it is done and stands in the user column's sentence. O(rows + bytes of the ids).
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np

from auditor.arrays import Bools, Int64s
from auditor.errors import LogFormatError
from auditor.log.model import LogOrigin, QueryLog, Vocabulary
from auditor.log.reading import column_names
from auditor.log.reading.column_inference import PATTERNS, SHARE, Rows, columns_of, share_of
from auditor.log.reading.column_mapping import ReadOptions
from auditor.log.reading.presets.base import LOG_WORDS
from auditor.log.sentences import sentence
from auditor.log.user_column import UserCandidate, UserColumn
from auditor.messages import as_phrase, phrase

if TYPE_CHECKING:
    import pyarrow as pa

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
_DATES = ("iso", *PATTERNS)
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
    dated = any(share_of(values, form) >= SHARE for form in _DATES)
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

    columns = columns_of(rows, width)
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

SAMPLE = 1_000
"""Distinct ids that are compared with patterns."""
SHARED_ID = (
    rf"(?i)^[<\[({{#]?(?:(?:(?:user|utilisateur|usuario)[ _-]?)?(?:{'|'.join(LOG_WORDS['nobody'])})"
    r"(?:[ _-]?(?:user|visitor|(?:be)?nutzer))?(?:@.*)?|true|false)[>\])}]?$"
    rf"|^(?:{'|'.join(LOG_WORDS['no_ids'])})$"
)
"""Ids that are nobody's."""
MACHINE_ID = f"(?i)(?:{'|'.join(LOG_WORDS['machines'])})"
WEAK_SHARED_ID = r"^(?:0+|1{5,}|9{4,}|123(?:45?6?7?8?9?)?)(?:[.,]0+)?$"
"""Numbers that may be a person's, and are taken for nobody's where they have very many rows, or
more than a few and no other id is like them."""
WEAK_RATIO, FEW_ROWS = 20, 5
"""Rows of such a number ÷ rows of the median user that are very many; rows that are a few."""
BUSY_PER_DAY = 1_000
"""Rows a day, on average over the days between the first and the last, that no person issues."""
SHARED_REASON = "id that people share"
_TREATMENTS = {
    ("shared_ids", "drop"): "ids that people or machines share were left out",
    ("shared_ids", "keep"): "ids that people or machines may share were kept as users",
    ("spellings", "merge"): "ids that differ only in how they are written are one user",
    ("spellings", "keep"): "ids that differ only in how they are written were kept as users",
}
"""What is said of ids, by the option and its value."""


_GUID = r"^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$"
_SCHEME = r"^(?:mailto|urn:uuid|md5|sha(?:1|256|512)):"
_SPELLINGS = (
    (_SCHEME, _SCHEME, ""),
    (r"%40", r"%40", "@"),
    (r"\s", r"\s+", " "),
    (r"^ | $", r"^ | $", ""),
    (r"^\W.*\W$", r"^[\"'`«»“”„‘’{(\[<]+ ?(.+?) ?[\"'`«»“”„‘’})\]>]+$", r"\1"),
    (r"^[+-]?[0-9]{1,3}(?:[ ,'’][0-9]{3})+$", r"[ ,'’]", ""),
    (r"[0-9][.,]0+$", r"^([^.,]*[0-9])[.,]0+$", r"\1"),
    (r"^[+-]?[0-9]{1,3}(?:\.[0-9]{3}){1,2}$", r"\.", ""),
    (r"^[+0]", r"^\+?0*([0-9]+)$", r"\1"),
    (_GUID, _GUID, r"\1\2\3\4\5"),
)
"""In ids of a form a pattern, and what is left of it: "mailto:", blanks, quotes and braces around,
separators of thousands, ".0", plus and zeros in front, hyphens of GUIDs."""


def normalize_ids(ids: pa.Array) -> pa.Array:
    """Ids without what differs in spellings of one: case, width, hidden signs, and `_SPELLINGS`."""
    import pyarrow.compute as pc

    plain = pc.replace_substring_regex(ids, r"\p{Cf}+", "")
    plain = pc.utf8_lower(pc.utf8_normalize(plain, "NFKC"))
    for form, mark, replacement in _SPELLINGS:
        fits = pc.match_substring_regex(plain, form)
        plain = pc.if_else(fits, pc.replace_substring_regex(plain, mark, replacement), plain)
    return plain


def find_shared_ids(log: QueryLog) -> Bools:
    """Which ids are a program's word for nobody, a machine's name, or far too busy; (users,)."""
    rows, ids = np.diff(log.user_starts), log.users.as_arrow()
    shared, weak = match_shared_ids(ids, rows, _spans_of(log))
    if weak.any() and not weak.all() and len(rows) > 2:
        shapes = shape_ids(ids).dictionary_encode().indices.to_numpy(zero_copy_only=False)
        is_busy = rows >= WEAK_RATIO * max(1.0, float(np.median(rows[~weak])))
        shared |= weak & (is_busy | ((rows > FEW_ROWS) & (np.bincount(shapes)[shapes] == 1)))
    return shared


def shape_ids(ids: pa.Array) -> pa.Array:
    """Ids with 0 for each digit, and N for the first 9 of a longer number."""
    import pyarrow.compute as pc

    marked = pc.replace_substring_regex(ids, "^9([0-9])", r"N\1")
    return pc.replace_substring_regex(marked, "[0-9]", "0")


def match_shared_ids(ids: pa.Array, rows: Int64s, spans: Int64s) -> tuple[Bools, Bools]:
    """Which ids are shared by what they are or how busy they are, and which are weak ones."""
    import pyarrow.compute as pc

    ids = pc.utf8_trim_whitespace(ids)
    is_named = _match(ids, SHARED_ID) | _match(ids, MACHINE_ID)
    return is_named | (rows > BUSY_PER_DAY * (spans / 86_400 + 1)), _match(ids, WEAK_SHARED_ID)


def largest_users(log: QueryLog, user_limit: int = 5) -> list[tuple[str, int]]:
    """The users with the most rows, their ids masked, and how many these are."""
    rows = np.diff(log.user_starts)
    largest = np.argsort(-rows, kind="stable")[:user_limit]
    return [(mask_value(log.users[int(user)][:40]), int(rows[user])) for user in largest]


def _match(ids: pa.Array, pattern: str) -> Bools:
    import pyarrow.compute as pc

    matches: Bools = pc.match_substring_regex(ids, pattern).to_numpy(zero_copy_only=False)
    return matches


def _spans_of(log: QueryLog) -> Int64s:
    """Seconds between the first and the last row of each user."""
    starts = log.user_starts
    return log.time[starts[1:] - 1] - log.time[starts[:-1]]


def settle_users(log: QueryLog, options: ReadOptions, file: str) -> QueryLog:
    """The log with its user column judged, and spellings and shared ids treated as was said.

    Raises `UserColumnUnnamed`: the header alone calls the column the user, and there is one user,
    or a new one in each row.
    """
    column = log.origin.user_column
    if column is None or log.origin.aggregated or not len(log):
        return log
    judgement = IdJudgement(options)
    log = _treat_shared(log, judgement)
    log = _treat_spellings(log, judgement)
    doubts: tuple[str, ...] = ()
    if len(log):
        users = len(log.users)
        sample = np.unique(np.linspace(0, users - 1, min(users, SAMPLE)).astype(np.int64))
        values = log.users.list_strings(sample.tolist())
        is_repeated = np.diff(log.user_starts) > 1
        long = int(np.count_nonzero(_spans_of(log)[is_repeated] > VISIT_SECONDS))
        visits = are_visits(users, int(is_repeated.sum()), long, log.period)
        doubts = judge_values(column, (users, len(log)), values, visits=visits, file=file)
    return dataclasses.replace(log, origin=judgement.complete(log.origin, doubts))


@dataclass
class IdJudgement:
    """What is doubtful of ids, what was done with them, and how many they are.

    Doubts and treatments stand in statements: no id is in them, and in treatments, which are
    handed out, no number. `notes` have both, the ids masked.
    """

    options: ReadOptions
    doubts: list[str] = field(default_factory=list)
    treatments: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add_shared(self, ids: int, rows: int, of: int, examples: Iterable[str]) -> None:
        """`ids` that people or machines share, with `rows` of the log's."""
        sample = _mask_examples(examples)
        note = sentence(
            "user_ids.ids_people_machines_share", ids=ids, rows=rows, log=of, examples=sample
        )
        doubt = sentence("user_ids.ids_program_word_nobody", ids=ids)
        self._add(ids, note, doubt, "shared_ids")

    def add_spellings(self, ids: int, users: int, examples: Iterable[str]) -> None:
        """`ids` that are several spellings of `users`."""
        sample = _mask_examples(examples)
        note = sentence("user_ids.spellings_id_ids_users", ids=ids, users=users, examples=sample)
        doubt = sentence("user_ids.ids_differ_case_spaces", ids=ids)
        self._add(ids, note, doubt, "spellings")

    def _add(self, ids: int, note: str, doubt: str, option: str) -> None:
        if ids:
            self.notes.append(note)
            treatment = _TREATMENTS.get((option, getattr(self.options, option)))
            (self.doubts if treatment is None else self.treatments).append(treatment or doubt)

    def complete(self, origin: LogOrigin, doubts: Iterable[str]) -> LogOrigin:
        """The origin with these doubts added to those that the values alone gave."""
        assert origin.user_column is not None
        column = dataclasses.replace(
            origin.user_column, doubts=(*doubts, *self.doubts), treatments=tuple(self.treatments)
        )
        notes = (*origin.assumptions, *self.notes)
        return dataclasses.replace(origin, user_column=column, assumptions=notes)


def _mask_examples(ids: Iterable[str]) -> str:
    return ", ".join(mask_value(user_id[:40]) for user_id in itertools.islice(ids, EXAMPLES))


def _treat_shared(log: QueryLog, judgement: IdJudgement) -> QueryLog:
    shared = find_shared_ids(log)
    rows = np.diff(log.user_starts)
    count = int(rows[shared].sum())
    largest = np.flatnonzero(shared)[np.argsort(-rows[shared], kind="stable")]
    examples = (log.users[int(user)] for user in largest)
    judgement.add_shared(len(largest), count, len(log), examples)
    if not count or judgement.options.shared_ids != "drop":
        return log
    rejected = {**log.origin.rejected, SHARED_REASON: count}
    origin = dataclasses.replace(log.origin, rejected=rejected)
    return dataclasses.replace(log.rows(~shared[log.user]), origin=origin)


def _treat_spellings(log: QueryLog, judgement: IdJudgement) -> QueryLog:
    encoded = normalize_ids(log.users.as_arrow()).dictionary_encode()
    codes = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int32)
    people = len(encoded.dictionary)
    if people == len(log.users):
        return log
    spelled = np.bincount(codes, minlength=people) > 1
    spelled_users = np.flatnonzero(spelled[codes])
    spelled_users = spelled_users[np.argsort(codes[spelled_users], kind="stable")]
    examples = (log.users[int(user)] for user in spelled_users)
    judgement.add_spellings(len(spelled_users), int(spelled.sum()), examples)
    if judgement.options.spellings != "merge":
        return log
    return log.with_users(codes, Vocabulary.of_arrow(encoded.dictionary), keep_addresses=True)


def judge_values(
    column: UserColumn, size: tuple[int, int], values: list[str], *, visits: bool, file: str
) -> tuple[str, ...]:
    """What speaks against the column's values being persons, by all users and rows (`size`).

    Raises `UserColumnUnnamed` if the header alone calls it the user, and there is one user or a new
    one in every row.
    """
    doubt = doubt_counts(*size)
    if column.chosen == "format":
        return column.doubts or tuple(filter(None, [doubt]))
    if column.chosen == "header" and doubt in (CONSTANT, NUMBERING):
        facts = {"name": column.name, "wrong": as_phrase(doubt)}
        message = sentence("user_candidates.header_calls_user_say", **facts)
        raise UserColumnUnnamed(message, (), file)
    return list_doubts(column.name, doubt, values, visits=visits)
