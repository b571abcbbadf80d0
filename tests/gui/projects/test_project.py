"""Projects in the window: save, open, ask before something is lost, undo everything."""

import dataclasses
import json
import shutil
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QMessageBox

from auditor.gui.app.main_window import MainWindow
from auditor.gui.projects.keeper import NAME
from auditor.project.model import Project
from auditor.release.ledger import store
from tests.gui.app.test_verdict_strip import POLICY
from tests.gui.conftest import WindowMaker
from tests.gui.driving import row_cells, wait_idle, wait_signal, wait_until
from tests.gui.projects.conftest import LOG, answer, open_log, question, save
from tests.narrowing import present

LEDGER_GATE = """
[[gate]]
name = "releases"
title = "Few releases of this log"
figure = "ledger.releases"
most = 3
"""


@pytest.fixture
def window(fake_parts: None, make_window: WindowMaker, state: Path, log: Path) -> MainWindow:
    """A log with a finished run, a parameter that was set, a note and a dismissal."""
    window = make_window(state=state)
    open_log(window, log)
    c = window.controller
    c.intents.set("q_f", 20)
    run(window)
    c.edit_run(next(iter(c.runs)).number, name="first try")
    c.notes.write_note(0, 1, "look again")
    c.notes.dismiss_session(4, 5, "public")
    return window


def is_open(window: MainWindow) -> bool:
    return window.controller.opened is not None


def run(window: MainWindow) -> None:
    window.controller.run()
    wait_idle(window)


def open_project(window: MainWindow, path: Path) -> None:
    with wait_signal(window.projects.keeper.restored):
        window.open([path])
    wait_idle(window)


def unpacked(path: Path) -> bytes:
    with zipfile.ZipFile(path) as archive:
        return b"".join(archive.read(name) for name in archive.namelist())


# --- saving and opening -----------------------------------------------------------------------


def test_that_work_goes_on_where_it_was_left(window: MainWindow, path: Path) -> None:
    c = window.controller
    before = present(c.current)
    save(window, path)
    window.projects.close()
    assert not is_open(window)
    assert not len(c.runs)
    assert window.welcome.isVisible()
    open_project(window, path)
    assert is_open(window)
    assert c.intent.params.q_f == 20  # type: ignore[attr-defined]
    (record,) = c.runs
    assert record is c.current
    assert (record.letter, record.name, record.state) == ("A", "first try", "finished")
    assert record.reopened
    assert [v.value for v in record.values] == [v.value for v in before.values]
    notes = [(note.start, note.text, note.dismissed) for note in c.notes.list_notes()]
    assert notes == [(0, "look again", ""), (4, "", "public")]
    assert not window.projects.keeper.modified
    assert not c.intents.undo.canUndo()
    # Flagged sessions are no part of a project, and are found again on demand.
    assert "no sessions" in window.risk.panel.empty.text.text()
    assert "noted of 2 sessions is kept" in window.risk.panel.empty.text.text()
    window.risk.panel.empty.act.click()
    wait_until(lambda: c.running is None)
    (record,) = c.runs
    assert (record.letter, record.name, record.reopened) == ("A", "first try", False)
    assert record.findings
    assert window.strip.review.isEnabled()


def test_that_a_reopened_run_keeps_its_verdict(window: MainWindow, path: Path) -> None:
    verdicts = window.verdicts
    # the bundled one asks for real attacks
    window.policy.use_for_project(POLICY + LEDGER_GATE)
    wait_until(lambda: verdicts.current is not None and not verdicts.busy)
    before = present(verdicts.current)
    save(window, path)
    open_project(window, path)
    (record,) = window.controller.runs
    after = present(verdicts.find_verdict(record.number))
    assert after == verdicts.current
    assert (after.state, after.kept) == (before.state, before.kept)
    # what was flagged stays out of the file
    assert present(after.worst).figures == present(before.worst).figures
    assert [item.gate.name for item in after.failed] == [item.gate.name for item in before.failed]
    assert after.checks == before.checks
    assert "releases" in [item.gate.name for item in after.passed]
    assert after.guarantee == before.guarantee
    assert after.state.title in window.strip.answer.text()
    assert window.strip.sentence.text().startswith("Run A")
    verdict, *_, worst = row_cells(window.compare.runs.model, 0)[1:]
    assert after.state.title in verdict
    assert worst.endswith("Fake attack")
    assert window.compare.tables.of.toolTip() == "A  first try"


