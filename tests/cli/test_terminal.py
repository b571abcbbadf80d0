"""What is printed does nothing to a terminal, fits any encoding, and bad usage is one line."""

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.__main__ import main
from auditor.cli import terminal
from tests.log.rows import AOL_HEADER
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
    path.write_text(f"{AOL_HEADER}{rows}x\tyesterday\n", "utf-8", newline="\n")
    return path


def commands(log: Path, out: Path) -> list[tuple[object, ...]]:
    reading = ("--max-rejected", "0.5")
    safelog = ("anonymize", log, "--method", "safelog", "--out", out)
    return [
        ("inspect", log, *reading),
        ("verify", "--model", "user-k", log, "-p", "k=3", *reading),
        ("anonymize", log, "--method", "frequency-threshold", "--out", out, *reading),
        ("inspect", log, "--max-rejected", "0"),
        ("inspect", log.with_name(f"none{ACTING}")),
        ("verify", log.with_name(f"none{ACTING}")),
        ("measure", "volume", log, log.with_name(ACTING), *reading),
        ("anonymize", log, "--method", ACTING, "--out", out),
        (*safelog, "-p", f"{ACTING}=1"),
        (*safelog, "-p", f"K={ACTING}"),
    ]


@pytest.mark.parametrize("plain", [False, True])
def test_that_nothing_acts_on_a_terminal(
    log: Path, plain: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, command in enumerate(commands(log, tmp_path / "out")):
        main([*map(str, command), *([] if plain else ["--json"])])
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


def test_that_queries_from_a_closed_standard_input_are_missing(
    log: Path, monkeypatch: pytest.MonkeyPatch, refused: Any
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    message = refused("explain", log, log, "--query-file", "-", "--max-rejected", "1")
    assert "no standard input" in message


LONG = "9" * 5_000
RELEASE = "anonymize log.tsv --method safelog --out out"
SWEEP = "sweep log.tsv --method safelog --out out"
USAGE = {
    f"{RELEASE} --preview-seed -1": "",
    f"{SWEEP} --grid K=2 --seed -1": "",
    "inspect log.tsv --columns user=LONG": "",
    "inspect log.tsv --columns user=\u0661\u00b2": "",
    "inspect log.tsv --columns user": "ROLE=COLUMN",
    "inspect log.tsv --encoding idna": "idna",
    "inspect log.tsv --encoding rot13": "rot13",
    "inspect log.tsv --time-zone Nowhere": "time_zone",
    "inspect log.tsv --delimiter ab": "",
    "inspect log.tsv --max-rejected inf": "",
    "inspect bad.tsv --max-rejected 0": "line 3",
    "inspect log.tsv --form aol": "--form",
    "inspect nowhere.tsv": "nowhere.tsv",
    "inspect ''": "LOG is empty",
    "inspect a\0b": "NUL",
    "gui ''": "LOG is empty",
    "atack": "Did you mean 'attack'",
    f"{RELEASE} --memory LONGG": "",
    f"{RELEASE} --memory 9999999999999999999T": "",
    f"{RELEASE} --sample-users nan": "",
    f"{RELEASE} --sample-users 3": "--sample-users takes a share",
    f"{RELEASE} --users a\0b": "NUL",
    f"{RELEASE} --out ''": "OUT is empty",
    f"{RELEASE} -p q_f=LONG": "",
    f"{RELEASE} -p q_f=1{'0' * 400}": "'q_f'",
    f"{RELEASE} -p b=1{'0' * 400}": "'b'",
    f"{RELEASE} -p q_f=0": "'q_f'",
    f"{RELEASE} -p zz=1": "no parameter",
    f"{RELEASE} -p zz": "NAME=VALUE",
    f"{RELEASE} --skip volum": "volume",
    f"{RELEASE} --attack volume": "There is no attack",
    f"{RELEASE} --measure volume --skip volume": "both named and left out",
    "anonymize log.tsv --method nothing --out out": "There is no method",
    "methods nothing": "There is no method 'nothing'",
    "policies nobodys": "default, dma-6-11, open-data, public",
    "synth made --users 0": "--users",
    "synth made --users 2 --days -3": "--days",
    "synth made --users LONG": "--users",
    "attack all log.tsv -p n=2": "say whose it is",
    "measure volume log.tsv ''": "RELEASE is empty",
    "detect log.tsv --kinds nonsense": "nonsense",
    "detect log.tsv --least 2": "least",
    "audit log.tsv --out out": "method",
    "audit log.tsv --method safelog --out out --policy ''": "POLICY is empty",
    "audit log.tsv --release a\0b --out out": "NUL",
    "audit log.tsv --suggestion broken --out out": "can't be read",
    "audit log.tsv --suggestion nowhere.parquet --out out": "nowhere.parquet",
    "approve '' --reviewer R --key k.pem": "DIR is empty",
    "verify ''": "LOG is empty",
    "verify log.tsv -p k=2": "--model",
    "verify log.tsv --model user-k -p delta=1": "no parameter",
    "verify log.tsv --model user-k --clicks log.tsv": "looks at no clusters",
    "verify log.tsv --model k-delta -p k=2 -p m=3": "at most k",
    f"{SWEEP} --grid K=": "--grid takes",
    f"{SWEEP} --grid K=1 --set retrieval": "NAME=VALUE",
    f"{SWEEP} --grid K=1 --set nothing.moves=1": "nothing",
    f"{SWEEP} --grid K=1 --set retrieval.moves=0": "moves",
    # before a log is read, which this one can't be
    "suggest broken --maximise nothing": "nothing",
    "suggest broken --maximise ndcg": "queries or volume",
    "suggest broken --budget soon": "10min",
    "suggest broken --budget 0": "above 0",
    "suggest broken --methods saflog": "Did you mean 'safelog'?",
    "suggest broken --mode open --methods safelog": "In mode open settings of safelog",
    "suggest broken --selection-epsilon 0": "0.001 to 100",
    "suggest --mode private": "log",
}
"""What is said of commands that can't be carried out."""


@pytest.mark.parametrize("command", USAGE)
def test_that_bad_usage_is_one_clear_error_with_the_code_2(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    rows = f"{AOL_HEADER}1\ta\t2006-03-01 10:00:00\t\t\n"
    files = {"log.tsv": rows, "bad.tsv": f"{rows}1\tbad\tno time\t\t\n", "broken": "\0"}
    for name, content in files.items():
        Path(name).write_text(content, "utf-8")
    try:
        code = main([word.replace("LONG", LONG) for word in shlex.split(command)])
    except SystemExit as ended:
        code = int(ended.code or 0)
    output = capsys.readouterr()
    assert (code, output.out) == (2, "")
    assert output.err.splitlines()[-1].startswith("auditor")
    assert USAGE[command] in output.err
    assert LONG not in output.err
    assert "Traceback" not in output.err
    assert {path.name for path in tmp_path.iterdir()} == set(files)
