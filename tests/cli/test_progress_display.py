"""One bar for a whole command on a terminal, a line for each phase elsewhere."""

import io
import re

import pytest
from tqdm import tqdm

from auditor.cli.console import ProgressDisplay, Verbosity, format_duration
from auditor.engine.events import StageProgress, TaskStarted
from auditor.engine.run_progress import RunForecast
from tests.engine.test_run_progress import Clock, part


def planned(*seconds: float) -> RunForecast:
    """A run of a method and measures that take so many seconds each."""
    parts = (("method", "zealous"), ("measure", "volume"), ("measure", "frequencies"))
    return RunForecast(
        tuple(part(*names, cost) for names, cost in zip(parts, seconds, strict=False))
    )


def quiet_bar() -> tuple[Clock, ProgressDisplay]:
    clock = Clock()
    return clock, ProgressDisplay(io.StringIO(), live=False, detail="quiet", clock=clock)


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_that_the_bar_counts_what_is_still_to_come() -> None:
    clock, bar = quiet_bar()
    bar.expect_runs(planned(6, 2), planned(10))
    bar.begin_phase("Reading the log")
    assert (bar.share, bar.seconds_left) == (0.0, 18.0)
    for _ in range(2):
        clock.now += 1.0
        bar.report("reading", 1, 2)
    assert bar.seconds_left == 19.0
    bar.begin_phase("first", planned(6, 2))
    bar.handle_event(TaskStarted(1, "method", "zealous"))
    assert (bar.part, bar.seconds_left) == ("zealous", 18.0)
    clock.now += 6.0
    bar.handle_event(TaskStarted(1, "measure", "volume"))
    assert (bar.part, bar.seconds_left) == ("volume", 12.0)
    assert bar.share == pytest.approx(8 / 20)
    clock.now += 2.0
    bar.begin_phase("second", planned(10))
    assert bar.seconds_left == 10.0
    bar.begin_phase("Writing the report")
    assert bar.seconds_left is None


def test_that_the_bar_never_goes_back_and_is_never_full_too_early() -> None:
    clock, bar = quiet_bar()
    bar.begin_phase("run", planned(1))
    bar.handle_event(TaskStarted(1, "method", "zealous"))
    shares = []
    for seconds, done in ((0.5, 9), (1.5, 10), (0.0, 1), (7.0, 2), (21.0, 10)):
        clock.now += seconds
        bar.handle_event(StageProgress(1, "counting", done, 10, seconds_left=3.0 * (10 - done)))
        shares.append(bar.share or 0.0)
    assert shares == sorted(shares)
    assert 0.9 <= shares[-1] <= 0.99


def test_that_settings_of_a_sweep_are_counted() -> None:
    clock, bar = quiet_bar()
    bar.begin_phase("first")
    clock.now += 4.0
    bar.report_units(2, 8)
    assert bar.seconds_left == 12.0
    assert bar.share == pytest.approx(0.25)


def test_that_a_terminal_shows_one_bar_in_one_line_and_keeps_nothing_of_it(
    request: pytest.FixtureRequest,
) -> None:
    for _ in range(3):  # bars of somebody else's in the same process
        request.addfinalizer(tqdm(file=io.StringIO()).close)
    stream = Terminal()
    display = ProgressDisplay(stream, live=True, detail="normal")
    display.expect_runs(planned(1000))
    display.begin_phase("Reading the log")
    display.report("reading", 1, 2)
    display.begin_phase("Making the release", planned(1000))
    display.handle_event(TaskStarted(1, "method", "zealous"))
    display.handle_event(StageProgress(1, "counting", 1, 2))
    output = stream.getvalue()
    assert "\n" not in output
    last = output.split("\r")[-1]
    assert re.match(r" +0 % .* 17 min left · Making the release · zealous", last)
    assert all(len(line) <= 80 for line in output.split("\r"))
    display.close()
    assert stream.getvalue().rsplit("\r", 2)[1].strip() == ""


PHASES = ["Reading the log", "Making the release"]


@pytest.mark.parametrize(
    ("detail", "lines"),
    [("quiet", []), ("normal", PHASES), ("verbose", [*PHASES, "  method zealous"])],
)
def test_that_a_file_gets_a_line_for_each_phase(detail: Verbosity, lines: list[str]) -> None:
    stream = io.StringIO()
    display = ProgressDisplay(stream, live=False, detail=detail)
    display.begin_phase("Reading the log")
    for done in range(50):
        display.report("reading", done, 50)
        display.report("sorting", done, 50)
    display.begin_phase("Making the release", planned(1))
    display.handle_event(TaskStarted(1, "method", "zealous"))
    display.handle_event(StageProgress(1, "counting", 1, 2))
    display.close()
    assert stream.getvalue().splitlines() == lines


def test_that_times_are_said_as_exactly_as_they_are_known() -> None:
    texts = [format_duration(seconds) for seconds in (0.0501, 4.44, 42.4, 130, 9000)]
    assert texts == ["0.05 s", "4.4 s", "42 s", "2 min", "2.5 h"]
