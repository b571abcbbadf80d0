"""Several runs beside each other: pictures of privacy against utility, and one table of all."""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from auditor.engine.run import Run
from auditor.figures import SHARE, Axis, Figure, MetricValue, Series, Table, format_share
from auditor.log.sentences import sentence
from auditor.messages import DisplayText, as_phrase, join_phrases, phrase
from auditor.release.report.blocks import format_number


def label_runs(results: Sequence[Run]) -> list[str]:
    """A name for each run: its method's title, numbered where a method was run twice."""
    titles = [result.plan.what.title for result in results]
    return [
        f"{title} ({titles[: place + 1].count(title)})" if titles.count(title) > 1 else title
        for place, title in enumerate(titles)
    ]


def draw_scatters(results: Sequence[Run]) -> list[Figure]:
    """One picture for ε and one for the commonest attack, each over the commonest utility."""
    utility = _find_commonest(results, "utility")
    shared = _find_commonest(results, "privacy", ending=".rate") or _find_commonest(
        results, "privacy"
    )
    claimed = [result for result in results if result.release.statement.epsilon is not None]
    names = [*(["epsilon"] if len(claimed) > 1 else []), shared]
    return [
        _draw_scatter(results, utility, name) for name in dict.fromkeys(names) if utility and name
    ]


def compare_runs(results: Sequence[Run]) -> Table:
    """Every figure of every run, one row a figure, one column a run."""
    metrics: dict[str, MetricValue] = {}
    for result in results:
        for value in result.values:
            metrics.setdefault(value.name, value)
    runs = [{value.name: value.value for value in result.values} for result in results]
    rows = [
        [
            value.label + (f" ({value.unit})" if value.unit not in ("", SHARE) else ""),
            {"higher": "more", "lower": "less"}.get(value.better, ""),
            *[
                format_share(values[name])
                if name in values and value.unit == SHARE
                else values.get(name)
                for values in runs
            ],
        ]
        for name, value in metrics.items()
    ]
    return Table(
        "comparison",
        "All metrics, run by run",
        ("figure", "better", *label_runs(results)),
        rows,
        note="A dash stands where a metric does not apply to what the method releases.",
    )


def _find_commonest(results: Sequence[Run], side: str, *, ending: str = "") -> str:
    """The name of the figure on that side that most runs have; the first one of several."""
    count: Counter[str] = Counter()
    for result in results:
        names = (value.name for value in result.values if value.side == side)
        count.update(name for name in dict.fromkeys(names) if name.endswith(ending))
    return max(count, key=lambda name: count[name]) if count else ""


def _draw_scatter(results: Sequence[Run], utility: str, privacy: str) -> Figure:
    series, left_out = [], []
    axes: dict[str, MetricValue] = {}
    for name, result in zip(label_runs(results), results, strict=True):
        metrics = {value.name: value for value in result.values}
        axes = {n: v for n, v in metrics.items() if n in (utility, privacy)} | axes
        if utility not in metrics or privacy not in metrics:
            left_out.append(phrase("{name} (has no such metric)", name=name))
        elif not math.isfinite(metrics[privacy].value):
            label, value = metrics[privacy].label, format_number(metrics[privacy].value)
            left_out.append(sentence("report.label_and_value", name=name, label=label, value=value))
        else:
            x, up = np.array([metrics[utility].value]), metrics[privacy]
            low, high = up.interval or (None, None)
            ends = [None if end is None else np.array([end]) for end in (low, high)]
            y = np.array([up.value])
            series.append(Series(name, x, y, "points", low=ends[0], high=ends[1]))
    across, up = axes[utility], axes[privacy]
    values = np.array([s.y[0] for s in series if s.y[0] > 0])
    wide = len(values) == len(series) > 0 and values.max() / values.min() > 50
    note: DisplayText = ""
    if left_out:
        note = phrase("Not in the picture: {left_out}.", left_out=join_phrases(", ", left_out))
    return Figure(
        f"{privacy}-{utility}",
        phrase("Privacy and utility: {label}", label=as_phrase(up.label)),
        Axis(across.label + _describe_direction(across), across.unit),
        Axis(up.label + _describe_direction(up), up.unit, scale="log" if wide else "linear"),
        tuple(series),
        note=note,
    )


def _describe_direction(value: MetricValue) -> str:
    return {"higher": ", more is better", "lower": ", less is better"}.get(value.better, "")
