"""Releases of cells, against their pages."""

import random
from pathlib import Path
from typing import Any

import pytest

import auditor
from auditor.log.reading.column_mapping import ReadOptions
from tests.reference import logs
from tests.reference.methods import threshold_cells
from tests.reference.methods.threshold_cells import SearchRow

SEEDS = range(12)
DAY = 86_400
FIRST = 1_001_894_400
"""1 October 2001."""


def a_log(seed: int) -> list[SearchRow]:
    """A random log of 40 days around `FIRST`, with columns beside it and odd spellings."""
    dice = random.Random(seed)
    rows, raw = [], logs.random_log(seed, users=15, rows=900, queries=8, seconds=40 * DAY)
    pages = sorted({row.url for row in raw if row.url})
    for row in raw:
        time = row.time - logs.EPOCH + FIRST - 20 * DAY
        event_dice = random.Random(f"{row.user} {row.time}")
        query = dice.choice([row.query, row.query, row.query.upper(), f" {row.query}", "it's"])
        rows.append(
            SearchRow(
                row.user,
                query,
                time,
                row.url or "",
                "" if row.rank is None or dice.random() < 0.3 else str(row.rank),
                event_dice.choice(["AT", "DE", ""]),
                event_dice.choice(["phone", ""]),
                event_dice.choice(["yes", "yes", "no", ""]),
                " ".join(event_dice.choices(pages, k=event_dice.randint(0, 4))),
            )
        )
    return rows


def cells_of(rows: list[SearchRow], folder: Path, method: str, **params: Any) -> dict[Any, Any]:
    """Each released cell with its figures."""
    path = folder / "log.tsv"
    table = [SearchRow._fields, *rows]
    path.write_text("".join("\t".join(map(str, row)) + "\n" for row in table), encoding="utf-8")
    names = {name: name for name in SearchRow._fields}
    release = auditor.anonymize(
        auditor.read_log(path, ReadOptions(columns=names)), method, **params
    )
    assert release.tables is not None
    (sheet,) = release.tables.list_sheets()
    keys = zip(*(key.list_texts() for key in sheet.keys), strict=True)
    figures = [figure.list_texts() for figure in sheet.figures]
    return dict(
        zip(keys, zip(*figures, strict=True) if figures else [()] * len(sheet), strict=True)
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_that_queries_and_results_are_those_of_their_page(seed: int, tmp_path: Path) -> None:
    rows, k = a_log(seed), random.Random(seed).randint(1, 4)
    params = {"k_query": 5 * k, "k_cell": k, "window": 1, "first_day": 20011001}
    cells = cells_of(rows, tmp_path, "query-result-threshold", **params)
    begin = FIRST - 30 * DAY  # 1 September
    assert cells == threshold_cells.query_results(
        rows, k_query=5 * k, k_cell=k, first=FIRST, begin=begin
    )
    assert cells or k > 1


@pytest.mark.parametrize("seed", SEEDS)
def test_that_pairs_are_those_of_their_page(seed: int, tmp_path: Path) -> None:
    rows, dice = a_log(seed), random.Random(seed)
    pages = sorted({row.url for row in rows if row.url})
    corpus, blocked = dice.sample(pages, len(pages) // 2), [rows[0].query.split()[0]]
    (tmp_path / "corpus.txt").write_text("\n".join(corpus), encoding="utf-8")
    (tmp_path / "words.txt").write_text(f"{blocked[0]}\n\n", encoding="utf-8")
    lists = {"corpus": tmp_path / "corpus.txt", "blocked": tmp_path / "words.txt"}
    cells = cells_of(rows, tmp_path, "click-pairs", k=3, **lists)
    blocked = [word.lower() for word in blocked]
    assert set(cells) == threshold_cells.click_pairs(rows, k=3, corpus=corpus, blocked=blocked)
    assert cells
    assert cells_of(rows, tmp_path, "click-pairs") == {}


@pytest.mark.parametrize("seed", SEEDS)
def test_that_scores_and_indices_are_those_of_their_pages(seed: int, tmp_path: Path) -> None:
    rows, k = a_log(seed), random.Random(seed).randint(1, 3)
    scores = cells_of(rows, tmp_path, "popularity-score", k=k)
    expected: dict[Any, Any] = threshold_cells.popularity(rows, k=k)
    assert {cell: score for cell, (score,) in scores.items()} == expected
    indices = cells_of(rows, tmp_path, "trends-index", T=k, step="week")
    expected = threshold_cells.trends(rows, T=k)
    assert {cell: index for cell, (index,) in indices.items()} == expected
    assert scores
    assert not any("'" in query for _, _, query in indices)
