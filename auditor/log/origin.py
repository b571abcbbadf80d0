"""Where a log came from: its files, what was refused, what was assumed, and whom it is about."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from auditor.figures import ShortRepr
from auditor.log.sentences import sentence
from auditor.log.user_column import UserColumn
from auditor.messages import as_phrase, phrase


@dataclass(frozen=True)
class RejectedRow:
    """One row that could not be read, and why; `line` counts from 1 within `file`.

    `text` is the beginning of the row, for the window's rejects view alone.
    """

    file: str
    line: int
    column: int | None
    reason: str
    text: str = field(default="", repr=False)


@dataclass(frozen=True)
class UserSample:
    """Which users a sampled log has: each of `of` was taken with chance `share`, `users` were.

    Every user has a coin of their own, so how many are taken is random, too. `error` says what
    sampling does to counts.
    """

    users: int
    of: int
    share: float

    @property
    def error(self) -> str:
        """In words; for counts of users, each of whom is in the sample or isn't.

        c of the C users who issued a query are in the sample with the law Binomial(C, share), whose
        standard deviation is √(C·share·(1 − share)), about √(c·(1 − share)).
        """
        spread = 1.96 * math.sqrt(1 - self.share) / self.share
        return sentence("origin.query_users_sample_issued", share=1 / self.share, spread=spread)


@dataclass(frozen=True)
class LogOrigin(ShortRepr):
    """Where a log came from: the files, what they were read as, and what was refused.

    `rejected` counts every bad row by reason; `rejects` keeps the first of them with their
    line numbers. `assumptions` are guesses that the reader made and a person may correct.
    `sample` is None for all users; `stamps` are the files' sizes and times of change then;
    `user_column` says whom the log protects and who said so; `aggregated` that nobody is in it:
    a set of queries without users, each row of which counts as somebody else's; `left_out` names
    the files that were found beside the log's and not read, each with the reason; `coarsened` the
    columns kept beside it whose values were made coarser, each with the rule or table; `time_zone`
    is the zone whose clock the log's times are.
    """

    files: tuple[Path, ...] = ()
    format: str = "memory"
    rows_read: int = 0
    rejected: Mapping[str, int] = field(default_factory=dict)
    rejects: tuple[RejectedRow, ...] = ()
    assumptions: tuple[str, ...] = ()
    sample: UserSample | None = None
    stamps: tuple[tuple[int, int] | None, ...] = ()
    user_column: UserColumn | None = None
    aggregated: bool = False
    left_out: Mapping[str, str] = field(default_factory=dict)
    coarsened: Mapping[str, str] = field(default_factory=dict)
    time_zone: str = "UTC"

    def add_notes(self, *notes: str) -> LogOrigin:
        """The same with more assumptions."""
        return replace(self, assumptions=(*self.assumptions, *notes))

    @property
    def notes(self) -> tuple[str, ...]:
        """The assumptions, and the files that weren't read, in words."""
        return (*self.assumptions, *describe_left_out(self.left_out))


def describe_left_out(left_out: Mapping[str, str]) -> list[str]:
    """Files that weren't read, each with the reason, in words."""
    return [
        phrase("{name} was left out: {reason}", name=name, reason=as_phrase(reason))
        for name, reason in left_out.items()
    ]
