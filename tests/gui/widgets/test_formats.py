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
