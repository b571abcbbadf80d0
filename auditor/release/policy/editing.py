"""A policy while somebody edits it: gates on and off, their limits, and the file that comes of it.

The file keeps what people wrote in it. Only numbers and names are put in place; a gate that is
turned off stays as comments that begin with ``#off ``, so that it can be turned on again. What a
file of unusual form would lose by that is written anew, without comments, and said.
"""

from __future__ import annotations

import contextlib
import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from auditor.errors import ParameterError
from auditor.methods.noisy_counts.period_units import HISTORY
from auditor.release.policy.policy import (
    FORMAT,
    Gate,
    Policy,
    apply_formula,
    find_complaint,
    parse_policy,
)

OFF = "#off "
_HEAD = re.compile(r"^\s*\[\[\s*gate\s*\]\]")
_ENTRY = re.compile(r"^(\s*)(\w+)(\s*=\s*)(.*)$")


@dataclass(frozen=True)
class GateDraft:
    """One gate, and whether it is in force."""

    gate: Gate
    on: bool = True

    def with_limit(self, key: str, value: float | None) -> GateDraft:
        """The same with another limit; `key` is "most" or "least".

        A limit that is one of the policy's table stays one; one that follows by more follows no
        longer.
        """
        gate = replace(self.gate, most=value) if key == "most" else self.gate
        gate = replace(gate, least=value) if key == "least" else gate
        formula = "" if "(" in gate.formula or value is None else gate.formula
        return replace(self, gate=replace(gate, formula=formula))

    def follow_limits(self, limits: Mapping[str, float]) -> GateDraft:
        """The same with the limit that follows from a table."""
        if not self.gate.formula:
            return self
        value = apply_formula(self.gate.formula, limits)
        if self.gate.most is not None:
            return replace(self, gate=replace(self.gate, most=value))
        return replace(self, gate=replace(self.gate, least=value))


@dataclass(frozen=True)
class PolicyDraft:
    """A policy as it is being edited; `source` is the text whose comments are to be kept."""

    name: str
    note: str
    entries: tuple[GateDraft, ...]
    source: str = ""
    requires: tuple[str, ...] = ()
    unit: str = HISTORY
    limits: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str, catalogue: Iterable[Gate] = ()) -> PolicyDraft:
        """What a file says, and after it, turned off, what else there could be.

        Raises `ParameterError` saying what is wrong and where.
        """
        policy = parse_policy(text.encode("utf-8"))
        drafts = {gate.name: GateDraft(gate) for gate in policy.gates}
        for block in _split_blocks(text)[1:]:
            if any(_is_off(line) for line in block.split("\n")):
                gate = _gate_of(block, policy.limits)
                if gate is not None:
                    drafts.setdefault(gate.name, GateDraft(gate, on=False))
        for gate in catalogue:
            drafts.setdefault(gate.name, GateDraft(replace(gate, formula=""), on=False))
        entries, requires = tuple(drafts.values()), policy.requires
        return cls(policy.name, policy.note, entries, text, requires, policy.unit, policy.limits)

    def with_entry(self, entry: GateDraft) -> PolicyDraft:
        """The same with one gate changed, found by its name, and whatever follows from it."""
        entries = [entry if old.gate.name == entry.gate.name else old for old in self.entries]
        gate, limits = entry.gate, dict(self.limits)
        value = gate.least if gate.most is None else gate.most
        if gate.formula in limits and value is not None and value != limits[gate.formula]:
            limits[gate.formula] = value
            with contextlib.suppress(ValueError):  # a limit from which nothing follows is refused
                entries = [other.follow_limits(limits) for other in entries]
        return replace(self, entries=tuple(entries), limits=limits)

    @property
    def gates(self) -> tuple[Gate, ...]:
        return tuple(entry.gate for entry in self.entries if entry.on)

    def list_complaints(self) -> dict[str, str]:
        """What is wrong, by the name of the gate; that of the whole stands under ""."""
        texts = {gate.name: wrong for gate in self.gates if (wrong := find_complaint(gate))}
        if not self.gates:
            texts[""] = "A policy needs at least one gate: one that asks for nothing lets all pass."
        return texts

    def build_policy(self) -> Policy:
        """The policy as it will be read from its file; raises `ParameterError`."""
        for wrong in self.list_complaints().values():
            raise ParameterError("policy", wrong)
        return parse_policy(self.format_text()[0].encode("utf-8"))

    def format_text(self) -> tuple[str, bool]:
        """The file, and whether the comments of the source stand in it."""
        text = _edit_source(self) if self.source else ""
        if text and _has_same_meaning(text, self):
            return text, True
        head: dict[str, Any] = {"format": FORMAT, "name": self.name}
        head |= {"note": self.note} if self.note else {}
        head |= {"unit": self.unit} if self.unit != HISTORY else {}
        head |= {"requires": list(self.requires)} if self.requires else {}
        parts = [_dump_policy(head | {"limits": dict(self.limits)}).strip("\n")]
        parts += map(_format_block, self.gates)
        parts += [
            _comment_out(_format_block(entry.gate))
            for entry in self.entries
            if not entry.on and not find_complaint(entry.gate)
        ]
        return "\n\n".join(parts) + "\n", not self.source


