"""The column whose values a log's guarantee protects: how it was chosen, and candidates for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from auditor.messages import as_phrase, join_phrases, phrase

Choice = Literal["format", "header", "person", "program"]

_WORDS: Final[Mapping[str, str]] = {
    "format": "the log's format says so",
    "header": "the log's header calls it so",
    "person": "whoever opened the log chose it",
    "program": "the program that handed over the log said so",
}
LONGEST = 80
NOBODY = "none"
"""The name of the user column of a set without users."""


@dataclass(frozen=True)
class UserColumn:
    """The user column of a log: a guarantee protects one of its values, whoever that is.

    Attributes
    ----------
    name
        The column's name, or its place ("column 3") where the log has no names.
    chosen
        Who named it: the log's format, its header, a person, or a program.
    doubts
        What speaks against its values being persons, in words; ids of the log are masked in them.
    treatments
        What was done with ids that aren't one person each, as somebody said, in words.
    """

    name: str
    chosen: Choice
    doubts: tuple[str, ...] = ()
    treatments: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """One sentence for statements and reports."""
        if self.name == NOBODY and self.chosen == "format":
            return phrase("Nobody is in the log: each row counts as somebody else's.")
        line = phrase(
            "One user is one value of the column “{name}”: {words}.",
            name=self.name,
            words=as_phrase(_WORDS[self.chosen]),
        )
        if self.treatments:
            line += phrase(" As was said, {treatments}.", treatments="; ".join(self.treatments))
        if self.doubts:
            line += phrase(" Doubtful, because {doubts}.", doubts="; ".join(self.doubts))
        return line

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        plain: dict[str, Any] = {"name": self.name, "chosen": self.chosen, "text": self.text}
        lists = {"doubts": list(self.doubts), "treatments": list(self.treatments)}
        return plain | {name: values for name, values in lists.items() if values}

    @classmethod
    def of(cls, plain: Any) -> UserColumn | None:
        """What `to_dict` made a dictionary of; None for anything else."""
        if not isinstance(plain, Mapping) or plain.get("chosen") not in _WORDS:
            return None
        lists = (plain.get("doubts", ()), plain.get("treatments", ()))
        doubts, treatments = (
            tuple(str(text)[:500] for text in texts) if isinstance(texts, list) else ()
            for texts in lists
        )
        name = str(plain.get("name", ""))[:LONGEST]
        return cls(name, plain["chosen"], doubts, treatments)


@dataclass(frozen=True)
class UserCandidate:
    """A column that may hold the users, as the first `rows` rows show it.

    Attributes
    ----------
    name, place
        The column's name (or "column 3"), and its place from 0.
    distinct, rows
        Different values in so many rows that were looked at.
    examples
        Values of which all but the ends is masked.
    doubts
        Why its values are hardly persons, in words; empty if nothing was noticed.
    likeness
        How like the usual names of a user column its name is, 0 to 100.
    """

    name: str
    place: int
    distinct: int
    rows: int
    examples: tuple[str, ...]
    doubts: tuple[str, ...]
    likeness: float

    @property
    def text(self) -> str:
        """One line for people."""
        line = phrase(
            "{name}: {distinct:,} distinct in {rows:,} rows",
            name=self.name,
            distinct=self.distinct,
            rows=self.rows,
        )
        if self.examples:
            line += phrase(", for example {examples}", examples=", ".join(self.examples))
        return join_phrases("; ", (line, *self.doubts))
