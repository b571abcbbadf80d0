"""Signed dismissals: what they refer to, when they count, and that both counts are told."""

import dataclasses
import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import auditor
from auditor.attacks.base import FlaggedFindings
from auditor.attacks.risk.feedback import RuleFeedback
from auditor.attacks.risk.query_sample import JudgedStratum, QueryStratum
from auditor.engine.run import Run
from auditor.errors import AuditorError, ExportRefused, ParameterError
from auditor.log.model import QueryLog
from auditor.release import signing
from auditor.release.atomic_write import write_file
from auditor.release.feedback import (
    SignedFeedback,
    StewardFeedback,
    collect_dismissals,
    feedback_bytes,
    flagged_for,
    parse_feedback,
    read_feedback,
)
from auditor.release.gates import judge_record
from auditor.release.manifest import internal_folder, keyed_digest, read_evidence
from auditor.release.policy.policy import Gate, parse_policy, policy_from
from auditor.release.record import GateVerdict, ReleaseRecord
from auditor.release.verdict import measured_verdict
from tests.narrowing import present
from tests.policies import policy_text
from tests.release.judging import all_checks_but, policy_of

SECRET = b"s" * 32


@pytest.fixture
def steward(key: Path) -> Any:
    """The private key of whoever signs."""
    return signing.private_key(key)


EVERY = 3


@pytest.fixture
def findings(result: Run) -> FlaggedFindings:
    """Three flagged sessions, of each of which something survives."""
    return dataclasses.replace(
        present(result.attacks[0].findings),
        start=np.array([0, 2, 4]),
        stop=np.array([2, 4, 6]),
        reason=np.array([1, 2, 3], dtype=np.uint64),
        risk=np.array([0.9, 0.8, 0.7]),
        surviving=np.ones(3, dtype=np.int32),
        flagged=np.ones(3, dtype=np.int32),
        reasons=("name of a person", "place", "e-mail address"),
    )


@pytest.fixture
def run(result: Run, findings: FlaggedFindings) -> Run:
    """A run whose one attack flagged them."""
    attack = dataclasses.replace(result.attacks[0], attack="surviving-content", findings=findings)
    return dataclasses.replace(result, attacks=(attack,))


def feedback_on(
    log: QueryLog, findings: FlaggedFindings, count: int, reason: str = "public", **more: Any
) -> StewardFeedback:
    rows = list(zip(findings.start.tolist(), findings.stop.tolist(), strict=True))[:count]
    gone = collect_dismissals(log, dict.fromkeys(rows, reason), [findings], SECRET)
    return StewardFeedback(log=keyed_digest(log.digest, SECRET), dismissals=gone, **more)


def signed(feedback: StewardFeedback, steward: Any, name: str = "Ada") -> StewardFeedback:
    return parse_feedback(feedback_bytes(feedback, steward, name))


def record_of(
    result: Run, log: QueryLog, review: StewardFeedback | None, **more: Any
) -> ReleaseRecord:
    gate = Gate("g", "g", "attack.surviving-content.sessions_surviving", most=0, **more)
    record = ReleaseRecord.of_run(result, log, review, SECRET)
    return judge_record(record, policy_of(gate))


def check_of(result: Run, log: QueryLog, review: StewardFeedback | None, **more: Any) -> Any:
    return record_of(result, log, review, **more).judged[0]


def test_that_signed_dismissals_subtract_where_the_policy_says_so_and_both_counts_are_told(
    run: Run, findings: FlaggedFindings, log: QueryLog, steward: Any
) -> None:
    review = signed(feedback_on(log, findings, EVERY - 1), steward)
    closed, opened = check_of(run, log, review), check_of(run, log, review, feedback=True)
    assert closed.value == EVERY
    assert opened.value == 1
    assert closed.counts == opened.counts == (EVERY, 1)
    for verdict in (closed, opened):
        assert f"{EVERY} without signed dismissals" in verdict.evidence
        assert "1 with them" in verdict.evidence
        plain = verdict.to_dict()
        assert (plain["without_feedback"], plain["with_feedback"]) == (EVERY, 1)
    full = signed(feedback_on(log, findings, EVERY), steward)
    assert check_of(run, log, full).verdict == "failed"
    assert check_of(run, log, full, feedback=True).verdict == "passed"


