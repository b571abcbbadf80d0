"""Rows as plain tuples: random logs, and Excite's real one."""

import random
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

EXCITE = Path(__file__).parents[1] / "data" / "excite-small.log"
EPOCH = 1_000_000_000
"""The second at which random logs begin."""


class Row(NamedTuple):
    """One row of a log; `url` and `rank` are None where nothing was clicked."""

    user: str
    query: str
    time: int
    url: str | None = None
    rank: int | None = None
    ip: str | None = None
    cookie: str | None = None


def random_log(
    seed: int, *, users: int = 12, rows: int = 150, queries: int = 12, seconds: int = 400
) -> list[Row]:
    """A log of words that nobody searched for; few seconds, so that events repeat and coincide.

    Queries and pages are drawn with falling weights, so that some are of many and some of one. A
    search brings up to three clicks, each of which is a row of the same user, query and time.
    """
    dice = random.Random(seed)
    texts = [f"{first}{last}" for first in "bdfgklmn" for last in ("ap ok", "im", "ux az", "eb")]
    dice.shuffle(texts)
    texts = texts[:queries]
    falling = [1 / (place + 1) for place in range(len(texts))]
    log: list[Row] = []
    while len(log) < rows:
        user = f"u{dice.randrange(users)}"
        query = dice.choices(texts, falling)[0]
        time = EPOCH + dice.randrange(seconds)
        clicks = dice.choices((0, 1, 2, 3), (5, 4, 2, 1))[0]
        if not clicks:
            log.append(Row(user, query, time))
        for _ in range(clicks):
            place = dice.choices((1, 2, 3, 4), (6, 3, 2, 1))[0]
            log.append(Row(user, query, time, page(query, place), place))
    return log


def page(query: str, place: int) -> str:
    """The page at that place of a query's results; the last ones are the same for all queries."""
    name = query.replace(" ", "-") if place < 3 else "common"
    host = {1: f"www.{name}.example", 2: f"{name}.test", 3: f"Shop.{name}.example"}
    return f"http://{host.get(place, f'{name}.example')}/{place}"


def excite() -> list[Row]:
    """The rows of Excite's log that have a query, read by nothing but `str.split`."""
    rows = []
    for line in EXCITE.read_text(encoding="utf-8", errors="replace").split("\n"):
        if not line:
            continue
        user, stamp, query = line.split("\t")
        time = datetime.strptime("19" + stamp, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
        if query.strip():
            rows.append(Row(user, query, int(time.timestamp())))
    return rows


def histories(rows: list[Row]) -> dict[str, list[Row]]:
    """Each user's rows by time; rows of one second stay in the order of the log."""
    by_user: dict[str, list[Row]] = {}
    for row in rows:
        by_user.setdefault(row.user, []).append(row)
    return {user: sorted(history, key=lambda row: row.time) for user, history in by_user.items()}


def some_of_excite(users: int, seed: int) -> list[Row]:
    """Whole histories of so many of Excite's users."""
    by_user = histories(excite())
    chosen = random.Random(seed).sample(sorted(by_user), users)
    return [row for user in chosen for row in by_user[user]]
