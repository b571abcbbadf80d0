"""Whether nothing else of a log is released is read from the ledger when a release is written."""

from __future__ import annotations

import json
import queue
from pathlib import Path

import pytest

import auditor
from auditor.__main__ import main
from auditor.attacks.registry import ATTACKS
from auditor.engine.events import ExpectedOutcome
from auditor.engine.plan import Plan
from auditor.engine.runner import Runner
from auditor.log.writing import write_log
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS
from auditor.methods.statements import NO_OTHER_RELEASE
from auditor.privacy.randomness import SecureRandomness
from auditor.privacy.statement import Assumption, Statement
from auditor.progress import silent_progress
from auditor.release import signing
from auditor.release.ledger import store
from auditor.release.ledger.other_releases import decide_before_run, decide_other_releases
from tests.methods.logs import log_of, random_rows

LOG = log_of(random_rows())
EVERY_CHECK = [*ATTACKS, *MEASURES]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "log.tsv"
    write_log(LOG, path)
    return path


def stated(method: str) -> Statement:
    params = METHODS[method].params()
    return (
        METHODS[method]
        .run(LOG, params, rng=SecureRandomness(), progress=silent_progress())
        .statement
    )


def enter(digest: str) -> None:
    with store.open_for_append(store.ledger_path()) as writer:
        writer.append({"kind": store.APPROVED, "release": "ab" * 32, "log": {"digest": digest}})


def decided(method: str) -> Assumption:
    found = decide_other_releases(stated(method), LOG.digest)
    return next(one for one in found.assumptions if one.name == NO_OTHER_RELEASE)


@pytest.mark.parametrize("method", ["safelog", "korolova", "zealous", "k-delta"])
def test_that_an_empty_ledger_and_one_of_other_logs_hold(method: str) -> None:
    before = next(one for one in stated(method).assumptions if one.name == NO_OTHER_RELEASE)
    assert (before.status, "ledger" in before.evidence) == ("unknown", True)
    assert decided(method).status == "holds"
    enter("another log's")
    assert decided(method).status == "holds"


@pytest.mark.parametrize(
    ("method", "status"),
    [
        ("safelog", "holds"),
        ("zealous", "holds"),
        ("k-delta", "fails"),
        ("microaggregation", "fails"),
    ],
)
def test_that_budgets_add_up_beside_another_release_and_groups_do_not(
    method: str, status: str
) -> None:
    enter(LOG.digest)
    found = decided(method)
    assert found.status == status
    assert "other releases of it" in found.evidence


def test_that_a_ledger_nobody_can_read_decides_nothing() -> None:
    path = store.ledger_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("no ledger")
    found = decided("safelog")
    assert (found.status, found.evidence) == (
        "unknown",
        "the ledger of this account can't be read",
    )


def test_that_other_assumptions_stay_as_they_are() -> None:
    statement = stated("token-hashing")
    assert decide_other_releases(statement, LOG.digest) is statement
    groups = stated("k-delta")
    found = decide_other_releases(groups, LOG.digest)
    assert [one for one in found.assumptions if one.name != NO_OTHER_RELEASE] == [
        one for one in groups.assumptions if one.name != NO_OTHER_RELEASE
    ]


@pytest.mark.parametrize(("released", "status"), [(False, "holds"), (True, "fails")])
def test_that_what_a_slider_shows_is_decided_by_the_ledger(released: bool, status: str) -> None:
    if released:
        enter(LOG.digest)
    events: queue.Queue[object] = queue.Queue()
    runner = Runner(events.put, settle=decide_before_run)
    plan = Plan(log_digest=LOG.digest, method="k-delta", params=METHODS["k-delta"].params())
    runner.preview(plan, LOG, 1.0)
    outcome = events.get(timeout=60)
    runner.close()
    assert isinstance(outcome, ExpectedOutcome)
    shown = next(
        one for one in outcome.outlook.statement.assumptions if one.name == NO_OTHER_RELEASE
    )
    assert shown.status == status


def test_that_looking_before_a_run_makes_no_key() -> None:
    found = decide_before_run(stated("k-delta"), LOG.digest)
    assert {one.status for one in found.assumptions if one.name == NO_OTHER_RELEASE} == {"holds"}
    assert not (store.data_folder() / signing.AUDIT_KEY).exists()


@pytest.mark.parametrize(("released", "status"), [(False, "holds"), (True, "fails")])
def test_that_an_audit_which_writes_nothing_is_decided_too(released: bool, status: str) -> None:
    if released:
        enter(LOG.digest)
    run = auditor.audit(LOG, "k-delta", skip=EVERY_CHECK)
    assert run.statement is run.release.statement
    shown = next(one for one in run.release.statement.assumptions if one.name == NO_OTHER_RELEASE)
    assert shown.status == status


def test_that_an_audit_asks_the_ledger_that_was_named(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another ledger holds a release of the log; the usual one doesn't."""
    named, out = tmp_path / "ledger.sqlite", tmp_path / "release"
    with store.open_for_append(named) as writer:
        log = {"digest": auditor.read_log(file).digest}
        writer.append({"kind": store.APPROVED, "release": "ab" * 32, "log": log})
    words = ["audit", str(file), "--method", "k-delta", "--json"]
    words += [word for name in EVERY_CHECK for word in ("--skip", name)]
    main([*words, "--out", str(out), "--ledger", str(named)])
    told = json.loads(capsys.readouterr().out)["statement"]["assumptions"]
    written = json.loads((out / "manifest.json").read_text("utf-8"))["statement"]["assumptions"]
    for said in (told, written):
        (found,) = (one for one in said if one["name"] == NO_OTHER_RELEASE)
        assert found["status"] == "fails"


def test_that_what_the_command_line_prints_of_a_preview_is_decided(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["anonymize", str(file), "--method", "safelog", "--preview-seed", "1"]
    assert main([*words, "--out", str(tmp_path / "preview"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["statement"]["assumptions"]
    (found,) = [one["status"] for one in told if one["name"] == NO_OTHER_RELEASE]
    assert found == "holds"
