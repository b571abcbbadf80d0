"""Shipped policies: what rows show, and what none of them lets pass on real input."""

import dataclasses
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import auditor
from auditor.attacks.base import Evidence
from auditor.attacks.registry import ATTACKS
from auditor.engine.run import Run
from auditor.log.model import Attribute, QueryLog, Vocabulary
from auditor.measures.registry import MEASURES
from auditor.privacy.release import UNKNOWN, Anonymized, Preview, Tables
from auditor.privacy.release_times import floor_times
from auditor.release.gates import judge_record
from auditor.release.kept_content import ContentFacts
from auditor.release.policy.policy import read_bundled, read_policy
from auditor.release.record import MISSING, AttackRecord, ReleaseRecord
from auditor.release.verdict import ReleaseState, ReleaseVerdict
from tests.measures.fakes import run_attack
from tests.release.judging import EVERY_CHECK, all_checks_but, judge_run

DAY = 86_400
RULES: dict[str, Any] = {
    "max_words": 6,
    "max_characters": 60,
    "session_queries": 10,
    "session_gap": 30,
}


def log_of(days: int = 3, newest: int | None = None, users: int = 8) -> QueryLog:
    end = newest or 10_000 * DAY
    rows = [
        (f"u{n}", f"query {q}", end - DAY * d)
        for n in range(users)
        for q in "ab"
        for d in range(days)
    ]
    user, query, moment = zip(*rows, strict=True)
    return QueryLog.from_columns(user=user, query=query, time=moment)


def preview(log: QueryLog, method: str, **values: Any) -> Preview:
    return auditor.preview(log, method, seed=1, **values)


def judge(result: Run, log: QueryLog, policy: str) -> dict[str, str]:
    return judge_checks(ReleaseRecord.of_run(result, log), policy)


def judge_checks(record: ReleaseRecord, policy: str) -> dict[str, str]:
    checks = judge_record(record, read_policy(Path(policy))).judged
    return {check.gate.name: check.verdict for check in checks}


def test_that_ids_columns_and_age_are_counted() -> None:
    log = log_of()
    content = ContentFacts.of(log, preview(log, "frequency-threshold", n=1))
    assert content.persistent_ids == 8
    assert content.forbidden_columns == ()
    date = "2026-11-28T00:00:00Z"
    age = 1_795_824_000 - int(log.time.max())
    assert content.find_figure("delay_days", date)[0] == age // DAY
    assert ContentFacts.of(log, preview(log, "day-pseudonyms")).persistent_ids == 0
    late = log_of(newest=10_000 * DAY + 7_200)
    for times, exact in (("day", 0), ("week", 0), ("exact", len(late))):
        timed = preview(late, "day-pseudonyms", times=times)
        assert ContentFacts.of(late, timed).exact_times == exact
    for days, ids, count in ((log, "drop", 0), (log_of(newest=-5 * DAY), "keep", 8)):
        release = preview(days, "frequency-threshold", ids=ids, n=1)
        assert ContentFacts.of(days, release).persistent_ids == count
    tables = ContentFacts.of(log, preview(log, "partition-selection"))
    assert tables.find_figure("persistent_ids", date)[0] is None
    assert tables.find_figure("delay_days", date)[0] == age // DAY
    extra = dataclasses.replace(
        log, attributes={"signed_in": Attribute(np.zeros(len(log), np.int32), Vocabulary.of("y"))}
    )
    release = preview(log, "frequency-threshold", n=1)
    facts = ContentFacts.of(log, dataclasses.replace(release, content=extra))
    assert facts.find_figure("forbidden_columns", date) == (1.0, ": signed_in")
    for item in (content, tables, facts):
        assert ContentFacts.from_dict(item.to_dict()) == item
    value, why = ContentFacts.from_dict({}).find_figure("delay_days", date)
    assert value is None
    assert why.startswith(MISSING)


