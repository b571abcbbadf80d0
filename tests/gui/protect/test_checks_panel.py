"""Attacks and measures in the window: chosen, tuned, told what attackers know, read in tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from auditor.attacks.adversaries import ADVERSARIES, find_adversary
from auditor.attacks.registry import ATTACKS
from auditor.gui.app.main_window import MainWindow
from auditor.gui.protect import checks_panel
from auditor.gui.protect.checks_panel import ChecksPanel
from auditor.gui.protect.params_panel import NumberRow
from auditor.gui.risk.panel import FlaggedPanel
from auditor.gui.state.controller import Controller
from auditor.gui.state.log_loading import Kind
from auditor.gui.widgets.fields import Disclosure
from tests.gui import needy
from tests.gui.conftest import wait_idle

OTHER = "user\tquery\ttime\na\trose\t2006-03-04 10:00:00\nb\ttulip\t2006-03-05 10:00:00\n"


@pytest.fixture
def window(opened_window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    monkeypatch.setitem(ATTACKS.modules, "needy", "tests.gui.needy")
    opened_window.tune_by_hand()
    opened_window.protect.tabs.setCurrentWidget(opened_window.protect.checks)
    return opened_window


@pytest.fixture
def other(tmp_path: Path) -> Path:
    path = tmp_path / "other.tsv"
    path.write_text(OTHER, encoding="utf-8")
    return path


def know(window: MainWindow, qtbot: QtBot, path: Path, kind: Kind = "reference") -> None:
    """Choose a file that attackers know, as the dialog gives it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checks_panel, "ask_for_files", lambda *args, **_how: args[2]([path]))
        window.protect.checks.known[kind].choose.click()
    assert kind in window.controller.known.now.reading
    qtbot.waitUntil(lambda: not window.controller.known.now.reading)


def finish(window: MainWindow, qtbot: QtBot) -> None:
    window.header.run.click()
    wait_idle(window, qtbot)


def test_that_an_attack_says_what_it_needs_and_runs_once_it_has_it(
    window: MainWindow, qtbot: QtBot, other: Path
) -> None:
    c, section = window.controller, window.protect.checks.sections["needy"]
    assert section.note.text() == "Needs “Another log”: choose above."
    finish(window, qtbot)
    know(window, qtbot, other)
    assert window.protect.checks.known["reference"].name.toolTip() == "other.tsv"
    assert section.note.isHidden()
    sizes: list[int] = []
    c.run_glimpse.connect(lambda event: sizes.append(len(event.figure.series[0].x)))
    finish(window, qtbot)
    attacks = [[attack.attack for attack in run.attacks] for run in c.runs]
    assert attacks == [["fake-attack"], ["fake-attack", "needy"]]
    assert [r.plan.knowledge for r in c.runs] == [(), tuple(sorted(c.known.now.digests.items()))]
    # A picture follows an attack at work, and gives way to its result.
    results = window.protect.plots.results
    assert sizes == [1, 2, 3]
    assert results.box.findText("Accuracy (Run B)") >= 0
    assert not results.has_group("so far")
    window.protect.checks.known["reference"].drop.click()
    assert section.note.text() == "Needs “Another log”: choose above."


