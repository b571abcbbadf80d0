"""Records of one user that queries and words link across days, where ids change.

A release may give a user a new id each day, or for each mini-session. The attacker takes one record
and looks on other days for the record that shares most with it: each query and word that both hold
counts by how rare it is in the release. Where times don't tell days, it looks among all other
records. Nothing but the release is known. Where it has columns beside its rows, only records that
begin with the same values are compared, or all, whichever links more above guessing.

* Rate: records whose first-ranked record (of another day, where days are told) is the same user's;
  of n that rank first together each counts 1/n.
* Baseline: the share of the records of other days that are the user's. What columns link is no
  guessing: they are released.
* Control: the same with the users of all records exchanged at random.

A truth table must say whose records are (spec 7, section 4, `mini-session-linkage`); the method's
own run has it. What is in more than `common` records links nothing. Cost: O(rows log rows), and
`common` records for each query and word of a target.
"""

import copy
import dataclasses
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from auditor.arrays import Float64s, Int64s, mean_of
from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.attacks.intervals import describe_share
from auditor.attacks.record_linkage.targets import draw_users, released_log
from auditor.figures import UserReference
from auditor.log.columns import count_holders
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog
from auditor.log.text import tokenize_strings
from auditor.params import Params
from auditor.privacy.identity import kept_ids
from auditor.privacy.release import Anonymized
from auditor.privacy.release_times import SHUFFLED, floor_times, times_of
from auditor.progress import Progress, silent_progress

catalogue = MetricCatalogue("attacks", "mini_session_linkage")

_DAY = 86_400
_BLOCK = 128


@dataclass(frozen=True, kw_only=True)
class MiniSessionLinkageParams(Params, owner="mini-session-linkage"):
    """How many records are attacked, and what is too common to link any."""

    targets: int = 2_000
    common: int = 1_000


class _Records(NamedTuple):
    """Of each record its user (−1 unknown), its day and its group of columns; shape (records,).

    Where times don't tell days, each record has a day of its own.
    """

    owner: Int64s
    day: Int64s
    group: Int64s


def run(
    evidence: Evidence,
    params: MiniSessionLinkageParams,
    *,
    rng: np.random.Generator,
    progress: Progress,
) -> AttackResult:
    """Look for each target's like on other days, by columns, too, if that links more."""
    release, released = released_log(evidence)
    views = [release]
    if released.attributes:
        views.append(dataclasses.replace(release, content=released.without_attributes))
    results = (
        _link_records(evidence.log, view, params, copy.deepcopy(rng), progress)
        for view in views
        if len(_find_returning(_describe_records(evidence.log, view)))
    )
    return max(results, key=lambda result: result.rate - result.baseline)


def _link_records(
    log: QueryLog,
    release: Anonymized,
    params: MiniSessionLinkageParams,
    rng: np.random.Generator,
    progress: Progress,
) -> AttackResult:
    assert release.log is not None
    released = release.log
    records, days = _describe_records(log, release), _tells_days(release)
    able = _find_returning(records)
    targets = able[draw_users(len(able), params.targets, rng)]
    contents, weight = _weigh_contents(released, params.common, progress)
    owned, exchanged = np.flatnonzero(records.owner >= 0), records.owner.copy()
    exchanged[owned] = rng.permutation(records.owner[owned])
    holders = contents.T.tocsr()
    hits, by_chance, baseline = np.zeros((3, len(targets)), dtype=np.float64)
    for first, last in progress.blocks("comparing records", len(targets), _BLOCK):
        block = targets[first:last]
        shared = (contents[block].multiply(weight) @ holders).tocsr()
        for place, target in enumerate(block.tolist()):
            span = slice(shared.indptr[place], shared.indptr[place + 1])
            elsewhen = records.day != records.day[target]
            compared = elsewhen & (records.group == records.group[target])
            other = shared.indices[span].astype(np.int64)
            score = shared.data[span]
            among = compared[other]
            other, score = other[among], score[among]
            best = other[score >= score.max() * (1 - 1e-9)] if len(score) else other
            row = first + place
            baseline[row] = np.mean(records.owner[elsewhen] == records.owner[target])
            if not len(best):
                best = np.flatnonzero(compared)
            for rates, owner in ((hits, records.owner), (by_chance, exchanged)):
                rates[row] = np.mean(owner[best] == owner[target])
    linked = sorted_distinct(records.owner[targets[hits > 0.5]])
    owners = sorted_distinct(records.owner[targets])
    linked_users = UserReference.from_parts("users", [linked])
    notes = [
        catalogue.say(
            "attempts" if days else "attempts_without_days", targets=len(targets), able=len(able)
        )
    ]
    if len(owned) < len(records.owner):
        notes.append(catalogue.say("unnamed", unnamed=len(records.owner) - len(owned)))
    return ATTACK.build_result(
        params,
        float(hits.sum()),
        len(targets),
        baseline=mean_of(baseline),
        control=mean_of(by_chance) if len(targets) else None,
        rate_label=catalogue.say("rate" if days else "rate_without_days"),
        values=(
            describe_share(
                catalogue,
                "users" if days else "users_without_days",
                len(linked),
                len(owners),
                who=linked_users,
                named="users",
            ),
            catalogue("records", len(released.users)),
        ),
        notes=tuple(notes),
        details={"targets": len(targets), "records": len(released.users)},
    )


