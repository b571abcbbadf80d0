"""The workspace Log: what is in it, and what it gives away before anything is done."""

import itertools
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np
from PySide6.QtCore import QEvent, QItemSelection, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHeaderView, QPushButton, QWidget

from auditor.arrays import Int64s
from auditor.attacks.base import AttackResult, FlaggedFindings
from auditor.attacks.risk.people_estimate import PeopleEstimate
from auditor.engine.log_overview import HEAD, LogSummary, find_content, summarize_log
from auditor.figures import Axis, Figure, Series
from auditor.gui.app.translation import say, tr, translate_all, translate_text
from auditor.gui.plots.figure_view import FigureView, make_tile
from auditor.gui.state.controller import Controller
from auditor.gui.state.log_loading import OpenedLog
from auditor.gui.state.worker import LatestJob
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.areas import PageArea, UprightArea
from auditor.gui.widgets.fields import EventWatch
from auditor.gui.widgets.tables import Column, ColumnModel, make_table
from auditor.log.model import LogOrigin


def draw_per_user(events: Int64s) -> Figure:
    """How many users submitted how many queries, in classes that double."""
    top = int(events.max(initial=1))
    edges = [1 << power for power in range(top.bit_length() + 1)]
    counts, _ = np.histogram(events, bins=np.array(edges, dtype=np.float64))
    names = tuple(
        str(low)
        if high - low == 1
        else f"{formats.format_count(low)}–{formats.format_count(high - 1)}"
        for low, high in itertools.pairwise(edges)
    )
    places = np.arange(len(names), dtype=np.float64)
    return Figure(
        "queries-per-user",
        tr("Queries per user"),
        Axis(tr("queries"), categories=names),
        Axis(tr("users")),
        (Series("", places, counts.astype(np.float64), "bars"),),
        own_words=True,
    )


def _by_rank(users: Int64s) -> Figure:
    """Users of each query by its rank: the head at the left, the long tail at the right."""
    count = len(users)
    ranks = np.unique(np.geomspace(1, max(1, count), 200).astype(np.int64))
    ranks = ranks[ranks <= count]
    kind: Literal["line", "points"] = (
        "line" if count > 1 else "points"
    )  # a line of one point shows nothing
    return Figure(
        "head-and-tail",
        tr("Head and tail of the queries"),
        Axis(tr("rank of the query"), scale="log"),
        Axis(tr("users who submitted it"), scale="log"),
        (Series("", ranks.astype(np.float64), users[ranks - 1].astype(np.float64), kind),),
    )


def _by_reason(people: FlaggedFindings) -> Figure:
    """How many users hold each kind of content, by at least one search."""
    counts = {reason: float(has.sum()) for reason, has in people.find_reasons().items()}
    main_reasons = sorted(counts, key=lambda reason: -counts[reason])[:HEAD]
    places = np.arange(len(main_reasons), dtype=float)
    users = np.array([counts[reason] for reason in main_reasons])
    return Figure(
        "by-reason",
        tr("Users with each kind of content"),
        Axis(tr("kind"), categories=tuple(main_reasons)),
        Axis(tr("users")),
        (Series("", places, users, "bars"),),
        own_words=True,
    )


class FactsArea(UprightArea):
    """The cards beside the plots; scrolled there, and at full height above the plots."""

    def __init__(self, cards: QWidget) -> None:
        super().__init__()
        self._whole, self._cards = False, cards
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(cards)
        EventWatch(self, self.updateGeometry, QEvent.Type.Resize)
        EventWatch(cards, self.updateGeometry, QEvent.Type.LayoutRequest)

    def show_whole(self, whole: bool) -> None:
        """Show all cards at once, where the page scrolls, or as many as there is room for."""
        self._whole = whole
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """As high as the cards need in this width, if all are shown."""
        least, cards = super().minimumSizeHint(), self._cards.layout()
        if self._whole and cards is not None:
            least.setHeight(max(cards.heightForWidth(self.width()), cards.minimumSize().height()))
        return least


