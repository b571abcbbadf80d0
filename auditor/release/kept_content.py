"""How much of a log is left in a release, what its rows show, and how exact its counts are.

What is left are distinct queries and the share of searches; of n-grams, which are no queries, how
many there are, and the share of words that they cover. What rows show whatever is in them: ids of
several days, columns, their age.

Blank queries are missing values: neither the log nor the release is said to hold them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

import numpy as np

from auditor.errors import AuditorError
from auditor.figures import MetricValue, format_share
from auditor.log.model import NONE, QueryLog, iterate_slices
from auditor.log.sentences import sentence
from auditor.measures.kept_events import count_kept_events
from auditor.measures.ngram_coverage import count_coverage
from auditor.messages import as_phrase, join_phrases, phrase
from auditor.methods.registry import METHODS, find_params
from auditor.methods.released_ids import number_records
from auditor.privacy.blank_queries import spell_as_released
from auditor.privacy.release import NGRAMS, Anonymized, DistributedProduct
from auditor.privacy.release_times import EXACT, times_of
from auditor.progress import silent_progress
from auditor.release.policy.policy import NGRAM_FIGURES

Basis = Literal["events", "queries", "hashed"]
"""By what a search counts as kept: it is in the released log; its query is in the released tables;
it is in the released log with its query replaced by a hash."""


@dataclass(frozen=True)
class KeptContent:
    """What is left, as counts that can be compared; None where it is not known.

    `queries` are distinct queries of the log that are released, decoys left out, of `log_queries`;
    where strings were replaced by hashes, distinct strings of the release. `searches` (distinct
    user, query and time) are kept by `basis`, of `log_searches`. `added` are searches of a released
    log, or queries of released tables, that are not in the log. Of a release of n-grams, `ngrams`
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
            is_kept = (log.queries.match(release.tables.queries) != NONE) & ~blank
            count = int(is_kept.sum())
            strings = release.tables.queries
            added = len(strings) - int(strings.find_blank().sum()) - count
            return cls(count, totals[0], int(events[is_kept].sum()), totals[1], added=added)
        released = release.log
        if isinstance(release.content, DistributedProduct) and NGRAMS in release.content.rows:
            return cls(ngrams=release.content.query_count)
        if released is None:  # of other machines, or counts of something else than queries
            return cls(log_queries=totals[0], log_searches=totals[1])
        visible = released.without_blank
        is_kept = (log.queries.match(visible.queries) != NONE) & ~blank
        counts = count_kept_events(log, release, silent_progress())
        hashed = bool(len(visible)) and not is_kept.any()
        return cls(
            len(visible.queries) if hashed else int(is_kept.sum()),
            totals[0],
            counts.kept,
            totals[1],
            added=counts.added,
            basis="hashed" if hashed else "events",
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
        share = expected.get("expected.searches_share", expected.get("expected.volume"))
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
        names = ("queries", "log_queries", "log_searches", "ngrams", "added")
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
        if self.ngrams is not None:
            many = sentence("kept.ngram" if self.ngrams == 1 else "kept.ngrams", ngrams=self.ngrams)
            if self.words_share is None:
                return many
            share = as_phrase(format_share(self.words_share))
            return join_phrases(
                ", ", [phrase("{share} of the words of searches", share=share), many]
            )
        parts = []
        if self.share is not None:
            parts.append(phrase(_SHARES[self.basis], share=as_phrase(format_share(self.share))))
        if self.queries is not None:
            parts.append(
                sentence(
                    "kept.queries" if self.log_queries is None else "kept.queries_of",
                    queries=self.queries,
                    of=self.log_queries,
                )
            )
        if self.added:
            parts.append(
                sentence(
                    "kept.queries_added" if self.basis == "queries" else "kept.searches_added",
                    added=self.added,
                )
            )
        return join_phrases(", ", parts)

    def describe(self, *, expected: bool) -> str:
        """What is left, as a sentence; empty where it is not known."""
        if self.empty:
            return (
                "Not a single query is left in it."
                if self.ngrams is None
                else "Not a single n-gram is left in it."
            )
        if not self.short:
            return ""
        return sentence("kept.should_keep" if expected else "kept.keeps", kept_short=self.short)

    def find_figure(self, name: str) -> tuple[float | None, str]:
        """What a gate names after ``release.``, and what there is to say of it."""
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
        unknown = of is None or self.log_queries is None  # shares of a log that nobody counted
        return float(value), "" if unknown else sentence("kept.log_has", of=of)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what is not known stays out."""
        plain = vars(self) | {"basis": None if self.searches is None else self.basis}
        return {name: value for name, value in plain.items() if value is not None}


_SHARES: Mapping[Basis, str] = {
    "events": "{share} of searches",
    "queries": "{share} of searches by their query",
    "hashed": "{share} of searches, their words unreadable",
}


FORBIDDEN = ("ip", "cookie", "signed_in", "input_mode", "filters")
"""Columns that are never to be handed out (spec 7, section 4)."""
_DAY, _HOUR = 86_400, 3_600
"""Searches of a day that are alike stand seconds apart where times were made coarser: there only
what is later than an hour counts."""
_UNKNOWN = "was not measured: nobody looked at what the rows show"
_NO_LOG = "the release has no rows of users"


@dataclass(frozen=True)
class ContentFacts:
    """Counts of one release; None where there is nothing to count.

    `persistent_ids` are ids under which searches of several days (UTC) stand, `forbidden_columns`
    those of `FORBIDDEN` that it has, `exact_times` rows that show more of their time than its day.
    `newest` is the second of the newest search of the log, since 1970 UTC; `known` whether anybody
    looked.
    """

    persistent_ids: int | None = None
    forbidden_columns: tuple[str, ...] | None = None
    newest: int | None = None
    exact_times: int | None = None
    known: bool = False

    @classmethod
    def of(cls, log: QueryLog, release: Anonymized) -> ContentFacts:
        """Count them; O(rows)."""
        newest = None if log.period is None else log.period[1]
        released = release.log
        if released is None:
            return cls(newest=newest, known=True)
        record = number_records(released)
        owner = released.user[np.flatnonzero(np.diff(record, prepend=-1))]
        days = np.bincount(owner, minlength=len(released.users))
        several = int(np.count_nonzero(days > 1)) if len(released.users) > 1 else 0
        columns = tuple(name for name in FORBIDDEN if name in released.columns)
        least = least_exact_second(release.params)
        times = (released.time[part] % _DAY for part in iterate_slices(len(released)))
        exact = sum(int(np.count_nonzero(part >= least)) for part in times)
        return cls(several, columns, newest, exact, known=True)

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> ContentFacts:
        """The inverse of `to_dict`; raises TypeError or ValueError for anything else."""
        names = ("persistent_ids", "newest", "exact_times")
        counts = {name: int(plain[name]) for name in names if name in plain}
        columns = plain.get("forbidden_columns")
        forbidden = None if columns is None else tuple(map(str, columns))
        return cls(**counts, forbidden_columns=forbidden, known=bool(plain))

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; empty where nobody looked."""
        facts = {name: value for name, value in vars(self).items() if value is not None}
        del facts["known"]
        return {n: [*fact] if isinstance(fact, tuple) else fact for n, fact in facts.items()}

    def find_figure(self, name: str, date: str) -> tuple[float | None, str]:
        """What a gate names after ``content.``, for a release of `date`, and what to say of it."""
        if not self.known or not date:
            return None, _UNKNOWN
        if name == "delay_days":
            if self.newest is None:
                return None, "the log has no search"
            age = datetime.fromisoformat(date).timestamp() - self.newest
            return float(age // _DAY), sentence("content.delay")
        if name != "forbidden_columns":
            value = self.persistent_ids if name == "persistent_ids" else self.exact_times
            return (None, _NO_LOG) if value is None else (float(value), "")
        columns = self.forbidden_columns
        if columns is None:
            return None, _NO_LOG
        names = phrase(": {names}", names=join_phrases(", ", columns)) if columns else ""
        return float(len(columns)), names


def least_exact_second(params: Mapping[str, Any]) -> int:
    """The second of the day from which a released time shows more than its day."""
    return 1 if times_of(params) == EXACT else _HOUR


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
    """The same in words; empty where there are none."""
    errors = find_count_errors(release)
    if not errors:
        return ""
    widths = ", ".join(f"{file} ± {width:,}" for file, width in errors.items())
    return sentence("report.count_errors", widths=widths)
