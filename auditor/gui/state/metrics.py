"""A run's figures by who made them: two attacks may give figures of one name."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from auditor.attacks.registry import ATTACKS
from auditor.figures import MetricValue
from auditor.gui.app.translation import words
from auditor.measures.registry import MEASURES
from auditor.project.model import RunRecord


@dataclass(frozen=True)
class RunMetrics:
    """One figure, the attack or measure that it is of, and a key that no other has."""

    key: str
    owner: str
    value: MetricValue

    @property
    def label(self) -> str:
        """The figure's label, which says whose it is unless it does so by itself."""
        label = words(self.value.label)
        return f"{self.owner}: {label}" if self.owner else label


def by_key(record: RunRecord) -> dict[str, RunMetrics]:
    """Every figure of a run: the promise's first, then by measure and attack."""
    owned: list[RunMetrics] = []
    for measure in record.measures:
        title = words(MEASURES[measure.measure].title)
        owned += _of(f"m/{measure.measure}", title, measure.values)
    for attack in record.attacks:
        title = words(ATTACKS[attack.attack].title)
        rate = MetricValue(
            f"{attack.attack}.rate",
            attack.rate_label,
            attack.rate,
            better="lower",
            side="privacy",
            interval=attack.interval,
        )
        owned += _of(f"a/{attack.attack}", title, (rate, *attack.values))
    names = {one.value.name for one in owned}
    first = _of("", "", (value for value in record.values if value.name not in names))
    return {one.key: one for one in [*first, *owned]}


def _of(place: str, title: str, values: Iterable[MetricValue]) -> list[RunMetrics]:
    at = f"{place}/" if place else ""
    return [RunMetrics(f"{at}{value.name}", title, value) for value in values]


def choices(records: Sequence[RunRecord], side: str) -> list[RunMetrics]:
    """Every figure of the runs: those of that side first, and of these those of most runs."""
    found: dict[str, RunMetrics] = {}
    times: Counter[str] = Counter()
    for record in records:
        for key, one in by_key(record).items():
            found.setdefault(key, one)
            times[key] += math.isfinite(one.value.value)
    return sorted(
        (one for one in found.values() if times[one.key]),
        key=lambda one: (one.value.side != side, -times[one.key]),
    )
