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

from auditor.arrays import Bools, Int32s, find_sorted
from auditor.figures import SHARE, MetricValue, Series
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog
from auditor.measures import query_counts
from auditor.measures.base import Measure, MeasureContext, MeasureResult
from auditor.measures.kept_events import count_kept_events
from auditor.messages import as_phrase, phrase
from auditor.params import Params
from auditor.privacy.bundle_matching import METHOD as BUNDLING
from auditor.privacy.release import Anonymized, Tables
from auditor.progress import Progress

catalogue = MetricCatalogue("measures", "volume")

_ROWS = 1 << 20


@dataclass(frozen=True, kw_only=True)
class VolumeParams(Params, owner="volume"):
    """Nothing to choose: everything that can be counted is."""


@dataclass(frozen=True)
class VolumeAmount:
    """One line of the table: so many in the log, so many of them in the release."""

    released: MetricValue  # the release's own number, which may hold decoys or noise
    total: int
    kept: int | None  # those of `total` that are still there, None where that is not known

    @classmethod
    def of(
        cls, words: str, total: int, kept: int | None, released: int, *, named: str = ""
    ) -> VolumeAmount:
        """An amount that the catalogue has `words` for."""
        name = f"volume.{named or words}"
        return cls(catalogue(words, float(released), named=name), total, kept)

    @property
    def share(self) -> float | None:
        """Kept ÷ whole, if there was anything to keep and it is known."""
        return self.kept / self.total if self.total and self.kept is not None else None


def run(
    log: QueryLog, release: Anonymized, params: VolumeParams, context: MeasureContext
) -> MeasureResult:
    """Count what is kept, and what is new, of a release."""
    progress = context.progress
    place = query_counts.released_codes(log, release, progress)
    events = query_counts.query_counts(log, "events", progress)
    is_released = place != NONE
    retained = int(events[is_released].sum())
    words = release.local_content.queries
    size = int(np.count_nonzero(~words.find_blank()))
    queries = int(np.count_nonzero(~log.queries.find_blank()))
    in_log = np.zeros(len(words), dtype=np.bool_)
    in_log[place[is_released]] = True
    amounts = [
        VolumeAmount.of("searches", int(events.sum()), retained, retained),
        VolumeAmount.of("queries", queries, int(is_released.sum()), size),
    ]
    new = [_invented_share("queries", "released queries", size, int(in_log.sum()))]
    if release.log is not None and size and not in_log.any():  # all were replaced: rows tell
        amounts, new = [VolumeAmount.of("queries", queries, None, size)], []
    notes: tuple[str, ...] = ()
    if release.tables is not None:
        table_amounts, new_strings = _of_tables(log, release.tables, place, in_log, progress)
        amounts += table_amounts
        new += new_strings
        if release.tables.is_counted:
            unit = as_phrase(query_counts.UNITS[query_counts.unit_of(release)])
            notes = (
                phrase("The release counts {unit}. Counts below 0 are taken as 0.", unit=unit),
            )
    else:
        amounts += _of_log(log, release, progress)
        if release.synthetic_seed is not None:
            notes = (catalogue.say("synthetic"),)
    shares = {a.released.label: a.share for a in amounts if a.share is not None}
    bars = np.array(list(shares.values()), dtype=np.float64)
    rows: list[list[Any]] = [
        [
            amount.released.label,
            amount.total,
            "" if amount.kept is None else amount.kept,
            int(amount.released.value),
            "" if amount.share is None else amount.share,
        ]
        for amount in amounts
    ]
    return MEASURE.build_result(
        params,
        [*_build_metrics(amounts), *(value for value in new if value is not None)],
        figures=(
            catalogue.figure(
                "volume",
                (Series("kept", np.arange(len(bars), dtype=np.float64), bars, kind="bars"),),
                categories=tuple(shares),
            ),
        ),
        tables=(catalogue.table("volume", rows),),
        notes=notes,
    )