def _describe_records(log: QueryLog, release: Anonymized) -> _Records:
    assert release.log is not None
    assert release.truth is not None
    released, owner = release.log, release.truth.find_owners(log, release.log)
    begins = released.user_starts[:-1]
    codes = {name: attribute.codes for name, attribute in released.attributes.items()}
    group = count_holders(released, codes)[0] if codes else np.zeros_like(released.time)
    day = released.time[begins] // _DAY if _tells_days(release) else np.arange(len(owner))
    return _Records(owner, day, group[begins])


def _tells_days(release: Anonymized) -> bool:
    """Whether the times of a release are of days: neither shuffled nor of weeks.

    Of a week's first day its first hour stays: seconds number a user's equal searches of the week.
    """
    assert release.log is not None
    hours, weeks = (floor_times(release.log.time, step) for step in ("hour", "week"))
    return times_of(release.params) != SHUFFLED and bool((hours != weeks).any())


def _find_returning(records: _Records) -> Int64s:
    """Records of users who have another one on another day, in the same group."""
    owned = np.flatnonzero(records.owner >= 0)
    owner_and_group = np.stack([records.owner[owned], records.group[owned]])
    number = np.unique(owner_and_group, axis=1, return_inverse=True)[1].ravel()
    pairs = np.unique(np.stack([number, records.day[owned]]), axis=1)
    return owned[np.bincount(pairs[0])[number] > 1]


def _weigh_contents(released: QueryLog, common: int, progress: Progress) -> tuple[Any, Float64s]:
    """Which record holds which query or word, as a sparse matrix; the weight of each of these."""
    from scipy import sparse

    progress.stage("indexing records")
    records, queries = len(released.users), len(released.queries)
    pairs = sorted_distinct(released.user.astype(np.int64) << 32 | released.query)
    user, query = pairs >> 32, pairs & 0xFFFFFFFF
    by_query = sparse.csr_matrix(
        (np.ones(len(pairs), dtype=np.float32), (user, query)), shape=(records, queries)
    )
    progress.check()
    words = tokenize_strings(released.queries, progress)
    split = sparse.csr_matrix(
        (np.ones(len(words.codes), dtype=np.float32), words.codes, words.offsets),
        shape=(queries, len(words.vocabulary)),
    )
    spoken = by_query @ split
    spoken.data[:] = 1
    contents = sparse.hstack([by_query, spoken], format="csr")
    holders = np.bincount(contents.indices, minlength=contents.shape[1])
    telling = np.flatnonzero((holders > 1) & (holders <= common))
    weight = np.log(max(records, 2) / holders[telling])
    return contents[:, telling], weight


def explain_unfit(evidence: Evidence) -> str:
    """Why no records can be linked, in words; empty if some can be."""
    release = evidence.release
    if release is None:
        return "needs a release"
    if release.log is None:
        return "needs a release that is a log: tables hold no records of users"
    if len(release.log.users) < 2:
        return "needs two records at least: here all rows stand under one id"
    if release.truth is None:
        if kept_ids(evidence.log, release, silent_progress()) is not None:
            return "needs users with several records: here are no more records than users"
        return "needs a truth table: nobody can tell whose records are of one user"
    plain_release = dataclasses.replace(release, content=release.log.without_attributes)
    records = _describe_records(evidence.log, plain_release)
    if not len(_find_returning(records)):
        if (records.owner < 0).any():
            return "needs a truth table that names more of the ids"
        if _tells_days(release):
            return "needs users with records on several days: here nobody has"
        return "needs users with several records: here nobody has"
    return ""


ATTACK = Attack(
    **catalogue.card,
    criterion="linkability",
    params=MiniSessionLinkageParams,
    run=run,
    applies=("log", "hashes"),
    knows_columns=True,
    unfit=explain_unfit,
)
