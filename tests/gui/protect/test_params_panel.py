"""Choosing a method and its parameters: cards, the panel made from `Params` alone, and why."""

import dataclasses
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QTableView, QTableWidget, QTableWidgetItem, QWidget

from auditor.engine.backends.local import apply_method
from auditor.engine.explanation import INTERNAL
from auditor.engine.presets import read_preset
from auditor.figures import SHARE, MetricValue
from auditor.gui.app.main_window import MainWindow
from auditor.gui.protect.method_cards import describe_output
from auditor.gui.protect.params_panel import (
    FlagRow,
    GoalRow,
    NumberRow,
    ParamRow,
    ParamsPanel,
    SliderScale,
)
from auditor.gui.protect.why_dialog import WhyDialog, selected_text
from auditor.gui.state.controller import Controller
from auditor.log.model import QueryLog
from auditor.methods.bundling.method import BundlingParams
from auditor.methods.registry import METHODS
from auditor.params import ParamKind
from auditor.privacy.noise import PreviewRandomness
from auditor.progress import silent_progress
from tests.gui import fakes
from tests.gui.driving import enter, keep, offered, show, wait_signal, wait_until
from tests.narrowing import present


def test_that_a_card_names_the_tables_that_the_method_makes_and_its_guarantee() -> None:
    for method, output in (
        ("frequency-threshold", "A log, row by row"),
        ("safelog", "Tables of counts: queries, clicks, transitions"),
        ("korolova", "Tables of counts: queries, clicks"),
        ("zealous", "A table of queries"),
        ("dated-counts", "A table of queries by date"),
    ):
        assert describe_output(METHODS[method]) == output
    assert all(METHODS[name].guarantee.endswith(".") for name in METHODS)


def test_that_a_card_offers_the_settings_of_a_deployed_release(real: MainWindow) -> None:
    controller, protect = real.controller, real.protect
    fakes.open_log(controller)
    controller.intents.choose_method("entity-allowlist")
    controller.intents.set("max_words", 6)
    protect.show_methods()
    (button,) = protect.gallery.cards["entity-allowlist"].presets
    assert "max_words" in button.toolTip()
    button.click()
    preset = read_preset("dma-2026")
    assert controller.intent.method == preset.method
    assert controller.intent.params == METHODS[preset.method].params(**preset.params)


def test_that_a_card_says_what_its_method_would_keep_of_this_log(real: MainWindow) -> None:
    gallery = real.protect.gallery
    fakes.open_log(real.controller)
    real.controller.intents.choose_method("frequency-threshold")
    real.controller.intents.set("n", 41)  # one more than there are users
    real.protect.show_methods()
    threshold = gallery.cards["frequency-threshold"].kept
    assert threshold.text() == "…"
    wait_until(lambda: threshold.text() == "nothing is kept")
    real.controller.intents.set("n", 2)
    real.protect.show_methods()
    wait_until(lambda: "3 of 123 queries" in threshold.text())


# --- why a query is kept or dropped ---------------------------------------------------------------

HOSTILE = "<b>weather</b>"


@pytest.fixture
def dialog() -> WhyDialog:
    rows = [(f"u{i}", q, i) for i in range(12) for q in ("weather", "web mail", HOSTILE)]
    users, queries, times = zip(*rows, strict=True)
    log = QueryLog.from_columns(user=users, query=queries, time=times)
    params = BundlingParams(group=4)
    release = apply_method(log, "bundling", params, PreviewRandomness(1), silent_progress())
    return show(WhyDialog(log, release, "Bundling A"))


def test_that_a_query_is_explained_and_only_what_the_log_has_is_offered(dialog: WhyDialog) -> None:
    dialog.explain_query(HOSTILE)
    wait_until(lambda: dialog.state.text() == INTERNAL)
    text = "\n".join(label.text() for label in dialog.body.findChildren(QLabel))
    assert all(fact in text for fact in ("hold it: 12", "under: 3", "Bundling"))
    assert len(dialog.body.findChildren(QTableView)) == 1
    assert HOSTILE not in dialog.windowTitle()
    dialog.button.setFocus()  # no list opens over what somebody does elsewhere
    dialog.field.setText("we")
    dialog.field.textEdited.emit("we")
    wait_until(lambda: len(dialog.offers.stringList()) == 2)
    assert set(dialog.offers.stringList()) == {"weather", "web mail"}


def test_that_what_is_picked_elsewhere_is_asked_after() -> None:
    table = keep(QTableWidget(1, 1))
    assert selected_text(table) == ""
    table.setItem(0, 0, QTableWidgetItem("weather"))
    table.setCurrentCell(0, 0)
    assert selected_text(table) == "weather"
    field = keep(QLineEdit("web mail"))
    field.selectAll()
    assert selected_text(field) == "web mail"
    assert selected_text(None) == ""


