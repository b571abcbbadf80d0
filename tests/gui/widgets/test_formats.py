"""How numbers, parameters and names from outside read on the screen."""

from PySide6.QtGui import QTextDocument

from auditor.gui.widgets import formats
from auditor.gui.widgets.areas import ElidedLabel
from auditor.gui.widgets.safe_text import plain_tip
from auditor.methods.registry import METHODS
from tests.gui.driving import keep

HOSTILE = '<img src="file:///etc/passwd"><b>harmless.tsv</b> & more\n  next line'


def test_that_parameters_that_differ_read_in_the_fields_words() -> None:
    """Numbers stand under their symbols; a flag's name is no language for a reader."""
    defaults = METHODS["safelog"].params()
    changed = defaults.replace(b=20.0, clicks=False)
    assert formats.brief_parameters(defaults) == "defaults"
    assert formats.brief_parameters(changed) == "b=20, Release clicks: no"


def test_that_one_of_a_unit_is_told_as_one_and_a_line_begins_with_a_large_letter() -> None:
    threshold = METHODS["frequency-threshold"].params.spec("n")
    assert formats.format_parameter(threshold, 1) == "1\u00a0user"
    assert formats.format_parameter(threshold, 2) == "2\u00a0users"
    assert formats.format_quantity(1.0, "queries") == "1\u00a0query"
    assert formats.format_quantity(1.0, "min") == "1\u00a0min"
    assert formats.capitalize("no formal guarantee") == "No formal guarantee"
    assert formats.capitalize("ε 2 per day") == "ε 2 per day"


def test_that_mark_up_in_a_tip_is_text() -> None:
    label = keep(ElidedLabel())
    label.show_text(HOSTILE)
    assert label.accessibleName() == HOSTILE
    document = QTextDocument()
    for tip in (plain_tip(HOSTILE), label.toolTip()):
        assert "<img" not in tip
        document.setHtml(tip)
        assert document.toPlainText().replace("\u2028", "\n") == HOSTILE
    assert plain_tip("logs & more.tsv") == "logs & more.tsv"
