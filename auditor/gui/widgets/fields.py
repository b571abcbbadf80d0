"""Words that wrap, lists to choose from, fields that the wheel leaves alone, events, keys."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAction, QFontMetrics, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLabel,
    QStyle,
    QStyleOptionButton,
    QStyleOptionComboBox,
    QWidget,
)

from auditor.gui.app.translation import tr
from auditor.gui.widgets import safe_text


class WrappingLabel(QLabel):
    """Plain text in as many lines as its width needs.

    Qt breaks the lines of all labels of a panel anew, several times, whenever one of them says
    something else. Here each text is measured once for a width. Margins are set before it is shown.
    """

    def __init__(self) -> None:
        self._heights: dict[int, int] = {}
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)

    def setText(self, text: str) -> None:
        """Say something else; the same again costs nothing."""
        if text != self.text():
            self._heights.clear()
            super().setText(text)

    def setMargin(self, margin: int) -> None:
        self._heights.clear()
        super().setMargin(margin)

    def heightForWidth(self, width: int) -> int:
        height = self._heights.get(width)
        if height is None:
            height = self._heights[width] = super().heightForWidth(width)
        return height

    def changeEvent(self, event: QEvent) -> None:
        self._heights.clear()
        super().changeEvent(event)


LEAST = 24
"""Characters that a line has at least."""


class WrappingCheckBox(QCheckBox):
    """Breaks its words by its width; they are given as one line, and read out as one."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.given = text
        """The words as they were given, in one line."""
        self.setAccessibleName(text.replace("&&", "\0").replace("&", "").replace("\0", "&"))
        policy = self.sizePolicy()
        policy.setHorizontalPolicy(policy.Policy.Preferred)
        self.setSizePolicy(policy)

    def minimumSizeHint(self) -> QSize:
        """Narrow enough for any panel, as high as it is now."""
        least = QFontMetrics(self.font()).averageCharWidth() * LEAST
        hint = super().sizeHint()
        return QSize(min(hint.width(), least + self._measure_indicator()), hint.height())

    def sizeHint(self) -> QSize:
        """All words in a line, if there is room for that; as high as it is now."""
        words = QFontMetrics(self.font()).horizontalAdvance(self.given)
        return QSize(words + self._measure_indicator(), super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = self.width() - self._measure_indicator()
        measure = QFontMetrics(self.font())
        lines: list[str] = []
        for word in self.given.split(" "):
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and measure.horizontalAdvance(longer) <= room:
                lines[-1] = longer
            else:
                lines.append(word)
        broken = "\n".join(lines)
        if broken != self.text():
            self.setText(broken)
            self.updateGeometry()

    def _measure_indicator(self) -> int:
        """Pixels that the box and the blank after it take."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        look = self.style()
        return (
            look.pixelMetric(QStyle.PixelMetric.PM_IndicatorWidth, option, self)
            + look.pixelMetric(QStyle.PixelMetric.PM_CheckBoxLabelSpacing, option, self)
            + QFontMetrics(self.font()).averageCharWidth()
        )


class EventWatch(QObject):
    """Calls `do` at some kinds of events of a widget, just before the widget has them."""

    def __init__(self, widget: QWidget, do: Callable[[], object], *kinds: QEvent.Type) -> None:
        super().__init__(widget)
        self._do, self._kinds = do, kinds
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() in self._kinds:
            self._do()
        return False


class WheelGuard(QObject):
    """Passes turns of the wheel on to what its widget stands in."""

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.Wheel:
            return False
        event.ignore()
        return True


def ignore_wheel(widget: QWidget) -> None:
    """Have a slider, a list or a field with arrows keep its value and its focus under the wheel."""
    widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    widget.installEventFilter(WheelGuard(widget))


def bind_keys(
    widget: QWidget, keys: Mapping[Any, Callable[[], None]], repeated: Collection[str] = ()
) -> None:
    """Keys that act while something in a widget has the focus; held down, only `repeated` do."""
    for key, act in keys.items():
        shortcut = QShortcut(QKeySequence(key), widget)
        shortcut.setAutoRepeat(key in repeated)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(act)


MASK = "••••••••"
TAIL = 3
"""Most last characters, of the half that is shown, by which a masked id is told from others."""


class Disclosure(QAction):
    """Whether pages show queries and ids of the log; they are masked by default."""

    def __init__(self, parent: QObject | None = None, *, unmasked: bool = False) -> None:
        super().__init__(tr("Show queries and ids"), parent, checkable=True, checked=unmasked)
        self.setToolTip(tr("Queries and ids of the log are masked until you ask"))

    def mask_text(self, text: str) -> str:
        return text if self.isChecked() or not text else MASK

    def mask_id(self, text: str) -> str:
        return text if self.isChecked() else f"…{text[len(text) - min(TAIL, len(text) // 2) :]}"

    def make_box(self) -> QCheckBox:
        """A check box that stands for it."""
        box = QCheckBox(self.text())
        box.setToolTip(self.toolTip())
        box.setChecked(self.isChecked())
        box.toggled.connect(self.setChecked)
        self.toggled.connect(box.setChecked)
        return box


BESIDE, EDGES = 32, 4
"""Pixels of an open list that its text does not get, and of the field of a closed one."""
LINES = 16
"""Entries that stand below each other before an open list is scrolled."""


class ChoiceBox(QComboBox):
    """Called `name`; at least `least` characters wide, whatever its entries say."""

    def __init__(
        self, name: str, entries: Mapping[str, str] | None = None, *, least: int = 8, tip: str = ""
    ) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setToolTip(tip)
        ignore_wheel(self)
        self.setMinimumContentsLength(least)
        self.setMaxVisibleItems(LINES)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        for value, label in (entries or {}).items():
            self.addItem(tr(label), value)

    def offer(self, entries: Iterable[tuple[Any, ...]], first: Any = None) -> None:
        """Have other entries: text, value, maybe a tip. What is picked stays, or is `first`."""
        current = self.currentData()
        self.clear()
        for place, (text, value, *tips) in enumerate(entries):
            self.addItem(text, value)
            for tip in tips:
                self.setItemData(place, safe_text.plain_tip(tip), Qt.ItemDataRole.ToolTipRole)
        places = self.findData(current), self.findData(first), 0
        self.setCurrentIndex(next(place for place in places if place >= 0))

    def list_entries(self) -> list[tuple[str, Any]]:
        """The text of each entry, and what it means."""
        return [(self.itemText(place), self.itemData(place)) for place in range(self.count())]

    def select(self, value: str) -> None:
        """Choose an entry by what it means, adding one for a value that isn't listed."""
        if self.findData(value) < 0:
            self.addItem(safe_text.shorten_text(value, 20), value)
        self.setCurrentIndex(self.findData(value))

    def showPopup(self) -> None:
        """Open the list, as wide as its entries: there, nothing is shortened."""
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + BESIDE)
        super().showPopup()

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        super().initStyleOption(option)
        part, parts = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl
        field = self.style().subControlRect(part, option, parts.SC_ComboBoxEditField, self)
        text: str = option.currentText
        mode, room = Qt.TextElideMode.ElideRight, field.width() - EDGES
        option.currentText = self.fontMetrics().elidedText(text, mode, room)
