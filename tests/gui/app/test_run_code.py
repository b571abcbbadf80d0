"""The run that is shown, as code on the clipboard and as a notebook."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

from PySide6.QtWidgets import QApplication

from auditor.gui.app.main_window import MainWindow
from auditor.release.policy.policy import bundled_text
from tests.gui import fakes


def test_that_the_code_of_the_configuration_is_put_on_the_clipboard(window: MainWindow) -> None:
    QApplication.clipboard().setText("before")
    window.menus.code.copy_code()
    assert QApplication.clipboard().text() == "before"
    assert "Open a log" in window.banner.text.text()
    fakes.open_log(window.controller)
    window.menus.code.copy_code()
    code = QApplication.clipboard().text()
    compile(code, "copied", "exec")
    intent = window.controller.intent
    assert repr(intent.method) in code
    assert all(f"{name}={value!r}" in code for name, value in intent.params.to_dict().items())
    assert "clipboard" in window.banner.text.text()
    window.menus.code.copy_plan()
    plan = tomllib.loads(QApplication.clipboard().text())
    assert plan["method"] == intent.method
    assert plan["params"] == intent.params.to_dict()
    assert "policy" not in plan
    for text, policy in ((bundled_text("public"), "public"), (bundled_text("public") + "#", None)):
        window.policy.text = text
        window.menus.code.copy_plan()
        assert tomllib.loads(QApplication.clipboard().text()).get("policy") == policy
    assert "--policy FILE" in window.banner.text.text()


def test_that_a_notebook_is_never_written_over_another(opened: MainWindow, tmp_path: Path) -> None:
    window, file = opened, tmp_path / "run.ipynb"
    window.menus.code.write_notebook(file)
    before = file.read_bytes()
    assert json.loads(before)["nbformat"] == 4
    assert "run.ipynb" in window.banner.text.text()
    window.menus.code.write_notebook(file)
    assert "stands there already" in window.banner.text.text()
    assert file.read_bytes() == before
    window.menus.code.write_notebook(tmp_path / "nowhere" / "run.ipynb")
    assert "can't be written" in window.banner.text.text()
