"""The verb that marks sensitive content in the queries of a log, or of a text file."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Any

from auditor.attacks.detection.clicked_addresses import find_in_addresses
from auditor.attacks.detection.detector import detect_all, options_of
from auditor.attacks.detection.kinds import EntityKind
from auditor.cli.arguments import load_named_log
from auditor.cli.console import Console
from auditor.errors import LogFormatError
from auditor.log.model import Vocabulary

_LOOKED_AT = 20
_TABLES = frozenset({".csv", ".tsv"})
_HEADERS = frozenset({"query", "queries"})
_PACKED = frozenset({".parquet", ".gz", ".bz2", ".xz", ".zst", ".zip", ".jsonl"})
_MOST_BYTES = 1 << 30
NO_TEXT = "Is no text in UTF-8: it holds bytes that no such text has. Name a log or a text file."


def detect_entities(arguments: argparse.Namespace, console: Console) -> int:
    """Marks of every distinct query; with `--json` each with its rule, term and confidence."""
    queries, clicked = _read_queries(arguments, console)
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


def _read_queries(arguments: argparse.Namespace, console: Console) -> tuple[list[str], Vocabulary]:
    """The distinct queries of a log and its clicked addresses, or the lines of a text file."""
    path = Path(arguments.log)
    lines = None if arguments.format or arguments.columns else _plain_lines(path)
    if lines is not None:
        distinct = list(dict.fromkeys(line.strip() for line in lines if line.strip()))
        if not distinct:
            raise LogFormatError("Holds no query: every line is blank.", path=path)
        return distinct, Vocabulary.of(())
    log = load_named_log(arguments, console)
    return [text for text in log.queries.list_strings() if text.strip()], log.urls


def _plain_lines(path: Path) -> list[str] | None:
    """The lines of a file in which none of the first has a tab; None for anything else.

    A table of one column is such a file, too; it may be headed "query".
    """
    if not path.is_file() or path.suffix.lower() in _PACKED or path.stat().st_size > _MOST_BYTES:
        return None
    try:
        with path.open(encoding="utf-8") as file:
            head = [line for _, line in zip(range(_LOOKED_AT), file, strict=False)]
            if any("\0" in line for line in head):
                raise LogFormatError(NO_TEXT, path=path)
            if any("\t" in line.strip() for line in head):
                return None
            if path.suffix.lower() in _TABLES:
                if not head or any(mark in line for line in head for mark in ",;|"):
                    return None
                if head[0].strip("\ufeff \r\n").lower() in _HEADERS:
                    head = head[1:]
            return head + file.readlines()
    except UnicodeDecodeError:
        if path.suffix.lower() == ".txt":
            raise LogFormatError(NO_TEXT, path=path) from None
        return None
    except OSError as error:
        raise LogFormatError(f"Can't be read: {error.strerror}.", path=path) from None
