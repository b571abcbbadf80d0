"""What every measure is: parameters, one `run`, and figures that can be compared."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from auditor.figures import Figure, MetricValue, ResultCard, Table
from auditor.log.model import QueryLog
from auditor.messages import as_phrase, phrase
from auditor.params import Params
from auditor.privacy.blank_queries import (
    drop_blank_rows,
    drop_released_blank_rows,
    spell_as_released,
)
from auditor.privacy.release import FORM_WORDS, Anonymized, MethodRerun
from auditor.progress import Progress

MeasuredKind = Literal["log", "tables", "n-grams"]
"""What measures apply to: logs, tables of queries, or n-grams, which are no queries."""


@dataclass(frozen=True, eq=False, kw_only=True)
class MeasureResult(ResultCard):
    """What was measured on one release against the log that it came from."""

    measure: str
    params: Mapping[str, Any]
    values: tuple[MetricValue, ...]
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()
    # Further keys of its JSON and columns of a sweep: plain values, no text of the log's.
    details: Mapping[str, Any] = field(default_factory=dict)

    def card_title(self) -> str:
        """The measure."""
        return phrase("Measure: {measure}", measure=self.measure)

    def card_lines(self) -> tuple[str, ...]:
        """Its notes."""
        return self.notes


@dataclass(frozen=True, eq=False)
class MeasureContext:
    """What a measure may use beside the log and the release."""

    rng: np.random.Generator
    progress: Progress
    # Runs the release's method on other logs; None where nobody knows how it was made.
    rerun: MethodRerun | None = None


MeasureFunction = Callable[[QueryLog, Anonymized, Any, MeasureContext], MeasureResult]
"""``run(log, release, params, context)``."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Measure:
    """One measure as the registry, the command line and the window know it.

    `reruns_method` says that it has the method run on parts of the log. `because` says why it
    applies to nothing but `applies`. `unasked` is the most rows of a log that it is taken of
    without being named (None for any log): repeating a method takes as long as the method. `cost`
    is what it takes, in rows, users and whatever else it grows with. `streams` as in
    `methods.base`: its memory doesn't grow with the rows. `quick` says that it takes seconds on a
    log of any length, so no release is made without it. `dated` says that it applies to tables by
    date, too, whatever `applies` says of others. `without_users` says that it tells something of a
    set of queries without users.
    """

    name: str = ""  # that of its parameters, unless it is given
    title: str
    summary: str
    source: str
    params: type[Params]
    run: MeasureFunction
    cost: str = ""
    reruns_method: bool = False
    applies: tuple[MeasuredKind, ...] = ("log", "tables")
    dated: bool = False
    because: str = ""
    unasked: int | None = None
    streams: bool = False
    quick: bool = False
    without_users: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.name or self.params.owner)

    def build_result(
        self, params: Params, values: Iterable[MetricValue] = (), **parts: Any
    ) -> MeasureResult:
        """What was measured; `parts` are further fields of the result, lists or tuples."""
        for name in parts.keys() & {"figures", "tables", "notes"}:
            parts[name] = tuple(parts[name])
        return MeasureResult(
            measure=self.name, params=params.to_dict(), values=tuple(values), **parts
        )

    def fits(self, kind: MeasuredKind, *, dated: bool) -> bool:
        """Whether it applies to a release of this kind, with or without a table by date."""
        return kind in self.applies or (dated and self.dated)

    def why_not(self, release: Anonymized) -> str:
        """Why it can't be taken of this release, in words; empty if it can."""
        kind: MeasuredKind = "log" if release.log is not None else "tables"
        if release.tables is not None and release.tables.ngrams:
            kind = "n-grams"
        dated = release.tables is not None and bool(release.tables.step)
        return self.why_not_kind(kind, dated=dated)

    def why_not_kind(self, kind: MeasuredKind, *, dated: bool) -> str:
        """The same of a kind of release, which is known before there is one."""
        if self.fits(kind, dated=dated):
            return ""
        return phrase(
            "does not apply to a release of {kind}: {because}"
            if self.because
            else "does not apply to a release of {kind}",
            kind=as_phrase(FORM_WORDS[kind]),
            because=as_phrase(self.because),
        )

    def take(
        self,
        log: QueryLog,
        release: Anonymized,
        params: Params,
        *,
        again: MethodRerun | None,
        rng: np.random.Generator,
        progress: Progress,
    ) -> MeasureResult:
        """Take it; `again` is None where nobody knows how the release was made.

        The one place where rows of blank queries are kept from measures.
        """
        clean_log = spell_as_released(drop_blank_rows(log, progress), release)
        clean_release = drop_released_blank_rows(release, progress)
        return self.run(clean_log, clean_release, params, MeasureContext(rng, progress, again))
