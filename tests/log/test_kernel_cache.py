"""Compiled kernels never outlive the sources of what they call."""

from __future__ import annotations

import os
from pathlib import Path

from auditor.log.kernel_cache import drop_stale


def make(path: Path, age: float) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"")
    os.utime(path, (1_000_000 - age, 1_000_000 - age))
    return path


def test_that_kernels_older_than_any_source_are_dropped(tmp_path: Path) -> None:
    make(tmp_path / "a_kernels.py", age=50)
    make(tmp_path / "b_kernels.py", age=10)
    old = make(tmp_path / "__pycache__" / "a_kernels.f-3.py311.nbi", age=20)
    new = make(tmp_path / "__pycache__" / "b_kernels.g-9.py311.nbi", age=5)
    assert drop_stale(tmp_path) == 1
    assert not old.exists()
    assert new.exists()


def test_that_nothing_is_dropped_where_there_are_no_sources(tmp_path: Path) -> None:
    kept = make(tmp_path / "__pycache__" / "a_kernels.f-3.py311.nbi", age=20)
    assert drop_stale(tmp_path) == 0
    assert kept.exists()