@pytest.mark.parametrize(
    ("method", "values", "ids"),
    [
        ("frequency-threshold", {"n": 1, "ids": "keep", "times": "week"}, 8),
        ("frequency-threshold", {"n": 1, "times": "shuffled"}, 8),
        ("microaggregation", {"k": 2}, 8),
        ("numbered-sessions", {}, 8),
        ("day-pseudonyms", {"times": "week"}, 0),
    ],
)
def test_that_ids_are_of_several_days_whatever_times_show(
    method: str, values: dict[str, Any], ids: int
) -> None:
    log = log_of()
    assert ContentFacts.of(log, preview(log, method, **values)).persistent_ids == ids


def test_that_the_id_of_one_user_is_counted_and_ids_of_nobody_known_are_not_measured() -> None:
    log = QueryLog.from_columns(user=["a"] * 3, query=["ox"] * 3, time=[0, DAY, 2 * DAY])
    release = preview(log, "frequency-threshold", n=1, ids="keep")
    assert ContentFacts.of(log, release).persistent_ids == 1
    log = log_of()
    untimed = dataclasses.replace(log, time=np.zeros_like(log.time))
    release = dataclasses.replace(
        preview(log, "frequency-threshold", n=1), content=untimed, method="elsewhere", truth=None
    )
    assert ContentFacts.of(log, release).persistent_ids is None
    named = dataclasses.replace(release, params={})
    assert ContentFacts.of(log, named).persistent_ids == 8


def test_that_weeks_which_another_program_calls_days_hide_no_ids() -> None:
    log = log_of(newest=10_002 * DAY)  # Monday to Wednesday
    weekly = dataclasses.replace(log, time=floor_times(log.time, "week"))
    release = preview(log, "frequency-threshold", n=1, ids="keep")
    release = dataclasses.replace(release, content=weekly, method="elsewhere", params={})
    assert ContentFacts.of(log, release).persistent_ids == 8


def test_that_exact_times_of_the_hour_after_midnight_are_exact() -> None:
    minutes = [10_000 * DAY + 37 * n for n in range(50)]
    log = QueryLog.from_columns(user=["a", "b"] * 25, query=["ox", "car"] * 25, time=minutes)
    for times, exact in (("exact", 49), ("day", 0)):
        release = preview(log, "frequency-threshold", n=1, times=times)
        assert ContentFacts.of(log, release).exact_times == exact


@pytest.mark.parametrize(("age", "verdict"), [(6.5, "failed"), (7.5, "passed")])
def test_that_a_week_has_to_pass(age: float, verdict: str) -> None:
    log = log_of(newest=int(time.time() - age * DAY))
    result = auditor.audit(log, "day-pseudonyms", skip=EVERY_CHECK)
    assert judge(result, log, "dma-6-11")["delay"] == verdict


def test_that_rules_which_nobody_published_are_not_passed_unset() -> None:
    log = log_of()
    some: dict[str, Any] = dict(list(RULES.items())[:-1])
    for values, verdict in ((RULES, "passed"), (some, "not measured"), ({}, "not measured")):
        result = auditor.audit(log, "entity-allowlist", skip=EVERY_CHECK, k_entity=50, **values)
        outcomes = judge(result, log, "dma-6-11")
        assert outcomes["rules"] == verdict
        assert outcomes["entity-users"] == "passed"
        assert (outcomes["ids"], outcomes["times"]) == ("passed", "passed")
    few = auditor.audit(log, "entity-allowlist", skip=EVERY_CHECK, k_entity=49, **RULES)
    assert judge(few, log, "dma-6-11")["entity-users"] == "failed"
    other = auditor.audit(log, "frequency-threshold", skip=EVERY_CHECK, n=1)
    outcomes = judge(other, log, "dma-6-11")
    assert (outcomes["rules"], outcomes["ids"]) == ("does not apply", "failed")
    record = dataclasses.replace(ReleaseRecord.of_run(other, log), method=UNKNOWN)
    assert judge_checks(record, "dma-6-11")["rules"] == "not measured"


