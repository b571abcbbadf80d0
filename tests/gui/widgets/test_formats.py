"""How parameters read in lists of runs."""

from __future__ import annotations

from typing import Any

from auditor.gui.widgets import formats
from auditor.methods.registry import METHODS


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
