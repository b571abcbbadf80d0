"""A run while it waits, is made again, fails and ends."""

from __future__ import annotations

import pytest

from auditor.engine.plan import Plan
from auditor.engine.run import Run
from auditor.errors import MissingInput
from auditor.figures import MetricValue
from auditor.measures.base import MeasureResult
from auditor.methods.registry import METHODS

PLAN = Plan(log_digest="", method="zealous", params=METHODS["zealous"].params())


def measured(number: float) -> MeasureResult:
    value = MetricValue("rows", "rows", number)
    return MeasureResult(measure="volume", params={}, values=(value,))


def test_that_a_run_that_fails_when_it_is_made_again_keeps_what_it_had() -> None:
    run = Run(PLAN, measures=(measured(1.0),), seconds={"zealous": 2.0}, letter="A")
    run.begin_again()
    assert run.active
    assert run.outcome is not None
    assert [value.value for value in run.values] == [1.0]
    run.add_part(measured(7.0))
    assert [value.value for value in run.values] == [1.0]  # not yet finished
    run.end("failed", "It failed.")
    assert (run.state, run.message, run.reopened) == ("finished", "It failed.", True)
    assert run.outcome is run
    assert [value.value for value in run.values] == [1.0]


def test_that_a_run_that_never_finished_has_no_outcome() -> None:
    run = Run(PLAN, letter="B", state="running")
    run.add_part(measured(1.0))
    assert run.values == ()
    run.end("cancelled")
    assert (run.state, run.measures, run.outcome) == ("cancelled", (), None)
    with pytest.raises(MissingInput, match="Run it again"):
        _ = run.release


def test_that_a_finished_run_takes_the_engines_results_and_keeps_its_own_name() -> None:
    run = Run(PLAN, number=3, letter="C", name="careful", state="running")
    run.finish(Run(PLAN, measures=(measured(5.0),), skipped={"dp-audit": "was left out"}))
    assert (run.number, run.letter, run.name, run.state) == (3, "C", "careful", "finished")
    assert run.skipped == {"dp-audit": "was left out"}
    taken = run.copy()
    run.begin_again()
    assert taken.state == "finished"  # what a thread was given stays as it was
