"""The attacker's table of profiles, and where users ask for their own names; O(rows + bytes)."""

import csv
import hashlib
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from auditor.arrays import Bools
from auditor.attacks.detection.entity_detection import (
    EntityMarks,
    detect_entities,
    find_marked_rows,
    index_marks,
)
from auditor.attacks.detection.kinds import EntityKind
from auditor.attacks.detection.lexicon import DetectionLexicon, split_words
from auditor.bounded_files import UnfitFile, read_bounded, read_text
from auditor.errors import MissingInput
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.messages import phrase
from auditor.progress import Progress

COLUMNS = ("userid", "name", "zip")
"""What a table of profiles may tell of a user."""
LARGEST = 1 << 28
"""Bytes of a table of profiles, once unpacked."""


def own_names(log: QueryLog, profiles: Any, progress: Progress) -> tuple[Bools, EntityMarks]:
    """Rows in which a user searches the name in their own profile, and where it stands in them.

    Returns bool over the log's rows, and marks of those names in the queries of such rows.
    Raises `MissingInput`: `profiles` can't be read.
    """
    names = {user: " ".join(split_words(name)) for user, name in read_profiles(profiles).items()}
    people = DetectionLexicon.of(true_names=set(names.values()))
    marks = detect_entities(log.queries, (EntityKind.PERSON,), words=people, progress=progress)
    codes = {name: code for code, name in enumerate(dict.fromkeys(names.values()))}
    spans = zip(marks.query.tolist(), marks.start.tolist(), marks.stop.tolist(), strict=True)
    words = (" ".join(split_words(log.queries[query][a:b])) for query, a, b in spans)
    name_code = np.array([codes.get(name, -2) for name in words], dtype=np.int64)
    of_user = np.full(len(log.users), -1, dtype=np.int64)
    users = log.users.find(list(names))
    of_user[users[users >= 0]] = np.asarray([codes[name] for name in names.values()])[users >= 0]
    row, mark = find_marked_rows(log.query, index_marks(marks.query, len(log.queries)))
    hit = name_code[mark] == of_user[log.user[row]]
    own_rows = np.zeros(len(log), dtype=np.bool_)
    own_rows[row[hit]] = True
    progress.check()
    return own_rows, marks.take(np.unique(mark[hit]))


def read_profiles(profiles: Any) -> dict[str, str]:
    """User → name, of those whose profile has one; see `read_rows` for what it raises."""
    _, rows = read_rows(profiles)
    return {row["user"]: row["name"] for row in rows if row.get("name")}


def digest_profiles(path: Path | str) -> str:
    """The SHA-256 of a table of profiles, in hexadecimal; raises as `read_rows` does."""
    read_rows(path)
    try:
        return hashlib.sha256(read_bounded(Path(path), LARGEST)).hexdigest()
    except UnfitFile as error:
        raise _make_unreadable_error(Path(path), error) from None


def _make_unreadable_error(path: Path, error: UnfitFile) -> MissingInput:
    message = phrase(
        "Can't read the profiles in {name}: it is {error}.", name=path.name, error=error.reason
    )
    return MissingInput(message)


def read_rows(profiles: Any) -> tuple[tuple[str, ...], list[dict[str, str]]]:
    """The columns and rows of a table of profiles; rows without a user are left out.

    A CSV or TSV file, plain or gzip, with the column ``user`` and at least one of `COLUMNS`.

    Raises `MissingInput`: the file can't be read or lacks a column; the message holds nobody's
    name.
    """
    path = Path(profiles)
    try:
        lines = io.StringIO(read_text(path, LARGEST), newline="")
        head = lines.readline()
        lines.seek(0)
        reader = csv.DictReader(lines, delimiter="\t" if "\t" in head else ",")
        columns = tuple(reader.fieldnames or ())
        if "user" not in columns or not set(columns) & set(COLUMNS):
            raise MissingInput(sentence("vanity.profiles_need_columns_user", name=path.name))
        return columns, [row for row in reader if row["user"]]
    except UnfitFile as error:
        raise _make_unreadable_error(path, error) from None
    except csv.Error:
        raise MissingInput(
            phrase("Can't read the profiles in {name}: it is not text in columns.", name=path.name)
        ) from None


def columns_of(profiles: Any) -> tuple[str, ...]:
    """The columns of a table of profiles; none if it can't be read."""
    try:
        head = read_text(Path(profiles), LARGEST).partition("\n")[0]
        return tuple(next(csv.reader([head], delimiter="\t" if "\t" in head else ","), ()))
    except (UnfitFile, csv.Error):
        return ()


@dataclass(frozen=True, eq=False)
class UserProfileTable:
    """What the table says of each of a log's n users, "" where it says nothing.

    `columns` are those of `COLUMNS` that the table has; `strangers` are profiles of people who are
    not users of the log, as (userid, name).
    """

    userid: list[str]
    name: list[str]
    zip: list[str]
    columns: tuple[str, ...]
    known: int
    strangers: list[tuple[str, str]]


def match_profiles(log: QueryLog, profiles: Any, progress: Progress) -> UserProfileTable:
    """The profiles of a log's users; see `read_rows` for the file and what it raises."""
    progress.stage("reading profiles")
    columns, rows = read_rows(profiles)
    present_columns = tuple(column for column in COLUMNS if column in columns)
    codes = log.users.find([row["user"] for row in rows]).tolist() if rows else []
    values = {column: [""] * len(log.users) for column in COLUMNS}
    strangers = []
    for number, (code, row) in enumerate(zip(codes, rows, strict=True)):
        if number % 10_000 == 0:
            progress.check()
        if code < 0:
            strangers.append((row.get("userid") or "", row.get("name") or ""))
            continue
        for column in present_columns:
            values[column][code] = (row[column] or "").strip()
    return UserProfileTable(
        values["userid"],
        values["name"],
        values["zip"],
        present_columns,
        len({code for code in codes if code >= 0}),
        strangers,
    )
