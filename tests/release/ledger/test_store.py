"""The ledger: nothing in it can be changed unnoticed, two may write, whoever is killed."""

import contextlib
import json
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from auditor.__main__ import main
from auditor.errors import ExportFailed, ExportRefused
from auditor.progress import silent_progress
from auditor.release import approval as approving
from auditor.release import atomic_write, signing
from auditor.release.ledger import history, store
from auditor.release.ledger.store import LedgerState
from auditor.release.manifest import (
    EVIDENCE,
    MANIFEST,
    SEAL,
    audited_digest,
    internal_folder,
    read_manifest,
    to_bytes,
    verify_folder,
)
from tests.release import fakes
from tests.release.test_approval import PASSING, made, signed

pytestmark = pytest.mark.usefixtures("quick_pages")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A ledger of five entries."""
    ledger = tmp_path / "ledger.sqlite"
    for number in range(5):
        append(ledger, number)
    return ledger


def append(path: Path, number: int) -> None:
    with store.open_for_append(path) as writer:
        writer.append(body(number))


def body(number: int, **more: Any) -> dict[str, Any]:
    entry = {"kind": store.APPROVED, "release": f"{number:064x}", "log": {"digest": "d"}}
    return entry | {"n": number} | more


def numbers(state: LedgerState) -> list[int]:
    return [entry.body["n"] for entry in state.entries]


def tampered(path: Path, statements: str = "", *, rules: bool = True) -> LedgerState:
    """The ledger after somebody who knows SQL was at it, and with `rules` cleaned up behind her."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        triggers = rows.fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.executescript(statements)
        for _, text in triggers if rules else ():
            connection.execute(text)
        connection.commit()
    return store.read_ledger(path)


# What stands there


def test_that_what_is_appended_stands_there_in_order_and_for_its_owner_alone(path: Path) -> None:
    state = store.read_ledger(path)
    assert numbers(state) == [0, 1, 2, 3, 4]
    assert state.problems == ()
    assert [entry.number for entry in state.entries] == [1, 2, 3, 4, 5]
    assert len({entry.hash for entry in state.entries}) == 5
    assert state.head == state.entries[-1].hash
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert store.read_ledger(path.with_name("none")) == store.EMPTY
    assert not path.with_name("none").exists()


def test_that_a_block_that_fails_leaves_nothing(path: Path) -> None:
    def failing() -> None:
        with store.open_for_append(path) as writer:
            writer.append(body(9))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        failing()
    assert numbers(store.read_ledger(path)) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET body = '{}' WHERE number = 2",
        "DELETE FROM entries WHERE number = 5",
        "DELETE FROM entries",
        "INSERT OR REPLACE INTO entries VALUES (2, '{}', 'x', 'y')",
        "INSERT INTO entries VALUES (9, '{}', 'x', 'y')",
        "INSERT INTO entries VALUES (NULL, '{}', 'x', 'y') ON CONFLICT DO UPDATE SET body = ''",
        "UPDATE about SET id = 'x'",
        "DELETE FROM about",
        "INSERT INTO about VALUES ('auditor ledger 1', 'x')",
    ],
)
def test_that_the_file_itself_refuses_what_is_not_an_append(path: Path, statement: str) -> None:
    before = store.read_ledger(path)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        # The row with a number of NULL gets the next one, as every append does.
        with contextlib.suppress(sqlite3.Error):
            connection.execute(statement)
            assert "NULL" in statement, "was let through"
        connection.rollback()
    assert store.read_ledger(path) == before


# Tampering

RENUMBER = "UPDATE entries SET number = number - 1 WHERE number > 3"
COPY = "INSERT INTO entries SELECT 6, body, {} FROM entries WHERE number = 5"