def _has_same_meaning(text: str, draft: PolicyDraft) -> bool:
    try:
        policy = parse_policy(text.encode("utf-8"))
    except ParameterError:
        return False
    by_name = {gate.name: gate for gate in policy.gates}
    expected = {gate.name: gate for gate in draft.gates}
    parts = (draft.name, draft.note, draft.requires, draft.unit, draft.limits, expected)
    return (policy.name, policy.note, policy.requires, policy.unit, policy.limits, by_name) == parts


def _split_blocks(text: str) -> list[str]:
    """The head, then every gate with the comments right above it."""
    parts: list[list[str]] = [[]]
    for line in text.splitlines():
        if _HEAD.match(line.removeprefix(OFF)):
            above: list[str] = []
            while (
                parts[-1] and parts[-1][-1].lstrip().startswith("#") and not _is_off(parts[-1][-1])
            ):
                above.insert(0, parts[-1].pop())
            parts.append(above)
        parts[-1].append(line)
    return ["\n".join(lines).strip("\n") for lines in parts]


def _is_off(line: str) -> bool:
    return line.startswith(OFF) or line == OFF.strip()


def _uncomment_block(block: str) -> str:
    return "\n".join(line[len(OFF) :] if _is_off(line) else line for line in block.split("\n"))


def _comment_out(block: str) -> str:
    return "\n".join(line if line.startswith("#") else f"{OFF}{line}" for line in block.split("\n"))


def _gate_of(block: str, limits: Mapping[str, float]) -> Gate | None:
    """The gate that a block is about; None if it can't be read."""
    try:
        plain = tomllib.loads(_uncomment_block(block))
        plain = {"format": FORMAT, "limits": dict(limits)} | plain
        return parse_policy(_dump_policy(plain).encode("utf-8")).gates[0]
    except (tomllib.TOMLDecodeError, ParameterError, IndexError, KeyError, TypeError):
        return None


def _edit_source(draft: PolicyDraft) -> str:
    before = parse_policy(draft.source.encode("utf-8"))
    head, *blocks = _split_blocks(draft.source)
    values: dict[str, tuple[Any, Any]] = {
        name: (before.limits.get(name), value) for name, value in draft.limits.items()
    }
    values |= {"name": (before.name, draft.name), "note": (before.note, draft.note)}
    parts = [_enter_values(head, _changed_values(values))]
    entries = {entry.gate.name: entry for entry in draft.entries}
    for block in blocks:
        gate = _gate_of(block, before.limits)
        entry = entries.pop(gate.name, None) if gate is not None else None
        if gate is None or entry is None:
            continue
        limits = {
            key: (_stated_limit(gate, key), _stated_limit(entry.gate, key))
            for key in ("most", "least")
        } | {"feedback": (gate.feedback or None, entry.gate.feedback or None)}
        awake = _enter_values(_uncomment_block(block), _changed_values(limits))
        parts.append(awake if entry.on else _comment_out(awake))
    parts += [_format_block(entry.gate) for entry in entries.values() if entry.on]
    return "\n\n".join(parts) + "\n"


def _stated_limit(gate: Gate, key: str) -> float | str | None:
    """A limit as a file has it: the formula by which it follows, where it does."""
    value: float | None = getattr(gate, key)
    return gate.formula if gate.formula and value is not None else value


def _changed_values(values: dict[str, tuple[Any, Any]]) -> dict[str, Any]:
    return {key: after for key, (before, after) in values.items() if before != after}


def _enter_values(block: str, values: dict[str, Any]) -> str:
    """A block with these values in place of its own; None takes the line out."""
    missing = {key: value for key, value in values.items() if value not in (None, "")}
    lines = []
    for line in block.split("\n"):
        match = _ENTRY.match(line)
        if match is None or match[2] not in values:
            lines.append(line)
            continue
        key = match[2]
        missing.pop(key, None)
        if values[key] is not None:
            number = not match[4].startswith(('"', "'"))
            comment = re.search(r"\s+#.*$" if number else r"\s+#[^\"']*$", match[4])
            tail = comment[0] if comment else ""
            lines.append(f"{match[1]}{key}{match[3]}{_format_value(values[key])}{tail}")
    lines += [f"{key} = {_format_value(value)}" for key, value in missing.items()]
    return "\n".join(lines)


def _format_block(gate: Gate) -> str:
    plain = gate.to_dict()
    plain |= {key: _stated_limit(gate, key) for key in ("most", "least") if key in plain}
    plain.pop("formula", None)
    return _dump_policy({"gate": [plain]}).strip("\n")


def _dump_policy(plain: dict[str, Any]) -> str:
    """A policy's plain values as TOML: texts, numbers, lists of texts, limits and gates."""
    tables = ("limits", "gate")
    parts = [("", {key: value for key, value in plain.items() if key not in tables})]
    parts += [("\n[limits]\n", plain["limits"])] if plain.get("limits") else []
    parts += [("\n[[gate]]\n", gate) for gate in plain.get("gate", [])]
    return "".join(
        heading + "".join(f"{key} = {_format_value(value)}\n" for key, value in values.items())
        for heading, values in parts
    )


def _format_value(value: Any) -> str:
    """A value as TOML has it: its basic strings escape as JSON's do, but for one character."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
