"""Reads a release folder back, to attack it or to measure it; the folder is anybody's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from auditor.arrays import Int32s, Int64s
from auditor.bounded_files import UnfitFile, open_regular
from auditor.errors import LogFormatError, ParameterError
from auditor.log.escaping import escape_text, unescape_text
from auditor.log.model import NONE, Vocabulary
from auditor.log.reading.column_mapping import AOL_NAMES, AOL_ROLES, EXTRA_NAMES
from auditor.log.reading.reader import ReadOptions, read_log, sniff_log
from auditor.log.user_column import UserColumn
from auditor.methods.registry import current_params
from auditor.privacy.composition import NoiseLaw
from auditor.privacy.release import DATED, NGRAMS, Release, Tables
from auditor.privacy.statement import Assumption, Statement, Status, Term
from auditor.progress import Progress, silent_progress
from auditor.release.manifest import MANIFEST, manifest_bytes, parse_manifest

_LOGS = ("log.tsv", "log.parquet")


def read_release(folder: Path, *, progress: Progress | None = None) -> Release:
    """The release in `folder` as attacks and measures see it.

    It is taken at its word: `verify_folder` tells whether the files are those that were written.
    Raises `LogFormatError` naming file and line.
    """
    progress = progress or silent_progress()
    manifest = _read_manifest(folder)
    progress.stage("reading the release")
    log = next((folder / name for name in _LOGS if (folder / name).is_file()), None)
    if log is not None:
        content = read_log([log], _reading_options(manifest, log), progress=progress)
        if log.suffix == ".tsv" and manifest.get("content", {}).get("encoding"):
            content = content.with_texts(lambda vocabulary: _unescape_texts(vocabulary, log))
        return _make_release(manifest, content)
    if (folder / "queries.tsv").is_file() or (folder / NGRAMS).is_file():
        return _make_release(manifest, _read_tables(folder, progress))
    raise LogFormatError(
        f"holds neither {' nor '.join(_LOGS)} nor queries.tsv. Name a release folder.", path=folder
    )


def _reading_options(manifest: Mapping[str, Any], log: Path) -> ReadOptions:
    """How the log is read: its columns by name where it has some beside its own."""
    beside = manifest.get("content", {}).get("attributes", [])
    if not beside:
        return ReadOptions()
    there = sniff_log([log]).column_names
    named = zip(AOL_ROLES, AOL_NAMES, strict=True)
    extra = ((role, name) for name, role in EXTRA_NAMES.items())
    own = {role: name for role, name in (*named, *extra) if name in there}
    try:
        return ReadOptions(columns=own | {str(name): str(name) for name in beside})
    except (ParameterError, TypeError):
        raise LogFormatError(
            "names columns that no release has.", path=log.parent / MANIFEST
        ) from None


def _make_release(manifest: Mapping[str, Any], content: Any) -> Release:
    method = str(manifest.get("method", "unknown"))
    return Release(
        method=method,
        params=current_params(method, manifest.get("params", {})),
        content=content,
        statement=statement_of(manifest.get("statement", {})),
        changes=dict(manifest.get("changes", {})),
        synthetic_seed=manifest.get("content", {}).get("synthetic", {}).get("seed"),
    )


def statement_of(plain: Mapping[str, Any]) -> Statement:
    """A statement from what `Statement.to_dict` made of it."""
    values = {key: _parse_number(plain.get(key)) for key in ("epsilon", "delta", "tight_epsilon")}
    return Statement(
        model=plain.get("model", "none"),
        claim=str(plain.get("claim", "The manifest says nothing of what is guaranteed.")),
        unit=str(plain.get("unit", "unknown")),
        neighbours=str(plain.get("neighbours", "")),
        tight_note=str(plain.get("tight_note", "")),
        terms=tuple(
            Term(
                str(term.get("name", "")),
                _parse_number(term.get("epsilon")) or 0.0,
                _parse_number(term.get("delta")) or 0.0,
                str(term.get("formula", "")),
                _read_law(term.get("law")),
            )
            for term in plain.get("terms", ())
        ),
        assumptions=tuple(_read_assumption(item) for item in plain.get("assumptions", ())),
        measured={
            name: value
            for name, told in plain.get("measured", {}).items()
            if (value := _parse_number(told)) is not None
        },
        user_column=UserColumn.of(plain.get("user_column")),
        **values,
    )


def _read_law(plain: Any) -> NoiseLaw | None:
    try:
        return NoiseLaw.from_dict(plain)
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def _read_assumption(plain: Mapping[str, Any]) -> Assumption:
    """An assumption; of a status that this version doesn't know, nothing is known."""
    known: dict[Any, Status] = {"holds": "holds", "fails": "fails"}
    status = known.get(plain.get("status"), "unknown")
    name, text = str(plain.get("name", "")), str(plain.get("text", ""))
    evidence, decided = str(plain.get("evidence", "")), str(plain.get("decided", ""))
    return Assumption(name, text, status, evidence, decided)


def _parse_number(value: Any) -> float | None:
    if isinstance(value, str):
        return {"infinite": float("inf"), "-infinite": float("-inf")}.get(value)
    return float(value) if isinstance(value, int | float) else None


def _read_manifest(folder: Path) -> dict[str, Any]:
    try:
        return parse_manifest(manifest_bytes(folder))
    except ValueError as error:
        raise LogFormatError(
            f"{str(error).removeprefix(f'{MANIFEST}: ')}. Name a release folder.",
            path=folder / MANIFEST,
        ) from None


