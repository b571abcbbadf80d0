"""What planted strings show of a setting, without the log: the attack makes up its own.

How many accounts force a string out, and what one more search shows to who has the others, depends
on a method and its parameters alone. Of methods whose law is known it is calculated, as far off as
the attack's own counting may be; of others the runs that the attack makes are made.
"""

from __future__ import annotations

import json

import numpy as np

from auditor.attacks.planted_strings.attack import PlantedStringsParams
from auditor.attacks.planted_strings.canaries import force_strings
from auditor.attacks.registry import ATTACKS
from auditor.engine.backends import local
from auditor.progress import Progress
from auditor.release.policy.policy import Gate, Policy
from auditor.suggestions.candidates import SearchCandidate
from auditor.suggestions.estimates import planted_chances
from auditor.suggestions.runs.evaluation import NEAR, is_safe_range

PLANTED = "planted-strings"
_FIGURES = ("n_minus_one", "accounts_to_force")
_MORE = 3
"""How often what is near a limit is tried again."""
MOST_ACCOUNTS = 1_024
"""Accounts that the attack tries at most."""
COUNTED_OFF = 0.15
"""How far off the attack may be in which number of accounts is the first to succeed mostly."""
MEASURED_OFF = 0.05
"""How far off it may be in the advantage, which it counts on some thousand strings."""


class PlantedTrials:
    """Gates of a policy on planted strings, tried on settings; answers are remembered."""

    def __init__(self, policy: Policy, progress: Progress) -> None:
        named = {f"attack.{PLANTED}.{figure}": figure for figure in _FIGURES}
        self._progress = progress
        self._figures = {gate: named[gate.figure] for gate in policy.checks if gate.figure in named}
        usual = ATTACKS[PLANTED].params()
        assert isinstance(usual, PlantedStringsParams)
        self._repeats = usual.repeats
        self._known: dict[tuple[str, str], bool] = {}

    @property
    def gates(self) -> tuple[Gate, ...]:
        """The gates that are tried here."""
        return tuple(self._figures)

    def calculates(self, candidate: SearchCandidate) -> bool:
        """Whether the answer for a setting is calculated, and takes no runs."""
        return not self._figures or self._calculate_answer(candidate) is not None

    def withstands(self, candidate: SearchCandidate) -> bool:
        """Whether a setting passes these gates, and with room to spare. Raises `Cancelled`."""
        if not self._figures:
            return True
        key = candidate.method, json.dumps(candidate.params.to_dict(), sort_keys=True)
        if key not in self._known:
            expected = self._calculate_answer(candidate)
            self._known[key] = self._try_candidate(candidate) if expected is None else expected
        return self._known[key]

    def _calculate_answer(self, candidate: SearchCandidate) -> bool | None:
        """The answer by calculation; None where only runs tell."""
        out = planted_chances(candidate.params, np.arange(MOST_ACCOUNTS + 1.0))
        if out is None or self._repeats != 1:
            return None
        half = np.flatnonzero(np.abs(out - 0.5) <= COUNTED_OFF)
        above = np.flatnonzero(out >= 0.5)
        accounts = np.unique(np.concatenate([half, above[:1]]))
        accounts = accounts[accounts > 0]
        advantage = out[accounts] - out[accounts - 1]
        values = {
            "n_minus_one": np.concatenate([[0.0], advantage + MEASURED_OFF]),
            "accounts_to_force": accounts,
        }
        return all(
            gate.admits(float(value))
            for gate, figure in self._figures.items()
            for value in values[figure].tolist()
        )

    def _try_candidate(self, candidate: SearchCandidate) -> bool:
        values: dict[Gate, list[float]] = {gate: [] for gate in self._figures}
        for draw in range(1 + _MORE):
            found = self._plant_strings(candidate, 10 * draw + 1)
            for gate, figure in self._figures.items():
                if figure in found:
                    values[gate].append(found[figure])
            if not all(gate.admits(value) for gate, some in values.items() for value in some):
                return False
            if draw == 0 and not any(
                abs(some[0] - end) <= NEAR * abs(end)
                for gate, some in values.items()
                for end in (gate.least, gate.most)
                if some and end is not None
            ):
                return True
        return all(is_safe_range(gate, some) for gate, some in values.items())

    def _plant_strings(self, candidate: SearchCandidate, seed: int) -> dict[str, float]:
        rerun = local.make_rerun(candidate.method, candidate.params, seed << 8)
        forced = force_strings(rerun, self._repeats, seed, self._progress)
        if forced is None:
            return {}
        found = {"n_minus_one": forced.advantage}
        return found | ({"accounts_to_force": float(forced.accounts)} if forced.accounts else {})
