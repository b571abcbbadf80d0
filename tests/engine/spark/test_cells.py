"""Cells and public keys on Spark: the release of one machine, byte for byte."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from auditor.log.model import NONE
from auditor.log.reading.reader import ReadOptions
from tests.engine.spark.spark_logs import HARDLY_ANY_NOISE, cut_log, same_run, silence_union
from tests.narrowing import present

HEADINGS = ["AnonID", "Query", "QueryTime", "ItemRank", "ClickURL", "Country", "Signed", "Region"]


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Spellings, blank and refused rows, equal seconds with other columns, over five months."""
    draw = random.Random(6)
    lines = ["\t".join(HEADINGS)]
    for number in range(2500):
        user = "bot" if number % 5 == 0 else f"u{draw.randrange(60)}é"
        query = draw.choice(["Rose", "rose ", "rose  bud", "it's", "hot\\", "hot", "née", "NÉE"])
        query = draw.choice(["", "  ", f"lone {number}"]) if draw.random() < 0.1 else query
        month, day = draw.choice([(1, 1), (3, 31), (4, 1), (5, 2), (5, 3)])
        when = f"2006-{month:02d}-{day:02d} 00:00:{draw.randint(0, 9):02d}"
        click = "\t" if draw.random() < 0.4 else f"{draw.randint(0, 9)}\thttp://{number % 4}.org"
        country, signed = draw.choice(["DE", "FR", ""]), draw.choice(["yes", "TRUE", "0", ""])
        region = draw.choice(["north", "süd", ""])
        lines.append("\t".join([user, query, when, click, country, signed, region]))
        if draw.random() < 0.03:
            lines.append("a line of another kind")
    path = tmp_path_factory.mktemp("places") / "log.tsv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def same_cells(
    spark: Any, path: Path, folder: Path, method: str, pieces: int = 3, beside: Any = (),
    **params: Any,
) -> Any:  # fmt: skip
    """The local release, once table, statement and changes of Spark's were found to be the same."""
    options = ReadOptions(
        columns={name: name.title().partition("_")[0] for name in beside}, max_rejected_share=1.0
    )
    splits, log = cut_log(path, options, pieces)
    assert len(splits.pieces) >= pieces
    result, local = same_run(spark, splits, log, folder, method, **params)
    assert local.tables is not None
    assert len(result.result.release.content.queries) == len(local.tables.queries)
    assert (len(result.log), len(result.log.users)) == (len(log), len(log.users))
    assert dict(result.log.origin.rejected) == dict(log.origin.rejected)
    return local


PLACES = ("country", "region")
CELLS: list[tuple[str, int, tuple[str, ...], dict[str, Any]]] = [
    ("trends-index", 3, PLACES, {"T": 4, "step": "week"}),
    ("trends-index", 7, (), {"T": 9}),
    ("popularity-score", 5, PLACES, {"k": 3}),
    ("popularity-score", 1, (), {}),
    ("click-pairs", 4, (), {"k": 9}),
    ("query-result-threshold", 3, ("country", "signed_in"),
     {"k_query": 9, "k_cell": 2, "first_day": 20060401, "window": 1}),
    ("query-result-threshold", 6, (), {"k_query": 12, "k_cell": 4}),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("method", "pieces", "beside", "params"), CELLS)
def test_that_cells_of_enough_users_are_those_of_one_machine(
    spark: Any, places: Path, tmp_path: Path, method: str, pieces: int, beside: tuple[str, ...],
    params: dict[str, Any],
) -> None:  # fmt: skip
    local = same_cells(spark, places, tmp_path / "out", method, pieces, beside, **params)
    assert bool(local.changes["cells_released"]) == bool(params)
    assert local.changes["cells"] >= local.changes["cells_released"]


@pytest.mark.slow
def test_that_lists_of_pages_and_words_hold_on_every_executor(
    spark: Any, places: Path, tmp_path: Path
) -> None:
    corpus, blocked = tmp_path / "corpus", tmp_path / "blocked"
    corpus.write_text("http://1.org\nhttp://2.org\n")
    blocked.write_text("BUD\n")
    lists: dict[str, Any] = {"corpus": corpus, "blocked": blocked}
    local = same_cells(spark, places, tmp_path / "out", "click-pairs", k=5, **lists)
    assert local.tables.urls.list_strings() == ["http://1.org", "http://2.org"]
    assert "rose bud" not in local.tables.queries.list_strings()