def test_that_without_feedback_nothing_is_told_of_it(run: Run, log: QueryLog) -> None:
    verdict = check_of(run, log, None, feedback=True)
    assert verdict.counts is None
    assert "dismissals" not in verdict.evidence
    assert "feedback" not in ReleaseRecord.of_run(run, log).to_dict()


def test_that_a_dismissal_without_signer_or_reason_does_not_count(
    run: Run, findings: FlaggedFindings, log: QueryLog, steward: Any
) -> None:
    unsigned = parse_feedback(feedback_bytes(feedback_on(log, findings, EVERY)))
    assert unsigned.counting == ()
    verdict = check_of(run, log, unsigned, feedback=True)
    assert (verdict.value, verdict.counts) == (EVERY, None)
    record = record_of(run, log, unsigned, feedback=True)
    assert not any("Feedback signed" in line for line in measured_verdict(record).sentences)
    for reason in ("", "because"):
        review = feedback_on(log, findings, EVERY)
        gone = tuple(dataclasses.replace(item, reason=reason) for item in review.dismissals)
        bare = signed(dataclasses.replace(review, dismissals=gone), steward)
        assert bare.counting == ()
        assert check_of(run, log, bare, feedback=True).value == EVERY
    with pytest.raises(ParameterError):
        feedback_bytes(feedback_on(log, findings, EVERY), steward, "  ")


def test_that_a_session_flagged_for_more_than_its_signer_saw_is_not_dismissed(
    findings: FlaggedFindings, log: QueryLog, steward: Any
) -> None:
    review = signed(feedback_on(log, findings, EVERY), steward)
    away = SignedFeedback.of(review, log, SECRET)
    assert away.find_dismissed(findings).all()
    rest = next(bit for bit in range(len(findings.reasons)) if not findings.reason[0] >> bit & 1)
    more = findings.reason.copy()
    more[0] |= np.uint64(1 << rest)
    later = dataclasses.replace(findings, reason=more)
    assert flagged_for(later, 0) > flagged_for(findings, 0)
    assert away.find_dismissed(later).tolist() == [False, True, True]
    other_rows = dataclasses.replace(findings, stop=findings.stop + 1)
    assert not away.find_dismissed(other_rows).any()


def test_that_feedback_on_another_log_or_by_another_key_is_refused(
    run: Run, findings: FlaggedFindings, log: QueryLog, steward: Any
) -> None:
    review = signed(feedback_on(log, findings, 1), steward)
    with pytest.raises(ExportRefused):
        SignedFeedback.of(review, log, b"t" * 32)
    other = QueryLog.from_columns(user=["a"], query=["b"], time=[1])
    with pytest.raises(ExportRefused):
        ReleaseRecord.of_run(run, other, review, SECRET)


def test_that_no_query_user_or_row_stands_in_the_file(
    findings: FlaggedFindings, log: QueryLog, steward: Any
) -> None:
    review = feedback_on(log, findings, EVERY)
    data = feedback_bytes(review, steward, "Ada")
    for text in (*log.queries.list_strings(), *log.users.list_strings(), log.digest):
        assert len(text) < 4 or text.encode() not in data
    plain = json.loads(data)
    assert {len(row["session"]) for row in plain["dismissals"]} == {64}
    sessions = [row["session"] for row in plain["dismissals"]]
    assert sessions == sorted(sessions)


CHANGES: list[Callable[[dict[str, Any]], Any]] = [
    lambda plain: plain["dismissals"].pop(),
    lambda plain: plain["dismissals"][0].update(reason="other"),
    lambda plain: plain["dismissals"][0].update(covers=["place"]),
    lambda plain: plain["signer"].update(name="Eve"),
    lambda plain: plain["weights"].update({"person:name": 0.0}),
    lambda plain: plain.update(log="0" * 64),
    lambda plain: plain.pop("signature"),
    lambda plain: plain.pop("signer"),
    lambda plain: plain["signer"].update(public_key="AAAA"),
]


