"""A label that remembers its heights must never remember too long."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from auditor.gui.widgets import style
from auditor.gui.widgets.wrapping import WrappingLabel
from tests.gui.driving import keep

TEXT = "Nobody can tell from the release whether one user's searches were in the log. " * 3


def high_as_qt(label: WrappingLabel, width: int) -> int:
    """What Qt measures now, past what is remembered."""
    return QLabel.heightForWidth(label, width)


@pytest.mark.parametrize("width", [80, 200, 333, 900])
def test_height_is_always_qts_own(width: int) -> None:
    label = keep(style.plain_label(TEXT, wrap=True))
    assert isinstance(label, WrappingLabel)

    def check() -> int:
        high = label.heightForWidth(width)
        assert label.heightForWidth(width) == high == high_as_qt(label, width)
        return high

    before = check()
    label.setText(TEXT * 2)
    assert check() > before
    label.setFont(style.scaled_font(label, style.HEADING, bold=True))
    larger = check()
    assert larger > before
    label.setStyleSheet("padding: 20px")
    check()
    label.setText("")
    assert check() < larger
    label.setText(TEXT)
    label.setMargin(12)
    check()
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    assert label.text() == TEXT


def test_the_same_words_again_lay_nothing_out(monkeypatch: pytest.MonkeyPatch) -> None:
    label = keep(WrappingLabel())
    label.setText(TEXT)
    label.heightForWidth(200)
    monkeypatch.setattr(QLabel, "setText", lambda *_: pytest.fail("laid out anew"))
    label.setText(TEXT)
    assert label.heightForWidth(200) == high_as_qt(label, 200)
