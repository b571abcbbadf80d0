"""Every attack or measure at once, and the small verbs and refusals around them."""

from __future__ import annotations

import io
import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from auditor.__main__ import main
from auditor.attacks.registry import ATTACKS
from auditor.cli.verbs import VERBS
from auditor.engine import runner, sweep
from auditor.engine.sweep import SweepAxis
from auditor.errors import Cancelled
from auditor.log.reading.reader import read_log
from auditor.log.synthetic.generator import synthesize_log, write_synthetic
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS
from auditor.methods.selected_statement import BLINDLY


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("log")
    write_synthetic(synthesize_log(60, days=8, seed=3), path)
    for name, least in (("some", "2"), ("none", "61")):
        words = ["anonymize", str(path / "log.tsv"), "--method", "frequency-threshold", "--quiet"]
        assert main([*words, "-p", f"n={least}", "--out", str(path / name)]) == 0
    return path


def test_that_all_measures_say_what_each_says_alone(
    folder: Path, tmp_path: Path, answer: Any
) -> None:
    log, release, table = folder / "log.tsv", folder / "some", tmp_path / "values.csv"
    output = answer("measure", "all", log, release, "--csv", table)
    results, skipped = output["results"], output["skipped"]
    assert sorted([*results, *skipped]) == sorted(MEASURES)
    assert results["volume"] == answer("measure", "volume", log, release)
    values = pd.read_csv(table)
    assert set(values["of"]) == set(results)
    alone = values[values["of"] == "volume"].set_index("name")["value"]
    for name, value in results["volume"]["values"].items():
        assert alone[f"volume.{name}" if f"volume.{name}" in alone else name] == pytest.approx(
            value
        )


def test_that_an_empty_release_is_not_attacked(
    folder: Path, answer: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    output = answer("attack", "all", folder / "log.tsv", folder / "none")
    assert output["results"] == {}
    assert set(output["skipped"]) == set(ATTACKS)
    assert main(["attack", "surviving-content", str(folder / "log.tsv"), str(folder / "none")]) == 2
    assert "the release is empty" in capsys.readouterr().err


def test_that_an_attack_is_repeated_by_its_seed(folder: Path, answer: Any) -> None:
    words = ("attack", "record-linkage", folder / "log.tsv", folder / "some", "-p", "targets=20")
    assert answer(*words, "--seed", 4) == answer(*words, "--seed", 4)


def test_that_a_bundled_policy_is_printed_to_copy(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["policies", "public"]) == 0
    assert 'format = "auditor policy' in capsys.readouterr().out


@pytest.mark.parametrize("verb", ["anonymize", "audit"])
def test_that_a_dry_run_says_what_would_be_made_and_makes_nothing(
    verb: str, folder: Path, tmp_path: Path, answer: Any
) -> None:
    words: tuple[Any, ...] = (verb, folder / "log.tsv", "--method", "safelog", "-p", "q_f=4")
    words += ("--out", tmp_path / "o")
    forecast = answer(*words, "--dry-run")
    assert list(tmp_path.iterdir()) == []
    assert forecast["params"]["q_f"] == 4
    stated = forecast["statement"]
    actual = answer("anonymize", *words[1:])["statement"]
    assert stated["epsilon"] == actual["epsilon"]
    assert forecast["seconds"] > 0


@pytest.mark.parametrize(("rule", "is_said"), [((), True), (("-p", "k=1"), False)])
def test_that_a_dry_run_says_where_an_unpublished_rule_leaves_nothing(
    folder: Path, tmp_path: Path, answer: Any, rule: tuple[str, ...], is_said: bool
) -> None:
    words = ("audit", folder / "log.tsv", "--method", "click-pairs", *rule, "--dry-run")
    note = answer(*words, "--out", tmp_path / "o").get("note", "")
    assert ("nothing is released" in note) == is_said


def test_that_a_dry_run_states_what_choosing_the_parameters_cost(
    folder: Path, tmp_path: Path, answer: Any
) -> None:
    words = ("audit", folder / "log.tsv", "--method", "safelog", "--out", tmp_path / "o")
    alone = answer(*words, "--dry-run")["statement"]
    plan = tmp_path / "plan.toml"
    plan.write_text('[selection]\nlook = "private"\nepsilon = 0.25\ncandidates = 4\nsearches = 1')
    chosen = answer(*words, "--dry-run", "--plan", plan)["statement"]
    assert chosen["epsilon"] == pytest.approx(alone["epsilon"] + 0.25)
    assert BLINDLY in {assumption["name"] for assumption in chosen["assumptions"]}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("q_f=1..3", (1, 2, 3)),
        ("q_f=10..50:20,7", (10, 30, 50, 7)),
        ("b=0.1..0.3:0.1", (0.1, 0.2, 0.3)),
    ],
)
def test_that_an_axis_may_be_a_range(text: str, values: tuple[float, ...]) -> None:
    assert SweepAxis.parse(METHODS["safelog"].params, text).values == values


