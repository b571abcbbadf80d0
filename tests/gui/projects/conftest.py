"""A place for the window's state, and a small log."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gui.projects.test_project import LOG


@pytest.fixture
def state(tmp_path: Path) -> Path:
    place = tmp_path / "state"
    place.mkdir()
    return place


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "searches.tsv"
    path.write_text(LOG, encoding="utf-8")
    return path
