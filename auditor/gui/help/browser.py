"""Shows a page of the help: text, tables, and pictures as large as there is room for.

Nothing is loaded but pictures that come with the program, whatever a page asks for.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QByteArray, QPointF, QSize, Qt, QTimer, QUrl
from PySide6.QtGui import (
    QColor,
    QImage,
    QMouseEvent,
    QPainter,
    QPixmap,
    QResizeEvent,
    QTextDocument,
)
from PySide6.QtWidgets import QDialog, QLabel, QScrollArea, QTextBrowser, QVBoxLayout, QWidget

from auditor.gui.help import pages
from auditor.gui.widgets import style

SHARP = 2
"""Pixels of a picture for each of the window that it was taken of."""
LEAST = 60
SETTLED_MS = 120
"""Milliseconds after the last change of size before pictures are fitted anew."""

IMAGE = QTextDocument.ResourceType.ImageResource


class HelpBrowser(QTextBrowser):
    """A page; a click on a picture shows it as large as it was taken."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pictures: dict[str, QImage] = {}
        self._settled = QTimer(self, singleShot=True, interval=SETTLED_MS)
        self._settled.timeout.connect(self._fit_pictures)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """A picture of the help's own folder, or nothing."""
        url = QUrl(name)
        is_picture = kind == IMAGE.value
        path = pages.local_picture(url.path()) if is_picture and url.isRelative() else None
        if path is None:
            return QByteArray()
        image = QImage()
        image.loadFromData(path.read_bytes())
        if image.isNull():
            return QByteArray()
        self._pictures[url.path()] = image
        return self._scale_image(image)

    def picture_at(self, point: QPointF) -> str:
        """The name of the picture at a point of the viewport; empty if there is none."""
        bars = self.horizontalScrollBar().value(), self.verticalScrollBar().value()
        return self.document().documentLayout().imageAt(point + QPointF(*bars))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the pictures once the size has settled."""
        super().resizeEvent(event)
        if self._pictures:
            self._settled.start()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say by the pointer that a picture can be enlarged."""
        super().mouseMoveEvent(event)
        if self.picture_at(event.position()):
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Show the picture that was clicked."""
        super().mouseReleaseEvent(event)
        image = self._pictures.get(self.picture_at(event.position()))
        if image is not None and event.button() == Qt.MouseButton.LeftButton:
            self.enlarge_image(image)

    def enlarge_image(self, image: QImage) -> QDialog:
        """A picture in a window of its own."""
        dialog = QDialog(self)
        dialog.setWindowTitle(self.tr("Picture"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        picture = QPixmap.fromImage(image)
        picture.setDevicePixelRatio(SHARP)
        label = QLabel()
        label.setPixmap(picture)
        area = QScrollArea()
        area.setAccessibleName(self.tr("Picture"))
        area.setWidget(label)
        column = QVBoxLayout(dialog)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(area)
        wanted = picture.deviceIndependentSize().toSize()
        room = self.screen().availableSize() * 0.95
        dialog.resize((wanted + QSize(4, 4)).boundedTo(room))
        dialog.show()
        return dialog

    def _scale_image(self, image: QImage) -> QImage:
        """As wide as it was taken, or as there is room."""
        margins = 2 * self.document().documentMargin()
        room = max(LEAST, round(self.viewport().width() - margins))
        ratio = self.devicePixelRatioF()
        wide = round(min(image.width() / SHARP, room) * ratio)
        smooth = Qt.TransformationMode.SmoothTransformation
        made = image.convertToFormat(QImage.Format.Format_RGB32).scaledToWidth(wide, smooth)
        painter = QPainter(made)  # its edge, or a light picture would run into the page
        painter.setPen(QColor(style.theme_of(self).border))
        painter.drawRect(made.rect().adjusted(0, 0, -1, -1))
        painter.end()
        made.setDevicePixelRatio(ratio)
        return made

    def _fit_pictures(self) -> None:
        document, bar = self.document(), self.verticalScrollBar()
        share = bar.value() / max(1, bar.maximum())
        for name, image in self._pictures.items():
            document.addResource(IMAGE.value, QUrl(name), self._scale_image(image))
        document.markContentsDirty(0, document.characterCount())
        bar.setValue(round(share * bar.maximum()))