@pytest.fixture
def panel(controller: Controller) -> ParamsPanel:
    panel = keep(ParamsPanel(controller))
    panel.show_params(fakes.METHOD, fakes.FakeParams())
    panel.resize(320, 900)
    panel.show()
    return panel


def listen(panel: ParamsPanel) -> list[tuple[str, Any, int]]:
    heard: list[tuple[str, Any, int]] = []
    for row in panel.rows.values():
        row.edited.connect(lambda *what: heard.append(what))
    return heard


def number(panel: ParamsPanel, name: str) -> NumberRow:
    row = panel.rows[name]
    assert isinstance(row, NumberRow)
    return row


def test_that_values_come_from_sliders_and_fields_a_drag_is_one_gesture(panel: ParamsPanel) -> None:
    heard = listen(panel)
    number(panel, "q_f").slider.setValue(number(panel, "q_f").scale.convert_to_position(500))
    assert heard[-1][:2] == ("q_f", 500)
    edit = number(panel, "K").edit
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, "1,234.5")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert heard[-1][:2] == ("K", 1234.5)
    heard.clear()
    slider = number(panel, "b").slider
    for _ in range(2):
        slider.setSliderDown(True)
        slider.setValue(slider.value() + 100)
        slider.setValue(slider.value() + 100)
        slider.setSliderDown(False)
    gestures = [gesture for _, _, gesture in heard]
    assert len(gestures) == 4
    assert gestures[0] == gestures[1] != gestures[2] == gestures[3]


def test_that_a_bad_value_is_explained_beside_it_and_not_told(panel: ParamsPanel) -> None:
    heard, row = listen(panel), number(panel, "K")
    enter(row.edit, "many")
    assert heard == []
    assert row.wrong.isVisible()
    assert "must be a number in [1, 10000]" in row.wrong.text()
    assert row.edit.text() == "50"
    panel.show_params(fakes.METHOD, fakes.FakeParams(K=60.0))
    assert not row.wrong.isVisible()


def test_that_what_a_log_is_too_small_for_is_neither_shown_nor_run(real: MainWindow) -> None:
    """The number in the box, the slider, the statement's setting and the run are one."""
    window, c = real, real.controller
    window.hide()
    c.intents.choose_method("k-delta")
    c.intents.intent = dataclasses.replace(c.intent, attacks=(), measures=())
    fakes.open_log(c)
    row = number(window.protect.params, "k")
    before, place = c.intent, row.slider.value()
    for typed in (True, False):
        if typed:
            enter(row.edit, "41")
        else:
            row.slider.setValue(row.scale.steps)
        assert "40" in row.wrong.text()
        assert not row.wrong.isHidden()
        assert (c.intent, row.edit.text()) == (before, str(c.intent.params.k))  # type: ignore[attr-defined]
        assert row.slider.value() == place
    c.run()
    (run,) = c.runs
    assert run.plan.params == before.params
    wait_until(lambda: c.running is None)
    assert run.state == "finished", run.message
    fakes.open_log(c, fakes.small_log(3), "tiny.tsv")
    statement = window.protect.statement
    wait_until(lambda: "3" in statement.claim.text())
    assert statement.headline.isHidden()
    c.run()
    assert not len(c.runs)


def test_that_a_long_number_is_rounded_until_its_field_has_the_focus(panel: ParamsPanel) -> None:
    """The end of a long number, cut at the left, read as another one; nothing exact is lost."""
    number(panel, "b").edit.setFocus()
    panel.show_params(fakes.METHOD, fakes.FakeParams(K=8.15797323599))
    heard, row = listen(panel), number(panel, "K")
    assert row.edit.text() == "8.158"
    assert "8.15797323599" in row.edit.toolTip()
    row.edit.setFocus()
    wait_until(row.edit.hasFocus)
    assert row.edit.text() == "8.15797323599"
    number(panel, "b").edit.setFocus()
    wait_until(lambda: row.edit.text() == "8.158")
    row.edit.editingFinished.emit()
    assert heard == []


def test_that_a_parameter_without_effect_is_greyed_and_reset_is_offered_for_a_change(
    controller: Controller, panel: ParamsPanel
) -> None:
    row = panel.rows["lower"]
    assert isinstance(row, FlagRow)
    assert not row.box.isEnabled()
    panel.show_params(fakes.METHOD, fakes.FakeParams(mode="published"))
    assert row.box.isEnabled()
    panel.show_params(fakes.METHOD, fakes.FakeParams())
    intents = controller.intents
    intents.changed.connect(lambda intent: panel.show_params(fakes.METHOD, intent.params))
    assert not panel.rows["K"].undo.isVisible()
    assert not panel.all.isEnabled()
    intents.set_all({"K": 60.0, "b": 20.0, "q_f": 30})
    panel.rows["K"].undo.click()
    assert intents.intent.params == fakes.FakeParams(b=20.0, q_f=30)
    panel.all.click()
    assert intents.intent.params == fakes.FakeParams()


