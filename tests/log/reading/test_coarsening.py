"""Coarser values of the columns kept beside a log."""

from pathlib import Path

import pytest

from auditor.errors import ParameterError
from auditor.log.reading.coarsening import RULES, list_levels
from auditor.log.reading.reader import ReadOptions, read_log

WHO = {"city": "city", "lang": "lang"}
ROWS = (
    ("ann12", "red shoes", "2026-01-01 10:00:00", "Bonn", "de-DE"),
    ("bob34", "tax form", "2026-01-01 11:00:00", "Köln", "de"),
    ("cleo5", "red shoes", "2026-01-01 12:00:00", "Rome", "it-IT"),
    ("ann12", "radio", "2026-01-02 10:00:00", "Oslo", ""),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A log with two columns beside its own."""
    lines = ["user_id,query,time,city,lang", *map(",".join, ROWS)]
    file = tmp_path / "log.csv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def test_that_only_coarser_values_are_in_the_log(path: Path, tmp_path: Path) -> None:
    table = tmp_path / "countries.csv"
    table.write_text("city;country\nBonn;DE\nKöln;DE\nRome;IT\n", encoding="utf-8")
    options = ReadOptions(columns=WHO, coarsen=f"city={table},lang=language")
    log = read_log(path, options)
    texts = {name: attribute.texts.list_strings() for name, attribute in log.attributes.items()}
    assert texts == {"city": ["DE", "IT"], "lang": ["de", "it"]}
    assert log.attributes["city"].codes.tolist() == [0, -1, 0, 1]  # nothing for Oslo
    assert dict(log.origin.coarsened) == {"city": "countries.csv", "lang": "language"}
    assert log.describe_attribute("city") == "city (coarser, by countries.csv)"
    assert log.digest != read_log(path, ReadOptions(columns=WHO)).digest


PLACES = "city;region;country\nBonn;NW;DE\nKöln;NW;DE\nRome;Lazio;IT\n"


def test_that_a_level_of_a_table_is_named_behind_it(path: Path, tmp_path: Path) -> None:
    table = tmp_path / "places.csv"
    table.write_text(PLACES, encoding="utf-8")
    assert list_levels(table) == ["region", "country"]
    for level, values in (("region", ["NW", "Lazio"]), ("country", ["DE", "IT"])):
        log = read_log(path, ReadOptions(columns=WHO, coarsen=f"city={table}#{level}"))
        assert log.attributes["city"].texts.list_strings() == values
        assert dict(log.origin.coarsened) == {"city": f"places.csv#{level}"}
    for level in ("", "#planet", "#city"):
        with pytest.raises(ParameterError, match="region, country"):
            read_log(path, ReadOptions(columns=WHO, coarsen=f"city={table}{level}"))


@pytest.mark.parametrize(
    ("rule", "value", "coarser"),
    [
        ("device", "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0) Mobile/15E148", "phone"),
        ("device", "Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/120 Mobile Safari", "phone"),
        ("device", "Mozilla/5.0 (Linux; Android 14; SM-X200) Safari/537", "tablet"),
        ("device", "Mozilla/5.0 (Windows NT 10.0; Win64; x64)", "desktop"),
        ("device", "Mozilla/5.0 (compatible; Googlebot/2.1)", "bot"),
        ("device", "something new", ""),
        ("language", "en-US,en;q=0.9", "en"),
        ("language", "zh_Hant", "zh"),
        ("language", "gsw", "gsw"),
        ("language", "*", ""),
        ("language", "english", ""),
    ],
)
def test_what_rules_make_of_values(rule: str, value: str, coarser: str) -> None:
    assert RULES[rule](value) == coarser


@pytest.mark.parametrize(
    ("text", "table"),
    [
        ("city", ""), ("city=", ""), ("city=device,city=device", ""), ("town=device", ""),
        ("city=missing.csv", ""), ("city=TABLE", "Bonn,DE,NW\n"),
        ("city=TABLE", "Bonn,DE\nBonn,NL\n"),
    ],
)  # fmt: skip
def test_what_cannot_be_made_coarser_is_refused(
    path: Path, tmp_path: Path, text: str, table: str
) -> None:
    file = tmp_path / "table.csv"
    file.write_text(table, encoding="utf-8")
    with pytest.raises(ParameterError):
        read_log(path, ReadOptions(columns=WHO, coarsen=text.replace("TABLE", str(file))))
