"""The officer's page: what was measured, above guessing or not; what was not is never a pass."""

import dataclasses
from typing import Any

import pytest

from auditor.attacks.registry import ATTACKS
from auditor.privacy.statement import Assumption, Term
from auditor.release.loading import statement_of
from auditor.release.officer import QUESTIONS, answer_officer
from auditor.release.policy.attestation import ContractAttestation
from auditor.release.record import MISSING, AttackRecord, ReleaseRecord

SINGLED = "Can one person be singled out?"
LINKED = "Can records, or another dataset, be linked to a person?"
INFERRED = "Can something be inferred about a person?"
FORMAL = statement_of({"model": "differential privacy", "epsilon": 2.0, "delta": 1e-6})


def fake(name: str, hits: float, trials: float, low: float, baseline: float) -> AttackRecord:
    rate = hits / trials if trials else 0.0
    return AttackRecord(
        name,
        figures={"rate": rate},
        baseline=baseline,
        interval=(low, min(1.0, 2 * rate - low)),
        counts=(hits, trials),
    )


def ask(*attacks: AttackRecord, **more: Any) -> dict[str, Any]:
    record = ReleaseRecord(FORMAL, attacks={attack.attack: attack for attack in attacks}, **more)
    return {str(answer.question): answer for answer in answer_officer(record)}


def test_that_every_attack_tries_one_of_the_three_risks() -> None:
    risks = {risk for risk, _ in QUESTIONS}
    assert {ATTACKS[name].criterion for name in ATTACKS} == risks


def test_that_what_is_above_guessing_is_found_and_the_worst_is_named() -> None:
    page = ask(fake("record-linkage", 20, 40, 0.35, 0.01), fake("near-linkage", 22, 40, 0.4, 0.01))
    linked = page[LINKED]
    assert linked.finding == "found"
    assert "Record linkage by near matches gets farthest of 2" in linked.answer
    assert linked.evidence[0].startswith("Record linkage by near matches: 22 of 40, 55 %")
    assert "guessing 1 %, control not measured" in linked.evidence[0]
    intruder = page["Would a motivated intruder succeed?"]
    assert intruder.finding == "found"
    assert "only attack of this kind" in intruder.answer
    assert "taken to be" in intruder.evidence[-1]


def test_that_an_attack_on_queries_is_found_beside_those_on_users_that_are_not() -> None:
    composed = fake("composition-exposure", 100, 138, 0.64, 0.0)
    nobody, nothing = fake("unicity", 0, 40, 0.0, 0.01), fake("surviving-content", 0, 0, 0, 0)
    for others in ([], [nobody], [nothing]):
        single = ask(composed, *others)[SINGLED]
        assert single.finding == "found"
        assert "72.5 %" in single.evidence[0]
    record = ReleaseRecord(FORMAL, attacks={composed.attack: composed})
    assert record.worst == composed


def test_that_an_interval_that_holds_guessing_is_not_above_it() -> None:
    single = ask(fake("unicity", 1, 100, 0.001, 0.005))[SINGLED]
    assert single.finding == "not found"
    assert single.answer.startswith("Not measured above guessing")


def test_that_nothing_is_not_found_by_a_sample_or_while_attacks_were_not_made() -> None:
    guessing = fake("unicity", 1, 100, 0.001, 0.005)
    missing = AttackRecord("vanity", why=f"{MISSING}: it was not run")
    some = dataclasses.replace(fake("vanity", 1, 100, 0.001, 0.005), sample=(2_000, 10_000))
    for attacks, words in (((guessing, missing), "Vanity"), ((some,), "2,000 of 10,000 users")):
        single = ask(*attacks)[SINGLED]
        assert single.finding == "not measured"
        assert any(words in line for line in (single.answer, *single.evidence))
    bounded = fake("record-linkage", 1, 100, 0.001, 0.005)
    linked = ask(dataclasses.replace(bounded, sample=(2_000, 10_000)))[LINKED]
    assert linked.finding == "not found", "among fewer users it finds more"


