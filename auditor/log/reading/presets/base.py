"""What a known format is: how its beginning shows it, and how a line becomes searches."""

import functools
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from auditor.resource_files import resource_text

LOG_WORDS: Final = tomllib.loads(resource_text("log_words.toml"))
"""Words of logs in many languages; the file says what each list is."""
Record = dict[str, str]
"""One row by role; a time is in seconds since 1970."""
RecordFunction = Callable[[str], "list[Record] | None"]
"""The rows of a line: none if it holds no search, None if it can't be read."""
_JSON_DATE = re.compile(r"/Date\((-?\d{1,17})([+-]\d{4})?\)/")


@dataclass(frozen=True)
class LogPreset:
    """A known format.

    Attributes
    ----------
    name
        What `--format` takes.
    detect
        Whether a text that begins with these lines is of the format.
    start
        Makes the function that turns lines into rows, from the columns that somebody named.
    title, documentation
        What people read; where the format is documented. This and what follows, up to `encoding`,
        is of the catalogue in ``resources/formats.toml``.
    user, doubt
        The field that says who searched; why a value of it isn't quite a person.
    note
        What the reader assumes, for people to know.
    ordered
        Whether a line means something only after those before it: lines are then read in order.
    aggregated
        Whether the set has no users: rows can't be told to be somebody's.
    lines
        Whether lines are plain text rather than JSON.
    by_file
        Whether each file is somebody's: `start` is given the name of the file instead of a state.
    zoned
        Whether times are moments rather than what a clock showed.
    dated
        Whether times have a date: days may be counted from nobody knows which.
    shows
        Whether a record lists the results that its search showed; see `list_shown`.
    encoding
        What texts that aren't UTF-8 are encoded in.
    parameters
        Where somebody must name the field that holds the query, what it may be.
    collect
        What is to be known of all lines before the first is turned into rows: fed line by line.
    """

    name: str
    detect: Callable[[Sequence[str]], bool]
    start: Callable[[Mapping[str, str | int], Any], RecordFunction]
    title: str
    documentation: str
    user: str
    doubt: str = ""
    note: str = ""
    ordered: bool = False
    aggregated: bool = False
    lines: bool = False
    by_file: bool = False
    zoned: bool = True
    dated: bool = True
    shows: bool = False
    encoding: str = "utf-8"
    parameters: Callable[[Sequence[str]], list[tuple[str, int]]] | None = None
    collect: Callable[[Iterable[str]], Any] | None = None


def make_preset(name: str, detect: Any, start: Any, **options: Any) -> LogPreset:
    """A format of the catalogue, and how its lines are read."""
    return LogPreset(name, detect, start, **_read_catalogue()[name], **options)


@functools.cache
def _read_catalogue() -> dict[str, dict[str, Any]]:
    return tomllib.loads(resource_text("formats.toml"))


SHOWN = ("views", "results_shown", "positions_shown")
"""What is kept of a search beside its row: how many results it showed, which, and where."""


def list_shown(results: Sequence[str]) -> Record:
    """The columns `SHOWN` of a search, by its results in their order; none if there are none."""
    if not results:
        return {}
    texts = (re.sub(r"\s+", "_", result) or "-" for result in results)
    places = " ".join(map(str, range(1, len(results) + 1)))
    return dict(zip(SHOWN, (str(len(results)), " ".join(texts), places), strict=True))


_WRAPPERS = (("_source", {"_source"}), ("fields", {"_index"}), ("result", {"preview"}))
"""In what OpenSearch and Splunk wrap a record, by what stands beside it."""


def json_object(line: str) -> dict[str, Any] | None:
    """The object of a line, out of what an export wraps it in."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict):
        return None
    inner = (record.get(name) for name, companions in _WRAPPERS if companions <= record.keys())
    return next((source for source in inner if isinstance(source, dict)), record)


def is_bulk_action(record: Mapping[str, Any]) -> bool:
    """Whether an object is a line of Elasticsearch's bulk format that says what the next one is."""
    name, *other_names = record or ("",)
    target = record.get(name)
    return (
        not other_names
        and name in ("index", "create", "update", "delete")
        and isinstance(target, dict)
        and all(key.startswith("_") or key == "routing" for key in target)
    )


def at_path(value: Any, path: str) -> Any:
    """What stands under a dotted path of objects; None if nothing does."""
    if isinstance(value, dict) and path in value:
        return value[path]
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def plain_text(value: Any) -> str:
    """A text or a number as text; nothing of anything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def join_items(items: Iterable[Any]) -> str:
    """The items of a list with blanks between, blanks within them as underscores."""
    return " ".join(re.sub(r"\s+", "_", plain_text(item)) for item in items)


def epoch_seconds(value: Any) -> str:
    """A time as seconds since 1970: of counts in any unit, ISO 8601 and /Date(ms)/; "" if none."""
    text = plain_text(value).strip()
    if dated := _JSON_DATE.fullmatch(text):
        return str(int(dated[1]) // 1000)
    if re.fullmatch(r"\d{9,19}(\.\d+)?", text):
        count = int(text.partition(".")[0])
        return str(
            next(count // unit for unit in (10**9, 10**6, 10**3, 1) if count >= unit * 10**8)
        )
    try:
        moment = datetime.fromisoformat(text.removesuffix(" UTC"))
        instant = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return str(int(instant.timestamp() // 1))
    except (ValueError, OverflowError, OSError):
        return ""
