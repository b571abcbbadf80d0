"""What was spent on choosing parameters, in a ledger that several programs write at once."""

from __future__ import annotations

import multiprocessing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import auditor
from auditor.__main__ import main
from auditor.errors import ExportRefused
from auditor.log.writing import write_log
from auditor.privacy.selection import ParameterSelection
from auditor.progress import silent_progress
from auditor.release.ledger import store
from auditor.release.ledger.private_choices import PrivateChoices
from tests.methods.logs import log_of, random_rows
from tests.narrowing import present
from tests.release.judging import EVERY_CHECK

LOG = log_of(random_rows())
QUIET = silent_progress()


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


@pytest.mark.usefixtures("quick_pages")
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
