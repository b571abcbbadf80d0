"""The blocked search where nobody has few events."""

from __future__ import annotations

from auditor.methods.microaggregation.groups import MicroaggregationParams, find_groups
from auditor.progress import silent_progress
from tests.methods.logs import log_of


def test_that_users_who_are_all_busy_are_grouped() -> None:
    rows: list[tuple[str, str, int, str | None]] = [
        (f"u{user}", f"q{(user * row) % 7}", row, None) for user in range(13) for row in range(201)
    ]
    params = MicroaggregationParams(k=3, search="blocked", block=12)
    groups = find_groups(log_of(rows), params, silent_progress()).groups
    assert sorted(int(u) for group in groups for u in group) == list(range(13))
