"""What is known of targets, and what each known query is taken for: as it was and as it is altered.

Shared by the attacks that know queries only roughly: known queries keep the codes of the log that
they come from, and are altered by whatever the attack assumes of its attacker's memory.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Float64s, Int64s
from auditor.attacks.base import Evidence
from auditor.attacks.near_linkage.matching import NearKind, NearMatches, find_near_matches
from auditor.attacks.record_linkage.index import (
    QUERY,
    AttackerKnowledge,
    LinkageScores,
    LinkageSide,
    draw_knowledge,
)
from auditor.attacks.record_linkage.report import LinkageSummary
from auditor.attacks.record_linkage.targets import draw_strangers, draw_users
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog
from auditor.privacy.records import RecordTruth, records_of
from auditor.progress import Progress

STEEPNESS = 4
"""Power of its likeness with which a mapped event counts."""

QueryAlteration = Callable[[Sequence[str], int], list[str]]
"""``alter(strings, seed)``: the strings as the attacker has them in mind."""


@dataclass(frozen=True, eq=False)
class LinkageTargets:
    """Whom an attack looks for, and what is known of them and of people who are not in the log.

    Attributes
    ----------
    users, record
        Targets who have a record: codes in the log and in the release; shape (t,).
    truth
        The same of all that were drawn, and how it is known.
    known, strangers
        What is known of them, in codes of the log's queries, and of users of the reference who
        are not in the log, in codes of the reference's; None without such users.
    share
        The share of their events that is known.
    seed
        For what is drawn of their queries.
    """

    users: Int64s
    record: Int64s
    truth: RecordTruth
    known: AttackerKnowledge
    strangers: AttackerKnowledge | None
    share: float
    seed: int

    @classmethod
    def draw(
        cls,
        evidence: Evidence,
        size: int,
        share: float,
        rng: np.random.Generator,
        progress: Progress,
    ) -> LinkageTargets:
        """Draw up to `size` users; the same ones for every attack with the same `rng`."""
        log, release = evidence.log, evidence.release
        assert release is not None
        drawn = draw_users(len(log.users), size, rng)
        told = records_of(log, release, drawn, progress)
        here = told.record >= 0
        users, record = drawn[here], told.record[here]
        seed = int(rng.integers(1 << 62))
        known = draw_query_knowledge(log, users, share, seed)
        strangers = draw_stranger_knowledge(evidence, size, share, rng)
        return cls(users, record, told, known, strangers, share, seed)

    def summarize(
        self, evidence: Evidence, scores: LinkageScores, strangers: LinkageScores | None
    ) -> LinkageSummary:
        """The outcome, from how the records rank for the targets and for strangers."""
        assert evidence.release is not None
        assert evidence.release.log is not None
        return LinkageSummary(
            users=self.users,
            record=self.record,
            known=self.known,
            scores=scores,
            shares={self.share: scores},
            share=self.share,
            records=len(evidence.release.log.users),
            whole=len(evidence.log.users),
            truth=self.truth,
            readable=True,
            strangers=strangers,
        )


def draw_query_knowledge(
    log: QueryLog, users: Int64s, share: float, seed: int
) -> AttackerKnowledge:
    """What is known of users of one log, with the log's own query codes as keys."""
    own = np.where(log.queries.find_blank(), -1, np.arange(len(log.queries))).astype(np.int64)
    none = np.full(len(log.urls), -1, dtype=np.int64)
    return draw_knowledge(LinkageSide(log, own, none, (QUERY,)), users, share, seed)


def draw_stranger_knowledge(
    evidence: Evidence, targets: int, share: float, rng: np.random.Generator
) -> AttackerKnowledge | None:
    """What would be known of users of the reference who are not in the log."""
    other = evidence.reference
    if other is None:
        return None
    chosen = draw_strangers(other.users, evidence.log.users, targets, rng)
    if chosen is None:
        return None
    return draw_query_knowledge(other, chosen, share, int(rng.integers(1 << 62)))


