"""How likely each released record makes what is known, where released queries stand for known ones.

A known query q is translated into released queries w with weights t(q, w), as a translation model
of retrieval does it (Berger and Lafferty, SIGIR 1999). A record's gain from one occurrence of q is
c(q) · ln(1 + share of q in the record ÷ share of q in the release), where a share is the sum of
t(q, w) · occurrences of w, divided by all events, and c(q) the greatest of q's weights. With one w
for each q that is what the exact and the near attack do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from auditor.arrays import Bools, Float64s, Int64s, mark_run_starts
from auditor.attacks.near_linkage.known_queries import (
    STEEPNESS,
    KnownQueryMapping,
    paraphrase_strings,
    replace_keys,
)
from auditor.attacks.near_linkage.matching import NearKind
from auditor.attacks.record_linkage.index import (
    QUERY,
    AttackerKnowledge,
    LinkageIndex,
    LinkageScores,
    build_index,
    build_side,
    score_records,
)
from auditor.attacks.record_linkage.targets import draw_users
from auditor.attacks.semantic_linkage.embeddings import TextEncoder, encode_all, find_neighbours
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog
from auditor.progress import Progress, split_ranges

MOST_ENTRIES = 2_000_000
"""Pairs of a known query and a record that are held at once."""
SPELLING = 0.85
"""Least likeness of a spelling variant, as `near-linkage` has it by itself."""
SHARPNESS = 6
"""Power of its cosine with which a query of like meaning counts."""
MOST_KNOWN = 20_000
"""Distinct known queries whose meaning is looked up; of more, so many are drawn."""


@dataclass(frozen=True, eq=False)
class TranslatedRecords:
    """Released records, ready to be asked how likely they make k known strings."""

    table: Any  # weights of (strings, queries that some string stands for)
    records: Any  # occurrences of (the same queries, records)
    share: Float64s  # weighted share of each string in the whole release; shape (k,)
    confidence: Float64s  # its greatest weight, 0 without one; shape (k,)
    events: Int64s  # of each record

    @classmethod
    def of(
        cls,
        release: QueryLog,
        strings: int,
        string: Int64s,
        place: Int64s,
        weight: Float64s,
        progress: Progress,
    ) -> TranslatedRecords:
        """Look for what k `strings` stand for in the release; O(rows + pairs).

        ``string[i]`` may be the released query with code ``place[i]`` (−1 for none), and that with
        ``weight[i]``; of the same pair twice the greater weight counts.
        """
        is_translated = (weight > 0) & (place >= 0)
        string, place, weight = string[is_translated], place[is_translated], weight[is_translated]
        order = np.lexsort((-weight, place, string))
        string, place, weight = string[order], place[order], weight[order]
        new = mark_run_starts(string, place)
        string, place, weight = string[new], place[new], weight[new]
        confidence = np.zeros(strings)
        np.maximum.at(confidence, string, weight)
        codes, column = np.unique(place, return_inverse=True)
        side = build_side(release, release, True, (QUERY,), progress)
        index = build_index(side, codes, "overlap", progress)
        size = (len(codes), len(release.users))
        records = csr_array((index.gains, index.records.astype(np.int64), index.begins), shape=size)
        begins = release.event_starts
        events = np.bincount(release.user[begins], minlength=len(release.users)).astype(np.int64)
        weights = csr_array((weight, (string, column)), shape=(strings, len(codes)))
        share = weights @ records.sum(axis=1) / max(int(events.sum()), 1)
        return cls(weights, records, share, confidence, events)

    def build_index(self, strings: Int64s) -> LinkageIndex:
        """What each record gains from each of some strings (ascending)."""
        mass = (self.table[strings] @ self.records).tocsr()
        row = np.repeat(np.arange(len(strings)), np.diff(mass.indptr))
        string = strings[row]
        ratio = mass.data / (np.maximum(self.events[mass.indices], 1) * self.share[string])
        return LinkageIndex(
            strings,
            mass.indptr.astype(np.int64),
            mass.indices.astype(np.uint32),
            self.confidence[string] * np.log1p(ratio),
            np.zeros(len(strings)),
            len(self.events),
        )


def score_translated(
    facts: AttackerKnowledge,
    records: TranslatedRecords,
    truth: Int64s | None,
    progress: Progress,
    person: Int64s | None = None,
) -> LinkageScores:
    """Rank all records for each target; the keys of `facts` are strings of the table.

    Targets are taken by so many that their entries fit into bounded memory; for `truth` and
    `person` see `score_records`. O(for each target the records that hold what its strings
    stand for).
    """
    parts = []
    # At most so many records hold a query that each string stands for.
    entries = (records.table > 0).astype(int) @ np.diff(records.records.indptr)
    work = np.concatenate(([0], np.cumsum(entries[facts.keys]))).astype(np.int64)[facts.starts]
    for first, last in list(split_ranges(work, MOST_ENTRIES)) or [(0, 0)]:
        progress.check()
        span = slice(int(facts.starts[first]), int(facts.starts[last]))
        block = replace(
            facts,
            starts=facts.starts[first : last + 1] - facts.starts[first],
            events=facts.events[first:last],
            keys=facts.keys[span],
            counts=facts.counts[span],
        )
        index = records.build_index(sorted_distinct(block.keys))
        block_truth = None if truth is None else truth[first:last]
        parts.append(score_records(block, index, block_truth, progress, person))
    columns = zip(*(vars(part).values() for part in parts), strict=True)
    return LinkageScores(*map(np.concatenate, columns))


@dataclass(frozen=True, eq=False)
class KnownMeanings(KnownQueryMapping):
    """q known queries, what each is taken for, and which released queries are close in meaning.

    `records` are their 2 q strings, those issued and then those paraphrased, in the release. For
    each string, `first` is the first one that is equal, and `is_close` says whether released
    queries are close to it in meaning; shapes (2 q,). `left_out` strings were too many to be looked
    up.
    """

    records: TranslatedRecords
    first: Int64s
    is_close: Bools
    left_out: int

    @classmethod
    def look_up(
        cls,
        log: QueryLog,
        knowledge: AttackerKnowledge,
        *,
        released: QueryLog,
        encode: TextEncoder,
        least: float,
        limit: int,
        seed: int,
        progress: Progress,
    ) -> KnownMeanings:
        """Map known queries nearly, and look for what is close in meaning to those not released."""
        mapping = KnownQueryMapping.of(
            log,
            knowledge,
            released=released,
            alter=paraphrase_strings,
            least=SPELLING,
            seed=seed,
            progress=progress,
        )
        strings = [*mapping.strings, *mapping.altered]
        matches = mapping.true.join(mapping.vague)
        place: dict[str, int] = {}
        places = (place.setdefault(text, index) for index, text in enumerate(strings))
        first = np.fromiter(places, np.int64, len(strings))
        absent = np.flatnonzero(
            (first == np.arange(len(strings))) & (matches.kind != NearKind.SAME)
        )
        encoded = absent[draw_users(len(absent), MOST_KNOWN, np.random.default_rng(len(absent)))]
        close = find_neighbours(
            encode_all([strings[place] for place in encoded.tolist()], encode, progress),
            released.queries,
            encode,
            least=least,
            neighbour_limit=limit,
            progress=progress,
        )
        records = TranslatedRecords.of(
            released,
            len(strings),
            np.concatenate([np.arange(len(strings)), encoded[close.known_query]]),
            np.concatenate([matches.place, close.place]),
            np.concatenate([matches.likeness**STEEPNESS, close.cosine.astype(float) ** SHARPNESS]),
            progress,
        )
        is_close = np.zeros(len(strings), dtype=np.bool_)
        is_close[encoded[close.known_query]] = True
        return cls(
            **vars(mapping),
            records=records,
            first=first,
            is_close=is_close[first],
            left_out=len(absent) - len(encoded),
        )

    @property
    def share_altered(self) -> float:
        """Share of the known queries of which there is a paraphrase."""
        pairs = zip(self.strings, self.altered, strict=True)
        return sum(text != other for text, other in pairs) / max(1, len(self.strings))

    def choose_strings(self, share: float) -> Int64s:
        """The string of each known query if such a share of them is paraphrased; shape (q,)."""
        return self.first[self.choose_places(share)]

    def rank_records(
        self,
        share: float,
        index: LinkageIndex,
        truth: Int64s | None,
        progress: Progress,
        person: Int64s | None = None,
    ) -> tuple[LinkageScores, ...]:
        """Rank all records for each target, by meaning as the third way."""
        strings = self.choose_strings(share)[np.searchsorted(self.codes, self.knowledge.keys)]
        meanings = replace_keys(self.knowledge, strings, self.knowledge.counts)
        return (
            *super().rank_records(share, index, truth, progress, person),
            score_translated(meanings, self.records, truth, progress, person),
        )

    def count_matches(self, share: float) -> tuple[int, int, int, int]:
        """Known queries that are found verbatim, nearly, only by their meaning, and not at all."""
        kind, by_meaning = self.choose_matches(share).kind, self.is_close[self.choose_places(share)]
        verbatim, none = kind == NearKind.SAME, kind == NearKind.NONE
        nearly = ~verbatim & ~none
        return (
            int(verbatim.sum()),
            int(nearly.sum()),
            int((none & by_meaning).sum()),
            int((none & ~by_meaning).sum()),
        )
