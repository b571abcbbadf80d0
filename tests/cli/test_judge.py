"""`auditor audit --release`: a release of others is judged, with what can't be told left open."""

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


ON_SPARK = ["--method", "frequency-threshold", "--engine", "spark"]


def stated_gates(facts: Any) -> list[Any]:
    """The results of the gates that look at what the release claims."""
    return [item for item in facts["gates"]["results"] if item["figure"].startswith("statement.")]


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
    folder: Path, tmp_path: Path, judge: Any, refused: Any
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
    stated = stated_gates(facts)
    assert stated
    assert not [item for item in stated if item["verdict"] == "passed"], "nothing is claimed of it"
    again = ("audit", folder / "log.tsv", "--release", folder / "days.csv", "--out", out)
    refused(*again)
    (out / "mine.txt").write_text("mine")
    refused(*again, "--overwrite")
    assert (out / "mine.txt").read_text() == "mine"


def test_that_counts_are_judged_and_what_needs_records_is_said_not_to_run(
    tmp_path: Path, judge: Any
) -> None:
    _, facts = judge("counts.csv", "--pdf")
    assert (tmp_path / "judged" / "report.pdf").read_bytes()[:4] == b"%PDF"
    assert "surviving-content" in facts["attacks"]
    assert "tables hold no records of users" in facts["skipped"]["record-linkage"]
    assert facts["verdict"]["kept"]["queries"] > 0


@pytest.fixture
def made(folder: Path, tmp_path: Path, answer: Any) -> Path:
    """A release of the log with the queries of three users and more."""
    words = ("--method", "frequency-threshold", "-p", "n=3", "--out", tmp_path / "made")
    answer("anonymize", folder / "log.tsv", *words)
    return tmp_path / "made"


def test_that_a_folder_is_taken_at_its_manifests_word_and_says_so(
    folder: Path, tmp_path: Path, made: Path, judge: Any, refused: Any
) -> None:
    _, facts = judge(str(made))
    assert "its own manifest claims" in facts["claim"]
    assert facts["rechecked"]
    page = (tmp_path / "judged" / "report.html").read_text()
    assert "Frequency threshold" in page
    assert "Worked out again from this log" in page
    assert any(item["evidence"].endswith("as its manifest says") for item in stated_gates(facts))
    with (made / "log.tsv").open("a") as data:
        data.write("9\tx\t2006-03-01 00:00:00\t\t\n")
    words = ("audit", folder / "log.tsv", "--release", made, "--out", tmp_path / "again")
    assert "is not what its manifest says" in refused(*words)


def test_that_a_release_of_another_log_is_not_compared_without_a_word(
    folder: Path,
    tmp_path: Path,
    call: Any,
    judge: Any,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log, other, release = folder / "log.tsv", tmp_path / "other.tsv", tmp_path / "made"
    other.write_text("".join(log.read_text().splitlines(keepends=True)[:-9]))
    words = ("--method", "frequency-threshold", "-p", "n=3", *QUICK, "--no-pdf", "--out", release)
    assert call("audit", other, *words)[0] in (0, 1)

    def compare(log: Path) -> list[bool]:
        noted = []
        for words in (["measure", "volume"], ["attack", "surviving-content"], ["explain"]):
            more = ["weather"] if words == ["explain"] else []
            assert main([*words, str(log), str(release), *more]) == 0
            noted.append("made from another log" in capsys.readouterr().err)
        return noted

    assert compare(other) == [False] * 3
    assert compare(log) == [True] * 3
    _, facts = judge(str(release))
    assert "made from another log" in facts["other_log"]
    assert "made from another log" in (tmp_path / "judged" / "report.html").read_text()
    monkeypatch.setenv("AUDITOR_LEDGER", str(tmp_path / "none.sqlite"))
    assert compare(log) == [True] * 3  # by its evidence
    shutil.rmtree(tmp_path / "made.internal")  # nothing is known then
    assert compare(log) == [False] * 3


def test_that_a_manifest_that_contradicts_its_log_does_not_hold(
    made: Path, tmp_path: Path, judge: Any
) -> None:
    shutil.rmtree(tmp_path / "made.internal")
    manifest = json.loads((made / "manifest.json").read_text())
    manifest["params"]["n"] = 9
    (made / "manifest.json").write_text(json.dumps(manifest))
    code, facts = judge(str(made))
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
        # before anything is read
        ([*ON_SPARK, "--dry-run"], "park"),
        ([*ON_SPARK, "--edition", "internal"], "park"),
        ([*ON_SPARK, "--write-truth", "none.tsv"], "park"),
    ],
)
def test_that_what_does_not_go_together_is_refused(
    folder: Path, tmp_path: Path, refused: Any, more: list[str], message: str
) -> None:
    words = [folder / word if "." in word else word for word in more]
    log = tmp_path / "none.tsv" if "spark" in more else folder / "log.tsv"
    assert message in refused("audit", log, "--out", tmp_path / "o", *words)
    assert not list(tmp_path.iterdir())


def test_that_a_truth_table_is_written_apart_and_links_what_the_release_hides(
    folder: Path, tmp_path: Path, answer: Any, refused: Any
) -> None:
    log, release, truth = folder / "log.tsv", tmp_path / "release", tmp_path / "truth.tsv"
    make = ("anonymize", log, "--method", "day-pseudonyms", "--out", release)
    attack = ("attack", "mini-session-linkage", log, release)
    answer(*make, "--write-truth", truth)
    assert truth.stat().st_mode & 0o077 == 0
    owners = dict(line.split("\t") for line in truth.read_text("utf-8").splitlines()[1:])
    released = (release / "log.tsv").read_text("utf-8").splitlines()[1:]
    assert {line.split("\t")[0] for line in released} == set(owners), "it covers every released id"
    for path in tmp_path.rglob("*"):
        if path.is_file() and path != truth:
            assert "truth" not in path.name
            assert b"truth.tsv" not in path.read_bytes()
    result = answer(*attack, "--truth", truth)
    assert result["attack"] == "mini-session-linkage"
    assert result["rate"] > result["control"]
    assert "needs a truth table" in refused(*attack)
    (tmp_path / "link").symlink_to(release)
    for path, why in (
        (truth, "Something stands there"),
        (release / "t.tsv", "outside the release"),
        (tmp_path / "link" / "t.tsv", "outside the release"),
        (tmp_path / "nowhere" / "t.tsv", "not there"),
    ):
        assert why in refused(*make, "--overwrite", "--write-truth", path)
    words = ("--overwrite", "--write-truth", tmp_path / "p", "--preview-seed", "1")
    assert "not with a preview" in refused(*make, *words)


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
