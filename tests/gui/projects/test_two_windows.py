"""Two windows, each a process of its own, on one project: neither save is lost in silence."""

from __future__ import annotations

import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from auditor.gui.app.main_window import MainWindow
from auditor.gui.state.controller import Controller
from auditor.privacy.noise import SecureRandomness

LOG = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n" + "".join(
    f"{user}\tzorblatt {hour}\t2006-03-01 0{hour}:{user:02d}:00\t\t\n"
    for user in range(20)
    for hour in range(4)
)


@pytest.fixture
def window(tmp_path: Path, qtbot: QtBot) -> Iterator[MainWindow]:
    QSettings().clear()
    (tmp_path / "first").mkdir()
    window = MainWindow(Controller(make_rng=SecureRandomness), None, tmp_path / "first")
    qtbot.addWidget(window)
    window.show()
    yield window
    # What the page Log looks for in the background ends by itself.
    names = "content of the log"
    qtbot.waitUntil(lambda: all(one.name != names for one in threading.enumerate()))
    window.projects.saver.end()
    window.controller.close()


def notes_in(path: Path) -> str:
    with zipfile.ZipFile(path) as archive:
        return "".join(archive.read(name).decode("utf-8", "replace") for name in archive.namelist())


def message(window: MainWindow, qtbot: QtBot) -> QMessageBox:
    qtbot.waitUntil(lambda: window.projects.message_shown() is not None)
    box = window.projects.message_shown()
    assert isinstance(box, QMessageBox)
    return box


def test_that_what_another_process_saved_is_replaced_only_when_somebody_says_so(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    log, project = tmp_path / "searches.tsv", tmp_path / "shared.qlpa"
    log.write_text(LOG, encoding="utf-8")
    window.open([log])
    qtbot.waitUntil(lambda: window.controller.opened is not None)
    window.controller.notes.write_note(0, 1, "written first")
    with qtbot.waitSignal(window.projects.keeper.saved):
        window.projects.keeper.save(project)

    (tmp_path / "second").mkdir()
    how = [sys.executable, "-m", "tests.gui.projects.two_windows"]
    words = [str(project), str(tmp_path / "second"), "written by the second window"]
    ended = subprocess.run([*how, *words], timeout=240, check=False, capture_output=True)
    assert ended.returncode == 0, ended.stderr[-500:]
    theirs = project.read_bytes()
    assert "written by the second window" in notes_in(project)

    window.controller.notes.write_note(0, 1, "written by the first window")
    window.projects.save()
    box = message(window, qtbot)
    assert "was saved by another window" in box.text()
    next(one for one in box.buttons() if one.text().replace("&", "").startswith("Cancel")).click()
    qtbot.waitUntil(lambda: window.projects.message_shown() is None)
    assert project.read_bytes() == theirs
    window.projects.save()
    box = message(window, qtbot)
    with qtbot.waitSignal(window.projects.keeper.saved):
        next(one for one in box.buttons() if one.text().replace("&", "").startswith("Rep")).click()
    assert "written by the first window" in notes_in(project)
