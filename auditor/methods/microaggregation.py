"""User k-anonymity by microaggregation (Navarro-Arribas, Torra, Erola & Castellà-Roca 2012).

Users are grouped by the distance of their queries (section 3.2.1), k or more to a group (MDAV,
Algorithm 1), and every user of a group gets the same list of queries, made of shares of all of
theirs (section 3.2.3). Nobody is told apart from k − 1 others by what stands in the release; the
strings themselves are still somebody's.

Cost: see `auditor.log.user_distance` for the exact search, O(n²) for n events. The blocked one
compares users of one block of b only: O(n · b · events of a user).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from auditor.errors import MissingInput, ParameterError
from auditor.figures import Axis, Figure, Mark, Series, Value
from auditor.log.aggregation import Domains, Lists, centroids, probes
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.user_distance import UserDistance, all_distances, cores, kept_distances
from auditor.log.user_space import Ints, Space, Weights, edges, host_name, space_of, spread
from auditor.methods.base import Method, Outlook
from auditor.methods.mdav import Farthest, mdav, within
from auditor.methods.user_blocks import blocks_of, pivot_distances
from auditor.params import Option, Params, choice, integer, real
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import Product
from auditor.privacy.statement import Assumption, Statement
from auditor.privacy.verify_user_k import Verdict, verify
from auditor.progress import Progress

EXACT_USERS = 2_000
"""Up to so many users "auto" compares all pairs."""
MOST_EXACT = 30_000
"""Above it, all pairs need more than 3.6 GB for the distances alone."""
EVENT_PAIR = 3e-9
QUERY_PAIR = 2e-8
"""Core-seconds for two events, and for a user's query against one query, on a 2.8 GHz Xeon."""


def _weight(default: float, label: str, help: str) -> float:
    weight: float = real(default, 0.0, 100.0, slider=(0.0, 5.0), label=label, help=help)
    return weight


@dataclass(frozen=True, kw_only=True)
class MicroaggregationParams(Params, owner="microaggregation"):
    """Size of the groups, how they are looked for, and what makes users similar."""

    k: int = integer(
        3,
        1,
        1_000_000,
        label="Users in a group (k)",
        help="Every user shares her released list with at least k − 1 others. A larger k hides "
        "people better and keeps less of what each of them asked.",
        unit="users",
        slider=(2, 50),
        ends=("more useful", "more private"),
    )
    search: str = choice(
        "auto",
        (
            Option("auto", "by size", "Exact up to 2,000 users, blocked above."),
            Option("exact", "exact", "Compares all pairs; time and memory are quadratic."),
            Option("blocked", "blocked", "Compares the users of a block of similar ones only."),
        ),
        label="Search for similar users",
        help="How groups are found. Every choice gives groups of k or more; the blocked search "
        "is faster on large logs and its groups are somewhat less alike.",
    )
    block: int = integer(
        500,
        10,
        30_000,
        label="Users in a block",
        help="Most users that the blocked search compares with each other; at least 4k are "
        "taken. Larger blocks find more similar users and take longer.",
        unit="users",
        slider=(100, 2_000),
        scale="log",
        when={"search": ("auto", "blocked")},
    )
    centre: str = choice(
        "distance",
        (
            Option("distance", "mean distance", "Farthest from the others on average; fast."),
            Option("aggregate", "merged list", "Farthest from the merged list, as published."),
        ),
        label="Centre of all users",
        help="From what the first user of a group is farthest. The published centre merges all "
        "users' queries anew for every second group, which takes longer.",
    )
    formula: str = choice(
        "corrected",
        (
            Option("corrected", "as described", "The words' distance weighs double."),
            Option("printed", "as printed", "The number of terms weighs double (eq. 1)."),
        ),
        label="Formula of the text distance",
        help="The published formula and its description swap two weights. The printed one "
        "exchanges the weights of words and number of terms.",
    )
    w_time: float = _weight(1.0, "Weight of time", "How much different times keep events apart.")
    w_rank: float = _weight(1.0, "Weight of rank", "How much different ranks keep events apart.")
    w_url: float = _weight(
        1.0, "Weight of the clicked site", "How much different domains keep events apart."
    )
    w_text: float = _weight(
        3.0, "Weight of the query's text", "How much different query strings keep events apart."
    )
    w_length: float = _weight(
        1.0, "Weight of the number of terms", "Within the text: how much the length matters."
    )
    w_words: float = _weight(
        2.0, "Weight of the words", "Within the text: how much the spelling of words matters."
    )
    w_count: float = _weight(
        1.0, "Weight of activity", "How much different numbers of events keep users apart."
    )
    w_queries: float = _weight(
        1.0, "Weight of queries", "How much different queries keep users apart."
    )

    def check(self) -> None:
        """Refuse weights that leave nothing to compare."""
        pairs = {
            "w_text": self.w_time + self.w_rank + self.w_url + self.w_text,
            "w_words": self.w_length + self.w_words,
            "w_queries": self.w_count + self.w_queries,
        }
        for name, total in pairs.items():
            if total <= 0:
                raise ParameterError(
                    name,
                    f"The '{name}' parameter of {self.owner} and the weights beside it are all "
                    f"0. Give at least one of them a weight.",
                )

    def weights(self) -> Weights:
        """The weights of the distance, after the formula chosen."""
        length, words = self.w_length, self.w_words
        if self.formula == "printed":
            length, words = words, length
        return Weights(
            time=self.w_time,
            rank=self.w_rank,
            url=self.w_url,
            text=self.w_text,
            length=length,
            words=words,
            count=self.w_count,
            queries=self.w_queries,
        )

    def exact(self, users: int) -> bool:
        """Whether all pairs are compared in a log of so many users."""
        if self.search == "auto":
            return users <= EXACT_USERS
        return self.search == "exact"

    def block_size(self) -> int:
        """Users in a block, so that each half of one still holds two groups."""
        return max(self.block, 4 * self.k)


