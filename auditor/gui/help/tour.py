"""The guided first run: a line above the plots that leads from the sample log to a signed release.

Nothing is modal and nothing is pretended: each step says what to do and why, shows where, and goes
on when it was done, by hand or by its button. Whatever else somebody does meanwhile is allowed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from auditor.gui.widgets import style

if TYPE_CHECKING:
    from auditor.gui.app.main_window import MainWindow

SIGNATURE = "manifest.sig"


@dataclass(frozen=True)
class TourStep:
    """One thing to do: where it is, when it is done, and a button that does it.

    `done` is asked whenever something happens; without it the button alone goes on.
    """

    title: str
    text: str
    where: Callable[[], QWidget]
    button: str
    do: Callable[[], object] | None = None
    done: Callable[[], bool] | None = None


class TourHighlight(QWidget):
    """An outline around a widget, which lets every click through."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._around: QWidget | None = None
        self.hide()

    def show_around(self, widget: QWidget | None) -> None:
        """Surround `widget` as long as it is to be seen; nothing if None."""
        if self._around is not None:
            self._around.removeEventFilter(self)
        self._around = widget
        if widget is not None:
            widget.installEventFilter(self)
        self._follow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show,
                            QEvent.Type.Hide):  # fmt: skip
            self._follow()
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(style.theme_of(self).accent), 3))
        painter.drawRoundedRect(self.rect().adjusted(2, 2, -2, -2), 6, 6)
        painter.end()

    def _follow(self) -> None:
        around, window = self._around, self.window()
        if around is None or not around.isVisible():
            self.hide()
            return
        place = around.mapTo(window, around.rect().topLeft())
        self.setGeometry(around.rect().translated(place).adjusted(-4, -4, 4, 4) & window.rect())
        self.show()
        self.raise_()


class Tour(QFrame):
    """The line of the tour; hidden until `begin`."""

    ended = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tour")
        self.setAccessibleName(self.tr("Guided tour"))
        style.restyle(self, "banner", "info")
        self.title = style.label(bold=True)
        self.text = style.label(wrap=True)
        self.button = QPushButton()
        self.button.setProperty("role", "primary")
        self.button.clicked.connect(self._act)
        self.shut = QToolButton()
        self.shut.setText("✕")
        self.shut.setAutoRaise(True)
        self.shut.setAccessibleName(self.tr("End the tour"))
        self.shut.setToolTip(self.tr("End the tour"))
        self.shut.clicked.connect(self.end)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self.title)
        words.addWidget(self.text)
        line = QHBoxLayout(self)
        line.setContentsMargins(style.WIDE, style.NORMAL, style.NORMAL, style.NORMAL)
        line.addLayout(words, 1)
        line.addWidget(self.button)
        line.addWidget(self.shut)
        self._steps: list[TourStep] = []
        self._at = 0
        self._window: MainWindow | None = None
        self._ring: TourHighlight | None = None
        self._before: object = None
        self._runs = 0
        self.folder: Path | None = None
        """Where the last release was written while the tour went on."""
        self.hide()

    @property
    def at(self) -> int:
        """The step that is shown, from 0."""
        return self._at

    def begin(self, window: MainWindow) -> None:
        """Start at the first step, whatever is open."""
        if self._window is None:
            self._window = window
            self._ring = TourHighlight(window)
            controller = window.controller
            for signal in (controller.log_opened, controller.intent_changed,
                           controller.run_changed, controller.current_changed):  # fmt: skip
                signal.connect(self._look)
            window.exported.connect(self._exported)
        self._steps = steps_of(window, self)
        self.folder = None
        self._go(0)
        self.show()
        self.button.setFocus()

    def end(self) -> None:
        """Put the tour away; it can be begun again from the Help menu."""
        if self._ring is not None:
            self._ring.show_around(None)
        self._steps = []
        self.hide()
        self.ended.emit()

    def changed(self) -> bool:
        """Whether the parameters are others than when the step began."""
        assert self._window is not None
        return self._window.controller.intent.params != self._before

    def finished(self) -> bool:
        """Whether a run was finished since the step began."""
        assert self._window is not None
        return len(self._window.controller.runs.finished) > self._runs

    def approved(self) -> bool:
        """Whether the release that was written bears a signature."""
        return self.folder is not None and (self.folder / SIGNATURE).exists()

    def _go(self, number: int) -> None:
        assert self._window is not None
        assert self._ring is not None
        if number >= len(self._steps):
            self.end()
            return
        self._at = number
        step = self._steps[number]
        self._before = self._window.controller.intent.params
        self._runs = len(self._window.controller.runs.finished)
        place = self.tr("{number} of {total}").format(number=number + 1, total=len(self._steps))
        self.title.setText(f"{place} · {step.title}")
        self.text.setText(step.text)
        self.setAccessibleDescription(f"{step.title}. {step.text}")
        self.button.setText(step.button)
        self._ring.show_around(step.where())

    def _act(self) -> None:
        step = self._steps[self._at]
        if step.do is not None:
            step.do()
        if step.done is None:
            self._go(self._at + 1)

    def _look(self, _what: object = None) -> None:
        if not self._steps:
            return
        done = self._steps[self._at].done
        if done is not None and done():
            self._go(self._at + 1)

    def _exported(self, folder: Path) -> None:
        self.folder = folder
        self._look()


