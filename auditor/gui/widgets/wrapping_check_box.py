"""A check box whose words go on in the next line where they don't fit."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QStyle, QStyleOptionButton, QWidget

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
        """Break the words anew."""
        super().resizeEvent(event)
        broken = self._break_lines(self.width() - self._measure_indicator())
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

    def _break_lines(self, room: int) -> str:
        measure = QFontMetrics(self.font())
        lines: list[str] = []
        for word in self.given.split(" "):
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and measure.horizontalAdvance(longer) <= room:
                lines[-1] = longer
            else:
                lines.append(word)
        return "\n".join(lines)
