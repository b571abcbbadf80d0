"""The row of filters above the flagged sessions; says what is wanted and computes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLineEdit,
    QWidget,
)

from auditor.gui.app.translation import translate_all
from auditor.gui.risk.session_filter import SessionCriteria
from auditor.gui.widgets import style
from auditor.gui.widgets.choice_box import ChoiceBox
from auditor.gui.widgets.page_area import is_narrow
from auditor.gui.widgets.wheel_guard import ignore_wheel

TYPING_PAUSE_MS = 250
SEARCH_LIMIT = 200


class FilterBar(QWidget):
    """Reason, least risk, what survives, text; `changed` comes once typing pauses."""

    changed = Signal()
    attack_chosen = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.attack = ChoiceBox(self.tr("Attack"))
        self.attack.setToolTip(self.tr("Whose flagged sessions are listed"))
        self.attack.activated.connect(
            lambda index: self.attack_chosen.emit(self.attack.itemData(index))
        )
        self.attack.hide()
        self.reason = ChoiceBox(self.tr("Reason"), least=8)
        self.reason.setToolTip(self.tr("List only the sessions flagged for this reason"))
        self.reason.currentIndexChanged.connect(self._emit_changed)
        self.risk = QDoubleSpinBox(minimum=0.0, maximum=1.0, singleStep=0.05, decimals=2)
        style.prepare_spin_box(self.risk)
        self.risk.setPrefix(self.tr("risk ≥ "))
        self.risk.setAccessibleName(self.tr("Least risk"))
        self.risk.setToolTip(self.tr("List only the sessions of at least this risk, from 0 to 1"))
        self.risk.valueChanged.connect(self._emit_changed)
        self.surviving = QCheckBox(self.tr("Only what &survives"))
        self.surviving.setToolTip(
            self.tr(
                "List only the sessions with a marked query that stands verbatim in the release"
            )
        )
        self.surviving.toggled.connect(self._emit_changed)
        self.dismissed = QComboBox()
        ignore_wheel(self.dismissed)
        self.dismissed.setAccessibleName(self.tr("Dismissed sessions"))
        self.dismissed.setToolTip(self.tr("Whether the sessions that were dismissed are listed"))
        for text, way in (
            (self.tr("without dismissed"), "hide"),
            (self.tr("with dismissed"), "show"),
            (self.tr("only dismissed"), "only"),
        ):
            self.dismissed.addItem(text, way)
        self.dismissed.currentIndexChanged.connect(self._emit_changed)
        self.dismissed.hide()
        self.text = QLineEdit(clearButtonEnabled=True, maxLength=SEARCH_LIMIT)
        self.text.setPlaceholderText(self.tr("Search queries and user ids"))
        self.text.setAccessibleName(self.tr("Search the flagged sessions"))
        self.text.setMinimumWidth(110)
        self._typing = QTimer(self, singleShot=True, interval=TYPING_PAUSE_MS)
        self._typing.timeout.connect(self._emit_changed)
        self.text.textChanged.connect(self._await_typing)
        self.text.returnPressed.connect(self._emit_changed)
        self.count_label = style.plain_label(role="muted")
        self.count_label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._lay_out()
        self.offer_reasons((), released=False)

    def _lay_out(self) -> None:
        self._choices, self._search = QHBoxLayout(), QHBoxLayout()
        self._choices.addWidget(self.attack, 1)
        self._choices.addWidget(self.reason, 1)
        for widget in (self.risk, self.surviving, self.dismissed):
            self._choices.addWidget(widget)
        self._search.addWidget(self.text, 1)
        self._search.addWidget(self.count_label)
        self._lines = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._lines.setContentsMargins(0, 0, 0, 0)
        for row in (self._lines, self._choices, self._search):
            row.setSpacing(style.NORMAL)
        self._lines.addLayout(self._choices, 3)
        self._lines.addLayout(self._search, 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Search on a line of its own where the window is narrow for its text."""
        super().resizeEvent(event)
        way = QBoxLayout.Direction
        self._lines.setDirection(way.TopToBottom if is_narrow(self) else way.LeftToRight)

    def read_criteria(self) -> SessionCriteria:
        """What is set; the order is the table's affair."""
        return SessionCriteria(
            reason=self.reason.currentData(),
            least_risk=self.risk.value(),
            only_surviving=self.surviving.isChecked() and self.surviving.isEnabledTo(self),
            dismissed=self.dismissed.currentData(),
            text=self.text.text(),
        )

    def offer_reasons(self, reasons: Sequence[str], *, released: bool) -> None:
        """Which reasons there are, and whether anything can survive; keeps what was chosen."""
        with QSignalBlocker(self.reason):
            before = self.reason.currentText()
            self.reason.clear()
            self.reason.addItem(self.tr("All reasons"), None)
            told = translate_all(reasons)
            for bit, reason in enumerate(told):
                self.reason.addItem(reason, bit)
            widest = max(self.fontMetrics().horizontalAdvance(text) for text in ("", *told))
            self.reason.view().setMinimumWidth(widest + 4 * style.WIDE)
            self.reason.setCurrentIndex(max(0, self.reason.findText(before)))
        self.surviving.setEnabled(released)

    def offer_attacks(self, titles: Mapping[str, str], chosen: str) -> None:
        """Which attacks there are to choose from, if more than one, and which is shown."""
        entries = [
            (self.attack.itemData(i), self.attack.itemText(i)) for i in self._list_attack_indexes()
        ]
        if entries != list(titles.items()):
            self.attack.clear()
            for name, title in titles.items():
                self.attack.addItem(title, name)
        self.attack.setCurrentIndex(self.attack.findData(chosen))
        self.attack.setVisible(len(titles) > 1)

    def offer_dismissed(self, any_there: bool) -> None:
        """Whether there are dismissed sessions to choose between."""
        self.dismissed.setVisible(any_there)
        if not any_there:
            self.dismissed.setCurrentIndex(0)

    def _list_attack_indexes(self) -> range:
        return range(self.attack.count())

    def reset(self) -> None:
        """Filter nothing; one `changed`."""
        widgets = (self.reason, self.risk, self.surviving, self.dismissed, self.text)
        blocked = [QSignalBlocker(widget) for widget in widgets]
        self.reason.setCurrentIndex(0)
        self.risk.setValue(0.0)
        self.surviving.setChecked(False)
        self.dismissed.setCurrentIndex(0)
        self.text.clear()
        for blocker in blocked:
            blocker.unblock()
        self._emit_changed()

    def set_count(self, text: str) -> None:
        """How many sessions are listed."""
        self.count_label.setText(text)

    def focus_search(self) -> None:
        """Put the keyboard into the search field."""
        self.text.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.text.selectAll()

    def _await_typing(self) -> None:
        self._typing.start()

    def _emit_changed(self) -> None:
        self._typing.stop()
        self.changed.emit()
