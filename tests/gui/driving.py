"""How a test drives the window: it shows widgets, waits, chooses, types and reads.

Everything goes through the bot of the test that is running, which closes what was shown.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from auditor.gui.app.main_window import MainWindow

Role = Qt.ItemDataRole
W = TypeVar("W", bound=QWidget)

WAIT = 60_000
"""Milliseconds until a wait fails: only what never comes does, on however busy a machine."""

_bots: list[QtBot] = []


def use_bot(bot: QtBot) -> None:
    """Let the functions below work for a test."""
    _bots[:] = [bot]


def wait_until(condition: Callable[[], bool]) -> None:
    """Process events until a condition holds."""
    _bots[0].waitUntil(condition, timeout=WAIT)


def wait_signal(signal: Any) -> Any:
    """A context that ends when a signal was emitted; `args` are what came with it."""
    return _bots[0].waitSignal(signal, timeout=WAIT)


def wait_idle(window: MainWindow) -> None:
    """Wait until no run is at work, and the window shows what came of it."""
    c = window.controller
    wait_until(lambda: c.running is None and not c.turns.busy)


def settle(owner: Any) -> None:
    """Wait until the job of a page or a panel is over."""
    wait_until(lambda: not owner.job.running)


def press_run(window: MainWindow) -> None:
    """Press Run, and wait until the run is over."""
    window.header.run.click()
    wait_idle(window)


def keep(widget: W) -> W:
    """A widget that is closed after the test."""
    _bots[0].addWidget(widget)
    return widget


def show(widget: W, width: int = 0, height: int = 0) -> W:
    """A widget in view, of its own size if none is given."""
    keep(widget)
    if width:
        widget.resize(width, height)
    widget.show()
    return widget


def pick(box: QComboBox, data: object) -> None:
    """Choose the entry of a list that stands for `data`, as somebody does."""
    index = box.findData(data)
    assert index >= 0, f"no {data!r} in the list"
    box.setCurrentIndex(index)
    box.activated.emit(index)


def enter(field: QLineEdit, text: str) -> None:
    """Type into a field and leave it."""
    field.setText(text)
    field.editingFinished.emit()


def offered(box: QComboBox) -> list[Any]:
    """What the entries of a list stand for."""
    return [box.itemData(index) for index in range(box.count())]


def row_cells(model: QAbstractItemModel, row: int, role: Role = Role.DisplayRole) -> list[Any]:
    """What stands in the cells of a row."""
    return [model.index(row, column).data(role) for column in range(model.columnCount())]


def column_cells(model: QAbstractItemModel, column: int) -> list[Any]:
    """What stands in the cells of a column."""
    return [model.index(row, column).data() for row in range(model.rowCount())]


def texts(widget: QWidget) -> str:
    """What the labels of a widget say."""
    return "\n".join(label.text() for label in widget.findChildren(QLabel))
