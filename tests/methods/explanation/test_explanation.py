"""Why a query is kept or dropped: counts, chances, and what would change the verdict."""

import dataclasses
import functools
import json
import math
import operator
from collections import Counter
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.engine.backends.local import apply_method
from auditor.engine.explanation import INTERNAL, ExplanationAnswer, beginning_with, explain_query
from auditor.errors import Cancelled, ParameterError
from auditor.log.gazetteers import noun_ngrams
from auditor.log.model import QueryLog
from auditor.methods.explanation.explanation import (
    Explanation,
    ExplanationRequest,
    TurningPoint,
    code_of,
    find_occurrences,
    nearest_value,
)
from auditor.methods.noisy_counts.histograms import (
    ContributionLimits,
    CountingUnit,
    limit_users,
    unit_counts,
)
from auditor.methods.registry import METHODS
from auditor.privacy.noise import PreviewRandomness
from auditor.privacy.release import Anonymized, Release
from auditor.privacy.statement import Statement
from auditor.progress import Progress
from tests.methods.logs import QUIET, draw_rows, log_of, present, random_rows

NOT_ASKED = "nobody ever asked this"

RANDOM: list[tuple[str, dict[str, Any]]] = [
    ("safelog", {"q_f": 4, "b": 2.0, "delta": 0.01}),
    ("safelog", {"q_f": 4, "b": 2.0, "K": 14}),
    ("safelog", {"mode": "published", "q_f": 6, "b": 6.0, "K": 12, "tau": 20}),
    ("safelog", {"mode": "published", "counting_unit": "rows", "q_f": 6, "b": 3.0, "delta": 0.05}),
    ("korolova", {"q_f": 5, "b": 3.0, "delta": 0.05}),
    ("zealous", {"m": 3, "epsilon": 4.0, "delta": 0.02, "tau": 2}),
    ("set-union", {"q_f": 5, "epsilon": 3.0, "delta": 0.05}),
]


@pytest.fixture(scope="module")
def log() -> QueryLog:
    return log_of(random_rows(users=40, rows=500))


def publish(log: QueryLog, method: str, seed: int = 0, **values: Any) -> Anonymized:
    params = METHODS[method].params(**values)
    return apply_method(log, method, params, PreviewRandomness(seed), QUIET)


@functools.cache
def some_release(method: str) -> Anonymized:
    return publish(log_of([("a", "b", 0, None)]), method)


def explain(log: QueryLog, method: str, query: str, **values: Any) -> ExplanationAnswer:
    """An answer without a run: methods of tables don't look at the release."""
    release = some_release(method)
    release = dataclasses.replace(release, params=METHODS[method].params(**values).to_dict())
    return explain_query(log, release, query, QUIET)


def chance(log: QueryLog, method: str, query: str, values: dict[str, Any]) -> float:
    """The chance alone: nothing is solved, which would take most of the time."""

    def unsolved(*args: Any, **more: Any) -> tuple[TurningPoint, ...]:
        return ()

    with (
        mock.patch("auditor.methods.noisy_counts.counting.find_turning_points", unsolved),
        mock.patch("auditor.methods.set_union.method.find_turning_points", unsolved),
    ):
        return present(present(explain(log, method, query, **values).explanation).chance)


def told(log: QueryLog, release: Anonymized, query: str) -> Explanation:
    return present(explain_query(log, release, query, QUIET).explanation)


# --- counts -----------------------------------------------------------------------------------


@given(
    rows=draw_rows("uvwx", "abcd", (0, 6), (None, "p")),
    unit=st.sampled_from(list(CountingUnit)),
    limit=st.integers(1, 8),
    tau=st.integers(1, 4),
)
def test_that_a_count_within_a_limit_is_what_limiting_all_users_counts(
    rows: list[Any], unit: CountingUnit, limit: int, tau: int
) -> None:
    log = log_of(rows)
    rare = (unit_counts(log, unit, QUIET) < tau).view(np.uint8)
    limited = limit_users(log, ContributionLimits(unit, limit, 1, tau), QUIET)
    for code in range(len(log.queries)):
        places = find_occurrences(ExplanationRequest.of(log, log.queries[code]), unit, QUIET, rare)
        assert places.count_within(limit) == limited.query_count[code]


def test_that_a_query_is_found_by_its_whole_text() -> None:
    log = log_of([("a", text, 0, None) for text in ("cat", "car", "dog", "ca", "", "ünï")])
    for text in ("cat", "car", "dog", "ca", "", "ünï"):
        assert log.queries[code_of(log.queries, text)] == text
    for text in ("ct", "catt", "c", "ünî"):
        assert code_of(log.queries, text) == -1


def test_that_a_completer_offers_only_what_the_log_holds_the_commonest_first() -> None:
    log = log_of([("a", q, t, None) for t, q in enumerate(["ab", "ac", "ac", "b", "ac", "a"])])
    assert beginning_with(log, "a", 2, QUIET) == ["ac", "ab"]
    assert beginning_with(log, "zz", 5, QUIET) == []


