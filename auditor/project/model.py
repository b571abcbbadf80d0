"""What a project holds: the intent, the log, every run with its outcome, and what is said of them.

A project holds no query, key or seed, and no path of this machine. Where the log lies is known
to the machine alone (`Places`), never to the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from auditor.attacks.risk.feedback import DISMISSAL_REASONS
from auditor.attacks.risk.query_sample import QueryStratum
from auditor.engine.plan import Intent
from auditor.engine.run import Run
from auditor.log.model import QueryLog

Places = Mapping[str, Path]
"""Where files that a project names by their bare name lie on this machine."""

REASONS = DISMISSAL_REASONS
"""Why a flagged session may be dismissed. Fixed, so that what a manifest counts holds no query."""


@dataclass(frozen=True, kw_only=True)
class LogFacts:
    """Which log a project is about: enough to ask for it and to know it again."""

    digest: str
    title: str
    names: tuple[str, ...] = ()
    sample: bool = False
    rows: int = 0
    users: int = 0
    queries: int = 0
    period: tuple[int, int] | None = None
    reading: Mapping[str, Any] = field(default_factory=dict)
    """How it was read, where somebody said so: fields of `ReadOptions`."""

    @classmethod
    def of(
        cls, log: QueryLog, title: str, *, sample: bool = False, reading: Mapping[str, Any] = {}
    ) -> LogFacts:
        return cls(
            digest=log.digest,
            title=title,
            names=tuple(path.name for path in log.origin.files),
            sample=sample,
            rows=len(log),
            users=len(log.users),
            queries=len(log.queries),
            period=log.period,
            reading=reading,
        )


@dataclass(frozen=True, kw_only=True)
class SessionNote:
    """What somebody says of a session, which is known by its rows in the project's own log.

    Not by a digest of its text: that would be a hash of something that can be guessed, which is
    what this program shows how to undo.
    """

    start: int
    stop: int
    text: str = ""
    dismissed: str = ""
    """A key of `REASONS`; empty if it isn't dismissed."""
    confirmed: bool = False
    """Whether somebody said that it is a risk; then it isn't dismissed."""

    @property
    def empty(self) -> bool:
        return not self.text and not self.dismissed and not self.confirmed


QueryVerdict = Literal["", "yes", "no", "skip"]
"""Whether somebody found a query sensitive by itself; empty while nobody judged it."""


@dataclass(frozen=True, kw_only=True)
class ReviewedQuery:
    """A distinct query that was drawn for judging, known by the first row that has it.

    `stratum` is its place in the strata of the random sample; −1 of one that was picked because its
    judgement tells much, and that no estimate may count.
    """

    row: int
    stratum: int = -1
    answer: QueryVerdict = ""


@dataclass(frozen=True, kw_only=True)
class QueryReview:
    """The queries that were drawn for judging, and how far that is."""

    strata: tuple[QueryStratum, ...] = ()
    queries: tuple[ReviewedQuery, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Project:
    """Everything of a workspace that is saved."""

    intent: Intent
    log: LogFacts | None = None
    policy: str = ""
    """The text of the policy that runs are judged by; empty for the one that comes with us."""
    runs: tuple[Run, ...] = ()
    current: str = ""
    """Letter of the run that is shown."""
    notes: tuple[SessionNote, ...] = ()
    review: QueryReview = field(default_factory=QueryReview)
    signed: str = ""
    """The feedback file that somebody signed last; it refers to sessions by keyed digests."""
    layout: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    """What could not be taken from a file as it stands there, in words; only after reading."""
