"""The ledger: which releases of which logs were written and approved, in a file that only grows.

A SQLite file of one person's, mode 0600. Each entry is a text (JSON) with the SHA-256 of itself and
of the entry before it; triggers refuse to change or remove one, and the whole chain is checked at
every opening. An entry holds figures, names and digests: no query, no seed, no key, no path.

What the chain shows by itself: a changed, removed or inserted entry, by its number. What it can't
show: that entries were cut off the end, that everything from some entry on was written anew by
somebody who may write the file, or that the whole file is gone or another one. For that the last
head of each ledger is remembered beside the audit key, by which also a copy that went on with
entries of its own is found, and each signed manifest names its entry and the chain's head there;
`find_disagreements` compares the two.

Two programs may write at once: a writer holds the file from reading the last entry to writing the
next. What a killed writer began is undone by SQLite at the next opening.
"""

import contextlib
import dataclasses
import hashlib
import json
import math
import os
import secrets
import sqlite3
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from auditor import platform
from auditor.bounded_files import locked_json, parse_json, read_bounded
from auditor.errors import ExportFailed, ExportRefused
from auditor.log.escaping import shorten_text
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.release.export_target import quote_name
from auditor.release.shape import NUMBER, OBJECT, TEXT, Needs, Shape, describe_misfit

FORMAT = "auditor ledger 1"
HEADS = "ledger-heads.json"
"""The file beside the audit key that remembers each ledger's id and last head."""
WAIT = 10.0
"""Seconds that a writer waits for another."""
LARGEST_BODY = 1 << 20

APPROVED, WITHDRAWN, LOG = "approved", "withdrawn", "log"
WRITTEN, CHOICE = "written", "choice"

_SCHEMA = {
    "about": "CREATE TABLE about (format TEXT NOT NULL, id TEXT NOT NULL)",
    "entries": "CREATE TABLE entries (number INTEGER PRIMARY KEY, body TEXT NOT NULL, "
    "previous TEXT NOT NULL, hash TEXT NOT NULL)",
} | {
    f"{table}_{what.lower()}": f"CREATE TRIGGER {table}_{what.lower()} BEFORE {what} ON {table} "
    "BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END"
    for table in ("about", "entries")
    for what in ("UPDATE", "DELETE")
}
_SCHEMA["about_insert"] = (
    "CREATE TRIGGER about_insert BEFORE INSERT ON about WHEN (SELECT count(*) FROM about) > 0 "
    "BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END"
)
_SCHEMA["entries_insert"] = (
    # Also stops INSERT OR REPLACE, which removes a row without the trigger on DELETE.
    "CREATE TRIGGER entries_insert BEFORE INSERT ON entries WHEN NEW.number IS NOT "
    "(SELECT coalesce(max(number), 0) + 1 FROM entries) "
    "BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END"
)


@dataclass(frozen=True)
class LedgerEntry:
    """One entry; `hash` is over its number, its text and `previous`, the hash before it."""

    number: int
    previous: str
    hash: str
    body: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """What it tells of: approved, withdrawn, log, written, choice."""
        return str(self.body.get("kind", ""))


@dataclass(frozen=True)
class LedgerState:
    """What a ledger holds at one moment, and everything that is wrong with it."""

    id: str
    entries: tuple[LedgerEntry, ...]
    problems: tuple[str, ...] = ()

    @property
    def head(self) -> str:
        """The hash of the last entry; of an empty ledger, of its name."""
        return self.entries[-1].hash if self.entries else _hash_first(self.id)

    @property
    def approvals(self) -> tuple[LedgerEntry, ...]:
        """Approvals that were not withdrawn; a release may have several, each with its terms."""
        gone = {entry.body.get("entry") for entry in self.entries if entry.kind == WITHDRAWN}
        approvals = (entry for entry in self.entries if entry.kind == APPROVED)
        return tuple(entry for entry in approvals if entry.number not in gone)

    @property
    def approved(self) -> tuple[LedgerEntry, ...]:
        """Approvals that count: each release once, by its first, however often approved."""
        releases: dict[str, LedgerEntry] = {}
        for entry in self.approvals:
            releases.setdefault(str(entry.body.get("release", entry.number)), entry)
        return tuple(releases.values())

    @property
    def written(self) -> tuple[LedgerEntry, ...]:
        """Releases that were written, approved later or not, each once."""
        releases: dict[str, LedgerEntry] = {}
        for entry in self.entries:
            if entry.kind == WRITTEN:
                releases.setdefault(str(entry.body.get("release", "")), entry)
        return tuple(releases.values())

    def raise_problems(self) -> None:
        """Raise `ExportRefused` if anything is wrong."""
        if self.problems:
            raise ExportRefused(sentence("ledger.not_as_written", problems=self.problems[0]))


