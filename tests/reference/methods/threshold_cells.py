"""Cells that enough users are in (spec 7, section 4, methods 1, 6 and 7), by their pages.

Each function gives the released cells with their figures, as the texts that a table has.
"""

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import NamedTuple


class SearchRow(NamedTuple):
    """One row of a log with columns beside it, "" where something is missing."""

    user: str
    query: str
    time: int
    url: str = ""
    rank: str = ""
    country: str = ""
    device: str = ""
    signed_in: str = ""
    results_shown: str = ""


def plain(query: str) -> str:
    """The query without regard to case and white space."""
    return " ".join(query.lower().split())


def day_of(row: SearchRow) -> str:
    return datetime.fromtimestamp(row.time, UTC).date().isoformat()


def week_of(row: SearchRow) -> str:
    date = datetime.fromtimestamp(row.time, UTC).date()
    return (date - timedelta(days=date.weekday())).isoformat()


def searches(rows: list[SearchRow]) -> list[SearchRow]:
    """The first row of each search."""
    return list({(row.user, row.query, row.time): row for row in reversed(rows)}.values())


def query_results(
    rows: list[SearchRow], *, k_query: int, k_cell: int, first: int, begin: int
) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Cells of query, page, country and device; `first` is the first second that is released.

    Users of queries are counted from `begin` until then.
    """
    signed = [row for row in rows if row.signed_in == "yes"]
    users: dict[str, set[str]] = {}
    for row in signed:
        if begin <= row.time < first:
            users.setdefault(plain(row.query), set()).add(row.user)
    cells: dict[tuple[str, ...], list[SearchRow]] = {}
    for row in signed:
        if row.url and row.time >= first and len(users.get(plain(row.query), ())) >= k_query:
            cells.setdefault((plain(row.query), row.url, row.country, row.device), []).append(row)
    result: dict[tuple[str, ...], tuple[str, ...]] = {}
    displays = [row for row in searches(rows) if row.signed_in == "yes" and row.time >= first]
    for cell, cell_rows in cells.items():
        if len({row.user for row in cell_rows}) >= k_cell:
            ranks = [int(row.rank) for row in cell_rows if row.rank]
            mean = f"{round(sum(ranks) / len(ranks), 2):g}" if ranks else ""
            views = sum(
                (plain(row.query), row.country, row.device) == (cell[0], *cell[2:])
                and cell[1] in row.results_shown.split()
                for row in displays
            )
            result[cell] = (str(views), str(len(cell_rows)), mean)
    return result


def click_pairs(
    rows: list[SearchRow], *, k: int, corpus: Collection[str], blocked: Collection[str]
) -> set[tuple[str, str]]:
    """Pairs of a query and a page."""
    users: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        if row.url in corpus and not set(plain(row.query).split()) & set(blocked):
            users.setdefault((plain(row.query), row.url), set()).add(row.user)
    return {pair for pair, clickers in users.items() if len(clickers) >= k}


def popularity(rows: list[SearchRow], *, k: int) -> dict[tuple[str, ...], str]:
    """Scores of day, country and query."""
    counts: dict[tuple[str, str, str], int] = {}
    users: dict[tuple[str, str, str], set[str]] = {}
    for row in searches(rows):
        cell = day_of(row), row.country, plain(row.query)
        counts[cell] = counts.get(cell, 0) + 1
        users.setdefault(cell, set()).add(row.user)
    released = {cell: n for cell, n in counts.items() if len(users[cell]) >= k}
    scores: dict[tuple[str, ...], str] = {}
    for cell, count in released.items():
        beside = [n for other, n in released.items() if other[:2] == cell[:2]]
        low, high = min(beside), max(beside)
        score = 100 if low == high else 1 + round(99 * (count - low) / (high - low))
        scores[cell] = str(score)
    return scores


def trends(rows: list[SearchRow], *, T: int) -> dict[tuple[str, ...], str]:
    """Indices of week, country and query."""
    users: dict[tuple[str, str, str], set[str]] = {}
    for row in searches(rows):
        if all(letter.isalnum() or letter == " " for letter in plain(row.query)):
            users.setdefault((week_of(row), row.country, plain(row.query)), set()).add(row.user)
    shares = {}
    for cell, members in users.items():
        every = sum(len(other) for place, other in users.items() if place[:2] == cell[:2])
        if len(members) >= T:
            shares[cell] = len(members) / every
    return {
        cell: str(
            round(100 * share / max(s for other, s in shares.items() if other[1:] == cell[1:]))
        )
        for cell, share in shares.items()
    }
