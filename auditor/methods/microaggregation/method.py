"""User k-anonymity by microaggregation (Navarro-Arribas, Torra, Erola & Castellà-Roca 2012).

Users are grouped by the distance of their queries (section 3.2.1), k or more to a group (MDAV,
Algorithm 1), and every user of a group gets the same list of queries, made of shares of all of
theirs (section 3.2.3). Nobody is told apart from k − 1 others by what stands in the release; the
strings themselves are still somebody's.

Cost: see `microaggregation_groups` for the search; O(n log n) for the lists of n events.
"""

from __future__ import annotations

import numpy as np

from auditor.arrays import Bools, Int32s, Int64s, expand_ranges
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.sentences import sentence
from auditor.log.user_distance.centroid import ClickedDomains, GroupLists, compute_centroids
from auditor.log.user_distance.features import block_edges, host_name
from auditor.methods import statements as words
from auditor.methods.base import Method, read_card
from auditor.methods.explanation.explanation import Explanation, ExplanationRequest
from auditor.methods.explanation.released_rows import (
    equal_records,
    find_standing,
    only_running_tells,
    row_values,
    users_table,
)
from auditor.methods.k_curves import KeptCurves
from auditor.methods.microaggregation.groups import (
    MicroaggregationParams,
    UserGrouping,
    find_groups,
    number_groups,
)
from auditor.methods.microaggregation.outlook import (
    count_askers,
    curves,
    describe_metric,
    estimate_release,
    one_id,
    revealing_strings,
    same_lists,
)
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import Product, ReleasedGroups
from auditor.privacy.statement import Statement
from auditor.privacy.verification.user_k import UserKVerdict, verify_user_k
from auditor.progress import Progress

_domains: KeptCurves[ClickedDomains] = KeptCurves(2)


def _domains_of(log: QueryLog, progress: Progress) -> ClickedDomains:
    """The domains of a log's pages, kept for the next k."""
    return _domains.get(log.digest, lambda: ClickedDomains.of(log.urls, progress))


def merge_groups(
    log: QueryLog, groups: list[Int64s], progress: Progress
) -> tuple[QueryLog, GroupLists]:
    """The log in which every user of a group has the group's list; and the lists."""
    domains = _domains_of(log, progress)
    lists = compute_centroids(log, groups, domains, progress)
    progress.stage("writing lists")
    entry = np.repeat(np.arange(len(lists.query)), lists.copies)
    copies = np.add.reduceat(lists.copies, lists.starts[:-1])
    group_of = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    ends = block_edges(copies)
    rows = entry[expand_ranges(ends[group_of], copies[group_of])]
    user = np.repeat(np.concatenate(groups), copies[group_of]).astype(np.int32)
    code, urls = _build_urls(log, lists, domains, progress)
    progress.check()
    whole = QueryLog.from_codes(
        user=user,
        query=lists.query[rows].astype(np.int32),
        time=lists.time[rows],
        url=code[rows],
        rank=lists.rank[rows].astype(np.int16),
        users=log.users,
        queries=log.queries,
        urls=urls,
        origin=log.origin,
    )
    progress.check()
    return whole.rows(np.ones(len(whole), dtype=np.bool_)), lists


def _build_urls(
    log: QueryLog, lists: GroupLists, domains: ClickedDomains, progress: Progress
) -> tuple[Int32s, Vocabulary]:
    """A URL for each entry: the scheme and the right-most part of the domain that is common."""
    example = np.zeros(len(domains.depth), dtype=np.int64)
    there = domains.of_url != NONE
    example[domains.of_url[there]] = np.flatnonzero(there)
    keys, inverse = np.unique(lists.host * 64 + lists.depth, return_inverse=True)
    names: dict[str, int] = {}
    codes = np.full(len(keys), NONE, dtype=np.int32)
    for number, key in enumerate(keys.tolist()):
        if number % 4096 == 0:
            progress.check()
        host, depth = key // 64, key % 64
        if not depth or host < 0:
            continue
        url = log.urls[int(example[host])]
        name = ".".join(host_name(url).split(".")[-depth:])
        if "://" in url:
            name = f"{url.split('://', 1)[0].lower()}://{name}"
        codes[number] = names.setdefault(name, len(names))
    return codes[inverse], Vocabulary.of(names)


