"""Text in tables can't break a row, can be had back, and runs in no spreadsheet."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from auditor.log.escaping import escape_cell, escape_text, printable_text, unescape_text

ANY = st.text(st.characters() | st.sampled_from("\\\t\n\r\0=+-@\x85\u2028\u202e\ud800ntrxu0"))


@given(ANY, st.booleans())
def test_that_every_text_can_be_had_back(text: str, formulas: bool) -> None:
    assert unescape_text(escape_text(text, formulas=formulas)) == text


@given(ANY, st.booleans())
def test_that_an_escaped_text_is_one_cell_on_one_line(text: str, formulas: bool) -> None:
    escaped = escape_text(text, formulas=formulas)
    assert "\t" not in escaped
    assert len(f"a{escaped}b".splitlines()) == 1
    assert not any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in escaped)
    escaped.encode("utf-8")


@given(ANY)
@example("=1+1")
def test_that_a_spreadsheet_finds_no_formula_where_it_was_asked_for(text: str) -> None:
    assert not escape_text(text, formulas=True).startswith(("=", "+", "-", "@", "\uff1d", "\uff0b"))
    cell = escape_cell(text)
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff20"))


@given(st.text(st.characters(min_codepoint=32, max_codepoint=0x7E, blacklist_characters="\\")))
def test_that_plain_text_stands_verbatim(text: str) -> None:
    assert escape_text(text) == text


@pytest.mark.parametrize("number", [-3, -0.5, 7, True, None])
def test_that_numbers_stay_numbers_in_tables_for_people(number: object) -> None:
    assert escape_cell(number) is number


@pytest.mark.parametrize("text", ["\\", "\\q", "\\x1", "\\xZZ", "\\u12", "a\\"])
def test_that_an_escape_nobody_wrote_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="escape"):
        unescape_text(text)


def test_that_a_page_shows_where_control_characters_stood() -> None:
    assert printable_text("a\x00b\x1b[31m\u202ec") == "a\u2400b\u241b[31m\ufffdc"
