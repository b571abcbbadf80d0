"""Keys, signatures, approval and what a reviewer attests: what is changed never verifies."""

import dataclasses
import json
import os
import stat
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.__main__ import main
from auditor.errors import ExportRefused, MissingInput, ParameterError
from auditor.progress import silent_progress
from auditor.release import approval as approving
from auditor.release import export, signing, verify
from auditor.release.approval import approve_folder, review_folder
from auditor.release.atomic_write import write_file
from auditor.release.gates import attest_record
from auditor.release.ledger import store
from auditor.release.manifest import (
    APPROVAL,
    EVIDENCE,
    MANIFEST,
    SEAL,
    SIGNATURE,
    check_files,
    internal_folder,
    read_manifest,
    verify_folder,
)
from auditor.release.officer import answer_officer
from auditor.release.policy.attestation import ContractAttestation
from auditor.release.policy.policy import Gate, Policy, gate_words, read_bundled
from auditor.release.verdict import ReleaseState, measured_verdict
from auditor.suggestions.request import SearchRequest, parse_goal
from tests.narrowing import present
from tests.release import fakes
from tests.release.judging import judged_record, policy_of

pytestmark = pytest.mark.usefixtures("quick_pages")

PASSING = Gate("epsilon", "ε", "statement.epsilon", most=3.0)
FAILING = Gate("strict", "ε again", "statement.epsilon", most=1.0)
SOME = Gate("some", "Something is left", "release.queries", least=1.0)
"""The fake release holds too few queries for a policy that doesn't say how few are too few."""


def made(folder: Path, *listed: Gate, is_judged: bool = True) -> Path:
    """A release folder with these gates."""
    log = fakes.raw_log(folder / "raw")
    result = fakes.run_result(log)
    policy = policy_of(*listed, SOME)
    record = judged_record(result, log, policy) if is_judged else None
    target = folder / "release"
    return export.write_release(result, log, target, progress=silent_progress(), record=record)


def signed(folder: Path, key: Path, **values: Any) -> dict[str, Any]:
    extra: dict[str, Any] = {"reviewer": "R. Viewer", "overrides": {}} | values
    return approve_folder(folder, key=signing.private_key(key), progress=silent_progress(), **extra)


def problems(folder: Path, key: Path | None = None) -> list[str]:
    trusted = signing.public_key(key.with_name(key.name + ".pub")) if key else None
    return verify_folder(folder) + signing.check_signature(folder, trusted)[0]


# Approval


def test_that_an_approved_release_verifies_with_the_key(tmp_path: Path, key: Path) -> None:
    folder = made(tmp_path, PASSING)
    before = {p.name: p.read_bytes() for p in folder.iterdir() if p.name != MANIFEST}
    assert not (folder / SEAL).exists()
    facts = signed(folder, key)
    assert facts["reviewer"] == "R. Viewer"
    assert problems(folder, key) == []
    public = read_manifest(folder)["approval"]
    for name in ("reviewer", "at", "overrides", "policy"):
        assert public[name] == facts[name]
    assert public["verdict"]["state"] == facts["verdict"]["state"] == "can-be-released"
    assert not {"gates", "rechecked"} & set(public)
    assert set(public["ledger"]) == {"id", "entry", "head"}
    beside = internal_folder(folder)
    assert json.loads((beside / APPROVAL).read_text()) == facts
    for name, data in before.items():
        assert (folder / name).read_bytes() == data
    assert stat.S_IMODE((folder / SIGNATURE).stat().st_mode) == 0o600
    fingerprint = signing.key_fingerprint(signing.public_key(tmp_path / "key.pem.pub"))
    assert signing.check_signature(folder)[1] == facts["key_fingerprint"] == fingerprint


