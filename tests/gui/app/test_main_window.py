"""The whole window, driven as a person drives it."""

import dataclasses
import re
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QAction, QColor, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import auditor
from auditor.gui.app.main_window import MainWindow
from auditor.gui.app.navigation import NAMES
from auditor.gui.protect.params_panel import NumberRow
from auditor.gui.state import log_loading
from auditor.gui.state.controller import Controller
from auditor.gui.widgets import style
from auditor.log.model import LogOrigin, QueryLog
from auditor.progress import Progress
from tests.gui import fakes
from tests.gui.app.test_verdict_strip import POLICY
from tests.gui.driving import keep, press_run, row_cells, wait_idle, wait_until
from tests.narrowing import present


def number(window: MainWindow, name: str) -> NumberRow:
    row = window.protect.params.rows[name]
    assert isinstance(row, NumberRow)
    return row


def test_that_only_an_open_log_can_be_run_and_its_facts_are_shown(window: MainWindow) -> None:
    assert window.welcome.isVisible()
    assert not window.header.run.isEnabled()
    assert window.workspace == ""
    assert not any(button.isEnabled() for button in window.rail.buttons.values())
    fakes.open_log(window.controller)
    assert window.header.title.toolTip() == "small.tsv"
    facts = window.header.facts.toolTip()
    assert facts.startswith("40 users · 240 rows · 123 queries · 2006-03-01")
    assert window.workspace == "log"
    assert window.log.isVisible()
    assert window.rail.buttons["log"].isChecked()
    assert window.header.run.isEnabled()


def test_that_a_blank_query_is_counted_nowhere(window: MainWindow) -> None:
    log = QueryLog.from_columns(
        user=["ann", "bob", "cem", "ann"],
        query=["", "", " ", "tulips"],
        time=[1_141_171_200 + 60 * row for row in range(4)],
    )
    fakes.open_log(window.controller, log, "blank.tsv")
    assert " · 1 query · " in window.header.facts.toolTip()
    wait_until(lambda: window.log.summary is not None)
    summary = present(window.log.summary)
    assert [users for _, users in summary.head] == [1]
    assert (summary.most, summary.once) == (1, 1)
    (column,) = (column for column in summary.columns if column.name == "query")
    assert (column.distinct, column.missing, column.examples) == (1, 0.75, ("tulips",))
    assert list(summary.by_rank) == [1]


def test_that_a_slider_changes_epsilon_and_what_it_rests_on(opened: MainWindow) -> None:
    slider = number(opened, "q_f").slider
    slider.setValue(number(opened, "q_f").scale.convert_to_position(5))
    wait_until(lambda: "ε 0.5" in opened.protect.statement.headline.text())
    wait_idle(opened)
    assert opened.protect.plots.curves.box.currentText() == "ε over b"
    assert opened.protect.plots.results.box.currentText() == "Top queries (expected)"
    statement = opened.protect.statement
    wait_until(lambda: not statement.more.isHidden())
    assert "✗ fails" not in statement.list_texts()  # what it rests on is one click away
    assert "✗" in statement.more.button.text()
    statement.more.unfold()
    wait_until(lambda: "✗ fails" in statement.list_texts())
    texts = statement.list_texts()
    assert any("Protects: one user's whole history." in text for text in texts)
    assert {"✗ fails", "? not known", "✓ holds"} <= set(texts)
    assert texts.index("✗ fails") < texts.index("✓ holds")


