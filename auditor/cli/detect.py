"""Tables of queries without users: to mark content, one column is enough.

A log has users, and the reader asks for them. Where neither its format nor anybody names them, the
column that the reader takes for the queries is read alone: of text with delimiters, of JSON (lines
or an array), or of Parquet. Rows that can't be read are counted.

The verb that marks sensitive content in the queries of a log, or of a text file.
"""

import argparse
import csv
import io
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from auditor.attacks.detection.detector import DetectorOptions, detect_all, options_of
from auditor.attacks.detection.kinds import PII, TOPICS, EntityKind
from auditor.attacks.detection.marked_strings import find_in_addresses
from auditor.cli.arguments import load_named_log, reading_options
from auditor.cli.console import Console
from auditor.errors import LogFormatError
from auditor.figures import format_count
from auditor.log.model import Vocabulary
from auditor.log.reading.column_inference import columns_of
from auditor.log.reading.column_mapping import ReadOptions, SniffedLog
from auditor.log.reading.column_names import role_of
from auditor.log.reading.format_detection import AGGREGATED, list_counts
from auditor.log.reading.presets.base import at_path, json_object
from auditor.log.reading.presets.json_array import element_lines, is_array
from auditor.log.reading.reader import sniff_log
from auditor.log.reading.sources import SourcePart, SourceStream, check_unpacked, find_parts
from auditor.log.reading.user_ids import EXAMPLES, QUESTION, mask_value
from auditor.log.sentences import sentence
from auditor.messages import phrase

MOST_BYTES = 1 << 30
"""Bytes of one file, unpacked."""
PACKED = frozenset({".gz", ".bz2", ".xz", ".zst", ".zip"})
_CHUNK = 1 << 20
_BATCH = 1 << 16
_READ = ("delimited", "jsonl", "parquet")
RARE = (5, 10)
"""Counts below which a query is rare."""
_COUNT = re.compile(r"\d{1,3}(?:[.,\s'’]\d{3})+|\d+(?:[.,]0{1,2})?")
"""A whole number, with or without marks between thousands."""
BAD_TEXT, NO_QUERY, BAD_ROW = "bad UTF-8 or NUL", "no query", "bad row"


class DistinctQueries(NamedTuple):
    """Distinct queries, and how many rows or lines were left out for which reason."""

    queries: list[str]
    rejected: dict[str, int]
    column: str = ""  # name of the column that they stand in, if it has one
    clicked: Vocabulary = Vocabulary.of(())  # clicked addresses of a log


def read_query_column(
    path: Path, options: ReadOptions, most_rejected: float
) -> DistinctQueries | None:
    """The queries of a table whose users nobody named; None where it is a log with users.

    Raises `LogFormatError`: no column can be taken for the queries, there are several files, or too
    many rows are bad.
    """
    if not path.is_file() or "user" in options.columns:
        return None
    sniffed = sniff_log([path], options)
    if not {QUESTION, AGGREGATED} & {*sniffed.problems} or sniffed.format not in _READ:
        return None
    part = _find_part(path, options)
    if path.suffix.lower() in PACKED and part.compression == "none":
        return None  # the reader says what is wrong with it
    data = b"" if sniffed.format == "parquet" else _read_all(part, options)
    if (strings := _parse_strings(data)) is not None:
        return _collect_queries(map(_judge_value, strings), path, most_rejected, "")
    place = _choose_column(sniffed, path)
    values = _iterate_column(data, part, sniffed, place)
    return _collect_queries(
        map(_judge_value, values), path, most_rejected, sniffed.column_names[place]
    )


class CountedQueries(NamedTuple):
    """How often each query of an aggregated table was searched, by the columns that say so."""

    counts: Counter[str]
    rejected: int
    columns: tuple[str, str]


def read_counts(path: Path, options: ReadOptions, most_rejected: float) -> CountedQueries:
    """The queries and counts of a table without users; raises `LogFormatError` as above."""
    sniffed, part = sniff_log([path], options), _find_part(path, options)
    data = b"" if sniffed.format == "parquet" else _read_all(part, options)
    columns = columns_of([list(row) for row in sniffed.preview], len(sniffed.column_names))
    places = (_choose_column(sniffed, path), list_counts(sniffed.column_names, columns)[0])
    values = (_iterate_column(data, part, sniffed, place) for place in places)
    rows = list(zip(*values, strict=True))
    counts, rejected = Counter[str](), 0
    for query, count in rows:
        (text, fault), count_text = _judge_value(query), (count or "").strip()
        if fault or _COUNT.fullmatch(count_text) is None:
            rejected += 1
        else:
            counts[text] += int(re.sub(r"[.,]0{1,2}$|\D", "", count_text))
    name = sniffed.column_names[places[1]]
    if rejected > most_rejected * len(rows) or not rows:
        message = sentence("detect.rows_unreadable", bad=rejected, rows=len(rows), name=name)
        raise LogFormatError(message, path=path)
    return CountedQueries(counts, rejected, (sniffed.column_names[places[0]], name))


