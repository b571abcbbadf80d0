"""`auditor audit --release`: a release of others is judged, with what can't be told left open."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from auditor.__main__ import main
from auditor.attacks.base import Evidence
from auditor.attacks.record_linkage.targets import NO_OWNERS
from auditor.attacks.registry import ATTACKS
from auditor.cli.spark import restrict_plan
from auditor.engine.plan import Intent, plan_judgement
from auditor.log.reading.reader import read_log
from auditor.log.synthetic.generator import synthesize_log
from auditor.log.writing import write_log
from auditor.measures.registry import MEASURES
from auditor.methods.registry import FIRST
from auditor.progress import silent_progress
from auditor.release.outside import read_outside

QUICK = [word for name in MEASURES if name != "volume" for word in ("--skip", name)]
QUICK += ["--skip", "near-linkage", "--skip", "semantic-linkage", "--skip", "planted-stems"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log, the same under a pseudonym a day, whose each is, and counts of frequent queries."""
    place = tmp_path_factory.mktemp("judge")
    log = synthesize_log(150, days=10, seed=2).log
    write_log(log, place / "log.tsv")
    frame = log.to_pandas()[["user", "query", "time"]]
    frame["day"] = frame["time"].astype(str).str[:10]
    pairs = frame[["user", "day"]].drop_duplicates()
    names = {(u, d): f"p{n * 7919 % 100_003}" for n, (u, d) in enumerate(pairs.to_numpy().tolist())}
    frame["pseudonym"] = [names[u, d] for u, d in zip(frame["user"], frame["day"], strict=True)]
    released = frame[["pseudonym", "query", "day"]].rename(columns={"day": "date"})
    released.to_csv(place / "days.csv", index=False)
    rows = "".join(f"{name}\t{user}\n" for (user, _), name in names.items())
    (place / "truth.tsv").write_text(f"id\tuser\n{rows}")
    users = frame.drop_duplicates(["user", "query"])["query"].value_counts()
    users[users >= 3].rename_axis("query").rename("users").to_csv(place / "counts.csv")
    return place


@pytest.fixture
def judge(call: Any, folder: Path, tmp_path: Path) -> Any:
    """``judge(release, *words)`` → the exit code and the JSON of an audit into `judged`."""

    def run(release: str, *more: object) -> Any:
        words = ("audit", folder / "log.tsv", "--release", folder / release)
        return call(*words, "--out", tmp_path / "judged", *QUICK, *more)

    return run


def test_that_pseudonyms_of_a_day_are_judged_by_a_truth_table(
    folder: Path, tmp_path: Path, judge: Any
) -> None:
    out = tmp_path / "judged"
    code, facts = judge("days.csv", "--truth", folder / "truth.tsv")
    assert code == 1
    assert facts["verdict"]["state"] == "cannot-be-released"
    assert facts["attacks"]["record-linkage"] > 0.9
    assert "unicity" in facts["attacks"]
    assert facts["skipped"]["dp-audit"].startswith("has nothing to test")
    assert json.loads((out / "judgement.json").read_text())["attacks"] == facts["attacks"]
    assert "Made elsewhere" in (out / "report.html").read_text()
    stated = [item for item in facts["gates"]["results"] if item["figure"].startswith("statement.")]
    assert stated
    assert not [item for item in stated if item["verdict"] == "passed"], "nothing is claimed of it"
    again = ["audit", folder / "log.tsv", "--release", folder / "days.csv", "--out", out]
    assert main([*map(str, again)]) == 2
    (out / "mine.txt").write_text("mine")
    assert main([*map(str, again), "--overwrite"]) == 2
    assert (out / "mine.txt").read_text() == "mine"


def test_that_counts_are_judged_and_what_needs_records_is_said_not_to_run(
    tmp_path: Path, judge: Any
) -> None:
    _, facts = judge("counts.csv", "--pdf")
    assert (tmp_path / "judged" / "report.pdf").read_bytes()[:4] == b"%PDF"
    assert "surviving-content" in facts["attacks"]
    assert "tables hold no records of users" in facts["skipped"]["record-linkage"]
    assert facts["verdict"]["kept"]["queries"] > 0


