"""Frequency threshold (Adar 2007): the rows whose query at least n different users submitted."""

from tests.reference.logs import Row


def release(rows: list[Row], *, n: int) -> list[Row]:
    """The rows that are kept, in their order."""
    users: dict[str, set[str]] = {}
    for row in rows:
        users.setdefault(row.query, set()).add(row.user)
    return [row for row in rows if len(users[row.query]) >= n]
