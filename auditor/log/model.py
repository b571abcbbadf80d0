"""The log in memory: integer codes into string vocabularies, one row an event.

22 bytes a row and each distinct string once: AOL's 36.4 million rows fit in 4 GiB. Kernels
work on the code arrays; text is looked up only for people.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self, TypeVar

import numpy as np

from auditor.arrays import (
    Array,
    Bools,
    Int16s,
    Int32s,
    Int64s,
    Integers,
    UInt8s,
    UInt32s,
    mark_run_starts,
)
from auditor.log import gil_friendly
from auditor.log.origin import LogOrigin as LogOrigin
from auditor.log.origin import RejectedRow as RejectedRow
from auditor.log.origin import UserSample as UserSample
from auditor.log.sentences import sentence
from auditor.messages import phrase

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

A = TypeVar("A", bound=Array)

COLUMNS = ("user", "query", "time", "url", "rank", "ip", "cookie")
TEXTS = {"user": "users", "query": "queries", "url": "urls", "cookie": "cookies"}
"""Columns of codes, and what holds the texts of each."""
NONE = -1
"""The code, and the rank, of something that isn't there."""

BLANK = (
    r"\A[\s\p{Z}\p{Cc}\p{Cf}\x{34F}\x{115F}\x{1160}\x{17B4}\x{17B5}\x{180B}-\x{180F}\x{2800}\x{3164}"
    r"\x{FE00}-\x{FE0F}\x{FFA0}\x{E0100}-\x{E01EF}]*\z"
)
"""What shows nothing: by its category, or a filler, an empty pattern or a selector by itself."""
MISSING = (
    *("-", "--", "\\N", "NULL", "Null", "null", "(null)", "<null>", "[NULL]", "nil", "undefined"),
    *("None", "NONE", "none", "NaN", "NAN", "nan", "NA", "<NA>", "N/A", "n/a", "(not set)"),
)
"""What programs write where nothing is; a query may be any of these words."""


class Vocabulary:
    """Distinct UTF-8 strings by code, as one byte array and its offsets.

    Parameters
    ----------
    data
        uint8, all strings end to end.
    offsets
        int64, one more than there are strings; string i is ``data[offsets[i]:offsets[i+1]]``.
    """

    __slots__ = ("__weakref__", "data", "offsets")

    def __init__(self, data: UInt8s, offsets: Int64s) -> None:
        self.data = _freeze_array(np.ascontiguousarray(data, dtype=np.uint8))
        self.offsets = _freeze_array(np.ascontiguousarray(offsets, dtype=np.int64))

    @classmethod
    def of(cls, strings: Iterable[str]) -> Self:
        """From distinct strings, coded in their order."""
        return cls(
            *gil_friendly.concatenate_bytes(
                text.encode("utf-8", "surrogatepass") for text in strings
            )
        )

    @classmethod
    def of_arrow(cls, strings: pa.Array | pa.ChunkedArray) -> Self:
        """From an Arrow array of distinct strings without nulls."""
        import pyarrow as pa

        if isinstance(strings, pa.ChunkedArray):
            strings = strings.combine_chunks()
        array = strings.cast(pa.large_string())
        if len(array) == 0:
            return cls.of(())
        _, offsets, data = array.buffers()
        first = array.offset
        starts = np.frombuffer(offsets, dtype=np.int64)[first : first + len(array) + 1]
        data_array = np.frombuffer(data, dtype=np.uint8) if data else np.zeros(0, np.uint8)
        return cls(data_array[starts[0] : starts[-1]], starts - starts[0])

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, code: int) -> str:
        if not 0 <= code < len(self):
            raise IndexError(code)
        piece = self.data[self.offsets[code] : self.offsets[code + 1]]
        return piece.tobytes().decode("utf-8", "replace")

    def __repr__(self) -> str:
        return str(phrase("Vocabulary({value} strings)", value=len(self)))

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes."""
        return self.data.nbytes + self.offsets.nbytes

    def compute_lengths(self) -> Int64s:
        """Bytes of each string; shape (len(self),)."""
        return np.diff(self.offsets)

    def list_strings(self, codes: Iterable[int] | None = None) -> list[str]:
        """The strings of `codes` (all of them by default), as Python strings."""
        words = self if codes is None else self.take(np.fromiter(codes, np.int64))
        return gil_friendly.decode_strings(words.data, words.offsets)

    def find_blank(self) -> Bools:
        """Which strings show nothing: empty, white space, control characters; shape (len(self),).

        A blank query is a missing value: no search for anything, whatever the file has there.
        """
        import pyarrow.compute as pc

        blank: Bools = self.compute_lengths() == 0
        # Only what begins as white space, a control character or beyond ASCII may be blank.
        filled = np.flatnonzero(~blank)
        first = self.data[self.offsets[filled]]
        maybe = filled[(first <= 32) | (first >= 127)]
        if len(maybe):
            texts = self.take(maybe).as_arrow()
            matches = pc.match_substring_regex(texts, BLANK)
            blank[maybe] = matches.to_numpy(zero_copy_only=False)
        return blank

    def find_missing(self) -> Bools:
        """Which strings are a program's word for a missing value; shape (len(self),)."""
        missing = np.zeros(len(self) + 1, dtype=np.bool_)
        missing[self.find(MISSING)] = True  # the last one for those that aren't there
        return missing[:-1]

    def take(self, codes: Integers) -> Vocabulary:
        """The vocabulary of only `codes`, renumbered in their order; O(bytes taken).

        Raises IndexError for a code that it does not have.
        """
        import pyarrow as pa

        return Vocabulary.of_arrow(self.as_arrow().take(pa.array(np.asarray(codes, np.int64))))

    def as_arrow(self) -> pa.Array:
        """The strings as an Arrow large_string array that shares this memory."""
        import pyarrow as pa

        buffers = [None, pa.py_buffer(self.offsets), pa.py_buffer(self.data)]
        return pa.Array.from_buffers(pa.large_string(), len(self), buffers)

    def match(self, other: Vocabulary) -> Int32s:
        """For each string here its code in `other`, or −1; shape (len(self),); O(both)."""
        if 4 * len(self) < len(other):
            # A table of the few is made in less time, and says which of the many are sought.
            sought = np.flatnonzero(other._look_up(self) != NONE)
            if not len(sought):
                return np.full(len(self), NONE, dtype=np.int32)
            place = self._look_up(other.take(sought))
            return np.where(place == NONE, NONE, sought.astype(np.int32)[place])
        return self._look_up(other)

    def _look_up(self, other: Vocabulary) -> Int32s:
        """`match` by a table of all of the other's strings."""
        import pyarrow.compute as pc

        positions = pc.index_in(self.as_arrow(), value_set=other.as_arrow())
        codes: Int32s = positions.fill_null(NONE).to_numpy(zero_copy_only=False)
        return codes.astype(np.int32, copy=False)

    def find(self, strings: Sequence[str]) -> Int32s:
        """The code of each of `strings`, or −1."""
        return Vocabulary.of(strings).match(self)


