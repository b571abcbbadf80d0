"""An answer that can't be printed: one line says so and the exit code is 2, whatever it was."""

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from auditor.__main__ import main
from auditor.attacks.registry import ATTACKS
from auditor.cli.verbs import VERBS
from auditor.measures.registry import MEASURES
from auditor.release import signing
from auditor.release.atomic_write import write_file
from auditor.release.feedback import StewardFeedback, feedback_bytes
from tests.cli.test_overwriting import TSV
from tests.release import fakes
from tests.release.test_approval import PASSING, made

THRESHOLD = ("log.tsv", "--method", "frequency-threshold", "-p", "n=2")
QUIET = ("log.tsv", "--method", "korolova", "-p", "K=2", "-p", "b=0.05", "-p", "b_q=0.05")
"""With so little noise something is released."""
UNCHECKED = tuple(word for name in (*ATTACKS, *MEASURES) for word in ("--skip", name))
CALLS: dict[str, tuple[str, ...]] = {
    "synth": ("synth", "made", "--users", "3"),
    "inspect": ("inspect", "log.tsv"),
    "detect": ("detect", "log.tsv"),
    "methods": ("methods",),
    "attacks": ("attacks", "vanity"),
    "measures": ("measures",),
    "policies": ("policies",),
    "completion": ("completion", "bash"),
    "anonymize": ("anonymize", *THRESHOLD, "--out", "new"),
    "synthesize-release": ("synthesize-release", "release", "--out", "shaped"),
    "audit": ("audit", *THRESHOLD, "--out", "new", "--no-pdf", *UNCHECKED),
    "approve": ("approve", "judged", "--reviewer", "A. Person", "--key", "key.pem"),
    "feedback": ("feedback", "feedback.json"),
    "attack": ("attack", "surviving-content", "log.tsv", "release"),
    "measure": ("measure", "volume", "log.tsv", "release"),
    "sweep": (
        *("sweep", "log.tsv", "--method", "frequency-threshold", "--grid", "n=2,3"),
        *("--measure", "volume", "--out", "grid.parquet"),
    ),
    "suggest": ("suggest", "--mode", "sizes", "--users", "100", "--methods", "korolova"),
    "reproduce": ("reproduce", "k-delta", "--table", "worked example"),
    "verify": ("verify", "release"),
    "card": ("card", "release"),
    "explain": ("explain", "log.tsv", "release", "query 1"),
    "ledger": ("ledger",),
}
LOST = "The result can't be written to standard output"


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a log, a release, one that can be approved, a key, and feedback."""
    folder = tmp_path_factory.mktemp("scene")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUDITOR_DATA", str(folder / "data"))
        patch.chdir(folder)
        fakes.quick_report(patch)
        Path("log.tsv").write_text(TSV)
        made(folder, PASSING).rename(folder / "judged")
        Path("release.internal").rename("judged.internal")
        assert main(["anonymize", *QUIET, "--out", "release"]) == 0
        signing.new_key(folder / "key.pem")
        write_file(folder / "feedback.json", [feedback_bytes(StewardFeedback(log="0" * 64))])
    return folder


@pytest.fixture
def _scene(scene: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The current folder: a copy of `scene`."""
    shutil.copytree(scene, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("AUDITOR_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    fakes.quick_report(monkeypatch)


@contextmanager
def standard_output(kind: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What the program has in its place; pytest's own comes back afterwards."""
    with monkeypatch.context() as changed:
        if kind == "closed":
            changed.setattr(sys, "stdout", None)
            yield
            return
        with Path("/dev/full").open("w", encoding="utf-8") as full:
            changed.setattr(sys, "stdout", full)
            yield


def test_that_no_verb_is_forgotten() -> None:
    assert set(CALLS) | {"demo"} == set(VERBS)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk to write to")
@pytest.mark.usefixtures("_scene")
@pytest.mark.parametrize(
    ("verb", "kind"),
    [*((verb, "full") for verb in CALLS), ("methods", "closed"), ("anonymize", "closed")],
)
def test_that_a_lost_answer_of_a_verb_is_a_failure(
    verb: str, kind: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    with standard_output(kind, monkeypatch):
        code = main([*CALLS[verb], "--json"])
    assert code == 2
    message = capsys.readouterr().err.splitlines()[-1]
    assert message.startswith(f"auditor: {LOST}"), message
    assert message.endswith("What the command writes elsewhere is in place.")
    if verb in ("anonymize", "audit"):
        assert Path("new", "manifest.json").exists()
    if verb == "approve":
        assert Path("judged", "manifest.sig").exists()


def shell(words: tuple[str, ...], streams: str) -> subprocess.CompletedProcess[str]:
    """The program in a process of its own, its streams as a shell sets them."""
    return subprocess.run(
        ["/bin/bash", "-c", f'"$0" -m auditor "$@" {streams}', sys.executable, *words],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk to write to")
@pytest.mark.usefixtures("_scene")
@pytest.mark.parametrize(
    ("words", "streams", "code", "message"),
    [
        (("--version",), ">/dev/full", 2, f"auditor: {LOST}: "),
        (("inspect", "--help"), ">&-", 2, f"auditor: {LOST}: "),
        (("inspect", "log.tsv"), "<&- >&- 2>&-", 2, ""),
        # an error never stands in standard output
        (("--frobnicate",), "2>&-", 2, ""),
        (("methods", "nonsense"), "2>/dev/null", 2, ""),
        (("inspect", "log.tsv"), ">/dev/null <&- 2>&-", 0, ""),
    ],
)
def test_that_streams_that_are_closed_or_full_are_no_traceback(
    words: tuple[str, ...], streams: str, code: int, message: str
) -> None:
    done = shell(words, streams)
    assert (done.returncode, done.stdout) == (code, "")
    assert len(done.stderr.splitlines()) == bool(message)
    assert done.stderr.startswith(message)


def test_that_a_reader_that_went_away_changes_no_exit_code(tmp_path: Path) -> None:
    """`auditor methods | head` is fine, and what fails still fails."""
    for words, code in ((("methods",), 0), (("verify", str(tmp_path)), 1)):
        done = shell(words, '> >(exec true) && code=0 || code=$?; echo "$code"')
        assert (done.stdout, done.stderr) == (f"{code}\n", "")


@pytest.mark.skipif(os.name != "posix", reason="closes streams as a shell does")
def test_that_no_file_takes_the_place_of_a_closed_stream(tmp_path: Path) -> None:
    """What a library prints would stand in the first file that is opened."""
    script = (
        "import os, sys\n"
        "from auditor.cli import terminal\n"
        "terminal.prepare_streams()\n"
        "with open(sys.argv[1], 'w') as file:\n"
        "    os.write(1, b'noise'); os.write(2, b'noise')\n"
        "    file.write(str(file.fileno()))\n"
    )
    target = tmp_path / "table.tsv"
    words = ["/bin/sh", "-c", '"$0" -c "$1" "$2" <&- >&- 2>&-', sys.executable, script, str(target)]
    assert subprocess.run(words, check=False).returncode == 0
    assert int(target.read_text()) > 2


@pytest.mark.usefixtures("_scene")
@pytest.mark.parametrize("verb", ["synth", "sweep"])
def test_that_a_full_disk_is_a_line_and_no_traceback(
    verb: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("auditor.log.synthetic.generator.write_log", fail)
    monkeypatch.setattr("auditor.engine.sweep.SweepJournal.add", fail)
    assert main([*CALLS[verb]]) == 2
    assert "auditor: No space left on device." in capsys.readouterr().err
