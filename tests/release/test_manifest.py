"""The manifest: what it says, what it never says, and that no tampering passes."""

import dataclasses
import hashlib
import json
import os
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from auditor.engine.plan import PlanStep
from auditor.log.model import QueryLog
from auditor.params import Params, integer, path
from auditor.progress import silent_progress
from auditor.release.evidence import build_manifest, input_files
from auditor.release.export import write_release
from auditor.release.manifest import (
    LARGEST,
    MANIFEST,
    internal_folder,
    read_evidence,
    to_bytes,
    verify_folder,
)
from tests.release.fakes import SECRETS, quick_report, raw_log, run_result


@pytest.fixture
def log(tmp_path: Path) -> QueryLog:
    return raw_log(tmp_path / "in")


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release that was written once; tests change copies of it."""
    place = tmp_path_factory.mktemp("released")
    log = raw_log(place / "in")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUDITOR_DATA", str(place / "data"))
        quick_report(patch)
        return write_release(run_result(log), log, place / "out", progress=silent_progress())


@pytest.fixture
def folder(released: Path, tmp_path: Path) -> Path:
    shutil.copytree(internal_folder(released), internal_folder(tmp_path / "out"))
    return shutil.copytree(released, tmp_path / "out")


def facts_of(folder: Path) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads((folder / MANIFEST).read_text())
    return facts


def digest_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def change(folder: Path, **keys: Any) -> None:
    """A forged manifest: some keys replaced, those that are None removed."""
    facts = {k: v for k, v in (facts_of(folder) | keys).items() if v is not None}
    (folder / MANIFEST).write_text(json.dumps(facts))


# --- what it says -----------------------------------------------------------------------------


def test_that_the_agreed_keys_are_there(log: QueryLog, folder: Path) -> None:
    facts = facts_of(folder)
    assert facts["method"] == "safelog"
    assert facts["params"]["q_f"] == run_result(log).plan.params.to_dict()["q_f"]
    statement = facts["statement"]
    assert (statement["epsilon"], statement["delta"]) == (2.9, 1e-6)
    assert statement["unit"] == "one user's whole history"
    assert [a["status"] for a in statement["assumptions"]] == ["holds", "unknown", "fails"]
    assert facts["changes"] == {}
    assert set(facts["measures"]) == {"volume"}
    assert set(facts["attacks"]) == {"surviving-content"}
    assert {"auditor", "python", "numpy", "opendp"} <= set(facts["versions"])
    assert facts["created"].endswith("Z")


def test_that_the_evidence_has_every_figure(log: QueryLog, folder: Path) -> None:
    facts, data = read_evidence(internal_folder(folder))
    assert facts["changes"] == {"queries_dropped": 2, "clicks_kept": 4}
    assert facts["measures"]["volume"]["values"] == {"kept": 0.4}
    attack = facts["attacks"]["surviving-content"]
    assert (attack["rate"], attack["baseline"], attack["control"]) == (0.25, 0.1, 0.12)
    assert attack["interval"] == [0.2, 0.3]
    assert attack["values"] == {"inf": "infinite"}
    assert facts["release"]["manifest_sha256"] == digest_of(folder / MANIFEST)
    assert log.digest.encode() not in data
    assert facts["input"] == {"format": "aol", "files": [{"name": "raw-aol.txt"}]}


def test_that_every_file_is_hashed(folder: Path) -> None:
    files = {path.name: digest_of(path) for path in folder.iterdir() if path.name != MANIFEST}
    assert facts_of(folder)["files"] == files


def test_that_an_input_which_is_gone_is_named_without_a_hash(log: QueryLog) -> None:
    log.origin.files[0].unlink()
    assert input_files(log, silent_progress()) == [{"name": "raw-aol.txt"}]


def test_that_what_does_not_apply_is_absent_and_nothing_is_null(log: QueryLog) -> None:
    text = to_bytes(build_manifest(run_result(log), log, {})).decode()
    facts = json.loads(text)
    assert "covers the data files alone" in facts["note"]
    assert not {"reviewer", "comment", "withheld", "content"} & set(facts)
    assert "null" not in text
    assert "NaN" not in text
    named = build_manifest(run_result(log), log, {}, reviewer=" A. Person ", comment="fine")
    assert (named["reviewer"], named["comment"]) == ("A. Person", "fine")


def test_that_the_same_facts_give_the_same_bytes(log: QueryLog) -> None:
    when = datetime(2026, 11, 21, 7, 3, tzinfo=UTC)
    twice = [to_bytes(build_manifest(run_result(log), log, {}, created=when)) for _ in range(2)]
    assert twice[0] == twice[1]
    assert b'"created": "2026-11-21T07:03:00Z"' in twice[0]


# --- what it never says -----------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Telling(Params, owner="telling"):
    """Parameters that would tell too much."""

    pool: Path | None = path(label="Pool", help="A list.")
    seed: int = integer(918273645, 0, 2**31, label="Seed", help="Never told.")
    hash_key: int = integer(564738291, 0, 2**31, label="Key", help="Never told.")
    k: int = integer(7, 1, 9, label="k", help="Told.")


def test_that_neither_seeds_nor_keys_nor_paths_are_told(log: QueryLog) -> None:
    result = run_result(log)
    plan = dataclasses.replace(
        result.plan,
        params=Telling(pool=Path("/srv/secret-place/pool.txt")),
        measures=(PlanStep("volume", Telling(pool=Path("/srv/other-place/words.txt"))),),
    )
    result = dataclasses.replace(result, plan=plan)
    facts = build_manifest(result, log, {}, comment="see /srv/other-place/words.txt for the words")
    text = to_bytes(facts).decode()
    assert facts["params"] == {"pool": "pool.txt", "k": 7}
    assert facts["withheld"] == ["seed", "hash_key"]
    assert facts["comment"] == "see words.txt for the words"
    for secret in ("918273645", "564738291", "4711", "secret-place", "other-place", "somebody"):
        assert secret not in text
    assert not [secret for secret in (*SECRETS, str(Path.home())) if secret in text]


# --- checking ---------------------------------------------------------------------------------


def test_that_any_changed_byte_is_found(folder: Path) -> None:
    for file in sorted(set(folder.iterdir()) - {folder / MANIFEST}):
        data = file.read_bytes()
        for index in (0, len(data) // 2, len(data) - 1):
            file.write_bytes(data[:index] + bytes([data[index] ^ 1]) + data[index + 1 :])
            message = f"{file.name}: changed since the export (SHA-256 differs)"
            assert verify_folder(folder) == [message]
        file.write_bytes(data)
    assert verify_folder(folder) == []
    (folder / "manifest.sig").write_bytes(b"later")
    assert verify_folder(folder) == []


def test_that_missing_and_extra_files_are_found(folder: Path) -> None:
    (folder / "clicks.tsv").unlink()
    (folder / "notes\x1b[31m.txt").write_text("x")
    assert verify_folder(folder) == [
        "clicks.tsv: missing",
        "notes\u241b[31m.txt: not in the manifest",
    ]


@pytest.mark.parametrize("what", ["link", "fifo", "folder"])
def test_that_nothing_but_regular_files_is_read(folder: Path, tmp_path: Path, what: str) -> None:
    target = folder / "queries.tsv"
    copy = tmp_path / "copy"
    target.rename(copy)
    if what == "link":
        target.symlink_to(copy)
    elif what == "fifo":
        os.mkfifo(target)
    else:
        target.mkdir()
    assert verify_folder(folder) == ["queries.tsv: not a regular file, or can't be read"]


def test_that_a_link_to_a_release_and_nothing_are_no_release(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(folder)
    for place in (tmp_path / "alias", tmp_path / "nowhere"):
        assert verify_folder(place) == ["There is no release folder here."]


HASH = "0" * 64
NAMES_ELSEWHERE = [
    "../in/raw-aol.txt", "/etc/passwd", "a/b", "a\\b", "C:x", "", ".", "..", "a\0b", MANIFEST,
]  # fmt: skip
NO_HASHES: list[Any] = ["", "abc", HASH.replace("0", "G"), 7, None, [HASH]]


@pytest.mark.parametrize(
    ("name", "digest", "words"),
    [
        *((name, HASH, "no plain file name") for name in NAMES_ELSEWHERE),
        *(("queries.tsv", digest, "no SHA-256") for digest in NO_HASHES),
    ],
)
def test_that_a_manifest_names_plain_files_with_their_hashes(
    folder: Path, name: str, digest: Any, words: str
) -> None:
    change(folder, files=facts_of(folder)["files"] | {name: digest})
    assert words in verify_folder(folder)[0]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not valid JSON"),
        (b"{", "not valid JSON"),
        (b"[" * 100_000, "not valid JSON"),
        (b'{"a": NaN}', "not valid JSON"),
        (b'{"format": "auditor release 1", "format": "auditor release 1"}', "not valid JSON"),
        (b"\xff\xfe{}", "not valid JSON (not UTF-8 text)"),
        (b"[]", "not a JSON object"),
        (b"{}", "not the manifest of a release"),
        (b'{"format": "auditor release 99"}', "not the manifest of a release"),
        (b" " * (LARGEST + 1), "larger than 16 MB"),
    ],
)
def test_that_a_broken_manifest_is_one_clear_problem(folder: Path, data: bytes, words: str) -> None:
    (folder / MANIFEST).write_bytes(data)
    (problem,) = verify_folder(folder)
    assert words in problem


def test_that_a_manifest_is_a_file(folder: Path) -> None:
    (folder / MANIFEST).unlink()
    assert verify_folder(folder) == [f"{MANIFEST}: missing"]
    os.mkfifo(folder / MANIFEST)
    assert verify_folder(folder) == [f"{MANIFEST}: not a regular file"]


def test_that_missing_keys_and_data_are_found(folder: Path) -> None:
    change(folder, statement=None, versions=None)
    assert verify_folder(folder) == [
        f"{MANIFEST}: 'statement' is missing",
        f"{MANIFEST}: 'versions' is missing",
    ]
    change(folder, statement={}, versions={}, files=[])
    assert verify_folder(folder) == [f"{MANIFEST}: 'files' must map names to hashes"]
    change(folder, files={})
    assert f"{MANIFEST}: names no data file" in verify_folder(folder)
