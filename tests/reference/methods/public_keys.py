"""Counts of public keys (spec 7, section 4), as far as the noise leaves them determined.

A key is an item × a group × a day. Of what one user did on one day (UTC) the first m different keys
count, once each. Every key gets noise, zeros too, and is shown above a threshold. The index divides
by the users of the group, by day where noise allows; the first maximum is 100.
"""

from collections.abc import Callable, Container

from tests.reference.logs import Row, histories

DAY = 86_400
Key = tuple[int, str, str]
"""Day since 1970, group and item."""


def count(
    rows: list[Row],
    group_of: Callable[[Row], str],
    items: Container[str],
    groups: Container[str],
    m: int,
    days: int | None = None,
) -> dict[Key, int]:
    """User-days of each key, of users' first `days` days."""
    counts: dict[Key, int] = {}
    for history in histories(rows).values():
        by_day: dict[int, dict[Key, None]] = {}
        for row in history:
            day, group = row.time // DAY, group_of(row)
            mine = by_day.setdefault(day, {})
            if row.query in items and group in groups:
                mine.setdefault((day, group, row.query))
        for day in sorted(by_day)[:days]:
            for key in list(by_day[day])[:m]:
                counts[key] = counts.get(key, 0) + 1
    return counts


def index(counts: dict[Key, int], users: dict[str, int]) -> dict[Key, float]:
    """Each count over its group's users, the largest 100."""
    rates = {key: count / users[key[1]] for key, count in counts.items()}
    largest = max(rates.values())
    return {key: 100 * rate / largest for key, rate in rates.items()}
