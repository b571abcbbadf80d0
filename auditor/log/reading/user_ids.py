"""Whether the ids of a log that was read whole are persons: what speaks against it, and answers.

Everything here is judged on all rows: spellings of one id, ids that many people share, ids that are
categories, numbers of rows, dates or visits. Where a person says what is to be done, it is done and
stands in the user column's sentence. O(rows + bytes of the ids).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from auditor.arrays import Bools, Int64s
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.reading import user_candidates as candidates
from auditor.log.reading.column_mapping import ReadOptions
from auditor.log.reading.user_candidates import mask_value
from auditor.log.user_column import UserColumn
from auditor.messages import phrase

if TYPE_CHECKING:
    import pyarrow as pa

SAMPLE = 1_000
"""Distinct ids that are compared with patterns."""
SHARED_ID = (
    r"(?i)^(?:null|none|nil|nan|n/?a|undefined|unknown|\(?not[ _]set\)?|\(?none\)?|anonymous|anon|"
    r"guest|nobody|-+|\\n|\?+|0{8}-?(?:0{4}-?){3}0{12}|0\.0\.0\.0|(?:false|true))$"
)
"""Ids that programs write where nobody is known."""
MACHINE_ID = (
    r"(?i)(?:^mozilla/|[a-z]bot\b|\bbot\b|crawler|spider|slurp|^curl/|^wget/|^python-|headless)"
)
WEAK_SHARED_ID = r"^(?:0|-1)$"
"""Numbers that may be a person's, and are taken for nobody's where they have very many rows."""
WEAK_RATIO = 20
"""Rows of such a number ÷ rows of the median user."""
BUSY_PER_DAY = 1_000
"""Rows a day, on average over the days between the first and the last, that no person issues."""
SHARED_REASON = "id that people share"
EXAMPLES = 3


def normalize_ids(users: Vocabulary) -> pa.Array:
    """Ids without what differs between spellings of one: case, width, spaces, zeros, ".0"."""
    import pyarrow.compute as pc

    plain = pc.utf8_normalize(users.as_arrow(), "NFKC")
    plain = pc.replace_substring_regex(pc.utf8_lower(plain), r"\s+", " ")
    plain = pc.replace_substring_regex(pc.utf8_trim_whitespace(plain), r"([0-9])[.,]0+$", r"\1")
    return pc.replace_substring_regex(plain, r"^0+([0-9]+)$", r"\1")


def find_shared_ids(log: QueryLog) -> Bools:
    """Which ids are a program's word for nobody, a machine's name, or far too busy; (users,)."""
    import pyarrow.compute as pc

    ids = pc.utf8_trim_whitespace(log.users.as_arrow())
    shared = _match(ids, SHARED_ID) | _match(ids, MACHINE_ID)
    weak = _match(ids, WEAK_SHARED_ID)
    rows = np.diff(log.user_starts)
    if weak.any() and len(rows) > 2:
        shared |= weak & (rows >= WEAK_RATIO * max(1.0, float(np.median(rows[~weak]))))
    return shared | (rows > BUSY_PER_DAY * (_spans_of(log) / 86_400 + 1))


def largest_users(log: QueryLog, most: int = 5) -> list[tuple[str, int]]:
    """The users with the most rows, their ids masked, and how many these are."""
    rows = np.diff(log.user_starts)
    largest = np.argsort(-rows, kind="stable")[:most]
    return [(mask_value(log.users[int(user)][:40]), int(rows[user])) for user in largest]


def _match(ids: pa.Array, pattern: str) -> Bools:
    import pyarrow.compute as pc

    matches: Bools = pc.match_substring_regex(ids, pattern).to_numpy(zero_copy_only=False)
    return matches


def _spans_of(log: QueryLog) -> Int64s:
    """Seconds between the first and the last row of each user."""
    starts = log.user_starts
    spans: Int64s = log.time[starts[1:] - 1] - log.time[starts[:-1]]
    return spans


def settle_users(log: QueryLog, options: ReadOptions, file: str) -> QueryLog:
    """The log with its user column judged, and spellings and shared ids treated as was said.

    Raises
    ------
    UserColumnUnnamed
        The header alone calls the column the user, and there is one user, or a new one in each row.
    """
    column = log.origin.user_column
    if column is None or log.origin.aggregated or not len(log):
        return log
    answers = _Answers()
    log = _treat_shared(log, options, answers)
    log = _treat_spellings(log, options, answers)
    doubts = [*_judge_values(column, log, file), *answers.doubts] if len(log) else answers.doubts
    column = dataclasses.replace(column, doubts=tuple(doubts), treatments=tuple(answers.treatments))
    notes = (*log.origin.assumptions, *answers.notes)
    origin = dataclasses.replace(log.origin, user_column=column, assumptions=notes)
    return dataclasses.replace(log, origin=origin)


@dataclass
class _Answers:
    """What is doubtful of ids, what was done with them, and how many they are.

    Doubts and treatments stand in statements: no id is in them, and in treatments, which are
    handed out, no number. `notes` have both, the ids masked.
    """

    doubts: list[str] = field(default_factory=list)
    treatments: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def _treat_shared(log: QueryLog, options: ReadOptions, answers: _Answers) -> QueryLog:
    shared = find_shared_ids(log)
    if not shared.any():
        return log
    rows = np.diff(log.user_starts)
    count = int(rows[shared].sum())
    largest = np.flatnonzero(shared)[np.argsort(-rows[shared], kind="stable")]
    answers.notes.append(
        phrase(
            "ids that people or machines share: {ids:,} with {rows:,} of {log:,} rows ({examples})",
            ids=len(largest),
            rows=count,
            log=len(log),
            examples=_list_examples(log.users, largest),
        )
    )
    if options.shared_ids == "drop":
        answers.treatments.append("ids that people or machines share were left out")
        rejected = {**log.origin.rejected, SHARED_REASON: count}
        origin = dataclasses.replace(log.origin, rejected=rejected)
        return dataclasses.replace(log.rows(~shared[log.user]), origin=origin)
    if options.shared_ids == "keep":
        answers.treatments.append("ids that people or machines may share were kept as users")
    else:
        answers.doubts.append(
            phrase(
                "{ids:,} of its ids are a program's word for nobody, a machine, or busier than a "
                "person: leave their rows out, or keep them (shared ids)",
                ids=len(largest),
            )
        )
    return log


def _treat_spellings(log: QueryLog, options: ReadOptions, answers: _Answers) -> QueryLog:
    encoded = normalize_ids(log.users).dictionary_encode()
    codes = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int32)
    people = len(encoded.dictionary)
    if people == len(log.users):
        return log
    spelled = np.bincount(codes, minlength=people) > 1
    several = np.flatnonzero(spelled[codes])
    several = several[np.argsort(codes[several], kind="stable")]
    answers.notes.append(
        phrase(
            "spellings of one id: {ids:,} ids of {users:,} users ({examples})",
            ids=len(several),
            users=int(spelled.sum()),
            examples=_list_examples(log.users, several),
        )
    )
    if options.spellings == "merge":
        answers.treatments.append(
            "ids that differ only in case, spaces, zeros in front or “.0” are one user"
        )
        return log.with_users(codes, Vocabulary.of_arrow(encoded.dictionary), keep_addresses=True)
    if options.spellings == "keep":
        answers.treatments.append("ids that differ only in spelling were kept as users")
    else:
        answers.doubts.append(
            phrase(
                "{ids:,} of its ids differ only in case, spaces, zeros in front or “.0” from "
                "others, and each counts as a person: merge them, or keep them (spellings)",
                ids=len(several),
            )
        )
    return log


def _list_examples(users: Vocabulary, codes: Sequence[int] | Int64s) -> str:
    return ", ".join(mask_value(users[int(code)][:40]) for code in codes[:EXAMPLES])


def _judge_values(column: UserColumn, log: QueryLog, file: str) -> list[str]:
    """What speaks against the column's values being persons, by all rows of the log."""
    if column.chosen == "format":
        return list(column.doubts)
    users, rows = len(log.users), len(log)
    counted = candidates.judge_counts(column, users, rows, file)
    sample = np.unique(np.linspace(0, users - 1, min(users, SAMPLE)).astype(np.int64))
    values = log.users.list_strings(sample.tolist())
    doubts = candidates.doubt_values(values)
    if candidates.is_session_name(column.name) or _are_visits(log):
        doubts.append(candidates.SESSION)
    return [counted, *doubts] if counted and candidates.FLAGS not in doubts else doubts


def _are_visits(log: QueryLog) -> bool:
    """Whether no user is seen for longer than a visit in a log that is longer than a day."""
    several = np.diff(log.user_starts) > 1
    count, period = int(several.sum()), log.period
    if count < candidates.ENOUGH or count * 2 < len(several) or period is None:
        return False
    long = int(np.count_nonzero(_spans_of(log)[several] > candidates.VISIT_SECONDS))
    return period[1] - period[0] > 2 * 86_400 and long * 50 < count
