"""Public keys: items × groups × days, read from lists and never from the log, and their counts.

**Steps.** (1) A list of items (queries, pages, or what another column of the log holds), one of
groups (countries, projects, regions) and the days released give every key there is. (2) Of what one
user did on one day (UTC), the first m different keys count, once each; rows without a key are
passed over. Of each user the first `days` active days count, or all. (3) Each key's number of
user-days gets noise, whether or not anybody used it.

**Claim.** Between logs of which one has one user-day more, without a limit of days, the counts of m
keys at most differ, by 1 each: √m in ℓ2 and m in ℓ1. So discrete Gaussian noise of σ² = m/2ρ is
ρ-concentrated private (Canonne, Kamath and Steinke 2020, Theorem 4), and discrete Laplace noise of
scale m/ε is ε-private. Whatever is then made of the noisy counts (a threshold, an index, weeks)
costs nothing. Queries stand in the release as `log.text.respell` writes them, and match items so;
what other columns hold matches letter for letter (see `log.text.list_lines`).

**Proof.** The keys, their number and the days are the same for both logs. Which keys of a user-day
count follows from its own rows and the lists, so a user-day more leaves what others contribute, and
adds 1 to each of its own m different keys at most. ∎

**Replaced user-days.** One user-day in the place of another lowers m counts and raises m others:
√2m in ℓ2 and 2m in ℓ1, hence 2ρ or 2ε. That is what a day more costs where only the first `days`
days of a user count, since it may displace the last of these.

**Whole histories.** Keys hold the day, so days of one user have no key in common: a history of n
days changes n·m counts by 1 each, √(n·m) in ℓ2. It is protected by nρ (not n²ρ, as for any ρ by
group privacy), or by nε.

**Noisy counts of all of them, zeros included.** Source: Wikimedia's daily pageviews by country and
project (Adeleye et al. 2023; since February 2023). Every key gets discrete Gaussian noise, and is
released where its noisy count is above a threshold. What is released of keys that nobody used is
drawn without going through them: how many pass is binomial, which ones is uniform, and their counts
are noise that passes (`privacy.noise.zero_cells`).

Cost: O(rows log rows), and one draw of noise for each key that anybody used or that is released.
"""

from __future__ import annotations

import functools
import io
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from auditor.arrays import Bools, Float64s, Int32s, Int64s, find_sorted, mark_run_starts, mean_of
from auditor.bounded_files import UnfitFile, read_text
from auditor.errors import LogFormatError, MissingInput, ParameterError
from auditor.figures import MetricValue
from auditor.log.columns import is_withheld
from auditor.log.gazetteers import noun_ngrams
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.sentences import sentence
from auditor.log.text import merge_spellings, respell
from auditor.messages import phrase
from auditor.methods import statements as words
from auditor.methods.base import ExpectedRelease, Method, SparkSupport
from auditor.methods.explanation.explanation import (
    Explanation,
    ExplanationRequest,
    find_turning_points,
)
from auditor.methods.faults import Fault, weaken_noise
from auditor.methods.noisy_counts import outlook
from auditor.methods.noisy_counts.counting import nth_missing
from auditor.methods.noisy_counts.expectations import extrapolate_counts
from auditor.methods.noisy_counts.histograms import BLOCK_ROWS, count_keys
from auditor.methods.noisy_counts.period_units import (
    DAY,
    check_days,
    number_day,
    number_periods,
    period_of,
    state_period,
)
from auditor.params import Params
from auditor.privacy import count_error
from auditor.privacy.composition import NoiseLaw, combine_laws
from auditor.privacy.noise import MOST_CELLS, zero_cells
from auditor.privacy.planted_keys import find_planted_keys
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import (
    CELLS,
    FIGURES,
    QUERY,
    CellFigure,
    CellKey,
    CellTable,
    Product,
    Tables,
)
from auditor.privacy.statement import Assumption, Statement, Term, assume
from auditor.progress import Progress, run_cancellable

describe_metric = MetricCatalogue("methods", "public_key_counts")

