"""An attack that needs another log, has a parameter, shows how far it is, and makes a table."""

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


def draw_accuracy(rounds: int, total: int) -> Figure:
    """Accuracy so far."""
    x = np.arange(float(rounds))
    return Figure("climb", "Accuracy", Axis("round"), Axis("accuracy"), (Series("", x, x / total),))


def run(
    evidence: Evidence, params: NeedyParams, *, rng: object, progress: Progress
) -> AttackResult:
    """Compare nothing with nothing, and say how large the other log is."""
    assert evidence.reference is not None
    figures = [draw_accuracy(done, params.rounds) for done in range(1, params.rounds + 1)]
    for figure in figures:
        progress.show(figure)
    pairs = Table(
        "pairs",
        "Pairs",
        ("word", "count", "share"),
        (("=cmd()", 9, 0.5), ("b", 10, float("nan")), (None, 2, 0.25)),
        note=f"{0 if evidence.profiles is None else 1} tables of profiles.",
        source="table 1",
    )
    return AttackResult(
        attack="needy",
        params=params.to_dict(),
        rate=0.5,
        baseline=0.1,
        interval=(0.4, 0.6),
        values=(MetricValue("known-rows", "rows known", float(len(evidence.reference)), "rows"),),
        figures=(figures[-1],),
        tables=(pairs,),
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
