"""A session of Python from end to end: what the documentation shows, results, code, notebooks."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pandas as pd
import pytest

import auditor
from auditor.engine.events import RunResult
from auditor.engine.plan import Intent, resolve
from auditor.errors import ParameterError
from auditor.log import gazetteers

PAGE = Path(__file__).parents[2] / "resources" / "docs" / "python.md"


@pytest.fixture
def log() -> Any:
    return auditor.read_log(gazetteers.sample_log())


def audited(log: Any, **params: Any) -> RunResult:
    """A run with one measure and one attack: quick enough for a test."""
    from auditor.attacks.base import Evidence
    from auditor.engine.runner import RunHandle, execute_plan
    from auditor.privacy.noise import SecureRandomness

    intent = Intent(
        method="frequency-threshold", attacks=("surviving-content",), measures=("volume",)
    ).set(**params)
    evidence = Evidence(log=log)
    return execute_plan(
        resolve(intent, log), evidence, SecureRandomness(), RunHandle(0), lambda _event: None
    )


def test_that_the_sessions_of_the_documentation_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    mpl.use("agg")
    (tmp_path / "searches.tsv.gz").write_bytes(gazetteers.sample_log().read_bytes())
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) >= 4
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, "python.md", "exec"), names)
    assert names["log"].digest == log.digest
    assert isinstance(names["grid"], pd.DataFrame)
    assert len(names["grid"]) == 2


def test_that_results_become_tables_cards_and_plots(log: Any) -> None:
    mpl.use("agg")
    result = audited(log, n=3)
    frame = result.to_pandas()
    assert list(frame.columns) == ["name", "label", "value", "unit", "low", "high", "better"]
    assert len(frame) == len(result.values)
    assert result.to_arrow().num_rows == len(frame)
    card = result._repr_html_()
    assert "AnonID" in card
    assert result.release.statement.claim[:20] in card
    for part in [*result.measures, *result.attacks]:
        assert "<table>" in part._repr_html_()
        assert len(part.to_pandas()) == len(part.card_values()) > 0
    for figure in result.figures:
        axes = result.plot(figure.name)
        assert axes.get_title() == figure.title
        axes.figure.clear()
    with pytest.raises(ParameterError, match="no such figure"):
        result.plot("nothing like it")


def test_that_a_plan_prints_as_code_that_makes_the_same_plan(
    log: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = auditor.plan(log, "safelog", K=30)
    code = plan.as_python([str(gazetteers.sample_log())])
    asked: list[Any] = []
    monkeypatch.setattr(
        "auditor.api.run.audit",
        lambda log, method, **params: asked.append(auditor.plan(log, method, **params)),
    )
    exec(compile(code, "copied", "exec"), {})
    assert [one.digest for one in asked] == [plan.digest]


def test_that_a_run_becomes_a_notebook(
    log: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mpl.use("agg")
    monkeypatch.setattr("auditor.api.run.audit", lambda log, method, **params: audited(log, n=3))
    path = auditor.export_notebook(
        auditor.plan(log, "frequency-threshold", n=3),
        tmp_path / "run.ipynb",
        [gazetteers.sample_log()],
    )
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    names: dict[str, Any] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec(compile(cell["source"], "cell", "exec"), names)
    assert isinstance(names["result"], RunResult)
    with pytest.raises(FileExistsError):
        auditor.export_notebook(auditor.plan(log, "safelog"), path)


def test_that_wrong_names_are_answered_with_suggestions(log: Any) -> None:
    with pytest.raises(auditor.AuditorError, match="Did you mean 'volume'"):
        auditor.measure("volum", log, auditor.anonymize(log, "frequency-threshold"))
    with pytest.raises(auditor.AuditorError, match="Did you mean 'structural'"):
        auditor.attack("structurl", log)


def test_that_importing_the_package_imports_nothing_heavy() -> None:
    code = (
        "import sys, auditor; dir(auditor); "
        "print([m for m in ('numpy', 'pandas', 'pyarrow', 'PySide6', 'numba') if m in sys.modules])"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert made.stdout.strip() == "[]"
    assert all(getattr(auditor, name) is not None for name in auditor.__all__)
