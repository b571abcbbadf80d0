"""What of a plan can be judged on some users of a log, where no machine holds all of them.

A gate is judged by an attack only if its rate on some users is no lower than on all: records have
fewer rivals among fewer users. What flags strings that look rare is tried for what it finds, and
passes no gate. A release of a log must come with the rows of these users. Measures compare a whole
release with a whole log, and are not taken.
"""

from __future__ import annotations

import dataclasses

from auditor.attacks.registry import ATTACKS
from auditor.engine.plan import Plan
from auditor.engine.run import Run
from auditor.log.sentences import sentence

NO_CONTENT = "needs what was released in memory: it is too large, or no row says whose it is"
NO_MEASURE = "compares the whole log, which no machine holds here"


def restrict_plan(plan: Plan, *, released: bool) -> Plan:
    """The plan with the attacks that some users tell something of, and why it has not the others.

    `released` says whether the released part of these users is known.
    """
    absent: dict[str, str] = {step.name: NO_MEASURE for step in plan.measures}
    for step in plan.attacks:
        attack = ATTACKS[step.name]
        if not (attack.sampled and released):
            absent[step.name] = NO_CONTENT if attack.sampled else attack.unsampled
    steps = tuple(step for step in plan.attacks if step.name not in absent)
    return dataclasses.replace(
        plan, attacks=steps, measures=(), omitted=(*plan.omitted, *absent.items())
    )


def add_notes(result: Run, users: int, of: int) -> None:
    """Let each attack that looked at users say at how many of how many."""
    notes = {
        "above": (sentence("sampled.above", users=users, of=of),),
        "found": (sentence("sampled.found", users=users, of=of),),
    }
    result.attacks = tuple(
        dataclasses.replace(part, notes=(*part.notes, *notes.get(ATTACKS[part.attack].sampled, ())))
        for part in result.attacks
    )
