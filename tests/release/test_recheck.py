"""A release held against its log: what was computed from it is computed again."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import auditor
from auditor.errors import ExportRefused
from auditor.log.model import QueryLog
from auditor.progress import silent_progress
from auditor.release import signing
from auditor.release.approval import review_folder
from auditor.release.evidence import public_facts
from auditor.release.manifest import EVIDENCE, MANIFEST, SEAL, internal_folder, to_bytes
from auditor.release.policy.policy import Gate
from auditor.release.record import ReleaseRecord
from auditor.release.verdict import measured_verdict
from tests.release.judging import EVERY_CHECK, policy_of
from tests.release.test_approval import SOME

pytestmark = pytest.mark.usefixtures("quick_pages")

POLICY = policy_of(Gate("formal", "formal", "statement.formal", least=0.0), SOME)
VALUES: dict[str, dict[str, Any]] = {
    "zealous": {"epsilon": 3.0, "m": 5},
    "korolova": {"b": 5.0, "q_f": 5},
    "safelog": {"b": 5.0, "q_f": 5, "pool": "none"},
    "set-union": {"epsilon": 3.0, "q_f": 5},
    "n-grams": {"epsilon": 3.0, "q_f": 5},
    "partition-selection": {"epsilon": 3.0, "q_f": 5},
    "dated-counts": {"epsilon": 3.0, "protected_unit": "week"},
    "microaggregation": {"k": 3},
    "k-delta": {"k": 2},
    "frequency-threshold": {"n": 3},
    "k-theta-affinity": {"k": 3, "w": 3},
    "query-result-threshold": {"k_query": 20, "k_cell": 3},
    "click-pairs": {"k": 3},
    "trends-index": {"T": 2, "sample": 0.9},
}


@pytest.fixture(scope="module")
def log() -> QueryLog:
    """1,500 searches of 60 users; every query has a page, some pages have several queries."""
    chance = np.random.default_rng(7)
    query = chance.integers(0, 40, 1500)
    return QueryLog.from_columns(
        user=[f"u{code}" for code in chance.integers(0, 60, 1500)],
        query=[f"query {code}" for code in query],
        time=chance.integers(0, 864_000, 1500),
        url=[f"page{code // 3}.example" for code in query],
    )


def make_release(method: str, log: QueryLog, folder: Path) -> Path:
    run = auditor.audit(log, method, skip=EVERY_CHECK, policy=POLICY, **VALUES[method])
    return auditor.save(run, log, folder)


def recheck(folder: Path, log: QueryLog | None = None) -> tuple[str, ...]:
    """What was computed again at the review."""
    return review_folder(folder, progress=silent_progress(), log=log).rechecked


def forged(folder: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """Edited by somebody who has the audit key: the seal is no help against her."""
    beside = internal_folder(folder)
    facts = json.loads((beside / EVIDENCE).read_text())
    change(facts)
    verdict = measured_verdict(ReleaseRecord.from_evidence(facts)).to_dict()
    public = to_bytes(public_facts(facts, verdict))
    (folder / MANIFEST).write_bytes(public)
    facts["release"]["manifest_sha256"] = hashlib.sha256(public).hexdigest()
    write_sealed(beside, facts)
    return folder


def write_sealed(beside: Path, facts: dict[str, Any]) -> None:
    data = to_bytes(facts)
    (beside / EVIDENCE).write_bytes(data)
    sealed = signing.sign_bytes(data, signing.audit_key(), signing.AUDIT_PREFIX)
    (beside / SEAL).write_bytes(sealed)


@pytest.mark.parametrize("method", VALUES)
def test_that_a_release_agrees_with_its_log_and_with_no_other(
    log: QueryLog, tmp_path: Path, method: str
) -> None:
    folder = make_release(method, log, tmp_path / "out")
    checks = recheck(folder, log)
    assert checks[0] == "the log's digest"
    assert len(checks) == 2
    with pytest.raises(ExportRefused, match="another log"):
        recheck(folder, log.sample_users(30, 1))


def test_that_users_without_a_query_contradict_nothing(log: QueryLog, tmp_path: Path) -> None:
    users = [log.users[code] for code in log.user.tolist()]
    queries = [log.queries[code] for code in log.query.tolist()]
    more = QueryLog.from_columns(
        user=[*users, "ghost"], query=[*queries, " "], time=[*log.time.tolist(), 0]
    )
    folder = make_release("frequency-threshold", more, tmp_path / "out")
    assert recheck(folder, more)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda plain: plain["statement"].update(epsilon=1.0), "its epsilon is not"),
        (lambda plain: plain["statement"].update(delta=1e-12), "its delta is not"),
        (lambda plain: plain["statement"].update(unit="one event"), "its unit is not"),
        (lambda plain: plain["statement"].update(neighbours="none"), "its neighbours"),
        (lambda plain: plain["params"].update(epsilon=1.0), "its epsilon is not"),
        (lambda plain: plain["params"].update(epsilon=-1.0), "no run of its method"),
        (lambda plain: plain["params"].update(more=1), "no run of its method"),
        (lambda plain: plain["gates"]["figures"].update(users=9_000), "9000 users"),
    ],
)
def test_that_a_claim_which_its_parameters_do_not_give_is_refused(
    log: QueryLog, tmp_path: Path, change: Callable[[dict[str, Any]], None], message: str
) -> None:
    folder = forged(make_release("zealous", log, tmp_path / "out"), change)
    recheck(folder)
    with pytest.raises(ExportRefused, match=message):
        recheck(folder, log)


def test_that_a_manifest_which_says_other_things_than_its_evidence_is_refused(
    log: QueryLog, tmp_path: Path
) -> None:
    folder = make_release("zealous", log, tmp_path / "out")
    manifest, beside = folder / MANIFEST, internal_folder(folder)
    public, facts = (json.loads(p.read_text()) for p in (manifest, beside / EVIDENCE))
    public["statement"]["epsilon"] = 0.1
    manifest.write_bytes(to_bytes(public))
    facts["release"]["manifest_sha256"] = hashlib.sha256(manifest.read_bytes()).hexdigest()
    write_sealed(beside, facts)
    with pytest.raises(ExportRefused, match="says other things than"):
        recheck(folder)


def test_that_an_assumption_that_fails_can_not_be_said_to_hold(
    log: QueryLog, tmp_path: Path
) -> None:
    folder = make_release("zealous", log, tmp_path / "out")

    def change(plain: dict[str, Any]) -> None:
        plain["params"]["threshold"] = "printed"
        plain["params"]["epsilon"] = plain["statement"]["epsilon"]
        for assumption in plain["statement"]["assumptions"]:
            assumption["status"] = "holds"

    forged(folder, change)
    with pytest.raises(ExportRefused, match="contradicts its log"):
        recheck(folder, log)


@pytest.mark.parametrize(
    ("method", "message"), [("microaggregation", "user-k fails"), ("k-delta", "k-delta fails")]
)
def test_that_a_log_that_breaks_its_definition_is_refused(
    log: QueryLog, tmp_path: Path, method: str, message: str
) -> None:
    folder = make_release(method, log, tmp_path / "out")
    data = folder / "log.tsv"
    lines = data.read_text().splitlines(keepends=True)
    data.write_text("".join([*lines, lines[-1].replace(lines[-1].split("\t")[1], "query 1x")]))
    digest = hashlib.sha256(data.read_bytes()).hexdigest()
    forged(folder, lambda plain: plain["files"].update({"log.tsv": digest}))
    with pytest.raises(ExportRefused, match=message):
        recheck(folder, log)


@pytest.mark.parametrize(
    ("method", "changes", "message"),
    [
        ("frequency-threshold", {"n": 59}, "fewer than 59 users"),
        ("k-theta-affinity", {"k": 59, "theta": 1.0}, "users of a stem"),
        ("k-theta-affinity", {"w": 61}, "users of a stem"),
    ],
)
def test_that_a_query_of_too_few_users_is_refused(
    log: QueryLog, tmp_path: Path, method: str, changes: dict[str, Any], message: str
) -> None:
    folder = make_release(method, log, tmp_path / "out")
    forged(folder, lambda plain: plain["params"].update(changes))
    with pytest.raises(ExportRefused, match=message):
        recheck(folder, log)
