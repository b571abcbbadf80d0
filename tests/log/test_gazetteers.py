"""The resources: complete, clean, and found wherever the program is installed."""

import fnmatch
import re
import sys
from pathlib import Path

import pytest

from auditor import resource_files
from auditor.errors import MissingInput
from auditor.log import gazetteers
from auditor.resource_files import resource_path


def test_that_the_census_lists_are_complete_and_cannot_be_changed_by_their_readers() -> None:
    first, last = gazetteers.first_names(), gazetteers.last_names()
    assert len(first) == 4275 + 1219 - 331  # the census's female and male files, names in both
    assert len(last) == 88_799
    assert abs(len(set(first) | set(last)) - 91_909) <= 1  # Jones et al. 2008, section 4.1
    # Of a name of both sexes the greater frequency.
    frequencies = (first["james"], first["mary"], last["smith"])
    assert frequencies == pytest.approx((3.318, 2.629, 1.006))
    assert "na" in last  # no missing value
    for table in (first, last, gazetteers.word_counts()):
        values = list(table.values())
        assert values == sorted(values, reverse=True)
    with pytest.raises(TypeError):
        first["nobody"] = 1.0  # type: ignore[index]


def test_that_no_entry_stands_in_two_lists_that_exclude_each_other() -> None:
    true, false = gazetteers.true_names(), gazetteers.false_names()
    assert not true & false
    assert "abraham lincoln" in true
    assert "virginia beach" in false
    # Words are lower case, or only capitalized.
    words, capitals = gazetteers.dictionary_words(), gazetteers.capitalized_words()
    assert not words & capitals
    assert {"jobs", "smith", "mortgage"} <= words
    assert {"ohio", "paris", "dallas"} <= capitals
    source = (
        "career surgery cheats lesbian disease hospital jobs pregnancy medical cheat gay cancer"
    )
    assert gazetteers.revealing_terms() == set(source.split())


@pytest.mark.parametrize(
    "name",
    [
        *("first_names", "last_names", "true_names", "false_names", "dictionary_words"),
        *("capitalized_words", "stop_words", "adult_terms", "revealing_terms", "word_counts"),
        *("noun_ngrams", "state_abbreviations", "postal_codes", "company_names"),
    ],
)
def test_that_every_entry_is_clean_lower_case_text_without_comments(name: str) -> None:
    entries = list(getattr(gazetteers, name)())
    assert entries
    for entry in entries:
        assert entry == entry.strip().lower()
        assert entry
        assert "#" not in entry
        assert "  " not in entry


def test_that_places_have_postal_codes_positions_people_and_states() -> None:
    place = gazetteers.postal_codes()["95014"]
    assert (place.city, place.state) == ("cupertino", "ca")
    assert place.latitude == pytest.approx(37.3, abs=0.2)
    cities, zips = gazetteers.city_table(), gazetteers.city_zips()
    city = cities["bend", "or"]
    assert city.population > 50_000
    assert city.longitude == pytest.approx(-121.3, abs=0.2)
    assert "97701" in zips["bend", "or"]
    assert zips["st louis", "mo"] == zips["saint louis", "mo"]
    states = gazetteers.state_abbreviations()
    assert len(set(states.values())) == 51
    assert states["oregon"] == states["or"] == "or"
    assert states["district of columbia"] == "dc"
    assert {state for _, state in cities} == set(states.values())


def test_that_noun_ngrams_have_two_to_five_words_and_no_repeats() -> None:
    ngrams = gazetteers.noun_ngrams()
    assert len(ngrams) == len(set(ngrams)) > 25_000
    assert {len(text.split()) for text in ngrams} <= {2, 3, 4, 5}
    assert {"good time", "right of way"} <= set(ngrams[:20])


@pytest.mark.parametrize("frozen", [True, False])
def test_that_a_bundle_and_an_installed_wheel_are_read_from_where_they_are(
    frozen: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "auditor" / "_resources"
    folder.mkdir(parents=True)
    (folder / "LICENSES.md").write_text("here")
    if frozen:
        monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    else:
        monkeypatch.setattr(resource_files, "__file__", str(tmp_path / "auditor/resource_files.py"))
    resource_files._find_root.cache_clear()
    try:
        assert resource_path("LICENSES.md") == folder / "LICENSES.md"
        with pytest.raises(MissingInput, match="no-such-list"):
            resource_path("no-such-list")
    finally:
        resource_files._find_root.cache_clear()


def _licence_rows() -> dict[str, set[str]]:
    """Pattern of files under ``resources/`` → the texts of their licences."""
    text = (resource_path(".") / "LICENSES.md").read_text("utf-8")
    rows = [line.split("|") for line in text.splitlines() if line.startswith("| `")]
    return {
        pattern: set(re.findall("`([^`]+)`", row[5]))
        for row in rows
        for pattern in re.findall("`([^`]+)`", row[1])
    }


def test_that_every_file_is_named_in_the_licences() -> None:
    root = resource_path(".")
    patterns = [f"{path}*" if path.endswith("/") else path for path in _licence_rows()]
    for file in root.rglob("*"):
        name = file.relative_to(root).as_posix()
        legal = name.startswith("licences/") or file.name in ("LICENSES.md", "LICENSE", "OFL.txt")
        if file.is_file() and not legal:
            assert any(fnmatch.fnmatch(name, pattern) for pattern in patterns), name


def test_that_the_text_of_every_licence_is_there() -> None:
    folder = resource_path("licences")
    named = set().union(*_licence_rows().values())
    assert len(named) >= 17
    for name in named:
        assert len((folder / name).read_text("utf-8")) > 400, name
    assert {file.name for file in folder.iterdir()} <= named
