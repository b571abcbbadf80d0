"""What (k,δ) and (m,k,δ,ε) share: the run, and the statement of what was reached."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from auditor.arrays import Int64s
from auditor.errors import ParameterError
from auditor.log import gil_friendly
from auditor.log.model import QueryLog
from auditor.log.origin import LogOrigin
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.methods import statements as words
from auditor.methods.base import check_group_size
from auditor.methods.k_delta.editing import EditedLog, edit_log, plan_edits, target_counts
from auditor.methods.k_delta.query_clusters import by_first, cluster_queries
from auditor.methods.k_delta.user_groups import UserGroups, group_users, user_vectors
from auditor.methods.noisy_counts.period_units import name_units
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import Product, ReleasedGroups
from auditor.privacy.statement import Assumption, Statement, Status, assume
from auditor.privacy.verification.k_delta import KDeltaVerdict, verify_k_delta
from auditor.progress import Progress

RECOMPUTED_QUERIES, RECOMPUTED_USERS = 200_000, 20_000
"""Up to so many released queries and users the slow, independent verifier clusters the release."""


def equal_parts(params: Any) -> int:
    """The size of the parts that become equal: m, or what (k,δ) means by it."""
    m: int | None = getattr(params, "m", None)
    return m if m is not None else params.k if params.epsilon == 0 else 1


def name_claim(params: Any) -> str:
    """The name of what is claimed, with its parameters."""
    if hasattr(params, "m"):
        return phrase(
            "({m:,}, {k:,}, {delta:g}, {epsilon:g})-anonymity",
            m=params.m,
            k=params.k,
            delta=params.delta,
            epsilon=params.epsilon,
        )
    name = phrase("({k:,}, {delta:g})-anonymity", k=params.k, delta=params.delta)
    return name + (
        phrase(" relaxed by ε = {epsilon:g}", epsilon=params.epsilon) if params.epsilon else ""
    )


def anonymize_groups(log: QueryLog, params: Any, *, rng: Randomness, progress: Progress) -> Product:
    """Cluster, group, edit and verify.

    Raises `ParameterError` where the log has fewer than k users.
    """
    m = equal_parts(params)
    progress.check()
    check_group_size(params.k, len(log.users))
    cluster = cluster_queries(log, params.delta, params.linkage, progress)
    edited, groups, clusters = _edit_interests(log, cluster, params, rng, progress)
    origin = LogOrigin(rows_read=len(edited.log))
    released = dataclasses.replace(edited.log, origin=origin)
    group = groups.group[released.users.match(log.users)]
    if params.ids == "random":
        new = rng.permutation(len(group))
        released = released.with_users(new.astype(np.int32), name_units(len(group)))
        group = group[np.argsort(new)]
    # Of the log under old ids only the counts are still needed.
    edited = dataclasses.replace(edited, log=released)
    known = cluster[released.queries.match(log.queries)]
    verdict = verify_k_delta(
        released,
        params.k,
        params.delta,
        params.epsilon,
        m,
        clusters=by_first(known) if len(known) else known,
        clicked=log,
        progress=progress,
    )
    changes = {
        "rows": len(log),
        "rows_released": len(released),
        "events_added": edited.added,
        "events_suppressed": edited.suppressed,
        "queries_dropped": len(log.queries) - len(released.queries),
        "users_dropped": len(log.users) - len(released.users),
        "searches_misattributed": edited.misattributed,
    }
    assumptions = _list_assumptions(log, edited, params, len(groups.lead), clusters)
    again = _recompute_verdict(released, params, m, progress)
    return Product(
        content=released,
        statement=Statement(
            model="k-anonymity" if verdict.holds else "none",
            claim=_write_claim(params, m, verdict, len(released.users)),
            unit="one user's shares of queries by cluster",
            assumptions=(*assumptions, _clusters_assumption(again, params)),
            measured={
                "largest_distance": verdict.worst,
                "failing_users": float(len(verdict.failing)),
                "smallest_class": float(verdict.smallest),
                "groups": float(len(groups.lead)),
                "query_clusters": float(clusters),
                "wide_clusters": float(len(verdict.wide)),
            },
        ),
        changes=changes,
        groups=ReleasedGroups(group, equal=False),
    )


def _edit_interests(
    log: QueryLog, cluster: Int64s, params: Any, rng: Randomness, progress: Progress
) -> tuple[EditedLog, UserGroups, int]:
    """Group users and edit what they searched for; also how many clusters of queries there are."""
    vectors = user_vectors(log, cluster, progress)
    m = equal_parts(params)
    groups = group_users(vectors, params.k, m, rng.permutation(len(vectors)), progress)
    clusters = vectors.width
    wanted = target_counts(vectors, groups, params.epsilon, progress)
    planned = [plan_edits(vectors, groups.part, wanted, params.size, params.mode, progress)]
    # Counts and edits outweigh the log: while it is edited nobody holds more of them than it takes.
    del vectors, wanted
    edited = edit_log(log, cluster, groups.group, planned.pop(), rng, progress)
    return edited, groups, clusters


def _recompute_verdict(
    log: QueryLog, params: Any, m: int, progress: Progress
) -> KDeltaVerdict | None:
    """The verdict by the release's own clicks; None where there are too many near queries.

    Small logs are clustered by the verifier itself, whose code shares nothing with the method's.
    """
    large = len(log.queries) > RECOMPUTED_QUERIES or len(log.users) > RECOMPUTED_USERS
    clusters = None
    if large or params.delta >= 0.6:
        try:
            clusters = cluster_queries(log, params.delta, "complete", progress)
        except ParameterError:
            return None
    return verify_k_delta(
        log, params.k, params.delta, params.epsilon, m, clusters=clusters, progress=progress
    )


def _clusters_assumption(again: KDeltaVerdict | None, params: Any) -> Assumption:
    evidence = "the release has too many queries that are near each other to cluster it again"
    if again is not None:
        evidence = sentence(
            "k_delta.users_fail_greatest_distance", failing=len(again.failing), worst=again.worst
        )
    return assume(
        "k_delta.clusters_are_those_of_the_whole_log",
        "unknown" if again is None else "holds" if again.holds else "fails",
        evidence,
        delta=params.delta,
    )


def _write_claim(params: Any, m: int, verdict: KDeltaVerdict, users: int) -> str:
    name = name_claim(params)
    if verdict.holds:
        return phrase(
            "{name} holds: every released user has at least {k:,} others whose shares of every "
            "query cluster are exactly the same. It says nothing about the words of a query, only "
            "about how often each interest occurs."
            if params.epsilon == 0
            else "{name} holds: every released user has at least {k:,} others whose shares of "
            "every query cluster are within {epsilon:g} of theirs, {m:,} of them exactly the "
            "same. It says nothing about the words of a query, only about how often each interest "
            "occurs.",
            name=as_phrase(name),
            k=params.k - 1,
            epsilon=params.epsilon,
            m=m - 1,
        )
    return phrase(
        "{name} is not reached: it fails for {short:,} of {users:,} users, and the greatest "
        "distance from a user to the farthest of their {k:,} nearest others is up to "
        "{worst:.4g} instead of {epsilon:g}."
        if verdict.bound
        else "{name} is not reached: it fails for {short:,} of {users:,} users, and the "
        "greatest distance from a user to the farthest of their {k:,} nearest others is "
        "{worst:.4g} instead of {epsilon:g}.",
        name=as_phrase(name),
        short=len(verdict.failing),
        users=users,
        k=params.k - 1,
        worst=verdict.worst,
        epsilon=params.epsilon,
    )


def strings_shown(shown: bool = True) -> Assumption:
    """(k,δ) is about shares of clusters alone; a release holds more."""
    return assume(
        "k_delta.the_attacker_sees_only_shares_of_clusters",
        "fails" if shown else "holds",
        "strings, clicks and times, as far as they are left, of every event stand in the release",
    )


def _list_assumptions(
    log: QueryLog, edited: EditedLog, params: Any, groups: int, clusters: int
) -> tuple[Assumption, ...]:
    released, borrowed = edited.log, edited.misattributed
    alone = _lonely_strings(released)
    strings = sentence(
        "k_delta.strings_stand_verbatim_under", alone=alone, queries=len(released.queries)
    )
    return (
        strings_shown(bool(len(released))),
        revealing_strings(bool(alone), strings),
        borrowed_searches(
            "fails" if borrowed else "holds",
            sentence("k_delta.pairs_user_query_queries", misattributed=borrowed),
        ),
        words.homogeneity_assumption(groups, "shares of interests, or nearly the same"),
        words.background_assumption(),
        words.one_id(),
        words.overlap_assumption(),
        *_list_failing(log, params, clusters),
    )


def _list_failing(log: QueryLog, params: Any, clusters: int) -> Iterator[Assumption]:
    """What fails without clicks, and where ids stay."""
    if not log.clicks and len(log):
        yield assume(
            "k_delta.queries_can_be_compared_by_clicks",
            "fails",
            sentence("k_delta.log_clicks_queries_cluster", clusters=clusters),
        )
    if params.ids == "keep":
        yield words.ids_kept()


def revealing_strings(some: bool, evidence: str) -> Assumption:
    """Strings that stand under one user may say who that is."""
    return assume("k_delta.no_string_gives_a_person_away", "fails" if some else "unknown", evidence)


def borrowed_searches(status: Status, evidence: str) -> Assumption:
    """A user's record holds searches of the others."""
    return assume("k_delta.readers_know_that_searches_are_borrowed", status, evidence)


def expect_assumptions(log: QueryLog, params: Any) -> tuple[Assumption, ...]:
    """The same assumptions as of a run, as far as they are known before one."""
    alone = _lonely_strings(log)
    strings = phrase(
        "{alone:,} of {queries:,} strings of the log are of one user",
        alone=alone,
        queries=len(log.queries),
    )
    return (
        strings_shown(),
        revealing_strings(bool(alone), strings),
        borrowed_searches(
            "holds" if params.mode == "suppress" else "fails",
            "searches of others of the group are added to a user's, as the parameters say",
        ),
        words.homogeneity_assumption(None, "shares, or nearly"),
        words.background_assumption(),
        words.one_id(),
        words.overlap_assumption(),
        _clusters_assumption(None, params),
        *_list_failing(log, params, len(log.queries)),
    )


def _lonely_strings(log: QueryLog) -> int:
    """Released strings that stand under a single user."""
    pairs = gil_friendly.sorted_distinct((log.query.astype(np.int64) << 32) | log.user)
    return int(np.count_nonzero(np.bincount(pairs >> 32, minlength=len(log.queries)) == 1))
