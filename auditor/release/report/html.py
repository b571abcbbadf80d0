"""The report: one self-contained HTML page that asks nothing of a network and runs no script.

Texts are escaped by the template engine, drawings are SVG within the page, the page's policy
forbids everything but its own styles. What is shown is decided in the module `document`.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from auditor.engine.run import Run
from auditor.errors import ExportRefused
from auditor.figures import Table, format_count
from auditor.log import escaping
from auditor.log.model import LogTotals, QueryLog
from auditor.progress import Progress, silent_progress
from auditor.release.atomic_write import replaced_file, staged_folder, write_file
from auditor.release.evidence import build_manifest
from auditor.release.export_target import check_file, check_folder, refuse_inputs
from auditor.release.manifest import MANIFEST, REPORT, internal_folder, read_evidence
from auditor.release.record import ReleaseRecord
from auditor.release.report.blocks import Block, Edition, PictureBlock, ReportDocument, make_table
from auditor.release.report.comparison import compare_runs, draw_scatters, label_runs
from auditor.release.report.document import (
    INTERNAL,
    ReportedRun,
    full_report,
    internal_report,
    run_blocks,
)
from auditor.release.report.drawing import apply_theme_colours, figure_svg, theme_css
from auditor.resource_files import resource_path


def document_of(
    result: Run,
    log: LogTotals,
    *,
    edition: Edition = "full",
    facts: Mapping[str, Any] | None = None,
    record: ReleaseRecord | None = None,
) -> ReportDocument:
    """The report of one run, for any writer; only the internal edition shows text of the `log`.

    `facts` is the release's evidence, for dates, versions and hashes, and `record` what is known of
    the release, with its checks; each is made of the run unless it is given.
    """
    facts = facts if facts is not None else build_manifest(result, log, {})
    view = ReportedRun(result, log, edition, record or ReleaseRecord.of_log(result, log))
    if edition == "internal":
        return internal_report(view, facts)
    return full_report(view, facts)


def page_of(document: ReportDocument, progress: Progress | None = None) -> str:
    page = dataclasses.replace(document, blocks=_draw_blocks(document.blocks, progress))
    return _render_page("report.html.j2", {"document": page})


def write_report(
    document: ReportDocument, log: LogTotals, path: Path, progress: Progress | None = None
) -> Path:
    """Write the report to a file of its own that only its owner may read; replaces an older one.

    It is a page, or a PDF where the file's name ends so. An internal edition is never written
    into a release folder. Raises `ExportRefused` and `ExportFailed`; an older file is then
    untouched.
    """
    refuse_inputs(path, log.origin.files)
    if document.edition == "internal" and (path.parent / MANIFEST).exists():
        raise ExportRefused(
            "An internal report may not stand in a release folder. Name a place beside it."
        )
    if path.suffix.lower() == ".pdf":
        from auditor.release.report.pdf import pdf_of

        data = pdf_of(document, progress)
    else:
        data = _encode_text(page_of(document, progress))
    with replaced_file(path) as new:
        write_file(new, [data])
    return path


def write_internal(
    result: Run, log: QueryLog, folder: Path, *, pdf: bool, progress: Progress
) -> list[Path]:
    """Write the internal edition beside a release folder, never into it; returns the paths."""
    facts, _ = read_evidence(internal_folder(folder.resolve()))
    record = ReleaseRecord.from_evidence(facts) if "gates" in facts else None
    document = document_of(result, log, edition="internal", facts=facts, record=record)
    paths = internal_paths(folder, pdf=pdf)
    return [write_report(document, log, path, progress) for path in paths]


def internal_paths(folder: Path, *, pdf: bool) -> list[Path]:
    """Where the internal edition of a release folder's report stands."""
    target = folder.resolve()
    names = [f"{target.name}-internal.html"] + ([f"{target.name}-internal.pdf"] if pdf else [])
    return [target.with_name(name) for name in names]


def check_internal(
    folder: Path, inputs: Iterable[Path] = (), *, pdf: bool, overwrite: bool
) -> None:
    """Raise `ExportRefused` if the internal edition may not be written beside a folder."""
    inputs = list(inputs)
    for path in internal_paths(folder, pdf=pdf):
        check_file(path, inputs, overwrite=overwrite)


