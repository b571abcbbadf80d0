"""How much of a log is left in a release, what its rows show, and how exact its counts are.

What is left are distinct queries and the share of searches; of n-grams, which are no queries, how
many there are, and the share of words that they cover. What rows show whatever is in them: ids of
several days, columns, their age.

Blank queries are missing values: neither the log nor the release is said to hold them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

import numpy as np

from auditor.arrays import Array, Bools, Int32s, Int64s, mark_run_starts
from auditor.errors import AuditorError
from auditor.figures import MetricValue, format_share
from auditor.log.columns import is_withheld
from auditor.log.model import NONE, QueryLog, iterate_slices
from auditor.log.sentences import sentence
from auditor.log.text import merge_spellings
from auditor.measures.kept_events import count_kept_events, mix_columns
from auditor.measures.ngram_coverage import count_coverage
from auditor.messages import as_phrase, join_phrases, phrase
from auditor.methods.base import Method
from auditor.methods.noisy_counts.period_units import number_day
from auditor.methods.registry import METHODS, find_params
from auditor.methods.released_ids import NO_USER, number_records
from auditor.privacy.blank_queries import spell_as_released
from auditor.privacy.entities import list_masked
from auditor.privacy.identity import kept_ids
from auditor.privacy.release import NGRAMS, UNKNOWN, Anonymized, DistributedProduct
from auditor.privacy.release_times import EXACT, comparable_times, floor_times, times_of
from auditor.progress import silent_progress
from auditor.release.policy.policy import NGRAM_FIGURES

Basis = Literal["events", "queries", "hashed"]
"""By what a search counts as kept: it is in the released log; its query is in the released tables;
it is in the released log with its query replaced by a hash."""


@dataclass(frozen=True)
class KeptContent:
    """What is left, as counts that can be compared; None where it is not known.

    `queries` are distinct queries of the log that are released, decoys left out, of `log_queries`;
    where strings were replaced by hashes, distinct strings of the release. Spellings are merged
    where no query of the log stands in the release as it was spelt. `searches` (distinct
    user, query and time) are kept by `basis`, of `log_searches`. `added` are searches of a released
    log, or queries of released tables, that are not in the log; those with a mask in the place of a
    word are `masked`, and were not added. Of a release of n-grams, `ngrams`
    and `words_share`, the share of the words of all searches that stand in one, are all that is
    known.
    """

    queries: int | None = None
    log_queries: int | None = None
    searches: float | None = None
    log_searches: int | None = None
    ngrams: int | None = None
    words_share: float | None = None
    added: int | None = None
    basis: Basis = "queries"
    masked: int | None = None

    @classmethod
    def of(cls, log: QueryLog, release: Anonymized) -> KeptContent:
        """Count it; O(rows log rows). Of a release that was never in memory nothing is known."""
        if release.tables is not None and release.tables.ngrams:
            ngrams = release.tables.queries
            coverage = count_coverage(log.without_blank, ngrams, silent_progress())
            return cls(ngrams=len(ngrams), words_share=coverage.words_share)
        log = spell_as_released(log, release)
        blank = log.queries.find_blank()
        events = log.searches_by_query
        totals = (int((~blank).sum()), int(events.sum()))
        if release.tables is not None and release.tables.names_queries:
            code = log.queries.match(release.tables.queries)
            count = int(((code != NONE) & ~blank).sum())
            strings = release.tables.queries
            extra = len(strings) - int(strings.find_blank().sum()) - count
            searches = _count_dated_searches(log, release, code)
            return cls(count, totals[0], searches, totals[1], added=extra)
        released = release.log
        if isinstance(release.content, DistributedProduct) and NGRAMS in release.content.rows:
            return cls(ngrams=release.content.query_count)
        if released is None:  # of other machines, or counts of something else than queries
            return cls(log_queries=totals[0], log_searches=totals[1])
        visible = released.without_blank
        is_kept = (log.queries.match(visible.queries) != NONE) & ~blank
        method = _find_method(release)
        hashed = method is not None and method.form == "hashes"
        if len(visible) and not hashed and not is_kept.any():
            plain = merge_spellings(visible)
            if plain is not visible:
                return cls.of(merge_spellings(log), replace(release, content=plain))
            if method is None:  # its words may be unreadable, or nobody's
                return cls(log_queries=totals[0], log_searches=totals[1])
            released_events = visible.query[visible.event_starts]
            masked = int(np.isin(released_events, list_masked(log, visible)).sum())
            extra = len(released_events) - masked
            return cls(
                0, totals[0], 0, totals[1], added=extra, basis="events", masked=masked or None
            )
        counts = count_kept_events(log, release, silent_progress())
        return cls(
            len(visible.queries) if hashed else int(is_kept.sum()),
            totals[0],
            counts.kept,
            totals[1],
            added=counts.added,
            basis="hashed" if hashed else "events",
            masked=counts.masked or None,
        )

    @classmethod
    def from_expectations(
        cls, values: tuple[MetricValue, ...], log: QueryLog | None, *, basis: Basis = "queries"
    ) -> KeptContent:
        """What an outlook's expectations come to, for the whole of `log` where it is known."""
        expected = {value.name: value.value for value in values}
        ngrams = expected.get("expected.ngrams")
        if ngrams is not None:
            return cls(ngrams=int(ngrams), words_share=expected.get("expected.words_share"))
        queries = expected.get("expected.queries")
        share = expected.get("expected.searches_share")
        source = None if log is None else log.without_blank
        if queries is not None and source is not None:  # a sample may stand for more than there are
            queries = min(queries, len(source.queries))
        searches = None if source is None else int(source.event_starts.sum())
        return cls(
            None if queries is None else int(queries),
            None if source is None else len(source.queries),
            None if share is None or searches is None else share * searches,
            searches,
            basis=basis,
        )

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> KeptContent:
        """The inverse of `to_dict`; raises TypeError or ValueError for anything else."""
        names = ("queries", "log_queries", "log_searches", "ngrams", "added", "masked")
        counts = {name: int(plain[name]) for name in names if name in plain}
        searches = float(plain["searches"]) if "searches" in plain else None
        words = float(plain["words_share"]) if "words_share" in plain else None
        text = plain.get("basis")
        basis: Basis = text if text in ("events", "hashed") else "queries"
        return cls(**counts, searches=searches, words_share=words, basis=basis)

    @property
    def share(self) -> float | None:
        """Share of the log's searches that is kept."""
        if self.searches is None or self.log_searches is None:
            return None
        return self.searches / self.log_searches if self.log_searches else 0.0

    @property
    def empty(self) -> bool:
        """Whether not a single query or n-gram is left that shows anything."""
        return self.queries == 0 or self.ngrams == 0

    @property
    def short(self) -> str:
        """What is left, in a few words; empty where it is not known."""
        parts = []
        if self.words_share is not None:
            share = as_phrase(format_share(self.words_share))
            parts.append(phrase("{share} of the words of searches", share=share))
        if self.ngrams is not None:
            parts.append(sentence("kept.ngrams", ngrams=self.ngrams))
        if self.share is not None:
            parts.append(phrase(_SHARES[self.basis], share=as_phrase(format_share(self.share))))
        if self.queries is not None:
            key = "kept.queries" if self.log_queries is None else "kept.queries_of"
            parts.append(sentence(key, queries=self.queries, of=self.log_queries))
        if self.masked:
            parts.append(sentence("kept.searches_masked", masked=self.masked))
        if self.added:
            key = "kept.queries_added" if self.basis == "queries" else "kept.searches_added"
            parts.append(sentence(key, added=self.added))
        return join_phrases(", ", parts)

    def describe(self, *, expected: bool) -> str:
        """What is left, as a sentence; empty where it is not known."""
        if self.empty and self.ngrams is None:
            return "Not a single query is left in it."
        if self.empty:
            return "Not a single n-gram is left in it."
        if not self.short:
            return ""
        return sentence("kept.should_keep" if expected else "kept.keeps", kept_short=self.short)

    def find_figure(self, name: str, least: float | None = None) -> tuple[float | None, str]:
        """The value of a gate's metric after ``release.``, and a note on it.

        `least` is what the gate wants: more than the log itself has is kept by no release of it.
        """
        missing = "was not measured: nobody counted what is left of the log"
        if name in NGRAM_FIGURES:
            if self.ngrams is None:
                return None, "the release holds queries, and no n-grams"
            covered = self.ngrams if name == "ngrams" else self.words_share
            return covered, "" if covered is not None else missing
        if self.ngrams is not None:
            return None, "the release holds n-grams, and no queries"
        value = self.queries if name == "queries" else self.share
        if value is None:
            return None, missing
        of = self.log_queries if name == "queries" else self.log_searches
        if of is None or self.log_queries is None:  # shares of a log that nobody counted
            return float(value), ""
        is_beyond = name == "queries" and least is not None and of < least
        return float(value), sentence("kept.log_has_fewer" if is_beyond else "kept.log_has", of=of)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what is not known stays out."""
        plain = vars(self) | {"basis": None if self.searches is None else self.basis}
        return {name: value for name, value in plain.items() if value is not None}


_SHARES: Mapping[Basis, str] = {
    "events": "{share} of searches",
    "queries": "{share} of searches by their query",
    "hashed": "{share} of searches, their words hashed",
}

_DAY, _HOUR = 86_400, 3_600
"""Searches of a day that are alike stand seconds apart where times were made coarser: there only
what is later than an hour counts."""
_UNKNOWN = "was not measured: nobody looked at what the rows show"
_NO_LOG = "the release has no rows of users"
_NO_NAMES = "was not measured: the release may have columns that its beginning does not name"
_NO_DAYS = (
    "was not measured: neither times nor a truth table tell of how many days an id's rows are"
)


@dataclass(frozen=True)
class ContentFacts:
    """Counts of one release; None where there is nothing to count.

    `persistent_ids` are ids under which searches of several days (UTC) stand; where released times
    do not tell days, users who have fewer ids than days. `forbidden_columns` are those of
    `list_forbidden` that it has, `exact_times` rows that show more of their time than its day.
    `newest` is the second of the newest search of the log, since 1970 UTC; `unnamed_columns`
    whether the release may have columns that nobody can name; `known` whether anybody looked.
    """

    persistent_ids: int | None = None
    forbidden_columns: tuple[str, ...] | None = None
    newest: int | None = None
    exact_times: int | None = None
    unnamed_columns: bool | None = None
    known: bool = False

    @classmethod
    def of(cls, log: QueryLog, release: Anonymized) -> ContentFacts:
        """Count them; O(rows)."""
        newest = None if log.period is None else log.period[1]
        released = release.log
        forbidden: tuple[str, ...] | None = list_forbidden(release.unread_columns)
        unnamed = release.has_unnamed_columns or None
        if released is None:
            exact = release.exact_times
            ids = None if exact is None else 0  # of rows without ids
            return cls(ids, forbidden or None, newest, exact, unnamed, known=True)
        ids = _count_persistent_ids(log.without_blank, released, release)
        forbidden = list_forbidden((*released.columns, *release.unread_columns))
        exact = _count_exact_times(released, release)
        return cls(ids, forbidden, newest, exact, unnamed, known=True)

    @classmethod
    def of_sample(
        cls, log: QueryLog, release: Anonymized, part: Anonymized | None, newest: int | None
    ) -> ContentFacts:
        """The same where `log` has but some users, and `part`, if there is one, their rows.

        Where none of their ids outlasts a day, others' may: that is not known then.
        """
        facts = replace(cls.of(log, part or release), newest=newest)
        if release.log is None:
            return facts
        exact = _count_exact_times(release.log, release)
        return replace(facts, persistent_ids=facts.persistent_ids or None, exact_times=exact)

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> ContentFacts:
        """The inverse of `to_dict`; raises TypeError or ValueError for anything else."""
        facts: dict[str, Any] = {"known": bool(plain)}
        for name in ("persistent_ids", "newest", "exact_times"):
            facts |= {name: int(plain[name])} if name in plain else {}
        if (columns := plain.get("forbidden_columns")) is not None:
            facts["forbidden_columns"] = tuple(map(str, columns))
        return cls(unnamed_columns=plain.get("unnamed_columns"), **facts)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; empty where nobody looked."""
        facts = {name: value for name, value in vars(self).items() if value is not None}
        del facts["known"]
        return {n: [*fact] if isinstance(fact, tuple) else fact for n, fact in facts.items()}

    def find_figure(self, name: str, date: str) -> tuple[float | None, str]:
        """Value and note of a gate's metric after ``content.``, for a release of `date`."""
        if not self.known or not date:
            return None, _UNKNOWN
        if name == "delay_days":
            if self.newest is None:
                return None, "the log has no search"
            age = datetime.fromisoformat(date).timestamp() - self.newest
            return float(age // _DAY), sentence("content.delay")
        if name != "forbidden_columns":
            value = self.persistent_ids if name == "persistent_ids" else self.exact_times
            reason = _NO_LOG if self.exact_times is None else _NO_DAYS
            return (None, reason) if value is None else (float(value), "")
        columns = self.forbidden_columns
        if self.unnamed_columns and not columns:
            return None, _NO_NAMES
        if columns is None:
            return None, _NO_LOG
        names = phrase(": {names}", names=join_phrases(", ", columns)) if columns else ""
        return float(len(columns)), names


def list_forbidden(names: Iterable[str]) -> tuple[str, ...]:
    """Those of some columns that are never to be handed out (spec 7, section 4)."""
    return tuple(
        name for name in names if name in ("ip", "ip_address", "cookie") or is_withheld(name)
    )


def least_exact_second(params: Mapping[str, Any]) -> int:
    """The second of the day from which a released time shows more than its day."""
    return 1 if times_of(params) == EXACT else _HOUR


def _count_exact_times(released: QueryLog, release: Anonymized) -> int:
    least = least_exact_second(release.params)
    times = (released.time[part] % _DAY for part in iterate_slices(len(released)))
    return sum(int(np.count_nonzero(part >= least)) for part in times)


def _find_method(release: Anonymized) -> Method | None:
    if release.method not in METHODS:
        return None
    return METHODS[release.method]


def tells_days(release: Anonymized) -> bool:
    """Whether released times are on the days of their searches, by the method and parameters."""
    method = _find_method(release)
    rewrites = method is not None and method.rewrites_times
    return not rewrites and comparable_times(release.params) in (EXACT, "hour", "day")


def _lies_within(released: QueryLog, log: QueryLog) -> bool:
    """Whether released times, cut off to days, are days of the log's period."""
    if log.period is None or released.period is None:
        return False
    first, last = (moment // _DAY for moment in log.period)
    return first <= released.period[0] // _DAY and released.period[1] // _DAY <= last


def _has_log_days(released: QueryLog, log: QueryLog) -> bool:
    """Whether no query of the log is released more often on a day than the log has it then."""
    code = released.queries.match(log.queries)[released.query]
    pairs = mix_columns([code, released.time // _DAY], len(released))[code != NONE]
    log_pairs = mix_columns([log.query, log.time // _DAY], len(log))
    days, count = np.unique(pairs, return_counts=True)
    log_days, log_count = np.unique(log_pairs, return_counts=True)
    index = np.minimum(np.searchsorted(log_days, days), len(log_days) - 1)
    return bool(np.all((log_days[index] == days) & (count <= log_count[index])))


def _count_persistent_ids(log: QueryLog, released: QueryLog, release: Anonymized) -> int | None:
    """Ids of several days, see `ContentFacts`; None where nothing tells."""
    if not len(released) or released.users.list_strings() == [NO_USER]:
        return 0
    has_days = tells_days(release) and _lies_within(released, log)
    if has_days and _find_method(release) is None:  # times of others may be cut off, and not say so
        has_days = _has_log_days(released, log)
    if has_days:
        record = number_records(released)
        owner = released.user[np.flatnonzero(np.diff(record, prepend=-1))]
        return int(np.count_nonzero(np.bincount(owner) > 1))
    owners = _find_owners(log, released, release)
    return None if owners is None else _count_outlasting_ids(log, released, release, owners)


def _count_dated_searches(log: QueryLog, release: Anonymized, code: Int32s) -> int:
    """Searches of released queries on days for which they are released; O(rows log rows).

    `code` is that of each query of the log in the tables. Tables without dates hold the days that
    their parameters name, or all.
    """
    tables = release.tables
    assert tables is not None
    starts = log.event_starts & ~log.queries.find_blank()[log.query]
    query, time = code[log.query[starts]], log.time[starts]
    begin = np.unique(tables.dates.time)
    if release.method == UNKNOWN and tables.step == "day" and len(begin) == 1:
        monday = (query != NONE) & (time // _DAY == begin // _DAY)
        more = tables.dates.counts.sum() > np.count_nonzero(monday)
        if more and floor_times(begin, "week") == begin:
            time = floor_times(time, "week")  # more than that day holds: of its week
    is_kept = tables.hold_searches(query, time)
    if tables.period is None:
        params = find_params(release.method, release.params)
        first, last = getattr(params, "first_day", None), getattr(params, "last_day", None)
        day = floor_times(time, str(release.params.get("step", ""))) // _DAY
        if first is not None:
            is_kept &= day >= number_day(first)
        if last is not None:
            is_kept &= day <= number_day(last)
    return int(np.count_nonzero(is_kept))


def _find_owners(log: QueryLog, released: QueryLog, release: Anonymized) -> Int64s | None:
    """The log's user of each released id, −1 where unknown; None where nothing tells any."""
    if release.truth is not None:
        return release.truth.find_owners(log, released)
    place = kept_ids(log, release, silent_progress())
    if place is None:
        return None
    owners = np.full(len(released.users), NONE, dtype=np.int64)
    users = np.flatnonzero(place != NONE)
    owners[place[users]] = users
    return owners


def _count_outlasting_ids(
    log: QueryLog, released: QueryLog, release: Anonymized, owners: Int64s
) -> int | None:
    """Users with fewer ids than days of which rows are released; O(rows log rows).

    None where no user certainly has, and some may: of equal rows only some are released, or
    released rows are none of the log's.
    """
    ids = np.bincount(owners[owners != NONE], minlength=len(log.users))
    day = log.time // _DAY

    def count_users(rows: Bools) -> int:
        user = log.user[rows]
        days = np.bincount(user[mark_run_starts(user, day[rows])], minlength=len(ids))
        return int(np.count_nonzero((days > ids) & (ids > 0)))

    all_users = ids[log.user] > 0
    code = released.queries.match(log.queries).astype(np.int64)
    method = _find_method(release)
    is_rewritten = method is not None and (method.form == "hashes" or method.rewrites_times)
    if is_rewritten or not (code != NONE).any():
        return count_users(all_users)
    times = comparable_times(release.params)  # exacter ones are none of the log's
    log_users, record_owners = log.user.astype(np.int64), owners[released.user]
    parts: list[tuple[Array, Array]] = [
        (log_users, record_owners),
        (log.query, code[released.query]),
    ]
    if times == "week":
        parts.append((floor_times(log.time, times), floor_times(released.time, times)))
    keys, place, key_counts = np.unique(
        mix_columns([part for part, _ in parts], len(log)), return_inverse=True, return_counts=True
    )
    valid = (record_owners != NONE) & ~released.queries.find_blank()[released.query]
    released_keys = mix_columns([part for _, part in parts], len(released))[valid]
    index = np.minimum(np.searchsorted(keys, released_keys), len(keys) - 1)
    matched = keys[index] == released_keys
    count = np.bincount(index[matched], minlength=len(keys))
    strange = np.zeros(len(ids), dtype=np.bool_)
    strange[record_owners[valid][~matched]] = True
    certain = count_users((count >= key_counts)[place])
    possible = count_users((count > 0)[place] | strange[log.user])
    return certain if certain or not possible else None


def find_count_errors(release: Anonymized) -> Mapping[str, int]:
    """How far 95 % of its noisy counts are at most from what was counted, by file.

    Empty where nothing is noisy, and where its method or parameters are not known.
    """
    params = find_params(release.method, release.params)
    if params is None or release.synthetic_seed is not None:
        return {}
    try:
        return METHODS[release.method].find_errors(params)
    except AuditorError:
        return {}


def describe_errors(release: Anonymized) -> str:
    """The same in words, and which counts may be noise alone; empty where there are none."""
    errors = find_count_errors(release)
    if not errors:
        return ""
    widths = ", ".join(f"{file} ± {width:,}" for file, width in errors.items())
    text, measured = sentence("report.count_errors", widths=widths), release.statement.measured
    least = int(measured.get("noise_alone_below", 0))
    if least <= measured.get("threshold", 0) + 1:
        return text
    return join_phrases(" ", [text, sentence("public_keys.noise_alone", least=least)])
