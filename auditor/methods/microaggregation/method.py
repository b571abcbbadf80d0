"""User k-anonymity by microaggregation (Navarro-Arribas, Torra, Erola & Castellà-Roca 2012).

Users are grouped by the distance of their queries (section 3.2.1), k or more to a group (MDAV,
Algorithm 1), and every user of a group gets the same list of queries, made of shares of all of
theirs (section 3.2.3). Nobody is told apart from k − 1 others by what stands in the release; the
strings themselves are still somebody's.

Cost: see `groups` for the search; O(n log n) for the lists of n events.

**Before a run.** Groups are made as the run makes them as soon as the users' distances are in
memory, that is after a first run on this log; until then by the numbers of the users' queries
alone, the half of the distance that costs nothing. From the groups follow their lists and from
these PEL and ILR (Figs. 3 and 4 of the source) and what is asked most (Figs. 7 and 8). O(n log n +
u²/k) a point, for n events of u users: 1,000 users take some 60 ms.
"""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from auditor.arrays import Float32s, Float64s, Int32s, Int64s, expand_ranges
from auditor.figures import Figure, PlotMark, Series
from auditor.log import gazetteers
from auditor.log.lifetime_cache import LifetimeCache
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.sentences import sentence
from auditor.log.text import tokenize_strings
from auditor.log.user_distance.centroid import (
    GroupLists,
    GroupQueries,
    choose_strings,
    compute_centroids,
)
from auditor.log.user_distance.distance import kept_distances
from auditor.log.user_distance.features import ClickedDomains, block_edges, host_name
from auditor.messages import as_phrase, phrase
from auditor.methods import statements as words
from auditor.methods.base import ExpectedRelease, Method, check_group_size
from auditor.methods.explanation.explanation import Explanation, ExplanationRequest
from auditor.methods.explanation.released_rows import (
    equal_records,
    find_standing,
    only_running_tells,
    row_values,
    users_table,
)
from auditor.methods.k_curves import KCurve, draw_lines, read_entries
from auditor.methods.microaggregation.groups import (
    MicroaggregationParams,
    UserGrouping,
    estimate_cost,
    find_groups,
    group_by_mdav,
    number_groups,
)
from auditor.methods.noisy_counts.histograms import CountingUnit, unit_counts
from auditor.privacy.information import (
    entropy_bits,
    exposed_percent,
    information_bits,
    lost_percent,
)
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import Product, ReleasedGroups
from auditor.privacy.statement import Statement, Status, assume
from auditor.privacy.verification.user_k import UserKVerdict, verify_user_k
from auditor.progress import Progress, silent_progress

_domains = LifetimeCache[Vocabulary, ClickedDomains]()


