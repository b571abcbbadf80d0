"""Earlier releases of a log, and what they leave of a policy's ε and δ."""

import math

import pytest

from auditor.log.synthetic.generator import synthesize_log
from auditor.methods.noisy_counts.period_units import (
    DAY,
    HISTORY,
    describe_neighbours,
    describe_unit,
)
from auditor.methods.statements import EXCHANGED, NEIGHBOURS, UNIT
from auditor.privacy.statement import Statement
from auditor.release.ledger.history import LedgerHistory
from auditor.release.ledger.store import LedgerEntry
from auditor.release.ledger.totals import SpentBudget, to_plain
from auditor.release.record import ReleaseRecord
from auditor.suggestions.limits import EarlierReleases, PolicyLimits
from auditor.suggestions.result import Suggestions
from tests.narrowing import present
from tests.suggestions.searches import parse_gates, search

POLICY = parse_gates(
    "epsilon statement.epsilon most=8",
    "total ledger.epsilon most=10",
    "total-delta ledger.delta_users most=0.1",
    "queries release.queries least=2",
)
USERS = 1_000


def made_before(*spent: tuple[float, float, str], unit: str = UNIT) -> EarlierReleases:
    plain = [
        to_plain(SpentBudget("set-union", unit, neighbours, epsilon, delta))
        for epsilon, delta, neighbours in spent
    ]
    entries = tuple(
        LedgerEntry(number, "", "", {"kind": "approved", **body})
        for number, body in enumerate(plain, start=1)
    )
    return EarlierReleases(LedgerHistory("digest", entries, sampled=True))


def test_that_what_was_spent_is_taken_off() -> None:
    earlier = made_before((3.0, 2e-5, NEIGHBOURS), (1.5, 1e-5, NEIGHBOURS))
    limits = PolicyLimits.of(POLICY, USERS, earlier=earlier)
    assert limits.epsilon == pytest.approx(5.5)
    assert limits.delta == pytest.approx(1e-4 - 3e-5)
    zealous = limits.of_method("zealous")  # whoever is exchanged has left and come
    assert zealous.epsilon == pytest.approx(10 - 2 * 4.5)
    each = 2e-5 * (1 + math.exp(3.0)) + 1e-5 * (1 + math.exp(1.5))
    assert zealous.delta == pytest.approx(max(1e-4 - each, 0))


@pytest.mark.parametrize("kinds", [(False,), (True,), (False, True)])
@pytest.mark.parametrize("unit", [HISTORY, DAY])
@pytest.mark.parametrize("method", ["set-union", "zealous"])
def test_that_what_is_left_fits_the_total(kinds: tuple[bool, ...], unit: str, method: str) -> None:
    """A release that takes all that is left adds up to the policy's total, and no further."""
    earlier = made_before(
        *((1.2, 1e-6, describe_neighbours(unit, exchanged=kind)) for kind in kinds),
        unit=describe_unit(unit),
    )
    exchanged = method == "zealous"
    epsilon, delta = earlier.compute_remaining(10.0, 1e-4, exchanged=exchanged)
    neighbours = EXCHANGED if exchanged else NEIGHBOURS
    statement = Statement(
        "differential privacy", "", UNIT, neighbours, epsilon=epsilon, delta=delta
    )
    total = earlier.add_release(ReleaseRecord(statement, method=method))
    assert not isinstance(total, str)
    assert total.find_figure("epsilon", {HISTORY: USERS})[0] == pytest.approx(10.0)
    assert total.find_figure("delta", {HISTORY: USERS})[0] == pytest.approx(1e-4)


def test_that_a_search_stays_within_what_is_left_and_says_so() -> None:
    log = synthesize_log(USERS, days=20, seed=4).log

    def search_after(*spent: tuple[float, float, str]) -> Suggestions:
        earlier = made_before(*spent) if spent else None
        return search(log, policy=POLICY, methods=("set-union",), earlier=earlier)

    first = present(search_after().best)
    result = search_after((5.0, 1e-6, NEIGHBOURS))
    best = present(result.best)
    assert first.statement.epsilon == pytest.approx(8.0)
    assert best.statement.epsilon == pytest.approx(5.0)
    assert best.verdict.kept.queries is not None
    assert best.utility < first.utility
    assert "5 is left for this one" in result.text()
    assert any("ε of all releases together ≤ 10 binds" in line for line in best.reasons)
    assert "earlier_releases" in result.to_dict()
    exhausted = search_after((10.0, 1e-6, NEIGHBOURS))
    assert exhausted.best is None
    assert exhausted.obstacle is not None
    assert "0 is left for this one" in exhausted.text()
