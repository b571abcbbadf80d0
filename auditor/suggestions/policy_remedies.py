"""The smallest change of what a policy wants to be left with which a setting would pass.

Where one check fails, its limit is what the nearest setting has. Where too little is left and more
fails besides, it is what the most useful setting leaves that passes everything else.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

from auditor.figures import format_share
from auditor.messages import NumberText, as_phrase, join_phrases, phrase
from auditor.progress import Progress
from auditor.release.gates import is_utility
from auditor.release.policy.policy import Gate, Policy
from auditor.release.record import AttackRecord, GateVerdict
from auditor.suggestions.candidates import list_families
from auditor.suggestions.content_gates import find_hidden
from auditor.suggestions.estimates import LogPart
from auditor.suggestions.family_search import FamilySearch, RatedCandidate
from auditor.suggestions.goals import parse_goal
from auditor.suggestions.limits import PolicyLimits
from auditor.suggestions.runs.passing_settings import (
    SLOW_ROWS,
    PassingSettings,
    list_numbers,
    list_quick,
)
from auditor.suggestions.runs.planted_gates import PlantedGates

LEAST_LEFT = 10
"""Fewer queries are no release by any policy."""


def find_passing(
    part: LogPart,
    policy: Policy,
    limits: PolicyLimits,
    methods: Sequence[str],
    progress: Progress,
) -> RatedCandidate | None:
    """The setting with most queries that passes all but what is wanted to be left.

    It is calculated, as that of a search is. Of a large log quick families alone are looked at.
    """
    log = part.log
    if part.scale == 1:  # of a sample or a made-up log it isn't known what has to be kept back
        part = dataclasses.replace(part, hidden=find_hidden(log, policy, None, progress))
    limits = dataclasses.replace(limits, queries=0.0, share=0.0)
    search = FamilySearch(log, parse_goal("queries"), progress, part.scale)
    passing = PassingSettings(search, part, limits, PlantedGates(policy))
    families = list_numbers(list_families(limits, methods), (), len(log))
    if len(log) >= SLOW_ROWS:
        families = list_quick(families)
    return next(passing.find(families), None)


def say_less_wanted(policy: Policy, found: RatedCandidate | None) -> str:
    """What a policy may want to be left for a setting to pass; empty where that is no release."""
    if found is None:
        return ""
    estimate = found.estimate
    left = {"release.queries": estimate.least_queries, "release.searches_share": estimate.share}
    wanted = []
    for gate in policy.checks:
        value = left.get(gate.figure)
        if value is None or not is_utility(gate) or gate.admits(value):
            continue
        if value < (LEAST_LEFT if gate.figure == "release.queries" else 1e-4):
            return ""
        wanted.append(_say_least(gate, value))
    if not wanted:
        return ""
    return phrase(
        "Policy: {wanted}, and {title} is calculated to pass what is known before a run.",
        wanted=join_phrases(", ", wanted),
        title=as_phrase(found.candidate.label),
    )


def say_changed_limit(one: GateVerdict, worst: AttackRecord | None, setting: str) -> str:
    """What to change where one gate alone fails; empty where no limit of it would be right.

    Only less that is wanted to be left is offered: what a policy allows of ε, δ, assumptions and
    attacks stands. `worst` is the worst attack on the nearest setting, which is called `setting`.
    Where guessing alone gets beyond the limit, no release can pass it, and that is said.
    """
    gate = one.gate
    guessing = worst.baseline if worst is not None and worst.rate == one.value else 0.0
    if gate.figure.endswith(".rate") and gate.most is not None and gate.most < guessing:
        return phrase(
            "Policy: guessing alone gives {guessing}, so no release passes “{title}”. Limit the "
            "success above guessing instead (attack.worst.lead).",
            guessing=format_share(guessing),
            title=as_phrase(gate.title),
        )
    value = one.value
    if not is_utility(gate) or value is None or not math.isfinite(value) or value <= 0:
        return ""
    if gate.least is None or value >= gate.least:
        return ""
    if gate.figure == "release.queries" and value < LEAST_LEFT:
        return ""
    return phrase(
        "Policy: {said} and {title} passes.",
        said=as_phrase(_say_least(gate, value)),
        title=as_phrase(setting),
    )


def _say_least(gate: Gate, value: float) -> str:
    return phrase(
        "let “{title}” be {value} or more",
        title=as_phrase(gate.title),
        value=phrase("{value} %", value=round_down(100 * value))
        if gate.is_share
        else round_down(value),
    )


def round_down(value: float) -> str:
    """Two digits, at which a setting still passes that has so much left."""
    if value == 0:
        return "0"
    power = 10 ** (math.floor(math.log10(abs(value))) - 1)
    # What is two digits but for how it is stored stays as it is.
    rounded = math.floor(value / power + 1e-9) * power
    return NumberText(f"{rounded:,.0f}" if abs(rounded) >= 1_000 else f"{rounded:.3g}")