@pytest.mark.parametrize("change", CHANGES)
def test_that_a_file_that_was_changed_after_signing_is_refused(
    findings: FlaggedFindings, log: QueryLog, steward: Any, change: Callable[[dict[str, Any]], Any]
) -> None:
    review = feedback_on(log, findings, 2, weights={"person:name": 0.5})
    plain = json.loads(feedback_bytes(review, steward, "Ada"))
    assert parse_feedback(json.dumps(plain).encode()).signer is not None
    change(plain)
    with pytest.raises(AuditorError):
        parse_feedback(json.dumps(plain).encode())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"format": "auditor feedback 2", "log": "x"}',
        '{"format": "auditor feedback 1"}',
        '{"format": "auditor feedback 1", "log": 3}',
        '{"format": "auditor feedback 1", "log": "x", "weights": {"a": 2}}',
        '{"format": "auditor feedback 1", "log": "x", "weights": {"a": "b"}}',
        '{"format": "auditor feedback 1", "log": "x", "rules": {"confirmed": {"a": -1}}}',
        '{"format": "auditor feedback 1", "log": "x", "sample": [{"name": "a"}]}',
        '{"format": "auditor feedback 1", "log": "x", "sample": [{"name": "a", "marked": true, '
        '"size": 1, "judged": 2, "sensitive": 0}]}',
    ],
)
def test_that_what_is_no_feedback_file_is_refused(text: str) -> None:
    with pytest.raises(ParameterError):
        parse_feedback(text.encode())


def test_that_a_file_comes_back_as_it_was_written(
    findings: FlaggedFindings, log: QueryLog, steward: Any, tmp_path: Path
) -> None:
    stratum = QueryStratum(name="2 words, one user", marked=False, size=50)
    review = feedback_on(
        log,
        findings,
        2,
        rules=RuleFeedback({"person:name": 3}, {"person:name": 9}),
        weights={"person:name": 0.25},
        sample=(JudgedStratum(stratum=stratum, sampled=10, sensitive=1),),
    )
    path = tmp_path / "feedback.json"
    write_file(path, [feedback_bytes(review, steward, "Ada")])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = read_feedback(path)
    assert dataclasses.replace(again, signer=None) == review
    assert present(again.signer).name == "Ada"
    summary = again.summarize()
    assert summary["dismissals_counting"] == 2
    assert summary["estimate"]["missed"]["value"] == 0.1
    assert summary["rules"][0]["suggested_weight"] == 0.25


def test_that_weights_change_a_gate_only_if_signed_and_where_the_policy_says_so(
    run: Run, findings: FlaggedFindings, log: QueryLog, steward: Any
) -> None:
    columns = ("start", "stop", "reason", "risk", "surviving", "flagged")
    fewer = {name: getattr(findings, name)[1:] for name in columns}
    lowered = dataclasses.replace(findings, full=findings, **fewer)
    weights = {"person:name": 0.0}
    run = dataclasses.replace(
        run,
        plan=dataclasses.replace(run.plan, rule_weights=tuple(weights.items())),
        attacks=(dataclasses.replace(run.attacks[0], findings=lowered),),
    )
    review = feedback_on(log, findings, 0, weights=weights)
    for unsigned in (None, parse_feedback(feedback_bytes(review))):
        verdict = check_of(run, log, unsigned, feedback=True)
        assert verdict.value == EVERY
        assert not verdict.lowered
    agreed = signed(review, steward)
    assert check_of(run, log, agreed).value == EVERY
    verdict = check_of(run, log, agreed, feedback=True)
    assert verdict.value == EVERY - 1
    assert verdict.lowered
    others = signed(dataclasses.replace(review, weights={"health:disease": 0.0}), steward)
    assert check_of(run, log, others, feedback=True).value == EVERY


def test_that_the_verdict_names_what_signed_feedback_changed(
    run: Run, findings: FlaggedFindings, log: QueryLog, steward: Any
) -> None:
    review = signed(feedback_on(log, findings, EVERY), steward, "Grace")
    record = record_of(run, log, review, feedback=True)
    sentence = next(line for line in measured_verdict(record).sentences if "Grace" in line)
    assert f"from {EVERY} to 0" in sentence
    again = GateVerdict.from_dict(record.judged[0].to_dict())
    assert list(again.counts or ()) == [EVERY, 0]
    silent = record_of(run, log, None, feedback=True)
    assert not any("Feedback" in line for line in measured_verdict(silent).sentences)


def test_that_a_policy_says_whether_feedback_counts() -> None:
    text = policy_text("a attack.worst.sessions_surviving most=0")
    (gate,) = parse_policy((text + "feedback = true\n").encode()).gates
    assert gate.feedback
    (plain,) = parse_policy(text.encode()).gates
    assert not plain.feedback
    assert "feedback" not in plain.to_dict()
    again = policy_from({"policy": "ours", "rules": [gate.to_dict()]})
    assert again.gates == (gate,)
    for wrong in ("feedback = 1\n", 'feedback = "yes"\n'):
        with pytest.raises(ParameterError):
            parse_policy((text + wrong).encode())
    with pytest.raises(ParameterError):
        parse_policy((policy_text("a statement.epsilon most=0") + "feedback = true\n").encode())


