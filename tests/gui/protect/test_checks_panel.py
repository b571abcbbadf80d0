"""Attacks and measures in the window: chosen, tuned, told what attackers know, read in tables."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

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
from tests.gui.driving import column_cells, enter, keep, offered, pick, press_run, wait_until

OTHER = "user\tquery\ttime\na\trose\t2006-03-04 10:00:00\nb\ttulip\t2006-03-05 10:00:00\n"


@pytest.fixture
def window(opened: MainWindow, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    monkeypatch.setitem(ATTACKS.modules, "needy", "tests.gui.needy")
    opened.tune_by_hand()
    opened.protect.tabs.setCurrentWidget(opened.protect.checks)
    return opened


@pytest.fixture
def other(tmp_path: Path) -> Path:
    path = tmp_path / "other.tsv"
    path.write_text(OTHER, encoding="utf-8")
    return path


def know(window: MainWindow, path: Path, kind: Kind = "reference") -> None:
    """Choose a file that attackers know, as the dialog gives it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checks_panel, "ask_for_files", lambda *args, **_how: args[2]([path]))
        window.protect.checks.known[kind].choose.click()
    assert kind in window.controller.known.now.reading
    wait_until(lambda: not window.controller.known.now.reading)


def test_that_an_attack_runs_once_it_has_what_it_needs(window: MainWindow, other: Path) -> None:
    c, section = window.controller, window.protect.checks.sections["needy"]
    assert section.note.text() == "Needs “Another log”: choose above."
    press_run(window)
    know(window, other)
    assert window.protect.checks.known["reference"].name.toolTip() == "other.tsv"
    assert section.note.isHidden()
    sizes: list[int] = []
    c.run_glimpse.connect(lambda event: sizes.append(len(event.figure.series[0].x)))
    press_run(window)
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


def test_that_what_is_no_log_or_no_profiles_is_said(window: MainWindow, tmp_path: Path) -> None:
    empty = tmp_path / "empty.csv"
    empty.write_text("", encoding="utf-8")
    know(window, empty)
    assert "empty" in window.protect.checks.wrong.text()
    know(window, empty, "profiles")
    assert "'user' and 'name'" in window.protect.checks.wrong.text()
    assert window.controller.known.now.digests == {}


def test_that_attacks_are_switched_tuned_and_undone(window: MainWindow, other: Path) -> None:
    know(window, other)
    c, section = window.controller, window.protect.checks.sections["needy"]
    window.protect.checks.sections["fake-attack"].box.click()
    assert c.intent.attacks == ("needy",)
    section.unfold.click()
    row = section.rows["rounds"]
    assert isinstance(row, NumberRow)
    enter(row.edit, "5")
    assert c.intent.find_check_params("needy") == needy.NeedyParams(rounds=5)
    assert not section.changed.isHidden()
    press_run(window)
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


def test_that_flagged_sessions_of_each_attack_can_be_chosen() -> None:
    panel, chosen = keep(FlaggedPanel(Disclosure())), list[str]()
    panel.attack_chosen.connect(chosen.append)
    panel.filters.offer_attacks({"a": "First", "b": "Second"}, "b")
    box = panel.filters.attack
    assert [box.itemText(i) for i in range(box.count())] == ["First", "Second"]
    assert box.currentData() == "b"
    pick(box, "a")
    assert chosen == ["a"]
    panel.filters.offer_attacks({"a": "First"}, "a")
    assert box.isHidden()


def test_that_tables_sort_numbers_and_copy_no_formulas(
    window: MainWindow, other: Path, tmp_path: Path
) -> None:
    profiles = tmp_path / "people.csv"
    profiles.write_text("user,name\nuser 1,Jane Roe\n", encoding="utf-8")
    know(window, other)
    know(window, profiles, "profiles")
    panel = window.compare.tables
    assert panel.view.isHidden()
    assert "Run a method" in panel.empty.text()
    press_run(window)
    assert panel.box.currentText() == "Needy attack: Pairs"
    assert panel.note.text().startswith("1 tables of profiles. Follows table 1.")
    panel.view.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    assert column_cells(panel.sorter, 1) == ["10", "9", "2"]
    panel.view.sortByColumn(2, Qt.SortOrder.AscendingOrder)
    assert column_cells(panel.sorter, 2) == ["0.25", "0.5", "not known"]
    panel.copy.click()
    text = QGuiApplication.clipboard().text()
    assert text == "word,count,share\n,2,0.25\n'=cmd(),9,0.5\nb,10,nan\n"


def test_that_somebody_is_chosen_to_attack_and_what_they_know_is_said() -> None:
    c = Controller("microaggregation")
    panel = keep(ChecksPanel(c.intents, c.known))
    c.refresh()
    panel.show()
    row = panel.adversary
    assert row.box.currentData() == "usual"
    assert offered(row.box) == [a.name for a in ADVERSARIES]
    pick(row.box, "family")
    assert c.intent.adversary == "family"
    assert row.knows.text().startswith(find_adversary("family").knows)
    assert "profiles" in row.knows.text()
    assert not panel.sections["record-linkage"].changed.isHidden()
    c.intents.tune_check("record-linkage", "share", 0.9)
    assert row.box.currentIndex() == -1
    assert row.box.placeholderText() == "As set below"
    c.intents.undo.setIndex(0)
    assert (c.intent.adversary, row.box.currentData()) == ("usual", "usual")
    c.close()
