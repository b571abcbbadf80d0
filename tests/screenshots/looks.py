"""Every workspace, in every size, theme and language: pictures to be looked at, not to be kept."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QSize

from auditor.gui.app.navigation import NAMES
from tests.screenshots.stage import Stage


@dataclass(frozen=True)
class Look:
    """How large the window is, how it is dressed, and what it speaks."""

    size: tuple[int, int]
    theme: Literal["light", "dark"] = "light"
    language: str = "en"
    text: float = 1.0


LOOKS = {
    "look-1366": Look((1366, 768)),
    "look-1920": Look((1920, 1080)),
    "look-2560": Look((2560, 1440)),
    "look-1366-dark": Look((1366, 768), "dark"),
    "look-1920-dark": Look((1920, 1080), "dark"),
    "look-1366-german": Look((1366, 768), language="de"),
    "look-1920-german": Look((1920, 1080), language="de"),
    "look-1366-large": Look((1366, 768), text=2.0),
    "look-1920-large": Look((1920, 1080), text=2.0),
}


def look(name: str, out: Path) -> Stage:
    """The welcome, every workspace before a run and after two, the methods, and the reasons."""
    one = LOOKS[name]
    stage = Stage(
        out,
        theme=one.theme,
        text=one.text,
        size=QSize(*one.size),
        language=one.language,
    )
    window = stage.window
    stage.shot(f"{name}-welcome")
    stage.open_sample()
    for page in NAMES:
        window.go(page)
        stage.spin(0.5)
        stage.shot(f"{name}-{page}-before")
    window.go("protect")
    window.protect.show_methods()
    stage.shot(f"{name}-methods")
    window.protect.setCurrentIndex(0)
    stage.try_only(("surviving-content", "record-linkage"), ("volume", "frequencies"))
    stage.choose("safelog")
    stage.run("cautious")
    stage.choose("frequency-threshold")
    stage.run("ten users")
    window.compare.runs.compare.emit([record.number for record in stage.controller.runs])
    stage.review()
    for page in NAMES:
        window.go(page)
        stage.spin(0.8)
        stage.shot(f"{name}-{page}")
    window.strip.why.setChecked(True)
    stage.shot(f"{name}-why")
    return stage
