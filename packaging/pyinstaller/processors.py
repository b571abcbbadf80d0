"""Which kind of processor kernels are compiled for; nothing heavy is imported here.

Compiled code is taken from the cache only if it was made for the same processor. A bundle runs on
many, so kernels are made for levels that many share, and the highest that is there is asked for.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Collection
from pathlib import Path

LEVELS = {
    "x86-64-v3": {"avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"},
    "x86-64-v2": {"cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3"},
}
"""Levels of the x86-64 ABI, the highest first → what Linux must say that the processor can."""


def flags() -> set[str]:
    """What Linux says that this processor can."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return set()
    said = (line.partition(":")[2].split() for line in lines if line.startswith("flags"))
    return set(next(said, []))


def levels(can: Collection[str]) -> list[str]:
    """The levels that a processor reaches, the highest first."""
    if platform.machine() != "x86_64":
        return []
    return [name for name, needed in LEVELS.items() if needed <= set(can)]


def ask_for(level: str) -> None:
    """Have numba compile for `level` and for nothing beyond it; before numba is imported."""
    os.environ["NUMBA_CPU_NAME"] = level
    os.environ["NUMBA_CPU_FEATURES"] = ""
