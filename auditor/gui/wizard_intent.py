"""What somebody sets in the open wizard, and what it lacks, as plain values; no Qt."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from auditor.gui import plain

ROLES: tuple[tuple[str, str, str], ...] = (
    ("", "ignore", "Neither kept nor released"),
    ("user", "user", "Who searched: an id, a name, a cookie"),
    ("query", "query", "What was typed"),
    ("time", "time", "When"),
    ("url", "clicked URL", "What was clicked, empty where nothing was"),
    ("rank", "rank", "Place of the click in the list of results"),
    ("ip", "IP address", "IPv4 address of the request"),
    ("cookie", "cookie", "Cookie of the browser"),
)
"""(role, what it is called, what it is)."""

NEEDED = ("user", "query", "time")

FORMATS = {
    "aol": "AOL",
    "excite": "Excite",
    "delimited": "Text in columns (CSV, TSV, …)",
    "parquet": "Parquet",
    "jsonl": "JSON lines",
}
FIXED = ("aol", "excite")
"""Formats that say themselves which column is which."""

DELIMITERS = {
    "\t": "tab",
    ",": "comma  ,",
    ";": "semicolon  ;",
    "|": "bar  |",
    " ": "space",
    "\x01": "control character 1",
}
ENCODINGS = ("utf-8", "latin-1", "cp1252", "utf-16", "utf-16-le", "gb18030", "shift_jis", "euc-kr")
TIMES = {
    "": "as it looks",
    "iso": "ISO 8601, like 2006-03-01 07:17:12",
    "epoch_s": "seconds since 1970",
    "epoch_ms": "milliseconds since 1970",
    "epoch_us": "microseconds since 1970",
    "epoch_ns": "nanoseconds since 1970",
    "%y%m%d%H%M%S": "%y%m%d%H%M%S",
    "%d/%b/%Y:%H:%M:%S %z": "%d/%b/%Y:%H:%M:%S %z",
    "%m/%d/%Y %H:%M": "%m/%d/%Y %H:%M",
}


def roles_of(columns: Mapping[str, str | int], names: Sequence[str]) -> list[str]:
    """The role of each column ("" for none), from a mapping role → name or index."""
    roles = [""] * len(names)
    for role, column in columns.items():
        at = column if isinstance(column, int) else _place(names, column)
        if 0 <= at < len(roles):
            roles[at] = role
    return roles


def _place(names: Sequence[str], name: str) -> int:
    return list(names).index(name) if name in names else -1


def columns_of(roles: Sequence[str], names: Sequence[str], format: str) -> dict[str, str | int]:
    """The mapping role → column: by name where the format names its columns, else by place."""
    named = format in ("parquet", "jsonl")
    return {role: names[at] if named else at for at, role in enumerate(roles) if role}


def problem(roles: Sequence[str]) -> str:
    """Why the roles don't do yet, in words; empty if they do."""
    missing = [role for role in NEEDED if role not in roles]
    if missing:
        listed = " and ".join(f"“{role}”" for role in missing)
        return f"No column has the role {listed} yet. Choose it above the column that holds it."
    twice = sorted({role for role in roles if role and list(roles).count(role) > 1})
    if twice:
        return f"Two columns have the role “{twice[0]}”. Set one of them to “ignore”."
    return ""


def estimate(files: int, compression: str, on_disk: int, rows: int, memory: int) -> str:
    """What will be read and what it will take, in one line."""
    parts = [plain.counted(files, "file"), f"{plain.size(on_disk)} on disk"]
    if compression not in ("", "none"):
        parts.append(compression)
    if rows:
        parts.append(f"about {_round(rows):,} rows")
    if memory:
        parts.append(f"about {plain.size(memory)} of memory")
    return " · ".join(parts)


def too_large(memory: int) -> str:
    """A warning if the log won't fit into this computer's memory; empty if it will."""
    try:
        there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return ""
    if memory <= 0.8 * there:
        return ""
    return (
        f"This computer has {plain.size(there)} of memory. Open fewer files, or a sample of "
        "the users."
    )


def _round(number: int) -> int:
    """Two significant digits: an estimate should look like one."""
    digits = max(0, len(str(number)) - 2)
    return int(round(number, -digits))
