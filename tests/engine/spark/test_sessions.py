"""Numbered sessions on Spark: the local release, up to a renaming of its numbers."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from auditor.log.model import QueryLog
from auditor.log.reading.reader import read_log
from auditor.methods import numbered_sessions
from tests.engine.spark.spark_logs import cut_log, same_run


@pytest.fixture(scope="module")
def days(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some days with pauses within them, equal seconds, blank queries, and a user of most rows."""
    draw = random.Random(9)
    lines = ["AnonID\tQuery\tQueryTime\tItemRank\tClickURL\tIP\tCookie"]
    for number in range(900):
        user = "busy" if number % 3 == 0 else f"u{draw.randrange(30)}é"
        words = [f"w{int(draw.expovariate(0.2))}" for _ in range(draw.randint(1, 3))]
        query = draw.choice([" ", "  "]).join(words) if draw.random() < 0.9 else " "
        query = draw.choice(["hot", "warm words", "a\u00a0b"]) if draw.random() < 0.2 else query
        hour, minute = draw.randint(0, 3), draw.randint(0, 9)
        when = f"2006-03-{draw.randint(2, 4):02d} {hour:02d}:{minute:02d}:{draw.randint(0, 9):02d}"
        page = f"http://{draw.randrange(4)}.org/{draw.randrange(5)}"
        click = f"{draw.randint(1, 9)}\t{page}" if draw.random() < 0.4 else "\t"
        lines.append(f"{user}\t{query}\t{when}\t{click}\t10.0.0.{number % 9}\tc{number % 7}")
    path = tmp_path_factory.mktemp("days") / "log.tsv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def histories_of(log: QueryLog) -> dict[tuple[Any, ...], list[tuple[str, ...]]]:
    """Words and page of each row, by the times, ranks and lengths of queries of the history."""
    by_user: dict[int, list[Any]] = {}
    for index, user in enumerate(log.user.tolist()):
        words = log.queries[int(log.query[index])].split()
        page = "" if log.url[index] < 0 else log.urls[int(log.url[index])]
        parts = (*words, page, page.split("/")[0])
        by_user.setdefault(user, []).append((int(log.time[index]), int(log.rank[index]), parts))
    return {
        tuple((time, rank, len(parts)) for time, rank, parts in rows): [row[2] for row in rows]
        for rows in by_user.values()
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    "params",
    [
        {"top_queries": 1, "session_gap": 5},
        {"clock": "order", "session_gap": 2},
        {"top_queries": 2, "clock": "kept"},
        {"top_queries": 9_999},
    ],
)
def test_that_numbers_stand_where_those_of_one_machine_do(
    spark: Any, days: Path, tmp_path: Path, params: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numbered_sessions, "draw_factor", lambda *_given: 0.4)
    splits, log = cut_log(days)
    result, local = same_run(spark, splits, log, tmp_path / "out", "numbered-sessions", **params)
    assert local.log is not None
    if params.get("top_queries") == 9_999:
        assert result.result.release.content.rows == {"log.tsv": 0}
        return
    released = read_log(tmp_path / "out" / "log.tsv")
    assert released.users.list_strings() == [str(n + 1) for n in range(len(local.log.users))]
    assert released.ip is None
    assert released.cookie is None
    assert 0 < len(released) == len(local.log)
    mine, theirs = histories_of(local.log), histories_of(released)
    assert mine.keys() == theirs.keys()
    assert len(mine) > 20
    renamed = Counter(
        names
        for history, rows in mine.items()
        for pair in zip(rows, theirs[history], strict=True)
        for names in zip(*pair, strict=True)
    )
    for side in zip(*renamed, strict=True):
        assert len(set(side)) == len(renamed), "one name stands for two"
    words = sorted(name for _, name in renamed if name.startswith("t"))
    assert words == sorted(f"t{number}" for number in range(len(words)))
    assert any(old != new for old, new in renamed)
