"""Background jobs: answers in the UI thread, errors in words, nothing after a drop."""

from __future__ import annotations

import os
import sys
import threading
from typing import Any

import pytest
from PySide6.QtCore import QThread
from pytestqt.qtbot import QtBot

from auditor.gui.state.worker import NICE, BackgroundJob, Tell
from auditor.progress import Progress


def test_that_answers_arrive_in_order_in_the_ui_thread(qtbot: QtBot) -> None:
    heard: list[Any] = []
    here = QThread.currentThread()

    def work(progress: Progress, tell: Tell) -> str:
        progress.stage("counting", 3_000_000_000)
        tell("first")
        return "last"

    job = BackgroundJob("test", work)
    for signal in (job.partial, job.done):
        signal.connect(lambda part: heard.append((part, QThread.currentThread() is here)))
    job.progressed.connect(lambda *state: heard.append(state))
    with qtbot.waitSignal(job.done):
        job.start()
    assert heard == [("counting", 0, 3_000_000_000), ("first", True), ("last", True)]


def test_that_cancel_is_answered_by_cancelled(qtbot: QtBot) -> None:
    begun = threading.Event()

    def work(progress: Progress, tell: Tell) -> None:
        begun.set()
        while True:
            progress.check()

    job = BackgroundJob("test", work)
    with qtbot.waitSignal(job.cancelled):
        job.start()
        begun.wait(5)
        job.cancel()
    assert not job.running


def test_that_a_dropped_job_is_heard_no_more_even_of_what_it_had_sent(qtbot: QtBot) -> None:
    sent = threading.Event()
    heard: list[object] = []

    def work(progress: Progress, tell: Tell) -> str:
        tell("late")
        sent.set()
        return "late"

    job = BackgroundJob("test", work)
    job.partial.connect(heard.append)
    job.done.connect(heard.append)
    job.start()
    sent.wait(5)
    job.drop()
    qtbot.wait(50)
    assert heard == []


class Panic(BaseException):
    """What a compiled library raises when it breaks down."""


@pytest.mark.parametrize("kind", [ValueError, Panic])
def test_that_a_failure_says_what_happened_and_never_a_value(
    qtbot: QtBot, caplog: pytest.LogCaptureFixture, kind: type[BaseException]
) -> None:
    def work(progress: Progress, tell: Tell) -> None:
        raise kind("jane roe's secret query")

    job = BackgroundJob("test", work)
    with qtbot.waitSignal(job.failed) as heard:
        job.start()
    assert heard.args[0].startswith(f"Internal error: {kind.__name__} at test_worker.py:")
    assert "jane" not in caplog.text + heard.args[0]


WANTED = NICE if sys.platform == "linux" else 0
"""Only Linux has a priority for each thread."""


def behind() -> int:
    """How far the thread that calls this stands behind the window's."""
    if sys.platform != "linux":
        return 0
    own = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    return own - os.getpriority(os.PRIO_PROCESS, os.getpid())


def test_that_work_stands_behind_the_window_and_so_does_what_it_begins(qtbot: QtBot) -> None:
    found: list[int] = []

    def work(progress: Progress, tell: Tell) -> None:
        begun = threading.Thread(target=lambda: found.append(behind()))
        begun.start()
        begun.join()
        found.append(behind())

    job = BackgroundJob("test", work)
    with qtbot.waitSignal(job.done):
        job.start()
    assert found == [WANTED, WANTED]
    assert behind() == 0
