"""What leaves a method: a log or three tables, with its statement, and nothing of the raw log.

A `Release` drew its randomness from a secure source and may be exported. A `Preview` was
seeded, is for looking at, and is another type: nothing that writes a release accepts it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

import numpy as np

from auditor.arrays import Bools, Float64s, Int32s, Int64s
from auditor.errors import MissingInput
from auditor.figures import Axis, Figure, MetricValue, ResultCard, Series, ShortRepr, format_count
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.sentences import sentence
from auditor.messages import phrase
from auditor.privacy.release_times import STEPS, floor_times
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


def _find_begins(period: CellKey) -> Int64s:
    """When the day or week of each cell begins, in seconds since 1970."""
    begins = np.array(period.texts.list_strings(), dtype="datetime64[s]").astype(np.int64)
    return begins[period.codes]


_DAY = STEPS["day"]
UNKNOWN = "unknown"
"""The method of a release that somebody else made."""
QUERIES, CLICKS, TRANSITIONS = "queries.tsv", "clicks.tsv", "transitions.tsv"
DATED, CELLS = "dated.tsv", "cells.tsv"
NGRAMS = "n-grams.tsv"
DATA_TABLES = (QUERIES, CLICKS, TRANSITIONS, DATED, NGRAMS, CELLS)
"""Every table that a release may hold."""
QUERY, URL = "query", "url"
"""Headings of keys whose strings are a release's queries and pages."""
FIGURES: Mapping[str, type[np.int64 | np.float64]] = MappingProxyType(
    {
        "count": np.int64,
        "views": np.int64,
        "clicks": np.int64,
        "weight": np.int64,
        "score": np.int64,
        "position": np.float64,
        "index": np.float64,
    }
)
"""Headings of figures, with what they hold; every other column of a table is a key."""
COUNTS = ("count", "clicks", "views")
"""Figures that say how often a cell stands for."""


class CellKey(NamedTuple):
    """A key of a table: its heading, and the text of each cell by code, −1 where it has none."""

    heading: str
    codes: Int32s
    texts: Vocabulary

    def list_texts(self, part: slice | Int64s = slice(None)) -> list[str]:
        """The text of each of some cells; empty where it has none."""
        return ["" if code == NONE else self.texts[code] for code in self.codes[part].tolist()]


class CellFigure(NamedTuple):
    """A figure of a table: its heading, and the number of each cell, NaN where it has none."""

    heading: str
    values: Int64s | Float64s

    def list_texts(self, part: slice | Int64s = slice(None)) -> list[str]:
        """The number of each of some cells, so that it reads back as it was."""
        if self.values.dtype.kind == "i":
            return [str(value) for value in self.values[part].tolist()]
        texts = (repr(value).removesuffix(".0") for value in self.values[part].tolist())
        return ["" if text == "nan" else text for text in texts]


@dataclass(frozen=True, eq=False)
class CellTable(ShortRepr):
    """One table of a release: its file, and the keys and figures of its cells (rows)."""

    file: str
    keys: tuple[CellKey, ...]
    figures: tuple[CellFigure, ...]

    def __len__(self) -> int:
        return len(self.keys[0].codes)

    def describe(self) -> str:
        """Its file and length."""
        return f"{self.file}, {format_count(len(self), 'row')}"

    @property
    def heading(self) -> tuple[str, ...]:
        """The headings of its columns."""
        return (*(key.heading for key in self.keys), *(figure.heading for figure in self.figures))

    @property
    def is_counted(self) -> bool:
        """Whether its first figure says how often a cell stands for."""
        return bool(self.figures) and self.figures[0].heading in COUNTS

    def find_key(self, heading: str) -> CellKey | None:
        """The key of that heading, if it has one."""
        return next((key for key in self.keys if key.heading == heading), None)

    def count_texts(self, heading: str) -> Int64s:
        """What each text of a key counts in sum, or in how many cells it stands; shape (texts,)."""
        key = self.find_key(heading)
        if key is None:
            return _no_counts()
        has_text = key.codes != NONE
        counts = np.zeros(len(key.texts), dtype=np.int64)
        np.add.at(
            counts, key.codes[has_text], self.figures[0].values[has_text] if self.is_counted else 1
        )
        return counts

    def to_pandas(self) -> pd.DataFrame:
        """The table, the greatest figure first, ties by their strings."""
        import pandas as pd

        columns = [pd.Series(key.list_texts(), dtype=str) for key in self.keys]
        numbers = [figure.values for figure in self.figures]
        frame = pd.DataFrame(dict(zip(self.heading, [*columns, *numbers], strict=True)))
        keys = [key.heading for key in self.keys]
        by = [*(figure.heading for figure in self.figures[:1]), *keys]
        ascending = [False] * (len(by) - len(keys)) + [True] * len(keys)
        return frame.sort_values(by, ascending=ascending, ignore_index=True)


