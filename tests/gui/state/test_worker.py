"""Background jobs: answers in the UI thread, errors in words, nothing after a drop."""

from __future__ import annotations

import os
import sys
import threading
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QThread, Slot

from auditor.gui.state import worker
from auditor.gui.state.worker import NICE, BackgroundJob, JobProgress
from tests.gui.driving import wait_signal, wait_until


def test_that_answers_arrive_in_order_in_the_ui_thread() -> None:
    heard: list[Any] = []
    ui_thread = QThread.currentThread()

    def work(progress: JobProgress) -> str:
        progress.stage("counting", 3_000_000_000)
        progress.tell("first")
        return "last"

    job = BackgroundJob("test", work)
    for signal in (job.partial, job.done):
        signal.connect(lambda part: heard.append((part, QThread.currentThread() is ui_thread)))
    job.progressed.connect(lambda *state: heard.append(state))
    with wait_signal(job.done):
        job.start()
    assert heard == [("counting", 0, 3_000_000_000), ("first", True), ("last", True)]


def test_that_cancel_is_answered_by_cancelled() -> None:
    begun = threading.Event()

    def work(progress: JobProgress) -> None:
        begun.set()
        while True:
            progress.check()

    job = BackgroundJob("test", work)
    with wait_signal(job.cancelled):
        job.start()
        begun.wait(5)
        job.cancel()
    assert not job.running


def test_that_a_dropped_job_is_heard_no_more_even_of_what_it_had_sent() -> None:
    sent = threading.Event()
    heard: list[object] = []

    def work(progress: JobProgress) -> str:
        progress.tell("late")
        sent.set()
        return "late"

    job = BackgroundJob("test", work)
    job.partial.connect(heard.append)
    job.done.connect(heard.append)
    job.start()
    sent.wait(5)
    job.drop()
    wait_until(lambda: not job.at_work)
    QCoreApplication.processEvents()
    assert heard == []


class Panic(BaseException):
    """What a compiled library raises when it breaks down."""


@pytest.mark.parametrize("kind", [ValueError, Panic])
def test_that_a_failure_says_what_happened_and_never_a_value(
    caplog: pytest.LogCaptureFixture, kind: type[BaseException]
) -> None:
    def work(progress: JobProgress) -> None:
        raise kind("jane roe's secret query")

    job = BackgroundJob("test", work)
    with wait_signal(job.failed) as heard:
        job.start()
    assert heard.args[0].startswith(f"Internal error: {kind.__name__} at test_worker.py:")
    assert "jane" not in caplog.text + heard.args[0]


EXPECTED_NICE = NICE if sys.platform == "linux" else 0
"""Only Linux has a priority for each thread."""


def behind() -> int:
    """How far the thread that calls this stands behind the window's."""
    if sys.platform != "linux":
        return 0
    priority = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    return priority - os.getpriority(os.PRIO_PROCESS, os.getpid())


def test_that_work_stands_behind_the_window_and_so_does_what_it_begins() -> None:
    priorities: list[int] = []

    def work(progress: JobProgress) -> None:
        begun = threading.Thread(target=lambda: priorities.append(behind()))
        begun.start()
        begun.join()
        priorities.append(behind())

    job = BackgroundJob("test", work)
    with wait_signal(job.done):
        job.start()
    assert priorities == [EXPECTED_NICE, EXPECTED_NICE]
    assert behind() == 0


class Mourned:
    """Notes in which thread it dies."""

    def __init__(self, died_in: list[threading.Thread]) -> None:
        self.died_in = died_in

    def __del__(self) -> None:
        self.died_in.append(threading.current_thread())


@pytest.mark.parametrize("dropped", [False, True])
def test_that_what_work_holds_dies_in_the_window_s_thread(
    dropped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A widget that dies in another one ends the program: also if a thread ends late."""
    died_in: list[threading.Thread] = []
    heard, go_on = threading.Event(), threading.Event()
    send, deliver = BackgroundJob._send, BackgroundJob._deliver

    def send_and_linger(job: BackgroundJob, kind: str, content: Any) -> None:
        send(job, kind, content)
        go_on.wait(10)

    def note_delivery(job: BackgroundJob, kind: str, content: Any) -> None:
        deliver(job, kind, content)
        heard.set()

    monkeypatch.setattr(BackgroundJob, "_send", send_and_linger)
    monkeypatch.setattr(BackgroundJob, "_deliver", Slot(str, object)(note_delivery))
    monkeypatch.setattr(worker, "_SOON", 0)
    looks: list[None] = []
    release = worker._release_when_over

    def note_look(job: BackgroundJob) -> None:
        looks.append(None)
        release(job)

    monkeypatch.setattr(worker, "_release_when_over", note_look)

    def make_job() -> None:
        mourned = Mourned(died_in)
        job = BackgroundJob("holding", lambda _progress: mourned is not None).start()
        if dropped:
            job.drop()

    make_job()
    wait_until(heard.is_set)
    wait_until(lambda: len(looks) > 1)  # the job is over, and its thread has not ended
    go_on.set()
    wait_until(lambda: bool(died_in))
    assert died_in == [threading.main_thread()]
