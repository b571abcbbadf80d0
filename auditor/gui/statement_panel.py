"""What the release promises, in words; an ε never stands without what it rests on."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from auditor.gui import formats, style
from auditor.privacy.statement import Assumption, Statement


class StatementPanel(QScrollArea):
    """Headline, claim, assumptions each with icon and word, and how the sum comes about."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Privacy statement")
        self._shown: tuple[Statement, str] | None = None
        self.headline = style.label(size=style.HEADING, bold=True, wrap=True)
        self.whose = style.label(size=style.SMALL, role="muted", wrap=True)
        self.claim = style.label(wrap=True)
        self.protects = style.label(size=style.SMALL, wrap=True)
        self.below = QVBoxLayout()
        self.below.setSpacing(style.TIGHT)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(style.NORMAL, style.TIGHT, style.NORMAL, style.NORMAL)
        column.setSpacing(style.TIGHT)
        for part in (self.headline, self.whose, self.claim, self.protects):
            part.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            column.addWidget(part)
        column.addLayout(self.below)
        column.addStretch(1)
        self.setWidget(inside)
        self.clear("Open a log to see what the chosen setting promises.")

    def clear(self, why: str) -> None:
        """Show no statement, and say why there is none."""
        self._shown = None
        self.headline.setText("")
        self.headline.hide()
        self.whose.hide()
        self.protects.hide()
        self.claim.setText(why)
        self._empty()

    def show_statement(self, statement: Statement, whose: str) -> None:
        """Show a statement; `whose` says which setting or run it is of."""
        if self._shown is not None and self._shown[0] == statement and self._shown[1] == whose:
            return
        self._shown = (statement, whose)
        self.headline.setText(statement.headline())
        self.whose.setText(whose)
        self.claim.setText(statement.claim)
        protects = [f"Protects: {statement.unit}."] if statement.unit else []
        if statement.neighbours:
            protects.append(f"Not to be told apart: {statement.neighbours}.")
        self.protects.setText("\n".join(protects))
        for part in (self.headline, self.whose):
            part.show()
        self.protects.setVisible(bool(protects))
        self._empty()
        if statement.assumptions:
            self.below.addWidget(style.label("If", bold=True))
        order = {"fails": 0, "unknown": 1, "holds": 2}
        for assumption in sorted(statement.assumptions, key=lambda a: order[a.status]):
            self.below.addLayout(self._assumption(assumption))
        self._terms(statement)

    def _assumption(self, assumption: Assumption) -> QHBoxLayout:
        sign = style.ASSUMPTION_SIGNS[assumption.status]
        mark = style.label(f"{sign.icon} {sign.word}", size=style.SMALL, bold=True)
        colour = QColor(getattr(style.theme_of(self), sign.colour))
        palette = mark.palette()
        palette.setColor(QPalette.ColorRole.WindowText, colour)
        mark.setPalette(palette)
        mark.setAlignment(Qt.AlignmentFlag.AlignTop)
        mark.setFixedWidth(mark.fontMetrics().horizontalAdvance("? not known") + style.NORMAL)
        said = assumption.text + (f" ({assumption.evidence})" if assumption.evidence else "")
        text = style.label(said, size=style.SMALL, wrap=True)
        text.setAccessibleName(f"Assumption {sign.word}: {said}")
        line = QHBoxLayout()
        line.setSpacing(style.TIGHT)
        line.addWidget(mark)
        line.addWidget(text, 1)
        return line

    def _terms(self, statement: Statement) -> None:
        if statement.tight_epsilon is not None:
            note = f" {statement.tight_note}" if statement.tight_note else ""
            tight = f"By a tighter accountant: ε {formats.number(statement.tight_epsilon)}.{note}"
            self.below.addWidget(style.label(tight, size=style.SMALL, wrap=True))
        if statement.terms:
            self.below.addWidget(style.label("How the sum comes about", bold=True))
        for term in statement.terms:
            line = f"{term.name}: ε {formats.number(term.epsilon)}"
            line += f", δ {term.delta:.2g}" if term.delta else ""
            self.below.addWidget(
                style.label(f"{line} = {term.formula}", size=style.SMALL, wrap=True)
            )
        if statement.measured:
            self.below.addWidget(style.label("Measured on this run", bold=True))
        for name, value in statement.measured.items():
            self.below.addWidget(
                style.label(f"{name}: {formats.number(value)}", size=style.SMALL, wrap=True)
            )

    def _empty(self) -> None:
        _clear(self.below)

    def texts(self) -> list[str]:
        """Everything that is shown, for tests and for copying."""
        return [label.text() for label in self.findChildren(QLabel) if label.isVisibleTo(self)]


def _clear(layout: QVBoxLayout | QHBoxLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.setParent(None)
            widget.deleteLater()
        elif isinstance(inner := item.layout(), QVBoxLayout | QHBoxLayout):
            _clear(inner)
            inner.deleteLater()
