"""Bundling: queries of several users under one opaque number, without user, cookie or address.

Source: Jones, Kumar, Pang and Tomkins: Vanity fair: privacy in querylog bundles, CIKM 2008,
section 3, which shows how little it hides; the attacks structural, vanity, geo-vanity and
unbundling measure that on the log at hand. Cost: O(rows), and O(m log m) for the m rows that
share their second with another row of their bundle.

What bundles hold, told from a sample of the users: for expecting a setting while it is chosen.

A bundle of a sample is too small, and so too often one user's: of bundles that one user in four
dominates, a third of the users show twice as many. So bundles are filled up with those who were
probably left out. How many users bundles have is estimated without assuming a law: the shares of
bundles of 1, 2, 3, … users that make the counts in the sample likeliest, by expectation and
maximisation, each user having been drawn by the same chance. O(fibers + 60 · distinct counts).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Int32s, Int64s, mean_of
from auditor.figures import PlotMark, Series
from auditor.log import bundles
from auditor.log.bundles import BundleMakingParams, BundlePartition, BundleSizes
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog, Vocabulary, number_by_appearance
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.methods.base import ExpectedRelease, Method, SparkSupport
from auditor.methods.explanation.explanation import Explanation, ExplanationRequest
from auditor.methods.noisy_counts import outlook
from auditor.privacy.randomness import PreviewRandomness, Randomness
from auditor.privacy.release import Product
from auditor.privacy.statement import Assumption, Statement, assume
from auditor.progress import Progress, run_cancellable


def complete_bundles(sizes: BundleSizes, scale: float) -> BundleSizes:
    """The bundles with users added as many as a sample of 1/`scale` of them probably left out.

    What they issued is drawn from what all of the sample did, which hides little: who is together
    hardly tells how much they search. Whoever is in several bundles of a sample counts in each.
    """
    if scale <= 1 or not len(sizes.users):
        return sizes
    rng = np.random.default_rng(0)
    missing = _count_missing(sizes.users, 1 / scale, rng)
    total = int(missing.sum())
    bundle = np.concatenate([sizes.fiber_bundle, np.repeat(np.arange(len(missing)), missing)])
    strangers = int(sizes.fiber_user.max()) + 1 + np.arange(total)
    queries = np.concatenate([sizes.fiber_queries, rng.choice(sizes.fiber_queries, total)])
    order = np.argsort(bundle, kind="stable")
    return BundleSizes(
        np.bincount(bundle, queries, minlength=len(missing)).astype(np.int64),
        np.bincount(bundle, minlength=len(missing)).astype(np.int64),
        bundle[order],
        np.concatenate([sizes.fiber_user, strangers])[order],
        queries[order],
    )


def _count_missing(users: Int64s, drawn_share: float, rng: np.random.Generator) -> Int64s:
    """How many users each bundle lacks, then those of bundles of which nobody was drawn."""
    from scipy.stats import binom

    counts, place, times = np.unique(users, return_inverse=True, return_counts=True)
    largest_size = 2 * int(np.ceil(counts[-1] / drawn_share)) + 20
    # Every one of the first sizes is told apart, then ever fewer.
    sizes = np.unique(np.geomspace(1, largest_size, 60).round().astype(np.int64))
    chance = binom.pmf(counts[:, None], sizes[None], drawn_share)
    unseen_chance = (1 - drawn_share) ** sizes
    shares = np.full(len(sizes), 1 / len(sizes))
    for _ in range(200):
        guess = shares * chance
        guess /= np.maximum(guess.sum(axis=1, keepdims=True), 1e-300)
        observed = times @ guess
        shares = observed / (1 - unseen_chance)
        shares /= shares.sum()
    missing_counts = []
    for index, count in enumerate(counts.tolist()):
        size = rng.choice(sizes, int(times[index]), p=guess[index] / guess[index].sum())
        missing_counts.append(np.maximum(size - count, 0))
    missing = np.empty(len(users), dtype=np.int64)
    missing[np.argsort(place, kind="stable")] = np.concatenate(missing_counts)
    unseen = np.repeat(sizes, rng.poisson(observed * unseen_chance / (1 - unseen_chance)))
    return np.concatenate([missing, unseen])


describe_metric = MetricCatalogue("methods", "bundling")

HEAVY = 100
"""Queries from which on a bundle counts in the source's tables."""

MOST_BUNDLES = 100
"""Bundles that an explanation names."""


