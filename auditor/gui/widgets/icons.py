"""The window's icons: Lucide's drawings, in the colours of the theme."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from auditor.resource_files import resource_text

FOLDER = "icons/lucide"
SHARPEST = 3
"""Pixels drawn for each of an icon's, so that it is sharp on any screen."""


def draw_pixmap(name: str, colour: str, size: int) -> QPixmap:
    """One drawing in one colour, `size` pixels wide and high."""
    drawing = resource_text(f"{FOLDER}/{name}.svg")
    renderer = QSvgRenderer(QByteArray(drawing.replace("currentColor", colour).encode()))
    pixmap = QPixmap(QSize(size, size) * SHARPEST)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(pixmap.rect()))
    painter.end()
    pixmap.setDevicePixelRatio(SHARPEST)
    return pixmap


def make_icon(name: str, colour: str, chosen: str, size: int) -> QIcon:
    """A drawing for a button: in `colour`, and in `chosen` while the button is checked."""
    icon = QIcon()
    icon.addPixmap(draw_pixmap(name, colour, size), QIcon.Mode.Normal, QIcon.State.Off)
    icon.addPixmap(draw_pixmap(name, chosen, size), QIcon.Mode.Normal, QIcon.State.On)
    return icon
