"""An attack that needs another log, has a parameter, shows how far it is, and makes a table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.figures import Axis, Figure, MetricValue, Series, Table
from auditor.params import Params, integer
from auditor.progress import Progress


@dataclass(frozen=True, kw_only=True)
class NeedyParams(Params, owner="needy"):
    """How long it takes."""

    rounds: int = integer(3, 1, 9, label="Rounds", help="Pictures before it ends.")


def run(
    evidence: Evidence, params: NeedyParams, *, rng: object, progress: Progress
) -> AttackResult:
    """Compare nothing with nothing, and say how large the other log is."""
    assert evidence.reference is not None
    done: list[float] = []
    for number in range(params.rounds):
        done.append(number / params.rounds)
        progress.show(figure(done))
    rows = len(evidence.reference)
    names = 0 if evidence.profiles is None else 1
    return AttackResult(
        attack="needy",
        params=params.to_dict(),
        rate=0.5,
        baseline=0.1,
        interval=(0.4, 0.6),
        values=(MetricValue("known-rows", "rows known", float(rows), "rows"),),
        figures=(figure(done),),
        tables=(
            Table(
                "pairs",
                "Pairs",
                ("word", "count", "share"),
                (("=cmd()", 9, 0.5), ("b", 10, float("nan")), (None, 2, 0.25)),
                note=f"{names} tables of profiles.",
                source="table 1",
            ),
        ),
    )


def figure(done: list[float]) -> Figure:
    """Accuracy so far."""
    y = np.asarray(done, dtype=np.float64)
    return Figure(
        "climb",
        "Accuracy",
        Axis("round"),
        Axis("accuracy"),
        (Series("", np.arange(len(y), dtype=np.float64), y),),
    )


ATTACK = Attack(
    name="needy",
    title="Needy attack",
    summary="Wants another log.",
    source="made up",
    params=NeedyParams,
    run=run,
    needs=("release", "reference"),
)
