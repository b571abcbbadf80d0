"""Nested JSON: dotted names of what stands in objects, and one row for each object of a list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

DEEPEST = 8
"""Objects within objects that are looked into."""


def dotted_names(value: dict[str, Any], before: str = "", depth: int = 0) -> Iterable[str]:
    """Names of all that stands in an object, in objects in it, and in its lists of objects."""
    for name, one in value.items():
        if isinstance(one, dict) and depth < DEEPEST:
            yield from dotted_names(one, f"{before}{name}.", depth + 1)
        elif isinstance(one, list) and any(isinstance(part, dict) for part in one):
            for part in one[:20]:
                if isinstance(part, dict) and depth < DEEPEST:
                    yield from dotted_names(part, f"{before}{name}.", depth + 1)
        else:
            yield before + name


def explode_lists(value: Any, names: Sequence[str]) -> list[dict[str, Any]]:
    """What stands under dotted names: one row, or one for each object of a list on the way.

    Two lists side by side give every pair. A name that stands for itself, dots and all, goes
    first. Nothing is there for a name that leads nowhere.
    """
    rows: list[dict[str, Any]] = [{}]
    if not isinstance(value, dict):
        return rows
    deeper: dict[str, list[str]] = {}
    for name in names:
        if name in value:
            for row in rows:
                row[name] = value[name]
        elif "." in name:
            first, _, rest = name.partition(".")
            deeper.setdefault(first, []).append(rest)
    for first, below in deeper.items():
        inside = value.get(first)
        parts = inside if isinstance(inside, list) else [inside]
        found = [row for part in parts for row in explode_lists(part, below)] or [{}]
        rows = [
            row | {f"{first}.{name}": one for name, one in more.items()}
            for row in rows
            for more in found
        ]
    return rows
