"""A release's data files: what stands in them, and that they are read back as they were or refused.

Their order tells nothing, and nothing that is invisible or a formula stands in them.
"""

import dataclasses
import json
import re
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.errors import Cancelled, LogFormatError
from auditor.log.escaping import unescape_text
from auditor.log.model import QueryLog, Vocabulary
from auditor.privacy.release import CellTable, Tables
from auditor.progress import Progress, silent_progress
from auditor.release.export import write_release
from auditor.release.loading import read_release, statement_of
from auditor.release.manifest import FORMAT, read_manifest
from auditor.release.tables import content_digest, iterate_lines
from tests.narrowing import present
from tests.release.fakes import STATEMENT, anonymized, cells, raw_log, run_result, tables

EMPTY = Tables(queries=Vocabulary.of(()), query_count=np.zeros(0, np.int64), has_clicks=True)


def files_of(content: Tables) -> dict[str, str]:
    return {
        sheet.file: b"".join(iterate_lines(sheet, silent_progress())).decode()
        for sheet in content.list_sheets()
    }


def write_folder(folder: Path, content: Tables) -> Path:
    """A folder with the tables and what reading needs of a manifest."""
    folder.mkdir(exist_ok=True)
    manifest = {"format": FORMAT, "method": "safelog", "params": {"K": 3}}
    manifest |= {"statement": STATEMENT.to_dict()}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    for file, text in files_of(content).items():
        (folder / file).write_bytes(text.encode())
    return folder


def read_tables(folder: Path) -> Tables:
    return present(read_release(folder).tables)


def rows(content: Tables) -> list[list[tuple[str, ...]]]:
    """Every table as sorted rows of text."""

    def list_columns(sheet: CellTable) -> list[list[str]]:
        keys = [key.list_texts() for key in sheet.keys]
        return keys + [figure.list_texts() for figure in sheet.figures]

    return [sorted(zip(*list_columns(sheet), strict=True)) for sheet in content.list_sheets()]


# What stands in tables


@pytest.mark.parametrize(
    ("content", "files"),
    [
        pytest.param(
            tables(),
            {
                "queries.tsv": "query\tcount\nweather\t3\n=1+1\\ttab\\nline\t2\nmaps\t2\n",
                "clicks.tsv": "query\turl\tcount\nweather\tw.example\t9\nmaps\tm.example\t4\n",
                "transitions.tsv": "from\tto\tcount\nweather\tmaps\t-1\n",
            },
            id="every row with its heading",
        ),
        pytest.param(
            cells(),
            {
                "cells.tsv": "query\turl\tviews\tposition\n"
                "=1+1\\ttab\t\t7\t\n=1+1\\ttab\tm.example\t5\t2\nmaps\tm.example\t5\t1.25\n"
            },
            id="cells stand alone, with nothing where they have none",
        ),
        pytest.param(
            dataclasses.replace(EMPTY, has_clicks=False),
            {"queries.tsv": "query\tcount\n"},
            id="only tables of the method",
        ),
        pytest.param(
            EMPTY,
            {"queries.tsv": "query\tcount\n", "clicks.tsv": "query\turl\tcount\n"},
            id="empty ones have headings",
        ),
    ],
)
def test_that_tables_hold_what_was_released(content: Tables, files: dict[str, str]) -> None:
    assert files_of(content) == files


def test_that_a_frame_holds_the_cells() -> None:
    frame = anonymized(cells()).to_pandas()
    assert frame["query"].tolist() == ["=1+1\ttab", "=1+1\ttab", "maps"]
    assert frame["views"].tolist() == [7, 5, 5]
    assert not anonymized(cells()).is_empty


@given(st.dictionaries(st.text(), st.integers(-5, 5), max_size=30), st.randoms())
def test_that_neither_the_order_of_input_nor_of_codes_shows(
    counts: dict[str, int], chance: st.DataObject
) -> None:
    def write_counts(words: list[str]) -> str:
        count = np.array([counts[word] for word in words], dtype=np.int64)
        return files_of(Tables(queries=Vocabulary.of(words), query_count=count))["queries.tsv"]

    shuffled = list(counts)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    text = write_counts(list(counts))
    assert text == write_counts(shuffled)
    lines = [line.rpartition("\t") for line in text.split("\n")[1:-1]]
    assert {unescape_text(word): int(count) for word, _, count in lines} == counts
    keys = [(-int(count), unescape_text(word).encode()) for word, _, count in lines]
    assert keys == sorted(keys)


def test_that_equal_contents_have_equal_digests_and_others_do_not() -> None:
    other = dataclasses.replace(tables(), query_count=np.array([2, 3, 1]))
    assert content_digest(anonymized()) == content_digest(anonymized())
    assert content_digest(anonymized()) != content_digest(anonymized(other))


def test_that_a_long_table_hears_a_cancel_between_blocks() -> None:
    words = Vocabulary.of(f"q{i}" for i in range(50_000))
    (sheet,) = Tables(queries=words, query_count=np.ones(50_000, np.int64)).list_sheets()
    stop = threading.Event()
    blocks = iterate_lines(sheet, Progress(cancelled=stop))
    next(blocks)
    assert next(blocks).count(b"\n") == 20_000
    stop.set()
    with pytest.raises(Cancelled):
        next(blocks)


