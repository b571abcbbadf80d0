"""The pair classifier: features by hand, blocking, the split by bundle, and what it achieves."""

from __future__ import annotations

import dataclasses
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from auditor.attacks.unbundling import query_texts
from auditor.attacks.unbundling.candidate_pairs import PairBlocking, find_candidates, rewrites_of
from auditor.attacks.unbundling.fibers import join_fibers, word_keys, words_of
from auditor.attacks.unbundling.learning import pair_classifier as pairs
from auditor.attacks.unbundling.learning.pair_kernels import edit_distance
from auditor.errors import Cancelled
from auditor.log.model import Vocabulary
from auditor.progress import Progress, silent_progress
from tests.attacks.unbundling.bundle_logs import Case, f_of, small, synthetic

LETTERS = st.text(alphabet="abcé ", max_size=90)


def codes(text: str) -> np.ndarray:
    return np.array([ord(letter) for letter in text], dtype=np.int32)


@settings(max_examples=150, deadline=None)
@given(LETTERS, LETTERS)
def test_that_the_edit_distance_is_levenshteins(a: str, b: str) -> None:
    masks = np.zeros(256, dtype=np.uint64)
    assert edit_distance(codes(a), codes(b), masks) == Levenshtein.distance(a, b)
    assert not masks.any()


def features(case: Case, one: int, two: int) -> list[float]:
    left, right = np.array([one]), np.array([two])
    (found,) = pairs.iterate_features(
        case.bundled, case.texts, case.rewrites, left, right, silent_progress()
    )
    return [round(float(value), 4) for value in found[0]]


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


def test_that_characters_are_the_same_however_queries_are_cut_into_blocks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = ["Café", "", "ÉCLAIR", "日本語", "plain", "𝄞 clef", "İstanbul"]
    for strings in (words, [*words, "half \ud800 pair"]):
        vocabulary = Vocabulary.of(strings)
        whole = query_texts.characters_of(vocabulary, silent_progress())
        monkeypatch.setattr(query_texts, "_BLOCK", 2)
        cut = query_texts.characters_of(vocabulary, silent_progress())
        monkeypatch.undo()
        assert np.array_equal(cut.codes, whole.codes)
        assert np.array_equal(cut.starts, whole.starts)
        assert cut.size == whole.size
    lengths = query_texts.characters_of(Vocabulary.of(words), silent_progress()).compute_lengths()
    assert lengths.tolist() == [len(word) for word in words]
    # What isn't text throughout counts by bytes.
    assert whole.compute_lengths().tolist() == vocabulary.compute_lengths().tolist()


def test_that_rewrites_are_shares_of_what_came_next_in_a_session() -> None:
    log = small(
        ("a", "one", 0), ("a", "two", 10), ("a", "two", 20), ("a", "one", 9_000),
        ("a", "six", 9_010), ("b", "one", 0), ("b", "two", 10), ("c", "one", 0),
        ("c", "six", 5_000),
    ).log  # fmt: skip
    found = rewrites_of(log, silent_progress())
    names = log.queries.list_strings()
    shares = {
        (names[left], names[right]): round(float(share), 3)
        for left, right, share in zip(found.left, found.right, found.share, strict=True)
    }
    assert shares == {("one", "two"): 0.667, ("one", "six"): 0.333}
    without = np.array([user == "b" for user in log.users.list_strings()])
    assert rewrites_of(log, silent_progress(), without=without).share.tolist() == [0.5, 0.5]


def test_that_rewrites_are_carried_over_to_another_logs_queries() -> None:
    here = small(("a", "zero", 0), ("a", "two", 1), ("a", "one", 9_999)).log
    there = small(("a", "one", 0), ("a", "two", 1), ("a", "three", 2)).log
    found = rewrites_of(there, silent_progress()).translate_codes(here.queries)
    assert [
        (here.queries[a], here.queries[b]) for a, b in zip(found.left, found.right, strict=True)
    ] == [("one", "two")]


