"""A policy read as it is meant or refused whole, and every verdict with its evidence."""

import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.attacks.base import AttackResult, Evidence
from auditor.attacks.record_linkage.targets import NEEDS_TRUTH
from auditor.attacks.risk.exposed_sessions import ExposedSessions
from auditor.attacks.risk.reasons import LABELS, WRONG
from auditor.engine.run import Run
from auditor.figures import MetricValue
from auditor.log.model import QueryLog
from auditor.log.origin import UserSample
from auditor.methods.noisy_counts.period_units import describe_unit
from auditor.privacy.statement import Assumption, Statement
from auditor.progress import silent_progress
from auditor.release import export, gates
from auditor.release.kept_content import ContentFacts, KeptContent
from auditor.release.manifest import (
    internal_folder,
    read_evidence,
    read_manifest,
    to_bytes,
    verify_folder,
)
from auditor.release.policy.policy import Gate, default_policy
from auditor.release.record import AttackRecord, GateVerdict, ReleaseRecord
from tests.release import fakes
from tests.release.judging import judge_gate, judged_record, policy_of


def check_of(result: Run, log: QueryLog, figure: str, **limits: Any) -> GateVerdict:
    return judge_gate(ReleaseRecord.of_run(result, log), figure, **limits)


def with_statement(result: Run, **changes: Any) -> Run:
    statement = dataclasses.replace(result.release.statement, **changes)
    release = dataclasses.replace(result.release, statement=statement)
    return dataclasses.replace(result, anonymized=release)


def with_attack(result: Run, name: str, **changes: Any) -> Run:
    attack = AttackResult(
        attack=name, params={}, rate=0.3, baseline=0.1, interval=(0.2, 0.4), **changes
    )
    return dataclasses.replace(result, attacks=(*result.attacks, attack))


def record_of(*attacks: AttackRecord) -> ReleaseRecord:
    """A record of attacks alone."""
    by_name = {attack.attack: attack for attack in attacks}
    return ReleaseRecord(Statement("none", "", ""), attacks=by_name)


# Verdicts


def test_that_limits_include_their_ends_and_nothing_is_not_within() -> None:
    gate = Gate("it", "it", "statement.epsilon", most=3.0, least=1.0)
    values = (0.9, 1.0, 3.0, 3.1, math.nan, math.inf)
    assert [gate.admits(value) for value in values] == [False, True, True, False, False, False]
    assert Gate("lead", "lead", "attack.unicity.lead", most=0.05).admits(0.55 - 0.5)


NO_GUARANTEE = {"epsilon": None, "delta": None, "model": "none"}
PSEUDONYMS = NO_GUARANTEE | {"model": "pseudonymity"}
SOUND = {"assumptions": (Assumption("a", "b", "holds"),)}


def groups_of(**measured: float) -> dict[str, Any]:
    return {"model": "k-anonymity", "measured": measured}


