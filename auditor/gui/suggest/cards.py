"""A release to choose, in a card: what leaves, what is kept, who is exposed, how strong it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame

from auditor.gui.app.translation import translate_text
from auditor.gui.protect.method_cards import describe_output
from auditor.gui.widgets import formats, safe_text, style
from auditor.methods.registry import METHODS

if TYPE_CHECKING:
    from auditor.suggestions.result import Suggestion

TONES = ("bad", "warn", "good", "good")
"""The colour of a guarantee, from none to a strong one."""


class ReleaseCard(QFrame):
    """One release; or why there is none of its kind."""

    def __init__(self, title: str, role: str = "") -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.setAccessibleName(title)
        self.kept = style.plain_label(size=style.DISPLAY, bold=True)
        self.leaves = style.plain_label(wrap=True)
        self.exposed = style.plain_label(wrap=True)
        self.strength = style.plain_label(bold=True, wrap=True)
        self.setting = style.plain_label(role="muted", wrap=True)
        self.use = style.button(
            self.tr("Use"),
            role=role,
            name=self.tr("Use: {kind}").format(kind=title),
            tip=self.tr("Set method and parameters, make the release, and attack it"),
        )
        self.tune = style.button(
            self.tr("Tune"),
            name=self.tr("Tune: {kind}").format(kind=title),
            tip=self.tr("Set method and parameters, and go to the sliders"),
        )
        heading = style.plain_label(title, role="muted")
        self._parts = [self.kept, self.leaves, self.exposed, self.strength, self.setting]
        self.column = style.column(
            self,
            [heading, *self._parts, 1, style.row(None, [self.use, self.tune, 1])],
            margins=(style.WIDE, style.WIDE),
            spacing=style.NORMAL,
        )
        self.show_nothing("")

    def show_nothing(self, why: str) -> None:
        for part in (*self._parts, self.use, self.tune):
            part.setVisible(part is self.leaves)
        self.leaves.setText(why)
        self.setVisible(bool(why))

    def show_release(self, point: Suggestion) -> None:
        """Show a release that passes, or may."""
        for part in (self, *self._parts, self.use, self.tune):
            part.show()
        verdict, method = point.verdict, METHODS[point.method]
        share, queries = verdict.kept.share, verdict.kept.queries
        kept = formats.say_kept(verdict)
        if share is not None:
            kept = self.tr("{share} of searches").format(share=formats.format_percentage(share))
        self.kept.setText(kept)
        leaves = [describe_output(method)]
        if queries is not None:
            leaves.append(safe_text.format_plural(round(queries), "query", "queries"))
        self.leaves.setText(" \u00b7 ".join(leaves))
        exposed = "; ".join(map(translate_text, verdict.exposed))
        unknown = self.tr("Whom attacks expose is not known before a run")
        if not verdict.expected:
            unknown = formats.say_worst(verdict) or self.tr("No attack was tried")
        self.exposed.setText(exposed or unknown)
        strength = verdict.strength
        text = f"{translate_text(strength.title)} · {translate_text(verdict.guarantee.brief)}"
        self.strength.setText(formats.capitalize(text))
        style.colour_text(self.strength, TONES[strength])
        self.setting.setText(translate_text(point.title))
        reasons = "\n".join(map(translate_text, point.reasons))
        self.setting.setToolTip(safe_text.plain_tip(reasons))
        self.setting.setAlignment(Qt.AlignmentFlag.AlignTop)