LARGEST = 1 << 32
"""Bytes of a list's file, once unpacked."""
USERS = "users"
"""The column of a list of groups that says how many users each has."""
_REFUSED = ("user", "time", DAY, *FIGURES)
"""Columns that no key has: whose a row is, and other headings."""
_HEADING = re.compile("[a-z][a-z0-9_-]{0,31}")


@dataclass(frozen=True, kw_only=True)
class PublicKeyParams(Params, words="public-keys"):
    """Which keys there are, of which days, and how much of each user is counted."""

    items: Path | None = None
    groups: Path | None = None
    days: int | None = None
    first_day: int | None = None
    last_day: int | None = None

    @property
    def columns(self) -> str:
        """Whether columns beside the log are shown to the method: lists name those of keys."""
        return "keep"

    def check(self) -> None:
        """Refuse what is no date, and a last day before the first."""
        check_days(self.first_day, self.last_day)


@dataclass(frozen=True, eq=False)
class PublicList:
    """Different combinations of values of some columns of a log."""

    # columns, texts: names of the columns, and the values of each by code
    columns: tuple[str, ...]
    texts: tuple[Vocabulary, ...]
    codes: Int32s  # the code of each combination in each column; shape (columns, combinations)
    size: int  # how many combinations there are; of no columns there is one
    users: Int64s | None = None  # the public number of users of each, if the list says so

    @classmethod
    def of_queries(cls, queries: Vocabulary) -> PublicList:
        """A list of queries alone."""
        queries = Vocabulary.of_arrow(respell(queries).unique())
        query_codes = np.arange(len(queries), dtype=np.int32)[None]
        return cls((QUERY,), (queries,), query_codes, len(queries))

    def match_rows(self, log: QueryLog) -> Int64s:
        """The combination of each row of a log, −1 where it is none of these; shape (rows,).

        Raises `MissingInput` where the log lacks a column; O(strings + rows log combinations).
        """
        log = merge_spellings(log) if QUERY in self.columns else log
        list_numbers = np.zeros(self.size, dtype=np.int64)
        number, has_values = np.zeros(len(log), dtype=np.int64), np.ones(len(log), dtype=np.bool_)
        for name, texts, codes in zip(self.columns, self.texts, self.codes, strict=True):
            vocabulary = log.vocabularies.get(name)
            if vocabulary is None:
                raise MissingInput(sentence("public_keys.no_column", name=name))
            code = np.append(vocabulary.match(texts), np.int32(NONE))[log.columns[name]]
            has_values &= code != NONE
            number = number * len(texts) + code
            list_numbers = list_numbers * len(texts) + codes
        order = np.argsort(list_numbers)
        list_numbers = list_numbers[order]
        index = np.minimum(np.searchsorted(list_numbers, number), self.size - 1)
        return np.where(has_values & (list_numbers[index] == number), order[index], NONE)

    def build_keys(self, place: Int64s) -> tuple[CellKey, ...]:
        """The columns of cells that stand for these combinations, with no other strings."""
        keys = []
        for name, texts, codes in zip(self.columns, self.texts, self.codes, strict=True):
            used_codes, code = np.unique(codes[place], return_inverse=True)
            keys.append(CellKey(name, code.astype(np.int32), texts.take(used_codes)))
        return tuple(keys)


EVERYBODY = PublicList((), (), np.zeros((0, 1), dtype=np.int32), 1)
"""No groups: all users are one."""