EMPTY = LedgerState("", ())


def data_folder() -> Path:
    """Where this person's ledger and audit key lie; ``AUDITOR_DATA`` names another place."""
    if variable := os.environ.get("AUDITOR_DATA"):
        return Path(variable).expanduser()
    try:
        return platform.find_data_home() / "query-log-auditor"
    except RuntimeError:
        raise ExportFailed(
            "You have no home folder. Say where the ledger is to lie: set AUDITOR_DATA."
        ) from None


def ledger_path(path: Path | None = None) -> Path:
    """The file that is meant: the one given, ``AUDITOR_LEDGER``'s, or the usual one."""
    if path is not None:
        return path
    variable = os.environ.get("AUDITOR_LEDGER")
    return Path(variable).expanduser() if variable else data_folder() / "ledger.sqlite"


def read_ledger(path: Path) -> LedgerState:
    """The ledger as it stands; an empty one where there is no file, which is not made.

    Raises `ExportRefused` where it is no ledger, or others than its owner may read it, and
    `ExportFailed` where it can't be read, or another program holds it for too long.
    """
    try:
        path.lstat()
    except FileNotFoundError:
        return _compare_with_head(EMPTY, path)
    except (OSError, ValueError) as error:  # that nobody may look is no sign that nothing is there
        reason = getattr(error, "strerror", None) or "its name is none"
        message = sentence("ledger.unreadable", path=quote_name(path), why=reason)
        raise ExportFailed(message) from None
    with _open_connection(path) as connection:
        connection.execute("BEGIN")  # one moment: nobody writes between two reads
        return _compare_with_head(_read_state(connection), path)


def check_before_run(path: Path) -> None:
    """Refuse a ledger that could not be written after the work; raises as `read_ledger` does."""
    read_ledger(path).raise_problems()
    places = [place for place in (path, *path.absolute().parents) if place.exists()]
    if not all(os.access(place, os.W_OK) for place in places[: 1 + path.exists()]):
        raise ExportFailed(sentence("ledger.read_only", path=quote_name(path)))


class LedgerWriter:
    """Holds the ledger: what it reads here is what its entries will follow."""

    def __init__(self, connection: sqlite3.Connection, state: LedgerState) -> None:
        self._connection = connection
        self.state = state

    def append(self, body: Mapping[str, Any]) -> LedgerEntry:
        """Add an entry; it is durable when the block of `appending` has ended."""
        text = json.dumps(body, sort_keys=True, ensure_ascii=False, allow_nan=False)
        if len(text) > LARGEST_BODY:
            raise ExportRefused("This is too long for the ledger. Shorten the reasons.")
        number, previous = len(self.state.entries) + 1, self.state.head
        entry = LedgerEntry(number, previous, _hash_entry(number, previous, text), json.loads(text))
        self._connection.execute(
            "INSERT INTO entries VALUES (?, ?, ?, ?)", (number, text, previous, entry.hash)
        )
        self.state = LedgerState(self.state.id, (*self.state.entries, entry))
        return entry


@contextlib.contextmanager
def open_for_append(path: Path) -> Iterator[LedgerWriter]:
    """Hold the ledger (made if it isn't there) and keep what is appended if the block ends well.

    Raises as `read` does, and `ExportRefused` if the ledger is broken: nothing is added to it.
    """
    if not os.path.lexists(path):
        _compare_with_head(EMPTY, path).raise_problems()
    try:  # a file of its owner's alone, whose mode SQLite's own files take
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            os.close(platform.create_private_file(path))
    except OSError as error:
        reason = as_phrase(error.strerror or "")
        message = sentence("ledger.cannot_be_made", path=quote_name(path), strerror=reason)
        raise ExportFailed(message) from None
    with _open_connection(path) as connection:
        connection.execute("BEGIN IMMEDIATE")
        if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            _compare_with_head(EMPTY, path).raise_problems()
            for statement in _SCHEMA.values():
                connection.execute(statement)
            connection.execute("INSERT INTO about VALUES (?, ?)", (FORMAT, secrets.token_hex(16)))
        state = _compare_with_head(_read_state(connection), path)
        state.raise_problems()
        writer = LedgerWriter(connection, state)
        yield writer
        connection.execute("COMMIT")
    _remember_head(writer.state, path)


