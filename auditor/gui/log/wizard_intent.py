"""What somebody sets in the open wizard, and what it lacks, as plain values; no Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from auditor import platform
from auditor.gui.app.translation import mark_for_translation, tr
from auditor.gui.widgets import formats, safe_text
from auditor.log.reading.presets.registry import PRESETS
from auditor.log.reading.role_suggestions import suggest_columns
from auditor.log.user_column import UserCandidate

ROLES: tuple[tuple[str, str, str], ...] = (
    ("", mark_for_translation("ignore"), mark_for_translation("Neither kept nor released")),
    (
        "user",
        mark_for_translation("user"),
        mark_for_translation("Who searched: an id, a name, a cookie"),
    ),
    ("query", mark_for_translation("query"), mark_for_translation("What was typed")),
    ("time", mark_for_translation("time"), mark_for_translation("When")),
    (
        "url",
        mark_for_translation("clicked URL"),
        mark_for_translation("What was clicked, empty where nothing was"),
    ),
    (
        "rank",
        mark_for_translation("rank"),
        mark_for_translation("Place of the click in the list of results"),
    ),
    ("ip", mark_for_translation("IP address"), mark_for_translation("IPv4 address of the request")),
    ("cookie", mark_for_translation("cookie"), mark_for_translation("Cookie of the browser")),
)
"""(role, what it is called, what it is)."""

NEEDED = ("user", "query", "time")
OPTIONAL = ("url", "rank", "ip", "cookie")

FORMATS = {
    "aol": "AOL",
    "excite": "Excite",
    "delimited": mark_for_translation("Text in columns (CSV, TSV, …)"),
    "parquet": "Parquet",
    "arrow": "Arrow",
    "jsonl": mark_for_translation("JSON lines"),
    **{preset.name: preset.title for preset in PRESETS.values()},
}
FIXED = ("aol", "excite", *PRESETS)
"""Formats that say themselves which column is which."""

DELIMITERS = {
    "\t": mark_for_translation("tab"),
    ",": mark_for_translation("comma  ,"),
    ";": mark_for_translation("semicolon  ;"),
    "|": mark_for_translation("bar  |"),
    " ": mark_for_translation("space"),
    "\x01": mark_for_translation("control character 1"),
}
ENCODINGS = ("utf-8", "latin-1", "cp1252", "utf-16", "utf-16-le", "gb18030", "shift_jis", "euc-kr")
TIMES = {
    "": mark_for_translation("as it looks"),
    "iso": mark_for_translation("ISO 8601, like 2006-03-01 07:17:12"),
    "epoch_s": mark_for_translation("seconds since 1970"),
    "epoch_ms": mark_for_translation("milliseconds since 1970"),
    "epoch_us": mark_for_translation("microseconds since 1970"),
    "epoch_ns": mark_for_translation("nanoseconds since 1970"),
    "excel": mark_for_translation("days since 1900, as spreadsheets count"),
    "%y%m%d%H%M%S": "%y%m%d%H%M%S",
    "%d/%b/%Y:%H:%M:%S %z": "%d/%b/%Y:%H:%M:%S %z",
    "%m/%d/%Y %H:%M": "%m/%d/%Y %H:%M",
    "%d/%m/%Y %H:%M": "%d/%m/%Y %H:%M",
    "%m/%d/%Y %H:%M:%S": "%m/%d/%Y %H:%M:%S",
    "%d/%m/%Y %H:%M:%S": "%d/%m/%Y %H:%M:%S",
}


ZONES = ("UTC", "Europe/Berlin", "Europe/London", "America/New_York", "America/Los_Angeles",
         "Asia/Shanghai", "Asia/Tokyo")  # fmt: skip
SPELLINGS = {
    "ask": mark_for_translation("several users, and doubtful"),
    "merge": mark_for_translation("one user"),
    "keep": mark_for_translation("several users"),
}
"""What ids are that differ only in case, spaces, zeros in front or ".0"."""
SHARED_IDS = {
    "ask": mark_for_translation("users, and doubtful"),
    "drop": mark_for_translation("left out"),
    "keep": mark_for_translation("users"),
}
"""What ids are that are nobody's, a machine's, or busier than a person."""


def roles_of(columns: Mapping[str, str | int], names: Sequence[str], format: str = "") -> list[str]:
    """The role of each column ("" for none), from a mapping role → name or index.

    The columns of a known format are called as their roles.
    """
    if format in PRESETS:
        return list(names)
    roles = [""] * len(names)
    for role, column in columns.items():
        at = column if isinstance(column, int) else _find_index(names, column)
        if 0 <= at < len(roles):
            roles[at] = role
    return roles


def _find_index(names: Sequence[str], name: str) -> int:
    return list(names).index(name) if name in names else -1


def columns_of(roles: Sequence[str], names: Sequence[str], format: str) -> dict[str, str | int]:
    """The mapping role → column: by name where the format names its columns, else by place.

    Columns that are put together of several have no place of their own.
    """
    named = format in ("parquet", "arrow", "jsonl")
    return {
        role: names[at] if named or "+" in names[at] else at
        for at, role in enumerate(roles)
        if role
    }


def describe_problem(roles: Sequence[str], names: Sequence[str] = ()) -> str:
    """Why the roles don't do yet, in words; empty if they do.

    For a role that is missing, columns whose `names` are like it are named: none is chosen.
    """
    if 0 < len(roles) < len(NEEDED):
        return tr(
            "A log needs a column each for the user, the query and the time, and there are fewer "
            "here. Check the separator, or open another file."
        )
    missing = [role for role in NEEDED if role not in roles]
    if missing:
        listed = tr(" and ").join(f"“{_role_name(role)}”" for role in missing)
        problem = tr(
            "No column has the role {listed} yet. Choose it above the column that holds it."
        ).format(listed=listed)
        return " ".join([problem, *_suggest_roles(missing, roles, names)])
    twice = sorted({role for role in roles if role and list(roles).count(role) > 1})
    if twice:
        return tr("Two columns have the role “{twice}”. Set one of them to “ignore”.").format(
            twice=_role_name(twice[0])
        )
    return ""


def suggest_more(roles: Sequence[str], names: Sequence[str] = ()) -> str:
    """Columns whose names are like those of roles that nothing has and that aren't needed."""
    spare = [role for role in OPTIONAL if role not in roles]
    return " ".join(_suggest_roles(spare, roles, names))


