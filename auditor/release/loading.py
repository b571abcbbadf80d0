"""Reads a release folder back, to attack it or to measure it; the folder is anybody's."""

import dataclasses
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from auditor.arrays import Array, Int32s
from auditor.bounded_files import UnfitFile, open_regular
from auditor.errors import LogFormatError, ParameterError
from auditor.log.escaping import escape_text, unescape_text
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.reading.column_mapping import AOL_NAMES, AOL_ROLES, EXTRA_NAMES
from auditor.log.reading.reader import ReadOptions, read_log, sniff_log
from auditor.log.user_column import UserColumn
from auditor.messages import phrase
from auditor.methods.registry import METHODS
from auditor.privacy.composition import NoiseLaw
from auditor.privacy.release import (
    CELLS,
    DATA_TABLES,
    DATED,
    FIGURES,
    NGRAMS,
    QUERIES,
    QUERY,
    CellFigure,
    CellKey,
    CellTable,
    DatedCounts,
    Release,
    Tables,
)
from auditor.privacy.statement import Assumption, Statement, Status, Term
from auditor.progress import Progress, silent_progress
from auditor.release.manifest import LOGS, MANIFEST, manifest_bytes, parse_manifest

_LONGEST_HEADING, _MOST_KEYS = 4096, 16
_HEADING, _DATE = re.compile("[a-z][a-z0-9_-]{0,31}"), re.compile(r"\d{4}-\d\d-\d\d")


def read_release(folder: Path, *, progress: Progress | None = None) -> Release:
    """The release in `folder` as attacks and measures see it.

    It is taken at its word: `verify_folder` tells whether the files are those that were written.
    Raises `LogFormatError` naming file and line.
    """
    try:
        manifest = parse_manifest(manifest_bytes(folder))
    except ValueError as error:
        fault = str(error).removeprefix(f"{MANIFEST}: ")
        place = folder / MANIFEST
        raise LogFormatError(f"{fault}. Name a release folder.", path=place) from None
    method = str(manifest.get("method", "unknown"))
    return Release(
        method=method,
        params=dict(manifest.get("params", {})),
        content=read_content(folder, manifest, progress or silent_progress()),
        statement=statement_of(manifest.get("statement", {})),
        changes=dict(manifest.get("changes", {})),
        synthetic_seed=manifest.get("content", {}).get("synthetic", {}).get("seed"),
    )


def read_content(
    folder: Path, manifest: Mapping[str, Any], progress: Progress
) -> QueryLog | Tables:
    """The data of a release, whose `manifest` says how it is written; raises as `read_release`."""
    progress.stage("reading the release")
    log = next((folder / name for name in LOGS if (folder / name).is_file()), None)
    if log is not None:
        content = read_log([log], _reading_options(manifest, log), progress=progress)
        if log.suffix == ".tsv" and manifest.get("content", {}).get("encoding"):
            content = content.with_texts(lambda vocabulary: _unescape_texts(vocabulary, log))
        return content
    if any((folder / name).is_file() for name in (QUERIES, NGRAMS, CELLS)):
        tables = _read_tables(folder, progress)
        method = str(manifest.get("method"))
        return dataclasses.replace(tables, folded=method in METHODS and METHODS[method].folds)
    raise LogFormatError(
        f"holds neither {' nor '.join(LOGS)} nor queries.tsv. Name a release folder.", path=folder
    )


def _reading_options(manifest: Mapping[str, Any], log: Path) -> ReadOptions:
    attributes = manifest.get("content", {}).get("attributes", [])
    if not attributes:
        return ReadOptions()
    present_columns = sniff_log([log]).column_names
    named_roles = zip(AOL_ROLES, AOL_NAMES, strict=True)
    extra = ((role, name) for name, role in EXTRA_NAMES.items())
    columns = {role: name for role, name in (*named_roles, *extra) if name in present_columns}
    try:
        return ReadOptions(columns=columns | {str(name): str(name) for name in attributes})
    except (ParameterError, TypeError):
        raise LogFormatError(
            "names columns that no release has.", path=log.parent / MANIFEST
        ) from None


