"""Assumptions and sentences that the statements of several methods share."""

from __future__ import annotations

import math

from auditor.privacy.statement import Assumption

UNIT = "one user's whole history"
NEIGHBOURS = "two logs of which one has one user more, with all that the user did"
EXCHANGED = "two logs in which one user's history is exchanged for any other"
"""What ZEALOUS hides, which says less than `NEIGHBOURS`: the number of users is known."""


def red(delta: float, users: int) -> bool:
    """Whether a δ says nothing: a mechanism that shows one whole user at random has 1/users."""
    return users > 0 and delta >= 1 / users


def number(value: float) -> str:
    """A number as a sentence has it."""
    return "infinite" if math.isinf(value) else f"{value:.4g}"


def small_delta(delta: float, users: int) -> Assumption:
    """δ must be far below one in the number of users."""
    bad = red(delta, users)
    return Assumption(
        "delta",
        "δ is below one in the number of users; above it, δ allows to show some user's whole "
        "history.",
        "fails" if bad else "holds",
        f"δ = {number(delta)} {'≥' if bad else '<'} 1/{users:,} = {1 / max(users, 1):.2g}",
    )


def secure_noise(secure: bool) -> Assumption:
    """Floating point and seeds, spec caveat 5."""
    return Assumption(
        "noise",
        "Noise consists of integers from a vetted sampler on the operating system's randomness, "
        "and no seed is kept.",
        "holds" if secure else "fails",
        "discrete Laplace (Canonne, Kamath and Steinke)"
        if secure
        else "preview: seeded noise, which whoever has the seed can take away",
    )


def common() -> tuple[Assumption, ...]:
    """What no program can check, and every guarantee here rests on."""
    return (
        Assumption(
            "one person, one user id",
            "Each person has one user id. A person with several is protected for each alone.",
            "unknown",
        ),
        Assumption(
            "parameters chosen blindly",
            "Parameters were not chosen by what this log shows. Tuning on the log itself is a "
            "look at it that ε does not count.",
            "unknown",
        ),
        Assumption(
            "exact figures stay inside",
            "Only the released tables go out. Counts of changes, measures and evidence beside "
            "them are computed without noise and are not covered.",
            "unknown",
        ),
        Assumption(
            "no other release",
            "Nothing else of the same log is released; the ε and δ of several releases add up.",
            "unknown",
        ),
    )


def pool_independent(pool: str, share: float | None) -> Assumption | None:
    """The pool must come from elsewhere; `share` of this log's queries is in it, if known."""
    if not pool:
        return None
    suspicious = share is not None and share > 0.95
    evidence = pool
    if share is not None:
        evidence += f"; it holds {100 * share:.1f} % of this log's distinct queries"
    made = "n-grams" in pool
    return Assumption(
        "pool from elsewhere",
        "The pool was not derived from this log. People whose queries stand in the pool are not "
        "protected by this statement.",
        "fails" if suspicious else "holds" if made else "unknown",
        evidence,
    )
