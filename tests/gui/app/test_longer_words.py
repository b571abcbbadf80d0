"""A language whose words are 40 % longer than English ones: nothing is cut, nothing out of reach.

No such language is shipped. It stands for every one that the window may be translated into.
"""

from collections.abc import Iterator
from typing import ClassVar

import pytest
from PySide6.QtCore import QCoreApplication, Qt, QTranslator
from PySide6.QtWidgets import QApplication, QCheckBox, QPushButton, QScrollArea, QWidget

from auditor.gui.app import translation
from auditor.gui.app.navigation import WelcomePage
from auditor.gui.protect.checks_panel import ChecksPanel
from auditor.gui.protect.params_panel import ParamsPanel
from auditor.gui.release.page import ReviewPanel
from auditor.gui.release.policy_editor import PolicyEditor
from auditor.gui.state.controller import Controller
from auditor.gui.state.verdicts import PolicyKeeper
from auditor.gui.widgets.fields import WrappingCheckBox
from auditor.methods.registry import METHODS
from tests.gui.driving import keep, show, wait_until
from tests.release import fakes

COLUMN = 300
"""Pixels of a column of panels in a window of 1366."""


class Longer(QTranslator):
    """Says everything in its own words and 40 % more, those with letters that English lacks."""

    MORE: ClassVar[str] = "äöü ßéx "

    def isEmpty(self) -> bool:
        return False

    def translate(
        self, context: str, text: str, disambiguation: str | None = None, n: int = -1
    ) -> str:
        room = max(1, round(0.4 * len(text)))
        more = (self.MORE * (room // len(self.MORE) + 1))[:room].strip() or "x"
        bare = text.removesuffix("…")
        return f"{bare} {more}{text[len(bare) :]}" if text.strip() else text


@pytest.fixture(autouse=True)
def _longer(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    translator = Longer()
    monkeypatch.setattr(translation._tongue, "language", "longer")
    QCoreApplication.installTranslator(translator)
    yield
    QCoreApplication.removeTranslator(translator)


def cut(widget: QWidget) -> list[str]:
    """What doesn't fit: words of buttons, and panels wider than the room that scrolls them."""
    clipped = []
    for button in (*widget.findChildren(QPushButton), *widget.findChildren(QCheckBox)):
        one_line = button.isVisible() and button.text() and not isinstance(button, WrappingCheckBox)
        if one_line and button.width() < button.sizeHint().width():
            clipped.append(button.text())
    for area in widget.findChildren(QScrollArea):
        never = area.horizontalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        inside = area.widget()
        if never and inside and inside.minimumSizeHint().width() > area.viewport().width():
            clipped.append(f"{area.accessibleName()} needs {inside.minimumSizeHint().width()}")
    return clipped


def misfits(widget: QWidget, width: int, height: int) -> list[str]:
    keep(widget)
    widget.resize(width, height)
    widget.show()
    QApplication.processEvents()
    assert widget.width() == width, "it asks for more than there is"
    return cut(widget)


def test_that_longer_words_are_seen_here_at_all() -> None:
    tight = keep(QPushButton(translation.tr("Open the sample log")))
    assert "äöü" in tight.text()
    holder = keep(QWidget())
    tight.setParent(holder)
    tight.setFixedWidth(40)
    holder.show()
    assert cut(holder)


def test_that_the_welcome_every_methods_parameters_and_all_checks_fit() -> None:
    assert misfits(WelcomePage(), 1366, 600) == []
    c = Controller()
    panel = ParamsPanel(c)
    for name in METHODS:
        panel.show_params(METHODS[name], METHODS[name].params())
        assert misfits(panel, COLUMN, 600) == [], name
    assert misfits(ChecksPanel(c.intents, c.known), COLUMN, 600) == []


def test_that_the_policy_and_the_review_are_no_wider_than_their_dialogs() -> None:
    log = fakes.raw_log()
    keeper = PolicyKeeper()
    result = fakes.run_result(log)
    editor = keep(PolicyEditor(keeper, (result, log)))
    wait_until(lambda: bool(editor.rows) and not any(job.running for job in editor.jobs.values()))
    assert misfits(editor, 720, 640) == []
    review = keep(ReviewPanel(result, log))
    wait_until(lambda: not review.counting.running and not review.gates.busy)
    assert misfits(review, 1280, 640) == []


def test_that_a_boxs_words_are_broken_by_its_width_and_read_out_in_one() -> None:
    box = show(WrappingCheckBox("At most so && so many of all that is in a log of many searches"))
    box.resize(box.sizeHint())
    assert "\n" not in box.text()
    high = box.sizeHint().height()
    box.resize(box.minimumSizeHint().width(), 60)
    assert "\n" in box.text()
    assert box.sizeHint().height() > high
    assert box.text().replace("\n", " ") == box.given
    assert box.accessibleName() == "At most so & so many of all that is in a log of many searches"
