"""The sources' tables, figures and numbers, made again."""

import dataclasses
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

import auditor
from auditor.__main__ import main
from auditor.attacks.base import Evidence
from auditor.engine import reproduction
from auditor.engine.reproduction import SOURCES, find_items, reproduce_items
from auditor.log.synthetic import generator
from auditor.log.synthetic.generator import synthesize_log, write_synthetic
from auditor.progress import silent_progress

TABLES = [item for item in find_items("all") if "values" not in item.facts]
GOLDEN = [item for item in find_items("all") if "values" in item.facts]


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Evidence:
    folder = tmp_path_factory.mktemp("reproduce")
    dataset = synthesize_log(150, days=12, seed=2)
    write_synthetic(dataset, folder)
    return Evidence(log=dataset.log, reference=dataset.reference, profiles=folder / "profiles.csv")


def reproduce_one(item: reproduction.SourceItem, evidence: Evidence | None = None) -> Any:
    (result,) = reproduce_items([item], evidence, silent_progress())
    return result


@pytest.mark.parametrize("item", GOLDEN, ids=lambda item: item.name)
def test_that_every_printed_number_is_met(item: reproduction.SourceItem) -> None:
    result = reproduce_one(item)
    assert result.verdict == "equal", (result.values, result.printed)


def test_that_a_wrong_number_deviates() -> None:
    (item,) = find_items("safelog", "figure 5, least ε")
    facts = {**item.facts, "values": [6.9, *item.facts["values"][1:]]}
    assert reproduce_one(dataclasses.replace(item, facts=facts)).verdict == "deviates"


@pytest.mark.slow
def test_that_every_table_and_figure_is_made(evidence: Evidence) -> None:
    """Of a log that is too small for one of them it is said why it is not made."""
    small = [item for item in TABLES if not item.facts.get("equal")]
    for result in reproduce_items(small, evidence, silent_progress()):
        assert result.verdict in ("another log", "not made"), result.item.name
        if result.verdict == "not made":
            assert result.why, result.item.name
            continue
        names = {part.name for part in result.tables} | {part.name for part in result.figures}
        expected = set(result.item.facts.get("shows", ())) - {"*"}
        assert names >= expected, result.item.name
        assert result.tables or result.figures, result.item.name
        assert result.item.command.startswith("auditor "), result.item.name


def test_that_items_are_found_by_what_people_type() -> None:
    assert {item.source for item in TABLES} == {find_items(source)[0].source for source in SOURCES}
    for text in ("3", "table 3", "Table 3", "fig4", "figure 4"):
        assert "table 3" in [item.name for item in find_items("token-hashing", text)], text
    for words in (("nobody",), ("safelog", "table 99")):
        with pytest.raises(auditor.ParameterError):
            find_items(*words)


def test_that_words_are_shown_of_a_made_up_log_alone(
    evidence: Evidence, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_up = SimpleNamespace(log=evidence.log, reference=evidence.reference)
    monkeypatch.setattr(generator, "synthesize_log", lambda *_, **__: made_up)
    monkeypatch.setattr(generator, "write_synthetic", lambda *_: None)
    (item,) = find_items("microaggregation", "7")
    for source, private in ((evidence, True), (None, False)):
        assert {table.private for table in reproduce_one(item, source).tables} == {private}


def test_that_a_reference_without_a_log_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reproduce", "safelog", "--reference", str(tmp_path / "log.tsv")]) == 2
    assert "Name a log as well" in capsys.readouterr().err
    with pytest.raises(auditor.ParameterError):
        auditor.reproduce("safelog", profiles=tmp_path / "people.csv")


def test_that_the_verb_prints_and_writes_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "made"
    words = ["reproduce", "safelog", "--table", "p_g", "--out", str(out)]
    assert main([*words, "--json"]) == 0
    output = json.loads(capsys.readouterr().out)
    assert output["counts"]["equal"] == 1
    assert output["items"][0]["values"][0] == pytest.approx(4.27, abs=0.01)
    assert pd.read_csv(out / "reproduction.csv")["verdict"].tolist() == ["equal"]
    assert main([*words, "--overwrite"]) == 0
    assert "1 items: 1 equal" in capsys.readouterr().out
    (result,) = auditor.reproduce("safelog", table="p_g")
    assert result.verdict == "equal"
