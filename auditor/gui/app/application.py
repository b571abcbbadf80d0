"""Starts the window: application, theme, controller, and what can be warmed up meanwhile."""

import gc
import importlib
import logging
import sys
import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Qt, QTimer
from PySide6.QtGui import QFont, QFontDatabase, QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication

from auditor.gui.app import translation
from auditor.gui.app.main_window import MainWindow
from auditor.gui.projects import keeper
from auditor.gui.state.controller import Controller
from auditor.gui.state.worker import give_way
from auditor.gui.widgets import style
from auditor.resource_files import resource_path

INTERVAL = 20
"""Milliseconds between two looks at how much was allocated.

With more, a look finds more to search at once: with 100 a start has pauses of 0.1 s.
"""


class CycleCollector(QObject):
    """Collects by Python's own thresholds in turns of the event loop, from now to `stop`."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self, interval=INTERVAL)
        self._timer.timeout.connect(collect_due)
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()
        gc.enable()


def collect_due() -> None:
    """Collect the oldest generation that has grown over its threshold, and those younger."""
    sizes = zip(gc.get_count(), gc.get_threshold(), strict=True)
    due = [generation for generation, (count, limit) in enumerate(sizes) if count > limit]
    if due:
        gc.collect(due[-1])


SWITCH = 0.00005
"""Seconds after which a busy thread lets the window's thread have a turn; Python's own are 5 ms.

During a run on 36 million rows 0.6 % of its turns took over 16 ms with this, 2.1 % with 1 ms.
"""

NEVER = 1_000_000_000
"""Searches of middle age after which there would be one of everything."""

ICON = "icons/auditor.svg"
FACES = ("Inter-Regular.otf", "Inter-SemiBold.otf")

_log = logging.getLogger(__name__)

PLOTS = "auditor.gui.plots.plot"
"""What draws plots: a quarter of a start, so it comes after the first paint.

In the window's thread: PySide's table of classes has no lock, and a class that another thread makes
meanwhile can end the process.
"""

WARM = (
    "auditor.engine.warm_up:compile_beside",
    "auditor.log.reading.reader:warm_reader",
    "auditor.attacks.detection.detector:load_lists",
    "auditor.engine.warm_up:wait_for_kernels",
    "auditor.engine.warm_up:warm_engine",
    "matplotlib.backends.backend_svg",
)
"""In the order in which a steward comes to need them: the reader's loops open a log, lists tell who
is at risk in it, the last draws pictures to be saved. None of them may load Qt: see `PLOTS`."""


def run(paths: list[Path], sample: bool = False) -> int:
    """Show the window, with `paths` or the `sample` log, until it is closed; the exit code."""
    app = make_application(sys.argv[:1])
    window = make_window(app, keeper.state_folder())
    window.restore_geometry()
    window.show()
    window.projects.asking = True
    if paths:  # somebody wants these: what a crash left can wait for another start
        window.open(paths)
    elif sample:
        window.controller.open_sample()
    else:
        window.projects.offer_recovery()
    starting = QTimer(interval=200)
    starting.timeout.connect(partial(warm_when_idle, window, starting))
    starting.start()
    code = app.exec()
    starting.stop()
    gc.unfreeze()  # the interpreter's end finds all of its cycles again
    window.projects.saver.wait()
    return code


def make_application(argv: list[str]) -> QApplication:
    """The application with the theme that the user chose, or the desktop's."""
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(
        Qt.HighDpiScaleFactorRoundingPolicy.PassThrough
    )
    sys.setswitchinterval(SWITCH)
    app = QApplication(argv)
    CycleCollector(app)
    app.setOrganizationName("Query Log Privacy Auditor")
    app.setApplicationName("auditor")
    app.setApplicationDisplayName("Query Log Privacy Auditor")
    translation.install_language(app, translation.chosen_language())
    app.setWindowIcon(QIcon(str(resource_path(ICON))))
    app.setStyle("Fusion")
    for face in FACES:  # at the size of the desktop's own font
        QFontDatabase.addApplicationFont(str(resource_path(f"fonts/{face}")))
    font = app.font()
    font.setFamilies(["Inter", *font.families()])
    font.setFeature(QFont.Tag("calt"), 0)  # it shows the 1x2 of a query, a path or a hash as 1×2
    app.setFont(font)
    return app


def make_window(app: QApplication, state: Path | None = None) -> MainWindow:
    """The main window, which follows the desktop's theme; what it remembers is kept in `state`."""

    def apply_theme_choice(choice: style.Choice) -> None:
        style.apply_theme(app, style.wanted_theme(choice))

    def follow_system_theme() -> None:
        if chosen_theme() == "system":
            apply_theme_choice("system")

    apply_theme_choice(chosen_theme())
    window = MainWindow(Controller(), apply_theme_choice, state)
    app.styleHints().colorSchemeChanged.connect(lambda _scheme: follow_system_theme())
    return window


def chosen_theme() -> style.Choice:
    """The theme that the user chose last; the system's by default."""
    theme = str(QSettings().value("theme", "system"))
    return "light" if theme == "light" else "dark" if theme == "dark" else "system"


def warm_when_idle(window: MainWindow, timer: QTimer) -> None:
    """Load what draws plots, and warm up unless a log's first answer would have to wait for it."""
    importlib.import_module(PLOTS)
    if not (window.controller.reader.busy or window.log.busy):
        timer.stop()
        warm_up()


def warm_up(steps: Sequence[str] = WARM) -> threading.Thread:
    """Load and compile, in the background, what a first run needs."""
    thread = threading.Thread(target=_run_warm_up_steps, args=(steps,), name="warm-up", daemon=True)
    thread.start()
    return thread


def _run_warm_up_steps(steps: Sequence[str]) -> None:
    """Do each step ("module" or "module:callable"); one that fails will fail where it counts."""
    give_way()
    # What is loaded now stays. A search for cycles among all of it takes up to a quarter of a
    # second, in which no thread gets a turn: only what is young is searched meanwhile, and what
    # has been loaded never again.
    young, middle, old = gc.get_threshold()
    gc.set_threshold(young, middle, NEVER)
    for step in steps:
        name, _, function = step.partition(":")
        try:
            module = importlib.import_module(name)
            if function:
                getattr(module, function)()
        except Exception as error:  # the window lives on; the run itself will say what is wrong
            _log.warning("warming up %s failed: %s", step, type(error).__name__)
    gc.freeze()
    gc.set_threshold(young, middle, old)
