"""What planted strings show of a setting, calculated: neither the log nor a run is needed.

How many accounts force a string out, and what one more search shows to who has the others, depends
on a method and its parameters alone. The attack makes up its own log and counts; how far off its
counting may be is added, so that a setting is taken to pass only where hardly any run would fail.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from statistics import NormalDist

import numpy as np

from auditor.arrays import Float64s, Int64s
from auditor.attacks.planted_strings.attack import PlantedStringsParams
from auditor.attacks.planted_strings.canaries import LADDER, STEPS, choose_copies
from auditor.attacks.registry import ATTACKS
from auditor.log.gil_friendly import sorted_distinct
from auditor.progress import Progress, silent_progress
from auditor.release.policy.policy import Gate, Policy
from auditor.suggestions.candidates import SearchCandidate, list_public_candidates
from auditor.suggestions.estimates import planted_chances
from auditor.suggestions.limits import PolicyLimits
from auditor.suggestions.runs.evaluation import MISSES

PLANTED = "planted-strings"
_FIGURES = ("n_minus_one", "accounts_to_force")
MOST_ACCOUNTS = 1_024
"""Accounts that the attack tries at most."""
LEAST_OUT, MOST_OUT = 0.1, 0.9
"""How often a string comes out for a first try with few copies to be mistaken about it."""
OFF = NormalDist().inv_cdf(1 - 1 / MISSES)
"""So many standard deviations of its counting the attack is off on one side once in `MISSES`."""


class PlantedGates:
    """Gates of a policy on planted strings; answers are remembered."""

    def __init__(self, policy: Policy) -> None:
        named = {f"attack.{PLANTED}.{figure}": figure for figure in _FIGURES}
        checks = policy.checks if PLANTED in ATTACKS else ()
        self._figures = {gate: named[gate.figure] for gate in checks if gate.figure in named}
        self._repeats = 1
        if self._figures:
            usual = ATTACKS[PLANTED].params()
            assert isinstance(usual, PlantedStringsParams)
            self._repeats = usual.repeats
        self._known: dict[tuple[str, str], bool | None] = {}

    @property
    def gates(self) -> tuple[Gate, ...]:
        """The gates that are calculated here."""
        return tuple(self._figures)

    def list_settled(self, candidate: SearchCandidate) -> tuple[Gate, ...]:
        """The gates that are known to let a setting pass."""
        return self.gates if self._recall_answer(candidate) else ()

    def withstands(self, candidate: SearchCandidate) -> bool:
        """Whether a setting passes with room to spare, or only a run can tell."""
        return not self._figures or self._recall_answer(candidate) is not False

    def _recall_answer(self, candidate: SearchCandidate) -> bool | None:
        key = candidate.method, json.dumps(candidate.params.to_dict(), sort_keys=True)
        if key not in self._known:
            self._known[key] = self._calculate_answer(candidate)
        return self._known[key]

    def _calculate_answer(self, candidate: SearchCandidate) -> bool | None:
        """Whether a setting passes; None where only runs tell."""
        out = planted_chances(candidate.params, np.arange(MOST_ACCOUNTS + 1.0))
        if out is None or self._repeats != 1:
            return None
        accounts = _list_accounts(out)
        values = {
            "n_minus_one": np.concatenate([[0.0], _most_advantage(out, accounts)]),
            "accounts_to_force": accounts,
        }
        return all(
            gate.bounded_by_epsilon or gate.admits(float(value))
            for gate, figure in self._figures.items()
            for value in values[figure].tolist()
        )


def _list_accounts(out: Float64s) -> Int64s:
    """The numbers of accounts that the attack may take for the first to succeed mostly.

    It tries a ladder of numbers with few copies, those of the rung that comes out with many.
    """
    above = np.flatnonzero(out >= 0.5)
    first = int(above[0]) if len(above) else MOST_ACCOUNTS
    rungs = np.array(LADDER)
    low = int(max(rungs[rungs < first], default=0)) + 1
    high = int(min(rungs[rungs >= first], default=MOST_ACCOUNTS))
    off = OFF * 0.5 / np.sqrt(choose_copies(range(low, high + 1)[-STEPS:], 1))
    doubtful = rungs[(out[rungs] > LEAST_OUT) & (out[rungs] < MOST_OUT)]
    early, late = doubtful[out[doubtful] < 0.5], doubtful[out[doubtful] >= 0.5] + 1
    near = np.flatnonzero(np.abs(out - 0.5) <= off)
    found = sorted_distinct(np.concatenate([above[:1], near, early, late]))
    return found[(found > 0) & (found <= MOST_ACCOUNTS)]


def _most_advantage(out: Float64s, accounts: Int64s) -> Float64s:
    """What one account more shows, and `OFF` standard deviations of how often it is counted."""
    before, after = out[accounts - 1], out[accounts]
    copies = np.array([choose_copies([number - 1, number], 1) for number in accounts.tolist()])
    off = np.sqrt((before * (1 - before) + after * (1 - after)) / copies)
    most: Float64s = after - before + OFF * off
    return most


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

    A smaller δ raises the threshold at the same noise, a smaller ε adds noise. So for each method,
    family and number these are listed: the one with the largest δ at the policy's ε, which beats
    all with less whatever the log holds, and those at less ε, as long as a larger δ passes there
    than with more. The list depends on the policy and the number of users and on nothing else in a
    log, so that the choice from it costs its ε however long it is. Raises `Cancelled`.
    """
    names = None if methods is None else tuple(methods)
    best: dict[tuple[str, str, int], int] = {}  # the least steps of δ so far
    found: list[SearchCandidate] = []
    heard = silent_progress() if progress is None else progress
    heard.stage("listing settings that the policy allows", len(EPSILON_STEPS))
    for epsilon_step in EPSILON_STEPS:
        lower = limits.with_epsilon(limits.epsilon * EPSILON_STEP**epsilon_step)
        for step in range(DELTA_STEPS + 1):
            refused = False
            for one in list_public_candidates(lower.of_delta(DELTA_STEP**step), names):
                key = one.method, one.family, one.number
                if best.get(key, DELTA_STEPS + 1) <= step:
                    continue
                heard.check()
                if planted.withstands(one):
                    best[key] = step
                    found.append(one)
                else:
                    refused = True
            if not refused:
                break
        heard.advance()
    return tuple(found)
