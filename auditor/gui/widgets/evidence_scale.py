"""Claimed ε, the bound that an audit shows, and what it can't see, on one scale."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from auditor.attacks.dp_audit.summary import AuditSummary, format_short
from auditor.gui.app.translation import translate_text
from auditor.gui.widgets import formats, style
from auditor.privacy.belief import bound_belief

TRACK = 12
TIP = 6
STEPS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
MOST_TICKS = 7


class EvidenceScale(QWidget):
    """A track from 0: filled as far as ε is shown to be, hatched where nothing can be seen.

    Ticks say how sure somebody can become of a guess of 50 %. What is above the claim is red.
    """

    def __init__(self) -> None:
        super().__init__()
        self._found: AuditSummary | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFont(style.scaled_font(self, style.SMALL))
        self.hide()

    def show_audited(self, audit: AuditSummary | None) -> None:
        """Draw a claim and what was shown of it; nothing is drawn of what claims no ε."""
        audit = audit if audit is not None and audit.claimed is not None else None
        if audit is not None and audit == self._found:
            return
        self._found = audit
        self.setVisible(audit is not None)
        if audit is not None:
            self.setAccessibleName(self.tr("Claimed and audited ε"))
            self.setAccessibleDescription("; ".join(filter(None, self.format_labels())))
            self.updateGeometry()
            self.update()

    def format_labels(self) -> tuple[str, str, str]:
        """What stands above the track, below it, and below its hatched part."""
        audit = self._found
        if audit is None or audit.claimed is None:
            return "", "", ""
        claim = self.tr("claimed: ε at most {}").format(formats.format_number(audit.claimed))
        if math.isinf(audit.claimed):
            claim = self.tr("claimed: no finite ε")
        if audit.bound is None:
            return claim, self.tr("? not audited"), ""
        sign = "✗ " if audit.outcome == "refuted" else ""
        unseen = self.tr("not testable above {}").format(formats.format_digits(audit.limit, 3))
        return claim, sign + translate_text(format_short(audit)), unseen

    def sizeHint(self) -> QSize:
        lines = 5 if self._found is None or self._found.bound is None else 6
        height = lines * QFontMetrics(self.font()).height() + TIP + TRACK + 2 * style.TIGHT
        return QSize(200, height)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        audit = self._found
        if audit is None or audit.claimed is None:
            return
        theme = style.theme_of(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = QFontMetrics(self.font()).height()
        track = QRectF(1, line + TIP + style.TIGHT, self.width() - 2, TRACK)
        self._draw_track(painter, track, audit, theme)
        claim, evidence, unseen = self.format_labels()
        self._draw_claim(painter, track, audit.claimed, claim, theme)
        bad = audit.outcome == "refuted"
        below = QRectF(0, track.bottom() + 4, self.width(), line)
        painter.setPen(QColor(theme.muted))
        self._draw_ticks(painter, track, below, audit.end)
        below.translate(0, 2 * line)
        meaning = self.tr("ε, and how often a 50 % guess is right at most")
        self._draw_text(painter, below, 0.0, meaning)
        below.translate(0, line)
        painter.setPen(QColor(theme.bad if bad else theme.text))
        painter.setFont(style.scaled_font(self, style.SMALL, bold=bad))
        place = self._locate_value(audit.bound or 0.0, track, audit.end)
        self._draw_text(painter, below, place, evidence)
        painter.setFont(self.font())
        if unseen:
            painter.setPen(QColor(theme.muted))
            self._draw_text(painter, below.translated(0, line), float(self.width()), unseen)
        painter.end()

    def _draw_ticks(self, painter: QPainter, track: QRectF, row: QRectF, end: float) -> None:
        metrics = QFontMetrics(painter.font())
        free = 0.0
        for epsilon in ticks_to(end):
            x = self._locate_value(epsilon, track, end)
            painter.drawLine(QPointF(x, track.bottom()), QPointF(x, track.bottom() + 3))
            bound = bound_belief(epsilon)
            assert bound is not None
            accuracy = formats.format_percentage(bound.accuracy)
            wide = max(map(metrics.horizontalAdvance, (accuracy, formats.format_number(epsilon))))
            left = min(max(0.0, x - wide / 2), row.width() - wide)
            if left < free:
                continue
            for place, text in enumerate((formats.format_number(epsilon), accuracy)):
                box = QRectF(left, row.top() + place * row.height(), wide, row.height())
                painter.drawText(box, Qt.AlignmentFlag.AlignHCenter, text)
            free = left + wide + style.NORMAL

    def _draw_track(
        self, painter: QPainter, track: QRectF, audit: AuditSummary, theme: style.WindowTheme
    ) -> None:
        painter.fillRect(track, QColor(theme.grid))
        if audit.bound is not None:
            limit = self._locate_value(audit.limit, track, audit.end)
            unseen = QRectF(limit, track.top(), track.right() - limit, track.height())
            painter.fillRect(unseen, QBrush(QColor(theme.muted), Qt.BrushStyle.BDiagPattern))
            bound = self._locate_value(audit.bound, track, audit.end)
            filled = QRectF(track.left(), track.top(), bound - track.left(), track.height())
            bad = audit.outcome == "refuted"
            painter.fillRect(filled, QColor(theme.bad if bad else theme.accent))
        painter.setPen(QPen(QColor(theme.outline), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(track)

    def _draw_claim(
        self, painter: QPainter, track: QRectF, claimed: float, text: str, theme: style.WindowTheme
    ) -> None:
        assert self._found is not None
        x = self._locate_value(claimed, track, self._found.end)
        top = track.top() - 1
        ink = QColor(theme.text)
        painter.setPen(QPen(ink, 2))
        painter.drawLine(QPointF(x, top), QPointF(x, track.bottom()))
        painter.setBrush(ink)
        painter.setPen(Qt.PenStyle.NoPen)
        tip = [QPointF(x, top), QPointF(x - TIP, top - TIP), QPointF(x + TIP, top - TIP)]
        if claimed > self._found.end:  # it points out of the scale
            tip = [QPointF(x, top - TIP / 2), tip[1], QPointF(x - TIP, top)]
        painter.drawPolygon(QPolygonF(tip))
        painter.setPen(ink)
        above = QRectF(0, 0, self.width(), QFontMetrics(self.font()).height())
        self._draw_text(painter, above, x, text)

    def _draw_text(self, painter: QPainter, row: QRectF, x: float, text: str) -> None:
        """Write beside a place of the row, as near as the text fits."""
        wide = QFontMetrics(painter.font()).horizontalAdvance(text)
        left = min(max(0.0, x - wide / 2), max(0.0, row.width() - wide))
        box = QRectF(left, row.top(), row.width() - left, row.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)

    @staticmethod
    def _locate_value(value: float, track: QRectF, end: float) -> float:
        return track.left() + track.width() * min(value / end, 1.0)


def ticks_to(end: float) -> list[float]:
    """Round values of ε from 0 to the end of a scale, at most `MOST_TICKS` of them after 0."""
    step = next((step for step in STEPS if end / step <= MOST_TICKS), end)
    return [number * step for number in range(int(end / step + 1e-9) + 1)]