@pytest.mark.parametrize(
    ("changes", "figure", "limits", "verdict", "value"),
    [
        ({}, "epsilon", {"most": 3.0}, "passed", 2.9),
        ({}, "epsilon", {"most": 2.0}, "failed", 2.9),
        ({"epsilon": math.inf}, "epsilon", {"most": 1e9}, "failed", math.inf),
        (NO_GUARANTEE, "epsilon", {"most": 3.0}, "does not apply", None),
        (PSEUDONYMS, "epsilon", {"most": 3.0}, "does not apply", None),
        ({}, "delta_users", {"most": 1e-3}, "passed", 4 * 1e-6),
        (NO_GUARANTEE, "delta_users", {"most": 3.0}, "does not apply", None),
        (PSEUDONYMS, "delta_users", {"most": 3.0}, "does not apply", None),
        ({}, "formal", {"least": 1.0}, "passed", 1.0),
        (NO_GUARANTEE, "formal", {"least": 1.0}, "failed", 0.0),
        (PSEUDONYMS, "formal", {"least": 1.0}, "failed", 0.0),
        ({}, "failing", {"most": 0.0}, "failed", 1.0),
        (SOUND, "failing", {"most": 0.0}, "passed", 0.0),
        ({}, "unknown", {"most": 1.0}, "passed", 1.0),
        ({}, "measured.K_c", {"least": 100.0}, "passed", 155.0),
        ({}, "measured.k", {"least": 5.0}, "does not apply", None),
        (groups_of(k=2.0), "measured.k", {"least": 5.0}, "failed", 2.0),
        (groups_of(smallest_class=2.0), "measured.k", {"least": 5.0}, "failed", 2.0),
        (groups_of(k=7.0, smallest_class=2.0), "measured.k", {"least": 5.0}, "passed", 7.0),
    ],
)
def test_that_the_claim_and_what_was_reached_are_judged(
    result: Run,
    log: QueryLog,
    changes: dict[str, Any],
    figure: str,
    limits: dict[str, float],
    verdict: str,
    value: float | None,
) -> None:
    check = check_of(with_statement(result, **changes), log, f"statement.{figure}", **limits)
    assert (check.verdict, check.ok) == (verdict, verdict != "failed")
    assert check.value == (None if value is None else pytest.approx(value))


@pytest.mark.parametrize(
    ("figure", "value"),
    [
        ("attack.record-linkage.rate", 0.3),
        ("attack.record-linkage.lead", 0.2),
        ("attack.record-linkage.sure", 0.5),
        ("attack.record-linkage.refuted", 1.0),
        ("attack.worst.rate", 0.3),
        ("attack.worst.lead", 0.2),
        ("measure.volume.kept", 0.4),
    ],
)
def test_that_attacks_and_measures_are_judged_by_any_figure(
    result: Run, log: QueryLog, figure: str, value: float
) -> None:
    linked = with_attack(
        result,
        "record-linkage",
        values=(MetricValue("sure", "sure links", 0.5),),
        details={"refuted": True, "words": "no number"},
    )
    check = check_of(linked, log, figure, most=0.1)
    assert check.verdict == "failed"
    assert check.value == pytest.approx(value)
    assert check_of(linked, log, figure, most=value + 1e-9).verdict == "passed"
    rate = check_of(linked, log, "attack.record-linkage.rate", most=0.3)
    assert "guessing 10 %" in rate.evidence


@pytest.mark.parametrize(
    ("figure", "verdict"),
    [
        ("attack.surviving-content.no_such_figure", "not measured"),
        ("measure.volume.no_such_figure", "not measured"),
        ("measure.retrieval.no_such_figure", "not measured"),
        ("measure.volume.nothing", "not measured"),
        ("measure.user-clustering.f", "does not apply"),
        ("attack.record-linkage.rate", "does not apply"),
    ],
)
def test_that_what_was_not_measured_fails_and_what_does_not_apply_lets_through(
    result: Run, log: QueryLog, figure: str, verdict: str
) -> None:
    check = check_of(result, log, figure, most=1.0)
    assert (check.verdict, check.ok) == (verdict, verdict == "does not apply")
    assert check.evidence


def test_that_an_attack_that_was_not_made_is_not_measured(result: Run, log: QueryLog) -> None:
    none = dataclasses.replace(result, attacks=())
    assert check_of(none, log, "attack.worst.rate", most=0.9).verdict == "not measured"
    readable = dataclasses.replace(fakes.run_result(log, content=log), attacks=(), skipped={})
    for figure in ("attack.record-linkage.rate", "attack.worst.sessions_surviving"):
        assert check_of(readable, log, figure, most=1.0).verdict == "not measured"
    control = check_of(with_attack(result, "record-linkage"), log, "attack.record-linkage.control")
    assert control.verdict == "does not apply"


