"""What happens when the world fails under a run: no half release, no hang, one clear message.

Disks that fill, exporters and approvals that are killed: `release/test_crash`, `test_ledger`.
Windows that are killed: `gui/test_recovery`. Working files: `log/test_spill`. Here is the rest:
files that change while they are read, permissions that are lost, memory that ends, clocks that
jump, workers that crash, and whole runs that are killed at any moment.
"""

import contextlib
import dataclasses
import itertools
import json
import math
import os
import queue
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import auditor
from auditor.__main__ import main
from auditor.attacks.base import Evidence
from auditor.cli import memory_budget
from auditor.engine.backends.local import sample_log
from auditor.engine.backends.spark import session
from auditor.engine.events import RunEvent, RunFailed, RunFinished
from auditor.engine.plan import Intent, resolve_intent
from auditor.engine.runner import Runner
from auditor.engine.solver import solve_parameter
from auditor.errors import Cancelled, LogFormatError
from auditor.log.model import QueryLog, UserSample
from auditor.log.out_of_core.splits import plan_splits, read_split
from auditor.log.reading import pipeline, reader
from auditor.log.reading.column_mapping import ReadOptions
from auditor.log.reading.reader import read_log
from auditor.log.synthetic.generator import synthesize_log
from auditor.log.text import tokenize_strings
from auditor.log.writing import write_log
from auditor.methods.registry import METHODS
from auditor.privacy.noise import PreviewRandomness
from auditor.progress import Progress, silent_progress
from auditor.project.file import read_project_file
from auditor.release.evidence import input_files
from auditor.release.ledger import store
from auditor.release.manifest import verify_folder
from tests.engine.test_runner import FAKE
from tests.fuzz.targets import PROJECT
from tests.programs import run_code, run_python

HEAD = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"
SECRET = "zebulon quarkmeister"


def write(path: Path, rows: int, word: str = "query") -> Path:
    lines = (f"{n % 97}\t{word} {n % 500}\t2006-03-04 10:01:{n % 60:02}\t\t\n" for n in range(rows))
    path.write_text(HEAD + "".join(lines), encoding="utf-8")
    return path


# --- files that change while they are read ----------------------------------------------------


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def rewrite(path: Path) -> None:
    data, half = path.read_bytes(), path.stat().st_size // 2
    touch_later(path, data[:half] + data[half:].replace(b"query", b"other"))


def replace(path: Path) -> None:
    new = path.with_name("new")
    touch_later(new, write(new, 3000, "other").read_bytes())
    new.replace(path)


def touch_later(path: Path, data: bytes) -> None:
    """Write the file, a second after anything that was written before."""
    later = time.time_ns() + 10**9
    path.write_bytes(data)
    os.utime(path, ns=(later, later))