def steps_of(window: MainWindow, tour: Tour) -> list[TourStep]:
    """What a newcomer does first; the sample log is made up, so nobody is looked at."""
    controller, tr = window.controller, tour.tr

    def sample_is_open() -> bool:
        return controller.opened is not None

    def again() -> None:
        controller.set("q_f", 5)
        controller.run()

    def flagged() -> QWidget:
        window.raise_dock("flagged")
        return window.flagged

    return [
        TourStep(
            tr("Open the sample log"),
            tr("A search log tells what people feared, hoped and looked for. This one is made up, "
               "so nobody's secrets are in it."),
            lambda: window.welcome if window.welcome.isVisible() else window.header,
            tr("Open it"),
            window.open_sample,
            sample_is_open,
        ),
        TourStep(
            tr("Read what a method promises"),
            tr("SafeLog publishes noisy counts of queries that many people share. The statement "
               "says what it guarantees, to whom, and under which assumptions."),
            lambda: window.statement,
            tr("Next"),
            lambda: controller.choose("safelog"),
        ),
        TourStep(
            tr("Move a slider"),
            tr("Less noise or more queries of each user make a release more useful and promise "
               "less. Statement and plots follow at once. Move any slider."),
            lambda: window.params,
            tr("Move one for me"),
            lambda: controller.set("q_f", 20),
            tour.changed,
        ),
        TourStep(
            tr("Run it"),
            tr("The run draws the real noise, then attacks what came out of it as an outsider "
               "would. It goes on in the background."),
            lambda: window.header,
            tr("Run"),
            controller.run,
            tour.finished,
        ),
        TourStep(
            tr("See who is at risk"),
            tr("These sessions of the log point at a person. The last column says what of them "
               "can still be read in the release. Open one with a double click."),
            flagged,
            tr("Next"),
        ),
        TourStep(
            tr("Try another setting"),
            tr("Change a value, run again, and both stand in the list of runs and in the plot "
               "of privacy and utility. Pin two to compare them figure by figure."),
            lambda: window.runs,
            tr("Change and run"),
            again,
            tour.finished,
        ),
        TourStep(
            tr("Review and approve"),
            tr("Gates of your policy are judged, your name and key sign the release, and the "
               "ledger adds it to what was given away before. Name yourself and a key file."),
            lambda: window.status,
            tr("Review…"),
            window.review,
            tour.approved,
        ),
        TourStep(
            tr("That was an approved release"),
            tr("Whoever has it can check with your public key that nothing was changed. Open your "
               "own log next, and begin with its rejected rows."),
            lambda: window.header,
            tr("End the tour"),
        ),
    ]  # fmt: skip
