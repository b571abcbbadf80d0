"""Sensitive topics that groups give away: what all members of a group show, each of them shows.

k-anonymity hides which of k records is a person's, and nothing that the k have in common. Somebody
who knows that a person is in a group reads the sensitive topics (health, religion, crime, …) that
the records of all members show, and names the rarest. That is right if the person really searched
for it; a method that gives a member's searches to the whole group makes it wrong for others.

* Rate: of all users with a record in a group of two or more, those whose topic is named rightly.
* Baseline: the same names given to the same users by the topics' prior, the share of the log's
  users who searched for each.
* Control: users who are not in the release (those without a record, and the reference log's), each
  taken for a member of the group whose record shares the most with what they searched for.

Groups are records with the same share of every query, or, where a release has a width δ of query
clusters, of every cluster. Homogeneity proper is counted beside it: users of whom all members of
their group searched for a common sensitive topic, so that naming it is certain.

Source: Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam: l-Diversity (TKDD 2007), the
homogeneity attack; rate, baseline and control as in Giomi et al.: Anonymeter (PoPETs 2023).
Cost: O(rows · log rows), detection in each distinct query, and the clustering of (k,δ) where it is
needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from auditor.arrays import Bools, Float64s, Int64s, UInt64s, mark_run_starts, mean_of
from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.attacks.detection.detector import DetectorOptions, detect_marks
from auditor.attacks.detection.kinds import TOPICS
from auditor.attacks.intervals import describe_share
from auditor.attacks.record_linkage.targets import draw_strangers, released_log, why_not
from auditor.figures import UserReference
from auditor.log.gil_friendly import is_among, sorted_distinct
from auditor.log.lifetime_cache import LifetimeCache
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.params import Params
from auditor.privacy.records import pair_records, records_of
from auditor.privacy.release import UNKNOWN, Anonymized
from auditor.privacy.verification.k_delta import cluster_by_clicks, number_share_classes
from auditor.progress import Progress, silent_progress

catalogue = MetricCatalogue("attacks", "attribute_inference")

_NOBODY = -1
_GROUPS = LifetimeCache[QueryLog, Int64s]()
"""The groups of released records by their queries."""


@dataclass(frozen=True, kw_only=True)
class AttributeInferenceParams(Params, owner="attribute-inference"):
    """When a topic is named."""

    confidence: float = 0.5
    outsiders: int = 2_000


class _Guesses(NamedTuple):
    """The topic named for each target, −1 for none, and whether it is right; shape (targets,)."""

    topic: Int64s
    right: Bools

    @property
    def rate(self) -> float:
        """Share of the targets whose topic is named rightly."""
        return mean_of(self.right)


def run(
    evidence: Evidence,
    params: AttributeInferenceParams,
    *,
    rng: np.random.Generator,
    progress: Progress,
) -> AttackResult:
    """Name each user's rarest topic that their whole group shows."""
    log, (release, released) = evidence.log, released_log(evidence)
    truth = find_topics(log, _detect_topics(log.queries, params, progress))
    topics = find_topics(released, _detect_topics(released.queries, params, progress))
    prior: Float64s = truth.mean(axis=0, dtype=np.float64)
    group = number_groups(log, release, progress)
    record = records_of(log, release, np.arange(len(log.users), dtype=np.int64), progress).record
    members = np.bincount(group)
    named = name_topics(_share_by_group(topics, group), prior)
    holders, records = pair_records(log, release, record)
    in_group = members[group[records]] > 1
    holders, groups = holders[in_group], group[records[in_group]]
    target = sorted_distinct(holders)
    topic = named[groups]
    rarity = np.where(topic >= 0, prior[topic], np.inf)
    order = np.lexsort((rarity, holders))  # of what several records of a user tell the rarest
    guesses = _judge(topic[order[mark_run_starts(holders[order])]], truth[target])
    expected = np.where(guesses.topic >= 0, prior[guesses.topic], 0.0)
    common = np.logical_or.reduce(_share_by_group(truth[holders], groups), axis=1)
    certain = is_among(target, holders[common[groups]])
    outside = _attack_outsiders(evidence, params, record, truth, named, group, rng, progress)
    hits, attempts = int(guesses.right.sum()), int((guesses.topic >= 0).sum())
    users, sure = len(target), int(certain.sum())
    who = UserReference.from_parts("users", [target[certain]])
    rows, owners = [], []
    for number, kind in enumerate(TOPICS):
        chosen = guesses.topic == number
        if chosen.any():
            right = guesses.right[chosen]
            counts = int(chosen.sum()), int(right.sum()), float(right.mean())
            rows.append([kind.label, *counts, float(prior[number])])
            owners.append(target[chosen & guesses.right])
    notes = [catalogue.say("attempts", attempts=attempts, users=users)]
    alone = int((members[group] == 1).sum())
    if alone:
        notes.append(catalogue.say("unlike_records", alone=alone))
    if outside is None:
        notes.append(
            "There is no control: every user is in the release. A reference log has others."
        )
    else:
        notes.append(catalogue.say("control", users=len(outside.right)))
    return ATTACK.build_result(
        params,
        hits,
        users,
        baseline=mean_of(expected),
        control=outside.rate if outside is not None else None,
        rate_label=catalogue.say("rate", users=users),
        values=(
            describe_share(catalogue, "named", attempts, users),
            describe_share(catalogue, "right", hits, attempts),
            describe_share(catalogue, "homogeneous", sure, users, who=who),
        ),
        tables=(
            catalogue.table("topics", rows, who={-1: UserReference.from_parts("users", owners)}),
        ),
        notes=tuple(notes),
        details={"targets": users, "attempts": attempts, "hits": hits},
    )


