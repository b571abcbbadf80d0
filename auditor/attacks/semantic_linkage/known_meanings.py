"""What known queries stand for in a release: themselves, what is nearly the same, what means it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from auditor.arrays import Bools, Int64s, UInt8s
from auditor.attacks.near_linkage.known_queries import (
    STEEPNESS,
    KnownQueryMapping,
    replace_keys,
)
from auditor.attacks.near_linkage.matching import NearKind
from auditor.attacks.record_linkage.index import LinkageIndex, LinkageScores, score_records
from auditor.attacks.record_linkage.targets import draw_users
from auditor.attacks.semantic_linkage.embeddings import TextEncoder, encode_all
from auditor.attacks.semantic_linkage.neighbours import find_neighbours
from auditor.attacks.semantic_linkage.scoring import (
    TranslatedRecords,
    TranslationTable,
    score_translated,
)
from auditor.log.model import QueryLog
from auditor.progress import Progress

SHARPNESS = 6
"""Power of its cosine with which a query of like meaning counts."""
MOST_KNOWN = 20_000
"""Distinct known queries whose meaning is looked up; of more, so many are drawn."""


class RankedThrice(NamedTuple):
    """How the records rank in each of the three ways."""

    exact: LinkageScores
    near: LinkageScores
    semantic: LinkageScores


@dataclass(frozen=True, eq=False)
class KnownMeanings:
    """Known queries, what each is taken for, and which released queries are close in meaning.

    Attributes
    ----------
    mapping
        The q distinct known queries, exactly and nearly.
    records
        Their 2 q strings, those that were issued and then those paraphrased, in the release.
    first
        For each string the first one that is equal; shape (2 q,).
    kind
        How each is found without its meaning, a `NearKind`; shape (2 q,).
    meant
        Whether released queries are close to it in meaning; shape (2 q,).
    left_out
        Strings whose meaning was not looked up, because they are too many.
    """

    mapping: KnownQueryMapping
    records: TranslatedRecords
    first: Int64s
    kind: UInt8s
    meant: Bools
    left_out: int

    @classmethod
    def of(
        cls,
        mapping: KnownQueryMapping,
        released: QueryLog,
        encode: TextEncoder,
        *,
        least: float,
        most: int,
        progress: Progress,
    ) -> KnownMeanings:
        """Look for what is close in meaning to the known queries that are not released."""
        strings = [*mapping.strings, *mapping.altered]
        near = mapping.true.join(mapping.vague)
        at: dict[str, int] = {}
        first = np.array([at.setdefault(text, len(at)) for text in strings], dtype=np.int64)
        first = np.unique(first, return_index=True)[1][first].astype(np.int64)
        wanted = np.flatnonzero((first == np.arange(len(strings))) & (near.kind != NearKind.SAME))
        chosen = wanted[draw_users(len(wanted), MOST_KNOWN, np.random.default_rng(len(wanted)))]
        found = find_neighbours(
            encode_all([strings[place] for place in chosen.tolist()], encode, progress),
            released.queries,
            encode,
            least=least,
            most=most,
            progress=progress,
        )
        table = TranslationTable.of(
            np.concatenate([np.arange(len(strings)), chosen[found.known]]),
            np.concatenate([near.place, found.place]),
            np.concatenate([near.likeness**STEEPNESS, found.cosine.astype(float) ** SHARPNESS]),
            len(strings),
        )
        meant = np.zeros(len(strings), dtype=np.bool_)
        meant[chosen[found.known]] = True
        return cls(
            mapping,
            TranslatedRecords.of(released, table, progress),
            first,
            near.kind,
            meant[first],
            len(wanted) - len(chosen),
        )

    def choose_strings(self, share: float) -> Int64s:
        """The string of each known query if such a share of them is paraphrased; shape (q,)."""
        size = len(self.mapping.codes)
        chosen = np.arange(size) + size * self.mapping.choose_altered(share)
        return self.first[chosen]

    def rank_records(
        self, share: float, table: LinkageIndex, truth: Int64s, progress: Progress
    ) -> RankedThrice:
        """Rank all records for each target, in each of the three ways."""
        known = self.mapping.known
        strings = self.choose_strings(share)[np.searchsorted(self.mapping.codes, known.keys)]
        exact, near = (self.mapping.translate(share, nearly) for nearly in (False, True))
        meant = replace_keys(known, strings, known.counts)
        return RankedThrice(
            score_records(exact, table, truth, progress),
            score_records(near, table, truth, progress),
            score_translated(meant, self.records, truth, progress),
        )

    def count_matches(self, share: float) -> tuple[int, int, int, int]:
        """Known queries that are found verbatim, nearly, only by their meaning, and not at all."""
        chosen = self.choose_strings(share)
        kind, meant = self.kind[chosen], self.meant[chosen]
        none = kind == NearKind.NONE
        return (
            int(np.count_nonzero(kind == NearKind.SAME)),
            int(np.count_nonzero(kind > NearKind.SAME)),
            int(np.count_nonzero(none & meant)),
            int(np.count_nonzero(none & ~meant)),
        )
