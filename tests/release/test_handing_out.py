"""What a recipient gets: the release folder alone, which tells nothing else of the log."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from auditor.progress import silent_progress
from auditor.release import signing
from auditor.release.manifest import (
    MANIFEST,
    internal_folder,
    keyed_digest,
    read_evidence,
    read_manifest,
)
from auditor.release.verify import verify_release
from auditor.resource_files import resource_path
from tests.release import fakes
from tests.release.test_approval import PASSING, made, signed

GUIDE = "checking-a-release.md"


@pytest.fixture
def received(tmp_path: Path, key: Path) -> Path:
    """A signed release as somebody receives it: nothing stands beside it but the public key."""
    folder = made(tmp_path / "house", PASSING)
    signed(folder, key)
    there = tmp_path / "elsewhere"
    there.mkdir()
    shutil.copytree(folder, there / "release")
    shutil.copy(tmp_path / "key.pem.pub", there / "key.pem.pub")
    return there / "release"


def commands() -> list[str]:
    """The two commands of the guide, as they stand there."""
    page = resource_path(f"docs/{GUIDE}").read_text(encoding="utf-8")
    block = page.split("```sh\n")[1].split("```")[0]
    lines = block.replace("\\\n", " ").strip().splitlines()
    assert len(lines) == 2
    return lines


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_that_a_release_verifies_where_nothing_else_is(received: Path) -> None:
    trusted = signing.public_key(received.with_name("key.pem.pub"))
    result = verify_release(received, silent_progress(), trusted)
    assert (result.problems, result.identified) == ((), True)
    assert result.verdict["state"] == "can-be-released"


def test_that_the_guides_two_commands_check_files_and_signature(received: Path) -> None:
    files, signature = commands()
    checked = run(files, received)
    assert checked.returncode == 0, checked.stderr
    for name in read_manifest(received)["files"]:
        assert f"{name}: OK" in checked.stdout
    verified = run(signature, received)
    assert verified.returncode == 0, verified.stderr
    assert "Verified Successfully" in verified.stdout


def test_that_the_guides_commands_find_a_change(received: Path, tmp_path: Path) -> None:
    files, signature = commands()
    data = received / "queries.tsv"
    data.write_bytes(data.read_bytes() + b"more\t1\n")
    assert run(files, received).returncode != 0
    manifest = received / MANIFEST
    manifest.write_bytes(manifest.read_bytes().replace(b'"epsilon": 2.9', b'"epsilon": 0.9'))
    assert run(signature, received).returncode != 0


def test_that_the_folder_holds_no_figure_of_the_log(tmp_path: Path, key: Path) -> None:
    folder = made(tmp_path, PASSING)
    signed(folder, key)
    facts = read_manifest(folder)
    assert facts["changes"] == {}
    assert not {"gates", "input", "skipped", "dismissed"} & set(facts)
    for made_of in (*facts["measures"].values(), *facts["attacks"].values()):
        assert set(made_of) == {"params"}
    for assumption in facts["statement"]["assumptions"]:
        assert set(assumption) == {"name", "text", "status"}
    log = fakes.raw_log(tmp_path / "raw")
    text = b"".join(path.read_bytes() for path in folder.iterdir()).decode()
    assert log.digest not in text
    for secret in fakes.SECRETS:
        assert secret not in text


def test_that_the_evidence_names_the_log_by_a_keyed_digest(tmp_path: Path) -> None:
    folder = made(tmp_path, PASSING)
    log = fakes.raw_log(tmp_path / "raw")
    facts, data = read_evidence(internal_folder(folder))
    secret = signing.audit_secret(signing.audit_key())
    assert facts["input"]["keyed_digest"] == keyed_digest(log.digest, secret)
    assert facts["input"]["keyed_digest"] != keyed_digest(log.digest, b"another secret")
    assert log.digest.encode() not in data
