"""What leaves a method: a log or three tables, with its statement, and nothing of the raw log.

A `Release` drew its randomness from a secure source and may be exported. A `Preview` was
seeded, is for looking at, and is another type: nothing that writes a release accepts it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from auditor.arrays import Int32s, Int64s
from auditor.errors import MissingInput
from auditor.figures import Axis, Figure, MetricValue, ResultCard, Series, ShortRepr
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.sentences import sentence
from auditor.messages import phrase
from auditor.privacy.statement import Statement
from auditor.privacy.truth_table import TruthTable
from auditor.progress import Progress

if TYPE_CHECKING:
    import pandas as pd

ReleaseForm = Literal["log", "tables", "hashes", "bundles", "n-grams"]
"""What a release looks like: a readable log, tables of queries, a log of hashed words, or of
bundles, a table of runs of words."""

FORM_WORDS: Mapping[ReleaseForm, str] = MappingProxyType(
    {
        "log": "rows",
        "tables": "tables",
        "hashes": "hashed words",
        "bundles": "bundled queries",
        "n-grams": "n-grams",
    }
)
"""What a release of each form is said to be of."""


def _no_codes() -> Int32s:
    return np.zeros(0, dtype=np.int32)


def _no_counts() -> Int64s:
    return np.zeros(0, dtype=np.int64)


QUERIES, CLICKS, TRANSITIONS = "queries.tsv", "clicks.tsv", "transitions.tsv"
DATED = "dated.tsv"
NGRAMS = "n-grams.tsv"


@dataclass(frozen=True, eq=False)
class ReleaseSheet(ShortRepr):
    """One table of a release: its file, its heading, its strings by code, and its counts."""

    file: str
    heading: tuple[str, ...]
    keys: tuple[tuple[Int32s, Vocabulary], ...]
    count: Int64s

    def __len__(self) -> int:
        return len(self.count)

    def describe(self) -> str:
        """Its file and length."""
        return f"{self.file}, {len(self):,} rows"

    def to_pandas(self) -> pd.DataFrame:
        """The table, the greatest count first, ties by their strings."""
        import pandas as pd

        columns = [words.list_strings(codes.tolist()) for codes, words in self.keys]
        frame = pd.DataFrame(dict(zip(self.heading, [*columns, self.count], strict=True)))
        by = [self.heading[-1], *self.heading[:-1]]
        ascending = [False] + [True] * len(self.keys)
        return frame.sort_values(by, ascending=ascending, ignore_index=True)


@dataclass(frozen=True, eq=False, kw_only=True)
class Tables(ShortRepr):
    """The three tables of SafeLog's Fig. 1, and one by date; codes are into own vocabularies.

    Attributes
    ----------
    queries, urls
        Only strings that are released.
    query_count
        Released count of each query; shape (len(queries),).
    click_query, click_url, click_count
        One entry a released (query, URL) pair; shape (clicks,).
    from_query, to_query, transition_count
        One entry a released pair of adjacent queries; shape (transitions,).
    dated_query, dated_time, dated_count
        One entry a released pair of a query and a day or week, which begins at `dated_time`
        (seconds since 1970 UTC).
    has_clicks, has_transitions
        Whether the method releases that table at all (an empty one says something too).
    step
        What the dated table counts by, "day" or "week"; empty where there is none.
    ngrams
        Whether `queries` are runs of words of queries and no queries themselves, and `query_count`
        their weights. There are no other tables then.
    """

    queries: Vocabulary
    query_count: Int64s
    urls: Vocabulary = field(default_factory=lambda: Vocabulary.of(()))
    click_query: Int32s = field(default_factory=_no_codes)
    click_url: Int32s = field(default_factory=_no_codes)
    click_count: Int64s = field(default_factory=_no_counts)
    from_query: Int32s = field(default_factory=_no_codes)
    to_query: Int32s = field(default_factory=_no_codes)
    transition_count: Int64s = field(default_factory=_no_counts)
    dated_query: Int32s = field(default_factory=_no_codes)
    dated_time: Int64s = field(default_factory=_no_counts)
    dated_count: Int64s = field(default_factory=_no_counts)
    has_clicks: bool = False
    has_transitions: bool = False
    step: str = ""
    ngrams: bool = False

    def describe(self) -> str:
        """How many queries, clicks and transitions there are."""
        return (
            f"{len(self.query_count):,} {'n-grams' if self.ngrams else 'queries'}, "
            f"{len(self.click_count):,} clicks, {len(self.transition_count):,} transitions"
        )

    def list_sheets(self) -> tuple[ReleaseSheet, ...]:
        """The tables that the method releases at all, empty ones too."""
        every = np.arange(len(self.queries), dtype=np.int32)
        if self.ngrams:
            only = ((every, self.queries),)
            return (ReleaseSheet(NGRAMS, ("n-gram", "weight"), only, self.query_count),)
        found = [
            ReleaseSheet(QUERIES, ("query", "count"), ((every, self.queries),), self.query_count)
        ]
        if self.has_clicks:
            keys = ((self.click_query, self.queries), (self.click_url, self.urls))
            found.append(ReleaseSheet(CLICKS, ("query", "url", "count"), keys, self.click_count))
        if self.has_transitions:
            keys = ((self.from_query, self.queries), (self.to_query, self.queries))
            found.append(
                ReleaseSheet(TRANSITIONS, ("from", "to", "count"), keys, self.transition_count)
            )
        if self.step:
            dates, at = np.unique(self.dated_time, return_inverse=True)
            names = Vocabulary.of(
                np.datetime_as_string(dates.astype("datetime64[s]"), "D").tolist()
            )
            keys = ((at.astype(np.int32), names), (self.dated_query, self.queries))
            found.append(ReleaseSheet(DATED, (self.step, "query", "count"), keys, self.dated_count))
        return tuple(found)


@dataclass(frozen=True, eq=False)
class DistributedProduct:
    """Content that stands in files and was never in one memory; `rows` of each file.

    `query_count` is how many distinct queries are released.
    """

    kind: Literal["log", "tables"]
    rows: Mapping[str, int]
    query_count: int

    @property
    def queries(self) -> range:
        """As many places as there are released queries."""
        return range(self.query_count)


@dataclass(frozen=True, eq=False)
class ReleasedGroups(ShortRepr):
    """The group of each released user, by code; shape (users,).

    `equal` says that all members of a group have the same record.
    """

    group: Int64s
    equal: bool


@dataclass(frozen=True, eq=False, kw_only=True)
class Product(ShortRepr):
    """What a method's `run` returns: the content, its statement, and counts of what changed.

    `groups` are those of a log's users, for a method that hides users among others; `truth` says
    whose the ids of a log are, for one that changed them.
    """

    content: QueryLog | Tables
    statement: Statement
    changes: Mapping[str, int] = field(default_factory=dict)
    groups: ReleasedGroups | None = None
    truth: TruthTable | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Anonymized(ResultCard):
    """A product with the method and parameters that made it: what attacks and measures see.

    `synthetic_seed` is the seed of sessions that were generated from the method's tables; None
    where the content is what the method made. `truth` says whose its ids are, where the run or
    somebody told; no release holds it.
    """

    method: str
    params: Mapping[str, Any]
    content: QueryLog | Tables | DistributedProduct
    statement: Statement
    changes: Mapping[str, int]
    synthetic_seed: int | None = None
    truth: TruthTable | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is in it: no query, no n-gram, no row."""
        if isinstance(self.content, Tables):
            return not len(self.content.query_count)
        if isinstance(self.content, DistributedProduct):
            return not any(self.content.rows.values())
        return not len(self.content)

    def card_title(self) -> str:
        """The method."""
        if self.synthetic_seed is not None:
            return phrase("Synthetic log made of a release: {method}", method=self.method)
        return phrase("Release: {method}", method=self.method)

    def card_lines(self) -> Sequence[str]:
        """What is left, what is claimed, and for whom."""
        column = self.statement.user_column
        return (
            self._describe_release(),
            self.statement.claim,
            column.text if column is not None else "",
        )

    def card_details(self) -> Mapping[str, Sequence[str]]:
        """The assumptions."""
        return {"Assumptions": [one.text for one in self.statement.assumptions]}

    def to_pandas(self, table: str = "") -> pd.DataFrame:
        """The released data: the rows of a log, or one of the tables.

        Parameters
        ----------
        table
            "queries", "clicks", "transitions", "dated" or "n-grams"; the first there is by default.

        Raises
        ------
        MissingInput
            There is no such table, or the data stand in files alone.
        """
        if isinstance(self.content, QueryLog):
            return self.content.to_pandas()
        if isinstance(self.content, DistributedProduct):
            raise MissingInput("The released data stand in files alone. Read them from there.")
        sheets = {sheet.file.removesuffix(".tsv"): sheet for sheet in self.content.list_sheets()}
        name = table or next(iter(sheets))
        if name not in sheets:
            said = sentence("release.no_table", name=name[:80], names=", ".join(sheets))
            raise MissingInput(said)
        return sheets[name].to_pandas()

    @property
    def diagnostics(self) -> pd.DataFrame:
        """What the method changed, in counts: the values of the card."""
        return super().to_pandas()

    def _describe_release(self) -> str:
        """What was released, in figures."""
        if isinstance(self.content, DistributedProduct):
            return ""
        if isinstance(self.content, Tables):
            queries, rows = len(self.content.query_count), None
        else:
            queries, rows = len(sorted_distinct(self.content.query)), len(self.content)
        if isinstance(self.content, Tables) and self.content.ngrams:
            return phrase("{ngrams:,} n-grams are released, and no queries.", ngrams=queries)
        if not queries:
            return "Nothing is released: no query is left."
        if rows is None:
            return sentence("release.query" if queries == 1 else "release.queries", queries=queries)
        return sentence(
            "release.query_in_rows" if queries == 1 else "release.queries_in_rows",
            queries=queries,
            rows=rows,
        )

    def card_values(self) -> Sequence[MetricValue]:
        """What was changed, in counts."""
        return tuple(
            MetricValue(name, name.replace("_", " "), int(count))
            for name, count in self.changes.items()
        )

    @property
    def figures(self) -> tuple[Figure, ...]:
        """How often each released query stands in it, the most frequent first."""
        content = self.content
        if isinstance(content, DistributedProduct):
            return ()
        if isinstance(content, Tables):
            if content.ngrams:  # their weights are no counts
                return ()
            counts = content.query_count
        else:
            counts = np.bincount(content.query, minlength=len(content.queries))
        counts = np.sort(counts[counts > 0])[::-1]
        if not len(counts):
            return ()
        rank = np.unique(np.geomspace(1, len(counts), min(len(counts), 500)).astype(np.int64))
        return (
            Figure(
                name="counts",
                title="Released queries by count",
                x=Axis("rank of the query", scale="log"),
                y=Axis("count in the release", scale="log"),
                series=(Series("released", rank.astype(float), counts[rank - 1].astype(float)),),
            ),
        )

    @property
    def held(self) -> QueryLog | Tables:
        """The content of a release that is in memory."""
        assert not isinstance(self.content, DistributedProduct)
        return self.content

    @property
    def log(self) -> QueryLog | None:
        """The released log, or None where the release is tables."""
        return self.content if isinstance(self.content, QueryLog) else None

    @property
    def tables(self) -> Tables | None:
        """The released tables, or None where the release is a log."""
        return self.content if isinstance(self.content, Tables) else None


@dataclass(frozen=True, eq=False, kw_only=True)
class Release(Anonymized):
    """May be exported: its randomness came from the operating system and was never stored."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Preview(Anonymized):
    """For looking at only: its randomness was seeded, and a seed undoes the noise."""

    WATERMARK = "PREVIEW: seeded noise, not a release"

    def card_title(self) -> str:
        """The method, and that it is none."""
        return f"{self.WATERMARK}: {self.method}"


class MethodRerun(Protocol):
    """``rerun(log, number, progress)``: a release's method and parameters on another log.

    Either its noise is seeded, a seed for each `number`: a preview, of the same law as a release.
    Or it is drawn as a release's is, and `number` is of no effect.
    """

    def __call__(self, log: QueryLog, number: int, progress: Progress) -> Anonymized: ...
