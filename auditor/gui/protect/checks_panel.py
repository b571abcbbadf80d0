"""What is tried on every run: attacks and measures, their parameters, what attackers know."""

from collections.abc import Callable, Mapping
from functools import partial
from operator import attrgetter
from typing import Any, Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from auditor.attacks.adversaries import ADVERSARIES, CUSTOM, find_adversary
from auditor.attacks.registry import ATTACKS
from auditor.engine.plan import Intent
from auditor.gui.app.translation import read_words, tr, translate_text
from auditor.gui.help.view import set_page
from auditor.gui.protect.params_panel import ParamRow, row_for
from auditor.gui.state.intent_editor import IntentEditor
from auditor.gui.state.log_loading import KINDS, AttackerFiles, Kind, KnowledgeReader
from auditor.gui.widgets import style
from auditor.gui.widgets.areas import ElidedLabel, ScrollColumn
from auditor.gui.widgets.dialogs import Mode, ask_for_files
from auditor.gui.widgets.fields import ChoiceBox, WrappingCheckBox
from auditor.measures.registry import MEASURES
from auditor.params import Params

Group = Literal["attacks", "measures"]
CHECKS_OF = attrgetter("attacks", "measures", "checks")
"""What an intent says of attacks and measures."""
SHORT = 12
"""Letters of the attackers' names that are shown at least."""

WORDS: Mapping[str, list[str]] = read_words("attackers' files")
"""What each is called, and what it is."""


class KnownRow(QWidget):
    """One thing that attackers may know: what it is now, choose, take away."""

    def __init__(self, kind: Kind, reader: KnowledgeReader) -> None:
        super().__init__()
        title, tip = map(tr, WORDS[kind])
        self.kind, self._reader = kind, reader
        self.name = ElidedLabel()
        name = self.tr("Choose: {title}").format(title=title)
        self.choose = style.button(self.tr("Choose…"), self._ask_for_files, name=name, tip=tip)
        self.drop = style.tool_button(
            "✕",
            lambda: reader.forget(kind),
            name=self.tr("Forget: {title}").format(title=title),
            tip=self.tr("Attackers don't know this"),
        )
        label = style.plain_label(title, wrap=True)
        label.setToolTip(tip)
        head = style.row(None, [(label, 1), self.choose, self.drop], spacing=style.TIGHT)
        style.column(self, [head, self.name], spacing=0)

    def show_known(self, knowledge: AttackerFiles) -> None:
        part = knowledge.parts.get(self.kind)
        reading = self.kind in knowledge.reading
        text = translate_text(part.title) if part else self.tr("not known to attackers")
        self.name.show_text(self.tr("reading…") if reading else text)
        self.drop.setEnabled(reading or part is not None)

    def _ask_for_files(self) -> None:
        mode = Mode.ExistingFiles if self.kind == "reference" else Mode.ExistingFile
        read_files = partial(self._reader.read, self.kind)
        ask_for_files(self, tr(WORDS[self.kind][0]), read_files, mode=mode)


class CheckSection(QWidget):
    """One attack or measure: a check box, and its parameters once it is unfolded."""

    def __init__(self, group: Group, name: str, intents: IntentEditor) -> None:
        super().__init__()
        self.what: Any = ATTACKS[name] if group == "attacks" else MEASURES[name]
        self._tune = partial(intents.tune_check, name)
        self.rows: dict[str, ParamRow] = {}
        self._params: Params = self.what.params()
        self.box = WrappingCheckBox(translate_text(self.what.title))
        self.box.setToolTip(f"{translate_text(self.what.summary)}\n{self.what.source}")
        self.box.clicked.connect(lambda on: intents.toggle_check(group, name, on))
        self.unfold = style.tool_button(
            name=self.tr("Parameters of {title}").format(title=translate_text(self.what.title)),
            tip=self.tr("Show its parameters"),
        )
        self.unfold.setCheckable(True)
        self.unfold.setArrowType(Qt.ArrowType.RightArrow)
        self.unfold.toggled.connect(self._set_unfolded)
        self.unfold.setVisible(bool(self.what.params.specs()))
        self.changed = style.plain_label(self.tr("changed"), size=style.SMALL, role="muted")
        self.note = style.plain_label(size=style.SMALL, role="muted", wrap=True)
        self.note.setContentsMargins(style.WIDE, 0, 0, 0)
        self.note.hide()
        head = style.row(None, [(self.box, 1), self.changed, self.unfold], spacing=style.TIGHT)
        self._inside: QWidget | None = None
        self._body = style.column(self, [head, self.note], spacing=0)

    def show_params(self, params: Params, on: bool) -> None:
        """Show the parameters of an intent."""
        self._params = params
        self.box.setChecked(on)
        self.changed.setVisible(params != type(params)())
        for name, row in self.rows.items():
            row.show_value(getattr(params, name), params.matters(name))

    def _set_unfolded(self, open_: bool) -> None:
        self.unfold.setArrowType(Qt.ArrowType.DownArrow if open_ else Qt.ArrowType.RightArrow)
        if open_ and self._inside is None:
            margins = style.WIDE, 0, 0, style.NORMAL
            column = style.column(None, margins=margins, spacing=style.TIGHT)
            self._inside = style.filled(column)
            for spec in self.what.params.specs():
                row = row_for(spec, self.what.params.owner)
                row.edited.connect(self._tune)
                row.reset.connect(
                    lambda name: self._tune(name, self.what.params.spec(name).default)
                )
                self.rows[spec.name] = row
                column.addWidget(row)
            self._body.addWidget(self._inside)
            self.show_params(self._params, self.box.isChecked())
        if self._inside is not None:
            self._inside.setVisible(open_)


