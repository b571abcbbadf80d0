"""Runs a grid of settings in the background, one cell after the other, and keeps every cell."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal

from auditor.engine.runner import RunHandle
from auditor.engine.sweep import ParameterSweep, SweepAxis, SweepCell, run_sweep
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
    """`steps` values from `low` to `high`, or all there are; parameters `also` take the same."""

    spec: ParamSpec
    low: float = 0.0
    high: float = 0.0
    steps: int = 0
    also: tuple[str, ...] = ()

    def list_values(self) -> tuple[Any, ...]:
        """Distinct values, ascending, about evenly apart on the parameter's scale."""
        if self.spec.kind is ParamKind.CHOICE:
            return tuple(option.value for option in self.spec.options)
        if self.spec.kind is ParamKind.FLAG:
            return (False, True)
        low, high = min(self.low, self.high), max(self.low, self.high)
        even = np.geomspace if self.spec.scale == "log" and low > 0 else np.linspace
        numbers = even(low, high, max(1, self.steps)).tolist()
        integer = self.spec.kind is ParamKind.INTEGER
        exact = {round(n) if integer else float(f"{n:.4g}") for n in numbers}
        inner = (min(max(round_value(n), low), high) for n in numbers[1:-1])
        tidy = {round(n) if integer else n for n in (low, *inner, high)}
        return tuple(sorted(tidy if len(tidy) >= len(exact) else exact))

    def make_axis(self) -> SweepAxis:
        return SweepAxis((self.spec.name, *self.also), self.list_values())


def round_value(number: float) -> float:
    """The nearest number that somebody would type: two digits as they are, else one of `ROUND`."""
    if number == 0 or float(f"{number:.2g}") == float(f"{number:.12g}"):
        return number
    power = 10.0 ** math.floor(math.log10(abs(number)))
    head = min(ROUND, key=lambda digits: abs(digits - abs(number) / power))
    return math.copysign(float(f"{head * power:.4g}"), number)


@dataclass(eq=False)
class GridMemory:
    """Cells that were run, by what their results follow from."""

    sweep: ParameterSweep
    digest: str
    cells: dict[str, SweepCell]

    def find_key(self, _number: int, cell: Mapping[str, Any]) -> str:
        """The log, the parameters, what is tried, and how much of the log every cell gets."""
        sweep = self.sweep
        checks = [(name, params.to_dict()) for name, params in sweep.checks]
        params = sweep.base.replace(**cell).to_dict()
        size = sweep.axes if sweep.equal else None
        tried = sweep.attacks, sweep.measures, checks
        return repr((self.digest, sweep.method, params, tried, size))

    def add(self, key: str, cell: SweepCell) -> None:
        self.cells[key] = cell


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
        self._known: dict[str, SweepCell] = {}
        self._job = LatestJob()
        self._handle = RunHandle(0)

    @property
    def running(self) -> bool:
        return self._job.running

    def start(self, sweep: ParameterSweep, log: QueryLog) -> None:
        """Run a grid on a log; whatever was run before is dropped."""
        self.drop()
        handle, cell_count = RunHandle(0), sweep.cell_count
        self._handle = handle
        memory = GridMemory(sweep, log.digest, self._known)
        cells: list[SweepCell] = []

        def run_cells(progress: JobProgress) -> None:
            results = run_sweep(sweep, log, handle, lambda _event: None, cache=memory)
            for number in range(1, cell_count + 1):
                place, count = map(formats.format_count, (number, cell_count))
                text = self.tr("cell {number} of {wanted}")
                progress.stage(text.format(number=place, wanted=count))
                progress.tell(next(results))

        def add_cell(cell: SweepCell) -> None:
            cells.append(cell)
            self.cells_changed.emit(list(cells), cell_count)

        self._job.start(
            "exploring",
            run_cells,
            lambda _none: self.ended.emit(""),
            self.ended.emit,
            partial=add_cell,
            cancelled=lambda: self.ended.emit("cancelled"),
        )
        self.started.emit(sweep)

    def cancel(self) -> None:
        """Stop after the work at hand, which hears it too; the cells so far stay."""
        self._handle.cancel()
        self._job.cancel()

    def drop(self) -> None:
        self._handle.cancel()
        self._job.drop()

    def forget(self) -> None:
        """Another log: nothing that was kept is of use."""
        self.drop()
        self._known = {}
