"""Whom one run exposes and another doesn't: exact over every session, by row of the log."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from auditor.attacks.risk.exposed_sessions import ExposedSessions
from auditor.gui.compare import exposed_panel
from auditor.gui.compare.exposed_panel import BOTH, FIRST, SECOND, ExposureRows, ExposureSide
from auditor.log.model import QueryLog
from auditor.progress import Progress

REASONS = ("person name", "place", "e-mail address")

Span = tuple[int, int, int, int]
"""Start, stop, reason bits and risk in hundredths of a session."""


def log_of(users: int, rows: int) -> QueryLog:
    """`users` users of `rows` rows each."""
    return QueryLog.from_columns(
        user=[str(user) for user in range(users) for _ in range(rows)],
        query=[f"q{row}" for row in range(users * rows)],
        time=[1_000_000 * user + row for user in range(users) for row in range(rows)],
    )


def exposed(spans: list[Span]) -> ExposedSessions:
    columns = np.array(spans, dtype=np.int64).reshape(-1, 4)
    return ExposedSessions.of(columns[:, 0], columns[:, 1], columns[:, 2], columns[:, 3] / 100)


def compared(
    log: QueryLog, a: list[Span], b: list[Span], least: float = 0.0
) -> tuple[ExposureRows, ExposureRows]:
    sides = ExposureSide(exposed(a), REASONS), ExposureSide(exposed(b), REASONS)
    result = exposed_panel.compare_exposure(log, *sides, least, Progress())
    return result.users, result.sessions


@st.composite
def sessions(draw: st.DrawFn) -> list[Span]:
    """Sessions of 6 users with 5 rows each, which neither overlap nor cross users."""
    spans: list[Span] = []
    for user in range(6):
        cuts = sorted(draw(st.sets(st.integers(0, 5), max_size=4)))
        for first, last in zip(cuts[::2], cuts[1::2], strict=False):
            bits, risk = draw(st.integers(1, 7)), draw(st.integers(0, 100))
            spans.append((5 * user + first, 5 * user + last, bits, risk))
    return draw(st.permutations(spans))


@given(sessions(), sessions(), st.sampled_from([0.0, 0.3]))
def test_that_users_and_sessions_are_told_apart_as_by_comparing_each_with_each(
    a: list[Span], b: list[Span], least: float
) -> None:
    log = log_of(6, 5)
    users, flagged = compared(log, a, b, least)
    sides = [[span for span in side if span[3] >= 100 * least] for side in (a, b)]
    whose = [{span[0] // 5 for span in side} for side in sides]
    for code, where, reason, risk, count in zip(
        users.user, users.side, users.reason.T, users.risk.T, users.sessions.T, strict=True
    ):
        assert where == sum(bit for bit, side in ((1, whose[0]), (2, whose[1])) if code in side)
        for side in (0, 1):
            mine = [span for span in sides[side] if span[0] // 5 == code]
            assert count[side] == len(mine)
            assert reason[side] == int(np.bitwise_or.reduce([s[2] for s in mine] or [0]))
            assert np.isclose(risk[side], max((s[3] for s in mine), default=0) / 100)
    assert set(users.user.tolist()) == whose[0] | whose[1]
    codes = {
        (int(x), int(y)): int(w)
        for x, y, w in zip(flagged.start, flagged.stop, flagged.side, strict=True)
    }
    for start, stop, *_ in sides[0]:
        met = any(s < stop and start < e for s, e, *_ in sides[1])
        assert codes[start, stop] == (BOTH if met else FIRST)
    lonely = {(s, e) for s, e, *_ in sides[1] if not any(x < e and s < y for x, y, *_ in sides[0])}
    assert {span for span, where in codes.items() if where == SECOND} == lonely
    assert len(codes) == len(sides[0]) + len(lonely)


def test_that_reasons_of_both_sides_stand_beside_each_other_in_words() -> None:
    log = log_of(3, 5)
    sides = (
        ExposureSide(exposed([(0, 5, 3, 50)]), REASONS),
        ExposureSide(exposed([(1, 2, 4, 90), (5, 7, 1, 10)]), REASONS),
    )
    result = exposed_panel.compare_exposure(log, *sides, 0.0, Progress())
    assert result.sessions.side.tolist() == [BOTH, SECOND]
    assert result.first.list_reasons(int(result.sessions.reason[0, 0])) == ["person name", "place"]
    assert result.second.list_reasons(int(result.sessions.reason[1, 0])) == ["e-mail address"]
    assert result.sessions.sessions.tolist() == [[1, 0], [1, 1]]


def test_that_lines_are_listed_by_what_somebody_wants() -> None:
    log = log_of(4, 5)
    users, _ = compared(log, [(0, 1, 1, 20), (5, 6, 2, 90)], [(5, 6, 1, 10), (15, 16, 1, 99)])
    every = (FIRST, SECOND, BOTH)
    assert exposed_panel.select_lines(users, every, "risk", True).tolist() == [2, 1, 0]
    assert exposed_panel.select_lines(users, every, "log", False).tolist() == [0, 1, 2]
    assert exposed_panel.select_lines(users, (FIRST,), "risk", True).tolist() == [0]
    assert exposed_panel.select_lines(users, every, "risk 2", True).tolist() == [2, 1, 0]
    assert exposed_panel.select_lines(users, every, "log", False, user=1).tolist() == [1]
    assert users.count(BOTH) == users.count(FIRST) == users.count(SECOND) == 1
    users, flagged = compared(log_of(1, 1), [], [])
    assert len(users) == len(flagged) == 0
    assert exposed_panel.select_lines(users, (FIRST,), "where", False).tolist() == []
