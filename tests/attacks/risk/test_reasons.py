"""Reasons of a session: which are shown, identifiers in clicked addresses, and names that recur."""

from functools import partial
from typing import Any

import numpy as np
import pytest

import auditor
from auditor.attacks.detection.kinds import EntityKind
from auditor.attacks.risk import reasons as why
from auditor.attacks.surviving_content.attack import ATTACK
from auditor.log.model import QueryLog
from tests.attacks.attacked import findings, judge, run_attack, value
from tests.measures.fakes import log_in_order, log_of
from tests.narrowing import present

NAME, ALONE = why.LABELS[why.NON_STAR], why.LABELS[why.UNIQUE]
LOOKED_UP = "private person's name that is looked up"


def test_that_the_one_that_decided_stands_first_and_three_at_most() -> None:
    assert (
        why.main_reasons(["politics", "health", "sexuality", "crime"], decided=True)[0]
        == "politics"
    )
    reasons = why.main_reasons(list(why.LABELS))
    assert len(reasons) == why.MOST_SHOWN
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
def test_that_the_reason_that_says_more_is_shown(reasons: list[str], shown: list[str]) -> None:
    assert why.main_reasons(reasons) == shown


def find_reasons(*queries: str) -> list[str]:
    """What is shown of the only session of a user among others who search for harmless things."""
    others = (("ben", "weather"), ("cleo", "news"))
    log = log_in_order(*(("anna", query) for query in queries), *others)
    findings = present(auditor.attack("surviving-content", log, min_risk=0.05).findings)
    assert len(findings) == 1
    return why.main_reasons(findings.list_reasons(0), decided=True)


def test_that_somebody_whom_people_consult_is_no_secret_acquaintance() -> None:
    consulted = find_reasons("dr brenda kowalczyk oncologist", "breast cancer symptoms")
    assert consulted[0] == "professional's name and a revealing term"
    assert "consult" in why.explain_reason(consulted[0])
    secret = find_reasons("brenda kowalczyk", "breast cancer symptoms")
    assert "private person's name and a revealing term" in secret
    both = find_reasons("dr brenda kowalczyk", "karen lindqvist", "breast cancer symptoms")
    assert not any(reason.startswith("professional") for reason in both)


HOUR = 3600
CLICKED = why.LABELS[why.CLICKED]
AGAIN = why.LABELS[why.REPEATED]
EMAIL = EntityKind.EMAIL.label
ACCOUNT = EntityKind.USER_ID.label
MAIL = "http://example.org/form?mail=jane.roe%40example.com"


attack = partial(run_attack, ATTACK)


def clicks(*rows: tuple[str, str, str | None]) -> QueryLog:
    """One row a second for each (user, query, address)."""
    return log_of([(user, query, place, url) for place, (user, query, url) in enumerate(rows)])


LOG = clicks(
    ("ann", "guest book", MAIL),
    ("ann", "guest book", MAIL),
    ("bob", "weather", "http://example.org/weather?day=20060301"),
    ("cid", "maps", "http://example.org/page?friendid=33158762"),
)


def test_that_an_identifier_in_a_clicked_address_flags_its_session() -> None:
    sessions = findings(attack(LOG))
    reasons = {user: reasons for user, (_, reasons) in judge(LOG, sessions).items()}
    assert reasons == {"ann": [EMAIL, CLICKED], "cid": [ACCOUNT, CLICKED]}
    assert sessions.flagged.tolist() == [1, 1]  # clicked twice, one string
    assert sessions.reason.dtype == np.uint64


def test_that_addresses_count_only_where_they_are_looked_for_and_name_one_user() -> None:
    wanted: tuple[dict[str, Any], ...] = (
        {"addresses": False}, {"rules": "source"}, {"email": False, "user_id": False}
    )  # fmt: skip
    assert [len(findings(attack(LOG, **params))) for params in wanted] == [0, 0, 0]
    page = "http://example.org/page?friendid=6221"  # a public page, if many users clicked it
    many = clicks(*((f"u{i}", "my page", page) for i in range(12)))
    limits = (10, 13)
    assert [len(findings(attack(many, non_star=n, min_risk=0.1))) for n in limits] == [0, 12]


def test_that_an_address_in_the_release_survives_though_its_query_is_gone() -> None:
    release = clicks(("x", "other", MAIL))
    result = attack(LOG, release)
    sessions = findings(result)
    assert sessions.surviving.tolist() == [1, 0]
    assert value(result, "addresses_flagged") == 2
    assert value(result, "addresses_surviving") == 1
    assert result.rate == 0.5
    gone = attack(LOG, clicks(("x", "guest book", None)))
    assert findings(gone).surviving.tolist() == [0, 0]


def returning(*hours: int, name: str = "wilhelmina hargrove") -> QueryLog:
    rows = [("ann", f"{name} obituary" if n else name, n * HOUR) for n in hours]
    rows += [(f"u{n}", "weather", n) for n in range(5)]
    return log_of(rows)


def test_that_a_private_name_searched_for_in_several_sessions_is_a_reason() -> None:
    def list_again(*hours: int, name: str = "wilhelmina hargrove", **values: Any) -> list[bool]:
        sessions = findings(attack(returning(*hours, name=name), **{"min_risk": 0.05} | values))
        return [AGAIN in sessions.list_reasons(i) for i in range(len(sessions))]

    assert list_again(0, 5) == [True, True]
    assert list_again(0) == [False]
    assert list_again(0, 5, repeated=False) == [False, False]
    assert not any(list_again(0, 5, name="albert einstein", min_risk=0.0))
    again, once = (findings(attack(returning(*h), min_risk=0.05)) for h in ((0, 5), (0,)))
    assert again.risk.min() > once.risk.max()