def _of_log(log: QueryLog, release: Anonymized, progress: Progress) -> list[VolumeAmount]:
    """Rows, events, users and clicks of a log that are still in a released log.

    Where something else stands for each user, as many users are kept, unless there are more of
    them than users. Bundles, one id for all and the sessions of a synthetic log are no users.
    """
    assert release.log is not None
    counts = count_kept_events(log, release, progress)
    users, accounts = counts.users, len(release.log.users)
    has_users = release.method != BUNDLING and release.synthetic_seed is None
    has_users &= users is not None or accounts != 1 or len(log.users) == 1
    if users is None and accounts <= len(log.users):
        users = accounts
    elif release.truth is not None and users is not None:  # a user may have several ids
        accounts = users
    amounts = [
        VolumeAmount.of("rows", *counts.rows),
        VolumeAmount.of("events", *counts.events),
        VolumeAmount.of("users", len(log.users), users, accounts),
        VolumeAmount.of("clicks", *counts.clicks),
    ]
    return amounts if has_users else [*amounts[:2], amounts[3]]


def _of_tables(
    log: QueryLog, tables: Tables, place: Int32s, in_log: Bools, progress: Progress
) -> tuple[list[VolumeAmount], list[MetricValue | None]]:
    """Printed counts, clicks and transitions of released tables."""
    printed = np.maximum(tables.query_count, 0)
    total = int(printed.sum())
    new = (
        [_invented_share("count", "released query counts", total, int(printed[in_log].sum()))]
        if tables.is_counted
        else []
    )
    amounts = []
    if tables.has_clicks:
        url = query_counts.match_vocabulary(log.urls, tables.urls, "looking for pages", progress)
        pairs = _Pairs(tables.click_query, tables.click_url, len(tables.urls))
        for first, last in progress.blocks("counting clicks", len(log), _ROWS):
            query, page = place[log.query[first:last]], log.url[first:last]
            matched = np.flatnonzero((query != NONE) & (page != NONE))
            pairs.count_rows(query[matched], url[page[matched]])
        size = len(tables.click_count)
        amounts.append(
            VolumeAmount.of("click_pairs", log.clicks, pairs.volume, size, named="clicks")
        )
        new.append(pairs.describe_invented("clicks", "released click pairs"))
    if tables.has_transitions:
        pairs = _Pairs(tables.from_query, tables.to_query, len(tables.queries))
        transitions = 0
        for first, last in progress.blocks("counting transitions", max(len(log) - 1, 0), _ROWS):
            user, query = log.user[first : last + 1], log.query[first : last + 1]
            step = np.flatnonzero((user[1:] == user[:-1]) & (query[1:] != query[:-1]))
            transitions += len(step)
            pairs.count_rows(place[query[step]], place[query[step + 1]])
        size = len(tables.transition_count)
        amounts.append(VolumeAmount.of("transitions", transitions, pairs.volume, size))
        new.append(pairs.describe_invented("transitions", "released transitions"))
    return amounts, new


class _Pairs:
    """Released pairs of codes, and which of them the log's rows have been seen to have."""

    def __init__(self, first: Int32s, second: Int32s, width: int) -> None:
        self._keys = sorted_distinct(first.astype(np.int64) * width + second)
        self._width = width
        self._seen = np.zeros(len(self._keys), dtype=np.bool_)
        self.volume = 0

    def describe_invented(self, name: str, label: str) -> MetricValue | None:
        """The share of the released pairs that the log never had."""
        return _invented_share(name, label, len(self._keys), int(self._seen.sum()))

    def count_rows(self, first: Int32s, second: Int32s) -> None:
        """Count rows whose pair is released; codes of −1 are no pair."""
        both = (first != NONE) & (second != NONE)
        keys = first[both].astype(np.int64) * self._width + second[both]
        index = find_sorted(keys, self._keys)
        hit = index[index >= 0]
        self._seen[hit] = True
        self.volume += len(hit)


def _build_metrics(amounts: list[VolumeAmount]) -> Iterator[MetricValue]:
    for amount in amounts:
        released, label = amount.released, as_phrase(amount.released.label)
        yield replace(released, label=phrase("{label}: released", label=label))
        if amount.share is not None:
            yield replace(
                released,
                name=f"{released.name}_share",
                label=phrase("{label}: share kept", label=label),
                value=amount.share,
                unit=SHARE,
                better="higher",
                side="utility",
            )


def _invented_share(name: str, label: str, total: int, in_log: int) -> MetricValue | None:
    """The share of something released that the log never had."""
    if not total:
        return None
    return catalogue(
        "volume_invented_share",
        1 - in_log / total,
        named=f"volume.invented_{name}_share",
        label=as_phrase(label),
    )


MEASURE = Measure(
    **catalogue.card, params=VolumeParams, run=run, streams=True, quick=True, without_users=True
)
