"""A second window in a process of its own: opens a project, writes a note, and saves.

``python -m tests.gui.projects.two_windows PROJECT STATE NOTE``; ends with 0 once it is saved.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtWidgets import QApplication

from auditor.gui.app.main_window import MainWindow
from auditor.gui.state.controller import Controller
from auditor.privacy.noise import SecureRandomness

PATIENCE = 120.0


def main(project: str, state: str, note: str) -> int:
    """Open, edit and save; 1 if that isn't done in `PATIENCE` seconds."""
    app = QApplication([])
    window = MainWindow(Controller(make_rng=SecureRandomness), None, Path(state))
    saved: list[Path] = []
    window.projects.keeper.saved.connect(saved.append)
    window.show()
    window.open([Path(project)])
    done = _wait(app, lambda: window.controller.opened is not None)
    if done:
        window.controller.notes.write_note(0, 1, note)
        window.projects.save()
        done = _wait(app, lambda: bool(saved))
    window.projects.saver.end()
    window.controller.close()
    return 0 if done else 1


def _wait(app: QApplication, ready: Callable[[], bool]) -> bool:
    until = time.monotonic() + PATIENCE
    while not ready():
        if time.monotonic() > until:
            return False
        app.processEvents()
        time.sleep(0.01)
    return True


if __name__ == "__main__":
    ended = main(*sys.argv[1:])
    sys.stdout.flush()
    os._exit(ended)  # a thread may still compile: Python would end while it is at it
