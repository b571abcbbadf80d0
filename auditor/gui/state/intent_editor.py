"""What the sliders say, its history, and the only ways to change it."""

import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from operator import attrgetter
from typing import Any, Literal

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from auditor.attacks.adversaries import find_adversary
from auditor.attacks.registry import ATTACKS
from auditor.engine.plan import Intent, Plan
from auditor.errors import AuditorError
from auditor.gui.app.translation import translate_text
from auditor.gui.state.worker import LatestJob
from auditor.gui.widgets import formats
from auditor.measures.registry import MEASURES
from auditor.messages import error_message
from auditor.methods.base import Method, ParameterSolver
from auditor.methods.registry import METHODS
from auditor.params import Params
from auditor.privacy.selection import ParameterSelection
from auditor.progress import Progress
from auditor.registry import Registry

Edit = Callable[[str, Callable[[Any], None], Any, Any], None]
"""``edit(text, apply, after, before)``: do ``apply(after)``, which ``apply(before)`` takes back."""


class UndoableEdit(QUndoCommand):
    """A step of the history. Changes of one `gesture` (a drag) are one step; −1 is never merged."""

    def __init__(
        self, text: str, apply: Callable[[Any], None], after: Any, before: Any, gesture: int = -1
    ) -> None:
        super().__init__(text)
        self._apply, self._before, self._after, self._gesture = apply, before, after, gesture

    def id(self) -> int:
        return self._gesture

    def redo(self) -> None:
        self._apply(self._after)

    def undo(self) -> None:
        self._apply(self._before)

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take over the end of a later change of the intent by the same gesture."""
        if not isinstance(other, UndoableEdit) or other.id() != self.id():
            return False
        self._after = other._after
        self.setText(other.text())
        self.setObsolete(same_intent(self._after, self._before))
        return True


def same_intent(a: Intent, b: Intent) -> bool:
    """Whether two intents ask for the same; a value never set equals the default."""
    names = "method", "params", "attacks", "measures", "checks", "selection", "rule_weights"
    parts = attrgetter(*names)
    return bool(parts(a) == parts(b))


STEPS = 1_000
"""Steps that can be taken back; a removed run stays in memory as long as its step."""

_ONE_STEP = 1 << 30
"""Gestures from here on are the editor's own: each is a step by itself."""