@pytest.mark.parametrize(
    ("typed", "offered"), [("att", ["attack", "attacks"]), ("verify --pub", ["--public-key"])]
)
def test_that_bash_completes_verbs_and_options(
    typed: str, offered: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", "bash"]) == 0
    words = " ".join(["auditor", typed])
    script = capsys.readouterr().out + (
        f"COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _auditor; "
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    process = subprocess.run(["bash", "-c", script], check=True, capture_output=True, text=True)
    assert sorted(process.stdout.split()) == offered


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_that_other_shells_have_every_verb(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(verb in script for verb in VERBS)


def test_that_all_attacks_are_tuned_by_name(folder: Path, answer: Any) -> None:
    log, release = folder / "log.tsv", folder / "some"
    tuned = ("-p", "record-linkage.targets=20", "-p", "record-linkage.share=0.3")
    results = answer("attack", "all", log, release, *tuned, "--adversary", "family")["results"]
    linked = results["record-linkage"]["params"]
    assert (linked["targets"], linked["share"]) == (20, 0.3)
    usual = answer("attack", "near-linkage", log, release)["params"]
    assert results["near-linkage"]["params"]["share"] != usual["share"]


def test_that_a_part_of_the_log_is_released(folder: Path, tmp_path: Path, answer: Any) -> None:
    log = read_log(folder / "log.tsv")
    ids = tmp_path / "ids"
    ids.write_text("\n".join(log.users.list_strings()[:7]), "utf-8")
    output = answer("inspect", folder / "log.tsv", "--users", ids)
    assert output["users"] == 7
    first = datetime.fromtimestamp(int(log.time.min()), UTC).date().isoformat()
    output = answer("inspect", folder / "log.tsv", "--to", first)
    assert output["end"][:10] == first
    assert 0 < output["rows"] < len(log)


def test_that_a_stopped_sweep_goes_on(
    folder: Path, tmp_path: Path, answer: Any, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    """What is taken from before is what a whole sweep gives, its intervals and figures as well."""
    ran: list[Any] = []
    execute, draw = runner.execute_plan, sweep.draw_plots

    def count(plan: Any, *rest: Any) -> Any:
        if len(ran) == stop:
            raise Cancelled
        ran.append(plan)
        return execute(plan, *rest)

    def draw_one(*what: Any) -> Any:
        return [figure for figure in draw(*what) if figure.name == "surviving-content.rate"]

    monkeypatch.setattr(sweep, "execute_plan", count)
    monkeypatch.setattr(sweep, "draw_plots", draw_one)
    words = ["sweep", folder / "log.tsv", "--method", "frequency-threshold", "--grid", "n=2,3,4"]
    words += ["--attack", "surviving-content", "--measure", "volume", "--out"]
    stop = 99
    answer(*words, tmp_path / "whole.csv", "--plots", tmp_path / "whole")
    ran.clear()
    stop, out = 2, tmp_path / "part.csv"
    assert main([*map(str, words), str(out)]) == 130
    part = tmp_path / "part.csv.part"
    with part.open("a", encoding="utf-8") as file:
        file.write('{"key": "cut of')
    assert main([*map(str, words), str(out)]) == 2
    assert "--resume" in capsys.readouterr().err
    stop = 99
    answer(*words, out, "--resume", "--plots", tmp_path / "part")
    assert len(ran) == 3
    assert not part.exists()
    columns = ["n", "volume.searches_share", "surviving-content.rate"]
    full, resumed = (pd.read_csv(tmp_path / name) for name in ("whole.csv", "part.csv"))
    assert list(full) == list(resumed)
    pd.testing.assert_frame_equal(full[columns], resumed[columns])
    name = "surviving-content.rate.svg"
    assert (tmp_path / "whole" / name).read_text() == (tmp_path / "part" / name).read_text()


def test_that_a_sweeps_and_a_list_of_users_place_is_left_alone(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other, ids = tmp_path / "grid.csv.part", tmp_path / "ids.csv"
    other.write_text("mine", "utf-8")
    words = ["sweep", str(folder / "log.tsv"), "--method", "safelog", "--grid", "b=2"]
    assert main([*words, "--overwrite", "--out", str(tmp_path / "grid.csv")]) == 2
    assert "was not made by a sweep" in capsys.readouterr().err
    assert other.read_text("utf-8") == "mine"
    ids.write_text("1\n", "utf-8")
    words = ["measure", "volume", str(folder / "log.tsv"), str(folder / "some")]
    assert main([*words, "--users", str(ids), "--csv", str(ids), "--overwrite"]) == 2
    assert ids.read_text("utf-8") == "1\n"
    assert capsys.readouterr().err


def test_that_results_are_written_and_tables_printed(
    folder: Path, tmp_path: Path, answer: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    log, release, out = str(folder / "log.tsv"), str(folder / "some"), tmp_path / "volume.json"
    words = ["measure", "volume", log, release, "--quiet"]
    output = answer(*words, "--out", out)
    assert json.loads(out.read_text("utf-8")) == output
    assert main([*words, "--csv", "-"]) == 0
    printed = pd.read_csv(io.StringIO(capsys.readouterr().out))
    assert set(printed["of"]) == {"volume"}
    assert main([*words, "--csv", "-", "--json"]) == 2
    words = ["sweep", log, "--method", "frequency-threshold", "--grid", "n=2,3", "--quiet"]
    assert main([*words, "--measure", "volume", "--out", "-"]) == 0
    assert pd.read_csv(io.StringIO(capsys.readouterr().out))["n"].tolist() == [2, 3]
