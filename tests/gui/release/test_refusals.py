"""What the policy that comes with the program refuses, in the window, on a real log.

The window runs the real methods and attacks here; the command line is in tests/release.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from auditor.gui.app.main_window import MainWindow
from auditor.gui.state import log_loading
from auditor.gui.state.controller import Controller
from auditor.gui.state.verdicts import RunJudgement
from auditor.log.model import QueryLog
from auditor.log.reading.reader import read_log
from auditor.privacy.noise import SecureRandomness
from auditor.progress import silent_progress
from auditor.release.verdict import ReleaseState, ReleaseVerdict
from tests.gui.conftest import shown

EXCITE = Path(__file__).parents[2] / "data" / "excite-small.log"
WAIT = 120_000


@pytest.fixture(scope="module")
def excite() -> QueryLog:
    return read_log([EXCITE])


@pytest.fixture
def window(tmp_path: Path, qtbot: QtBot) -> Iterator[MainWindow]:
    QSettings().clear()
    window = MainWindow(Controller(make_rng=SecureRandomness), None, tmp_path)
    qtbot.addWidget(window)
    window.show()
    yield window
    # What the page Log looks for in the background ends by itself.
    names = "content of the log"
    qtbot.waitUntil(lambda: all(one.name != names for one in threading.enumerate()), timeout=WAIT)
    window.projects.saver.end()
    window.controller.close()


def open_log(window: MainWindow, qtbot: QtBot, log: QueryLog) -> None:
    window.controller.adopt_log(log_loading.prepare_log(log, "excite.log", silent_progress()))
    qtbot.waitUntil(lambda: window.controller.opened is not None, timeout=WAIT)


def judged(
    window: MainWindow, qtbot: QtBot, log: QueryLog, method: str, **params: Any
) -> ReleaseVerdict:
    """The verdict that the window shows of a run on `log` with every attack that applies."""
    c = window.controller
    if c.opened is None:
        open_log(window, qtbot, log)
    c.intents.choose_method(method)
    c.intents.set_all(params)
    c.run()

    def done() -> bool:
        record = c.shown_run
        if record is None or record.state == "running":
            return False
        return isinstance(window.verdicts.of_run(record.number), RunJudgement)

    qtbot.waitUntil(done, timeout=WAIT)
    shown(window, qtbot)
    verdict = window.verdicts.shown
    assert verdict is not None
    return verdict


def refused(window: MainWindow, qtbot: QtBot, answer: str) -> None:
    """The strip says so on every page, and the page Release lists what stands in the way."""
    assert window.strip.answer.text() == answer
    window.show_workspace("release")
    shown(window, qtbot)

    def listed() -> bool:
        panel = window.release.panel
        labels = panel.findChildren(QLabel) if panel is not None else []
        return any("not passed" in label.text() for label in labels)

    qtbot.waitUntil(listed, timeout=WAIT)
    assert window.strip.answer.text() == answer


NOTHING = "Nothing worth releasing is left"
NO = "Cannot be released as it is"


def test_that_an_empty_release_is_refused(
    window: MainWindow, qtbot: QtBot, excite: QueryLog
) -> None:
    verdict = judged(window, qtbot, excite, "frequency-threshold", n=500)
    assert verdict.state is ReleaseState.NOTHING_LEFT
    assert verdict.kept.queries == 0
    assert not verdict.releasable
    refused(window, qtbot, NOTHING)


def test_that_a_release_of_the_empty_string_alone_is_refused(
    window: MainWindow, qtbot: QtBot, excite: QueryLog
) -> None:
    blank = excite.rows(excite.queries.find_blank()[excite.query])
    assert len(blank) == 533
    verdict = judged(window, qtbot, blank, "token-hashing")
    assert verdict.state is ReleaseState.NOTHING_LEFT
    assert verdict.kept.queries == 0
    refused(window, qtbot, NOTHING)


def test_that_hashes_are_refused_where_a_reference_log_is_at_hand(
    window: MainWindow, qtbot: QtBot, excite: QueryLog
) -> None:
    open_log(window, qtbot, excite)
    known = window.controller.known
    known.take_reference([EXCITE])
    qtbot.waitUntil(lambda: "reference" in known.now.given, timeout=WAIT)
    verdict = judged(window, qtbot, excite, "token-hashing")
    assert verdict.state is ReleaseState.REFUSED
    assert {"inversion", "linkage", "entities"} <= {one.gate.name for one in verdict.failed}
    assert verdict.worst is not None
    assert verdict.worst.attack == "hash-inversion"
    refused(window, qtbot, NO)


def test_that_groups_of_two_are_refused(window: MainWindow, qtbot: QtBot, excite: QueryLog) -> None:
    verdict = judged(window, qtbot, excite, "microaggregation", k=2)
    assert verdict.state is ReleaseState.REFUSED
    assert "k" in {one.gate.name for one in verdict.failed}
    refused(window, qtbot, NO)