# --- the command line -------------------------------------------------------------------------

LOG = "AnonID\tQuery\tQueryTime\n" + "".join(
    f"{user}\t{query}\t2006-03-01 07:{minute:02}:00\n"
    for user in range(1, 13)
    for minute, query in enumerate(["weather", "news", "maps", f"jo{user}@example.org", "games"])
)


def dismiss_everything(path: Path, out: Path, steward: Any, weights: dict[str, float]) -> QueryLog:
    """A signed file that dismisses each session of the log."""
    log = auditor.read_log(path)
    secret = signing.audit_secret(signing.audit_key())
    run = auditor.attack("surviving-content", log, min_risk=0.0)
    assert run.findings is not None
    rows = zip(run.findings.start.tolist(), run.findings.stop.tolist(), strict=True)
    gone = collect_dismissals(log, dict.fromkeys(rows, "own"), [run.findings], secret)
    review = StewardFeedback(log=keyed_digest(log.digest, secret), dismissals=gone, weights=weights)
    write_file(out, [feedback_bytes(review, steward, "Ada")])
    return log


@pytest.mark.parametrize(("more", "code"), [("", 1), ("feedback = true", 0)])
def test_that_an_audit_counts_signed_dismissals_as_its_policy_says(
    tmp_path: Path, call: Any, steward: Any, more: str, code: int
) -> None:
    raw, out, policy = tmp_path / "log.tsv", tmp_path / "out", tmp_path / "policy.toml"
    raw.write_text(LOG, encoding="utf-8")
    # A policy on e-mail addresses that can be read.
    limits = f'most=0\nreasons=["e-mail address"]\n{more}'
    rules = f"identifiers attack.worst.sessions_surviving {limits}"
    policy.write_text(policy_text(rules, "queries release.queries least=1"), "utf-8")
    file = tmp_path / "feedback.json"
    dismiss_everything(raw, file, steward, {"company:listed": 0.5})
    words = ["audit", raw, "--method", "frequency-threshold", "-p", "n=1", "--exact-figures"]
    words += ["--policy", policy, "--out", out, "--feedback", file]
    for name in all_checks_but("surviving-content"):
        words += ["--skip", name]
    ended, facts = call(*words)
    assert ended == code
    (gate, _) = facts["gates"]["results"]
    by_ada = any("signed by Ada lowers" in line for line in facts["verdict"]["sentences"])
    assert by_ada is bool(more)
    assert (gate["without_feedback"], gate["with_feedback"]) == (12, 0)
    assert gate["verdict"] == ("passed" if more else "failed")
    assert facts["feedback"]["signer"]["name"] == "Ada"
    assert facts["feedback"]["dismissals_counting"] == 12
    assert facts["feedback"]["weights"] == {"company:listed": 0.5}
    evidence, _ = read_evidence(internal_folder(out))
    assert evidence["rule_weights"] == {"company:listed": 0.5}
    assert evidence["gates"]["figures"]["feedback"]["dismissals"] == 12
    public = (out / "manifest.json").read_text() + (out / "report.html").read_text()
    for word in ("without_feedback", "Ada", "company:listed", "dismiss"):
        assert word not in public
    report = (internal_folder(out) / "internal-report.html").read_text()
    assert "without signed dismissals and weights of rules" in report
    assert "signed by Ada" in report


def test_that_the_verb_feedback_says_what_a_file_comes_to(
    tmp_path: Path, call: Any, answer: Any, steward: Any
) -> None:
    raw, file = tmp_path / "log.tsv", tmp_path / "feedback.json"
    raw.write_text(LOG, encoding="utf-8")
    dismiss_everything(raw, file, steward, {})
    facts = answer("feedback", file, "--log", raw)
    assert facts["log_matches"] is True
    assert facts["dismissals_counting"] == 12
    raw.write_text("AnonID\tQuery\tQueryTime\n" + "1\ta\t2006-03-01 07:00:00\n")
    assert call("feedback", file, "--log", raw)[0] != 0