class Attribute(NamedTuple):
    """A column kept beside a log: int32 codes into `texts`, −1 where nothing is; shape (n,)."""

    codes: Int32s
    texts: Vocabulary


class LogTotals(Protocol):
    """What is known of a log without holding it: of a `QueryLog`, or of one on other machines."""

    @property
    def digest(self) -> str: ...
    @property
    def origin(self) -> LogOrigin: ...
    @property
    def users(self) -> Sized: ...
    @property
    def queries(self) -> Sized: ...
    @property
    def clicks(self) -> int: ...
    def __len__(self) -> int: ...


@dataclass(frozen=True, eq=False, kw_only=True)
class QueryLog:
    """An immutable query log, sorted by (user, time); n rows.

    Attributes
    ----------
    user, query
        int32 codes into `users` and `queries`; shape (n,).
    time
        int64 seconds since 1970 UTC; shape (n,).
    url
        int32 codes into `urls`, −1 where nothing was clicked; shape (n,).
    rank
        int16 place of the click in the result page from 1, −1 where unknown; shape (n,).
    ip
        uint32 IPv4 addresses, 0 where unknown, or None if the log has none; shape (n,).
    cookie
        int32 codes into `cookies`, −1 where unknown, or None; shape (n,).
    attributes
        Columns kept beside these, by name. They are there to be seen and measured: a method is
        given them only if its parameters say so.

    Users are numbered by first appearance in the input, everything else by first appearance in
    the rows as sorted; every code of `users` and `queries` occurs. A query with n clicks is n
    rows of the same user, query and time.
    """

    user: Int32s
    query: Int32s
    time: Int64s
    url: Int32s
    rank: Int16s
    users: Vocabulary
    queries: Vocabulary
    urls: Vocabulary
    ip: UInt32s | None = None
    cookie: Int32s | None = None
    cookies: Vocabulary | None = None
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    origin: LogOrigin = field(default_factory=LogOrigin)

    def __post_init__(self) -> None:
        n = len(self.user)
        for name, column in self.columns.items():
            if len(column) != n:
                sizes = {"column": len(column), "n": n}
                raise ValueError(
                    phrase("column {name} has {column} rows, not {n}", name=name, **sizes)
                )
            _freeze_array(column)

    def __len__(self) -> int:
        return len(self.user)

    def __repr__(self) -> str:
        counts = {"users": len(self.users), "queries": len(self.queries)}
        # A plain string, which every process can send.
        return str(sentence("model.querylog_rows_users_queries", value=len(self), **counts))

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes."""
        columns = sum(column.nbytes for column in self.columns.values())
        return columns + sum(texts.nbytes for texts in self.vocabularies.values())

    @property
    def columns(self) -> dict[str, Array]:
        """The columns that it has, by name."""
        parts = {name: getattr(self, name) for name in COLUMNS}
        core = {name: column for name, column in parts.items() if column is not None}
        return core | {name: attribute.codes for name, attribute in self.attributes.items()}

    @property
    def vocabularies(self) -> dict[str, Vocabulary]:
        """The texts of the columns that have any."""
        words = {column: getattr(self, name) for column, name in TEXTS.items()}
        core = {column: texts for column, texts in words.items() if texts is not None}
        return core | {name: attribute.texts for name, attribute in self.attributes.items()}

    def describe_attribute(self, name: str) -> str:
        """An attribute's name, and by what its values were made coarser if they were."""
        rule = self.origin.coarsened.get(name)
        return name if rule is None else sentence("columns.coarser", name=name, way=rule)

    @functools.cached_property
    def clicks(self) -> int:
        """Rows with a clicked URL."""
        return int(np.count_nonzero(self.url != NONE))

    @functools.cached_property
    def period(self) -> tuple[int, int] | None:
        """First and last time, in seconds UTC, or None for an empty log."""
        return (int(self.time.min()), int(self.time.max())) if len(self) else None

    @functools.cached_property
    def user_starts(self) -> Int64s:
        """Row at which each user begins, and the number of rows at the end.

        Shape (users + 1,): user u's rows are ``user_starts[u]:user_starts[u + 1]``. Needs
        user codes in ascending order of rows, which the sort gives.
        """
        starts = np.zeros(len(self.users) + 1, dtype=np.int64)
        for part in iterate_slices(len(self)):
            user = self.user[part]
            first, last = int(user[0]), int(user[-1])
            starts[first + 1 : last + 2] += np.bincount(user - first, minlength=last - first + 1)
        return _freeze_array(np.cumsum(starts))

    @functools.cached_property
    def event_starts(self) -> Bools:
        """True at the first row of each event: a distinct (user, query, time); shape (n,)."""
        return _freeze_array(mark_event_starts(self.user, self.query, self.time))

    @functools.cached_property
    def searches_by_query(self) -> Int64s:
        """Searches (distinct user, query, time) of each query, none of a blank one; (queries,)."""
        counts = np.bincount(self.query[self.event_starts], minlength=len(self.queries))
        return _freeze_array(np.where(self.queries.find_blank(), 0, counts))

    @functools.cached_property
    def without_blank(self) -> QueryLog:
        """The log without rows whose query is blank; this very log if it has none. O(rows)."""
        blank = self.queries.find_blank()
        return self.rows(~blank[self.query]) if blank.any() else self

    @functools.cached_property
    def without_attributes(self) -> QueryLog:
        """The log alone; this very log if it has no attributes."""
        return replace(self, attributes={}) if self.attributes else self

    def keep_attributes(self, names: Sequence[str]) -> QueryLog:
        """The log with no attributes but those of `names` that it has; this very log if so."""
        attributes = {name: self.attributes[name] for name in names if name in self.attributes}
        if list(attributes) == list(self.attributes):
            return self
        return replace(self, attributes=attributes) if attributes else self.without_attributes

    @functools.cached_property
    def digest(self) -> str:
        """SHA-256 over the content, not over the files; equal logs have equal digests."""
        total = hashlib.sha256(b"query log 1")
        total.update(" ".join(self.attributes).encode())
        arrays = [a for texts in self.vocabularies.values() for a in (texts.offsets, texts.data)]
        for array in [*arrays, *self.columns.values()]:
            total.update(f"{array.dtype.str}{len(array)};".encode())
            for part in iterate_slices(len(array)):
                total.update(np.ascontiguousarray(array[part]).data)
        return total.hexdigest()

    @classmethod
    def from_columns(
        cls,
        *,
        user: Sequence[str],
        query: Sequence[str],
        time: Sequence[int] | Int64s,
        url: Sequence[str | None] | None = None,
        rank: Sequence[int] | Int16s | None = None,
        ip: Sequence[int] | UInt32s | None = None,
        cookie: Sequence[str | None] | None = None,
        attributes: Mapping[str, Sequence[str]] | None = None,
        origin: LogOrigin | None = None,
    ) -> QueryLog:
        """Encode plain columns of equal length; None in `url` or `cookie` means missing."""
        n = len(user)
        urls = [None] * n if url is None else url
        texts = {"user": user, "query": query, "url": urls, "cookie": cookie, **(attributes or {})}
        coded = {name: _encode_texts(text) for name, text in texts.items() if text is not None}
        columns: dict[str, Array] = {name: codes for name, (codes, _) in coded.items()}
        columns["time"] = np.asarray(time, dtype=np.int64)
        columns["rank"] = np.full(n, NONE, np.int16) if rank is None else np.asarray(rank, np.int16)
        if ip is not None:
            columns["ip"] = np.asarray(ip, dtype=np.uint32)
        fields = name_fields(columns, {name: words for name, (_, words) in coded.items()})
        return cls.from_codes(**fields, origin=origin or LogOrigin(rows_read=n))

    @classmethod
    def from_codes(cls, *, origin: LogOrigin | None = None, **fields: Any) -> QueryLog:
        """Sort coded columns by (user, time), stably; skips the sort if they already are.

        `fields` are the log's by name: columns, vocabularies, attributes.
        """
        user, time = fields["user"], fields["time"]
        log = cls(origin=origin or LogOrigin(rows_read=len(user)), **fields)
        step = np.diff(user)
        if not np.any((step < 0) | ((step == 0) & (np.diff(time) < 0))):
            return log
        order = np.lexsort((time, user))
        columns = {name: column[order] for name, column in log.columns.items()}
        words = log.vocabularies
        # Numbered anew in the order of rows: a log written and read again is the same.
        for name in words:
            if name != "user":
                columns[name], words[name] = number_by_appearance(columns[name], words[name])
        return cls(**name_fields(columns, words), origin=log.origin)

    def rows(self, keep: Bools | Int64s) -> QueryLog:
        """A log of only some rows (a mask or ascending positions), codes renumbered; O(n)."""
        columns = {name: column[keep] for name, column in self.columns.items()}
        words = self.vocabularies
        for name in words:
            columns[name], words[name] = number_by_appearance(columns[name], words[name])
        return QueryLog._assemble(self, columns, words)

    def with_texts(self, convert: Callable[[Vocabulary], Vocabulary]) -> QueryLog:
        """The same rows under other texts; `convert` gives as many, and distinct ones."""
        words = {name: convert(texts) for name, texts in self.vocabularies.items()}
        return replace(self, **name_fields(self.columns, words))

    def with_users(
        self,
        new: Int32s,
        users: Vocabulary,
        *,
        record: Int32s | None = None,
        keep_addresses: bool = False,
    ) -> QueryLog:
        """The same rows under other users, sorted anew: user u becomes ``users[new[u]]``.

        With `record`, shape (n,), it is the rows of record r that do. Addresses and cookies, which
        would tell who it was, are left out unless `keep_addresses`.
        """
        log = self if keep_addresses else replace(self, ip=None, cookie=None, cookies=None)
        codes = self._look_up_codes(new, self.user if record is None else record)
        return self._assemble(log.columns | {"user": codes}, log.vocabularies | {"user": users})

    def _look_up_codes(self, new: Int32s, codes: Int32s) -> Int32s:
        return new[codes]

    def _assemble(self, columns: dict[str, Array], words: dict[str, Vocabulary]) -> QueryLog:
        """A log of these rows in any order, of this one's origin."""
        return QueryLog.from_codes(**name_fields(columns, words), origin=self.origin)

    def sample_users(self, size: int, seed: int) -> QueryLog:
        """The whole histories of `size` random users (all of them if there are fewer).

        For looking at only: users drawn without replacement displace each other, which no ε of a
        release covers. A release samples by coins; see `privacy.subsampling`.
        """
        return self if size >= len(self.users) else self.rows(self.of_sample(size, seed))

    def of_sample(self, size: int, seed: int) -> Bools:
        """Which rows are those of `size` random users; shape (n,)."""
        is_drawn = np.zeros(len(self.users), dtype=np.bool_)
        picks = np.random.default_rng(seed).choice(len(self.users), size, replace=False)
        is_drawn[picks] = True
        return is_drawn[self.user]

    def to_arrow(self) -> pa.Table:
        """All columns as an Arrow table that shares the strings; nulls where nothing is."""
        import pyarrow as pa

        columns: dict[str, pa.Array] = {
            name: pa.DictionaryArray.from_arrays(
                pa.array(self.columns[name], mask=self.columns[name] < 0), texts.as_arrow()
            )
            for name, texts in self.vocabularies.items()
        }
        columns["time"] = pa.array(self.time, pa.int64()).cast(pa.timestamp("s", tz="UTC"))
        columns["rank"] = pa.array(self.rank, mask=self.rank < 0)
        if self.ip is not None:
            columns["ip"] = format_addresses(self.ip).cast(pa.string())
        order = ("user", "query", "time", "rank", "url", "ip", "cookie", *self.attributes)
        return pa.table({name: columns[name] for name in order if name in columns})

    def to_pandas(self) -> pd.DataFrame:
        """All columns as a pandas table: categories of strings, UTC times."""
        import pandas as pd
        import pyarrow as pa

        # Whole numbers with nulls stay whole numbers.
        frame: pd.DataFrame = self.to_arrow().to_pandas(
            types_mapper={pa.int16(): pd.Int16Dtype()}.get
        )
        return frame