def test_that_a_failed_gate_needs_a_name_and_a_reason(tmp_path: Path, key: Path) -> None:
    folder = made(tmp_path, PASSING, FAILING)
    waiting = review_folder(folder, progress=silent_progress())
    assert waiting.list_blocking(store.EMPTY, {}) == ["strict"]
    assert waiting.list_blocking(store.EMPTY, {"strict": "agreed"}) == []
    with pytest.raises(ExportRefused, match="strict"):
        signed(folder, key)
    for wrong in ({"strict": "x" * 5_000}, {"strict": "y", "epsilon": "y"}):
        with pytest.raises(ParameterError, match=r"overrid|Overriding"):
            signed(folder, key, overrides=wrong)
    for blank in ("", " ", "\u200b\u2060", "\u00ad", "--", "\u3164", "\u2800"):
        with pytest.raises(ParameterError, match="name"):
            signed(folder, key, reviewer=blank, overrides={"strict": "why not"})
        with pytest.raises(ParameterError, match="reason"):
            signed(folder, key, overrides={"strict": blank})
    assert not (folder / SIGNATURE).exists()
    facts = signed(folder, key, overrides={"strict": "agreed with the board"})
    assert facts["overrides"] == [{"gate": "strict", "reason": "agreed with the board"}]
    assert problems(folder, key) == []


def test_that_nothing_is_approved_unjudged(tmp_path: Path, key: Path) -> None:
    with pytest.raises(ExportRefused, match="not judged"):
        signed(made(tmp_path / "unjudged", is_judged=False), key)


def test_that_a_change_during_the_approval_is_noticed(
    tmp_path: Path, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made(tmp_path, PASSING)
    before = (folder / MANIFEST).read_bytes()

    def other_bytes(place: Path, *more: Any) -> list[str]:
        target = place / "queries.tsv"
        target.write_bytes(target.read_bytes() + b" ")
        return check_files(place, *more)

    monkeypatch.setattr(approving, "check_files", other_bytes)
    with pytest.raises(ExportRefused, match="changed during"):
        signed(folder, key)
    assert (folder / MANIFEST).read_bytes() == before
    assert not (folder / SIGNATURE).exists()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".auditor")] == []


def test_that_a_handle_which_was_open_before_changes_nothing_that_is_signed(
    tmp_path: Path, key: Path
) -> None:
    folder = made(tmp_path, PASSING)
    with (folder / "queries.tsv").open("r+b") as handle:
        signed(folder, key)
        handle.write(b"changed")
    assert verify.verify_release(folder, silent_progress()).problems == ()


def test_that_a_full_disk_leaves_no_half_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "key.pem"
    for last in ("key.pem", "key.pem.pub"):

        def fill_disk(place: Path, blocks: Any, *, last: str = last) -> None:
            if last == place.name:
                place.write_bytes(b"")
                raise OSError(28, "No space left on device")
            write_file(place, blocks)

        with monkeypatch.context() as patch:
            patch.setattr(signing, "write_file", fill_disk)
            with pytest.raises(ExportRefused, match="No space left"):
                signing.new_key(path)
        assert list(tmp_path.iterdir()) == []
    signing.new_key(path)
    assert signing.private_key(path)