def _read_tables(folder: Path, progress: Progress) -> Tables:
    if (folder / NGRAMS).is_file():
        (texts,), weights = _read_sheet(folder / NGRAMS, ("n-gram",), progress, number="weight")
        return Tables(queries=Vocabulary.of_arrow(texts), query_count=weights, ngrams=True)
    (texts,), counts = _read_sheet(folder / "queries.tsv", ("query",), progress)
    queries = Vocabulary.of_arrow(texts)
    clicks, steps = folder / "clicks.tsv", folder / "transitions.tsv"
    content: dict[str, Any] = {}
    if clicks.is_file():
        (query, url), count = _read_sheet(clicks, ("query", "url"), progress)
        encoded = url.dictionary_encode()
        content |= {
            "click_query": _match_codes(query, queries, clicks),
            "click_url": encoded.indices.to_numpy(zero_copy_only=False).astype(np.int32),
            "urls": Vocabulary.of_arrow(encoded.dictionary),
            "click_count": count,
        }
    if steps.is_file():
        (first, second), count = _read_sheet(steps, ("from", "to"), progress)
        content |= {
            "from_query": _match_codes(first, queries, steps),
            "to_query": _match_codes(second, queries, steps),
            "transition_count": count,
        }
    dated = folder / DATED
    if dated.is_file():
        content |= _dated_content(dated, queries, progress)
    return Tables(
        queries=queries,
        query_count=counts,
        has_clicks=clicks.is_file(),
        has_transitions=steps.is_file(),
        **content,
    )


def _dated_content(path: Path, queries: Vocabulary, progress: Progress) -> dict[str, Any]:
    """The table by date; its first column is named after its step."""
    with open_regular(path) as file:
        step = file.readline(64).split(b"\t")[0].decode("ascii", "replace")
    if step not in ("day", "week"):
        raise LogFormatError("begins with neither a day nor a week.", path=path, line=1)
    (date, query), count = _read_sheet(path, (step, "query"), progress)
    encoded = date.dictionary_encode()
    try:
        days = np.array(encoded.dictionary.to_pylist(), dtype="datetime64[D]")
    except ValueError:
        raise LogFormatError("holds a date that is none.", path=path) from None
    seconds = days.astype("datetime64[s]").astype(np.int64)
    return {
        "dated_query": _match_codes(query, queries, path),
        "dated_time": seconds[encoded.indices.to_numpy(zero_copy_only=False)],
        "dated_count": count,
        "step": step,
    }


def _read_sheet(
    path: Path, keys: tuple[str, ...], progress: Progress, *, number: str = "count"
) -> tuple[list[Any], Int64s]:
    """The string columns `keys` (Arrow) and the counts of one table, or another `number`."""
    import pyarrow as pa
    from pyarrow import csv

    progress.stage(f"reading {path.name}")
    try:
        file = open_regular(path)
    except UnfitFile as error:
        raise LogFormatError(f"is {error}.", path=path) from None
    kinds = {key: pa.large_string() for key in keys} | {number: pa.int64()}
    try:
        with file:
            table = csv.read_csv(
                file,
                read_options=csv.ReadOptions(use_threads=False),  # else an error knows no row
                parse_options=csv.ParseOptions(delimiter="\t", quote_char=False),
                convert_options=csv.ConvertOptions(
                    column_types=kinds,
                    include_columns=list(kinds),
                    null_values=[],
                    strings_can_be_null=False,
                ),
            )
    except (pa.ArrowInvalid, pa.ArrowKeyError, OSError) as error:
        # Arrow quotes the row: only its number may go on.
        row = re.search(r"[Rr]ow #?(\d+)", str(error))
        wanted = ", ".join(kinds)
        raise LogFormatError(
            f"is not a table of the columns {wanted}.", path=path, line=int(row[1]) if row else None
        ) from None
    columns = [_unescape_column(table.column(key).combine_chunks(), path) for key in keys]
    counts = table.column(number).to_numpy().astype(np.int64)
    return columns, counts


def _unescape_texts(vocabulary: Vocabulary, path: Path) -> Vocabulary:
    """The texts with their escapes undone; two ways to write one text are refused."""
    strings = vocabulary.list_strings()
    try:
        texts = [unescape_text(text) for text in strings]
    except ValueError:
        texts = []
    if [escape_text(text) for text in texts] != strings:
        raise LogFormatError("holds an escape that no release writes.", path=path)
    return Vocabulary.of(texts)


def _unescape_column(column: Any, path: Path) -> Any:
    """The column with its escapes undone; most rows hold none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    marked = pc.match_substring(column, "\\")
    if not pc.any(marked).as_py():
        return column
    try:
        texts = [unescape_text(text) for text in column.filter(marked).to_pylist()]
        plain = pa.array(texts, pa.large_string())
    except ValueError:  # half a surrogate pair, too, which no string of a log holds
        raise LogFormatError("holds an escape that no release writes.", path=path) from None
    return pc.replace_with_mask(column, marked, plain)


def _match_codes(texts: Any, queries: Vocabulary, path: Path) -> Int32s:
    encoded = texts.dictionary_encode()
    found = Vocabulary.of_arrow(encoded.dictionary).match(queries)
    if (found == NONE).any():
        raise LogFormatError("names a query that queries.tsv does not hold.", path=path)
    codes: Int32s = found[encoded.indices.to_numpy(zero_copy_only=False)]
    return codes