def withdraw_entry(path: Path, entry: LedgerEntry, why: str) -> None:
    """Say that an approval came to nothing: its release was never put in place."""
    with open_for_append(path) as writer:
        writer.append({"kind": WITHDRAWN, "at": current_time(), "entry": entry.number, "why": why})


def find_disagreements(state: LedgerState, manifest: Mapping[str, Any], audited: str) -> list[str]:
    """In what a signed manifest and the ledger differ; `audited` is `manifest.audited_digest`."""
    facts = manifest.get("approval", {})
    facts = facts.get("ledger") if isinstance(facts, dict) else None
    if not isinstance(facts, dict):
        return ["names no entry of a ledger"]
    if facts.get("id") != state.id:
        return ["was approved with another ledger, or this one was replaced"]
    number = facts.get("entry")
    if not isinstance(number, int) or not 1 <= number <= len(state.entries):
        return [sentence("ledger.entry_cut_off", number=number)]
    entry = state.entries[number - 1]
    problems = []
    if entry.hash != facts.get("head"):
        problems.append(sentence("ledger.entry_differs", number=number))
    elif entry.kind != APPROVED or entry.body.get("release") != audited:
        problems.append(phrase("is not the release that entry {number} tells of", number=number))
    return problems


def current_time() -> str:
    """This moment, as entries and manifests write it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


# --- the last head of each ledger ---------------------------------------------------------------


def _compare_with_head(state: LedgerState, path: Path) -> LedgerState:
    """The state, with a problem more where it isn't what was written last, or its copy went on."""
    problems, heads = list(state.problems), quote_name(data_folder() / HEADS)
    for name, last_head in _read_heads().items():
        count = last_head.get("entries") if isinstance(last_head, dict) else None
        if not isinstance(count, int) or count < 1:
            continue
        own, size = name == str(path.resolve()), len(state.entries)
        is_same_file = last_head.get("id") == state.id and (own or os.path.lexists(name))
        lacks = size < count or state.entries[count - 1].hash != last_head.get("head")
        if own and not state.id:
            problems.append(sentence("ledger.missing", count=count, heads=heads))
        elif own and not is_same_file:
            problems.append(sentence("ledger.replaced", count=count, heads=heads))
        elif not (is_same_file and lacks) or state.problems:
            continue
        elif not own:
            problems.append(sentence("ledger.copy", count=count, copy=shorten_text(name, 400)))
        elif size < count:
            problems.append(sentence("ledger.end_cut_off", count=count, rest=size))
        else:
            text = "it was written anew, from entry {count} or before"
            problems.append(phrase(text, count=count))
    return dataclasses.replace(state, problems=tuple(problems))


def _remember_head(state: LedgerState, path: Path) -> None:
    """Remember the last entry; where that can't be written, an older one stays remembered."""
    head = {"id": state.id, "entries": len(state.entries), "head": state.head}
    with contextlib.suppress(OSError, ExportFailed), locked_json(data_folder() / HEADS) as write:
        heads, name = _read_heads(), str(path.resolve())
        last_head = heads.get(name)
        count = None
        if isinstance(last_head, dict) and last_head.get("id") == state.id:
            count = last_head.get("entries")
        # Another program may have appended since, and remembered that already.
        if not isinstance(count, int) or count < len(state.entries):
            write(heads | {name: head})


def _read_heads() -> dict[str, Any]:
    try:
        heads = parse_json(read_bounded(data_folder() / HEADS, LARGEST_BODY, follow=False))
    except (OSError, ValueError, RecursionError, ExportFailed):
        return {}
    return heads if isinstance(heads, dict) else {}


# --- the file ---------------------------------------------------------------------------------


def _hash_first(name: str) -> str:
    return hashlib.sha256(f"{FORMAT}\n{name}".encode()).hexdigest()


def _hash_entry(number: int, previous: str, text: str) -> str:
    return hashlib.sha256(f"{FORMAT} entry\n{number}\n{previous}\n{text}".encode()).hexdigest()


