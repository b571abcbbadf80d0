"""Fibers by learned edge weights and a clustering that weighs evidence, beyond the source.

The attacker makes bundles themselves, of users they know, and learns from them in rounds. First how
likely two events are one user's, given words, characters, time, places and clicks; events are
joined by greedy additive edge contraction of the log-odds, which is a correlation clustering. Then
how likely two of the clusters so made are one user's, given all that lies between them; and so on.
In the last round, how much evidence is enough, and from what size on the largest cluster of a
bundle takes in the crumbs, is what gives the best F on further bundles of theirs.

The source's classifier learns from some of the attacked bundles, as the source had it. The learned
weights learn from bundles of the reference log, made as the attacked ones were; only without a
reference, or with too small a one, from the known bundles, too. Nothing else of the attacked
bundles' truth is used: `train_fiber_model` looks at the users of the bundles it trains on,
`label_fibers` at no user at all. O(n · log² n) for n events.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from auditor.arrays import (
    Bools,
    Float32s,
    Float64s,
    Int32s,
    Int64s,
    Integers,
    mark_run_starts,
    mean_of,
)
from auditor.attacks.bundle_view import BundledLog, arrange_events
from auditor.attacks.unbundling.candidate_pairs import (
    QueryRewrites,
    SeenBundles,
    chunk_bundles,
    events_of,
    find_candidates,
    rewrites_of,
    texts_of,
)
from auditor.attacks.unbundling.fibers import (
    FiberClues,
    cut_to,
    expand_keys,
    group_pairs,
    join_fibers,
    label_components,
    label_singletons,
    name_clusters,
    score_labels,
    truth_of,
    word_keys,
)
from auditor.attacks.unbundling.learning import pair_classifier
from auditor.attacks.unbundling.learning.pair_classifier import (
    GREATEST,
    PASSED_ON,
    WIDTHS,
    PairFeatures,
    compute_cosines,
    iterate_features,
    list_cluster_words,
    log_odds,
    pair_features,
    predict_same,
    sample_pairs,
)
from auditor.errors import Cancelled
from auditor.log import bundles
from auditor.log.bundles import BundlePartition
from auditor.progress import Progress, SilentProgress, run_cancellable

if TYPE_CHECKING:
    from sklearn.tree import DecisionTreeClassifier

ROUNDS = (1.5, 0.0)
"""Log-odds that the evidence must exceed in each round but the last, whose is learned."""

EVENTS = 160_000
"""Events of known bundles that are trained on at most, unless there are few large bundles."""

PARTS = (0.15, 0.2, 0.25, 0.4)
"""Shares of the known bundles that each round, and the choice at the end, are learned from."""

_PAIRS = 1 << 15
"""Pairs that one tree judges at once, between two looks at the cancel flag."""

_FEW = 8_000
"""Events of known bundles below which only pairs of events are learned from."""

_BIASES = (-2.5, -2.0, -1.75, -1.5, -1.25, -1.0, -0.5, 0.0, 0.5)
_TAKEN = ((1.1, 0.0), *itertools.product((0.1, 0.2, 0.3, 0.4), (0.05, 0.1, 0.2)))
"""Shares of its bundle from which on the largest cluster takes in crumbs, and what crumbs are."""

_TREES = 12
_LEAF = 40
"""Pairs in a leaf at least, unless there are few pairs."""
_MOST = 60_000
"""Pairs that a forest is grown on at most; more don't help, and take longer."""


@dataclass(frozen=True, eq=False)
class RandomForest:
    """Decision trees that say together which pairs are "same"."""

    trees: tuple[DecisionTreeClassifier, ...]

    def predict_probability(self, features: Float32s, progress: Progress) -> Float64s:
        """The chance that each row is "same"; shape (rows,); O(rows · trees · depth).

        Leaves hold many pairs, and their shares are averaged: it is a probability, not a vote.
        """
        total = np.zeros(len(features))
        for first in range(0, len(features), _PAIRS):
            part = slice(first, first + _PAIRS)
            for tree in self.trees:
                progress.check()
                total[part] += predict_same(tree, features[part])
        return total / len(self.trees)