class IntentEditor(QObject):
    """Holds the intent; every change can be undone."""

    changed = Signal(object)
    refused = Signal(str, object)
    """A parameter's name (``check.name`` of an attack or measure) and why it was not taken."""

    def __init__(self, method: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.intent = Intent(method=method)
        self.users = 0
        """Users of the open log, 0 without one: a setting that needs more is refused."""
        self._log = ""
        """Digest of the log worked on; empty without one."""
        self._spent: dict[str, ParameterSelection] = {}
        """What private choices of parameters cost, by a log's digest: nothing takes that back."""
        self.undo = QUndoStack(self)
        self.undo.setUndoLimit(STEPS)
        self._steps = _ONE_STEP
        self.solving = LatestJob()
        """What looks for the value of a parameter."""

    @property
    def method(self) -> Method:
        return METHODS[self.intent.method]

    def choose_method(self, method: str) -> None:
        """Take another method, with the values it had before."""
        if method != self.intent.method:
            text = self.tr("method {title}").format(title=translate_text(METHODS[method].title))
            self._push_change(self.intent.choose(method), 0, text)

    def set(self, name: str, value: Any, gesture: int = 0) -> None:
        """Set a parameter; equal non-zero gestures become one step of the history."""
        after = self._try_change(name, lambda: self.intent.set(**{name: value}))
        if after is not None:
            self._push_change(after, gesture, _describe_value(after.params, name))

    def set_all(self, values: Mapping[str, Any]) -> None:
        after = self._try_change("", lambda: self.intent.set(**values))
        if after is not None:
            text = ", ".join(_describe_value(after.params, name) for name in values)
            self._push_change(after, 0, text)

    def reset(self, name: str = "") -> None:
        """Put a parameter, or all of the method's, back to the default."""
        after = self._try_change(name, lambda: self.intent.reset(name or None))
        if after is not None:
            all_label = self.tr("all parameters")
            label = translate_text(self.intent.params.spec(name).label) if name else all_label
            self._push_change(after, 0, self.tr("reset of {label}").format(label=label))

    def adopt_plan(self, plan: Plan) -> None:
        self._note_spent(plan.selection)
        values = dict(self.intent.values) | {plan.method: plan.params}
        before, selection = self.intent.selection, plan.selection
        if selection is None or (before is not None and before.look == "open"):
            selection = before  # nothing takes back that somebody looked
        after = dataclasses.replace(
            self.intent, method=plan.method, values=tuple(values.items()), selection=selection
        )
        title = translate_text(plan.what.title)
        self._push_change(after, 0, self.tr("settings of {title}").format(title=title))

    def take_log(self, digest: str, spent: ParameterSelection | None = None) -> None:
        """Work on another log, or on none: each states what was spent on choosing by itself.

        `spent` is what the ledger knows of that.
        """
        if digest != self._log:
            self.intent = dataclasses.replace(self.intent, selection=None)
        self._log = digest
        self._note_spent(spent)
        self.intent = self._charge_intent(self.intent)

    def restore_intent(
        self, intent: Intent, digest: str, spent: ParameterSelection | None = None
    ) -> None:
        """Go on with the intent of a project, whose log has this digest; see `take_log`."""
        self._log = digest
        for selection in (intent.selection, spent):
            self._note_spent(selection)
        self.intent = self._charge_intent(intent)

    def raise_cost(self, spent: ParameterSelection) -> None:
        """One more private choice of parameters was made on the log: a run states all of them."""
        self._note_spent(spent)
        intent = self._charge_intent(self.intent)
        if intent != self.intent:
            self._apply_intent(intent)

    def _note_spent(self, selection: ParameterSelection | None) -> None:
        """Keep what all private choices on the log cost; it never decreases."""
        if selection is not None and selection.look == "private":
            before = self._spent.get(self._log)
            if before is None or before.epsilon < selection.epsilon:
                self._spent[self._log] = selection

    def charge_selection(self, selection: ParameterSelection | None) -> ParameterSelection | None:
        """The selection with all that private choices on the log cost; an open one stays open."""
        spent = self._spent.get(self._log)
        if spent is None or selection is None:
            return spent or selection
        if selection.look == "open" or selection.epsilon >= spent.epsilon:
            return selection
        return dataclasses.replace(selection, epsilon=spent.epsilon, searches=spent.searches)

    def _charge_intent(self, intent: Intent) -> Intent:
        return dataclasses.replace(intent, selection=self.charge_selection(intent.selection))

    def toggle_check(self, kind: Literal["attacks", "measures"], name: str, on: bool) -> None:
        """Have an attack or measure made with every run or not; then those ticked are named."""
        registry: Registry[Any] = ATTACKS if kind == "attacks" else MEASURES
        selection = getattr(self.intent, kind)
        names = set(registry if selection is None else selection)
        names = names | {name} if on else names - {name}
        ticked = tuple(key for key in registry if key in names)
        changes: dict[str, Any] = {kind: ticked}
        text = self.tr("{title} on") if on else self.tr("{title} off")
        text = text.format(title=translate_text(registry[name].title))
        self._push_change(dataclasses.replace(self.intent, **changes), 0, text)

    def tune_check(self, check: str, name: str, value: Any, gesture: int = 0) -> None:
        after = self._try_change(
            f"{check}.{name}", lambda: self.intent.tune_check(check, **{name: value}), keep=True
        )
        if after is not None:
            text = _describe_value(after.find_check_params(check), name)
            self._push_change(after, gesture, text)

    def assume_adversary(self, adversary: str) -> None:
        """Have all attacks made as this adversary makes them."""
        title = translate_text(find_adversary(adversary).title)
        text = self.tr("attackers: {title}").format(title=title)
        self._push_change(self.intent.assume_adversary(adversary), 0, text)

    def weigh_rules(self, weights: Mapping[str, float], text: str) -> None:
        """Set weights of detection rules in this project; others keep theirs."""
        merged = dict(self.intent.rule_weights) | dict(weights)
        self._push_change(self.intent.weigh_rules(merged), 0, text)

    def push_edit(self, text: str, apply: Callable[[Any], None], after: Any, before: Any) -> None:
        """Do ``apply(after)``, as a step that ``apply(before)`` takes back."""
        self.undo.push(UndoableEdit(text, apply, after, before))

    def solve(self, solver: ParameterSolver, value: float) -> None:
        """Find the parameter's value that reaches what is wanted, and take it."""
        params, users = self.intent.params, self.users
        self.search_value(solver.parameter, lambda _progress: solver.solve(params, value, users))

    def search_value(self, parameter: str, work: Callable[[Progress], Params]) -> None:
        """Take the value of a parameter that `work` finds in a thread."""
        self.solving.start(
            "solving",
            work,
            lambda params: self.set(parameter, getattr(params, parameter)),
            partial(self.refused.emit, parameter),
        )

    def _try_change(
        self, name: str, change: Callable[[], Intent], *, keep: bool = False
    ) -> Intent | None:
        """The intent after a change; a refusal names the error's parameter, or `name` if `keep`.

        With `keep` it is a check that changes, and no parameter of the method.
        """
        try:
            after = change()
            if not keep:
                METHODS[after.method].check_size(after.params, self.users)
            return after
        except AuditorError as error:
            parameter = "" if keep else getattr(error, "parameter", "")
            self.refused.emit(parameter or name, error_message(error))
            return None

    def _push_change(self, after: Intent, gesture: int, text: str) -> None:
        after = self._charge_intent(after)
        if same_intent(after, self.intent):
            self.changed.emit(self.intent)  # takes back what was typed and not taken
            return
        if gesture <= 0:
            self._steps += 1
            gesture = self._steps
        self.undo.push(UndoableEdit(text, self._apply_intent, after, self.intent, gesture))

    def _apply_intent(self, intent: Intent) -> None:
        self.intent = self._charge_intent(intent)  # undone, what was spent stays spent
        self.changed.emit(self.intent)


def _describe_value(params: Params, name: str) -> str:
    spec = params.spec(name)
    value = formats.format_parameter(spec, getattr(params, name))
    return f"{translate_text(spec.label)} {value}"
