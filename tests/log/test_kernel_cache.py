"""Compiled kernels never outlive the sources of what they call."""

from __future__ import annotations

import os
from pathlib import Path

from auditor.log.kernel_cache import drop_stale


def make(path: Path, age: float, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (1_000_000 - age, 1_000_000 - age))
    return path


def test_that_kernels_older_than_what_they_call_are_dropped(tmp_path: Path) -> None:
    package = tmp_path / "pack"
    make(package / "a_kernels.py", 10)
    make(package / "b_kernels.py", 50, "from pack.a_kernels import f\n")
    make(package / "sub" / "kernels.py", 50, "import math\nfrom pack.b_kernels import (\n  g,\n)\n")
    make(package / "alone_kernels.py", 50)
    stale = [
        make(package / "__pycache__" / "b_kernels.g-3.py311.nbi", 20),
        make(package / "sub" / "__pycache__" / "kernels.h-3.py311.nbi", 20),
    ]
    good = [
        make(package / "__pycache__" / "alone_kernels.f-3.py311.nbi", 20),
        make(package / "__pycache__" / "b_kernels.new-9.py311.nbi", 5),
    ]
    assert drop_stale(package) == 2
    assert not any(path.exists() for path in stale)
    assert all(path.exists() for path in good)


def test_that_nothing_is_dropped_where_there_are_no_sources(tmp_path: Path) -> None:
    kept = make(tmp_path / "__pycache__" / "a_kernels.f-3.py311.nbi", age=20)
    assert drop_stale(tmp_path) == 0
    assert kept.exists()
