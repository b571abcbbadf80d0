"""Reads what somebody else released, in whatever shape, so that it can be judged.

Rows that stand under ids (users, sessions, pseudonyms of a day) are a log; rows without ids and
tables are counts of queries, and of the pages that they led to. What a
column means follows from its name, unless the caller names it.
"""

from __future__ import annotations

import csv
import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from auditor.bounded_files import UnfitFile, open_regular
from auditor.errors import LogFormatError, ParameterError
from auditor.log.columns import count_holders, count_users
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.reading.alignment import NAMED_COLUMNS
from auditor.log.reading.column_mapping import (
    MOST_ATTRIBUTES,
    REASONS,
    ReadOptions,
    name_attribute,
    split_name,
)
from auditor.log.reading.column_mapping import ROLES as READ_ROLES
from auditor.log.reading.column_names import NAMES, plain_name
from auditor.log.reading.field_kernels import EMPTY_LINE
from auditor.log.reading.format_detection import are_fields_quoted
from auditor.log.reading.reader import read_log, sniff_log
from auditor.log.sentences import sentence
from auditor.log.text import respell
from auditor.messages import as_phrase, join_phrases, phrase
from auditor.methods.base import unknown_statement
from auditor.privacy.identity import are_ids_kept
from auditor.privacy.release import UNKNOWN, DatedCounts, Release, Tables
from auditor.privacy.release_times import apparent_times
from auditor.privacy.truth_table import TruthTable
from auditor.progress import Progress
from auditor.release.loading import read_release
from auditor.release.manifest import MANIFEST

if TYPE_CHECKING:
    import pandas as pd

    from auditor.log.out_of_core.working_files import WorkingFiles

Quoting = Literal[0, 3]
"""Of `csv`: QUOTE_MINIMAL, where values may stand in quotes, or QUOTE_NONE."""
MOST_HEADING = 1 << 20
"""Bytes that a table's first line may have."""
COUNT = "count"
BLANK_LINE = REASONS[EMPTY_LINE]
"""The only reason for which a row may be passed over: nothing was released in it."""
_LAST_DATE = 99_991_231
"""The greatest number that is a day: year, month and day."""
MOST_NAMED = 10
"""Files that a message names."""
ROLES = ("user", "query", "time", "url", COUNT)
FORBIDDEN = ("ip", "cookie")
"""Roles of columns that no release may have."""
IDS = ("user", "user_id", "pseudonym", "session", "session_id", "mini_session", "anonid", "id")
"""Names of columns under whose values rows belong together, the first that is there goes first."""
PLAIN = (".csv", ".tsv", ".txt", ".log", ".parquet", ".pq", "")
"""Endings of files whose columns are looked at here; others are read as logs are."""
COUNTS = ("count", "users", "noisy_count", "impressions", "views", "clicks", "frequency", "n")
"""Names of columns that say how often a query stands for, in the same order."""


def read_outside(
    path: Path,
    columns: Mapping[str, str | int] | None = None,
    *,
    truth: TruthTable | None = None,
    progress: Progress,
    spill: WorkingFiles | None = None,
) -> Release:
    """A release folder of this program, or any file of rows or counts.

    `columns` says which column has which of `ROLES`, by its name or its place from 0; told by the
    names unless it is given. `truth` says whose the released ids are. With `spill`, rows with
    times stay in working files.

    Raises `LogFormatError`: it can't be read, or holds no queries; `ParameterError`: a column that
    was named isn't there, or its role isn't one of `ROLES`.
    """
    if columns is None and path.is_dir() and (path / MANIFEST).exists():
        release = read_release(path, progress=progress)
        if release.log is not None:
            _check_whole(release.log, path)
        return Release(**{**vars(release), "truth": truth})
    progress.stage("reading the release")
    content: QueryLog | Tables
    exact = None
    if path.is_dir() or path.suffix.lower() not in PLAIN:  # packed, or of a form of its own
        content, unread, unnamed = _read_packed(path, columns or {}, progress, spill)
        return _release_of(content, truth, unread, unnamed=unnamed)
    names, headed, delimiter, quoting = _read_heading(path)
    roles = _choose_roles(names, columns, path)
    other_columns = _name_others(names, roles.values()) if headed else {}
    attributes = dict([*other_columns.items()][:MOST_ATTRIBUTES]) if "user" in roles else {}
    if "user" in roles and "time" in roles:
        places = {role: place for role, place in roles.items() if role != COUNT} | attributes
        named_roles = {role: names[place] if headed else place for role, place in places.items()}
        content = _read_rows(path, named_roles, progress, spill)
    else:
        table = _read_table(path, names, headed, delimiter, quoting, roles | attributes)
        content = _build(table, path, attributes)
        exact = _count_exact_times(table["time"]) if "time" in table else None
    unread = tuple(name for name in other_columns if name not in attributes)
    unnamed = not headed and len(set(roles.values())) < len(names)
    release = _release_of(content, truth, unread, unnamed=unnamed)
    return dataclasses.replace(release, exact_times=exact)


