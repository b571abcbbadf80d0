"""Plain values of JSON, read with suspicion: every one is asked for by the type it must have."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any, TypeVar

from auditor.errors import AuditorError
from auditor.log.escaping import printable_text
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase

LONGEST = 20_000
"""Characters of the longest text that is taken."""

MOST = 1_000_000
"""Entries of the longest list that is taken."""

_TAG = re.compile(r"<(?=[A-Za-z/!?])")

T = TypeVar("T", bound=str)


class ProjectError(AuditorError):
    """A project can't be read or written; says why, without a word of what it holds."""


class JsonNode:
    """A value and where it stands: ``runs[2].name``."""

    __slots__ = ("place", "value")

    def __init__(self, value: Any, place: str = "") -> None:
        self.value = value
        self.place = place

    def make_error(self, wanted: str) -> ProjectError:
        """The error that says what should stand here."""
        return ProjectError(
            sentence(
                "reading.project_damaged_changed_hand",
                place=printable_text(self.place) or "it",
                wanted=as_phrase(wanted),
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

    def iterate_entries(self, most: int = MOST) -> Iterator[JsonNode]:
        """The entries of a list; none if nothing stands here."""
        if self.missing:
            return
        if not isinstance(self.value, list) or len(self.value) > most:
            raise self.make_error(phrase("a list of at most {most:,} entries", most=most))
        for at, value in enumerate(self.value):
            yield JsonNode(value, f"{self.place}[{at}]")

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

    def read_integer(self, low: int = -(1 << 62), high: int = 1 << 62) -> int:
        value = self.value
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.make_error(phrase("a whole number from {low} to {high}", low=low, high=high))
        return value

    def read_number(self) -> float:
        """A number, or a word for one that JSON lacks."""
        found = real_number(self.value)
        if found is None:
            raise self.make_error("a number")
        return found


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