@dataclass(frozen=True, eq=False)
class PublicKeys:
    """Every combination of an item, a group and a day, numbered by day, group and item.

    `first` is the number of the first day since 1970.
    """

    items: PublicList
    groups: PublicList
    first: int
    days: int

    @property
    def size(self) -> int:
        """How many keys there are."""
        return self.items.size * self.groups.size * self.days

    def number_pairs(self, log: QueryLog) -> Int64s:
        """The group and item of each row as one number, −1 where one is none; shape (rows,)."""
        item, group = self.items.match_rows(log), self.groups.match_rows(log)
        return np.where((item != NONE) & (group != NONE), group * self.items.size + item, NONE)

    def number_rows(self, log: QueryLog) -> Int64s:
        """The key of each row, −1 where it has none; shape (rows,)."""
        pair, day = self.number_pairs(log), period_of(log.time, DAY) - self.first
        is_counted = (pair != NONE) & (day >= 0) & (day < self.days)
        return np.where(is_counted, day * (self.groups.size * self.items.size) + pair, NONE)

    def split(self, key: Int64s) -> tuple[Int64s, Int64s, Int64s]:
        """The day, the group and the item of each of some keys."""
        day_and_group, item = np.divmod(key, self.items.size)
        day, group = np.divmod(day_and_group, self.groups.size)
        return day, group, item

    def build_keys(self, day: Int64s, group: Int64s, item: Int64s) -> tuple[CellKey, ...]:
        """The columns of cells that stand for these keys."""
        return (self.write_dates(day), *self.groups.build_keys(group), *self.items.build_keys(item))

    def name_groups(self, group: Int64s) -> list[str]:
        """The values of each of some groups in one text; empty where all users are one."""
        columns = [key.list_texts() for key in self.groups.build_keys(group)]
        return [" × ".join(texts) for texts in zip(*columns, strict=True)] or [""] * len(group)

    def find_item(self, query: str) -> int:
        """The item that is this query; −1 where there is none."""
        if self.items.columns != (QUERY,):
            return NONE
        spelling = respell(Vocabulary.of([query])).to_pylist()
        return int(self.items.texts[0].find(spelling)[0])

    def count_idle(self, items: int, groups: int) -> dict[str, int]:
        """How many are in no key that was used, of which so many are: they may be spelt wrongly."""
        idle = {"items_never_counted": self.items.size - items}
        if self.groups.columns:
            idle["groups_never_counted"] = self.groups.size - groups
        return idle

    def find_idle(self, key: Int64s) -> dict[str, int]:
        """How many items and groups are in none of the keys that were used."""
        _, group, item = self.split(key)
        return self.count_idle(len(np.unique(item)), len(np.unique(group)))

    def write_dates(self, day: Int64s) -> CellKey:
        """The dates of days as a column of cells."""
        used_days, code = np.unique(day, return_inverse=True)
        dates = (self.first + used_days).astype("datetime64[D]").astype(str).tolist()
        return CellKey(DAY, code.astype(np.int32), Vocabulary.of(dates))


