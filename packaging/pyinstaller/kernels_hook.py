"""Runs before the bundled program: lets numba find the compiled kernels that came along."""

import os

import processors

os.environ.setdefault("NUMBA_CACHE_LOCATOR_CLASSES", "shipped_kernels.Locator")
if "NUMBA_CPU_NAME" not in os.environ and (level := processors.level(processors.flags())):
    processors.ask_for(level)
