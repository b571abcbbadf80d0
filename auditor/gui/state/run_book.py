"""The runs of this workspace: what was asked, what came of it, and what somebody says of it."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.arrays import Float64s, Int64s
from auditor.attacks.registry import ATTACKS
from auditor.engine.plan import Plan
from auditor.engine.run import Run
from auditor.figures import SHARE, MetricValue, Table
from auditor.gui.app.translation import say, tr, translate_text
from auditor.measures.registry import MEASURES
from auditor.release.kept_content import KeptContent
from auditor.release.record import find_worst

KEEP = 6
"""Releases kept in memory; an older one's figures stay, and its content is dropped."""


class RunBook:
    """The runs in the order in which they were submitted."""

    def __init__(self) -> None:
        self._records: dict[int, Run] = {}
        self._count = 0

    def __iter__(self) -> Iterator[Run]:
        return iter(self._records.values())

    def __len__(self) -> int:
        return len(self._records)

    def get(self, number: int) -> Run | None:
        """The run of that number, if it is (still) here."""
        return self._records.get(number)

    def add(self, number: int, plan: Plan) -> Run:
        """Enter a submitted run under the next letter."""
        record = Run(plan, number=number, letter=run_letters(self._count), state="waiting")
        self._count += 1
        self._records[number] = record
        return record

    def remove(self, number: int) -> None:
        self._records.pop(number, None)

    def find_place(self, number: int) -> int:
        return list(self._records).index(number)

    def insert_run(self, record: Run, place: int) -> None:
        """Enter a run again where it stood."""
        records = [run for run in self if run is not record]
        records.insert(place, record)
        self._records = {run.number: run for run in records}

    def renumber(self, record: Run, number: int) -> None:
        """Let a run go by another number, in its place."""
        record.number = number
        self._records = {run.number: run for run in self}

    def restore_runs(self, runs: Sequence[Run]) -> None:
        """Have the runs of a project and no others; their numbers are below those to come."""
        numbered = ((index - len(runs), run) for index, run in enumerate(runs))
        self._records = {n: dataclasses.replace(run, number=n) for n, run in numbered}
        self._count = max((run_ordinal(run.letter) for run in runs), default=0)

    def by_letter(self, letter: str) -> Run | None:
        return next((record for record in self if record.letter == letter), None)

    def clear(self) -> None:
        """Strike all out and begin again at A."""
        self._records.clear()
        self._count = 0

    def drop_old_releases(self) -> None:
        """Drop the content of the oldest releases beyond `KEEP` that nobody pinned."""
        holding = [r for r in self if r.anonymized is not None and not r.pinned and not r.active]
        for record in holding[: max(0, len(holding) - KEEP)]:
            record.forget_release()

    @property
    def finished(self) -> list[Run]:
        """Runs that have figures to compare."""
        return [record for record in self if record.state == "finished"]


def tables_of(record: Run) -> list[tuple[str, tuple[Table, ...]]]:
    """A run's tables, under the title of the measure or attack that made them."""
    groups: list[tuple[str, tuple[Table, ...]]] = []
    groups += [(ATTACKS[part.attack].title, part.tables) for part in record.attacks]
    groups += [(MEASURES[part.measure].title, part.tables) for part in record.measures]
    if (outcome := record.outcome) is not None:
        if record.reopened and outcome.gates:
            groups.append((tr("Gates"), (gates_table(outcome.gates),)))
        groups.append((tr("Times"), (outcome.times,)))
    return [(title, tables) for title, tables in groups if tables]


def run_letters(index: int) -> str:
    """A, B … Z, AA, AB …"""
    word = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        word = chr(ord("A") + rest) + word
    return word


def run_ordinal(letters: str) -> int:
    """The number of runs up to that letter: A is 1, Z 26, AA 27."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


def gates_table(facts: Mapping[str, Any]) -> Table:
    """How a policy judged a run, as a project keeps it."""
    return Table(
        "gates",
        tr("How the run was judged"),
        ("gate", "verdict", "evidence"),
        [(result["title"], result["verdict"], result["evidence"]) for result in facts["results"]],
        note=tr("Policy: {facts}.").format(facts=facts["policy"]),
        own_words=True,
    )


def pareto_positions(x: Float64s, y: Float64s, *, low_x: bool, low_y: bool) -> Int64s:
    """Positions of the points that no other beats on both axes, by ascending x; O(n log n)."""
    a, b = (x if low_x else -x), (y if low_y else -y)
    order = np.lexsort((b, a))
    best = np.minimum.accumulate(b[order])
    ahead = np.concatenate(([True], b[order][1:] < best[:-1])) if len(order) else order > 0
    chosen = order[ahead]
    return chosen[np.argsort(x[chosen], kind="stable")]


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
        help=say("worst attack"),
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
        help=say("searches kept"),
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
