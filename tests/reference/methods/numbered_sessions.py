"""Numbered sessions (spec 7, section 2): which rows are kept, and when they stand by order numbers.

A session is what one user did on one day (UTC) without a pause of more than so many minutes. Days
are counted from the first; between sessions of a day lies their shortest pause.
"""

from collections import Counter

from tests.reference.logs import Row, histories

DAY = 86_400


def sessions(rows: list[Row], gap: int) -> list[list[Row]]:
    """Each user's sessions by time."""
    result: list[list[Row]] = []
    for history in histories(rows).values():
        before: Row | None = None
        for row in history:
            if (
                before is None
                or row.time // DAY != before.time // DAY
                or row.time - before.time > 60 * gap
            ):
                result.append([])
            result[-1].append(row)
            before = row
    return result


def kept_rows(rows: list[Row], top: int | None, gap: int) -> list[Row]:
    """Rows of sessions without one of the `top` most frequent queries, or one as frequent."""
    often = Counter(query for query, *_ in {(row.query, row.user, row.time) for row in rows})
    counts = sorted(often.values(), reverse=True)
    least = counts[min(top, len(counts)) - 1] if top else counts[0] + 1
    return [
        row
        for session in sessions(rows, gap)
        if all(often[event.query] < least for event in session)
        for row in session
    ]


def order_times(rows: list[Row], gap: int) -> dict[Row, int]:
    """When each of some rows, none of which stands in one second with another, is released."""
    first = min(row.time for row in rows) // DAY
    ends: dict[tuple[str, int], int] = {}
    times: dict[Row, int] = {}
    for session in sessions(rows, gap):
        day = session[0].user, session[0].time // DAY
        begin = ends.get(day, (day[1] - first) * DAY)
        times |= {row: begin + place for place, row in enumerate(session)}
        ends[day] = begin + len(session) - 1 + 60 * gap + 1
    return times
