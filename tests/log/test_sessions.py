"""Sessions by gap."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from auditor.log.model import QueryLog
from auditor.log.sessions import find_sessions, session_of_rows
from tests.methods.logs import log_of


def log_at(rows: list[tuple[int, int]]) -> QueryLog:
    return log_of([(str(user), "q", time) for user, time in rows])


def test_that_a_pause_longer_than_the_gap_begins_a_session() -> None:
    log = log_at([(1, 0), (1, 1800), (1, 3601), (2, 3602)])
    assert find_sessions(log).tolist() == [0, 2, 3, 4]
    assert find_sessions(log, gap_seconds=1801).tolist() == [0, 3, 4]
    assert find_sessions(log, gap_seconds=0).tolist() == [0, 1, 2, 3, 4]


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 20_000)), max_size=60),
    st.integers(0, 5000),
)
def test_that_sessions_partition_the_rows_by_user_and_pause(
    rows: list[tuple[int, int]], gap: int
) -> None:
    log = log_at(rows)
    starts = find_sessions(log, gap)
    assert starts[0] == 0
    assert starts[-1] == len(log)
    assert np.all(np.diff(starts) > 0)
    of_row = session_of_rows(starts)
    for row in range(1, len(log)):
        together = log.user[row] == log.user[row - 1] and log.time[row] - log.time[row - 1] <= gap
        assert (of_row[row] == of_row[row - 1]) == together
