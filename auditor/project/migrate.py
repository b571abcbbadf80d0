"""Projects of older versions, brought up to this one step by step.

A file says its version. `STEPS[n]` turns the plain values of version n into those of n + 1, and
is never changed once a release has written version n + 1. Every version has a file among the
tests that has to open for ever.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from auditor.project.reading import JsonNode, ProjectError

VERSION = 1

Plain = dict[str, Any]

STEPS: dict[int, Callable[[Plain], Plain]] = {}


def migrated(whole: JsonNode) -> Plain:
    """The plain values as this version writes them; raises `ProjectError` for a newer one."""
    version = whole["version"].integer(1)
    if version > VERSION:
        raise ProjectError(
            f"This project was saved by a newer version of the program (it is of version "
            f"{version}, this program knows {VERSION}). Open it with that one."
        )
    plain: Plain = dict(whole.value)
    for step in range(version, VERSION):
        plain = STEPS[step](plain)
    return plain
