"""Which reasons of a session are shown."""

from __future__ import annotations

import pytest

import auditor
from auditor.attacks.risk.reasons import (
    LABELS,
    MOST_SHOWN,
    NON_STAR,
    UNIQUE,
    explain_reason,
    main_reasons,
)
from tests.measures.fakes import log_in_order

NAME, ALONE = LABELS[NON_STAR], LABELS[UNIQUE]
LOOKED_UP = "private person's name that is looked up"


def test_that_the_one_that_decided_stands_first_and_three_at_most() -> None:
    assert main_reasons(["politics", "health", "sexuality", "crime"], decided=True)[0] == "politics"
    reasons = main_reasons(list(LABELS))
    assert len(reasons) == MOST_SHOWN
    assert ALONE not in reasons


@pytest.mark.parametrize(
    ("reasons", "shown"),
    [
        ([ALONE, "health"], ["health"]),
        ([ALONE], [ALONE]),
        ([], []),
        ([NAME, LOOKED_UP], [LOOKED_UP]),
        ([NAME], [NAME]),
    ],
)
def test_that_what_another_reason_says_better_is_not_shown(
    reasons: list[str], shown: list[str]
) -> None:
    assert main_reasons(reasons) == shown


def find_reasons(*queries: str) -> list[str]:
    """What is shown of the only session of a user among others who search for harmless things."""
    others = (("ben", "weather"), ("cleo", "news"))
    log = log_in_order(*(("anna", query) for query in queries), *others)
    findings = auditor.attack("surviving-content", log, min_risk=0.05).findings
    assert findings is not None
    assert len(findings) == 1
    return main_reasons(findings.list_reasons(0), decided=True)


def test_that_somebody_whom_people_consult_is_no_secret_acquaintance() -> None:
    consulted = find_reasons("dr brenda kowalczyk oncologist", "breast cancer symptoms")
    assert consulted[0] == "professional's name and a revealing term"
    assert "consult" in explain_reason(consulted[0])
    secret = find_reasons("brenda kowalczyk", "breast cancer symptoms")
    assert "private person's name and a revealing term" in secret
    both = find_reasons("dr brenda kowalczyk", "karen lindqvist", "breast cancer symptoms")
    assert all(not why.startswith("professional") for why in both)
