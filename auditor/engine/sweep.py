"""A grid of settings of one method, run cell by cell, and what it gives as rows and plots.

An axis holds values of one parameter, or of several that go together (``q_f=c_f=10,50``). With
`equal`, every cell gets so many random users that their limited histories come to the same size,
as the source of SafeLog has it for its Table 3: otherwise a lower limit per user is a smaller log,
too, and one can't tell which of the two made the difference.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import math
import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from decimal import Decimal, InvalidOperation
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

import numpy as np

from auditor import figures, platform
from auditor.arrays import Int64s
from auditor.attacks.base import Evidence
from auditor.bounded_files import UnfitFile, read_bounded
from auditor.engine.events import Listener
from auditor.engine.plan import Intent, resolve_intent
from auditor.engine.run import prefix_name
from auditor.engine.runner import RunHandle, execute_plan
from auditor.errors import ParameterError
from auditor.figures import Figure, MetricValue, Series
from auditor.log.model import NONE, QueryLog
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, join_phrases, phrase
from auditor.methods.registry import METHODS
from auditor.params import ParamKind, Params
from auditor.privacy.noise import PreviewRandomness
from auditor.version import __version__

MOST_CELLS = 10_000
"""Cells of one grid: each is a whole run, so that a larger one would hardly ever end."""
LARGEST_JOURNAL = 1 << 30
"""Bytes of a file that keeps the cells of a sweep."""


@dataclass(frozen=True)
class SweepAxis:
    """Parameters that take each of `values` together."""

    names: tuple[str, ...]
    values: tuple[Any, ...]

    @classmethod
    def parse(cls, kind: type[Params], text: str) -> SweepAxis:
        """Read ``NAME=V1,V2,…``, ``NAME=NAME=V1,…`` or ``NAME=1..9:2`` (a range) as it is typed."""
        *names, values = text.split("=")
        if not names or not values.strip():
            raise ParameterError(names[0] if names else "", _SYNTAX.format(text[:80]))
        specs = [kind.spec(name.strip()) for name in names]
        typed = [value for part in values.split(",") for value in _spell_range(part)]
        parsed = [tuple(spec.parse(v, kind.owner) for v in typed) for spec in specs]
        return cls(tuple(spec.name for spec in specs), parsed[0])

    @property
    def title(self) -> str:
        """The parameters' names, as in ``q_f = c_f``."""
        return " = ".join(self.names)


def take_values(values: Iterable[Any]) -> tuple[Any, ...]:
    """An axis's values, of which no more are taken than show that they are too many."""
    return tuple(itertools.islice(values, MOST_CELLS + 1))


_SYNTAX = "`grid` takes NAME=V1,V2,… or NAME=FROM..TO:STEP, got '{}'."
_RANGE = re.compile(r"\s*([-+.\deE]+?)\.\.([-+.\deE]+?)(?::([-+.\deE]+))?\s*", re.ASCII)


def _spell_range(text: str) -> list[str]:
    """The values of ``FROM..TO:STEP``, both ends included, the step 1 if none; or the text."""
    if not (parts := _RANGE.fullmatch(text)):
        return [text]
    try:
        low, high, step = (Decimal(part or "1") for part in parts.groups())
    except InvalidOperation:
        raise ParameterError("grid", _SYNTAX.format(text[:80])) from None
    if step <= 0 or high < low or (high - low) / step > MOST_CELLS:
        raise ParameterError("grid", _SYNTAX.format(text[:80]))
    return [f"{low + step * place:f}" for place in range(int((high - low) / step) + 1)]


@dataclass(frozen=True, kw_only=True)
class ParameterSweep:
    """What to run: the method's other parameters, the axes, and what to make of each cell.

    Raises `ParameterError` for more than `MOST_CELLS` cells, and for a parameter on two axes.
    """

    method: str
    base: Params
    axes: tuple[SweepAxis, ...]
    attacks: tuple[str, ...] = ()
    measures: tuple[str, ...] | None = None
    checks: tuple[tuple[str, Params], ...] = ()
    seed: int = 0
    equal: bool = False

    def __post_init__(self) -> None:
        names = [name for axis in self.axes for name in axis.names]
        if repeated := [name for name in names if names.count(name) > 1]:
            raise ParameterError(
                repeated[0], phrase("{name} stands in the grid more than once.", name=repeated[0])
            )
        if self.cell_count > MOST_CELLS:
            raise ParameterError(
                "grid",
                sentence("sweep.grid_settings_run_take", cells=self.cell_count, most=MOST_CELLS),
            )

    @property
    def cell_count(self) -> int:
        """How many cells there are, without making them."""
        return math.prod(len(axis.values) for axis in self.axes)

    def list_cells(self) -> list[dict[str, Any]]:
        """The values that are set in each cell, the last axis running fastest."""
        return [
            {
                name: value
                for axis, value in zip(self.axes, cell, strict=True)
                for name in axis.names
            }
            for cell in itertools.product(*(axis.values for axis in self.axes))
        ]