# Tables read back


def test_that_a_release_reads_back_with_its_statement(tmp_path: Path) -> None:
    release = read_release(write_folder(tmp_path / "r", tables()))
    assert (release.method, release.statement) == ("safelog", STATEMENT)
    assert rows(present(release.tables)) == rows(tables())
    empty = read_tables(write_folder(tmp_path / "empty", EMPTY))
    assert len(empty.queries) == len(empty.click_count) == 0
    assert (empty.has_clicks, empty.has_transitions) == (True, False)


@given(
    st.lists(
        st.text(alphabet=st.characters(exclude_categories=["Cs"])),
        unique=True,
        min_size=1,
        max_size=8,
    ),
    st.data(),
)
def test_that_any_text_survives_the_round(
    tmp_path_factory: pytest.TempPathFactory, strings: list[str], data: st.DataObject
) -> None:
    count = st.integers(-(2**62), 2**62)
    counts = data.draw(st.lists(count, min_size=len(strings), max_size=len(strings)))
    codes = np.arange(len(strings), dtype=np.int32)
    content = Tables(
        queries=Vocabulary.of(strings),
        query_count=np.array(counts, dtype=np.int64),
        urls=Vocabulary.of(strings),
        click_query=codes,
        click_url=codes[::-1].copy(),
        click_count=np.array(counts, dtype=np.int64),
        has_clicks=True,
    )
    folder = write_folder(tmp_path_factory.mktemp("release"), content)
    assert rows(read_tables(folder)) == rows(content)


def test_that_cells_read_back_as_they_were_with_what_they_sum_to(tmp_path: Path) -> None:
    result = read_tables(write_folder(tmp_path / "r", cells()))
    assert rows(result) == rows(cells())
    counts = dict(zip(result.queries.list_strings(), result.query_count.tolist(), strict=True))
    assert counts == {"=1+1\ttab": 12, "maps": 5}
    assert result.urls.list_strings() == ["m.example"]
    scores = read_tables(write_folder(tmp_path / "scores", cells("score")))
    assert sorted(scores.query_count.tolist()) == [1, 2]  # scores are no counts: cells are counted


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
    (f"day\tquery\tscore\n{SECRET}\ta\t1\n", "a date that is none"),
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
    folder = write_folder(tmp_path / "r", content)
    (folder / file).write_bytes(data if isinstance(data, bytes) else data.encode())
    with pytest.raises(LogFormatError) as caught:
        read_release(folder)
    assert message in str(caught.value)
    assert SECRET not in str(caught.value)


def test_that_a_folder_without_content_says_what_is_wanted(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(LogFormatError, match="Name a release folder"):
        read_release(tmp_path)


def test_that_a_manifest_without_a_statement_claims_nothing() -> None:
    assert statement_of({}).model == "none"
    assert statement_of({"epsilon": "infinite"}).epsilon == float("inf")


# A released log in text

UNSEEN = [
    "red \x1b[31m shoes", "a \u202e b", "tab\there", "line\nend", "n\x85l", "p\u2028s", "\ufeffx",
]  # fmt: skip
PLAIN = ["plain", "back\\slash", 'a " quote', "ümlaut €"]


def write_log_of(queries: list[str], folder: Path, **how: str) -> Path:
    users = [f"u{number % 3}" for number in range(len(queries))]
    released = QueryLog.from_columns(user=users, query=queries, time=list(range(len(queries))))
    source = raw_log(folder / "in")
    result = run_result(source, content=released)
    out = folder / "out"
    return write_release(result, source, out, progress=silent_progress(), **how)  # type: ignore[arg-type]


def read_queries(folder: Path) -> list[str]:
    return sorted(present(read_release(folder).log).queries.list_strings())


@pytest.mark.usefixtures("quick_pages")
def test_that_invisible_characters_stand_as_escapes(tmp_path: Path) -> None:
    folder = write_log_of(UNSEEN + PLAIN, tmp_path)
    text = (folder / "log.tsv").read_bytes().decode()
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\ufeff]", text)
    assert len(text.splitlines()) == 1 + len(UNSEEN + PLAIN)
    assert r"\xHH" in read_manifest(folder)["content"]["encoding"]
    assert read_queries(folder) == sorted(UNSEEN + PLAIN)
    for escape in (rb"\q", rb"\x41", b"\\"):  # what no release writes so
        (folder / "log.tsv").write_bytes(text.encode().replace(rb"\x1b", escape))
        with pytest.raises(LogFormatError, match="escape"):
            read_release(folder)


@pytest.mark.usefixtures("quick_pages")
@pytest.mark.parametrize(("queries", "kind"), [(PLAIN, "tsv"), (UNSEEN + PLAIN, "parquet")])
def test_that_a_log_that_needs_no_escapes_stands_verbatim(
    queries: list[str], kind: str, tmp_path: Path
) -> None:
    folder = write_log_of(queries, tmp_path, log_format=kind)
    assert "encoding" not in read_manifest(folder)["content"]
    assert read_queries(folder) == sorted(queries)
