"""What the ledger says before a release is written: other releases, and private choices."""

import multiprocessing
import queue
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import auditor
from auditor.__main__ import main
from auditor.engine.events import ExpectedOutcome
from auditor.engine.plan import Plan
from auditor.engine.runner import Runner
from auditor.errors import ExportRefused
from auditor.log.model import QueryLog
from auditor.log.writing import write_log
from auditor.methods.registry import METHODS
from auditor.methods.statements import NO_OTHER_RELEASE, ONE_DRAW
from auditor.privacy.randomness import SecureRandomness
from auditor.privacy.selection import ParameterSelection
from auditor.privacy.statement import Assumption, Statement
from auditor.progress import silent_progress
from auditor.release import approval, signing
from auditor.release.ledger import store
from auditor.release.ledger.history import ledger_history
from auditor.release.ledger.other_releases import decide_assumptions, decide_before_run
from auditor.release.ledger.private_choices import PrivateChoices
from auditor.release.manifest import read_manifest
from tests.methods.logs import log_of, random_rows
from tests.narrowing import present
from tests.release.judging import EVERY_CHECK

QUIET = silent_progress()

pytestmark = pytest.mark.usefixtures("quick_pages")

LOG = log_of(random_rows())
SKIPPED = [word for name in EVERY_CHECK for word in ("--skip", name)]
PARTITIONS = {"epsilon": 1.0, "delta": 1e-6}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "log.tsv"
    write_log(LOG, path)
    return path


def stated(method: str) -> Statement:
    params = METHODS[method].params()
    return METHODS[method].run(LOG, params, rng=SecureRandomness(), progress=QUIET).statement


def enter(digest: str, path: Path | None = None) -> None:
    """Enter an approved release of the log with this digest."""
    with store.open_for_append(path or store.ledger_path()) as writer:
        writer.append(
            {"kind": store.APPROVED, "release": f"of {digest}", "log": {"digest": digest}}
        )


def break_ledger() -> None:
    path = store.ledger_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("no ledger")


def other_release(statement: Statement) -> Assumption:
    """What a statement says of other releases."""
    return next(item for item in statement.assumptions if item.name == NO_OTHER_RELEASE)


def decided(method: str) -> Assumption:
    return other_release(decide_before_run(stated(method), LOG.digest))


def statuses_of(statement: dict[str, Any]) -> dict[str, str]:
    """How each assumption of a statement stands, as plain data."""
    return {row["name"]: row["status"] for row in statement["assumptions"]}


def read_statuses(folder: Path) -> dict[str, str]:
    return statuses_of(read_manifest(folder)["statement"])


@pytest.mark.parametrize(
    ("method", "status"),
    [
        ("safelog", "holds"),
        ("korolova", "holds"),
        ("zealous", "holds"),
        ("k-delta", "fails"),
        ("microaggregation", "fails"),
    ],
)
def test_that_budgets_add_up_beside_another_release_and_groups_do_not(
    method: str, status: str
) -> None:
    """An empty ledger and one of other logs hold for both."""
    before = other_release(stated(method))
    assert (before.status, "ledger" in before.evidence) == ("unknown", True)
    assert decided(method).status == "holds"
    enter("another log's")
    assert decided(method).status == "holds"
    enter(LOG.digest)
    item = decided(method)
    assert item.status == status
    assert "other releases of it" in item.evidence


def test_that_a_ledger_nobody_can_read_decides_nothing() -> None:
    break_ledger()
    item = decided("safelog")
    assert (item.status, item.evidence) == ("unknown", "the ledger of this account can't be read")


def test_that_other_assumptions_stay_as_they_are() -> None:
    statement = stated("token-hashing")
    assert decide_before_run(statement, LOG.digest).assumptions == statement.assumptions
    groups = stated("k-delta")
    result = decide_before_run(groups, LOG.digest)
    changed = {*groups.assumptions} ^ {*result.assumptions}
    assert {item.name for item in changed} == {NO_OTHER_RELEASE}
    budget = stated("safelog")
    after = decide_before_run(budget, LOG.digest).assumptions
    changed = {*budget.assumptions} ^ {*after}
    assert {item.name for item in changed} == {NO_OTHER_RELEASE, ONE_DRAW}
    assert {item.name for item in after if item.decided} == {NO_OTHER_RELEASE, ONE_DRAW}
    unknown = {item.name for item in after if item.status == "unknown"}
    assert NO_OTHER_RELEASE not in unknown


