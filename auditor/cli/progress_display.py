"""What a command shows while it works: one bar for all of it, or a line for each of its phases.

On a terminal it is a single bar (tqdm), which says how long the rest takes; elsewhere lines.
"""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, TextIO

from auditor.cli import terminal
from auditor.engine.events import RunEvent, StageProgress, TaskStarted
from auditor.engine.run_progress import RunForecast, RunProgress, SteadyShare

if TYPE_CHECKING:
    from tqdm import tqdm

Verbosity = Literal["quiet", "normal", "verbose"]


class ProgressDisplay:
    """Progress of a command on a stream, such as standard error.

    Unless it is to be quiet, a terminal (`live`) has one bar, drawn over and over and removed
    at the end; elsewhere each phase is a line, and with "verbose" each part of a run, too. `phase`
    is what the command is doing, `stage` what the part at work says it is doing within that.
    """

    def __init__(
        self,
        stream: TextIO,
        *,
        live: bool,
        detail: Verbosity,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stream = stream
        self.live = live and detail != "quiet"
        self.detail = detail
        self.phase = self.stage = ""
        self._clock = clock
        self._began: float | None = None
        self._stage_began = clock()
        self._units = (0, 0)
        self._share_of_stage: float | None = None
        self._run: RunProgress | None = None
        self._coming: list[RunForecast] = []
        self._share_done = SteadyShare()
        self._bar: tqdm[Any] | None = None

    def expect_runs(self, *forecasts: RunForecast) -> None:
        """Say which runs are still to come, in order; replaces what was said before."""
        self._coming = list(forecasts)

    def report_units(self, done: int, total: int) -> None:
        """Say how many of equal parts, settings of a sweep say, are done of the whole command."""
        self._units = (done, total)

    def begin_phase(self, phase: str, planned: RunForecast | None = None) -> None:
        """Begin a phase; that of a run has its forecast, the first of those that were expected."""
        if self._began is None:
            self._began = self._clock()
        self.phase, self._run = phase, None
        if planned is not None:
            del self._coming[:1]
            self._run = RunProgress(planned, self._clock)
        self._follow("", 0, 0)
        if self.live:
            self._draw_bar()
        elif self.detail != "quiet":
            self.write(phase)

    def handle_event(self, event: RunEvent) -> None:
        """Follow one event of a run."""
        if self._run is not None:
            self._run.handle_event(event)
        if isinstance(event, TaskStarted):
            self._follow("", 0, 0)
            if self.detail == "verbose":
                self.write(f"  {event.kind} {event.name}")
        elif isinstance(event, StageProgress):
            self._follow(event.stage, event.done, event.total)
        else:
            return
        self._draw_bar()

    def report(self, stage: str, done: int, total: int) -> None:
        """Say how far a stage outside of runs is; `total` 0 where nobody knows."""
        self._follow(stage, done, total)
        self._draw_bar()

    def _follow(self, stage: str, done: int, total: int) -> None:
        if stage != self.stage or done == 0:
            self._stage_began = self._clock()
        self.stage = stage
        self._share_of_stage = min(1.0, done / total) if total else None

    @property
    def part(self) -> str:
        """Name of the method, measure or attack at work; empty outside of a run."""
        part = self._run.part if self._run is not None else None
        return part.name if part is not None else ""

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the command is over; None if nobody knows."""
        done, total = self._units
        if done:
            return self._spent * (total - done) / done
        remaining = self._run.seconds_left if self._run is not None else None
        if remaining is None and (share := self._share_of_stage):
            remaining = (self._clock() - self._stage_began) * (1 - share) / share
        coming = [forecast.total.seconds for forecast in self._coming if forecast.total is not None]
        return None if remaining is None and not coming else (remaining or 0.0) + sum(coming)

    @property
    def share(self) -> float | None:
        """How much of the command is done, from 0 to 1, never falling; None if nobody knows."""
        seconds_left = self.seconds_left
        if seconds_left is not None:
            self._share_done.advance(self._spent, seconds_left)
        return self._share_done.reached or (None if seconds_left is None else 0.0)

    @property
    def _spent(self) -> float:
        return 0.0 if self._began is None else self._clock() - self._began

    def write(self, text: str) -> None:
        """A line of its own, above the bar."""
        if self._bar is not None:
            self._bar.clear()
        terminal.print_message(terminal.escape_controls(text), stream=self._stream)

    def close(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def _draw_bar(self) -> None:
        if not self.live:
            return
        if self._bar is None:
            from tqdm import tqdm

            tqdm.monitor_interval = 0  # no thread of its own: we draw whenever work reports
            # A place of its own: another bar of the process would push it down the screen.
            look: dict[str, Any] = {"leave": False, "nrows": 2, "position": 0}
            self._bar = tqdm(total=1.0, file=self._stream, dynamic_ncols=True, **look)
        share = self.share
        self._bar.bar_format = "{desc}" if share is None else "{percentage:3.0f} % {bar:20} {desc}"
        self._bar.n = share or 0.0
        self._bar.set_description_str(terminal.escape_controls(bar_text(self)), refresh=False)
        self._bar.refresh()


def bar_text(display: ProgressDisplay) -> str:
    """What stands beside the bar: the time left first, since the end may be cut off."""
    seconds_left = display.seconds_left
    wait = "" if seconds_left is None else f"{format_duration(max(round(seconds_left), 1))} left"
    return " · ".join(filter(None, (wait, display.phase, display.part, display.stage)))


def format_duration(seconds: float) -> str:
    """A time in words, with two digits."""
    if seconds < 9.95:
        return f"{max(seconds, 0.01):.2g} s"
    rounded = round(seconds)
    if rounded < 100:
        return f"{rounded} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{seconds / 3600:.1f} h"
