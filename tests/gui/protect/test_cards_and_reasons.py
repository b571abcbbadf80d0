"""Two questions about a method: what its card says, and why it keeps or drops a query."""

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit, QTableView, QTableWidget, QTableWidgetItem

from auditor.engine.backends.local import apply_method
from auditor.engine.explanation import INTERNAL
from auditor.engine.presets import read_preset
from auditor.gui.app.main_window import MainWindow
from auditor.gui.protect.method_cards import describe_output
from auditor.gui.protect.why_dialog import WhyDialog, selected_text
from auditor.log.model import QueryLog
from auditor.methods.bundling.method import BundlingParams
from auditor.methods.registry import METHODS
from auditor.privacy.noise import PreviewRandomness
from auditor.progress import silent_progress
from tests.gui import fakes
from tests.gui.driving import keep, show, wait_until


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
