"""Sensitive topics that groups give away: what all members of a group show, each of them shows.

k-anonymity hides which of k records is a person's, and nothing that the k have in common. Somebody
who knows that a person is in a group reads the sensitive topics (health, religion, crime, …) that
nine of ten of its records show, and names the rarest. That is right if the person really searched
for it; a method that gives a member's searches to the whole group makes it wrong for others.

* Rate: of all users with a record in a group of two or more, those whose topic is named rightly.
* Baseline: the same names given to the same users by the topics' prior, the share of the log's
  users who searched for each.
* Control: users who are not in the release (those without a record, and the reference log's), each
  taken for a member of the group with the same columns, or of that whose record shares the most
  with what they searched for.

Groups are records with the same share of every query, or, where a release has a width δ of query
clusters, of every cluster, if its statement says that it has groups or if nine of ten records of
two queries or more are like another one. Else they are records with the same columns, if any are
released (spec 7, section 4). Homogeneity proper is counted beside it: users of whom all members of
their group searched for a common sensitive topic, so that naming it is certain.

Source: Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam: l-Diversity (TKDD 2007), the
homogeneity attack; rate, baseline and control as in Giomi et al.: Anonymeter (PoPETs 2023).
Cost: O(rows · log rows), detection in each distinct query, and the clustering of (k,δ) where it is
needed.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from auditor.arrays import Bools, Float64s, Int64s, UInt64s, mark_run_starts, mean_of
from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.attacks.detection.detector import DetectorOptions, detect_marks
from auditor.attacks.detection.kinds import TOPICS
from auditor.attacks.intervals import describe_share
from auditor.attacks.record_linkage.targets import draw_strangers, released_log, why_not
from auditor.bit_mixing import mix_numbers
from auditor.figures import UserReference
from auditor.log.gil_friendly import is_among, sorted_distinct
from auditor.log.lifetime_cache import LifetimeCache
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.params import Params
from auditor.privacy.records import pair_records, records_of
from auditor.privacy.release import Anonymized
from auditor.privacy.verification.k_delta import cluster_by_clicks, number_share_classes
from auditor.progress import Progress, silent_progress

catalogue = MetricCatalogue("attacks", "attribute_inference")

_NOBODY = -1
_CLASSES = LifetimeCache[QueryLog, Int64s]()
"""The classes of released records with equal shares of queries."""
_ALIKE = 0.9
"""Share of records of several queries from which on records that are alike are groups."""


@dataclass(frozen=True, kw_only=True)
class AttributeInferenceParams(Params, owner="attribute-inference"):
    """When a topic is named."""

    certainty: float = 0.9
    confidence: float = 0.5
    outsiders: int = 2_000


class RecordGroups(NamedTuple):
    """The group of each record; `columns` are the hashes of groups' columns, ascending, if any."""

    number: Int64s
    columns: UInt64s | None


