"""Tooltips show names of files and queries as they are, whatever mark-up they hold."""

from __future__ import annotations

from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot

from auditor.gui.widgets.areas import ElidedLabel
from auditor.gui.widgets.safe_text import plain_tip

HOSTILE = '<img src="file:///etc/passwd"><b>harmless.tsv</b> & more\n  next line'


def rendered_text(tip: str) -> str:
    """The text that a tooltip with this mark-up shows."""
    document = QTextDocument()
    document.setHtml(tip)
    return document.toPlainText().replace("\u2028", "\n")


def test_that_mark_up_in_a_tip_is_text(qtbot: QtBot) -> None:
    assert plain_tip("logs & more.tsv") == "logs & more.tsv"
    assert rendered_text(plain_tip(HOSTILE)) == HOSTILE
    assert "<img" not in plain_tip(HOSTILE)


def test_that_a_header_shows_a_files_name_as_it_is(qtbot: QtBot) -> None:
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.show_text(HOSTILE)
    assert rendered_text(label.toolTip()) == HOSTILE
    assert label.accessibleName() == HOSTILE
