"""The runs as rows: verdict, guarantee, what is kept, worst attack; what to do with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QItemSelectionModel, Qt, Signal, SignalInstance
from PySide6.QtGui import QAction, QColor, QKeySequence
from PySide6.QtWidgets import QHeaderView, QLineEdit, QTableWidget, QTableWidgetItem, QWidget

from auditor.engine.run import Run
from auditor.gui.app.translation import tr, translate_text
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.tables import dress_table

if TYPE_CHECKING:
    from auditor.release.verdict import ReleaseVerdict

NUMBER = Qt.ItemDataRole.UserRole

VERDICT_SIGNS = {
    "good": ("✓", "good"),
    "warn": ("!", "warn"),
    "bad": ("✗", "bad"),
    "info": ("?", "muted"),
}
"""By `formats.tone_of` a verdict: its mark and its colour."""
RUN, VERDICT, GUARANTEE, KEPT, WORST = range(5)

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
        self._records: dict[int, Run] = {}
        self._shown: int | None = None
        self.empty = style.plain_label(
            self.tr(
                "No runs yet. Set the parameters and press Run: the noise is drawn, the release is "
                "measured and attacked, and stays here to compare."
            ),
            role="muted",
            wrap=True,
        )
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._make_table()
        self.name = style.line_edit(self.tr("Name of this run"), self.tr("Name"), most=200)
        self.comment = style.line_edit(self.tr("Comment on this run"), self.tr("Comment"), most=200)
        self.name.editingFinished.connect(lambda: self._emit_text(self.named, self.name))
        self.comment.editingFinished.connect(lambda: self._emit_text(self.commented, self.comment))
        self.pin = style.button(
            self.tr("☆ Pin"),
            self._pin_selected,
            checkable=True,
            tip=self.tr("Pinned runs keep their release in memory"),
        )
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
        self.drop = style.button(
            self.tr("Remove"), self._remove_selected, tip=self.tr("Strike the selected runs out")
        )
        delete = QAction(self.tr("Remove runs"), self.table)
        delete.setShortcut(QKeySequence.StandardKey.Delete)
        delete.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        delete.triggered.connect(self._remove_selected)
        self.table.addAction(delete)
        self._lay_out()
        self.show_runs([], None)

    def _make_table(self) -> None:
        table = self.table = QTableWidget(0, 5)
        heads = self.tr("Run"), self.tr("Verdict"), self.tr("Guarantee"), self.tr("What is kept")
        table.setHorizontalHeaderLabels([*heads, self.tr("Worst attack")])
        dress_table(table, self.tr("Runs"), several=True)
        table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + 3 * style.TIGHT)
        header = table.horizontalHeader()
        header.setMinimumSectionSize(round(7 * table.fontMetrics().averageCharWidth()))
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        for column in (VERDICT, GUARANTEE, KEPT):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        table.currentCellChanged.connect(self._open_row)
        table.itemSelectionChanged.connect(self._show_selection)

    def _lay_out(self) -> None:
        deeds = style.row(
            None,
            [(self.name, 2), (self.comment, 2), self.pin, self.both, self.adopt, self.drop],
            spacing=style.TIGHT,
        )
        self.deeds = style.filled(deeds)
        style.column(
            self,
            [self.empty, (self.table, 1000), self.deeds, 1],
            margins=style.NORMAL,
            spacing=style.NORMAL,
        )

    def show_runs(self, records: Sequence[Run], current: Run | None) -> None:
        chosen = set(self.list_selected_numbers())
        self._records = {record.number: record for record in records}
        self.table.blockSignals(True)
        self.table.setRowCount(len(records))
        self.table.clearSelection()
        for row, record in enumerate(reversed(list(records))):
            for column in range(5):
                self.table.setItem(row, column, QTableWidgetItem())
            self._fill_row(row, record)
            if record.number in chosen:
                self._select_row(row)
        self.table.blockSignals(False)
        self.empty.setVisible(not self._records)
        for part in (self.table, self.deeds):
            part.setVisible(bool(self._records))
        self.show_current(current)
        self._show_selection()

    def show_run(self, record: Run) -> None:
        row = self._find_row(record.number)
        if row is not None:
            self._records[record.number] = record
            self._fill_row(row, record)
            self._show_selection()

    def show_verdict(self, number: int) -> None:
        if number in self._records:
            self.show_run(self._records[number])

    def show_current(self, record: Run | None) -> None:
        row = self._find_row(record.number) if record is not None else None
        number = record.number if record is not None else None
        turned, self._shown = number != self._shown, number
        if row is not None and (turned or row != self.table.currentRow()):
            self.table.blockSignals(True)
            self.table.setCurrentCell(row, 0, QItemSelectionModel.SelectionFlag.NoUpdate)
            self.table.clearSelection()
            self._select_row(row)  # `selectRow` would toggle while somebody holds Ctrl
            self.table.blockSignals(False)
            self._show_selection()

    def list_selected_numbers(self) -> list[int]:
        """Numbers of the selected runs, in the order in which they were made."""
        rows = {index.row() for index in self.table.selectionModel().selectedRows()}
        return sorted(self._find_run_number(row) for row in rows)

    def list_row_texts(self, row: int) -> list[str]:
        items = (self.table.item(row, column) for column in range(5))
        return [item.text() for item in items if item is not None]

    def _find_run_number(self, row: int) -> int:
        item = self.table.item(row, 0)
        return int(item.data(NUMBER)) if item is not None else 0

    def _find_row(self, number: int) -> int | None:
        rows = range(self.table.rowCount())
        return next((row for row in rows if self._find_run_number(row) == number), None)

    def _select_row(self, row: int) -> None:
        flags = QItemSelectionModel.SelectionFlag
        index = self.table.model().index(row, 0)
        self.table.selectionModel().select(index, flags.Select | flags.Rows)

    def _fill_row(self, row: int, record: Run) -> None:
        theme, sign = style.theme_of(self), style.RUN_SIGNS[record.state]
        verdict = self._verdict_of(record.number)
        star = " ★" if record.pinned else ""
        setting = formats.brief_parameters(record.plan.params)
        named = [record.name] if record.name else []
        named.append(f"{translate_text(record.plan.what.title)}  {setting}")
        title = f"{record.letter}{star}  {' · '.join(named)}"
        texts, colours = [title, f"{sign.icon} {sign.word}", "", "", ""], ["", "", "", "", ""]
        colours[VERDICT] = sign.colour
        if verdict is not None:
            mark, colours[VERDICT] = VERDICT_SIGNS[formats.tone_of(verdict)]
            texts[VERDICT] = f"{mark} {translate_text(verdict.answer)}"
            texts[GUARANTEE] = translate_text(verdict.guarantee.brief)
            texts[KEPT] = formats.say_kept(verdict)
            texts[WORST] = formats.say_worst(verdict)
        elif record.statement is not None and record.state == "finished":
            from auditor.release.guarantee import meaning_of

            texts[GUARANTEE] = translate_text(meaning_of(record.statement).brief)
        tip = "\n".join(text for text in (*texts, second_line(record)) if text)
        for column, text in enumerate(texts):
            item = self.table.item(row, column)
            if item is not None:
                item.setData(NUMBER, record.number)
                item.setText(text)
                item.setToolTip(safe_text.plain_tip(tip))
                colour = colours[column]
                ink = QColor(getattr(theme, colour)) if colour else None
                item.setData(Qt.ItemDataRole.ForegroundRole, ink)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and "_records" in self.__dict__:
            for record in self._records.values():
                self.show_run(record)

    def _show_selection(self) -> None:
        records = [self._records[number] for number in self.list_selected_numbers()]
        single = records[0] if len(records) == 1 else None
        for field, text in (
            (self.name, single.name if single else ""),
            (self.comment, single.comment if single else ""),
        ):
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

    def _open_row(self, row: int, _column: int, before: int, _was: int) -> None:
        if row >= 0 and row != before:
            self._shown = self._find_run_number(row)  # whoever chose it selects as they like
            self.opened.emit(self._shown)

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