@pytest.mark.parametrize(("released", "status"), [(False, "holds"), (True, "fails")])
def test_that_what_a_slider_or_an_audit_shows_is_decided_by_the_ledger(
    released: bool, status: str
) -> None:
    if released:
        enter(LOG.digest)
    events: queue.Queue[object] = queue.Queue()
    runner = Runner(events.put, settle=decide_before_run)
    plan = Plan(log_digest=LOG.digest, method="k-delta", params=METHODS["k-delta"].params())
    runner.preview(plan, LOG, 1.0)
    outcome = events.get(timeout=60)
    runner.close()
    assert isinstance(outcome, ExpectedOutcome)
    assert other_release(outcome.outlook.statement).status == status
    assert not (store.data_folder() / signing.AUDIT_KEY).exists()  # looking makes no key
    run = auditor.audit(LOG, "k-delta", skip=EVERY_CHECK)  # writes nothing, and is decided, too
    assert run.statement is run.release.statement
    assert other_release(run.release.statement).status == status


def test_that_an_audit_asks_the_ledger_that_was_named(
    file: Path, tmp_path: Path, call: Any
) -> None:
    """Another ledger holds a release of the log; the usual one doesn't."""
    named, out = tmp_path / "ledger.sqlite", tmp_path / "release"
    enter(auditor.read_log(file).digest, named)
    words = ["audit", file, "--method", "k-delta", "--no-pdf", *SKIPPED]
    _, output = call(*words, "--out", out, "--ledger", named)
    for statuses in (statuses_of(output["statement"]), read_statuses(out)):
        assert statuses[NO_OTHER_RELEASE] == "fails"


def test_that_what_the_command_line_prints_of_a_preview_is_decided(
    file: Path, tmp_path: Path, answer: Any
) -> None:
    words = ["anonymize", file, "--method", "safelog", "--preview-seed", "1"]
    output = answer(*words, "--out", tmp_path / "preview")
    assert statuses_of(output["statement"])[NO_OTHER_RELEASE] == "holds"


# Every release that is written


def write(folder: Path, log: QueryLog = LOG, **values: Any) -> Path:
    run = auditor.audit(log, "partition-selection", skip=EVERY_CHECK, **(PARTITIONS | values))
    return auditor.save(run, log, folder, overwrite=True)


def test_that_releases_which_nobody_approved_leave_the_others_unknown(tmp_path: Path) -> None:
    assert read_statuses(write(tmp_path / "first"))[NO_OTHER_RELEASE] == "holds"
    second = read_statuses(write(tmp_path / "second", epsilon=2.0))
    assert second[NO_OTHER_RELEASE] == "unknown"


def test_that_every_draw_that_nobody_approved_counts_whatever_its_parameters(
    tmp_path: Path,
) -> None:
    """A parameter that changes next to nothing hides no draw, nor does writing over it."""
    folder = tmp_path / "release"
    for number, epsilon in enumerate((1.0, 1.0, 1.000001)):
        assert read_statuses(write(folder, epsilon=epsilon))[ONE_DRAW] == "unknown"
        text = decide_draw()
        assert ("1 draw more" if not number else f"{number + 1} draws more") in text
    approve(folder)
    assert "2 draws" in decide_draw()


def decide_draw() -> str:
    """What the ledger says of one draw more of the log."""
    state = store.read_ledger(store.ledger_path())
    history = ledger_history(state, LOG.digest)
    return decide_assumptions("differential privacy", history)[ONE_DRAW][1]


