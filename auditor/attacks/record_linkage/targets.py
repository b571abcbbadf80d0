"""Whom a linkage attack looks for and what is known of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Int64s
from auditor.attacks.base import Evidence
from auditor.attacks.record_linkage.index import (
    QUERY,
    AttackerKnowledge,
    LinkageScores,
    LinkageSide,
    draw_knowledge,
)
from auditor.errors import MissingInput
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.privacy.identity import kept_ids
from auditor.privacy.records import RecordTruth, records_of, rows_tell
from auditor.privacy.release import Anonymized
from auditor.progress import Progress, silent_progress

NEEDS_TRUTH = "needs a truth table"
"""How the reason begins why nobody can say whether a guess was right: with one it would apply."""
NO_OWNERS = "needs a truth table: nobody can tell whose record is whose"


def why_not(evidence: Evidence) -> str:
    """Why nothing can be linked, in words; empty if it can. O(rows), without sorting."""
    release = evidence.release
    if release is None:
        return "needs a release"
    if release.log is None:
        return "needs a release that is a log: tables hold no records of users"
    if not len(evidence.log) or not len(release.log):
        return "needs rows on either side: there is nothing to link"
    if len(release.log.users) < 2:
        return "needs two records at least: here all rows stand under one id"
    return why_unknown_owners(evidence.log, release, release.log)


def why_unknown_owners(log: QueryLog, release: Anonymized, released: QueryLog) -> str:
    """Why the owners of records are unknown, in words; empty if they are known."""
    if release.truth is not None:
        owners = release.truth.find_owners(log, released)
        return "" if (owners >= 0).any() else "needs a truth table that names users of this log"
    if kept_ids(log, release, silent_progress()) is not None:
        return ""
    if not rows_tell(log, release, silent_progress()):
        return (
            "needs a truth table: ids were changed or may be equal by accident, and the rows are "
            "no longer those of the log, so nobody can tell whose record is whose"
        )
    if len(released.users) > len(log.users):
        return (
            "needs a truth table: there are more changed ids than users, and nobody can tell which "
            "are of one user"
        )
    return ""


def explain_no_targets() -> MissingInput:
    """What an attack raises that can't say of any target which record is theirs."""
    return MissingInput(NO_OWNERS)


def draw_users(users: int, size: int, rng: np.random.Generator) -> Int64s:
    """Up to `size` of so many users, ascending."""
    if users <= size:
        return np.arange(users, dtype=np.int64)
    return np.sort(rng.choice(users, size, replace=False)).astype(np.int64)


def draw_strangers(
    candidates: Vocabulary, excluded: Vocabulary, size: int, rng: np.random.Generator
) -> Int64s | None:
    """Up to `size` users of one log who are not in the other; None if all of them are."""
    strangers = np.flatnonzero(candidates.match(excluded) == NONE)
    return strangers[draw_users(len(strangers), size, rng)] if len(strangers) else None


def released_log(evidence: Evidence) -> tuple[Anonymized, QueryLog]:
    """The release and its log, where `why_not` has nothing against them."""
    release = evidence.release
    assert release is not None
    assert release.log is not None
    return release, release.log


def own_queries(log: QueryLog) -> LinkageSide:
    """The log's own query codes as keys; blank queries are nothing."""
    keys = np.where(log.queries.find_blank(), -1, np.arange(len(log.queries))).astype(np.int64)
    return LinkageSide(log, keys, np.full(len(log.urls), -1, dtype=np.int64), (QUERY,))


@dataclass(frozen=True, eq=False, kw_only=True)
class LinkageTargets:
    """The t targets who have a record, and what is known of them and of people not in the log."""

    # users, record: their codes in the log and in the release; shape (t,)
    users: Int64s
    record: Int64s
    truth: RecordTruth  # the true record of every target that was drawn, and how it is known
    side: LinkageSide  # the rows of the log as keys
    # knowledge, outsiders: what is known of the targets, and of users of the reference who are not
    # in the log; None without such users
    knowledge: AttackerKnowledge
    outsiders: AttackerKnowledge | None
    # share, seed: the share of their events that is known, and what decides which
    share: float
    seed: int
    # records, users_total: records in the release; users in the log
    records: int
    users_total: int

    @classmethod
    def draw(
        cls,
        evidence: Evidence,
        size: int,
        share: float,
        rng: np.random.Generator,
        progress: Progress,
        make_side: Callable[[QueryLog], LinkageSide] = own_queries,
    ) -> LinkageTargets:
        """Draw up to `size` users; the same ones for every attack with the same `rng`.

        Raises `MissingInput` where nobody can tell of any of them which record is theirs.
        """
        log, reference = evidence.log, evidence.reference
        release, released = released_log(evidence)
        drawn_users = draw_users(len(log.users), size, rng)
        truth = records_of(log, release, drawn_users, progress)
        users = drawn_users[truth.record >= 0]
        if not len(users):
            raise explain_no_targets()
        seed = int(rng.integers(1 << 62))
        side, outsiders = make_side(log), None
        if reference is not None:
            strangers = draw_strangers(reference.users, log.users, size, rng)
            if strangers is not None:
                stranger_seed = int(rng.integers(1 << 62))
                outsiders = draw_knowledge(make_side(reference), strangers, share, stranger_seed)
        return cls(
            users=users,
            record=truth.record[truth.record >= 0],
            truth=truth,
            side=side,
            knowledge=draw_knowledge(side, users, share, seed),
            outsiders=outsiders,
            share=share,
            seed=seed,
            records=len(released.users),
            users_total=len(log.users),
        )

    def is_own(self, records: Int64s) -> Bools:
        """Whether each target is given one of their own records; shape (t,)."""
        record, person = self.record, self.truth.person
        if person is None:
            return np.equal(records, record)
        is_same_person: Bools = (records >= 0) & (person[records] == person[record])
        return is_same_person

    @property
    def drawn(self) -> int:
        """Targets drawn."""
        return len(self.truth.record)

    @property
    def without(self) -> int:
        """Targets without a record."""
        return int(np.count_nonzero(self.truth.record == -1))

    @property
    def unknown(self) -> int:
        """Targets of whom nobody can say which record is theirs."""
        return int(np.count_nonzero(self.truth.record == -2))


@dataclass(frozen=True, eq=False, kw_only=True)
class LinkageSummary(LinkageTargets):
    """How the records rank for each target (`scores`), also by the share of events that is known.

    `strangers` are the scores of people who are not in the log, None without a reference;
    `readable` says whether queries were compared as strings.
    """

    scores: LinkageScores
    shares: dict[float, LinkageScores]
    strangers: LinkageScores | None
    readable: bool = True
