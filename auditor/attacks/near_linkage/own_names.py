"""Users who search for their own name in another form: nicknames, initials left out, misspellings.

A query holds a user's name nearly if two neighbouring words of it are like their first and last
name (either order): the last names at least `LAST` alike by Jaro–Winkler, and the first names at
least `FIRST` alike, or both forms of one name in the table of nicknames. Cost: O(words of the
users' queries), for at most the users that are given.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from auditor.fuzzy_search import fold_text
from auditor.log.model import QueryLog
from auditor.progress import Progress
from auditor.resource_files import resource_path

FIRST, LAST = 0.9, 0.93
"""Least likeness by Jaro–Winkler of first and of last names."""
SHORTEST_NAME = 3


@dataclass(frozen=True)
class OwnNameCounts:
    """Of `users` with a profile: who asked for their own name exactly, nearly, or another's.

    `others` is the control: who asked nearly for the name of the next user in the table.
    `queries` are the codes of the queries that hold the user's own name nearly but not exactly.
    """

    users: int
    exactly: int
    nearly: int
    others: int
    queries: tuple[int, ...]


@functools.lru_cache(maxsize=1)
def read_nicknames() -> Mapping[str, frozenset[int]]:
    """For each first name the groups of forms that it belongs to."""
    groups: dict[str, set[int]] = {}
    text = resource_path("own/nicknames.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    for number, line in enumerate(lines):
        for name in line.split():
            groups.setdefault(name, set()).add(number)
    return {name: frozenset(numbers) for name, numbers in groups.items()}


def match_names(one: str, other: str, least: float) -> bool:
    """Whether two names are at least so much alike."""
    from rapidfuzz.distance import JaroWinkler

    if one == other or min(len(one), len(other)) < SHORTEST_NAME:
        return one == other
    return JaroWinkler.similarity(one, other, score_cutoff=least) > 0


def match_first_names(one: str, other: str) -> bool:
    """Whether two first names are alike, or forms of one name."""
    table, none = read_nicknames(), frozenset[int]()
    return bool(table.get(one, none) & table.get(other, none)) or match_names(one, other, FIRST)


def find_name(words: Sequence[str], first: str, last: str) -> str:
    """How a query's words hold a name: "exactly", "nearly", or an empty string."""
    pairs = list(itertools.pairwise(words))
    if (first, last) in pairs:
        return "exactly"
    for one, two in pairs:
        for given, family in ((one, two), (two, one)):
            if match_names(family, last, LAST) and match_first_names(given, first):
                return "nearly"
    return ""


def count_own_names(
    log: QueryLog, names: Mapping[str, str], most: int, progress: Progress
) -> OwnNameCounts:
    """Look for users' own names among their queries, for the first `most` users with a name."""
    found = log.users.find(list(names))
    people = []
    for user, name in zip(found.tolist(), names.values(), strict=True):
        words = fold_text(name).split()
        if user >= 0 and len(words) >= 2:
            people.append((user, words[0], words[-1]))
    people = people[:most]
    exactly = nearly = others = 0
    queries: set[int] = set()
    for first, last in progress.blocks("looking for own names", len(people), 50):
        for at in range(first, last):
            user, given, family = people[at]
            _, other, stranger = people[(at + 1) % len(people)]
            rows = slice(int(log.user_starts[user]), int(log.user_starts[user + 1]))
            codes = sorted(set(log.query[rows].tolist()))
            said: dict[int, str] = {}
            strange = False
            for code in codes:
                words = fold_text(log.queries[code]).split()
                said[code] = find_name(words, given, family)
                strange |= bool(find_name(words, other, stranger))
            near = {code for code, how in said.items() if how == "nearly"}
            queries |= near
            exactly += "exactly" in said.values()
            nearly += bool(near) and "exactly" not in said.values()
            others += strange
    return OwnNameCounts(len(people), exactly, nearly, others, tuple(sorted(queries)))
