"""Where the panels stand: three columns where there is room, tabs where text is large."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QDockWidget,
    QFrame,
    QMainWindow,
    QScrollArea,
    QSizePolicy,
    QTabBar,
    QWidget,
)

STACKED = {"checks": "params", "tables": "flagged", "compare": "tables", "explore": "compare",
           "queue": "runs"}  # fmt: skip
"""Panels that stand behind another one."""

CROWDED = {"statement": "checks", "runs": "explore", "queue": "runs", "values": "queue"}
"""Panels that do so, too, where three columns have no room."""

ROOM = 60
"""Lines of text that the window is wide, at least, for three columns."""

HUMBLE = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
"""Of a widget that asks for no room."""

Docks = Mapping[str, QDockWidget]


class _HeldLayout(QWidget):
    """Gives a panel all the room there is, and asks for no more than the panel's least.

    A panel with words that wrap would else be given the height it likes best, and be scrolled
    where it could as well be lower.
    """

    def __init__(self, panel: QWidget) -> None:
        super().__init__()
        self._panel = panel
        panel.setParent(self)

    def minimumSizeHint(self) -> QSize:
        """The panel's own."""
        return self._panel.minimumSizeHint().expandedTo(self._panel.minimumSize())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The panel is as large as this is."""
        super().resizeEvent(event)
        self._panel.resize(self.size())

    def event(self, event: QEvent) -> bool:
        """Hear of the panel's other wishes."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().event(event)


def scrolled(panel: QWidget) -> QScrollArea:
    """`panel` in a frame that may be narrower than it is, for large text and small windows."""
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(_HeldLayout(panel))
    return area


def crowded(window: QMainWindow) -> bool:
    """Whether text is so large that three columns of panels have no room for it."""
    return window.width() < ROOM * window.fontMetrics().height()


def behind(window: QMainWindow) -> dict[str, str]:
    """The panels that stand behind another one in a window as large as it is now."""
    if not crowded(window):
        return STACKED
    # One that follows another comes after it, or it would stay where that stood.
    return {name: to for name, to in STACKED.items() if name not in CROWDED} | CROWDED


def keep_size(window: QMainWindow) -> None:
    """Let the window be as large as now once its panels stand as they shall.

    For a moment they stand side by side, and with large text ask for more than the screen has.
    """
    size = window.size()

    def back() -> None:
        layout = window.layout()
        if layout is not None:
            layout.activate()  # or what they asked for then would still hold
        window.resize(size)

    if window.windowState() == Qt.WindowState.WindowNoState:
        QTimer.singleShot(0, window, back)


def stack(window: QMainWindow, docks: Docks) -> None:
    """Put panels behind those that are shown: hidden ones would leave Qt's tabs astray."""
    stacked = behind(window)
    for name, before in stacked.items():
        window.tabifyDockWidget(docks[before], docks[name])
        docks[name].show()
    for name in set(stacked.values()) - set(stacked):
        docks[name].raise_()


def bring_forward(window: QMainWindow, dock: QDockWidget) -> None:
    """Show a panel, in front of those that it shares its place with.

    Its tab is chosen, as a click would: Qt paints the middle anew, too, for a dock that is raised.
    """
    dock.show()
    behind_tabs = window.tabifiedDockWidgets(dock)
    for bar in window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
        titles = [bar.tabText(at) for at in range(bar.count())]
        if behind_tabs and dock.windowTitle() in titles:
            bar.setCurrentIndex(titles.index(dock.windowTitle()))
            return
    dock.raise_()


def arrange(window: QMainWindow, docks: Docks) -> None:
    """Give the panels the sizes that suit the window as large as it is now."""
    wide, high, line = window.width(), window.height(), window.fontMetrics().height()
    across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    left = max(18 * line, round(wide * 0.22))
    if crowded(window):
        central = window.centralWidget()
        middle = (central.minimumSizeHint().width() if central is not None else 0) + line
        window.resizeDocks([docks["params"]], [max(min(left, wide - middle), 8 * line)], across)
        window.resizeDocks([docks["flagged"]], [round(high * 0.32)], down)
        return
    right = max(17 * line, round(wide * 0.21))
    window.resizeDocks([docks["params"], docks["runs"]], [left, right], across)
    heights = [round(high * 0.6), round(high * 0.3)]
    window.resizeDocks([docks["params"], docks["statement"]], heights, down)
    window.resizeDocks([docks["runs"], docks["values"]], [50, 50], down)
    window.resizeDocks([docks["flagged"]], [max(170, round(high * 0.28))], down)
