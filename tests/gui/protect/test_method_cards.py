"""What the cards say that methods are chosen by."""

from __future__ import annotations

from auditor.engine.presets import read_preset
from auditor.gui.app.main_window import MainWindow
from auditor.gui.protect.method_cards import describe_output
from auditor.methods.registry import METHODS
from tests.gui import fakes
from tests.gui.driving import wait_until


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