def test_that_an_attack_with_nothing_to_try_passes_no_gate() -> None:
    zero = {"rate": 0.0, "lead": 0.0, "accuracy": 0.0}

    def figure_of(name: str, counts: tuple[float, float] | None, figure: str) -> float | None:
        attack = AttackRecord(name, figures=zero, interval=(0.0, 1.0), counts=counts, baseline=0.0)
        check = judge_gate(record_of(attack), f"attack.{name}.{figure}", most=0.1)
        assert check.verdict == ("not measured" if check.value is None else "passed")
        return check.value

    for figure in zero:
        assert figure_of("hash-inversion", (0, 0), figure) is None
        assert figure_of("hash-inversion", (0, 9), figure) == 0
        assert figure_of("planted-stems", (0, 0), figure) == 0
        # Released strings are there, but each of too few users to be judged.
        assert figure_of("planted-strings", (0, 0), figure) is None
    assert figure_of("unbundling", None, "rate") is None


def test_that_surviving_sessions_are_counted_by_reason(result: Run, log: QueryLog) -> None:
    findings = dataclasses.replace(
        fakes.findings(log),
        start=np.array([0, 2, 3]),
        stop=np.array([2, 3, 5]),
        risk=np.ones(3),
        flagged=np.ones(3, np.int32),
        reason=np.array([1, 2, 3], np.uint64),
        surviving=np.array([1, 2, 0], np.int32),
        reasons=("payment card", "place"),
    )
    attack = dataclasses.replace(result.attacks[0], findings=findings)
    result = dataclasses.replace(result, attacks=(attack,))
    figure = "attack.surviving-content.sessions_surviving"
    assert check_of(result, log, figure, most=0.0).value == 2
    assert check_of(result, log, figure, most=0.0, reasons=("payment card",)).value == 1
    start, stop, listed = findings.start[:2], findings.stop[:2], np.array([2])
    columns = ("start", "stop", "risk", "flagged", "reason", "surviving")
    few = {name: getattr(findings, name)[listed] for name in columns}
    everybody = ExposedSessions.of(start, stop, findings.reason[:2], findings.risk[:2])
    cut = dataclasses.replace(findings, **few, everybody=everybody)
    result = dataclasses.replace(result, attacks=(dataclasses.replace(attack, findings=cut),))
    assert check_of(result, log, figure, most=0.0, reasons=("payment card",)).value == 1
    unflagged = dataclasses.replace(result, attacks=(dataclasses.replace(attack, findings=None),))
    assert check_of(unflagged, log, figure, most=0.0).verdict == "not measured"


# Where it is written


def test_that_the_verdicts_stand_in_the_evidence_and_its_report_alone(tmp_path: Path) -> None:
    log = fakes.raw_log(tmp_path / "raw")
    result, policy = fakes.run_result(log), default_policy()
    record = judged_record(result, log, policy)
    assert not gates.gate_facts(record)["passed"]
    quiet = silent_progress()
    folder = export.write_release(result, log, tmp_path / "out", progress=quiet, record=record)
    assert verify_folder(folder) == []
    public = read_manifest(folder)
    assert "gates" not in public
    assert public["verdict"]["policy"] == "default"
    beside = internal_folder(folder)
    facts = read_evidence(beside)[0]["gates"]
    assert (facts["policy"], facts["sha256"]) == ("default", policy.sha256)
    assert [row["name"] for row in facts["results"]] == [gate.name for gate in policy.checks]
    lines = gates.format_gates(record.judged).splitlines()
    assert len(lines) == len(policy.checks)
    assert {line[0] for line in lines} == {"✓", "✗", "–"}
    assert "No assumption fails" in (beside / "internal-report.html").read_text(encoding="utf-8")
    for secret in fakes.SECRETS:
        assert secret not in json.dumps(facts)


# What every policy asks for


