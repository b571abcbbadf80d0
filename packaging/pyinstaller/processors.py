"""Which kind of processor kernels are compiled for; nothing heavy is imported here.

Compiled code is taken from the cache only if it was made for the same processor. A bundle runs on
many, so its kernels are made for what nearly all have had since 2015, and that is asked for. A
processor that has less compiles for itself, once.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Collection
from pathlib import Path

LEVEL = "x86-64-v3"
NEEDED = frozenset(("avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"))
"""What Linux must say that the processor can, for it to be of that level of the x86-64 ABI."""


def flags() -> set[str]:
    """What Linux says that this processor can."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return set()
    fields = (line.partition(":")[2].split() for line in lines if line.startswith("flags"))
    return set(next(fields, []))


def level(can: Collection[str]) -> str:
    """The level that a processor reaches, by what it can; empty if it is none of ours."""
    return LEVEL if platform.machine() == "x86_64" and set(can) >= NEEDED else ""


def ask_for(level: str) -> None:
    """Have numba compile for `level` and for nothing beyond it; before numba is imported."""
    os.environ["NUMBA_CPU_NAME"] = level
    os.environ["NUMBA_CPU_FEATURES"] = ""
