"""Hash inversion as a whole: logs with known answers, splits, truth, and what it reports."""

import dataclasses
import functools
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.arrays import Bools
from auditor.attacks.base import AttackResult, Evidence
from auditor.attacks.hash_inversion import alignment
from auditor.attacks.hash_inversion import ground_truth as truth
from auditor.attacks.hash_inversion.attack import ATTACK
from auditor.attacks.hash_inversion.inversion import UPDATES
from auditor.cli.console import attack_facts
from auditor.errors import Cancelled, MissingInput
from auditor.log.model import QueryLog
from auditor.log.reading.reader import read_log
from auditor.log.synthetic.generator import SyntheticLog, synthesize_log
from auditor.log.writing import write_log
from auditor.privacy.release import Preview
from auditor.progress import Progress
from tests.attacks.attacked import QUIET, table_of
from tests.measures.fakes import made_by, run_attack
from tests.narrowing import present


@pytest.fixture(scope="module")
def world() -> SyntheticLog:
    return synthesize_log(400, days=20, seed=3)


def language(events: int, seed: int, words: int = 60) -> QueryLog:
    """Events of a fixed made-up language: which words go together is the same for any seed."""
    rules = np.random.default_rng(99)
    weight = rules.dirichlet(np.full(words, 0.15), size=words)
    popular = 1.0 / np.arange(2, words + 2)
    rng = np.random.default_rng(seed)
    first = rng.choice(words, events, p=popular / popular.sum())
    second = np.array([rng.choice(words, p=weight[f]) for f in first])
    pairs = zip(first.tolist(), second.tolist(), strict=True)
    query = [f"word{a}" if a == b else f"word{a} word{b}" for a, b in pairs]
    return QueryLog.from_columns(
        user=[f"u{n % 50}" for n in range(events)], query=query, time=np.arange(events) * 60
    )


LEFT, RIGHT = language(6000, 1), language(6000, 2)
BOTH = Evidence(log=LEFT, reference=RIGHT)


@functools.cache
def hashed(log: QueryLog, **params: Any) -> Preview:
    return dataclasses.replace(made_by("token-hashing", log, seed=4, **params), params={})


def attacked(evidence: Evidence, **params: Any) -> AttackResult:
    return run_attack(ATTACK, evidence, seed=5, **params)


def cancelled_at(stage: str) -> Progress:
    """A progress that somebody cancels when a stage is reported."""
    stopped = threading.Event()

    def stop(name: str, done: int, total: int) -> None:
        if name.startswith(stage):
            stopped.set()

    return Progress(stop, stopped, interval=0)


PLAIN = {"scheme": "iterate"}
GROWN = {"start": 15, "bootstrap": 10}


@pytest.mark.parametrize(
    ("params", "least"),
    [
        *((PLAIN | {"update": name}, 0.9) for name in UPDATES),
        *((PLAIN | {"distance": name}, 0.5) for name in ("l2", "cosine", "hellinger", "rare")),
        *((GROWN | {"scheme": name}, 0.6) for name in ("expand", "continuous")),
    ],
    ids=str,
)
def test_that_every_way_reads_a_shared_language(params: dict[str, Any], least: float) -> None:
    result = attacked(BOTH, n=60, **params)
    assert result.rate > max(least, result.baseline)
    assert result.details["oracle"] > least


def test_that_trusting_the_surest_first_finds_more_at_equal_data(world: SyntheticLog) -> None:
    evidence = Evidence(log=world.log, reference=world.reference)
    ours = attacked(evidence, n=200)
    source = attacked(evidence, n=200, scheme="iterate")
    assert ours.details["matchable"] == source.details["matchable"]
    assert ours.rate > source.rate


def test_that_pairs_which_were_given_do_not_count_as_found(usual: AttackResult) -> None:
    result = attacked(BOTH, n=60, scheme="continuous", bootstrap=10)
    assert result.details["matchable"] == usual.details["matchable"] - 10
    nothing_left = attacked(BOTH, n=60, scheme="continuous", bootstrap=60)
    assert (nothing_left.details["matchable"], nothing_left.rate) == (0, 0)


def test_that_nothing_comes_back_from_a_language_of_its_own() -> None:
    scrambled = QueryLog.from_columns(
        user=["u"] * 3000,
        query=[f"word{a} word{b}" for a, b in np.random.default_rng(8).integers(0, 60, (3000, 2))],
        time=np.arange(3000),
    )
    assert attacked(Evidence(log=LEFT, reference=scrambled), n=60).rate < 0.2


