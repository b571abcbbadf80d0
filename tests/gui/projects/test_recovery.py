"""After a crash the sitting is there again; nobody takes the copy of a window that lives."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from auditor.gui.app import application
from auditor.gui.app.main_window import MainWindow
from auditor.gui.projects.keeper import FOLDER, RecoverySlot, left_behind
from auditor.project import file
from tests.gui.conftest import WindowMaker
from tests.gui.driving import wait_signal, wait_until
from tests.gui.projects.test_project import answer, open_log, question, save

CRASHES = """
import sys
from pathlib import Path
from PySide6.QtCore import QSettings, QTimer
from auditor.gui.app.application import make_application, make_window

state, log = Path(sys.argv[1]), Path(sys.argv[2])
QSettings.setDefaultFormat(QSettings.Format.IniFormat)
QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(state))
application = make_application(["auditor"])
window = make_window(application, state)
window.show()
controller = window.controller

def edit(_opened):
    controller.intents.choose_method("safelog")
    controller.intents.set("K", 77)
    controller.notes.write_note(0, 1, "seen before the crash")

controller.log_opened.connect(edit)
window.projects.saver.saved.connect(lambda: print("saved", flush=True))
window.open([log])
application.exec()
"""


@pytest.fixture
def window(make_window: WindowMaker, state: Path) -> MainWindow:
    return make_window(state=state)


def copies(state: Path) -> list[Path]:
    return sorted((state / FOLDER).glob("*.qlpa"))


def test_that_what_a_killed_process_held_comes_back(
    window: MainWindow, state: Path, log: Path
) -> None:
    script = [sys.executable, "-c", CRASHES, str(state), str(log)]
    with subprocess.Popen(script, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "saved\n"
        assert left_behind(state) == [], "a living window's copy was taken"
        os.kill(process.pid, signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    (copy,) = copies(state)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert stat.S_IMODE(copy.parent.stat().st_mode) == 0o700
    window.projects.offer_recovery()
    text = question(window).text()
    assert "ended without being closed" in text
    assert "Log: searches.tsv" in text
    with wait_signal(window.projects.keeper.restored):
        answer(window, "Restore")
    c = window.controller
    assert c.opened is not None
    assert c.intent.params.K == 77  # type: ignore[attr-defined]
    assert [note.text for note in c.notes.list_notes()] == ["seen before the crash"]
    assert window.projects.keeper.modified
    assert window.windowTitle().startswith("● searches.tsv")
    assert not copy.exists(), "what was restored was not let go of"
    wait_until(lambda: len(copies(state)) == 1)  # and kept in this one's copy


def test_that_the_copy_goes_when_all_is_saved_and_when_the_window_closes(
    window: MainWindow, state: Path, log: Path, tmp_path: Path
) -> None:
    open_log(window, log)
    assert copies(state) == []
    window.controller.intents.set("K", 20)
    wait_until(lambda: len(copies(state)) == 1)
    save(window, tmp_path / "a.qlpa")
    wait_until(lambda: copies(state) == [])
    window.controller.intents.set("K", 21)
    wait_until(lambda: len(copies(state)) == 1)
    project, places = file.read_project_file(copies(state)[0], recovery=True)
    assert project.intent.params.K == 21  # type: ignore[attr-defined]
    assert places["/project"] == [str(tmp_path / "a.qlpa")]
    window.close()
    wait_until(lambda: list((state / FOLDER).iterdir()) == [])


def test_that_one_of_two_windows_gets_a_copy_and_none_is_written_late(state: Path) -> None:
    slot = RecoverySlot.create_in(state)
    slot.write(b"first")
    slot.release()
    slot.write(b"too late")
    assert list((state / FOLDER).iterdir()) == []
    crashed = RecoverySlot.create_in(state)
    crashed.write(b"copy")
    os.close(crashed._lock)  # what the system does when a process ends
    (first,) = left_behind(state)
    assert left_behind(state) == []
    first.release(keep=True)
    (again,) = left_behind(state)
    again.release()
    assert left_behind(state) == []
    assert list((state / FOLDER).iterdir()) == []
    # Locks without a copy are swept, and living ones stay.
    dead, alive = RecoverySlot.create_in(state), RecoverySlot.create_in(state)
    os.close(dead._lock)
    assert left_behind(state) == []
    assert [path.name for path in (state / FOLDER).iterdir()] == [
        alive.file.with_suffix(".lock").name
    ]
    alive.release()


def test_that_a_damaged_copy_is_said_and_stays(window: MainWindow, state: Path) -> None:
    crashed = RecoverySlot.create_in(state)
    crashed.write(b"nothing of ours")
    os.close(crashed._lock)
    window.projects.offer_recovery()
    with wait_signal(window.projects.keeper.failed):
        answer(window, "Restore")
    assert "damaged" in window.banner.text.text()
    assert crashed.file.exists()


def test_that_somebody_may_not_want_it(window: MainWindow, state: Path) -> None:
    for choice, count in (("Discard", 0), ("Not now", 1)):
        crashed = RecoverySlot.create_in(state)
        crashed.write(b"copy")
        os.close(crashed._lock)
        window.projects.offer_recovery()
        answer(window, choice)
        assert len(copies(state)) == count


@pytest.mark.slow
def test_that_a_window_that_was_asked_for_a_file_offers_the_copy_another_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    did: list[str] = []

    class OfWindow:
        def __getattr__(self, name: str) -> Any:
            return (
                self if name in ("projects", "saver", "controller") else lambda *_: did.append(name)
            )

    class OfApp:
        def exec(self) -> int:
            return 0

    monkeypatch.setattr(application, "make_application", lambda _argv: OfApp())
    monkeypatch.setattr(application, "make_window", lambda *_: OfWindow())
    monkeypatch.setattr(application, "warm_up", lambda: None)
    application.run([tmp_path / "other.qlpa"])
    assert "open" in did
    assert "offer_recovery" not in did
    application.run([])
    assert "offer_recovery" in did


def test_that_a_copy_that_cannot_be_written_is_said_once(
    window: MainWindow, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_log(window, log)
    heard: list[str] = []
    window.projects.saver.failed.connect(heard.append)

    def refuse(_slot: RecoverySlot, _data: bytes) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(RecoverySlot, "write", refuse)
    for k in (20, 21, 22):
        window.controller.intents.set("K", k)
        window.projects.saver.save_now()
        wait_until(lambda: not window.projects.saver.job.running)
    assert len(heard) == 1
    assert "No space left" in heard[0]
