import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import auditor
from auditor.attacks.registry import ATTACKS
from auditor.errors import MissingInput, ParameterError
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS
from auditor.privacy.release import Preview, Release

LOG = QueryLog.from_columns(user=["a", "b", "c"], query=["x", "x", "y"], time=[1, 2, 3])


def test_that_a_seed_makes_a_preview_only() -> None:
    assert isinstance(auditor.preview(LOG, "safelog", seed=1), Preview)
    assert isinstance(auditor.anonymize(LOG, "frequency-threshold", n=2), Release)


def test_that_a_printed_result_is_its_answer_and_no_private_table() -> None:
    log = synthesize_log(60, days=3, seed=1).log
    result = auditor.anonymize(log, "frequency-threshold", n=2)
    lines = str(result).splitlines()
    assert lines[0] == "Release: frequency-threshold"
    assert 3 < len(lines) < 20
    checks: dict[str, Any] = {"attacks": ["record-linkage", "surviving-content"]}
    audited = str(auditor.audit(log, "frequency-threshold", n=2, **checks)).splitlines()
    assert audited[1].startswith(("Nothing", "Cannot"))
    assert audited[-1].endswith("more in to_pandas()")
    measured = auditor.attack("record-linkage", log, result)
    assert len(str(measured).splitlines()) < 20
    users = {str(row[0]) for table in measured.tables if table.private for row in table.rows}
    assert users
    assert not users & set(str(measured).split())


def test_that_an_empty_list_of_checks_is_none_and_no_list_is_what_a_run_has_by_itself() -> None:
    usual = auditor.plan(LOG, "frequency-threshold")
    none = auditor.plan(LOG, "frequency-threshold", attacks=[], measures=[])
    assert (bool(usual.attacks), bool(usual.measures)) == (True, True)
    assert (none.attacks, none.measures) == ((), ())
    more = auditor.plan(LOG, "frequency-threshold", attacks=["vanity"]).attacks
    assert {step.name for step in more} == {"vanity", *(step.name for step in usual.attacks)}


def test_that_wrong_calls_say_what_is_wrong() -> None:
    with pytest.raises(ParameterError, match="There is no method"):
        auditor.anonymize(LOG, "nothing")
    with pytest.raises(ParameterError, match="'n' parameter"):
        auditor.anonymize(LOG, "frequency-threshold", n=0)
    empty = QueryLog.from_columns(user=[], query=[], time=[])
    with pytest.raises(MissingInput, match="no rows"):
        auditor.anonymize(empty, "frequency-threshold")
    with pytest.raises(AttributeError, match="nothing"):
        auditor.nothing  # noqa: B018


def test_that_a_release_is_its_data_and_its_changes_are_diagnostics() -> None:
    release = auditor.anonymize(LOG, "frequency-threshold", n=2)
    assert release.to_pandas()["query"].tolist() == ["x", "x"]
    assert release.to_arrow().num_rows == 2
    assert set(release.diagnostics["name"]) == set(release.changes)
    nothing = auditor.anonymize(LOG, "popularity-score", k=1_000).to_pandas()
    assert nothing["query"].str.len().sum() == 0, "columns of an empty table are of their types"


def test_that_released_tables_are_frames_by_name() -> None:
    users = [f"u{number}" for number in range(400)]
    log = QueryLog.from_columns(
        user=[*users, *users[:200]],
        query=["weather"] * 400 + ["news"] * 200,
        time=range(600),
        url=["http://w.example"] * 400 + [None] * 200,
    )
    tables = auditor.anonymize(log, "safelog", K=40)
    frame = tables.to_pandas()
    assert frame["query"].tolist() == ["weather", "news"]
    assert frame["count"].is_monotonic_decreasing
    assert list(tables.to_pandas("clicks").columns) == ["query", "url", "count"]
    with pytest.raises(MissingInput, match="queries, clicks, transitions"):
        tables.to_pandas("users")


def test_that_a_release_can_be_saved_and_signed_with_a_new_key(tmp_path: Path) -> None:
    log, key = synthesize_log(30, days=2, seed=1).log, tmp_path / "key.pem"
    release = auditor.anonymize(log, "frequency-threshold", n=2)
    folder = auditor.save(release, log, tmp_path / "release")
    assert auditor.verify(folder) == []
    again = auditor.load_release(folder)
    pd.testing.assert_frame_equal(again.to_pandas()[["query"]], release.to_pandas()[["query"]])
    with pytest.raises(auditor.MissingInput) as missing:
        auditor.approve(folder, reviewer="Ada", key=key)
    assert auditor.new_key(key).is_file()
    verdict = json.loads((folder / "manifest.json").read_text())["verdict"]
    assert verdict["state"] != "can-be-released"
    with pytest.raises(auditor.ExportRefused) as refused:
        auditor.approve(folder, reviewer="Ada", key=key)
    assert "--" not in f"{missing.value} {refused.value}"


def test_that_everything_to_choose_from_is_listed() -> None:
    methods, policies = auditor.list_methods(), auditor.list_policies()
    assert list(methods.index) == list(METHODS)
    defaults = methods["params"].to_dict()["safelog"]
    assert defaults["K"] == METHODS["safelog"].params.spec("K").default
    assert list(auditor.list_attacks().index) == list(ATTACKS)
    assert list(auditor.list_measures().index) == list(MEASURES)
    assert {"default", "public"} <= set(policies.index)
    assert len(auditor.load_sample()) > 1000