@pytest.mark.parametrize(("users", "verdict"), [(49, "failed"), (50, "passed")])
def test_that_users_of_words_are_counted_where_no_rule_of_the_method_limits_them(
    users: int, verdict: str
) -> None:
    log = log_of(users=users)
    skip = all_checks_but("entity-exposure", "composition-exposure")
    result = auditor.audit(log, "frequency-threshold", skip=skip, n=1)
    assert judge(result, log, "dma-6-11")["entity-users"] == verdict
    bare = dataclasses.replace(result, attacks=())
    assert judge(bare, log, "dma-6-11")["entity-users"] == "not measured"
    hashed = auditor.audit(log, "token-hashing", skip=skip)
    assert judge(hashed, log, "dma-6-11")["entity-users"] == "does not apply"


def test_that_what_needs_a_truth_table_is_not_passed_without_one() -> None:
    log = log_of()
    run = auditor.audit(log, "day-pseudonyms", skip=EVERY_CHECK)
    bare: Anonymized = dataclasses.replace(run.release, truth=None)
    for release in (run.release, bare):
        outcomes = judge(Run(run.plan, release), log, "open-data")
        assert outcomes["mini-sessions"] == "not measured"
    full = auditor.audit(log, "frequency-threshold", skip=EVERY_CHECK, n=1)
    assert judge(full, log, "open-data")["mini-sessions"] == "does not apply"


def attack_release(name: str, log: QueryLog, release: Preview) -> ReleaseRecord:
    """The record of a release and of this attack on it alone."""
    result = run_attack(ATTACKS[name], Evidence(log=log, release=release))
    attacks = {name: AttackRecord.of_result(result)}
    return ReleaseRecord(release.statement, method=release.method, attacks=attacks)


@pytest.mark.parametrize(
    ("method", "values"),
    [
        ("frequency-threshold", {"n": 1}),
        ("click-pairs", {"k": 1}),
        ("popularity-score", {"k": 1}),
        ("safelog", {}),
        ("dp-public-key-counts", {"threshold": 0}),
    ],
)
@pytest.mark.parametrize(("users", "clicks"), [(29, 4), (30, 5)])
def test_that_free_text_for_everybody_is_of_30_users_and_a_page_beside_it_of_5(
    method: str, values: dict[str, Any], users: int, clicks: int
) -> None:
    rows = [(f"u{n}", "weather", "a.org" if n < clicks else None) for n in range(users)]
    user, query, url = zip(*rows, strict=True)
    log = QueryLog.from_columns(user=user, query=query, url=url, time=[10_000 * DAY] * users)
    release = preview(log, method, **values)
    if method == "safelog":  # as if its noise had let them pass
        content = Tables(
            queries=Vocabulary.of(["weather"]),
            query_count=np.array([users]),
            urls=Vocabulary.of(["a.org"]),
            click_query=np.zeros(1, np.int32),
            click_url=np.zeros(1, np.int32),
            click_count=np.array([clicks]),
            has_clicks=True,
        )
        release = dataclasses.replace(release, content=content)
    record = attack_release("composition-exposure", log, release)
    outcomes = judge_checks(record, "open-data")
    passed = "passed" if users >= 30 else "failed"
    expected = {
        "dp-public-key-counts": ("does not apply", "does not apply"),
        "popularity-score": (passed, "passed"),  # no page: a cell is a query on a day
    }.get(method, (passed, passed))
    assert (outcomes["free-text"], outcomes["cells"]) == expected


@pytest.mark.parametrize(("users", "verdict"), [(29, "failed"), (30, "passed")])
def test_that_n_grams_for_everybody_are_those_of_30_users(users: int, verdict: str) -> None:
    queries = [f"weather in town {n}" for n in range(users)] + ["rain"] * 40
    log = QueryLog.from_columns(
        user=[f"u{n}" for n in range(users + 40)], query=queries, time=[DAY] * (users + 40)
    )
    release = preview(log, "n-grams")
    content = Tables(
        queries=Vocabulary.of(["rain", "in town"]), query_count=np.array([40, 31]), ngrams=True
    )
    release = dataclasses.replace(release, content=content)
    record = attack_release("planted-strings", log, release)
    assert judge_checks(record, "open-data")["free-text"] == verdict
    bare = dataclasses.replace(record, attacks={})
    assert judge_checks(bare, "open-data")["free-text"] == "not measured"


