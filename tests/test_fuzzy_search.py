"""Search that forgives slips, and "did you mean" where people meet it."""

from pathlib import Path

import pytest

from auditor.errors import LogFormatError, ParameterError
from auditor.fuzzy_search import closest_names, did_you_mean, fold_text, rank_matches
from auditor.log.reading.reader import sniff_log
from auditor.methods.registry import METHODS

QUERIES = [
    "cheap flights berlin",
    "berlin berlin berlin",
    "weather",
    "Crème brûlée recipe",
    "hotel in berlin",
    "pharmacy open late",
]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("chep flihgts berlin", "cheap flights berlin"),
        ("flights berlin cheap", "cheap flights berlin"),
        ("creme brulee", "Crème brûlée recipe"),
        ("PHARMCY", "pharmacy open late"),
        ("wether", "weather"),
    ],
)
def test_that_slips_of_the_keyboard_are_forgiven(query: str, expected: str) -> None:
    matches = rank_matches(query, QUERIES)
    assert matches[0].text == expected
    assert QUERIES[matches[0].place] == expected
    assert [hit.score for hit in matches] == sorted((hit.score for hit in matches), reverse=True)


def test_that_names_are_suggested_only_where_they_are_alike() -> None:
    assert rank_matches("zzzzqqq", QUERIES) == rank_matches("  …", QUERIES) == []
    assert fold_text("  Ärzte-Haus!") == fold_text("arzte haus")
    assert closest_names("safelgo", METHODS) == ["safelog"]
    assert closest_names("hashing", METHODS) == ["token-hashing"]
    assert closest_names("weather", METHODS) == []
    assert did_you_mean("", METHODS) == ""


def test_that_unknown_methods_parameters_and_files_come_with_a_suggestion(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"no method 'zealus'\. Did you mean 'zealous'\?"):
        METHODS["zealus"]
    with pytest.raises(ParameterError, match=r"no parameter 'detla'\. Did you mean 'delta'\?"):
        METHODS["safelog"].params.spec("detla")
    (tmp_path / "searches-2024.tsv").write_text("x")
    with pytest.raises(LogFormatError, match=r"Did you mean 'searches-2024\.tsv'\?"):
        sniff_log(tmp_path / "serches-2024.tsv")
