"""Day pseudonyms (spec 7, section 4): rows without identifiers, a new id for each user and day.

A record is what one user did on one day; of each row its query, page and day are left.
"""

from collections.abc import Callable

from tests.reference.logs import Row

DAY = 86_400
Record = list[tuple[str, int, str]]
"""Query, day and page of each row."""


def release(rows: list[Row], is_identifier: Callable[[str], bool]) -> list[Record]:
    """The records, in no order, and their rows in that of their texts."""
    records: dict[tuple[str, int], Record] = {}
    for row in rows:
        if row.query.strip() and not is_identifier(row.query):
            day = row.time // DAY
            records.setdefault((row.user, day), []).append((row.query, day, row.url or ""))
    return sorted(sorted(record) for record in records.values())
