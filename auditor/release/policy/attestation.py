"""What a reviewer attests of a release's contract: recipient, purpose, retention, audits and so on.

No program can measure any of it. A policy may ask for it by gates on ``attested.FIELD``: what
nobody attested is not measured, and what somebody did is shown with their name. The fields, which
``resources/metrics/gates.toml`` lists, are part of the approval and signed with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, TypeAlias

from auditor.bounded_files import UnfitFile, parse_toml, read_text
from auditor.errors import ParameterError
from auditor.log.escaping import printable_text, says_something
from auditor.log.sentences import sentence
from auditor.messages import DisplayText, as_phrase, phrase
from auditor.release.manifest import written_at
from auditor.release.policy.policy import ATTESTED, Gate, gate_words

SCOPE = ATTESTED
LONGEST = 500
"""Characters of a field."""
MOST = 1_200
"""The largest count: a hundred years of months."""
LARGEST = 1 << 16
"""Bytes of a file of fields."""
FieldValue: TypeAlias = str | int | bool


@dataclass(frozen=True)
class ContractAttestation:
    """The fields by name, who attests them, and the day from which years are counted."""

    by: str = ""
    fields: Mapping[str, FieldValue] = field(default_factory=dict)
    on: date = field(default_factory=lambda: date.fromisoformat(written_at()[:10]))

    @classmethod
    def of(cls, by: str, plain: Mapping[str, Any]) -> ContractAttestation:
        """What somebody wrote; raises `ParameterError` for what can't be signed as it is."""
        draft = cls(by)
        cleaned = {name: _clean_value(name, value, draft.on) for name, value in plain.items()}
        return cls(by, {name: cleaned[name] for name in gate_words(SCOPE) if name in cleaned})

    @classmethod
    def of_approval(cls, approval: Mapping[str, Any]) -> ContractAttestation:
        """What a manifest's approval or a ledger's entry says; fields not of ours are left out."""
        data, words = approval.get("attested", {}), gate_words(SCOPE)
        valid = {name: data[name] for name in words if name in data and _fits(name, data[name])}
        if not valid:
            return cls()
        day = str(approval.get("at", ""))[:10]
        on = date.fromisoformat(day) if _is_day(day) else date.min
        return cls(str(approval.get("reviewer", "")), valid, on)

    def to_plain(self) -> dict[str, Any]:
        """As `of_approval` reads it; nothing where nothing is attested."""
        return {SCOPE: dict(self.fields)} if self.fields else {}

    def is_due(self, today: str) -> bool:
        """Whether the day by which the release was to be looked at again has passed."""
        return str(self.fields.get("review_by", today)) < today

    def find_figure(self, name: str) -> float | None:
        """A field as a gate limits it; None if nobody attested it."""
        if (value := self.fields.get(name)) is None:
            return None
        words = gate_words(SCOPE)[name]
        if words["kind"] == "day":
            end = date.fromisoformat(str(value))
            months = 12 * (end.year - self.on.year) + end.month - self.on.month
            return months / 12 + (end.day - self.on.day) / 372  # the same day in years is whole
        if words["kind"] == "choice":
            return 1.0 + list(words["options"]).index(str(value))
        return 1.0 if words["kind"] == "text" else float(value)

    def describe_field(self, name: str) -> DisplayText:
        """A field's value in words."""
        value, words = self.fields[name], gate_words(SCOPE)[name]
        if isinstance(value, bool):
            return phrase("yes") if value else phrase("no")
        return as_phrase(words["options"][value]["label"]) if "options" in words else str(value)

    @property
    def lines(self) -> tuple[DisplayText, ...]:
        """Each field, by whom it is attested, and that nobody measured it."""
        by, lines = printable_text(self.by), []
        for name in self.fields:
            label, value = gate_words(SCOPE)[name]["label"], self.describe_field(name)
            lines.append(sentence("officer.attested", label=label, value=value, by=by))
        return tuple(lines)


def read_attestation(path: Path) -> dict[str, Any]:
    """The fields in a TOML file; raises `ParameterError`. `ContractAttestation.of` checks them."""
    try:
        return parse_toml(read_text(path, LARGEST))
    except UnfitFile as error:
        message = phrase("What is attested can't be read: it is {error}.", error=error.reason)
        raise ParameterError(SCOPE, message) from None


def attested_field(gate: Gate) -> str:
    """The field that a gate asks for; empty for every other gate."""
    scope, _, name = gate.figure.partition(".")
    return name if scope == SCOPE else ""


def _fits(name: str, value: Any) -> bool:
    words = gate_words(SCOPE)[name]
    match words["kind"]:
        case "flag":
            return isinstance(value, bool)
        case "count":
            return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST
        case "choice":
            return isinstance(value, str) and value in words["options"]
    if not isinstance(value, str) or not (says_something(value) and len(value) <= LONGEST):
        return False
    return _is_day(value) if words["kind"] == "day" else printable_text(value) == value


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


_FORMS = {
    "text": phrase("a text of 1 to 500 characters on one line"),
    "flag": phrase("true or false"),
    "count": phrase("a whole number from 0 to 1,200"),
    "choice": phrase("signed-terms, ring-fence or sandbox"),
    "day": phrase("a day like 2027-06-30"),
}


def _clean_value(name: str, value: Any, today: date) -> FieldValue:
    words = gate_words(SCOPE)
    if name not in words:
        label, names = printable_text(name)[:80], ", ".join(words)
        raise ParameterError(SCOPE, sentence("policy.no_field", name=label, names=names))
    value = value.isoformat() if type(value) is date else value
    value = value.strip() if isinstance(value, str) else value
    if not _fits(name, value):
        form = _FORMS[words[name]["kind"]]
        raise ParameterError(SCOPE, phrase("{name} must be {wanted!t}.", name=name, wanted=form))
    if words[name]["kind"] == "day" and value < today.isoformat():
        raise ParameterError(SCOPE, phrase("{name}: that day has passed.", name=name))
    cleaned: FieldValue = value
    return cleaned