def test_that_a_key_may_have_a_passphrase(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "key.pem"
    monkeypatch.setenv("AUDITOR_KEY_PASSPHRASE", "correct horse")
    signing.new_key(path)
    assert b"ENCRYPTED" in path.read_bytes()
    public = signing.public_key(path.with_name("key.pem.pub"))
    assert signing.raw_key(signing.private_key(path).public_key()) == signing.raw_key(public)
    monkeypatch.setenv("AUDITOR_KEY_PASSPHRASE", "wrong")
    with pytest.raises(ParameterError, match="passphrase is another one"):
        signing.private_key(path)
    monkeypatch.delenv("AUDITOR_KEY_PASSPHRASE")
    with pytest.raises(ParameterError, match="AUDITOR_KEY_PASSPHRASE"):
        signing.private_key(path)
    assert signing.private_key(path, lambda: "correct horse")


# Verification


def test_that_a_changed_signature_and_a_missing_or_extra_file_fail(
    tmp_path: Path, key: Path
) -> None:
    folder = made(tmp_path, PASSING)
    signed(folder, key)
    signature = folder / SIGNATURE
    data = signature.read_bytes()
    for index in range(len(data)):
        signature.write_bytes(data[:index] + bytes([data[index] ^ 1]) + data[index + 1 :])
        assert problems(folder, key), index
    signature.write_bytes(data)
    for path in sorted(folder.iterdir()):
        data = path.read_bytes()
        path.unlink()
        assert problems(folder, key), f"{path.name} gone"
        path.write_bytes(data)
    assert problems(folder, key) == []
    (folder / "more.txt").write_text("x")
    assert problems(folder, key)


@given(st.data())
def test_that_no_edit_of_any_file_verifies(tmp_path_factory: Any, data: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        fakes.quick_report(patch)
        place = tmp_path_factory.getbasetemp() / "edited"
        if not place.exists():
            place.mkdir()
            signing.new_key(place / "key.pem")
            signed(made(place, PASSING), place / "key.pem")
    folder, key = place / "release", place / "key.pem"
    path = data.draw(st.sampled_from(sorted(folder.iterdir())))
    content = path.read_bytes()
    index = data.draw(st.integers(0, len(content)))
    gone = data.draw(st.integers(0, 3))
    new = data.draw(st.binary(max_size=3))
    changed = content[:index] + new + content[index + gone :]
    try:
        path.write_bytes(changed)
        assert bool(problems(folder, key)) == (changed != content)
        assert bool(problems(folder)) == (changed != content)
    finally:
        path.write_bytes(content)


def test_that_every_byte_of_an_audited_manifest_is_under_its_seal(tmp_path: Path) -> None:
    folder = made(tmp_path, PASSING)
    beside = internal_folder(folder)
    data = (beside / EVIDENCE).read_bytes()
    assert signing.find_seal_problems(folder) == []
    for index in range(0, len(data), 53):
        changed = data[:index] + bytes([data[index] ^ 1]) + data[index + 1 :]
        assert signing.check_seal(beside, changed)
    (beside / SEAL).write_bytes(b"{}")
    assert signing.find_seal_problems(folder) == [f"{SEAL}: not a seal of this program's"]
    (beside / SEAL).unlink()
    assert "missing" in signing.find_seal_problems(folder)[0]


# By whose policy, against which log


def test_that_a_reviewer_judges_by_a_policy_of_her_own(tmp_path: Path, key: Path) -> None:
    folder = made(tmp_path, PASSING)
    assert review_folder(folder, progress=silent_progress()).list_blocking(store.EMPTY, {}) == []
    strict = Policy("strict", "", (FAILING, SOME), "1" * 64)
    waiting = review_folder(folder, progress=silent_progress(), policy=strict)
    assert waiting.list_blocking(store.EMPTY, {}) == ["strict"]
    options: dict[str, Any] = {"key": signing.private_key(key), "progress": silent_progress()}
    with pytest.raises(ExportRefused, match="strict"):
        approving.sign_folder(waiting, reviewer="R.", overrides={}, **options)
    agreed = {"strict": "agreed"}
    facts = approving.sign_folder(waiting, reviewer="R.", overrides=agreed, **options)
    source = {"name": "strict", "sha256": "1" * 64, "source": "named at the approval"}
    assert facts["policy"] == source
    assert [check["name"] for check in facts["gates"]] == ["strict", "some"]


def test_that_the_ledgers_total_is_enforced_and_can_be_overridden(
    tmp_path: Path, key: Path
) -> None:
    most = Gate("total", "total", "ledger.without_guarantee", most=1.0)
    folders = [made(tmp_path / str(number), PASSING, most) for number in range(3)]
    signed(folders[0], key)  # the fake's statement has an assumption that fails
    for folder in folders[1:]:
        with pytest.raises(ExportRefused, match="total"):
            signed(folder, key)
    assert len(store.read_ledger(store.ledger_path()).approved) == 1
    facts = signed(folders[1], key, overrides={"total": "the board agreed"})
    assert facts["overrides"] == [{"gate": "total", "reason": "the board agreed"}]
    assert facts["ledger"]["total"]["without_guarantee"] == 2
    with pytest.raises(ParameterError, match="needs no override"):
        signed(folders[2], key, overrides={"total": "yes", "epsilon": "yes"})


def test_that_the_ledger_is_looked_at_once_more_when_it_is_held(
    tmp_path: Path, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = Gate("total", "total", "ledger.releases", most=1.0)
    first, other = made(tmp_path / "one", most), made(tmp_path / "other", most)
    real = approving._copy_files

    def meanwhile(*args: Any) -> None:
        monkeypatch.setattr(approving, "_copy_files", real)
        signed(other, key)
        real(*args)

    monkeypatch.setattr(approving, "_copy_files", meanwhile)
    with pytest.raises(ExportRefused, match="total"):
        signed(first, key)
    assert len(store.read_ledger(store.ledger_path()).approved) == 1
    assert not (first / SIGNATURE).exists()


def test_that_no_other_signature_verifies(tmp_path: Path, key: Path) -> None:
    """Of another key, of nobody where somebody asks for one, and in what is no file."""
    folder = made(tmp_path, PASSING)
    assert problems(folder) == []
    assert "missing" in problems(folder, key)[0]
    signed(folder, key)
    signing.new_key(tmp_path / "other.pem")
    assert "another key" in problems(folder, tmp_path / "other.pem")[0]
    target = tmp_path / "kept.sig"
    (folder / SIGNATURE).rename(target)
    (folder / SIGNATURE).symlink_to(target)
    assert problems(folder, key)
    (folder / SIGNATURE).unlink()
    os.mkfifo(folder / SIGNATURE)
    assert problems(folder, key)


SIGNATURE_1 = '{"format": "auditor signature 1"'
NO_SIGNATURES = (
    *("", "[]", "{}", "[" * 100_000, SIGNATURE_1 + "}"),
    SIGNATURE_1 + ', "algorithm": "none", "public_key": "", "signature": ""}',
    SIGNATURE_1 + ', "algorithm": "Ed25519", "public_key": 3, "signature": []}',
    SIGNATURE_1 + ', "algorithm": "Ed25519", "public_key": "AAAA", "signature": "AAAA"}',
)


def test_that_no_signature_file_breaks_the_check(tmp_path: Path, key: Path) -> None:
    folder = made(tmp_path, PASSING)
    for content in (b"\xff", *map(str.encode, NO_SIGNATURES)):
        (folder / SIGNATURE).write_bytes(content)
        assert problems(folder, key) == ["manifest.sig: not a signature of this program's"]


# Keys


def test_that_a_new_key_is_its_owners_alone_and_never_overwritten(tmp_path: Path) -> None:
    public = signing.new_key(tmp_path / "key.pem")
    assert stat.S_IMODE((tmp_path / "key.pem").stat().st_mode) == 0o600
    assert b"PRIVATE" not in public.read_bytes()
    before = (tmp_path / "key.pem").read_bytes()
    with pytest.raises(ExportRefused, match="already"):
        signing.new_key(tmp_path / "key.pem")
    assert (tmp_path / "key.pem").read_bytes() == before
    with pytest.raises(ExportRefused, match="written"):
        signing.new_key(tmp_path / "no" / "such" / "key.pem")


def test_that_a_key_that_others_may_read_is_refused(tmp_path: Path, key: Path) -> None:
    key.chmod(0o640)
    with pytest.raises(ExportRefused, match="chmod 600"):
        signing.private_key(key)


def test_that_what_is_no_key_is_refused_without_quoting_it(tmp_path: Path, key: Path) -> None:
    path = tmp_path / "odd.pem"
    for content in (b"", b"zebulon", key.with_name("key.pem.pub").read_bytes()):
        path.write_bytes(content)
        path.chmod(0o600)
        with pytest.raises(ParameterError, match="no private Ed25519 key") as raised:
            signing.private_key(path)
        assert "zebulon" not in str(raised.value)
    with pytest.raises(ParameterError, match="no public Ed25519 key"):
        signing.public_key(key)
    with pytest.raises(MissingInput, match="no file"):
        signing.private_key(tmp_path / "none.pem")


# What a reviewer attests: shown with their name, never a measured pass


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


def test_that_nothing_is_released_for_being_attested_before_the_approval(tmp_path: Path) -> None:
    folder, _ = make_release(tmp_path, ContractAttestation.of("R. Viewer", FIELDS))
    assert read_manifest(folder)["verdict"]["state"] == "not-checked"


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
