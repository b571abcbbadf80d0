"""Every attack or measure at once, and the small verbs and refusals around them."""

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
from auditor.errors import Cancelled
from auditor.log.reading.reader import read_log
from auditor.log.synthetic.generator import synthesize_log, write_synthetic
from auditor.measures.registry import MEASURES
from auditor.methods.selected_statement import BLINDLY


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log, and releases of it that hold some of it and nothing."""
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


def test_that_an_empty_release_is_not_attacked(folder: Path, answer: Any, refused: Any) -> None:
    output = answer("attack", "all", folder / "log.tsv", folder / "none")
    assert output["results"] == {}
    assert set(output["skipped"]) == set(ATTACKS)
    message = refused("attack", "surviving-content", folder / "log.tsv", folder / "none")
    assert "the release is empty" in message


@pytest.mark.parametrize("verb", ["anonymize", "audit"])
def test_that_a_dry_run_says_what_would_be_made_and_makes_nothing(
    verb: str, folder: Path, tmp_path: Path, answer: Any
) -> None:
    how = (folder / "log.tsv", "--method", "safelog", "-p", "q_f=4", "--out", tmp_path / "o")
    forecast = answer(verb, *how, "--dry-run")
    assert list(tmp_path.iterdir()) == []
    assert forecast["params"]["q_f"] == 4
    assert forecast["seconds"] > 0
    statement = answer("anonymize", *how)["statement"]
    assert forecast["statement"]["epsilon"] == statement["epsilon"]


def test_that_a_dry_run_says_what_leaves_nothing_and_what_choosing_the_parameters_cost(
    folder: Path, tmp_path: Path, answer: Any
) -> None:
    def forecast(method: str, *more: object) -> Any:
        words = ("audit", folder / "log.tsv", "--out", tmp_path / "o", "--dry-run", "--method")
        return answer(*words, method, *more)

    assert "nothing is released" in forecast("click-pairs")["note"]  # by an unpublished rule
    assert "nothing is released" not in forecast("click-pairs", "-p", "k=1").get("note", "")
    plan = tmp_path / "plan.toml"
    plan.write_text('[selection]\nlook = "private"\nepsilon = 0.25\ncandidates = 4\nsearches = 1')
    alone, chosen = (forecast("safelog", *more)["statement"] for more in ((), ("--plan", plan)))
    assert chosen["epsilon"] == pytest.approx(alone["epsilon"] + 0.25)
    assert BLINDLY in {assumption["name"] for assumption in chosen["assumptions"]}


@pytest.mark.parametrize(
    ("typed", "offered"), [("att", ["attack", "attacks"]), ("verify --pub", ["--public-key"])]
)
def test_that_bash_completes_verbs_and_options(
    typed: str, offered: list[str], printed: Any
) -> None:
    script = printed("completion", "bash") + (
        f"COMP_WORDS=(auditor {typed}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _auditor; "
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    process = subprocess.run(["bash", "-c", script], check=True, capture_output=True, text=True)
    assert sorted(process.stdout.split()) == offered


def test_that_other_shells_have_every_verb_and_a_policy_is_printed_to_copy(printed: Any) -> None:
    for shell in ("zsh", "fish"):
        script = printed("completion", shell)
        assert all(verb in script for verb in VERBS), shell
    assert 'format = "auditor policy' in printed("policies", "public")


def test_that_attacks_are_tuned_by_name_and_repeated_by_their_seed(
    folder: Path, answer: Any
) -> None:
    log, release = folder / "log.tsv", folder / "some"
    tuned = ("-p", "record-linkage.targets=20", "-p", "record-linkage.share=0.3")
    results = answer("attack", "all", log, release, *tuned, "--adversary", "family")["results"]
    linked = results["record-linkage"]["params"]
    assert (linked["targets"], linked["share"]) == (20, 0.3)
    usual = answer("attack", "near-linkage", log, release)["params"]
    assert results["near-linkage"]["params"]["share"] != usual["share"]
    words = ("attack", "record-linkage", log, release, "-p", "targets=20", "--seed", 4)
    assert answer(*words) == answer(*words)


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
    folder: Path, tmp_path: Path, answer: Any, printed: Any, refused: Any, monkeypatch: Any
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
    words = [
        *("sweep", folder / "log.tsv", "--method", "frequency-threshold", "--grid", "n=2,3,4"),
        *("--attack", "surviving-content", "--measure", "volume", "--out"),
    ]
    stop = 99
    answer(*words, tmp_path / "whole.csv", "--plots", tmp_path / "whole")
    ran.clear()
    stop, out = 2, tmp_path / "part.csv"
    printed(*words, out, code=130)
    part = tmp_path / "part.csv.part"
    with part.open("a", encoding="utf-8") as file:
        file.write('{"key": "cut of')
    assert "--resume" in refused(*words, out)
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
    folder: Path, tmp_path: Path, refused: Any
) -> None:
    other, ids, log = tmp_path / "grid.csv.part", tmp_path / "ids.csv", folder / "log.tsv"
    other.write_text("mine", "utf-8")
    grid = ("sweep", log, "--method", "safelog", "--grid", "b=2", "--overwrite", "--out")
    assert "was not made by a sweep" in refused(*grid, tmp_path / "grid.csv")
    assert other.read_text("utf-8") == "mine"
    ids.write_text("1\n", "utf-8")
    measure = ("measure", "volume", log, folder / "some", "--overwrite", "--users")
    assert refused(*measure, ids, "--csv", ids)
    assert ids.read_text("utf-8") == "1\n"


def test_that_results_are_written_and_tables_printed(
    folder: Path, tmp_path: Path, answer: Any, printed: Any, refused: Any
) -> None:
    log, out = folder / "log.tsv", tmp_path / "volume.json"
    measure = ("measure", "volume", log, folder / "some", "--quiet")
    output = answer(*measure, "--out", out)
    assert json.loads(out.read_text("utf-8")) == output
    table = pd.read_csv(io.StringIO(printed(*measure, "--csv", "-")))
    assert set(table["of"]) == {"volume"}
    refused(*measure, "--csv", "-", "--json")
    grid = ("sweep", log, "--method", "frequency-threshold", "--grid", "n=2,3", "--quiet")
    table = pd.read_csv(io.StringIO(printed(*grid, "--measure", "volume", "--out", "-")))
    assert table["n"].tolist() == [2, 3]
