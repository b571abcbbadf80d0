"""What a reviewer attests: signed, shown with their name, never a measured pass."""

from __future__ import annotations

import dataclasses
import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.__main__ import main
from auditor.errors import ExportRefused, ParameterError
from auditor.progress import silent_progress
from auditor.release import export
from auditor.release.approval import review_folder
from auditor.release.gates import attest_record
from auditor.release.ledger import store
from auditor.release.manifest import INTERNAL_REPORT, MANIFEST, internal_folder, read_manifest
from auditor.release.officer import answer_officer
from auditor.release.policy.attestation import ContractAttestation
from auditor.release.policy.policy import Gate, gate_words, read_bundled
from auditor.release.verdict import ReleaseState, measured_verdict
from auditor.suggestions.request import SearchRequest, parse_goal
from tests.narrowing import present
from tests.release import fakes
from tests.release.judging import judged_record, policy_of
from tests.release.test_approval import problems, signed

GATES = (
    Gate("some", "Something is left", "release.queries", least=1.0),
    Gate("purpose", "A purpose", "attested.purpose", least=1),
    Gate("where", "Ring fence", "attested.environment", least=2),
    Gate("kept", "13 months", "attested.retention_months", most=13),
    Gate("until", "5 years", "attested.access_until", most=5),
)
TODAY = ContractAttestation().on
FIELDS: dict[str, Any] = {
    "purpose": "A study of spelling",
    "environment": "sandbox",
    "retention_months": 13,
    "no_linking": True,
    "access_until": TODAY.replace(year=TODAY.year + 5, day=min(TODAY.day, 28)).isoformat(),
    "incident_contact": "security@example.org",
}


def make_release(folder: Path, attested: ContractAttestation | None = None) -> tuple[Path, Any]:
    log = fakes.raw_log(folder / "raw")
    result = fakes.run_result(log)
    record = judged_record(result, log, policy_of(*GATES))
    record = record if attested is None else attest_record(record, attested)
    target = folder / "release"
    export.write_release(result, log, target, progress=silent_progress(), record=record)
    return target, record


@pytest.mark.usefixtures("quick_pages")
def test_that_nothing_is_approved_before_it_is_attested(tmp_path: Path, key: Path) -> None:
    folder, record = make_release(tmp_path)
    assert measured_verdict(record).state is ReleaseState.NOT_CHECKED
    waiting = review_folder(folder, progress=silent_progress())
    assert waiting.list_blocking(store.EMPTY, {}) == ["purpose", "where", "kept", "until"]
    with pytest.raises(ExportRefused, match="where"):
        signed(folder, key, attested={"purpose": "x", "retention_months": 12})
    late = (TODAY + timedelta(days=6 * 366)).isoformat()
    beyond = FIELDS | {"retention_months": 14, "access_until": late, "environment": "signed-terms"}
    attested = waiting.attest("R. Viewer", beyond)
    assert attested.list_blocking(store.EMPTY, {}) == ["where", "kept", "until"]
    assert attested.compute_verdict(store.EMPTY, {}).state is ReleaseState.REFUSED


