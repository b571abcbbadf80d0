"""Does the window stay fluent during a large run: ``python -m tests.bench.bench_frames [LOG]``.

Opens the real window on LOG (without one, on a synthetic log), starts a run of the default method
with its attacks and measures, and keeps using the window: drags a slider, turns through the
workspaces, scrolls the tables, opens menus of figures. Meanwhile a timer wants a turn every 4 ms;
how late it gets it is what a hand at the mouse would feel. Printed for reading the log, for the use
without a run and for the run: p50, p95, p99, longest, and the share of turns beyond 16 ms.

Two controls say what the figures are worth: the same timer in an empty program beside it, on the
same machine in the same minutes, and the use of the window without a run. Where the machine itself
is busy both are late; the processor time of the window's own thread in a turn isn't, and is
printed, too: a turn that took long without it was kept waiting.

All of it comes after the program has warmed up behind its empty window, as it does when it starts.

``--seconds`` ends the run after so long (0: when it is complete).
"""

import argparse
import contextlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QSlider

from auditor.gui.app.main_window import MainWindow
from auditor.gui.app.navigation import NAMES
from tests.bench.measuring import peak_memory
from tests.bench.windows import open_window

WISH = 4
"""Milliseconds between two turns of the timer."""
FRAME = 16.0
"""Milliseconds of a frame at 60 Hz."""
EVERY = 50
"""Milliseconds between two things that the hand does."""

EMPTY = """
import os, sys, time
from PySide6.QtCore import QCoreApplication, QTimer, Qt
app = QCoreApplication([])
last, late = time.perf_counter(), []
def tick():
    global last
    now = time.perf_counter()
    late.append(now - last)
    last = now
timer = QTimer(timerType=Qt.TimerType.PreciseTimer, interval=4)
timer.timeout.connect(tick)
timer.start()
parent = os.getppid()
def watch():
    if sys.stdin.readline():
        print(",".join(f"{1000 * x:.2f}" for x in late), flush=True)
    os._exit(0)
import threading
threading.Thread(target=watch, daemon=True).start()
app.exec()
"""


class Watch:
    """Counts turns of the event loop, and the processor time of its thread in each."""

    def __init__(self) -> None:
        self.late: list[float] = []
        self.own: list[float] = []
        """Processor milliseconds of the window's thread in each turn."""
        self._last, self._spent = time.perf_counter(), time.thread_time()
        self._timer = QTimer(timerType=Qt.TimerType.PreciseTimer, interval=WISH)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def _tick(self) -> None:
        now = time.perf_counter()
        spent = time.thread_time()
        self.late.append(1000 * (now - self._last))
        self.own.append(1000 * (spent - self._spent))
        self._last, self._spent = now, spent

    def take(self) -> tuple[list[float], list[float]]:
        """What was counted since the last time: turns, and their processor time."""
        taken = self.late, self.own
        self.late, self.own = [], []
        return taken

    def end(self) -> None:
        self._timer.stop()


class Hand:
    """Uses the window: one thing every `EVERY` ms, in turns."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self._deeds = cycle([*[self.drag] * 6, self.turn, *[self.scroll] * 6, self.plot])
        self._workspaces = cycle(NAMES)
        self._value = cycle([*range(0, 100, 4), *range(100, 0, -4)])
        self._step = 0
        self._shown = ""
        self._views: list[QAbstractItemView] = []
        self.timer = QTimer(interval=EVERY)
        self.timer.timeout.connect(self._act)

    def _act(self) -> None:
        next(self._deeds)()

    def drag(self) -> None:
        """Move the slider of the budget's parameter."""
        row = self.window.protect.params.rows.get("b") or next(
            iter(self.window.protect.params.rows.values())
        )
        for slider in row.findChildren(QSlider):
            share = next(self._value) / 100
            slider.setValue(round(slider.minimum() + share * (slider.maximum() - slider.minimum())))

    def turn(self) -> None:
        """Show another workspace."""
        self.window.show_workspace(next(self._workspaces))

    def scroll(self) -> None:
        """Scroll whatever tables are to be seen."""
        self._step += 1
        if self._shown != self.window.workspace:  # looking for them takes milliseconds itself
            self._shown = self.window.workspace
            self._views = self.window.findChildren(QAbstractItemView)
        for view in self._views:
            bar = view.verticalScrollBar()
            if view.isVisible() and bar.maximum() > 0:
                bar.setValue((self._step * 3 * bar.singleStep()) % bar.maximum())

    def plot(self) -> None:
        """Show the next figure of the results."""
        for box in self.window.protect.plots.results.findChildren(QComboBox):
            if box.count() > 1 and box.isVisible():
                box.setCurrentIndex((box.currentIndex() + 1) % box.count())
                box.activated.emit(box.currentIndex())


