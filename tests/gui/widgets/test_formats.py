"""How parameters read in lists of runs."""

from __future__ import annotations

from typing import Any

from PySide6.QtGui import QTextDocument

from auditor.gui.widgets import formats
from auditor.gui.widgets.areas import ElidedLabel
from auditor.gui.widgets.safe_text import plain_tip
from auditor.methods.registry import METHODS
from tests.gui.driving import keep


def test_that_parameters_that_differ_read_in_the_fields_words() -> None:
    """Numbers stand under their symbols; a flag's name is no language for a reader."""
    safelog = METHODS["safelog"].params
    assert formats.brief_parameters(safelog()) == "defaults"
    values: dict[str, Any] = {"b": 20.0, "clicks": False}
    assert formats.brief_parameters(safelog(**values)) == "b=20, Release clicks: no"


def test_that_one_of_a_unit_is_told_as_one() -> None:
    threshold = METHODS["frequency-threshold"].params.specs()[0]
    assert threshold.unit == "users"
    assert formats.format_parameter(threshold, 1) == "1\u00a0user"
    assert formats.format_parameter(threshold, 2) == "2\u00a0users"
    assert formats.format_quantity(1.0, "queries") == "1\u00a0query"
    assert formats.format_quantity(1.0, "min") == "1\u00a0min"


def test_that_a_line_begins_with_a_large_letter_and_epsilon_stays_small() -> None:
    assert formats.capitalize("no formal guarantee") == "No formal guarantee"
    assert formats.capitalize("ε 2 per day") == "ε 2 per day"


HOSTILE = '<img src="file:///etc/passwd"><b>harmless.tsv</b> & more\n  next line'


def rendered_text(tip: str) -> str:
    """The text that a tooltip with this mark-up shows."""
    document = QTextDocument()
    document.setHtml(tip)
    return document.toPlainText().replace("\u2028", "\n")


def test_that_mark_up_in_a_tip_is_text() -> None:
    assert plain_tip("logs & more.tsv") == "logs & more.tsv"
    assert rendered_text(plain_tip(HOSTILE)) == HOSTILE
    assert "<img" not in plain_tip(HOSTILE)


def test_that_a_header_shows_a_files_name_as_it_is() -> None:
    label = keep(ElidedLabel())
    label.show_text(HOSTILE)
    assert rendered_text(label.toolTip()) == HOSTILE
    assert label.accessibleName() == HOSTILE