def grow_forest(features: Float32s, is_same: Bools, progress: Progress, seed: int) -> RandomForest:
    """Grow a forest on pairs, of which a sample is drawn if there are many.

    One tree at a time is grown: a cancel is heard between them.
    """
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(seed)
    features, is_same = sample_pairs(features, is_same, _MOST, rng)
    trees = []
    progress.stage("growing a forest", _TREES)
    for number in range(_TREES):
        picked = rng.integers(0, len(is_same), len(is_same))
        tree = DecisionTreeClassifier(
            criterion="entropy",
            min_samples_leaf=min(_LEAF, max(5, len(is_same) // 100)),
            max_features=1 / 3,
            random_state=number,
        )
        trees.append(tree.fit(features[picked], is_same[picked]))
        progress.update(number + 1)
    return RandomForest(tuple(trees))


@dataclass(frozen=True, eq=False)
class FiberModel:
    """What was learned: a forest and a bias for each round, and when crumbs are taken in.

    The first forest is for pairs of events, the others for pairs of clusters; `biases` are the
    log-odds above which evidence joins. A bundle's largest cluster takes in those of at most
    `crumb` times its size if it holds `share` of the bundle or more. `f` is the mean F on the
    bundles that `share`, `crumb` and the last bias were chosen on.
    """

    forests: tuple[RandomForest, ...]
    biases: tuple[float, ...]
    share: float = 1.1
    crumb: float = 0.0
    f: float = 0.0


@dataclass(frozen=True, eq=False)
class _FiberGraph:
    """The candidate pairs of some bundles; events are numbered from 0 within.

    `odds` are what the first forest makes of the pairs and `passed_on` the features that count for
    clusters, both empty where there is no forest yet. Event ``holder[i]`` has ``stem[i]``.
    """

    bundles: SeenBundles
    event: Int64s
    left: Int32s
    right: Int32s
    odds: Float64s
    passed_on: Float32s
    holder: Int64s
    stem: Int64s

    def compare(self, cluster: Int64s, number: int, progress: Progress) -> PairFeatures:
        """What a round is learned from: pairs of events first, then of clusters."""
        if number:
            return self.compare_clusters(cluster, progress)
        earlier, later = self.event[self.left], self.event[self.right]
        features = pair_features(self.bundles, earlier, later, progress)
        return PairFeatures(self.left, self.right, features)

    def compare_clusters(self, cluster: Int64s, progress: Progress) -> PairFeatures:
        """What the pairs of events between two clusters say together; O(pairs · log pairs).

        Pairs of clusters ascend. `cluster` is each event's, in ``range(clusters)``.
        """
        bundled, event = self.bundles.bundled, self.event
        words = list_cluster_words(cluster, self.holder, self.stem, self.bundles.texts.weights)
        count = int(cluster.max(initial=-1)) + 1
        ends = np.sort(np.stack((cluster[self.left], cluster[self.right])), axis=0)
        cut_edges = np.flatnonzero(ends[0] != ends[1])
        left, right, number = group_pairs(ends[0][cut_edges], ends[1][cut_edges], progress)
        order = np.argsort(number, kind="stable")
        edges, rows = np.bincount(number, minlength=len(left)), cut_edges[order]
        begins = np.cumsum(edges) - edges
        size, bundle_size = np.bincount(cluster, minlength=count), np.zeros(count, dtype=np.int64)
        bundle_size[cluster] = bundled.queries[bundled.bundle[event]]
        low, high = np.full(count, np.iinfo(np.int64).max), np.zeros(count, dtype=np.int64)
        np.minimum.at(low, cluster, bundled.time[event])
        np.maximum.at(high, cluster, bundled.time[event])
        odds = self.odds[rows]
        greatest, least = np.split(self.passed_on[rows], [len(GREATEST)], axis=1)
        total, larger = np.add.reduceat(odds, begins), np.maximum(size[left], size[right])
        columns = (
            np.minimum(size[left], size[right]), larger, bundle_size[left],
            larger / np.maximum(bundle_size[left], 1), edges, np.maximum.reduceat(odds, begins),
            np.minimum.reduceat(odds, begins), total / np.maximum(edges, 1), total,
            compute_cosines(left, right, words),
            np.minimum(high[left], high[right]) - np.maximum(low[left], low[right]),
            np.maximum.reduceat(greatest, begins), np.minimum.reduceat(least, begins),
        )  # fmt: skip
        return PairFeatures(left, right, np.column_stack(columns).astype(np.float32))


WeighedPairs = tuple[Integers, Integers, Float64s]
"""Pairs of events, or of clusters, each once, and the log-odds that both are one user's."""


def label_fibers(
    view: SeenBundles, model: FiberModel, progress: Progress, *, is_selected: Bools | None = None
) -> Int32s:
    """Fibers of the bundles of `is_selected` (the large ones); others' events stand alone."""
    bundled = view.bundled
    is_selected = bundled.large if is_selected is None else is_selected
    labels = label_singletons(bundled)
    for graph, cluster in _iterate_graphs(view, is_selected, model, progress):
        cluster = gather_remainders(cluster, bundled.bundle[graph.event], model.share, model.crumb)
        name_clusters(labels, graph.event, cluster)
    return labels


def train_fiber_model(view: SeenBundles, bundles: Int64s, progress: Progress) -> FiberModel:
    """Learn from some bundles, whose users the attacker knows; O(n · log² n) for their events.

    Each round, and the choice at the end, has bundles of its own, so that nothing is judged on what
    it was learned from. Rewrites should be counted without those users.
    """
    folds = draw_folds(view.bundled, bundles, np.random.default_rng(0))
    biases = (*ROUNDS, 0.0)[-(len(folds) - 1) :]
    model = FiberModel((), ())
    for number, fold in enumerate(folds[:-1]):
        rows, truths = [np.zeros((0, WIDTHS[number > 0]), np.float32)], [np.zeros(0, np.bool_)]
        for graph, cluster in _iterate_graphs(view, fold, model, progress):
            pairs = graph.compare(cluster, number, progress)
            rows.append(pairs.features)
            main = _find_main_users(view.bundled.user[graph.event], cluster)
            truths.append(main[pairs.first] == main[pairs.second])
        forest = grow_forest(np.concatenate(rows), np.concatenate(truths), progress, seed=number)
        model = FiberModel((*model.forests, forest), biases[: number + 1])
    return _choose_model(view, folds[-1], model, progress)


def draw_folds(bundled: BundledLog, bundles: Int64s, rng: np.random.Generator) -> list[Bools]:
    """Which bundles each stage has: as `PARTS` share them out, `EVENTS` in all at most.

    Where there are few events one round, and half of them for the choice, do better.
    """
    mixed = rng.permutation(bundles[bundled.queries[bundles] >= 2])
    keep = np.cumsum(bundled.queries[mixed]) <= EVENTS
    keep[: 2 * len(PARTS)] = True
    mixed = mixed[keep]
    parts = PARTS if bundled.queries[mixed].sum() >= _FEW else (0.5, 0.5)
    ends = np.rint(np.cumsum((0.0, *parts)) * len(mixed)).astype(np.int64)
    folds = []
    for low, high in itertools.pairwise(ends):
        folds.append(np.zeros(bundled.count, dtype=np.bool_))
        folds[-1][mixed[low:high]] = True
    return folds


def _iterate_graphs(
    view: SeenBundles, is_selected: Bools, model: FiberModel, progress: Progress
) -> Iterator[tuple[_FiberGraph, Int64s]]:
    """Chunks of bundles, and what they were clustered into so far."""
    bundled = view.bundled
    total, done = int(bundled.queries[is_selected].sum()), 0
    for part in chunk_bundles(bundled, is_selected):
        progress.stage("weighing evidence", total)
        progress.update(done)
        graph = _build_graph(view, part, model, progress)
        cluster = np.arange(len(graph.event), dtype=np.int64)
        size = int(bundled.queries[part].sum())
        for number, bias in enumerate(model.biases):
            pairs: WeighedPairs = graph.left, graph.right, graph.odds
            if number:
                comparison = graph.compare_clusters(cluster, progress)
                chance = model.forests[number].predict_probability(comparison.features, progress)
                pairs = comparison.first, comparison.second, log_odds(chance)
            cluster = _contract_clusters(cluster, pairs, bias, progress)
            # One bundle may take most of the time: progress goes on within it.
            progress.update(done + size * (number + 1) // len(model.biases))
        yield graph, cluster
        del graph, cluster
        done += size


def _build_graph(
    view: SeenBundles, bundles: Int64s, model: FiberModel, progress: Progress
) -> _FiberGraph:
    """The pairs of some bundles, judged block by block, so that few features are held at once."""
    earlier, later = find_candidates(view, bundles, progress)
    event = events_of(view.bundled, bundles)
    left, right = (np.searchsorted(event, place).astype(np.int32) for place in (earlier, later))
    odds, passed_on = [np.zeros(0)], [np.zeros((0, len(PASSED_ON)), np.float32)]
    for forest in model.forests[:1]:
        for features in iterate_features(view, earlier, later, progress, further=True):
            odds.append(log_odds(forest.predict_probability(features, progress)))
            passed_on.append(features[:, PASSED_ON])
    words = expand_keys(view.texts.stems, view.bundled.query[event])
    return _FiberGraph(
        view, event, left, right, np.concatenate(odds), np.concatenate(passed_on), *words
    )


def _contract_clusters(
    cluster: Int64s, pairs: WeighedPairs, bias: float, progress: Progress
) -> Int64s:
    """Clusters after contracting what has log-odds above the bias, numbered from 0."""
    count = int(cluster.max(initial=-1)) + 1
    contracted = cluster_graph(count, pairs, progress, bias=bias)
    return np.unique(contracted, return_inverse=True)[1][cluster]


def _find_main_users(user: Int32s, cluster: Int64s) -> Int32s:
    """The commonest user of each cluster; of equally common ones the least."""
    order = np.lexsort((user, cluster))
    place, sorted_users = cluster[order], user[order]
    first = np.flatnonzero(mark_run_starts(place, sorted_users))
    events = np.diff(np.append(first, len(order)))
    best = np.lexsort((-events, place[first]))
    heads = np.flatnonzero(np.diff(place[first][best], prepend=-1))
    main: Int32s = sorted_users[first][best][heads]
    return main


def gather_remainders(cluster: Int64s, bundle: Int32s, share: float, crumb: float) -> Int64s:
    """Clusters after the largest of a bundle took in the crumbs, where it is large enough."""
    if share > 1 or not len(cluster):
        return cluster
    size = np.bincount(cluster)
    home = np.zeros(len(size), dtype=np.int64)
    home[cluster] = bundle
    order = np.lexsort((-size, home))
    heads = np.flatnonzero(np.diff(home[order], prepend=-1))
    largest = np.zeros(int(home.max()) + 1, dtype=np.int64)
    largest[home[order[heads]]] = order[heads]
    events = np.bincount(bundle)
    main = largest[home]
    takes = (size[main] >= share * events[home]) & (size <= crumb * size[main])
    return np.where(takes, main, np.arange(len(size)))[cluster]


def _choose_model(
    view: SeenBundles, is_selected: Bools, model: FiberModel, progress: Progress
) -> FiberModel:
    """The model with the last bias, and the handling of crumbs, that give the best mean F."""
    before = dataclasses.replace(model, forests=model.forests[:-1], biases=model.biases[:-1])
    is_inside = is_selected[view.bundled.bundle]
    place = np.cumsum(is_inside) - 1
    # Small bundles count, too.
    bundled = dataclasses.replace(cut_to(view.bundled, is_inside), min_queries=0)
    truth, silent = truth_of(bundled), SilentProgress(progress)
    clusterings = []
    for graph, cluster in _iterate_graphs(view, is_selected, before, progress):
        pairs = graph.compare(cluster, len(model.forests) - 1, progress)
        odds = log_odds(model.forests[-1].predict_probability(pairs.features, progress))
        clusterings.append((place[graph.event], cluster, (pairs.first, pairs.second, odds)))
    best = model
    progress.stage("choosing a threshold for evidence", len(_BIASES))
    for bias in _BIASES:
        comparisons = [
            (event, _contract_clusters(cluster, pairs, bias, progress))
            for event, cluster, pairs in clusterings
        ]
        for share, crumb in _TAKEN:
            labels = label_singletons(bundled)
            for event, cluster in comparisons:
                home = bundled.bundle[event]
                name_clusters(labels, event, gather_remainders(cluster, home, share, crumb))
            f = mean_of(score_labels(bundled, truth, labels, silent).f)
            if f > best.f:
                biases = (*model.biases[:-1], bias)
                best = dataclasses.replace(model, biases=biases, share=share, crumb=crumb, f=f)
        progress.advance()
    return best


def cluster_graph(
    nodes: int, edges: WeighedPairs, progress: Progress, *, bias: float = 0.0
) -> Int64s:
    """The cluster of each node, named after one of its nodes; shape (nodes,).

    Correlation clustering by greedy additive edge contraction: the two clusters with the greatest
    sum of weights between them are joined, again and again, while that sum is positive. `edges` are
    both ends of each, every pair of nodes once at most, and their weights of any sign, off which
    `bias` is taken. O(e · log² e) for e edges, and some 50 bytes for each.
    """
    from auditor.attacks.unbundling.learning import kernels

    left, right, weight = edges
    degree = np.bincount(left, minlength=nodes) + np.bincount(right, minlength=nodes)
    # Clusters never leave a connected component of positive edges: others' edges can't matter.
    positive = weight > bias
    progress.check()
    component = label_components(nodes, left[positive], right[positive])
    inner = component[left] == component[right]
    first, second = left[inner].astype(np.int32), right[inner].astype(np.int32)
    stop: Bools = np.zeros(1, dtype=np.bool_)
    try:
        return run_cancellable(
            lambda: kernels.contract_edges(first, second, weight[inner] - bias, degree, stop),
            progress,
        )
    except Cancelled:
        stop[0] = True
        raise


QUALITY, MODEL = "classifier", "learned"
"""Keys of `FiberClues.worked`: the classifier's `PairQuality`, and the learned `FiberModel`, None
where there was nothing to learn from."""

_VIEW = "seen"
_LEAST = 2 * len(PARTS)
"""Bundles that can be learned from; fewer don't show what is common to them."""
_SEED = 0xF1BE


def classify_fibers(bundled: BundledLog, clues: FiberClues, progress: Progress) -> Int32s:
    """The source's classifier, trained on the known bundles; see `pair_classifier`.

    What it is worth, on pairs of the other large bundles, is left in ``clues.worked[QUALITY]``.
    """
    view = see_bundles(bundled, clues, progress)
    tree = pair_classifier.train_pair_tree(view, clues.training, progress)
    is_tested = bundled.large
    is_tested[clues.training] = False
    labels, quality = pair_classifier.label_pairs(view, tree, progress, is_selected=is_tested)
    clues.worked[QUALITY] = quality
    return labels


def learn_fibers(bundled: BundledLog, clues: FiberClues, progress: Progress) -> Int32s:
    """Learned weights, clustered; see `learned_fibers`. The model is ``clues.worked[MODEL]``.

    Where there is too little to learn from, queries that share a word are joined.
    """
    clues.worked[MODEL] = None
    view = see_bundles(bundled, clues, progress)
    reference = bundle_reference(bundled, clues, progress)
    if reference is not None:
        source, learned_from = reference, np.arange(reference.bundled.count)
    elif len(clues.training) >= len(PARTS):
        source, learned_from = view, clues.training
    else:
        return join_fibers(bundled, [word_keys(clues.words)], progress)
    model = train_fiber_model(source, learned_from, progress)
    clues.worked[MODEL] = model
    return label_fibers(view, model, progress)


def nothing_learned(clues: FiberClues) -> bool:
    """Whether learned weights were asked for and there was nothing to learn them from."""
    return MODEL in clues.worked and clues.worked[MODEL] is None


def bundle_reference(
    bundled: BundledLog, clues: FiberClues, progress: Progress
) -> SeenBundles | None:
    """Bundles of a reference log like the attacked ones, or None if there aren't enough.

    Their rewrites are counted of the reference's other users.

    They are made by address where both logs have some, else of users by chance, of about as many
    events; the reference is taken to be no longer than the attacked period. O(reference).
    """
    if clues.reference is None or not len(clues.reference) or not len(bundled):
        return None
    log, rng = clues.reference, np.random.default_rng(_SEED)
    seconds, last = int(bundled.time.max() - bundled.time.min()), int(log.time.max())
    if last - int(log.time.min()) > 1.5 * seconds + 1:
        log = log.rows(log.time >= last - seconds)
    if bundled.by == "ip-mask" and bundled.bits is not None and bundles.has_addresses(log):
        parts = bundles.by_address(log, bundled.bits, progress)
    else:
        events = len(bundled) / max(int(np.count_nonzero(bundled.queries)), 1)
        per_user = int(np.count_nonzero(log.event_starts)) / max(len(log.users), 1)
        groups = max(1, round(len(log.users) / max(2.0, events / max(per_user, 1.0))))
        parts = bundles.by_user(log, rng.permutation(len(log.users)) % groups, progress)
    rows = np.bincount(parts.bundle, minlength=parts.count)
    mixed = rng.permutation(np.flatnonzero(rows >= max(bundled.min_queries, 2)))
    # Three quarters at most, so that there are others to count rewrites of.
    mixed = mixed[: 3 * len(mixed) // 4]
    mixed = mixed[np.cumsum(rows[mixed]) <= max(EVENTS, int(rows[mixed[:_LEAST]].sum()))]
    if len(mixed) < _LEAST:
        return None
    new = np.full(parts.count, -1, dtype=np.int32)
    new[mixed] = np.arange(len(mixed), dtype=np.int32)
    keep = new[parts.bundle] >= 0
    users = np.zeros(len(log.users), dtype=np.bool_)
    users[log.user[keep]] = True
    kept_log = log.rows(keep)
    sample = arrange_events(
        kept_log, BundlePartition(new[parts.bundle[keep]], len(mixed)),
        bundled.min_queries, bundled.by, bundled.bits, progress,
    )  # fmt: skip
    return SeenBundles(
        sample,
        texts_of(
            kept_log.queries,
            sample,
            progress,
            clicks=kept_log if clues.clicks is not None else None,
        ),
        rewrites_of(log, progress, excluded=users).translate_codes(kept_log.queries),
    )


def see_bundles(bundled: BundledLog, clues: FiberClues, progress: Progress) -> SeenBundles:
    """The attacked bundles as pairs of their events are compared, worked out once for both ways."""
    if _VIEW not in clues.worked:
        texts = texts_of(clues.queries, bundled, progress, stemmed=clues.words, clicks=clues.clicks)
        if clues.reference is None:
            none: Int32s = np.zeros(0, dtype=np.int32)
            rewrites = QueryRewrites(none, none, np.zeros(0, dtype=np.float32), clues.queries)
        else:
            rewrites = rewrites_of(clues.reference, progress).translate_codes(clues.queries)
        clues.worked[_VIEW] = SeenBundles(bundled, texts, rewrites)
    view: SeenBundles = clues.worked[_VIEW]
    return view