def test_that_a_folder_is_taken_at_its_manifests_word_and_says_so(
    folder: Path, tmp_path: Path, judge: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    release = tmp_path / "made"
    words = ["anonymize", folder / "log.tsv", "--method", "frequency-threshold", "-p", "n=3"]
    assert main([*map(str, words), "--out", str(release)]) == 0
    capsys.readouterr()
    _, facts = judge(str(release))
    assert "its own manifest claims" in facts["claim"]
    assert facts["rechecked"]
    page = (tmp_path / "judged" / "report.html").read_text()
    assert "Frequency threshold" in page
    assert "Worked out again from this log" in page
    stated = [item for item in facts["gates"]["results"] if item["figure"].startswith("statement.")]
    assert any(item["evidence"].endswith("as its manifest says") for item in stated)
    with (release / "log.tsv").open("a") as data:
        data.write("9\tx\t2006-03-01 00:00:00\t\t\n")
    words = ["audit", folder / "log.tsv", "--release", release, "--out", tmp_path / "again"]
    assert main([*map(str, words)]) == 2
    assert "is not what its manifest says" in capsys.readouterr().err


def test_that_a_release_of_another_log_is_not_compared_without_a_word(
    folder: Path,
    tmp_path: Path,
    judge: Any,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other, release = tmp_path / "other.tsv", tmp_path / "made"
    lines = (folder / "log.tsv").read_text().splitlines(keepends=True)
    other.write_text("".join(lines[:-9]))
    words = ["audit", other, "--method", "frequency-threshold", "-p", "n=3", *QUICK, "--no-pdf"]
    assert main([*map(str, words), "--out", str(release)]) in (0, 1)
    capsys.readouterr()

    def compare(log: Path) -> list[bool]:
        noted = []
        for words in (["measure", "volume"], ["attack", "surviving-content"], ["explain"]):
            more = ["weather"] if words == ["explain"] else []
            assert main([*words, str(log), str(release), *more]) == 0
            noted.append("made from another log" in capsys.readouterr().err)
        return noted

    assert compare(other) == [False] * 3
    assert compare(folder / "log.tsv") == [True] * 3
    _, facts = judge(str(release))
    assert "made from another log" in facts["other_log"]
    assert "made from another log" in (tmp_path / "judged" / "report.html").read_text()
    monkeypatch.setenv("AUDITOR_LEDGER", str(tmp_path / "none.sqlite"))
    assert compare(folder / "log.tsv") == [True] * 3  # by its evidence
    shutil.rmtree(tmp_path / "made.internal")  # nothing is known then
    assert compare(folder / "log.tsv") == [False] * 3


def test_that_a_manifest_that_contradicts_its_log_does_not_hold(
    folder: Path, tmp_path: Path, judge: Any, call: Any
) -> None:
    release = tmp_path / "made"
    words = ["anonymize", folder / "log.tsv", "--method", "frequency-threshold", "-p", "n=3"]
    call(*words, "--out", release)
    shutil.rmtree(tmp_path / "made.internal")
    manifest = json.loads((release / "manifest.json").read_text())
    manifest["params"]["n"] = 9
    (release / "manifest.json").write_text(json.dumps(manifest))
    code, facts = judge(str(release))
    gate = next(gate for gate in facts["gates"]["results"] if gate["name"] == "assumptions")
    assert (code, gate["verdict"]) == (1, "failed")
    assert "made from this log" in gate["evidence"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--release", "days.csv", "--method", "safelog"], "leave out --method"),
        (["--release", "days.csv", "--purpose", "x"], "a release that is made here"),
        (["--release", "days.csv", "--dry-run"], "--dry-run goes with"),
        (["--release", "days.csv", "--release-columns", "query=none"], "no column none"),
        (["--release", "none.csv"], "none.csv"),
        (["--release", "days.csv", "--truth", "days.csv"], "line 1"),
        (["--method", "safelog", "--truth", "truth.tsv"], "goes with --release"),
        (["--method", "safelog", "--release-columns", "query=q"], "goes with --release"),
    ],
)
def test_that_what_does_not_go_together_is_refused(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], message: str
) -> None:
    words = [str(folder / word) if "." in word else word for word in more]
    code = main(["audit", str(folder / "log.tsv"), "--out", str(tmp_path / "o"), *words])
    assert code == 2
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error
    assert not (tmp_path / "o").exists()


def test_that_a_truth_table_is_written_apart_and_links_what_the_release_hides(
    folder: Path, tmp_path: Path, call: Any
) -> None:
    log, release, truth = folder / "log.tsv", tmp_path / "release", tmp_path / "truth.tsv"
    make = ("anonymize", log, "--method", "day-pseudonyms", "--out", release)
    attack = ("attack", "mini-session-linkage", log, release)
    code, _ = call(*make, "--write-truth", truth)
    assert code == 0
    assert truth.stat().st_mode & 0o077 == 0
    owners = dict(line.split("\t") for line in truth.read_text("utf-8").splitlines()[1:])
    released = (release / "log.tsv").read_text("utf-8").splitlines()[1:]
    assert {line.split("\t")[0] for line in released} == set(owners), "it covers every released id"
    for path in tmp_path.rglob("*"):
        if path.is_file() and path != truth:
            assert "truth" not in path.name
            assert b"truth.tsv" not in path.read_bytes()
    code, result = call(*attack, "--truth", truth)
    assert (code, result["attack"]) == (0, "mini-session-linkage")
    assert result["rate"] > result["control"]
    code, message = call(*attack)
    assert code == 2
    assert "needs a truth table" in message
    (tmp_path / "link").symlink_to(release)
    for path, why in (
        (truth, "Something stands there"),
        (release / "t.tsv", "outside the release"),
        (tmp_path / "link" / "t.tsv", "outside the release"),
        (tmp_path / "nowhere" / "t.tsv", "not there"),
    ):
        code, message = call(*make, "--overwrite", "--write-truth", path)
        assert code == 2
        assert why in message
    words = ("--overwrite", "--write-truth", tmp_path / "p", "--preview-seed", "1")
    code, message = call(*make, *words)
    assert code == 2
    assert "not with a preview" in message


@pytest.mark.parametrize(
    "words", [["--dry-run"], ["--edition", "internal"], ["--write-truth", "t.tsv"]]
)
def test_that_what_spark_cannot_do_is_refused_before_anything_is_read(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["audit", str(tmp_path / "none.tsv"), "--method", "frequency-threshold"]
    assert main([*command, "--engine", "spark", "--out", str(tmp_path / "out"), *words]) == 2
    assert "park" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_that_what_looks_at_no_user_is_not_said_to_need_a_truth_table(folder: Path) -> None:
    """Of a sample of users whose records nobody can name, an audit of ε lacks the ε alone."""
    log = read_log([folder / "log.tsv"], progress=silent_progress())
    release = read_outside(folder / "days.csv", progress=silent_progress())
    plan = restrict_plan(plan_judgement(release, log, Intent(method=FIRST)), NO_OWNERS)
    reasons = dict(plan.omitted)
    assert reasons["record-linkage"] == NO_OWNERS
    assert [step.name for step in plan.attacks] == ["dp-audit"]
    evidence = Evidence(log=log, release=release, is_cut=True)
    assert "claims no ε" in ATTACKS["dp-audit"].why_not(evidence)
