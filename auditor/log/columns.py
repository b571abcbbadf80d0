"""What each column of a log holds, and whom the columns beside it give away.

An attribute that is released beside a query narrows down whose it is. How far is counted of the log
itself, by what stands on a row: who knows all that somebody's rows show may single out more.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Int32s, Int64s
from auditor.log.gil_friendly import count_into, sorted_distinct
from auditor.log.model import NONE, QueryLog
from auditor.log.sentences import sentence
from auditor.progress import Progress

Columns = Mapping[str, Int32s]
"""The codes of some attributes."""

SIGNED_IN = "signed_in"
"""The column that says who was signed in."""
_WITHHELD = (SIGNED_IN, "input_mode", "filters")
FEW = 10
"""Users up to which a group hides nobody well."""
_EXAMPLES, _LOOKED_AT = 3, 30


def is_withheld(name: str) -> bool:
    """Whether no release has a column beside a log, or what a search's results had in it."""
    return name.removesuffix("_shown") in _WITHHELD


def list_public(names: Iterable[str]) -> tuple[str, ...]:
    """Those of some columns beside a log that a release may have."""
    return tuple(name for name in names if not is_withheld(name))


@dataclass(frozen=True)
class ColumnExposure:
    """Of how many users a combination of some attributes tells who they are.

    Attributes
    ----------
    names
        The attributes.
    users
        Users of the log.
    alone, few
        Users with a combination that no other user has, and that fewer than `FEW` users have.
    """

    names: tuple[str, ...]
    users: int
    alone: int
    few: int

    @property
    def text(self) -> str:
        """The counts in words."""
        counts = {"alone": self.alone, "users": self.users, "few": self.few, "least": FEW}
        return sentence("columns.users_alone", names=" × ".join(self.names), **counts)


@dataclass(frozen=True, eq=False)
class ColumnFacts:
    """A column: its distinct values, the share of rows without one, and three as they stand."""

    name: str
    distinct: int | None
    missing: float
    examples: tuple[str, ...]


def describe_columns(log: QueryLog) -> tuple[ColumnFacts, ...]:
    """Each column in which anything stands; O(rows)."""
    blank = log.queries.find_blank()
    facts = []
    for name, column in log.columns.items():
        has_value = column != (0 if name == "ip" else NONE)
        words = log.vocabularies.get(name)
        if name == "query":
            has_value = ~blank[column]
        if not has_value.any():
            continue
        spread = column[has_value][:: max(1, int(has_value.sum()) // _LOOKED_AT)].tolist()
        example_codes = list(dict.fromkeys(spread))[:_EXAMPLES]
        distinct = None if words is None else len(words)
        facts.append(
            ColumnFacts(
                name,
                int((~blank).sum()) if name == "query" else distinct,
                1 - float(has_value.mean()),
                tuple(
                    show_value(name, value) if words is None else words[value]
                    for value in example_codes
                ),
            )
        )
    return tuple(facts)


def show_value(name: str, value: int) -> str:
    """A value of a column without texts as people write it: a time, an address, a rank."""
    if name == "time":
        return str(np.datetime64(value, "s")).replace("T", " ")
    if name == "ip":
        return ".".join(map(str, value.to_bytes(4, "big")))
    return str(value)


def list_exposures(log: QueryLog) -> tuple[ColumnExposure, ...]:
    """What all attributes together give away, and then each by itself where there are several."""
    titles = list(log.attributes)
    groups = (
        [titles, *([name] for name in titles)] if len(titles) > 1 else [titles] if titles else []
    )
    return tuple(measure_exposure(log, names) for names in groups)


def measure_exposure(log: QueryLog, names: Sequence[str]) -> ColumnExposure:
    """How many users have a combination of attributes that few or no others have.

    A missing value is a value like others; a user has as many combinations as their rows hold.
    O(attributes · rows log rows).
    """
    combination, holders = count_holders(log, {name: log.attributes[name].codes for name in names})
    least = np.full(len(log.users), len(log.users), dtype=np.int64)
    np.minimum.at(least, log.user, holders[combination])
    return ColumnExposure(
        tuple(names),
        len(log.users),
        int(np.count_nonzero(least == 1)),
        int(np.count_nonzero(least < FEW)),
    )


def count_holders(log: QueryLog, codes: Columns) -> tuple[Int64s, Int64s]:
    """The number of each row's combination, and how many users have each combination."""
    combination = np.zeros(len(log), dtype=np.int64)
    for column in codes.values():
        key = combination * (int(column.max(initial=NONE)) + 2) + column + 1
        combination = np.searchsorted(sorted_distinct(key), key)
    return combination, count_users(combination, log.user, len(log.users))[1]


def count_users(key: Int64s, user: Int32s, users: int) -> tuple[Int64s, Int64s]:
    """The different keys, ascending, and how many users have each."""
    if int(key.max(initial=0)) >= (1 << 62) // max(users, 1):
        keys = sorted_distinct(key)
        return keys, count_users(np.searchsorted(keys, key), user, users)[1]
    owned = sorted_distinct(key * users + user) // max(users, 1)
    begins = np.flatnonzero(np.diff(owned, prepend=-1))
    return owned[begins], np.diff(np.append(begins, len(owned)))


_ROWS = 1 << 20


def count_query_users(log: QueryLog, progress: Progress) -> Int64s:
    """How many users issued each query; O(rows · log of a block's rows)."""
    users = np.zeros(len(log.queries), dtype=np.int64)
    stage = "counting who issued what"
    for first, last in progress.whole_blocks(stage, log.user_starts, _ROWS):
        rows = slice(int(log.user_starts[first]), int(log.user_starts[last]))
        pairs = sorted_distinct((log.user[rows].astype(np.int64) << 32) | log.query[rows])
        count_into(pairs & 0xFFFFFFFF, users)
    return users