def statement_of(plain: Mapping[str, Any]) -> Statement:
    """A statement from what `Statement.to_dict` made of it."""
    values = {key: read_number(plain.get(key)) for key in ("epsilon", "delta", "tight_epsilon")}
    return Statement(
        model=plain.get("model", "none"),
        claim=str(plain.get("claim", "The manifest says nothing of what is guaranteed.")),
        unit=str(plain.get("unit", "unknown")),
        neighbours=str(plain.get("neighbours", "")),
        tight_note=str(plain.get("tight_note", "")),
        terms=tuple(
            Term(
                str(term.get("name", "")),
                read_number(term.get("epsilon")) or 0.0,
                read_number(term.get("delta")) or 0.0,
                str(term.get("formula", "")),
                _read_law(term.get("law")),
            )
            for term in plain.get("terms", ())
        ),
        assumptions=tuple(_read_assumption(item) for item in plain.get("assumptions", ())),
        measured={
            name: value
            for name, raw in plain.get("measured", {}).items()
            if (value := read_number(raw)) is not None
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
    statuses: dict[Any, Status] = {"holds": "holds", "fails": "fails"}
    texts = {key: str(plain.get(key, "")) for key in ("name", "text", "evidence", "decided")}
    return Assumption(status=statuses.get(plain.get("status"), "unknown"), **texts)


def read_number(value: Any) -> float | None:
    """A figure as a manifest has it: infinity is a word there."""
    if value in ("infinite", "-infinite"):
        return math.inf if value == "infinite" else -math.inf
    return float(value) if is_number(value) else None


def is_number(value: Any) -> bool:
    """Whether a value is a number, of Python's or NumPy's."""
    return isinstance(value, bool | int | float | np.integer | np.floating)


def _read_tables(folder: Path, progress: Progress) -> Tables:
    if (folder / CELLS).is_file():
        return Tables.of_cells(_read_cells(folder / CELLS, progress))
    if (folder / NGRAMS).is_file():
        (texts,), (weights,) = _read_sheet(folder / NGRAMS, ("n-gram",), ("weight",), progress)
        return Tables(queries=Vocabulary.of_arrow(texts), query_count=weights, ngrams=True)
    (texts,), (counts,) = _read_sheet(folder / QUERIES, (QUERY,), ("count",), progress)
    queries = Vocabulary.of_arrow(texts)
    clicks, steps = folder / "clicks.tsv", folder / "transitions.tsv"
    content: dict[str, Any] = {}
    if clicks.is_file():
        (query, url), (count,) = _read_sheet(clicks, (QUERY, "url"), ("count",), progress)
        encoded = url.dictionary_encode()
        content |= {
            "has_clicks": True,
            "click_query": _match_codes(query, queries, clicks),
            "click_url": encoded.indices.to_numpy(zero_copy_only=False).astype(np.int32),
            "urls": Vocabulary.of_arrow(encoded.dictionary),
            "click_count": count,
        }
    if steps.is_file():
        (first, second), (count,) = _read_sheet(steps, ("from", "to"), ("count",), progress)
        content |= {
            "has_transitions": True,
            "from_query": _match_codes(first, queries, steps),
            "to_query": _match_codes(second, queries, steps),
            "transition_count": count,
        }
    tables = Tables(queries=queries, query_count=counts, **content)
    dated = folder / DATED
    return _add_dates(tables, dated, progress) if dated.is_file() else tables


def _read_heading(path: Path) -> list[str]:
    try:
        with open_regular(path) as file:
            line = file.readline(_LONGEST_HEADING).decode("ascii", "replace")
    except UnfitFile as error:
        raise LogFormatError(f"is {error}.", path=path) from None
    return line.rstrip("\r\n").split("\t")


def _read_cells(path: Path, progress: Progress) -> CellTable:
    """A table of cells, which is alone in its folder; its headings say what is a key."""
    for name in DATA_TABLES:
        if name != CELLS and (path.parent / name).exists():
            raise LogFormatError(f"stands beside {name}, as in no release.", path=path)
    heading = _read_heading(path)
    keys = [name for name in heading if name not in FIGURES]
    numbers = heading[len(keys) :]
    sound = 0 < len(keys) <= _MOST_KEYS and all(map(_HEADING.fullmatch, keys))
    if not sound or len(set(heading)) < len(heading) or set(numbers) - set(FIGURES):
        raise LogFormatError("has a heading that no release has.", path=path, line=1)
    texts, figures = _read_sheet(path, keys, numbers, progress)
    for name, column in zip(keys, texts, strict=True):
        if name in ("day", "week"):
            _parse_dates(column.unique().to_pylist(), path)
    return CellTable(
        CELLS,
        tuple(_encode_key(name, column) for name, column in zip(keys, texts, strict=True)),
        tuple(CellFigure(name, values) for name, values in zip(numbers, figures, strict=True)),
    )


def _encode_key(name: str, column: Any) -> CellKey:
    """The column as a key: nothing stands where its text is empty."""
    import pyarrow as pa
    import pyarrow.compute as pc

    filled = pc.if_else(pc.equal(column, ""), pa.scalar(None, pa.large_string()), column)
    encoded = filled.dictionary_encode()
    codes = encoded.indices.fill_null(NONE).to_numpy(zero_copy_only=False)
    return CellKey(name, codes.astype(np.int32), Vocabulary.of_arrow(encoded.dictionary))


def _parse_dates(texts: Sequence[str], path: Path) -> Array:
    try:
        if not all(map(_DATE.fullmatch, texts)):
            raise ValueError
        return np.array(texts, dtype="datetime64[D]")
    except ValueError:
        raise LogFormatError("holds a date that is none.", path=path) from None


def _add_dates(tables: Tables, path: Path, progress: Progress) -> Tables:
    """The tables with one by date, whose first column is named after its step."""
    step = _read_heading(path)[0]
    if step not in ("day", "week"):
        raise LogFormatError("begins with neither a day nor a week.", path=path, line=1)
    (date, query), (count,) = _read_sheet(path, (step, QUERY), ("count",), progress)
    encoded = date.dictionary_encode()
    days = _parse_dates(encoded.dictionary.to_pylist(), path)
    seconds = days.astype("datetime64[s]").astype(np.int64)
    times = seconds[encoded.indices.to_numpy(zero_copy_only=False)]
    codes = _match_codes(query, tables.queries, path)
    return tables.with_dates(step, DatedCounts(codes, times, count))


def _read_sheet(
    path: Path, keys: Sequence[str], numbers: Sequence[str], progress: Progress
) -> tuple[list[Any], list[Any]]:
    """The string columns `keys` (Arrow) and the `numbers` (NumPy) of one table."""
    import pyarrow as pa
    from pyarrow import csv

    progress.stage(phrase("reading {file}", file=path.name))
    try:
        file = open_regular(path)
    except UnfitFile as error:
        raise LogFormatError(f"is {error}.", path=path) from None
    kinds = {key: pa.large_string() for key in keys}
    kinds |= {name: pa.from_numpy_dtype(FIGURES[name]) for name in numbers}
    missing = any(FIGURES[name] is np.float64 for name in numbers)
    try:
        with file:
            table = csv.read_csv(
                file,
                read_options=csv.ReadOptions(use_threads=False),  # else an error knows no row
                parse_options=csv.ParseOptions(delimiter="\t", quote_char=False),
                convert_options=csv.ConvertOptions(
                    column_types=kinds,
                    include_columns=list(kinds),
                    null_values=[""] if missing else [],
                    strings_can_be_null=False,
                ),
            )
            if any(table.column(name).null_count for name in numbers if FIGURES[name] is np.int64):
                raise pa.ArrowInvalid
    except (pa.ArrowInvalid, pa.ArrowKeyError, OSError) as error:
        # Arrow quotes the row: only its number may go on.
        row = re.search(r"[Rr]ow #?(\d+)", str(error))
        names = ", ".join(kinds)
        raise LogFormatError(
            f"is not a table of the columns {names}.", path=path, line=int(row[1]) if row else None
        ) from None
    columns = [_unescape_column(table.column(key).combine_chunks(), path) for key in keys]
    return columns, [table.column(name).to_numpy().astype(FIGURES[name]) for name in numbers]


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
    matches = Vocabulary.of_arrow(encoded.dictionary).match(queries)
    if (matches == NONE).any():
        raise LogFormatError("names a query that queries.tsv does not hold.", path=path)
    codes: Int32s = matches[encoded.indices.to_numpy(zero_copy_only=False)]
    return codes
