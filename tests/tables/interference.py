"""What happens meanwhile: other programs, kills, clocks that go back, disks that lack something.

Whatever interferes, what stands on the disk is the old or the new one, whole; no update is lost
and no sum is false. With ``TMPDIR`` in a folder of another file system, all of it happens there.
"""

import contextlib
import errno
import fcntl
import importlib
import json
import multiprocessing
import os
import random
import re
import shutil
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

from auditor import platform
from auditor.errors import AuditorError
from auditor.methods.noisy_counts.query_pool import ListPool, load_pool
from auditor.progress import silent_progress
from auditor.project.file import read_project_file, stamp_of, to_bytes, write_project_file
from auditor.release.ledger import store
from auditor.release.ledger.private_choices import PrivateChoices
from auditor.release.manifest import verify_folder
from auditor.suggestions.store import SearchStore
from tests.fuzz.targets import PROJECT
from tests.methods.logs import log_of, random_rows
from tests.tables.cases import FINE, Case, Outcome, call, contents, unfit
from tests.tables.tampering import POLICY, done
from tests.tables.usage import log

KILLS = 40
ROUNDS = 8
"""Changes of each of the programs that write at once."""
QUIET = silent_progress()
FORK = multiprocessing.get_context("fork")


def cases() -> Iterator[Case]:
    for name in ("manifest.json", "queries.tsv", "report.html"):
        for how, change in MOMENTS.items():
            yield trial("a file held open during an approval", f"{name}, {how}",
                        partial(held_open, name, change))  # fmt: skip
    for name, check in CLOCKS.items():
        yield trial("the clock", name, check)
    for number in range(KILLS):
        yield trial("a window killed while it saves", f"kill {number}", partial(killed, number))
    for name, check in TOGETHER.items():
        yield trial("two windows and a terminal", name, check)
    for name, lack in LACKS.items():
        yield trial("file systems", f"without {name}", partial(work_without, lack))
    yield trial("file systems", "names that differ in case alone", other_case)


def trial(kind: str, name: str, check: Callable[[Path], str]) -> Case:
    def check_alone(folder: Path) -> str:
        with mock.patch.dict(os.environ, {"AUDITOR_DATA": str(folder.parent / "data")}):
            return check(folder)

    return Case(kind, name, lambda _: [], check=check_alone)


def audited(folder: Path, name: str = "out", number: int = 1) -> Path:
    (folder / "policy.toml").write_text(POLICY, encoding="utf-8")
    quiet = ["-p", f"q_f={number}", "-p", "K=2", "-p", "b=0.05", "-p", "b_q=0.05"]
    out = folder / name
    done(["audit", str(log(folder)), "--method", "korolova", *quiet, "--policy",
          str(folder / "policy.toml"), "--out", str(out)], folder)  # fmt: skip
    return out


def approve(folder: Path, out: Path) -> Outcome:
    key = folder / "key.pem"
    new = [] if key.exists() else ["--new-key"]
    words = ["approve", str(out), "--reviewer", "A. Person", *new, "--key", str(key)]
    return call(words, folder, seconds=120)


def verified(folder: Path, out: Path) -> str:
    words = ["verify", str(out), "--public-key", str(folder / "key.pem.pub")]
    return "" if call(words, folder).code == FINE else f"{out.name} does not verify"


def scribble(handle: int, stop: threading.Event) -> None:
    while not stop.is_set():
        os.pwrite(handle, os.urandom(8), 0)
        time.sleep(0.0005)


def held_open(name: str, how: str, folder: Path) -> str:
    """Somebody holds a file of the release open, or by another link, and writes to it."""
    out = audited(folder)
    other = folder / "other link"
    other.hardlink_to(out / name)
    handle = os.open(other, os.O_RDWR)
    stop = threading.Event()
    writer = threading.Thread(target=scribble, args=(handle, stop))
    if how == "during":
        writer.start()
    outcome = approve(folder, out)
    if how == "during":
        stop.set()
        writer.join()
    signed = outcome.code == FINE
    if not signed and (why := unfit(outcome.err)):
        return why
    os.pwrite(handle, b"changed afterwards", 0)
    os.close(handle)
    if signed:
        return verified(folder, out)
    return "signed, and said to be refused" if (out / "manifest.sig").exists() else ""


MOMENTS = {"written to meanwhile": "during", "written to afterwards": "after"}


def approved_before(folder: Path) -> str:
    """The second of two approvals seems to be ten years before the first."""
    first, second = audited(folder), audited(folder, "second", 2)
    if approve(folder, first).code != FINE:
        return "the first was not approved"
    with mock.patch.object(store, "current_time", return_value="2016-01-01T00:00:00Z"):
        approve(folder, second)
    ledger = store.read_ledger(store.ledger_path())
    if ledger.problems or len(ledger.approved) != 2:
        return f"{len(ledger.approved)} approvals, {ledger.problems}"
    both = [part for release in (first, second) for part in ("--release", str(release))]
    result = call(["ledger", "--verify", *both], folder)
    return "" if result.code == FINE else f"the ledger does not verify: {result.err[-150:]}"