def inspect_counts(table: CountedQueries, console: Console) -> None:
    """What a table of counts can say: what its queries show, and how rare these are."""
    queries = list(table.counts)
    marks = detect_all(queries, DetectorOptions(), console.progress)
    reach = {kind.name.lower() for kind in (*PII, EntityKind.PERSON)}
    personal = [queries[index] for index in marks[marks["kind"].isin(reach)]["query"].unique()]
    sensitive = marks[marks["kind"].isin({kind.name.lower() for kind in TOPICS})]["query"].nunique()
    rare = {
        least: [
            sum(table.counts[query] < least for query in query_list)
            for query_list in (queries, personal)
        ]
        for least in RARE
    }
    examples = [mask_value(query[:40]) for query in personal[:EXAMPLES]]
    facts = {
        "format": "counts", "queries": len(queries), "searches": table.counts.total(),
        "query_column": table.columns[0], "count_column": table.columns[1],
        "rejected": table.rejected, "personal": len(personal), "sensitive": sensitive,
        "rare": {str(least): both[0] for least, both in rare.items()},
        "rare_personal": {str(least): both[1] for least, both in rare.items()},
        "examples": examples,
    }  # fmt: skip
    listing = f": {', '.join(examples)}" if personal else ""
    rare_numbers, named_numbers = (
        ", ".join(f"{both[place]:,} fewer than {least} times" for least, both in rare.items())
        for place in (0, 1)
    )
    lines = [
        f"Counts of {format_count(len(queries), 'query', 'queries')} with "
        f"{format_count(table.counts.total(), 'search', 'searches')}, of no users: "
        "whom it protects can't be told",
        "Protects   nobody: counts of searches are not counts of people, and one person may have "
        "issued them all. A least count is no guarantee for anybody",
        f"Personal   {len(personal):,} of {len(queries):,} queries show a name, a number or an "
        f"address{listing}; of these, {named_numbers}",
        f"Sensitive  {sensitive:,} are about health, belief, crime and the like",
        f"Rare       {rare_numbers}",
        f"Columns    “{table.columns[0][:40]}” holds the queries, “{table.columns[1][:40]}” counts "
        f"them; {format_count(table.rejected, 'row')} could not be read",
        "Next       `auditor detect` lists what is shown; methods and attacks need single searches "
        "and who issued them",
    ]
    console.print_result(facts, "\n".join(lines))


def _find_part(path: Path, options: ReadOptions) -> SourcePart:
    parts = find_parts(path, options).parts
    if len(parts) > 1:
        raise LogFormatError(
            phrase("It holds {files:,} files. Unpack it and name one of them.", files=len(parts)),
            path=path,
        )
    return parts[0]


def _iterate_column(
    data: bytes, part: SourcePart, sniffed: SniffedLog, place: int
) -> Iterator[str | None]:
    """The values of a column, row by row; None where a row has none."""
    if sniffed.format == "parquet":
        return _iterate_parquet(part, sniffed.column_names[place], sniffed.options)
    iterate_values = _iterate_objects if sniffed.format == "jsonl" else _iterate_rows
    return iterate_values(data, sniffed, place)


def _choose_column(sniffed: SniffedLog, path: Path) -> int:
    """The place of the queries' column, as the reader or its name tells."""
    names = sniffed.column_names
    given_column = sniffed.options.columns.get("query")
    if isinstance(given_column, int):
        return given_column
    if given_column in names:
        return names.index(given_column)
    query_columns = [
        place for place, name in enumerate(names) if role_of(name.rpartition(".")[2]) == "query"
    ]
    if len(names) == 1 or len(query_columns) == 1:
        return query_columns[0] if query_columns else 0
    raise LogFormatError(
        "Which column holds the queries? Name it by --columns query=COLUMN; a column without a "
        "name is called by its number, counted from 0.",
        path=path,
    )


