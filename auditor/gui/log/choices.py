"""Lists to choose one entry from, by what it means and not by what it is called."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QComboBox

from auditor.gui.app.translation import tr
from auditor.gui.widgets import safe_text


def make_choice(name: str, entries: Mapping[str, str]) -> QComboBox:
    """A list called `name`: what an entry means → what it is called, in English."""
    choice = QComboBox()
    choice.setAccessibleName(name)
    choice.setMinimumContentsLength(14)
    choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    for value, label in entries.items():
        choice.addItem(tr(label), value)
    return choice


def select_entry(choice: QComboBox, value: str) -> None:
    """Choose an entry by its data, adding one for a value that isn't listed."""
    at = choice.findData(value)
    if at < 0:
        choice.addItem(safe_text.shorten_text(value, 20), value)
        at = choice.count() - 1
    choice.setCurrentIndex(at)
