"""Release folders at a recipient's: what they tell and how they are checked, swapped or forged."""

import base64
import hashlib
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from auditor.__main__ import main
from auditor.errors import AuditorError, ParameterError
from auditor.progress import silent_progress
from auditor.release import signing
from auditor.release.export import write_release
from auditor.release.loading import read_release
from auditor.release.manifest import (
    MANIFEST,
    SIGNATURE,
    internal_folder,
    keyed_digest,
    read_evidence,
    read_manifest,
    to_bytes,
)
from auditor.release.verify import verify_release
from auditor.resource_files import resource_path
from tests.release import fakes
from tests.release.test_approval import PASSING, made, signed

pytestmark = pytest.mark.usefixtures("quick_pages")


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an approved release, of its evidence and of the key that signed it."""
    place = tmp_path_factory.mktemp("approved")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUDITOR_DATA", str(tmp_path_factory.mktemp("data")))
        fakes.quick_report(patch)
        signing.new_key(place / "key.pem")
        signed(made(place, PASSING), place / "key.pem")
    return place


@pytest.fixture
def approved(original: Path, tmp_path: Path) -> Path:
    """An approved release; the key that signed it lies beside it."""
    return shutil.copytree(original, tmp_path, dirs_exist_ok=True) / "release"


@pytest.fixture
def received(original: Path, tmp_path: Path) -> Path:
    """The release as a recipient gets it: nothing stands beside it but the public key."""
    shutil.copy(original / "key.pem.pub", tmp_path)
    return shutil.copytree(original / "release", tmp_path / "release")


# What a recipient gets


def test_that_a_release_verifies_where_nothing_else_is(received: Path) -> None:
    trusted = signing.public_key(received.with_name("key.pem.pub"))
    result = verify_release(received, silent_progress(), trusted)
    assert (result.problems, result.identified, result.approved) == ((), True, True)
    assert result.overridden == ()
    assert result.verdict["state"] == "can-be-released"
    nowhere = verify_release(received.parent / "no", silent_progress())
    assert nowhere.problems == ("There is no release folder here.",)


def run_guides_commands(folder: Path) -> list[subprocess.CompletedProcess[str]]:
    """The two commands of the guide, as they stand there: one checks files, one the signature."""
    page = resource_path("docs/checking-a-release.md").read_text(encoding="utf-8")
    block = page.split("```sh\n")[1].split("```")[0]
    commands = block.replace("\\\n", " ").strip().splitlines()
    assert len(commands) == 2
    bash = ["bash", "-o", "pipefail", "-c"]
    return [
        subprocess.run(
            [*bash, command], cwd=folder, capture_output=True, text=True, check=False, timeout=60
        )
        for command in commands
    ]


def test_that_the_guides_two_commands_check_files_and_signature(received: Path) -> None:
    files, signature = run_guides_commands(received)
    assert (files.returncode, signature.returncode) == (0, 0), files.stderr + signature.stderr
    for name in read_manifest(received)["files"]:
        assert f"{name}: OK" in files.stdout
    assert "Verified Successfully" in signature.stdout


def test_that_the_guides_commands_find_a_change(received: Path) -> None:
    data, manifest = received / "queries.tsv", received / MANIFEST
    data.write_bytes(data.read_bytes() + b"more\t1\n")
    files, signature = run_guides_commands(received)
    assert (files.returncode != 0, signature.returncode) == (True, 0)
    manifest.write_bytes(manifest.read_bytes().replace(b'"epsilon": 2.9', b'"epsilon": 0.9'))
    assert run_guides_commands(received)[1].returncode != 0


def test_that_the_folder_holds_no_figure_of_the_log(received: Path, tmp_path: Path) -> None:
    facts = read_manifest(received)
    assert facts["changes"] == {}
    assert not {"gates", "input", "skipped", "dismissed"} & set(facts)
    for check in (*facts["measures"].values(), *facts["attacks"].values()):
        assert set(check) == {"params"}
    for assumption in facts["statement"]["assumptions"]:
        assert set(assumption) == {"name", "text", "status"}
    log = fakes.raw_log(tmp_path / "raw")
    (source,) = log.origin.files
    raw = hashlib.sha256(source.read_bytes()).hexdigest()
    text = b"".join(path.read_bytes() for path in received.iterdir()).decode()
    for secret in (*fakes.SECRETS, log.digest, raw, source.stem):
        assert secret not in text


def test_that_the_evidence_names_the_log_by_a_keyed_digest(tmp_path: Path) -> None:
    folder = made(tmp_path, PASSING)
    digest = fakes.raw_log(tmp_path / "raw").digest
    facts, data = read_evidence(internal_folder(folder))
    secret = signing.audit_secret(signing.audit_key())
    assert facts["input"]["keyed_digest"] == keyed_digest(digest, secret)
    assert facts["input"]["keyed_digest"] != keyed_digest(digest, b"another secret")
    assert digest.encode() not in data


# What somebody else may have changed


@pytest.mark.parametrize("is_judged", [True, False])
@pytest.mark.parametrize("is_signed", [True, False])
def test_that_evidence_of_another_export_is_named(
    tmp_path: Path, key: Path, is_judged: bool, is_signed: bool
) -> None:
    older = made(tmp_path / "older", PASSING, is_judged=is_judged or is_signed)
    newer = made(tmp_path / "newer", PASSING, is_judged=is_judged)
    if not is_judged:  # an export of the same second, which nothing else would tell apart
        log, quiet = fakes.raw_log(tmp_path / "newer" / "raw"), silent_progress()
        how: dict[str, Any] = {"progress": quiet, "overwrite": True, "comment": "newer"}
        write_release(fakes.run_result(log), log, newer, **how)
    if is_signed:
        signed(older, key)
    assert verify_release(older, silent_progress()).problems == ()
    shutil.rmtree(internal_folder(older))
    shutil.copytree(internal_folder(newer), internal_folder(older))
    (problem,) = verify_release(older, silent_progress()).problems
    assert "does not fit release.internal" in problem
    assert "export it again" in problem
    assert main(["verify", str(older)]) == 1


def tampered(folder: Path) -> bytes:
    """Change the data, and return a manifest that says that this is how it was."""
    name = next(path.name for path in folder.iterdir() if path.suffix == ".tsv")
    (folder / name).write_bytes((folder / name).read_bytes() + b"x\t1\n")
    facts = json.loads((folder / MANIFEST).read_bytes())
    facts["files"][name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    return to_bytes(facts)


@pytest.mark.parametrize("pinned", [False, True])
@pytest.mark.parametrize("turn", range(4))
def test_that_a_manifest_swapped_while_it_is_checked_never_verifies(
    approved: Path, turn: int, pinned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At each reading of the manifest but the first another one stands there."""
    trusted = signing.public_key(approved.parent / "key.pem.pub") if pinned else None
    real, forged = (approved / MANIFEST).read_bytes(), tampered(approved)
    # Whichever stands there first, the other one does from the reading number `turn` on.
    for first, second in ((real, forged), (forged, real)):
        (approved / MANIFEST).write_bytes(first)
        reads = 0

        def read(path: Path, most: int, *, follow: bool = True, second: bytes = second) -> bytes:
            nonlocal reads
            if path.name == MANIFEST:
                reads += 1
                if reads > turn:
                    path.write_bytes(second)
            data: bytes = path.read_bytes()[: most + 1]
            return data

        for module in ("manifest", "signing"):
            monkeypatch.setattr(f"auditor.release.{module}.read_bounded", read)
        assert verify_release(approved, silent_progress(), trusted).problems
        assert reads == 1
        monkeypatch.undo()
        fakes.quick_report(monkeypatch)


