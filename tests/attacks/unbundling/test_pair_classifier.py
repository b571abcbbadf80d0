"""The pair classifier: features by hand, blocking, the split by bundle, and what it achieves."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from rapidfuzz.distance import Levenshtein
from sklearn.tree import DecisionTreeClassifier

from auditor.attacks.bundle_view import BundledLog
from auditor.attacks.unbundling.candidate_pairs import find_candidates, rewrites_of
from auditor.attacks.unbundling.learning import pair_classifier as pairs
from auditor.attacks.unbundling.learning.pair_features import iterate_features
from auditor.errors import Cancelled
from auditor.progress import silent_progress
from tests.attacks.unbundling.bundle_logs import Case, by_words, f_of, small, synthetic
from tests.measures.fakes import cancelled

QUIET = silent_progress()


def features(case: Case, left: int, right: int) -> list[float]:
    (rows,) = iterate_features(case.seen, np.array([left]), np.array([right]), QUIET)
    return [round(float(value), 4) for value in rows[0]]


def test_that_features_are_what_their_names_say() -> None:
    case = small(
        ("a", "red wine shop", 100),
        ("a", "red wine", 160),
        ("b", "Wine Shop red", 1_000),
        ("b", "red wine", 1_030),
    )
    # events by time: 0 red wine shop, 1 red wine, 2 Wine Shop red, 3 red wine
    assert features(case, 0, 1) == [60, 3, 2, 2, 0.6667, round(5 / 13, 4), 1, 1]
    # six letters of "red wine shop" stand elsewhere in "wine shop red"
    apart = Levenshtein.distance("red wine shop", "wine shop red")
    assert features(case, 0, 2) == [900, 3, 3, 3, 0, round(apart / 13, 4), 0, 0]
    assert features(case, 1, 3) == [870, 2, 2, 2, 1, 0, 1, 0]
    assert features(case, 2, 3)[7] == 1


def test_that_characters_count_and_not_bytes() -> None:
    case = small(("a", "café", 0), ("a", "cafe", 10), ("a", "日本", 20), ("a", "日本語", 30))
    assert features(case, 0, 1)[5] == 0.25
    assert features(case, 2, 3)[5:7] == [round(1 / 3, 4), 1]


def test_that_rewrites_are_shares_of_what_came_next_in_a_session() -> None:
    log = small(
        ("a", "one", 0), ("a", "two", 10), ("a", "two", 20), ("a", "one", 9_000),
        ("a", "six", 9_010), ("b", "one", 0), ("b", "two", 10), ("c", "one", 0),
        ("c", "six", 5_000),
    ).log  # fmt: skip
    rewrites = rewrites_of(log, QUIET)
    names = log.queries.list_strings()
    shares = {
        (names[left], names[right]): round(float(share), 3)
        for left, right, share in zip(rewrites.left, rewrites.right, rewrites.share, strict=True)
    }
    assert shares == {("one", "two"): 0.667, ("one", "six"): 0.333}
    without = np.array([user == "b" for user in log.users.list_strings()])
    assert rewrites_of(log, QUIET, without=without).share.tolist() == [0.5, 0.5]


def test_that_candidates_are_few_and_of_one_bundle_and_listed_once() -> None:
    case, _ = synthetic()
    bundled = case.bundled
    left, right = find_candidates(case.seen, np.arange(bundled.count), QUIET)
    assert (left < right).all()
    assert (bundled.bundle[left] == bundled.bundle[right]).all()
    keys = left * len(bundled) + right
    assert (np.diff(keys) > 0).all()
    assert len(left) < 20 * len(bundled) < np.sum(bundled.queries * (bundled.queries - 1) // 2) / 8


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        (("a", "green", 0), ("b", "yellow", 1_700), "near in time"),
        (("a", "green tea", 0), ("b", "drink teas", 500_000), "a stem"),
        (("a", "green", 0), ("b", "green", 500_000), "the query"),
        (("a", "mississippi", 0), ("b", "mississipi", 500_000), "trigrams"),
    ],
)
def test_that_what_is_alike_is_a_candidate(
    first: tuple[str, str, int], second: tuple[str, str, int], why: str
) -> None:
    case = small(first, second)
    candidates = find_candidates(case.seen, np.array([0]), QUIET)
    assert [pair.tolist() for pair in candidates] == [[0], [1]], why


def test_that_a_known_rewrite_is_a_candidate_and_strangers_are_not() -> None:
    source = small(("c", "puppy", 0), ("c", "kennel", 20), ("c", "leash", 30))
    case = small(("a", "puppy", 0), ("b", "kennel", 500_000), ("b", "xyzzy", 900_000))
    rewrites = rewrites_of(source.log, QUIET).translate_codes(case.log.queries)
    names = case.log.queries
    steps = zip(rewrites.left, rewrites.right, strict=True)
    assert [(names[a], names[b]) for a, b in steps] == [("puppy", "kennel")]
    candidates = find_candidates(case.seen._replace(rewrites=rewrites), np.array([0]), QUIET)
    assert [pair.tolist() for pair in candidates] == [[0], [1]]


def draw_bundles(bundled: BundledLog, count: int, seed: int) -> np.ndarray:
    """Bundles to train on, ascending, of two events or more each."""
    usable = np.flatnonzero(bundled.queries >= 2)
    return np.sort(np.random.default_rng(seed).choice(usable, count, replace=False))


def test_that_a_tree_gives_the_share_of_same_pairs_and_knows_what_it_never_saw() -> None:
    rows = np.array([[0], [0], [0], [0], [1], [1]], dtype=np.float32)
    tree = DecisionTreeClassifier().fit(rows, [True, False, False, False, True, True])
    assert pairs.predict_same(tree, np.array([[0.5], [0.6]], np.float32)).tolist() == [0.25, 1]
    for same in (False, True):
        assert pairs.predict_same(tree.fit(rows, [same] * 6), rows).tolist() == [same] * 6


def test_that_quality_counts_every_pair_of_the_judged_bundles() -> None:
    case = small(
        ("a", "x", 0), ("a", "x", 1), ("a", "q", 99_999), ("b", "x", 2), ("c", "y", 0),
        ("c", "y", 9), bundles=(0, 0, 1),
    )  # fmt: skip
    always = DecisionTreeClassifier().fit(np.zeros((1, 8)), [True])
    _, quality = pairs.label_pairs(case.seen, always, QUIET)
    # bundle 0: a a b within seconds, q a day later: 3 of 6 pairs; bundle 1: its only pair
    assert (quality.pairs, quality.same) == (7, 4)
    assert (quality.candidates, quality.reached) == (4, 2)
    assert (quality.claimed, quality.right) == (4, 2)
    assert quality.precision == 0.5
    assert quality.recall == quality.blocking == 0.5
    assert quality.accuracy == pytest.approx(3 / 7)


def test_that_nothing_is_learned_from_the_bundles_that_are_judged() -> None:
    case, _ = synthetic()
    bundled = case.bundled
    training = draw_bundles(bundled, 15, 1)
    rest = ~np.isin(bundled.bundle, training)
    lied = bundled.user.copy()
    lied[rest] = np.random.default_rng(0).permutation(lied[rest])
    other = dataclasses.replace(bundled, user=lied)
    results = []
    for view in (case.seen, case.seen._replace(bundled=other)):
        tree = pairs.train_pair_tree(view, training, QUIET)
        results.append(pairs.label_pairs(view, tree, QUIET))
    (labels, quality), (again, lied_quality) = results
    assert np.array_equal(labels, again)
    assert quality.right > 3 * lied_quality.right


def test_that_the_classifier_beats_shared_words() -> None:
    case, _ = synthetic()
    bundled = case.bundled
    training = draw_bundles(bundled, 20, 0)
    which = bundled.large
    which[training] = False
    tree = pairs.train_pair_tree(case.seen, training, QUIET)
    labels, quality = pairs.label_pairs(case.seen, tree, QUIET, which=which)
    words = by_words(case)
    assert f_of(bundled, labels, training) > f_of(bundled, words, training) + 0.05
    assert quality.precision > 0.75
    assert quality.recall <= quality.blocking < 0.2


def test_that_it_stops_when_asked_and_copes_with_nothing() -> None:
    case, _ = synthetic()
    with pytest.raises(Cancelled):
        pairs.train_pair_tree(case.seen, np.arange(3), cancelled())
    tree = pairs.train_pair_tree(case.seen, np.zeros(0, np.int64), QUIET)
    lone = small(("a", "x", 0), ("b", "y", 900_000))
    labels, quality = pairs.label_pairs(lone.seen, tree, QUIET)
    assert labels.tolist() == [0, 1]
    assert quality.candidates == 0
