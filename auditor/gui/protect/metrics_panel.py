"""The figures of a setting or of a run, one line each, with what they mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHeaderView, QWidget

from auditor.figures import SHARE, MetricValue
from auditor.gui.app import translation
from auditor.gui.app.translation import tr, translate_text
from auditor.gui.release.exportable import Exportable
from auditor.gui.widgets import formats, style
from auditor.gui.widgets.tables import Column, ColumnModel, Role, make_table, wrap_rows

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
        small: dict[int, Callable[[Any], Any]] = {
            Role.FontRole: lambda _value: style.scaled_font(self, style.SMALL)
        }
        colour: dict[int, Callable[[Any], Any]] = {
            Role.ForegroundRole: lambda value: value.who and QColor(style.theme_of(self).accent)
        }
        names = Column(self.tr("metric"), lambda v: _format_metric(v)[0], False, self._tell, small)
        numbers = Column(self.tr("value"), lambda v: _format_metric(v)[1], True, self._tell, colour)
        self.model = ColumnModel((names, numbers), (), self)
        self.table = make_table(self.model, self.tr("Metrics"))
        self._measure = wrap_rows(self.table)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        header.hide()
        self.table.activated.connect(self._request_sessions)
        style.panel(self, [self.whose, self.note, (self.table, 1)])
        text = self.tr("Expected volume and error of the setting appear here once a log is open.")
        self.clear(text)

    def clear(self, why: str) -> None:
        """Show no figures, and say why there are none."""
        self.whose.setText(why)
        self.note.hide()
        self.model.set_lines(())
        self.table.hide()

    def show_values(self, values: Sequence[MetricValue], whose: str, note: str = "") -> None:
        """Show figures of what `whose` names, below a `note` not to be overlooked."""
        self.whose.setText(whose)
        style.show_text(self.note, translate_text(note))
        self.table.show()
        if [value.name for value in values] == [value.name for value in self.model.lines]:
            self.model.lines = tuple(values)
            self.model.refresh_columns(0)
        else:
            self.model.set_lines(tuple(values))
        self._measure.start()

    def _tell(self, value: MetricValue) -> str:
        behind = self.tr("double-click to see the sessions") if value.who else ""
        words = translate_text(value.help).rstrip("."), tr(formats.BETTER[value.better]), behind
        return ". ".join(filter(None, words)) or translate_text(value.label)

    def make_exportable(self) -> Exportable | None:
        if not self.model.lines:
            return None
        heads = [self.tr("metric"), self.tr("value"), self.tr("unit"), self.tr("95 % from"),
                 self.tr("to"), self.tr("better")]  # fmt: skip
        rows = [
            [value.label, value.value, value.unit, *(value.interval or ("", "")), value.better]
            for value in self.model.lines
        ]
        return Exportable(self.whose.text(), rows=[heads, *rows])

    def _request_sessions(self, index: QModelIndex) -> None:
        value = self.model.lines[index.row()]
        if value.who is not None:
            self.trace_requested.emit(value.who, 0, translate_text(value.label))


def _format_metric(value: MetricValue) -> tuple[str, str]:
    """Name and number: narrow, so a long unit goes with the name and an interval below."""
    value = translation.translate_value(value)
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
