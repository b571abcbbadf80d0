"""The verb for single queries: why each is in a release, or isn't."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from auditor.bounded_files import UnfitFile, read_bounded
from auditor.cli.arguments import load_named_log, release_at
from auditor.cli.console import Console
from auditor.errors import MissingInput, ParameterError

LARGEST = 1 << 20
"""Bytes of a file of queries."""


def explain_queries(arguments: argparse.Namespace, console: Console) -> int:
    """Why queries stand in a release or don't, and what would change that."""
    from auditor.engine import explanation
    from auditor.release.explanation_text import as_text

    if (arguments.query is None) == (arguments.query_file is None):
        raise ParameterError("query", "Give one QUERY, or --query-file FILE with one on each line.")
    single = arguments.query is not None
    queries = [arguments.query] if single else _read_queries(arguments.query_file)
    log = load_named_log(arguments, console)
    release = release_at(arguments.release, console)
    answers = [
        explanation.explain_query(log, release, query, console.progress) for query in queries
    ]
    plain = [answer.to_dict() for answer in answers]
    console.print_result(plain[0] if single else plain, "\n\n\n".join(map(as_text, answers)))
    return 0


def _read_queries(name: str) -> list[str]:
    """The lines of a file, or of standard input where its name is "-"; none is ever printed."""
    try:
        if name == "-":
            if sys.stdin is None or sys.stdin.closed:
                raise MissingInput("There is no standard input to read queries from.")
            data = sys.stdin.buffer.read(LARGEST + 1)
        else:
            data = read_bounded(Path(name), LARGEST)
    except UnfitFile as error:
        raise MissingInput(f"The file of queries can't be read: it is {error}.") from None
    except OSError as error:
        why = error.strerror or "unknown reason"
        raise MissingInput(f"The file of queries can't be read: {why}.") from None
    if len(data) > LARGEST:
        raise ParameterError(
            "query-file", f"The file of queries is larger than {LARGEST >> 20} MB."
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ParameterError("query-file", "The file of queries is not UTF-8 text.") from None
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    found = [line for line in lines if line]
    if not found:
        raise ParameterError("query-file", "The file of queries holds none; put one on each line.")
    return found
