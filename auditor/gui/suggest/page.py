"""Find a release: by the log's size alone, which costs no ε, or as somebody asks."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import (
    QDoubleSpinBox,
    QFrame,
    QHeaderView,
    QSizePolicy,
    QStackedWidget,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QWidget,
)

from auditor.engine.plan import Plan
from auditor.gui.app.translation import mark_for_translation, read_words, say, tr, translate_text
from auditor.gui.help.view import set_page
from auditor.gui.plots.figure_view import FigureView, make_tile
from auditor.gui.protect.method_cards import describe_output
from auditor.gui.state.controller import Controller
from auditor.gui.state.verdicts import PolicyKeeper
from auditor.gui.state.worker import JobProgress, LatestJob
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.areas import PageArea
from auditor.gui.widgets.dialogs import Role, ask_question
from auditor.gui.widgets.fields import ChoiceBox, EventWatch
from auditor.gui.widgets.tables import dress_table
from auditor.log.model import QueryLog
from auditor.methods.registry import METHODS
from auditor.release.ledger.store import ledger_path
from auditor.suggestions.limits import read_earlier
from auditor.suggestions.result import (
    MODES,
    Suggestion,
    Suggestions,
    draw_front,
    list_telling,
    order_points,
    pick_choices,
)

if TYPE_CHECKING:
    from auditor.suggestions.request import SearchHearing, SearchRequest
    from auditor.suggestions.store import SearchStore

TONES = ("bad", "warn", "good", "good")
"""The colour of a guarantee, from none to a strong one."""


class ReleaseCard(QFrame):
    """One release; or why there is none of its kind."""

    def __init__(self, title: str, role: str = "") -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.setAccessibleName(title)
        self.kept = style.plain_label(size=style.DISPLAY, bold=True)
        self.leaves = style.plain_label(wrap=True)
        self.exposed = style.plain_label(wrap=True)
        self.strength = style.plain_label(bold=True, wrap=True)
        self.setting = style.plain_label(role="muted", wrap=True)
        name = self.tr("Use: {kind}").format(kind=title)
        tip = self.tr("Set method and parameters, make the release, and attack it")
        self.use = style.button(self.tr("Use"), role=role, name=name, tip=tip)
        name = self.tr("Tune: {kind}").format(kind=title)
        tip = self.tr("Set method and parameters, and go to the sliders")
        self.tune = style.button(self.tr("Tune"), name=name, tip=tip)
        heading = style.plain_label(title, role="muted")
        self._parts = [self.kept, self.leaves, self.exposed, self.strength, self.setting]
        self.column = style.column(
            self,
            [heading, *self._parts, 1, style.row(None, [self.use, self.tune, 1])],
            margins=(style.WIDE, style.WIDE),
            spacing=style.NORMAL,
        )
        self.show_nothing("")

    def show_nothing(self, reason: str) -> None:
        for part in (*self._parts, self.use, self.tune):
            part.setVisible(part is self.leaves)
        self.leaves.setText(reason)
        self.setVisible(bool(reason))

    def show_release(self, point: Suggestion) -> None:
        """Show a release that passes, or may."""
        for part in (self, *self._parts, self.use, self.tune):
            part.show()
        verdict, method = point.verdict, METHODS[point.method]
        share, queries = verdict.kept.share, verdict.kept.queries
        utility = formats.say_kept(verdict.kept)
        if share is not None:
            utility = self.tr("{share} of searches").format(share=formats.format_percentage(share))
        self.kept.setText(utility)
        leaves = [describe_output(method)]
        if queries is not None:
            leaves.append(formats.format_plural(round(queries), "query", "queries"))
        self.leaves.setText(" \u00b7 ".join(leaves))
        exposed = "; ".join(map(translate_text, verdict.exposed))
        unknown = self.tr("Whom attacks expose is not known before a run")
        if not verdict.expected:
            unknown = formats.say_worst(verdict) or self.tr("No attack was tried")
        self.exposed.setText(exposed or unknown)
        strength = verdict.strength
        text = f"{translate_text(strength.title)} · {translate_text(verdict.guarantee.brief)}"
        self.strength.setText(formats.capitalize(text))
        style.restyle(self.strength, "role", TONES[strength])
        self.setting.setText(translate_text(point.title))
        reasons = "\n".join(map(translate_text, point.reasons))
        self.setting.setToolTip(safe_text.plain_tip(reasons))
        self.setting.setAlignment(Qt.AlignmentFlag.AlignTop)


def describe_size(result: Suggestions) -> str:
    """What a log of this many users, and larger ones, can release; empty before a search."""
    best, growth = next((p for p in result.points if p.may_pass), None), result.growth
    users = formats.format_plural(result.users, "user")
    if best is None:
        nothing = tr("With {users}, nothing that was looked at can pass.").format(users=users)
        return nothing if result.points else ""
    text = tr("With {users}, the most useful release that can pass keeps {kept}.")
    lines = [text.format(users=users, kept=formats.say_kept(best.verdict.kept))]
    larger = [point for point in growth.points if point.users > result.users] if growth else []
    if growth is None or not larger:
        lines.append(tr("What more users would keep is not known."))
    else:
        sizes = (larger[len(larger) // 2], larger[-1])
        lines.append(tr("Queries at the same guarantee:"))
        lines += [translate_text(point.sentence).strip() for point in dict.fromkeys(sizes)]
        lines.append(translate_text(growth.method))
    return "\n".join(lines)


Search = Callable[["SearchRequest", QueryLog, "SearchHearing", "SearchStore"], "Suggestions"]


class SuggestionTable(QTableWidget):
    """Best first; those that none of the others beats have a star."""

    chosen = Signal(int)
    """The row whose suggestion is looked at; −1 for none."""
    adopted = Signal(int)

    def __init__(self) -> None:
        super().__init__(0, 5)
        heads = self.tr("Setting"), self.tr("Verdict"), self.tr("Guarantee")
        self.setHorizontalHeaderLabels([*heads, self.tr("What is kept"), self.tr("Worst attack")])
        dress_table(self, self.tr("Suggestions"))
        # All columns share the width, and long texts wrap: the table never scrolls sideways.
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.setWordWrap(True)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.currentCellChanged.connect(lambda row, *_rest: self.chosen.emit(row))
        self.cellActivated.connect(lambda row, _column: self.adopted.emit(row))

    def show_suggestions(self, points: Sequence[Suggestion]) -> None:
        """Show these; the row that was current stays current."""
        current = max(self.currentRow(), 0)
        self.setRowCount(len(points))
        theme = style.theme_of(self)
        for row, point in enumerate(points):
            _, colour = formats.VERDICT_SIGNS[formats.tone_of(point.verdict)]
            texts = (
                f"{'★ ' if point.on_front else ''}{translate_text(point.title)}",
                *formats.list_verdict_texts(point.verdict),
                translate_text(point.worst_short),
            )
            tip = "\n".join((*texts, *map(translate_text, point.reasons)))
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text)
                item.setToolTip(safe_text.plain_tip(tip))
                if column == 1:
                    item.setForeground(QBrush(QColor(getattr(theme, colour))))
                self.setItem(row, column, item)
        if points:
            self.setCurrentCell(min(current, len(points) - 1), 0)


BUDGETS = (60, 300, 900, 3_600)
"""Seconds to choose from."""
LINES, LOW = 28, 10
"""Lines of text that cards and front need, and the front alone."""
BY_ITSELF = 60.0
"""Seconds of a search that nobody asked for."""
KINDS = tuple(read_words("kinds of releases").values())
EMPTY = mark_for_translation("Nothing was searched yet.")


class SuggestPage(QWidget):
    """The answer at the top, three cards below, and at the bottom how else to look."""

    adopted = Signal()
    """The sliders stand as a suggestion says."""
    size_known = Signal(str)
    """What a log of this size can have, in words."""
    progress_changed = Signal(str, object)
    """How a search goes on, and the share that is done; empty words when it is over."""

    def __init__(self, controller: Controller, policy: PolicyKeeper) -> None:
        super().__init__()
        self.controller = controller
        self.policy = policy
        self.job = LatestJob()
        self.search_with: Search | None = None
        """What searches in the place of the usual search."""
        self.points: list[Suggestion] = []
        self.choices: Sequence[Suggestion | None] = ()
        self.automatic = True
        """Whether a search by size begins by itself."""
        self._goal, self._log, self._ends = ("", ""), "", 0.0
        self._judged_by = ""
        """The policy's text at the last search."""
        self._outdated = False
        """Whether what the running search judges by has changed meanwhile."""
        set_page(self, "guide/choosing-a-method")
        self._make_controls()
        roles = "primary", "", ""
        self.cards = [ReleaseCard(tr(kind), role) for kind, role in zip(KINDS, roles, strict=True)]
        self.table = SuggestionTable()
        self.front, self.growth = FigureView(), FigureView()
        name = self.tr("Why it stops there")
        self.reasons = style.plain_label(wrap=True, selectable=True, name=name)
        name = self.tr("State of the search")
        self.status = style.plain_label(role="muted", wrap=True, name=name)
        self.title = style.plain_label(size=style.HEADING, bold=True, wrap=True)
        tip = self.tr("Every setting that was compared, and what stops it")
        self.every = style.button(self.tr("All settings"), checkable=True, tip=tip)
        tip = self.tr("Search for something else")
        self.more = style.button(self.tr("Search again"), checkable=True, tip=tip)
        self.by_hand = style.button(self.tr("Tune by hand"), tip=self.tr("Go to the sliders"))
        self.adopt = style.button(
            self.tr("Use this suggestion"),
            lambda: self._adopt_row(self.table.currentRow()),
            tip=self.tr("Set method and parameters as this suggestion says"),
        )
        self._lay_out()
        self.way.currentIndexChanged.connect(self._say_meaning)
        self.more.toggled.connect(self.options.setVisible)
        self.every.toggled.connect(lambda on: self.views.setCurrentIndex(int(on)))
        for place, card in enumerate(self.cards):
            card.use.clicked.connect(partial(self._adopt_choice, place, True))
            card.tune.clicked.connect(partial(self._adopt_choice, place, False))
        self.table.adopted.connect(self._adopt_row)
        self.table.chosen.connect(self._say_reasons)
        recolour = QEvent.Type.PaletteChange
        EventWatch(self.table, lambda: self.table.show_suggestions(self.points), recolour)
        for moment in (controller.log_opened, controller.log_closed):
            moment.connect(self._another_log)
        controller.known.changed.connect(self._say_meaning)
        self.policy.outdated.connect(self._take_policy)
        self.clear()

    def _make_controls(self) -> None:
        self.goal = ChoiceBox(self.tr("Make most of"), read_words("goals"), least=6)
        self.way = ChoiceBox(self.tr("How to look"), read_words("ways to search"), least=6)
        self.budget = ChoiceBox(self.tr("Time for the search"), least=6)
        self.budget.offer(((formats.format_duration(s), s) for s in BUDGETS), BUDGETS[1])
        self.epsilon = QDoubleSpinBox(minimum=0.05, maximum=5.0, singleStep=0.05, value=0.5)
        style.prepare_spin_box(self.epsilon)
        self.epsilon.setAccessibleName(self.tr("ε of the choice"))
        self.search = style.button(self.tr("Search"), self.ask_search, role="primary")
        tip = self.tr("What was found stays, and the same search goes on from it")
        self.stop = style.button(self.tr("Stop"), self.job.cancel, tip=tip)
        self.meaning = style.plain_label(role="muted", wrap=True)

    def _lay_out(self) -> None:
        controls = style.row(None, spacing=style.WIDE)
        for label, widget in (
            (self.tr("Make most of"), self.goal),
            (self.tr("How to look"), self.way),
            (self.tr("ε of the choice"), self.epsilon),
            (self.tr("Time"), self.budget),
        ):
            name = style.plain_label(label, size=style.SMALL, role="muted")
            cell = style.column(None, [name, widget], spacing=style.TIGHT)
            controls.addLayout(cell, 0 if widget is self.epsilon else 1)
        controls.addWidget(self.search, 0, Qt.AlignmentFlag.AlignBottom)
        options = style.column(None, [controls, self.meaning], spacing=style.NORMAL)
        self.options = style.filled(options)
        self.options.hide()
        self.plots = QTabWidget()
        self.plots.addTab(self.front, self.tr("Front"))
        self.plots.addTab(self.growth, self.tr("Growth"))
        three = style.row(None, [(card, 1) for card in self.cards], spacing=style.NORMAL)
        top = Qt.AlignmentFlag.AlignTop
        reason_row = style.row(None, [(self.reasons, 1), (self.adopt, 0, top)], spacing=style.WIDE)
        table: list[style.Part] = [(make_tile(self.table), 1), reason_row]
        compared = style.column(None, table, spacing=style.NORMAL)
        self.pictures = make_tile(self.plots)
        # The front takes what cards leave, however high it would like to be.
        self.pictures.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.pictures.setMinimumHeight(LOW * self.fontMetrics().lineSpacing())
        parts: list[style.Part] = [style.filled(three), (self.pictures, 1000), 1]
        cards = style.column(None, parts, spacing=style.NORMAL)
        self.views = QStackedWidget()
        self.views.addWidget(PageArea(style.filled(cards), LINES))
        self.views.addWidget(style.filled(compared))
        buttons = self.stop, self.every, self.more, self.by_hand
        head = style.row(None, [(self.title, 1), *buttons], spacing=style.NORMAL)
        parts = [head, self.options, (self.views, 1), self.status]
        style.column(self, parts, margins=(style.WIDE, style.NORMAL), spacing=style.NORMAL)

    def take_focus(self) -> None:
        """Have the keyboard at the first release, or else at what searches."""
        use = self.cards[0].use
        (use if use.isVisible() else self.more).setFocus()

    # what is asked

    @property
    def chosen_way(self) -> str:
        return str(self.way.currentData())

    def _find_reference(self) -> QueryLog | None:
        part = self.controller.known.now.parts.get("reference")
        return None if part is None or isinstance(part.content, Path) else part.content

    def _say_meaning(self) -> None:
        mode = self.chosen_way
        text = translate_text(MODES["free" if mode == "reference" else mode])  # type: ignore[index]
        if mode == "reference" and self._find_reference() is None:
            text = say("no reference log")
        self.meaning.setText(text)
        self.epsilon.setEnabled(mode == "private")
        self._update_buttons()

    def _update_buttons(self) -> None:
        ready = self.controller.opened is not None
        if self.chosen_way == "reference":
            ready = ready and self._find_reference() is not None
        self.search.setEnabled(ready and not self.job.running)
        self.stop.setVisible(self.job.running)
        self.adopt.setEnabled(0 <= self.table.currentRow() < len(self.points))

    def ask_search(self) -> None:
        """Begin a search; one that costs ε once somebody agrees to that."""
        if self.chosen_way != "private":
            self.start_search()
            return
        epsilon = formats.format_digits(self.epsilon.value(), 3)
        ask_question(
            self,
            self.tr("A private search"),
            self.tr("This search costs ε = {epsilon} of this log.").format(epsilon=epsilon),
            say("cost of a private search"),
            {
                self.tr("Cancel"): (Role.RejectRole, lambda: None),
                self.tr("&Spend it and search"): (Role.AcceptRole, self.start_search),
            },
        )

    def start_by_itself(self) -> None:
        """Search by the number of users alone, unless something was searched or is to be."""
        if self.automatic and not (self.points or self.status.text() or self.job.running):
            self.start_search("sizes", BY_ITSELF)

    def start_search(self, mode: str = "", budget: float = 0.0) -> None:
        """Begin a search as it is set, or go on with the same one; or in another way."""
        opened = self.controller.opened
        if opened is None or self.job.running:
            return
        mode, goal = mode or self.chosen_way, str(self.goal.currentData())
        searched = self._find_reference() if mode == "reference" else opened.log
        if searched is None:
            return
        budget = budget or float(self.budget.currentData())
        policy, search = self.policy, self.search_with
        epsilon, released = self.epsilon.value(), opened.log

        def search_log(progress: JobProgress) -> Any:
            from auditor.suggestions.request import SearchHearing, SearchRequest, parse_goal
            from auditor.suggestions.search import suggest_release
            from auditor.suggestions.store import SearchStore

            hearing = SearchHearing(on_candidate=progress.tell, progress=progress)
            request = SearchRequest(
                policy=policy.load_policy(),
                goal=parse_goal(goal),
                mode="free" if mode == "reference" else mode,  # type: ignore[arg-type]
                budget=budget,
                selection_epsilon=epsilon,
                users=len(released.users),
                earlier=read_earlier(released, ledger_path(), progress),
            )
            return (search or suggest_release)(request, searched, hearing, SearchStore.open_usual())

        self._goal, self._log = (goal, self.goal.currentText()), opened.log.digest
        self._judged_by, self._outdated = policy.text, False
        self._ends = time.monotonic() + budget
        self._start_anew(self.tr("Searching…"), self.tr("Searching"))
        self.title.setText(self.tr("Looking for releases that pass the policy…"))
        self.more.setChecked(False)
        self.job.start(
            "suggest",
            search_log,
            self._show_result,
            self._show_failure,
            partial=self._add_suggestion,
            cancelled=lambda: self._show_failure(""),
            progressed=self._show_progress,
        )
        self._update_buttons()

    def _take_policy(self) -> None:
        if self.policy.text != self._judged_by:
            self.forget_results()

    def forget_results(self) -> None:
        """Forget what was judged by another policy, or before one more release of the log."""
        if self.job.running:  # a private choice may be made by now: hear what it cost
            self._outdated = True
            self.job.cancel()
        elif self.status.text():
            self.clear()
            self.progress_changed.emit("", None)
            if self.isVisible():
                self.start_by_itself()

    # what is found

    def clear(self) -> None:
        self._start_anew(tr(EMPTY), "")
        self.title.setText(self.tr("Find a release that passes the policy"))
        self._say_meaning()

    def _start_anew(self, words: str, status: str) -> None:
        """Show no release, and words in the place of each."""
        self._list_suggestions([])
        self.plots.setTabVisible(1, False)
        self._show_cards([words] * len(KINDS))
        self.reasons.setText("")
        self.status.setText(status)

    def _adopt_choice(self, place: int, run: bool, _checked: bool = False) -> None:
        point = self.choices[place]
        if point is not None:
            self.adopt_suggestion(point)
            if run:
                self.controller.run()

    def _adopt_row(self, row: int) -> None:
        if 0 <= row < len(self.points):
            self.adopt_suggestion(self.points[row])

    def adopt_suggestion(self, point: Suggestion) -> None:
        """Set method and parameters as a suggestion says, with what its choice cost."""
        opened = self.controller.opened
        if opened is not None:
            plan = Plan(
                log_digest=opened.log.digest,
                method=point.method,
                params=point.params,
                selection=point.selection,
            )
            self.controller.intents.adopt_plan(plan)
            self.adopted.emit()

    def _add_suggestion(self, point: Suggestion) -> None:
        if point.selection is not None:  # spent, also when the search is cancelled
            self.controller.intents.raise_cost(point.selection)
        if self._outdated:
            return
        key = attrgetter("method", "params")
        self._show_points([*(p for p in self.points if key(p) != key(point)), point])

    def _show_points(self, points: list[Suggestion]) -> None:
        ordered = order_points(points)
        self._list_suggestions(list(list_telling(ordered)))
        self.front.show_figure(draw_front(ordered, *self._goal, ""))
        self._show_cards([self.tr("Searching…")] * len(KINDS))
        self._say_reasons(self.table.currentRow())
        self._update_buttons()

    def _list_suggestions(self, points: list[Suggestion]) -> None:
        self.points = points
        self.table.show_suggestions(points)
        self.every.setEnabled(bool(points))
        self.pictures.setVisible(any(point.may_pass for point in points))
        if not points:
            self.every.setChecked(False)

    def _show_cards(self, otherwise: Sequence[str]) -> None:
        """Show the releases to choose from, and in the place of those that are not there, words."""
        self.choices = pick_choices(self.points)
        for card, point, words in zip(self.cards, self.choices, otherwise, strict=True):
            if point is not None:
                card.show_release(point)
            else:
                card.show_nothing(words)

    def _say_answer(self, result: Suggestions) -> None:
        """How many releases pass; why none does, and what would help."""
        passing = sum(point.may_pass for point in result.points)
        measured = sum(point.passes for point in result.points)
        text = self.tr("Nothing that was looked at passes “{policy}”")
        if result.stopped and not result.points:
            text = self.tr("The search ended before it found anything")
        if measured:
            text = formats.format_plural(measured, "release passes", "releases pass")
        elif passing:
            nouns = "release is expected to pass", "releases are expected to pass"
            text = formats.format_plural(passing, *nouns)
        if passing:
            text += self.tr(" “{policy}”")
        self.title.setText(text.format(policy=translate_text(result.policy)))
        empty_text = self.tr("None was found.")
        if result.obstacle is not None:
            reasons = (*result.obstacle.gates, *result.obstacle.remedies)
            empty_text = "\n".join(map(translate_text, reasons))
        no_log = self.tr("No log, row by row, was found that passes.")
        made_up = self.tr("Released tables can be written as made-up sessions.") if passing else ""
        same_text = self.tr("The same as the most useful one.") if passing else ""
        log = filter(None, (no_log, translate_text(result.left_out), made_up))
        self._show_cards([empty_text, same_text, " ".join(log)])

    def _say_reasons(self, row: int) -> None:
        if 0 <= row < len(self.points):
            point = self.points[row]
            lines = [*point.verdict.sentences[:1], *point.reasons]
            self.reasons.setText(" ".join(map(translate_text, lines)))
            use, attempt = self.tr("Use this suggestion"), self.tr("Try this setting")
            self.adopt.setText(use if point.may_pass else attempt)
        self.adopt.setEnabled(0 <= row < len(self.points))

    def _show_progress(self, stage: str, done: int, total: int) -> None:
        text = translate_text(stage)
        if total:
            text += f" ({formats.format_count(min(done, total))} / {formats.format_count(total)})"
        time_left = formats.format_duration(max(self._ends - time.monotonic(), 0))
        text = self.tr("Searching: {stage}, about {left} more").format(stage=text, left=time_left)
        self.progress_changed.emit(text, min(done / total, 1.0) if total else None)

    def _show_result(self, result: Suggestions) -> None:
        for spent in filter(None, (point.selection for point in result.points)):
            self.controller.intents.raise_cost(spent)
        if self._outdated:
            self.forget_results()
            return
        self._show_points(list(result.points))
        self._say_answer(result)
        if result.growth is not None:
            self.growth.show_figure(result.growth.draw_figure())
        self.plots.setTabVisible(1, result.growth is not None)
        self.size_known.emit(describe_size(result))
        mode_text = MODES[result.mode]
        lines = [mode_text, *result.earlier, result.note, result.cost.sentence, result.too_long]
        if result.stopped:
            lines.append(self.tr("It ended early; the same search goes on from here."))
        self.status.setText(" ".join(translate_text(line) for line in lines if line))
        self.progress_changed.emit("", None)
        self._update_buttons()

    def _show_failure(self, reason: str) -> None:
        if self._outdated:
            self.forget_results()
            return
        self._show_cards([reason or tr(EMPTY)] * len(KINDS))
        self.title.setText(self.tr("Find a release that passes the policy"))
        self.status.setText(reason)
        self.progress_changed.emit("", None)
        self._update_buttons()

    def _another_log(self) -> None:
        self.job.drop()
        opened = self.controller.opened
        if opened is None or opened.log.digest != self._log:
            self._log = "" if opened is None else opened.log.digest
            self.clear()
        self._update_buttons()