def dated(moment: int, folder: Path) -> str:
    """Everything was written at an odd moment."""
    out = audited(folder)
    for path in (folder / "log.tsv", *out.iterdir(), *folder.glob("out.internal/*")):
        os.utime(path, (moment, moment))
    outcome = approve(folder, out)
    return verified(folder, out) if outcome.code == FINE else outcome.err[-150:]


def same_moment(folder: Path) -> str:
    """A list was replaced, and by its time and size it is the old one."""
    path = folder / "pool.txt"
    for word in ("first", "other"):
        new = folder / "new.txt"
        new.write_text(f"{word}\n", encoding="utf-8")
        os.utime(new, (1_000, 1_000))
        new.replace(path)
        pool = load_pool("file", path, 10, QUIET)
        assert isinstance(pool, ListPool)
        if pool.strings.list_strings() != [word]:
            return "the old list was used again"
    return ""


def project_of_old(folder: Path) -> str:
    """Another window saved the project, while the clock stood where it was."""
    path = folder / "a.qlpa"
    project = read_project_file(PROJECT)[0]
    standing = write_project_file(path, to_bytes(project))
    before = path.stat()
    write_project_file(path, to_bytes(project))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    try:
        write_project_file(path, to_bytes(project), standing=standing)
    except AuditorError:
        return ""
    return "what another window saved was replaced"


CLOCKS: dict[str, Callable[[Path], str]] = {
    "goes back ten years between two approvals": approved_before,
    "files of 1970": partial(dated, 0),
    "files of 2100": partial(dated, 4_102_444_800),
    "a list replaced within one moment": same_moment,
    "a project saved twice within one moment": project_of_old,
}


def killed(number: int, folder: Path) -> str:
    """A window is killed at some moment while it saves and exports."""
    context = multiprocessing.get_context("forkserver")  # no thread of this process comes along
    context.set_forkserver_preload(["tests.tables.killed_window"])
    heard, ready = context.Pipe(duplex=False)
    target = importlib.import_module("tests.tables.killed_window").save_until_killed
    window = context.Process(target=target, args=(folder, ready))
    window.start()
    ready.close()
    try:
        heard.recv()
    except EOFError:
        return "no window came"
    time.sleep(random.Random(number).uniform(0, 1.5))
    window.kill()
    window.join()
    try:
        read_project_file(folder / "a.qlpa")
        with zipfile.ZipFile(folder / "a.qlpa") as archive:
            text = archive.read("project.json").decode()
    except (AuditorError, OSError, zipfile.BadZipFile) as error:
        return f"the project: {error}"
    note = re.search(r"note (\d+) x{1000} end (\d+)", text)
    if note is None or note[1] != note[2]:
        return "half a note is in the project"
    return "".join(f"the release: {problem}" for problem in verify_folder(folder / "out")[:1])