def _read_state(connection: sqlite3.Connection) -> LedgerState:
    """Read and check all of it; O(entries)."""
    schema = dict(connection.execute("SELECT name, sql FROM sqlite_master"))
    if not schema:
        return EMPTY
    if any(schema.get(table) != _SCHEMA[table] for table in ("about", "entries")):
        raise ExportRefused("This file is no ledger of this program's. Name another one.")
    problems = [
        phrase("its own rules were changed ({name})", name=str(name))
        for name in sorted(schema.keys() | _SCHEMA.keys(), key=str)
        if schema.get(name) != _SCHEMA.get(name)
    ]
    headings = connection.execute("SELECT format, id FROM about").fetchall()
    if len(headings) != 1 or headings[0][0] != FORMAT:
        raise ExportRefused("This ledger is of another version of this program, or is none.")
    name = str(headings[0][1])
    entries: list[LedgerEntry] = []
    previous = _hash_first(name)
    rows = connection.execute("SELECT number, body, previous, hash FROM entries ORDER BY number")
    for expected, (number, text, before, digest) in enumerate(rows, start=1):
        body, problem = _parse_body(text), ""
        if number != expected:
            problem = phrase("entry {expected} is missing", expected=expected)
        elif before != previous:
            problem = phrase("entry {number} does not follow the one before it", number=number)
        elif body is None or digest != _hash_entry(number, before, text):
            problem = phrase("entry {number} was changed after it was written", number=number)
        elif not _is_fit(body):
            problem = phrase(
                "entry {number} is not of a shape that this program writes", number=number
            )
        if problem or body is None:
            problems.append(problem)
            break
        entries.append(LedgerEntry(number, before, digest, body))
        previous = digest
    return LedgerState(name, tuple(entries), tuple(problems))


def _parse_body(text: Any) -> dict[str, Any] | None:
    try:
        body = json.loads(text) if isinstance(text, str) and len(text) <= LARGEST_BODY else None
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) else None


_ENTRY: Shape = {
    "log": {"digest": TEXT, "keyed": TEXT},
    "sketch": {"key": TEXT, "events": [TEXT], "moments": [TEXT], "users": [TEXT]},
    "release": TEXT,
    "overrides": [{str: TEXT}],
    "attested": {str: (str, int, bool)},
}
_CHOICE = Needs({"epsilon": NUMBER, "search": TEXT, "answer": OBJECT})


def _is_fit(body: Mapping[str, Any]) -> bool:
    """Whether an entry holds what every entry of its kind holds, each of its kind."""
    optional = ("log", "sketch", "overrides")
    fields = {key: value for key, value in body.items() if key not in optional or value is not None}
    if describe_misfit(fields, _ENTRY):
        return False
    if body.get("kind") != CHOICE:
        return True
    return not describe_misfit(body, _CHOICE) and 0 <= body["epsilon"] < math.inf


@contextlib.contextmanager
def _open_connection(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a file that is its owner's alone; what wasn't committed is undone."""
    label = quote_name(path)
    try:
        status = path.lstat()
    except OSError as error:
        reason = as_phrase(error.strerror or "")
        message = sentence("ledger.cannot_be_opened", path=label, strerror=reason)
        raise ExportFailed(message) from None
    if not stat.S_ISREG(status.st_mode):
        raise ExportRefused(phrase("{path} is no file. Name the ledger itself.", path=label))
    if platform.is_world_writable(path.parent.stat()):
        raise ExportRefused(sentence("ledger.folder_writable", path=label))
    if status.st_mode & 0o077:
        raise ExportRefused(sentence("ledger.readable_by_others", path=label))
    try:
        connection = sqlite3.connect(path, timeout=WAIT, isolation_level=None)
        try:
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA synchronous = EXTRA")
            yield connection
        finally:
            connection.close()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise _make_refusal(error, label) from None


def _make_refusal(error: Exception, label: str) -> ExportRefused | ExportFailed:
    name = getattr(error, "sqlite_errorname", "")
    # The text of an error repeats bytes of a damaged file.
    if isinstance(error, UnicodeDecodeError) or name.startswith(
        ("SQLITE_NOTADB", "SQLITE_CORRUPT")
    ):
        return ExportRefused(phrase("{path} is no ledger, or it is damaged.", path=label))
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return ExportFailed(sentence("ledger.locked", path=label))
    if name.startswith("SQLITE_READONLY"):
        return ExportFailed(sentence("ledger.read_only", path=label))
    if name.startswith(("SQLITE_FULL", "SQLITE_IOERR_WRITE")):  # a quota is the second
        return ExportFailed(sentence("ledger.disk_full", path=label))
    cause = as_phrase(name or "SQLite failed")
    return ExportFailed(sentence("ledger.unusable", path=label, name=cause))
