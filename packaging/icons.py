"""Render the icons into a theme's folder: ``python packaging/icons.py FOLDER``.

Makes ``FOLDER/SIZExSIZE/{apps,mimetypes}/….png`` and the drawings themselves under ``scalable``.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

DRAWN = Path(__file__).resolve().parent.parent / "resources" / "icons"
PLACES = {
    "auditor.svg": "apps/query-log-privacy-auditor",
    "project.svg": "mimetypes/application-x-query-log-privacy-auditor",
}
SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)


def render(drawing: Path, size: int, target: Path) -> None:
    """One drawing as a PNG of `size` by `size` pixels, on nothing."""
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(drawing)).render(painter)
    painter.end()
    target.parent.mkdir(parents=True, exist_ok=True)
    if not image.save(str(target)):
        raise OSError(f"{target} can't be written")


def main() -> None:
    """Render every drawing in every size."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    _application = QGuiApplication(sys.argv[:1])
    folder = Path(sys.argv[1])
    for name, place in PLACES.items():
        for size in SIZES:
            render(DRAWN / name, size, folder / f"{size}x{size}" / f"{place}.png")
        scalable = folder / "scalable" / f"{place}.svg"
        scalable.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(DRAWN / name, scalable)


if __name__ == "__main__":
    main()