# --- chances ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("method", "values"), RANDOM)
def test_that_a_chance_is_how_often_runs_release_the_query(
    log: QueryLog, method: str, values: dict[str, Any]
) -> None:
    runs = 60
    counts: Counter[str] = Counter()
    for seed in range(runs):
        tables = present(publish(log, method, seed, **values).tables)
        counts.update(tables.queries.list_strings())
    uncertain = 0
    for query in log.queries.list_strings():
        expected = chance(log, method, query, values)
        spread = math.sqrt(runs * expected * (1 - expected))
        assert abs(counts[query] - runs * expected) <= 4.5 * spread + 0.5, query
        uncertain += 0.02 < expected < 0.98
    assert uncertain >= 2, "the settings decide nothing by chance"


def test_that_rounds_are_taken_for_what_they_are(log: QueryLog) -> None:
    values = {"q_f": 5, "epsilon": 3.0, "delta": 0.05, "rounds": 3}
    first = log.queries[0]
    answer = present(explain(log, "set-union", first, **values).explanation)
    assert len(answer.tables[0].rows) == 3
    assert answer.chance == pytest.approx(
        1 - math.prod(1 - float(row[4]) for row in answer.tables[0].rows)
    )
    assert {turn.parameter for turn in answer.turns if "only running" in turn.why} == {
        "q_f",
        "rounds",
    }


def test_that_a_decoy_has_the_chance_of_noise_alone(log: QueryLog) -> None:
    values = {"b": 20.0, "K": 20, "pool": "n-grams", "pool_size": 10**12}
    ngrams = noun_ngrams()
    decoy = f"{ngrams[0]} {ngrams[1]}"
    alone = chance(log, "safelog", decoy, values)
    assert alone == pytest.approx(math.exp(-20 / 20) / (1 + math.exp(-1 / 20)))
    assert chance(log, "safelog", "qqq zzz", values) == 0


def test_that_a_pool_file_that_is_gone_is_said(log: QueryLog) -> None:
    without = present(explain(log, "safelog", "x", pool="none").explanation)
    assert not without.notes
    release = publish(log, "safelog")
    params = {**release.params, "pool": "file", "pool_file": "gone.txt"}
    answer = explain_query(log, dataclasses.replace(release, params=params), "x", QUIET)
    assert "can't be read" in present(answer.explanation).notes[0]


# --- what would change it ---------------------------------------------------------------------


@pytest.mark.parametrize(("method", "values"), RANDOM)
def test_that_turns_change_the_verdict(log: QueryLog, method: str, values: dict[str, Any]) -> None:
    changed = 0
    for query in (*log.queries.list_strings()[::3], NOT_ASKED):
        answer = present(explain(log, method, query, **values).explanation)
        for turn in answer.turns:
            if turn.value is None:
                assert turn.why
                continue
            changed += 1
            other = chance(log, method, query, values | {turn.parameter: turn.value})
            assert (other >= 0.5) != (present(answer.chance) >= 0.5), (query, turn)
            assert other == pytest.approx(turn.chance)
    assert changed > 4


@pytest.mark.parametrize(
    ("method", "name", "values"),
    [
        ("safelog", "q_f", {"q_f": 4, "b": 2.0, "delta": 0.2}),
        ("safelog", "K", {"q_f": 4, "b": 2.0, "K": 14}),
        ("safelog", "tau", RANDOM[2][1]),
        ("korolova", "q_f", {"q_f": 5, "b": 1.0, "delta": 0.3}),
        ("zealous", "m", {"m": 3, "epsilon": 9.0, "delta": 0.2}),
        ("set-union", "q_f", {"q_f": 5, "epsilon": 3.0, "delta": 0.05}),
    ],
)
def test_that_no_nearer_value_changes_the_verdict(
    log: QueryLog, method: str, name: str, values: dict[str, Any]
) -> None:
    count = 0
    for query in log.queries.list_strings()[::4]:
        answer = present(explain(log, method, query, **values).explanation)
        assert answer.chance is not None
        turn = next(t for t in answer.turns if t.parameter == name)
        sides = {
            value: (chance(log, method, query, values | {name: value}) >= 0.5)
            for value in range(1, 41)
        }
        now = values[name]
        flips = [v for v, side in sides.items() if side != (answer.chance >= 0.5)]
        best = min((abs(math.log(v / now)) for v in flips), default=math.inf)
        far = math.inf if turn.value is None else abs(math.log(turn.value / now))
        assert far == pytest.approx(best) or (far <= best and turn.value > 40), (query, turn)
        count += turn.value is not None
    assert count


def test_that_the_nearest_value_is_found_in_each_direction() -> None:
    spec = METHODS["safelog"].params.spec("b")
    assert nearest_value(spec, 5.0, lambda b: b >= 7.123) == pytest.approx(7.13)
    assert nearest_value(spec, 5.0, lambda b: b <= 0.05) == pytest.approx(0.05, rel=5e-3)
    assert nearest_value(spec, 5.0, lambda b: b <= 4 or b >= 100) == pytest.approx(4.0, rel=5e-3)
    assert nearest_value(spec, 5.0, lambda b: False) is None
    integer = METHODS["safelog"].params.spec("q_f")
    for value in (1, 9):
        assert nearest_value(integer, 10, functools.partial(operator.ge, value)) == value
    for value in (11, 57, 100_000):
        assert nearest_value(integer, 10, functools.partial(operator.le, value)) == value


