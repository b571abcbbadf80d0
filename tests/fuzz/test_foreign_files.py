"""Files that others made: whatever stands in them, they are read or refused with one clear error.

Each document is a good one in which values are replaced, left out or added, so that what is read
gets past the first look.
"""

import copy
import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import auditor
from auditor.attacks.registry import ATTACKS
from auditor.errors import AuditorError
from auditor.log.synthetic.generator import synthesize_log
from auditor.measures.registry import MEASURES
from auditor.progress import silent_progress
from auditor.release import signing
from auditor.release.approval import review_folder
from auditor.release.feedback import parse_feedback
from auditor.release.loading import read_release
from auditor.release.manifest import EVIDENCE, MANIFEST, internal_folder
from auditor.release.verify import verify_release
from tests.fuzz.targets import (
    FEEDBACK,
    PROJECT,
    SUGGESTION,
    TARGETS,
    check_message,
    encode_suggestion,
    suggestion,
)
from tests.log.rows import zipped

DEEP: Any = 0
for _ in range(60):
    DEEP = [DEEP]
LEAVES = st.sampled_from(
    [None, True, False, 0, -1, 1, 2**63 - 1, 2**70, 1e308, -0.5, 0.1, "", "a", "inf", "nan", "0",
     "\ud800", "x" * 300, [], {}, [[]], [{}], {"a": []}, {"": None}, ["a"], [0], DEEP, "safelog"]
)  # fmt: skip
GATE = {"name": "a", "title": "A", "figure": "statement.epsilon", "most": 1.0}
POLICY = {"format": "auditor policy 1", "name": "p", "note": "", "gate": [GATE],
          "requires": ["surviving-content"]}  # fmt: skip


def list_places(plain: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where values stand in a document, by the keys that lead there."""
    places = [place]
    if isinstance(plain, dict):
        places += [p for key, inner in plain.items() for p in list_places(inner, (*place, key))]
    elif isinstance(plain, list):
        places += [p for key, inner in enumerate(plain) for p in list_places(inner, (*place, key))]
    return places


def mutate(data: st.DataObject, plain: Any) -> Any:
    """The document with one to three changes."""
    plain = copy.deepcopy(plain)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.sampled_from(list_places(plain)))
        value = copy.deepcopy(data.draw(LEAVES))
        if not place:
            if data.draw(st.booleans()) and isinstance(plain, dict):
                plain["new"] = value
            continue
        inner = plain
        for key in place[:-1]:
            inner = inner[key]
        if data.draw(st.booleans()) and isinstance(inner, dict):
            del inner[place[-1]]
        else:
            inner[place[-1]] = value
    return plain


def encode_toml(plain: Any) -> bytes:
    """A table of values and tables in lists, as TOML; odd values as they come."""
    lines, tables = [], []
    for name, value in plain.items() if isinstance(plain, dict) else ():
        rows = value if isinstance(value, list) and value else []
        if rows and all(isinstance(row, dict) for row in rows):
            for row in rows:
                tables += [f"[[{json.dumps(name)}]]"]
                tables += [f"{json.dumps(key)} = {json.dumps(cell)}" for key, cell in row.items()]
        else:
            lines.append(f"{json.dumps(name)} = {json.dumps(value)}")
    return "\n".join([*lines, *tables]).encode()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release that was audited."""
    log = synthesize_log(30, days=2, seed=1).log
    checks = ("record-linkage", "volume")
    skipped = [name for name in (*ATTACKS, *MEASURES) if name not in checks]
    run = auditor.audit(log, "frequency-threshold", n=2, skip=skipped)
    return auditor.save(run, log, tmp_path_factory.mktemp("foreign") / "release")


def encode_json(plain: Any) -> bytes:
    return json.dumps(plain).encode()


DOCUMENTS: dict[str, tuple[Any, Callable[[Any], bytes]]] = {
    "feedback": (FEEDBACK, encode_json),
    "suggestion": (SUGGESTION, encode_suggestion),
    "policy": (POLICY, encode_toml),
}


@pytest.mark.parametrize("target", DOCUMENTS)
@given(data=st.data())
def test_that_any_document_is_read_or_refused(target: str, data: st.DataObject) -> None:
    plain, encode = DOCUMENTS[target]
    TARGETS[target](encode(mutate(data, plain)))


@given(data=st.data())
def test_that_any_project_is_read_or_refused(data: st.DataObject) -> None:
    with zipfile.ZipFile(PROJECT) as source:
        parts = {name: json.loads(source.read(name)) for name in source.namelist()}
    chosen = data.draw(st.sampled_from(sorted(parts)))
    parts[chosen] = mutate(data, parts[chosen])
    archive = zipped({name: encode_json(plain) for name, plain in parts.items()})
    TARGETS["project"](archive)


@pytest.mark.parametrize("params", ["[" * 100_000, "1" * 5_000, '{"m": 1e999}', "NaN", '{"m": []}'])
def test_that_deep_and_huge_suggestions_are_refused(params: str, tmp_path: Path) -> None:
    path = tmp_path / "suggestions.csv"
    path.write_bytes(encode_suggestion({"method": "zealous", "params": params, "selection": ""}))
    with pytest.raises(AuditorError):
        suggestion(path)


def test_that_rules_without_an_answer_have_no_precision() -> None:
    plain = FEEDBACK | {"rules": {"confirmed": {"a": 0}, "dismissed": {"a": 0, "b": 2}}}
    feedback = parse_feedback(encode_json(plain))
    assert [row.rule for row in feedback.rules.list_precisions()] == ["b"]


@pytest.mark.parametrize("name", [MANIFEST, EVIDENCE])
@given(data=st.data())
def test_that_any_manifest_and_any_evidence_are_read_or_refused(
    name: str, data: st.DataObject, folder: Path, tmp_path: Path
) -> None:
    copied = tmp_path / "release"
    beside = internal_folder(copied)
    shutil.copytree(folder, copied, dirs_exist_ok=True)
    shutil.copytree(internal_folder(folder), beside, dirs_exist_ok=True)
    path = (copied if name == MANIFEST else beside) / name
    path.write_bytes(encode_json(mutate(data, json.loads(path.read_bytes()))))
    trusted = signing.audit_key().public_key()
    for read in (
        lambda: read_release(copied),
        lambda: verify_release(copied, silent_progress()),
        lambda: review_folder(copied, progress=silent_progress(), audit_key=trusted),
    ):
        try:
            read()
        except AuditorError as error:
            check_message(error)
