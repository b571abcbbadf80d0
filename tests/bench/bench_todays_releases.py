"""What releases of today give away: ``python -m tests.bench.bench_todays_releases [LOG]``.

Releases as others make or order them, built here in a few lines from the sample log (or LOG),
written to files, and judged by `auditor.load_release` and `auditor.attack` with their truth tables:
an id for ever (AOL, 2006), an id a day without addresses and numbers, words of so many users with
an id a day or a mini-session, frequent queries with their pages (the scheme of 2024, ORCAS).
Limits are scaled to the log: where a scheme asks for 50 or 30 of many millions, 10 and 5 here.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

import auditor
from auditor.errors import ParameterError
from auditor.figures import format_share
from auditor.log.model import QueryLog

WORD_USERS, QUERY_USERS, PAIR_USERS = 10, 10, 5
GAP, SESSION_QUERIES = 1_800, 3
IDENTIFIER = r"\S+@\S+|(?:\d[ -]?){7,}"
ATTACKS = {
    "unicity": "three known queries single out",
    "record-linkage": "half of the queries known: found again",
    "surviving-content": "flagged users who still show something",
}


def list_releases(rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame, pd.Series | None]]:
    """Title, rows and the user of each row; without users, pairs that are counted."""
    user, query, time = rows["user"], rows["query"], rows["time"]
    day = time.dt.strftime("%Y-%m-%d")
    drawn = random.Random(5).sample(range(1 << 48), len(rows))
    fresh = pd.Series([f"{value:012x}" for value in drawn], index=rows.index)
    words = query.str.split()
    by_word = rows.assign(word=words).explode("word").groupby("word")["user"].nunique()
    common = set(by_word[by_word >= WORD_USERS].index)
    listed = words.map(common.issuperset)
    gap = time.groupby(user).diff().dt.total_seconds().fillna(0) > GAP
    sitting = gap.groupby(user).cumsum()
    part = rows.groupby([user, sitting]).cumcount() // SESSION_QUERIES
    some = f"words of {WORD_USERS} users"
    for title, kept, keys, shown in (
        ("an id for ever", listed | True, [user], time.dt.strftime("%Y-%m-%d %H:%M:%S")),
        ("an id a day, no addresses or numbers", ~query.str.contains(IDENTIFIER), [user, day], day),
        (f"{some}, an id a day", listed, [user, day], day),
        (f"{some}, {SESSION_QUERIES} queries an id", listed, [user, day, sitting, part], day),
    ):
        ids = fresh.groupby(keys).transform("first")
        made = pd.DataFrame({"user": ids, "query": query, "time": shown})[kept]
        yield title, made.sample(frac=1.0, random_state=7), user
    clicked = rows[(rows.groupby("query")["user"].transform("nunique") >= QUERY_USERS)]
    clicked = clicked[clicked["url"] != ""]
    cells = clicked.groupby(["query", "url"])["user"].nunique().rename("count").reset_index()
    if len(cells := cells[cells["count"] >= PAIR_USERS]):
        yield f"queries of {QUERY_USERS} users, pages of {PAIR_USERS}", cells, None


def judge(log: QueryLog, release: pd.DataFrame, users: pd.Series | None) -> list[str]:
    """Searches whose query is released, and what each attack finds of how many people."""
    truth = None
    if users is not None:
        truth = dict(zip(release["user"], users.loc[release.index], strict=True))
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "release.csv"
        release.to_csv(place, index=False)
        made = auditor.load_release(place, truth=truth)
    kept = auditor.measure("volume", log, made)
    values = {one.name: one.value for one in kept.values}
    cells = [format_share(values["volume.searches_share"])]
    for name in ATTACKS:
        try:
            found = auditor.attack(name, log, made)
        except ParameterError:
            cells.append("–")
            continue
        low, high = map(format_share, found.interval)
        said = f"{format_share(found.rate)} ({low} to {high}); {format_share(found.baseline)}"
        cells.append(said + ("" if found.control is None else f"; {format_share(found.control)}"))
    return cells


def main(words: list[str]) -> int:
    """Print the table: rate, interval; guessing; control."""
    log = auditor.read_log(words[0], format="excite") if words else auditor.load_sample()
    rows = log.to_pandas()[["user", "query", "time", "url"]].astype({"user": str})
    rows["time"] = pd.to_datetime(rows["time"], utc=True)
    for name in ("query", "url"):
        rows[name] = rows[name].astype(object).fillna("").astype(str)
    rows = rows[rows["query"].str.strip() != ""]
    rows = rows.sort_values(["user", "time"]).reset_index(drop=True)
    print("| release | searches | " + " | ".join(ATTACKS.values()) + " |")
    print("|---" * (2 + len(ATTACKS)) + "|")
    for title, release, users in list_releases(rows):
        print(f"| {title} | " + " | ".join(judge(log, release, users)) + " |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
