"""Whatever stops an export, the older release is whole and no half one stands anywhere.

Three things stop it here, at every point at which they can: a signal that kills the process, a
system call that fails for want of room, and a person who cancels.
"""

import contextlib
import errno
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from auditor import platform
from auditor.errors import Cancelled, ExportFailed
from auditor.log.model import QueryLog
from auditor.progress import Progress, silent_progress
from auditor.release import atomic_write
from auditor.release.atomic_write import clear_leftovers
from auditor.release.export import write_release
from auditor.release.manifest import MANIFEST, verify_folder
from auditor.release.verify import verify_release
from tests.release.fakes import quick_report, raw_log, run_program, run_result

CALLS = ("open", "write", "fsync", "mkdir", "rename", "replace", "unlink", "rmdir", "fchmod")
"""System calls by which an export changes the disk, as names in `os`."""


def comment(folder: Path) -> str:
    """The comment of a whole release, "" where nothing stands; fails for anything half."""
    if not folder.exists():
        return ""
    assert verify_folder(folder) == []
    return str(json.loads((folder / MANIFEST).read_text())["comment"])


def hidden(parent: Path) -> list[str]:
    return [path.name for path in parent.iterdir() if path.name.startswith(".")]


def export(log: QueryLog, folder: Path, words: str, progress: Progress | None = None) -> None:
    write_release(
        run_result(log),
        log,
        folder,
        progress=progress or silent_progress(),
        overwrite=True,
        comment=words,
    )


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder in memory where there is one: hundreds of exports force hundreds of files."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as folder:
        yield Path(folder).resolve()


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> QueryLog:
    quick_report(monkeypatch)
    return raw_log(tmp_path / "in")


# --- a disk that is full ----------------------------------------------------------------------


class Failing:
    """Lets `after` system calls pass, then fails those that write."""

    def __init__(self, patch: pytest.MonkeyPatch, after: int, *, once: bool) -> None:
        self.left = after
        self.once = once
        self.failed = False
        for name in CALLS:
            patch.setattr(os, name, self._wrapped(name, getattr(os, name)))
        exchange = platform.exchange_folders
        patch.setattr(platform, "exchange_folders", self._wrapped("exchange", exchange))

    def _wrapped(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **how: Any) -> Any:
            writes = name not in ("unlink", "rmdir")
            if name == "open" and not args[1] & os.O_CREAT:
                writes = False
            if writes:
                self.left -= 1
                if self.left == -1 or (self.left < -1 and not self.once):
                    self.failed = True
                    raise OSError(errno.ENOSPC, "No space left on device")
            return call(*args, **how)

        return run


@pytest.mark.parametrize(
    ("older", "can_exchange"), [(True, True), (True, False), (False, True)]
)  # a first export exchanges nothing
def test_that_a_failure_of_any_system_call_leaves_all_as_it_was(
    log: QueryLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, older: bool, can_exchange: bool
) -> None:
    if not can_exchange:
        monkeypatch.setattr(platform, "exchange_folders", lambda *_: False)
    folder = tmp_path / "out"
    if older:
        export(log, folder, "old")
    failures = 0
    for after in range(200):
        with monkeypatch.context() as patch:
            failing = Failing(patch, after, once=True)
            try:
                export(log, folder, "new")
                expected = "new"
            except ExportFailed as error:
                failures += 1
                assert re.search("not enough room|No space left", str(error))
                expected = "old" if older else ""
        assert comment(folder) == expected
        if expected == "new":
            clear_leftovers(tmp_path)  # a removal that failed is taken up by the next export
        assert hidden(tmp_path) == []
        if not failing.failed:
            break
        if expected == "new":  # the call could be done without, such as making what exists
            shutil.rmtree(folder)
            if older:
                export(log, folder, "old")
    else:
        raise AssertionError("the export never ended")
    assert failures > 15
    assert comment(folder) == "new"
    assert hidden(tmp_path) == []