def test_that_a_log_of_a_few_rows_less_is_the_same_log(tmp_path: Path) -> None:
    keep = np.ones(len(LOG), dtype=np.bool_)
    keep[::97] = False
    write(tmp_path / "first")
    part = read_statuses(write(tmp_path / "second", LOG.rows(keep)))
    assert (part[NO_OTHER_RELEASE], part[ONE_DRAW]) == ("unknown", "unknown")


def test_that_a_release_which_can_not_be_entered_is_not_written(tmp_path: Path) -> None:
    break_ledger()
    with pytest.raises(ExportRefused):
        write(tmp_path / "release")
    assert not (tmp_path / "release").exists()


def test_that_approving_and_verifying_decide_again(tmp_path: Path, answer: Any, call: Any) -> None:
    first, second = write(tmp_path / "first"), write(tmp_path / "second", epsilon=0.5)
    state = store.read_ledger(store.ledger_path())
    waiting = approval.review_folder(first, progress=QUIET)
    assert waiting.decide_assumptions(state)[NO_OTHER_RELEASE][0] == "unknown"
    facts = approve(first)
    unknown = dict.fromkeys((NO_OTHER_RELEASE, ONE_DRAW), "unknown")
    assert statuses_of(facts) == unknown
    signed = read_manifest(first)["approval"]
    assert {tuple(sorted(row)) for row in signed["assumptions"]} == {("at", "name", "status")}
    assert answer("verify", first)["assumptions_now"] == unknown
    approve(second)
    now = answer("verify", first)["assumptions_now"]
    assert now[NO_OTHER_RELEASE] == "holds"  # its sum counts both
    other = tmp_path / "other.sqlite"
    with store.open_for_append(other):
        pass
    assert call("verify", first, "--ledger", other)[0] == 2


@pytest.mark.parametrize("approved", [False, True])
def test_that_a_synthetic_log_is_verified_by_the_ledger_of_the_release_it_was_made_from(
    tmp_path: Path, answer: Any, call: Any, approved: bool
) -> None:
    source, target, other = (tmp_path / name for name in ("source", "made", "other.sqlite"))
    write(source)
    if approved:
        approve(source)
    call("synthesize-release", source, "--out", target)
    path = store.ledger_path()
    (entry,) = store.read_ledger(path).written
    with store.open_for_append(other):
        pass
    output = answer("verify", target, "--ledger", path)
    assert output["source"] == entry.body["release"]
    assert output["assumptions_now"][NO_OTHER_RELEASE] == "holds"
    code, message = call("verify", target, "--ledger", other)
    assert code == 2
    assert "synthetic" in message
    assert entry.body["release"] in message


def approve(folder: Path) -> dict[str, Any]:
    waiting = approval.review_folder(folder, progress=QUIET)
    state = store.read_ledger(store.ledger_path())
    key = folder.parent / "key.pem"
    if not key.exists():
        signing.new_key(key)
    return approval.sign_folder(
        waiting,
        reviewer="A. Reviewer",
        key=signing.private_key(key),
        overrides=dict.fromkeys(waiting.list_blocking(state, {}), "for this test"),
        progress=QUIET,
    )


# What was spent on choosing parameters, by several programs at once


def choice(epsilon: float, method: str = "set-union") -> dict[str, Any]:
    return {"epsilon": epsilon, "method": method}


def keep_in_process(path: Path, search: str) -> None:
    PrivateChoices(path).keep_answer(LOG, search, choice(0.5, search), QUIET)


def test_that_searches_of_several_programs_all_count(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=keep_in_process, args=(path, f"{n}")) for n in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert PrivateChoices(path).sum_spent(LOG, QUIET) == (1.5, 3)


