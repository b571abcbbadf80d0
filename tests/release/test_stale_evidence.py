"""An older release beside newer evidence, as a kill between two renames leaves it, is found."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

from auditor.__main__ import main
from auditor.errors import ExportRefused
from auditor.progress import silent_progress
from auditor.release import atomic_write, export
from auditor.release.manifest import MANIFEST, internal_folder
from auditor.release.verify import verify_release
from tests.release import fakes
from tests.release.test_approval import PASSING, made, signed

pytestmark = pytest.mark.usefixtures("quick_pages")


def give_evidence_of(newer: Path, folder: Path) -> None:
    shutil.rmtree(internal_folder(folder))
    shutil.copytree(internal_folder(newer), internal_folder(folder))


@pytest.mark.parametrize("is_judged", [True, False])
@pytest.mark.parametrize("approved", [True, False])
def test_that_evidence_of_another_export_is_named(
    tmp_path: Path, key: Path, is_judged: bool, approved: bool
) -> None:
    older = made(tmp_path / "older", PASSING, is_judged=is_judged or approved)
    newer = made(tmp_path / "newer", PASSING, is_judged=is_judged)
    if not is_judged:  # an export of the same second, which nothing else would tell apart
        log = fakes.raw_log(tmp_path / "newer" / "raw")
        how: dict[str, Any] = {"progress": silent_progress(), "overwrite": True}
        export.write_release(fakes.run_result(log), log, newer, comment="newer", **how)
    if approved:
        signed(older, key)
    assert verify_release(older, silent_progress()).problems == ()
    give_evidence_of(newer, older)
    (problem,) = verify_release(older, silent_progress()).problems
    assert "does not fit release.internal" in problem
    assert "export it again" in problem
    assert main(["verify", str(older)]) == 1


class DyingAtExit:
    """A folder that is never put in place, since the process is killed just before."""

    def __init__(self, staged: Any) -> None:
        self._staged = staged

    def __enter__(self) -> Any:
        return self._staged.__enter__()

    def __exit__(self, *why: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


def test_that_a_kill_between_the_two_renames_is_found_and_mended_by_the_next_export(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = fakes.raw_log(tmp_path / "raw")
    folder, result = tmp_path / "release", fakes.run_result(fakes.raw_log(tmp_path / "raw"))

    def write(comment: str) -> None:
        how: dict[str, Any] = {"progress": silent_progress(), "overwrite": True}
        export.write_release(result, log, folder, comment=comment, **how)

    write("old")
    before = (folder / MANIFEST).read_bytes()
    child = os.fork()
    if child == 0:

        def killed(place: Path, **how: Any) -> Any:
            staged = atomic_write.staged_folder(place, **how)
            return DyingAtExit(staged) if place == folder else staged

        monkeypatch.setattr(export, "staged_folder", killed)
        try:
            write("new")
        finally:
            os._exit(3)
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status):
        pytest.fail(f"the export ended by itself: {os.WEXITSTATUS(status)}")
    assert (folder / MANIFEST).read_bytes() == before
    (problem,) = verify_release(folder, silent_progress()).problems
    assert "an export was stopped" in problem
    write("new")
    assert verify_release(folder, silent_progress()).problems == ()


def test_that_refusing_a_place_is_bad_usage_and_refusing_a_release_is_not(tmp_path: Path) -> None:
    folder = made(tmp_path, PASSING)
    log = fakes.raw_log(tmp_path / "raw")
    with pytest.raises(ExportRefused) as refused:
        export.check_target(folder, log.origin.files)
    assert refused.value.exit_code == 2
    preview: Any = fakes.run_result(log, preview=True).release
    with pytest.raises(ExportRefused) as refused:
        export.require_release(preview)
    assert refused.value.exit_code == 1
