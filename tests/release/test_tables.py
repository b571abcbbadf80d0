"""A release's tables: what stands in them, and that their order tells nothing."""

from __future__ import annotations

import dataclasses
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.errors import Cancelled
from auditor.log.escaping import unescape_text
from auditor.log.model import Vocabulary
from auditor.privacy.release import Tables
from auditor.progress import Progress, silent_progress
from auditor.release.tables import content_digest, iterate_lines
from tests.release.fakes import anonymized, cells, tables


def written(content: Tables) -> dict[str, str]:
    return {
        s.file: b"".join(iterate_lines(s, silent_progress())).decode()
        for s in content.list_sheets()
    }


def test_that_the_tables_hold_every_row_with_its_heading() -> None:
    files = written(tables())
    assert files["queries.tsv"] == "query\tcount\nweather\t3\n=1+1\\ttab\\nline\t2\nmaps\t2\n"
    assert files["clicks.tsv"] == "query\turl\tcount\nweather\tw.example\t9\nmaps\tm.example\t4\n"
    assert files["transitions.tsv"] == "from\tto\tcount\nweather\tmaps\t-1\n"


def test_that_cells_stand_alone_with_nothing_where_they_have_none() -> None:
    assert written(cells()) == {
        "cells.tsv": "query\turl\tviews\tposition\n"
        "=1+1\\ttab\t\t7\t\n=1+1\\ttab\tm.example\t5\t2\nmaps\tm.example\t5\t1.25\n"
    }
    frame = anonymized(cells()).to_pandas()
    assert frame["query"].tolist() == ["=1+1\ttab", "=1+1\ttab", "maps"]
    assert frame["views"].tolist() == [7, 5, 5]
    assert not anonymized(cells()).is_empty


def test_that_only_tables_of_the_method_are_written_and_empty_ones_have_headings() -> None:
    bare = dataclasses.replace(tables(), has_clicks=False, has_transitions=False)
    assert list(written(bare)) == ["queries.tsv"]
    empty = Tables(queries=Vocabulary.of(()), query_count=np.zeros(0, np.int64), has_clicks=True)
    assert written(empty) == {"queries.tsv": "query\tcount\n", "clicks.tsv": "query\turl\tcount\n"}


@given(st.dictionaries(st.text(), st.integers(-5, 5), max_size=30), st.randoms())
def test_that_neither_the_order_of_input_nor_of_codes_shows(
    counts: dict[str, int], chance: st.DataObject
) -> None:
    def build(words: list[str]) -> Tables:
        count = np.array([counts[word] for word in words], dtype=np.int64)
        return Tables(queries=Vocabulary.of(words), query_count=count)

    words = list(counts)
    shuffled = list(words)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    first, second = written(build(words))["queries.tsv"], written(build(shuffled))["queries.tsv"]
    assert first == second
    rows = [row.rpartition("\t") for row in first.split("\n")[1:-1]]
    assert {unescape_text(word): int(count) for word, _, count in rows} == counts
    keys = [(-int(count), unescape_text(word).encode()) for word, _, count in rows]
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
