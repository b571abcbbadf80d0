"""A small log, places for a project and for the window's state, and how they are used."""

from pathlib import Path
from typing import cast

import pytest
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton

from auditor.gui.app.main_window import MainWindow
from tests.gui.driving import wait_signal, wait_until

LOG = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n" + "".join(
    f"{u}\tzorblatt {r if r < 2 else u}\t2006-03-01 0{r}:{u:02d}:00\t\t\n"
    for u in range(20)
    for r in range(4)
)


@pytest.fixture
def state(tmp_path: Path) -> Path:
    place = tmp_path / "state"
    place.mkdir()
    return place


@pytest.fixture
def log(tmp_path: Path) -> Path:
    file = tmp_path / "searches.tsv"
    file.write_text(LOG, encoding="utf-8")
    return file


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the project is saved."""
    return tmp_path / "a.qlpa"


def open_log(window: MainWindow, log: Path) -> None:
    window.open([log])
    wait_until(lambda: window.controller.opened is not None)


def save(window: MainWindow, path: Path) -> None:
    with wait_signal(window.projects.keeper.saved):
        window.projects.keeper.save(path)


def question(window: MainWindow) -> QMessageBox:
    wait_until(lambda: window.findChild(QMessageBox) is not None)
    return cast(QMessageBox, window.findChild(QMessageBox))


def answer(window: MainWindow, start: str) -> None:
    box = question(window)
    button = next(b for b in box.buttons() if b.text().replace("&", "").startswith(start))
    cast(QPushButton, button).click()
    wait_until(lambda: window.findChild(QMessageBox) is not box)
    QApplication.processEvents()
