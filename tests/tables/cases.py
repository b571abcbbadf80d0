"""One case: a call of the command line, what must come of it, and what did."""

import contextlib
import hashlib
import io
import os
import resource
import signal
import stat
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from unittest import mock

from auditor.__main__ import main

SECONDS = 20.0
"""How long a case may take; a program that hangs is stopped then."""
ROOM = 3 << 30
"""Bytes of address space that a case may take beyond what the process has."""
LONGEST = 700
"""Characters of the longest error."""
PLANTED = "zebra crossing"
"""A query that stands in the cases' logs and may stand in no error."""
BIDI = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

FINE, FAILED, REFUSED = 0, 1, 2


@dataclass(frozen=True)
class Case:
    """`make` prepares the folder and gives the words of the call; `codes` are how it may end.

    `says` must stand in what it prints. Where more than one call is tried, `check` does that in
    the folder, and says what is wrong.
    """

    kind: str
    name: str
    make: Callable[[Path], list[object]]
    codes: tuple[int, ...] = (REFUSED,)
    says: str = ""
    check: Callable[[Path], str] | None = None


@dataclass(frozen=True)
class Outcome:
    """How a call ended: exit code, or the exception that came through; what it printed."""

    code: int | None
    raised: str
    out: str
    err: str


class TooLong(BaseException):
    """The case took longer than it may."""


def run(case: Case, folder: Path) -> str:
    """Run a case in an empty folder; says what is wrong, or nothing."""
    with work_in(folder):
        if case.check is not None:
            return case.check(folder)
        words = [str(word) for word in case.make(folder)]
    before = contents(folder)
    outcome = call(words, folder)
    if outcome.raised:
        return outcome.raised
    if outcome.code not in case.codes:
        return f"exit {outcome.code}: {outcome.err.strip()[-150:]!r}"
    if case.says not in outcome.out:
        return f"{case.says!r} is not said"
    if outcome.code == REFUSED and (why := unfit(outcome.err)):
        return why
    if outcome.code == FAILED and "Traceback" in outcome.err:
        return "a traceback"
    if any(acts(letter) for letter in outcome.out + outcome.err):
        return "a character that acts on a terminal was printed"
    if outcome.code != FINE and contents(folder) != before:
        return "files were changed or left behind"
    return ""


HELP = ("Columns that may be meant", "Name it by --columns")
"""What begins the lines of help below the error that the user column is not known."""


def unfit(err: str) -> str:
    """What is wrong with an error: it is one line, short, and repeats no query.

    Where the user column has to be named, the columns there are and how to name one follow.
    """
    lines = err.strip().splitlines()
    while lines and lines[-1].startswith(("  ", *HELP)) and len(lines[-1]) <= LONGEST:
        lines.pop()
    if not lines or not lines[-1].startswith("auditor"):
        return f"no error in one line: {lines[-1:]!r}"
    if "Traceback" in err or "Internal error" in err:
        return "a traceback"
    if len(lines[-1]) > LONGEST:
        return f"an error of {len(lines[-1])} characters"
    return "a query stands in the error" if PLANTED in err else ""


def acts(letter: str) -> bool:
    return letter in BIDI or (unicodedata.category(letter) == "Cc" and letter not in "\n\t")


def call(words: list[str], folder: Path, seconds: float = SECONDS) -> Outcome:
    """The command line in this process, within `SECONDS` and `ROOM`."""
    out, err, raised = io.StringIO(), io.StringIO(), ""
    code: int | None = None

    with (
        limits(seconds),
        work_in(folder),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            code = main(words)
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1
        except TooLong:
            raised = f"took longer than {seconds:g} s"
        except BaseException as error:  # whatever comes through is what the table is about
            raised = f"a traceback: {type(error).__name__}"
    return Outcome(code, raised, out.getvalue(), err.getvalue())


@contextlib.contextmanager
def work_in(folder: Path) -> Iterator[None]:
    """Stand in the folder, with a data folder beside it."""
    data = os.environ.get("AUDITOR_DATA", str(folder.parent / "data"))
    with mock.patch.dict(os.environ, {"AUDITOR_DATA": data}), contextlib.chdir(folder):
        yield


@contextlib.contextmanager
def limits(seconds: float) -> Iterator[None]:
    """An alarm, and an end to memory; as they were before afterwards."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise TooLong

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + ROOM, hard))
    handlers = {n: signal.getsignal(n) for n in (signal.SIGALRM, signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def contents(folder: Path) -> dict[str, str]:
    """What stands in a folder: the digest of each file, the type of all else."""
    digests = {}
    for path in sorted(folder.rglob("*")):
        mode = path.lstat().st_mode
        name = str(path.relative_to(folder))
        if stat.S_ISREG(mode):
            digests[name] = hashlib.sha256(path.read_bytes()).hexdigest()
        else:
            digests[name] = oct(stat.S_IFMT(mode))
    return digests