@pytest.mark.usefixtures("quick_pages")
def test_that_it_is_signed_and_changes_no_other_figure(
    tmp_path: Path, key: Path, call: Any, answer: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, record = make_release(tmp_path)
    attested = attest_record(record, ContractAttestation.of("R. Viewer", FIELDS))
    assert attested.to_dict() == record.to_dict()
    changed = [new for old, new in zip(record.judged, attested.judged, strict=True) if old != new]
    assert all(check.gate.figure.startswith("attested.") for check in changed)
    before, after = measured_verdict(record), measured_verdict(attested)
    assert (after.state, len(after.attested)) == (ReleaseState.RELEASABLE, 4)
    assert after.applicable == len(after.passed) == len(before.passed)
    assert after.strength == before.strength
    assert all("attested by R. Viewer, not measured" in item.evidence for item in after.attested)
    contract = list(answer_officer(attested))[-1]
    assert "Purpose: A study of spelling (attested by R. Viewer, not measured)" in contract.evidence
    file = tmp_path / "contract.toml"
    written = {name: json.dumps(value) for name, value in FIELDS.items()}
    written["access_until"] = FIELDS["access_until"]  # a date, as TOML has them
    file.write_text("\n".join(f"{name} = {text}" for name, text in written.items()), "utf-8")
    words = ["approve", folder, "--reviewer", "R. Viewer", "--key", key]
    code, refused = call(*words)
    assert (code, "purpose" in refused["blocking"]) == (1, True)
    for wrong in (tmp_path, tmp_path / "nowhere", key):
        assert call(*words, "--attest", wrong)[0] == 2
    approved = answer(*words, "--attest", file)
    assert approved["attested"] == FIELDS == read_manifest(folder)["approval"]["attested"]
    assert approved["verdict"]["checks"]["attested"] == 4
    verified = answer("verify", folder, "--public-key", f"{key}.pub")
    assert (verified["attested"], verified["attested_by"]) == (FIELDS, "R. Viewer")
    ledger = answer("ledger")
    assert (ledger["approved"][0]["attested"], ledger.get("due")) == (FIELDS, None)
    assert main(["ledger"]) == 0
    assert "Purpose: A study of spelling (attested by R. Viewer" in capsys.readouterr().out
    text = (folder / MANIFEST).read_text("utf-8")
    (folder / MANIFEST).write_text(text.replace("A study of", "Any use of"), "utf-8")
    assert problems(folder, key)


def test_that_before_the_approval_it_stands_in_the_report_alone(tmp_path: Path) -> None:
    folder, _ = make_release(tmp_path, ContractAttestation.of("R. Viewer", FIELDS))
    assert read_manifest(folder)["verdict"]["state"] == "not-checked"
    report = internal_folder(folder) / INTERNAL_REPORT
    assert "attested by R. Viewer, not measured" in report.read_text("utf-8")


NO_TEXTS = ["", " \u200b ", "x" * 501, "two\nlines", "\x1b[2J", "abc\u202edef", 3]
WRONG: dict[str, list[Any]] = {
    "purpose": NO_TEXTS,
    "no_linking": ["yes", 1],
    "audits": [True, -1, 10**30, 2.5],
    "environment": ["cloud", ["sandbox"]],
    "access_until": ["2020-01-01", "2027-02-30", "soon"],
    "epsilon": [0.1],
    "purp\nose": ["x"],
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in WRONG.items() for value in values]
)
def test_that_what_cannot_be_signed_is_refused(name: str, value: Any) -> None:
    with pytest.raises(ParameterError) as refusal:
        ContractAttestation.of("R", {name: value})
    assert str(refusal.value).isprintable()


@given(st.dictionaries(st.sampled_from(sorted(gate_words("attested"))), st.from_type(object)))
def test_that_a_foreign_approval_is_read_or_left_out(plain: dict[str, Any]) -> None:
    read = ContractAttestation.of_approval({"attested": plain, "at": "2026-01-01T00:00:00Z"})
    assert all(read.find_figure(name) is not None for name in read.fields)
    assert len(read.lines) == len(read.fields)


@pytest.mark.parametrize("years", [1, 5])
@pytest.mark.parametrize("start", [date(2026, 11, 28), date(2027, 3, 1), date(2028, 2, 28)])
def test_that_the_same_day_in_years_is_that_many_years(start: date, years: int) -> None:
    for days, within in ((0, True), (1, False), (-1, True)):
        end = start.replace(year=start.year + years) + timedelta(days=days)
        attestation = dataclasses.replace(
            ContractAttestation("R", {"access_until": end.isoformat()}), on=start
        )
        figure = present(attestation.find_figure("access_until"))
        assert (figure <= years) == within


def test_that_a_review_is_due_once_its_day_has_passed() -> None:
    until = dataclasses.replace(ContractAttestation(), fields={"review_by": "2027-06-30"})
    assert [until.is_due(day) for day in ("2027-06-30", "2027-07-01")] == [False, True]
    assert not ContractAttestation().is_due("9999-12-31")


def test_which_policies_ask_for_what() -> None:
    fields = {
        name: {g.figure.partition(".")[2] for g in policy.gates if "attested" in g.figure}
        for name, policy in read_bundled().items()
    }
    assert fields["dma-6-11"] == {
        "purpose", "environment", "no_linking", "retention_months", "access_until", "audits",
    }  # fmt: skip
    assert fields["research-contract"] == {
        "recipient", "purpose", "access_until", "environment", "output_review",
    }  # fmt: skip
    assert not fields["open-data"]
    # A search looks at what settings change.
    for name in fields:
        policy = read_bundled()[name]
        searched = SearchRequest(policy=policy, goal=parse_goal("queries")).policy
        assert [*searched.gates] == [g for g in policy.gates if "attested." not in g.figure]
