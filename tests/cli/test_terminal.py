"""What is printed does nothing to a terminal, fits any encoding, and bad usage is one line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.__main__ import main
from auditor.cli import terminal
from tests.programs import run_python

ACTING = "\x1b]0;owned\x07\x1b[31m\u202eevil\u2066\u200f\u061c\x9b2J\ufeff\U000e0041"
HARMFUL = [chr(code) for code in (0x1B, 0x07, 0x9B, 0x202E, 0x2066, 0x200F, 0x061C, 0xFEFF)]
HARMFUL += ["\U000e0041"]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log whose name and users would act on a terminal, and hold letters of other scripts."""
    path = tmp_path / f"log{ACTING} é🦓.tsv"
    user = "user\x1b[31m\u202e é🦓"
    rows = "".join(
        f"{user}{number % 2}\tword {number} é\t2006-03-01 10:00:{number:02}\t\t\n"
        for number in range(10)
    )
    bad = "x\tyesterday\n"
    path.write_text(
        "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n" + rows + bad, "utf-8", newline="\n"
    )
    return path


def commands(log: Path, out: Path) -> list[list[str]]:
    reading = ["--max-rejected", "0.5"]
    return [
        ["inspect", str(log), *reading],
        ["verify", "--model", "user-k", str(log), "-p", "k=3", *reading],
        ["anonymize", str(log), "--method", "frequency-threshold", "--out", str(out), *reading],
        ["inspect", str(log), "--max-rejected", "0"],
        ["inspect", str(log.with_name(f"none{ACTING}"))],
        ["verify", str(log.with_name(f"none{ACTING}"))],
        ["measure", "volume", str(log), str(log.with_name(ACTING)), *reading],
        ["anonymize", str(log), "--method", ACTING, "--out", str(out)],
        ["anonymize", str(log), "--method", "safelog", "-p", f"{ACTING}=1", "--out", str(out)],
        ["anonymize", str(log), "--method", "safelog", "-p", f"K={ACTING}", "--out", str(out)],
    ]


@pytest.mark.parametrize("plain", [False, True])
def test_that_nothing_acts_on_a_terminal(
    log: Path, plain: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, command in enumerate(commands(log, tmp_path / "out")):
        main([*command, *([] if plain else ["--json"])])
        output = capsys.readouterr()
        for character in HARMFUL:
            assert character not in output.out + output.err, (number, hex(ord(character)))
        if not plain and output.out:
            assert json.loads(output.out) is not None


def test_that_usage_errors_print_no_controls_either(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["inspect", "log.tsv", f"--{ACTING}"])
    assert not any(character in capsys.readouterr().err for character in HARMFUL)


@given(st.text())
def test_that_json_stays_what_it_was(text: str) -> None:
    encoded = terminal.as_json({"a": text})
    assert json.loads(encoded) == {"a": text}
    assert not any(character in encoded for character in HARMFUL)


def test_that_any_encoding_of_the_terminal_will_do(log: Path, tmp_path: Path) -> None:
    how = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    words = ("-m", "auditor", *commands(log, tmp_path / "out")[2], "--json")
    done = run_python(*words, environment=how)
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii()
    assert Path(json.loads(done.stdout)["folder"]).is_dir()
    done = run_python("-m", "auditor", "methods", "safelog", environment=how)
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii()
    assert "\\u" in done.stdout  # a letter that it lacks


@pytest.mark.parametrize(("closed", "code"), [("<&- 2>&-", 0), ("<&- >&- 2>&-", 2)])
def test_that_closed_streams_are_no_traceback(closed: str, code: int, log: Path) -> None:
    script = f'"$0" -m auditor inspect "$1" --max-rejected 1 {closed}'
    done = subprocess.run(
        ["/bin/sh", "-c", script, sys.executable, str(log)], capture_output=True, check=False
    )
    assert done.returncode == code
    assert b"Traceback" not in done.stderr


def test_that_queries_from_a_closed_standard_input_are_missing(
    log: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    command = ["explain", str(log), str(log), "--query-file", "-", "--max-rejected", "1"]
    assert main(command) == 2
    assert "no standard input" in capsys.readouterr().err


LONG = "9" * 5_000
RELEASE = ("anonymize", "LOG", "--method", "safelog", "--out", "out")
SWEEP = ("sweep", "LOG", "--method", "safelog", "--out", "o")
USAGE: dict[str, list[str]] = {
    "a negative preview seed": [*RELEASE, "--preview-seed", "-1"],
    "a negative seed of a sweep": [*SWEEP, "--grid", "K=2", "--seed", "-1"],
    "a column of 5,000 digits": ["inspect", "LOG", "--columns", f"user={LONG}"],
    "a column of foreign digits": ["inspect", "LOG", "--columns", "user=\u0661\u00b2"],
    "an encoding for names of hosts": ["inspect", "LOG", "--encoding", "idna"],
    "an encoding that is none of text": ["inspect", "LOG", "--encoding", "rot13"],
    "memory without end": [*RELEASE, "--memory", f"{LONG}G"],
    "memory of a thousand digits": [*RELEASE, "--memory", "9" * 19 + "T"],
    "a parameter of 400 digits": [*RELEASE, "-p", f"q_f=1{'0' * 400}"],
    "a parameter of 5,000 digits": [*RELEASE, "-p", f"q_f={LONG}"],
    "a real parameter of 400 digits": [*RELEASE, "-p", f"b=1{'0' * 400}"],
    "a share that is no number": [*RELEASE, "--sample-users", "nan"],
    "rejected rows without end": ["inspect", "LOG", "--max-rejected", "inf"],
    "no users": ["synth", "made", "--users", "0"],
    "a negative number of days": ["synth", "made", "--users", "2", "--days", "-3"],
    "users of 5,000 digits": ["synth", "made", "--users", LONG],
    "an empty log": ["inspect", ""],
    "an empty log for the window": ["gui", ""],
    "an empty folder for the release": [*RELEASE, "--out", ""],
    "an empty release": ["measure", "volume", "LOG", ""],
    "an empty folder to verify": ["verify", ""],
    "an empty folder to approve": ["approve", "", "--reviewer", "R", "--key", "k.pem"],
    "an empty policy": ["audit", *RELEASE[1:], "--policy", ""],
    "a log with NUL in its name": ["inspect", "a\0b"],
    "a delimiter of two": ["inspect", "LOG", "--delimiter", "ab"],
    "a grid of nothing": [*SWEEP, "--grid", "K="],
}


@pytest.mark.parametrize("name", USAGE)
def test_that_bad_usage_is_one_clear_error_with_the_code_2(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.tsv").write_text(
        "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n1\ta\t2006-03-01 10:00:00\t\t\n", "utf-8"
    )
    try:
        code = main([word.replace("LOG", "log.tsv") for word in USAGE[name]])
    except SystemExit as ended:
        code = int(ended.code or 0)
    message = capsys.readouterr().err
    assert code == 2
    assert "auditor" in message
    assert LONG not in message
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log.tsv"]