def test_that_the_same_search_is_answered_once_and_pays_once(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    first, second = PrivateChoices(path), PrivateChoices(path)
    assert first.find_answer(LOG, "search") is None
    assert second.find_answer(LOG, "search") is None  # both begin to search
    assert first.keep_answer(LOG, "search", choice(0.5), QUIET) == (choice(0.5), 0.5, 1)
    reply, spent, count = second.keep_answer(LOG, "search", choice(0.5, "zealous"), QUIET)
    assert (reply["method"], spent, count) == ("set-union", 0.5, 1)
    assert second.find_answer(LOG, "search") == choice(0.5)


def test_that_a_log_of_a_row_less_has_spent_the_same(tmp_path: Path) -> None:
    choices = PrivateChoices(tmp_path / "ledger.sqlite")
    choices.keep_answer(LOG, "search", choice(0.5), QUIET)
    part = LOG.rows(np.arange(len(LOG)) > 0)
    assert part.digest != LOG.digest
    assert choices.find_answer(part, "search") is None
    assert choices.sum_spent(part, QUIET) == (0.5, 1)
    other = log_of([("a", "something else", 5, None)])
    assert choices.sum_spent(other, QUIET) == (0.0, 0)


def test_that_a_selection_from_a_file_costs_what_was_spent_by_now(tmp_path: Path) -> None:
    choices = PrivateChoices(tmp_path / "ledger.sqlite")
    filed = ParameterSelection("private", 0.5, candidates=7)
    assert choices.update_selection(filed, LOG) == filed  # of another account
    for search in "abc":
        choices.keep_answer(LOG, search, choice(0.5), QUIET)
    updated = present(choices.update_selection(filed, LOG))
    assert (updated.epsilon, updated.searches, updated.candidates) == (1.5, 3, 7)
    by_hand = present(choices.update_selection(None, LOG))
    assert (by_hand.epsilon, by_hand.searches) == (1.5, 3)


def test_that_the_ledger_names_what_choices_cost_though_nothing_was_released(
    tmp_path: Path, answer: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "ledger.sqlite"
    PrivateChoices(path).keep_answer(LOG, "search", choice(0.5), QUIET)
    assert main(["ledger", "--ledger", str(path)]) == 0
    assert "1 private choice of parameters on this log cost ε = 0.5" in capsys.readouterr().out
    PrivateChoices(path).keep_answer(LOG, "other", choice(0.25), QUIET)
    (log,) = answer("ledger", "--ledger", path)["logs"]
    assert log["private_choices"] == {"count": 2, "epsilon": 0.75}
    assert (log["digest"], log["entries"]) == (LOG.digest, [])


@pytest.mark.parametrize("verb", ["anonymize", "audit"])
def test_that_parameters_set_by_hand_after_a_private_choice_keep_its_cost(
    tmp_path: Path, answer: Any, verb: str
) -> None:
    file = tmp_path / "log.tsv"
    write_log(LOG, file)
    words = [verb, file, "--method", "set-union", "--out", tmp_path / "o", "--dry-run"]
    alone = answer(*words)["statement"]["epsilon"]
    log = auditor.read_log(file)
    PrivateChoices(store.ledger_path()).keep_answer(log, "search", choice(0.5), QUIET)
    assert answer(*words)["statement"]["epsilon"] == pytest.approx(alone + 0.5)
    run = auditor.audit(log, "set-union", skip=EVERY_CHECK)
    assert run.release.statement.epsilon == pytest.approx(alone + 0.5)


def test_that_a_run_before_a_later_search_is_not_written_as_if_there_was_none(
    tmp_path: Path,
) -> None:
    choices = PrivateChoices(store.ledger_path())
    choices.keep_answer(LOG, "first", choice(0.5), QUIET)
    selection = ParameterSelection("private", 0.5, candidates=7)
    values: dict[str, Any] = {"skip": EVERY_CHECK, "selection": selection, "epsilon": 1.0}
    run = auditor.audit(LOG, "partition-selection", **values)
    assert run.release.statement.epsilon == pytest.approx(1.5)
    choices.keep_answer(LOG, "second", choice(0.5), QUIET)
    with pytest.raises(ExportRefused, match="cost ε = 1 by now"):
        auditor.save(run, LOG, tmp_path / "release")
    run = auditor.audit(LOG, "partition-selection", **values)
    assert run.release.statement.epsilon == pytest.approx(2.0)
    assert auditor.save(run, LOG, tmp_path / "release").is_dir()
