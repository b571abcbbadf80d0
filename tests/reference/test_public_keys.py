"""Methods that count public keys, against their page."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import auditor
from tests.reference import logs, product
from tests.reference.methods import public_keys
from tests.reference.methods.public_keys import DAY, Key

FIRST = logs.EPOCH // DAY
"""The logs' first day."""


def read_with_countries(rows: list[logs.Row], place: Path) -> tuple[Any, Callable[[logs.Row], str]]:
    """The log with a column country, and the country of a row: that of its user."""

    def country_of(row: logs.Row) -> str:
        return ["DE", "FR", "LU"][sum(row.user.encode()) % 3]

    path = product.write(rows, place / "log.tsv")
    head, *lines = path.read_text("utf-8").splitlines()
    records = [f"{line}\t{country_of(row)}" for line, row in zip(lines, rows, strict=True)]
    path.write_text("\n".join([f"{head}\tcountry", *records]) + "\n", "utf-8")
    log = auditor.read_log(path, country="country", user="AnonID", query="Query", time="QueryTime")
    return log, country_of


def list_file(place: Path, *lines: str) -> str:
    path = place / f"{lines[0].split(chr(9))[0]}.tsv"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return str(path)


def read_cells(release: Any, figure: str) -> dict[Key, float]:
    """A figure of every released key."""
    table = release.to_pandas()
    days = [(date.fromisoformat(text) - date(1970, 1, 1)).days for text in table["day"]]
    keys = zip(days, table["country"], table["query"], strict=True)
    return dict(zip(keys, map(float, table[figure]), strict=True))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("m", "days"), [(1, None), (2, None), (3, 2)])
def test_that_counts_of_public_keys_are_those_of_the_page(
    seed: int, m: int, days: int | None, tmp_path: Path
) -> None:
    """With so little noise that every count stays as it is, and no count of 0 is shown."""
    rows = logs.random_log(seed, users=40, rows=500, seconds=4 * DAY)
    log, group_of = read_with_countries(rows, tmp_path)
    items = sorted({row.query for row in rows if row.query.strip()})[::2]
    release = auditor.anonymize(
        log,
        "dp-public-key-counts",
        items=list_file(tmp_path, "query", *items, "never searched"),
        groups=list_file(tmp_path, "country", "DE", "LU", "XK"),
        rho=10.0 * m / 10,
        m=m,
        days=days,
        threshold=0,
    )
    cells = read_cells(release, "count")
    right = public_keys.count(rows, group_of, items, {"DE", "LU"}, m, days)
    keys = cells.keys() | right.keys()
    # σ = √(1/2): each count is off by 3 or more with a chance of 10⁻⁴ or so.
    assert all(abs(cells.get(key, 0) - right.get(key, 0)) <= 5 for key in keys)
    assert len({key for key in right if right[key] > 5} - cells.keys()) == 0
    assert {key[1] for key in cells} <= {"DE", "LU", "XK"}
    assert {key[2] for key in cells} <= {*items, "never searched"}


def test_that_the_index_is_that_of_the_page(tmp_path: Path) -> None:
    rows = logs.random_log(5, users=200, rows=6_000, seconds=3 * DAY)
    log, group_of = read_with_countries(rows, tmp_path)
    counts: dict[Key, int] = public_keys.count(
        rows, group_of, {row.query for row in rows if row.query.strip()}, {"DE", "FR"}, 1
    )
    items = sorted({key[2] for key in counts})
    values: dict[str, Any] = {
        "items": list_file(tmp_path, "query", *items),
        "groups": list_file(tmp_path, "country\tusers", "DE\t1000", "FR\t10"),
        "epsilon": 50.0,
        "m": 1,
        "signal": 0.0,
    }
    release = auditor.anonymize(log, "dp-relative-index", **values)
    cells = read_cells(release, "index")
    right = public_keys.index(counts, {"DE": 1000, "FR": 10})
    assert right == {key: pytest.approx(cells[key], abs=0.006) for key in right}
    assert max(cells.values()) == 100
    assert {value for key, value in cells.items() if key not in right} <= {0}
    factor = release.statement.measured["factor"]
    later = auditor.anonymize(log, "dp-relative-index", **values, factor=2 * factor).to_pandas()
    assert float(later["index"].max()) == pytest.approx(200)
