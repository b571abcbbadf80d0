"""What the window may not wait for: compilers, tables and networks come with the first log."""

import gc
import subprocess
import sys
import threading
import weakref
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QObject, QTimer

from auditor.gui.app import application
from tests.gui.driving import wait_until

HEAVY = (
    "numba", "llvmlite", "pandas", "pyarrow", "scipy", "opendp", "reportlab", "pyspark",
    "pyqtgraph", "matplotlib",
)  # fmt: skip

START = f"""
import sys, tempfile
from PySide6.QtCore import QSettings
QSettings.setDefaultFormat(QSettings.Format.IniFormat)
QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, tempfile.mkdtemp())
from auditor.gui.app import application as app
running = app.make_application([])
window = app.make_window(running)
window.show()
running.processEvents()
print([name for name in {HEAVY} if name in sys.modules])
window.close()
"""


WARM_UP = f"""
import importlib, sys
for step in {application.WARM}:
    importlib.import_module(step.partition(":")[0])
print([name for name in ("PySide6", "pyqtgraph") if name in sys.modules])
"""


@pytest.mark.parametrize("code", [START, WARM_UP], ids=["window", "thread that warms up"])
def test_that_the_window_loads_nothing_heavy_and_warming_up_nothing_of_qt(code: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.strip() == "[]"


def test_that_warming_up_waits_for_a_log(monkeypatch: pytest.MonkeyPatch, qapp: object) -> None:
    begun: list[bool] = []
    monkeypatch.setattr(application, "warm_up", lambda: begun.append(True))
    reader, log = SimpleNamespace(busy=True), SimpleNamespace(busy=False)
    window: Any = SimpleNamespace(controller=SimpleNamespace(reader=reader), log=log)
    timer = QTimer(interval=1_000)
    timer.start()
    application.warm_when_idle(window, timer)
    reader.busy, log.busy = False, True
    application.warm_when_idle(window, timer)
    assert not begun
    assert timer.isActive()
    log.busy = False
    application.warm_when_idle(window, timer)
    assert begun
    assert not timer.isActive()


class Knot(QObject):
    """A Qt object that only a search for cycles can end."""

    def __init__(self) -> None:
        super().__init__()
        self.itself = self


def test_that_a_busy_worker_ends_no_qt_object() -> None:
    """It ends in the window's thread, when that comes to it."""
    ended_in: list[threading.Thread] = []
    weakref.finalize(Knot(), lambda: ended_in.append(threading.current_thread()))

    lists: list[list[int]] = []
    worker = threading.Thread(target=allocate_much, args=(lists,))
    worker.start()
    worker.join()
    assert ended_in == []

    wait_until(lambda: ended_in != [])
    assert ended_in == [threading.main_thread()]


def allocate_much(lists: list[list[int]]) -> None:
    """So many containers that Python would search all generations for cycles, if it searched."""
    young, middle, old = gc.get_threshold()
    lists.extend([] for _ in range(2 * young * middle * old))
