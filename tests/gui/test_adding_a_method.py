"""The developer guide does what it says: its file and its line make a method that is everywhere."""

import ast
import importlib
import inspect
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import auditor.methods
from auditor.__main__ import main
from auditor.engine.plan import Intent
from auditor.gui.help import view
from auditor.gui.protect.params_panel import NumberRow
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS
from auditor.resource_files import resource_path
from tests import test_architecture, test_conformance
from tests.gui import fakes
from tests.gui.conftest import WindowMaker
from tests.gui.driving import wait_until
from tests.narrowing import present

GUIDE = resource_path("docs") / "adding-a-method.md"
BLOCKS = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
FILE, LINE, _ = BLOCKS
(ENTRY,) = ast.literal_eval(f"{{{LINE}}}").items()
NAME, MODULE = ENTRY


@pytest.fixture(autouse=True)
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The guide's file among the methods, and its line in the registry."""
    folder = tmp_path / "methods"
    folder.mkdir()
    place = folder / (MODULE.rpartition(".")[2] + ".py")
    place.write_text(FILE, encoding="utf-8")
    monkeypatch.setattr(auditor.methods, "__path__", [*auditor.methods.__path__, str(folder)])
    monkeypatch.setitem(METHODS.modules, NAME, MODULE)
    importlib.invalidate_caches()
    yield place
    sys.modules.pop(MODULE, None)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.tsv"
    row = "{user}\tgarden chairs {n}\t2006-03-0{day} 10:{user:02d}:00\t\t\n"
    rows = [row.format(user=user, n=n, day=n + 1) for user in range(40) for n in range(3)]
    path.write_text("AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n" + "".join(rows))
    return path


def test_that_the_guide_names_the_file_that_its_line_registers_and_the_help_describes_it() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    assert f"`{MODULE.replace('.', '/')}.py`" in text
    assert "`auditor/methods/registry.py`" in text
    method = METHODS[NAME]
    body = view._describe_entry(f"methods/{NAME}", "Methods", method).body
    assert method.summary in body
    assert '<a name="share">' in body


def test_that_the_file_keeps_to_the_rules_of_the_house(added: Path) -> None:
    command = [sys.executable, "-m", "ruff", "check", "--config", "pyproject.toml", str(added)]
    root = Path(test_architecture.ROOT)
    checked = subprocess.run(command, capture_output=True, text=True, cwd=root, check=False)
    assert checked.returncode == 0, checked.stdout
    formatted = [*command[:3], "format", "--check", *command[4:]]
    assert subprocess.run(formatted, capture_output=True, cwd=root, check=False).returncode == 0
    for module in test_architecture.imports(added):
        if module.startswith("auditor.") and not module.startswith("auditor.methods"):
            assert test_architecture.layer(module) > test_architecture.layer(MODULE), module


def test_that_it_conforms_as_every_method_does() -> None:
    """Each check of every method, found by what it is asked for, so that none is left out."""
    done = 0
    for check_name, check in vars(test_conformance).items():
        if not check_name.startswith("test_"):
            continue
        marks = {mark.args[0]: mark.args[1] for mark in check.pytestmark}
        parameters = inspect.signature(check).parameters.keys()
        if marks.get("name") is METHODS and "measure" in parameters:
            calls: list[dict[str, Any]] = [{"name": NAME, "measure": m} for m in MEASURES]
        elif marks.get("name") is METHODS:
            calls = [{"name": NAME}]
        elif parameters == {"name", "parameter", "value"}:
            specs = METHODS[NAME].params.specs()
            calls = [
                {"name": NAME, "parameter": spec.name, "value": value}
                for spec in specs
                for value in test_conformance.extremes(spec)
            ]
        elif parameters == {"registry", "name"}:
            calls = [{"registry": METHODS, "name": NAME}]
        else:
            continue
        for call in calls:
            check(**call)
            done += 1
    assert done >= 5 + len(MEASURES)


def test_that_the_command_line_lists_runs_and_verifies_it(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def call(*arguments: object) -> Any:
        code = main([*map(str, arguments), "--json"])
        assert code == 0, capsys.readouterr().err
        return json.loads(capsys.readouterr().out)

    assert "share" in json.dumps(call("methods", NAME))
    out = tmp_path / "release"
    report = call("anonymize", log, "--method", NAME, "-p", "share=0.25", "--out", out)
    assert report["statement"]["model"] == "none"
    assert call("verify", out)["ok"] is True
    facts = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    assert facts["params"] == {"share": 0.25}
    assert report["changes"]["users_dropped"] == 30
    released = (out / "log.tsv").read_text(encoding="utf-8").splitlines()[1:]
    assert len({line.split("\t")[0] for line in released}) == 10
    assert METHODS[NAME].title in (out / "report.html").read_text(encoding="utf-8")
    assert call("attack", "record-linkage", log, out)["attack"] == "record-linkage"
    bad = main(["anonymize", str(log), "--method", NAME, "-p", "share=2", "--out", str(tmp_path)])
    assert bad == 2
    assert "a number in (0, 1]" in capsys.readouterr().err


def test_that_the_window_has_a_slider_a_plot_and_runs_of_it(make_window: WindowMaker) -> None:
    window = make_window()
    c = window.controller
    fakes.open_log(c)
    c.intents.intent = Intent(method="safelog", attacks=(), measures=("volume",))
    window.tune_by_hand()
    window.protect.show_methods()
    window.protect.gallery.cards[NAME].use.click()
    assert window.protect.currentIndex() == 0
    row = window.protect.params.rows["share"]
    assert isinstance(row, NumberRow)
    c.intents.set("share", 0.5)
    wait_until(lambda: "probability of 0.5." in window.protect.statement.claim.text())
    assert window.protect.plots.curves.box.currentText() == "Released users"
    c.run()
    wait_until(lambda: c.running is None)
    run = present(c.current)
    assert run.state == "finished", run.message
    assert "volume.rows" in [value.name for value in run.values]
