"""What plain values must look like, declared beside the values' names and checked before use.

A shape is a type or several, a list with the shape of its entries, a dictionary from `str` to the
shape of all values where keys are free, or one from the keys that are known to their shapes;
`Needs` says which of them have to be there. A key that isn't known is no fault.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from auditor.log.escaping import printable_text, shorten_text
from auditor.log.sentences import sentence
from auditor.messages import phrase

NUMBER = (int, float)
TEXT = (str,)
INTEGER = (int,)
OBJECT = (dict,)

_WORDS = {
    TEXT: "a text",
    INTEGER: "a whole number",
    NUMBER: "a number",
    OBJECT: "an object",
    (bool,): "true or false",
}


@dataclass(frozen=True)
class Word:
    """A number, or one of some words in place of it."""

    words: tuple[str, ...]


@dataclass(frozen=True)
class Needs:
    """An object with keys of these shapes, all of which it must have but those of `optional`."""

    shape: Mapping[str, Any]
    optional: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Count:
    """A whole number from 0."""


Shape = tuple[type, ...] | list[Any] | Word | Needs | Count | Mapping[Any, Any]


def describe_misfit(value: Any, shape: Shape, place: str = "") -> str:
    """What is wrong with a value, with its place: "'files' must be an object"; empty if nothing."""
    match shape:
        case list([inner]):
            if not isinstance(value, list):
                return _describe_wrong(place, "a list")
            return _find_first_misfit(
                (raw, inner, f"{place}[{index}]") for index, raw in enumerate(value)
            )
        case Needs(inner, optional):
            required_keys = [key for key in inner if key not in optional]
            missing = [key for key in required_keys if isinstance(value, dict) and key not in value]
            if missing:
                path = f"{place}.{missing[0]}" if place else missing[0]
                return phrase("'{shown}' is missing", shown=printable_text(path)[:80])
            return describe_misfit(value, inner, place)
        case Count():
            fits = _is_one(value, INTEGER) and value >= 0
            return "" if fits else _describe_wrong(place, "a whole number from 0")
        case Word(words):
            if _is_one(value, NUMBER) or (isinstance(value, str) and value in words):
                return ""
            return _describe_wrong(
                place, phrase("a number or {words}", words=", ".join(f"'{word}'" for word in words))
            )
    if isinstance(shape, tuple):
        expected = _WORDS.get(shape, "a text, a number, true or false")
        return "" if _is_one(value, shape) else _describe_wrong(place, expected)
    assert isinstance(shape, Mapping)
    if not isinstance(value, dict):
        return _describe_wrong(place, "an object")
    shapes = dict.fromkeys(value, shape[str]) if str in shape else shape
    present_parts = ((key, inner) for key, inner in shapes.items() if key in value)
    return _find_first_misfit(
        (value[key], inner, f"{place}.{key}" if place else key) for key, inner in present_parts
    )


def _find_first_misfit(checks: Any) -> str:
    return next((misfit for check in checks if (misfit := describe_misfit(*check))), "")


def _is_one(value: Any, kinds: tuple[type, ...]) -> bool:
    """JSON's true and false are no numbers."""
    return isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool))


def _describe_wrong(place: str, expected: str) -> str:
    return sentence("shape.must_be", shown=shorten_text(place), wanted=expected)