def name_fields(columns: Mapping[str, Array], words: Mapping[str, Vocabulary]) -> dict[str, Any]:
    """What a log is made of, from its columns and their texts by column."""
    extras = {name: Attribute(columns[name], words[name]) for name in words if name not in TEXTS}
    core = {name: column for name, column in columns.items() if name not in extras}
    texts = {TEXTS[name]: words[name] for name in words if name not in extras}
    return {**core, **texts, "attributes": extras}


def mark_event_starts(user: Int32s, query: Int32s, time: Int64s) -> Bools:
    """True at the first row of each distinct (user, query, time) of rows sorted by user and time.

    Rows of one event need not stand next to each other: a user can send two queries in one
    second. Only such seconds are sorted; O(n) otherwise. Shape (n,).
    """
    moment = np.ones(len(user), dtype=np.bool_)
    moment[1:] = (user[1:] != user[:-1]) | (time[1:] != time[:-1])
    first = moment.copy()
    first[1:] |= query[1:] != query[:-1]
    # An event comes back only where its second holds two changes of query at least.
    mixed = gil_friendly.running_count(moment, np.int32) - np.int32(1)
    busy = np.bincount(mixed[first & ~moment]) >= 2
    rows = np.flatnonzero(np.append(busy, False)[np.minimum(mixed, len(busy))])
    rows = rows[np.lexsort((rows, query[rows], mixed[rows]))]
    first[rows[~mark_run_starts(mixed[rows], query[rows])]] = False
    return first


