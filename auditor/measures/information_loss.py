"""How much information about queries the release loses: ILR per user and of the whole log.

ILR (information loss ratio, Navarro-Arribas et al. 2012, section 4.2) is
|H − H'| / H · 100, H and H' the entropies of query strings before and after. Where H = 0 it is 0
if H' is, and 100 if not. A user who isn't in the release has lost all: 100 (0 where H = 0).
O(n log n) for n rows.
"""

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Float64s
from auditor.figures import Figure, PlotMark, Series
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog
from auditor.measures.base import Measure, MeasureContext, MeasureResult
from auditor.measures.profile_exposure import cumulative_steps, pair_profiles
from auditor.measures.query_counts import query_counts
from auditor.messages import as_phrase, phrase
from auditor.params import Params
from auditor.privacy.information import entropy_bits, information_bits, lost_percent
from auditor.privacy.release import Anonymized

catalogue = MetricCatalogue("measures", "information_loss")


@dataclass(frozen=True, kw_only=True)
class InformationLossParams(Params, owner="information-loss"):
    """Nothing to choose: the loss is taken per user and over the log."""


def run(
    log: QueryLog, release: Anonymized, params: InformationLossParams, context: MeasureContext
) -> MeasureResult:
    """Entropy of queries before and after."""
    progress = context.progress
    assert release.log is not None
    before = entropy_bits(query_counts(log, "rows", progress))
    after = entropy_bits(query_counts(release.log, "rows", progress))
    loss = float(lost_percent(np.array([before]), np.array([after]))[0])
    values = [catalogue("loss.log", loss)]
    pairs = pair_profiles(log, release, progress)
    rows: list[list[str | float]] = [["whole log", before, after, loss]]
    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = (phrase("No loss per user: {told}.", told=as_phrase(pairs.evidence)),)
    if pairs.in_release.any():
        old, new = (
            pairs.sum_by_user(information_bits(part)) for part in (pairs.before, pairs.after)
        )
        lost_shares = lost_percent(old, new)
        mean = float(lost_shares.mean())
        values.insert(0, catalogue("loss.users", mean))
        rows.append(["mean over users", float(old.mean()), float(new.mean()), mean])
        figures, notes = _draw_figures(release, lost_shares), ()
    rounded = [[row[0], *(round(float(number), 4) for number in row[1:])] for row in rows]
    table = catalogue.table("loss", rounded)
    return MEASURE.build_result(params, values, figures=figures, tables=(table,), notes=notes)


def _draw_figures(release: Anonymized, losses: Float64s) -> tuple[Figure, ...]:
    percent, users = cumulative_steps(losses)
    spread = catalogue.figure(
        "loss-users",
        (Series("users", percent, users, kind="steps"),),
        marks=(PlotMark("x", float(losses.mean()), "mean", "current"),),
    )
    k = release.params.get("k")
    if not isinstance(k, int) or k < 1:
        return (spread,)
    steps = catalogue.figure(
        "loss-k",
        (Series("this release", np.array([float(k)]), np.array([losses.mean()]), kind="points"),),
    )
    return (steps, spread)


MEASURE = Measure(**catalogue.card, params=InformationLossParams, run=run, applies=("log",))
