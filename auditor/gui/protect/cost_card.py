"""Before a run: what it will take, a warning if that is too much, and what would be less."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton

from auditor.engine.run_progress import RunPart
from auditor.gui.app.translation import translate_text
from auditor.gui.state.run_queue import QueuedRun
from auditor.gui.widgets import formats, safe_text, style
from auditor.params import Params

NAMED = 3
"""Measures and attacks that a button names; more are counted."""


class CostCard(QFrame):
    """One line as long as all is well."""

    quicker = Signal(dict)
    """Parameter → value of the faster variant that somebody takes."""
    less = Signal(list)
    """Names of measures and attacks that somebody leaves out."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("What a run will take"))
        self.line = style.plain_label(size=style.SMALL, wrap=True)
        self.wrong = style.plain_label(size=style.SMALL, wrap=True)
        self.faster, self.leave = QPushButton(), QPushButton()
        self._values: dict[str, object] = {}
        self._names: list[str] = []
        self.faster.clicked.connect(lambda: self.quicker.emit(dict(self._values)))
        self.leave.clicked.connect(lambda: self.less.emit(list(self._names)))
        style.column(
            self,
            [self.line, self.wrong, self.faster, self.leave],
            margins=(style.NORMAL, style.TIGHT),
            spacing=style.TIGHT,
        )
        self.hide()

    def show_outline(
        self,
        outline: QueuedRun | None,
        params: Params,
        titles: Callable[[RunPart], str],
        waiting: float | None = None,
    ) -> None:
        """Say what the next run will take, if known, after `waiting` seconds of those before it."""
        total = None if outline is None else outline.planned.total
        if outline is None or total is None:
            self.hide()
            return
        parts = [formats.format_duration(total.seconds)]
        if total.bytes:
            memory = safe_text.format_bytes(total.bytes)
            parts.append(self.tr("{memory} of memory").format(memory=memory))
        said = self.tr("A run takes about {cost}").format(cost=" · ".join(parts))
        if total.beyond > 2:
            said += self.tr(" – a guess: no log nearly as large was measured")
        if waiting is not None and waiting > 0:
            after = self.tr(", after {time} for the runs before it")
            said += after.format(time=formats.format_duration(waiting))
        self.line.setText(said)
        self.setToolTip(
            "\n".join(
                f"{titles(part)}: {formats.format_duration(part.cost.seconds)}"
                for part in outline.planned.parts
                if part.cost is not None
            )
        )
        self._show_warning(outline, params, titles)
        self.show()

    def _show_warning(
        self, outline: QueuedRun, params: Params, titles: Callable[[RunPart], str]
    ) -> None:
        advice = outline.advice
        warning, tone = {
            "": ("", ""),
            "memory": (self.tr("✗ It won't fit into the memory that is free."), "bad"),
            "time": (self.tr("! That is long."), "info"),
        }[advice.trouble]
        if advice.trouble and not advice.quicker and not advice.without:
            warning += self.tr(" A sample of the users would take less.")
        style.show_text(self.wrong, warning)
        if tone != self.property("banner"):
            style.restyle(self, "banner", tone)
        self._values, self._names = dict(advice.quicker), list(advice.without)
        changes = [
            f"{translate_text(spec.label)}: "
            f"{formats.format_parameter(spec, self._values[spec.name])}"
            for spec in params.specs()
            if spec.name in self._values
        ]
        self.faster.setText(self.tr("Faster: {changes}").format(changes=", ".join(changes)))
        self.faster.setVisible(bool(changes))
        left_out = [titles(part) for part in outline.planned.parts if part.name in self._names]
        named = ", ".join(left_out[:NAMED])
        if len(left_out) > NAMED:
            more = self.tr("{names} and {count} more")
            named = more.format(names=named, count=len(left_out) - NAMED)
        self.leave.setText(self.tr("Leave out {names}").format(names=named))
        self.leave.setToolTip("\n".join(left_out))
        self.leave.setVisible(bool(left_out))