def _domains_of(log: QueryLog, progress: Progress) -> ClickedDomains:
    """The domains of a log's pages, kept for the next k."""
    return _domains.get(log.urls, None, lambda: ClickedDomains.of(log.urls, progress))


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
    merged = QueryLog.from_codes(
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
    return merged.rows(np.ones(len(merged), dtype=np.bool_)), lists


def _build_urls(
    log: QueryLog, lists: GroupLists, domains: ClickedDomains, progress: Progress
) -> tuple[Int32s, Vocabulary]:
    """A URL for each entry: the scheme and the right-most part of the domain that is common."""
    example = np.zeros(len(domains.depth), dtype=np.int64)
    has_domain = domains.of_url != NONE
    example[domains.of_url[has_domain]] = np.flatnonzero(has_domain)
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
    depth = np.append(_domains_of(log, progress).depth, 0)  # 0 of a list without a host
    changes = {
        "rows": len(log),
        "rows_dropped": max(0, len(log) - len(released)),
        "queries_dropped": len(log.queries) - len(released.queries),
        "groups": len(groups),
        "users_in_largest_group": max(len(group) for group in groups),
        "urls_shortened": int(np.count_nonzero(lists.depth < depth[lists.host])),
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


def _build_statement(
    log: QueryLog,
    params: MicroaggregationParams,
    released: QueryLog,
    verdict: UserKVerdict,
    grouping: UserGrouping,
) -> Statement:
    askers = unit_counts(log, CountingUnit.USERS, silent_progress())
    lonely = int(np.count_nonzero(askers[released.queries.match(log.queries)] == 1))
    groups, excess = len(grouping.groups), grouping.excess
    claim = "No user is left to be released."
    if len(log.users):
        claim = sentence(
            "microaggregation.users_same_released_list",
            users=len(log.users),
            smallest=verdict.smallest - 1,
            verdict_smallest=verdict.smallest,
        )
    return state_lists(
        params,
        claim,
        "holds" if verdict.holds else "fails",
        sentence(
            "microaggregation.checked_release_different_lists",
            groups=verdict.groups,
            smallest=verdict.smallest,
        ),
        lonely,
        sentence(
            "microaggregation.released_queries_issued_user",
            lonely=lonely,
            queries=len(released.queries),
        ),
        groups,
        {
            "k": float(verdict.smallest),
            "groups": float(groups),
            "distance_within_groups": grouping.distance,
            "queries_of_one_user": float(lonely),
            **({} if excess is None else {"blocked_search.percent_lost_at_most": 100 * excess}),
        },
    )


def state_lists(
    params: Any,
    claim: str,
    status: Status,
    evidence: str,
    lonely: int,
    strings: str,
    groups: int | None = None,
    measured: Mapping[str, float] = MappingProxyType({}),
) -> Statement:
    """User k-anonymity, of which `status` and `evidence` say whether a release has it.

    `lonely` queries are of one user, as `strings` says; where there is none, a string that several
    users typed may still name one of them.
    """
    return Statement(
        model="k-anonymity",
        claim=claim,
        unit="one user's whole history, as a record",
        assumptions=(
            assume(
                "microaggregation.every_record_stands_k_times", status, evidence, k=params.k - 1
            ),
            assume(
                "microaggregation.the_strings_give_nobody_away",
                "fails" if lonely else "unknown",
                strings,
            ),
            words.homogeneity_assumption(groups, "list"),
            words.ids_kept(),
            assume("statements.attackers_know_nothing_of_the_others", "unknown"),
            assume("microaggregation.one_person_one_user_id", "unknown"),
            words.overlap_assumption(),
        ),
        measured=measured,
    )


describe_metric = MetricCatalogue("methods", "microaggregation")

TOP = 10
"""Queries and words whose frequencies are followed, as in the source's figures."""
SHOWN = ("exposure", "exposure_p95", "exposure_occurrences", "loss", "loss_log", "alone")
"""What of a point is shown as a metric, in this order."""
SOURCE = "Navarro-Arribas et al. 2012, Fig. "


@dataclass(frozen=True, eq=False)
class MicroaggregationPoint:
    """What comes of one k: PEL and ILR in per cent, frequencies in per cent of rows or words."""

    groups: int
    exposure: float
    exposure_occurrences: float
    exposure_p95: float
    loss: float
    loss_log: float
    alone: int
    queries: Float64s
    words: Float64s


class OriginalProfiles:
    """What the log says of its users, once for all k.

    Pairs of a user and a query are in order of users; `bits` is each pair's −p log₂ p.
    """

    def __init__(self, log: QueryLog, progress: Progress) -> None:
        self.queries, self.users = log.queries, len(log.users)
        keys = (log.user.astype(np.int64) << 32) | log.query
        progress.check()
        pairs, occurrences = np.unique(keys, return_counts=True)
        self.user, self.query = pairs >> 32, pairs & 0xFFFFFFFF
        size = np.bincount(log.user, minlength=len(log.users))
        self.often = occurrences
        self.bits = information_bits(occurrences / size[self.user])
        self.entropy = _sum_parts(self.user, self.bits, len(log.users))
        self.asked = np.bincount(log.query, minlength=len(log.queries))
        self.whole = entropy_bits(self.asked)
        self.strings = GroupQueries.of(log)
        self.distinct_users = np.bincount(self.query, minlength=len(log.queries))
        self.top = np.argsort(-self.asked, kind="stable")[:TOP]
        progress.check()
        tokens = tokenize_strings(log.queries, progress)
        keep = tokens.vocabulary.match(Vocabulary.of(sorted(gazetteers.stop_words()))) == NONE
        counts = np.where(keep, tokens.count_occurrences(self.asked), 0)
        best = np.argsort(-counts, kind="stable")[:TOP]
        best = best[counts[best] > 0]
        self.words = [tokens.vocabulary[int(code)] for code in best]
        place = np.full(len(tokens.vocabulary), NONE, dtype=np.int64)
        place[best] = np.arange(len(best))
        word_place = place[tokens.codes]
        self._of_word = word_place[word_place != NONE]
        self._in_query = tokens.find_owners()[word_place != NONE]
        self._lengths = np.bincount(tokens.find_owners()[keep[tokens.codes]], minlength=len(tokens))
        self.own = self.compute_frequencies(self.asked)

    def compute_frequencies(self, counts: Int64s | Float64s) -> tuple[Float64s, Float64s]:
        """Per cent of all that the log's most frequent queries, and words, are in `counts`."""
        queries = 100 * counts[self.top] / max(counts.sum(), 1)
        word_counts = np.bincount(self._of_word, counts[self._in_query], minlength=len(self.words))
        return queries, 100 * word_counts / max(float(np.sum(counts * self._lengths)), 1.0)


_curves = LifetimeCache[QueryLog, tuple[OriginalProfiles, KCurve[MicroaggregationPoint]]](4)
_before = LifetimeCache[QueryLog, OriginalProfiles]()


def _prepare_curve(
    log: QueryLog, params: MicroaggregationParams, progress: Progress
) -> tuple[OriginalProfiles, KCurve[MicroaggregationPoint], bool]:
    """The curve of a log and everything but k; and whether it stands on all distances."""
    stored_distances = kept_distances(log, params.make_weights())
    key = (params.make_weights().normalize_shares(), stored_distances is not None)

    def make_curve() -> tuple[OriginalProfiles, KCurve[MicroaggregationPoint]]:
        before = _before.get(log, None, lambda: OriginalProfiles(log, progress))
        if stored_distances is None:  # how far apart the users' numbers of events are
            size = np.diff(log.user_starts).astype(np.float32)
            size /= max(float(size.max(initial=1)), 1.0)
            distances: Float32s = np.abs(size[:, None] - size[None])
        else:
            distances = stored_distances

        def compute_point(k: int, progress: Progress) -> MicroaggregationPoint:
            return _compute_point(before, group_by_mdav(distances, k, progress), progress)

        return before, KCurve(len(log.users), compute_point)

    return *_curves.get(log, key, make_curve), stored_distances is not None


def _sum_parts(of: Int64s, parts: Float64s, size: int) -> Float64s:
    sums: Float64s = np.bincount(of, parts, minlength=size).astype(np.float64)
    return sums


def _compute_point(
    before: OriginalProfiles, groups: list[Int64s], progress: Progress
) -> MicroaggregationPoint:
    users, width = before.users, len(before.queries)
    lists = choose_strings(before.strings, groups)
    progress.check()
    group = number_groups(groups, users)
    size = np.array([len(members) for members in groups])
    keys = lists.owner * width + lists.query
    user_keys = group[before.user] * width + before.query
    index = np.minimum(np.searchsorted(keys, user_keys), len(keys) - 1)
    shared = keys[index] == user_keys
    shared_bits = _sum_parts(before.user, before.bits * shared, users)
    has_shared = np.bincount(before.user, shared, minlength=users) > 0
    level = exposed_percent(shared_bits, before.entropy, has_shared)
    part = np.where(shared, np.minimum(1.0, lists.copies[index] / before.often), 0.0)
    shared_bits = _sum_parts(before.user, before.bits * part, users)
    plain = 100 * _sum_parts(before.user, part, users)
    per_occurrence = np.where(
        before.entropy > 0, exposed_percent(shared_bits, before.entropy, has_shared), plain
    )
    progress.check()
    length = np.bincount(lists.owner, lists.copies, minlength=len(groups))
    bits = information_bits(lists.copies / length[lists.owner])
    after = _sum_parts(lists.owner, bits, len(groups))[group]
    counts = np.bincount(lists.query, lists.copies * size[lists.owner], minlength=width)
    total_loss = lost_percent(
        np.array([before.whole]), np.array([entropy_bits(counts.astype(np.int64))])
    )
    queries, words = before.compute_frequencies(counts)
    return MicroaggregationPoint(
        groups=len(groups),
        exposure=float(level.mean()),
        exposure_occurrences=float(per_occurrence.mean()),
        exposure_p95=float(np.percentile(level, 95)),
        loss=float(lost_percent(before.entropy, after).mean()),
        loss_log=float(total_loss[0]),
        alone=int(np.count_nonzero((counts > 0) & (before.distinct_users == 1))),
        queries=queries,
        words=words,
    )


def estimate_release(
    log: QueryLog, params: MicroaggregationParams, *, scale: float, progress: Progress
) -> ExpectedRelease:
    """What a run will take, what it promises, and what it gives over k.

    Raises `ParameterError` where the whole log has fewer than k users.
    """
    progress.check()
    check_group_size(params.k, round(len(log.users) * scale))
    before, curve, is_exact = _prepare_curve(log, params, progress)
    curve.compute_point(params.k, progress)
    lonely = int(np.count_nonzero(unit_counts(log, CountingUnit.USERS, progress) == 1))
    statement = state_lists(
        params,
        sentence("microaggregation.user_same_released_list", k=params.k - 1),
        "unknown",
        "checked on the release",
        lonely,
        sentence("microaggregation.queries_log_user", lonely=lonely, queries=len(log.queries)),
    )

    effort = estimate_cost(log, params, scale)
    efforts = (
        describe_metric("expected.groups", float(max(1, len(log.users) * scale // params.k))),
        describe_metric("expected.seconds", effort.seconds),
        describe_metric("expected.memory", effort.memory / 1e6),
    )

    def summarize_curve() -> ExpectedRelease:
        point = curve.points.get(params.k)
        values = (
            describe_metric(f"expected.{name}", float(getattr(point, name)))
            for name in (SHOWN if point is not None else ())
        )
        return ExpectedRelease(
            statement=statement,
            values=(*values, *efforts),
            figures=_draw_figures(before, curve, params),
            note=_write_note(log, params, scale, is_exact),
            delayed=None if curve.is_complete else extend_curve,
        )

    def extend_curve(progress: Progress) -> ExpectedRelease:
        curve.fill(progress)
        return summarize_curve()

    return summarize_curve()


def _write_note(log: QueryLog, params: MicroaggregationParams, scale: float, is_exact: bool) -> str:
    users = len(log.users)
    if params.k > users:
        return phrase("k is more than the {users:,} users that are looked at here.", users=users)
    if is_exact:
        return "" if params.centre == "distance" else "Groups here are around the mean distance."
    if scale > 1 or not params.compares_all_pairs(users, len(log)):
        return "Groups are those of users with like numbers of queries: a run compares the queries."
    note = "Groups are those of users with like numbers of queries, until a run has compared the "
    note += (
        "queries themselves. Exposure hardly depends on it; a user's loss may be a quarter more."
    )
    return note


def _draw_figures(
    before: OriginalProfiles, curve: KCurve[MicroaggregationPoint], params: MicroaggregationParams
) -> tuple[Figure, ...]:
    points = curve.up_to(params.k)
    if not points:
        return ()
    draw = functools.partial(draw_lines, describe_metric, points=points, k=params.k)
    # The log's most frequent queries and words over k; k = 1 is the log itself.
    names = [before.queries[int(code)] for code in before.top]
    frequencies = (
        draw_lines(
            describe_metric,
            "expected-frequencies",
            {1: original} | {k: getattr(point, field) for k, point in points.items()},
            read_entries(labels),
            k=params.k,
            named=f"expected-{field}",
            places={"labels": len(labels), "what": as_phrase(field), "unit": as_phrase(unit)},
            source=SOURCE + number,
        )
        for field, labels, original, number, unit in (
            ("queries", names, before.own[0], "7", "rows"),
            ("words", before.words, before.own[1], "8", "words, stop words aside"),
        )
    )
    return (
        draw(
            "expected-exposure",
            series={
                "k-anonymity: 100 / k": lambda k, _: 100 / k,
                "PEL": lambda _, point: point.exposure,
                "PEL by occurrences": lambda _, point: point.exposure_occurrences,
            },
            source=SOURCE + "3",
        ),
        draw(
            "expected-loss",
            series={
                "mean over users": lambda _, point: point.loss,
                "whole log": lambda _, point: point.loss_log,
            },
            source=SOURCE + "4",
        ),
        draw(
            "expected-trade",
            series={
                "PEL (less is more private)": lambda _, point: point.exposure,
                "ILR (less is more useful)": lambda _, point: point.loss,
            },
        ),
        *frequencies,
    )


def curves(params: MicroaggregationParams, users: int) -> tuple[Figure, ...]:
    """The share of a user's queries that their list can show, after Fig. 3's theoretical line."""
    k = np.arange(2, max(50, min(2 * params.k, 1_000)) + 1, dtype=np.float64)
    figure = describe_metric.figure(
        "exposure",
        (Series("expected exposure", k, 100 / k),),
        marks=(PlotMark("x", float(params.k), f"k = {params.k:,}", "current"),),
        note=phrase(
            "{users:,} users make at most {params_k:,} groups.",
            users=users,
            params_k=users // params.k,
        ),
    )
    return (figure,)


def explain(
    request: ExplanationRequest, params: MicroaggregationParams, progress: Progress
) -> Explanation:
    """Whose lists hold a query and whose lost it; O(rows)."""
    standing, released_request = find_standing(request, progress)
    before, after = int(standing.before.sum()), int(standing.after.sum())
    words = "Nobody in this log issued it, so it stands in nobody's list."
    if before:
        words = sentence(
            "microaggregation.issued_times_users_stands",
            before=before,
            users=len(request.users),
            after=after,
            there_users=len(released_request.users),
        )
    reason = "who is grouped with whom changes with it: only running tells"
    names = ("k", "search", "block", "centre")
    table = users_table(
        request,
        standing,
        equal_records(request.released, progress),
        "Users of a group have one list.",
    )
    return Explanation(
        outcome=words,
        chance=None if before else 0.0,
        values=row_values(standing),
        turns=only_running_tells(params, names, reason) if before else (),
        tables=(table,) if len(standing.user) else (),
    )


METHOD = Method(
    **describe_metric.card,
    definition="user-k",
    params=MicroaggregationParams,
    yields="log",
    rewrites_times=True,
    grouped=True,
    randomised=False,
    run=run,
    outlook=estimate_release,
    curves=curves,
    explain=explain,
    main=("k", "search", "w_text", "w_words", "w_queries"),
    strictness=("k",),
)