def _read_all(part: SourcePart, options: ReadOptions) -> bytes:
    pieces, size = [], 0
    with SourceStream(part, options) as stream:
        while piece := stream.read(_CHUNK):
            size += len(piece)
            if size > MOST_BYTES:
                raise part.make_error("Unpacked, it holds more than 1 GiB.")
            pieces.append(piece)
    return b"".join(pieces)


def _parse_strings(data: bytes) -> list[str] | None:
    """The strings of an array of JSON that holds nothing else; None for anything else."""
    if not data.lstrip().startswith(b"["):
        return None
    try:
        values = json.loads(data)
    except (ValueError, RecursionError):
        return None
    strings = isinstance(values, list) and all(isinstance(value, str) for value in values)
    return values if strings else None


def _iterate_rows(data: bytes, sniffed: SniffedLog, place: int) -> Iterator[str | None]:
    """The column of text with delimiters; None for a row that has no such field."""
    encoding = sniffed.options.encoding or "utf-8"
    encoding = "utf-8-sig" if encoding == "utf-8" else encoding
    text = io.TextIOWrapper(io.BytesIO(data), encoding, errors="replace", newline="")
    delimiter = sniffed.options.delimiter or ","
    rows = csv.reader(text, delimiter=delimiter)
    if sniffed.options.quoting is False:
        rows = csv.reader(text, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    first, above = True, bool(sniffed.options.header)
    while True:
        try:
            row = next(rows)
            if above:  # titles and comments may stand above the header
                above = tuple(row) != sniffed.column_names
                continue
        except StopIteration:
            return
        except csv.Error:  # a field beyond all bounds
            yield None
            continue
        if not row:
            continue
        value = row[place] if place < len(row) else None
        header = first and not sniffed.options.header and role_of(value or "") == "query"
        if not header:
            yield value
        first = False


def _iterate_objects(data: bytes, sniffed: SniffedLog, place: int) -> Iterator[str | None]:
    """What stands under the column's name in each object of JSON; None for what is no object."""
    name = sniffed.column_names[place]
    data = element_lines(data, complete=True) if is_array(data) else data
    for line in data.split(b"\n"):
        if line.strip():
            record = json_object(line.decode("utf-8", "replace"))
            value = None if record is None else at_path(record, name)
            yield None if value is None else str(value)


def _iterate_parquet(part: SourcePart, name: str, options: ReadOptions) -> Iterator[str | None]:
    from auditor.log.reading.columnar import damage_named, open_parquet

    file = open_parquet(part, None, options)
    try:
        with damage_named(part):
            for batch in file.iter_batches(batch_size=_BATCH, columns=[name]):
                for value in batch.column(0).to_pylist():
                    yield None if value is None else str(value)
    finally:
        file.close(force=True)


def _judge_value(value: str | None) -> tuple[str, str]:
    """A value of a column as a query, and what is wrong with it."""
    if value is None:
        return "", BAD_ROW
    if "\0" in value or "\ufffd" in value:
        return "", BAD_TEXT
    text = value.strip()
    return text, "" if text else NO_QUERY


def _judge_line(line: bytes) -> tuple[str, str]:
    """A line as a query, and what is wrong with it; a blank one is nothing."""
    try:
        text = line.decode("utf-8").strip()
    except UnicodeDecodeError:
        return "", "bad UTF-8"
    return text, "NUL" if "\0" in text else ""


def _collect_queries(
    values: Iterable[tuple[str, str]], path: Path, rejected_limit: float, column: str | None = None
) -> DistinctQueries:
    """The distinct queries among the values of a column, or among lines.

    Raises `LogFormatError` if there is none, or a greater share than `rejected_limit` can't be
    read.
    """
    queries, rejected, rows, first = dict[str, None](), Counter[str](), 0, 0
    for rows, (text, fault) in enumerate(values, 1):
        if fault:
            rejected[fault] += 1
            first = first or rows
        elif text:
            queries[text] = None
    bad = sum(rejected.values()) - rejected[NO_QUERY]
    if bad > rejected_limit * rows:
        if column is None:
            raise LogFormatError(NO_TEXT, path=path, line=first)
        message = sentence("detect.rows_unreadable", bad=bad, rows=rows, name=column)
        raise LogFormatError(message, path=path)
    if not queries:
        raise LogFormatError(
            "Holds no query: every line is blank."
            if column is None
            else "Holds no query: every row is blank.",
            path=path,
        )
    return DistinctQueries(list(queries), dict(rejected), column or "")


_LOOKED_AT = 20
_TABLES = frozenset({".csv", ".tsv"})
_HEADERS = frozenset({"query", "queries"})
_LOGS = frozenset({".parquet", ".jsonl", ".json"})
_STANDARD_INPUT = "-"
NO_TEXT = "Is no text in UTF-8: it holds bytes that no such text has. Name a log or a text file."


def detect_entities(arguments: argparse.Namespace, console: Console) -> int:
    """Marks of every distinct query; with `--json` each with its rule, term and confidence."""
    queries, rejected, _, clicked = _read_queries(arguments, console)
    split = [kind for kind in (arguments.kinds or "").split(",") if kind]
    countries = [country for country in arguments.countries.split(",") if country]
    options = options_of(split, countries, arguments.least, {})
    table = detect_all(queries, options, console.progress)
    marked: dict[int, list[dict[str, Any]]] = {}
    for row in table.to_dict("records"):
        index = int(row.pop("query"))
        if row["kind"] != "person":
            del row["known"]
        if not row["term"]:
            del row["term"]
        marked.setdefault(index, []).append({str(key): value for key, value in row.items()})
    kinds = Counter(kind for marks in marked.values() for kind in {m["kind"] for m in marks})
    facts = {
        "queries": len(queries),
        "marked": len(marked),
        "kinds": dict(sorted(kinds.items(), key=lambda item: (-item[1], item[0]))),
        "marks": [{"query": queries[key], "marks": marks} for key, marks in sorted(marked.items())],
    }
    if rejected:
        facts["rejected"] = rejected
    addresses: dict[str, list[dict[str, str]]] = {}
    for mark in find_in_addresses(clicked, options):
        entry = {"kind": mark.kind, "place": mark.place, "text": mark.text}
        addresses.setdefault(clicked[mark.address], []).append(entry)
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


def _read_queries(arguments: argparse.Namespace, console: Console) -> DistinctQueries:
    """The queries of a log and its clicked addresses, or the lines of a text or of a pipe."""
    lines, source = None, Path(arguments.log)
    if arguments.log == _STANDARD_INPUT:
        source = Path("standard input")
        if sys.stdin is None or sys.stdin.closed:
            raise LogFormatError("It is closed. Name a file.", path=source)
        data = sys.stdin.buffer.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise LogFormatError("It holds more than 1 GiB. Name a file.", path=source)
        lines = _split_lines(data.removeprefix(b"\xef\xbb\xbf"))
        if any(b"\t" in line.strip() for line in lines[:_LOOKED_AT]):
            raise LogFormatError(
                "It is read as one query a line, and there are tabs in it. Name a file to read a "
                "log.",
                path=source,
            )
    elif not (arguments.format or arguments.columns):
        lines = _plain_lines(source)
    rejected_limit = arguments.max_rejected
    rejected_limit = ReadOptions().max_rejected_share if rejected_limit is None else rejected_limit
    if lines is None:
        table = read_query_column(source, reading_options(arguments), rejected_limit)
        if table is None:
            log = load_named_log(arguments, console)
            queries = [text for text in log.queries.list_strings() if text.strip()]
            rejected = {reason: count for reason, count in log.origin.rejected.items() if count}
            return DistinctQueries(queries, rejected, clicked=log.urls)
        if table.column:
            console.print_note(f"The column “{table.column[:80]}” is taken for the queries")
    else:
        table = _collect_queries(map(_judge_line, lines), source, rejected_limit)
    if table.rejected:
        unit = "rows" if lines is None else "lines"
        console.print_note(f"{sum(table.rejected.values()):,} {unit} could not be read")
    return table


def _split_lines(data: bytes) -> list[bytes]:
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    return lines if lines[-1] else lines[:-1]


def _plain_lines(path: Path) -> list[bytes] | None:
    """The lines of a file, packed or not, of which the first hold no tab; None for anything else.

    A table of one column is such a file, too; it may be headed "query".
    """
    if not path.is_file():
        return None
    options = ReadOptions()
    parts = find_parts(path, options).parts
    if len(parts) != 1 or parts[0].size > MOST_BYTES:
        return None
    (part,) = parts
    unpacked_name = Path(part.member or path.name)
    if unpacked_name.suffix.lower() in PACKED:
        if part.compression == "none":
            return None
        unpacked_name = unpacked_name.with_suffix("")
    ending = unpacked_name.suffix.lower()
    if ending in _LOGS:
        return None
    with SourceStream(part, options) as stream:
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
    lines = _split_lines(_read_all(part, options).removeprefix(b"\xef\xbb\xbf"))
    if ending in _TABLES and lines[0].strip().lower().decode("utf-8", "replace") in _HEADERS:
        del lines[0]
    return lines
