"""Lists that are kept between runs: read again, built again where that can't be trusted."""

from collections.abc import Callable
from pathlib import Path

import pytest

from auditor import platform
from auditor.log import built_lists
from auditor.log.built_lists import keep_between_runs

WORDS = ("anna", "müller", "1")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder in which nothing was kept yet."""
    monkeypatch.setattr(platform, "find_cache_home", lambda: tmp_path)
    return tmp_path / "query-log-auditor"


def count_builds() -> tuple[Callable[[], Callable[[], tuple[str, ...]]], list[int]]:
    """A maker of processes' functions, and how often one of them built something."""
    builds: list[int] = []

    def start_process() -> Callable[[], tuple[str, ...]]:
        @keep_between_runs("words")
        def build() -> tuple[str, ...]:
            builds.append(1)
            return WORDS

        return build

    return start_process, builds


def test_that_a_later_process_reads_what_an_earlier_one_built(home: Path) -> None:
    start_process, builds = count_builds()
    assert start_process()() == start_process()() == WORDS
    assert len(builds) == 1
    (file,) = home.iterdir()
    assert not file.stat().st_mode & 0o077
    assert not home.stat().st_mode & 0o077


@pytest.mark.parametrize("damage", [b"", b"no archive", b"PK\\x03\\x04"])
def test_that_a_damaged_file_is_built_again(home: Path, damage: bytes) -> None:
    start_process, builds = count_builds()
    start_process()()
    (file,) = home.iterdir()
    file.write_bytes(damage)
    assert start_process()() == start_process()() == WORDS
    assert len(builds) == 2
    home.chmod(0o777)  # nor is anything read where others may write
    assert start_process()() == WORDS
    assert len(builds) == 3


def test_that_other_lists_or_code_are_built_anew_and_the_old_file_goes(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_process, builds = count_builds()
    start_process()()
    monkeypatch.setattr(built_lists, "_describe_sources", lambda: "other")
    start_process()()
    assert len(builds) == 2
    assert [path.name for path in home.iterdir()] == ["words-other.npz"]


def test_that_a_folder_that_cannot_be_made_stops_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(platform, "find_cache_home", lambda: tmp_path / "file")
    start_process, _ = count_builds()
    assert start_process()() == WORDS
