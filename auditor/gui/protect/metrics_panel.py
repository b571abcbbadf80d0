"""The figures of a setting or of a run, one line each, with what they mean."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QTimer, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHeaderView, QWidget

from auditor.figures import SHARE, MetricValue
from auditor.gui.app import translation
from auditor.gui.app.translation import mark_for_translation, tr, translate_text
from auditor.gui.release.exportable import Exportable
from auditor.gui.widgets import formats, style
from auditor.gui.widgets.tables import Column, ColumnModel, Role, make_table

LEAST_COUNT = 0.001
"""An expected count below it is next to nothing: powers of ten are for δ."""
LONG_UNIT = 8
"""Characters of a unit that may stand beside a number in a narrow column."""

BETTER = {
    "higher": mark_for_translation("higher is better"),
    "lower": mark_for_translation("lower is better"),
    "": "",
}


class MetricsPanel(QWidget):
    """A table of names and numbers; the same names again only change the numbers."""

    asked = Signal(object, int, str)
    """The `Who` of a figure, its line, and what it is in words: somebody wants the people."""

    def __init__(self) -> None:
        super().__init__()
        self.whose = style.plain_label(size=style.SMALL, role="muted", wrap=True)
        self.note = style.plain_label(
            size=style.SMALL, wrap=True, name=self.tr("Before you run this")
        )
        self.note.setMargin(style.TIGHT)
        self.note.setProperty("role", "notice")
        self.model = ColumnModel(self._list_columns())
        self.table = make_table(self.model, self.tr("Metrics"))
        self._measure = QTimer(self, singleShot=True, interval=0)
        self._measure.timeout.connect(self._fit_rows)
        self.table.setWordWrap(True)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        header.hide()
        header.sectionResized.connect(lambda *_: self._measure.start())  # a word may go on below
        self.table.activated.connect(self._request_sessions)
        style.column(
            self,
            [self.whose, self.note, (self.table, 1)],
            margins=(style.NORMAL, style.TIGHT),
            spacing=style.TIGHT,
        )
        self.clear(
            self.tr("Expected volume and error of the setting appear here once a log is open.")
        )

    def clear(self, why: str) -> None:
        """Show no figures, and say why there are none."""
        self.whose.setText(why)
        self.note.hide()
        self.model.set_lines(())
        self.table.hide()

    def show_values(self, values: Sequence[MetricValue], whose: str, note: str = "") -> None:
        """Show figures; `whose` says which setting or run they are of, and how exact.

        `note` stands above them, for what nobody should overlook.
        """
        self.whose.setText(whose)
        style.show_text(self.note, translate_text(note))
        self.table.show()
        before = [value.name for value in self.model.lines]
        if [value.name for value in values] == before:
            self.model.lines = tuple(values)
            self.model.refresh_columns(0)
        else:
            self.model.set_lines(tuple(values))
        self._measure.start()

    def _list_columns(self) -> tuple[Column, Column]:
        def find_colour(value: MetricValue) -> QColor | None:
            """Which figures have people behind them."""
            return QColor(style.theme_of(self).accent) if value.who is not None else None

        label_font = {int(Role.FontRole): lambda _value: style.scaled_font(self, style.SMALL)}
        return (
            Column(self.tr("metric"), _format_label, False, self._make_tip, label_font),
            Column(
                self.tr("value"),
                _format_value,
                True,
                self._make_tip,
                {int(Role.ForegroundRole): find_colour},
            ),
        )

    def _make_tip(self, value: MetricValue) -> str:
        value = translation.translate_value(value)
        behind = self.tr("double-click to see the sessions") if value.who else ""
        parts = value.help.rstrip("."), tr(BETTER[value.better]), behind
        return ". ".join(filter(None, parts)) or value.label

    def _fit_rows(self) -> None:
        """Give every row room for its words, and some around them."""
        for row in range(len(self.model.lines)):
            self.table.setRowHeight(row, self.table.sizeHintForRow(row) + 2 * style.TIGHT)

    def make_exportable(self) -> Exportable | None:
        """The figures as a table."""
        values = self.model.lines
        if not values:
            return None
        heads = [self.tr("metric"), self.tr("value"), self.tr("unit"), self.tr("95 % from"),
                 self.tr("to"), self.tr("better")]  # fmt: skip
        rows = [[v.label, v.value, v.unit, *(v.interval or ("", "")), v.better] for v in values]
        return Exportable(self.whose.text(), rows=[heads, *rows])

    def _request_sessions(self, index: QModelIndex) -> None:
        value: MetricValue = self.model.lines[index.row()]
        if value.who is not None:
            self.asked.emit(value.who, 0, translate_text(value.label))


def _format_label(value: MetricValue) -> str:
    """A metric's name; a long unit goes with it, since the numbers' column is narrow."""
    value = translation.translate_value(value)
    return f"{value.label} ({value.unit})" if len(value.unit) > LONG_UNIT else value.label


def _format_value(value: MetricValue) -> str:
    """A metric's number, and its interval below."""
    unit = translation.translate_value(value).unit
    unit = "" if len(unit) > LONG_UNIT else unit
    number = formats.format_quantity(value.value, unit)
    if value.name.startswith("expected.") and unit != SHARE and 0 < value.value < LEAST_COUNT:
        number = tr("under {number}").format(number=formats.format_number(LEAST_COUNT))
    if value.interval is None:
        return number
    first, last = (formats.format_without_unit(end, unit) for end in value.interval)
    return f"{number}\n" + tr("{first} to {last}").format(first=first, last=last)