@pytest.mark.parametrize("order", ["kept", "hidden"])
@pytest.mark.parametrize("users", ["kept", "hashed", "dropped"])
def test_that_the_truth_is_known_however_a_release_is_ordered(
    order: str, users: str, world: SyntheticLog
) -> None:
    log = world.log
    release = present(hashed(log, order=order, users=users).log)
    rows = present(alignment.align_rows(log, release, QUIET))
    assert len(rows[0]) > 0.95 * len(log)
    labels = alignment.labels_of(log, release, rows, QUIET)
    renamed = present(hashed(log, order="kept", users="kept").log)
    words = [release.queries[q].split() for q in release.query[rows[1]].tolist()]
    real = [renamed.queries[q].split() for q in renamed.query[rows[0]].tolist()]
    assert all(sorted(a) == sorted(b) for a, b in zip(words, real, strict=True))
    assert np.count_nonzero(labels[0] >= 0) > 0.95 * len(labels[0])


@pytest.fixture(scope="module")
def usual() -> AttackResult:
    return attacked(BOTH, n=60)


def test_that_releases_of_others_days_have_no_row_in_common() -> None:
    log, other = (
        QueryLog.from_columns(user=["a", "b"], query=["rose", "red tulip"], time=[day, 2 * day])
        for day in (86_400, 7 * 86_400)
    )
    assert alignment.align_rows(log, other, QUIET, times="day") is None


@pytest.mark.parametrize("order", ["kept", "hidden"])
def test_that_attacking_a_release_equals_attacking_its_log(order: str, usual: AttackResult) -> None:
    release = hashed(LEFT, order=order)
    of_release = attacked(dataclasses.replace(BOTH, release=release), n=60)
    assert of_release.details["matchable"] == usual.details["matchable"]
    assert of_release.rate == pytest.approx(usual.rate, abs=0.05)


@pytest.mark.parametrize("reference", ["users", "earlier"])
def test_that_a_log_can_be_split_with_and_without_a_release(reference: str) -> None:
    both = [Evidence(log=LEFT), Evidence(log=LEFT, release=hashed(LEFT))]
    rates = [attacked(evidence, n=50, reference=reference).rate for evidence in both]
    assert min(rates) > 0.6
    for evidence in both:
        game = truth.set_up(evidence, reference, 50, np.random.default_rng(0), QUIET)
        events = game.hashes.events + game.tokens.events
        assert events == int(LEFT.event_starts.sum())


def test_that_a_hashed_log_from_elsewhere_gets_confidence_alone(usual: AttackResult) -> None:
    result = attacked(Evidence(log=present(hashed(LEFT).log), reference=RIGHT), n=60)
    assert "accuracy" not in result.details
    assert "nearest" in result.rate_label
    pairs = table_of(result, "pairs")
    assert pairs.columns[-2:] == ("Chance", "Right")
    assert {row[-1] for row in pairs.rows} == {"unknown"}
    chances = [row[-2] for row in pairs.rows]
    assert chances == sorted(chances, reverse=True)
    assert result.values[0].value == pytest.approx(usual.details["accuracy"], abs=0.2)
    assert result.rate > 0.3


def test_that_a_release_that_doesnt_correspond_can_only_be_attacked_blind() -> None:
    other = hashed(RIGHT.rows(np.arange(100, 5000)))
    evidence = Evidence(log=LEFT, release=other)
    with pytest.raises(MissingInput, match="correspond"):
        attacked(evidence, n=50)
    result = attacked(Evidence(log=LEFT, release=other, reference=LEFT), n=50)
    assert "accuracy" not in result.details
    with pytest.raises(MissingInput, match="reference"):
        attacked(Evidence(log=LEFT), reference="file")


def test_that_words_are_not_counted_as_unread_in_rows_that_were_not_attacked() -> None:
    """Searches of one hour, all under one id: nothing tells whose each is."""
    release = made_by("token-hashing", LEFT, seed=4, users="dropped", times="hour")
    with pytest.raises(MissingInput, match="Give a reference log"):
        attacked(Evidence(log=LEFT, release=release), n=60)
    assert attacked(Evidence(log=LEFT, release=release, reference=RIGHT), n=60).rate > 0.5