def test_that_the_ledger_alone_says_what_was_approved(window: MainWindow, path: Path) -> None:
    c, name = window.controller, "5" * 64
    (record,) = c.runs
    record.released = name  # as it is once its release was signed
    save(window, path)

    def read_strip() -> str:
        open_project(window, path)
        wait_until(lambda: not window.verdicts.busy)
        window.show_workspace("release")
        wait_idle(window)
        return window.strip.sentence.text()

    assert "approved" not in read_strip()  # whatever the project says
    assert "approved" not in window.release.said.text()
    approval = {"kind": store.APPROVED, "release": name, "log": {"digest": "d"}, "overrides": []}
    approval |= {"reviewer": "Ada Reviewer", "at": "2026-03-04T05:06:07Z"}
    with store.open_for_append(store.ledger_path()) as writer:
        writer.append(approval)
    assert read_strip() == "Run A, approved by Ada Reviewer"
    text = window.release.said.text()
    assert all(fact in text for fact in ("run A", "Ada Reviewer", "2026-03-04"))
    with store.open_for_append(store.ledger_path()) as writer:
        (entry,) = writer.state.approved
        writer.append({"kind": store.WITHDRAWN, "at": "", "entry": entry.number, "why": "x"})
    assert "approved" not in read_strip()


def test_that_no_word_of_the_log_is_written(
    window: MainWindow, state: Path, tmp_path: Path, path: Path
) -> None:
    save(window, path)
    window.controller.intents.set("q_f", 30)
    with wait_signal(window.projects.saver.saved):
        window.projects.saver.save_now()
    window.projects.close()
    # What is being put in place stands in a folder of its own for a moment.
    wait_until(lambda: not list(state.rglob(".auditor-*")))
    written = [entry for entry in [*tmp_path.glob("*.qlpa"), *state.rglob("*")] if entry.is_file()]
    assert len(written) >= 3
    for entry in written:
        data = entry.read_bytes() + (unpacked(entry) if entry.suffix == ".qlpa" else b"")
        assert b"zorblatt" not in data, entry
        assert stat.S_IMODE(entry.stat().st_mode) == 0o600, entry


def test_that_nothing_is_offered_that_needs_a_log_that_is_not_open(window: MainWindow) -> None:
    c, page, log = window.controller, window.release, window.log
    controls = (page.act, window.strip.suggest, log.change)
    assert all(control.isEnabled() for control in controls)
    project = Project(intent=c.intent, runs=tuple(c.runs), current="A")
    c.restore_project(project, None)
    window.show_workspace("release")
    assert not any(control.isEnabled() for control in controls)
    assert log.facts.text() == "No log is open"


def test_that_making_a_run_again_takes_no_metric_away(window: MainWindow, path: Path) -> None:
    """It is cancelled, or attackers know less than they did: the result is another run's."""
    c = window.controller
    save(window, path)
    open_project(window, path)
    (record,) = c.runs
    plan, values = record.plan, [v.value for v in record.values]
    record.plan = dataclasses.replace(plan, params=plan.params.replace(mode="slow"))
    c.make_again(record.number)
    wait_until(lambda: record.state == "running")
    c.cancel_run()
    wait_until(lambda: c.running is None)
    assert (record.state, record.reopened) == ("finished", True)
    assert [v.value for v in record.values] == values
    record.plan = dataclasses.replace(plan, knowledge=(("reference", "a log"),))
    c.make_again(record.number)
    wait_until(lambda: c.running is None)
    assert (record.state, record.reopened) == ("finished", True)
    assert [v.value for v in record.values] == values
    assert [run.letter for run in c.runs] == ["A", "B"]


# --- what would be lost -----------------------------------------------------------------------


