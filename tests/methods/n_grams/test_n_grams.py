"""n-grams: what is released, what never is, and the exact law of small logs both ways round."""

import itertools
import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr

import auditor
from auditor.attacks.registry import ATTACKS
from auditor.engine.explanation import explain_query
from auditor.errors import MissingInput
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.measures.ngram_coverage import count_coverage
from auditor.measures.registry import MEASURES
from auditor.methods.n_grams.method import METHOD, NGramsParams, WordSequences, derive_noise
from auditor.privacy import gaussian
from auditor.privacy.release import Anonymized
from auditor.release.loading import read_release
from tests.methods.logs import (
    QUIET,
    expect,
    expected_values,
    present,
    queries_of,
    run_method,
    tables_of,
)
from tests.privacy import exact_laws as exact
from tests.reference.methods import n_grams as page
from tests.reference.product import rows_of

History = tuple[str, ...]


log_of_histories = exact.log_of
run_ngrams = partial(run_method, "n-grams")


def released(log: QueryLog, seed: int = 1, **values: Any) -> dict[str, int]:
    content = tables_of(run_ngrams(log, seed, **values).content)
    assert content.ngrams
    return queries_of(content)


def tail_queries(users: int) -> list[History]:
    """Everybody asks of trains to London, and no two of them the same."""
    return [(f"train to london from place{n} please",) for n in range(users)]


# --- what is released -------------------------------------------------------------------------


def test_that_runs_of_words_come_out_of_queries_that_nobody_shares() -> None:
    log = log_of_histories(tail_queries(300))
    ngrams = released(log, epsilon=8.0)
    assert set(ngrams) == {
        "train", "to", "london", "from", "please", "train to", "to london", "london from",
        "train to london", "to london from",
    }  # fmt: skip
    union = present(auditor.preview(log, "set-union", seed=1, epsilon=8.0).tables)
    assert len(union.queries) == 0


@pytest.mark.parametrize(
    ("history", "ngrams"),
    [
        (("red car", "blue  dog", "red"), {"red", "car", "blue", "dog", "red car", "blue dog"}),
        (("bora bora bora",), {"bora", "bora bora", "bora bora bora"}),
    ],
)
def test_that_words_are_runs_within_a_query_however_they_are_spaced_or_repeated(
    history: History, ngrams: set[str]
) -> None:
    assert set(released(log_of_histories([history] * 200), epsilon=20.0)) == ngrams


def test_that_a_pair_of_a_word_that_stays_back_is_no_candidate() -> None:
    users = [("sunny day",)] * 400 + [("sunny",)] * 400
    log = log_of_histories([*users, ("sunny secret",)])
    product = run_ngrams(log, epsilon=10.0)
    assert product.changes["candidates_of_length_1"] == 3
    assert product.changes["candidates_of_length_2"] == 1
    assert "sunny secret" not in released(log, epsilon=10.0)


# --- privacy ----------------------------------------------------------------------------------


