"""Which names a user goes by, from their userid and from their profile, and how the two combine.

A userid is cut into names along the shortest path over its letters: an edge spans each name of
the census and each single letter, so that long names are preferred to many short ones. Of paths
as short, the one with fewer single letters counts, then the one with the more common names; the
source leaves that open.

Source: Jones, Kumar, Pang and Tomkins, CIKM 2008, section 4.1, Table 3. A userid costs its
letters times the longest name that begins at each; everything else is linear in users.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Int64s
from auditor.attacks.detection.lexicon import split_words
from auditor.attacks.detection.normalization import QueryNormalizer
from auditor.log import gazetteers
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import Vocabulary
from auditor.progress import Progress

VARIANTS = ("profile", "userid", "either", "both", "common")
"""The source's P, S, and three ways to combine them; each with a least number of names."""
_SHIFT = 24
_STEP = 5_000
_LEAST = 1e-4
_MOST = math.log(10.0)
"""Shares of names are per cent, from 0.0001 to less than 10: no cost is negative."""
_NOT_LETTERS = re.compile("[^a-z]")
_LONGEST_ID = 64
_SAMPLE = 5_000
_HEX = re.compile("^[0-9a-f-]{8,}$")


@functools.cache
def census_costs() -> Mapping[str, float]:
    """Every first or last name of the census → the cost of its rarity, natural logarithm."""
    share = dict(gazetteers.last_names())
    for name, part in gazetteers.first_names().items():
        share[name] = max(part, share.get(name, 0.0))
    return {name: _MOST - math.log(max(part, _LEAST)) for name, part in share.items()}


def names_of_userid(userid: str) -> tuple[str, ...]:
    """The names in one userid: the source's example is made again with it."""
    return names_of_userids([userid])[0]


def names_of_userids(userids: Sequence[str]) -> list[tuple[str, ...]]:
    """Names along the shortest path: "jackson_andrew" gives "jackson", "andrew"; some 40 µs each.

    Only letters count, in any case, accents off; of a very long userid the first 64 of them.
    """
    folder = QueryNormalizer()
    return [
        _cut_names(_NOT_LETTERS.sub("", folder.fold_query(userid).lower())[:_LONGEST_ID])
        for userid in userids
    ]


def _cut_names(letters: str) -> tuple[str, ...]:
    """The names along the shortest path over some letters."""
    costs, longest = census_costs(), _longest_name()
    # Edges, single letters and rarity of the best path to the end of each letter, and its start.
    paths = [(0, 0, 0.0, 0)]
    for stop in range(1, len(letters) + 1):
        edges, singles, rarity, _ = paths[stop - 1]
        best = (edges + 1, singles + 1, rarity, stop - 1)
        for start in range(max(0, stop - longest), stop - 1):
            edges, singles, rarity, _ = paths[start]
            if edges < best[0] and (cost := costs.get(letters[start:stop])) is not None:
                best = min(best, (edges + 1, singles, rarity + cost, start))
        paths.append(best)
    names, stop = [], len(letters)
    while stop:
        start = paths[stop][3]
        if stop - start > 1:
            names.append(letters[start:stop])
        stop = start
    return tuple(dict.fromkeys(reversed(names)))


@functools.cache
def _longest_name() -> int:
    return max(map(len, census_costs()))


def names_of_profile(name: str) -> tuple[str, ...]:
    """The words of a real name, without initials: "Mary J. O'Neil" gives "mary", "oneil"."""
    return tuple(
        dict.fromkeys(word for word in split_words(name) if len(word) > 1 and word.isalpha())
    )


def carry_names(users: Vocabulary) -> bool:
    """Whether a log's user ids look like ids that people chose: letters, and not hexadecimal.

    A look at 5,000 of them at most.
    """
    sample = users.list_strings(range(min(len(users), _SAMPLE)))
    texts = [_NOT_LETTERS.sub("", text.lower()) for text in sample if not _HEX.match(text.lower())]
    wordy = [text for text in texts if len(text) >= 3]
    # "user17" and "user18" are letters, yet nobody's name.
    return len(wordy) >= max(1, len(sample) // 5) and len(set(wordy)) * 2 > len(wordy)


@dataclass(frozen=True, eq=False)
class NameSets:
    """A set of names for each of n users, as ascending keys user · 2²⁴ + name."""

    keys: Int64s
    users: int

    @classmethod
    def of(cls, pairs: Iterable[tuple[int, int]], users: int) -> NameSets:
        """From (user, name) in any order."""
        flat = np.fromiter((user << _SHIFT | name for user, name in pairs), np.int64)
        return cls(sorted_distinct(flat), users)

    @property
    def user(self) -> Int64s:
        """The user of each key."""
        return self.keys >> _SHIFT

    @property
    def name(self) -> Int64s:
        """The name of each key."""
        return self.keys & ((1 << _SHIFT) - 1)

    def count_names(self) -> Int64s:
        """Names of each user; shape (n,)."""
        return np.bincount(self.user, minlength=self.users).astype(np.int64)

    def select_users(self, users: Bools) -> NameSets:
        """The sets of some users, empty ones for the rest."""
        return NameSets(self.keys[users[self.user]], self.users)


@dataclass(frozen=True, eq=False)
class UserNames:
    """What is known of n users' names.

    `words` are the names by number; `profile` and `userid` say which of them each user has.
    """

    words: tuple[str, ...]
    profile: NameSets
    userid: NameSets

    def select_users(self, users: Bools) -> UserNames:
        """The names of some users, none for the rest."""
        return UserNames(
            self.words, self.profile.select_users(users), self.userid.select_users(users)
        )

    def select_names(self, variant: str, least: int) -> NameSets:
        """Names by one of `VARIANTS`, of users with `least` names at least, none for the others.

        O(users + names).
        """
        p, s = self.profile, self.userid
        if variant == "profile":
            return p.select_users(p.count_names() >= least)
        if variant == "userid":
            return s.select_users(s.count_names() >= least)
        if variant == "common":
            common = NameSets(np.intersect1d(p.keys, s.keys, assume_unique=True), p.users)
            return common.select_users(common.count_names() >= least)
        many_p, many_s = p.count_names() >= least, s.count_names() >= least
        union = NameSets(np.union1d(p.keys, s.keys), p.users)
        return union.select_users(many_p | many_s if variant == "either" else many_p & many_s)


def extract_names(
    names: Sequence[str], userids: Sequence[str], users: int, progress: Progress
) -> UserNames:
    """Names from real names and userids, one of each for each user, empty where unknown."""
    codes: dict[str, int] = {}
    sets = []
    for label, texts, read_texts in (
        ("names in profiles", names, lambda part: list(map(names_of_profile, part))),
        ("names in userids", userids, names_of_userids),
    ):
        pairs: list[tuple[int, int]] = []
        for first, last in progress.blocks(label, users, _STEP):
            for user, words in enumerate(read_texts(texts[first:last]), first):
                pairs += [(user, codes.setdefault(name, len(codes))) for name in words]
        sets.append(NameSets.of(pairs, users))
    return UserNames(tuple(codes), sets[0], sets[1])
