"""What every view of one session has: its place in the list, its events, and words beside them."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSplitter,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from auditor.gui.state.worker import BackgroundJob
from auditor.gui.widgets import formats, style
from auditor.gui.widgets.elided_label import ElidedLabel
from auditor.gui.widgets.marked_text import MarkedDelegate
from auditor.gui.widgets.page_area import PageArea
from auditor.gui.widgets.tables import dress_table

QUERY = 1
"""The column of queries, in which what was recognised is marked."""
LINES, TALLER = 8, 2.2
"""Lines of text that events and reasons need, and how many times as many one below the other."""


class SessionPane(QWidget):
    """Events in a table, words at its side; whoever holds it answers `closed` and `stepped(±1)`."""

    closed = Signal()
    stepped = Signal(int)

    def __init__(
        self, model: QAbstractTableModel, about: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.job: BackgroundJob | None = None
        """What looks up what a release shows of the session."""
        self.heading = ElidedLabel(bold=True)
        self.position = style.plain_label(role="muted")
        self.table = QTableView()
        self.table.setModel(model)
        dress_table(self.table, about)
        self.table.setItemDelegateForColumn(QUERY, MarkedDelegate(self.table))
        self.table.selectionModel().currentRowChanged.connect(self.show_event)
        side = QWidget()
        side.setMinimumWidth(180)
        self.words = QVBoxLayout(side)
        self.words.setContentsMargins(style.NORMAL, 0, style.NORMAL, 0)
        scroll = QScrollArea(widgetResizable=True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setAccessibleName(self.tr("The chosen query, and what the reasons mean"))
        scroll.setWidget(side)
        split = self.split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(self.table)
        split.addWidget(scroll)
        split.setStretchFactor(0, 3)  # the reasons are read: a wide screen is theirs, too
        split.setStretchFactor(1, 1)
        split.setSizes([640, 240])
        self.bar = self._make_bar()
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(style.TIGHT)
        self.body.addLayout(self.bar)
        # Where there is little room, the reasons stand below the events, in whole lines.
        area = PageArea(split, LINES, (split,), taller=TALLER)
        area.narrowed.connect(self._turn)
        self.body.addWidget(area, 1)
        self._moved = False
        split.splitterMoved.connect(self._keep_moved)
        split.installEventFilter(self)
        self.setFocusProxy(self.table)

    def set_position(self, row: int, rows: int) -> None:
        """Where the session stands in the list, which decides what can be stepped to."""
        self.previous_button.setEnabled(row > 0)
        self.next_button.setEnabled(0 <= row < rows - 1)
        self.position.setText(
            self.tr("{row} of {rows}").format(
                row=formats.format_count(row + 1), rows=formats.format_count(rows)
            )
            if row >= 0
            else self.tr("not in the list")
        )

    def show_event(self, current: QModelIndex) -> None:
        """Say more of the event that was chosen, where the pane has more to say."""

    def fit_rows(self) -> None:
        """Give the events the lines they have, up to half of a narrow pane, and words the rest."""
        lines = self.table.verticalHeader().length()
        if self._moved or not lines or self.split.orientation() == Qt.Orientation.Horizontal:
            return
        rows = lines + self.table.horizontalHeader().height()
        if self.table.horizontalScrollBar().isVisible():
            rows += self.table.horizontalScrollBar().height()
        whole = self.split.height() - self.split.handleWidth()
        events = min(rows + 2 * self.table.frameWidth() + style.TIGHT, whole // 2)
        self.split.setSizes([events, whole - events])

    def _keep_moved(self) -> None:
        """Somebody shared the room out: leave it so."""
        self._moved = True

    def _turn(self, narrow: bool) -> None:
        self._moved = False
        self.split.setSizes([40, 60] if narrow else [640, 240])
        self.fit_rows()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Share out the room that events and words have now."""
        if event.type() == QEvent.Type.Resize and watched is self.split:
            self.fit_rows()
        return super().eventFilter(watched, event)

    def drop_job(self) -> None:
        """Look nothing up any more."""
        if self.job is not None:
            self.job.drop()
            self.job = None

    def _make_bar(self) -> QHBoxLayout:
        bar = QHBoxLayout()
        self.previous_button = QPushButton(self.tr("&Previous"))
        self.previous_button.setToolTip(self.tr("The session before in the list (Alt+Left)"))
        self.previous_button.clicked.connect(lambda: self.stepped.emit(-1))
        self.next_button = QPushButton(self.tr("&Next"))
        self.next_button.setToolTip(self.tr("The next session in the list (Alt+Right)"))
        self.next_button.clicked.connect(lambda: self.stepped.emit(1))
        bar.addWidget(self.heading, 100)
        bar.addWidget(self.position)
        bar.addStretch(1)  # else the buttons would take what the heading leaves
        for button in (self.previous_button, self.next_button):
            bar.addWidget(button)
        for keys, act in (
            ("Escape", self.closed.emit),
            ("Alt+Left", self.previous_button.click),
            ("Alt+Right", self.next_button.click),
        ):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(act)
        return bar
