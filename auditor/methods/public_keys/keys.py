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
"""

from __future__ import annotations

import functools
import io
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from auditor.arrays import Bools, Float64s, Int32s, Int64s, find_sorted, mark_run_starts, mean_of
from auditor.bounded_files import UnfitFile, read_text
from auditor.errors import LogFormatError, MissingInput, ParameterError
from auditor.figures import MetricValue
from auditor.log.columns import is_withheld
from auditor.log.gazetteers import noun_ngrams
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.sentences import sentence
from auditor.log.text import merge_spellings, respell
from auditor.messages import phrase
from auditor.methods.noisy_counts.histograms import BLOCK_ROWS, count_keys
from auditor.methods.noisy_counts.outlook import metric_of_searches
from auditor.methods.noisy_counts.period_units import (
    DAY,
    check_days,
    number_day,
    number_periods,
    period_of,
)
from auditor.params import Params
from auditor.privacy.noise import MOST_CELLS
from auditor.privacy.planted_keys import find_planted_keys
from auditor.privacy.release import FIGURES, QUERY, CellKey
from auditor.privacy.statement import Assumption, assume
from auditor.progress import Progress, run_cancellable

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
            words = log.vocabularies.get(name)
            if words is None:
                raise MissingInput(sentence("public_keys.no_column", name=name))
            code = np.append(words.match(texts), np.int32(NONE))[log.columns[name]]
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
    return (metric_of_searches(mean_of(chances)),)


def assume_public_keys(params: PublicKeyParams) -> Assumption:
    """Lists and days come from elsewhere; of days that are the log's own nobody knows."""
    open_days = params.first_day is None or params.last_day is None
    return assume(
        "public_keys.keys_are_public",
        "unknown",
        sentence("public_keys.own_days" if open_days else "public_keys.given"),
    )