# What is refused: too little, too few alike, hashes that open


EXCITE = Path(__file__).parent.parent / "data" / "excite-small.log"
POLICIES = list(read_bundled().items())


@pytest.fixture(scope="module")
def excite() -> QueryLog:
    return auditor.read_log(EXCITE)


def verdicts(log: QueryLog, method: str, **values: Any) -> dict[str, ReleaseVerdict]:
    """A run with every attack, judged by each of the shipped policies."""
    result = auditor.audit(log, method, skip=[*MEASURES], **values)
    return {name: judge_run(result, log, policy) for name, policy in POLICIES}


def outcome(verdict: ReleaseVerdict) -> dict[str, str]:
    every = (*verdict.failed, *verdict.not_run, *verdict.not_applicable, *verdict.passed)
    return {check.gate.name: check.verdict for check in every}


def test_that_a_release_of_the_empty_string_is_refused(tmp_path: Path, call: Any) -> None:
    lines = EXCITE.read_text(encoding="utf-8").splitlines()
    blank = tmp_path / "blank.log"
    rows = [line for line in lines if not line.split("\t")[2].strip()]
    assert len(rows) == 533
    blank.write_text("\n".join(rows) + "\n", encoding="utf-8")
    words = ["audit", blank, "--format", "excite", "--max-rejected", "1", "--no-pdf"]
    words += ["--method", "token-hashing", "--out", tmp_path / "out"]
    for name in all_checks_but("hash-inversion", "record-linkage"):
        words += ["--skip", name]
    code, facts = call(*words)
    assert (code, facts["verdict"]["state"]) == (1, "nothing-left")
    assert facts["verdict"]["kept"]["queries"] == 0


def test_that_hashes_are_refused_where_a_reference_log_is_at_hand(excite: QueryLog) -> None:
    for name, verdict in verdicts(excite, "token-hashing", reference=excite).items():
        assert verdict.state is ReleaseState.REFUSED
        outcomes = outcome(verdict)
        assert outcomes["inversion"] == outcomes["linkage"] == "failed", name
        assert outcomes["entities"] == ("passed" if "partner" in name else "failed")
        assert verdict.worst is not None
        assert verdict.worst.attack == "hash-inversion"
        assert verdict.worst.rate > 0.7


GROUPS_OF_TWO = [
    ("microaggregation", {"k": 2}),
    ("k-delta", {"k": 2}),
    ("m-k-delta-epsilon", {"k": 5, "m": 2}),
]


@pytest.mark.parametrize(("method", "params"), GROUPS_OF_TWO)
def test_that_groups_of_two_are_refused(
    excite: QueryLog, method: str, params: dict[str, int]
) -> None:
    results = verdicts(excite, method, **params)
    verdict = results["default"]
    assert verdict.state is ReleaseState.REFUSED
    assert outcome(verdict)["k"] == "failed"
    assert verdict.guarantee.k is not None
    assert verdict.guarantee.k < 5
    assert all(not item.releasable for item in results.values())


def test_that_every_shipped_policy_asks_for_content_and_for_attacks() -> None:
    attacks = ("surviving-content", "entity-exposure", "hash-inversion", "record-linkage")
    wanted = {"release.queries", "release.searches_share", "attack.worst.sessions_surviving"}
    wanted |= {f"attack.{attack}.ran" for attack in attacks}
    for name, rules in POLICIES:
        assert wanted <= {gate.figure for gate in rules.checks}, name
    usual = {gate.name for gate in dict(POLICIES)["default"].gates}
    assert usual >= {"epsilon", "delta", "k", "inversion", "linkage", "names", "assumptions"}
