"""Why a query is kept or dropped; what is shown are counts of the original log, never kept."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QStringListModel, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCompleter,
    QDialog,
    QGridLayout,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTextEdit,
    QWidget,
)

from auditor.engine.explanation import ExplanationAnswer, beginning_with, explain_query
from auditor.figures import Table
from auditor.gui.app.translation import translate_text
from auditor.gui.compare.tables_panel import TableModel
from auditor.gui.plots.figure_view import FigureView
from auditor.gui.state.worker import LatestJob
from auditor.gui.widgets import style
from auditor.gui.widgets.tables import make_table
from auditor.log.model import QueryLog
from auditor.privacy.release import Anonymized
from auditor.release.explanation_text import ExplanationSection, write_sections

OFFERED = 12
"""Queries of the log that the field offers."""

WAIT = 150
"""Milliseconds after the last key before the log is searched."""


class WhyDialog(QDialog):
    """A field for a query and, below it, everything that explains its fate in one run."""

    def __init__(
        self, log: QueryLog, release: Anonymized, subject: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Why kept, why dropped"))
        self._log, self._release = log, release
        self._asking, self._looking = LatestJob(), LatestJob()
        hint = self.tr("A query, exactly as it was issued")
        self.field = style.line_edit(self.tr("Query"), hint, clearable=True)
        self.offers = QStringListModel(self)
        completer = QCompleter(self.offers, self)
        completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        completer.activated.connect(self.explain_query)
        self.field.setCompleter(completer)
        self.button = QPushButton(self.tr("Explain"))
        self.button.setDefault(True)
        self._pause = QTimer(self, singleShot=True, interval=WAIT)
        self._pause.timeout.connect(self._search_completions)
        self.field.textEdited.connect(lambda _text: self._pause.start())
        self.button.clicked.connect(lambda _checked=False: self.explain_query())
        self.state = style.plain_label(role="muted", wrap=True)
        top = style.row(None, [(self.field, 1), self.button])
        text = self.tr("Of the run {whose}. What you see are counts of the original log.")
        self.state.setText(text.format(whose=subject))
        self.column = style.column(None, [1])
        self.body = style.filled(self.column)
        area = style.scroll_area(self.body, name=self.tr("Answer"))
        style.column(self, [top, self.state, (area, 1)], margins=None)
        self.finished.connect(self._drop_jobs)
        self.resize(760, 640)

    # a question

    def explain_query(self, query: str | None = None) -> None:
        if query is not None:
            self.field.setText(query)
        query = self.field.text()
        if not query:
            return
        self._drop_jobs()
        log, release = self._log, self._release
        self.state.setText(self.tr("Looking it up…"))
        work = partial(explain_query, log, release, query)
        self._asking.start("explain", work, self._show_answer, self._show_failure)

    def _search_completions(self) -> None:
        start, log = self.field.text(), self._log
        self._looking.drop()
        if not start:
            self.offers.setStringList([])
            return
        work = partial(beginning_with, log, start, OFFERED)
        self._looking.start("complete", work, self._offer_completions)

    def _offer_completions(self, queries: Sequence[str]) -> None:
        self.offers.setStringList(list(queries))
        if queries and self.field.hasFocus():
            self.field.completer().complete()

    def _show_answer(self, answer: ExplanationAnswer) -> None:
        *sections, conclusion = write_sections(answer)
        self.state.setText(translate_text(conclusion.text))
        style.clear_layout(self.column)
        for section in sections:
            title = style.plain_label(translate_text(section.title), bold=True, wrap=True)
            title.setContentsMargins(0, style.NORMAL, 0, 0)
            self.column.addWidget(title)
            if section.text:
                self.column.addWidget(style.plain_label(translate_text(section.text), wrap=True))
            if section.lines:
                self.column.addWidget(_make_line_grid(section))
            for figure in section.figures:
                self.column.addWidget(style.plain_label(translate_text(figure.title), wrap=True))
                view = FigureView()
                view.setFixedHeight(230)
                view.show_figure(figure)
                self.column.addWidget(view)
            for table in section.tables:
                self.column.addWidget(style.plain_label(translate_text(table.title), wrap=True))
                self.column.addWidget(_make_table(table, self.body))
                if table.note:
                    note = translate_text(table.note)
                    small = style.plain_label(note, size=style.SMALL, role="muted", wrap=True)
                    self.column.addWidget(small)
        self.column.addStretch(1)

    def _show_failure(self, message: str) -> None:
        style.clear_layout(self.column)
        self.state.setText(message)

    # showing

    def _drop_jobs(self) -> None:
        self._asking.drop()
        self._looking.drop()
        self._pause.stop()


def selected_text(widget: QWidget | None) -> str:
    """The text somebody has picked: a current cell, or what is selected in a text."""
    if isinstance(widget, QAbstractItemView):
        index = widget.currentIndex()
        text = index.data(Qt.ItemDataRole.DisplayRole) if index.isValid() else None
        return text if isinstance(text, str) else ""
    if isinstance(widget, QPlainTextEdit | QTextEdit):
        return widget.textCursor().selectedText()
    return widget.selectedText() if isinstance(widget, QLineEdit) else ""


def _make_line_grid(section: ExplanationSection) -> QWidget:
    grid = QGridLayout()
    grid.setContentsMargins(style.NORMAL, 0, 0, 0)
    grid.setColumnStretch(1, 1)
    for row, line in enumerate(section.lines):
        for column, text in enumerate((translate_text(line.label), translate_text(line.value))):
            label = style.plain_label(text, wrap=column == 1)
            label.setToolTip(translate_text(line.help))
            label.setAlignment(Qt.AlignmentFlag.AlignTop)
            if column:
                label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(label, row, column)
    return style.filled(grid)


def _make_table(table: Table, parent: QWidget) -> QWidget:
    model = TableModel(parent)
    model.set_table(table)
    view = make_table(model, translate_text(table.title))
    view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    rows = min(len(table.rows), 8) + 1
    view.setMinimumHeight(rows * view.verticalHeader().defaultSectionSize() + style.NORMAL)
    return view