def before_each_task(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Let something happen whenever the reader is about to take what was parsed."""
    collect = pipeline.LogLoader._collect_task

    def wrapped(self: Any, *arguments: Any) -> None:
        act()
        collect(self, *arguments)

    monkeypatch.setattr(pipeline.LogLoader, "_collect_task", wrapped)


@pytest.mark.parametrize("fault", [cut, rewrite, replace, Path.unlink])
@pytest.mark.parametrize("after", [1, 20])
def test_that_a_log_which_changes_while_it_is_read_is_not_taken(
    fault: Callable[[Path], None], after: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, turns = write(tmp_path / "log.tsv", 4000), itertools.count(1)
    before_each_task(monkeypatch, lambda: fault(path) if next(turns) == after else None)
    with pytest.raises(LogFormatError, match="while it was read") as refused:
        reader.load_parts(
            reader.planned_parts(path, ReadOptions(), silent_progress()), silent_progress(), 2, 4096
        )
    assert "ead it again" in str(refused.value)


def test_that_a_log_which_grows_is_read_to_where_it_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "log.tsv", 1000)
    before = read_log(path)
    with path.open("a") as file:
        row = "5\tlate\t2006-03-05 10:00:00\t\t\n"
        before_each_task(monkeypatch, lambda: print(row, file=file, end="", flush=True))
        after = read_log(path)
    assert after.digest == before.digest
    assert any("grew while it was read" in note for note in after.origin.assumptions)
    assert not any("grew" in note for note in before.origin.assumptions)


def test_that_a_split_of_a_log_that_changed_is_not_taken(tmp_path: Path) -> None:
    path = write(tmp_path / "log.tsv", 1000)
    splits = plan_splits(path, size=8192)
    assert len(splits.pieces) > 3
    read_split(splits, splits.pieces[1])
    rewrite(path)
    with pytest.raises(LogFormatError, match="while it was read"):
        read_split(splits, splits.pieces[1])


def test_that_the_hash_of_a_file_that_changed_since_is_not_told_as_the_logs(tmp_path: Path) -> None:
    path = write(tmp_path / "log.tsv", 100)
    log = read_log(path)
    assert "sha256" in input_files(log, silent_progress())[0]
    rewrite(path)
    assert input_files(log, silent_progress()) == [{"name": "log.tsv"}]


# --- permissions that are lost ----------------------------------------------------------------

FORBIDDEN = """
import contextlib, io, os, sys
from pathlib import Path
from auditor.cli import memory_budget
from auditor.__main__ import main
from auditor.engine.backends import local
place = Path(sys.argv[1])
log, folder, work = place / "log.tsv", place / "out", place / "work"
os.environ["AUDITOR_LEDGER"] = str(place / "ledger.sqlite")
def run(out, *more):
    return main(["anonymize", str(log), "--method", "safelog", "--out", str(out), *more])
with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
    assert run(place / "warm") == 0
for path in (place, *place.rglob("*")):
    if os.geteuid() == 0:
        os.chown(path, 65534, 65534)

def try_it(what):
    more = []
    if os.geteuid() == 0:  # root may do everything: become somebody else, who may not
        os.chdir(place)
        os.setegid(65534)
        os.seteuid(65534)
    if what == "folder":
        folder.chmod(0o500)
    elif what == "later":  # lost while the run goes on
        whole = local.apply_method
        def apply(*given):
            folder.chmod(0o500)
            return whole(*given)
        local.apply_method = apply
    elif what == "spill":
        work.chmod(0o500)
        memory_budget._estimate_needs = lambda arguments: (1 << 40, 1 << 40, 0)
        more = ["--memory", "8GiB", "--spill", str(work)]
    elif what == "log":
        log.chmod(0)
    return run(folder / "release", *more)

for what in ("folder", "later", "spill", "log"):
    if os.fork() == 0:
        said = os.open(place / what, os.O_CREAT | os.O_WRONLY)
        os.dup2(said, 2)
        code = 99
        try:
            code = try_it(what)
        finally:
            os._exit(code)
    print(what, os.waitstatus_to_exitcode(os.wait()[1]), flush=True)
    folder.chmod(0o700)
"""
REFUSALS = {
    "folder": "Nothing may be written",
    "later": "Nothing may be written",
    "spill": "No working files can be kept",
    "log": "You may not read this file",
}


@contextlib.contextmanager
def passable(folder: Path) -> Iterator[None]:
    """Others may pass through pytest's own folders, which are closed to them."""
    above = (folder, *folder.parents)
    last = next(n for n, parent in enumerate(above) if parent.name.startswith("pytest-of-"))
    closed = [(parent, parent.stat().st_mode) for parent in above[: last + 1]]
    for parent, mode in closed:
        parent.chmod(mode | 0o011)
    try:
        yield
    finally:
        for parent, mode in closed:
            parent.chmod(mode)


def test_that_a_lost_permission_is_one_clear_error(tmp_path: Path) -> None:
    place = tmp_path / "place"
    for folder in (place, place / "out", place / "work"):
        folder.mkdir(parents=True)
    write(place / "log.tsv", 200)
    with passable(tmp_path):
        done = run_python("-c", FORBIDDEN, place)
    errors = [
        (place / what).read_text("utf-8")[-800:] for what in REFUSALS if (place / what).exists()
    ]
    ended = done.stdout.split("\n")[:-1]
    assert ended == [f"{what} 2" for what in REFUSALS], "\n".join([done.stderr, *errors])
    for what, words in REFUSALS.items():
        message = (place / what).read_text("utf-8")
        assert words in message.splitlines()[-1]
        assert "Traceback" not in message
    assert list((place / "out").iterdir()) == []
    assert list((place / "work").iterdir()) == []


# --- memory that ends -------------------------------------------------------------------------

LIMITED = """
import contextlib, io, os, re, resource, shutil, sys, time
from pathlib import Path
from auditor.__main__ import main
place, steps = Path(sys.argv[1]), [int(step) for step in sys.argv[2].split(",")]
out = place / "out"
def size():
    return int(re.search(r"VmData:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) << 10
def run(log, out):
    return main(["anonymize", str(log), "--method", "safelog", "--out", str(out)])
with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
    assert run(place / "small.tsv", place / "warm") == 0
for more in steps:
    child = os.fork()
    if child == 0:
        said = os.open(place / "said", os.O_CREAT | os.O_TRUNC | os.O_WRONLY)
        os.dup2(said, 1)
        os.dup2(said, 2)
        most = size() + (more << 20)
        resource.setrlimit(resource.RLIMIT_DATA, (most, resource.RLIM_INFINITY))
        code = 99
        try:
            code = run(place / "big.tsv", out)
        finally:
            os._exit(code)
    began = time.monotonic()
    while os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        assert time.monotonic() - began < 200, "it hangs"
        time.sleep(0.02)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    said = (place / "said").read_text()
    assert "Traceback" not in said, said
    left = [path.name for path in place.iterdir() if path.name.startswith(".")]
    assert left == [], left
    assert out.exists() == (code == 0), code
    if code != 0:
        assert code == 2 and "not enough memory" in said.splitlines()[-1], (code, said)
    shutil.rmtree(out, ignore_errors=True)
    print(code, flush=True)
"""


def limited_runs(tmp_path: Path, rows: int, steps: list[int]) -> list[int]:
    """Exit codes of runs with so many MiB above what the program has before it begins."""
    write(tmp_path / "small.tsv", 100)
    lines = (
        f"{n % 9973}\tquery {n % 50_000}\t2006-03-{n % 28 + 1:02} 10:01:{n % 60:02}\t\t\n"
        for n in range(rows)
    )
    (tmp_path / "big.tsv").write_text(HEAD + "".join(lines), "utf-8")
    return [int(line) for line in run_code(LIMITED, tmp_path, ",".join(map(str, steps))).split()]


def test_that_too_little_memory_is_said_and_nothing_is_left(tmp_path: Path) -> None:
    assert limited_runs(tmp_path, 400_000, [1, 30]) == [2, 2]


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_that_memory_may_end_at_any_point_of_a_run(tmp_path: Path) -> None:
    codes = limited_runs(tmp_path, 400_000, [1, 2, 4, *range(8, 120, 8), 400])
    assert codes[-1] == 0
    assert codes.count(2) > 5


# --- clocks that jump -------------------------------------------------------------------------


def test_that_no_duration_is_taken_from_a_clock_that_can_be_set() -> None:
    """Moments are written into manifests and ledgers; what is measured runs on its own clock."""
    package = Path(auditor.__file__).parent
    clock = re.compile(
        r"\btime\.time(_ns)?\(|\bdatetime\.(utc)?now\(|\btoday\(|\bQ(Date)?Time\.current"
    )
    files = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if clock.search(path.read_text("utf-8"))
    }
    assert files == {
        "release/feedback.py",  # when it was signed
        "release/ledger/store.py",
        "release/manifest.py",
        "release/record.py",  # when it was completed
        "gui/release/review_cards.py",
    }


