"""The verb `suggest`: exit codes, keys, and a suggestion adopted with what its choice cost."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import auditor
from auditor.__main__ import main
from auditor.api.log import read_log
from auditor.attacks.registry import ATTACKS
from auditor.cli.suggest import parse_budget
from auditor.errors import ExportFailed, ParameterError
from auditor.log import gazetteers
from auditor.log.synthetic.generator import synthesize_log
from auditor.log.writing import write_log
from auditor.measures.registry import MEASURES
from auditor.progress import silent_progress
from auditor.release.ledger.store import data_folder
from auditor.suggestions.store import SearchStore
from tests.cli.test_progress_display import Terminal
from tests.policies import policy_text

POLICY = policy_text("epsilon statement.epsilon most=8", "queries release.queries least=2")


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    path = tmp_path / "policy.toml"
    path.write_text(POLICY, encoding="utf-8")
    return path


@pytest.fixture
def strict(tmp_path: Path) -> Path:
    """A policy that nothing passes."""
    path = tmp_path / "strict.toml"
    path.write_text(POLICY.replace("least = 2", "least = 1000000"), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def synthetic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("synthetic") / "log.tsv"
    write_log(synthesize_log(500, days=10, seed=2).log, path)
    return path


@pytest.fixture
def log(synthetic: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(synthetic, tmp_path))


@pytest.mark.parametrize("name", ["suggestions.parquet", "my suggestions.csv"])
def test_that_a_private_suggestion_is_adopted_with_what_it_cost(
    name: str, log: Path, policy: Path, tmp_path: Path, call: Any
) -> None:
    out, folder = tmp_path / name, tmp_path / "release"
    code, facts = call(
        "suggest", log, "--policy", policy, "--maximise", "queries", "--out", out,
        "--selection-epsilon", 0.5,
    )  # fmt: skip
    assert code in (0, 1)  # by chance, the noisy estimate may be far too low
    assert facts["mode"] == "private"
    best = (facts["suggestions"] + facts["failing"])[0]
    assert bool(facts["suggestions"]) == (code == 0)
    assert best["selection"]["epsilon"] == 0.5
    assert out.exists()
    code, result = call("anonymize", log, "--suggestion", out, "--out", folder)
    assert code == (0 if facts["suggestions"] else 2)
    if code:
        return
    statement = result["statement"]
    assert statement["epsilon"] == pytest.approx(best["statement"]["epsilon"])
    terms = {term["name"]: term["epsilon"] for term in statement["terms"]}
    assert terms["choice of parameters"] in (0.5, 1.0)
    assert sum(terms.values()) == pytest.approx(statement["epsilon"])
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["params"] == {name: best["params"][name] for name in manifest["params"]}
    assert auditor.verify(folder) == []


def test_that_the_demo_audits_what_it_suggests_for_the_sample(
    log: Path, policy: Path, tmp_path: Path, call: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gazetteers, "sample_log", lambda: log)
    policy.write_text(POLICY.replace("least = 2", "least = 1"), encoding="utf-8")
    out = tmp_path / "demo"
    skipped = {*ATTACKS, *MEASURES} - {"surviving-content", "volume"}
    light = [word for name in sorted(skipped) for word in ("--skip", name)]
    code, facts = call("demo", "--policy", policy, "--no-pdf", "--out", out, *light)
    assert code == (0 if facts["verdict"]["state"] == "can-be-released" else 1)
    assert "choice of parameters" not in {term["name"] for term in facts["statement"]["terms"]}
    assert "volume" in json.loads((out / "manifest.json").read_text("utf-8"))["measures"]
    assert (out / "report.html").exists()
    assert auditor.verify(out) == []
    policy.write_text(POLICY.replace("most = 8", "most = 0.0001"), encoding="utf-8")
    code, refusal = call("demo", "--policy", policy, "--out", tmp_path / "none")
    assert code == 1
    assert "Nothing that was looked at passes the policy" in refusal
    assert not (tmp_path / "none").exists()


FEW = ("--methods", "safelog", "--no-growth", "--policy")


def test_that_what_would_not_pass_is_called_no_suggestion(
    log: Path, call: Any, printed: Any, refused: Any, strict: Path, tmp_path: Path
) -> None:
    out = tmp_path / "suggestions.parquet"
    sizes = ("suggest", "--mode", "sizes", "--users", "500", *FEW, strict)
    text = printed(*sizes, "--out", out, code=1)
    assert re.search(r"\n0 suggestions and [1-9]", text)
    assert "To make the first" not in text
    for verb in ("anonymize", "audit"):
        refused(verb, log, "--suggestion", out, "--out", tmp_path / "made")
    assert not (tmp_path / "made").exists()
    code, facts = call("suggest", log, "--mode", "free", *FEW, strict)
    assert code == 1
    assert facts["obstacle"]["gates"]
    assert facts["obstacle"]["remedies"]


def test_that_sizes_need_no_log(answer: Any, policy: Path) -> None:
    facts = answer("suggest", "--mode", "sizes", "--users", 3000, *FEW, policy)
    assert (facts["users"], facts["cost"]["runs"]) == (3000, 0)
    assert "growth" not in facts


@pytest.mark.parametrize(("typed", "searched"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_that_a_private_search_asks_at_a_terminal_what_it_may_cost(
    typed: str, searched: bool, log: Path, policy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = Terminal()
    monkeypatch.setattr("sys.stdin", Terminal(typed))
    monkeypatch.setattr("sys.stderr", stream)
    code = main(["suggest", str(log), "--policy", str(policy), "--methods", "zealous"])
    assert "costs ε = 0.5" in stream.getvalue()
    assert (code != 130) == searched
    spent = SearchStore.open_usual().choices.sum_spent(read_log(log), silent_progress())
    assert spent[1] == int(searched)


def test_that_a_private_search_that_nobody_agreed_to_is_refused(log: Path, refused: Any) -> None:
    error = refused("suggest", log)
    assert "--selection-epsilon" in error
    assert "Reading the log" not in error
    assert not (data_folder() / "suggestions.json").exists()
    with pytest.raises(ParameterError, match="name what it may cost"):
        auditor.suggest(read_log(log))


def test_that_an_answer_is_printed_though_its_table_can_not_be_written(
    log: Path,
    policy: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(frame: object, path: Path) -> Path:
        raise ExportFailed("The disk is full.")

    monkeypatch.setattr("auditor.release.export.write_table", refuse)
    words = ["suggest", str(log), "--policy", str(policy), "--selection-epsilon", "0.5"]
    assert main([*words, "--out", str(tmp_path / "out.parquet")]) == 2
    captured = capsys.readouterr()
    assert "The disk is full." in captured.err
    assert "The choice cost ε = 0.5." in captured.out
    assert "written to" not in captured.out


def test_that_a_setting_that_is_looked_at_again_is_told_of_once(
    log: Path, policy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["suggest", str(log), "--policy", str(policy), "--mode", "free", "--no-growth"]
    main([*words, "--methods", "safelog,zealous", "--maximise", "queries"])
    lines = [line for line in capsys.readouterr().err.splitlines() if "; ε " in line]
    assert lines
    assert len(lines) == len(set(lines))


def test_that_budgets_are_times() -> None:
    budgets = [parse_budget(text) for text in ("90", "90s", "10min", "1.5h")]
    assert budgets == [90, 90, 600, 5400]
    assert parse_budget(None) is None
    with pytest.raises(ParameterError, match="10min"):
        parse_budget("-1")
