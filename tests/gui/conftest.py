"""Every window test runs offscreen, and may leave neither a widget nor a thread behind.

A Qt warning fails the test too: ``qt_log_level_fail`` in pyproject.toml.
"""

import os

os.environ["QT_QPA_PLATFORM"] = "offscreen"

import gc
import sys
import threading
import time
from collections.abc import Callable, Iterator
from importlib.abc import MetaPathFinder
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QLocale, QSettings, Qt
from PySide6.QtGui import QFont
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from auditor.attacks.registry import ATTACKS
from auditor.gui.app import translation
from auditor.gui.app.application import CycleCollector
from auditor.gui.app.main_window import MainWindow
from auditor.gui.state.controller import Controller
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS
from tests.gui import fakes
from tests.gui.driving import show, use_bot

PATIENCE = 240
"""Seconds a thread has to end by itself after a test; it may be compiling for the first time."""


@pytest.fixture(autouse=True)
def qtbot(
    _nothing_is_left: None, qapp: QApplication, request: pytest.FixtureRequest
) -> Iterator[QtBot]:
    """The one way in which tests of the window wait and show widgets."""
    bot = QtBot(request)
    use_bot(bot)
    yield bot
    if qapp.keyboardModifiers() != Qt.KeyboardModifier.NoModifier:
        # A shortcut that a test presses leaves Ctrl held down, for the next test's clicks, too
        QTest.keyRelease(QWidget(), Qt.Key.Key_Control)
    assert qapp.keyboardModifiers() == Qt.KeyboardModifier.NoModifier


@pytest.fixture(scope="session", autouse=True)
def _settings_of_nobody(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the person's own settings out of the tests, and the tests out of them."""
    place: Path = tmp_path_factory.mktemp("settings")
    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(place))


@pytest.fixture(scope="session", autouse=True)
def _empty_clipboard(qapp: QApplication) -> Iterator[None]:
    """Without a screen Qt keeps the clipboard past Python's end, and what Python put there."""
    yield
    qapp.clipboard().clear()


class QtImportWatch(MetaPathFinder):
    """Names of modules with Qt classes that a thread other than the window's began to load.

    PySide's table of classes isn't guarded against that: the process may end.
    """

    def __init__(self) -> None:
        self.elsewhere: list[str] = []

    def find_spec(self, fullname: str, *_: object) -> None:
        """Find nothing, but notice who looks."""
        if fullname.startswith(("PySide6", "pyqtgraph", "auditor.gui")) and (
            threading.current_thread() is not threading.main_thread()
        ):
            self.elsewhere.append(f"{fullname} in {threading.current_thread().name}")


@pytest.fixture(autouse=True)
def _qt_is_loaded_by_the_window() -> Iterator[None]:
    """Fail a test in which a worker loads Qt classes."""
    watch = QtImportWatch()
    sys.meta_path.insert(0, watch)
    yield
    sys.meta_path.remove(watch)
    assert watch.elsewhere == []


@pytest.fixture(autouse=True)
def _cycles_are_collected_by_the_window(qapp: QApplication) -> Iterator[None]:
    """Collect where the program does; in a worker it may wait for the window for ever."""
    collector = CycleCollector(qapp)
    yield
    collector.stop()


@pytest.fixture(autouse=True)
def _nothing_is_left(qapp: QApplication) -> Iterator[None]:
    """Fail a test that leaves a top-level widget or a running thread.

    Needs `qapp` only, so that it is torn down after `qtbot` has closed what it was given.
    """
    gc.freeze()  # what is there before the test needn't be searched after it
    threads = set(threading.enumerate())
    widgets = {id(widget) for widget in qapp.topLevelWidgets()}
    yield
    _settle(qapp)
    leftover = [widget for widget in qapp.topLevelWidgets() if id(widget) not in widgets]
    names = sorted(f"{type(widget).__name__} {widget.objectName()!r}" for widget in leftover)
    if leftover:  # so that the next test is not blamed
        for widget in leftover:
            widget.close()
            widget.deleteLater()
        _settle(qapp)
    assert not names, f"top-level widgets left behind: {', '.join(names)}"
    running = _still_running(threads)
    assert not running, f"threads left running: {', '.join(running)}"


def _settle(app: QApplication) -> None:
    """Deliver deferred deletes and drop cycles that hold widgets."""
    for _ in range(2):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        app.processEvents()
        gc.collect()


def _still_running(before: set[threading.Thread]) -> list[str]:
    """Names of threads started since that do not end within `PATIENCE` seconds."""
    until = time.monotonic() + PATIENCE
    while True:
        extra = [
            thread
            for thread in threading.enumerate()
            if thread not in before
            and thread.is_alive()
            and not isinstance(thread, threading._DummyThread)  # Qt's own, seen from Python
        ]
        if not extra or time.monotonic() > until:
            return sorted(thread.name for thread in extra)
        time.sleep(0.01)


@pytest.fixture
def fake_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Registries that hold the fakes alone."""
    for registry, module in (
        (METHODS, "fake"),
        (ATTACKS, "fake-attack"),
        (MEASURES, "fake-measure"),
    ):
        monkeypatch.setattr(registry, "modules", {module: "tests.gui.fakes"})


@pytest.fixture
def controller(fake_parts: None) -> Iterator[Controller]:
    """A controller without a window, of the fakes alone."""
    controller = Controller()
    yield controller
    controller.close()


WindowMaker = Callable[..., MainWindow]


@pytest.fixture
def make_window() -> Iterator[WindowMaker]:
    """Opens the whole window at the smallest size it is made for, with nothing remembered."""
    QSettings().clear()
    windows = []

    def make(controller: Controller | None = None, state: Path | None = None) -> MainWindow:
        window = MainWindow(controller or Controller(), None, state)
        windows.append(window)
        return show(window, 1366, 768)

    yield make
    for window in windows:
        window.projects.saver.end()
        window.controller.close()


@pytest.fixture
def real(make_window: WindowMaker) -> MainWindow:
    """The whole window, without a log."""
    return make_window()


@pytest.fixture
def bare_window(fake_parts: None, real: MainWindow) -> MainWindow:
    """The same, with the fakes alone."""
    return real


@pytest.fixture
def window(bare_window: MainWindow) -> MainWindow:
    """The same; a module may have a window of its own by this name."""
    return bare_window


@pytest.fixture
def opened(bare_window: MainWindow) -> MainWindow:
    """The same with a small log."""
    fakes.open_log(bare_window.controller)
    return bare_window


@pytest.fixture
def large_text(qapp: QApplication) -> Iterator[None]:
    """The desktop's text twice as large."""
    before = qapp.font()
    large = QFont(before)
    large.setPointSizeF(2 * before.pointSizeF())
    qapp.setFont(large)
    yield
    qapp.setFont(before)


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    """The window's words, and its numbers, in German."""
    before = QLocale()
    translation.install_language(qapp, "de")
    yield
    translation.install_language(qapp, "en")
    QLocale.setDefault(before)
