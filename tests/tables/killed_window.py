"""A window that saves its project and exports a release again and again, until it is killed."""

import os
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtWidgets import QApplication

import auditor
from auditor.attacks.registry import ATTACKS
from auditor.gui.app.main_window import MainWindow
from auditor.gui.release.page import export_run
from auditor.gui.state.controller import Controller
from auditor.gui.state.worker import BackgroundJob
from auditor.log.writing import write_log
from auditor.measures.registry import MEASURES
from auditor.privacy.noise import SecureRandomness
from auditor.progress import Progress
from tests.methods.logs import log_of, random_rows


def save_until_killed(folder: Path, ready: "Connection[str, str]") -> None:
    """Save and export until the process is killed; tells once both stand there."""
    app = QApplication([])
    log = log_of(random_rows())
    write_log(log, folder / "log.tsv")
    result = auditor.audit(log, "frequency-threshold", n=2, skip=[*ATTACKS, *MEASURES])
    window = MainWindow(Controller(make_rng=SecureRandomness), None, folder / "state")
    window.show()
    window.open([folder / "log.tsv"])
    wait(app, lambda: window.controller.opened is not None)
    done: list[object] = []
    window.projects.keeper.saved.connect(done.append)
    number = 0
    while True:
        done.clear()
        window.controller.notes.write_note(0, 1, f"note {number} " + "x" * 1000 + f" end {number}")
        window.projects.keeper.save(folder / "a.qlpa")
        more = {"overwrite": True, "comment": f"export {number}"}

        def export(progress: Progress, more: Any = more) -> object:
            return export_run(result, log, folder / "out", more, progress)

        job = BackgroundJob("export", export)
        job.done.connect(done.append)
        job.failed.connect(lambda why: sys.exit(f"not exported: {why}"))
        job.start()
        wait(app, lambda: len(done) == 2)
        if not number:
            ready.send("ready")
        number += 1


def wait(app: QApplication, ready: Callable[[], bool]) -> None:
    """Let the window go on until it is."""
    while not ready():
        app.processEvents()
        time.sleep(0.002)