def test_that_an_empty_release_fails_by_any_policy_and_few_queries_by_its_limit(
    log: QueryLog,
) -> None:
    empty = fakes.run_result(log, content=log.rows(np.zeros(len(log), dtype=np.bool_)))
    asking = policy_of(Gate("it", "it", "statement.epsilon", most=9.0))
    checks = judged_record(empty, log, asking).judged
    outcomes = {check.gate.name: check.verdict for check in checks}
    assert outcomes == {"it": "passed", "content": "failed"}
    asking_nothing = Gate("own", "own", "release.queries", least=0.0)
    (check,) = judged_record(empty, log, policy_of(asking_nothing)).judged
    assert check.verdict == "failed"
    share = check_of(empty, log, "release.searches_share", least=0.0)
    assert (share.verdict, share.value) == ("failed", 0.0)
    result = fakes.run_result(log)
    assert check_of(result, log, "release.queries", least=2.0).verdict == "passed"
    few = check_of(result, log, "release.queries", least=3.0)
    assert (few.verdict, few.value) == ("failed", 2.0)
    beyond = check_of(result, log, "release.queries", least=len(log.queries) + 1.0)
    assert "no release" in beyond.evidence
    assert "no release" not in few.evidence


def test_that_an_empty_release_holds_nothing_to_read_and_no_attack_is_missed(log: QueryLog) -> None:
    empty = fakes.run_result(log, content=log.rows(np.zeros(len(log), dtype=np.bool_)))
    empty = dataclasses.replace(empty, attacks=())
    check = check_of(empty, log, "attack.worst.sessions_surviving", most=0.0)
    assert (check.verdict, "empty" in check.evidence) == ("does not apply", True)


def test_that_a_required_attack_that_did_not_run_fails_with_the_reason(
    result: Run, log: QueryLog
) -> None:
    gate = Gate("it", "it", "release.queries", least=1.0)
    policy = policy_of(gate, requires=("surviving-content", "hash-inversion", "dp-audit"))
    run = dataclasses.replace(result, skipped={"dp-audit": "takes too long"})
    release = dataclasses.replace(run.release, method="zealous", params={})
    record = judged_record(dataclasses.replace(run, anonymized=release), log, policy)
    checks = {check.gate.name: check for check in record.judged}
    assert checks["tried-surviving-content"].verdict == "passed"
    assert checks["tried-hash-inversion"].verdict == "does not apply"
    assert checks["tried-dp-audit"].verdict == "not measured"
    assert "takes too long" in checks["tried-dp-audit"].evidence


@pytest.mark.parametrize(
    ("attack", "why"),
    [
        ("vanity", "needs profiles"),
        ("differencing", f"{NEEDS_TRUTH}: nothing"),
        ("differencing", f"could not run: {NEEDS_TRUTH}"),
    ],
)
def test_that_an_attack_without_its_evidence_is_not_one_that_does_not_apply(
    log: QueryLog, attack: str, why: str
) -> None:
    hashed = fakes.run_result(log, content=log)
    hashed = dataclasses.replace(hashed, attacks=(), skipped={attack: why})
    check = check_of(hashed, log, f"attack.{attack}.rate", most=0.5)
    assert (check.verdict, check.ok) == ("not measured", False)
    assert why in check.evidence


def test_that_content_is_judged_by_the_attack_that_reads_most(result: Run, log: QueryLog) -> None:
    flags = dataclasses.replace(
        fakes.findings(log),
        reason=np.array([1 << WRONG | 1], np.uint64),
        reasons=(*LABELS, "word recovered wrongly"),
    )
    wrong = dataclasses.replace(flags, reason=np.array([1 << WRONG], np.uint64))
    figure = "attack.worst.sessions_surviving"
    alone = check_of(result, log, figure, most=0.0)
    assert (alone.verdict, alone.value) == ("passed", 0.0)  # tables hold no hashes
    assert "by “Content that survives”" in alone.evidence  # its title, which can be translated
    for findings, value in ((flags, 1.0), (wrong, 0.0)):
        opened = dataclasses.replace(result.attacks[0], attack="entity-exposure", findings=findings)
        read = dataclasses.replace(result, attacks=(*result.attacks, opened))
        assert check_of(read, log, figure, most=0.0).value == value
        named = check_of(read, log, figure, most=0.0, reasons=(LABELS[0],))
        assert named.value == value


