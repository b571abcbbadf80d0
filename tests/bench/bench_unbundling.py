"""Un-bundling: ``python -m tests.bench.bench_unbundling [users …]``.

First fibers by shared words alone, codes in memory: 1.4 million queries in 25,824 bundles, words as
frequent as those of a web log. Baselines on the same edges: SciPy's connected components of the
graph between queries and the words of their bundles, and a union-find in plain Python on one
bundle in ten. Then the measures, topics, and the attack as a whole with truth on synthetic logs of
a day.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from auditor.attacks.base import Evidence
from auditor.attacks.bundle_view import BundledLog, arrange_events
from auditor.attacks.unbundling.attack import ATTACK
from auditor.attacks.unbundling.fibers import FiberKeys, join_fibers
from auditor.attacks.unbundling.params import UnbundlingParams
from auditor.attacks.unbundling.scores import score_labels, truth_of
from auditor.attacks.unbundling.topics import topics
from auditor.log.bundles import BundlePartition
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.synthetic.generator import synthesize_log
from auditor.progress import silent_progress
from tests.bench.measuring import peak_memory, timed

BUNDLES, EVENTS, QUERIES, WORDS = 25_824, 1_400_000, 600_000, 150_000


def make_bundles(seed: int = 1) -> tuple[BundledLog, FiberKeys]:
    """Bundles of heavy-tailed size; users with a few interests; 2.3 words a query."""
    rng = np.random.default_rng(seed)
    share = rng.pareto(1.5, BUNDLES) + 0.3
    bundle = np.sort(rng.choice(BUNDLES, EVENTS, p=share / share.sum())).astype(np.int32)
    user = bundle * 20 + np.minimum(rng.zipf(1.5, EVENTS), 20).astype(np.int32) - 1
    _, who = np.unique(user, return_inverse=True)
    order = np.argsort(who, kind="stable")
    user, bundle = who[order].astype(np.int32), bundle[order]
    codes = (user.astype(np.int64) * 7919 + rng.zipf(1.4, EVENTS)) % QUERIES
    # By first appearance, as in any log.
    _, first, query = np.unique(codes, return_index=True, return_inverse=True)
    query = np.argsort(np.argsort(first))[query].astype(np.int32)
    log = QueryLog.from_codes(
        user=user,
        query=query,
        time=np.arange(EVENTS, dtype=np.int64),
        url=np.full(EVENTS, -1, dtype=np.int32),
        rank=np.full(EVENTS, -1, dtype=np.int16),
        users=Vocabulary.of(f"u{code}" for code in range(int(who.max()) + 1)),
        queries=Vocabulary.of(f"q{code}" for code in range(QUERIES)),
        urls=Vocabulary.of(()),
    )
    bundled = arrange_events(
        log, BundlePartition(bundle, BUNDLES), 100, "random-users", None, silent_progress()
    )
    length = np.minimum(rng.geometric(0.43, QUERIES), 9)
    starts = np.concatenate(([0], np.cumsum(length))).astype(np.int64)
    words = np.minimum(rng.zipf(1.25, int(starts[-1])), WORDS) - 1
    return bundled, FiberKeys(words.astype(np.int32), starts, WORDS)


def show(label: str, work: Callable[[], Any], runs: int = 3) -> tuple[float, Any]:
    seconds, result = timed(work, runs)
    print(f"{label:<60} {seconds:8.3f} s")
    return seconds, result


def entries(log: BundledLog, keys: FiberKeys) -> tuple[np.ndarray, np.ndarray]:
    """Every event with every word of it."""
    length = keys.compute_lengths()[log.query]
    event = np.repeat(np.arange(len(log)), length)
    ends = np.cumsum(length)
    place = np.arange(len(event)) + np.repeat(keys.starts[log.query] - ends + length, length)
    return event, keys.codes[place]


def by_scipy(log: BundledLog, event: np.ndarray, word: np.ndarray) -> np.ndarray:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    node = log.bundle[event].astype(np.int64) * WORDS + word
    _, node = np.unique(node, return_inverse=True)
    size = len(log) + int(node.max()) + 1
    graph = coo_array(
        (np.ones(len(event), dtype=np.int8), (event, node + len(log))), shape=(size, size)
    )
    labels: np.ndarray = connected_components(graph, directed=False)[1][: len(log)]
    return labels


def by_python(log: BundledLog, keys: FiberKeys, bundles: int) -> int:
    """Fibers of the first bundles by a union-find in plain Python."""
    parent: dict[int, int] = {}

    def root(event: int) -> int:
        while parent[event] != event:
            parent[event] = parent[parent[event]]
            event = parent[event]
        return event

    query, starts, codes = log.query.tolist(), keys.starts.tolist(), keys.codes.tolist()
    for bundle in range(bundles):
        owner: dict[int, int] = {}
        part = log.slice_events(bundle)
        for event in range(part.start, part.stop):
            parent[event] = event
            for word in codes[starts[query[event]] : starts[query[event] + 1]]:
                if word in owner:
                    parent[root(owner[word])] = root(event)
                owner[word] = event
    return sum(parent[event] == event for event in parent)


def edges() -> None:
    log, keys = make_bundles()
    print(f"{len(log):,} queries in {log.count:,} bundles, {int(log.large.sum()):,} large")
    join_fibers(log, [keys], silent_progress())
    mine, labels = show("fibers by words", lambda: join_fibers(log, [keys], silent_progress()), 7)
    event, word = entries(log, keys)
    base, components = show("SciPy, graph and components", lambda: by_scipy(log, event, word), 1)
    pairs = np.unique(np.stack((labels, components)), axis=1).shape[1]
    assert pairs == len(np.unique(labels)) == len(np.unique(components))
    tenth = log.count // 10
    share = len(log) / int(log.starts[tenth])
    plain, _ = show("plain Python, one bundle in ten", lambda: by_python(log, keys, tenth), 1)
    print(f"{'':>8} SciPy takes {base / mine:,.0f} ×, plain Python {plain * share / mine:,.0f} ×")
    truth = truth_of(log)
    score_labels(log, truth, labels, silent_progress())
    show("F, Meila, Rand", lambda: score_labels(log, truth, labels, silent_progress()))


def attack(users: int) -> None:
    world = synthesize_log(users, days=1, seed=1)
    log, reference = world.log, world.reference
    _, related = show(
        f"related words, {len(reference):,} rows of a reference",
        lambda: topics.find_related_tokens(reference, 20_000, 40.0, silent_progress()),
        2,
    )
    show(
        f"cliques of {len(related.left):,} pairs",
        lambda: topics.clique_topics(related, 40.0, silent_progress()),
        2,
    )
    for table in ("none", "masks"):
        params = UnbundlingParams(variant="w", compare=False, table=table)
        _, result = show(
            f"attack by words, {users:,} users, {len(log):,} rows, table: {table}",
            partial(
                ATTACK.run,
                Evidence(log=log, reference=reference),
                params,
                rng=np.random.default_rng(0),
                progress=silent_progress(),
            ),
            2,
        )
        low, high = result.interval
        print(
            f"{'':>8} F {result.rate:.3f} [{low:.3f}, {high:.3f}], baseline {result.baseline:.3f}; "
            f"peak {peak_memory():.2f} GiB"
        )


if __name__ == "__main__":
    edges()
    for size in [int(word) for word in sys.argv[1:]] or [10_000, 100_000]:
        attack(size)