def _suggest_roles(missing: Sequence[str], roles: Sequence[str], names: Sequence[str]) -> list[str]:
    """For each missing role the columns with the likeliest names; the user's have a list."""
    taken = {place for place, role in enumerate(roles) if role}
    found = []
    for role in missing:
        likely = suggest_columns(role, names, taken) if role != "user" else []
        if likely:
            listed = ", ".join(f"“{safe_text.shorten_text(one.name, 40)}”" for one in likely)
            found.append(
                tr("By its name “{role}” may be {listed}.").format(
                    role=_role_name(role), listed=listed
                )
            )
    return found


def list_parameters(parameters: Sequence[tuple[str, int]]) -> dict[str, str]:
    """Parameters of a web server's addresses, with how often each was seen, to choose from."""
    return {"": tr("choose the parameter")} | {
        name: f"{safe_text.shorten_text(name, 60)} ({formats.format_count(count)})"
        for name, count in parameters
    }


def ask_user_column(candidates: Sequence[UserCandidate]) -> str:
    """The question which column holds the users, with the candidates, one a line."""
    lines = [
        tr(
            "Whom does the log protect? Neither its format nor its header says who its users are. "
            "Choose “user” above the column that holds them; the likeliest first:"
        )
    ]
    return "\n".join(
        [*lines, *(f"• {safe_text.shorten_text(one.text, 300)}" for one in candidates[:8])]
    )


def _role_name(role: str) -> str:
    return tr(next(label for name, label, _ in ROLES if name == role))


def describe_estimate(files: int, compression: str, on_disk: int, rows: int, memory: int) -> str:
    """What will be read and what it will take, in one line."""
    parts = [
        safe_text.format_plural(files, "file"),
        tr("{on_disk} on disk").format(on_disk=safe_text.format_bytes(on_disk)),
    ]
    if compression not in ("", "none"):
        parts.append(compression)
    if rows:
        parts.append(
            tr("about {rows} rows").format(rows=formats.format_count(_round_estimate(rows)))
        )
    if memory:
        parts.append(tr("about {memory} of memory").format(memory=safe_text.format_bytes(memory)))
    return " · ".join(parts)


def too_large(memory: int) -> str:
    """A warning if the log won't fit into this computer's memory; empty if it will."""
    there = platform.read_total_memory()
    if there is None or memory <= 0.8 * there:
        return ""
    return tr(
        "This computer has {there} of memory. Open fewer files, or a sample of the users."
    ).format(there=safe_text.format_bytes(there))


def _round_estimate(number: int) -> int:
    """Two significant digits: an estimate should look like one."""
    digits = max(0, len(str(number)) - 2)
    return int(round(number, -digits))