@dataclass(frozen=True, eq=False)
class KnownQueryMapping:
    """Known queries and what each is taken for, as it was and as it is altered.

    Attributes
    ----------
    codes
        The distinct keys of `known`, ascending; shape (q,).
    strings, altered
        Each of them as it was issued, and as the attacker has it in mind; q each.
    true, vague
        The released query that each is nearest to.
    slip
        A number from 0 to 1 for each: it is altered where that is below the share; shape (q,).
    """

    known: AttackerKnowledge
    codes: Int64s
    strings: Sequence[str]
    altered: Sequence[str]
    true: NearMatches
    vague: NearMatches
    slip: Float64s

    @classmethod
    def of(
        cls,
        log: QueryLog,
        known: AttackerKnowledge,
        released: QueryLog,
        *,
        alter: QueryAlteration,
        least: float,
        seed: int,
        progress: Progress,
    ) -> KnownQueryMapping:
        codes = sorted_distinct(known.keys)
        strings = log.queries.list_strings(codes)
        altered = alter(strings, seed)
        distinct = list(dict.fromkeys([*strings, *altered]))
        place = {text: at for at, text in enumerate(distinct)}
        found = find_near_matches(distinct, released.queries, least, progress)
        true = _take_matches(found, np.array([place[text] for text in strings], dtype=np.int64))
        vague = _take_matches(found, np.array([place[text] for text in altered], dtype=np.int64))
        slip = np.random.default_rng(seed + 1).random(len(codes))
        return cls(known, codes, strings, altered, true, vague, slip)

    def list_mapped_queries(self) -> Int64s:
        """Every released query that something known may be mapped to."""
        found = sorted_distinct(np.concatenate([self.true.place, self.vague.place]))
        return found[found >= 0]

    def choose_altered(self, share: float) -> Bools:
        """Which known queries are altered if so many of them are."""
        chosen: Bools = self.slip < share
        return chosen

    def translate(self, share: float, nearly: bool) -> AttackerKnowledge:
        """The knowledge in the release's query codes; a share of the queries is altered."""
        vague = self.choose_altered(share)
        place = np.where(vague, self.vague.place, self.true.place)
        kind = np.where(vague, self.vague.kind, self.true.kind)
        weight = np.where(vague, self.vague.likeness, self.true.likeness) ** STEEPNESS
        weight[kind == NearKind.NONE] = 0.0
        if not nearly:
            weight[kind != NearKind.SAME] = 0.0
        at = np.searchsorted(self.codes, self.known.keys)
        return replace_keys(self.known, place[at], self.known.counts * weight[at])

    def count_kinds(self, share: float) -> Int64s:
        """How many known queries have which kind of match."""
        kind = np.where(self.choose_altered(share), self.vague.kind, self.true.kind)
        return np.bincount(kind, minlength=len(NearKind)).astype(np.int64)


def replace_keys(known: AttackerKnowledge, keys: Int64s, counts: Float64s) -> AttackerKnowledge:
    """The same knowledge under other keys; equal ones of a target add up, without a count go."""
    target = np.repeat(np.arange(len(known.events)), np.diff(known.starts))
    some = counts > 0
    target, keys, counts = target[some], keys[some], counts[some]
    order = np.lexsort((keys, target))
    target, keys, counts = target[order], keys[order], counts[order]
    new = np.flatnonzero((np.diff(keys, prepend=-2) != 0) | (np.diff(target, prepend=-1) != 0))
    total = np.add.reduceat(counts, new) if len(new) else counts[:0]
    starts = np.searchsorted(target[new], np.arange(len(known.events) + 1))
    return dataclasses.replace(known, starts=starts.astype(np.int64), keys=keys[new], counts=total)


def _take_matches(found: NearMatches, at: Int64s) -> NearMatches:
    return NearMatches(found.place[at], found.likeness[at], found.kind[at])
