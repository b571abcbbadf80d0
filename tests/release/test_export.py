"""What an export writes, and where it refuses to."""

import fcntl
import json
import os
import re
import stat
from pathlib import Path

import pandas as pd
import pytest

from auditor.errors import ExportFailed, ExportRefused
from auditor.log.model import QueryLog
from auditor.privacy.release import Preview
from auditor.progress import silent_progress
from auditor.release.export import check_target, write_preview, write_release, write_table
from auditor.release.manifest import (
    MANIFEST,
    internal_folder,
    is_internal,
    read_manifest,
    verify_folder,
)
from auditor.release.report.document import data_sheet_page, public_report
from auditor.release.report.html import page_of
from tests.release.fakes import raw_log, run_result

pytestmark = pytest.mark.usefixtures("quick_pages")


@pytest.fixture
def log(tmp_path: Path) -> QueryLog:
    return raw_log(tmp_path / "in")


def export(log: QueryLog, folder: Path, **how: object) -> Path:
    return write_release(run_result(log), log, folder, progress=silent_progress(), **how)  # type: ignore[arg-type]


def tree(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_that_a_release_folder_holds_what_was_agreed(log: QueryLog, tmp_path: Path) -> None:
    of_log = run_result(log, content=log.rows(log.query == 0))
    for name, result, data in (
        ("tables", run_result(log), {"queries.tsv", "clicks.tsv", "transitions.tsv"}),
        ("log", of_log, {"log.tsv"}),
    ):
        folder = write_release(result, log, tmp_path / name, progress=silent_progress())
        assert folder == tmp_path / name
        files = {path.name for path in folder.iterdir()}
        assert files == data | {"manifest.json", "report.html", "data-sheet.html"}
        assert verify_folder(folder) == []
        inside = internal_folder(folder)
        assert not {path.name for path in inside.iterdir()} & files
        (inside / "internal-report.html").rename(inside / "report.html")  # as older versions did
        assert is_internal(inside)
    places = ["in", "log", "log.internal", "tables", "tables.internal"]
    assert sorted(path.name for path in tmp_path.iterdir()) == places


def test_that_the_data_sheet_is_one_short_page_of_its_own(log: QueryLog, tmp_path: Path) -> None:
    folder = export(log, tmp_path / "out")
    page = page_of(data_sheet_page(run_result(log), read_manifest(folder)))
    for text in ("Data sheet", "Guarantee", "Not meant for", "queries.tsv", "Known weakness"):
        assert text in page
    facts = read_manifest(folder)
    failing = {"name": "delta", "text": "δ is below one in the users.", "status": "fails"}
    facts["statement"]["assumptions"] = [failing]
    assert "delta: δ is below one in the users." in page_of(data_sheet_page(run_result(log), facts))
    body = re.sub(r"<style>.*</style>|<[^>]+>", " ", page, flags=re.DOTALL)
    assert len(body.split()) < 700, "more than a page"
    assert "width=device-width" in page
    assert "new-page" not in body
    (folder / "data-sheet.html").write_text("other", encoding="utf-8")
    assert any("data-sheet.html" in problem for problem in verify_folder(folder))


def test_that_the_report_says_of_checks_what_the_verdict_says(
    log: QueryLog, tmp_path: Path
) -> None:
    facts = read_manifest(export(log, tmp_path / "out"))
    for failed, not_run, rest, text in (
        (0, 0, 0, "all 9 applicable checks passed"),
        (2, 0, 4, "2 of 9 applicable checks failed; 4 more do not apply"),
        (0, 1, 0, "0 of 9 applicable checks failed, 1 could not be made"),
    ):
        checks = {"applicable": 9, "failed": failed, "not_run": not_run, "not_applicable": rest}
        verdict = {"state": "cannot-be-released", "policy": "default", "checks": checks}
        page = page_of(public_report(run_result(log), facts | {"verdict": verdict}))
        assert f"Judged by the policy “default” when it was made: {text}." in page


def test_that_only_its_owner_may_read_a_release(log: QueryLog, tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        folder = export(log, tmp_path / "out")
    finally:
        os.umask(old)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_that_a_preview_is_refused(log: QueryLog, tmp_path: Path) -> None:
    result = run_result(log, preview=True)
    with pytest.raises(ExportRefused, match="preview can't be exported") as refused:
        write_release(result, log, tmp_path / "out", progress=silent_progress())
    assert refused.value.exit_code == 1
    assert not (tmp_path / "out").exists()


def test_that_a_result_of_another_log_is_refused(log: QueryLog, tmp_path: Path) -> None:
    other = log.rows(log.query == 0)
    with pytest.raises(ExportRefused, match="another log"):
        write_release(run_result(log), other, tmp_path / "out", progress=silent_progress())


def test_that_formulas_are_escaped_where_it_was_asked_for(log: QueryLog, tmp_path: Path) -> None:
    plain = export(log, tmp_path / "plain")
    safe = export(log, tmp_path / "safe", spreadsheet_safe=True)
    assert "\n=1+1\\ttab" in (plain / "queries.tsv").read_text()
    assert "\n\\x3d1+1\\ttab" in (safe / "queries.tsv").read_text()
    assert "formulas" in json.loads((safe / MANIFEST).read_text())["content"]


# --- where it may go --------------------------------------------------------------------------


def test_that_an_empty_folder_is_filled_and_missing_parents_are_made(
    log: QueryLog, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    for folder in (tmp_path / "out", tmp_path / "a" / "b" / "out"):
        assert verify_folder(export(log, folder)) == []


def test_that_an_older_release_is_replaced_only_when_asked(log: QueryLog, tmp_path: Path) -> None:
    folder = export(log, tmp_path / "out", comment="first")
    before = tree(folder)
    with pytest.raises(ExportRefused, match="overwrite"):
        export(log, folder)
    assert tree(folder) == before
    export(log, folder, overwrite=True, comment="second")
    assert json.loads((folder / MANIFEST).read_text())["comment"] == "second"
    assert verify_folder(folder) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out", "out.internal"]


def test_that_a_folder_with_other_things_is_never_touched(log: QueryLog, tmp_path: Path) -> None:
    names = ("notes", "no-manifest", "extra", "folder", "link", "forged")
    notes, bare, extra, folder, link, forged = places = [tmp_path / name for name in names]
    for place, file in ((notes, "notes.txt"), (bare, "queries.tsv")):
        place.mkdir()
        (place / file).write_text("mine")
    for place in (extra, folder, link, forged):
        export(log, place)
    (extra / "notes.txt").write_text("mine")
    for place in (folder, link):
        (place / "report.html").unlink()
    (folder / "report.html").mkdir()
    (link / "report.html").symlink_to(log.origin.files[0])
    (forged / MANIFEST).write_text('{"format": "something else"}')
    for place in places:
        before = tree(place)
        for overwrite in (False, True):
            with pytest.raises(ExportRefused, match="other things"):
                export(log, place, overwrite=overwrite)
            assert tree(place) == before


def test_that_links_and_files_are_no_target(log: QueryLog, tmp_path: Path) -> None:
    real = export(log, tmp_path / "real")
    (tmp_path / "link").symlink_to(real)
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    (tmp_path / "file").write_text("mine")
    for name, words in (("link", "is a link"), ("dangling", "is a link"), ("file", "is a file")):
        for overwrite in (False, True):
            with pytest.raises(ExportRefused, match=words):
                export(log, tmp_path / name, overwrite=overwrite)
    assert (tmp_path / "file").read_text() == "mine"
    assert not (tmp_path / "nowhere").exists()
    assert verify_folder(real) == []


def test_that_the_logs_own_place_is_refused(log: QueryLog, tmp_path: Path) -> None:
    source = log.origin.files[0]
    (tmp_path / "alias").symlink_to(source.parent)
    for overwrite in (False, True):
        for target in (source, source.parent, tmp_path, source.parent / "x" / ".."):
            with pytest.raises(ExportRefused, match="holds the log itself") as refused:
                export(log, target, overwrite=overwrite)
            assert refused.value.exit_code == 2, "a place that is refused is bad usage"
        with pytest.raises(ExportRefused):
            export(log, tmp_path / "alias", overwrite=overwrite)
    assert source.read_text()
    assert verify_folder(export(log, source.parent / "release")) == []


def test_that_a_place_that_can_not_be_is_one_clear_error(log: QueryLog, tmp_path: Path) -> None:
    with pytest.raises((ExportFailed, ExportRefused)):
        export(log, tmp_path / ("x" * 300))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in"]
    (tmp_path / "file").write_text("mine")
    with pytest.raises(ExportFailed, match="can't be made"):
        check_target(tmp_path / "file" / "out", log.origin.files)


@pytest.mark.parametrize("is_released", [False, True])
def test_that_what_comes_to_stand_there_meanwhile_is_not_lost(
    log: QueryLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_released: bool
) -> None:
    out = tmp_path / "out"

    def intrude(*_: object, **__: object) -> str:
        if not out.exists():
            out.mkdir()
        (out / "mine.txt").write_text("mine")
        return "page"

    if is_released:
        export(log, out)
    monkeypatch.setattr("auditor.release.export.page_of", intrude)
    with pytest.raises(ExportRefused, match="came to stand"):
        export(log, out, overwrite=True)
    assert (out / "mine.txt").read_text() == "mine"
    assert (out / MANIFEST).exists() == is_released
    evidence = ["out.internal"] if is_released else []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out", *evidence]


# --- what others left -------------------------------------------------------------------------


def leftover(parent: Path, number: int, marked: str = "out") -> Path:
    folder = parent / f".auditor-export-{number:016x}"
    (folder / "new").mkdir(parents=True)
    (folder / "new" / "queries.tsv").write_text("half")
    if marked:
        (folder / "marker").write_text(json.dumps({"auditor export of": marked}))
    return folder


def test_that_leftovers_are_removed_only_if_ours_and_stale(log: QueryLog, tmp_path: Path) -> None:
    ours, unmarked = leftover(tmp_path, 1), leftover(tmp_path, 2, "")
    foreign, more = leftover(tmp_path, 3, "../../etc"), leftover(tmp_path, 4)
    (more / "thesis.txt").write_text("mine")
    lookalike = tmp_path / ".auditor-export-mine"
    lookalike.mkdir()
    link = tmp_path / f".auditor-export-{5:016x}"
    link.symlink_to(tmp_path / "in")
    locked = leftover(tmp_path, 6)
    lock = os.open(locked, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        export(log, tmp_path / "out")
    finally:
        os.close(lock)
    assert not ours.exists()
    assert all(path.exists() for path in (unmarked, foreign, more, lookalike, link, locked))
    assert (tmp_path / "in" / "raw-aol.txt").exists()
    export(log, tmp_path / "out", overwrite=True)
    assert not locked.exists()


# --- previews and tables ----------------------------------------------------------------------


def test_that_a_preview_is_no_release_and_takes_no_releases_place(
    log: QueryLog, tmp_path: Path
) -> None:
    folder = export(log, tmp_path / "out")
    with pytest.raises(ExportRefused):
        write_preview({}, folder, overwrite=True)
    assert verify_folder(folder) == []
    for _ in range(2):
        file = write_preview({"values": {"kept": 0.5}}, tmp_path / "look", overwrite=True)
    facts = json.loads(file.read_text())
    assert facts["preview"] == Preview.WATERMARK
    assert [path.name for path in file.parent.iterdir()] == ["preview.json"]
    assert verify_folder(file.parent) != []


def test_that_a_table_is_written_whole_and_replaces_an_older_one(tmp_path: Path) -> None:
    frame = pd.DataFrame({"k": [1, 2], "word": ["=1+1", "plain"]})
    for name in ("a.parquet", "a.csv"):
        for _ in range(2):
            write_table(frame, tmp_path / name)
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "a.parquet"), frame)
    assert pd.read_csv(tmp_path / "a.csv")["word"].tolist() == ["'=1+1", "plain"]
    with pytest.raises(ExportFailed):
        write_table(frame, tmp_path / "nowhere" / "a.csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "a.parquet"]