def test_that_an_approval_without_its_signature_is_a_failure(
    approved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(approved)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(str(approved))  # the answer, and what it rests on
    assert lines[1].startswith("nobody is identified")
    public = str(approved.parent / "key.pem.pub")
    assert main(["verify", str(approved), "--public-key", public]) == 0
    assert "nobody" not in capsys.readouterr().out
    (approved / SIGNATURE).unlink()
    assert main(["verify", str(approved)]) == 1
    assert "nobody signed that" in capsys.readouterr().out
    assert main(["verify", str(approved), "--public-key", public]) == 1


PRIME = 2**255 - 19
EIGHTH = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
WEAK = {0, 1, PRIME - 1, EIGHTH, PRIME - EIGHTH, PRIME, PRIME + 1}


@pytest.mark.parametrize("sign", [0, 1 << 255])
@pytest.mark.parametrize("point", sorted(WEAK))
def test_that_a_key_that_fits_any_text_is_refused(
    approved: Path, point: int, sign: int, tmp_path: Path
) -> None:
    raw = (point | sign).to_bytes(32, "little")
    assert signing.has_small_order(raw)
    forged = {
        "format": "auditor signature 1",
        "algorithm": "Ed25519",
        "public_key": base64.b64encode(raw).decode(),
        "signature": base64.b64encode((1).to_bytes(32, "little") + bytes(32)).decode(),
    }
    (approved / SIGNATURE).write_bytes((json.dumps(forged, indent=2) + "\n").encode())
    assert verify_release(approved, silent_progress()).problems
    pem = Ed25519PublicKey.from_public_bytes(raw).public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    (tmp_path / "weak.pub").write_bytes(pem)
    with pytest.raises(ParameterError):
        signing.public_key(tmp_path / "weak.pub")


SHAPES: dict[str, Any] = {
    "a list of statements": {"statement": []},
    "terms that are texts": {"statement": {"terms": ["a"]}},
    "an ε that is a list": {"statement": {"epsilon": [1]}},
    "an ε that is true": {"statement": {"epsilon": True}},
    "measured texts": {"statement": {"measured": {"k": "many"}}},
    "a method that is null": {"method": None},
    "changes in a text": {"changes": "all"},
    "a digest that is a list": {"input": {"digest": [1]}},
    "an entry that is a text": {"approval": {"ledger": {"entry": "1"}}},
    "files with numbers": {"files": {"queries.tsv": 1}},
    "figures in a list": {"gates": {"figures": []}},
    "a number of 400 digits": {"params": {"K": 10**400}},
    "half a surrogate pair": {"method": "\ud800"},
    "nested deep": {"params": json.loads("[" * 50 + "]" * 50)},
}


@pytest.mark.parametrize("name", SHAPES)
def test_that_a_manifest_of_any_shape_is_one_clear_error(
    name: str, approved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    facts = json.loads((approved / MANIFEST).read_bytes())
    (approved / MANIFEST).write_text(json.dumps(facts | SHAPES[name]), "utf-8")
    assert verify_release(approved, silent_progress()).problems
    log = tmp_path / "log.tsv"
    log.write_text("AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n1\ta\t2006-03-01 10:00:00\t\t\n")
    for command in (
        ["verify", str(approved)],
        ["ledger", "--release", str(approved)],
        ["measure", "volume", str(log), str(approved)],
        ["verify", "--model", "user-k", str(approved), "-p", "k=2"],
    ):
        assert main(command) in ((0, 1, 2) if name.startswith("files") else (1, 2)), command
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "table",
    [
        "query\tcount\n\\ud800\t1\n",
        "query\tcount\na\t99999999999999999999\n",
        f"query\tcount\na\t{2**62}\n",
        "query\tcount\na\t\n",
        "query\tcount\n",
        "",
        "query\n",
    ],
)
def test_that_a_table_of_any_shape_is_one_clear_error(table: str, approved: Path) -> None:
    (approved / "queries.tsv").write_text(table, "utf-8")
    try:
        read_release(approved)
    except AuditorError as error:
        assert "\n" not in str(error)
