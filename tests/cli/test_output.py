"""What a command computes by itself and what it prints of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from auditor.__main__ import main
from auditor.cli import verbs
from auditor.engine.plan import Intent, Plan, resolve_intent
from auditor.log.model import QueryLog
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS

QUICK = {
    name for name in MEASURES if MEASURES[name].quick and MEASURES[name].fits("log", dated=False)
}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Twelve users, of whom every one submits three of four queries."""
    rows = [
        f"{user}\tquery {step}\t2006-03-0{1 + step} 10:{user:02d}:00"
        for user in range(12)
        for step in range(3 + user % 2)
    ]
    path = tmp_path / "log.tsv"
    path.write_text("user\tquery\ttime\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def run(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    def call(verb: str, *more: str) -> tuple[int, str, str]:
        out = tmp_path / "release"
        ask = [verb, str(log), "--method", "frequency-threshold", "-p", "n=2", "--out", str(out)]
        code = main([*ask, "--overwrite", *more])
        return (code, *capsys.readouterr())

    return call


def read_checks(tmp_path: Path) -> tuple[set[str], set[str]]:
    """Names of the measures and the attacks of the release."""
    facts = json.loads((tmp_path / "release" / "manifest.json").read_text(encoding="utf-8"))
    return set(facts["measures"]), set(facts["attacks"])


@pytest.mark.usefixtures("quick_pages")
def test_that_anonymize_takes_seconds_and_takes_more_when_it_is_named(
    run: Any, tmp_path: Path
) -> None:
    assert run("anonymize")[0] == 0
    assert read_checks(tmp_path) == (QUICK, set())
    assert run("anonymize", "--measure", "trends", "--skip", "volume")[0] == 0
    assert read_checks(tmp_path) == ((QUICK | {"trends"}) - {"volume"}, set())
    assert run("anonymize", "--attack", "surviving-content")[0] == 0
    assert read_checks(tmp_path) == (QUICK, {"surviving-content"})


@pytest.mark.usefixtures("quick_pages")
def test_that_audit_does_the_rest_and_leaves_out_what_is_to_be_skipped(
    run: Any, tmp_path: Path
) -> None:
    slow = ("dp-audit", "entity-exposure", "record-linkage", "retrieval", "similarity")
    code, out, err = run("audit", "--no-pdf", *(word for name in slow for word in ("--skip", name)))
    assert code == 1
    measures, attacks = read_checks(tmp_path)
    assert f"Checking it: {len(measures)} measures, {len(attacks)} attacks" in err.splitlines()
    assert measures > QUICK
    assert "surviving-content" in attacks
    assert not (measures | attacks) & set(slow)
    lines = out.splitlines()
    assert lines[-1].startswith("Verdict")
    assert "left out on request" in out
    assert len(lines) <= 16


def test_that_the_summary_is_short_and_ends_with_the_verdict(run: Any, tmp_path: Path) -> None:
    code, out, err = run("anonymize", "--purpose", "Spelling research at Example Lab.")
    assert code == 0
    page = (tmp_path / "release" / "report.html").read_text(encoding="utf-8")
    assert "Spelling research at Example Lab." in page
    lines = out.splitlines()
    assert 6 <= len(lines) <= 11
    assert lines[-1] == "Verdict    Not checked yet: no check was made"
    assert any(line.startswith("Kept       100 % of searches, 4 of 4 queries") for line in lines)
    phases = err.splitlines()
    assert phases[0] == "Reading the log"
    assert phases[1].startswith("Making the release by Frequency threshold, ")
    assert phases[2] == "Checking it: 2 measures"
    assert phases[3] == "Writing the release and its report"
    assert len(phases) == 4


@pytest.mark.usefixtures("quick_pages")
def test_that_what_a_faster_search_lost_stands_in_the_summary(tmp_path: Path, printed: Any) -> None:
    printed("synth", tmp_path, "--users", "40", "--days", "2", "--seed", "1")
    words = ("-p", "search=blocked", "-p", "block=20", "--out", tmp_path / "release")
    output = printed("anonymize", tmp_path / "log.tsv", "--method", "microaggregation", *words)
    (line,) = [line for line in output.splitlines() if line.startswith("Loss")]
    assert "farther apart, at most, than in the best groups" in line


@pytest.mark.usefixtures("quick_pages")
def test_that_quiet_prints_the_result_alone_verbose_every_metric_and_json_itself(run: Any) -> None:
    _, short, err = run("anonymize", "--quiet")
    assert err == ""
    assert 6 <= len(short.splitlines()) <= 11
    _, out, err = run("anonymize", "--verbose")
    assert len(out.splitlines()) > 2 * len(short.splitlines())
    assert out.splitlines()[-1].startswith("Verdict")
    assert "  measure volume" in err.splitlines()
    for how in ("--verbose", "--quiet"):
        _, out, err = run("anonymize", "--json", how)
        assert json.loads(out)["verdict"]["state"] == "not-checked"
        assert (err == "") == (how == "--quiet")


@pytest.mark.slow
def test_that_the_demo_prints_a_line_for_each_method(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def light(intent: Intent, log: QueryLog) -> Plan:
        return resolve_intent(Intent(method=intent.method, attacks=(), measures=("volume",)), log)

    monkeypatch.setattr(verbs, "resolve_intent", light)
    assert main(["demo", "--all", "--out", str(tmp_path / "demo")]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert len(lines) == len(METHODS) + 4
    assert {line.split()[0] for line in lines[1 : 1 + len(METHODS)]} == set(METHODS)
    assert lines[-1].startswith("Verdict: ")
    assert len(err.splitlines()) == len(METHODS) + 2
