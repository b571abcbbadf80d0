"""How much of the log is left in a release, and how much of a release was never in the log.

Spec "SafeLog", "What one count is": a *search* here is an event, a distinct user, query and time,
whatever the release counts; a blank query is a missing value and no search. O(rows of the log ·
log m) for m released clicks or transitions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from auditor.arrays import Bools, Int32s, Int64s
from auditor.figures import SHARE, Figure, MetricValue, Series, Table
from auditor.log import gil_friendly
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog
from auditor.measures import query_counts
from auditor.measures.base import Measure, MeasureResult
from auditor.measures.kept_events import KeptEvents, count_kept_events
from auditor.messages import as_phrase, phrase
from auditor.params import Params
from auditor.privacy.release import Anonymized, Tables
from auditor.progress import Progress

catalogue = MetricCatalogue("measures", "volume")

_ROWS = 1 << 20


@dataclass(frozen=True, kw_only=True)
class VolumeParams(Params, owner="volume"):
    """Nothing to choose: everything that can be counted is."""


@dataclass(frozen=True)
class VolumeAmount:
    """One line of the table: so many in the log, so many of them in the release.

    `kept` are those of `whole` that are still there, None where that is not known; `released` may
    hold more, such as decoys or noise.
    """

    name: str
    label: str
    whole: float
    kept: float | None
    released: float
    help: str

    @property
    def share(self) -> float | None:
        """Kept ÷ whole, if there was anything to keep and it is known."""
        return self.kept / self.whole if self.whole and self.kept is not None else None


@dataclass(frozen=True)
class VolumeSizes:
    """How large a log is, wherever it is."""

    rows: int
    events: int
    users: int
    clicks: int

    @classmethod
    def of(cls, log: QueryLog) -> VolumeSizes:
        """Of one in memory."""
        return cls(len(log), int(log.event_starts.sum()), len(log.users), log.clicks)


def run(
    log: QueryLog,
    release: Anonymized,
    params: VolumeParams,
    *,
    rng: np.random.Generator,  # noqa: ARG001 (nothing here is random)
    progress: Progress,
) -> MeasureResult:
    """Count what is kept, and what is new, of a release."""
    place = query_counts.released_codes(log, release, progress)
    events = query_counts.query_counts(log, "events", progress)
    blank = log.queries.find_blank()
    found = place != NONE
    words = query_counts.released_vocabulary(release)
    size = len(words) - int(words.find_blank().sum())
    known = np.zeros(len(words), dtype=np.bool_)
    known[place[found]] = True

    queries = len(blank) - int(blank.sum())
    amounts = of_queries(
        int(events.sum()), int(events[found].sum()), queries, int(found.sum()), size
    )
    new = [invented_share("queries", "released queries", size, int(known.sum()))]
    notes: tuple[str, ...] = ()
    if release.tables is not None:
        more, others = _of_tables(log, release.tables, place, known, progress)
        amounts += more
        new += others
        notes = counted_in(release)
    else:
        assert release.log is not None
        counts = count_kept_events(log, release, progress)
        shown = VolumeSizes.of(release.log)
        if release.truth is not None and counts.users is not None:  # a user may have several ids
            shown = replace(shown, users=counts.users)
        sizes = of_log(VolumeSizes.of(log), shown, counts)
        if release.synthetic_seed is not None:
            sizes = [one for one in sizes if one.name != "users"]
            notes = (catalogue.say("synthetic"),)
        amounts += sizes
    return build_result(params, amounts, new, notes)


def counted_in(release: Anonymized) -> tuple[str, ...]:
    """What a release of tables counts."""
    unit = query_counts.UNITS[query_counts.unit_of(release)]
    return (
        phrase("The release counts {unit}. Counts below 0 are taken as 0.", unit=as_phrase(unit)),
    )


def of_queries(
    searches: int, kept: int, queries: int, found: int, released: int
) -> list[VolumeAmount]:
    """Searches and distinct queries of the log, and how many of either are in the release."""
    return [
        VolumeAmount(
            "searches",
            "searches whose query is released",
            searches,
            kept,
            kept,
            catalogue.say("searches"),
        ),
        VolumeAmount(
            "queries",
            "distinct queries",
            queries,
            found,
            released,
            "Different query strings of the log that are in the release.",
        ),
    ]


def build_result(
    params: VolumeParams,
    amounts: list[VolumeAmount],
    new: list[MetricValue | None],
    notes: tuple[str, ...],
) -> MeasureResult:
    """The measure from what was counted."""
    values = [*_build_metrics(amounts), *new]
    return MEASURE.build_result(
        params,
        (value for value in values if value is not None),
        figures=(_draw_figure(amounts),),
        tables=(_build_table(amounts),),
        notes=notes,
    )


def of_log(
    log: VolumeSizes, released: VolumeSizes, counts: KeptEvents | None = None
) -> list[VolumeAmount]:
    """Rows, events, users and clicks of a log that are still in a released log.

    Without `counts` it is not known which of the release's are the log's. Where something else
    stands for each user, as many users are kept, unless there are more of them than users.
    """
    rows, events, clicks, users = (
        (None, None, None, None)
        if counts is None
        else (counts.rows[1], counts.events[1], counts.clicks[1], counts.users)
    )
    if counts is not None and users is None and released.users <= log.users:
        users = released.users
    return [
        VolumeAmount(
            "rows",
            "rows",
            log.rows,
            rows,
            released.rows,
            "Rows of the same query, or of its hash, at the same time.",
        ),
        VolumeAmount(
            "events",
            "searches that are still there",
            log.events,
            events,
            released.events,
            catalogue.say("matched_searches"),
        ),
        VolumeAmount(
            "users", "users", log.users, users, released.users, "Users, or what replaces them."
        ),
        VolumeAmount(
            "clicks",
            "clicks",
            log.clicks,
            clicks,
            released.clicks,
            "Rows with the same clicked page, query (or its hash) and time.",
        ),
    ]


def _of_tables(
    log: QueryLog, tables: Tables, place: Int32s, known: Bools, progress: Progress
) -> tuple[list[VolumeAmount], list[MetricValue | None]]:
    """Printed counts, clicks and transitions of released tables."""
    printed = np.maximum(tables.query_count, 0)
    total = int(printed.sum())
    new = [invented_share("count", "released query counts", total, int(printed[known].sum()))]
    amounts = []
    if tables.has_clicks:
        url = query_counts.match_vocabulary(log.urls, tables.urls, "looking for pages", progress)
        pairs = _Pairs.of(tables.click_query, tables.click_url, len(tables.urls))
        for first, last in progress.blocks("counting clicks", len(log), _ROWS):
            query, page = place[log.query[first:last]], log.url[first:last]
            there = np.flatnonzero((query != NONE) & (page != NONE))
            pairs.count_rows(query[there], url[page[there]])
        amounts.append(of_clicks(log.clicks, pairs.volume, len(tables.click_count)))
        new.append(invented_share("clicks", "released click pairs", len(pairs), pairs.known))
    if tables.has_transitions:
        pairs = _Pairs.of(tables.from_query, tables.to_query, len(tables.queries))
        whole = 0
        for query, following in iterate_adjacent(log, progress):
            whole += len(query)
            pairs.count_rows(place[query], place[following])
        amounts.append(of_transitions(whole, pairs.volume, len(tables.transition_count)))
        new.append(invented_share("transitions", "released transitions", len(pairs), pairs.known))
    return amounts, new


def of_clicks(whole: int, kept: int, released: int) -> VolumeAmount:
    """Clicks of the log, and those whose pair is released."""
    return VolumeAmount(
        "clicks",
        "clicks whose query and page are released",
        whole,
        kept,
        released,
        catalogue.say("clicks"),
    )


def of_transitions(whole: int, kept: int, released: int) -> VolumeAmount:
    """Steps of the log, and those whose pair is released."""
    return VolumeAmount(
        "transitions",
        "transitions that are released",
        whole,
        kept,
        released,
        catalogue.say("transitions"),
    )


class _Pairs:
    """Released pairs of codes, and which of them the log's rows have been seen to have."""

    def __init__(self, keys: Int64s, width: int) -> None:
        self._keys, self._width = gil_friendly.sorted_distinct(keys), width
        self._seen = np.zeros(len(self._keys), dtype=np.bool_)
        self.volume = 0

    @classmethod
    def of(cls, first: Int32s, second: Int32s, width: int) -> _Pairs:
        return cls(first.astype(np.int64) * width + second, width)

    def __len__(self) -> int:
        return len(self._keys)

    @property
    def known(self) -> int:
        """How many released pairs the log has."""
        return int(self._seen.sum())

    def count_rows(self, first: Int32s, second: Int32s) -> None:
        """Count rows whose pair is released; codes of −1 are no pair."""
        if not len(self._keys):
            return
        both = (first != NONE) & (second != NONE)
        keys = first[both].astype(np.int64) * self._width + second[both]
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        hit = at[self._keys[at] == keys]
        self._seen[hit] = True
        self.volume += len(hit)


