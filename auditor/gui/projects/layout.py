"""Where the panels stand, in words and numbers that a project can hold and that are checked.

Qt's own bytes for it would be taken on trust, and a project may come from anybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow

Area = Qt.DockWidgetArea

SIDES = {
    "left": Area.LeftDockWidgetArea,
    "right": Area.RightDockWidgetArea,
    "top": Area.TopDockWidgetArea,
    "bottom": Area.BottomDockWidgetArea,
}


def layout_of(window: QMainWindow, docks: Mapping[str, QDockWidget]) -> dict[str, Any]:
    """Side, size and visibility of every panel, and which stand in one place."""
    names = {area: side for side, area in SIDES.items()}
    told = {
        name: {
            "side": names.get(window.dockWidgetArea(dock), "bottom"),
            "shown": not dock.isHidden(),
            "front": not dock.visibleRegion().isEmpty(),
            "width": dock.width(),
            "height": dock.height(),
        }
        for name, dock in docks.items()
    }
    stacks: list[list[str]] = []
    for name, dock in docks.items():
        if not any(name in stack for stack in stacks):
            beside = window.tabifiedDockWidgets(dock)
            stack = [name, *(other for other, one in docks.items() if one in beside)]
            if len(stack) > 1:
                stacks.append(stack)
    return {"docks": told, "stacks": stacks}


def lay_out(
    window: QMainWindow, docks: Mapping[str, QDockWidget], layout: Mapping[str, Any]
) -> None:
    """Put the panels where they stood; those that a layout doesn't know stay as they are."""
    told = {name: one for name, one in layout.get("docks", {}).items() if name in docks}
    if not told:
        return
    size = window.size()
    for name, one in told.items():
        dock, area = docks[name], SIDES[one["side"]]
        if window.dockWidgetArea(dock) != area:
            window.addDockWidget(area, dock)
    for stack in layout.get("stacks", ()):
        names = [name for name in stack if name in told]
        for name in names[1:]:
            if docks[name] not in window.tabifiedDockWidgets(docks[names[0]]):
                window.tabifyDockWidget(docks[names[0]], docks[name])
    for name, one in told.items():
        docks[name].setVisible(one["shown"])
    for name, one in told.items():
        if one["shown"] and one["front"]:
            docks[name].raise_()
    for key, way in (("width", Qt.Orientation.Horizontal), ("height", Qt.Orientation.Vertical)):
        seen = [name for name, one in told.items() if one["shown"] and one["front"] and one[key]]
        window.resizeDocks([docks[n] for n in seen], [told[n][key] for n in seen], way)
    window.resize(size)  # panels of a larger window would make this one grow
