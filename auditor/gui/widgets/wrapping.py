"""Labels and check boxes whose words go on in the next line where they don't fit."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QLabel, QStyle, QStyleOptionButton, QWidget


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
