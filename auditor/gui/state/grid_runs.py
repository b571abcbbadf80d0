"""Runs a grid of settings in the background, one cell after the other, and keeps every cell."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal

from auditor.engine.events import RunEvent
from auditor.engine.runner import RunHandle
from auditor.engine.sweep import ParameterSweep, SweepAxis, SweepCell, equal_size, run_sweep
from auditor.gui.state.worker import JobProgress, LatestJob
from auditor.gui.widgets import formats
from auditor.log.model import QueryLog
from auditor.params import ParamKind, ParamSpec

MOST_CELLS = 400
"""Cells of one grid; more than that nobody reads."""


ROUND = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
"""First digits of values between the ends of a grid."""


@dataclass(frozen=True)
class ParameterSpan:
    """Values of one parameter: `steps` of them from `low` to `high`, or all that it can take.

    `also` are other parameters that take the same values together with it.
    """

    spec: ParamSpec
    low: float = 0.0
    high: float = 0.0
    steps: int = 0
    also: tuple[str, ...] = ()

    def list_values(self) -> tuple[Any, ...]:
        """Distinct values, ascending, about evenly apart on the parameter's own scale.

        They are round numbers where as many of them are distinct.
        """
        if self.spec.kind is ParamKind.CHOICE:
            return tuple(option.value for option in self.spec.options)
        if self.spec.kind is ParamKind.FLAG:
            return (False, True)
        low, high = min(self.low, self.high), max(self.low, self.high)
        even = np.geomspace if self.spec.scale == "log" and low > 0 else np.linspace
        numbers = even(low, high, max(1, self.steps)).tolist()
        whole = self.spec.kind is ParamKind.INTEGER
        exact = {round(n) if whole else float(f"{n:.4g}") for n in numbers}
        inner = (min(max(round_value(n), low), high) for n in numbers[1:-1])
        tidy = {round(n) if whole else n for n in (low, *inner, high)}
        return tuple(sorted(tidy if len(tidy) >= len(exact) else exact))

    def make_axis(self) -> SweepAxis:
        """The same for a sweep."""
        return SweepAxis((self.spec.name, *self.also), self.list_values())


def round_value(number: float) -> float:
    """The nearest number that somebody would type: two digits as they are, else one of `ROUND`."""
    if number == 0 or float(f"{number:.2g}") == float(f"{number:.12g}"):
        return number
    power = 10.0 ** math.floor(math.log10(abs(number)))
    head = min(ROUND, key=lambda one: abs(one - abs(number) / power))
    return math.copysign(float(f"{head * power:.4g}"), number)


class GridRunner(QObject):
    """One grid at a time; a cell that was run before is taken from memory."""

    started = Signal(object)
    """The sweep."""
    cells_changed = Signal(list, int)
    """The cells that are there, and how many there will be."""
    ended = Signal(str)
    """Empty, "cancelled", or why it stopped."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._kept: dict[str, SweepCell] = {}
        self._job = LatestJob()
        self._handle = RunHandle(0)
        self._cells: list[SweepCell] = []
        self._wanted = 0

    @property
    def running(self) -> bool:
        """Whether cells are still to come."""
        return self._job.running

    def start(self, sweep: ParameterSweep, log: QueryLog) -> None:
        """Run a grid on a log; whatever was run before is dropped."""
        self.drop()
        handle = self._handle = RunHandle(0)
        self._cells, self._wanted = [], sweep.cell_count
        kept = dict(self._kept)

        def run_cells(progress: JobProgress) -> None:
            size = equal_size(sweep, log) if sweep.equal else None
            cells = iterate_single_cells(sweep, log.digest, size)
            for number, (key, single) in enumerate(cells, start=1):
                place, count = map(formats.format_count, (number, self._wanted))
                progress.stage(
                    self.tr("cell {number} of {wanted}").format(number=place, wanted=count)
                )
                cell = kept.get(key)
                progress.tell(
                    (key, cell or next(run_sweep(single, log, handle, _ignore_event, size=size)))
                )

        self._job.start(
            "exploring",
            run_cells,
            lambda _none: self.ended.emit(""),
            self.ended.emit,
            partial=self._add_cell,
            cancelled=lambda: self.ended.emit("cancelled"),
        )
        self.started.emit(sweep)

    def cancel(self) -> None:
        """Stop after the work at hand, which hears it too; the cells so far stay."""
        self._handle.cancel()
        self._job.cancel()

    def drop(self) -> None:
        """Stop and hear nothing more."""
        self._handle.cancel()
        self._job.drop()

    def forget(self) -> None:
        """Another log: nothing that was kept is of use."""
        self.drop()
        self._kept.clear()
        self._cells, self._wanted = [], 0

    def _add_cell(self, part: tuple[str, SweepCell]) -> None:
        key, cell = part
        self._kept[key] = cell
        self._cells.append(cell)
        self.cells_changed.emit(list(self._cells), self._wanted)


def iterate_single_cells(
    sweep: ParameterSweep, digest: str, size: int | None = None
) -> Iterator[tuple[str, ParameterSweep]]:
    """Every cell as a sweep of its own, under the key by which it may be kept.

    `size` is how much of the log every cell gets, if they are to get equally much.
    """
    places = itertools.product(*(axis.values for axis in sweep.axes))
    for number, (cell, place) in enumerate(zip(sweep.list_cells(), places, strict=True)):
        axes = tuple(
            SweepAxis(axis.names, (value,)) for axis, value in zip(sweep.axes, place, strict=True)
        )
        single = replace(sweep, axes=axes, seed=sweep.seed + number)
        made = {
            "log": digest,
            "size": size,
            "method": sweep.method,
            "params": sweep.base.replace(**cell).to_dict(),
            "place": [str(value) for value in place],
            "attacks": sweep.attacks,
            "measures": sweep.measures,
            "checks": [(name, params.to_dict()) for name, params in sweep.checks],
        }
        yield json.dumps(made, sort_keys=True, default=str), single


def _ignore_event(_event: RunEvent) -> None:
    """What a cell's run tells on its way is of no use here."""