def _count_exact_times(times: pd.Series) -> int:
    """Texts with a time of day that isn't midnight, or numbers at which no day begins."""
    import pandas as pd

    midnight = times.str.contains(r"(?:^|[ T])0?0:00(?!:?[1-9]|:0[1-9])")
    clock = times.str.contains(r"\d:\d\d") & ~midnight
    number = pd.to_numeric(times, errors="coerce").fillna(0)  # of days up to `_LAST_DATE`
    seconds = number.where(number > _LAST_DATE, 86_400 * number)
    return int((clock | (seconds % 86_400 != 0)).sum())


def _read_packed(
    path: Path, columns: Mapping[str, str | int], progress: Progress, spill: WorkingFiles | None
) -> tuple[QueryLog, tuple[str, ...], bool]:
    """A log, the columns that are not read of it, and whether it may have others.

    A column that can't be read beside the log, as a list in JSON, is named alone.
    """
    sniffed = sniff_log([path], ReadOptions(columns=columns))
    if sniffed.problems:  # which reading says
        return _read_rows(path, columns, progress, spill), (), True
    options, names = sniffed.options, sniffed.column_names
    unnamed = None in sniffed.headers
    if not (options.header or options.format in NAMED_COLUMNS):
        return _read_rows(path, columns, progress, spill), (), unnamed
    roles = {name: column for name, column in options.columns.items() if name not in FORBIDDEN}
    used_places: set[int] = set()
    for column in roles.values():
        parts = (column,) if isinstance(column, int) else split_name(column, names)
        used_places |= {names.index(part) if isinstance(part, str) else part for part in parts}
    other_columns = _name_others(names, used_places)
    plain = {
        name: names[place]
        for name, place in other_columns.items()
        if names.count(names[place]) == 1
        and not (options.format == "jsonl" and "." in names[place])  # may stand in lists
    }
    attributes = dict([*plain.items()][:MOST_ATTRIBUTES])
    more_names = {name for header in sniffed.headers for name in header or ()} - set(names)
    elsewhere = _name_others(sorted(more_names), ())
    try:
        log = _read_rows(path, roles | attributes, progress, spill)
    except LogFormatError:
        attributes = {}
        log = _read_rows(path, columns, progress, spill)
    unread = dict.fromkeys(
        [*(name for name in other_columns if name not in attributes), *elsewhere]
    )
    return log, tuple(unread), unnamed


def _read_rows(
    path: Path, columns: Mapping[str, str | int], progress: Progress, spill: WorkingFiles | None
) -> QueryLog:
    options = ReadOptions(columns=columns)
    return _check_whole(read_log([path], options, progress=progress, spill=spill), path)


def _check_whole(log: QueryLog, path: Path) -> QueryLog:
    """The log; raises `LogFormatError` where a file or row of the release isn't in it."""
    origin = log.origin
    if origin.left_out:
        names = sorted(origin.left_out)
        count, first = len(names), ", ".join(names[:MOST_NAMED])
        raise LogFormatError(sentence("outside.left_out", count=count, names=first), path=path)
    refused = {name: rows for name, rows in origin.rejected.items() if name != BLANK_LINE}
    if refused:
        places = (reject for reject in origin.rejects if reject.reason != BLANK_LINE)
        example = next(places, None)
        counts = (
            phrase("{reason} {count:,}", reason=as_phrase(reason), count=count)
            for reason, count in refused.items()
        )
        reasons = as_phrase(join_phrases(", ", counts))
        raise LogFormatError(
            sentence("outside.rejected", rows=sum(refused.values()), reasons=reasons),
            path=path if example is None else example.file,
            line=None if example is None else example.line,
        )
    return log


def _release_of(
    content: QueryLog | Tables,
    truth: TruthTable | None,
    unread_columns: tuple[str, ...],
    *,
    unnamed: bool,
) -> Release:
    params = {}
    if isinstance(content, QueryLog):  # how exactly times are released, as they look
        params["times"] = apparent_times(content.time)
    elif respell(content.queries).equals(content.queries.as_arrow()):  # spellings may be merged
        content = dataclasses.replace(content, folded=True)
    statement = unknown_statement()
    attributes = content.attributes if isinstance(content, QueryLog) else {}
    if columns := len(attributes) + len(unread_columns):
        measured = {"released_columns": float(columns)}
        is_whole = not unread_columns and not unnamed  # a column more makes groups smaller
        if isinstance(content, QueryLog) and truth is not None and is_whole:
            measured["smallest_column_group"] = float(_count_sharers(content, truth))
        statement = dataclasses.replace(statement, measured=measured)
    return Release(
        method=UNKNOWN,
        params=params,
        content=content,
        statement=statement,
        changes={},
        truth=truth,
        unread_columns=unread_columns,
        has_unnamed_columns=unnamed,
    )