@dataclass(frozen=True, kw_only=True)
class BundlingParams(BundleMakingParams, owner="bundling"):
    """What bundles are made by, and how large they are."""

    clicks: bool = True
    times: str = "exact"


def run(log: QueryLog, params: BundlingParams, *, rng: Randomness, progress: Progress) -> Product:
    """Put rows into bundles under shuffled numbers; user, cookie and address go.

    Raises `MissingInput`: the log lacks the addresses or cookies that bundles are to be made by.
    """
    progress.check()
    by, parts = _partition_rows(log, params, rng, progress)
    sizes = bundles.count_sizes(log, parts, progress)
    figures = figures_of(log, sizes)
    people = sizes.count_people(sizes.queries >= HEAVY)
    return Product(
        content=_build_release(log, parts, params.clicks, rng, progress),
        statement=statement_of(BundlingFacts(figures, params, by, rng.secure)),
        changes=changes_of(figures, len(log), people, parts.unknown),
    )


@dataclass(frozen=True)
class BundlingFigures:
    """Sizes of all bundles in a few numbers; `heavy` ones hold `HEAVY` queries or more."""

    users: int
    clicks: int
    bundles: int
    members: int
    queries: int
    most_users: int
    most_queries: int
    heavy: int
    heavy_members: int
    heavy_queries: int
    lone_bundles: int  # bundles of one user
    dominated: int  # bundles of which one user issued more than half


def figures_of(log: QueryLog, sizes: BundleSizes) -> BundlingFigures:
    """The figures of bundles that were counted one by one."""
    heavy = sizes.queries >= HEAVY
    return BundlingFigures(
        users=len(log.users),
        clicks=log.clicks,
        bundles=len(sizes.queries),
        members=int(sizes.users.sum()),
        queries=int(sizes.queries.sum()),
        most_users=int(sizes.users.max(initial=0)),
        most_queries=int(sizes.queries.max(initial=0)),
        heavy=int(np.count_nonzero(heavy)),
        heavy_members=int(sizes.users[heavy].sum()),
        heavy_queries=int(sizes.queries[heavy].sum()),
        lone_bundles=int(np.count_nonzero(sizes.users == 1)),
        dominated=int(np.count_nonzero(2 * sizes.find_largest() > sizes.queries)),
    )


def changes_of(figures: BundlingFigures, rows: int, people: int, unknown: int) -> dict[str, int]:
    """What was changed; `people` are the users in heavy bundles, each counted once."""
    return {
        "rows": rows,
        "users": figures.users,
        "bundles": figures.bundles,
        "queries": figures.queries,
        "largest_bundle_users": figures.most_users,
        "largest_bundle_queries": figures.most_queries,
        f"bundles_of_{HEAVY}_queries": figures.heavy,
        f"users_in_bundles_of_{HEAVY}_queries": people,
        f"queries_in_bundles_of_{HEAVY}_queries": figures.heavy_queries,
        "rows_without_key": unknown,
    }