def iterate_adjacent(log: QueryLog, progress: Progress) -> Iterator[tuple[Int32s, Int32s]]:
    """Codes of neighbouring rows of one user with two different queries, in blocks."""
    for first, last in progress.blocks("counting transitions", max(len(log) - 1, 0), _ROWS):
        here, there = slice(first, last), slice(first + 1, last + 1)
        step = (log.user[here] == log.user[there]) & (log.query[here] != log.query[there])
        yield log.query[here][step], log.query[there][step]


def _build_metrics(amounts: list[VolumeAmount]) -> Iterator[MetricValue]:
    for amount in amounts:
        yield MetricValue(
            f"volume.{amount.name}",
            phrase("{label}: released", label=as_phrase(amount.label)),
            float(amount.released),
            help=amount.help,
        )
        if amount.share is not None:
            yield MetricValue(
                f"volume.{amount.name}_share",
                phrase("{label}: share kept", label=as_phrase(amount.label)),
                amount.share,
                unit=SHARE,
                help=amount.help,
                better="higher",
                side="utility",
            )


def invented_share(name: str, label: str, whole: int, known: int) -> MetricValue | None:
    """The share of something released that the log never had."""
    if not whole:
        return None
    return catalogue(
        "volume_invented_share",
        1 - known / whole,
        named=f"volume.invented_{name}_share",
        label=as_phrase(label),
    )


def _draw_figure(amounts: list[VolumeAmount]) -> Figure:
    shown = [amount for amount in amounts if amount.share is not None]
    return catalogue.figure(
        "volume",
        (
            Series(
                "kept",
                np.arange(len(shown), dtype=np.float64),
                np.array([amount.share for amount in shown], dtype=np.float64),
                kind="bars",
            ),
        ),
        categories=tuple(amount.label for amount in shown),
        own_words=True,
    )


def _build_table(amounts: list[VolumeAmount]) -> Table:
    rows: list[list[Any]] = [
        [
            amount.label,
            amount.whole,
            "" if amount.kept is None else amount.kept,
            amount.released,
            "" if amount.share is None else round(amount.share, 6),
        ]
        for amount in amounts
    ]
    return catalogue.table("volume", rows, own_words=True)


MEASURE = Measure(
    name="volume",
    cost="O(rows · log released entries)",
    title="Volume",
    summary="How much of the log is left in the release, and how much in it is new.",
    source="Query Log Privacy Auditor; what one count is: Zhang, Yang, Singh & Xiong 2016",
    params=VolumeParams,
    run=run,
    streams=True,
    quick=True,
    without_users=True,
)