def select_sample(release: Release, log: QueryLog, progress: Progress) -> Release | None:
    """The released rows of a sample's users, whole and in memory, and whose their ids are.

    `log` holds the sample. None where nothing tells whose an id is.
    """
    released, truth = release.log, release.truth
    assert released is not None
    if truth is None:
        owner = released.users.match(log.users).astype(np.int64)
    else:
        owner = truth.find_owners(log, released)
    part = QueryLog.rows(released, (owner != NONE)[released.user])
    if truth is None:
        place = log.users.match(part.users)
        if not are_ids_kept(log, release, part, place, is_cut=True):
            return None
        truth = TruthTable.of({name: name for name in part.users.list_strings()})
    progress.check()
    return dataclasses.replace(release, content=part, truth=truth) if len(part) else None


def _count_sharers(log: QueryLog, truth: TruthTable) -> int:
    """The fewest users with the same values in all columns; ids that nobody knows are one each."""
    entry = log.users.match(truth.ids).astype(np.int64)
    owner = np.where(entry < 0, len(truth.users) + np.arange(len(entry)), truth.user[entry])
    codes = {name: column.codes for name, column in log.attributes.items()}
    combination, _ = count_holders(log, codes)
    user = owner[log.user].astype(np.int32)
    return int(min(count_users(combination, user, int(owner.max(initial=0)) + 1)[1], default=0))


def _read_heading(path: Path) -> tuple[list[str], bool, str, Quoting]:
    """The columns' names, whether the file has them, what stands between values, and quotes."""
    if path.suffix.lower() in (".parquet", ".pq"):
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            return list(pq.read_schema(path).names), True, "", csv.QUOTE_MINIMAL
        except (OSError, pa.ArrowException):
            raise LogFormatError("is no Parquet file that can be read.", path=path) from None
    try:
        with open_regular(path) as file:
            line = file.read(MOST_HEADING + 1).partition(b"\n")[0]
        if len(line) > MOST_HEADING:
            raise LogFormatError("has a first line too long for a table's heading.", path=path)
        first = line.decode("utf-8-sig").rstrip("\r")
    except UnfitFile as error:
        raise LogFormatError(phrase("is {why}.", why=as_phrase(str(error))), path=path) from None
    except UnicodeDecodeError:
        raise LogFormatError("is no UTF-8 text.", path=path) from None
    if not first:
        raise LogFormatError("is empty.", path=path)
    delimiter = next((mark for mark in "\t;," if mark in first), "\t")
    quoting: Quoting = csv.QUOTE_MINIMAL
    if delimiter == "\t" and not are_fields_quoted([first]):
        quoting = csv.QUOTE_NONE
    names = next(csv.reader([first], delimiter=delimiter, quoting=quoting))
    headed = any(_find(names, _names_of(role)) is not None for role in ROLES)
    return names, headed, delimiter, quoting


def _choose_roles(
    names: Sequence[str], columns: Mapping[str, str | int] | None, path: Path
) -> dict[str, int]:
    places = {role: _find(names, _names_of(role)) for role in ROLES}
    roles = {role: place for role, place in places.items() if place is not None}
    roles = roles if columns is None else {}
    for role, column in (columns or {}).items():
        if role not in ROLES:
            message = phrase("A released column is one of {roles}.", roles=", ".join(ROLES))
            raise ParameterError("release-columns", message)
        place = column if isinstance(column, int) else _find(names, (column,))
        if place is None or not 0 <= place < len(names):
            message = phrase("There is no column {name}.", name=str(column)[:80])
            raise ParameterError("release-columns", message)
        roles[role] = place
    if "query" not in roles:
        raise LogFormatError(sentence("outside.no_queries"), path=path)
    return roles


def _name_others(names: Sequence[str], used_places: Iterable[int]) -> dict[str, int]:
    """The places of the columns without a role, by the names that they have beside the log.

    Addresses are kept as texts, since a released one may be cut short.
    """
    places = {role: _find(names, _names_of(role)) for role in FORBIDDEN}
    forbidden = {place: role for role, place in places.items() if place is not None}
    other_places = sorted(
        set(range(len(names))) - set(used_places), key=lambda place: place not in forbidden
    )
    place_of_name: dict[str, int] = {}
    for place in other_places:
        role = forbidden.get(place)
        name = "ip_address" if role == "ip" else role
        if name is None:
            name = name_attribute(names[place], {*READ_ROLES, COUNT, *place_of_name})
        place_of_name[name] = place
    return place_of_name


