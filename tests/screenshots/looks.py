"""Every workspace and state, in every size, theme and language: pictures to be looked at, not kept.

A look is one window from the welcome to a release that a second person signs: empty, before a run,
busy, cancelled, failed, after two runs, signed, opened again. Looks at the Excite log need the
place of that file in the variable QUERY_LOG.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QMessageBox

from auditor.gui.app.navigation import NAMES
from auditor.gui.release.page import ReviewPanel
from auditor.gui.widgets.areas import PageArea
from tests.screenshots.stage import Stage


@dataclass(frozen=True)
class Look:
    """How large the window is, how it is dressed, what it speaks, and which log it opens."""

    size: tuple[int, int]
    theme: Literal["light", "dark"] = "light"
    language: str = "en"
    text: float = 1.0
    log: str = ""
    """Variable that holds the place of a log; the sample's without a name."""


SMALL, MIDDLE, LARGE = (1366, 768), (1920, 1080), (2560, 1440)
LOOKS = {
    "look-1366": Look(SMALL),
    "look-1920": Look(MIDDLE),
    "look-2560": Look(LARGE),
    "look-1366-dark": Look(SMALL, "dark"),
    "look-1920-dark": Look(MIDDLE, "dark"),
    "look-2560-dark": Look(LARGE, "dark"),
    "look-2560-dark-german": Look(LARGE, "dark", "de"),
    "look-1366-german": Look(SMALL, language="de"),
    "look-1366-german-dark": Look(SMALL, "dark", "de"),
    "look-1920-german": Look(MIDDLE, language="de"),
    "look-1366-large": Look(SMALL, text=2.0),
    "look-1920-large": Look(MIDDLE, text=2.0),
    "look-1366-german-large-dark": Look(SMALL, "dark", "de", 2.0),
    "look-1366-excite": Look(SMALL, log="QUERY_LOG"),
    "look-1920-excite-dark": Look(MIDDLE, "dark", log="QUERY_LOG"),
    "look-1366-excite-german": Look(SMALL, language="de", log="QUERY_LOG"),
}
TRIED = ("surviving-content", "record-linkage"), ("volume", "frequencies")
MISSING = "no such file.tsv"
"""A reference log that can't be read: a run that is given it fails."""


def look(name: str, out: Path) -> Stage:
    """Every state of one window."""
    one = LOOKS[name]
    stage = Stage(out, theme=one.theme, text=one.text, size=QSize(*one.size), language=one.language)
    stage.shot(f"{name}-welcome")
    stage.open_log(Path(os.environ[one.log]) if one.log else None)
    _look_before(stage, name)
    _look_at_ends(stage, name)
    panel = _look_after(stage, name)
    _look_at_release(stage, name, panel)
    return stage


def _pages(stage: Stage, name: str, state: str, pages: tuple[str, ...] = NAMES) -> None:
    for page in pages:
        stage.window.show_workspace(page)
        stage.spin(0.8)
        stage.shot(f"{name}-{page}-{state}")


def _look_before(stage: Stage, name: str) -> None:
    window = stage.window
    _pages(stage, name, "before")
    window.show_workspace("protect")
    window.protect.show_methods()
    stage.shot(f"{name}-methods")
    window.protect.setCurrentIndex(0)
    window.show_suggestions()
    stage.shot(f"{name}-suggest")


def _look_at_ends(stage: Stage, name: str) -> None:
    """Runs that are at work, that somebody cancels, and that fail."""
    c = stage.controller
    stage.window.tune_by_hand()
    stage.choose("safelog")
    stage.try_only((*TRIED[0], "dp-audit", "unbundling"), TRIED[1])
    c.run()
    stage.until(lambda: c.current and c.current.state == "running")
    c.run()
    stage.spin(1.5)
    _pages(stage, name, "busy")
    for record in reversed(list(c.runs)):
        c.cancel_run(record.number)
    stage.until(lambda: not c.running)
    _pages(stage, name, "cancelled", ("protect", "compare", "release"))
    stage.choose("korolova", clicks="results", results=MISSING)
    c.run()
    stage.until(lambda: not c.running)
    _pages(stage, name, "failed", ("protect", "compare", "release"))
    c.intents.reset()
    for record in list(c.runs):
        c.remove_run(record.number)
    stage.window.banner.hide()


def _look_after(stage: Stage, name: str) -> ReviewPanel:
    window = stage.window
    stage.try_only(*TRIED)
    stage.choose("safelog")
    stage.run("cautious")
    stage.choose("frequency-threshold")
    stage.run("ten users")
    window.compare.runs.compare.emit([record.number for record in stage.controller.runs])
    panel = stage.review()
    _pages(stage, name, "after")
    tabs, areas = window.compare.compare.tabs, window.compare.findChildren(PageArea)
    for index in range(tabs.count()):
        window.show_workspace("compare")
        tabs.setCurrentIndex(index)
        for area in areas:  # large text
            area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
        stage.spin(0.5)
        stage.shot(f"{name}-compare-{index}")
    for area in areas:
        area.verticalScrollBar().setValue(0)
    window.strip.why.setChecked(True)
    stage.shot(f"{name}-why")
    window.strip.why.setChecked(False)
    return panel


def _look_at_release(stage: Stage, name: str, panel: ReviewPanel) -> None:
    """Signed, then saved, opened again, and signed by a second person."""
    from tests.screenshots.guide import fill_sign_off

    window = stage.window
    (stage.home / "Documents").mkdir()
    window.show_workspace("release")
    fill_sign_off(stage, panel)
    panel.export()
    stage.until(lambda: panel.state in ("done", "failed"))
    stage.until(lambda: not panel.gates.busy)
    stage.shot(f"{name}-release-signed")
    project = stage.home / "review.qlpa"
    saved: list[bool] = []
    window.projects.keeper.save(project, lambda: saved.append(True))
    stage.until(lambda: saved)
    window.projects.close()
    stage.shot(f"{name}-welcome-again")
    window.open([project])
    stage.until(lambda: stage.controller.opened is not None or window.findChild(QMessageBox))
    if (question := window.findChild(QMessageBox)) is not None:
        stage.shot(f"{name}-reopened-question")
        question.reject()
    stage.idle()
    _pages(stage, name, "reopened")
    window.review_folder()
    stage.shot(f"{name}-release-folder")