def test_that_searches_of_several_people_on_one_day_are_all_counted_under_one_id() -> None:
    days = dataclasses.replace(LEFT, time=LEFT.time // 86_400 * 86_400)
    release = made_by("token-hashing", days, seed=4, users="dropped")
    evidence = Evidence(log=days, release=release)
    game = truth.set_up(evidence, "users", 60, np.random.default_rng(0), QUIET)
    assert game.hashes.events == len(LEFT) // 2


def test_that_the_json_has_the_keys_scripts_read(usual: AttackResult) -> None:
    facts = attack_facts(usual)
    assert {"accuracy", "matchable", "oracle", "iterations", "rate", "baseline"} <= set(facts)
    assert facts["iterations"][-1]["accuracy"] == facts["rate"]


def test_that_wrong_pairs_are_wrong_and_the_surest_come_first() -> None:
    result = attacked(BOTH, n=60, iterations=1)
    wrong = table_of(result, "mismatches").rows
    assert all(row[1] != row[2] for row in wrong)
    facts = result.details
    assert len(wrong) == round(facts["matchable"] * (1 - facts["accuracy"]))
    margins = [row[3] for row in table_of(result, "pairs").rows]
    assert margins == sorted(margins, reverse=True)
    right = sum(row[4] == "yes" for row in table_of(result, "pairs").rows)
    assert right == round(facts["matchable"] * facts["accuracy"])


@pytest.mark.parametrize(
    "table", ["fig1", "table1", "distances", "table3", "experiments", "variants", "gap", "interval"]
)
def test_that_every_table_of_the_source_can_be_made(table: str) -> None:
    result = attacked(BOTH, n=40, start=10, table=table, iterations=3, bootstrap=5)
    output = table_of(result, table)
    shares = [
        cell
        for row in output.rows
        for cell, name in zip(row, output.columns, strict=True)
        if name in ("Accuracy", "NodeStart", "L1", "score-greedy")
    ]
    assert shares
    assert all(0 <= share <= 1 for share in shares)
    assert max(shares) > 0.3


def test_that_logs_too_small_are_refused() -> None:
    tiny = QueryLog.from_columns(user=["u"], query=["a"], time=[1])
    with pytest.raises(MissingInput, match="two tokens"):
        attacked(Evidence(log=tiny, reference=tiny))


def test_that_no_event_is_in_both_logs_of_a_gap(world: SyntheticLog) -> None:
    result = attacked(Evidence(log=world.log), n=100, table="gap", iterations=1, bootstrap=20)
    table = table_of(result, "gap")
    assert "in both" in table.note
    assert [row[0] for row in table.rows] == [
        "25 % of the period", "1 week", "50 % of the period", "75 % of the period"
    ]  # fmt: skip
    hours = float(table.note.split(" hours")[0].split()[-1])
    assert hours <= 20 * 24 / 8
    assert all(row[2] > 0 for row in table.rows)


@pytest.mark.parametrize(
    "stage",
    [
        "distinguishing rows", "pairing queries", "comparing words", "counting co-occurrences",
        "iteration 1", "matching", "nearest with true context",
    ],
)  # fmt: skip
def test_that_it_stops_when_cancelled(stage: str) -> None:
    release = hashed(LEFT, order="hidden", users="dropped")
    evidence = Evidence(log=LEFT, release=release, reference=RIGHT)
    with pytest.raises(Cancelled):
        attacked(evidence, n=30, progress=cancelled_at(stage))


def test_that_a_release_without_users_is_read_back_and_attacked(tmp_path: Path) -> None:
    release = hashed(LEFT, order="hidden", users="dropped")
    path = tmp_path / "log.tsv"
    write_log(present(release.log), path)
    again = dataclasses.replace(release, content=read_log([path]))
    result = attacked(Evidence(log=LEFT, release=again, reference=RIGHT), n=60)
    assert result.rate > 0.7
    assert any("carries no information" in note for note in result.notes)


def test_that_told_chances_are_about_as_often_right() -> None:
    world = synthesize_log(2500, days=30, seed=12)
    evidence = Evidence(log=world.log, reference=world.reference)
    result = run_attack(ATTACK, evidence, seed=1, n=600, confidence="always")
    table = table_of(result, "reliability")
    chances, pairs, right = (np.array([row[k] for row in table.rows]) for k in range(3))
    assert pairs.sum() == 600
    assert abs((chances * pairs).sum() - (right * pairs).sum()) / 600 < 0.2
    assert (np.abs(chances - right) * pairs).sum() / 600 < 0.2

    def share_right(chosen: Bools) -> float:
        return float((right * pairs)[chosen].sum() / pairs[chosen].sum())

    # A dozen pairs of a class say little; the page on inversion says that its middle is too high.
    assert share_right(chances > 0.9) > 0.9
    assert share_right(chances > 0.6) > 0.7
    assert share_right(chances < 0.2) < 0.2