def law_of(params: NGramsParams, users: Sequence[History], items: Sequence[str]) -> exact.Law:
    """Every outcome with its chance: of each of `items` None, or its weight in whole users.

    Given what is released of the lengths before, the items of a length are independent.
    """
    derived, grid = derive_noise(params), gaussian.GRID
    states: dict[tuple[int | None, ...], float] = {(): 1.0}
    for length in range(1, params.longest + 1):
        current = [item for item in items if len(item.split()) == length]
        shorter = [item for item in items if len(item.split()) < length]
        after: dict[tuple[int | None, ...], float] = {}
        laws: dict[frozenset[str], list[dict[int | None, float]]] = {}
        for state, chance in states.items():
            before = frozenset(k for k, w in zip(shorter, state, strict=True) if w is not None)
            if before not in laws:
                total = dict.fromkeys(current, 0)
                for user in users:
                    ngrams = [ngram for query in user for ngram in page.ngrams(query, length)]
                    mine = [ngram for ngram in ngrams if page.is_candidate(ngram, set(before))]
                    limited = list(dict.fromkeys(mine))[: params.q_f]
                    for item in limited:
                        total[item] += math.isqrt(grid * grid // len(limited))
                laws[before] = [
                    item_law(total[text], derived.sigma, derived.threshold) for text in current
                ]
            for outcome in itertools.product(*(law.items() for law in laws[before])):
                key = (*state, *(value for value, _ in outcome))
                mass = chance * math.prod(p for _, p in outcome)
                if mass > 1e-16:
                    after[key] = after.get(key, 0.0) + mass
        states = after
    return states


def item_law(total: int, sigma: float, threshold: int) -> dict[int | None, float]:
    """The law of one item: not released, or its sum in whole users."""
    if not total:
        return {None: 1.0}
    grid = gaussian.GRID
    law: dict[int | None, float] = {None: float(ndtr((threshold - 0.5 - total) / sigma))}
    low = threshold
    while low < total + 9 * sigma:
        value = (low + grid // 2) // grid
        high = value * grid + grid // 2 + (grid % 2)
        part = ndtr((high - 0.5 - total) / sigma) - ndtr((low - 0.5 - total) / sigma)
        law[max(value, 1)] = law.get(max(value, 1), 0.0) + float(part)
        low = high
    return law


NEIGHBOURS: list[tuple[list[History], History]] = [
    ([], ("a b",)),
    ([("a b",)], ("a b",)),
    ([("a b",)] * 4, ("a b",)),
    (list[History]([("a",), ("b",)] * 5), ("a b",)),
    ([("a b",)] * 6, ("a", "b")),
    (list[History]([("a",)] * 5), ("a b",)),
    ([("a b",), ("a b",), ("a b",), ("a",), ("a",)], ("b",)),
]


@pytest.mark.parametrize("q_f", [1, 2])
@pytest.mark.parametrize(("crowd", "victim"), NEIGHBOURS)
def test_that_the_exact_privacy_curve_is_within_the_statement_both_ways(
    crowd: list[History], victim: History, q_f: int
) -> None:
    for epsilon, delta in ((1.0, 0.05), (2.0, 0.1), (4.0, 0.02)):
        params = NGramsParams(epsilon=epsilon, delta=delta, longest=2, q_f=q_f)
        items = ("a", "b", "a b")
        without, with_one = (law_of(params, users, items) for users in (crowd, [*crowd, victim]))
        assert math.fsum(without.values()) == pytest.approx(1.0, abs=1e-9)
        assert math.fsum(with_one.values()) == pytest.approx(1.0, abs=1e-9)
        stated = derive_noise(params).delta
        assert stated <= delta * (1 + 1e-9)
        for first, second in ((without, with_one), (with_one, without)):
            assert exact.delta_at(first, second, epsilon) <= stated


def test_that_a_user_alone_shows_as_often_as_the_thresholds_allow() -> None:
    """A single word: δ/2L of the first length, and hardly more by the others."""
    params = NGramsParams(epsilon=1.0, delta=0.1, longest=2, q_f=1)
    law = law_of(params, [("a",)], ("a", "b", "a b"))
    assert 1 - law[None, None, None] == pytest.approx(0.1 / 4, rel=1e-3)


@pytest.mark.slow
def test_that_runs_follow_the_law_whose_curve_was_computed() -> None:
    params = NGramsParams(epsilon=8.0, delta=0.1, longest=2, q_f=2)
    users: list[History] = [("a b",)] * 3 + [("b", "a")] * 1
    law = law_of(params, users, ("a", "b", "a b"))
    likely = {key: chance for key, chance in law.items() if chance > 0.02}
    assert len(likely) >= 5
    runs, counts = 1_500, dict.fromkeys(likely, 0)
    log = log_of_histories(users)
    for seed in range(runs):
        ngrams = released(log, seed, epsilon=8.0, delta=0.1, longest=2, q_f=2)
        key: tuple[int | None, ...] = tuple(ngrams.get(text) for text in ("a", "b", "a b"))
        if key in counts:
            counts[key] += 1
    for outcome, chance in likely.items():
        spread = math.sqrt(chance * (1 - chance) / runs)
        assert abs(counts[outcome] / runs - chance) < 4.5 * spread, outcome


def test_that_weights_are_those_of_the_page() -> None:
    """Of words, and of pairs of words that were released: two of three."""
    log = synthesize_log(60, days=5, seed=4).log
    rows, source = rows_of(log), WordSequences(log, QUIET)
    words = source.list_words()
    texts = source.write_texts(words, np.arange(words.total))
    allowed = {text for number, text in enumerate(sorted(texts)) if number % 3}
    pairs = source.lengthen(words.keep(np.array([text in allowed for text in texts])), QUIET)
    for length, ngrams in ((1, words), (2, pairs)):
        weight = source.weigh(ngrams, 7, QUIET) / gaussian.GRID
        texts = source.write_texts(ngrams, np.arange(ngrams.total))
        expected = page.weights(rows, length, 7, allowed)
        assert expected == pytest.approx(
            {text: w for text, w in zip(texts, weight.tolist(), strict=True) if w}, abs=1e-4
        )


# --- what is said of it -----------------------------------------------------------------------


def test_that_the_statement_says_that_these_are_no_queries_and_no_counts() -> None:
    statement = run_ngrams(log_of_histories(tail_queries(20))).statement
    assert "no queries" in statement.claim
    assert "no numbers of users" in statement.claim


@pytest.mark.parametrize("epsilon", [4.0, 10.0])
def test_that_the_expectation_is_near_what_is_released(epsilon: float) -> None:
    log = synthesize_log(2_000, days=10, seed=3).log
    value = expected_values(expect("n-grams", log, epsilon=epsilon))
    runs = [run_ngrams(log, seed, epsilon=epsilon) for seed in range(12)]
    for length in (1, 2):
        mean = np.mean([run.changes[f"released_of_length_{length}"] for run in runs])
        assert value[f"length_{length}"] == pytest.approx(mean, rel=0.12, abs=2)
    lengths = [value[f"length_{length}"] for length in (1, 2, 3)]
    assert value["ngrams"] == pytest.approx(sum(lengths))
    released_queries = [tables_of(run.content).queries for run in runs]
    shares = [count_coverage(log, texts, QUIET).words_share for texts in released_queries]
    assert value["words_share"] == pytest.approx(np.mean(shares), rel=0.08)
    assert "Hardly any" in expect("n-grams", log_of_histories([("a",)]), epsilon=epsilon).note


def test_that_a_sample_of_users_stands_for_the_whole() -> None:
    log = synthesize_log(3_000, days=10, seed=5).log
    part = log.sample_users(1_000, seed=1)
    full, scaled = (
        expect("n-grams", source, scale, epsilon=8.0, longest=2).values[0].value
        for source, scale in ((log, 1.0), (part, 3.0))
    )
    assert scaled == pytest.approx(full, rel=0.35)


def test_what_is_explained_of_a_text() -> None:
    log = log_of_histories(tail_queries(300))
    release = auditor.preview(log, "n-grams", seed=1, epsilon=8.0)
    assert explain_query(log, release, "to london", QUIET).released
    pair, long, nobody = (
        present(explain_query(log, release, text, QUIET).explanation)
        for text in ("to london", "train to london from place7 please", "nobody")
    )
    assert pair.chance == pytest.approx(1.0, abs=1e-3)
    assert "300 users count for it" in pair.outcome
    rows = {row[0]: row for row in pair.tables[0].rows}
    assert set(rows) == {"to", "london", "to london"}
    assert rows["to"][1] == 300
    assert long.chance == 0.0
    assert "6 words" in long.outcome
    assert "No user counts" in nobody.outcome


# --- what is done with it ---------------------------------------------------------------------


def test_that_neither_measures_nor_sessions_take_n_grams_for_queries() -> None:
    release = auditor.preview(log_of_histories(tail_queries(50)), "n-grams", seed=1)
    assert [name for name in MEASURES if not MEASURES[name].why_not(release)] == ["n-gram-coverage"]
    assert "n-grams" in MEASURES["volume"].why_not(release)
    with pytest.raises(MissingInput, match="n-grams"):
        auditor.synthesize_release(release)


def test_that_a_written_release_is_read_again(tmp_path: Path) -> None:
    log = log_of_histories(tail_queries(300))
    result = auditor.audit(log, "n-grams", epsilon=8.0, skip=(*ATTACKS, *MEASURES))
    folder = tmp_path / "out"
    auditor.save(result, log, folder)
    assert (folder / "n-grams.tsv").read_text().startswith("n-gram\tweight\n")
    assert not (folder / "queries.tsv").exists()
    again: Anonymized = read_release(folder)
    assert again.tables is not None
    assert again.tables.ngrams
    assert queries_of(again.tables) == queries_of(present(result.release.tables))
    assert auditor.verify(folder) == []
    assert METHOD.form == "n-grams"
