"""Long use: random slider moves, runs, cancels and undos, without growth of memory or threads.

A few hundred acts with the suite, two minutes with ``-m slow``; ``AUDITOR_SOAK`` sets the seconds
of the slow one, hours if somebody wishes.
"""

import itertools
import os
import random
import threading
import time
from collections import Counter
from collections.abc import Callable

import psutil
import pytest
from PySide6.QtWidgets import QApplication

from auditor.gui.app.main_window import MainWindow
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods.registry import METHODS
from auditor.params import ParamKind, ParamSpec
from tests.gui import fakes
from tests.gui.conftest import WindowMaker
from tests.gui.driving import wait_until

QUIET = ("safelog", "zealous", "frequency-threshold", "k-delta", "token-hashing", "bundling")
"""Methods whose runs on a small log are over at once, so that many are made."""
MOST_RUNS = 4
"""Runs that stay in the list; results are large by design and go with their runs."""
GROWTH = 40 * 2**20
"""Bytes that the second half may add to the first."""


@pytest.fixture
def window(make_window: WindowMaker) -> MainWindow:
    window = make_window()
    fakes.open_log(window.controller, synthesize_log(60, days=10, seed=5).log)
    return window


def somewhere(spec: ParamSpec, rng: random.Random) -> object:
    """A value within the slider's reach."""
    if spec.kind is ParamKind.FLAG:
        return rng.random() < 0.5
    if spec.kind is ParamKind.CHOICE:
        return rng.choice(spec.options).value
    assert spec.bounds is not None
    low, high = spec.slider or (spec.bounds.low, spec.bounds.high)
    if spec.kind is ParamKind.INTEGER:
        return rng.randint(int(low), int(min(high, low + 60)))
    return rng.uniform(low, min(high, low + 5))


class Person:
    """Somebody who can't make up their mind."""

    def __init__(self, window: MainWindow, rng: random.Random) -> None:
        c = self.controller = window.controller
        self.rng = rng
        self.done: Counter[str] = Counter()
        self.deeds: dict[str, tuple[int, Callable[[], object]]] = {
            "move": (8, self.move),
            "method": (2, lambda: c.intents.choose_method(rng.choice(QUIET))),
            "run": (3, window.header.run.click),
            "cancel": (1, c.cancel_run),
            "undo": (2, c.intents.undo.undo),
            "redo": (1, c.intents.undo.redo),
            "look": (2, self.look),
        }

    def act(self) -> None:
        """Do anything, and keep the list of runs short."""
        weights = [weight for weight, _ in self.deeds.values()]
        deed = self.rng.choices([*self.deeds], weights)[0]
        self.deeds[deed][1]()
        self.done[deed] += 1
        for record in list(self.controller.runs)[:-MOST_RUNS]:
            self.controller.remove_run(record.number)

    def move(self) -> None:
        specs = METHODS[self.controller.intent.method].params.specs()
        spec = self.rng.choice([spec for spec in specs if spec.kind is not ParamKind.PATH])
        self.controller.intents.set(spec.name, somewhere(spec, self.rng))

    def look(self) -> None:
        if runs := list(self.controller.runs):
            self.controller.show_run(self.rng.choice(runs).number)


def run_every_method(window: MainWindow) -> None:
    """Load and compile what the soak will need, so that growth after it is growth."""
    for name in QUIET:
        window.controller.intents.choose_method(name)
        wait_until(window.header.run.isEnabled)
        window.controller.run()
        (record,) = window.controller.runs
        window.controller.remove_run(record.number)


def soak(
    window: MainWindow,
    qapp: QApplication,
    *,
    acts: int = 0,
    seconds: float = 0.0,
    growth: int | None = GROWTH,
) -> Person:
    """Act so often, and for so long at least; raises if memory or threads have grown from the
    middle to the end.
    """
    person = Person(window, random.Random(1))
    process = psutil.Process()
    halfway: tuple[int, int] | None = None
    began = time.monotonic()
    for number in itertools.count():
        spent = time.monotonic() - began
        if number >= acts and spent >= seconds:
            break
        person.act()
        until = time.monotonic() + 0.01
        while time.monotonic() < until:
            qapp.processEvents()
            time.sleep(0.001)
        if halfway is None and number >= acts / 2 and spent >= seconds / 2:
            halfway = process.memory_info().rss, threading.active_count()
    assert halfway is not None
    assert growth is None or process.memory_info().rss - halfway[0] < growth
    most, until = halfway[1] + 1, time.monotonic() + 60
    while threading.active_count() > most and time.monotonic() < until:  # some are at work yet
        qapp.processEvents()
        time.sleep(0.01)
    assert threading.active_count() <= most
    return person


def test_that_use_leaves_all_in_order(window: MainWindow, qapp: QApplication) -> None:
    run_every_method(window)
    soak(window, qapp, acts=50, growth=None)  # what the deeds load is loaded now
    person = soak(window, qapp, acts=100, growth=2 * GROWTH)
    assert person.done["run"] > 0
    assert person.done["move"] > 10


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_that_long_use_adds_no_memory_or_threads(window: MainWindow, qapp: QApplication) -> None:
    run_every_method(window)
    soak(window, qapp, seconds=float(os.environ.get("AUDITOR_SOAK", "120")))
