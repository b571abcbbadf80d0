"""What comes of a configuration or a run: its statement, claimed and audited ε, its figures."""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication, QModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QHeaderView, QLabel, QSizePolicy, QWidget

from auditor.attacks.base import AttackResult
from auditor.attacks.dp_audit import summary
from auditor.attacks.dp_audit.summary import AuditSummary, format_short
from auditor.figures import SHARE, MetricValue
from auditor.gui.app import translation
from auditor.gui.app.translation import tr, translate_all, translate_text
from auditor.gui.release.exportable import Exportable
from auditor.gui.widgets import formats, style
from auditor.gui.widgets.areas import FoldedSection, UprightArea
from auditor.gui.widgets.tables import Column, ColumnModel, Role, make_table, wrap_rows
from auditor.privacy.belief import bound_belief
from auditor.privacy.statement import Statement

TRACK = 12
TIP = 6
STEPS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
MOST_TICKS = 7
"""Round values of ε along a scale, besides 0."""


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
        step = next((step for step in STEPS if end / step <= MOST_TICKS), end)
        for number in range(int(end / step + 1e-9) + 1):
            epsilon = number * step
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
        top, ink = track.top() - 1, QColor(theme.text)
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


SENTENCE_END = re.compile(r"(?<=\w\w\.)\s+(?=\S)")
"""Between two sentences, and behind no abbreviation of one letter."""
Line = tuple[str, str]
"""Kind ("heading", "text", or an assumption's status) and text."""


class StatementPanel(UprightArea):
    """Headline, claim, assumptions each with icon and word, and how the sum comes about."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Privacy statement"))
        self.viewport().setAutoFillBackground(False)
        self._shown: tuple[Statement, str, AuditSummary] | None = None
        self._lines: list[Line] = []
        self.headline = style.plain_label(size=style.HEADING, bold=True, wrap=True)
        self.whose = style.plain_label(size=style.SMALL, role="muted", wrap=True)
        self.claim = style.plain_label(wrap=True)
        self.scale = EvidenceScale()
        self.verdict = style.plain_label(size=style.SMALL, wrap=True)
        self.more = FoldedSection("")
        self.more.button.toggled.connect(lambda _on: self._fill_section())
        self.below = self.more.column
        texts = [self.headline, self.whose, self.verdict, self.claim]
        for part in texts:
            part.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column = style.column(
            None,
            [*texts[:2], self.scale, *texts[2:], self.more, 1],
            margins=(style.NORMAL, style.TIGHT, style.NORMAL, style.NORMAL),
            spacing=style.TIGHT,
        )
        self.setWidget(style.filled(column))
        self.clear(self.tr("Open a log to see what the chosen setting promises."))

    def clear(self, reason: str) -> None:
        """Show no statement, and say why there is none."""
        self._shown = None
        self.headline.setText("")
        for part in (self.headline, self.whose, self.verdict):
            part.hide()
        self.scale.show_audited(None)
        self.claim.setText(reason)
        self._show_lines([])

    def show_statement(
        self, statement: Statement, subject: str, attacks: Iterable[AttackResult] = ()
    ) -> None:
        """Show a statement; `subject` says which setting or run it is of, `attacks` what it met."""
        audit = summary.summarize_audit(statement, attacks)
        if self._shown == (statement, subject, audit):
            return
        self._shown = (statement, subject, audit)
        parts = filter(None, (statement.write_headline(), summary.format_short(audit)))
        self.headline.setText(formats.capitalize("; ".join(translate_all(parts))))
        self.scale.show_audited(audit)
        refuted = audit.outcome == "refuted"
        self.verdict.setText(translate_text(summary.write_verdict(audit)))
        unaudited = audit.outcome == "not audited" and not audit.runs
        self.verdict.setVisible(not unaudited and audit.outcome != "not refuted")
        if self.verdict.property("role") != ("bad" if refuted else ""):
            style.restyle(self.verdict, "role", "bad" if refuted else "")
        self.whose.setText(subject)
        self.claim.setText(SENTENCE_END.split(translate_text(statement.claim), 1)[0])
        self.headline.show()
        self.whose.show()
        self._show_lines(self._list_lines(statement, audit))

    def make_exportable(self) -> Exportable | None:
        if self._shown is None:
            return None
        statement, subject, audit = self._shown
        lines = [subject, self.claim.text(), self.verdict.text()]
        for kind, text in self._list_lines(statement, audit):
            sign = style.ASSUMPTION_SIGNS.get(kind)
            lines.append(f"{sign.icon} {sign.word}: {text}" if sign is not None else text)
        return Exportable(self.headline.text(), lines=[line for line in lines if line])

    def _list_lines(self, statement: Statement, audit: AuditSummary) -> list[Line]:
        """What unfolds: first what an audit that refuted nothing shows, in words."""
        lines = lines_of(statement)
        if audit.outcome == "not refuted":
            lines.insert(0, ("text", translate_text(summary.write_verdict(audit))))
        return lines

    def _show_lines(self, lines: list[Line]) -> None:
        failing = sum(kind == "fails" for kind, _ in lines)
        title = self.tr("Assumptions and numbers")
        bad = style.ASSUMPTION_SIGNS["fails"]
        if failing:
            failure_count = formats.format_plural(failing, "assumption fails", "assumptions fail")
            title += f" · {bad.icon} {failure_count}"
        self.more.set_title(title)
        self.more.setVisible(bool(lines))
        self._lines = lines
        self._fill_section()

    def _fill_section(self) -> None:
        """Write the lines if they are unfolded: a slider's step has no time for what is hidden."""
        style.clear_layout(self.below)
        for kind, text in self._lines if self.more.button.isChecked() else ():
            self._add_line(kind, text)

    def _add_line(self, kind: str, text: str) -> None:
        sign, bold = style.ASSUMPTION_SIGNS.get(kind), kind == "heading"
        size = style.BODY if bold else style.SMALL
        label = style.plain_label(text, size=size, bold=bold, wrap=True)
        if sign is None:
            self.below.addWidget(label)
            return
        name = self.tr("Assumption {word}: {text}").format(word=sign.word, text=text)
        label.setAccessibleName(name)
        status = f"{sign.icon} {sign.word}"
        mark = style.plain_label(status, size=style.SMALL, bold=True, role=sign.colour)
        mark.setAlignment(Qt.AlignmentFlag.AlignTop)
        widest = mark.fontMetrics().horizontalAdvance(self.tr("? not known"))
        mark.setFixedWidth(widest + style.NORMAL)
        self.below.addLayout(style.row(None, [mark, (label, 1)], spacing=style.TIGHT))

    def list_texts(self) -> list[str]:
        """Everything that is shown, for tests and for copying."""
        return [label.text() for label in self.findChildren(QLabel) if label.isVisibleTo(self)]