class Jumping(datetime):
    """A clock that goes a year on, then three back, at every look."""

    looks = 0

    @classmethod
    def now(cls, tz: Any = None) -> Any:
        cls.looks += 1
        return datetime(2024, 5, 1, tzinfo=UTC) + timedelta(days=(365, -1095, 730)[cls.looks % 3])


def test_that_a_ledger_counts_by_its_chain_whatever_the_clock_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "datetime", Jumping)
    path = tmp_path / "ledger.db"
    for number in range(6):
        with store.open_for_append(path) as writer:
            writer.append({"kind": "noted", "at": store.current_time(), "number": number})
    state = store.read_ledger(path)
    assert state.problems == ()
    assert [entry.body["number"] for entry in state.entries] == list(range(6))
    dates = [entry.body["at"] for entry in state.entries]
    assert dates != sorted(dates), "the clock never went back"


@contextlib.contextmanager
def run_events() -> Iterator[tuple[Runner, Iterator[RunEvent]]]:
    """A runner, and what it says, event by event."""
    events: queue.SimpleQueue[RunEvent] = queue.SimpleQueue()
    runner = Runner(events.put)
    try:
        yield runner, iter(lambda: events.get(timeout=60), None)
    finally:
        runner.close()


# --- workers that crash -----------------------------------------------------------------------


