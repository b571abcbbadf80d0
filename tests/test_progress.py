import threading

import pytest

from auditor.errors import Cancelled
from auditor.progress import Progress, silent_progress, split_progress


def test_that_blocks_cover_everything_once() -> None:
    assert list(silent_progress().blocks("x", 10, 4)) == [(0, 4), (4, 8), (8, 10)]
    assert list(silent_progress().blocks("x", 0, 4)) == []


Reports = list[tuple[str, int, int]]


def test_that_reports_are_throttled_but_stages_are_always_told() -> None:
    reports: Reports = []
    progress = Progress(lambda *what: reports.append(what), interval=60)
    progress.stage("a", 1000)
    for _ in range(1000):
        progress.advance()
    progress.stage("b")
    assert reports == [("a", 0, 1000), ("b", 0, 0)]


@pytest.mark.parametrize("call", ["stage", "advance", "update", "check"])
def test_that_every_call_hears_a_cancel(call: str) -> None:
    progress = Progress(cancelled=threading.Event())
    progress.cancel()
    with pytest.raises(Cancelled):
        getattr(progress, call)(*{"stage": ("x",), "update": (1,)}.get(call, ()))


def test_that_a_cancel_from_another_thread_stops_the_blocks() -> None:
    progress = Progress()
    starts = []

    def work() -> None:
        for start, _ in progress.blocks("x", 100, 1):
            starts.append(start)
            if start == 3:
                other = threading.Thread(target=progress.cancel)
                other.start()
                other.join()

    with pytest.raises(Cancelled):
        work()
    assert starts == [0, 1, 2, 3]


def test_that_parts_of_a_progress_make_up_one() -> None:
    reports: Reports = []
    outer = Progress(lambda *what: reports.append(what), interval=0)
    first, last = split_progress(outer, [1, 3])
    first.stage("a", 2)
    first.advance()
    last.stage("b", 3)
    last.update(3)
    last.stage("c")
    done = list(dict.fromkeys((stage, share) for stage, share, _ in reports))
    assert done == [("a", 0), ("a", 1_250), ("b", 2_500), ("b", 10_000), ("c", 2_500)]
    assert {total for *_, total in reports} == {10_000}
    outer.cancel()
    with pytest.raises(Cancelled):
        first.check()
