"""What the window may not wait for: compilers, tables and networks come with the first log."""

from __future__ import annotations

import subprocess
import sys

from auditor.gui.app import application

HEAVY = (
    "numba",
    "llvmlite",
    "pandas",
    "pyarrow",
    "scipy",
    "opendp",
    "reportlab",
    "pyspark",
    "pyqtgraph",
    "matplotlib",
)

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


def test_that_the_thread_that_warms_up_loads_nothing_of_qt() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WARM_UP], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.strip() == "[]"


def test_that_the_window_is_painted_before_anything_heavy_is_loaded() -> None:
    done = subprocess.run(
        [sys.executable, "-c", START], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.strip() == "[]"
