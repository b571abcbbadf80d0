"""Entity allowlist (spec 7, section 4): rows whose every entity enough users used, by day.

Entities are words, but for the names in `wholes`, which are one each.
"""

from collections import Counter
from collections.abc import Collection

from tests.reference.logs import Row, histories

DAY = 86_400


def split(query: str, wholes: Collection[str] = ()) -> list[str]:
    """The entities of a query."""
    for name in wholes:
        query = query.replace(name, name.replace(" ", "\0"))
    return [word.replace("\0", " ").lower() for word in query.split()]


def release(
    rows: list[Row], *, k: int, wholes: Collection[str] = (), most_words: int | None = None
) -> Counter[tuple[str, str, int]]:
    """User, query and day of each row that is released, users as they were."""
    used: dict[str, set[str]] = {}
    for row in rows:
        for entity in split(row.query, wholes):
            used.setdefault(entity, set()).add(row.user)
    return Counter(
        (row.user, row.query, row.time // DAY)
        for row in rows
        if row.query.strip()
        and all(len(used[entity]) >= k for entity in split(row.query, wholes))
        and (most_words is None or len(row.query.split()) <= most_words)
    )


def mini_sessions(rows: list[Row], *, searches: int | None, gap: int | None) -> int:
    """How many ids the rows stand under: days, cut at pauses and after so many searches."""
    ids = 0
    for history in histories(rows).values():
        last, query, count = -9 * DAY, "", 0
        for row in history:
            new = row.time // DAY != last // DAY or (gap is not None and row.time - last > gap)
            count += (row.time, row.query) != (last, query)
            if new or (searches is not None and count > searches):
                ids, count = ids + 1, 1
            last, query = row.time, row.query
    return ids
