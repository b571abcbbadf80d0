"""The smallest change of a policy's own limits with which a setting would pass.

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

    `worst` is the worst attack on the nearest setting, which is called `setting`. Where guessing
    alone gets beyond the limit, no release can pass it.
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
    if not (said := say_other_limit(one)):
        return ""
    return phrase(
        "Policy: {said} and {title} passes; leave room for the error of the attack's estimate."
        if gate.figure.startswith("attack.") and gate.is_share
        else "Policy: {said} and {title} passes.",
        said=as_phrase(said),
        title=as_phrase(setting),
    )


def say_other_limit(one: GateVerdict) -> str:
    """The smallest change of a gate's own limit; none that lets an empty release pass."""
    if one.value is None or not math.isfinite(one.value):
        return ""
    if is_utility(one.gate) and one.value <= 0:
        return ""
    if one.gate.least is not None and one.value < one.gate.least:
        return _say_least(one.gate, one.value)
    if one.gate.most is not None and one.value > one.gate.most:
        return phrase(
            "let “{title}” be {value} or less",
            title=as_phrase(one.gate.title),
            value=_say_limit(one.gate, one.value, down=False),
        )
    return ""


def _say_least(gate: Gate, value: float) -> str:
    return phrase(
        "let “{title}” be {value} or more",
        title=as_phrase(gate.title),
        value=_say_limit(gate, value, down=True),
    )


def _say_limit(gate: Gate, value: float, *, down: bool) -> str:
    """A limit that admits a value, shares in per cent."""
    if gate.is_share:
        return phrase("{value} %", value=round_value(100 * value, down=down))
    return round_value(value, down=down)


def round_value(value: float, *, down: bool) -> str:
    """Two digits, to the side on which the setting still passes."""
    if value == 0:
        return "0"
    power = 10 ** (math.floor(math.log10(abs(value))) - 1)
    # What is two digits but for how it is stored stays as it is.
    rounded = (
        math.floor(value / power + 1e-9) if down else math.ceil(value / power - 1e-9)
    ) * power
    return NumberText(f"{rounded:,.0f}" if abs(rounded) >= 1_000 else f"{rounded:.3g}")