def iterate_slices(size: int, step: int = 1 << 22) -> Iterator[slice]:
    """Consecutive slices that cover ``range(size)``."""
    return (slice(start, min(start + step, size)) for start in range(0, size, step))


def _freeze_array(array: A) -> A:
    array.flags.writeable = False
    return array


def _encode_texts(values: Sequence[str | None]) -> tuple[Int32s, Vocabulary]:
    """Codes by first appearance, −1 for None, and the vocabulary."""
    codes: dict[str, int] = {}
    coded = (NONE if value is None else codes.setdefault(value, len(codes)) for value in values)
    return np.fromiter(coded, np.int32, len(values)), Vocabulary.of(codes)


def number_by_appearance(codes: Int32s, vocabulary: Vocabulary) -> tuple[Int32s, Vocabulary]:
    """Drop unused codes, number the rest by first appearance in `codes`; −1 stays.

    O(n + bytes of the strings used).
    """
    from auditor.log.dictionary_kernels import first_appearances

    numbered = np.array(codes, dtype=np.int32)
    new = np.full(len(vocabulary), NONE, dtype=np.int32)
    olds = np.empty(len(vocabulary), dtype=np.int32)
    olds = olds[: first_appearances(numbered, new, olds, 0)]
    if np.array_equal(olds, np.arange(len(vocabulary))):
        return codes, vocabulary
    return numbered, vocabulary.take(olds)


def format_addresses(ip: UInt32s) -> pa.Array:
    """IPv4 addresses as people write them, null for 0."""
    import pyarrow as pa
    import pyarrow.compute as pc

    octets = [pa.array((ip >> np.uint32(shift)) & np.uint32(255)) for shift in (24, 16, 8, 0)]
    dotted = pc.binary_join_element_wise(
        *(octet.cast(pa.large_string()) for octet in octets), pa.scalar(".", pa.large_string())
    )
    return pc.if_else(pa.array(ip == 0), None, dotted)