def test_that_undo_and_redo_work_from_the_keyboard(opened: MainWindow) -> None:
    opened.activateWindow()
    slider = number(opened, "b").slider
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_PageUp)
    changed = opened.controller.intent.params
    assert changed != fakes.FakeParams()
    QTest.keyClick(slider, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert opened.controller.intent.params == fakes.FakeParams()
    assert number(opened, "b").edit.text() == "10"
    opened.controller.intents.undo.redo()
    assert opened.controller.intent.params == changed


def test_that_runs_fill_every_page_and_the_settings_file_keeps_none(opened: MainWindow) -> None:
    c, runs, compare = opened.controller, opened.compare.runs, opened.compare.compare
    press_run(opened)
    assert opened.protect.statement.whose.text() == "Of run A"
    assert "run A" in opened.protect.values.whose.text()
    assert not opened.compare.pareto.plot.isHidden()
    assert opened.strip.review.isEnabled()
    assert opened.risk.findings is c.runs.finished[0].findings["fake-attack"]
    opened.show_workspace("compare")
    wait_until(lambda: compare.table.columnCount() == 2)  # one run has its lines, too
    assert not compare.only.isVisible()
    c.intents.set("K", 10.0)
    press_run(opened)
    numbers = [record.number for record in c.runs]
    c.edit_run(numbers[-1], name="the last")  # the list is filled anew, and the choice stands
    runs.table.selectAll()
    runs.both.click()
    wait_idle(opened)
    assert compare.isVisible()
    assert (compare.numbers, compare.table.columnCount()) == (numbers, 3)
    runs.drop.click()
    assert compare.numbers == []
    opened.close()
    assert set(QSettings().allKeys()) <= {"geometry", "theme"}
    assert b"small.tsv" not in bytes(QSettings().value("geometry").data())


def test_that_escape_cancels_no_run(opened: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not opened.header.run.isVisible(), "nobody has chosen a method"
    opened.controller.intents.set("mode", "slow")
    QApplication.processEvents()
    place = opened.header.run.geometry()
    opened.header.run.click()
    wait_until(lambda: "counting" in opened.status.stage.toolTip())
    assert opened.header.cancel.isVisible()
    assert opened.header.run.geometry() == place, "a second click there would cancel"
    assert opened.status.bar.isVisible()
    cancelled: list[int] = []
    with monkeypatch.context() as patch:
        patch.setattr(opened.controller.queue, "cancel", cancelled.append)
        for part in (opened, opened.header.run, opened.protect.params):
            QTest.keyClick(part, Qt.Key.Key_Escape)
    assert cancelled == []
    opened.menus.cancel.trigger()
    wait_until(lambda: opened.banner.isVisible())
    wait_idle(opened)
    assert "cancelled" in opened.banner.text.text()
    assert not opened.header.cancel.isVisible()
    assert not opened.status.bar.isVisible()
    assert "cancelled" in " ".join(row_cells(opened.compare.runs.model, 0))
    whose = opened.protect.statement.whose
    wait_until(lambda: whose.text() == "Of this configuration, before a run")
    record = present(opened.controller.runs.get(1))
    assert record.anonymized is None
    assert record.statement is None
    assert "Run A" not in opened.protect.values.whose.text()
    assert not opened.protect.plots.results.has_group("Run A")
    opened.show_workspace("compare")
    wait_idle(opened)
    assert opened.compare.tables.model.rowCount() == 0
    assert not opened.compare.pareto.empty.isHidden()


def test_that_parameters_of_the_log_before_are_said_and_reset_at_once(opened: MainWindow) -> None:
    opened.controller.intents.set("K", 33)
    fakes.open_log(opened.controller, fakes.small_log(10), "other.tsv")
    wait_idle(opened)
    assert opened.banner.isVisible()
    assert "log before" in opened.banner.text.text()
    opened.banner.action.click()
    assert opened.controller.intent.params == opened.controller.method.params()


def test_that_a_failure_is_a_banner_with_a_way_on_and_no_box(opened: MainWindow) -> None:
    opened.controller.intents.set("mode", "crash")
    press_run(opened)
    assert opened.banner.isVisible()
    assert "The pool is empty. Choose another file." in opened.banner.text.text()
    assert QApplication.activeModalWidget() is None
    opened.banner.action.click()
    wait_until(lambda: len(opened.controller.runs) == 2)
    wait_idle(opened)


def test_that_what_cannot_be_read_is_offered_to_the_wizard_and_reading_can_be_cancelled(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def forever(_paths: object, _options: object, progress: Progress) -> log_loading.OpenedLog:
        progress.stage("parsing", 6_000_000_000)
        while True:
            progress.advance(3_000)

    with monkeypatch.context() as patch:
        patch.setattr(log_loading, "read_files", forever)
        window.open([Path("huge.tsv")])
    wait_until(lambda: window.welcome.stage.text() == "parsing")
    window.welcome.cancel.click()
    wait_until(lambda: window.welcome.open.isVisible())
    assert "cancelled" in window.status.stage.toolTip()
    path = tmp_path / "odd.tsv"
    path.write_text("red\tgreen\nblue\tgrey\n" * 20, encoding="utf-8")
    window.open([path])
    wait_until(lambda: window.banner.isVisible())
    assert window.banner.action.text() == "Set the columns…"


def test_that_rejected_rows_and_assumptions_are_announced(window: MainWindow) -> None:
    log = fakes.small_log()
    origin = LogOrigin(rejected={"bad time": 1234}, assumptions=("The first line is a header.",))
    window.commands.paths = [Path("small.tsv")]
    fakes.open_log(window.controller, dataclasses.replace(log, origin=origin), "small.tsv")
    assert "1,234 rows rejected" in window.header.facts.toolTip()
    assert window.log.rejected.text() == "1,234 rejected rows…"
    assert "The first line is a header." in window.log.guessed.text()
    assert window.log.confirm.isVisible()
    window.log.confirm.click()
    assert not window.log.confirm.isVisible()


def test_that_the_keyboard_reaches_all_workspaces(opened: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitActive(opened):
        opened.activateWindow()
    for number, name in enumerate(NAMES, start=1):
        QTest.keyClick(opened, Qt.Key(Qt.Key.Key_0 + number), Qt.KeyboardModifier.ControlModifier)
        assert opened.workspace == name
        assert opened.workspaces[name].isVisible()
        assert opened.strip.isVisible()
        assert opened.rail.buttons[name].isChecked()
    opened.show_suggestions()
    assert opened.rail.buttons["protect"].isChecked()
    press_run(opened)
    opened.tune_by_hand()
    next_part = next(a for a in opened.findChildren(QAction) if a.shortcut().toString() == "F6")
    reached = set()
    parts = {
        "header": opened.header,
        "strip": opened.strip,
        "rail": opened.rail,
        "parameters": opened.protect.tabs,
        "plots": opened.protect.plots,
        "figures": opened.protect.values,
    }
    for _ in range(12):
        next_part.trigger()
        focus = opened.focusWidget()
        reached |= {name for name, part in parts.items() if focus and part.isAncestorOf(focus)}
    assert reached == set(parts)


def test_that_the_window_fits_a_small_screen_with_a_title_bar() -> None:
    window = keep(MainWindow(Controller()))
    room = window.screen().availableSize()
    assert window.height() < room.height()
    assert window.width() <= room.width()
    assert window.minimumSizeHint().width() <= 1366
    assert window.minimumSizeHint().height() <= 768 - 40
    window.controller.close()


@pytest.mark.parametrize("theme", [style.LIGHT, style.DARK])
def test_that_text_stands_out_from_what_is_behind_it(theme: style.WindowTheme) -> None:
    page = theme.window, theme.surface
    banners = theme.banner_info, theme.banner_good, theme.banner_bad, theme.banner_warn
    fronts = theme.text, theme.muted, theme.good, theme.bad, theme.warn
    pairs = [
        *((front, behind, 4.5) for front in fronts for behind in (*page, *banners)),
        *((theme.text, behind, 7.0) for behind in (*page, *banners)),
        *((theme.outline, behind, 3.0) for behind in page),
        *((theme.accent, behind, 4.5) for behind in page),
    ]
    palette, role, group = style.theme_palette(theme), QPalette.ColorRole, QPalette.ColorGroup
    for state, least in ((group.Active, 4.5), (group.Disabled, 3.0)):
        for front, behind in (
            (role.WindowText, role.Window),
            (role.Text, role.Base),
            (role.Text, role.AlternateBase),
            (role.ButtonText, role.Button),
            (role.ToolTipText, role.ToolTipBase),
            (role.HighlightedText, role.Highlight),
        ):
            text, under = (palette.color(state, part).name() for part in (front, behind))
            pairs.append((text, under, least))
    for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", style.style_sheet(theme)):
        colours = dict(re.findall(r"(?<![-\w])(background|color): (#\w{6})", body))
        if len(colours) == 2:
            limit = 3.0 if "disabled" in selector else 4.5
            pairs.append((colours["color"], colours["background"], limit))
    for text, under, least in pairs:
        assert contrast(text, under) >= least, (text, under)


def contrast(colour: str, other: str) -> float:
    """The ratio of relative luminances that accessibility guidelines ask for."""

    def luminance(name: str) -> float:
        parts = QColor(name).getRgbF()[:3]  # type: ignore[index]
        linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return float(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])

    high, low = sorted((luminance(colour), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_that_statuses_are_told_by_more_than_colour() -> None:
    for signs in (style.ASSUMPTION_SIGNS, style.RUN_SIGNS):
        assert len({sign.icon for sign in signs.values()}) == len(signs)
        assert len({sign.word for sign in signs.values()}) == len(signs)


def test_that_the_theme_changes_all_that_is_painted(opened: MainWindow, qapp: QApplication) -> None:
    before, sheet = qapp.palette(), qapp.styleSheet()
    try:
        style.apply_theme(qapp, style.DARK)
        qapp.processEvents()
        assert style.theme_of(opened) is style.DARK
        plot = opened.protect.plots.curves.view.plot
        assert plot.theme is style.DARK
        assert plot.backgroundBrush().color().name() == style.DARK.surface
    finally:
        qapp.setPalette(before)
        qapp.setStyleSheet(sheet)


def test_that_no_method_stands_under_the_promise_of_another(real: MainWindow) -> None:
    window, c = real, real.controller
    fakes.open_log(c)
    claim, cause = window.protect.statement.claim, window.protect.advice.cause
    heard: list[object] = []
    c.expected.connect(heard.append)
    wait_until(lambda: "factor" in claim.text())
    wait_until(lambda: bool(cause.text()))
    c.expected.emit(heard[-1])  # what it says waits for its turn
    window.protect.gallery.chosen.emit("frequency-threshold")
    assert claim.text() == "Computing what this configuration promises…"
    wait_until(lambda: not c.turns.busy)
    assert cause.isHidden(), "what SafeLog loses is nothing of this method's"
    wait_until(lambda: "at least 10 users" in claim.text())


def test_that_a_release_is_verified_from_the_menu(window: MainWindow, tmp_path: Path) -> None:
    log = fakes.small_log()
    release = auditor.anonymize(log, "fake")
    policy = tmp_path / "policy.toml"
    policy.write_text(POLICY, encoding="utf-8")
    folder = auditor.save(release, log, tmp_path / "release", policy=policy)
    answers = []
    for _ in range(2):
        window.banner.hide()
        window.commands.verify(folder)
        wait_until(window.banner.isVisible)
        answers.append(window.banner.text.text())
        (folder / "log.tsv").write_text("changed\n", encoding="utf-8")
    assert "as its manifest says. Not signed" in answers[0]
    assert "does not verify" in answers[1]
    assert "log.tsv" in answers[1]


def test_that_a_run_of_the_same_parameters_is_said_to_be_the_same(opened: MainWindow) -> None:
    press_run(opened)
    press_run(opened)
    first, second = opened.controller.runs
    assert second.anonymized is first.anonymized
    assert (first.comment, "run A" in second.comment) == ("", True)
