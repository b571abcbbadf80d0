"""The menus: the command palette, and the run that is shown as code and as a notebook."""

import json
import tomllib
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTreeWidgetItem

from auditor.gui.app.main_window import MainWindow
from auditor.gui.app.menus import CommandPalette, PaletteEntry
from auditor.gui.help.view import HelpView
from auditor.release.policy.policy import bundled_text
from tests.gui import fakes
from tests.gui.driving import show, wait_until
from tests.narrowing import present


def list_items(palette: CommandPalette) -> list[QTreeWidgetItem]:
    """The entries that are listed, the best first."""
    count = palette.list.topLevelItemCount()
    return [present(palette.list.topLevelItem(row)) for row in range(count)]


def titles(palette: CommandPalette) -> list[str]:
    return [item.text(0) for item in list_items(palette)]


def test_that_typing_finds_in_spite_of_errors_and_arrows_move_the_mark() -> None:
    done: list[str] = []
    names = ("Review & export", "Open the sample log", "Rejected rows", "Ledger of releases")
    entries = [PaletteEntry(name, "File", partial(done.append, name)) for name in names]
    key = Qt.Key
    for typed, keys, chosen in (
        ("smaple", [key.Key_Return], names[1]),
        ("", [key.Key_Down, key.Key_Down, key.Key_Up, key.Key_Return], names[1]),
    ):
        palette = show(CommandPalette(entries))
        assert titles(palette) == list(names)
        QTest.keyClicks(palette.field, typed)
        assert titles(palette)[0] == (chosen if typed else names[0])
        for pressed in keys:
            QTest.keyClick(palette.field, pressed)
        wait_until(lambda: bool(done))
        assert done.pop() == chosen
        assert not palette.isVisible()


def test_that_the_palette_finds_and_does_commands_methods_parameters_help(real: MainWindow) -> None:
    fakes.open_log(real.controller)
    wait_until(lambda: not real.controller.looking)
    real.menus.cancel.setEnabled(False)
    palette = real.menus.find_command()
    entries = {(item.text(0), item.text(1)) for item in list_items(palette)}
    assert ("Open", "File") in entries
    assert ("Light", "View ▸ Theme") in entries
    assert ("SafeLog", "Method") in entries
    assert {place for _, place in entries} >= {"Help", "Method", "Parameter"}
    assert ("Cancel", "Run") not in entries, "what is greyed out can't be done now"
    row = list(real.protect.params.rows.values())[-1]
    assert (row.spec.label, "Parameter") in entries
    palette.field.setText(row.spec.label)
    assert titles(palette)[0] == row.spec.label
    palette.do_current()
    wait_until(lambda: real.workspace == "protect")
    assert real.protect.tabs.currentWidget() is real.protect.params
    wait_until(row.isVisible)
    palette = real.menus.find_command()
    palette.field.setText("korolova")
    assert list_items(palette)[0].text(1) == "Method"
    palette.do_current()
    wait_until(lambda: real.controller.intents.intent.method == "korolova")
    palette = real.menus.find_command()
    palette.field.setText("unbundling")
    page = next(item for item in list_items(palette) if item.text(1) == "Help")
    palette.list.setCurrentItem(page)
    palette.do_current()
    wait_until(lambda: bool(real.findChildren(HelpView)))
    (view,) = real.findChildren(HelpView)
    view.window().close()
    wait_until(lambda: not real.controller.looking)


# --- the run as code ------------------------------------------------------------------------------


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