def run(
    log: QueryLog,
    params: MicroaggregationParams,
    *,
    rng: Randomness,  # noqa: ARG001 (nothing here is random)
    progress: Progress,
) -> Product:
    """Give every user the list of their group."""
    progress.check()
    grouping = find_groups(log, params, progress)
    groups = grouping.groups
    if not groups:
        verdict = verify_user_k(log, params.k, progress=progress)
        return Product(content=log, statement=_build_statement(log, params, log, verdict, grouping))
    released, lists = merge_groups(log, groups, progress)
    verdict = verify_user_k(released, params.k, progress=progress)
    changes = {
        "rows": len(log),
        "rows_dropped": max(0, len(log) - len(released)),
        "queries_dropped": len(log.queries) - len(released.queries),
        "groups": len(groups),
        "users_in_largest_group": max(len(group) for group in groups),
        "urls_shortened": int(np.count_nonzero(_shortened_lists(log, lists, progress))),
    }
    statement = _build_statement(log, params, released, verdict, grouping)
    return Product(
        content=released,
        statement=statement,
        changes=changes,
        groups=ReleasedGroups(
            number_groups(groups, len(log.users))[released.users.match(log.users)], equal=True
        ),
    )


def _shortened_lists(log: QueryLog, lists: GroupLists, progress: Progress) -> Bools:
    depth = _domains_of(log, progress).depth
    there = lists.host != NONE
    full = np.zeros(len(lists.host), dtype=np.int64)
    full[there] = depth[lists.host[there]]
    shorter: Bools = there & (lists.depth < full)
    return shorter


def _build_statement(
    log: QueryLog,
    params: MicroaggregationParams,
    released: QueryLog,
    verdict: UserKVerdict,
    grouping: UserGrouping,
) -> Statement:
    lonely = int(np.count_nonzero(count_askers(log)[released.queries.match(log.queries)] == 1))
    users = len(log.users)
    excess = grouping.excess
    lost = {} if excess is None else {"blocked_search.percent_lost_at_most": 100 * excess}
    alike = same_lists(
        params,
        "holds" if verdict.holds else "fails",
        sentence(
            "microaggregation.checked_release_different_lists",
            groups=verdict.groups,
            smallest=verdict.smallest,
        ),
    )
    strings = revealing_strings(
        lonely,
        sentence(
            "microaggregation.released_queries_issued_user",
            lonely=lonely,
            queries=len(released.queries),
        ),
    )
    return Statement(
        model="k-anonymity",
        claim=sentence(
            "microaggregation.users_same_released_list",
            users=users,
            smallest=verdict.smallest - 1,
            verdict_smallest=verdict.smallest,
        )
        if users
        else "No user is left to be released.",
        unit="one user's whole history, as a record",
        assumptions=(
            alike,
            strings,
            words.homogeneity_assumption(len(grouping.groups), "list"),
            words.ids_kept(),
            words.background_assumption(),
            one_id(),
            words.overlap_assumption(),
        ),
        measured={
            "k": float(verdict.smallest),
            "groups": float(len(grouping.groups)),
            "distance_within_groups": grouping.distance,
            "queries_of_one_user": float(lonely),
            **lost,
        },
    )


def explain(
    request: ExplanationRequest, params: MicroaggregationParams, progress: Progress
) -> Explanation:
    """Whose lists hold a query and whose lost it; O(rows)."""
    found, there = find_standing(request, progress)
    before, after = int(found.before.sum()), int(found.after.sum())
    words = "Nobody in this log issued it, so it stands in nobody's list."
    if before:
        words = sentence(
            "microaggregation.issued_times_users_stands",
            before=before,
            users=len(request.users),
            after=after,
            there_users=len(there.users),
        )
    why = "who is grouped with whom changes with it: only running tells"
    names = ("k", "search", "block", "centre")
    table = users_table(
        request, found, equal_records(request.released, progress), "Users of a group have one list."
    )
    return Explanation(
        outcome=words,
        chance=None if before else 0.0,
        values=row_values(found),
        turns=only_running_tells(params, names, why) if before else (),
        tables=(table,) if len(found.user) else (),
    )


METHOD = Method(
    **read_card(describe_metric),
    definition="user-k",
    name="microaggregation",
    params=MicroaggregationParams,
    yields="log",
    grouped=True,
    randomised=False,
    run=run,
    outlook=estimate_release,
    curves=curves,
    explain=explain,
    main=("k", "search", "w_text", "w_words", "w_queries"),
    strictness=("k",),
)