# --- released logs ----------------------------------------------------------------------------


@pytest.mark.parametrize("n", [3, 20])
def test_that_enough_users_are_counted(log: QueryLog, n: int) -> None:
    release = publish(log, "frequency-threshold", n=n)
    for query in log.queries.list_strings():
        answer = explain_query(log, release, query, QUIET)
        explanation = present(answer.explanation)
        assert explanation.chance == float(answer.released) == float(answer.users >= n)
        (turn,) = explanation.turns
        nearer = turn.value + (1 if turn.value < n else -1)
        for least, turned in ((turn.value, True), (nearer, False)):
            other = publish(log, "frequency-threshold", n=least)
            again = explain_query(log, other, query, QUIET)
            assert (again.released != answer.released) == turned


@pytest.mark.parametrize("ids", ["keep", "random"])
def test_that_events_added_and_suppressed_add_up_in_groups_of_k(log: QueryLog, ids: str) -> None:
    release = publish(log, "k-delta", k=3, ids=ids)
    added = suppressed = 0.0
    groups = set()
    for query in log.queries.list_strings():
        answer = told(log, release, query)
        values = {value.name: value.value for value in answer.values}
        added += values["added"]
        suppressed += values["suppressed"]
        groups |= {row[4] for table in answer.tables for row in table.rows}
    difference = int(present(release.log).event_starts.sum()) - int(log.event_starts.sum())
    assert added - suppressed == difference
    assert 0 < added <= release.changes["events_added"]
    assert len(groups) > 1
    rows = told(log, release, log.queries[0]).tables[0].rows
    assert min(row[5] for row in rows if row[1] != "none") >= 3


def test_that_whole_groups_have_a_merged_query(log: QueryLog) -> None:
    release = publish(log, "microaggregation", k=3)
    count = 0
    for query in log.queries.list_strings():
        for table in told(log, release, query).tables:
            merged = [row for row in table.rows if row[3]]
            sizes = Counter(row[4] for row in merged)
            assert all(sizes[row[4]] == row[5] >= 3 for row in merged)
            count += len(merged)
    assert count


def test_that_hashed_words_are_told_by_their_rank(log: QueryLog) -> None:
    release = publish(log, "token-hashing")
    answer = told(log, release, "red unheard")
    counts: Counter[str] = Counter()
    for row in log.query.tolist():
        counts.update(log.queries[row].split())
    rank = 1 + sum(n > counts["red"] for n in counts.values())
    same = sum(n == counts["red"] for n in counts.values()) - 1
    assert answer.tables[0].rows[0] == ["red", counts["red"], rank, same]
    assert answer.tables[0].rows[1][2] == "not in the log"


def test_that_bundles_with_a_query_are_named(log: QueryLog) -> None:
    release = publish(log, "bundling", group=5)
    answer = explain_query(log, release, log.queries[0], QUIET)
    assert answer.released
    assert answer.released_rows == answer.rows
    assert sum(row[1] for row in present(answer.explanation).tables[0].rows) == answer.rows


# --- every method -----------------------------------------------------------------------------


@pytest.mark.parametrize("method", list(METHODS))
def test_that_every_method_explains_every_query(log: QueryLog, method: str) -> None:
    has_k = any(spec.name == "k" for spec in METHODS[method].params.specs())
    release = publish(log, method, **({"k": 3} if has_k else {}))
    for query in (*log.queries.list_strings()[:2], NOT_ASKED, "", "=1+1<b>\u202e\x1b[31m"):
        answer = explain_query(log, release, query, QUIET)
        plain, explanation = answer.to_dict(), present(answer.explanation)
        assert plain["internal"] == INTERNAL
        assert json.loads(json.dumps(plain, allow_nan=False))["query"] == query
        assert explanation.outcome
        assert all(table.private for table in explanation.tables)
        assert all(figure.private for figure in explanation.figures)
        assert explanation.chance is None or 0 <= explanation.chance <= 1


def test_that_a_release_of_unknown_making_is_still_counted(log: QueryLog) -> None:
    statement = Statement("none", "Nothing is known.", "unknown")
    unknown = Release(method="unknown", params={}, content=log, statement=statement, changes={})
    answer = explain_query(log, unknown, log.queries[0], QUIET)
    assert answer.explanation is None
    assert answer.released_rows == answer.rows > 0
    odd = dataclasses.replace(unknown, method="safelog", params={"q_f": "many"})
    assert explain_query(log, odd, log.queries[0], QUIET).explanation is None


def test_that_a_query_without_end_is_refused_and_a_cancel_heard(log: QueryLog) -> None:
    release, progress = publish(log, "safelog"), Progress()
    with pytest.raises(ParameterError) as refused:
        explain_query(log, release, "secret" * 20_000, progress)
    assert "secret" not in str(refused.value)
    progress.cancel()
    with pytest.raises(Cancelled):
        explain_query(log, release, log.queries[0], progress)
