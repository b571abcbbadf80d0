"""Planted strings in small logs: parties counted by hand, and thresholds that are known."""

import dataclasses
from collections.abc import Sequence

import numpy as np
import pytest

from auditor.attacks.base import AttackResult
from auditor.attacks.planted_strings import (
    ATTACK,
    PartyRules,
    ReleasedStrings,
    count_support,
    force_strings,
    needs_clicks,
    plant_strings,
)
from auditor.engine.backends import local
from auditor.errors import Cancelled, ParameterError
from auditor.log.model import QueryLog, Vocabulary
from auditor.methods.registry import METHODS
from auditor.privacy.noise import PreviewRandomness
from auditor.privacy.release import MethodRerun, Preview, Tables
from auditor.progress import Progress
from tests.attacks.attacked import QUIET, Content, run_attack, value
from tests.measures.fakes import made_by
from tests.narrowing import present

RULES = PartyRules(burst=600, few=2, ranges=True)
Row = tuple[str, str, int, int]


def log_of(rows: Sequence[Row]) -> QueryLog:
    """(user, query, second, address)."""
    users, queries, times, addresses = zip(*rows, strict=True)
    return QueryLog.from_columns(
        user=users, query=queries, time=times, ip=np.array(addresses, dtype=np.uint32)
    )


BUSY = [(f"u{n}", f"{text}{n}", 9_999 * n, 0) for n in range(3) for text in "abc"]
"""Users with a life of their own."""


@pytest.mark.parametrize(
    ("rows", "ranges", "expected"),
    [
        # a burst of accounts that did nothing else; a longer pause parts them
        ([(f"u{n}", "pills", 600 * n, 0) for n in range(5)], True, [5, 1]),
        ([("a", "pills", 0, 0), ("b", "pills", 601, 0), ("c", "pills", 700, 0)], True, [3, 2]),
        # those who do more are independent, but for their address range
        (BUSY + [(f"u{n}", "pills", 10 * n, 0) for n in range(3)], True, [3, 3]),
        (BUSY + [(f"u{n}", "pills", 10 * n, (7 << 8) + n) for n in range(3)], True, [3, 1]),
        (BUSY + [(f"u{n}", "pills", 10 * n, (7 << 8) + n) for n in range(3)], False, [3, 3]),
        (BUSY + [(f"u{n}", "pills", 10 * n, (n + 1) << 8) for n in range(3)], True, [3, 3]),
        # a and b by their burst, b and c by their range
        ([("a", "pills", 0, 7 << 8), ("b", "pills", 300, 9 << 8),
          ("c", "pills", 99_999, (9 << 8) + 1)], True, [3, 1]),
    ],
)  # fmt: skip
def test_that_users_are_joined_into_parties(
    rows: list[Row], ranges: bool, expected: list[int]
) -> None:
    rules = dataclasses.replace(RULES, ranges=ranges)
    log = log_of(rows)
    everything = ReleasedStrings.of_queries(log, np.ones(len(log.queries), np.bool_))
    support = count_support(log, everything, rules, QUIET)
    code = log.queries.list_strings().index("pills")
    assert [int(support.users[code]), int(support.parties[code])] == expected


def ngram_tables(ngrams: list[str]) -> Tables:
    weights = np.full(len(ngrams), 9, dtype=np.int64)
    return Tables(queries=Vocabulary.of(ngrams), query_count=weights, ngrams=True)


def attack(log: QueryLog, release: Content, rerun: MethodRerun | None = None) -> AttackResult:
    return run_attack(ATTACK, log, release, rerun=rerun)


def test_that_the_rate_is_of_released_queries_and_chance_is_told() -> None:
    burst = [(f"bot{n}", "pills", 60 * n, 0) for n in range(6)]
    calm = [(f"u{n}", text, 9_000 * n + k, 0) for n in range(6) for k, text in enumerate("abcd")]
    log = log_of([*burst, *calm])
    result = attack(log, log)
    assert result.rate == pytest.approx(1 / 5)
    assert value(result, "dependent") == 1
    assert value(result, "one_party") == 1
    assert present(result.control) <= result.rate
    assert "accounts_to_force" not in result.details