def lines_of(statement: Statement) -> list[Line]:
    """The rest of the claim, assumptions (failing ones first), terms and measured figures."""
    later_sentences = SENTENCE_END.split(translate_text(statement.claim), 1)[1:]
    lines: list[Line] = [("text", text) for text in later_sentences]
    if statement.unit:
        text = tr("Protects: {unit}.").format(unit=translate_text(statement.unit))
        lines.append(("text", text))
    if statement.neighbours:
        text = QCoreApplication.translate("StatementPanel", "Not to be told apart: {neighbours}.")
        lines.append(("text", text.format(neighbours=translate_text(statement.neighbours))))
    if statement.user_column is not None:
        lines.append(("text", translate_text(statement.user_column.text)))
    if statement.assumptions:
        lines.append(("heading", tr("Under these assumptions")))
    lines += formats.list_assumptions(statement)
    if statement.tight_epsilon is not None:
        epsilon = formats.format_number(statement.tight_epsilon)
        tight = tr("By a tighter accountant: ε {tight_epsilon}").format(tight_epsilon=epsilon)
        note = translate_text(statement.tight_note)
        lines.append(("text", f"{tight}, {note}" if note else tight))
    if statement.terms:
        lines.append(("heading", tr("How the sum comes about")))
    for term in statement.terms:
        delta = f", δ {formats.format_number(term.delta)}" if term.delta else ""
        numbers = f"{translate_text(term.name)}: ε {formats.format_number(term.epsilon)}{delta}"
        lines.append(("text", f"{numbers} = {translate_text(term.formula)}"))
    if statement.measured:
        lines.append(("heading", tr("Numbers behind it")))
    for name, value in statement.measured.items():
        label = translate_text(name.replace("_", " "))
        lines.append(("text", f"{label}: {formats.format_number(value)}"))
    return lines


LEAST_COUNT = 0.001
"""An expected count below it is next to nothing: powers of ten are for δ."""
LONG_TABLE, FIRST_METRICS = 16, 6
"""Metrics above which only the first ones are listed, and how many, until somebody asks for all."""
LONG_UNIT = 8
"""Characters of a unit that may stand beside a number in a narrow column."""


