"""Parameters that every attack on sessions has."""

from __future__ import annotations

from typing import Any

from auditor.params import integer


def session_gap() -> Any:
    """The parameter of where a session ends."""
    return integer(
        30,
        1,
        1440,
        label="Session gap",
        unit="min",
        slider=(5, 120),
        ends=("shorter sessions", "longer sessions"),
        help="A session ends where the user pauses for longer than this. Longer sessions "
        "join more queries, so that more of them contain a name together with something "
        "sensitive.",
    )
