"""Plain values of JSON, read with suspicion, and dataclasses as such values and back.

No library does this: a number that JSON lacks is a word, a text is cleaned of markup, no list or
text is longer than `LONGEST` and `MOST` allow, and what isn't of the type of its field's annotation
raises an error that says where.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import functools
import math
import re
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np

from auditor.attacks.base import FlaggedFindings
from auditor.errors import AuditorError
from auditor.figures import UserReference
from auditor.log.escaping import printable_text
from auditor.log.sentences import sentence
from auditor.messages import Message, NumberText, as_phrase, filled_length, phrase
from auditor.params import ParamKind, Params
from auditor.privacy.release import Anonymized

LONGEST = 20_000
"""Characters of the longest text that is taken."""

MOST = 1_000_000
"""Entries of the longest list that is taken."""

_TAG = re.compile(r"<(?=[A-Za-z/!?])")

T = TypeVar("T", bound=str)


class ProjectError(AuditorError):
    """A project can't be read or written; says why, without a word of what it holds."""


@dataclasses.dataclass(frozen=True, slots=True)
class JsonNode:
    """A value and where it stands: ``runs[2].name``."""

    value: Any
    place: str = ""

    def make_error(self, expected: str) -> ProjectError:
        """The error that says what should stand here."""
        return ProjectError(
            sentence(
                "reading.project_damaged_changed_hand",
                place=printable_text(self.place) or "it",
                wanted=as_phrase(expected),
            )
        )

    @property
    def missing(self) -> bool:
        return self.value is None

    def __getitem__(self, key: str) -> JsonNode:
        """What stands under a key; a node that is `missing` if nothing does."""
        if not isinstance(self.value, dict):
            raise self.make_error("an object")
        return JsonNode(self.value.get(key), f"{self.place}.{key}" if self.place else key)

    def items(self) -> Iterator[tuple[str, JsonNode]]:
        """Keys and what stands under them."""
        if self.missing:
            return
        if not isinstance(self.value, dict):
            raise self.make_error("an object")
        for key, value in self.value.items():
            yield plain_text(key[:LONGEST]), JsonNode(value, f"{self.place}.{key[:40]}")

    def iterate_entries(self, entry_limit: int = MOST) -> Iterator[JsonNode]:
        """The entries of a list; none if nothing stands here."""
        if self.missing:
            return
        if not isinstance(self.value, list) or len(self.value) > entry_limit:
            raise self.make_error(phrase("a list of at most {most:,} entries", most=entry_limit))
        for index, value in enumerate(self.value):
            yield JsonNode(value, f"{self.place}[{index}]")

    def read_text(self, default: str | None = None, longest: int = LONGEST) -> str:
        """A text that can be shown anywhere; `default` if nothing stands here."""
        return plain_text(self.read_exact_text(default, longest))

    def read_exact_text(self, default: str | None = "", longest: int = LONGEST) -> str:
        """A text as it stands, for whoever reads it with suspicion again."""
        if self.missing and default is not None:
            return default
        if not isinstance(self.value, str) or len(self.value) > longest:
            raise self.make_error(
                phrase("a text of at most {longest:,} characters", longest=longest)
            )
        return self.value

    def one_of(self, *words: T) -> T:
        for word in words:
            if self.value == word:
                return word
        raise self.make_error(
            phrase("one of {words}", words=", ".join(f"'{word}'" for word in words))
        )

    def read_flag(self) -> bool:
        """True or false, which may be missing."""
        if self.missing:
            return False
        if not isinstance(self.value, bool):
            raise self.make_error("true or false")
        return self.value

    def read_integer(self, low: int = -(1 << 62)) -> int:
        value, high = self.value, 1 << 62
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.make_error(phrase("a whole number from {low} to {high}", low=low, high=high))
        return value

    def read_number(self) -> float:
        """A number, or a word for one that JSON lacks."""
        number = real_number(self.value)
        if number is None:
            raise self.make_error("a number")
        return number


def plain_text(text: str) -> str:
    """Text that no widget takes for markup, on one direction, without control characters."""
    lines = (printable_text(line) for line in text.split("\n"))
    return _TAG.sub("\u2039", "\n".join(lines))