def find_topics(log: QueryLog, topics: Bools) -> Bools:
    """Which users searched for which topic; `topics` are the queries'. Shape (users, topics)."""
    by_user = np.zeros((len(log.users), topics.shape[1]), dtype=np.bool_)
    for number in range(topics.shape[1]):
        by_user[log.user[topics[log.query, number]], number] = True
    return by_user


def number_groups(log: QueryLog, release: Anonymized, progress: Progress) -> Int64s:
    """The group of each released record: equal shares of queries, or else of query clusters.

    Clusters are taken where a release has a width δ of them and some records are like no other.
    """
    released = release.log
    assert released is not None
    queries = np.arange(len(released.queries), dtype=np.int64)
    group = _GROUPS.get(released, None, lambda: number_share_classes(released, queries, progress))
    width = release.params.get("delta")
    if isinstance(width, float) and (np.bincount(group) == 1).any():
        labels = cluster_by_clicks(released, width, clicked=log, progress=progress)
        group = number_share_classes(released, labels, progress)
    return group


def name_topics(shared: Bools, prior: Float64s) -> Int64s:
    """The rarest topic that each group shares, −1 for none; shape (groups,)."""
    rarity = np.where(shared, prior, np.inf)
    return np.where(shared.any(axis=1), rarity.argmin(axis=1), _NOBODY).astype(np.int64)


def _share_by_group(topics: Bools, group: Int64s) -> Bools:
    """Which topics all members of each group have; shape (groups, topics)."""
    size = np.bincount(group, minlength=1)
    counts = np.column_stack(
        [np.bincount(group[column], minlength=len(size)) for column in topics.T]
    )
    shared: Bools = (counts == size[:, None]) & (size[:, None] > 0)
    return shared


def _judge(topic: Int64s, truth: Bools) -> _Guesses:
    right = (topic >= 0) & truth[np.arange(len(topic)), np.maximum(topic, 0)]
    return _Guesses(topic, right)


