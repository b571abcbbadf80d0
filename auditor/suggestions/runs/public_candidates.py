"""The list of a private choice: settings that withstand planted strings, from public sizes alone.

What planted strings show of a setting is calculated (`planted_gates`), so a setting that would
fail at the policy's ε and δ is replaced by those with less that pass. A smaller δ raises the
threshold at the same noise; a smaller ε adds noise. At each ε the largest δ that passes beats all
smaller ones, whatever the log holds, so it alone is in the list. The list depends on the policy and
the number of users, and on nothing else in a log: that the choice from it costs its ε and no more
does not depend on how long it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from auditor.progress import Progress, silent_progress
from auditor.suggestions.candidates import SearchCandidate, list_public_candidates
from auditor.suggestions.limits import PolicyLimits
from auditor.suggestions.runs.planted_gates import PlantedGates

EPSILON_STEP = 0.97
EPSILON_STEPS = (0, 2, 5, 10, 15, 20, 30, 40, 60, 80)
"""Shares of ε that are looked at, by their exponents: down to a twelfth."""
DELTA_STEP = 10**-0.05
DELTA_STEPS = 60
"""How far δ is lowered: to a thousandth."""


def list_withstanding(
    limits: PolicyLimits,
    planted: PlantedGates,
    methods: Iterable[str] | None = None,
    progress: Progress | None = None,
) -> tuple[SearchCandidate, ...]:
    """The settings of a private choice that pass with room to spare, or of which only runs tell.

    For each method, family and number: the one with the largest δ at the policy's ε, and those at
    less ε, as long as a larger δ passes there than with more. Raises `Cancelled`.
    """
    names = None if methods is None else tuple(methods)
    best: dict[tuple[str, str, int], int] = {}  # the least steps of δ so far
    found: list[list[SearchCandidate]] = []
    heard = silent_progress() if progress is None else progress
    heard.stage("listing settings that the policy allows", len(EPSILON_STEPS))
    for step in EPSILON_STEPS:
        lower = limits.with_epsilon(limits.epsilon * EPSILON_STEP**step)
        found.append(_find_largest_delta(lower, planted, names, best, heard))
        heard.advance()
    return tuple(chain.from_iterable(found))


def _find_largest_delta(
    limits: PolicyLimits,
    planted: PlantedGates,
    methods: tuple[str, ...] | None,
    best: dict[tuple[str, str, int], int],
    progress: Progress,
) -> list[SearchCandidate]:
    """The settings at one ε with a larger δ than those in `best`, which is brought up to date."""
    found: dict[tuple[str, str, int], SearchCandidate] = {}
    for step in range(DELTA_STEPS + 1):
        wanted = False
        for one in list_public_candidates(limits.of_delta(DELTA_STEP**step), methods):
            key = one.method, one.family, one.number
            if best.get(key, DELTA_STEPS + 1) <= step:
                continue
            progress.check()
            if planted.withstands(one):
                found[key], best[key] = one, step
            else:
                wanted = True
        if not wanted:
            break
    return list(found.values())
