"""The window as its benchmarks open it: with settings of its own, warmed up, and waited for."""

import os
import sys
import tempfile
import time
from collections.abc import Callable

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from auditor.gui.app import application
from auditor.gui.app.main_window import MainWindow


def open_window(width: int, height: int) -> tuple[QApplication, MainWindow]:
    """The program's window without a log, which nobody has used yet."""
    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, tempfile.mkdtemp())
    app = application.make_application(sys.argv[:1])
    window = application.make_window(app)
    window.resize(width, height)
    window.show()
    warming = application.warm_up()  # as the program does behind its window
    wait_for(app, lambda: not warming.is_alive(), 0.02)
    return app, window


def wait_for(
    app: QApplication, ready: Callable[[], bool], pause: float = 0.0002, seconds: float = 3_600.0
) -> None:
    """Let the window go on until something is so."""
    end = time.perf_counter() + seconds
    while not ready():
        app.processEvents()
        time.sleep(pause)
        if time.perf_counter() > end:
            raise TimeoutError("what was waited for never came")
