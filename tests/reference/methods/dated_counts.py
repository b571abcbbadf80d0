"""Tables by date, as far as the noise leaves them determined.

Each user counts once for each of their first q_f different queries of a day, on their first d days
with a search. Each (day, query) count gets noise and is shown from a threshold on. One user more
changes q_f·d counts at most, by one each; truncated geometric noise on −k … k for so many counts is
that of `partition_selection`, and is shown from k + 1 on.
"""

from datetime import UTC, datetime

from tests.reference.logs import Row, histories
from tests.reference.methods.counting import cut

Cell = tuple[str, str]


def users_of(rows: list[Row], q_f: int, days: int) -> dict[Cell, int]:
    """Users of each (day, query) within the limits."""
    counts: dict[Cell, int] = {}
    for history in histories(rows).values():
        by_day: dict[str, list[Row]] = {}
        for row in history:
            day = datetime.fromtimestamp(row.time, UTC).date().isoformat()
            by_day.setdefault(day, []).append(row)
        for day in sorted(by_day)[:days]:
            for query in {row.query for row in cut(by_day[day], q_f, "users")}:
                counts[day, query] = counts.get((day, query), 0) + 1
    return counts