@pytest.mark.parametrize("order", [1, -1])
def test_that_a_figure_that_is_no_number_hides_no_bad_one(order: int) -> None:
    def check(figure: str, *rates: float) -> GateVerdict:
        attacks = [
            AttackRecord(name, figures={"rate": rate}, interval=(0.0, 0.5), baseline=0.0)
            for name, rate in zip(("record-linkage", "hash-inversion"), rates, strict=False)
        ]
        return judge_gate(record_of(*attacks[::order]), figure, most=0.1)

    worst = check("attack.worst.rate", math.nan, 0.3)
    assert (worst.verdict, worst.value) == ("failed", 0.3)
    for unknown in (
        check("attack.worst.rate", math.nan, 0.05),
        check("attack.record-linkage.rate", math.nan),
    ):
        assert (unknown.verdict, unknown.value) == ("not measured", None)
        assert "no number" in unknown.evidence


def test_that_attacks_on_a_sample_are_judged_by_the_worse_end_or_not_at_all(
    result: Run, log: QueryLog
) -> None:
    run = with_attack(with_attack(result, "record-linkage"), "surviving-content")
    sample = (30, 900)

    def judge(figure: str, most: float) -> GateVerdict:
        record = ReleaseRecord.of_run(run, log)
        missing = AttackRecord("hash-inversion", "was not measured: it needs all", sample=sample)
        attacks = {
            name: dataclasses.replace(record.attacks[name], sample=sample)
            for name in ("record-linkage", "surviving-content")
        }
        attacks["hash-inversion"] = missing
        record = dataclasses.replace(record, attacks=attacks)
        record = ReleaseRecord.from_dict(record.to_dict(), record.statement)  # as an approval does
        return judge_gate(record, figure, most=most)

    by_end = judge("attack.record-linkage.rate", 0.35)
    assert (by_end.verdict, by_end.value) == ("failed", 0.4)
    assert "30 of 900 users" in by_end.evidence
    assert judge("attack.record-linkage.rate", 0.45).verdict == "passed"
    # what guessing gives among all users is not known, so it is not taken off
    assert judge("attack.record-linkage.lead", 0.35).value == 0.4
    for figure in ("surviving-content.rate", "hash-inversion.rate", "worst.rate"):
        assert judge(f"attack.{figure}", 1.0).verdict == "not measured", figure


def test_that_units_of_the_whole_log_are_counted_and_not_those_of_a_sample(
    result: Run, log: QueryLog
) -> None:
    protected = with_statement(result, unit=describe_unit("day"), delta=1e-6)
    origin = dataclasses.replace(log.origin, sample=UserSample(users=4, of=900, share=0.1))
    evidence = Evidence(log=dataclasses.replace(log, origin=origin))
    facts = (KeptContent(), ContentFacts())

    def judge(figure: str, units: int | None, most: float) -> GateVerdict:
        record = ReleaseRecord.of_sample(protected, evidence, *facts, users=900, unit_count=units)
        return judge_gate(record, f"statement.{figure}", most=most, unit="day")

    assert judge("delta_users", 6_000, 0.1).value == pytest.approx(6e-3)
    assert judge("delta_users", None, 0.1).verdict != "passed"
    assert judge("delta_users_squared", 1_000, 1.0).verdict == "passed"
    assert judge("delta_users_squared", 6_000, 1.0).value == pytest.approx(36)


def test_that_an_infinite_figure_of_a_gate_can_be_written() -> None:
    gate = Gate("total", "total", "ledger.epsilon", most=6.0)
    data = to_bytes(GateVerdict(gate, "failed", math.inf, "").to_dict())
    assert GateVerdict.from_dict(json.loads(data)).value == math.inf