def run_together(work: Callable[[int], object], programs: int = 3) -> str:
    """The work of so many programs at once; says so if one of them failed."""
    workers = [FORK.Process(target=work, args=(number,)) for number in range(programs)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return "" if all(worker.exitcode == 0 for worker in workers) else "a program failed"


def search_together(folder: Path) -> str:
    """Each keeps what it searched."""

    def search(number: int) -> None:
        runs = SearchStore(folder / "suggestions.json")
        for turn in range(ROUNDS):
            runs.keep_run(f"{number}-{turn}", {"value": turn})

    why = run_together(search)
    runs = SearchStore(folder / "suggestions.json")
    lost = [n for n in range(3) for turn in range(ROUNDS) if runs.find_run(f"{n}-{turn}") is None]
    return why or (f"{len(lost)} runs were lost" if lost else "")


def choose_together(folder: Path) -> str:
    """Each pays for choices of its own, and all for one that is the same."""
    path, rows = folder / "ledger.sqlite", log_of(random_rows())

    def choose(number: int) -> None:
        choices = PrivateChoices(path)
        for search in [f"{number}-{turn}" for turn in range(ROUNDS)] + ["the same"]:
            choices.keep_answer(rows, search, {"epsilon": 0.25}, QUIET)

    why = run_together(choose)
    spent = PrivateChoices(path).sum_spent(rows, QUIET)
    expected = 0.25 * (3 * ROUNDS + 1), 3 * ROUNDS + 1
    return why or ("" if spent == expected else f"{spent} instead of {expected}")


def remember_together(folder: Path) -> str:
    """Each appends to a ledger of its own and to a shared one; then the ledgers go."""

    def append(number: int) -> None:
        for turn in range(ROUNDS):
            for path in (folder / f"{number}.sqlite", folder / "shared.sqlite"):
                with store.open_for_append(path) as writer:
                    writer.append({"kind": "log", "turn": turn})

    why = run_together(append)
    counts = [len(store.read_ledger(folder / name).entries)
              for name in ("0.sqlite", "1.sqlite", "2.sqlite", "shared.sqlite")]  # fmt: skip
    if counts != [ROUNDS, ROUNDS, ROUNDS, 3 * ROUNDS]:
        return f"entries were lost: {counts}"
    heads = json.loads((store.data_folder() / store.HEADS).read_text())
    entries = {Path(path).name: head["entries"] for path, head in heads.items()}
    if [entries.get(name) for name in ("0.sqlite", "1.sqlite", "2.sqlite")] != [ROUNDS] * 3:
        return f"the last entries are not remembered: {entries}"
    for path in folder.glob("*.sqlite"):
        path.unlink()
        if not store.read_ledger(path).problems:
            return "a ledger that is gone is not missed"
    return why


def save_together(folder: Path) -> str:
    """Several windows save what they opened at the same time: one of them does."""
    path = folder / "a.qlpa"
    data = to_bytes(read_project_file(PROJECT)[0])
    write_project_file(path, data)
    standing, ready = stamp_of(path), FORK.Barrier(3)
    saved = FORK.Value("i", 0)

    def save(_number: int) -> None:
        ready.wait()
        with contextlib.suppress(AuditorError):
            write_project_file(path, data, standing=standing)
            with saved.get_lock():
                saved.value += 1

    why = run_together(save)
    read_project_file(path)
    return why or ("" if saved.value == 1 else f"{saved.value} windows saved")


def approve_together(folder: Path) -> str:
    """Two approve one release, while a third program audits another."""
    first = audited(folder)
    if approve(folder, audited(folder, "key", 3)).code != FINE:  # makes the key
        return "nothing can be approved"
    ended = FORK.Array("i", [9] * 3)

    def work(number: int) -> None:
        if number == 2:
            audited(folder, "second", 2)
            ended[2] = 0
        else:
            ended[number] = approve(folder, first).code or 0

    why = run_together(work)
    ledger = store.read_ledger(store.ledger_path())
    if ledger.problems or len(ledger.approved) != 2:
        return f"{len(ledger.approved)} approvals, {ledger.problems}"
    return why or verified(folder, first) or verify_problem(folder / "second")


def verify_problem(folder: Path) -> str:
    return "".join(verify_folder(folder)[:1])


TOGETHER: dict[str, Callable[[Path], str]] = {
    "searches are kept": search_together,
    "private choices are paid": choose_together,
    "ledgers are written": remember_together,
    "a project is saved": save_together,
    "a release is approved": approve_together,
}


def failing(number: int) -> Callable[..., Any]:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    return refuse


def lacking(owner: Any, name: str, call: Callable[..., Any]) -> Callable[[], Any]:
    return lambda: mock.patch.object(owner, name, call)


LACKS: dict[str, Callable[[], contextlib.AbstractContextManager[Any]]] = {
    "an exchange of folders": lacking(platform, "exchange_folders", lambda *_: False),
    "locks": lacking(fcntl, "flock", failing(errno.ENOLCK)),
    "modes of files": lacking(os, "fchmod", failing(errno.EPERM)),
    "the forcing of folders to disk": lacking(
        os, "fsync", lambda handle: failing(errno.EINVAL)() if os.path.isdir(handle) else None  # noqa: PTH112
    ),
}  # fmt: skip


def work_without(lack: Callable[[], contextlib.AbstractContextManager[Any]], folder: Path) -> str:
    """Release, release again, approve, verify; each is done or refused in one clear error."""
    raw = str(log(folder))
    release = ["anonymize", raw, "--method", "frequency-threshold", "-p", "n=2", "--out", "out"]
    for words in (release, [*release, "--overwrite"]):
        before = contents(folder)
        with lack():
            outcome = call(words, folder, seconds=120)
        if outcome.raised or (outcome.code != FINE and (why := unfit(outcome.err))):
            return outcome.raised or why
        if outcome.code != FINE and contents(folder) != before:
            return "what stood there before was changed"
        if outcome.code == FINE and (why := verify_problem(folder / "out")):
            return why
        if hidden := [path.name for path in folder.iterdir() if path.name.startswith(".")]:
            return f"left behind: {hidden}"
    shutil.copy(PROJECT, folder / "a.qlpa")
    data = (folder / "a.qlpa").read_bytes()
    with lack(), contextlib.suppress(AuditorError):
        write_project_file(folder / "a.qlpa", data)
    return "" if (folder / "a.qlpa").read_bytes() == data else "the project was changed"


def other_case(folder: Path) -> str:
    """A release's own log is read, and written to under the same name in capitals."""
    words = ["anonymize", "--method", "frequency-threshold", "-p", "n=2"]
    done([*words, str(log(folder)), "--out", str(folder / "out")], folder)
    before = (folder / "out" / "log.tsv").read_bytes()
    outcome = call([*words, "out/log.tsv", "--out", "OUT", "--overwrite"], folder)
    if outcome.code != FINE and (why := unfit(outcome.err)):
        return why
    same = (folder / "out" / "log.tsv").read_bytes() == before
    return "" if same and not verify_problem(folder / "out") else "its own input was replaced"
