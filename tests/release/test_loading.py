"""Reading a release back gives what was written, and says where a folder is broken."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.errors import LogFormatError
from auditor.log.model import Vocabulary
from auditor.privacy.release import CellTable, Tables
from auditor.progress import silent_progress
from auditor.release.loading import read_release, statement_of
from auditor.release.manifest import FORMAT
from auditor.release.tables import iterate_lines
from tests.narrowing import present
from tests.release.fakes import STATEMENT, cells, tables

texts = st.lists(
    st.text(alphabet=st.characters(exclude_categories=["Cs"])), unique=True, min_size=1, max_size=8
)


def write(folder: Path, content: Tables) -> None:
    folder.mkdir(exist_ok=True)
    manifest = {"format": FORMAT, "method": "safelog", "params": {"K": 3}}
    manifest |= {"statement": STATEMENT.to_dict()}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    for sheet in content.list_sheets():
        (folder / sheet.file).write_bytes(b"".join(iterate_lines(sheet, silent_progress())))


def rows(content: Tables) -> list[list[tuple[str, ...]]]:
    """Every table as sorted rows of text."""

    def list_columns(sheet: CellTable) -> list[list[str]]:
        keys = [key.list_texts() for key in sheet.keys]
        return keys + [figure.list_texts() for figure in sheet.figures]

    return [sorted(zip(*list_columns(sheet), strict=True)) for sheet in content.list_sheets()]


def test_that_a_release_reads_back_as_it_was(tmp_path: Path) -> None:
    write(tmp_path / "r", tables())
    release = read_release(tmp_path / "r")
    assert release.method == "safelog"
    assert release.tables is not None
    assert rows(release.tables) == rows(tables())
    assert release.statement == STATEMENT


@given(texts, st.data())
def test_that_any_text_survives_the_round(
    tmp_path_factory: pytest.TempPathFactory, strings: list[str], data: st.DataObject
) -> None:
    count = st.integers(-(2**62), 2**62)
    counts = data.draw(st.lists(count, min_size=len(strings), max_size=len(strings)))
    content = Tables(
        queries=Vocabulary.of(strings),
        query_count=np.array(counts, dtype=np.int64),
        urls=Vocabulary.of(strings),
        click_query=np.arange(len(strings), dtype=np.int32),
        click_url=np.arange(len(strings), dtype=np.int32)[::-1].copy(),
        click_count=np.array(counts, dtype=np.int64),
        has_clicks=True,
    )
    folder = tmp_path_factory.mktemp("release")
    write(folder, content)
    result = present(read_release(folder).tables)
    assert rows(result) == rows(content)


def test_that_cells_read_back_as_they_were_with_what_they_sum_to(tmp_path: Path) -> None:
    write(tmp_path / "r", cells())
    result = present(read_release(tmp_path / "r").tables)
    assert rows(result) == rows(cells())
    counts = dict(zip(result.queries.list_strings(), result.query_count.tolist(), strict=True))
    assert counts == {"=1+1\ttab": 12, "maps": 5}
    assert result.urls.list_strings() == ["m.example"]
    write(tmp_path / "scores", cells("score"))
    result = present(read_release(tmp_path / "scores").tables)
    assert sorted(result.query_count.tolist()) == [1, 2]  # scores are no counts: cells are counted


def test_that_an_empty_release_reads_back_empty(tmp_path: Path) -> None:
    empty = Tables(queries=Vocabulary.of(()), query_count=np.zeros(0, np.int64), has_clicks=True)
    write(tmp_path / "r", empty)
    result = present(read_release(tmp_path / "r").tables)
    assert len(result.queries) == len(result.click_count) == 0
    assert result.has_clicks
    assert not result.has_transitions


SECRET = "somebody's own words"


HEADING = "line 1: has a heading"
BROKEN: list[tuple[str, str | bytes, str]] = [
    ("manifest.json", "{", "manifest.json: not valid JSON (line 1, column 2)"),
    ("manifest.json", "[]", "manifest.json: not a JSON object"),
    ("queries.tsv", f"query\tcount\n{SECRET}\t1\t2\n", "queries.tsv, line 2: is not a table"),
    ("queries.tsv", f"query\tcount\n{SECRET}\tmany\n", "queries.tsv"),
    ("queries.tsv", f"text\tcount\n{SECRET}\t1\n", "of the columns query, count"),
    ("queries.tsv", "query\tcount\nbad \\q escape\t1\n", "an escape that no release writes"),
    ("queries.tsv", b"query\tcount\n\xff\xfe\t1\n", "queries.tsv"),
    ("clicks.tsv", f"query\turl\tcount\n{SECRET}\tu\t1\n", "queries.tsv does not hold"),
    ("cells.tsv", f"query\tviews\n{SECRET}\t1\n", "cells.tsv: stands beside queries.tsv"),
]
BROKEN_CELLS = [
    (f"query\tviews\n{SECRET}\tmany\n", "is not a table of the columns query, views"),
    (f"query\tviews\tposition\n{SECRET}\t\t1\n", "is not a table"),
    (f"query\tposition\n{SECRET}\tfirst\n", "is not a table"),
    (f"views\tquery\n1\t{SECRET}\n", HEADING),
    (f"query\tquery\tviews\n{SECRET}\ta\t1\n", HEADING),
    (f"{SECRET}\tviews\na\t1\n", HEADING),
    ("\t".join(f"k{i}" for i in range(17)) + "\tviews\n", HEADING),
    ("\x00" * 100_000, HEADING),
    ("", HEADING),
]


@pytest.mark.parametrize(
    ("content", "file", "data", "message"),
    [
        *((tables(), *row) for row in BROKEN),
        *((cells(), "cells.tsv", *row) for row in BROKEN_CELLS),
    ],
)
def test_that_a_broken_folder_is_one_clear_error_without_its_text(
    tmp_path: Path, content: Tables, file: str, data: str | bytes, message: str
) -> None:
    write(tmp_path / "r", content)
    (tmp_path / "r" / file).write_bytes(data if isinstance(data, bytes) else data.encode())
    with pytest.raises(LogFormatError) as caught:
        read_release(tmp_path / "r")
    assert message in str(caught.value)
    assert SECRET not in str(caught.value)


def test_that_a_folder_without_content_says_what_is_wanted(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(LogFormatError, match="Name a release folder"):
        read_release(tmp_path)


def test_that_a_manifest_without_a_statement_claims_nothing() -> None:
    assert statement_of({}).model == "none"
    assert statement_of({"epsilon": "infinite"}).epsilon == float("inf")
