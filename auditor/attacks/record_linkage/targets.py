"""Whom a linkage attack looks at, and the parameters that exact and near matches share."""

from __future__ import annotations

from typing import Any

import numpy as np

from auditor.arrays import Int64s
from auditor.log.model import NONE, Vocabulary
from auditor.messages import phrase
from auditor.params import integer, real


def known_share(more: str = "") -> Any:
    """The parameter of how much is known; `more` is added to its help."""
    return real(
        0.5,
        0.0,
        1.0,
        closed="right",
        label="Share of a user's events known",
        slider=(0.05, 1.0),
        ends=("knows little", "knows all"),
        help=phrase(
            "How much of each target's original history the attacker has, at least one search."
        )
        + more,
    )


def target_count(default: int, most: int, slider: tuple[int, int]) -> Any:
    """The parameter of how many users are attacked."""
    return integer(
        default,
        1,
        most,
        label="Users attacked",
        unit="users",
        slider=slider,
        scale="log",
        ends=("quick", "narrow interval"),
        help="In larger logs this many users are drawn at random; the interval says how far "
        "the rate among all users may be from theirs.",
    )


def confident_lead(more: str = "") -> Any:
    """The parameter of when the attacker is sure; `more` is added to its help."""
    return real(
        1.5,
        1.0,
        100.0,
        label="Margin of a confident link",
        slider=(1.0, 5.0),
        ends=("more links", "fewer links"),
        help=phrase(
            "The attacker is confident of a link if its record is this many times as close as any "
            "other."
        )
        + more,
    )


def draw_users(users: int, size: int, rng: np.random.Generator) -> Int64s:
    """Up to `size` of so many users, ascending."""
    if users <= size:
        return np.arange(users, dtype=np.int64)
    return np.sort(rng.choice(users, size, replace=False)).astype(np.int64)


def draw_strangers(
    there: Vocabulary, here: Vocabulary, size: int, rng: np.random.Generator
) -> Int64s | None:
    """Up to `size` users of one log who are not in the other; None if all of them are."""
    apart = np.flatnonzero(there.match(here) == NONE)
    return apart[draw_users(len(apart), size, rng)] if len(apart) else None