@pytest.mark.slow
def test_that_a_disk_which_stays_full_costs_no_older_release(
    log: QueryLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "out"
    export(log, folder, "old")
    for can_exchange in (True, False):
        for after in range(60):
            with monkeypatch.context() as patch:
                failing = Failing(patch, after, once=False)
                if not can_exchange:
                    patch.setattr(platform, "exchange_folders", lambda *_: False)
                try:
                    export(log, folder, "new")
                except ExportFailed:
                    assert failing.failed
            clear_leftovers(tmp_path)
            assert comment(folder) in ("old", "new")
            assert hidden(tmp_path) == []
            export(log, folder, "old")
            if not failing.failed:  # there are no more calls than that
                break


LIMITED = """
import resource, signal, sys
from pathlib import Path
import pytest
from auditor.errors import ExportFailed
from tests.release.fakes import quick_report, raw_log
from tests.release.test_crash import comment, export, hidden

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
quick_report(pytest.MonkeyPatch())
place = Path(sys.argv[1])
log = raw_log(place / "in")
export(log, place / "out", "old")
refused = 0
for size in (*range(0, 200, 7), *range(200, 8000, 400), 1 << 16, 1 << 20):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    try:
        export(log, place / "out", "new")
        break
    except ExportFailed as error:
        assert "not enough room" in str(error), error
        refused += 1
    assert comment(place / "out") == "old"
    assert hidden(place) == []
assert comment(place / "out") == "new"
print(refused)
"""


def test_that_a_file_system_which_takes_no_more_bytes_leaves_no_half_release(
    tmp_path: Path,
) -> None:
    assert int(*run_program(LIMITED, tmp_path)) > 20


# --- a process that is killed -----------------------------------------------------------------


def die_at(count: int, *more: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Kill this process at its system call of that number; what counts other calls, too."""
    counter = itertools.count(count, -1)

    def wrap(call: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **how: Any) -> Any:
            if next(counter) <= 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*args, **how)

        return run

    for name in (*CALLS, *more):
        setattr(os, name, wrap(getattr(os, name)))
    platform.exchange_folders = wrap(platform.exchange_folders)
    return wrap


KILLED = """
import os, random, signal, sys, time
from pathlib import Path
import pytest
from auditor import platform
from tests.release.fakes import quick_report, raw_log
from tests.release.test_crash import comment, die_at, export, hidden
from auditor.release.atomic_write import clear_leftovers

quick_report(pytest.MonkeyPatch())
place, mode, rounds = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
log = raw_log(place / "in")
if mode == "aside":
    platform.exchange_folders = lambda *_: False
folder = place / "out"
export(log, folder, "old")
began = time.perf_counter()
export(log, folder, "old")
took = time.perf_counter() - began
chance = random.Random(5)
names = {"old": 0, "new": 0}
left = 0

for number in range(rounds):
    child = os.fork()
    if child == 0:
        if mode != "random":
            die_at(number)
        export(log, folder, "new")
        os._exit(0)
    if mode == "random":
        ended = os.WEXITED | os.WNOHANG | os.WNOWAIT
        while not hidden(place) and os.waitid(os.P_PID, child, ended) is None:
            pass
        time.sleep(chance.uniform(0, took))
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    left += bool(hidden(place))
    if mode == "aside":
        clear_leftovers(place)
    found = comment(folder)
    names[found] += 1
    if found == "new" or hidden(place):
        clear_leftovers(place)
        assert hidden(place) == [], hidden(place)
        export(log, folder, "old")
    assert comment(folder) == "old" and hidden(place) == []
    if mode != "random" and os.WIFEXITED(status):
        assert os.WEXITSTATUS(status) == 0
        break
else:
    assert mode == "random", "the export never ended"
print(names["old"], names["new"], left, number)
"""


@pytest.mark.parametrize(
    ("mode", "rounds"),
    [
        ("random", 40),
        pytest.param("exchange", 400, marks=pytest.mark.slow),
        pytest.param("aside", 400, marks=pytest.mark.slow),
    ],
)
def test_that_a_kill_at_any_moment_leaves_a_whole_release(
    tmp_path: Path, mode: str, rounds: int
) -> None:
    old, new, leftovers, last = map(int, run_program(KILLED, tmp_path, mode, rounds))
    assert old > 10, "kills came too late to prove anything"
    assert leftovers > 10, "no kill came while files were being written"
    if mode != "random":
        assert new >= 2, "no kill came after the new release was in place"
        assert last > 30


def test_that_a_first_export_that_is_killed_leaves_nothing_at_its_place(
    log: QueryLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "out"
    with monkeypatch.context() as patch:
        # What a killed process can't do either: clean up.
        patch.setattr(atomic_write, "_discard_folder", lambda *_: None)
        patch.setattr(atomic_write, "_place_folder", lambda *_: (_ for _ in ()).throw(SystemError))
        with pytest.raises(SystemError):
            export(log, folder, "new")
    assert not folder.exists()
    leftovers = hidden(tmp_path)
    assert len(leftovers) == 2  # the release and its evidence
    assert not any((tmp_path / name).stat().st_mode & 0o077 for name in leftovers)
    export(log, folder, "new")
    assert hidden(tmp_path) == []


def test_that_a_kill_between_the_two_renames_is_found_and_mended_by_the_next_export(
    log: QueryLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The older release then stands beside newer evidence."""
    folder = tmp_path / "out"
    export(log, folder, "old")

    @contextlib.contextmanager
    def kill_before_placing(place: Path, **how: Any) -> Iterator[Path]:
        with atomic_write.staged_folder(place, **how) as staged:
            yield staged
            if place == folder:
                os.kill(os.getpid(), signal.SIGKILL)

    child = os.fork()
    if child == 0:
        monkeypatch.setattr("auditor.release.export.staged_folder", kill_before_placing)
        try:
            export(log, folder, "new")
        finally:
            os._exit(3)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the export ended by itself"
    assert comment(folder) == "old"
    (problem,) = verify_release(folder, silent_progress()).problems
    assert "an export was stopped" in problem
    export(log, folder, "new")
    assert verify_release(folder, silent_progress()).problems == ()


# --- a person who cancels ---------------------------------------------------------------------


def test_that_a_cancel_at_any_report_leaves_all_as_it_was(log: QueryLog, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    export(log, folder, "old")
    cancelled = 0
    for after in range(200):
        stop = threading.Event()
        reports = iter(range(after))

        def report(*_: Any, stop: threading.Event = stop, reports: Any = reports) -> None:
            if next(reports, None) is None:
                stop.set()

        try:
            export(log, folder, "new", Progress(report, stop, interval=0.0))
        except Cancelled:
            cancelled += 1
            assert comment(folder) == "old"
            assert hidden(tmp_path) == []
        else:
            break
    assert cancelled > 10
    assert comment(folder) == "new"


KILLED_FILE = """
import os, signal, sys
from pathlib import Path
from auditor.release.atomic_write import replaced_file
with replaced_file(Path(sys.argv[1])) as new:
    new.write_text("a flagged session")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_that_what_a_killed_report_leaves_is_removed_by_the_next_one(tmp_path: Path) -> None:
    report = tmp_path / "out-internal.html"
    report.write_text("older")
    done = subprocess.run([sys.executable, "-c", KILLED_FILE, str(report)], check=False)
    assert done.returncode == -9
    assert len(list(tmp_path.rglob("*"))) > 1  # something was left
    assert report.read_text() == "older"
    with atomic_write.replaced_file(tmp_path / "another") as new:
        new.write_text("whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["another", report.name]