@dataclass(frozen=True)
class Cost:
    """What a run will take: distances, seconds on this machine's cores, bytes."""

    pairs: float
    seconds: float
    memory: float


def cost(log: QueryLog, params: MicroaggregationParams, scale: float = 1.0) -> Cost:
    """Estimate of a run on a log `scale` times as large, from measured costs of one pair."""
    users, events = len(log.users) * scale, len(log) * scale
    texts = min(1.0, len(log.queries) / max(len(log), 1)) * events
    near = users if params.exact(round(users)) else min(users, params.block_size())
    share = near / max(users, 1)
    work = events * events * share * EVENT_PAIR + texts * texts * share * QUERY_PAIR
    words = min(texts * share, 32_768)
    memory = 4 * near * near + words * words + 150 * events
    return Cost(users * near / 2, work / cores(), memory)


def find_groups(
    log: QueryLog, params: MicroaggregationParams, progress: Progress
) -> tuple[list[Ints], float]:
    """Groups of user codes, and the sum of distances within them; raises `Cancelled`.

    Raises
    ------
    MissingInput
        The log has fewer than k users, or too many for the exact search.
    """
    users = len(log.users)
    if users < params.k:
        raise MissingInput(
            f"The log has {users:,} users, fewer than k = {params.k:,}. Choose a smaller k."
        )
    weights, exact = params.weights(), params.exact(users)
    if exact and users > MOST_EXACT:
        raise MissingInput(
            f"The exact search of {users:,} users needs {4 * users**2 / 1e9:,.0f} GB. "
            f"Choose the blocked search, or at most {MOST_EXACT:,} users."
        )
    needs_space = not exact or params.centre == "aggregate" or not _known(log, weights)
    space = space_of(log, progress) if needs_space else None
    if exact:
        apart = all_distances(log, weights, progress, space=space)
        far = _farthest(log, space, params, progress)
        groups = mdav(apart, params.k, progress, farthest=far)
        return groups, within(apart, groups)
    assert space is not None
    found: list[Ints] = []
    total = 0.0
    pivots = pivot_distances(space, weights, progress)
    blocks = blocks_of(pivots, params.block_size())
    for number, block in enumerate(blocks):
        part = space.subset(block)
        stage = f"comparing users, block {number + 1:,} of {len(blocks):,}"
        near = UserDistance(part, weights, progress).pairs(progress, stage)
        far = _farthest(log, part, params, progress)
        groups = mdav(near, params.k, progress, farthest=far)
        total += within(near, groups)
        found += [block[group] for group in groups]
    return found, total


