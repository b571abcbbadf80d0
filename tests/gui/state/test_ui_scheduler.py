"""What is shown comes in pieces, each in a turn of the event loop, and the newest alone."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from auditor.figures import Figure
from auditor.gui.app.main_window import MainWindow
from auditor.gui.plots.plot import FigurePlot
from auditor.gui.state.worker import UiScheduler
from tests.gui.driving import wait_idle, wait_until


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