def test_that_what_a_guarantee_rests_on_is_listed_and_what_nobody_measured_is_said() -> None:
    drawn = Assumption("the sampler is secure", "", "holds", "", "at the release")
    record = ReleaseRecord(dataclasses.replace(FORMAL, assumptions=(drawn,)))
    *_, guarantee, contract = answer_officer(record)
    assert any("the sampler is secure" in line for line in guarantee.evidence)
    assert any("side channels" in line for line in guarantee.evidence)
    assert any("four parts" in line for line in contract.evidence)
    assert "To be reviewed by: –." in contract.evidence


def test_that_greatest_and_residual_risk_further_knowledge_and_other_costs_are_answered() -> None:
    linked = fake("record-linkage", 20, 40, 0.35, 0.01)
    survives = fake("surviving-content", 4, 31, 0.05, 0.0)
    statement = dataclasses.replace(FORMAL, terms=(Term("counts", 2.0, 0.0, "", None),))
    record = ReleaseRecord(
        statement,
        attacks={entry.attack: entry for entry in (linked, survives)},
        units={"history": 1_234},
        rechecked=("the digest",),
        attestation=ContractAttestation("A. B.", {"review_by": "2031-05-06"}),
    )
    page = [*answer_officer(record)]
    for answer, words in (
        (page[0], ("1,234", "Greatest risk")),
        (page[4], ("truth table",)),
        (page[5], ("ledger",)),
        (page[6], ("Residual risk", "20 of 40", "guessing 1 %")),
        (page[6], ("Before", "not measured: Record linkage.")),
        (page[6], ("before, 31 of 1,234 users", "after, 4 of 31")),
        (page[5], ("manifest's word", "as it says: the digest.")),
        (page[6], ("reviewed by: 2031-05-06",)),
    ):
        assert any(all(word in line for word in words) for line in answer.evidence)


def test_that_what_the_guarantee_allows_is_as_stated() -> None:
    item = ask(fake("dp-audit", 600, 1_000, 0.55, 0.5))[INFERRED]
    assert item.finding == "as stated"
    assert "that the guarantee allows: Audit of ε" in item.answer
    strings = fake("planted-strings", 5, 100, 0.02, 0.0)
    both = ask(fake("dp-audit", 600, 1_000, 0.55, 0.5), strings)[INFERRED]
    assert both.finding == "found", "the guarantee says nothing of the second"
    assert "Planted strings" in both.answer
    beyond = ask(fake("dp-audit", 990, 1_000, 0.97, 0.5))[INFERRED]
    assert beyond.finding == "found"


@pytest.mark.parametrize(
    ("attacks", "finding"),
    [
        ([], "not measured"),
        ([AttackRecord("unicity", why=f"{MISSING}: it was not run")], "not measured"),
        ([fake("unicity", 0, 0, 0.0, 0.0)], "not measured"),
        ([AttackRecord("unicity", why="needs a release")], "does not apply"),
    ],
)
def test_that_nothing_measured_is_never_nothing_found(
    attacks: list[AttackRecord], finding: str
) -> None:
    assert ask(*attacks)[SINGLED].finding == finding


def test_that_the_guarantee_says_what_it_rests_on_and_pseudonyms_stay_personal() -> None:
    rests = Assumption("users are independent", "Each is.", "fails")
    statement = dataclasses.replace(FORMAL, assumptions=(rests,))
    record = ReleaseRecord(statement, method="token-hashing")
    answers = {item.source: item for item in answer_officer(record, "A study of spelling")}
    assert "Does not hold: users are independent." in answers["NIST SP 800-226"].evidence
    assert "stay personal data" in answers["C-413/23 P"].evidence[0]
    assert answers["ISO/IEC 27559"].answer == "A study of spelling"
    assert set(answers["ICO"].to_dict()) <= {"question", "source", "finding", "answer", "evidence"}