def test_that_the_title_says_whether_all_is_saved(window: MainWindow, path: Path) -> None:
    c = window.controller
    assert window.windowTitle().startswith("● searches.tsv")
    number = next(iter(c.runs)).number  # how it is judged is a change of the project, too
    wait_until(lambda: window.verdicts.of_run(number) is not None)
    save(window, path)
    assert window.windowTitle().startswith("a.qlpa – searches.tsv")
    c.intents.set("q_f", 30)
    assert window.windowTitle().startswith("● a.qlpa")
    c.intents.undo.undo()
    assert window.windowTitle().startswith("a.qlpa")
    run(window)
    assert window.windowTitle().startswith("● a.qlpa")
    assert "zorblatt" not in window.windowTitle()
    keeper = window.projects.keeper
    wait_until(lambda: not window.verdicts.busy)
    with wait_signal(keeper.saved):  # a run that is judged meanwhile is saved, too
        keeper.save(path)
        c.run_changed.emit(next(iter(c.runs)))
    assert not keeper.modified
    with wait_signal(keeper.saved):  # what is changed meanwhile is not
        keeper.save(path)
        c.intents.set("q_f", 40)
    assert keeper.modified


def test_that_nothing_is_lost_without_a_question_and_saving_on_the_way_out_goes_out(
    window: MainWindow, log: Path, path: Path
) -> None:
    window.projects.asking = True
    actions: list[Callable[[], None]] = [
        lambda: window.open([log]),
        window.commands.open_sample,
        window.projects.close,
    ]
    for lose in actions:
        lose()
        assert "Save the changes" in question(window).text()
        answer(window, "Cancel")
        assert len(window.controller.runs) == 1
    event = QCloseEvent()
    window.closeEvent(event)
    assert not event.isAccepted()
    answer(window, "Cancel")
    assert window.isVisible()
    save(window, path)
    window.controller.intents.set("q_f", 33)
    window.close()
    answer(window, "Save")
    wait_until(lambda: not window.isVisible())
    assert b'"q_f":33' in unpacked(path)


# --- the log ----------------------------------------------------------------------------------


@pytest.fixture
def moved(window: MainWindow, tmp_path: Path, path: Path, log: Path) -> Path:
    """A project on another machine: its log lies elsewhere, and nothing is remembered."""
    save(window, path)
    window.projects.close()
    window.projects.recent.clear()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.move(log, elsewhere / "renamed.tsv")
    return path


def test_that_a_log_that_is_not_there_is_asked_for_and_no_other_is_taken_for_it(
    window: MainWindow, moved: Path, tmp_path: Path
) -> None:
    c, keeper = window.controller, window.projects.keeper
    with wait_signal(keeper.log_wanted):
        window.open([moved])
    box = question(window)
    assert "20 users" in box.informativeText()
    box.close()
    wait_until(lambda: window.findChild(QMessageBox) is None)
    (tmp_path / "searches.tsv").write_text(LOG.replace("zorblatt 1", "quuxley"), "utf-8")
    with wait_signal(keeper.log_wanted):
        window.open([moved])  # a file of that name lies beside the project
    box = question(window)
    assert "not the log" in box.text()
    assert "quuxley" not in box.informativeText()
    answer(window, "View")
    assert not is_open(window)
    (record,) = c.runs
    assert record.values
    assert window.workspace
    assert not window.header.run.isEnabled()
    assert "not open" in window.windowTitle()
    wait_idle(window)
    assert "once the log is open" in window.risk.panel.empty.text.text()
    # what is said meanwhile is kept when the log comes
    c.edit_run(record.number, comment="seen")
    with wait_signal(keeper.restored):
        keeper.try_log(keeper.looked_at(), [tmp_path / "elsewhere" / "renamed.tsv"])
    assert [r.comment for r in c.runs] == ["seen"]
    assert is_open(window)
    assert keeper.modified
    # and where the log lies is remembered, so that nobody is asked again
    save(window, moved)
    window.projects.close()
    open_project(window, moved)
    assert is_open(window)


# --- drops and what was opened last -----------------------------------------------------------


