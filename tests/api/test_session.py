"""A session of Python from end to end: what the documentation shows, results, code, notebooks."""

import json
import re
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pandas as pd
import pytest

import auditor
from auditor.attacks.base import Evidence
from auditor.attacks.registry import ATTACKS
from auditor.engine.plan import Intent, resolve_intent
from auditor.engine.run import Run
from auditor.engine.runner import RunHandle, execute_plan
from auditor.errors import Cancelled, ParameterError
from auditor.log import gazetteers
from auditor.log.model import QueryLog
from auditor.measures.registry import MEASURES
from auditor.privacy.noise import SecureRandomness
from auditor.progress import Progress
from auditor.resource_files import resource_path
from tests.policies import policy_text

PAGE = Path(__file__).parents[2] / "resources" / "docs" / "python.md"


@pytest.fixture(scope="module")
def log() -> Any:
    return auditor.load_sample()


@pytest.fixture(scope="module")
def result(log: Any) -> Run:
    """A run with one measure and one attack on some of the users."""
    some = log.sample_users(300, 1)
    intent = Intent(
        method="frequency-threshold", attacks=("surviving-content",), measures=("volume",)
    ).set(n=3)
    plan, noise = resolve_intent(intent, some), SecureRandomness()
    return execute_plan(plan, Evidence(log=some), noise, RunHandle(0), lambda _event: None)


@pytest.fixture(autouse=True)
def _no_screen() -> None:
    mpl.use("agg")


def run_cells(cells: list[str]) -> dict[str, Any]:
    """The names that the cells of a page or a notebook leave."""
    names: dict[str, Any] = {}
    for cell in cells:
        exec(compile(cell, "cell", "exec"), names)
    return names


def code_of(notebook: Any) -> list[str]:
    return [cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "code"]


def test_that_the_sessions_of_the_documentation_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "searches.tsv.gz").write_bytes(gazetteers.sample_log().read_bytes())
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) >= 4
    names = run_cells(blocks)
    assert names["log"].digest == log.digest
    assert isinstance(names["grid"], pd.DataFrame)
    assert len(names["grid"]) == 2


def test_that_results_become_tables_cards_and_plots(result: Run) -> None:
    frame = result.to_pandas()
    assert list(frame.columns) == ["name", "label", "value", "unit", "low", "high", "better"]
    assert len(frame) == len(result.values) == result.to_arrow().num_rows
    card = result._repr_html_()
    assert "AnonID" in card
    assert result.release.statement.claim[:20] in card
    assert card.count("<img ") == 2
    for part in [*result.measures, *result.attacks]:
        assert "<table>" in part._repr_html_()
        assert len(part.to_pandas()) == len(part.card_values()) > 0
    for figure in result.figures:
        axes = result.plot(figure.name)
        assert axes.get_title() == figure.title
        axes.figure.clear()
    with pytest.raises(ParameterError, match="no such figure"):
        result.plot("nothing like it")


def test_that_a_run_becomes_a_notebook(
    log: Any, result: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("auditor.api.run.audit", lambda log, method, **params: result)
    plan, path = auditor.plan(log, "frequency-threshold", n=3), tmp_path / "run.ipynb"
    assert auditor.export_notebook(plan, path, [gazetteers.sample_log()]) == path
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    assert isinstance(run_cells(code_of(notebook))["result"], Run)
    with pytest.raises(FileExistsError):
        auditor.export_notebook(plan, path)


def test_that_the_notebook_that_comes_with_the_program_runs() -> None:
    cells = code_of(json.loads(resource_path("notebooks/first-steps.ipynb").read_text("utf-8")))
    assert len(cells) >= 8
    names = run_cells(cells)
    assert len(names["grid"]) == 3
    for card in (names["checked"], names["release"], names["volume"]):
        assert card._repr_html_().startswith("<div><h4>")
    assert names["release"]._repr_html_().count("<b>") == 1


def test_that_a_check_tells_of_sensitive_content_and_shows_no_query(log: Any) -> None:
    check = auditor.check(log)
    values = {metric.name: metric.value for metric in check.values}
    assert values["rows"] == len(log)
    assert check.content is not None
    assert any("phone number" in metric.label and metric.value > 0 for metric in check.values)
    card = check._repr_html_()
    assert "AnonID" in card
    some = [text for text in log.queries.list_strings(range(200)) if len(text) > 12]
    assert not any(text in card for text in some)
    assert auditor.check(log, content=False).content is None


def test_that_a_release_has_a_card_and_a_plot_and_a_preview_says_what_it_is(log: Any) -> None:
    release = auditor.anonymize(log, "frequency-threshold", n=5)
    card = release._repr_html_()
    assert "Release: frequency-threshold" in card
    assert isinstance(release.content, QueryLog)
    distinct = len(set(release.content.query.tolist()))
    assert f"<b>{distinct:,} distinct queries are released" in card
    assert "<summary>Assumptions (" in card
    assert card.count("<img ") == 1
    assert "AnonID" in card
    assert release.plot().get_title() == "Released queries by count"
    preview = auditor.preview(log, "frequency-threshold", seed=1, n=5)
    assert "PREVIEW" in preview._repr_html_()


def test_that_progress_is_drawn_stage_by_stage_and_can_be_cancelled(
    log: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    progress = auditor.show_progress(mininterval=0)
    auditor.anonymize(log, "frequency-threshold", progress=progress)
    assert "it/s" in capsys.readouterr().err
    progress.cancel()
    with pytest.raises(Cancelled):
        auditor.anonymize(log, "frequency-threshold", progress=progress)


def test_that_an_audit_reports_to_its_progress(log: Any) -> None:
    stages: set[str] = set()
    progress = Progress(lambda stage, _done, _total: stages.add(stage))
    checks: dict[str, Any] = {"attacks": ["surviving-content"], "measures": ["volume"]}
    auditor.audit(log.sample_users(100, 1), "frequency-threshold", progress=progress, **checks)
    assert len(stages) > 5


def test_that_code_names_the_columns_that_somebody_chose(log: Any) -> None:
    code = auditor.plan(log, "safelog").as_python(["a.csv"], {"user": "client", "query": 2})
    assert "auditor.read_log('a.csv', user='client', query=2)" in code


def test_that_an_audit_answers_by_the_policy_that_was_asked_for(log: Any, tmp_path: Path) -> None:
    skip = [name for name in (*ATTACKS, *MEASURES) if name != "frequencies"]
    empty = auditor.audit(log, "frequency-threshold", n=10**6, skip=skip)
    assert empty.verdict.title == "Nothing worth releasing is left"
    assert not empty.verdict.releasable
    card = empty._repr_html_()
    assert card.index(empty.verdict.title) < card.index("<table>") < card.index("<details>")
    lenient = tmp_path / "lenient.toml"
    lenient.write_text(policy_text("left release.queries least=1", name="lenient"), "utf-8")
    result = auditor.audit(log, "frequency-threshold", n=2, policy=lenient, skip=skip)
    assert result.verdict.releasable
    folder = auditor.save(result, log, tmp_path / "release")
    evidence = (folder.parent / "release.internal" / "evidence.json").read_text("utf-8")
    assert json.loads(evidence)["gates"]["policy"] == "lenient"
    with pytest.raises(ParameterError, match="both named and left out"):
        auditor.audit(log, "frequency-threshold", attacks=["dp-audit"], skip=["dp-audit"])
