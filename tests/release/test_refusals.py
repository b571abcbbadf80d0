"""What no shipped policy lets pass, on real input: too little, too few alike, hashes that open."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import auditor
from auditor.log.model import QueryLog
from auditor.measures.registry import MEASURES
from auditor.release.policy.policy import read_bundled
from auditor.release.verdict import ReleaseState, ReleaseVerdict
from tests.release.judging import all_checks_but, judge_run

EXCITE = Path(__file__).parent.parent / "data" / "excite-small.log"
POLICIES = list(read_bundled().items())


@pytest.fixture(scope="module")
def excite() -> QueryLog:
    return auditor.read_log(EXCITE)


def verdicts(log: QueryLog, method: str, **values: Any) -> dict[str, ReleaseVerdict]:
    """A run with every attack, judged by each of the shipped policies."""
    result = auditor.audit(log, method, skip=[*MEASURES], **values)
    return {name: judge_run(result, log, policy) for name, policy in POLICIES}


def outcome(verdict: ReleaseVerdict) -> dict[str, str]:
    every = (*verdict.failed, *verdict.not_run, *verdict.not_applicable, *verdict.passed)
    return {check.gate.name: check.verdict for check in every}


def test_that_a_release_of_the_empty_string_is_refused(tmp_path: Path, call: Any) -> None:
    lines = EXCITE.read_text(encoding="utf-8").splitlines()
    blank = tmp_path / "blank.log"
    rows = [line for line in lines if not line.split("\t")[2].strip()]
    assert len(rows) == 533
    blank.write_text("\n".join(rows) + "\n", encoding="utf-8")
    words = ["audit", blank, "--format", "excite", "--max-rejected", "1", "--no-pdf"]
    words += ["--method", "token-hashing", "--out", tmp_path / "out"]
    for name in all_checks_but("hash-inversion", "record-linkage"):
        words += ["--skip", name]
    code, facts = call(*words)
    assert (code, facts["verdict"]["state"]) == (1, "nothing-left")
    assert facts["verdict"]["kept"]["queries"] == 0


def test_that_hashes_are_refused_where_a_reference_log_is_at_hand(excite: QueryLog) -> None:
    for name, verdict in verdicts(excite, "token-hashing", reference=excite).items():
        assert verdict.state is ReleaseState.REFUSED
        outcomes = outcome(verdict)
        assert outcomes["inversion"] == outcomes["linkage"] == "failed", name
        assert outcomes["entities"] == ("passed" if "partner" in name else "failed")
        assert verdict.worst is not None
        assert verdict.worst.attack == "hash-inversion"
        assert verdict.worst.rate > 0.7


GROUPS_OF_TWO = [
    ("microaggregation", {"k": 2}),
    ("k-delta", {"k": 2}),
    ("m-k-delta-epsilon", {"k": 5, "m": 2}),
]


@pytest.mark.parametrize(("method", "params"), GROUPS_OF_TWO)
def test_that_groups_of_two_are_refused(
    excite: QueryLog, method: str, params: dict[str, int]
) -> None:
    results = verdicts(excite, method, **params)
    verdict = results["default"]
    assert verdict.state is ReleaseState.REFUSED
    assert outcome(verdict)["k"] == "failed"
    assert verdict.guarantee.k is not None
    assert verdict.guarantee.k < 5
    assert all(not item.releasable for item in results.values())


def test_that_every_shipped_policy_asks_for_content_and_for_attacks() -> None:
    attacks = ("surviving-content", "entity-exposure", "hash-inversion", "record-linkage")
    wanted = {"release.queries", "release.searches_share", "attack.worst.sessions_surviving"}
    wanted |= {f"attack.{attack}.ran" for attack in attacks}
    for name, rules in POLICIES:
        assert wanted <= {gate.figure for gate in rules.checks}, name
    usual = {gate.name for gate in dict(POLICIES)["default"].gates}
    assert usual >= {"epsilon", "delta", "k", "inversion", "linkage", "names", "assumptions"}
