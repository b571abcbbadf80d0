"""That the smoke test of a bundle finds what is broken: it is run on programs that pretend."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.test_packaging import PACKAGING

PROGRAM = """#!/bin/sh
cache=$HOME/.cache/query-log-privacy-auditor
case "$1" in
--help) echo 'usage: auditor VERB' ;;
methods | attacks | measures) echo '[]' ;;
audit)
    mkdir -p "$cache/0123" && : >"$cache/0123/one.nbi"
    mkdir -p "$HOME/release" "$HOME/release.internal"
    echo '{"input": {"keyed_digest": "KEYED"}}' >"$HOME/release.internal/evidence.json"
    for name in manifest.json report.html report.pdf; do echo made >"$HOME/release/$name"; done
    cat "$HOME/../audit-said.json"
    exit "$(cat "$HOME/../status")" ;;
explain) echo 'it is in' ;;
ledger) echo '{"logs": [{"digest": "PLAIN"}]}' ;;
verify)
    if [ "$(wc -c <"$HOME/release/report.html")" = 5 ]; then exit 0; fi
    echo 'report.html was changed'
    exit 1 ;;
gui) exec sleep 30 ;;
esac
""".replace("PLAIN", "a1" * 32).replace("KEYED", "b2" * 32)

PASSED = {"passed": True, "results": [{"verdict": "passed"}, {"verdict": "does not apply"}]}
FAILED = {"passed": False, "results": [{"verdict": "passed"}, {"verdict": "failed"}]}


def smoke(
    place: Path, change: tuple[str, str] = ("", ""), audit: Any = None, status: int = 0
) -> str:
    """What the smoke test says of the program with one `change`, whose audit prints `audit`."""
    bundle, work = place / "bundle", place / "work"
    kernels = bundle / "_internal" / "compiled_kernels" / "0123"
    kernels.mkdir(parents=True)
    work.mkdir()
    (kernels / "one.nbi").write_text("")
    before, after = change
    assert before in PROGRAM
    (bundle / "auditor").write_text(PROGRAM.replace(before, after) if before else PROGRAM)
    (bundle / "auditor").chmod(0o755)
    (work / "audit-said.json").write_text(
        json.dumps({"gates": audit or PASSED}) if audit != "" else ""
    )
    (work / "status").write_text(str(status))
    paths = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    done = subprocess.run(
        [PACKAGING / "smoke", bundle],
        env={"PATH": paths, "SMOKE_WORK": str(work), "SMOKE_SECONDS": "0.3", "SMOKE_SCREEN": "no"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode == 0) == ("FAILED" not in done.stderr), done.stderr
    return done.stderr


def test_that_a_program_that_works_passes(tmp_path: Path) -> None:
    error = smoke(tmp_path)
    assert error.endswith("Fine\n")
    assert "2 of 2 gates" in error


@pytest.mark.slow
def test_that_gates_may_fail_if_the_audit_says_so(tmp_path: Path) -> None:
    assert "1 of 2 gates" in smoke(tmp_path, audit=FAILED, status=1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("echo 'usage: auditor VERB'", ":"), "no help"),
        (("echo '[]'", "echo Traceback >&2; exit 1"), "methods: Traceback"),
        (("echo '[]'", ":"), "methods: none"),
        (("echo 'it is in'", "echo Traceback; exit 1"), "explain: Traceback"),
        (('echo \'{"logs"', 'echo Traceback >&2; exit 1; echo \'{"logs"'), "ledger: Traceback"),
        (("a1" * 32, "b2" * 32), "the ledger does not tell which log the release was made from"),
        (("a1" * 32, ""), "the ledger does not tell which log the release was made from"),
        (("--help) ", '--help) ln -sf gone "$(dirname "$0")/link.so"; '), "links to nothing"),
        (("report.html report.pdf", "report.html"), "the release folder lacks report.pdf"),
        (("exit 0; fi", "exit 0; fi; exit 0"), "a report that was changed is not found"),
        (("then exit 0", "then :"), "verify: report.html was changed"),
        (("exec sleep 30", "echo Aborted; exit 134"), "the window closed: Aborted"),
        (("exec sleep 30", "echo qt.qpa: odd; exec sleep 30"), "the window said: qt.qpa: odd"),
    ],
)
def test_that_each_fault_is_found(tmp_path: Path, change: tuple[str, str], why: str) -> None:
    assert f"FAILED: {why}" in smoke(tmp_path, change)


@pytest.mark.slow
@pytest.mark.parametrize(("audit", "status"), [("", 1), ("", 134), (PASSED, 1), (FAILED, 0)])
def test_that_a_crash_is_not_taken_for_a_gate_that_failed(
    tmp_path: Path, audit: Any, status: int
) -> None:
    assert "FAILED: audit of the sample log" in smoke(tmp_path, audit=audit, status=status)


@pytest.mark.slow
def test_that_kernels_compiled_on_the_way_are_noticed(tmp_path: Path) -> None:
    error = smoke(
        tmp_path, (': >"$cache/0123/one.nbi"', 'touch "$cache/0123/one.nbi" "$cache/two.nbc"')
    )
    assert "FAILED: 1 files of kernels had to be compiled" in error or "can less than ours" in error
