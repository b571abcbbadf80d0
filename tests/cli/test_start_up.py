"""Starting where a window or the program itself can't run: one clear line, no abort."""

import socket
import subprocess
from pathlib import Path

import pytest

from auditor import platform
from auditor.__main__ import main
from auditor.cli import terminal
from tests.programs import run_python

pytestmark = pytest.mark.skipif(not platform.NEEDS_DISPLAY, reason="Linux's displays")

NEEDED = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


def start(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return run_python("-c", code, environment=dict.fromkeys(NEEDED, "") | environment)


LIMITED = "import resource; resource.setrlimit(resource.RLIMIT_AS, ({0}, {0})); "
MAIN = "import sys; from auditor.__main__ import main; sys.exit(main({}))"


@pytest.fixture
def _no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NEEDED:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("_no_display")
@pytest.mark.parametrize(
    "environment",
    [
        {"DISPLAY": ":4711"},
        {"DISPLAY": "no display at all"},
        {"DISPLAY": ":4711", "QT_QPA_PLATFORM": "xcb"},
        {"WAYLAND_DISPLAY": "wayland-4711"},
        {"WAYLAND_DISPLAY": "wayland-4711", "DISPLAY": ":4711"},
        {},
    ],
)
def test_that_a_display_nobody_reaches_is_named(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    line = terminal.missing_display()
    assert "no window can open" in line
    assert all(value in line for name, value in environment.items() if name != "QT_QPA_PLATFORM")


@pytest.mark.parametrize(
    ("limit", "verb", "words"),
    [
        ("", ["gui"], "no window can open"),
        # before anything is loaded
        (LIMITED.format(200_000_000), ["gui"], "address space"),
        (LIMITED.format(1_100_000_000), ["inspect", "log.tsv"], "address space"),
    ],
)
def test_that_a_program_that_cannot_start_ends_in_one_line(
    limit: str, verb: list[str], words: str
) -> None:
    done = start(limit + MAIN.format(verb), DISPLAY=":4711")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("auditor: ")
    assert words in line
    assert ("ulimit -v" in line) == bool(limit)


@pytest.mark.usefixtures("_no_display")
def test_that_a_display_that_answers_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert "can't be reached" in terminal.missing_display()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "wayland-0"))
        server.listen()
        assert terminal.missing_display() == ""
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert terminal.missing_display() == ""


def test_that_enough_address_space_is_enough() -> None:
    done = start(LIMITED.format(2_000_000_000) + MAIN.format(["methods", "safelog"]))
    assert done.returncode == 0, done.stderr


def test_that_an_interrupt_while_modules_load_is_a_cancelled_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(arguments: list[str]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("auditor.cli.parser.parse_arguments", interrupt)
    assert main(["inspect", "log.tsv"]) == 130
    assert capsys.readouterr().err == "auditor: cancelled\n"