def _detect_topics(
    queries: Vocabulary, params: AttributeInferenceParams, progress: Progress
) -> Bools:
    """Which queries are about which of `TOPICS`; shape (queries, topics)."""
    options = DetectorOptions(kinds=frozenset(TOPICS), least=params.confidence)
    bits: UInt64s = detect_marks(queries, options, progress=progress).build_bit_sets(len(queries))
    kinds = np.array([int(kind) for kind in TOPICS], dtype=np.uint64)
    topics: Bools = (bits[:, None] >> kinds & np.uint64(1)).astype(np.bool_)
    return topics


def _attack_outsiders(
    evidence: Evidence,
    params: AttributeInferenceParams,
    record: Int64s,
    truth: Bools,
    named: Int64s,
    group: Int64s,
    rng: np.random.Generator,
    progress: Progress,
) -> _Guesses | None:
    """The same for users who are not in the release; None if there are none."""
    log, reference = evidence.log, evidence.reference
    _, released = released_log(evidence)
    parts: list[tuple[QueryLog, Int64s, Bools | None]] = []
    parts.append((log, np.flatnonzero(record == NONE), truth))
    if reference is not None:
        strangers = draw_strangers(reference.users, log.users, params.outsiders, rng)
        parts += [(reference, strangers, None)] if strangers is not None else []
    guesses = []
    for source, users, topics in parts:
        if len(users) > params.outsiders:
            users = np.sort(rng.choice(users, params.outsiders, replace=False))
        if len(users):
            place = _find_nearest(source, users, released, progress)
            topic = np.where(place >= 0, named[group[place]], _NOBODY)
            if topics is None:
                topics = find_topics(source, _detect_topics(source.queries, params, progress))
            guesses.append(_judge(topic, topics[users]))
    if not guesses:
        return None
    return _Guesses(*(np.concatenate(column) for column in zip(*guesses, strict=True)))


def _find_nearest(
    source: QueryLog, users: Int64s, released: QueryLog, progress: Progress
) -> Int64s:
    """The record that shares the most with each user's queries, by their rarity; −1 for none."""
    from scipy.sparse import csr_array

    progress.stage("comparing users with records")
    code = source.queries.match(released.queries).astype(np.int64)
    holders = np.unique(released.user.astype(np.int64) << 32 | released.query)
    weight = np.log(len(released.users) / np.bincount(holders & 0xFFFFFFFF))
    shape = (len(released.users), len(released.queries))
    queries = holders & 0xFFFFFFFF
    records = csr_array((weight[queries], (holders >> 32, queries)), shape=shape).T.tocsr()
    nearest = np.full(len(users), NONE, dtype=np.int64)
    for number, user in enumerate(users.tolist()):
        progress.check()
        rows = slice(int(source.user_starts[user]), int(source.user_starts[user + 1]))
        codes = np.unique(code[source.query[rows]])
        codes = codes[codes != NONE]
        score = np.asarray(records[codes].sum(axis=0)).ravel() if len(codes) else np.zeros(1)
        if score.max() > 0:
            nearest[number] = int(score.argmax())
    return nearest


def explain_unfit(evidence: Evidence) -> str:
    """Why there are no groups to infer from, in words; empty if there are."""
    release = evidence.release
    if release is not None and release.log is not None:
        has_groups = bool({"groups", "k", "smallest_class"} & release.statement.measured.keys())
        if release.method == UNKNOWN:  # nobody says, but its rows do
            group = number_groups(evidence.log, release, silent_progress())
            has_groups = bool((np.bincount(group) > 1).any())
        if not has_groups:
            return "needs a release whose records form groups"
    return why_not(evidence)


ATTACK = Attack(
    name="attribute-inference",
    cost="O(rows · log rows), detection in each distinct query, and (k,δ)'s clustering",
    title="Attribute inference",
    criterion="inference",
    people="users have their sensitive topic told by their group",
    summary="Names the sensitive topic that all members of a user's group show, and counts how "
    "often it is theirs.",
    source="Machanavajjhala et al., TKDD 2007; Giomi et al., PoPETs 2023",
    params=AttributeInferenceParams,
    run=run,
    unsampled="needs all users of a group",
    applies=("log",),
    unfit=explain_unfit,
)
