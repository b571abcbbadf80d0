"""The guided first run: a line above the page that leads from the sample log to a signed release.

Nothing is modal and nothing is pretended: each step says what to do and why, shows where, and goes
on when it was done, by hand or by its button. Whatever else somebody does meanwhile is allowed.
"""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QWidget

from auditor.gui.state.worker import BackgroundJob
from auditor.gui.widgets import style
from auditor.methods.registry import FIRST
from auditor.release.verify import verify_release
from auditor.resource_files import resource_text

SIGNATURE = "manifest.sig"


@dataclass(frozen=True)
class TourStep:
    """One thing to do: where it is, when it is done, and a button that does it.

    `done` is asked whenever something happens; without it the button alone goes on.
    """

    title: str
    text: str
    target: Callable[[], QWidget]
    button: str
    page: str
    """The workspace that it is in, or nothing."""
    do: Callable[[], object] | None = None
    done: Callable[[], bool] | None = None
    starts_run: bool = False
    """Its button starts a run, and another one only when that is over."""


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
        self._follow_widget()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kinds = QEvent.Type
        if event.type() in (kinds.Resize, kinds.Move, kinds.Show, kinds.Hide):
            self._follow_widget()
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(style.theme_of(self).accent), 3))
        painter.drawRoundedRect(self.rect().adjusted(2, 2, -2, -2), 6, 6)
        painter.end()

    def _follow_widget(self) -> None:
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

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Guided tour"))
        style.restyle(self, "banner", "info")
        self._steps: list[TourStep] = []
        self.at = 0
        """The step that is shown, from 0."""
        self.title = style.plain_label(bold=True)
        self.text = style.plain_label(wrap=True)
        self.button = style.button("", self._run_step, role="primary")
        end = self.tr("End the tour")
        self.shut = style.tool_button("✕", self.end, name=end, tip=end)
        self.back = style.button(self.tr("Back"), lambda: self._show_step(self.at - 1))
        tip = self.tr("Go on without doing this step")
        self.skip = style.button(self.tr("Skip"), lambda: self._show_step(self.at + 1), tip=tip)
        style.keep_room(self.skip)  # Back stays where it is in the last step
        words = style.column(None, [self.title, self.text], spacing=0)
        parts: list[style.Part] = [(words, 1), self.back, self.skip, self.button, self.shut]
        style.row(self, parts, margins=(style.WIDE, style.NORMAL, style.NORMAL, style.NORMAL))
        self._window: Any = None
        self.ring: TourHighlight | None = None
        self.before: Any = None
        """The parameters when the step began."""
        self.runs = 0
        """How many runs were finished then."""
        self.verified = False
        """Whether that release was verified."""
        self.folder: Path | None = None
        """Where the last release was written while the tour went on."""
        self.hide()

    def begin(self, window: Any) -> None:
        """Start at the first step, whatever is open."""
        if self._window is None:
            self._window = window
            self.ring = TourHighlight(window)
            c = window.controller
            for moment in (c.log_opened, c.intents.changed, c.run_changed, c.current_changed):
                moment.connect(self._advance_if_done)
            window.exported.connect(self._record_export)
        self._steps = steps_of(window, self)
        measure = self.button.fontMetrics().horizontalAdvance  # Back and Skip stay where they are
        widest = max(measure(step.button) for step in self._steps)
        self.button.setMinimumWidth(widest + 2 * style.WIDE + style.TIGHT)
        self.folder, self.verified = None, False
        self._show_step(0)
        self.show()
        self.button.setFocus()

    def end(self) -> None:
        if self.ring is not None:
            self.ring.show_around(None)
        self._steps = []
        self.hide()

    def _show_step(self, number: int) -> None:
        assert self.ring is not None
        if number >= len(self._steps):
            self.end()
            return
        self.at = max(0, number)
        step = self._steps[self.at]
        if step.page and self._window.controller.opened is not None:
            if step.page == "protect":
                self._window.tune_by_hand()
            self._window.show_workspace(step.page)
        self.before = self._window.controller.intent.params
        self.runs = len(self._window.controller.runs.finished)
        place = self.tr("{number} of {total}").format(number=self.at + 1, total=len(self._steps))
        self.title.setText(f"{place} · {step.title}")
        text = step.text
        if self.verified and self.at == len(self._steps) - 1:
            text = self.tr("It verifies: nothing was changed since it was signed.") + " " + text
        self.text.setText(text)
        self.setAccessibleDescription(f"{step.title}. {step.text}")
        self._update_button()
        self.back.setEnabled(self.at > 0)
        self.skip.setVisible(self.at < len(self._steps) - 1)
        self.skip.setEnabled(step.page != "log" or self._window.controller.opened is not None)
        self.ring.show_around(step.target())

    def _run_step(self) -> None:
        step = self._steps[self.at]
        if step.do is not None:
            step.do()
        if self._steps and step.done is None:
            self._show_step(self.at + 1)

    def _update_button(self) -> None:
        step = self._steps[self.at]
        busy = step.starts_run and self._window.controller.running is not None
        self.button.setEnabled(not busy)
        self.button.setText(self.tr("Running…") if busy else step.button)

    def _advance_if_done(self, _what: object = None) -> None:
        if not self._steps:
            return
        self._update_button()
        done = self._steps[self.at].done
        if done is not None and done():
            self._show_step(self.at + 1)

    def _record_export(self, folder: Path) -> None:
        self.folder = folder
        self._advance_if_done()

    def verify_export(self) -> None:
        """Check the release that was written, as whoever gets it would, and say what came of it."""
        folder = self.folder
        if folder is None:
            self.text.setText(self.tr("There is no release to verify: sign and export one first."))
            return

        def find_problems(progress: Any) -> str:
            return " ".join(verify_release(folder, progress).problems)

        def show_verification(problem: str) -> None:
            self.verified = not problem
            if problem:
                self.text.setText(self.tr("✗ It does not verify. {why}").format(why=problem))
            self._advance_if_done()

        BackgroundJob("verify", find_problems).start(show_verification, show_verification)


