"""Objects in cycles end in the window's thread, however much the workers allocate."""

from __future__ import annotations

import gc
import threading
import weakref

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot


class Knot(QObject):
    """A Qt object that only a search for cycles can end."""

    def __init__(self) -> None:
        super().__init__()
        self.itself = self


def test_that_a_busy_worker_ends_no_qt_object(qtbot: QtBot) -> None:
    """It ends in the window's thread, when that comes to it."""
    ended_in: list[threading.Thread] = []
    weakref.finalize(Knot(), lambda: ended_in.append(threading.current_thread()))

    lists: list[list[int]] = []
    worker = threading.Thread(target=allocate_much, args=(lists,))
    worker.start()
    worker.join()
    assert ended_in == []

    qtbot.waitUntil(lambda: ended_in != [])
    assert ended_in == [threading.main_thread()]


def allocate_much(lists: list[list[int]]) -> None:
    """So many containers that Python would search all generations for cycles, if it searched."""
    young, middle, old = gc.get_threshold()
    lists.extend([] for _ in range(2 * young * middle * old))