def test_that_a_solver_asks_for_a_number_first(controller: Controller, panel: ParamsPanel) -> None:
    (row,) = panel.solvers
    row.button.click()
    assert "Type a number" in row.wrong.text()
    row.edit.setText("1.6")
    row.button.click()
    wait_until(lambda: controller.intent.params == fakes.FakeParams(b=25.0))
    assert controller.intents.undo.count() == 1
    row.edit.setText("1e-9")
    row.button.click()
    wait_until(lambda: "(0, 100]" in row.wrong.text())


def test_that_every_registered_method_gets_a_complete_panel() -> None:
    panel = keep(ParamsPanel(Controller()))
    for method in map(METHODS.__getitem__, METHODS):
        panel.show_params(method, method.params())
        assert list(panel.rows) == [spec.name for spec in method.params.specs()]
        for spec in method.params.specs():
            row: ParamRow = panel.rows[spec.name]
            assert row.label.text().startswith(spec.label)
            inputs = [w for w in row.findChildren(QWidget) if w.accessibleName() == spec.label]
            assert inputs, f"{spec.name} of {method.name} has no named input"
            assert all(w.accessibleDescription() == spec.help for w in inputs)
        assert len(panel.solvers) == len(method.solvers)


def test_that_a_value_that_is_worked_out_has_no_place_on_a_slider() -> None:
    """It stood at "more useful", whatever came of it."""
    panel, method = keep(ParamsPanel(Controller())), METHODS["safelog"]
    for k in (None, 83):
        panel.show_params(method, method.params().replace(K=k))
        row = number(panel, "K")
        assert row.slider.isVisibleTo(row) == (k is not None)


def test_that_every_slider_position_is_a_valid_value() -> None:
    for method in map(METHODS.__getitem__, METHODS):
        params = method.params
        for spec in params.specs():
            if spec.kind not in (ParamKind.INTEGER, ParamKind.REAL):
                continue
            scale = SliderScale.of(spec)
            values = [scale.convert_to_value(position) for position in range(scale.steps + 1)]
            assert values == sorted(values), f"{spec.name} of {method.name} goes backwards"
            for value in values:
                assert spec.validate(value, params.owner) == value
            if spec.default is not None and scale.low <= spec.default <= scale.high:
                near = scale.convert_to_value(scale.convert_to_position(spec.default))
                assert abs(near - spec.default) <= max(1, 0.02 * abs(spec.default))


def seek(row: GoalRow, text: str) -> None:
    """Ask for the parameter that reaches what was typed."""
    row.edit.setText(text)
    row.button.click()


def test_that_a_number_is_found_for_an_expected_metric_or_refused(opened: MainWindow) -> None:
    opened.tune_by_hand()
    opened.protect.params.goals.unfold()
    row = present(opened.protect.params.goal)
    wait_until(lambda: row.isVisibleTo(opened))
    assert offered(row.parameter) == ["K", "b", "q_f", "top"]
    assert row.figure.count() == 1
    assert row.figure.itemText(0) == "queries kept (%): at least"
    seek(row, "no number")
    assert "Type a number" in row.wrong.text()
    seek(row, "150")
    wait_until(lambda: "between" in row.wrong.text())
    before = opened.controller.intent
    row.edit.setText("0")
    QTest.keyClick(row.edit, Qt.Key.Key_Return)
    with wait_signal(opened.controller.intents.changed):
        row.button.click()
    assert row.wrong.isHidden()
    assert opened.controller.intent.params.to_dict()["b"] == 10.0
    opened.controller.intents.undo.undo()
    assert opened.controller.intent == before


def test_that_a_share_is_typed_in_per_cent_and_main_parameters_come_first() -> None:
    row = keep(GoalRow(METHODS["safelog"].params, ("b", "q_f")))
    assert offered(row.parameter)[:2] == ["b", "q_f"]
    kept = MetricValue("kept", "searches kept", 0.3, SHARE, "", "higher", "utility")
    queries = MetricValue("queries", "released queries", 4.0, "", "", "higher", "utility")
    row.offer_metrics([kept, queries])
    assert row.figure.itemText(0) == "searches kept (%): at least"
    heard: list[tuple[str, str, float]] = []
    row.goal_requested.connect(lambda *what: heard.append(what))
    for typed in ("5", "5 %", "12.5%"):
        seek(row, typed)
    row.figure.setCurrentIndex(1)
    seek(row, "5")
    shares = [("b", "kept", share) for share in (0.05, 0.05, 0.125)]
    assert heard == [*shares, ("b", "queries", 5.0)]
