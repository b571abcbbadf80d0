"""The audit is audited: broken methods are refuted, whole ones are not, and the page says so."""

import pytest

from tests.attacks.dp_audit.mutants import CASES, EXTRA_CASES
from tests.tables import mutation, table
from tests.tables.mutation import AuditedCase


def test_that_a_threshold_on_events_is_refuted_with_few_runs() -> None:
    (case,) = (case for case in EXTRA_CASES if case.name.startswith("threshold on events"))
    assert case.audit(2, runs=400, copies=0).details["refuted"]


def test_that_a_missing_limit_is_found_where_a_user_is_far_over_it() -> None:
    """Without such users nothing of it shows: it is they who do."""
    case = EXTRA_CASES[0]
    details = case.audit(3, runs=200, copies=0).details
    beyond = {"unseen-beyond", "queries-beyond-first", "queries-beyond"}
    above = {
        name
        for name, look in details["bounds"].items()
        if look["epsilon"] == "infinite" or look["epsilon"] > details["claimed_epsilon"]
    }
    assert details["refuted"]
    assert "unseen-beyond" in above
    assert above <= beyond


def test_that_a_missing_limit_of_days_is_found_by_a_user_of_many_weeks() -> None:
    (case,) = (case for case in CASES if case.name == "limit of days removed")
    details = case.audit(4, runs=100, copies=0).details
    assert details["refuted"]
    assert float(details["bounds"]["unseen-days"].get("impossible", 0.0)) > 0.01


@pytest.mark.parametrize("method", ["safelog", "set-union", "partition-selection"])
def test_that_a_limit_in_each_group_is_refuted_by_a_user_of_several_groups(method: str) -> None:
    by_group = [case for case in CASES if "group_by" in case.values and case.method == method]
    broken, whole = by_group
    assert (broken.name, broken.broken, whole.broken) == ("limit in each group", True, False)
    details = broken.audit(5, runs=400, copies=0).details
    assert details["refuted"]
    assert float(details["bounds"]["unseen-beyond"].get("impossible", 0.0)) > 0.01
    assert not whole.audit(5, runs=100, copies=0).details["refuted"]


def test_that_gaussian_noise_is_held_to_the_stated_rho() -> None:
    """What (ε, δ) allows to any method, the noise that a statement names does not."""
    cases = [case for case in CASES if case.method == "set-union"]
    for name, refuted in (("noise ÷ 4", True), ("whole", False)):
        case = next(case for case in cases if case.name == name)
        details = case.audit(2, runs=200, copies=0).details
        (claim,) = (claim for claim in details["claims"] if claim["claim"] == "noise")
        assert (claim["verdict"] == "refuted") == refuted == details["refuted"]


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_that_no_whole_method_is_refuted_and_the_page_has_the_table() -> None:
    audited: list[AuditedCase] = list(mutation.audits())
    assert [row.line() for row in audited if row.wrong] == []
    assert table.is_current(mutation.PAGE, mutation.HEADING, mutation.section(audited)), (
        "run python -m tests.tables mutation --write"
    )
