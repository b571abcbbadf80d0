"""A log in working files is the log in memory, row for row; and the files are nobody else's."""

import contextlib
import gc
import os
import stat
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor import platform
from auditor.arrays import Int32s
from auditor.errors import Cancelled, ParameterError, SpillFailed
from auditor.log.memory import MemoryWatch, available_memory, size_of
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.out_of_core import spilled_log
from auditor.log.out_of_core.spilled_log import SpilledLog
from auditor.log.out_of_core.working_files import WorkingFiles, default_folder
from auditor.log.reading.reader import read_log
from auditor.methods.registry import METHODS
from auditor.platform import read_held_memory
from auditor.privacy.release import Tables
from auditor.progress import Progress, silent_progress
from tests.log.rows import AOL_HEADER
from tests.methods.logs import run_method
from tests.programs import run_code

BUDGET = 512 << 20


@pytest.fixture
def spill(tmp_path: Path) -> Iterator[WorkingFiles]:
    folder = tmp_path / "work"
    folder.mkdir()
    with WorkingFiles(BUDGET, folder) as files:
        yield files


@pytest.fixture(scope="module")
def shuffled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of 300 users whose rows stand in any order; few queries are many people's."""
    path = tmp_path_factory.mktemp("shuffled") / "log.tsv"
    draw = np.random.default_rng(1)
    with path.open("w", encoding="utf-8") as file:
        file.write(AOL_HEADER)
        for query in np.minimum(draw.zipf(1.5, 5000), 900).tolist():
            user, second, clicked = draw.integers(0, [300, 40_000, 3]).tolist()
            when = f"2006-03-{second // 2000 + 1:02} 10:{second // 60 % 60:02}:{second % 60:02}"
            click = f"{query % 9 + 1}\thttp://w{query % 5}.example" if clicked else "\t"
            file.write(f"{user}\tquery é {query}\t{when}\t{click}\n")
    return path


def small_files(patch: pytest.MonkeyPatch, files: int = 7) -> None:
    """Sort in so many files and so short blocks that every seam is met."""
    patch.setattr(spilled_log, "BLOCK", 97)
    patch.setattr(WorkingFiles, "room", property(lambda self: 40_000))
    patch.setattr(spilled_log, "MOST_FILES", files)


def assert_same(a: QueryLog, b: QueryLog) -> None:
    assert a.digest == b.digest
    assert (len(a), a.clicks, a.period) == (len(b), b.clicks, b.period)
    assert np.array_equal(a.user_starts, b.user_starts)
    assert np.array_equal(a.event_starts, b.event_starts)


