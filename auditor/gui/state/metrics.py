"""A run's figures by who made them: two attacks may give figures of one name."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from auditor.attacks.registry import ATTACKS
from auditor.engine.run import Run
from auditor.figures import SHARE, MetricValue
from auditor.gui.app.translation import tr, translate_text
from auditor.measures.registry import MEASURES
from auditor.release.kept_content import KeptContent
from auditor.release.record import find_worst

WORST = "worst-attack"
"""Key of the figure that is the risk of a run, whatever its method."""
UTILITY = "searches-kept"
"""Key of the figure that is the utility of a run, whatever its method."""


@dataclass(frozen=True)
class RunMetrics:
    """One figure, the attack or measure that it is of, and a key that no other has."""

    key: str
    owner: str
    value: MetricValue

    @property
    def label(self) -> str:
        """The figure's label, which says whose it is unless it does so by itself."""
        label = translate_text(self.value.label)
        return f"{self.owner}: {label}" if self.owner else label


def by_key(record: Run) -> dict[str, RunMetrics]:
    """Every figure of a run: the promise's first, then by measure and attack."""
    general, owned = _measure_worst(record) + _measure_kept(record), []
    for measure in record.measures:
        title = translate_text(MEASURES[measure.measure].title)
        owned += _make_metrics(f"m/{measure.measure}", title, measure.values)
    for attack in record.attacks:
        title = translate_text(ATTACKS[attack.attack].title)
        rate = MetricValue(
            f"{attack.attack}.rate",
            attack.rate_label,
            attack.rate,
            unit=SHARE,
            better="lower",
            side="privacy",
            interval=attack.interval,
        )
        owned += _make_metrics(f"a/{attack.attack}", title, (rate, *attack.values))
    names = {metric.value.name for metric in general + owned}
    first = _make_metrics("", "", (value for value in record.values if value.name not in names))
    return {metric.key: metric for metric in [*general, *first, *owned]}


def _measure_worst(record: Run) -> list[RunMetrics]:
    """How far above guessing the worst attack gets, whichever that is: 0 is guessing, 1 always."""
    worst = find_worst(record.attacks)
    if worst is None:
        return []
    value = MetricValue(
        WORST,
        tr("worst attack, above guessing"),
        _compute_advantage(worst.rate, worst.baseline),
        unit=SHARE,
        help=tr(
            "Of the attacks on the run, the one that gets farthest above guessing: 0 is as good as "
            "guessing, 1 always succeeds."
        ),
        better="lower",
        side="privacy",
        interval=(
            _compute_advantage(worst.interval[0], worst.baseline),
            _compute_advantage(worst.interval[1], worst.baseline),
        ),
    )
    return [RunMetrics(WORST, "", value)]


def _measure_kept(record: Run) -> list[RunMetrics]:
    """The share of searches that the run's record says is kept, once it was judged."""
    share = KeptContent.from_dict(record.gates.get("kept", {})).share
    if share is None:
        return []
    value = MetricValue(
        UTILITY,
        tr("searches kept"),
        share,
        unit=SHARE,
        help=tr(
            "The share of the log's searches that is left: whose query is in the released tables, "
            "or that are still in the released log."
        ),
        better="higher",
        side="utility",
    )
    return [RunMetrics(UTILITY, "", value)]


def _compute_advantage(rate: float, baseline: float) -> float:
    """The share of what guessing leaves open that an attack gets."""
    return max(0.0, (rate - baseline) / (1.0 - baseline)) if baseline < 1.0 else 0.0


def _make_metrics(place: str, title: str, values: Iterable[MetricValue]) -> list[RunMetrics]:
    prefix = f"{place}/" if place else ""
    return [RunMetrics(f"{prefix}{value.name}", title, value) for value in values]


def list_choices(records: Sequence[Run], side: str) -> list[RunMetrics]:
    """Every figure of the runs: those of that side first, and of these those of most runs."""
    metrics: dict[str, RunMetrics] = {}
    times: Counter[str] = Counter()
    for record in records:
        for key, metric in by_key(record).items():
            metrics.setdefault(key, metric)
            times[key] += math.isfinite(metric.value.value)
    finite = (metric for metric in metrics.values() if times[metric.key])
    return sorted(finite, key=lambda metric: (metric.value.side != side, -times[metric.key]))
