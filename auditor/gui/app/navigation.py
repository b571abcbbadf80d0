"""What frames the pages: header, verdict, banner, rail, and the line and queue of what runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from auditor.attacks.risk.people_estimate import PeopleEstimate
from auditor.engine.run import Run
from auditor.engine.run_progress import RunProgress
from auditor.gui.app.translation import (
    mark_for_translation,
    read_words,
    say,
    tr,
    translate_all,
    translate_text,
)
from auditor.gui.state.controller import Controller
from auditor.gui.state.log_loading import Kind, KnowledgeFile, OpenedLog
from auditor.gui.state.run_queue import title_of
from auditor.gui.state.verdicts import StoredApproval, VerdictKeeper
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.areas import ElidedLabel
from auditor.gui.widgets.fields import EventWatch
from auditor.gui.widgets.safe_text import shorten_text
from auditor.messages import fill_places
from auditor.release.ledger.store import data_folder
from auditor.release.verdict import ReleaseVerdict


class StatusBar(QWidget):
    """Never in the way: work goes on while it shows how far."""

    def __init__(self) -> None:
        super().__init__()
        self.bar = QProgressBar()
        self.bar.setAccessibleName(self.tr("Progress"))
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(self.fontMetrics().averageCharWidth() * 24)
        self.bar.setFixedHeight(style.NORMAL)
        self.stage = ElidedLabel()
        self.left = style.plain_label(role="muted")
        tip = self.tr("Show the queued runs: their order, and how far each is")
        self.queue = style.tool_button(tip=tip)
        self.queue.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        parts: list[style.Part] = [self.bar, (self.stage, 10), self.left, self.queue, 1]
        style.row(self, parts, margins=(style.NORMAL, style.TIGHT), spacing=style.NORMAL)
        self.setMinimumHeight(self.queue.sizeHint().height() + 2 * style.TIGHT)
        self.show_idle(self.tr("Ready"))
        self.show_waiting(None)

    def show_waiting(self, runs: int | None) -> None:
        """Show how many runs are queued behind the running one; None if none is."""
        self.queue.setVisible(runs is not None)
        text = formats.format_plural(runs or 0, "waiting", "waiting") + " ▸"
        self.queue.setText(text if runs else self.tr("Queue ▸"))

    def show_busy(self, text: str) -> None:
        """Work has begun; nobody knows how much."""
        self.stage.show_text(text)
        self.left.setText("")
        self.bar.setRange(0, 0)
        self.bar.show()

    def show_progress(self, stage: str, share: float | None, time_left: float | None) -> None:
        """Show how far a stage is; None where nobody knows."""
        self.stage.show_text(stage)
        parts = [] if share is None else [formats.format_percentage(round(share, 2))]
        parts += [] if time_left is None else [formats.format_time_left(time_left)]
        self.left.setText(" · ".join(parts))
        self.bar.show()
        # or it would paint at once, and with it all that waits to be painted in the window
        self.bar.setUpdatesEnabled(False)
        self.bar.setRange(0, 0 if share is None else 1000)
        if share is not None:
            self.bar.setValue(round(1000 * share))
        self.bar.setUpdatesEnabled(True)

    def show_idle(self, text: str) -> None:
        self.stage.show_text(text)
        self.left.setText("")
        self.bar.setRange(0, 1000)
        self.bar.setValue(0)
        self.bar.hide()


ENDS = read_words("news of a run")
OFTEN = 100
"""Milliseconds between two looks at a running run."""


@dataclass(frozen=True)
class QueueRow:
    """One queued run, in words."""

    number: int
    letter: str
    title: str
    running: bool
    state: str
    time_left: str


class QueuePanel(QWidget):
    """The runs that are queued, in a list and below every page, and what can be done with one."""

    def __init__(self, controller: Controller, status: StatusBar, *, remember: bool) -> None:
        super().__init__()
        self.controller, self.status = controller, status
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Queued runs"))
        self.list.setSelectionMode(self.list.SelectionMode.SingleSelection)
        self.list.setVerticalScrollMode(self.list.ScrollMode.ScrollPerPixel)
        self.list.setUniformItemSizes(True)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.list.currentItemChanged.connect(lambda _now, _before: self._enable_actions())
        self.list.itemActivated.connect(lambda _item: self._with_picked(controller.show_run))
        self.empty = style.plain_label(say("queue is empty"), role="muted", wrap=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.sum = style.plain_label(size=style.SMALL, role="muted", wrap=True)
        self._rows: list[QueueRow] = []
        c, runs, buttons = controller, controller.queue, style.row(None, spacing=style.TIGHT)
        self.earlier, self.later, self.cancel, self.drop = actions = [
            self._make_action(self.tr("▲ Earlier"), self.tr("Begin one place earlier"), "Alt+Up",
                              lambda run: runs.move(run, -1)),
            self._make_action(self.tr("▼ Later"), self.tr("Begin one place later"), "Alt+Down",
                              lambda run: runs.move(run, 1)),
            self._make_action(self.tr("■ Cancel"), self.tr("Stop it; it stays among the runs"),
                              "Ctrl+Backspace", c.cancel_run),
            self._make_action(self.tr("✕ Remove"), self.tr("Stop it and strike it out"),
                              QKeySequence.StandardKey.Delete, c.remove_run),
        ]  # fmt: skip
        for action in actions:
            button = QToolButton()
            button.setDefaultAction(action)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setAccessibleName(action.text())
            buttons.addWidget(button)
        buttons.addStretch(1)
        style.panel(self, [self.empty, (self.list, 1), self.sum, buttons])
        self._look = QTimer(self, singleShot=True, interval=OFTEN)
        self._look.timeout.connect(self._show_queue)
        runs.changed.connect(lambda: c.turns.run_now(self._show_queue, self._show_queue))
        for signal in (c.runs_changed, c.run_changed):
            signal.connect(lambda *_: c.turns.run_soon(self._show_queue))
        runs.moved_on.connect(lambda: self._look.isActive() or self._look.start())
        memory = past_runs if remember else lambda: None  # then what is learned is forgotten
        c.log_opened.connect(lambda _opened: runs.load_costs(memory))
        c.run_changed.connect(self._tell_end)
        self._show_queue()

    def _make_action(self, text: str, tip: str, keys: Any, do: Callable[[int], None]) -> QAction:
        action = QAction(text, self.list)
        action.setShortcut(QKeySequence(keys))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        shortcut = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(f"{tip} ({shortcut})")
        action.triggered.connect(lambda: self._with_picked(do))
        self.list.addAction(action)
        return action

    def _tell_end(self, record: Run) -> None:
        name = self.tr("Run {letter}").format(letter=record.letter)
        text = tr(ENDS.get(record.state, ""))
        if record.state == "running":
            if record.statement is None:
                self.status.show_busy(text.format(name=name))
        elif text:
            self.status.show_idle(text.format(name=name))

    def _show_queue(self) -> None:
        """Show the queue, keeping the selection."""
        c = self.controller
        records = [record for number in c.queue.numbers if (record := c.runs.get(number))]
        waiting = set(c.queue.waiting)
        picked, before = self.picked, self._rows
        runs = enumerate(records, start=1)
        self._rows = rows = [self._make_row(r, r.number in waiting, place) for place, r in runs]
        if [row.number for row in rows] == [row.number for row in before]:
            for place, row in enumerate(rows):
                if row != before[place]:
                    self._fill_item(self.list.item(place), row)
        else:
            self.list.blockSignals(True)
            self.list.clear()
            for row in rows:
                self.list.addItem(item := QListWidgetItem())
                self._fill_item(item, row)
            numbers = [row.number for row in rows]
            self.list.setCurrentRow(numbers.index(picked) if picked in numbers else 0)
            self.list.blockSignals(False)
        total = c.queue.estimate_seconds_left(records[-1].number) if len(records) > 1 else None
        self.sum.setVisible(total is not None)
        if total is not None:
            count, time_left = formats.format_count(len(rows)), formats.format_time_left(total)
            text = self.tr("All {count} runs: {left}.")
            self.sum.setText(text.format(count=count, left=time_left))
        self.list.setVisible(bool(rows))
        self.empty.setVisible(not rows)
        self._enable_actions()
        self.status.show_waiting(len(rows) - 1 if rows else None)
        if rows and rows[0].running and (course := c.queue.find_progress(rows[0].number)):
            text = self.tr("Run {letter}: {state}")
            text = text.format(letter=rows[0].letter, state=rows[0].state)
            self.status.show_progress(text, course.done, course.seconds_left)

    def _make_row(self, record: Run, waits: bool, place: int) -> QueueRow:
        course = self.controller.queue.find_progress(record.number)
        seconds = course.seconds_left if course is not None else None
        if waits or course is None or record.state == "waiting":
            state = self.tr("queued: number {place}").format(place=formats.format_count(place))
            time_left = "" if seconds is None else formats.format_duration(seconds)
        else:
            state = self._describe_progress(course)
            time_left = "" if seconds is None else formats.format_time_left(seconds)
        title = f"{translate_text(record.title)}  {formats.brief_parameters(record.plan.params)}"
        return QueueRow(record.number, record.letter, title, not waits, state, time_left)

    def _describe_progress(self, course: RunProgress) -> str:
        part = course.part
        if part is None:
            return self.tr("beginning")
        stage = translate_text(course.stage)
        if course.share is not None:
            stage += f" {formats.format_fixed(100 * course.share, 0)} %"
        pattern = tr(read_words("parts of a run")[part.kind])
        return pattern.format(
            at=formats.format_count(course.at),
            of=formats.format_count(course.of),
            title=title_of(part),
            stage=stage or self.tr("begun"),
        )

    def _fill_item(self, item: QListWidgetItem, row: QueueRow) -> None:
        sign = style.RUN_SIGNS["running" if row.running else "waiting"].icon
        state = ". ".join(filter(None, (row.state, row.time_left)))
        words = f"{row.letter}  {row.title}\n{sign} {state}"
        item.setText(words)
        item.setToolTip(safe_text.plain_tip(words))

    @property
    def picked(self) -> int | None:
        place = self.list.currentRow()
        return self._rows[place].number if 0 <= place < len(self._rows) else None

    def _enable_actions(self) -> None:
        place = self.list.currentRow()
        first = sum(row.running for row in self._rows)
        self.earlier.setEnabled(first < place < len(self._rows))
        self.later.setEnabled(first <= place < len(self._rows) - 1)
        for action in (self.cancel, self.drop):
            action.setEnabled(0 <= place < len(self._rows))

    def _with_picked(self, do: Callable[[int], None]) -> None:
        if (number := self.picked) is not None:
            do(number)


def past_runs() -> Path | None:
    """The file in which past runs are kept, as the command line keeps them."""
    return data_folder() / "runs.json"


class Header(QFrame):
    """Facts of the log on the left, what to do with it on the right."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "header")
        self.title = ElidedLabel()
        self.title.setFont(style.scaled_font(self, style.HEADING, bold=True))
        self.facts = ElidedLabel(role="muted")
        self.method = ElidedLabel()
        tip = self.tr("Make a release with these parameters, measure and attack it (Ctrl+R)")
        self.run = style.button(self.tr("Run"), role="primary", tip=tip)
        self.cancel = style.button(self.tr("Cancel"), tip=self.tr("Stop the run (Ctrl+.)"))
        # Cancel stands before Run, which then stays where the pointer is
        # the log's facts give way to the method's name
        parts: list[style.Part] = [(self.title, 3), (self.facts, 8), 0, self.method]
        parts += [self.cancel, self.run]
        style.row(self, parts, margins=(style.WIDE, style.TIGHT), spacing=style.WIDE)
        self.show_log(None)
        self.show_method("")
        self.cancel.hide()

    def show_log(self, opened: OpenedLog | None) -> None:
        self.run.setEnabled(opened is not None)
        self.facts.setVisible(opened is not None)
        if opened is None:
            self.title.show_text(self.tr("No log is open"))
            return
        self.title.show_text(translate_text(opened.title))
        self.facts.show_text(log_facts(opened))

    def show_method(self, title: str) -> None:
        """What Run runs; empty as long as nobody chose a method, and then there is no Run."""
        self.method.show_text(title)
        for part in (self.method, self.run):
            part.setVisible(bool(title))


