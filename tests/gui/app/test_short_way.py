"""The way from a slider to the method's kernel and back, as the developer guide tells it.

The guide lists every function of ours on the way, with its file. This test moves a slider of the
real window, writes down the functions that are on the stack where the way goes on, and compares.
"""

import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from auditor.engine.plan import Intent
from auditor.gui.app.main_window import MainWindow
from auditor.gui.protect.params_panel import NumberRow
from auditor.resource_files import resource_path
from tests.gui import fakes
from tests.gui.conftest import WindowMaker
from tests.gui.driving import wait_until

PACKAGE = Path(sys.modules["auditor"].__file__ or "").parent
STEP = re.compile(r"^\d+\. `([\w/]+\.py)` `([\w.<>]+)`", re.MULTILINE)
DOWN, UP = "From a slider to the kernel", "And back to the screen"

Hop = tuple[str, str]


def guide_steps(heading: str) -> list[Hop]:
    """The numbered steps under a heading of the developer guide."""
    text = (resource_path("docs") / "architecture.md").read_text(encoding="utf-8")
    part = text.split(f"### {heading}\n", 1)[1].split("\n#", 1)[0]
    return [(file, name) for file, name in STEP.findall(part)]


def ours(frame: FrameType | None) -> list[Hop]:
    """The functions of the program on a stack, the outermost first."""
    hops: list[Hop] = []
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if PACKAGE in path.parents:
            hops.append((path.relative_to(PACKAGE).as_posix(), frame.f_code.co_qualname))
        frame = frame.f_back
    return hops[::-1]


class Watcher:
    """Writes down the stack at the first call of each function of the way, in every thread."""

    def __init__(self, steps: set[Hop]) -> None:
        self.way = steps
        self.on = False
        self.stacks: dict[Hop, list[Hop]] = {}

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:
        if not self.on or event != "call":
            return
        path = frame.f_code.co_filename
        if path.startswith(str(PACKAGE)):
            hop = (Path(path).relative_to(PACKAGE).as_posix(), frame.f_code.co_qualname)
            if hop in self.way and hop not in self.stacks:
                self.stacks[hop] = ours(frame)


@pytest.fixture
def watcher() -> Iterator[Watcher]:
    watch = Watcher(set(guide_steps(DOWN) + guide_steps(UP)))
    threading.setprofile(watch)  # before the threads that compute previews begin
    yield watch
    threading.setprofile(None)


@pytest.fixture
def window(watcher: Watcher, make_window: WindowMaker) -> MainWindow:
    window = make_window()
    window.controller.intents.intent = Intent(method="partition-selection")
    fakes.open_log(window.controller)
    window.tune_by_hand()
    # What looks for better settings goes to the kernel on a way of its own.
    wait_until(lambda: not window.controller.looking and not window.protect.finder.busy)
    return window


def follow(window: MainWindow, watcher: Watcher) -> dict[Hop, list[Hop]]:
    """Move a slider one step, and wait until what is expected of it is shown."""
    row = window.protect.params.rows["q_f"]
    assert isinstance(row, NumberRow)
    before = sys.getprofile()
    watcher.on = True
    sys.setprofile(watcher)
    try:
        row.slider.setValue(row.slider.value() + row.slider.pageStep())
        wait_until(lambda: not window.controller.looking)
    finally:
        sys.setprofile(before)
        watcher.on = False
    return watcher.stacks


def test_that_the_way_goes_as_the_guide_says(window: MainWindow, watcher: Watcher) -> None:
    down, up = guide_steps(DOWN), guide_steps(UP)
    steps = list(dict.fromkeys(down + up))
    stacks = follow(window, watcher)
    assert [hop for hop in steps if hop not in stacks] == []
    # Every function on a stack where the way goes on is one of the way, in its order: nothing
    # passes the step on in between.
    for hop in steps:
        stack = [step for step in stacks[hop] if step in steps]
        assert stack == [step for step in steps if step in stack], hop
        assert [step for step in stacks[hop] if step not in steps] == [], hop
