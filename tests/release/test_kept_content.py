"""What is left of a log, in queries or in n-grams, and which checks on it apply."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import auditor
from auditor.figures import MetricValue
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods.registry import METHODS
from auditor.privacy.release import DistributedProduct
from auditor.progress import silent_progress
from auditor.release.kept_content import KeptContent
from auditor.release.policy.policy import Gate, default_policy
from auditor.release.verdict import ReleaseState, ReleaseVerdict
from tests.methods.logs import Row, expect, log_of
from tests.narrowing import present
from tests.release.judging import EVERY_CHECK, judge_outlook, policy_of

ON_QUERIES = {"queries", "searches"}
ON_NGRAMS = {"ngrams", "words"}


def trains(users: int) -> QueryLog:
    """Everybody looks for a train to London, and no two of them issue the same query."""
    return log_of(
        [(f"u{n}", f"train to london from place{n} please", n, None) for n in range(users)]
    )


def judge(log: QueryLog, method: str, **values: Any) -> ReleaseVerdict:
    """By the default policy; no check says what is kept."""
    return auditor.audit(log, method, skip=EVERY_CHECK, **values).verdict


def names(verdict: ReleaseVerdict, outcome: str) -> set[str]:
    return {check.gate.name for check in getattr(verdict, outcome)}


def test_that_no_more_is_expected_to_be_kept_than_there_is() -> None:
    log = QueryLog.from_columns(user=["a", "b"], query=["ox", "car"], time=[1, 2])
    values = (MetricValue("expected.queries", "", 9.0),)
    assert KeptContent.from_expectations(values, log).queries == 2
    assert KeptContent.from_expectations(values, None).queries == 9


def test_that_n_grams_are_judged_by_checks_of_their_own() -> None:
    verdict = judge(trains(300), "n-grams", epsilon=8.0)
    assert names(verdict, "not_applicable") >= ON_QUERIES
    assert names(verdict, "failed") >= {"ngrams"}  # ten n-grams, where twenty are wanted
    assert names(verdict, "passed") >= {"words"}
    assert verdict.state is ReleaseState.NOT_CHECKED  # no attack was made
    assert (verdict.kept.ngrams, verdict.kept.queries, verdict.kept.share) == (10, None, None)
    assert verdict.kept.words_share == pytest.approx(5 / 6)
    assert verdict.kept.short == "83.3 % of the words of searches, 10 n-grams"
    assert "It keeps 83.3 % of the words of searches, 10 n-grams." in verdict.sentences
    assert verdict.to_dict()["kept"] == {"ngrams": 10, "words_share": pytest.approx(5 / 6)}


def test_that_a_release_of_queries_has_no_checks_on_n_grams() -> None:
    log = log_of([(f"u{n}", text, n, None) for n in range(30) for text in ("rose", "tulip")])
    verdict = judge(log, "frequency-threshold", n=5)
    assert names(verdict, "not_applicable") >= ON_NGRAMS
    assert names(verdict, "failed") >= {"queries"}
    evidence = {check.gate.name: check.evidence for check in verdict.not_applicable}
    assert "no n-grams" in evidence["ngrams"]
    assert "2 of 2 queries" in verdict.kept.short


def test_that_what_is_expected_before_a_run_is_said_in_n_grams_too() -> None:
    log = trains(300)
    verdict, other = (
        judge_outlook(expect(method, log, epsilon=8.0), default_policy(), log)
        for method in ("n-grams", "set-union")
    )
    assert names(verdict, "not_applicable") >= ON_QUERIES
    assert verdict.kept.ngrams in (9, 10)  # a little less than ten
    assert verdict.kept.words_share == pytest.approx(5 / 6, abs=0.01)
    assert verdict.kept.queries is None
    assert "n-grams" in verdict.kept.short
    assert names(other, "not_applicable") >= ON_NGRAMS


def test_that_a_release_without_an_n_gram_is_never_a_yes() -> None:
    verdict = judge(trains(3), "n-grams", epsilon=1.0)
    assert verdict.kept.empty
    assert verdict.state is ReleaseState.NOTHING_LEFT
    assert "Not a single n-gram is left in it." in verdict.sentences


def test_that_every_policy_asks_for_some_n_grams() -> None:
    bare = policy_of(Gate("e", "e", "statement.epsilon", most=100.0))
    assert [gate.name for gate in bare.checks] == ["e", "content", "ngram-content"]
    for longest, ngrams, failed in ((1, 5, {"ngram-content"}), (3, 10, set())):
        verdict = judge(trains(300), "n-grams", policy=bare, epsilon=8.0, longest=longest)
        assert (verdict.kept.ngrams, names(verdict, "failed")) == (ngrams, failed)


def test_that_plain_values_are_read_again_and_older_ones_too() -> None:
    content = KeptContent(ngrams=3, words_share=0.25)
    assert KeptContent.from_dict(content.to_dict()) == content
    older = {"queries": 129, "log_queries": 69_633, "searches": 10, "log_searches": 100}
    assert KeptContent.from_dict(older).to_dict() == older | {"basis": "queries"}


def test_that_of_n_grams_in_files_their_number_is_known_alone() -> None:
    log = trains(30)
    release = auditor.preview(log, "n-grams", seed=1)
    far = DistributedProduct("tables", {"n-grams.tsv": 40}, 40)
    content = KeptContent.of(log, dataclasses.replace(release, content=far))
    assert content == KeptContent(ngrams=40)
    value, why = content.find_figure("words_share")
    assert value is None
    assert why.startswith("was not measured")


def test_that_searches_of_days_that_are_not_released_are_not_kept() -> None:
    rows: list[Row] = [
        (f"u{n}", "trains", day * 86_400, None) for n in range(90) for day in range(3)
    ]
    values = {"epsilon": 90.0, "delta": 0.01, "q_f": 3, "days": 3, "last_day": 19_700_101}
    kept = judge(log_of(rows), "dated-counts", **values).kept
    assert (kept.searches, kept.log_searches) == (90, 270)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("frequency-threshold", {"n": 2}),
        ("day-pseudonyms", {"suppress": "nothing"}),
        ("entity-allowlist", {"k_entity": 3}),
        ("entity-allowlist", {"k_entity": 3, "forbidden": "mask"}),
        ("k-theta-affinity", {"k": 2, "w": 2}),
        ("numbered-sessions", {"top_queries": 20}),
        ("click-pairs", {"k": 2}),
        ("popularity-score", {"k": 2}),
        ("trends-index", {"T": 2, "step": "week"}),
    ],
)
def test_that_as_many_searches_are_expected_as_are_kept(
    method: str, params: dict[str, Any]
) -> None:
    log = synthesize_log(60, days=10, seed=4).log
    assert np.count_nonzero(log.event_starts) < len(log)  # a search has a row for each click
    look, settings = present(METHODS[method].outlook), METHODS[method].params(**params)
    outlook = look(log, settings, scale=1.0, progress=silent_progress())
    expected = KeptContent.from_expectations(outlook.values, log)
    kept = KeptContent.of(log, auditor.preview(log, method, seed=1, **params))
    assert 0 < present(kept.share) <= 1
    assert expected.share == pytest.approx(kept.share, rel=1e-6)


@pytest.mark.parametrize(
    ("method", "params", "searches"),
    [
        ("popularity-score", {"k": 20}, 90),
        ("trends-index", {"T": 20, "step": "day"}, 90),
        ("trends-index", {"T": 20, "step": "week"}, 100),
        ("dated-counts", {"epsilon": 90.0, "delta": 0.01, "q_f": 3, "last_day": 19_700_105}, 90),
        ("dp-public-key-counts", {"rho": 10.0, "threshold": 50, "items": "keys.tsv"}, 90),
    ],
)
def test_that_searches_outside_of_a_released_cell_of_days_are_not_kept(
    method: str,
    params: dict[str, Any],
    searches: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "keys.tsv").write_text("query\ntrains\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    days = {4: 90, 5: 10, 11: 5}  # since 1970; a week begins on the fourth and on the eleventh
    rows: list[Row] = [
        (f"u{n}", "trains", day * 86_400, None) for day, users in days.items() for n in range(users)
    ]
    log = log_of(rows)
    release = auditor.preview(log, method, seed=1, **params)
    kept = KeptContent.of(log, release)
    assert (kept.searches, kept.log_searches) == (searches, 105)
    look, settings = present(METHODS[method].outlook), METHODS[method].params(**params)
    outlook = look(log, settings, scale=1.0, progress=silent_progress())
    expected = KeptContent.from_expectations(outlook.values, log)
    assert expected.searches == pytest.approx(searches)


@pytest.mark.parametrize("more", [[], ["train to london"]])
def test_that_searches_with_masked_words_were_not_added(more: list[str]) -> None:
    rows: list[Row] = [
        (f"u{n}", query, n, None)
        for n in range(60)
        for query in [f"train to london from place{n} please", *more]
    ]
    log = log_of(rows)
    release = auditor.preview(log, "entity-allowlist", seed=1, forbidden="mask", k_entity=50)
    kept = KeptContent.of(log, release)
    assert (kept.masked, kept.added, kept.searches) == (60, 0, 60 * len(more))
    assert KeptContent.from_dict(kept.to_dict()) == kept
    values: dict[str, Any] = {"forbidden": "mask", "k_entity": 50}
    params = METHODS["entity-allowlist"].params(**values)
    look = present(METHODS["entity-allowlist"].outlook)
    outlook = look(log, params, scale=1.0, progress=silent_progress())
    expected = KeptContent.from_expectations(outlook.values, log)
    assert expected.queries == kept.queries == len(more)