def test_that_what_is_no_log_and_no_profiles_is_said_in_the_panel(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    empty = tmp_path / "empty.csv"
    empty.write_text("", encoding="utf-8")
    know(window, qtbot, empty)
    assert "empty" in window.protect.checks.wrong.text()
    know(window, qtbot, empty, "profiles")
    assert "'user' and 'name'" in window.protect.checks.wrong.text()
    assert window.controller.known.now.digests == {}


def test_that_attacks_are_switched_tuned_and_undone(
    window: MainWindow, qtbot: QtBot, other: Path
) -> None:
    know(window, qtbot, other)
    c, section = window.controller, window.protect.checks.sections["needy"]
    window.protect.checks.sections["fake-attack"].box.click()
    assert c.intent.attacks == ("needy",)
    section.unfold.click()
    row = section.rows["rounds"]
    assert isinstance(row, NumberRow)
    row.edit.setText("5")
    row.edit.editingFinished.emit()
    assert c.intent.find_check_params("needy") == needy.NeedyParams(rounds=5)
    assert not section.changed.isHidden()
    finish(window, qtbot)
    assert [attack.params for attack in c.runs.finished[0].attacks] == [{"rounds": 5}]
    c.intents.undo.undo()
    assert c.intent.find_check_params("needy") == needy.NeedyParams()
    assert section.changed.isHidden()
    c.intents.undo.undo()
    assert window.controller.intent.attacks is None
    assert window.protect.checks.sections["fake-attack"].box.isChecked()
    c.intents.tune_check("needy", "rounds", 99)
    assert "9" in row.wrong.text()
    assert c.intent.find_check_params("needy") == needy.NeedyParams()


def test_that_flagged_sessions_of_each_attack_can_be_chosen(qtbot: QtBot) -> None:
    panel, chosen = FlaggedPanel(Disclosure()), list[str]()
    qtbot.addWidget(panel)
    panel.attack_chosen.connect(chosen.append)
    panel.filters.offer_attacks({"a": "First", "b": "Second"}, "b")
    box = panel.filters.attack
    assert [box.itemText(i) for i in range(box.count())] == ["First", "Second"]
    assert box.currentData() == "b"
    box.setCurrentIndex(0)
    box.activated.emit(0)
    assert chosen == ["a"]
    panel.filters.offer_attacks({"a": "First"}, "a")
    assert box.isHidden()


def test_that_tables_sort_by_number_and_copy_without_formulas(
    window: MainWindow, qtbot: QtBot, other: Path, tmp_path: Path
) -> None:
    profiles = tmp_path / "people.csv"
    profiles.write_text("user,name\nuser 1,Jane Roe\n", encoding="utf-8")
    know(window, qtbot, other)
    know(window, qtbot, profiles, "profiles")
    panel = window.compare.tables
    assert panel.view.isHidden()
    assert "Run a method" in panel.empty.text()
    finish(window, qtbot)
    assert panel.box.currentText() == "Needy attack: Pairs"
    assert panel.note.text().startswith("1 tables of profiles. Follows table 1.")
    panel.view.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    assert [panel.sorter.index(row, 1).data() for row in range(3)] == ["10", "9", "2"]
    panel.view.sortByColumn(2, Qt.SortOrder.AscendingOrder)
    assert [panel.sorter.index(row, 2).data() for row in range(3)] == ["0.25", "0.5", "not known"]
    panel.copy.click()
    assert QGuiApplication.clipboard().text() == (
        "word,count,share\n,2,0.25\n'=cmd(),9,0.5\nb,10,nan\n"
    )


def test_that_somebody_is_chosen_to_attack_and_what_they_know_is_said(qtbot: QtBot) -> None:
    c = Controller("microaggregation")
    panel = ChecksPanel(c.intents, c.known)
    qtbot.addWidget(panel)
    c.refresh()
    panel.show()
    row = panel.adversary
    assert row.box.currentData() == "usual"
    assert [row.box.itemData(n) for n in range(row.box.count())] == [a.name for a in ADVERSARIES]
    row.box.setCurrentIndex(row.box.findData("family"))
    row.box.activated.emit(row.box.currentIndex())
    assert c.intent.adversary == "family"
    assert row.knows.text().startswith(find_adversary("family").knows)
    assert "profiles" in row.knows.text()
    assert not panel.sections["record-linkage"].changed.isHidden()
    c.intents.tune_check("record-linkage", "share", 0.9)
    assert row.box.currentIndex() == -1
    assert row.box.placeholderText() == "As set below"
    for _ in range(2):
        c.intents.undo.undo()
    assert (c.intent.adversary, row.box.currentData()) == ("usual", "usual")
    c.close()
