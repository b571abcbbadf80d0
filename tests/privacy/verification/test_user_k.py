"""The verifier of user k-anonymity on logs made by hand, and on broken ones."""

import pytest

from auditor.errors import ParameterError
from auditor.log.model import QueryLog
from auditor.privacy.verification.user_k import verify_user_k

Row = tuple[str, str, int, str | None, int]
PAIR: list[Row] = [
    (user, query, time, "http://a.com" if time else None, 2 if time else -1)
    for user in ("ann", "bob")
    for query, time in (("x", 0), ("x", 0), ("y", 7))
]


def log_of(rows: list[Row]) -> QueryLog:
    user, query, time, url, rank = zip(*rows, strict=True)
    return QueryLog.from_columns(user=user, query=query, time=time, url=url, rank=rank)


def test_that_equal_records_pass_in_any_order_within_a_second() -> None:
    rows: list[Row] = [("a", "x", 1, None, -1), ("a", "y", 1, None, -1)]
    rows += [("b", "y", 1, None, -1), ("b", "x", 1, None, -1)]
    verdict = verify_user_k(log_of(rows), 2)
    assert verdict.holds
    assert (verdict.smallest, verdict.groups) == (2, 1)


@pytest.mark.parametrize(
    "last",
    [
        [("bob", "z", 7, "http://a.com", 2)],
        [("bob", "y", 8, "http://a.com", 2)],
        [("bob", "y", 7, "http://b.com", 2)],
        [("bob", "y", 7, None, 2)],
        [("bob", "y", 7, "http://a.com", 3)],
        [PAIR[-1], ("bob", "x", 0, None, -1)],
    ],
)
def test_that_one_changed_or_repeated_event_fails_both_users(last: list[Row]) -> None:
    assert verify_user_k(log_of(PAIR), 2).holds
    verdict = verify_user_k(log_of([*PAIR[:-1], *last]), 2)
    assert verdict.names == ("ann", "bob")
    assert verdict.smallest == 1


def test_that_a_log_of_nobody_holds_and_k_must_make_sense() -> None:
    assert verify_user_k(QueryLog.from_columns(user=[], query=[], time=[]), 5).holds
    with pytest.raises(ParameterError, match="at least 1"):
        verify_user_k(log_of(PAIR), 0)
