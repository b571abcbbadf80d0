"""After a crash the work is there again; nobody takes the copy of a window that lives."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from auditor.gui.app import application
from auditor.gui.app.main_window import MainWindow
from auditor.gui.projects.keeper import FOLDER, RecoverySlot, left_behind
from auditor.project import file
from tests.gui.conftest import WindowMaker
from tests.gui.driving import wait_signal, wait_until
from tests.gui.projects.conftest import answer, open_log, question, save

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


def crash(state: Path, copy: bytes = b"copy") -> RecoverySlot:
    """What a window leaves that ended without being closed."""
    slot = RecoverySlot.create_in(state)
    if copy:
        slot.write(copy)
    os.close(slot._lock)  # what the system does when a process ends
    return slot


def copies(state: Path) -> list[Path]:
    return sorted((state / FOLDER).glob("*.qlpa"))


def test_that_what_was_killed_is_restored(window: MainWindow, state: Path, log: Path) -> None:
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
    window: MainWindow, state: Path, log: Path, path: Path
) -> None:
    open_log(window, log)
    assert copies(state) == []
    window.controller.intents.set("K", 20)
    wait_until(lambda: len(copies(state)) == 1)
    save(window, path)
    wait_until(lambda: copies(state) == [])
    window.controller.intents.set("K", 21)
    wait_until(lambda: len(copies(state)) == 1)
    project, places = file.read_project_file(copies(state)[0], recovery=True)
    assert project.intent.params.K == 21  # type: ignore[attr-defined]
    assert places["/project"] == [str(path)]
    window.close()
    wait_until(lambda: list((state / FOLDER).iterdir()) == [])


def test_that_one_of_two_windows_gets_a_copy_and_none_is_written_late(state: Path) -> None:
    slot = RecoverySlot.create_in(state)
    slot.write(b"first")
    slot.release()
    slot.write(b"too late")
    assert list((state / FOLDER).iterdir()) == []
    crash(state)
    (first,) = left_behind(state)
    assert left_behind(state) == []
    first.release(keep=True)
    (again,) = left_behind(state)
    again.release()
    assert left_behind(state) == []
    assert list((state / FOLDER).iterdir()) == []
    # Locks without a copy are swept, and living ones stay.
    alive = RecoverySlot.create_in(state)
    crash(state, b"")
    assert left_behind(state) == []
    assert [*(state / FOLDER).iterdir()] == [alive.file.with_suffix(".lock")]
    alive.release()


def test_that_a_damaged_copy_is_said_and_stays(window: MainWindow, state: Path) -> None:
    crashed = crash(state, b"nothing of ours")
    window.projects.offer_recovery()
    with wait_signal(window.projects.keeper.failed):
        answer(window, "Restore")
    assert "damaged" in window.banner.text.text()
    assert crashed.file.exists()


def test_that_somebody_may_not_want_it(window: MainWindow, state: Path) -> None:
    for choice, count in (("Discard", 0), ("Not now", 1)):
        crash(state)
        window.projects.offer_recovery()
        answer(window, choice)
        assert len(copies(state)) == count


@pytest.mark.slow
def test_that_a_window_that_was_asked_for_a_file_offers_the_copy_another_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    window = Mock()
    monkeypatch.setattr(application, "make_application", lambda _argv: Mock(exec=lambda: 0))
    monkeypatch.setattr(application, "make_window", lambda *_: window)
    monkeypatch.setattr(application, "warm_up", lambda: None)
    application.run([tmp_path / "other.qlpa"])
    window.open.assert_called_once()
    window.projects.offer_recovery.assert_not_called()
    application.run([])
    window.projects.offer_recovery.assert_called_once()


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