def load_keys(
    params: PublicKeyParams, period: tuple[int, int] | None, progress: Progress
) -> PublicKeys:
    """The keys that parameters name; days that they leave open are those of a log's period.

    Raises `MissingInput`, `LogFormatError`, `ParameterError`: a list can't be read or names what
    the log has not; there are too many keys.
    """
    planted = find_planted_keys()
    if planted is not None:
        items, groups = PublicList.of_queries(planted), EVERYBODY
    else:
        items = _load_list("items", params.items) or _list_phrases()
        groups = _load_list("groups", params.groups) or EVERYBODY
    progress.check()
    begin, end = (0, -1) if period is None else (second // 86_400 for second in period)
    first = begin if params.first_day is None else number_day(params.first_day)
    last = end if params.last_day is None else number_day(params.last_day)
    keys = PublicKeys(items, groups, first, max(0, last - first + 1))
    if both := set(items.columns) & set(groups.columns):
        raise ParameterError("groups", sentence("public_keys.twice", name=min(both)))
    if keys.size > MOST_CELLS:
        raise ParameterError("items", sentence("public_keys.too_many", keys=keys.size))
    return keys


@functools.cache
def _list_phrases() -> PublicList:
    """The program's own list of English phrases, where no other is given."""
    return PublicList.of_queries(Vocabulary.of(noun_ngrams()))


def _load_list(name: str, path: Path | None) -> PublicList | None:
    if path is None:
        return None
    try:
        state = path.stat()
    except (OSError, ValueError):
        raise MissingInput(sentence("public_keys.no_file", name=name)) from None
    return _read_list(path, (state.st_ino, state.st_mtime_ns, state.st_size))


@functools.lru_cache(maxsize=2)
def _read_list(path: Path, stamp: tuple[int, int, int]) -> PublicList:
    """The combinations of a file; the latest two are kept, for the sliders' sake."""
    del stamp  # part of the cache's key only: a changed file is read anew
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import csv

    try:
        text = read_text(path, LARGEST).removeprefix("\ufeff")
    except UnfitFile as error:
        message = phrase("The list can't be read: it is {error}.", error=error.reason)
        raise LogFormatError(message, path=path) from None
    head, _, _ = text.partition("\n")
    names = [name.strip() for name in head.split("\t")]
    for name in names:
        refused = name in _REFUSED or is_withheld(name)
        if refused or names.count(name) > 1 or not _HEADING.fullmatch(name):
            raise LogFormatError(sentence("public_keys.refused", name=name[:40]), path=path)
    try:
        table = csv.read_csv(
            io.BytesIO(text.encode()),
            csv.ReadOptions(skip_rows=1, column_names=names),
            csv.ParseOptions(delimiter="\t", quote_char=False),
            csv.ConvertOptions(column_types=dict.fromkeys(names, pa.large_string())),
        )
        users = pc.cast(table[USERS], pa.int64()).to_numpy() if USERS in names else None
    except pa.ArrowInvalid:
        raise LogFormatError(sentence("public_keys.ragged"), path=path) from None
    columns = [name for name in names if name != USERS]
    values = {name: pc.utf8_trim_whitespace(table[name].combine_chunks()) for name in columns}
    if QUERY in values:
        values[QUERY] = respell(Vocabulary.of_arrow(values[QUERY]))
    parts = [column.dictionary_encode() for column in values.values()]
    codes = np.array([part.indices.to_numpy() for part in parts], dtype=np.int32)
    texts = tuple(Vocabulary.of_arrow(part.dictionary) for part in parts)
    if not columns or not len(table) or any(bool(column.find_blank().any()) for column in texts):
        raise LogFormatError(sentence("public_keys.ragged"), path=path)
    if users is not None and int(users.min()) < 1:
        raise LogFormatError(sentence("public_keys.few_users"), path=path)
    codes, first = np.unique(codes, axis=1, return_index=True)
    return PublicList(
        tuple(columns), texts, codes, codes.shape[1], None if users is None else users[first]
    )


@dataclass(frozen=True, eq=False)
class KeyCounts:
    """The keys that anybody used within the limits, ascending, and by how many user-days."""

    # key, count: int64; shape (keys that are not 0,)
    key: Int64s
    count: Int64s
    units: int  # user-days in the log
    counted_rows: int  # rows with a key, of days that count


def count_public_keys(
    log: QueryLog, keys: PublicKeys, m: int, days: int | None, progress: Progress
) -> KeyCounts:
    """Count the first m different keys of each of the (first `days`) active days of each user."""
    if not len(log):
        none = np.zeros(0, dtype=np.int64)
        return KeyCounts(none, none, 0, 0)
    progress.stage("finding keys")
    key = run_cancellable(lambda: keys.number_rows(log), progress)
    unit = number_periods(log, DAY)
    is_counted: Bools = key != NONE
    starts = log.user_starts
    if days is not None:
        is_counted &= unit - unit[starts[:-1]][log.user] < days
    pieces = []
    for first, last in progress.whole_blocks("counting keys", log.user_starts, BLOCK_ROWS):
        part = slice(int(starts[first]), int(starts[last]))
        pieces.append(_take_first(unit[part][is_counted[part]], key[part][is_counted[part]], m))
    used_keys, count = count_keys(pieces, progress)
    return KeyCounts(used_keys, count, int(unit[-1]) + 1, int(np.count_nonzero(is_counted)))


def _take_first(unit: Int32s, key: Int64s, m: int) -> Int64s:
    """The first m different keys of each unit; rows stand in order of units, and within."""
    order = np.lexsort((key, unit))  # stable: the first row of equal ones is the earliest
    new = np.sort(order[mark_run_starts(unit[order], key[order])])
    begins = np.maximum.accumulate(np.where(mark_run_starts(unit[new]), np.arange(len(new)), 0))
    return key[new[np.arange(len(new)) - begins < m]]


def expect_queries(
    log: QueryLog, keys: PublicKeys, item: Int64s, chance: Float64s, day: Int64s | None = None
) -> tuple[MetricValue, ...]:
    """Share of the log's searches whose query is released for their day, where items are queries.

    `chance` is that of each key of an `item` of being released for its `day`, or for all days.
    """
    if keys.items.columns != (QUERY,):
        return ()
    log, size = merge_spellings(log), keys.items.size
    starts = log.event_starts
    query = keys.items.match_rows(log)[starts]
    issued = period_of(log.time[starts], DAY) - keys.first
    has_key = (query != NONE) & (issued >= 0) & (issued < keys.days)
    search = np.where(has_key, query if day is None else issued * size + query, NONE)
    cells, place = np.unique(item if day is None else day * size + item, return_inverse=True)
    missed = np.bincount(place, np.log1p(-np.minimum(chance, 1 - 1e-12)), minlength=len(cells))
    chances = np.append(-np.expm1(missed), 0.0)[find_sorted(search, cells)]  # −1: of no cell
    return (outlook.metric_of_searches(mean_of(chances)),)


def assume_public_keys(params: PublicKeyParams) -> Assumption:
    """Lists and days come from elsewhere; of days that are the log's own nobody knows."""
    open_days = params.first_day is None or params.last_day is None
    return assume(
        "public_keys.keys_are_public",
        "unknown",
        sentence("public_keys.own_days" if open_days else "public_keys.given"),
    )


# --- noisy counts -----------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class DpPublicKeyCountsParams(PublicKeyParams, owner="dp-public-key-counts"):
    """What a user's day may cost, how much of it counts, and which counts are released."""

    rho: float = 0.015
    delta: float = 1e-06
    m: int = 10
    threshold: int = 90

    @property
    def sigma(self) -> float:
        """Standard deviation of the noise of a count."""
        return math.sqrt(self.m / (2 * self.rho))

    def compute_epsilon(self, days: int) -> tuple[float, float]:
        """The (ε, δ) of so many days of one user."""
        law = NoiseLaw("gaussian", rho=days * self.rho)
        return combine_laws([law]).compute_epsilon(self.delta), self.delta

    def compute_chances(self, counts: Float64s) -> Float64s:
        """P[released] of counts; of the noise to about 10⁻³ of itself."""
        from scipy.stats import norm

        chances: Float64s = norm.sf((self.threshold + 0.5 - counts) / self.sigma)
        return chances

    def find_noise_limit(self, keys: int) -> int:
        """The least count that one of so many keys of nobody reaches with a chance of 5 %."""
        from scipy.stats import norm

        key_chance = 0.05 / max(keys, 1)
        return max(self.threshold + 1, math.ceil(self.sigma * float(norm.isf(key_chance)) + 0.5))


def run(
    log: QueryLog, params: DpPublicKeyCountsParams, *, rng: Randomness, progress: Progress
) -> Product:
    """Release the keys whose noisy count is above the threshold."""
    progress.check()
    keys = load_keys(params, log.period, progress)
    counts = count_public_keys(log, keys, params.m, params.days, progress)
    selected, noisy = draw_used_keys(counts.count, params, rng, progress)
    empty, noise = draw_empty_keys(keys.size, counts.key, params, rng, progress)
    key = np.concatenate([counts.key[selected], empty])
    order = np.argsort(key)
    cells = CellTable(
        CELLS,
        keys.build_keys(*keys.split(key[order])),
        (CellFigure("count", np.concatenate([noisy, noise])[order]),),
    )
    return Product(
        content=Tables.of_cells(cells, folded=True),
        statement=build_statement(params, keys, counts.units, rng.secure),
        changes={
            "rows": len(log),
            "rows_counted": counts.counted_rows,
            "cells": len(counts.key),
            **keys.find_idle(counts.key),
            "cells_released": len(key),
            "cells_released_of_nobody": len(empty),
        },
    )


def draw_used_keys(
    count: Int64s, params: DpPublicKeyCountsParams, rng: Randomness, progress: Progress
) -> tuple[Int64s, Int64s]:
    """Which counts pass with noise, and their noisy values."""
    progress.stage("drawing noise", len(count))
    noisy = count + rng.discrete_gaussian(params.sigma, len(count), progress)
    selected = np.flatnonzero(noisy > params.threshold)
    return selected, noisy[selected]


def draw_empty_keys(
    size: int, present: Int64s, params: DpPublicKeyCountsParams, rng: Randomness, progress: Progress
) -> tuple[Int64s, Int64s]:
    """The keys among `size` that nobody used and that are released, and their noise."""
    places, noise = zero_cells(
        size - len(present), params.sigma, params.threshold + 1, rng, progress, "gaussian"
    )
    return nth_missing(present, places), noise


def build_statement(
    params: DpPublicKeyCountsParams, keys: PublicKeys, units: int, secure: bool
) -> Statement:
    epsilon, delta = params.compute_epsilon(1)
    law = NoiseLaw("gaussian", rho=params.rho)
    formula = sentence(
        "public_keys.gaussian", m=params.m, sigma=params.sigma, rho=words.format_number(params.rho)
    )
    expected_empty = params.compute_chances(np.zeros(1))[0] * keys.size
    statement = words.state_history(
        epsilon,
        delta,
        terms=(Term("counts", epsilon, delta, formula, law),),
        limits=sentence("public_keys.limits", m=params.m),
        users=units,
        noise=words.secure_noise(secure, "discrete Gaussian (Canonne, Kamath and Steinke)"),
        measured={
            "rho": params.rho if params.days is None else 2 * params.rho,
            "noise_of_a_count": params.sigma,
            "threshold": float(params.threshold),
            "public_keys": float(keys.size),
            "most_released_of_nobody": float(expected_empty),
            "noise_alone_below": float(params.find_noise_limit(keys.size)),
        },
        once=False,
        other_assumptions=(assume_public_keys(params),),
    )
    return state_period(statement, DAY, params.days, units, params.compute_epsilon)


def expect_release(
    log: QueryLog, params: DpPublicKeyCountsParams, *, scale: float, progress: Progress
) -> ExpectedRelease:
    """How many keys will be released, from the law of the noise; O(rows log rows).

    A key of c sampled user-days (one in s) is taken for one of 1 + s(c − 1), as in `expectations`.
    """
    keys = load_keys(params, log.period, progress)
    counts = count_public_keys(log, keys, params.m, params.days, progress)
    totals, stands = extrapolate_counts(np.maximum(counts.count, 1).astype(np.float64), scale)
    chance = params.compute_chances(totals)
    day, _, item = keys.split(counts.key)
    expected_used = float((chance * stands).sum())
    empty = max(0.0, keys.size - float(stands.sum()))
    expected_empty = empty * float(params.compute_chances(np.zeros(1))[0])
    volume = float((chance * totals * stands).sum() / max(float((totals * stands).sum()), 1.0))
    least = params.find_noise_limit(keys.size)
    values = (
        describe_metric("expected.cells", expected_used + expected_empty),
        describe_metric("expected.nobody", expected_empty),
        *expect_queries(log, keys, item, chance, day),
        describe_metric("expected.counted", volume),
        describe_metric("expected.noise", params.sigma),
        describe_metric("expected.noise_alone", float(least)),
    )
    return ExpectedRelease(
        statement=build_statement(params, keys, round(counts.units * scale), True),
        values=values,
        note=sentence("public_keys.hardly", keys=keys.size)
        if expected_used < 1
        else sentence("public_keys.noise_alone", least=least)
        if least > params.threshold + 1
        else "",
        units=round(counts.units * scale),
    )


def explain(
    request: ExplanationRequest, params: DpPublicKeyCountsParams, progress: Progress
) -> Explanation:
    """How many users of a query count on each day (and in each group), and the chance of these."""
    keys = load_keys(params, request.log.period, progress)
    if keys.find_item(request.text) == NONE:
        return Explanation(outcome=sentence("public_keys.no_key"), chance=0.0)

    counts = count_query(request, keys, params.m, params.days, progress)
    empty = keys.days * keys.groups.size - len(counts.key)

    def compute_chance(other: DpPublicKeyCountsParams) -> float:
        own = counts
        if other.m != params.m:
            own = count_query(request, keys, other.m, params.days, progress)
        missed = np.log1p(-other.compute_chances(np.append(own.count, 0)).clip(0, 1 - 1e-12))
        return float(-np.expm1(missed[:-1].sum() + empty * missed[-1]))

    day, group, _ = keys.split(counts.key)
    dates = (keys.first + day).astype("datetime64[D]").astype(str).tolist()
    names = keys.name_groups(group)
    chances = params.compute_chances(counts.count.astype(np.float64)).tolist()
    rows = [list(row) for row in zip(dates, names, counts.count.tolist(), chances, strict=True)]
    peak = int(counts.count.max(initial=0))
    return Explanation(
        outcome=sentence(
            "public_keys.counted", cells=len(rows), most=peak, threshold=params.threshold
        ),
        chance=compute_chance(params),
        values=(
            describe_metric("limited_users", float(peak), m=params.m),
            describe_metric("threshold", float(params.threshold)),
        ),
        tables=(describe_metric.table("cells", rows),),
        turns=find_turning_points(
            params, compute_chance, ("rho", "threshold", "m"), progress=progress
        ),
    )


def count_query(
    request: ExplanationRequest, keys: PublicKeys, m: int, days: int | None, progress: Progress
) -> KeyCounts:
    """The counts of the keys of a query that is an item."""
    counts = count_public_keys(request.select_histories(), keys, m, days, progress)
    keep = keys.split(counts.key)[2] == keys.find_item(request.text)
    return KeyCounts(counts.key[keep], counts.count[keep], counts.units, counts.counted_rows)


def list_faults(
    values: dict[str, Any], without_zeros: dict[str, Any], place: str, change: Callable[[Any], Any]
) -> tuple[Fault, ...]:
    """What may be wrong in such a method; `change` of the function at `place` spares zeros noise.

    `values` are audited, and `without_zeros` where zeros have none.
    """
    return (
        weaken_noise(values, 2),
        weaken_noise(values, 4),
        Fault(
            name="no noise where nobody searched",
            kind="threshold",
            values=without_zeros,
            places=(place,),
            change=change,
        ),
        Fault(
            name="limit of keys × 4",
            kind="limit",
            values=values,
            places=(f"{place.partition(':')[0]}:count_public_keys",),
            change=lambda count: lambda log, keys, m, *args: count(log, keys, 4 * m, *args),
        ),
    )


_AUDITED = {"rho": 0.5, "delta": 0.01, "m": 1, "threshold": 2}

METHOD = Method(
    **describe_metric.card,
    params=DpPublicKeyCountsParams,
    yields="tables",
    folds=True,
    randomised=True,
    run=run,
    spark=SparkSupport("cells.release_counts"),
    outlook=expect_release,
    curves=lambda params, _users: (
        outlook.chance_by_users(
            describe_metric,
            2 * params.threshold + 6 * params.sigma,
            params.compute_chances,
            params.threshold,
            phrase("above {least:,}", least=params.threshold),
            first=0,
        ),
    ),
    explain=explain,
    main=("rho", "threshold", "m", "items", "groups"),
    errors=lambda params: {CELLS: count_error.of_gaussian(params.sigma)},
    faults=list_faults(
        _AUDITED,
        _AUDITED | {"threshold": 0},
        f"{__name__}:draw_empty_keys",  # no key that nobody used is ever released
        lambda draw: lambda _size, used, *args: draw(len(used), used, *args),
    ),
)