@pytest.mark.parametrize(
    ("statements", "problem"),
    [
        ("DELETE FROM entries WHERE number = 3", "entry 3 is missing"),
        ("DELETE FROM entries WHERE number = 1", "entry 1 is missing"),
        (f"DELETE FROM entries WHERE number = 3; {RENUMBER}", "entry 3 does not follow the one"),
        (COPY.format("previous, hash"), "entry 6 does not follow the one before it"),
        (COPY.format("hash, hash"), "entry 6 was changed after it was written"),
        ("UPDATE entries SET hash = 'x' WHERE number = 2", "entry 2 was changed after"),
        ("UPDATE entries SET previous = 'x' WHERE number = 2", "entry 2 does not follow"),
        ("UPDATE about SET id = 'x'", "entry 1 does not follow"),
        ("UPDATE entries SET body = x'00ff' WHERE number = 4", "entry 4 was changed"),
        ("CREATE TABLE more (x)", "its own rules were changed (more)"),
    ],
)
def test_that_tampering_is_found_at_every_opening(
    path: Path, statements: str, problem: str
) -> None:
    state = tampered(path, statements)
    assert problem in state.problems[0]
    with pytest.raises(ExportRefused, match="not as it was written"):
        append(path, 9)


def test_that_rules_which_were_taken_away_are_missed(path: Path) -> None:
    state = tampered(path, rules=False)
    assert len(state.problems) == 6
    assert all("rules were changed" in problem for problem in state.problems)


def test_that_what_is_no_ledger_is_refused(tmp_path: Path) -> None:
    odd = tmp_path / "odd"
    for data in (b"zebulon", b"SQLite format 3\0" + b"\0" * 100):
        odd.write_bytes(data)
        odd.chmod(0o600)
        with pytest.raises((ExportRefused, ExportFailed)) as raised:
            store.read_ledger(odd)
        assert "zebulon" not in str(raised.value)
    with contextlib.closing(sqlite3.connect(tmp_path / "other")) as connection:
        connection.execute("CREATE TABLE entries (x)")
    (tmp_path / "other").chmod(0o600)
    with pytest.raises(ExportRefused, match="no ledger"):
        store.read_ledger(tmp_path / "other")


def test_that_a_ledger_that_others_may_read_is_refused(path: Path, tmp_path: Path) -> None:
    path.chmod(0o644)
    with pytest.raises(ExportRefused, match="chmod 600"):
        store.read_ledger(path)
    path.chmod(0o600)
    (tmp_path / "link").symlink_to(path)
    with pytest.raises(ExportRefused, match="no file"):
        store.read_ledger(tmp_path / "link")


def test_that_a_ledger_in_use_is_waited_for_and_then_named(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "WAIT", 0.05)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(ExportFailed, match="Another program holds"):
            store.read_ledger(path)
        with pytest.raises(ExportFailed, match="Another program holds"):
            append(path, 9)
    append(path, 9)


# A ledger that is another one: only releases tell


def disagreements(folder: Path) -> list[str]:
    facts = read_manifest(folder)
    return store.find_disagreements(
        store.read_ledger(store.ledger_path()), facts, audited_digest(facts)
    )


def test_that_a_truncated_replaced_or_rewritten_ledger_is_found_by_its_releases(
    tmp_path: Path, key: Path
) -> None:
    path = store.ledger_path()
    folders = [made(tmp_path / name, PASSING) for name in ("one", "two", "three")]
    numbers = [signed(folder, key)["ledger"]["entry"] for folder in folders]
    assert numbers == sorted(numbers)
    assert [disagreements(folder) for folder in folders] == [[], [], []]
    data = path.read_bytes()

    tampered(path, f"DELETE FROM entries WHERE number = {numbers[-1]}")
    assert "cut off" in store.read_ledger(path).problems[0]
    assert [bool(disagreements(folder)) for folder in folders] == [False, False, True]
    assert "cut off" in disagreements(folders[2])[0]
    forget_heads()
    append(path, 9)
    assert "written anew" in disagreements(folders[2])[0]

    path.unlink()
    assert "missing" in store.read_ledger(path).problems[0]
    with pytest.raises(ExportRefused, match="missing or empty"):
        append(path, 9)
    assert not path.exists()
    forget_heads()
    append(path, 9)
    assert all("another ledger" in disagreements(folder)[0] for folder in folders)

    path.write_bytes(data)
    assert "another ledger" in store.read_ledger(path).problems[0]
    facts = read_manifest(folders[0])
    facts["method"] = "zealous"
    problems = store.find_disagreements(store.read_ledger(path), facts, audited_digest(facts))
    assert problems == [f"is not the release that entry {numbers[0]} tells of"]