class DatedCounts(NamedTuple):
    """Counts of queries by date; `time` is when the day or week begins, in seconds since 1970."""

    query: Int32s
    time: Int64s
    counts: Int64s


@dataclass(frozen=True, eq=False, kw_only=True)
class Tables(ShortRepr):
    """The three tables of SafeLog's Fig. 1, and one of cells; codes are into own vocabularies.

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
    cells
        One entry a released combination of keys, such as a query and a day. Its keys "query" and
        "url" have `queries` and `urls` for texts. Unless it is by date, there is no other table.
    has_clicks, has_transitions
        Whether the method releases that table at all (an empty one says something too).
    ngrams
        Whether `queries` are runs of words of queries and no queries themselves, and `query_count`
        their weights. There are no other tables then.
    folded
        Whether its queries are `log.text.merge_spellings` of the log's: a query of the log is in it
        if that spelling is.
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
    cells: CellTable | None = None
    has_clicks: bool = False
    has_transitions: bool = False
    ngrams: bool = False
    folded: bool = False

    @classmethod
    def of_cells(cls, cells: CellTable, *, folded: bool = False) -> Tables:
        """A release of cells alone; `query_count` is the sum over those of a query."""
        query, url = cells.find_key(QUERY), cells.find_key(URL)
        no_texts = Vocabulary.of(())
        return cls(
            queries=no_texts if query is None else query.texts,
            query_count=cells.count_texts(QUERY),
            urls=no_texts if url is None else url.texts,
            cells=cells,
            folded=folded,
        )

    @property
    def alone(self) -> CellTable | None:
        """The cells of a release that is nothing else: it has no table of queries."""
        return self.cells if self.cells is not None and self.cells.file == CELLS else None

    @property
    def names_queries(self) -> bool:
        """Whether anything in it is a query."""
        return self.alone is None or self.alone.find_key(QUERY) is not None

    @property
    def is_counted(self) -> bool:
        """Whether `query_count` are counts, and no numbers of cells with scores and the like."""
        return self.alone is None or self.alone.is_counted

    @property
    def step(self) -> str:
        """What its cells count queries by, "day" or "week"; empty where there is no such table."""
        cells = self.cells
        return cells.keys[0].heading if cells is not None and cells.file == DATED else ""

    @property
    def period(self) -> CellKey | None:
        """The key that says of which day or week its cells are; none where they are of both."""
        cells = self.cells
        if cells is None or cells.find_key("step") is not None:
            return None
        return cells.find_key("day") or cells.find_key("week")

    @property
    def dates(self) -> DatedCounts:
        """The counts of a table by date; empty where there is none."""
        if not self.step:
            return DatedCounts(_no_codes(), _no_counts(), _no_counts())
        assert self.cells is not None
        date, query = self.cells.keys
        counts = self.cells.figures[0].values.astype(np.int64, copy=False)
        return DatedCounts(query.codes, _find_begins(date), counts)

    def hold_searches(self, query: Int32s, time: Int64s) -> Bools:
        """Which searches' queries it holds, for the search's day or week where cells have one.

        Searches are given by the code of their query in `queries`, −1 for none, and their time.
        """
        is_held: Bools = query != NONE
        period, cells = self.period, None if self.cells is None else self.cells.find_key(QUERY)
        if period is not None and cells is not None:
            step = floor_times(time, period.heading) // _DAY
            released = cells.codes.astype(np.int64) << 32 | _find_begins(period) // _DAY
            is_held &= np.isin(query.astype(np.int64) << 32 | step, released)
        return is_held

    def with_dates(self, step: str, dates: DatedCounts) -> Tables:
        """The same tables with one by date."""
        days, codes = np.unique(dates.time, return_inverse=True)
        texts = np.datetime_as_string(days.astype("datetime64[s]"), "D").tolist()
        keys = (
            CellKey(step, codes.astype(np.int32), Vocabulary.of(texts)),
            CellKey(QUERY, dates.query, self.queries),
        )
        return replace(self, cells=CellTable(DATED, keys, (CellFigure("count", dates.counts),)))

    def describe(self) -> str:
        """How many queries, clicks and transitions there are, or cells."""
        if self.alone is not None:
            return self.alone.describe()
        return (
            f"{len(self.query_count):,} {'n-grams' if self.ngrams else 'queries'}, "
            f"{len(self.click_count):,} clicks, {len(self.transition_count):,} transitions"
        )

    def list_sheets(self) -> tuple[CellTable, ...]:
        """The tables that the method releases at all, empty ones too."""
        if self.alone is not None:
            return (self.alone,)
        query_codes = np.arange(len(self.queries), dtype=np.int32)

        def build_sheet(file: str, counts: Int64s, *keys: CellKey) -> CellTable:
            number = "weight" if file == NGRAMS else "count"
            return CellTable(file, keys, (CellFigure(number, counts),))

        if self.ngrams:
            return (
                build_sheet(NGRAMS, self.query_count, CellKey("n-gram", query_codes, self.queries)),
            )
        sheets = [build_sheet(QUERIES, self.query_count, CellKey(QUERY, query_codes, self.queries))]
        if self.has_clicks:
            query = CellKey(QUERY, self.click_query, self.queries)
            url = CellKey(URL, self.click_url, self.urls)
            sheets.append(build_sheet(CLICKS, self.click_count, query, url))
        if self.has_transitions:
            first = CellKey("from", self.from_query, self.queries)
            following = CellKey("to", self.to_query, self.queries)
            sheets.append(build_sheet(TRANSITIONS, self.transition_count, first, following))
        return tuple(sheets) if self.cells is None else (*sheets, self.cells)


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
    somebody told; no release holds it. `unread_columns` stand beside those of `content` in a file
    of others, which may have more that nobody can name where it `has_unnamed_columns`;
    `exact_times` counts rows without ids in it that show more of their time than its day.
    """

    method: str
    params: Mapping[str, Any]
    content: QueryLog | Tables | DistributedProduct
    statement: Statement
    changes: Mapping[str, int]
    synthetic_seed: int | None = None
    truth: TruthTable | None = None
    unread_columns: tuple[str, ...] = ()
    has_unnamed_columns: bool = False
    exact_times: int | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is in it: no query, no n-gram, no row."""
        if isinstance(self.content, Tables):
            return not (len(self.content.query_count) or self.content.cells)
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
        return {"Assumptions": [assumption.text for assumption in self.statement.assumptions]}

    def to_pandas(self, table: str = "") -> pd.DataFrame:
        """The released data: the rows of a log, or one of the tables.

        Parameters
        ----------
        table
            "queries", "clicks", "transitions", "dated", "n-grams" or "cells"; the first there is
            by default.

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
            message = sentence("release.no_table", name=name[:80], names=", ".join(sheets))
            raise MissingInput(message)
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
        if isinstance(self.content, Tables) and (cells := self.content.alone) is not None:
            if len(cells):
                keys = " × ".join(key.heading for key in cells.keys)
                return sentence("release.cells", cells=len(cells), keys=keys)
            return "Nothing is released: no cell is left."
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
            if content.ngrams or not content.is_counted:  # weights and scores are no counts
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
    def local_content(self) -> QueryLog | Tables:
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