@pytest.mark.parametrize(
    ("method", "least"),
    [("frequency-threshold", least) for least in (2, 5, 9, 40, 150)] + [("popularity-score", 3)],
)
def test_that_one_account_more_passes_a_threshold_for_sure(method: str, least: int) -> None:
    log = log_of([(f"u{n}", "rose", n, 0) for n in range(150)])
    release = made_by(method, log, **{"k" if method == "popularity-score" else "n": least})
    result = attack(log, release, local.repeating_release(release, 0))
    assert result.details["accounts_to_force"] == least
    assert result.details["n_minus_one"] == 1.0


def test_that_what_more_accounts_than_were_tried_show_is_not_taken_for_nothing() -> None:
    log = log_of([(f"u{n}", "rose", n, 0) for n in range(1_300)])
    release = made_by("frequency-threshold", log, n=1_200)
    result = attack(log, release, local.repeating_release(release, 0))
    assert "n_minus_one" not in result.details


def test_that_released_strings_of_another_log_are_said_to_be() -> None:
    log = log_of([(f"u{n}", query, n, 0) for n in range(4) for query in ("rose", "red tulip")])
    other = log_of([("a", query, 1, 0) for query in ("rose", "lake", "sea")])
    absent = "released strings do not stand"
    assert f"2 of 3 {absent} in this log" in attack(log, other).notes[0]
    assert "do not stand" not in " ".join(attack(log, log).notes)
    assert f"1 of 3 {absent}" in attack(log, ngram_tables(["rose", "tulip", "lake"])).notes[0]


def test_that_noise_limits_what_one_more_shows() -> None:
    log = log_of([(f"u{n}", "rose", n, 0) for n in range(500)])
    release = made_by("set-union", log, epsilon=1.0, delta=1e-5, q_f=1)
    run = attack(log, release, local.repeating_release(release, 0))
    # (1, 1e-5): the chance grows by a factor e at most, and so does that of staying in.
    assert run.details["n_minus_one"] < 0.5
    low, high = next(rate.interval for rate in run.values if rate.name == "n_minus_one") or (0, 0)
    assert low <= run.details["n_minus_one"] <= high


def test_that_an_n_gram_is_forced_by_as_many_accounts_as_its_threshold_says() -> None:
    """An account that issues one word gives it 1, whatever else n-grams could be."""
    log = log_of([(f"u{n}", "rose garden", n, 0) for n in range(500)])
    release = made_by("n-grams", log, epsilon=2.0, delta=1e-5)
    result = attack(log, release, local.repeating_release(release, 0))
    threshold = release.statement.measured["threshold"]
    assert result.details["accounts_to_force"] == pytest.approx(threshold, rel=0.15)
    assert result.details["n_minus_one"] < 0.5
    assert any("one word" in note for note in result.notes)


def test_that_an_n_gram_of_one_burst_is_found_though_no_query_is_shared() -> None:
    """Six accounts, six different queries: only the run of words that they share is theirs."""
    burst = [(f"bot{n}", f"cheap pills {n}", 60 * n, 0) for n in range(6)]
    calm = [(f"u{n}", f"{text} rose", 9_000 * n, 0) for n in range(6) for text in "abc"]
    log = log_of([*burst, *calm])
    run = attack(log, ngram_tables(["rose", "cheap pills", "b rose", "absent"]))
    assert value(run, "dependent") == value(run, "one_party") == 1
    assert run.details["judged"] == 3
    assert run.rate == pytest.approx(1 / 3)
    (table,) = run.tables
    assert table.rows == [["cheap pills", 6, 1]]
    (who,) = (metric.who for metric in run.values if metric.name == "dependent")
    assert who is not None
    queries = [log.queries[int(code)] for code in who.find(0)]
    assert sorted(queries) == [f"cheap pills {n}" for n in range(6)]