class Panic(BaseException):
    """As compiled libraries raise it: no `Exception`."""


@pytest.mark.parametrize("fault", [Panic, SystemExit, RecursionError, MemoryError, OSError])
def test_that_a_worker_that_crashes_is_told_and_the_next_run_goes_on(
    fault: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    log = QueryLog.from_columns(user=["a"], query=[SECRET], time=[0])
    monkeypatch.setitem(METHODS.modules, "fake", __name__)
    falls = [True]

    def run(*arguments: Any, **how: Any) -> Any:
        if falls:
            falls.clear()
            raise fault(SECRET)
        return FAKE.run(*arguments, **how)

    monkeypatch.setattr(f"{__name__}.METHOD", dataclasses.replace(FAKE, run=run), raising=False)
    plan = resolve_intent(Intent(method="fake", attacks=(), measures=()), log)
    ends: list[RunFailed | RunFinished] = []
    with run_events() as (runner, events):
        for _ in range(2):
            runner.submit(plan, Evidence(log=log), lambda: PreviewRandomness(1))
            ends.append(next(e for e in events if isinstance(e, RunFailed | RunFinished)))
    assert isinstance(ends[0], RunFailed)
    assert SECRET not in ends[0].message
    assert isinstance(ends[1], RunFinished)


# --- a user who has had enough ----------------------------------------------------------------

SMALL = QueryLog.from_columns(user=["a"], query=["a b"], time=[0])
THRESHOLD = METHODS["frequency-threshold"]
STOPPED: dict[str, Callable[[Path, Progress], object]] = {
    "opening a project": lambda _, progress: read_project_file(PROJECT, None, progress),
    "writing a log": lambda folder, progress: write_log(SMALL, folder / "log", progress=progress),
    "making up a log": lambda _, progress: synthesize_log(50, progress=progress),
    "reading tokens": lambda _, progress: tokenize_strings(SMALL.queries, progress),
    "solving for a parameter": lambda _, progress: solve_parameter(
        THRESHOLD, THRESHOLD.params(), "n", "expected.volume", 0.5, SMALL, 1.0, progress
    ),
    "waiting for Spark": lambda _, progress: session.wait_for(lambda: False, progress),
}


@pytest.mark.parametrize("name", STOPPED)
def test_that_whatever_takes_long_hears_a_cancel(name: str, tmp_path: Path) -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        STOPPED[name](tmp_path, progress)


# --- runs that are killed ---------------------------------------------------------------------

SPILLED = """
import sys
from auditor.cli import memory_budget
from auditor.__main__ import main
memory_budget._estimate_needs = lambda arguments: (1 << 40, 1 << 40, 0)
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("storage", ["memory", "working files"])
def test_that_a_run_killed_at_any_moment_leaves_nothing(storage: str, tmp_path: Path) -> None:
    log = write(tmp_path / "log.tsv", 300_000, SECRET)
    out, work, chance = tmp_path / "out", tmp_path / "work", random.Random(7)
    folders = (out, tmp_path / "out.internal")
    work.mkdir()
    more = ["--memory", "8GiB", "--spill", str(work)] if storage == "working files" else []
    start = ["-c", SPILLED] if more else ["-m", "auditor"]
    command = [sys.executable, *start, "anonymize", str(log), "--method", "frequency-threshold"]
    command += ["--out", str(out), *more]
    took = 0.0
    for _ in range(2):  # the first may compile kernels, which no later one does
        began = time.monotonic()
        subprocess.run(command, check=True, capture_output=True)
        took = time.monotonic() - began
        assert verify_folder(out) == []
        for folder in folders:
            shutil.rmtree(folder)
    killed = 0
    for _ in range(12):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0, took))
        process.kill()
        killed += process.wait() == -signal.SIGKILL
        assert not out.exists() or verify_folder(out) == []
        assert list(work.iterdir()) == []
        hidden = [path for path in tmp_path.iterdir() if path.name.startswith(".")]
        assert all(path.stat().st_mode & 0o077 == 0 for path in hidden)
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
    assert killed > 6
    subprocess.run(command, check=True, capture_output=True)
    assert verify_folder(out) == []
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


# --- larger than memory, by the command line --------------------------------------------------


@pytest.fixture
def anonymize(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """``anonymize(rows, *words)`` into `out` → the JSON, or None, and what was said besides."""

    def run(rows: int, *words: object, code: int = 0, out: str = "out") -> tuple[Any, str]:
        log = write(tmp_path / "log.tsv", rows)
        command = ["anonymize", log, *words, "--out", tmp_path / out, "--json"]
        ended = main(list(map(str, command)))
        answer, errors = capsys.readouterr()
        assert ended == code, errors
        return json.loads(answer) if answer else None, errors

    return run


def pretend_needs(monkeypatch: pytest.MonkeyPatch, needed: int = 1 << 40) -> None:
    """Every sample is said to take so much in memory, and every log a terabyte."""
    needs = (needed, 1 << 40, 1 << 20)
    monkeypatch.setattr(memory_budget, "_estimate_needs", lambda arguments: needs)


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend_needs(monkeypatch)


def undated(value: Any) -> Any:
    """The same without the seconds in which assumptions were decided: two runs have their own."""
    if not isinstance(value, dict) or "assumptions" not in value:
        return value
    assumptions = [{**entry, "decided": ""} for entry in value["assumptions"]]
    return {**value, "assumptions": assumptions}


@pytest.mark.usefixtures("large")
def test_that_a_release_from_working_files_is_whole_and_says_what_was_left_out(
    tmp_path: Path, anonymize: Any
) -> None:
    anonymize(3000, "--method", "frequency-threshold", "-p", "n=5", "--memory", "8GiB")
    assert verify_folder(tmp_path / "out") == []
    facts = json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))
    assert facts["measures"].keys() == {"volume"}
    evidence = json.loads((tmp_path / "out.internal" / "evidence.json").read_text("utf-8"))
    assert "in memory" in evidence["skipped"]["frequencies"]
    assert evidence["input"]["files"] == [{"name": "log.tsv"}]


def test_that_a_run_which_takes_more_than_it_may_ends_with_a_message(
    tmp_path: Path, anonymize: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_budget, "size_of", lambda text: 1 << 20)  # less than may be said
    _, errors = anonymize(100_000, "--method", "safelog", "--memory", "1MiB", code=2)
    assert "takes more than the 1 MiB that it may (--memory)" in errors.splitlines()[-1]
    assert [path.name for path in tmp_path.iterdir()] == ["log.tsv"]


@pytest.mark.usefixtures("large")
def test_that_a_method_that_needs_memory_says_so_before_and_offers_what_fits(
    tmp_path: Path, anonymize: Any
) -> None:
    _, errors = anonymize(300, "--method", "k-delta", "--memory", "8GiB", code=2)
    assert "k-delta needs the log in memory: about 1024.0 GiB" in errors
    assert "--sample-users 0.01 fits" in errors
    assert "safelog" in errors
    assert not (tmp_path / "out").exists()
    for wrong in ("0", "1.5", "nan"):
        _, errors = anonymize(300, "--method", "safelog", "--sample-users", wrong, code=2)
        assert "above 0 and up to 1" in errors


def test_that_a_sample_of_users_is_told_with_its_error(tmp_path: Path, anonymize: Any) -> None:
    out = tmp_path / "out"
    how = ("--method", "frequency-threshold", "-p", "n=2", "--sample-users", "0.25")
    facts, errors = anonymize(3000, *how)
    public = json.loads((out / "manifest.json").read_text("utf-8"))
    assert public["sample"] == {"share": 0.25}
    assert "with a chance of 25 %" in (out / "report.html").read_text("utf-8")
    evidence = json.loads((tmp_path / "out.internal" / "evidence.json").read_text("utf-8"))
    sample = evidence["input"]["sample"]
    assert (sample["share"], sample["of"]) == (0.25, 97)
    assert 3 < sample["users"] < 55  # Binomial(97, 1/4): outside with a chance of 10⁻⁹
    assert f"a sample of {sample['users']} of 97 users" in errors
    assert "c × 4 of" in sample["error"]
    assert facts["changes"]["rows"] < 2000


def test_that_every_sample_has_another_size_and_both_guarantees(
    tmp_path: Path, anonymize: Any
) -> None:
    """A fixed size would let one user displace another, which no ε covers."""
    sizes = set()
    how = ("--method", "korolova", "--sample-users", "0.5")
    for seed in range(4):
        facts, errors = anonymize(600, *how, "--preview-seed", seed, out=f"preview {seed}")
        sizes.add(errors.split("a sample of ")[1].split(" of 97 users")[0])
        statuses = {a["name"]: a["status"] for a in facts["statement"]["assumptions"]}
        assert statuses["the sample stays secret"] == "fails"
    assert len(sizes) > 1
    anonymize(600, *how)
    statement = json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))["statement"]
    before = statement["measured"]["epsilon_without_sample"]
    assert before == pytest.approx(4.0)
    assert statement["epsilon"] == pytest.approx(math.log(1 + 0.5 * math.expm1(before)))
    assert verify_folder(tmp_path / "out") == []


@pytest.mark.parametrize(
    ("sampling", "needs"),
    [
        ([], [1 << 40]),
        (["--sample-users", "0.6"], [10 << 30, 1 << 40]),  # a sample that fits, one that doesn't
    ],
)
def test_that_a_preview_from_working_files_is_that_from_memory(
    sampling: list[str], needs: list[int], anonymize: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The coins don't depend on where the rows are, and a sample that is large stays in files."""
    how = ("--method", "safelog", "-p", "K=20", "--preview-seed", 4, "--memory", "8GiB", *sampling)
    expected, errors = anonymize(3000, *how, out="memory")
    assert "working files" not in errors
    assert expected["changes"]["queries_released"] > 0
    for number, needed in enumerate(needs):
        pretend_needs(monkeypatch, needed)
        result, errors = anonymize(3000, *how, out=f"files {number}")
        assert "of working files in" in errors
        for key in ("content_sha256", "statement", "changes"):
            assert undated(expected[key]) == undated(result[key])
        if not sampling:  # then the measures in files are those in memory
            assert result["values"].items() <= expected["values"].items()
            assert "volume.searches_share" in result["values"]


def test_that_the_stated_error_of_a_sample_holds(tmp_path: Path) -> None:
    users, issued, share = 4000, 600, 0.2
    log = QueryLog.from_columns(
        user=[f"u{n}" for n in range(users)],
        query=["often" if n < issued else f"q{n}" for n in range(users)],
        time=[0] * users,
    )
    inside = 0
    for seed in range(200):
        part = sample_log(log, share, PreviewRandomness(seed))
        code = int(part.queries.find(["often"])[0])
        count = int(np.count_nonzero(part.query == code))
        inside += abs(count / share - issued) <= 1.96 * np.sqrt(1 - share) / share * np.sqrt(count)
    assert inside >= 180, "95 % promised"
    assert f"{1.96 * np.sqrt(0.8) / 0.2:.3g} × √c" in UserSample(800, users, share).error


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_that_a_log_larger_than_the_memory_allowed_is_anonymized_in_it(tmp_path: Path) -> None:
    """Six million rows in 512 MiB, which don't fit there; the same release as without a limit."""
    log, budget = tmp_path / "log.tsv", 512 << 20
    with log.open("w", encoding="utf-8") as file:
        file.write(HEAD)
        for start in range(0, 6_000_000, 100_000):
            file.writelines(
                f"{n * 7919 % 60_013}\tsome longer query {n * n % 900_001}\t"
                f"2006-03-{n % 28 + 1:02} {n % 24:02}:01:{n % 60:02}\t"
                f"1\thttp://w{n % 5003}.example\n"
                for n in range(start, start + 100_000)
            )
    results = {}
    for memory in ("512MiB", "64GiB"):
        out = tmp_path / memory
        command = [sys.executable, "-m", "auditor", "anonymize", str(log), "--method", "safelog"]
        command += ["-p", "K=20", "--preview-seed", "1", "--out", str(out), "--memory", memory]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        assert process.stderr is not None
        errors = process.stderr.read().decode()
        process.stderr.close()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0, errors
        assert ("working files" in errors) == (memory == "512MiB")
        facts = json.loads((out / "preview.json").read_text("utf-8"))
        results[memory] = facts["content_sha256"], used.ru_maxrss << 10
    assert results["512MiB"][0] == results["64GiB"][0]
    assert results["512MiB"][1] < budget < results["64GiB"][1]
