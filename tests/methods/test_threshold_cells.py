"""Releases of cells: who counts, what a method may see, and what is looked up afterwards."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.attacks.base import AttackResult, Evidence
from auditor.attacks.registry import ATTACKS
from auditor.engine.backends import local
from auditor.errors import Cancelled, LogFormatError
from auditor.log.model import Attribute, QueryLog, Vocabulary
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS
from auditor.privacy.noise import PreviewRandomness
from auditor.privacy.release import CellTable
from auditor.release.kept_content import KeptContent
from tests.measures.fakes import take
from tests.methods import logs
from tests.methods.logs import (
    QUIET,
    contradiction,
    expect,
    explain_text,
    present,
    run_method,
    tables_of,
)

DAY = 86_400
SPRING = 1_143_849_600
"""1 April 2006."""
NAMES = ("query-result-threshold", "click-pairs", "popularity-score", "trends-index")
VALUES: dict[str, dict[str, Any]] = {
    "query-result-threshold": {},
    "click-pairs": {"k": 5},
    "popularity-score": {"k": 5},
    "trends-index": {"T": 5},
}


SIGNED = ["c", "vitamin C!", "(C++)", "c++ jobs", "c#, java", "java#", "c primer"]


def log_of(*rows: tuple[str, str, int], **columns: list[str]) -> QueryLog:
    """Rows of user, query and days after `SPRING`, each a click, with columns beside them."""
    users, queries, days = zip(*rows, strict=True)
    log = QueryLog.from_columns(
        user=users,
        query=queries,
        time=[SPRING + day * DAY for day in days],
        url=["p.example"] * len(rows),
        rank=[1] * len(rows),
    )
    order = np.lexsort((days, [users.index(user) for user in users]))
    attributes = {}
    for name, values in columns.items():
        texts = sorted({value for value in values if value})
        codes = [texts.index(values[row]) if values[row] else -1 for row in order]
        attributes[name] = Attribute(np.array(codes, dtype=np.int32), Vocabulary.of(texts))
    return dataclasses.replace(log, attributes=attributes)


def crowd(users: int, query: str, day: int, first: int = 0) -> list[tuple[str, str, int]]:
    return [(f"u{first + number}", query, day) for number in range(users)]


def cells_of(name: str, log: QueryLog, **values: Any) -> CellTable:
    content = tables_of(run_method(name, log, **values).content)
    return present(content.alone)


def queries_of(table: CellTable) -> list[str]:
    key = present(table.find_key("query"))
    return sorted(set(key.list_texts()))


def test_that_29_users_of_a_query_and_4_of_a_cell_are_too_few_however_often_one_repeats() -> None:
    rows = [
        *crowd(30, "maps", -40),
        *crowd(29, "news", -40),
        *[("u0", "news", -39)] * 5,
        *crowd(5, "Maps ", 1),
        *crowd(9, "news", 1),
    ]
    table = cells_of("query-result-threshold", log_of(*rows), first_day=20060401)
    assert [key.list_texts() for key in table.keys] == [["maps"], ["p.example"]]
    assert [figure.list_texts() for figure in table.figures] == [["5"], ["1"]]
    repeated = log_of(*crowd(30, "maps", -40), *crowd(4, "maps", 1), *[("u0", "maps", 1)] * 9)
    assert not len(cells_of("query-result-threshold", repeated, first_day=20060401))
    # What was counted in the window isn't released, and what is released isn't counted.
    assert not len(
        cells_of("query-result-threshold", log_of(*crowd(40, "maps", 1)), first_day=20060401)
    )


def test_that_only_signed_in_users_count_where_the_log_says_who_was() -> None:
    rows = crowd(40, "maps", 0)
    signed = ["yes"] * 29 + ["no"] * 6 + [""] * 5
    table = cells_of("query-result-threshold", log_of(*rows, signed_in=signed))
    assert not len(table)
    facts = run_method("query-result-threshold", log_of(*rows, signed_in=["true"] * 40)).statement
    assert "Only signed-in users count" in facts.claim
    facts = run_method("query-result-threshold", log_of(*rows)).statement
    assert "does not say who was signed in" in facts.claim
    assert "not views" in facts.claim


@pytest.mark.parametrize("name", NAMES)
def test_that_a_method_is_shown_no_column_but_those_it_names(name: str) -> None:
    rows = crowd(40, "maps", 0)
    columns = {
        key: [f"{key} {row % 2}" for row in range(40)]
        for key in ("country", "region", "device", "health")
    }
    log = log_of(*rows, **columns, signed_in=["1"] * 40)
    headings = set(cells_of(name, log, **VALUES[name]).heading)
    assert headings & set(columns) == set(METHODS[name].reads) & set(columns)
    assert "health" not in headings


def test_that_gates_are_told_the_fewest_users_of_words_and_of_columns_that_are_shown() -> None:
    rows = [*crowd(40, "maps", 0), *crowd(40, "news", 0)]
    places = ["AT"] * 6 + ["DE"] * 34 + ["AT"] * 4 + ["FR"] * 6 + ["DE"] * 30
    facts = run_method("query-result-threshold", log_of(*rows, country=places)).statement.measured
    assert (facts["entity_users"], facts["smallest_cell"]) == (30, 6)
    # Of Austria six users show, for the four who searched for news are in no released cell.
    assert facts["smallest_column_group"] == 6
    bare = run_method("click-pairs", log_of(*rows), k=5).statement.measured
    assert bare["entity_users"] == 5
    assert "smallest_column_group" not in bare


@pytest.mark.parametrize("name", NAMES[1:])
def test_that_without_a_published_number_nothing_is_released(name: str) -> None:
    log = log_of(*crowd(40, "maps", 0))
    product = run_method(name, log)
    assert not len(tables_of(product.content).queries)
    assert product.statement.measured["unset_rules"] >= 1
    expected = expect(name, log)
    assert expected.values[0].value == 0
    assert "no published text" in expected.note


@pytest.mark.parametrize("name", NAMES)
def test_that_an_outlook_expects_and_an_explanation_says_what_a_run_releases(name: str) -> None:
    log = log_of(*crowd(40, "maps", 0), *crowd(3, "a lone one", 1))
    table = cells_of(name, log, **VALUES[name])
    assert queries_of(table) == ["maps"]
    expected = expect(name, log, **VALUES[name])
    assert [value.value for value in expected.values[:2]] == [len(table), 1]
    maps, lone, nobodys = (
        explain_text(name, log, text, **VALUES[name]) for text in ("maps", "a lone one", "nobody's")
    )
    assert [maps.chance, lone.chance, nobodys.chance] == [1.0, 0.0, 0.0]
    (turn,) = maps.turns
    for value in (present(turn.value), present(turn.value) - 1):
        cells = cells_of(name, log, **VALUES[name] | {turn.parameter: value})
        assert bool(len(cells)) == (value != turn.value)


@pytest.mark.parametrize("name", NAMES)
def test_that_a_cell_of_too_few_contradicts_the_log(name: str) -> None:
    rows = [*crowd(40, "maps", 0), *crowd(4, "rare", 0)]
    log = log_of(*rows, *crowd(40, "rare", 90, first=10))
    values = VALUES[name]
    sound = run_method(name, log, **values).content
    assert contradiction(name, log, sound, **values) == ""
    few = run_method(name, log, **dict.fromkeys(values or ("k_cell",), 1)).content
    assert "fewer users" in contradiction(name, log_of(*rows), few, **values)
    other = run_method("trends-index" if name in NAMES[:2] else "click-pairs", log).content
    assert "other keys" in contradiction(name, log, other, **values)


def test_that_a_sample_of_searches_is_drawn_and_gives_no_cell_that_the_whole_does_not() -> None:
    rows = [row for day in range(50) for row in crowd(8, "maps", day)]
    full = cells_of("trends-index", log_of(*rows), T=4)
    drawn = cells_of("trends-index", log_of(*rows), T=4, sample=0.5)
    assert len(full) == 50
    assert 15 < len(drawn) < 48  # P(at least 4 of 8) is 0.637
    assert set(drawn.keys[0].list_texts()) <= set(full.keys[0].list_texts())


def test_that_bad_parameters_are_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "list").write_bytes(b"\xff\xfe")
    log = log_of(*crowd(5, "maps", 0))
    for bad in (tmp_path / "list", tmp_path / "nowhere", tmp_path):
        with pytest.raises(LogFormatError, match="can't be read"):
            run_method("click-pairs", log, k=1, corpus=bad)


@pytest.mark.parametrize(
    ("queries", "lines", "left"),
    [
        (
            ["a Big secret!", "porn,", "my porn!", "big", "secret big", "weather", "c++ ..."],
            "big secret\n'Porn'\n",
            {"big", "secret big", "weather", "c++ ..."},
        ),
        (SIGNED, "c++\njava\nC# java\n", {"c", "vitamin c!", "c primer"}),
        (SIGNED, "c\n", {"java#"}),
    ],
)
def test_that_a_blocked_line_is_a_run_of_words_and_their_signs_but_for_punctuation(
    queries: list[str], lines: str, left: set[str], tmp_path: Path
) -> None:
    (tmp_path / "list").write_text(lines, encoding="utf-8")
    rows = [row for query in queries for row in crowd(5, query, 0)]
    cells = cells_of("click-pairs", log_of(*rows), k=5, blocked=tmp_path / "list")
    assert set(queries_of(cells)) == left


def test_that_other_spellings_of_a_released_query_are_seen_to_survive() -> None:
    """What nobody but one user wrote in capitals is out all the same, and counts as kept."""
    rows = [(f"u{n}", "Anna  Smith" if n else "ANNA smith", 1_000 + n, "a.b") for n in range(6)]
    log = logs.log_of(rows)
    params = METHODS["click-pairs"].params.of({"k": 6})
    release = local.apply_method(log, "click-pairs", params, PreviewRandomness(1), QUIET)
    assert present(release.tables).queries.list_strings() == ["anna smith"]
    facts = KeptContent.of(log, release)
    assert (facts.queries, facts.log_queries, facts.searches, facts.log_searches) == (1, 1, 6, 6)
    texts: list[list[str]] = []

    def look(evidence: Evidence, params: Any, *, rng: Any, progress: Any) -> AttackResult:
        texts.append(evidence.log.queries.list_strings())
        raise Cancelled

    attack = dataclasses.replace(ATTACKS["composition-exposure"], run=look)
    evidence = Evidence(log=log, release=release)
    with pytest.raises(Cancelled):
        attack.run(evidence, attack.params(), rng=np.random.default_rng(0), progress=QUIET)
    assert texts == [["anna smith"]]
    volume = MEASURES["volume"]
    result = take(volume, log, release)
    assert {metric.name: metric.value for metric in result.values}["volume.searches_share"] == 1.0