def steps_of(window: Any, tour: Tour) -> list[TourStep]:
    """What a newcomer does first; the sample log is made up, so nobody is looked at."""
    controller, tr = window.controller, tour.tr
    words = tomllib.loads(resource_text("tour.toml"))

    def make_step(
        name: str,
        target: Callable[[], QWidget],
        do: Callable[[], object] | None = None,
        done: Callable[[], bool] | None = None,
        *,
        starts_run: bool = False,
    ) -> TourStep:
        step = words[name]
        title, text, button = (tr(step[part]) for part in ("title", "text", "button"))
        return TourStep(title, text, target, button, step["page"], do, done, starts_run)

    def change_and_run() -> None:
        controller.intents.set_all({"clicks": False, "transitions": False})
        controller.run()

    def has_run() -> bool:
        return len(controller.runs.finished) > tour.runs

    def has_approved_release() -> bool:
        return tour.folder is not None and (tour.folder / SIGNATURE).exists()

    return [
        make_step(
            "sample",
            lambda: window.welcome if window.welcome.isVisible() else window.header,
            window.commands.open_sample,
            lambda: controller.opened is not None,
        ),
        make_step(
            "promise",
            lambda: window.protect.statement,
            lambda: controller.intents.choose_method(FIRST),
        ),
        make_step(
            "slider",
            lambda: window.protect.params,
            lambda: controller.intents.set("q_f", 20),
            lambda: controller.intent.params != tour.before,
        ),
        make_step("run", lambda: window.header.run, controller.run, has_run, starts_run=True),
        make_step("verdict", lambda: window.strip),
        make_step("risk", lambda: window.risk),
        make_step("again", lambda: window.compare.runs, change_and_run, has_run, starts_run=True),
        make_step(
            "sign", lambda: window.release, window.release.start_sign_off, has_approved_release
        ),
        make_step("verify", lambda: window.release, tour.verify_export, lambda: tour.verified),
        make_step("end", lambda: window.header),
    ]
