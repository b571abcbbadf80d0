"""The runs as rows: verdict, guarantee, what is kept, worst attack; what to do with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal, SignalInstance
from PySide6.QtGui import QAction, QColor, QKeySequence
from PySide6.QtWidgets import QHeaderView, QLineEdit, QWidget

from auditor.engine.run import Run
from auditor.gui.app.translation import say, tr, translate_text
from auditor.gui.widgets import formats, style
from auditor.gui.widgets.tables import Column, ColumnModel, Role, make_table, wrap_rows

if TYPE_CHECKING:
    from auditor.release.verdict import ReleaseVerdict

RUN, VERDICT, GUARANTEE, UTILITY, WORST = range(5)

VerdictOf = Callable[[int], "ReleaseVerdict | None"]


class RunsPanel(QWidget):
    """The table and what can be done with the runs that are selected in it."""

    opened = Signal(int)
    pinned = Signal(int, bool)
    named = Signal(int, str)
    commented = Signal(int, str)
    removed = Signal(int)
    adopted = Signal(int)
    compare = Signal(list)

    def __init__(self, verdict_of: VerdictOf | None = None) -> None:
        super().__init__()
        self._verdict_of: VerdictOf = verdict_of or (lambda _number: None)
        self._shown: int | None = None
        self.empty = style.plain_label(say("no runs yet"), role="muted", wrap=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._make_table()
        self.name = style.line_edit(self.tr("Name of this run"), self.tr("Name"), most=200)
        self.comment = style.line_edit(self.tr("Comment on this run"), self.tr("Comment"), most=200)
        self.name.editingFinished.connect(lambda: self._emit_text(self.named, self.name))
        self.comment.editingFinished.connect(lambda: self._emit_text(self.commented, self.comment))
        tip = self.tr("Pinned runs keep their release in memory")
        self.pin = style.button(self.tr("☆ Pin"), self._pin_selected, checkable=True, tip=tip)
        self.adopt = style.button(
            self.tr("Use its parameters"),
            lambda: self.adopted.emit(self.list_selected_numbers()[0]),
            tip=self.tr("Set the sliders as they stood for this run"),
        )
        self.both = style.button(
            self.tr("Compare"),
            lambda: self.compare.emit(self.list_selected_numbers()),
            tip=self.tr("Side by side: select two or more runs"),
        )
        tip = self.tr("Strike the selected runs out")
        self.drop = style.button(self.tr("Remove"), self._remove_selected, tip=tip)
        delete = QAction(self.tr("Remove runs"), self.table)
        delete.setShortcut(QKeySequence.StandardKey.Delete)
        delete.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        delete.triggered.connect(self._remove_selected)
        self.table.addAction(delete)
        parts: list[style.Part] = [(self.name, 2), (self.comment, 2), self.pin, self.both]
        deeds = style.row(None, [*parts, self.adopt, self.drop], spacing=style.TIGHT)
        self.deeds = style.filled(deeds)
        parts = [self.empty, (self.table, 1000), self.deeds, 1]
        style.column(self, parts, margins=style.NORMAL, spacing=style.NORMAL)
        self.show_runs([], None)

    def _make_table(self) -> None:
        heads = self.tr("Run"), self.tr("Verdict"), self.tr("Guarantee"), self.tr("What is kept")
        colour: dict[int, Callable[[Run], QColor]] = {Role.ForegroundRole: self._find_colour}
        columns = [
            Column(
                head,
                partial(self._format_cell, place),
                tip=self._tell_all,
                roles=colour if place == VERDICT else {},
            )
            for place, head in enumerate((*heads, self.tr("Worst attack")))
        ]
        self.model = ColumnModel(columns, (), self)
        table = self.table = make_table(self.model, self.tr("Runs"), several=True)
        table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + 3 * style.TIGHT)
        self._measure = wrap_rows(table, most=2)
        header = table.horizontalHeader()
        header.setMinimumSectionSize(round(7 * table.fontMetrics().averageCharWidth()))
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        for column in (VERDICT, GUARANTEE, UTILITY):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        table.selectionModel().currentRowChanged.connect(self._open_row)
        table.selectionModel().selectionChanged.connect(lambda *_: self._show_selection())

    def show_runs(self, records: Sequence[Run], current: Run | None) -> None:
        """List the runs, latest first, keeping what is selected."""
        chosen = set(self.list_selected_numbers())
        self.model.set_lines(list(reversed(records)))
        self._measure.start()
        self._turn_to(self._shown)
        for row, record in enumerate(self.model.lines):
            if record.number in chosen:
                self._select_row(row)
        self.empty.setVisible(not records)
        for part in (self.table, self.deeds):
            part.setVisible(bool(records))
        self.show_current(current)
        self._show_selection()

    def show_run(self, record: Run) -> None:
        if self._find_row(record.number) is not None:
            self.model.refresh_columns(0)
            self._measure.start()
            self._show_selection()

    def show_verdict(self, number: int) -> None:
        row = self._find_row(number)
        if row is not None:
            self.show_run(self.model.lines[row])

    def show_current(self, record: Run | None) -> None:
        row = self._find_row(record.number) if record is not None else None
        number = record.number if record is not None and row is not None else None
        turned, self._shown = number != self._shown, number
        if row is not None and (turned or row != self.table.currentIndex().row()):
            self._turn_to(number)
            self.table.clearSelection()
            self._select_row(row)  # `selectRow` would toggle while somebody holds Ctrl

    def list_selected_numbers(self) -> list[int]:
        """Numbers of the selected runs, in the order in which they were made."""
        rows = {index.row() for index in self.table.selectionModel().selectedRows()}
        return sorted(self.model.lines[row].number for row in rows)

    def _find_row(self, number: int | None) -> int | None:
        numbers = [record.number for record in self.model.lines]
        return numbers.index(number) if number in numbers else None

    def _turn_to(self, number: int | None) -> None:
        """Have the keys go on at a run."""
        row, flags = self._find_row(number), QItemSelectionModel.SelectionFlag
        if row is not None:
            self.table.selectionModel().setCurrentIndex(self.model.index(row, 0), flags.NoUpdate)

    def _select_row(self, row: int) -> None:
        flags = QItemSelectionModel.SelectionFlag
        index = self.model.index(row, 0)
        self.table.selectionModel().select(index, flags.Select | flags.Rows)

    def _list_texts(self, record: Run) -> list[str]:
        sign, verdict = style.RUN_SIGNS[record.state], self._verdict_of(record.number)
        star = " ★" if record.pinned else ""
        method = translate_text(record.plan.what.title)
        setting = f"{method}  {formats.brief_parameters(record.plan.params)}"
        name = " · ".join(filter(None, (record.name, setting)))
        title = f"{record.letter}{star}  {name}"
        if verdict is not None:
            return [title, *formats.list_verdict_texts(verdict), formats.say_worst(verdict)]
        guarantee = ""
        if record.statement is not None and record.state == "finished":
            from auditor.release.guarantee import meaning_of

            guarantee = translate_text(meaning_of(record.statement).brief)
        return [title, f"{sign.icon} {sign.word}", guarantee, "", ""]

    def _format_cell(self, place: int, record: Run) -> str:
        return self._list_texts(record)[place]

    def _tell_all(self, record: Run) -> str:
        return "\n".join(filter(None, (*self._list_texts(record), second_line(record))))

    def _find_colour(self, record: Run) -> QColor:
        verdict, colour = self._verdict_of(record.number), str(style.RUN_SIGNS[record.state].colour)
        if verdict is not None:
            _, colour = formats.VERDICT_SIGNS[formats.tone_of(verdict)]
        return QColor(getattr(style.theme_of(self), colour))

    def _show_selection(self) -> None:
        chosen = set(self.list_selected_numbers())
        records = [record for record in self.model.lines if record.number in chosen]
        single = records[0] if len(records) == 1 else None
        texts = (single.name, single.comment) if single is not None else ("", "")
        for field, text in zip((self.name, self.comment), texts, strict=True):
            field.setEnabled(single is not None)
            if not field.hasFocus() or single is None:
                field.setText(text)
        pinned = bool(records) and all(record.pinned for record in records)
        self.pin.setChecked(pinned)
        self.pin.setText(self.tr("★ Pin") if pinned else self.tr("☆ Pin"))
        self.adopt.setEnabled(single is not None)
        for button in (self.pin, self.drop):
            button.setEnabled(bool(records))
        self.both.setEnabled(sum(record.state == "finished" for record in records) > 1)

    def _open_row(self, now: QModelIndex, _before: QModelIndex) -> None:
        number = self.model.lines[now.row()].number if now.isValid() else self._shown
        if number != self._shown:
            self._shown = number  # whoever chose it selects as they like
            self.opened.emit(number)

    def _pin_selected(self, checked: bool) -> None:
        for number in self.list_selected_numbers():
            self.pinned.emit(number, checked)

    def _remove_selected(self) -> None:
        for number in self.list_selected_numbers():
            self.removed.emit(number)

    def _emit_text(self, signal: SignalInstance, field: QLineEdit) -> None:
        numbers = self.list_selected_numbers()
        if len(numbers) == 1:
            signal.emit(numbers[0], field.text())


def second_line(record: Run) -> str:
    """Why there is nothing of a run, or what somebody says of it."""
    if record.state == "failed":
        return translate_text(record.message)
    if record.state == "cancelled":
        return tr("nothing of it was kept")
    return record.comment
