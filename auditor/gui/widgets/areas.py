"""Areas and labels of the room they have: pages, side panels, folded sections, one line."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QToolButton,
    QWidget,
)

from auditor.gui.widgets import safe_text, style
from auditor.gui.widgets.fields import EventWatch


class UprightArea(QScrollArea):
    """Scrolls what stands in it up and down alone, and has no frame."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)


class ScrollColumn(UprightArea):
    """Scrolls its rows up and down, and asks for the width that the widest of them needs."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(name)

    def minimumSizeHint(self) -> QSize:
        """As wide as the rows and a scroll bar; as low as any such area."""
        least = super().minimumSizeHint()
        rows = self.widget()
        if rows is None:
            return least
        bar = self.verticalScrollBar().sizeHint().width()
        return QSize(max(least.width(), rows.minimumSizeHint().width() + bar), least.height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.widget() and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


class FoldedSection(QWidget):
    """Shows its heading alone until somebody unfolds it."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.button = QToolButton()
        self.button.setProperty("role", "fold")
        self.set_title(title)
        self.button.setCheckable(True)
        self.button.setAutoRaise(True)
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.button.setFont(style.scaled_font(self.button, bold=True))
        self.button.toggled.connect(self._set_unfolded)
        self.inside = QWidget()
        self.column = style.column(self.inside, spacing=style.TIGHT)
        style.column(self, [self.button, self.inside], spacing=style.TIGHT)
        self._set_unfolded(False)

    def set_title(self, title: str) -> None:
        self.button.setText(title)
        self.button.setAccessibleName(title)

    def _set_unfolded(self, wide: bool) -> None:
        self.button.setArrowType(Qt.ArrowType.DownArrow if wide else Qt.ArrowType.RightArrow)
        self.inside.setVisible(wide)

    def unfold(self) -> None:
        self.button.setChecked(True)


NARROW = 130
"""Characters below which what stands side by side goes one below the other."""
TALLER = 1.8
"""How many times the lines a page has whose pairs stand one below the other."""


def is_narrow(widget: QWidget) -> bool:
    """Whether what stands side by side in a widget has too little room for its text."""
    return widget.width() < NARROW * widget.fontMetrics().averageCharWidth()


class PageArea(QScrollArea):
    """Gives its page at least so many lines of text, so that large text squeezes nothing.

    Where the window is narrow for its text, `pairs` stand one below the other, and the page is as
    high as they need, at least `taller` times as many lines.
    """

    narrowed = Signal(bool)
    """Whether the pairs stand one below the other, when that changes."""

    def __init__(
        self,
        page: QWidget | None = None,
        lines: int = 0,
        pairs: Sequence[QSplitter] = (),
        *,
        taller: float = TALLER,
    ) -> None:
        super().__init__()
        self._taller = taller
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.set_page(page or QWidget(), lines, pairs)
        EventWatch(self, self._fit_page, QEvent.Type.FontChange, QEvent.Type.Resize)

    def set_page(self, page: QWidget, lines: int, pairs: Sequence[QSplitter] = ()) -> None:
        self._page, self._lines, self._pairs = page, lines, tuple(pairs)
        self.setWidget(page)
        EventWatch(page, self._fit_page, QEvent.Type.LayoutRequest)
        self._fit_page()

    def _fit_page(self) -> None:
        narrow = is_narrow(self)
        orientation = Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal
        for pair in self._pairs:
            if pair.orientation() != orientation:
                pair.setOrientation(orientation)
                self.narrowed.emit(narrow)
        stacked, layout = narrow and bool(self._pairs), self._page.layout()
        lines = self._lines * (self._taller if stacked else 1.0)
        high = round(lines * self.fontMetrics().lineSpacing())
        if stacked and layout is not None:
            high = max(high, layout.minimumSize().height())
        self._page.setMinimumHeight(high)


class ElidedLabel(QLabel):
    """One line that gives way: what doesn't fit becomes an ellipsis; the tooltip has it all."""

    def __init__(self, *, size: float = style.BODY, bold: bool = False, role: str = "") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(style.scaled_font(self, size, bold=bold))
        if role:
            self.setProperty("role", role)
        self._whole = ""
        EventWatch(self, self._fit_text, QEvent.Type.Resize)

    def show_text(self, text: str) -> None:
        self._whole = text
        self.setToolTip(safe_text.plain_tip(text))
        self.setAccessibleName(text)
        self._fit_text()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Room for the whole text, of which it has maybe shown a part so far."""
        wide = self.fontMetrics().horizontalAdvance(self._whole) + 2
        return QSize(wide, super().sizeHint().height())

    def _fit_text(self) -> None:
        metrics = self.fontMetrics()
        wide = metrics.horizontalAdvance(self._whole)
        self.setMaximumWidth(wide + style.NORMAL)
        self.setMinimumWidth(min(80, wide + 2))
        room = max(self.width(), self.minimumWidth())
        self.setText(metrics.elidedText(self._whole, Qt.TextElideMode.ElideMiddle, room))
