"""The verb that marks sensitive content in the queries of a log, or of a text file."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from auditor.attacks.detection.clicked_addresses import find_in_addresses
from auditor.attacks.detection.detector import detect_all, options_of
from auditor.attacks.detection.kinds import EntityKind
from auditor.cli.arguments import load_named_log, reading_options
from auditor.cli.console import Console
from auditor.cli.query_columns import MOST_BYTES, PACKED, read_query_column
from auditor.errors import LogFormatError
from auditor.log.model import Vocabulary
from auditor.log.reading.column_mapping import ReadOptions
from auditor.log.reading.sources import SourceLimits, SourceStream, check_unpacked, find_parts

_LOOKED_AT = 20
_CHUNK = 1 << 20
_TABLES = frozenset({".csv", ".tsv"})
_HEADERS = frozenset({"query", "queries"})
_LOGS = frozenset({".parquet", ".jsonl", ".json"})
_STANDARD_INPUT = "-"
NO_TEXT = "Is no text in UTF-8: it holds bytes that no such text has. Name a log or a text file."


def detect_entities(arguments: argparse.Namespace, console: Console) -> int:
    """Marks of every distinct query; with `--json` each with its rule, term and confidence."""
    queries, clicked, rejected = _read_queries(arguments, console)
    split = [one for one in (arguments.kinds or "").split(",") if one]
    countries = [one for one in arguments.countries.split(",") if one]
    options = options_of(split, countries, arguments.least, {})
    found = detect_all(queries, options, console.progress)
    marked: dict[int, list[dict[str, Any]]] = {}
    for row in found.to_dict("records"):
        at = int(row.pop("query"))
        if row["kind"] != "person":
            del row["known"]
        if not row["term"]:
            del row["term"]
        marked.setdefault(at, []).append({str(key): value for key, value in row.items()})
    kinds = Counter(kind for marks in marked.values() for kind in {m["kind"] for m in marks})
    facts = {
        "queries": len(queries),
        "marked": len(marked),
        "kinds": dict(sorted(kinds.items(), key=lambda item: (-item[1], item[0]))),
        "marks": [{"query": queries[at], "marks": marks} for at, marks in sorted(marked.items())],
    }
    if rejected:
        facts["rejected"] = rejected
    addresses: dict[str, list[dict[str, str]]] = {}
    for mark in find_in_addresses(clicked, options):
        said = {"kind": mark.kind, "place": mark.place, "text": mark.text}
        addresses.setdefault(clicked[mark.address], []).append(said)
    if len(clicked):
        facts["addresses"] = [
            {"address": address, "marks": marks} for address, marks in addresses.items()
        ]
    lines = [f"{len(marked):,} of {len(queries):,} distinct queries are marked."]
    lines += [
        f"{EntityKind[kind.upper()].label:36}{count:>10,}" for kind, count in kinds.most_common()
    ]
    if len(clicked):
        lines.append(f"{len(addresses):,} of {len(clicked):,} clicked addresses identify somebody.")
    console.print_result(facts, "\n".join(lines))
    return 0


class _FoundQueries(NamedTuple):
    """Distinct queries, clicked addresses, and how many rows were left out for which reason."""

    queries: list[str]
    clicked: Vocabulary
    rejected: dict[str, int]


def _read_queries(arguments: argparse.Namespace, console: Console) -> _FoundQueries:
    """The queries of a log and its clicked addresses, or the lines of a text or of a pipe."""
    lines, source = None, Path(arguments.log)
    if arguments.log == _STANDARD_INPUT:
        lines, source = _piped_lines(), Path("standard input")
    elif not (arguments.format or arguments.columns):
        lines = _plain_lines(source)
    most = arguments.max_rejected
    most = ReadOptions().max_rejected_share if most is None else most
    if lines is None:
        column = read_query_column(source, reading_options(arguments), most)
        if column is not None:
            if column.name:
                console.print_note(f"The column “{column.name[:80]}” is taken for the queries")
            _tell_rejected(column.rejected, "rows", console)
            return _FoundQueries(column.queries, Vocabulary.of(()), column.rejected)
        log = load_named_log(arguments, console)
        queries = [text for text in log.queries.list_strings() if text.strip()]
        rejected = {reason: count for reason, count in log.origin.rejected.items() if count}
        return _FoundQueries(queries, log.urls, rejected)
    found = _decode_lines(lines, source, most)
    _tell_rejected(found.rejected, "lines", console)
    return found


def _tell_rejected(rejected: dict[str, int], what: str, console: Console) -> None:
    if rejected:
        console.print_note(f"{sum(rejected.values()):,} {what} could not be read")


def _decode_lines(lines: list[bytes], path: Path, most: float) -> _FoundQueries:
    """The distinct queries among lines; one that is no UTF-8 or holds a NUL is left out.

    Raises
    ------
    LogFormatError
        No line holds a query, or a greater share than `most` can't be read.
    """
    queries, rejected, first = dict[str, None](), Counter[str](), 0
    for number, line in enumerate(lines, 1):
        try:
            text = line.decode("utf-8").strip()
        except UnicodeDecodeError:
            text, why = "", "bad UTF-8"
        else:
            why = "NUL" if "\0" in text else ""
        if why:
            rejected[why] += 1
            first = first or number
        elif text:
            queries[text] = None
    if sum(rejected.values()) > most * len(lines):
        raise LogFormatError(NO_TEXT, path=path, line=first)
    if not queries:
        raise LogFormatError("Holds no query: every line is blank.", path=path)
    return _FoundQueries(list(queries), Vocabulary.of(()), dict(rejected))


def _split_lines(data: bytes) -> list[bytes]:
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    return lines if lines[-1] else lines[:-1]


def _piped_lines() -> list[bytes]:
    """The lines of standard input, one query each."""
    if sys.stdin is None or sys.stdin.closed:
        raise LogFormatError("It is closed. Name a file.", path="standard input")
    data = sys.stdin.buffer.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise LogFormatError("It holds more than 1 GiB. Name a file.", path="standard input")
    lines = _split_lines(data.removeprefix(b"\xef\xbb\xbf"))
    if any(b"\t" in line.strip() for line in lines[:_LOOKED_AT]):
        raise LogFormatError(
            "It is read as one query a line, and there are tabs in it. Name a file to read a log.",
            path="standard input",
        )
    return lines


def _plain_lines(path: Path) -> list[bytes] | None:
    """The lines of a file, packed or not, of which the first hold no tab; None for anything else.

    A table of one column is such a file, too; it may be headed "query".
    """
    if not path.is_file():
        return None
    options = ReadOptions()
    limits = SourceLimits(options.max_expanded_bytes, options.max_expansion_ratio)
    parts = find_parts(path, limits).parts
    if len(parts) != 1 or parts[0].size > MOST_BYTES:
        return None
    (part,) = parts
    named = Path(part.member or path.name)
    if named.suffix.lower() in PACKED:
        if part.compression == "none":
            return None
        named = named.with_suffix("")
    ending = named.suffix.lower()
    if ending in _LOGS:
        return None
    with SourceStream(part, limits) as stream:
        data = stream.read(_CHUNK)
        check_unpacked(part, data)
        data = data.removeprefix(b"\xef\xbb\xbf")
        head = _split_lines(data)[:_LOOKED_AT]
        text, wide = b"\n".join(head), data[:2] in (b"\xff\xfe", b"\xfe\xff")
        if b"\0" in text:
            if ending in _TABLES or (wide and ending != ".txt"):
                return None  # a table in UTF-16, which the reader of logs tells
            raise LogFormatError(NO_TEXT, path=path)
        if any(b"\t" in line.strip() for line in head) or data.startswith(b"PAR1"):
            return None
        if ending in _TABLES and (not head or any(mark in text for mark in (b",", b";", b"|"))):
            return None
        pieces = [data]
        while pieces[-1]:
            if sum(map(len, pieces)) > MOST_BYTES:
                raise LogFormatError("Unpacked, it holds more than 1 GiB.", path=path)
            pieces.append(stream.read(_CHUNK))
    lines = _split_lines(b"".join(pieces))
    if ending in _TABLES and lines[0].strip().lower().decode("utf-8", "replace") in _HEADERS:
        del lines[0]
    return lines