def _known(log: QueryLog, weights: Weights) -> bool:
    return kept_distances(log, weights) is not None


def _farthest(
    log: QueryLog, space: Space | None, params: MicroaggregationParams, progress: Progress
) -> Farthest | None:
    """The published choice of the record farthest from all: by the centroid of what is left."""
    if params.centre != "aggregate":
        return None
    assert space is not None
    domains = Domains.of(log.urls, progress)
    apart = UserDistance(space, params.weights(), progress)
    here = space

    def farthest(left: Ints) -> int:
        lists = centroids(log, [here.users[left]], domains, progress)
        far = apart.to_all(probes(log, here, lists, domains), progress)[0]
        return int(left[np.argmax(far[left])])

    return farthest


def merged(log: QueryLog, groups: list[Ints], progress: Progress) -> tuple[QueryLog, Lists]:
    """The log in which every user of a group has the group's list; and the lists."""
    domains = Domains.of(log.urls, progress)
    lists = centroids(log, groups, domains, progress)
    progress.stage("writing lists")
    entry = np.repeat(np.arange(len(lists.query)), lists.copies)
    copies = np.add.reduceat(lists.copies, lists.starts[:-1])
    group_of = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    ends = edges(copies)
    rows = entry[spread(ends[group_of], copies[group_of])]
    user = np.repeat(np.concatenate(groups), copies[group_of]).astype(np.int32)
    code, urls = _urls(log, lists, domains, progress)
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


def _urls(
    log: QueryLog, lists: Lists, domains: Domains, progress: Progress
) -> tuple[NDArray[np.int32], Vocabulary]:
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
    """Give every user the list of her group."""
    progress.check()
    groups, distance = find_groups(log, params, progress)
    released, lists = merged(log, groups, progress)
    verdict = verify(released, params.k, progress=progress)
    changes = {
        "rows": len(log),
        "rows_dropped": max(0, len(log) - len(released)),
        "queries_dropped": len(log.queries) - len(released.queries),
        "groups": len(groups),
        "users_in_largest_group": max(len(group) for group in groups),
        "urls_shortened": int(np.count_nonzero(_shortened(log, lists, progress))),
    }
    statement = _statement(log, params, released, verdict, len(groups), distance)
    return Product(content=released, statement=statement, changes=changes)


def _shortened(log: QueryLog, lists: Lists, progress: Progress) -> NDArray[np.bool_]:
    depth = Domains.of(log.urls, progress).depth
    there = lists.host != NONE
    full = np.zeros(len(lists.host), dtype=np.int64)
    full[there] = depth[lists.host[there]]
    shorter: NDArray[np.bool_] = there & (lists.depth < full)
    return shorter


