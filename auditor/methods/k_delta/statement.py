"""What (k,δ) and (m,k,δ,ε) state of a release, and of one that is only expected."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.methods import statements as words
from auditor.methods.k_delta.editing import EditedLog
from auditor.methods.noisy_counts.histograms import CountingUnit, unit_counts
from auditor.privacy.statement import Assumption, Statement, assume
from auditor.privacy.verification.k_delta import KDeltaVerdict
from auditor.progress import silent_progress

UNIT = "one user's shares of queries by cluster"


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


def state_release(
    log: QueryLog,
    edited: EditedLog,
    params: Any,
    verdict: KDeltaVerdict,
    fresh_verdict: KDeltaVerdict | None,
    *,
    groups: int,
    clusters: int,
) -> Statement:
    """What was reached, by so many groups and clusters of queries.

    `fresh_verdict` is the verdict by the release's own clicks, None where it would have taken too
    long.
    """
    released = edited.log
    lone_strings = _lonely_strings(released)
    assumptions = _list_assumptions(
        bool(lone_strings),
        sentence(
            "k_delta.strings_stand_verbatim_under",
            alone=lone_strings,
            queries=len(released.queries),
        ),
        bool(edited.misattributed),
        sentence("k_delta.pairs_user_query_queries", misattributed=edited.misattributed),
        words.homogeneity_assumption(groups, "shares of interests, or nearly the same"),
        nonempty=bool(len(released)),
    )
    return Statement(
        model="k-anonymity" if verdict.holds else "none",
        claim=_write_claim(params, verdict, len(released.users)),
        unit=UNIT,
        assumptions=(
            *assumptions,
            *_list_failing(log, params, clusters),
            _clusters_assumption(fresh_verdict, params),
        ),
        measured={
            "largest_distance": verdict.worst,
            "failing_users": float(len(verdict.failing)),
            "smallest_class": float(verdict.smallest),
            "groups": float(groups),
            "query_clusters": float(clusters),
            "wide_clusters": float(len(verdict.wide)),
        },
    )


def expect_statement(log: QueryLog, params: Any) -> Statement:
    """What is known of the statement before a run."""
    name = name_claim(params)
    lone_strings = _lonely_strings(log)
    strings = phrase(
        "{alone:,} of {queries:,} strings of the log are of one user",
        alone=lone_strings,
        queries=len(log.queries),
    )
    assumptions = (
        *_list_assumptions(
            bool(lone_strings),
            strings,
            params.mode != "suppress",
            "searches of others of the group are added to a user's, as the parameters say",
            words.homogeneity_assumption(None, "shares, or nearly"),
        ),
        _clusters_assumption(None, params),
        *_list_failing(log, params, len(log.queries)),
    )
    if params.mode == "both" and params.size == "exact":
        claim = phrase(
            "{name} will hold: every user will have at least {k:,} others whose shares of every "
            "query cluster are exactly theirs."
            if params.epsilon == 0
            else "{name} will hold: every user will have at least {k:,} others whose shares of "
            "every query cluster are within {epsilon:g} of theirs.",
            name=as_phrase(name),
            k=params.k - 1,
            epsilon=params.epsilon,
        )
        return Statement("k-anonymity", claim, UNIT, assumptions=assumptions)
    claim = sentence("k_delta.certain_whole_numbers_searches", name=as_phrase(name))
    return Statement("none", claim, UNIT, assumptions=assumptions)


def _write_claim(params: Any, verdict: KDeltaVerdict, users: int) -> str:
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
            m=equal_parts(params) - 1,
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


def _clusters_assumption(fresh_verdict: KDeltaVerdict | None, params: Any) -> Assumption:
    evidence = "the release has too many queries that are near each other to cluster it again"
    if fresh_verdict is not None:
        evidence = sentence(
            "k_delta.users_fail_greatest_distance",
            failing=len(fresh_verdict.failing),
            worst=fresh_verdict.worst,
        )
    return assume(
        "k_delta.clusters_are_those_of_the_whole_log",
        "unknown" if fresh_verdict is None else "holds" if fresh_verdict.holds else "fails",
        evidence,
        delta=params.delta,
    )


def _list_assumptions(
    lone_strings: bool,
    strings: str,
    borrowed: bool,
    searches: str,
    groups: Assumption,
    nonempty: bool = True,
) -> tuple[Assumption, ...]:
    """What (k,δ), which is about shares of clusters alone, takes for granted.

    Of strings of one user there are some or not, and of searches that are borrowed from others;
    `strings` and `searches` are the evidence. `nonempty` says whether anything is released.
    """
    return (
        assume(
            "k_delta.the_attacker_sees_only_shares_of_clusters",
            "fails" if nonempty else "holds",
            "strings, clicks and times, as far as they are left, of every event stand in the "
            "release",
        ),
        assume(
            "k_delta.no_string_gives_a_person_away", "fails" if lone_strings else "unknown", strings
        ),
        assume(
            "k_delta.readers_know_that_searches_are_borrowed",
            "fails" if borrowed else "holds",
            searches,
        ),
        groups,
        assume("statements.attackers_know_nothing_of_the_others", "unknown"),
        words.one_id(),
        words.overlap_assumption(),
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


def _lonely_strings(log: QueryLog) -> int:
    """Released strings that stand under a single user."""
    return int(np.count_nonzero(unit_counts(log, CountingUnit.USERS, silent_progress()) == 1))
