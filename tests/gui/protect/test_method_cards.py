"""What the cards say that methods are chosen by."""

from __future__ import annotations

import pytest

from auditor.gui.protect.method_cards import describe_output
from auditor.methods.registry import METHODS


@pytest.mark.parametrize(
    ("method", "output"),
    [
        ("frequency-threshold", "A log, row by row"),
        ("safelog", "Tables of counts: queries, clicks, transitions"),
        ("korolova", "Tables of counts: queries, clicks"),
        ("zealous", "A table of queries"),
        ("dated-counts", "A table of queries by date"),
    ],
)
def test_that_a_card_names_the_tables_that_the_method_makes(method: str, output: str) -> None:
    assert describe_output(METHODS[method]) == output


def test_that_what_is_guaranteed_is_a_sentence_on_every_card() -> None:
    assert all(METHODS[name].guarantee.endswith(".") for name in METHODS)