def test_that_what_was_opened_last_is_listed_and_a_project_is_opened_by_dropping_it(
    window: MainWindow, state: Path, log: Path, path: Path
) -> None:
    recent = window.projects.recent
    save(window, path)
    assert [files[0].name for files in recent.entries] == ["a.qlpa", "searches.tsv"]
    titles = [action.text() for action in window.menus.projects.recent.actions()]
    assert window.welcome.recent.menu() is window.menus.projects.recent
    assert titles[0].startswith("&1  a.qlpa")
    wait_until(lambda: "a.qlpa" in (state / NAME).read_text())
    plain = json.loads((state / NAME).read_text())
    assert plain["entries"] == [[str(path)], [str(log)]]
    recent.clear()
    wait_until(lambda: not (state / NAME).exists())
    recent.set_remembering(False)
    recent.add([log])
    assert recent.entries == ()
    window.projects.close()
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    none, left = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    copy = Qt.DropAction.CopyAction
    enter = QDragEnterEvent(QPoint(5, 5), copy, mime, left, none)
    window.dragEnterEvent(enter)
    assert enter.isAccepted()
    with wait_signal(window.projects.keeper.restored):
        window.dropEvent(QDropEvent(QPoint(5, 5), copy, mime, left, none))
    assert len(window.controller.runs) == 1


def test_that_what_goes_wrong_with_a_file_is_said(window: MainWindow, tmp_path: Path) -> None:
    projects, label = window.projects, window.banner.text
    with wait_signal(projects.keeper.failed):
        projects.keeper.save(tmp_path / "nowhere" / "a.qlpa")
    assert window.banner.isVisible()
    assert projects.keeper.modified
    path = tmp_path / "broken.qlpa"
    path.write_bytes(b"PK\x03\x04 nothing")
    with wait_signal(projects.keeper.failed):
        window.open([path])
    assert "damaged" in label.text()
    gone = (tmp_path / "gone.tsv",)
    projects.recent.add(gone)
    projects.open_entry(gone)
    assert "gone.tsv is not there" in label.text()
    assert gone not in projects.recent.entries
    assert len(window.controller.runs) == 1


# --- undo -------------------------------------------------------------------------------------


def test_that_everything_that_is_edited_can_be_undone(window: MainWindow) -> None:
    c, undo = window.controller, window.controller.intents.undo
    (record,) = c.runs
    c.edit_run(record.number, comment="good", pinned=True)
    window.policy.use_policy('format = "auditor policy 1"\n')
    c.remove_run(record.number)
    texts = [undo.text(index) for index in range(undo.count())]
    assert len(texts) == 8
    assert texts[-1] == "removal of run A"
    assert not len(c.runs)
    action = next(a for a in window.findChildren(QAction) if "Undo" in a.text())
    assert action.text().replace("&", "") == "Undo removal of run A"
    undo.undo()
    assert list(c.runs) == [record]
    assert c.current is record
    undo.undo()
    assert window.policy.text == ""
    undo.setIndex(undo.index() - 2)
    assert (record.comment, record.pinned) == ("", False)
    undo.setIndex(undo.index() - 2)
    assert len(c.notes) == 0
    undo.undo()
    assert record.name == ""
    undo.setIndex(undo.count())
    assert not len(c.runs)
    assert len(c.notes) == 2
    assert (record.name, record.comment, record.pinned) == ("first try", "good", True)


def test_that_a_policy_rules_while_its_project_is_open(window: MainWindow, path: Path) -> None:
    house, local = 'format = "auditor policy 1"\n# house', 'format = "auditor policy 1"\n# own'
    window.policy.use_policy(local)
    save(window, path)
    window.policy.use_policy(house)
    open_project(window, path)
    assert window.policy.text == local
    window.projects.close()
    assert window.policy.text == house


# --- what another window does -----------------------------------------------------------------


def is_overtaken(window: MainWindow) -> bool:
    return window.projects.keeper.overtaken


def test_that_what_another_window_saved_is_kept(window: MainWindow, path: Path) -> None:
    save(window, path)
    for reopened in (False, True):
        if reopened:
            open_project(window, path)
        mine = path.read_bytes()
        other = path.with_name("other")
        other.write_bytes(mine)
        other.replace(path)  # another window saves by putting a new file in its place
        assert is_overtaken(window)
        window.controller.notes.write_note(0, 1, f"mine {len(mine)}")
        window.projects.save()
        assert "was saved by another window" in question(window).text()
        answer(window, "Cancel")
        assert path.read_bytes() == mine
        wait_until(lambda: window.findChild(QMessageBox) is None)
        window.projects.save()
        with wait_signal(window.projects.keeper.saved):
            answer(window, "Replace")
        assert path.read_bytes() != mine
        assert not is_overtaken(window)
        window.controller.notes.write_note(0, 1, "mine again")
        with wait_signal(window.projects.keeper.saved):
            window.projects.save()