WORDS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def real_number(value: Any) -> float | None:
    """The number that a plain value means, or None."""
    if isinstance(value, str):
        return WORDS.get(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def json_number(value: float) -> float | int | str:
    """A number as JSON has it: infinities and nan become words."""
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else ("inf" if value > 0 else "-inf")
    return value


# --- dataclasses ------------------------------------------------------------------------------

UNSTORED = (Anonymized, FlaggedFindings, UserReference)
"""What stays in memory: released content, and what says whom something is about."""

MOST_NUMBERS = 500_000
"""Numbers of the longest array that is read."""

DEEPEST = 12
"""Messages within messages that are read."""

D = TypeVar("D")


def to_plain(value: Any, part: str = "") -> Any:
    """Plain values of a dataclass's `part`: fields that aren't at their defaults or `UNSTORED`."""
    if isinstance(value, Params):
        return plain_params(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        plain = {}
        for field, kind in stored_fields(type(value), part):
            content = getattr(value, field.name)
            if field.default_factory is not dataclasses.MISSING:
                usual = bool(content == field.default_factory())
            else:
                comparable = isinstance(content, str | bool | int | tuple)
                usual = content is field.default or (comparable and content == field.default)
            if not usual:
                plain[field.name] = _plain_as(kind, content)
        return plain
    if isinstance(value, np.ndarray):
        return [json_number(item) for item in value.astype(np.float64).tolist()]
    if isinstance(value, np.generic):
        return to_plain(value.item())
    if isinstance(value, float):
        return json_number(value)
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [to_plain(item) for item in value]
    if isinstance(value, Message) and value.arguments:
        # numbers and messages can be told from other texts
        places = {
            name: {"number": str(item)}
            if isinstance(item, NumberText)
            else {"template": item.template}
            if isinstance(item, Message) and not item.arguments
            else to_plain(item)
            for name, item in value.arguments.items()
        }
        return {"template": value.template, "arguments": places}
    return value if value is None or isinstance(value, bool | int) else str(value)


def _plain_as(kind: Any, value: Any) -> Any:
    """A value of a field; what may be of any type is written so that its type can be told."""
    if kind is Any:
        return plain_cell(value)
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if _is_keyed(kind):
        return {str(name): _plain_as(typing.get_args(inner[0])[1], item) for name, item in value}
    if Any not in _collect_leaves(kind) or origin is np.ndarray:
        return to_plain(value)
    if origin in (dict, collections.abc.Mapping):
        return {str(key): _plain_as(inner[1], item) for key, item in value.items()}
    return [_plain_as(inner[0], item) for item in value]


@functools.cache
def _collect_leaves(kind: Any) -> frozenset[Any]:
    inner = typing.get_args(kind)
    return frozenset().union(*map(_collect_leaves, inner)) if inner else frozenset([kind])


def _is_keyed(kind: Any) -> bool:
    """Whether a type is that of pairs of a name and a value: these are written as an object."""
    inner = typing.get_args(kind)
    pair = typing.get_args(inner[0]) if len(inner) == 2 and inner[1] is ... else ()
    return len(pair) == 2 and typing.get_origin(inner[0]) is tuple and pair[0] is str


class DataclassReader:
    """Reads dataclasses by their annotations; `checks` by class take the node and what was read."""

    def __init__(self, checks: Mapping[Any, Callable[[JsonNode, Any], Any]]) -> None:
        self._checks = dict(checks)

    def read(self, kind: type[D], node: JsonNode, **extra: Any) -> D:
        """The dataclass of that type; `extra` are fields that aren't stored with it."""
        values = self.read_fields(kind, node)
        try:
            instance = kind(**values, **extra)
        except ValueError:
            raise node.make_error("values that this version knows, and that go together") from None
        check = self._checks.get(kind)
        return check(node, instance) if check else instance

    def read_fields(self, kind: Any, node: JsonNode, part: str = "") -> dict[str, Any]:
        """The values of those fields that stand in a part of the file."""
        values = {}
        for field, annotation in stored_fields(kind, part):
            entry, missing = node[field.name], dataclasses.MISSING
            optional = field.default is not missing or field.default_factory is not missing
            if not (entry.missing and optional):
                values[field.name] = self._read_value(annotation, entry)
        return values

    def _read_value(self, kind: Any, node: JsonNode) -> Any:
        if kind is Any:
            return read_cell(node)
        if kind is Params:  # read by a check, which knows whose parameters they are
            return node
        origin, inner = typing.get_origin(kind), typing.get_args(kind)
        if origin in (typing.Union, types.UnionType):
            (inner_kind,) = (option for option in inner if option is not types.NoneType)
            return None if node.missing else self._read_value(inner_kind, node)
        if origin is Literal:
            return node.one_of(*inner)
        if _is_keyed(kind):
            value_kind = typing.get_args(inner[0])[1]
            return tuple((name, self._read_value(value_kind, item)) for name, item in node.items())
        if origin is tuple:
            if node.missing:
                raise node.make_error("a list")
            if inner[-1] is ...:
                return tuple(self._read_value(inner[0], part) for part in node.iterate_entries())
            parts = list(node.iterate_entries(len(inner)))
            if len(parts) != len(inner):
                raise node.make_error(phrase("a list of {inner} entries", inner=len(inner)))
            return tuple(map(self._read_value, inner, parts))
        if origin is np.ndarray:
            if not isinstance(node.value, list) or len(node.value) > MOST_NUMBERS:
                raise node.make_error(
                    phrase("a list of at most {most_numbers:,} numbers", most_numbers=MOST_NUMBERS)
                )
            numbers = [real_number(value) for value in node.value]
            if None in numbers:
                raise node.make_error("a list of numbers")
            return np.array(numbers, dtype=np.float64)
        if origin is collections.abc.Sequence:
            return [self._read_value(inner[0], item) for item in node.iterate_entries()]
        if origin in (dict, collections.abc.Mapping):
            return {name: self._read_value(inner[1], item) for name, item in node.items()}
        if dataclasses.is_dataclass(kind) and isinstance(kind, type):
            return self.read(kind, node)
        leaves: dict[Any, Callable[[JsonNode], Any]] = {
            str: read_text,
            bool: JsonNode.read_flag,
            int: JsonNode.read_integer,
            float: JsonNode.read_number,
        }
        return leaves[kind](node)


@functools.cache
def stored_fields(kind: Any, part: str = "") -> tuple[tuple[dataclasses.Field[Any], Any], ...]:
    """The fields that are stored in a part, each with the type that its annotation means."""
    hints = typing.get_type_hints(kind)
    return tuple(
        (field, hints[field.name])
        for field in dataclasses.fields(kind)
        if field.metadata.get("stored", True) and field.metadata.get("part", "") == part
        if _collect_leaves(hints[field.name]).isdisjoint(UNSTORED)
    )


# --- values of any type -----------------------------------------------------------------------


def plain_cell(cell: Any) -> Any:
    """A cell of a table, or a detail of a result: its type can be told from what is written."""
    cell = cell.item() if isinstance(cell, np.generic) else cell
    if isinstance(cell, float) and json_number(cell) != cell:
        return {"number": json_number(cell)}
    if isinstance(cell, tuple | list):
        return [plain_cell(part) for part in cell]
    if isinstance(cell, Mapping):
        return {"keys": {str(key): plain_cell(value) for key, value in cell.items()}}
    if isinstance(cell, Path):
        return cell.name
    return cell if cell is None or isinstance(cell, bool | int | float) else str(cell)


def read_cell(node: JsonNode) -> Any:
    """The cell that `plain_cell` wrote."""
    if isinstance(node.value, dict):
        if node["keys"].missing:
            return node["number"].read_number()
        return {name: read_cell(entry) for name, entry in node["keys"].items()}
    if isinstance(node.value, list):
        return tuple(read_cell(entry) for entry in node.iterate_entries(1_000))
    if isinstance(node.value, int) and not isinstance(node.value, bool):
        return node.read_integer()
    if node.missing or isinstance(node.value, bool | float):
        return node.value
    return node.read_text()


def read_text(node: JsonNode, depth: int = 0) -> str:
    """A text, or the message that was written as its template and what stands in its places."""
    if not isinstance(node.value, dict):
        return node.read_text()
    if not node["number"].missing:
        return NumberText(node["number"].read_text())
    if depth > DEEPEST:
        raise node.make_error("a message of fewer parts")
    places = {name: read_text(entry, depth + 1) for name, entry in node["arguments"].items()}
    template = node["template"].read_text()
    if filled_length(template, places) > LONGEST:
        raise node.make_error(phrase("a text of at most {longest:,} characters", longest=LONGEST))
    return Message(template, places)


# --- parameters -------------------------------------------------------------------------------

_SECRET = re.compile(r"(^|_)(seed|key|salt|secret|password|token)(_|$)", re.IGNORECASE)


def is_secret(name: str) -> bool:
    """Whether a parameter of that name stays out of a project."""
    return _SECRET.search(name) is not None


def plain_params(params: Params) -> dict[str, Any]:
    """The values that aren't None; a file by its name alone."""
    plain: dict[str, Any] = {}
    for spec in params.specs():
        value = getattr(params, spec.name)
        if value is None or is_secret(spec.name):
            continue
        plain[spec.name] = {"file": value.name} if spec.kind is ParamKind.PATH else value
    return plain