class AdversaryRow(QWidget):
    """Who attacks, to choose, and what they know beforehand."""

    def __init__(self, choose: Callable[[str], None]) -> None:
        super().__init__()
        tip = self.tr("Sets what each attack assumes that its attacker knows")
        self.box = ChoiceBox(self.tr("Who attacks"), least=SHORT, tip=tip)
        self.box.offer((translate_text(someone.title), someone.name) for someone in ADVERSARIES)
        self.box.activated.connect(lambda _index: choose(self.box.currentData()))
        self.knows = style.plain_label(size=style.SMALL, role="muted", wrap=True)
        style.column(self, [self.box, self.knows], spacing=style.TIGHT)

    def show_adversary(self, name: str) -> None:
        """Show whose attacks an intent has; nobody's where parameters were set by hand."""
        self.box.setCurrentIndex(self.box.findData(name))
        if name == CUSTOM:
            self.box.setPlaceholderText(self.tr("As set below"))
            self.knows.setText(self.tr("Parameters of the attacks were set one by one."))
            return
        adversary = find_adversary(name)
        text = self.tr("Give “{title}” below for attacks as good as theirs.")
        titles = (tr(WORDS[kind][0]) for kind in KINDS if kind in adversary.files)
        needs = (text.format(title=title) for title in titles)
        self.knows.setText(" ".join((translate_text(adversary.knows), *needs)))


class ChecksPanel(QWidget):
    """Attacks, measures and what attackers know: everything in a run besides the method."""

    def __init__(self, intents: IntentEditor, reader: KnowledgeReader) -> None:
        super().__init__()
        self._intents = intents
        self.known = {kind: KnownRow(kind, reader) for kind in KINDS}
        self.sections: dict[str, CheckSection] = {}
        self._intent: Intent | None = None
        self._knowledge = reader.now
        self._skipped: Mapping[str, str] = {}
        self.adversary = AdversaryRow(intents.assume_adversary)
        column = style.column(
            None,
            [style.plain_label(self.tr("Who attacks"), bold=True), self.adversary],
            margins=(0, 0, style.NORMAL, 0),
            spacing=style.TIGHT,
        )
        column.addSpacing(style.NORMAL)
        column.addWidget(style.plain_label(self.tr("What attackers know"), bold=True))
        for row in self.known.values():
            column.addWidget(row)
            row.show_known(self._knowledge)
        self.wrong = style.plain_label(size=style.SMALL, role="bad", wrap=True)
        self.wrong.hide()
        column.addWidget(self.wrong)
        self._checks = style.column(None, spacing=style.TIGHT)
        column.addLayout(self._checks)
        column.addStretch(1)
        area = ScrollColumn(self.tr("Attacks and measures"))
        area.setWidget(style.filled(column))
        style.column(self, [area], margins=(style.NORMAL, style.TIGHT))
        intents.changed.connect(self.show_intent)
        intents.refused.connect(self.show_refusal)
        reader.changed.connect(self.show_knowledge)
        reader.failed.connect(lambda _kind, reason: style.show_text(self.wrong, reason))

    def showEvent(self, event: QShowEvent) -> None:
        """The sections need every attack and measure: they are made when first looked at."""
        if not self.sections:
            groups: tuple[tuple[Group, str, Any], ...] = (
                ("attacks", self.tr("Attacks"), ATTACKS),
                ("measures", self.tr("Measures"), MEASURES),
            )
            for group, title, registry in groups:
                self._checks.addSpacing(style.NORMAL)
                self._checks.addWidget(style.plain_label(title, bold=True))
                for name in registry:
                    section = CheckSection(group, name, self._intents)
                    set_page(section, f"{group}/{name}")
                    self.sections[name] = section
                    self._checks.addWidget(section)
            self._update_sections()
        super().showEvent(event)

    def show_intent(self, intent: Intent) -> None:
        """Show what is tried and how; a slider that moves changes nothing of it."""
        before, self._intent = self._intent, intent
        if before is None or before == intent or CHECKS_OF(before) != CHECKS_OF(intent):
            self._update_sections()

    def show_knowledge(self, knowledge: AttackerFiles) -> None:
        self._knowledge = knowledge
        self.wrong.hide()
        for row in self.known.values():
            row.show_known(knowledge)
        self._update_sections()

    def show_skipped(self, skipped: Mapping[str, str]) -> None:
        """Say which were left out of the run that is shown, and why."""
        if skipped != self._skipped:
            self._skipped = skipped
            self._update_sections()

    def show_refusal(self, name: str, reason: str) -> None:
        """Say beside a parameter, given as ``check.parameter``, what was wrong with its value."""
        check, _, parameter = name.partition(".")
        row = self.sections[check].rows.get(parameter) if check in self.sections else None
        if row is not None:
            row.show_problem(reason)

    def _update_sections(self) -> None:
        if self._intent is None or not self.sections:
            return
        self.adversary.show_adversary(self._intent.adversary)
        digests = self._knowledge.digests
        for name, section in self.sections.items():
            selection = self._intent.attacks if name in ATTACKS else self._intent.measures
            on = selection is None or name in selection
            section.show_params(self._intent.find_check_params(name), on)
            needs = getattr(section.what, "needs", ())
            missing = [f"“{tr(WORDS[k][0])}”" for k in KINDS if k in needs and k not in digests]
            reason, skipped = "", translate_text(self._skipped.get(name, ""))
            if missing:
                reason = self.tr("Needs {missing}: choose above.")
            elif skipped:
                reason = self.tr("Left out of the run that is shown: {skipped}.")
            missing_files = self.tr(" and ").join(missing)
            style.show_text(section.note, reason.format(missing=missing_files, skipped=skipped))