def test_that_candidates_are_few_and_of_one_bundle_and_listed_once() -> None:
    case, _ = synthetic()
    seen = case.bundled
    one, two = find_candidates(
        seen, case.texts, case.rewrites, np.arange(seen.count), PairBlocking(), silent_progress()
    )
    assert (one < two).all()
    assert (seen.bundle[one] == seen.bundle[two]).all()
    keys = one * len(seen) + two
    assert (np.diff(keys) > 0).all()
    assert len(one) < 20 * len(seen) < np.sum(seen.queries * (seen.queries - 1) // 2) / 8


@pytest.mark.parametrize(
    ("one", "two", "why"),
    [
        (("a", "green", 0), ("b", "yellow", 1_700), "near in time"),
        (("a", "green tea", 0), ("b", "drink teas", 500_000), "a stem"),
        (("a", "green", 0), ("b", "green", 500_000), "the query"),
        (("a", "mississippi", 0), ("b", "mississipi", 500_000), "trigrams"),
    ],
)
def test_that_what_is_alike_is_a_candidate(
    one: tuple[str, str, int], two: tuple[str, str, int], why: str
) -> None:
    case = small(one, two)
    found = find_candidates(
        case.bundled, case.texts, case.rewrites, np.array([0]), PairBlocking(), silent_progress()
    )
    assert [pair.tolist() for pair in found] == [[0], [1]], why


def test_that_a_known_rewrite_is_a_candidate_and_strangers_are_not() -> None:
    known = small(("c", "puppy", 0), ("c", "kennel", 20))
    case = small(("a", "puppy", 0), ("b", "kennel", 500_000), ("b", "xyzzy", 900_000))
    rewrites = rewrites_of(known.log, silent_progress()).translate_codes(case.log.queries)
    found = find_candidates(
        case.bundled, case.texts, rewrites, np.array([0]), PairBlocking(), silent_progress()
    )
    assert [pair.tolist() for pair in found] == [[0], [1]]


def test_that_a_tree_goes_right_where_the_feature_is_more_than_the_split() -> None:
    tree = pairs.PairTree(
        left=np.array([1, -1, -1]),
        right=np.array([2, -1, -1]),
        column=np.array([3, -1, -1]),
        split=np.array([0.5, 0, 0]),
        share=np.array([0.5, 0.1, 0.9]),
        pairs=10,
    )
    rows = np.zeros((3, 8), dtype=np.float32)
    rows[1, 3], rows[2, 3] = 0.5, 1
    assert tree.predict_probability(rows).tolist() == [0.1, 0.1, 0.9]


def test_that_the_tree_is_the_librarys() -> None:
    from sklearn.tree import DecisionTreeClassifier

    case, _ = synthetic()
    known = pairs.draw_bundles(case.bundled, 10, 0)
    tree = pairs.train_pair_tree(case.bundled, case.texts, case.rewrites, known, silent_progress())
    rng = np.random.default_rng(0)
    rows = (rng.random((500, 8)) * [5_000, 6, 6, 3, 1, 1, 2, 0.2]).astype(np.float32)
    same = rows[:, 0] * rows[:, 5] < 800
    theirs = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=20, max_depth=14,
                                    random_state=0).fit(rows, same)  # fmt: skip
    ours = pairs.export_tree(theirs)
    assert np.allclose(ours.predict_probability(rows), theirs.predict_proba(rows)[:, 1])
    assert tree.pairs > 10_000
    assert len(tree.left) > 50


def test_that_quality_counts_every_pair_of_the_judged_bundles() -> None:
    case = small(
        ("a", "x", 0), ("a", "x", 1), ("a", "q", 99_999), ("b", "x", 2), ("c", "y", 0),
        ("c", "y", 9), bundles=(0, 0, 1),
    )  # fmt: skip
    always = pairs.PairTree(*(np.full(1, -1),) * 3, split=np.zeros(1), share=np.ones(1), pairs=1)
    quality = pairs.label_pairs(
        case.bundled, case.texts, case.rewrites, always, silent_progress()
    ).quality
    # bundle 0: a a b within seconds, q a day later: 3 of 6 pairs; bundle 1: its only pair
    assert (quality.pairs, quality.same) == (7, 4)
    assert (quality.candidates, quality.reached) == (4, 2)
    assert (quality.claimed, quality.right) == (4, 2)
    assert quality.precision == 0.5
    assert quality.recall == quality.blocking == 0.5
    assert quality.accuracy == pytest.approx(3 / 7)


def test_that_nothing_is_learned_from_the_bundles_that_are_judged() -> None:
    case, _ = synthetic()
    seen = case.bundled
    known = pairs.draw_bundles(seen, 15, 1)
    rest = ~np.isin(seen.bundle, known)
    lied = seen.user.copy()
    lied[rest] = np.random.default_rng(0).permutation(lied[rest])
    other = dataclasses.replace(seen, user=lied)
    found = [
        pairs.label_pairs(
            one, case.texts, case.rewrites,
            pairs.train_pair_tree(one, case.texts, case.rewrites, known, silent_progress()),
            silent_progress(),
        )
        for one in (seen, other)
    ]  # fmt: skip
    assert np.array_equal(found[0].labels, found[1].labels)
    assert found[0].quality.right > 3 * found[1].quality.right


def test_that_the_classifier_beats_shared_words() -> None:
    case, _ = synthetic()
    seen = case.bundled
    known = pairs.draw_bundles(seen, 20, 0)
    which = seen.large
    which[known] = False
    tree = pairs.train_pair_tree(seen, case.texts, case.rewrites, known, silent_progress())
    judged = pairs.label_pairs(
        seen, case.texts, case.rewrites, tree, silent_progress(), which=which
    )
    words = join_fibers(
        seen, [word_keys(words_of(case.log.queries, silent_progress()))], silent_progress()
    )
    assert f_of(seen, judged.labels, known) > f_of(seen, words, known) + 0.05
    quality = judged.quality
    assert quality.precision > 0.75
    assert quality.recall <= quality.blocking < 0.2


def test_that_known_bundles_are_drawn_alike_and_half_of_them_stay() -> None:
    case, _ = synthetic()
    assert np.array_equal(
        pairs.draw_bundles(case.bundled, 12, 5), pairs.draw_bundles(case.bundled, 12, 5)
    )
    assert len(pairs.draw_bundles(case.bundled, 10_000, 5)) == case.bundled.count // 2


def test_that_it_stops_when_asked_and_copes_with_nothing() -> None:
    case, _ = synthetic()
    stopped = threading.Event()
    stopped.set()
    with pytest.raises(Cancelled):
        pairs.train_pair_tree(
            case.bundled, case.texts, case.rewrites, np.arange(3), Progress(None, stopped)
        )
    tree = pairs.train_pair_tree(
        case.bundled, case.texts, case.rewrites, np.zeros(0, np.int64), silent_progress()
    )
    lone = small(("a", "x", 0), ("b", "y", 900_000))
    judged = pairs.label_pairs(lone.bundled, lone.texts, lone.rewrites, tree, silent_progress())
    assert judged.labels.tolist() == [0, 1]
    assert judged.quality.candidates == 0