def log_facts(opened: OpenedLog) -> str:
    """Users, rows, distinct queries and period of a log in one line."""
    log = opened.log
    parts = [
        formats.format_plural(len(log.users), "user"),
        formats.format_plural(len(log), "row", large=True),
        formats.format_plural(opened.queries, "query", "queries", large=True),
        formats.format_period(log.period),
        tr("protects: one user"),
    ]
    rejected = sum(log.origin.rejected.values())
    if rejected:
        parts.append(formats.format_plural(rejected, "row rejected", "rows rejected"))
    return " · ".join(parts)


Tone = Literal["info", "good", "bad"]

SIGNS = {
    "info": ("ℹ", mark_for_translation("Note")),
    "good": ("✓", mark_for_translation("Done")),
    "bad": ("✗", mark_for_translation("Problem")),
}


class Banner(QFrame):
    """Icon, word, text, at most one action, and a way to close it."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Message"))
        self.sign = style.plain_label(bold=True)
        self.text, by = style.plain_label(wrap=True), Qt.TextInteractionFlag
        self.text.setTextInteractionFlags(by.TextSelectableByMouse | by.TextSelectableByKeyboard)
        self.action = style.button("", self._run_action)
        shut = self.tr("Close this message")
        self.shut = style.tool_button("✕", self.hide, name=shut, tip=shut)
        self._do: Callable[[], None] | None = None
        margins = style.WIDE, style.TIGHT, style.NORMAL, style.TIGHT
        style.row(self, [self.sign, (self.text, 1), self.action, self.shut], margins=margins)
        self.hide()

    def show_message(
        self, tone: Tone, text: str, action: str = "", do: Callable[[], None] | None = None
    ) -> None:
        icon, word = SIGNS[tone][0], tr(SIGNS[tone][1])
        self.sign.setText(f"{icon} {word}")
        self.text.setText(text)
        self.setAccessibleDescription(f"{word}: {text}")
        self.action.setText(action)
        self.action.setVisible(bool(action))
        self._do = do
        style.restyle(self, "banner", tone)
        self.show()

    def say_carried(
        self, controller: Controller, params: bool, files: Mapping[Kind, KnowledgeFile]
    ) -> None:
        """Say what of the log before stays (parameters) and what doesn't (attackers' files)."""
        news = []
        if params:
            news.append(self.tr("The parameters are still those that were set for the log before."))
        action, do = self.tr("Reset all"), controller.intents.reset
        if files:
            titles = ", ".join(shorten_text(part.title, 60) for part in files.values())
            text = self.tr("Attackers no longer know what you gave them for it: {titles}.")
            news.append(text.format(titles=titles))
            action, do = self.tr("Use it again"), partial(controller.known.take_back, files)
        self.show_message("info", " ".join(news), action, do)

    def _run_action(self) -> None:
        do = self._do
        self.hide()
        if do is not None:
            do()


@dataclass(frozen=True)
class Workspace:
    """A page of the window, and the one question that it answers."""

    name: str
    title: str
    question: str
    icon: str
    help: str
    """The page of the help that is about it."""


WORKSPACES = tuple(Workspace(name, **about) for name, about in read_words("workspaces").items())
NAMES = tuple(workspace.name for workspace in WORKSPACES)


class NavigationRail(QFrame):
    """Reports the workspace that is chosen; knows nothing of the pages."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "rail")
        self.setAccessibleName(self.tr("Workspaces"))
        self.buttons: dict[str, QToolButton] = {}
        self._group = QButtonGroup(self)
        column = style.column(self, margins=(style.TIGHT, style.NORMAL), spacing=style.TIGHT)
        for number, workspace in enumerate(WORKSPACES, start=1):
            button = QToolButton()
            button.setProperty("role", "rail")
            button.setText(tr(workspace.title))
            shortcut = f"Ctrl+{number}"
            button.setToolTip(f"{tr(workspace.question)} ({shortcut})")
            button.setAccessibleName(tr(workspace.title))
            button.setAccessibleDescription(tr(workspace.question))
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
            button.setCheckable(True)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _on=False, name=workspace.name: self.chosen.emit(name))
            self._group.addButton(button)
            self.buttons[workspace.name] = button
            column.addWidget(button)
        column.addStretch(1)
        self._update_icons()
        EventWatch(self, self._update_icons, QEvent.Type.PaletteChange)

    def minimumSizeHint(self) -> QSize:
        """Room for the words: the drawings go where a window is low and its text is large."""
        lines = len(self.buttons) * (self.fontMetrics().height() + 3 * style.NORMAL)
        return QSize(super().minimumSizeHint().width(), min(lines, self.sizeHint().height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        size = self.buttons[WORKSPACES[0].name].iconSize().height()
        with_drawings = self.minimumSizeHint().height() + len(self.buttons) * size
        styles, roomy = Qt.ToolButtonStyle, self.height() >= with_drawings
        button_style = styles.ToolButtonTextUnderIcon if roomy else styles.ToolButtonTextOnly
        for button in self.buttons.values():
            button.setToolButtonStyle(button_style)

    def show_chosen(self, name: str) -> None:
        for key, button in self.buttons.items():
            button.setChecked(key == name)

    def set_available(self, available: bool) -> None:
        """Without a log and without runs there is nowhere to go."""
        self._group.setExclusive(available)
        for button in self.buttons.values():
            button.setEnabled(available)
            button.setChecked(available and button.isChecked())

    def _update_icons(self) -> None:
        theme = style.theme_of(self)
        size = round(1.3 * self.fontMetrics().height())
        for workspace in WORKSPACES:
            button = self.buttons[workspace.name]
            button.setIcon(style.make_icon(workspace.icon, theme.muted, theme.accent, size))
            button.setIconSize(QSize(size, size))


DRAWINGS = {
    "can-be-released": "circle-check",
    "cannot-be-released": "circle-x",
    "nothing-left": "circle-x",
    "not-checked": "circle-question-mark",
}
"""The drawing of each answer; colour and words say the same."""

LINES, FEWEST = 9, 4
"""Lines of reasons that are shown at once, and in a low window; the rest is scrolled to."""


class VerdictStrip(QFrame):
    """The answer, a sentence in people that says why, and what to do next."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "verdict")
        self.setAccessibleName(self.tr("Verdict"))
        self._tone = ("", "")
        self.sign = style.plain_label()
        self.answer = style.plain_label(size=style.HEADING, bold=True, wrap=True)
        self.sentence = style.plain_label(wrap=True)
        tip = self.tr("Which checks fail, and what the numbers mean")
        self.why = style.button(self.tr("Why"), checkable=True, tip=tip)
        self.why.toggled.connect(self._show_details)
        tip = self.tr("Releases that pass the policy, the most useful first")
        self.suggest = style.button(self.tr("Find a release"), tip=tip)
        self.review = style.button(self.tr("Review"), role="primary")
        self.people = style.button(self.tr("See who"), tip=self.tr("The people who are at risk"))
        self.details = style.plain_label(wrap=True, selectable=True, name=self.tr("Why"))
        self.details.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.reasons = style.scroll_area(self.details)
        for part in (self.reasons, self.reasons.viewport()):
            part.setAutoFillBackground(False)
        self.reasons.viewport().setStyleSheet("background: transparent")
        texts = style.column(None, [self.answer, self.sentence], spacing=0)
        self._buttons = QWidget()
        row = style.row(self._buttons, spacing=style.NORMAL)
        for button in (self.why, self.people, self.suggest, self.review):
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            row.addWidget(button)
        line = style.row(None, [self.sign, (texts, 1), self._buttons], spacing=style.NORMAL)
        margins = style.WIDE, style.NORMAL
        style.column(self, [line, self.reasons], margins=margins, spacing=style.TIGHT)
        self.reasons.hide()
        self.show_verdict(None, self.tr("Open a log to begin."), idle=True)
        EventWatch(self, self._draw_sign, QEvent.Type.PaletteChange)

    def show_verdict(
        self, verdict: ReleaseVerdict | None, subject: str, idle: bool = False
    ) -> None:
        """Show the verdict on `subject`, or that there is none; only that while `idle`."""
        self._buttons.setVisible(not idle)
        ran = verdict is not None and not verdict.expected
        self._offer(self.why, *([self.people] if ran else ()), self.suggest, self.review)
        self.people.setEnabled(True)
        state = verdict.state.value if verdict is not None else "not-checked"
        tone = formats.tone_of(verdict)
        self._set_tone(tone, "triangle-alert" if tone == "warn" else DRAWINGS[state])
        answer = self.tr("Not checked yet") if verdict is None else translate_text(verdict.answer)
        if verdict is not None and verdict.expected:
            answer += self.tr(" (expected)")
        sentences = [] if verdict is None else _say_in_people(verdict)
        reserve = "" if verdict is None else translate_text(verdict.reserve)
        parts = (formats.capitalize(reserve), subject, *sentences)
        lines = [] if verdict is None else _list_reasons(verdict)
        self.why.setEnabled(bool(lines))
        judging = verdict is None and not idle and self.sentence.isVisible()
        # what is judged anew keeps its room: the page below stays where it is
        self.sentence.setMinimumHeight(self.sentence.height() if judging else 0)
        self._say(answer, " \u00b7 ".join(filter(None, parts)), lines)

    def show_log(
        self,
        users: int,
        at_risk: int | None,
        below: int = 0,
        estimate: PeopleEstimate | None = None,
        queries: int = 1,
    ) -> None:
        """Say what the log itself gives away, before anything is chosen; None while it is searched.

        `below` more users hold marks, and are not at risk by all that they issued. Until `at_risk`
        is known the `estimate` stands in its place. Without `queries` nobody can be found by them.
        """
        roughly = estimate if at_risk is None and estimate is not None and estimate.low else None
        self._buttons.show()
        self.sentence.setMinimumHeight(0)
        self._offer(self.people, self.suggest)
        self.people.setEnabled(bool(at_risk or below))
        bad = bool(at_risk or roughly)
        self._set_tone("bad" if bad else "info", DRAWINGS["nothing-left" if bad else "not-checked"])
        all_users = formats.format_plural(users, "user")
        if roughly is not None:
            low, high = map(formats.format_count, roughly.round_outwards())
            answer = self.tr("Not as it is: about {low} to {high} of {users} at risk")
            answer = answer.format(low=low, high=high, users=all_users)
            basis = self.tr("Estimated from {drawn} users drawn at random; counting all…")
            basis = basis.format(drawn=formats.format_count(roughly.sample_size))
        elif at_risk is None:
            answer = self.tr("As it is: not known yet")
            basis = self.tr("Looking for people at risk…")
        elif at_risk:
            answer = self.tr("Not as it is: {at_risk} of {users} at risk")
            answer = answer.format(at_risk=formats.format_count(at_risk), users=all_users)
            basis = self.tr("By what they searched for")
            if below:
                basis = self.tr("By what they searched for; {below} more users hold marks")
            basis = fill_places(basis, {"below": formats.format_count(below)})
        elif not queries:
            answer = self.tr("As it is: not known, since no row has a query")
            basis = self.tr("If another column holds the queries, change the columns")
        else:
            answer = self.tr("As it is: nobody of {users} was found to be at risk")
            answer = answer.format(users=all_users)
            basis = self.tr("Detection knows lists and patterns alone: choose a method")
        self._say(answer, basis, ())

    def _say(self, answer: str, sentence: str, reasons: Sequence[str]) -> None:
        self.answer.setText(answer)
        self.sentence.setText(sentence)
        self.details.setText("\n".join(reasons))
        self._show_details(self.why.isChecked())
        self.setAccessibleDescription(f"{answer}. {sentence}")
        parent = self.parentWidget()
        if parent is not None and self.sentence.height() < self.sentence.heightForWidth(
            self.sentence.width()
        ):  # now, not when the layout's turn comes: until then the last line would be cut
            for part in (self, parent):
                layout = part.layout()
                if layout is not None:
                    layout.activate()

    def _offer(self, *buttons: QWidget) -> None:
        for button in (self.why, self.people, self.suggest, self.review):
            button.setVisible(button in buttons)

    def _set_tone(self, tone: str, drawing: str) -> None:
        if self._tone != (tone, drawing):
            self._tone = tone, drawing
            style.restyle(self, "tone", tone)
            self._draw_sign()

    def _show_details(self, checked: bool) -> None:
        visible = checked and bool(self.details.text())
        if visible:
            high = self.details.heightForWidth(max(self.width() - 3 * style.WIDE, 200))
            line, window = self.fontMetrics().lineSpacing(), self.window()
            self.reasons.hide()
            spare = window.height() - window.minimumSizeHint().height() - style.TIGHT
            highest = max(FEWEST * line, min(LINES * line, spare))
            self.reasons.setFixedHeight(min(high + style.TIGHT, highest))
        self.reasons.setVisible(visible)

    def _draw_sign(self) -> None:
        theme, (tone, drawing) = style.theme_of(self), self._tone
        colours = {"good": theme.good, "warn": theme.warn, "bad": theme.bad, "info": theme.accent}
        size = round(1.9 * self.fontMetrics().height())
        self.sign.setPixmap(style.draw_pixmap(drawing, colours[tone], size))


def _say_in_people(verdict: ReleaseVerdict) -> list[str]:
    """Whom attacks found, what is kept, and what nobody tried."""
    sentences = translate_all(verdict.exposed)
    if not sentences and not verdict.expected:
        sentences = [tr("no attack on people found anything to try")]
        if not verdict.record.made_attacks:
            sentences = [tr("no attack was tried")]
    amount = translate_text(verdict.kept.short)
    if verdict.kept.share is not None and not verdict.expected:
        share = formats.format_percentage(verdict.kept.share)
        amount = tr("{share} of searches").format(share=share)
    if amount:
        keeps = tr("should keep {kept}") if verdict.expected else tr("keeps {kept}")
        sentences.append(keeps.format(kept=amount))
    return sentences


def _list_reasons(verdict: ReleaseVerdict) -> list[str]:
    """What the strip has no room for: every check in the way, then what its numbers mean."""
    checks = tr("Checks: {checks}.").format(checks=translate_text(verdict.checks))
    failed = verdict.obstacles[: len(verdict.failed)]
    causes: dict[str, list[str]] = {}
    for item in verdict.not_run:
        causes.setdefault(translate_text(item.evidence), []).append(translate_text(item.gate.title))
    pattern = tr("Not made: {checks} ({why})")
    if verdict.expected:
        pattern = tr("Not made yet: {checks} ({why})")
    not_made = (pattern.format(checks="; ".join(c), why=why) for why, c in causes.items())
    numbers = translate_all(verdict.sentences[1:])
    return [checks, *translate_all(failed), *not_made, *numbers]


def describe_judged(c: Controller, verdicts: VerdictKeeper) -> str:
    """What the verdict is of: a run and who approved it, or the configuration; or why none is."""
    record = c.shown_run
    if record is None:
        if c.opened is None:
            return tr("Open a log to begin.")
        if c.method.outlook is None:
            return tr("This method is known only after a run.")
        return verdicts.problem or tr("Expected of the configuration, before a run")
    outcome = verdicts.of_run(record.number)
    if isinstance(outcome, str):
        return outcome
    text, reviewer = tr("Run {letter}"), outcome.reviewer if outcome is not None else ""
    if record.state != "finished":
        text = tr("Run {letter}: {state}")
    elif reviewer:
        text = tr("Run {letter}, approved by {reviewer}")
    elif outcome is None and record.complete:
        text = tr("Run {letter} is being judged")
    elif outcome is None and record.gates:
        text = tr("Run {letter}, as it was judged when the project was saved")
    elif outcome is None:
        text = tr("Run {letter}, of which only metrics are kept")
    state = style.RUN_SIGNS[record.state].word
    return text.format(letter=record.letter, state=state, reviewer=reviewer)


def describe_approval(c: Controller, verdicts: VerdictKeeper) -> str:
    """Who approved the release of a run that came from a project; empty if nobody did."""
    record = c.shown_run
    approval = None if record is None else verdicts.of_run(record.number)
    if record is None or not isinstance(approval, StoredApproval):
        return ""
    text = tr("The release of run {letter} was approved by {reviewers}, says the ledger.")
    signer = tr("{reviewer} on {day}")
    reviewers = "; ".join(
        signer.format(reviewer=safe_text.shorten_text(name, 200), day=date[:10])
        for name, date in approval.reviewers
    )
    return text.format(letter=record.letter, reviewers=reviewers)


class WelcomePage(QWidget):
    """An empty state with two buttons; a busy state with progress and a way out."""

    def __init__(self) -> None:
        super().__init__()
        self.frame = QFrame()
        self.frame.setProperty("role", "drop")
        self.title = style.plain_label(size=style.DISPLAY, bold=True, wrap=True)
        self.text = style.plain_label(say("welcome"), size=style.HEADING, wrap=True)
        self.open = style.button(self.tr("Open a log…"), role="primary")
        tip = self.tr("A made-up log that comes with the program: nobody's real searches")
        self.sample = style.button(self.tr("Open the sample log"), tip=tip)
        self.recent = style.button(self.tr("Open recent"), tip=self.tr("What was opened last"))
        tip = self.tr("A short tour on the sample log, to an approved release")
        self.tour = style.button(self.tr("Show me around"), tip=tip)
        self.bar = QProgressBar()
        self.bar.setAccessibleName(self.tr("Reading the log"))
        self.stage = style.plain_label(role="muted")
        self.cancel = style.button(self.tr("Cancel"))
        self._lay_out()
        self.show_empty()

    def _lay_out(self) -> None:
        actions = (self.open, self.recent, self.sample, self.tour, self.cancel)
        for button in actions:
            button.setMinimumHeight(round(self.fontMetrics().height() * 2))
        own = style.row(None, [self.open, self.recent, self.cancel, 1])
        bundled = style.row(None, [self.sample, self.tour, 1])  # large text needs two lines
        buttons = style.column(None, [own, bundled], spacing=style.NORMAL)
        parts: list[style.Part] = [self.title, self.text, buttons, self.bar, self.stage]
        column = style.column(self.frame, parts, margins=3 * style.WIDE, spacing=style.WIDE)
        column.addSpacing(style.WIDE)
        steps = style.grid(stretch={1: 1}, down=0)
        for place, (head, text) in enumerate(read_words("first steps").values()):
            sign = style.plain_label(str(place + 1), bold=True, role="muted")
            steps.addWidget(sign, 3 * place, 0, Qt.AlignmentFlag.AlignTop)
            steps.addWidget(style.plain_label(tr(head), bold=True), 3 * place, 1)
            steps.addWidget(style.plain_label(tr(text), role="muted", wrap=True), 3 * place + 1, 1)
            steps.setRowMinimumHeight(3 * place + 2, style.NORMAL)
        column.addLayout(steps)
        width = self.frame.minimumSizeHint().width()
        self.frame.setMaximumWidth(max(self.fontMetrics().averageCharWidth() * 100, width))
        row = style.row(None, [1, (self.frame, 8), 1])
        content = style.filled(style.column(None, [1, row, 2], margins=style.WIDE))
        area = style.scroll_area(content, focus=False)  # for large text on a small screen
        style.column(self, [area])

    def show_empty(self) -> None:
        self.title.setText(self.tr("May this search log be released?"))
        self._set_busy(False)

    def show_reading(self, title: str) -> None:
        text = self.tr("Reading {title}").format(title=title)
        self.title.setText(formats.capitalize(text))  # German begins with the title
        self.bar.setRange(0, 0)
        self.stage.setText(self.tr("starting"))
        self._set_busy(True)

    def show_progress(self, stage: str, share: float | None) -> None:
        """Say how far it is; None when nobody knows."""
        self.stage.setText(stage)
        self.bar.setRange(0, 0 if share is None else 1000)
        self.bar.setValue(round(1000 * (share or 0.0)))

    def show_over(self, is_over: bool) -> None:
        """Answer to files that are held over the window."""
        style.restyle(self.frame, "over", "true" if is_over else "false")

    def _set_busy(self, busy: bool) -> None:
        for part in (self.open, self.recent, self.sample, self.tour, self.text):
            part.setVisible(not busy)
        for widget in (self.bar, self.stage, self.cancel):
            widget.setVisible(busy)
