"""Work in the background and in turns of the window: in order, in its thread, never too late."""

import os
import sys
import threading
from collections import Counter
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QThread, QTimer, Slot
from pytestqt.qtbot import QtBot

from auditor.figures import Figure
from auditor.gui.app.main_window import MainWindow
from auditor.gui.plots.plot import FigurePlot
from auditor.gui.state import worker
from auditor.gui.state.worker import NICE, BackgroundJob, JobProgress, UiScheduler
from tests.gui.driving import wait_idle, wait_signal, wait_until


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
def test_that_what_work_holds_dies_in_the_window(
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


# --- turns of the window --------------------------------------------------------------------------


def test_that_others_are_heard_between_two_pieces_and_the_newest_is_done() -> None:
    turns, done = UiScheduler(), list[str]()

    def first() -> None:
        done.append("first")
        QTimer.singleShot(0, lambda: done.append("heard"))

    turns.run_soon(lambda: done.append("old"), "a")
    turns.run_soon(lambda: done.append("second"), "b")
    turns.run_soon(first, "a")
    assert done == []
    wait_until(lambda: not turns.busy)
    assert done == ["first", "heard", "second"]


def test_that_what_is_done_now_is_not_done_again_and_a_failure_stops_nothing(qtbot: QtBot) -> None:
    turns, done = UiScheduler(), list[str]()
    turns.run_soon(lambda: done[7], "bad")
    turns.run_soon(lambda: done.append("waited"), "a")
    turns.run_soon(lambda: done.append("last"), "b")
    turns.run_now(lambda: done.append("now"), "a")
    with qtbot.captureExceptions() as failures:
        wait_until(lambda: not turns.busy)
    assert done == ["now", "last"]
    assert [kind for kind, *_ in failures] == [IndexError]


def test_that_text_comes_after_pictures_and_is_said_once() -> None:
    turns, done = UiScheduler(), list[str]()
    turns.run_later(lambda: done.append("old text"), "text")
    turns.run_later(lambda: done.append("text"), "text")
    turns.run_later(lambda: done.append("taken back"), "advice")
    turns.run_soon(lambda: done.append("plot"))
    turns.run_soon(lambda: done.append("axes"))
    turns.run_now(lambda: done.append("now"), "advice")
    wait_until(lambda: not turns.busy)
    assert not turns.drawing
    assert done == ["now", "plot", "axes", "text"]
    turns.run_later(lambda: done.append("dropped"))
    turns.clear()
    assert not turns.busy


def test_that_many_steps_of_a_slider_draw_each_plot_but_once_or_twice(
    opened: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    c, plots = opened.controller, opened.protect.plots
    wait_until(lambda: not c.looking)
    drawn: Counter[FigurePlot] = Counter()
    draw = FigurePlot.draw_figure

    def count_draw(plot: FigurePlot, figure: Figure) -> None:
        drawn[plot] += 1
        draw(plot, figure)

    monkeypatch.setattr(FigurePlot, "draw_figure", count_draw)
    for queries in range(2, 32):
        c.intents.set("q_f", queries, gesture=1)
    wait_until(lambda: not c.looking)
    wait_idle(opened)
    assert drawn[plots.curves.view.plot] == 1
    assert 1 <= drawn[plots.results.view.plot] <= 2  # what is quick to expect, then all of it
    for pane in (plots.curves, plots.results):
        assert pane.view.plot.updatesEnabled()
