"""The figures of a setting or of a run, one line each, with what they mean."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from auditor.figures import SHARE, MetricValue
from auditor.gui.app import translation
from auditor.gui.app.translation import tr, translate_text
from auditor.gui.release.exportable import Exportable
from auditor.gui.widgets import formats, style
from auditor.gui.widgets.fields import EventWatch
from auditor.gui.widgets.tables import RIGHT, dress_table, wrap_rows

LEAST_COUNT = 0.001
"""An expected count below it is next to nothing: powers of ten are for δ."""
LONG_UNIT = 8
"""Characters of a unit that may stand beside a number in a narrow column."""


class MetricsPanel(QWidget):
    """A table of names and numbers; the same names again only change the numbers."""

    trace_requested = Signal(object, int, str)
    """The `Who` of a figure, its line, and what it is in words: somebody wants the people."""

    def __init__(self) -> None:
        super().__init__()
        self.whose = style.plain_label(size=style.SMALL, role="muted", wrap=True)
        name = self.tr("Before you run this")
        self.note = style.plain_label(size=style.SMALL, role="notice", wrap=True, name=name)
        self.note.setMargin(style.TIGHT)
        self.table = QTableWidget(0, 2)
        self.table.setHorizontalHeaderLabels([self.tr("metric"), self.tr("value")])
        dress_table(self.table, self.tr("Metrics"))
        self._measure = wrap_rows(self.table)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        header.hide()
        self.table.cellActivated.connect(self._request_sessions)
        self._names: tuple[str, ...] = ()
        self._values: tuple[MetricValue, ...] = ()
        EventWatch(self, self._colour_values, QEvent.Type.PaletteChange)
        style.panel(self, [self.whose, self.note, (self.table, 1)])
        text = self.tr("Expected volume and error of the setting appear here once a log is open.")
        self.clear(text)

    def clear(self, why: str) -> None:
        """Show no figures, and say why there are none."""
        self.whose.setText(why)
        self.note.hide()
        self._names, self._values = (), ()
        self.table.setRowCount(0)
        self.table.hide()

    def show_values(self, values: Sequence[MetricValue], whose: str, note: str = "") -> None:
        """Show figures of what `whose` names, below a `note` not to be overlooked."""
        self.whose.setText(whose)
        style.show_text(self.note, translate_text(note))
        self.table.show()
        self._values = tuple(values)
        names = tuple(value.name for value in values)
        if names != self._names:
            self.table.setRowCount(len(values))
            for row in range(len(values)):
                label, number = QTableWidgetItem(), QTableWidgetItem()
                label.setFont(style.scaled_font(self, style.SMALL))
                number.setTextAlignment(RIGHT)
                self.table.setItem(row, 0, label)
                self.table.setItem(row, 1, number)
            self._names = names
        model = self.table.model()
        model.blockSignals(True)  # else each cell that changes measures its row anew
        for row, value in enumerate(map(translation.translate_value, values)):
            behind = self.tr("double-click to see the sessions") if value.who else ""
            parts = (value.help.rstrip("."), tr(formats.BETTER[value.better]), behind)
            tip = ". ".join(filter(None, parts)) or value.label
            for column, text in enumerate(_format_metric(value)):
                item = self.table.item(row, column)
                if item is not None and (item.text(), item.toolTip()) != (text, tip):
                    item.setText(text)
                    item.setToolTip(tip)
        self._colour_values()
        model.blockSignals(False)
        if values:
            model.dataChanged.emit(model.index(0, 0), model.index(len(values) - 1, 1))
        self._measure.start()

    def _colour_values(self) -> None:
        accent = QBrush(QColor(style.theme_of(self).accent))
        for row, value in enumerate(self._values):
            item = self.table.item(row, 1)
            if item is not None:
                item.setForeground(accent if value.who is not None else QBrush())

    def make_exportable(self) -> Exportable | None:
        if not self._names:
            return None
        heads = [self.tr("metric"), self.tr("value"), self.tr("unit"), self.tr("95 % from"),
                 self.tr("to"), self.tr("better")]  # fmt: skip
        facts = ((v.label, v.value, v.unit, v.interval or ("", ""), v.better) for v in self._values)
        rows = [[label, value, unit, *ends, better] for label, value, unit, ends, better in facts]
        return Exportable(self.whose.text(), rows=[heads, *rows])

    def _request_sessions(self, row: int, _column: int) -> None:
        if row < len(self._values):
            value = self._values[row]
            if value.who is not None:
                self.trace_requested.emit(value.who, 0, translate_text(value.label))


def _format_metric(value: MetricValue) -> tuple[str, str]:
    """Name and number: narrow, so a long unit goes with the name and an interval below."""
    label, unit = value.label, value.unit
    if len(unit) > LONG_UNIT:
        label, unit = f"{label} ({unit})", ""
    number = formats.format_quantity(value.value, unit)
    if value.name.startswith("expected.") and unit != SHARE and 0 < value.value < LEAST_COUNT:
        number = tr("under {number}").format(number=formats.format_number(LEAST_COUNT))
    if value.interval is None:
        return label, number
    first, last = (formats.format_without_unit(end, unit) for end in value.interval)
    return label, f"{number}\n" + tr("{first} to {last}").format(first=first, last=last)
