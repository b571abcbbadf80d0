"""Keys, signatures and approval: what is changed, foreign or ungated never verifies."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from auditor.errors import ExportRefused, MissingInput, ParameterError
from auditor.progress import silent
from auditor.release import approve as approving
from auditor.release import export, gates, ledger, signing
from auditor.release.approve import approve, review
from auditor.release.manifest import MANIFEST, SEAL, SIGNATURE, read_manifest, verify_folder
from auditor.release.policy import Gate, Policy
from tests.release import fakes

PASSING = Gate("epsilon", "ε", "statement.epsilon", most=3.0)
FAILING = Gate("strict", "ε again", "statement.epsilon", most=1.0)


def made(folder: Path, *listed: Gate, judged: bool = True) -> Path:
    """A release folder with these gates."""
    log = fakes.raw_log(folder / "raw")
    result = fakes.run_result(log)
    policy = Policy("ours", "", listed, "0" * 64)
    kept = gates.record(result, log)
    found = gates.facts(policy, gates.judge(result, log, policy), kept) if judged else None
    target = folder / "release"
    return export.write_release(result, log, target, progress=silent(), gates=found)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    fakes.quick_report(monkeypatch)


@pytest.fixture
def key(tmp_path: Path) -> Path:
    signing.new_key(tmp_path / "key.pem")
    return tmp_path / "key.pem"


def signed(folder: Path, key: Path, **values: Any) -> dict[str, Any]:
    given: dict[str, Any] = {"reviewer": "R. Viewer", "overrides": {}} | values
    return approve(folder, key=signing.private_key(key), progress=silent(), **given)


def problems(folder: Path, key: Path | None = None) -> list[str]:
    trusted = signing.public_key(key.with_name(key.name + ".pub")) if key else None
    return verify_folder(folder) + signing.check(folder, trusted)[0]


# Approval


def test_that_an_approved_release_verifies_with_the_key(tmp_path: Path, key: Path) -> None:
    folder = made(tmp_path, PASSING)
    gone = (MANIFEST, SEAL)
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.name not in gone}
    told = signed(folder, key)
    assert told["reviewer"] == "R. Viewer"
    assert problems(folder, key) == []
    assert not (folder / SEAL).exists()
    assert read_manifest(folder)["approval"] == told
    for name, data in before.items():
        assert (folder / name).read_bytes() == data
    assert stat.S_IMODE((folder / SIGNATURE).stat().st_mode) == 0o600
    trusted = signing.public_key(tmp_path / "key.pem.pub")
    assert signing.check(folder)[1] == told["key_fingerprint"] == signing.fingerprint(trusted)


def test_that_a_failed_gate_needs_a_name_and_a_reason(tmp_path: Path, key: Path) -> None:
    folder = made(tmp_path, PASSING, FAILING)
    waiting = review(folder, progress=silent())
    assert waiting.blocking(ledger.EMPTY, {}) == ["strict"]
    assert waiting.blocking(ledger.EMPTY, {"strict": "agreed"}) == []
    with pytest.raises(ExportRefused, match="strict"):
        signed(folder, key)
    for wrong in ({"strict": "  "}, {"strict": "x" * 5_000}, {"strict": "y", "epsilon": "y"}):
        with pytest.raises(ParameterError, match=r"override|Overriding"):
            signed(folder, key, overrides=wrong)
    with pytest.raises(ParameterError, match="name"):
        signed(folder, key, reviewer=" ", overrides={"strict": "y"})
    assert not (folder / SIGNATURE).exists()
    told = signed(folder, key, overrides={"strict": "agreed with the board"})
    assert told["overrides"] == [{"gate": "strict", "reason": "agreed with the board"}]
    assert problems(folder, key) == []


def test_that_a_release_nobody_judged_can_not_be_approved(tmp_path: Path, key: Path) -> None:
    folder = made(tmp_path, judged=False)
    with pytest.raises(ExportRefused, match="not judged"):
        signed(folder, key)


def test_that_nothing_is_approved_twice_or_after_a_change(tmp_path: Path, key: Path) -> None:
    folder = made(tmp_path, PASSING)
    (folder / "report.html").write_text("changed")
    with pytest.raises(ExportRefused, match="not as its manifest says"):
        signed(folder, key)
    other = made(tmp_path / "other", PASSING)
    signed(other, key)
    with pytest.raises(ExportRefused, match="approved already"):
        signed(other, key)


def test_that_a_change_during_the_approval_is_noticed(
    tmp_path: Path, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made(tmp_path, PASSING)
    before = (folder / MANIFEST).read_bytes()

    def other_bytes(old: Path, new: Path) -> None:
        new.write_bytes(old.read_bytes() + b" ")

    monkeypatch.setattr(approving, "_same_file", other_bytes)
    with pytest.raises(ExportRefused, match="changed during"):
        signed(folder, key)
    assert (folder / MANIFEST).read_bytes() == before
    assert not (folder / SIGNATURE).exists()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".auditor")] == []


# Verification


def test_that_any_changed_byte_missing_or_extra_file_fails(tmp_path: Path, key: Path) -> None:
    folder = made(tmp_path, PASSING)
    signed(folder, key)
    for path in sorted(folder.iterdir()):
        whole = path.read_bytes()
        every = range(len(whole)) if path.name == SIGNATURE else (0, len(whole) // 2, -1)
        for at in [at % len(whole) for at in every]:
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
            assert problems(folder, key), f"{path.name} at {at}"
        path.unlink()
        assert problems(folder, key), f"{path.name} gone"
        path.write_bytes(whole)
    assert problems(folder, key) == []
    (folder / "more.txt").write_text("x")
    assert problems(folder, key)


def test_that_every_byte_of_the_manifest_is_under_the_signature(tmp_path: Path, key: Path) -> None:
    folder = made(tmp_path, PASSING)
    signed(folder, key)
    trusted = signing.public_key(tmp_path / "key.pem.pub")
    manifest = folder / MANIFEST
    whole = manifest.read_bytes()
    for at in range(0, len(whole), 37):
        manifest.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert signing.check(folder, trusted)[0]
    facts = json.loads(whole)
    facts["gates"]["passed"] = not facts["gates"]["passed"]
    manifest.write_text(json.dumps(facts))
    assert "changed after" in signing.check(folder)[0][0]


def test_that_another_key_does_not_verify(tmp_path: Path, key: Path) -> None:
    folder = made(tmp_path, PASSING)
    signed(folder, key)
    signing.new_key(tmp_path / "other.pem")
    assert "another key" in problems(folder, tmp_path / "other.pem")[0]


def test_that_a_missing_signature_matters_only_to_who_asks_for_one(
    tmp_path: Path, key: Path
) -> None:
    folder = made(tmp_path, PASSING)
    assert problems(folder) == []
    assert "missing" in problems(folder, key)[0]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b"[]",
        b"{}",
        b'{"format": "auditor signature 1"}',
        b'{"format": "auditor signature 1", "algorithm": "none", "public_key": "", '
        b'"signature": ""}',
        b'{"format": "auditor signature 1", "algorithm": "Ed25519", "public_key": 3, '
        b'"signature": []}',
        b'{"format": "auditor signature 1", "algorithm": "Ed25519", "public_key": "AAAA", '
        b'"signature": "AAAA"}',
        b"[" * 100_000,
    ],
)
def test_that_no_signature_file_breaks_the_check(tmp_path: Path, key: Path, content: bytes) -> None:
    folder = made(tmp_path, PASSING)
    (folder / SIGNATURE).write_bytes(content)
    assert problems(folder, key) == ["manifest.sig: not a signature of this program's"]


def test_that_a_signature_is_read_from_nothing_but_a_file(tmp_path: Path, key: Path) -> None:
    folder = made(tmp_path, PASSING)
    signed(folder, key)
    kept = tmp_path / "kept.sig"
    (folder / SIGNATURE).rename(kept)
    (folder / SIGNATURE).symlink_to(kept)
    assert problems(folder, key)
    (folder / SIGNATURE).unlink()
    os.mkfifo(folder / SIGNATURE)
    assert problems(folder, key)


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
    with pytest.raises(MissingInput, match="does not exist"):
        signing.private_key(tmp_path / "none.pem")


def test_that_no_private_key_gets_into_the_release(tmp_path: Path, key: Path) -> None:
    folder = made(tmp_path, PASSING)
    signed(folder, key)
    secret = b"".join(key.read_bytes().splitlines()[1:-1])
    for path in folder.iterdir():
        data = path.read_bytes()
        assert secret not in data
        assert b"PRIVATE" not in data
        assert os.fsencode(tmp_path) not in data