@dataclass(frozen=True, eq=False)
class SweepCell:
    """The result of one cell: a row of plain values, and its metrics with their labels."""

    place: tuple[Any, ...]
    row: dict[str, Any]
    values: tuple[MetricValue, ...]


class KeptCells(Protocol):
    """The store of the cells that a sweep has finished: a file, or a window's memory."""

    cells: dict[str, SweepCell]

    def find_key(self, number: int, cell: Mapping[str, Any]) -> str:
        """What the result of a cell follows from, in short."""

    def add(self, key: str, cell: SweepCell) -> None:
        """Keep a cell that was just done."""


class SweepJournal:
    """The cells of a sweep of one log, kept line by line in a file: a stopped one goes on.

    A cell is taken from there only if log, settings, checks, seed, place in the grid and version of
    the program are those of the cell that is asked for. No query stands in it. The file is gone
    once all cells are done.
    """

    def __init__(self, path: Path, sweep: ParameterSweep, log: QueryLog) -> None:
        self.path = path
        checks = [[name, params.to_dict()] for name, params in sweep.checks]
        parts: list[Any] = [__version__, log.digest, sweep.method, sweep.attacks]
        parts += [sweep.measures, checks]
        parts += [sweep.seed, sweep.equal, sweep.list_cells() if sweep.equal else []]
        self._whole = [*parts, sweep.base.to_dict()]
        self.cells: dict[str, SweepCell] = {}
        self._file: Any = None

    def __enter__(self) -> SweepJournal:
        lines: list[bytes] = []
        with contextlib.suppress(UnfitFile):
            lines = read_bounded(self.path, LARGEST_JOURNAL).splitlines()
        for line in lines:
            # A line that was cut off, or isn't ours, is done anew.
            with contextlib.suppress(ValueError, KeyError, TypeError, RecursionError):
                plain = json.loads(line)
                values = tuple(
                    MetricValue(**item | {"interval": tuple(item.get("interval") or ()) or None})
                    for item in plain["values"]
                )
                self.cells[str(plain["key"])] = SweepCell((), dict(plain["row"]), values)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        self._file = os.fdopen(os.open(self.path, flags, 0o600), "w", encoding="utf-8")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        self._file.close()
        if kind is None:
            self.path.unlink(missing_ok=True)
        else:
            platform.sync_private_file(self.path)

    def find_key(self, number: int, cell: Mapping[str, Any]) -> str:
        """SHA-256 of all that a cell's result follows from."""
        text = json.dumps([*self._whole, number, dict(cell)], sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()

    def add(self, key: str, cell: SweepCell) -> None:
        """Note a cell that was just done."""
        values = [asdict(replace(value, who=None)) for value in cell.values]
        line = {"key": key, "row": cell.row, "values": values}

        def convert(value: Any) -> Any:
            return value.item() if hasattr(value, "item") else str(value)

        self._file.write(json.dumps(line, default=convert) + "\n")
        self._file.flush()


def run_sweep(
    sweep: ParameterSweep,
    log: QueryLog,
    handle: RunHandle,
    listener: Listener,
    *,
    cache: KeptCells | None = None,
) -> Iterator[SweepCell]:
    """Run one cell after the other, each when it is asked for. Raises `AuditorError`.

    The log is read by nobody again: methods count it anew, measures keep what they prepared. With
    `equal` every cell gets as many queries and clicks. Cells that `cache` knows are not run again,
    and those that were run are given to it.
    """
    cells = sweep.list_cells()
    places = itertools.product(*(axis.values for axis in sweep.axes))
    size = None
    if sweep.equal:  # the least that the limits of any cell leave of the log
        size = min(int(_count_used(log, sweep.base.replace(**cell)).sum()) for cell in cells)
    for number, (cell, place) in enumerate(zip(cells, places, strict=True)):
        params = sweep.base.replace(**cell)
        key = cache.find_key(number, cell) if cache is not None else ""
        if cache is not None and key in cache.cells:
            yield replace(cache.cells[key], place=place)
            continue
        part = log if size is None else equal_part(log, params, size, sweep.seed)
        intent = Intent(
            method=sweep.method,
            values=((sweep.method, params),),
            attacks=sweep.attacks,
            measures=sweep.measures,
            checks=sweep.checks,
        )
        began = time.perf_counter()
        noise = PreviewRandomness(sweep.seed + number + 1)
        result = execute_plan(
            resolve_intent(intent, part), Evidence(log=part), noise, handle, listener
        )
        row = params.to_dict() | {value.name: value.value for value in result.values}
        for check in result.measures:
            groups = {value.name.partition(".")[0] for value in check.values}
            row |= {
                name if name.partition(".")[0] in groups else prefix_name(check.measure, name): fact
                for name, fact in check.details.items()
            }
        if sweep.equal:
            row |= {"users": len(part.users), "rows_used": int(_count_used(part, params).sum())}
        times = tuple(
            MetricValue(
                f"seconds.{stage}",
                phrase("time of {stage}", stage=as_phrase(stage)),
                spent,
                unit="s",
                better="lower",
            )
            for stage, spent in result.stages.get(sweep.method, {}).items()
        )
        row |= {value.name: value.value for value in times}
        row["seconds"] = time.perf_counter() - began
        outcome = SweepCell(place, row, (*result.values, *times))
        if cache is not None:
            cache.add(key, outcome)
        yield outcome


def equal_part(log: QueryLog, params: Params, size: int, seed: int) -> QueryLog:
    """Whole users drawn at random until their limited histories hold `size` rows."""
    used_rows = _count_used(log, params)
    order = np.random.default_rng(seed).permutation(len(used_rows))
    count = int(np.searchsorted(np.cumsum(used_rows[order]), size)) + 1
    is_drawn = np.zeros(len(used_rows), dtype=np.bool_)
    is_drawn[order[:count]] = True
    return log if is_drawn.all() else log.rows(is_drawn[log.user])


def _count_used(log: QueryLog, params: Params) -> Int64s:
    """Queries and clicks of each user within the limits q_f and c_f; shape (users,)."""
    limit = getattr(params, "q_f", None)
    if limit is None:
        raise ParameterError(
            "equal", phrase("{owner} has no limit per user: it has no q_f.", owner=params.owner)
        )
    queries = np.bincount(log.user[log.event_starts], minlength=len(log.users))
    clicks = np.bincount(log.user[log.url != NONE], minlength=len(log.users))
    click_limit = getattr(params, "c_f", limit)
    used_rows: Int64s = np.minimum(queries, limit) + np.minimum(clicks, click_limit)
    return used_rows


def draw_plots(sweep: ParameterSweep, cells: Sequence[SweepCell]) -> list[Figure]:
    """Every figure over the last axis, with a line for each setting of the others."""
    labels: dict[str, MetricValue] = {}
    for cell in cells:
        for value in cell.values:
            labels.setdefault(value.name, value)
    return [_plot_metric(sweep, cells, metric) for metric in labels.values()]


def _plot_metric(
    sweep: ParameterSweep, cells: Sequence[SweepCell], sample_metric: MetricValue
) -> Figure:
    axis, spec = sweep.axes[-1], METHODS[sweep.method].params.spec(sweep.axes[-1].names[0])
    numbers = spec.kind in (ParamKind.INTEGER, ParamKind.REAL) and None not in axis.values
    places: Mapping[Any, float] = {v: float(v if numbers else i) for i, v in enumerate(axis.values)}
    lines: dict[tuple[Any, ...], list[tuple[float, MetricValue]]] = {}
    for cell in cells:
        metric = next((value for value in cell.values if value.name == sample_metric.name), None)
        if metric is not None and np.isfinite(metric.value):
            lines.setdefault(cell.place[:-1], []).append((places[cell.place[-1]], metric))
    label = spec.label if len(axis.names) == 1 else axis.title
    return Figure(
        name=sample_metric.name,
        title=phrase(
            "{title}: {label}",
            title=as_phrase(METHODS[sweep.method].title),
            label=as_phrase(sample_metric.label),
        ),
        x=figures.Axis(
            label,
            unit=spec.unit,
            scale=spec.scale if numbers and min(places.values()) > 0 else "linear",
            categories=() if numbers else tuple(str(value) for value in axis.values),
        ),
        y=figures.Axis(sample_metric.label, unit=sample_metric.unit),
        series=tuple(_make_series(sweep, place, line) for place, line in lines.items()),
        note=sample_metric.help,
    )


def _make_series(
    sweep: ParameterSweep, place: tuple[Any, ...], line: list[tuple[float, MetricValue]]
) -> Series:
    line = sorted(line, key=lambda point: point[0])
    labels = [
        phrase("{title} = {value}", title=as_phrase(axis.title), value=value)
        for axis, value in zip(sweep.axes, place, strict=False)
    ]
    bounds = [value.interval for _, value in line]
    intervals = [bound for bound in bounds if bound is not None]
    complete = len(intervals) == len(line)
    return Series(
        join_phrases(", ", labels) if labels else METHODS[sweep.method].title,
        np.array([x for x, _ in line]),
        np.array([value.value for _, value in line]),
        low=np.array([low for low, _ in intervals]) if complete else None,
        high=np.array([high for _, high in intervals]) if complete else None,
    )