def demo_report(
    results: Sequence[Run],
    log: QueryLog,
    folder: Path,
    *,
    edition: Edition = "internal",
    overwrite: bool = False,
) -> Path:
    """Write one page over several runs, with ``tables/*.csv`` and ``plots/*.svg`` beside it.

    With `overwrite` it replaces an older one of its kind in one step; raises `ExportRefused` for
    a folder that holds anything else. Returns the page's path.
    """
    target = check_demo(folder, overwrite=overwrite)
    views = [
        ReportedRun(result, log, edition, ReleaseRecord.of_log(result, log)) for result in results
    ]
    runs = [_draw_blocks(run_blocks(view, 3)) for view in views]
    names = [_make_slug(label) for label in label_runs(results)]
    table = compare_runs(results)
    front = _draw_blocks([*map(PictureBlock, draw_scatters(results)), make_table(table)])
    context = {
        "about": f"{format_count(len(results), 'run')} on a log of "
        f"{format_count(len(log), 'row')}.",
        "banner": INTERNAL if edition == "internal" else "",
        "runs": [
            (view.title, view.preview, blocks) for view, blocks in zip(views, runs, strict=True)
        ],
        "front": front,
    }
    with staged_folder(target, replaceable=is_demo) as place:
        write_file(place / REPORT, [_encode_text(_render_page("demo.html.j2", context))])
        tables, plots = place / "tables", place / "plots"
        for folder_beside in (tables, plots):
            folder_beside.mkdir(mode=0o700)
        used_names: set[str] = set()
        write_file(tables / _choose_free_name("comparison", ".csv", used_names), [csv_bytes(table)])
        for name, result in zip(names, results, strict=True):
            sheets = [sheet for measured in result.measures for sheet in measured.tables]
            sheets += [sheet for attacked in result.attacks for sheet in attacked.tables]
            for sheet in sheets:
                if edition == "internal" or not sheet.private:
                    file = _choose_free_name(f"{name}-{sheet.name}", ".csv", used_names)
                    write_file(tables / file, [csv_bytes(sheet)])
        used_names.clear()
        for name, blocks in zip(("all", *names), (front, *runs), strict=True):
            for block in blocks:
                if isinstance(block, PictureBlock):
                    svg = figure_svg(block.figure, titled=True)
                    file = _choose_free_name(f"{name}-{block.figure.name}", ".svg", used_names)
                    write_file(plots / file, [_encode_text(svg)])
    return target / REPORT


def check_demo(folder: Path, *, overwrite: bool) -> Path:
    """The folder that a page over several runs may be written into; raises `ExportRefused`."""
    return check_folder(Path(folder), is_demo, overwrite=overwrite)


def is_demo(folder: Path) -> bool:
    """Whether an older comparison, and nothing else, stands there."""
    if folder.is_symlink() or not folder.is_dir():
        return False
    inner = [*folder.glob("tables/*"), *folder.glob("plots/*")]
    names = {path.name for path in folder.iterdir()}
    plain = all(path.suffix in (".csv", ".svg") and path.is_file() for path in inner)
    return names <= {REPORT, "tables", "plots"} and plain


def csv_bytes(table: Table) -> bytes:
    """A table for a spreadsheet: no cell is evaluated; with the mark by which it knows UTF-8."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow([escaping.escape_cell(column) for column in table.columns])
    for row in table.rows:
        plain = (value.item() if hasattr(value, "item") else value for value in row)
        writer.writerow([escaping.escape_cell(value) for value in plain])
    return b"\xef\xbb\xbf" + _encode_text(buffer.getvalue())


def _render_page(template: str, context: Mapping[str, Any]) -> str:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    def make_visible(value: Any) -> Any:
        plain = isinstance(value, str) and not isinstance(value, Markup)
        return "\n".join(map(escaping.printable_text, value.split("\n"))) if plain else value

    engine = Environment(
        loader=FileSystemLoader(resource_path("report")),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=make_visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # a drawing's words were escaped when it was drawn
    engine.filters["themed"] = lambda svg: Markup(apply_theme_colours(svg))  # noqa: S704
    light, dark = theme_css()
    css = engine.get_template("style.css").render(light=light, dark=dark)
    return engine.get_template(template).render(
        css=Markup(css),  # noqa: S704  our own file and colours, nothing of a log
        **context,
    )


def _draw_blocks(blocks: Iterable[Block], progress: Progress | None = None) -> list[Block]:
    result = list(blocks)
    pictures = [(n, block) for n, block in enumerate(result) if isinstance(block, PictureBlock)]
    progress = progress or silent_progress()
    for start, _ in progress.blocks("drawing the report", len(pictures), 1):
        index, block = pictures[start]
        result[index] = dataclasses.replace(block, svg=figure_svg(block.figure))
    return result


def _choose_free_name(stem: str, suffix: str, used_names: set[str]) -> str:
    stem = _make_slug(stem)
    name, number = stem, 1
    while name in used_names:
        number += 1
        name = f"{stem}-{number}"
    used_names.add(name)
    return name + suffix


def _make_slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:80] or "unnamed"


def _encode_text(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")