@pytest.mark.parametrize("seed", range(8))
def test_that_the_support_of_n_grams_agrees_with_a_naive_count(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows: list[Row] = [
        (
            f"u{rng.integers(9)}",
            " ".join(rng.choice(list("abcd"), rng.integers(1, 5))),
            int(rng.integers(5_000)),
            int(rng.integers(4) << 8) + int(rng.integers(9)),
        )
        for _ in range(60)
    ]
    log = log_of(rows)
    ngrams = sorted({" ".join(rng.choice(list("abcd"), rng.integers(1, 4))) for _ in range(12)})
    released = ReleasedStrings.of_ngrams(log, Vocabulary.of(ngrams), QUIET)
    support = count_support(log, released, RULES, QUIET)
    for code, ngram in enumerate(ngrams):
        expected = count_naively(rows, ngram)
        assert (int(support.users[code]), int(support.parties[code])) == expected
        holding = {text for _, text, _, _ in rows if f" {ngram} " in f" {text} "}
        assert {log.queries[int(hit)] for hit in released.find_queries(np.array([code]))} == holding


def count_naively(rows: Sequence[Row], ngram: str) -> tuple[int, int]:
    """Users and parties of an n-gram, by joining every two users whom a rule joins."""
    first: dict[str, tuple[int, int]] = {}
    for user, text, time, address in sorted(rows, key=lambda row: row[2]):
        if f" {ngram} " in f" {text} ":
            first.setdefault(user, (time, address))
    distinct = {user: len({text for who, text, _, _ in rows if who == user}) for user in first}
    party = {user: {user} for user in first}
    for person, (moment, range_) in first.items():
        for other, (later, other_range) in first.items():
            thin = max(distinct[person], distinct[other]) <= RULES.few
            near = thin and abs(moment - later) <= RULES.burst
            # the address 0 stands for none
            if near or (range_ and other_range and range_ >> 8 == other_range >> 8):
                joined = party[person] | party[other]
                party.update(dict.fromkeys(joined, joined))
    return len(first), len({frozenset(group) for group in party.values()})


def test_that_planted_strings_have_the_accounts_that_they_say() -> None:
    log, texts = plant_strings([1, 3], 2, repeats=2)
    codes = log.queries.find(texts)
    pairs = np.unique(np.stack([log.query, log.user]), axis=1)
    assert np.bincount(pairs[0])[codes].tolist() == [1, 1, 3, 3]
    assert np.bincount(log.query[log.event_starts])[codes].tolist() == [2, 2, 6, 6]


def test_that_a_refusal_is_no_result_and_a_cancel_is_heard() -> None:
    def refuse(log: QueryLog, number: int, progress: Progress) -> Preview:
        raise ParameterError("k", "No.")

    def cancel(log: QueryLog, number: int, progress: Progress) -> Preview:
        raise Cancelled

    assert force_strings(refuse, 1, 0, QUIET) is None
    with pytest.raises(Cancelled):
        force_strings(cancel, 1, 0, QUIET)


def test_that_strings_of_one_persons_two_accounts_have_one_party() -> None:
    """Times weeks apart and addresses of their own: only the histories are the same."""
    week = 7 * 86_400
    pairs = [
        (f"{person}-{account}", f"matter of {person}", week * (k + 3 * account) + 977 * person, 0)
        for person in range(40)
        for account in range(2)
        for k in range(5)
    ]
    crowd = [(f"u{n}", f"word {n % 9} {n % 7}", 99_991 * n, 0) for n in range(300)]
    log = log_of([*crowd, *pairs])
    result = attack(log, log)
    assert value(result, "equal_histories") == value(result, "one_party") == 40
    assert result.control == 0


@pytest.mark.parametrize(
    ("method", "values", "accounts"),
    [
        ("query-result-threshold", {"k_query": 4, "k_cell": 2, "first_day": 20300101}, 4),
        ("query-result-threshold", {"k_query": 2, "k_cell": 6}, 6),
        ("click-pairs", {"k": 3}, 3),
    ],
)
def test_that_accounts_click_where_only_clicked_queries_are_shown(
    method: str, values: dict[str, int], accounts: int
) -> None:
    """On whichever days and pages, as an attacker would."""
    params = METHODS[method].params(**values)
    release = local.apply_method(
        plant_strings([2], 2, 1)[0], method, params, PreviewRandomness(1), QUIET
    )
    assert needs_clicks(release)
    rerun = local.make_rerun(method, params, 7, attacked=True)
    forced = present(force_strings(rerun, 1, 3, QUIET, clicked=True))
    assert (forced.accounts, forced.before, forced.after) == (accounts, 0.0, 1.0)
