"""What keeps a result small and which change helps most, with a button that makes the change."""

import dataclasses
from collections.abc import Sequence

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QFrame, QPushButton

from auditor.engine.events import ExpectedOutcome
from auditor.engine.plan import resolve_intent
from auditor.figures import MetricValue
from auditor.gui.app.translation import read_words, say, tr, translate_text
from auditor.gui.state.controller import Controller
from auditor.gui.state.verdicts import PolicyKeeper
from auditor.gui.state.worker import LatestJob
from auditor.gui.widgets import formats, style
from auditor.messages import fill_places
from auditor.params import Params
from auditor.progress import Progress
from auditor.release.kept_content import KeptContent
from auditor.release.ledger.store import ledger_path
from auditor.suggestions.improvements import Improvement, find_improvements
from auditor.suggestions.limits import read_earlier

PAUSE = 500
"""Milliseconds after the last expectation at which changes are tried."""
FEW, SMALL, SMALL_WORDS = 10, 0.01, 0.1
"""Distinct queries or n-grams, share of the searches, and share of their words that n-grams hold,
below which next to nothing is left."""

CAUSES: dict[str, str] = read_words("causes of loss")
"""What takes searches away, in order: each from what the ones before leave."""


class AdviceFinder(QObject):
    """Tries changes of the configuration in a thread once the sliders rest."""

    advice_ready = Signal(object)
    """A tuple of `Improvement`."""

    def __init__(self, controller: Controller, policy: PolicyKeeper, parent: QObject) -> None:
        super().__init__(parent)
        self._controller, self._policy = controller, policy
        self._job = LatestJob()
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._start_search)
        controller.expected.connect(lambda _event: self._pause.start())
        controller.intents.changed.connect(lambda _intent: self.cancel_search())
        policy.outdated.connect(self._pause.start)
        controller.log_closed.connect(self.cancel_search)
        controller.closing.connect(self.cancel_search)

    @property
    def busy(self) -> bool:
        return self._job.running or self._pause.isActive()

    def cancel_search(self) -> None:
        """What was being tried is about an older configuration."""
        self._pause.stop()
        self._job.drop()

    def _start_search(self) -> None:
        opened, method = self._controller.opened, self._controller.method
        if opened is None or method.outlook is None:
            return
        intent, policy = self._controller.intent, self._policy

        def find_advice(progress: Progress) -> tuple[Improvement, ...]:
            plan = resolve_intent(dataclasses.replace(intent, attacks=(), measures=()), opened.log)
            return find_improvements(
                plan,
                opened.log,
                opened.sample,
                opened.scale,
                policy.load_policy(),
                progress,
                read_earlier(opened.log, ledger_path(), progress),
            )

        self._pause.stop()
        self._job.start("advice", find_advice, self.advice_ready.emit)


class AdviceBar(QFrame):
    """A warning where next to nothing is left, the cause, and a line for each change."""

    applied = Signal(object)
    """Parameter → value of the change that somebody takes."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.setAccessibleName(self.tr("What to change"))
        self.hint = style.plain_label(bold=True, role="bad", wrap=True)
        self.cause = style.plain_label(wrap=True)
        self.buttons: list[QPushButton] = []
        self._lines = style.column(None, spacing=style.TIGHT)
        style.column(
            self,
            [self.hint, self.cause, self._lines],
            margins=(style.WIDE, style.NORMAL, style.NORMAL, style.NORMAL),
            spacing=style.TIGHT,
        )
        self.clear()

    def clear(self) -> None:
        """Nothing is known of this configuration."""
        self.hint.hide()
        self.cause.hide()
        self.show_improvements((), None)

    def show_kept(self, kept: KeptContent) -> None:
        """Warn if next to nothing is left, before or after a run."""
        words = kept.ngrams is not None
        count = kept.ngrams if words else kept.queries
        share, small = (kept.words_share, SMALL_WORDS) if words else (kept.share, SMALL)
        least = FEW if words or not kept.log_queries else min(FEW, kept.log_queries / 2)
        little = (count is not None and count < least) or (share is not None and share < small)
        text = self.tr("Next to nothing is left: {kept}.").format(kept=translate_text(kept.short))
        style.show_text(self.hint, text if little else "")
        self._update_visibility()

    def show_expected(self, event: ExpectedOutcome) -> None:
        style.show_text(self.cause, cause_of(event.outlook.values))
        self._update_visibility()

    def show_improvements(self, improvements: Sequence[Improvement], params: Params | None) -> None:
        """One line for each change, with a button."""
        style.clear_layout(self._lines)
        self.buttons = []
        for improvement in improvements:
            assert params is not None
            text = said_of(improvement, params)
            button = style.button(
                self.tr("Apply"),
                lambda _on=False, values=improvement.values: self.applied.emit(dict(values)),
                name=self.tr("Apply: {change}").format(change=text),
            )
            self.buttons.append(button)
            row = style.row(None, [(style.plain_label(text, wrap=True), 1), button])
            self._lines.addWidget(style.filled(row))
        self._update_visibility()

    def _update_visibility(self) -> None:
        has_text = bool(self.hint.text() or (self.cause.text() and not self.cause.isHidden()))
        self.setVisible(has_text or bool(self.buttons))


def cause_of(values: Sequence[MetricValue]) -> str:
    """What takes the largest part of what reaches it, where the method says so."""
    values_by_name = {value.name: value.value for value in values if value.name in CAUSES}
    remainder = 1.0
    parts: dict[str, float] = {}
    for name in CAUSES:
        share = values_by_name.get(name, 0.0)
        parts[name] = share / remainder if remainder > 0 else 0.0
        remainder -= share
    name = max(parts, key=lambda key: parts[key])
    if not parts[name] > 0:
        return ""
    return tr(CAUSES[name]).format(share=formats.format_fixed(100 * min(parts[name], 1.0), 0))


def said_of(improvement: Improvement, params: Params) -> str:
    """A change in a sentence: what is set, and what it brings."""
    specs = {spec.name: spec for spec in params.specs()}
    labels = {name: translate_text(specs[name].label) for name in improvement.values}
    off = [labels[name] for name, value in improvement.values.items() if value is False]
    changes = ", ".join(
        f"{labels[name]} {formats.format_parameter(specs[name], value)}"
        for name, value in improvement.values.items()
        if value is not False
    )
    if off:
        changes = tr("Without “{parts}”").format(parts=tr("” and “").join(off))
    before, after = (formats.format_digits(value, 3) for value in improvement.epsilon)
    fewer, larger = map(formats.format_count, improvement.kept)
    places = {"changes": changes, "more": larger, "kept": fewer, "before": before, "after": after}
    texts = {
        "passes": say("change passes the checks"),
        "cheaper": tr("{changes}: as much is kept, and ε falls from {before} to {after}."),
        "richer": tr("{changes}: released strings go from {kept} to {more}, at the same ε."),
    }
    text = texts.get(improvement.kind) or say("change keeps more at another ε")
    return fill_places(text, places)
