"""Which page of the help is about what has the focus."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from auditor.gui.app.navigation import WORKSPACES

START = ("guide/getting-started", "")
PAGE = "help page"
"""Property of a widget that names its page, as ``page#anchor``."""


def set_page(widget: QWidget, page: str, anchor: str = "") -> None:
    """Say which page of the help is about a widget and all in it that has no page of its own."""
    widget.setProperty(PAGE, f"{page}#{anchor}")


def page_for(widget: QWidget | None, workspace: str) -> tuple[str, str]:
    """Page and anchor of the innermost widget around `widget` that has one, or the workspace's."""
    while widget is not None:
        named = widget.property(PAGE)
        if named:
            page, _, anchor = str(named).partition("#")
            return page, anchor
        widget = widget.parentWidget()
    for one in WORKSPACES:
        if one.name == workspace:
            return one.help, ""
    return START