def test_that_a_ledger_that_can_not_be_written_stops_a_run_before_its_work(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in (path, tmp_path / "new" / "ledger.sqlite"):
        store.check_before_run(place)
        with monkeypatch.context() as patch:
            patch.setattr(os, "access", lambda *_: False)
            with pytest.raises(ExportFailed, match="AUDITOR_LEDGER"):
                store.check_before_run(place)
        assert place.exists() == (place is path)


def test_that_a_ledger_and_its_copy_do_not_go_on_apart(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    shutil.copy(path, copy)
    append(copy, 5)
    assert len(store.read_ledger(path).problems) == 1
    with pytest.raises(ExportRefused, match=str(copy)):
        append(path, 6)
    append(copy, 6)
    copy.rename(path)
    append(path, 7)
    assert numbers(store.read_ledger(path)) == list(range(8))


def forget_heads() -> None:
    (store.data_folder() / store.HEADS).unlink()


def test_that_a_ledger_where_everybody_may_write_is_refused(tmp_path: Path, key: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    with pytest.raises(ExportRefused, match="written by everybody"):
        append(shared / "ledger.sqlite", 1)
    with pytest.raises(ExportRefused, match="written by everybody"):
        signing.new_key(shared / "key.pem")
    assert not (shared / "key.pem").exists()
    tmp_path.chmod(0o777)
    with pytest.raises(ExportRefused, match="written by everybody"):
        signing.private_key(key)
    tmp_path.chmod(0o700)


# Two at once

WRITERS = """
import sys
import tempfile
import time
from pathlib import Path
from auditor.release.ledger import store
for number in range(int(sys.argv[2])):
    with store.open_for_append(Path(sys.argv[1])) as writer:
        writer.append({"kind": "approved", "release": f"{sys.argv[3]}-{number}", "n": number})
"""


def test_that_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "new" / "ledger.sqlite"
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITERS, str(path), "25", name])
        for name in ("a", "b", "c")
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    state = store.read_ledger(path)
    assert state.problems == ()
    assert len(state.approved) == len(state.entries) == 75


# An approval that is stopped


def approved(folder: Path) -> bool:
    """Whether a folder is approved; fails if it is anything in between."""
    assert verify_folder(folder) == []
    facts = read_manifest(folder)
    if "approval" not in facts:
        assert signing.find_seal_problems(folder) == []
        assert (internal_folder(folder) / SEAL).exists()
        return False
    assert signing.check_signature(folder)[0] == []
    assert disagreements(folder) == []
    return True


def counted() -> int:
    state = store.read_ledger(store.ledger_path())
    assert state.problems == ()
    return len(state.approved)


def test_that_approving_the_same_release_twice_counts_once(tmp_path: Path, key: Path) -> None:
    folder = made(tmp_path, PASSING)
    copy = shutil.copytree(folder, tmp_path / "copy")
    shutil.copytree(internal_folder(folder), internal_folder(copy))
    signed(folder, key)
    with pytest.raises(ExportRefused, match="approved already"):
        signed(folder, key)
    signed(copy, key)
    assert counted() == 1
    signed(made(tmp_path / "other", PASSING), key)
    assert counted() == 2


def test_that_a_folder_that_can_not_be_put_in_place_is_withdrawn(
    tmp_path: Path, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made(tmp_path, PASSING)

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(atomic_write, "_place_folder", full)
        with pytest.raises(ExportFailed, match="not enough room"):
            signed(folder, key)
    assert not approved(folder)
    assert counted() == 0
    state = store.read_ledger(store.ledger_path())
    assert [entry.kind for entry in state.entries][-2:] == ["approved", "withdrawn"]
    signed(folder, key)
    assert approved(folder)
    assert counted() == 1


def test_that_a_refusal_enters_nothing(
    tmp_path: Path, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made(tmp_path, PASSING)
    with monkeypatch.context() as patch:
        patch.setattr(signing, "check_signature", lambda *_: (["no"], ""))
        with pytest.raises(ExportRefused, match="can't be signed"):
            signed(folder, key)
    (folder / "queries.tsv").write_text("changed")
    with pytest.raises(ExportRefused, match="not as its manifest says"):
        signed(folder, key)
    assert counted() == 0
    kinds = {entry.kind for entry in store.read_ledger(store.ledger_path()).entries}
    assert kinds == {store.LOG, store.WRITTEN}


KILLED = """
import contextlib, os, sys
from pathlib import Path
import pytest
from auditor.release import atomic_write, signing
from auditor.release.ledger import store
from tests.release import fakes, test_crash
from tests.release.ledger.test_store import PASSING, approved, counted, made, signed

fakes.quick_report(pytest.MonkeyPatch())
place, first = Path(sys.argv[1]), int(sys.argv[2])
key = place / "key.pem"
signing.new_key(key)
signing.audit_key()

def die_at(count):
    wrapped = test_crash.die_at(count, "link")
    step = wrapped(lambda: None)
    store.LedgerWriter.append = wrapped(store.LedgerWriter.append)
    whole = store.open_for_append
    @contextlib.contextmanager
    def appending(path):
        with whole(path) as writer:
            step()
            yield writer
            step()
        step()  # committed, and the folder is not in place
    store.open_for_append = appending

outcomes = []
for number in (*range(first, 30, 6), *range(30 + first, 400, 2)):
    folder = made(place / str(number), PASSING)
    before = counted()
    child = os.fork()
    if child == 0:
        die_at(number)
        signed(folder, key)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    atomic_write.clear_leftovers(folder.parent)
    done, more = approved(folder), counted() - before
    assert done <= more <= 1, (number, done, more)
    outcomes.append(f"{int(done)}{more}")
    if not done:
        signed(folder, key)
        assert approved(folder) and counted() - before == 1, number
    if os.WIFEXITED(status):
        assert os.WEXITSTATUS(status) == 0
        break
else:
    raise AssertionError("the approval never ended")
print(" ".join(outcomes))
"""


def test_that_a_kill_at_any_step_leaves_folder_and_ledger_in_agreement() -> None:
    memory = Path("/dev/shm")  # dozens of releases force hundreds of files to disk
    place = memory if os.access(memory, os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=place) as made_in:
        outcomes = fakes.run_program(KILLED, made_in, 0, AUDITOR_DATA=f"{made_in}/data")
    assert outcomes.count("00") > 5, "no kill came before the commit"
    assert "01" in outcomes, "no kill came between the commit and the rename"
    assert outcomes.count("11") > 2, "no kill came after the rename"


# What the ledger says of nobody


def test_that_no_secret_stands_in_the_ledger_or_a_release(tmp_path: Path, key: Path) -> None:
    log = fakes.raw_log()
    secret = signing.audit_secret(signing.audit_key())
    path = store.ledger_path()
    history.remember_log(log, path, secret, silent_progress())
    folder = made(tmp_path, PASSING)
    signed(folder, key)
    released = b"".join(file.read_bytes() for file in folder.iterdir())
    data = path.read_bytes()
    text = json.dumps([dict(entry.body) for entry in store.read_ledger(path).entries])
    for word in (*fakes.SECRETS, *log.queries.list_strings()):
        assert word.encode() not in data
        assert word not in text
    assert secret.hex() not in text
    keys = [file.read_bytes() for file in (key, path.parent / signing.AUDIT_KEY)]
    lines = [b"".join(pem.splitlines()[1:-1]) for pem in keys]
    for secret_bytes in (secret, b"PRIVATE", os.fsencode(tmp_path), *lines):
        assert secret_bytes not in data
        assert secret_bytes not in released


EDITS: list[Callable[[dict[str, Any]], Any]] = [
    lambda facts: facts["statement"].update(epsilon=0.1),
    lambda facts: facts["gates"]["results"][0].update(verdict="failed"),
    lambda facts: facts["gates"]["figures"].update(users=1),
    lambda facts: facts["gates"].update(rules=[]),
    lambda facts: facts["input"].update(keyed_digest="0" * 64),
    lambda facts: facts["release"].update(manifest_sha256="0" * 64),
    lambda facts: facts.update(method="zealous"),
]


def test_that_an_approval_trusts_nothing_that_was_edited_after_the_audit(
    tmp_path: Path, key: Path
) -> None:
    folder = made(tmp_path, PASSING)
    beside = internal_folder(folder)
    evidence = beside / EVIDENCE
    data = evidence.read_bytes()
    for change in EDITS:
        facts = json.loads(data)
        change(facts)
        assert facts != json.loads(data)
        evidence.write_bytes(to_bytes(facts))
        with pytest.raises(ExportRefused, match="changed after the audit"):
            signed(folder, key)
    evidence.write_bytes(data)
    public = (folder / MANIFEST).read_bytes()
    (folder / MANIFEST).write_bytes(public.replace(b'"epsilon": 2.9', b'"epsilon": 0.1'))
    with pytest.raises(ExportRefused, match="changed after the audit"):
        signed(folder, key)
    (folder / MANIFEST).write_bytes(public)
    seal = (beside / SEAL).read_bytes()
    (beside / SEAL).unlink()
    with pytest.raises(ExportRefused, match=f"{SEAL}: missing"):
        signed(folder, key)
    other = signing.private_key(key)
    (beside / SEAL).write_bytes(signing.sign_bytes(data, other, signing.AUDIT_PREFIX))
    with pytest.raises(ExportRefused, match="another person or machine"):
        signed(folder, key)
    quiet = silent_progress()
    trusting = approving.review_folder(folder, progress=quiet, audit_key=other.public_key())
    assert trusting.audit_key == signing.key_fingerprint(other.public_key())
    (beside / SEAL).write_bytes(seal)
    assert approving.review_folder(folder, progress=quiet).judge_gates(store.EMPTY)[0].ok


@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), OSError(5, "I/O")])
def test_that_a_ledger_nobody_may_look_at_is_not_taken_for_none(
    path: Path, error: OSError, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = Path.lstat

    def lstat(self: Path) -> os.stat_result:
        if self == path:
            raise error
        return looked(self)

    assert store.read_ledger(path.with_name("none")) == store.EMPTY
    monkeypatch.setattr(Path, "lstat", lstat)
    with pytest.raises(ExportFailed, match="can't be read"):
        store.read_ledger(path)


FOREIGN: dict[str, dict[str, Any]] = {
    "a log that is a number": {"log": 5},
    "a digest that is a list": {"log": {"digest": ["d"]}},
    "a keyed digest that is a map": {"log": {"digest": "d", "keyed": {}}},
    "samples that are a word": {"sketch": "x"},
    "samples of numbers": {"sketch": {"key": "k", "events": [1, 2]}},
    "overrides that are a word": {"overrides": "all"},
    "a release that is a number": {"release": 7},
}


@pytest.mark.parametrize("shape", FOREIGN)
def test_that_entries_of_another_shape_are_one_clear_refusal(
    path: Path, shape: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with store.open_for_append(path) as writer:
        writer.append(body(5, **FOREIGN[shape]))
    state = store.read_ledger(path)
    assert len(state.entries) == 5
    assert "entry 6" in state.problems[0]
    with pytest.raises(ExportRefused, match="not as it was written"):
        state.raise_problems()
    assert main(["ledger", "--ledger", str(path)]) == 1
    assert "Traceback" not in capsys.readouterr().err


def test_that_an_entry_that_lacks_what_is_only_shown_is_shown_without_it(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with store.open_for_append(path) as writer:
        writer.append({"kind": store.APPROVED, "log": {"digest": "d"}})
    assert main(["ledger", "--ledger", str(path)]) == 0
    assert "what it costs is not said" in capsys.readouterr().out


def test_that_thousands_of_logs_are_grouped_by_their_names_in_a_moment() -> None:
    """Each log is entered under its digest, by two people with a key of their own."""
    size = 2_000
    logs = [{"digest": f"d{number}", "keyed": f"k{number}"} for number in range(size)]
    logs += [{"digest": f"e{number}", "keyed": f"k{number}"} for number in range(size)]
    entries = tuple(
        store.LedgerEntry(number, "", "", body(number, log=log)) for number, log in enumerate(logs)
    )
    state = LedgerState("", entries)
    begin = time.process_time()
    assert history.known_logs(state) == [f"d{number}" for number in range(size)]
    assert time.process_time() - begin < 2
    assert history.find_joined_names(state, "e7") == {"d7", "k7", "e7"}