def test_that_a_log_in_working_files_is_the_log_in_memory(
    shuffled: Path, spill: WorkingFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_files(monkeypatch)
    memory, disk = read_log(shuffled), read_log(shuffled, spill=spill)
    assert isinstance(disk, SpilledLog)
    assert len(disk) == 5000
    assert_same(memory, disk)
    keep = memory.query % 3 == 0
    assert_same(memory.rows(keep), disk.rows(keep))
    assert_same(memory.rows(np.flatnonzero(keep)), disk.rows(np.flatnonzero(keep)))
    new = np.random.default_rng(2).permutation(len(memory.users)).astype(np.int32)
    assert_same(memory.with_users(new, memory.users), disk.with_users(new, disk.users))
    sample = disk.sample_users(30, seed=5)
    assert not isinstance(sample, SpilledLog)
    assert_same(memory.sample_users(30, seed=5), sample)


ROWS = st.lists(
    st.tuples(st.sampled_from("abcd"), st.text("xyz é", max_size=3), st.integers(-(2**40), 2**40)),
    min_size=1,
    max_size=60,
)


@settings(max_examples=15)
@given(ROWS, st.integers(1, 9))
def test_that_any_rows_are_sorted_and_numbered_as_in_memory(
    rows: list[tuple[str, str, int]], files: int
) -> None:
    user, query, time = (list(column) for column in zip(*rows, strict=True))
    ones, none = np.ones(len(user), dtype=np.uint32), np.full(len(user), -1, dtype=np.int32)
    memory = QueryLog.from_columns(user=user, query=query, time=time, cookie=query, ip=ones)

    def codes(texts: list[str]) -> Int32s:
        return np.array([list(dict.fromkeys(texts)).index(text) for text in texts], dtype=np.int32)

    with pytest.MonkeyPatch.context() as patch, WorkingFiles(BUDGET) as spill:
        small_files(patch, files)
        patch.setattr(WorkingFiles, "room", property(lambda self: 100))
        columns: dict[str, Any] = {
            "user": codes(user), "query": codes(query), "time": np.array(time, dtype=np.int64),
            "url": none, "rank": none.astype(np.int16), "ip": ones, "cookie": codes(query),
        }  # fmt: skip
        words = {"user": user, "query": query, "url": [], "cookie": query}
        vocabularies = {n: Vocabulary.of(dict.fromkeys(texts)) for n, texts in words.items()}
        disk = spilled_log.spill_log(columns, vocabularies, memory.origin, spill, silent_progress())
        assert_same(memory, disk)


SAME_SEED: list[tuple[str, dict[str, Any]]] = [
    *(("frequency-threshold", {"n": 3, "ids": ids}) for ids in ("keep", "random", "drop")),
    ("safelog", {"q_f": 5, "K": 4, "b": 1.0, "K_c": 2, "K_t": 3}),
    ("safelog", {"mode": "published", "tau": 2, "q_f": 5, "K": 4, "b": 1.0}),
    ("korolova", {"K": 4, "b": 1.0, "clicks": "observed"}),
    ("zealous", {"m": 5, "epsilon": 20.0}),
    ("zealous", {"m": 5, "epsilon": 20.0, "tau": 2}),
    ("set-union", {"epsilon": 20.0}),
    ("set-union", {"epsilon": 20.0, "group_by": "day"}),
    ("korolova", {"K": 4, "b": 1.0, "group_by": "day"}),
    ("partition-selection", {"epsilon": 20.0, "group_by": "month"}),
]


@pytest.mark.parametrize(("name", "params"), SAME_SEED)
def test_that_the_same_seed_gives_the_same_release_from_working_files(
    name: str,
    params: dict[str, Any],
    shuffled: Path,
    spill: WorkingFiles,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    small_files(monkeypatch)
    assert METHODS[name].streams
    logs = read_log(shuffled), read_log(shuffled, spill=spill)
    memory, disk = (run_method(name, log, 3, **params) for log in logs)
    assert memory.changes == disk.changes
    assert memory.statement == disk.statement
    assert len(memory.content.queries)
    if isinstance(memory.content, QueryLog):
        assert isinstance(disk.content, SpilledLog)
        assert_same(memory.content, disk.content)
        return
    assert isinstance(disk.content, Tables)
    for table, other in zip(memory.content.list_sheets(), disk.content.list_sheets(), strict=True):
        assert table.heading == other.heading
        pd.testing.assert_frame_equal(table.to_pandas(), other.to_pandas())


def test_that_working_files_have_no_name_and_are_nobody_elses(
    shuffled: Path, spill: WorkingFiles
) -> None:
    gc.collect()  # files of earlier tests: closed later, they would leave their numbers to these
    before = open_files()
    log = read_log(shuffled, spill=spill)
    file = spill.make_column(np.int64)
    file.append(np.arange(10))
    # Others may open files meanwhile; those have names, and lie elsewhere.
    inodes = {(about.st_dev, about.st_ino) for about in before.values()}
    fresh = [info for info in open_files().values() if (info.st_dev, info.st_ino) not in inodes]
    nameless = [about for about in fresh if about.st_nlink == 0]
    assert len(nameless) > 5, "strings and columns"
    assert all(about.st_mode & 0o077 == 0 for about in nameless)
    assert list(spill.folder.iterdir()) == []
    assert file.take_values().tolist() == list(range(10))
    assert len(log)


def open_files() -> dict[int, os.stat_result]:
    """The regular files that this process has open, by their number."""
    files = {}
    for place in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):  # the one that listed them
            about = os.fstat(int(place.name))
            if stat.S_ISREG(about.st_mode):
                files[int(place.name)] = about
    return files


def test_that_pages_are_let_go_of_before_they_fill_the_budget(tmp_path: Path) -> None:
    with WorkingFiles(read_held_memory()[0] + (64 << 20), tmp_path) as spill:
        column = spill.make_column(np.int64)
        for _ in range(24):
            column.append(np.ones(1 << 20, dtype=np.int64))  # 192 MB in all
        values = column.collect_values()
        before, most, total = read_held_memory()[1], 0, 0
        limit = spill.budget // 16  # what other tests left in memory counts in the budget, too
        for start in range(0, len(values), 1 << 17):
            total += int(values[start : start + (1 << 17)].sum())
            memory, pages = read_held_memory()
            full = memory > 0.75 * spill.budget
            most = max(most, pages - before) if full else most
            until = time.monotonic() + 60  # the thread that watches needs its turn
            while full and pages - before > limit:
                assert time.monotonic() < until, "nothing was let go of"
                time.sleep(0.005)
                memory, pages = read_held_memory()
                full = memory > 0.75 * spill.budget
        assert total == 24 << 20
        assert most < limit + (32 << 20)
        spill.release_pages()
        assert read_held_memory()[1] - before < 32 << 20
        assert int(values.sum()) == total, "what was let go of can be read again"


FULL = """
import resource, signal, sys
from pathlib import Path
from auditor.errors import SpillFailed
from auditor.log.reading.reader import read_log
from auditor.log.out_of_core.working_files import WorkingFiles
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
path, folder = map(Path, sys.argv[1:])
whole = read_log(path)
refused = 0
for size in (0, 100, 1000, 5000, 20000, 1 << 30):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    try:
        with WorkingFiles(512 << 20, folder) as spill:
            assert read_log(path, spill=spill).digest == whole.digest
    except SpillFailed as error:
        assert "not enough room for working files" in str(error), error
        assert "`spill`" in str(error)
        refused += 1
    assert list(folder.iterdir()) == []
print(refused)
"""


def test_that_a_full_disk_or_no_folder_is_one_clear_error(shuffled: Path, tmp_path: Path) -> None:
    assert int(run_code(FULL, shuffled, tmp_path)) == 5
    with (
        WorkingFiles(BUDGET, tmp_path / "nowhere") as spill,
        pytest.raises(SpillFailed, match="`spill`"),
    ):
        spill.make_column(np.int64)


def test_that_a_cancel_at_any_report_ends_the_reading(
    shuffled: Path, spill: WorkingFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_files(monkeypatch)
    expected = read_log(shuffled)
    cancelled = 0
    for after in (*range(0, 60, 7), 10_000):
        stop = threading.Event()
        reports = iter(range(after))

        def report(*_: Any, stop: threading.Event = stop, reports: Any = reports) -> None:
            if next(reports, None) is None:
                stop.set()

        progress = Progress(report, stop, interval=0.0)
        try:
            assert read_log(shuffled, spill=spill, progress=progress).digest == expected.digest
        except Cancelled:
            cancelled += 1
    assert cancelled == 9


def test_that_sizes_are_read_as_people_write_them() -> None:
    assert size_of("2GiB") == size_of("2g") == size_of("2048 MiB") == 2 << 30
    assert size_of("1.5G") == 3 << 29
    for wrong in ("", "2", "lots", "-1GiB", "100MiB", "nan", "1e9"):
        with pytest.raises(ParameterError, match="--memory"):
            size_of(wrong)


def test_that_a_watch_tells_once_when_more_is_held_than_allowed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    flag = threading.Event()
    with MemoryWatch(read_held_memory()[0] - read_held_memory()[1] + (64 << 20), flag.set) as watch:
        assert not flag.wait(0.1)
        taken = np.ones(24 << 20)
        assert flag.wait(5)
        assert watch.over
        assert len(taken)
    monkeypatch.setattr(platform, "read_free_memory", lambda: 5 << 30)
    monkeypatch.setattr(platform, "read_memory_limits", lambda: [4 << 30, 3 << 30])
    assert available_memory() == 3 << 30


def test_that_the_folder_is_the_one_that_was_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "b"))
    assert default_folder() == tmp_path / "b"
    monkeypatch.setenv("AUDITOR_SPILL", str(tmp_path / "a"))
    assert default_folder() == tmp_path / "a"