class MetricsPanel(QWidget):
    """A table of names and numbers; the same names again only change the numbers."""

    trace_requested = Signal(object, int, str)
    """The `Who` of a figure, its line, and what it is in words: somebody wants the people."""

    def __init__(self) -> None:
        super().__init__()
        self.whose = style.plain_label(size=style.SMALL, role="muted", wrap=True)
        name = self.tr("Before you run this")
        self.note = style.plain_label(size=style.SMALL, role="notice", wrap=True, name=name)
        self.note.setMargin(style.TIGHT)
        small: dict[int, Callable[[Any], Any]] = {
            Role.FontRole: lambda _value: style.scaled_font(self, style.SMALL)
        }
        colour: dict[int, Callable[[Any], Any]] = {
            Role.ForegroundRole: lambda value: value.who and QColor(style.theme_of(self).accent)
        }
        names = Column(self.tr("metric"), lambda v: _format_metric(v)[0], False, self._tell, small)
        numbers = Column(self.tr("value"), lambda v: _format_metric(v)[1], True, self._tell, colour)
        self.model = ColumnModel((names, numbers), (), self)
        self.table = make_table(self.model, self.tr("Metrics"))
        self._measure = wrap_rows(self.table)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        header.hide()
        self.table.activated.connect(self._request_sessions)
        tip = self.tr("Every metric of the run, or the first ones")
        self.every = style.button("", checkable=True, tip=tip)
        self.every.toggled.connect(lambda _on: self._show_lines())
        style.panel(self, [self.whose, self.note, (self.table, 1), self.every])
        self.clear(
            self.tr("Expected volume and error of the setting appear here once a log is open.")
        )

    def clear(self, reason: str) -> None:
        """Show no figures, and say why there are none."""
        self.whose.setText(reason)
        self.values: tuple[MetricValue, ...] = ()
        for part in (self.note, self.table, self.every):
            part.hide()
        self.model.set_lines(())

    def show_values(self, values: Sequence[MetricValue], subject: str, note: str = "") -> None:
        """Show figures of what `subject` names, below a `note` not to be overlooked."""
        self.whose.setText(subject)
        style.show_text(self.note, translate_text(note))
        self.values = tuple(values)
        self.table.show()
        self.every.setVisible(len(values) > LONG_TABLE)
        text = self.tr("All {count} metrics").format(count=formats.format_count(len(values)))
        self.every.setText(text)
        self._show_lines()

    def _show_lines(self) -> None:
        shows_all = self.every.isChecked() or len(self.values) <= LONG_TABLE
        lines = self.values if shows_all else self.values[:FIRST_METRICS]
        if [value.name for value in lines] == [value.name for value in self.model.lines]:
            self.model.lines = lines
            self.model.refresh_columns(0)
        else:
            self.model.set_lines(lines)
        self._measure.start()

    def _tell(self, value: MetricValue) -> str:
        behind = self.tr("double-click to see the sessions") if value.who else ""
        words = translate_text(value.help).rstrip("."), tr(formats.BETTER[value.better]), behind
        return ". ".join(filter(None, words)) or translate_text(value.label)

    def make_exportable(self) -> Exportable | None:
        if not self.values:
            return None
        heads = [self.tr("metric"), self.tr("value"), self.tr("unit"), self.tr("95 % from"),
                 self.tr("to"), self.tr("better")]  # fmt: skip
        rows = [
            [value.label, value.value, value.unit, *(value.interval or ("", "")), value.better]
            for value in self.values
        ]
        return Exportable(self.whose.text(), rows=[heads, *rows])

    def _request_sessions(self, index: QModelIndex) -> None:
        value = self.model.lines[index.row()]
        if value.who is not None:
            self.trace_requested.emit(value.who, 0, translate_text(value.label))


def _format_metric(value: MetricValue) -> tuple[str, str]:
    """Name and number: narrow, so a long unit goes with the name and an interval below."""
    value = translation.translate_value(value)
    label, unit = value.label, value.unit
    if len(unit) > LONG_UNIT:
        label, unit = f"{label} ({unit})", ""
    number = formats.format_quantity(value.value, unit)
    if value.name.startswith("expected.") and unit != SHARE and 0 < value.value < LEAST_COUNT:
        number = tr("under {number}").format(number=formats.format_number(LEAST_COUNT))
    if value.interval is None:
        return label, number
    first, last = (formats.format_without_unit(end, unit) for end in value.interval)
    return label, f"{number}\n" + tr("{first} to {last}").format(first=first, last=last)
