"""The attacker's table of profiles, beside the users of a log: userid, real name, home."""

from dataclasses import dataclass
from typing import Any

from auditor.attacks.base import Evidence
from auditor.attacks.vanity import own_name_queries, user_names
from auditor.attacks.vanity.own_name_queries import COLUMNS
from auditor.errors import MissingInput
from auditor.log.model import QueryLog
from auditor.messages import as_phrase, phrase
from auditor.progress import Progress


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


def read_profiles(log: QueryLog, profiles: Any, progress: Progress) -> UserProfileTable:
    """Read a CSV or TSV file (plain or gzip) with the column ``user`` and some of `COLUMNS`.

    Raises `MissingInput`: the file can't be read, lacks ``user``, or has none of the other columns;
    the message holds nothing of anybody's profile.
    """
    progress.stage("reading profiles")
    columns, rows = own_name_queries.read_rows(profiles)
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


def why_no_names(evidence: Evidence) -> str:
    """Why nobody's name can be known, in words; empty if some can.

    Of the profiles it reads the first line; what can't be read is for the attack to complain of.
    """
    if not len(evidence.log):
        return "needs rows: the log is empty"
    if user_names.carry_names(evidence.log.users):
        return ""
    if evidence.profiles is None:
        return "needs profiles (user, userid, name): the log's user ids carry no names"
    columns = own_name_queries.columns_of(evidence.profiles)
    if columns and not {"userid", "name"} & set(columns):
        return "needs names: the profiles have no column 'userid' or 'name'"
    return ""


def names_of(
    evidence: Evidence, progress: Progress
) -> tuple[user_names.UserNames, UserProfileTable | None]:
    """Names of the log's users from their profiles and userids.

    Where the table has no userids, the log's own ids are taken if they look like chosen ones.

    Raises `MissingInput`: nobody's name can be known, or the profiles can't be read.
    """
    if reason := why_no_names(evidence):
        raise MissingInput(phrase("vanity {why}.", why=as_phrase(reason)))
    log = evidence.log
    table = (
        read_profiles(log, evidence.profiles, progress) if evidence.profiles is not None else None
    )
    userids = [""] * len(log.users)
    if table is not None and "userid" in table.columns:
        userids = table.userid
    elif user_names.carry_names(log.users):
        userids = log.users.list_strings()
    real = table.name if table is not None else [""] * len(log.users)
    names = user_names.extract_names(real, userids, len(log.users), progress)
    if not names.words:
        raise MissingInput("vanity needs names: neither profiles nor user ids hold any.")
    return names, table