DAYS = {"epsilon": 100.0, "q_f": 4, "days": 3, "first_day": 20060331}
ALONE = {"clicks": False, "transitions": False, "b": HARDLY_ANY_NOISE}
GROUPED: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
    ("dated-counts", PLACES, DAYS | {"group_by": "country"}),
    ("partition-selection", PLACES, {"epsilon": 100.0, "q_f": 5, "k": 4, "group_by": "country"}),
    ("dated-counts", ("region",), DAYS | {"step": "week", "protected_unit": "day",
                                          "group_by": "region"}),
    ("partition-selection", (), {"epsilon": 100.0, "q_f": 3, "group_by": "device"}),
    ("partition-selection", (), {"epsilon": 100.0, "q_f": 3, "group_by": "week"}),
    ("safelog", PLACES, ALONE | {"q_f": 5, "K": 3, "group_by": "country"}),
    ("safelog", PLACES, ALONE | {"mode": "published", "tau": 3, "q_f": 7, "K": 4,
                                 "b_q": HARDLY_ANY_NOISE, "group_by": "region"}),
    ("korolova", (), {"q_f": 5, "K": 4, "b": HARDLY_ANY_NOISE, "b_q": HARDLY_ANY_NOISE,
                      "counting_unit": "rows", "group_by": "day"}),
    ("zealous", PLACES, {"epsilon": 1000.0, "m": 4, "tau": 3, "group_by": "country"}),
    ("set-union", PLACES, {"epsilon": 8.0, "q_f": 4, "group_by": "country"}),
    ("set-union", PLACES, {"epsilon": 8.0, "q_f": 6, "weighting": "screened",
                           "group_by": "region"}),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("method", "beside", "params"), GROUPED)
def test_that_counts_by_group_are_those_of_one_machine(
    spark: Any, places: Path, tmp_path: Path, method: str, beside: tuple[str, ...],
    params: dict[str, Any], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """At ε = 100 the truncated noise is 0; without the column all rows are one group."""
    silence_union(monkeypatch)
    local = same_cells(spark, places, tmp_path / "out", method, 4, beside, **params)
    group = present(local.tables.alone.find_key(params["group_by"]))
    if params["group_by"] in ("day", "week"):
        assert len(group.texts) > 1
        return
    assert len(group.texts) == (2 if beside else 0)
    assert (group.codes == NONE).any()


SILENT = {"epsilon": 100.0, "share": 0.5, "signal": 1.0}
KEYS: list[tuple[str, str, dict[str, Any]]] = [
    ("dp-public-key-counts", "country\nDE\nIT\n", {"rho": 10.0, "m": 1, "threshold": 1, "days": 2}),
    ("dp-relative-index", "country\nDE\nIT\n", SILENT | {"m": 1, "first_day": 20060331}),
    ("dp-relative-index", "country\tusers\nDE\t40\nIT\t9\n", SILENT | {"m": 2, "days": 3}),
    ("dp-relative-index", "country\nDE\nIT\n", SILENT),
]


@pytest.mark.slow
@pytest.mark.parametrize(("method", "content", "params"), KEYS)
def test_that_public_keys_are_counted_as_on_one_machine(
    spark: Any, places: Path, tmp_path: Path, method: str, content: str, params: dict[str, Any]
) -> None:
    items, groups = tmp_path / "items", tmp_path / "groups"
    # Of the smallest noise that may be asked for, one of few used keys shows any once in 500 runs.
    items.write_text("query\nRose\nn\u00e9e\nabsent\n", "utf-8")
    groups.write_text(content)
    lists: dict[str, Any] = {"items": items, "groups": groups}
    local = same_cells(spark, places, tmp_path / "out", method, 3, PLACES, **lists, **params)
    assert bool(local.changes["cells_released"]) == ("m" in params)
    assert local.changes["items_never_counted"] == 1