def _names_of(role: str) -> Sequence[str]:
    return {"user": IDS, COUNT: COUNTS}.get(role, (role, *NAMES.get(role, ())))


def _find(names: Sequence[str], aliases: Sequence[str]) -> int | None:
    """The first column that is called as one of some names, without regard to case and marks."""
    plain, candidates = ([*map(plain_name, texts)] for texts in (names, aliases))
    return next((plain.index(name) for name in candidates if name in plain), None)


def _read_table(
    path: Path,
    names: Sequence[str],
    headed: bool,
    delimiter: str,
    quoting: Quoting,
    roles: Mapping[str, int],
) -> pd.DataFrame:
    import pandas as pd

    places = sorted(set(roles.values()))
    try:
        if not delimiter:
            frame = pd.read_parquet(path, columns=[names[place] for place in places])
            frame = frame.astype(object).fillna("").astype(str)
        else:
            frame = pd.read_csv(
                path,
                sep=delimiter,
                header=0 if headed else None,
                usecols=places,
                dtype=str,
                keep_default_na=False,
                compression=None,
                encoding="utf-8-sig",
                quoting=quoting,
            )
    except (OSError, ValueError, UnicodeDecodeError, pd.errors.ParserError):
        raise LogFormatError("can't be read as a table of texts.", path=path) from None
    frame.columns = pd.Index(places)
    return pd.DataFrame({role: frame[place] for role, place in roles.items()})


def _build(frame: pd.DataFrame, path: Path, attributes: Iterable[str]) -> QueryLog | Tables:
    if not len(frame):
        raise LogFormatError("holds no rows.", path=path)
    if "user" in frame:
        if missing := int((frame["user"] == "").sum()):
            raise LogFormatError(
                phrase("has rows without an id: {missing:,}.", missing=missing), path=path
            )
        return QueryLog.from_columns(
            user=frame["user"].tolist(),
            query=frame["query"].tolist(),
            time=[0] * len(frame),
            url=[text or None for text in frame["url"]] if "url" in frame else None,
            cookie=[text or None for text in frame["cookie"]] if "cookie" in frame else None,
            attributes={name: frame[name].tolist() for name in attributes if name != "cookie"},
        )
    import pandas as pd

    counts = pd.Series(1, frame.index)
    if COUNT in frame:
        number = pd.to_numeric(frame[COUNT].str.replace(",", ""), errors="coerce")
        wrong = ~np.isfinite(number)
        if wrong.any():
            line = int(np.flatnonzero(wrong)[0]) + 2
            raise LogFormatError("has a count that is no number.", path=path, line=line)
        counts = number.round().astype("int64")
    frame = frame.assign(**{COUNT: counts})
    by_query = frame.groupby("query", sort=True)[COUNT].sum()
    clicks = {}
    if "url" in frame:
        pairs = frame[frame["url"] != ""].groupby(["query", "url"], sort=True)[COUNT].sum()
        urls = pairs.index.get_level_values("url")
        pages, queries = pd.Index(sorted(set(urls))), pairs.index.get_level_values("query")
        clicks = {
            "urls": Vocabulary.of(pages),
            "click_query": by_query.index.get_indexer(queries).astype(np.int32),
            "click_url": pages.get_indexer(urls).astype(np.int32),
            "click_count": pairs.to_numpy(np.int64),
            "has_clicks": True,
        }
    tables = Tables(
        queries=Vocabulary.of(by_query.index), query_count=by_query.to_numpy(np.int64), **clicks
    )
    return _add_dates(tables, frame) if "time" in frame else tables


def _add_dates(tables: Tables, frame: pd.DataFrame) -> Tables:
    """The tables with one by date, where all times are days; by week where all are Mondays."""
    import pandas as pd

    days = pd.to_datetime(frame["time"], errors="coerce", format="ISO8601", utc=True)
    if days.isna().any() or (days != days.dt.normalize()).any():
        return tables
    counts = frame.groupby(["query", days], sort=True)[COUNT].sum()
    queries, dates = (counts.index.get_level_values(level) for level in (0, 1))
    codes = tables.queries.find(queries.tolist())
    times = dates.to_numpy("datetime64[s]").astype(np.int64)
    weekly = days.nunique() > 1 and bool((days.dt.day_of_week == 0).all())
    dated = DatedCounts(codes, times, counts.to_numpy(np.int64))
    return tables.with_dates("week" if weekly else "day", dated)
