"""Users as the distance between them sees them: codes of words, queries, clicks and times.

A `UserSpace` holds what the distance of Navarro-Arribas et al. (2012), section 3.2.1, needs of some
users, with every number normalised over the whole log. O(rows + bytes of text).

An event is a row of the log. Its domain is the host of the clicked URL in lower case; of hosts
with more than 40 labels the right-most 40 count.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from auditor.arrays import Array, Bools, Float32s, Int32s, Int64s, expand_ranges
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.text import tokenize_strings
from auditor.progress import Progress

MOST_LABELS = 40
_BLOCK = 1 << 16


@dataclass(frozen=True)
class DistanceWeights:
    """What counts how much in the distance; defaults are the source's.

    `time`, `rank`, `url` and `text` weigh the parts of an event, `length` and `words` the number
    of terms and the words' Hausdorff distance within the text, `count` and `queries` the number
    of events and the events' Hausdorff distance between users. Only ratios matter.
    """

    time: float = 1.0
    rank: float = 1.0
    url: float = 1.0
    text: float = 3.0
    length: float = 1.0
    words: float = 2.0
    count: float = 1.0
    queries: float = 1.0

    def normalize_shares(self) -> DistanceWeights:
        """The same weights as shares of one event's and of one pair of users' distance."""
        event = self.time + self.rank + self.url + self.text
        text = self.text / event / (self.length + self.words)
        user = self.count + self.queries
        return DistanceWeights(
            time=self.time / event,
            rank=self.rank / event,
            url=self.url / event,
            text=self.text / event,
            length=self.length * text,
            words=self.words * text,
            count=self.count / user,
            queries=self.queries / user,
        )


@dataclass(frozen=True, eq=False)
class UserSpace:
    """Some users' events in codes.

    `users` and `queries` are their codes in the log, queries ascending. User i has the events
    ``starts[i]:starts[i + 1]``, by query, then by click: normalised time, query and click codes.
    `count` is the normalised number of events of each user, `terms` that of terms of each query.
    Distinct words of each query are in CSR form, codes of `words`. A click has a host code and a
    normalised rank (−1 none), sorted by host; a host its label codes from the right, padded with
    −1, shape (hosts, deepest), and its depth.
    """

    users: Int64s
    queries: Int64s
    starts: Int64s
    time: Float32s
    query: Int64s
    click: Int64s
    count: Float32s
    terms: Float32s
    word: Int64s
    word_starts: Int64s
    words: Vocabulary
    host: Int64s
    rank: Float32s
    labels: Int32s
    depth: Int32s

    @property
    def events(self) -> int:
        """Events in all."""
        return len(self.query)

    def thin_events(self, event_limit: int) -> UserSpace:
        """The same with at most `event_limit` events of each user, spread evenly over theirs.

        Numbers of events (`count`) stay those of all. O(events)
        """
        sizes = np.diff(self.starts)
        if int(sizes.max(initial=0)) <= event_limit:
            return self
        counts = np.minimum(sizes, event_limit)
        place = expand_ranges(np.zeros(len(counts), dtype=np.int64), counts)
        spread = place * np.repeat(sizes, counts) // np.repeat(counts, counts)
        rows = np.repeat(self.starts[:-1], counts) + spread
        return replace(
            self,
            starts=block_edges(counts),
            time=self.time[rows],
            query=self.query[rows],
            click=self.click[rows],
        )

    def select_users(self, users: Int64s) -> UserSpace:
        """The same of only some users (positions here), codes renumbered; O(their events)."""
        sizes = _compute_sizes(self.starts, users)
        rows = expand_ranges(self.starts[users], sizes)
        query_codes, query = np.unique(self.query[rows], return_inverse=True)
        click_codes, click = np.unique(self.click[rows], return_inverse=True)
        terms = _compute_sizes(self.word_starts, query_codes)
        words = expand_ranges(self.word_starts[query_codes], terms)
        word_codes, word = np.unique(self.word[words], return_inverse=True)
        hosts = self.host[click_codes]
        host_codes = sorted_distinct(hosts[hosts >= 0])
        host = np.where(hosts < 0, NONE, np.searchsorted(host_codes, hosts))
        return UserSpace(
            users=self.users[users],
            queries=self.queries[query_codes],
            starts=block_edges(sizes),
            time=self.time[rows],
            query=query.astype(np.int64),
            click=click.astype(np.int64),
            count=self.count[users],
            terms=self.terms[query_codes],
            word=word.astype(np.int64),
            word_starts=block_edges(terms),
            words=self.words.take(word_codes),
            host=host.astype(np.int64),
            rank=self.rank[click_codes],
            labels=self.labels[host_codes],
            depth=self.depth[host_codes],
        )


def _compute_sizes(starts: Int64s, users: Int64s) -> Int64s:
    """How many of each chosen one there are; O(chosen), however many there are in all."""
    return starts[users + 1] - starts[users]


def space_of(log: QueryLog, progress: Progress) -> UserSpace:
    """All users of a log; raises `Cancelled`. O(rows log rows + bytes of text)."""
    tokens = tokenize_strings(log.queries, progress)
    progress.stage("coding users")
    terms, width = tokens.compute_lengths(), int(tokens.codes.max(initial=0)) + 1
    pairs = sorted_distinct(np.repeat(np.arange(len(terms)), terms) * width + tokens.codes)
    word, word_starts = (
        pairs % width,
        block_edges(np.bincount(pairs // width, minlength=len(terms))),
    )
    progress.check()
    domains = ClickedDomains.of(log.urls, progress)
    host = np.append(domains.of_url, NONE)[log.url]  # −1, the last, for no click
    rank = np.where(log.rank == NONE, -1.0, _normalize_values(log.rank, log.rank != NONE))
    progress.check()
    ranks, rank_code = np.unique(rank.astype(np.float32), return_inverse=True)
    pairs, click = np.unique((host + 1) * len(ranks) + rank_code, return_inverse=True)
    progress.check()
    starts = log.user_starts
    order = np.lexsort((click, log.query, log.user))
    progress.check()
    return UserSpace(
        users=np.arange(len(log.users)),
        queries=np.arange(len(log.queries)),
        starts=starts,
        time=_normalize_values(log.time)[order],
        query=log.query[order].astype(np.int64),
        click=click[order].astype(np.int64),
        count=_normalize_values(np.diff(starts)),
        terms=_normalize_values(terms),
        word=word,
        word_starts=word_starts,
        words=tokens.vocabulary,
        host=pairs // max(len(ranks), 1) - 1,
        rank=ranks[pairs % max(len(ranks), 1)],
        labels=domains.labels,
        depth=domains.depth,
    )


def host_name(url: str) -> str:
    """The host of a URL in lower case, without scheme, user, port and path."""
    authority = url.split("://", 1)[-1]
    for mark in "/?#":
        authority = authority.split(mark, 1)[0]
    return authority.rsplit("@", 1)[-1].split(":", 1)[0].strip(".").lower()


class ClickedDomains(NamedTuple):
    """Host of each URL (−1 none), the hosts' label codes from the right, and how many each has.

    Labels are padded with −1; shape (hosts, deepest).
    """

    of_url: Int64s
    labels: Int32s
    depth: Int32s

    @classmethod
    def of(cls, urls: Vocabulary, progress: Progress) -> ClickedDomains:
        """The domains of a log's URLs; O(bytes)."""
        codes: dict[str, int] = {}
        labels: dict[str, int] = {}
        of_url = np.full(len(urls), NONE, dtype=np.int64)
        for first, last in progress.blocks("coding domains", len(urls), _BLOCK):
            for url, text in enumerate(urls.list_strings(range(first, last)), first):
                if name := host_name(text):
                    of_url[url] = codes.setdefault(name, len(codes))
        rows = [
            [labels.setdefault(part, len(labels)) for part in name.split(".")[::-1][:MOST_LABELS]]
            for name in codes
        ]
        depth = np.array([len(row) for row in rows], dtype=np.int32)
        table = np.full((len(rows), int(depth.max(initial=0))), NONE, dtype=np.int32)
        table[np.arange(table.shape[1]) < depth[:, None]] = [label for row in rows for label in row]
        return cls(of_url, table, depth)


def _normalize_values(values: Array, has_value: Bools | None = None) -> Float32s:
    """(x − min) ÷ (max − min); 0 where all are equal."""
    valid = values if has_value is None else values[has_value]
    if not len(valid):
        return np.zeros(len(values), dtype=np.float32)
    low, high = int(valid.min()), int(valid.max())
    span = max(high - low, 1)
    return ((values.astype(np.float64) - low) / span).astype(np.float32)


def block_edges(sizes: Array) -> Int64s:
    return np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