def _partition_rows(
    log: QueryLog, params: BundlingParams, rng: Randomness, progress: Progress
) -> tuple[str, BundlePartition]:
    """What bundles were made by, and the bundles."""
    by = bundles.resolve_params(log, params.by)
    if by == "ip-mask":
        return by, bundles.by_address(log, params.bits, progress)
    if by == "cookie-hash":
        # A hash under a key that is forgotten with the run is a draw for each cookie.
        cookies = len(log.cookies) if log.cookies is not None else 0
        return by, bundles.by_cookie(log, rng.integers(params.buckets, cookies), progress)
    users = len(log.users)
    groups = max(1, users // params.group)
    return by, bundles.by_user(log, rng.permutation(users) % groups, progress)


def _build_release(
    log: QueryLog, parts: BundlePartition, clicks: bool, rng: Randomness, progress: Progress
) -> QueryLog:
    """Rows by bundle and time, equal times in random order; nothing keeps the order of users."""
    from auditor.log.dictionary_encoding import gather_values, sort_order  # slow to load

    number = rng.permutation(parts.count).astype(np.int32)
    user = gather_values(number, parts.bundle.astype(np.int64), progress)
    progress.stage("ordering rows")
    ascending = sort_order(user, log.time, progress)
    order = np.arange(len(log)) if ascending is None else ascending

    def reorder_texts(codes: Int32s, texts: Vocabulary) -> tuple[Int32s, Vocabulary]:
        reordered = gather_values(codes, order, progress)
        return run_cancellable(lambda: number_by_appearance(reordered, texts), progress)

    user, time = gather_values(user, order, progress), gather_values(log.time, order, progress)
    # Where rows of a bundle share their second, let no trace of the users' order stand.
    is_same_event = np.zeros(len(order) + 1, dtype=np.bool_)
    is_same_event[1:-1] = (user[1:] == user[:-1]) & (time[1:] == time[:-1])
    tied = np.flatnonzero(is_same_event[1:] | is_same_event[:-1])
    if len(tied):
        run_of = np.cumsum(~is_same_event[:-1][tied])
        place = rng.permutation(int(log.query.max()) + 1)[log.query[order[tied]]]
        order[tied] = order[tied[np.lexsort((rng.permutation(len(tied)), place, run_of))]]
    query, queries = reorder_texts(log.query, log.queries)
    if clicks:
        url, urls = reorder_texts(log.url, log.urls)
        rank = gather_values(log.rank, order, progress)
    else:
        url, urls = np.full(len(log), NONE, dtype=np.int32), Vocabulary.of(())
        rank = np.full(len(log), NONE, dtype=np.int16)
    return QueryLog(
        user=user,
        query=query,
        time=time,
        url=url,
        rank=rank,
        users=Vocabulary.of(str(code + 1) for code in range(parts.count)),
        queries=queries,
        urls=urls,
    )


@dataclass(frozen=True, eq=False)
class BundlingFacts:
    """What a statement is of; with a `scale` above 1, figures are of a sample of users."""

    figures: BundlingFigures
    params: BundlingParams
    by: str
    secure: bool
    scale: float = 1.0

    def format_number(self, number: float) -> str:
        """A number of the log, as an estimate if it is one."""
        return phrase("{number:,.0f}" if self.scale <= 1 else "about {number:,.0f}", number=number)

    @property
    def where(self) -> str:
        """What evidence rests on."""
        return "" if self.scale <= 1 else ", estimated from a sample of users"


def statement_of(facts: BundlingFacts) -> Statement:
    """What bundles hide, and what they don't."""
    figures = facts.figures
    # A sample holds fewer bundles of random users; of networks and cookies it shows nearly all.
    count = figures.bundles * (facts.scale if facts.by == "random-users" else 1.0)
    mean_users = _divide_total(figures.members, figures.bundles)
    measured = {
        "bundles": float(round(count)),
        "mean_users": mean_users,
        "mean_queries": _divide_total(figures.queries, figures.bundles),
        "bundles_100": float(figures.heavy),
        "mean_users_100": _divide_total(figures.heavy_members, figures.heavy),
        "mean_queries_100": _divide_total(figures.heavy_queries, figures.heavy),
    }
    means = {
        "ip-mask": phrase("the low {bits} bits of their address", bits=facts.params.bits),
        "cookie-hash": "everything but the bucket of their cookie",
        "random-users": "nothing in common but chance",
    }
    return Statement(
        model="pseudonymity",
        claim=sentence(
            "bundling.users_queries_stand_bundles",
            users=facts.format_number(figures.users * facts.scale),
            count=facts.format_number(count),
            by=as_phrase(facts.by),
            means=as_phrase(means[facts.by]),
        ),
        unit="one user's id, cookie and address",
        assumptions=tuple(_list_assumptions(facts)),
        measured=measured,
    )


def _list_assumptions(facts: BundlingFacts) -> Iterator[Assumption]:
    figures = facts.figures
    alone, count, dominated = figures.lone_bundles, figures.bundles, figures.dominated
    yield assume(
        "bundling.bundles_hold_several_users",
        "fails" if alone else "holds",
        phrase(
            "{alone:,} of {count:,} bundles hold one user alone{where}",
            alone=alone,
            count=count,
            where=as_phrase(facts.where),
        ),
    )
    yield assume(
        "bundling.nobody_dominates_a_bundle",
        "fails" if dominated else "holds",
        sentence(
            "bundling.bundles_user_issued_half",
            most=dominated,
            count=count,
            where=as_phrase(facts.where),
        ),
    )
    yield assume(
        "bundling.a_bundle_cant_be_taken_apart",
        "fails",
        "queries of one person share words and places: Jones et al. put bundles back together "
        "with F = 0.60; the attack unbundling measures it on this log",
    )
    yield assume(
        "bundling.queries_dont_name_their_users",
        "fails",
        "queries are released as they were typed; the attacks vanity and geo-vanity count those "
        "who searched for themselves",
    )
    if facts.params.clicks and figures.clicks:
        yield assume(
            "bundling.clicked_pages_tell_nothing",
            "fails",
            sentence(
                "bundling.clicks_kept_pages_those",
                clicks=facts.format_number(figures.clicks * facts.scale),
            ),
        )
    if facts.by == "ip-mask":
        yield assume(
            "bundling.neighbours_on_the_network_are_strangers",
            "unknown",
            "a provider's network often serves one district, whose name the queries hold",
        )
    yield assume(
        "bundling.bundle_numbers_tell_nothing",
        "holds" if facts.secure else "fails",
        "drawn from the operating system's randomness"
        if facts.secure
        else "preview: drawn from seeded randomness",
    )


def _divide_total(total: int, count: int) -> float:
    return total / count if count else 0.0


def estimate_release(
    log: QueryLog, params: BundlingParams, *, scale: float, progress: Progress
) -> ExpectedRelease:
    """How large bundles are; from a sample of users an estimate, see `complete_bundles`."""
    by, parts = _partition_rows(log, params, PreviewRandomness(0), progress)
    sizes = bundles.count_sizes(log, parts, progress)
    if by != "random-users":  # of whom a sample makes fewer bundles, but none smaller
        sizes = complete_bundles(sizes, scale)
    figures = [outlook.values_by_rank(describe_metric, "sizes", "users", sizes.users)]
    if by == "ip-mask":
        # The mean number of users in a bundle as more bits are masked.
        means, widths = [], (1, 4, 8, 12, 16, 20, 24)
        for width in widths:
            wider = bundles.by_address(log, width, progress)
            wider_sizes = complete_bundles(bundles.count_sizes(log, wider, progress), scale)
            means.append(mean_of(wider_sizes.users))
        text = phrase("{bits} bits", bits=params.bits)
        figures.append(
            describe_metric.figure(
                "by-bits",
                (Series("all bundles", np.asarray(widths, dtype=np.float64), np.asarray(means)),),
                marks=(PlotMark("x", float(params.bits), text, "current"),),
            )
        )
    values = (
        describe_metric("expected.users_per_bundle", mean_of(sizes.users)),
        describe_metric("expected.dominated", mean_of(2 * sizes.find_largest() > sizes.queries)),
        describe_metric("expected.rows", 1.0),
    )
    statement = statement_of(BundlingFacts(figures_of(log, sizes), params, by, True, scale))
    note = "" if scale <= 1 else "Sizes are estimated from a sample of users."
    return ExpectedRelease(statement=statement, values=values, figures=tuple(figures), note=note)


def explain(request: ExplanationRequest, params: BundlingParams, progress: Progress) -> Explanation:
    """In which bundles a query stands; O(rows of the release)."""
    del params
    released = request.released
    hits = ExplanationRequest.of(released, request.text)
    counts = np.bincount(np.searchsorted(hits.users, released.user[hits.rows]))
    progress.check()
    size = np.diff(released.user_starts)[hits.users]
    order = np.lexsort((size, -counts))[:MOST_BUNDLES]
    rows = [
        [released.users[int(hits.users[index])], int(counts[index]), int(size[index])]
        for index in order.tolist()
    ]
    words = "Nobody in this log issued it, so it is in no bundle."
    if len(request.rows):
        words = sentence(
            "bundling.bundling_drops_query_rows",
            rows=len(request.rows),
            users=len(hits.users),
            released_users=len(released.users),
        )
    table = describe_metric.table(
        "bundles",
        rows,
        note=phrase(
            "The first {most_bundles} of {users:,}.",
            most_bundles=MOST_BUNDLES,
            users=len(hits.users),
        )
        if len(hits.users) > MOST_BUNDLES
        else "",
    )
    return Explanation(
        outcome=words,
        chance=float(bool(len(request.rows))),
        values=(
            describe_metric("bundles", float(len(hits.users))),
            describe_metric("smallest_bundle", float(size.min(initial=len(released)))),
        )
        if len(hits.users)
        else (),
        tables=(table,) if rows else (),
        notes=("No value of any parameter changes whether a query is released.",),
    )


METHOD = Method(
    **describe_metric.card,
    params=BundlingParams,
    yields="log",
    hides="bundles",
    randomised=False,
    run=run,
    spark=SparkSupport("logs.bundle_log"),
    outlook=estimate_release,
    explain=explain,
    strictness=("bits", "group"),
)
