"""The guided first run, followed by its buttons and by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from auditor.engine.plan import Intent
from auditor.gui.app.main_window import MainWindow
from auditor.gui.help.tour import SIGNATURE
from auditor.gui.state import log_loading
from auditor.log.synthetic.generator import synthesize_log
from auditor.progress import silent_progress
from auditor.release import verify
from tests.gui.conftest import WindowMaker
from tests.gui.driving import wait_until


@pytest.fixture
def window(make_window: WindowMaker, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    """The real window with the real SafeLog, on a smaller log than the sample."""
    window = make_window()
    opened = log_loading.prepare_log(
        synthesize_log(60, days=10, seed=5).log, "small.tsv", silent_progress()
    )
    monkeypatch.setattr(window.commands, "open_sample", lambda: window.controller.adopt_log(opened))
    window.controller.intents.intent = Intent(method="safelog", attacks=(), measures=())
    return window


def press(window: MainWindow) -> None:
    """The tour's own button, then whatever follows from it."""
    before = window.tour.at
    QTest.mouseClick(window.tour.button, Qt.MouseButton.LeftButton)
    wait_until(lambda: window.tour.at != before)


def test_that_the_tour_leads_from_nothing_to_an_approved_release(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.welcome.tour.click()
    assert window.tour.isVisible()
    assert window.tour.title.text().startswith("1 of 10")
    for step in range(1, 8):
        press(window)
        assert window.tour.at == step
    assert len(window.controller.runs.finished) == 2
    window.tour.button.click()
    assert window.workspace == "release"
    panel = window.release.panel
    assert panel is not None
    assert window.focusWidget() is panel.sign_off.reviewer
    window.exported.emit(tmp_path)
    assert window.tour.at == 7
    (tmp_path / SIGNATURE).write_text("signed")
    window.exported.emit(tmp_path)
    assert window.tour.at == 8
    window.tour.button.click()
    wait_until(lambda: "does not verify" in window.tour.text.text())
    assert window.tour.at == 8
    monkeypatch.setattr(verify, "verify_release", lambda *_: verify.VerifiedFolder((), "key"))
    press(window)
    assert window.tour.at == 9
    assert "It verifies" in window.tour.text.text()
    window.tour.button.click()
    assert not window.tour.isVisible()


def test_that_the_ring_goes_where_the_step_is_and_its_button_starts_no_second_run(
    window: MainWindow, qapp: QApplication
) -> None:
    window.tour.begin(window)
    for _ in range(2):
        press(window)
    qapp.processEvents()
    ring, params = window.tour.ring, window.protect.params
    assert ring is not None
    assert ring.isVisible()
    assert ring.geometry().contains(params.mapTo(window, params.rect().center()))
    assert ring.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    press(window)
    button, controller = window.tour.button, window.controller
    button.click()
    assert not button.isEnabled()
    assert button.text() == "Running…"
    controller.cancel_run()
    wait_until(lambda: controller.running is None)
    assert len(list(controller.runs)) == 1
    if window.tour.at == 3:  # cancelled in time
        assert button.isEnabled()
        assert button.text() == "Run"
    window.tour.shut.click()
    assert not ring.isVisible()