def _askers(log: QueryLog) -> Ints:
    """How many users asked each query."""
    pairs = np.unique(log.query.astype(np.int64) * len(log.users) + log.user)
    return np.bincount(pairs // len(log.users), minlength=len(log.queries))


def _statement(
    log: QueryLog,
    params: MicroaggregationParams,
    released: QueryLog,
    verdict: Verdict,
    groups: int,
    distance: float,
) -> Statement:
    lonely = int(np.count_nonzero(_askers(log)[released.queries.match(log.queries)] == 1))
    users = len(log.users)
    alike = Assumption(
        "every record stands k times",
        f"Each user's released list equals those of at least {params.k - 1:,} others.",
        "holds" if verdict.holds else "fails",
        f"checked on the release: {verdict.groups:,} different lists, the rarest of "
        f"{verdict.smallest:,} users",
    )
    strings = Assumption(
        "the strings give nobody away",
        "No released query names or describes the person who asked it. Strings are released as "
        "they were typed: that of one user stands in the list of her whole group.",
        "fails" if lonely else "holds",
        f"{lonely:,} of {len(released.queries):,} released queries were asked by one user only",
    )
    known = Assumption(
        "the attacker asks who, not what",
        "Who knows that a person is in a group learns what the group asked: when its members "
        "asked the same, k-anonymity does not hide it, and user ids stay as they were.",
        "unknown",
    )
    one = Assumption(
        "one person, one user id",
        "Each person has one user id. A person with several can have a group of her own.",
        "unknown",
    )
    again = Assumption(
        "no other release",
        "Nothing else of the same log is released. Groups of two releases that overlap in fewer "
        "than k users tell those apart.",
        "unknown",
    )
    return Statement(
        model="k-anonymity",
        claim=f"Each of {users:,} users has the same released list of queries as at least "
        f"{verdict.smallest - 1:,} others, so that a list points to {verdict.smallest:,} users "
        f"or more. What the list says is not hidden.",
        unit="one user's whole history, as a record",
        assumptions=(alike, strings, known, one, again),
        measured={
            "k": float(verdict.smallest),
            "groups": float(groups),
            "distance_within_groups": distance,
            "queries_of_one_user": float(lonely),
        },
    )


def expected(
    log: QueryLog, params: MicroaggregationParams, *, scale: float, progress: Progress
) -> Outlook:
    """What a run will take and what it promises, before it is started."""
    progress.check()
    users = len(log.users) * scale
    effort = cost(log, params, scale)
    values = (
        Value(
            "expected.groups",
            "groups",
            float(max(1, users // params.k)),
            help="Groups of users with one list; k to 2k − 1 users each.",
        ),
        Value(
            "expected.seconds",
            "time of the first run, about",
            effort.seconds,
            unit="s",
            help="From measured costs of one comparison and this machine's cores. Up to 2,000 "
            "users another k takes a moment, as distances are kept.",
            better="lower",
        ),
        Value(
            "expected.memory",
            "memory, about",
            effort.memory / 1e6,
            unit="MB",
            help="Distances of users and words, and the log's codes.",
            better="lower",
        ),
    )
    statement = Statement(
        model="k-anonymity",
        claim=f"Each user will have the same released list of queries as at least "
        f"{params.k - 1:,} others. What the list says is not hidden.",
        unit="one user's whole history, as a record",
    )
    return Outlook(statement=statement, values=values, figures=curves(params, round(users)))


def curves(params: MicroaggregationParams, users: int) -> tuple[Figure, ...]:
    """The share of a user's queries that her list can show, after Fig. 3's theoretical line."""
    k = np.arange(2, max(50, min(2 * params.k, 1_000)) + 1, dtype=np.float64)
    figure = Figure(
        name="exposure",
        title="Share of a user's queries in her group's list",
        x=Axis("users in a group (k)", unit="users"),
        y=Axis("100 / k", unit="%"),
        series=(Series("expected exposure", k, 100 / k),),
        marks=(Mark("x", float(params.k), f"k = {params.k:,}", "current"),),
        note=f"{users:,} users make at most {users // params.k:,} groups.",
        source="Navarro-Arribas et al. 2012, Fig. 3",
    )
    return (figure,)


METHOD = Method(
    name="microaggregation",
    title="Microaggregation",
    summary="Groups similar users and gives all users of a group one list of merged queries.",
    source="Navarro-Arribas, Torra, Erola & Castellà-Roca 2012, "
    "User k-anonymity for privacy preserving data mining of query logs",
    params=MicroaggregationParams,
    yields="log",
    randomised=False,
    run=run,
    outlook=expected,
    curves=curves,
)