class _Guesses(NamedTuple):
    """The topic named for each target, −1 for none, and whether it is right; shape (targets,)."""

    topic: Int64s
    right: Bools


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
    groups = find_groups(log, release, progress)
    group = groups.number
    record = records_of(log, release, np.arange(len(log.users), dtype=np.int64), progress).record
    members = np.bincount(group)
    # The rarest topic that each group shares, −1 for none; shape (groups,).
    shared = _share_by_group(topics, group, params.certainty)
    rarest = np.where(shared, prior, np.inf).argmin(axis=1)
    topic_of_group = np.where(shared.any(axis=1), rarest, _NOBODY).astype(np.int64)
    holders, records = pair_records(log, release, record)
    in_group = members[group[records]] > 1
    holders, holder_group = holders[in_group], group[records[in_group]]
    target = sorted_distinct(holders)
    topic = topic_of_group[holder_group]
    rarity = np.where(topic >= 0, prior[topic], np.inf)
    order = np.lexsort((rarity, holders))  # of what several records of a user tell the rarest
    guesses = _judge(topic[order[mark_run_starts(holders[order])]], truth[target])
    expected = np.where(guesses.topic >= 0, prior[guesses.topic], 0.0)
    common = np.logical_or.reduce(_share_by_group(truth[holders], holder_group, 1.0), axis=1)
    certain = is_among(target, holders[common[holder_group]])
    outside = _attack_outsiders(
        evidence, params, record, truth, topic_of_group, groups, rng, progress
    )
    hits, attempts = int(guesses.right.sum()), int((guesses.topic >= 0).sum())
    users, sure = len(target), int(certain.sum())
    homogeneous_users = UserReference.from_parts("users", [target[certain]])
    rows, owners = [], []
    for number, kind in enumerate(TOPICS):
        is_topic = guesses.topic == number
        if is_topic.any():
            right = guesses.right[is_topic]
            counts = int(is_topic.sum()), int(right.sum()), float(right.mean())
            rows.append([kind.label, *counts, float(prior[number])])
            owners.append(target[is_topic & guesses.right])
    notes = [catalogue.say("attempts", attempts=attempts, users=users)]
    single_records = int((members[group] == 1).sum())
    if single_records:
        notes.append(catalogue.say("unlike_records", alone=single_records))
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
        control=mean_of(outside.right) if outside is not None else None,
        rate_label=catalogue.say("rate", users=users),
        values=(
            describe_share(catalogue, "named", attempts, users),
            describe_share(catalogue, "right", hits, attempts),
            describe_share(catalogue, "homogeneous", sure, users, who=homogeneous_users),
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


def find_groups(log: QueryLog, release: Anonymized, progress: Progress) -> RecordGroups:
    """Released records that are alike, or else those with the same columns.

    Clusters are taken where a release has a width δ of them and some records are like no other.
    """
    released = release.log
    assert released is not None
    if not (_declares_groups(release) or _forms_groups(released, progress)):
        columns, number = np.unique(_hash_columns(released, released), return_inverse=True)
        return RecordGroups(number.astype(np.int64), columns)
    group = _find_classes(released, progress)
    width = release.params.get("delta")
    if isinstance(width, float) and (np.bincount(group) == 1).any():
        labels = cluster_by_clicks(released, width, clicked=log, progress=progress)
        group = number_share_classes(released, labels, progress)
    return RecordGroups(group, None)


def _find_classes(released: QueryLog, progress: Progress) -> Int64s:
    queries = np.arange(len(released.queries), dtype=np.int64)
    return _CLASSES.get(released, None, lambda: number_share_classes(released, queries, progress))


def _declares_groups(release: Anonymized) -> bool:
    return bool({"groups", "k", "smallest_class"} & release.statement.measured.keys())


def _forms_groups(released: QueryLog, progress: Progress) -> bool:
    """Whether records of several queries are like others; those of one are so by chance."""
    pairs = sorted_distinct(released.user.astype(np.int64) << 32 | released.query)
    has_several = np.bincount(pairs >> 32, minlength=len(released.users)) > 1
    group = _find_classes(released, progress)
    return bool(has_several.any() and mean_of(np.bincount(group)[group[has_several]] > 1) >= _ALIKE)


def _hash_columns(source: QueryLog, released: QueryLog) -> UInt64s:
    """A number for each user by all that the released columns show on their rows; O(rows log rows).

    A value that no released row has is one that was taken away. Two numbers agree by chance with
    2⁻⁶⁴.
    """
    row = np.zeros(len(source), dtype=np.uint64)
    for name, column in released.attributes.items():
        own = source.attributes[name]
        code = np.append(own.texts.match(column.texts), np.int32(NONE)).astype(np.int64)
        row = mix_numbers(row + (code[own.codes] + 1).astype(np.uint64))
    order = np.lexsort((row, source.user))
    first = order[mark_run_starts(source.user[order], row[order])]
    total = np.zeros(len(source.users), dtype=np.uint64)
    np.add.at(total, source.user[first], mix_numbers(row[first]))
    return total


def _share_by_group(topics: Bools, group: Int64s, least: float) -> Bools:
    """Which topics this share of each group's members have; shape (groups, topics)."""
    size = np.bincount(group, minlength=1)
    counts = np.column_stack(
        [np.bincount(group[column], minlength=len(size)) for column in topics.T]
    )
    return (counts >= least * size[:, None] - 1e-9) & (counts > 0)


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
    return (bits[:, None] >> kinds & np.uint64(1)).astype(np.bool_)


def _attack_outsiders(
    evidence: Evidence,
    params: AttributeInferenceParams,
    record: Int64s,
    truth: Bools,
    topic_of_group: Int64s,
    groups: RecordGroups,
    rng: np.random.Generator,
    progress: Progress,
) -> _Guesses | None:
    """The same for users who are not in the release; None if there are none."""
    log, reference = evidence.log, evidence.reference
    _, released = released_log(evidence)
    parts: list[tuple[QueryLog, Int64s, Bools | None]]
    parts = [(log, np.flatnonzero(record == NONE), truth)]
    if reference is not None:
        strangers = draw_strangers(reference.users, log.users, params.outsiders, rng)
        parts += [(reference, strangers, None)] if strangers is not None else []
    guesses = []
    for source, users, topics in parts:
        if len(users) > params.outsiders:
            users = np.sort(rng.choice(users, params.outsiders, replace=False))
        if groups.columns is not None:
            if not released.attributes.keys() <= source.attributes.keys():
                continue
            values = _hash_columns(source, released)[users]
            group = np.searchsorted(groups.columns, values)
            is_alike = is_among(values, groups.columns)
            users, topic = users[is_alike], topic_of_group[group[is_alike]]
        elif len(users):
            place = _find_nearest(source, users, released, progress)
            topic = np.where(place >= 0, topic_of_group[groups.number[place]], _NOBODY)
        if len(users):
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
        has_groups = _declares_groups(release) or bool(release.log.attributes)
        if not has_groups and not _forms_groups(release.log, silent_progress()):
            return "needs a release whose records form groups, or with columns beside them"
    return why_not(evidence)


ATTACK = Attack(
    **catalogue.card,
    criterion="inference",
    params=AttributeInferenceParams,
    run=run,
    knows_columns=True,
    applies=("log",),
    unfit=explain_unfit,
)