LINES = 36
"""Lines of text that the page needs."""
NUMBERS = {4: (1, 2), 2: (1,)}
"""Which columns of a grid of so many hold numbers."""
PAUSE = 400
"""Milliseconds after which a log that was opened is searched for sensitive content."""


class LogPage(PageArea):
    """Facts at the left, four plots at the right; everything is counted in threads."""

    content_found = Signal(object)
    """An `AttackResult`: the sessions at risk of the log as it is."""
    estimated = Signal()
    """How many users are at risk is known roughly: `estimate`."""

    def __init__(self, controller: Controller) -> None:
        super().__init__()
        self.controller = controller
        self.summary: LogSummary | None = None
        self.content: AttackResult | None = None
        self.estimate: PeopleEstimate | None = None
        self._counting, self._searching = LatestJob(), LatestJob()
        self._search = QTimer(self, singleShot=True, interval=PAUSE)
        self._search.timeout.connect(self._look_for_content)
        self._confirmed: set[str] = set()
        self._inputs: tuple[dict[str, float], Path | None] = {}, None
        """What content was looked for with: weights of rules, and people's profiles."""
        controller.known.changed.connect(lambda _known: self._repeat_search())
        controller.intents.changed.connect(lambda _intent: self._repeat_search())
        self.facts = style.plain_label(wrap=True)
        self.unit = style.plain_label(bold=True, wrap=True)
        self.guessed = style.plain_label(size=style.SMALL, wrap=True)
        tip = self.tr("The user column is the one that tells people apart")
        self.confirm = style.button(self.tr("Confirm"), self._confirm_guesses, tip=tip)
        self.change = style.button(self.tr("Change the columns…"))
        self.rejected = style.button("")
        self.unmask = controller.disclosure.make_box()
        controller.disclosure.toggled.connect(lambda _on: self._fill_cards())
        self.capacity = style.plain_label(wrap=True)
        self.columns, self.head = style.grid(), style.grid()
        self.plots = [FigureView() for _ in range(4)]
        self._lay_out()
        controller.log_opened.connect(self._summarize_log)
        controller.log_closed.connect(self._clear_log)
        controller.closing.connect(self.drop_jobs)
        self._clear_log()

    def _lay_out(self) -> None:
        buttons = style.row(None, [self.confirm, self.change, 1])
        protects = _make_card(self.tr("Whom one record protects"), self.unit, self.guessed, buttons)
        reading_card = _make_card(self.tr("What was read"), self.facts, self.rejected)
        columns = _make_card(self.tr("Columns"), self.columns, self.unmask)
        head = _make_card(self.tr("Most frequent queries"), self.head)
        size = _make_card(self.tr("What a log of this size can have"), self.capacity)
        right = QWidget()
        cards: list[style.Part] = [reading_card, protects, size, columns, head, 1]
        left = style.filled(style.column(None, cards, spacing=style.NORMAL))
        grid = style.grid(right, {0: 1, 1: 1}, across=style.NORMAL, down=style.NORMAL)
        self._titles = []
        for place, view in enumerate(self.plots):
            title = style.plain_label(bold=True)
            title.setContentsMargins(style.WIDE, 0, 0, 0)
            self._titles.append(title)
            titled = style.column(None, [title, (view, 1)], margins=(0, style.NORMAL, 0, 0))
            grid.addWidget(make_tile(style.filled(titled)), place // 2, place % 2)
        for line in (0, 1):
            grid.setRowStretch(line, 1)
        side = FactsArea(left)
        self.narrowed.connect(side.show_whole)
        split = style.splitter([side, right], sizes=[430, 850], stretch=(0, 1))
        content = style.column(None, [split], margins=style.NORMAL)
        self.set_page(style.filled(content), LINES, (split,))

    @property
    def busy(self) -> bool:
        return self._search.isActive() or self._counting.running or self._searching.running

    def drop_jobs(self) -> None:
        self._search.stop()
        self._counting.drop()
        self._searching.drop()

    def _clear_log(self) -> None:
        self.drop_jobs()
        self.summary, self.content, self.estimate = None, None, None
        self.show_size("")
        self._fill_cards()

    def _summarize_log(self, opened: OpenedLog) -> None:
        self._clear_log()
        work, show = partial(summarize_log, opened.log), self._show_summary
        self._counting.start("log summary", work, show, lambda _why: show(None))
        self._search.start()  # what the first page shows comes first

    def _look_for_content(self) -> None:
        if "profiles" in self.controller.known.now.reading:
            self._search.start()  # with them it would be repeated
        elif self.controller.opened is not None:
            log = self.controller.opened.log
            weights, profiles = self._inputs = self._read_inputs()
            self._searching.start(
                "content of the log",
                lambda progress: find_content(log, progress, progress.tell, weights, profiles),
                self._show_content,
                lambda _why: self._show_content(None),
                partial=self._show_estimate,
                cancelled=partial(self._show_content, None),
            )

    def _read_inputs(self) -> tuple[dict[str, float], Path | None]:
        part = self.controller.known.now.parts.get("profiles")
        profiles = part.content if part and isinstance(part.content, Path) else None
        return dict(self.controller.intent.rule_weights), profiles

    def _repeat_search(self) -> None:
        """Look for content once more where a rule's weight or the profiles were changed."""
        if self._read_inputs() != self._inputs:
            self._search.start()

    def _show_estimate(self, estimate: PeopleEstimate) -> None:
        self.estimate = estimate
        self.estimated.emit()

    def show_size(self, text: str) -> None:
        """Show what a log of this many users can release; empty before a search."""
        self.capacity.setText(text or self.tr("Known once releases were searched for."))

    def _show_summary(self, result: LogSummary | None) -> None:
        self.summary = result
        self._fill_cards()

    def _show_content(self, result: AttackResult | None) -> None:
        if self._read_inputs()[1] != self._inputs[1]:
            return  # looked for without the profiles that came meanwhile: it is being repeated
        self.content = result
        self.content_found.emit(result)
        self._fill_cards()

    def _confirm_guesses(self) -> None:
        if self.controller.opened is not None:
            self._confirmed.add(self.controller.opened.log.digest)
            self._fill_cards()

    # what is shown

    def _fill_cards(self) -> None:
        opened = self.controller.opened
        for grid in (self.columns, self.head):
            style.clear_layout(grid)
        for control in (self.change, self.unmask):
            control.setEnabled(opened is not None)
        if opened is None:
            for label in (self.facts, self.unit, self.guessed, *self._titles):
                label.clear()
            for button in (self.rejected, self.confirm):
                button.hide()
            for view in self.plots:
                view.clear(tr("Nothing to draw."))
            self.facts.setText(self.tr("No log is open"))
            return
        self._fill_facts(opened)
        summary, content = self.summary, self.content
        if summary is not None:
            mask = self.controller.disclosure.mask_text
            heads = (tr("Role"), tr("Distinct"), tr("Missing"), tr("Examples"))
            _add_row(self.columns, 0, heads, role="muted")
            for row, column in enumerate(summary.columns, start=1):
                texts = (safe_text.shorten_text(text, 40) for text in column.examples)
                examples = mask("; ".join(texts))
                missing = distinct = "–"
                if column.missing:
                    missing = f"{formats.format_digits(100 * column.missing, 3)} %"
                if column.distinct is not None:
                    distinct = formats.format_count(column.distinct)
                role = formats.name_column(column.name)
                _add_row(self.columns, row, (role, distinct, missing, examples))
            telling = [exposure for exposure in summary.exposures[1:] if exposure.few]
            for place, exposure in enumerate([*summary.exposures[:1], *telling]):
                sentence = translate_text(exposure.text)
                role = "muted" if place else ""
                label = style.plain_label(sentence, size=style.SMALL, role=role, wrap=True)
                self.columns.addWidget(label, len(summary.columns) + 1 + place, 0, 1, len(heads))
            _add_row(self.head, 0, (tr("Query"), tr("Users")), role="muted")
            for row, (code, users) in enumerate(summary.head, start=1):
                text = mask(safe_text.make_line(opened.log.queries, code, 60))
                _add_row(self.head, row, (text, formats.format_count(users)))
            if opened.queries:
                once, all_queries = map(formats.format_count, (summary.once, opened.queries))
                single_user = tr("one user alone: {count} of {all} queries").format(
                    count=once, all=all_queries
                )
                _add_row(self.head, len(summary.head) + 1, (single_user, "1"), role="muted")
        figures = [*(content.figures if content else ())]
        if summary is not None:
            figures += [draw_per_user(summary.per_user), _by_rank(summary.by_rank)]
        if content is not None and content.findings is not None and content.findings.people:
            figures.append(_by_reason(content.findings.people))
        names = ("queries-per-user", "head-and-tail", "by-reason", "by-risk")
        for view, title, name in zip(self.plots, self._titles, names, strict=True):
            named = (figure for figure in figures if figure.name == name)
            # axes without a bar would need a reader to see that nothing is missing
            figure = next((f for f in named if any(part.y.any() for part in f.series)), None)
            title.setText(translate_text(figure.title) if figure is not None else "")
            if figure is not None:
                view.show_figure(figure)
            else:
                view.clear(tr("Counting…") if self.busy else tr("Nothing to draw."))

    def _fill_facts(self, opened: OpenedLog) -> None:
        log = opened.log
        counts = (
            formats.format_plural(len(log), "row", large=True),
            formats.format_plural(len(log.users), "user"),
            formats.format_plural(opened.queries, "distinct query", "distinct queries", large=True),
            formats.format_plural(log.clicks, "click", large=True),
        )
        period = tr("Period: {period}").format(period=formats.format_period(log.period))
        lines = [", ".join(counts), period]
        if self.summary is not None and opened.queries and len(log.users) > 1:
            median = formats.format_plural(round(self.summary.median), "query", "queries")
            most_rows = formats.format_count(self.summary.most)
            text = tr("Half of the users have at most {median}; one has {most}.")
            lines.append(text.format(median=median, most=most_rows))
        if self.summary is not None and self.summary.unfinished is not None:
            lines.append(translate_text(self.summary.unfinished))
        self.facts.setText("\n".join(lines))
        rejected = sum(log.origin.rejected.values())
        rows = formats.format_plural(rejected, "rejected row", "rejected rows")
        self.rejected.setText(f"{rows}…")
        self.rejected.setVisible(rejected > 0)
        unit = tr("One user: everything that stands under one user id.")
        if len(log.users) > 1:
            unit = tr("One user: everything that stands under one of the {users} user ids.")
        self.unit.setText(unit.format(users=formats.format_count(len(log.users))))
        guesses = translate_all(log.origin.notes)
        text = tr("The columns are as the file's format says.")
        if guesses:
            text = tr("Read on these assumptions: {assumed}.").format(assumed="; ".join(guesses))
        self.guessed.setText(text)
        self.confirm.setVisible(bool(guesses) and log.digest not in self._confirmed)


def _make_card(title: str, *parts: style.Part) -> QFrame:
    card, left = QFrame(), Qt.AlignmentFlag.AlignLeft
    card.setProperty("role", "card")
    aligned = [(part, 0, left) if isinstance(part, QPushButton) else part for part in parts]
    heading = style.plain_label(title, size=style.HEADING, bold=True)
    margins = style.WIDE, style.NORMAL
    style.column(card, [heading, *aligned], margins=margins, spacing=style.TIGHT)
    return card


def _add_row(grid: QGridLayout, row: int, texts: tuple[str, ...], role: str = "") -> None:
    """A row of a card's grid; the columns of `NUMBERS` stand at the right, under their heads."""
    grid.setColumnStretch(len(texts) - 1 if len(texts) > 2 else 0, 1)
    for column, text in enumerate(texts):
        label = style.plain_label(text, size=style.SMALL, role=role, wrap=column == 3)
        number = column in NUMBERS[len(texts)]
        side = Qt.AlignmentFlag.AlignRight if number else Qt.AlignmentFlag.AlignLeft
        label.setAlignment(side | Qt.AlignmentFlag.AlignTop)
        grid.addWidget(label, row, column)


TEXT_SHOWN = 200


class RejectedRowsView(QWidget):
    """Shows what a log's reader refused; choosing a reason lists the rows refused for it."""

    def __init__(self, origin: LogOrigin) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Rejected rows"))
        self.summary = style.plain_label(summarize_rejected(origin), wrap=True)
        self._rejects = origin.rejects
        counts = sorted(origin.rejected.items(), key=lambda item: (-item[1], item[0]))
        self.counts = ColumnModel(
            (
                Column(tr("Reason"), lambda line: translate_text(line[0])),
                Column(tr("Rows"), lambda line: formats.format_count(line[1]), number=True),
            ),
            [(tr("All reasons"), sum(origin.rejected.values())), *counts],
            self,
        )
        self.kept = ColumnModel(
            (
                Column(tr("File"), lambda r: safe_text.shorten_text(r.file, 200)),
                Column(tr("Line"), lambda r: formats.format_count(r.line), number=True),
                Column(
                    tr("Column"),
                    lambda r: "" if r.column is None else formats.format_count(r.column),
                    number=True,
                ),
                Column(tr("Reason"), lambda r: translate_text(r.reason)),
                Column(tr("Begins with"), lambda r: safe_text.shorten_text(r.text, TEXT_SHOWN)),
            ),
            origin.rejects,
            self,
        )
        self.reasons = make_table(self.counts, self.tr("Rejected rows by reason"))
        header = self.reasons.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.reasons.selectionModel().selectionChanged.connect(self._show_chosen_reason)
        samples = ("user-ct-test-collection", "36,389,567", "Column 0", "wrong number of columns")
        self._rows = make_table(self.kept, self.tr("The first rejected rows"), samples)
        self._rows.horizontalHeader().setStretchLastSection(True)
        split = style.splitter([self.reasons, self._rows], sizes=[240, 640], stretch=(0, 1))
        column = style.column(self, [self.summary, (split, 1)], margins=None)
        split.setVisible(bool(origin.rejected))
        if not origin.rejected:
            column.addStretch(1)
        self.reasons.selectRow(0)

    def _show_chosen_reason(self, selected: QItemSelection) -> None:
        rows = {index.row() for index in selected.indexes()}
        if rows:
            reason, is_total = self.counts.lines[min(rows)][0], min(rows) == 0
            self.kept.set_lines([r for r in self._rejects if is_total or r.reason == reason])


def summarize_rejected(origin: LogOrigin) -> str:
    """How many rows were refused, of how many, and how many of them are listed."""
    refused = sum(origin.rejected.values())
    rows = formats.format_plural(origin.rows_read, "row")
    if not refused:
        return tr("Every one of the {rows_read} was read.").format(rows_read=rows)
    share = 100 * refused / max(1, origin.rows_read)
    text = say("rows refused").format(
        refused=formats.format_count(refused),
        rows=rows,
        share=tr("under 0.01") if share < 0.01 else formats.format_digits(share, 2),
    )
    if len(origin.rejects) < refused:
        rejects = formats.format_count(len(origin.rejects))
        text += tr(" The first {rejects} are listed.").format(rejects=rejects)
    return text + tr(" Lines count from 1 within their file.")