@contextlib.contextmanager
def empty_program() -> Iterator[Callable[[], list[float]]]:
    """The same timer in a program that does nothing else; ask it once how late it was."""
    child = subprocess.Popen(
        [sys.executable, "-c", EMPTY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdin is not None
    assert child.stdout is not None

    def ask() -> list[float]:
        child.stdin.write("tell\n")  # type: ignore[union-attr]
        child.stdin.flush()  # type: ignore[union-attr]
        line = child.stdout.readline()  # type: ignore[union-attr]
        return [float(word) for word in line.split(",")]

    try:
        yield ask
    finally:
        child.stdin.close()
        child.wait()


def spread(late: list[float]) -> str:
    """The distribution of turns in one line."""
    if not late:
        return "no turns"
    p50, p95, p99, p999 = np.percentile(late, [50, 95, 99, 99.9])
    beyond = [turn for turn in late if turn > FRAME]
    share = 100 * len(beyond) / len(late)
    of_time = 100 * sum(beyond) / sum(late)
    return (
        f"{len(late):,} turns, p50 {p50:.1f} p95 {p95:.1f} p99 {p99:.1f} p99.9 {p999:.1f} "
        f"longest {max(late):.0f} ms; beyond {FRAME:.0f} ms: {len(beyond):,} ({share:.2f} % of "
        f"turns, {of_time:.1f} % of the time), beyond 50 ms: {sum(x > 50 for x in late):,}, "
        f"beyond 100 ms: {sum(x > 100 for x in late):,}"
    )


class Bench:
    """One window, measured in phases."""

    def __init__(self) -> None:
        self.app, self.window = open_window(1366, 768)
        self.watch = Watch()
        self.hand = Hand(self.window)

    def until(self, done: Callable[[], bool], seconds: float = 36_000.0) -> None:
        """Turn the event loop, as the application's own does, until something is done."""
        loop, check = QEventLoop(), QTimer(interval=100)
        end = time.perf_counter() + seconds
        check.timeout.connect(lambda: loop.quit() if done() or time.perf_counter() > end else None)
        check.start()
        loop.exec()
        check.stop()

    def phase(self, title: str, done: Callable[[], bool], seconds: float = 36_000.0) -> None:
        """Measure until something is done, with the control beside it."""
        self.watch.take()
        with empty_program() as ask:
            began, burnt = time.perf_counter(), time.process_time()
            self.until(done, seconds)
            control = ask()[5:]
        late, work = self.watch.take()
        took, cpu = time.perf_counter() - began, time.process_time() - burnt
        print(f"\n== {title}: {took:.0f} s, CPU {cpu:.0f} s, peak {peak_memory():.1f} GiB")
        print(f"window:        {spread(late)}")
        print(f"its own work:  {spread(work)}")
        print(f"empty program: {spread(control)}")
        sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("log", nargs="?", type=Path)
    parser.add_argument("--method", default="safelog")
    parser.add_argument("--seconds", type=float, default=0.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.log or _make_log(Path(folder) / "log")
        bench = Bench()
        controller = bench.window.controller
        bench.window.open([path])
        bench.phase("reading the log", lambda: controller.opened is not None)
        controller.intents.choose_method(options.method)
        bench.until(lambda: False, 3.0)
        bench.hand.timer.start()
        bench.phase("use without a run", lambda: False, 20.0)
        controller.run()
        run = controller.current
        assert run is not None
        bench.phase("use during a run", lambda: not run.active, options.seconds or 36_000.0)
        print(f"run: {run.state} {run.message}")
        if run.complete:
            for name, seconds in run.seconds.items():
                print(f"  {seconds:8.1f} s  {name}")
            bench.phase("use after the run", lambda: False, 20.0)
        bench.hand.timer.stop()
    bench.watch.end()
    bench.window.close()
    bench.app.processEvents()


def _make_log(folder: Path) -> Path:
    """A synthetic log of a million rows, made by a process whose memory and time don't count."""
    size = "--users", "16500", "--days", "60", "--seed", "1"
    command = [sys.executable, "-m", "auditor", "synth", str(folder), *size, "--quiet"]
    subprocess.run(command, check=True)
    return folder / "log.tsv"


if __name__ == "__main__":
    main()
