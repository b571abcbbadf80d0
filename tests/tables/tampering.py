"""Tampering: a release that somebody approved, changed in every way that comes to mind.

Every case must fail against the public key that the recipient has from the signer. The release is
audited, approved and signed once; each case changes a copy of it, or of the ledger.
"""

import atexit
import functools
import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

from tests.policies import policy_text
from tests.tables.cases import FAILED, FINE, REFUSED, Case, call
from tests.tables.usage import log

POLICY = policy_text("epsilon statement.epsilon most=1000", "some release.queries least=1")
PLACES, LEAVES = 25, 120
"""How many bytes of each file, and how many values of each manifest, are changed."""
NEVER = (FAILED, REFUSED)


@functools.cache
def scene() -> Path:
    """`one` and `two`, approved; `key.pem.pub`; `other.pem.pub`; `data` with the ledger."""
    place = Path(tempfile.mkdtemp(prefix="tables-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    with mock.patch.dict(os.environ, {"AUDITOR_DATA": str(place / "data")}):
        (place / "policy.toml").write_text(POLICY, encoding="utf-8")
        work = place / "work"
        work.mkdir()
        raw = log(work)
        for number, name in enumerate(("one", "two"), 1):
            out = place / name
            # Noise so small that both queries are released each time: an empty release is refused.
            quiet = ["-p", "K=2", "-p", "b=0.05", "-p", "b_q=0.05"]
            audit = ["audit", str(raw), "--method", "korolova", "-p", f"q_f={number}", *quiet]
            done([*audit, "--policy", str(place / "policy.toml"), "--out", str(out)], work)
            new = ["--new-key"] if number == 1 else []
            if number == 1:
                theirs = ["--key", place / "other.pem", "--ledger", place / "theirs.sqlite"]
                for end in ("", ".internal"):
                    shutil.copytree(f"{out}{end}", place / f"theirs{end}")
                approve(place / "theirs", work, *new, *theirs)
            approve(out, work, *new, "--key", place / "key.pem")
    return place


def approve(release: Path, folder: Path, *more: object) -> None:
    done(["approve", release, "--reviewer", "A. Person", *more], folder)


def done(words: Sequence[object], folder: Path) -> None:
    outcome = call([str(word) for word in words], folder, seconds=120)
    if outcome.code != FINE:
        raise AssertionError(outcome.raised or outcome.err)


def cases() -> Iterator[Case]:
    yield case("untouched", "the release as it was signed", lambda release: None, codes=(FINE,))
    names = sorted(path.name for path in (scene() / "one").iterdir())
    for name in names:
        for place in range(PLACES):
            flip = partial(flipped, name, place)
            yield case("one bit of a file", f"{name}, place {place + 1} of {PLACES}", flip)
        for what, content in FILE_CHANGES.items():
            yield case("a whole file", f"{name} {what}", partial(onto, content, name))
    for what, addition in ADDED.items():
        yield case("something added", what, addition)
    for name in (name for name in names if name.endswith(".json")):
        for number in range(LEAVES):
            edit = partial(edited, name, number)
            yield case("one value of a manifest", f"{name}, value {number + 1}", edit)
    yield from signatures()
    yield from ledgers()


def case(
    kind: str,
    name: str,
    change: Callable[[Path], object],
    key: str = "key.pem.pub",
    codes: tuple[int, ...] = NEVER,
) -> Case:
    """Verify a changed copy of the first release against a public key."""

    def make(folder: Path) -> list[object]:
        release = folder / "release"
        shutil.copytree(scene() / "one", release)
        change(release)
        return ["verify", release, "--public-key", scene() / key]

    return Case(kind, name, make, codes)


def flipped(name: str, place: int, release: Path) -> None:
    """One bit changed at one of `PLACES` places, the last byte among them."""
    path = release / name
    data = bytearray(path.read_bytes())
    data[(len(data) - 1) * place // (PLACES - 1)] ^= 1 << place % 7
    path.write_bytes(data)


def onto(change: Callable[[Path], object], name: str, release: Path) -> None:
    change(release / name)


def renamed(path: Path) -> None:
    path.rename(path.with_name(f"{path.name}.bak"))


def linked(path: Path) -> None:
    there = path.parent.parent / path.name
    path.rename(there)
    path.symlink_to(there)


def replaced(path: Path) -> None:
    path.unlink()
    path.mkdir()


def with_folder(release: Path) -> None:
    (release / "sub").mkdir()
    (release / "sub" / "log.tsv").write_text("x")


def signed_with(data: bytes, release: Path) -> None:
    (release / "manifest.sig").write_bytes(data)


FILE_CHANGES: dict[str, Callable[[Path], object]] = {
    "removed": lambda path: path.unlink(),
    "emptied": lambda path: path.write_bytes(b""),
    "cut by a byte": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "with a line more": lambda path: path.write_bytes(path.read_bytes() + b"\n"),
    "twice end to end": lambda path: path.write_bytes(path.read_bytes() * 2),
    "with line ends of Windows": lambda path: path.write_bytes(
        path.read_bytes().replace(b"\n", b"\r\n") + b"\r"
    ),
    "renamed": renamed,
    "replaced by a link to itself elsewhere": linked,
    "replaced by a folder": replaced,
    "of the other release": lambda path: shutil.copy(scene() / "two" / path.name, path),
}
ADDED: dict[str, Callable[[Path], object]] = {
    "a table": lambda release: (release / "clicks.tsv").write_text("query\turl\tcount\n"),
    "a hidden file": lambda release: (release / ".hidden").write_text("x"),
    "an empty file": lambda release: (release / "more").write_text(""),
    "a folder with a file": with_folder,
    "a link out of the folder": lambda release: (release / "link").symlink_to("/etc/passwd"),
    "a copy of a table by another name": lambda release: shutil.copy(
        release / "queries.tsv", release / "queries.tsv.orig"
    ),
}


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The place of every value that holds no other."""
    if isinstance(value, dict | list) and value:
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from leaves(value[key], (*path, key))
    else:
        yield path


def edited(name: str, number: int, release: Path) -> None:
    """One value changed to another of its kind; the n-th of `LEAVES` that stand evenly."""
    path = release / name
    manifest = json.loads(path.read_text(encoding="utf-8"))
    places = list(leaves(manifest))
    place = places[len(places) * number // LEAVES]
    inside = manifest
    for key in place[:-1]:
        inside = inside[key]
    value = inside[place[-1]]
    if isinstance(value, bool):
        inside[place[-1]] = not value
    elif isinstance(value, int | float):
        inside[place[-1]] = value + 1 if number % 2 else value / 2 - 1
    elif isinstance(value, str):
        inside[place[-1]] = f"{value} " if number % 2 else value[:-1]
    else:
        inside[place[-1]] = "something"
    path.write_text(json.dumps(manifest, indent=2, ensure_ascii=False), encoding="utf-8")


def signatures() -> Iterator[Case]:
    def taken(names: list[str], source: str, release: Path) -> None:
        for name in names:
            shutil.copy(scene() / source / name, release / name)

    both = ["manifest.json", "manifest.sig"]
    kind = "signatures"
    for what, change in {
        "another's, of the same release": partial(taken, ["manifest.sig"], "theirs"),
        "another's, with the manifest": partial(taken, both, "theirs"),
        "the signer's, of another release": partial(taken, ["manifest.sig"], "two"),
        "another release's, with its manifest": partial(taken, both, "two"),
    }.items():
        yield case(kind, what, change)
    yield case(kind, "right, but for another's key", lambda release: None, "other.pem.pub")
    zero, unit = bytes(64), bytes([1]) + bytes(63)
    for what, data in {"zeros": zero, "one": unit, "too long": bytes(100)}.items():
        yield case(kind, what, partial(signed_with, data))


def ledgers() -> Iterator[Case]:
    """The ledger's file: values changed, the first and the last entry and all of them removed."""
    yield in_ledger("as it was written", "SELECT 1", (FINE,), "untouched")
    with closing(sqlite3.connect(scene() / "data" / "ledger.sqlite")) as ledger:
        tables = [
            (name, [column[1] for column in ledger.execute(f"PRAGMA table_info({name})")])
            for (name,) in ledger.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if not name.startswith("sqlite_")
        ]
        filled = {name for name, _ in tables if ledger.execute(f"SELECT 1 FROM {name}").fetchone()}
    for name, columns in tables:
        if name not in filled:
            continue
        for column in columns:
            for row in ("MIN", "MAX"):
                change = (
                    f"UPDATE {name} SET {column} = CASE typeof({column}) WHEN 'integer' THEN "
                    f"{column} + 7 WHEN 'blob' THEN x'00' ELSE {column} || 'x' END "
                    f"WHERE rowid = (SELECT {row}(rowid) FROM {name})"
                )
                yield in_ledger(f"{name}.{column} of the {row.lower()} row changed", change)
        for row in ("MIN", "MAX"):
            change = f"DELETE FROM {name} WHERE rowid = (SELECT {row}(rowid) FROM {name})"
            yield in_ledger(f"the {row.lower()} row of {name} removed", change)
        yield in_ledger(f"all of {name} removed", f"DELETE FROM {name}")


def in_ledger(
    name: str, change: str, codes: tuple[int, ...] = NEVER, kind: str = "the ledger"
) -> Case:
    """Check a changed ledger against the releases that name it."""

    def make(folder: Path) -> list[object]:
        file = folder / "ledger.sqlite"
        shutil.copy(scene() / "data" / "ledger.sqlite", file)
        with closing(sqlite3.connect(file)) as ledger:
            triggers = ledger.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            saved = triggers.fetchall()
            for trigger, _ in saved:
                ledger.execute(f"DROP TRIGGER {trigger}")
            ledger.execute(change)
            for _, statement in saved:
                ledger.execute(statement)
            ledger.commit()
        both = [part for name in ("one", "two") for part in ("--release", scene() / name)]
        return ["ledger", "--ledger", file, "--verify", *both]

    return Case(kind, name, make, codes)
