"""Which names a user goes by, from her userid and from her profile, and how the two combine.

A userid is cut into names along the shortest path over its letters: an edge spans each name of
the census and each single letter, so that long names are preferred to many short ones. Of paths
as short, the one with fewer single letters counts, then the one with the more common names; the
source leaves that open.

Source: Jones, Kumar, Pang and Tomkins, CIKM 2008, section 4.1, Table 3. A userid costs the
square of its letters, at most 15 of them a name; everything else is linear in users.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from auditor.attacks.folding import Folder
from auditor.attacks.lexicon import split
from auditor.log import gazetteers
from auditor.log.model import Vocabulary
from auditor.progress import Progress

Longs = NDArray[np.int64]

WAYS = ("profile", "userid", "either", "both", "common")
"""The source's P, S, and three ways to combine them; each with a least number of names."""
_SHIFT = 24
_STEP = 2_000
_NOT_LETTERS = re.compile("[^a-z]")
_LONGEST_ID = 64
_SAMPLE = 5_000
_HEX = re.compile("^[0-9a-f-]{8,}$")


@functools.cache
def census() -> Mapping[str, float]:
    """Every first or last name of the census → the cost of its rarity, natural logarithm."""
    first, last = gazetteers.first_names(), gazetteers.last_names()
    share = {**last}
    for name, part in first.items():
        share[name] = max(part, share.get(name, 0.0))
    return {name: -math.log(max(part, 1e-4)) for name, part in share.items() if len(name) > 1}


@functools.cache
def _longest() -> int:
    return max(map(len, census()))


def names_of_userid(userid: str) -> tuple[str, ...]:
    """Names along the shortest path: "jackson_andrew" gives "jackson", "andrew".

    Only letters count, in any case, accents off; of a very long userid the first 64 of them.
    """
    letters = _NOT_LETTERS.sub("", Folder().text(userid).lower())[:_LONGEST_ID]
    known, longest = census(), _longest()
    worst = (len(letters) + 1, 0, 0.0)
    best = [(0, 0, 0.0)] + [worst] * len(letters)
    back = [0] * (len(letters) + 1)
    for here in range(len(letters)):
        edges, singles, rarity = best[here]
        step = (edges + 1, singles + 1, rarity)
        if step < best[here + 1]:
            best[here + 1], back[here + 1] = step, here
        for there in range(here + 2, min(len(letters), here + longest) + 1):
            cost = known.get(letters[here:there])
            if cost is not None and (edges + 1, singles, rarity + cost) < best[there]:
                best[there], back[there] = (edges + 1, singles, rarity + cost), here
    found = []
    there = len(letters)
    while there:
        if there - back[there] > 1:
            found.append(letters[back[there] : there])
        there = back[there]
    return tuple(dict.fromkeys(reversed(found)))


def names_of_profile(name: str) -> tuple[str, ...]:
    """The words of a real name, without initials: "Mary J. O'Neil" gives "mary", "oneil"."""
    return tuple(dict.fromkeys(word for word in split(name) if len(word) > 1 and word.isalpha()))


def carry_names(users: Vocabulary) -> bool:
    """Whether a log's user ids look like ids that people chose: letters, and not hexadecimal.

    A look at 5,000 of them at most.
    """
    sample = users.strings(range(min(len(users), _SAMPLE)))
    texts = [_NOT_LETTERS.sub("", text.lower()) for text in sample if not _HEX.match(text.lower())]
    wordy = [text for text in texts if len(text) >= 3]
    # "user17" and "user18" are letters, yet nobody's name.
    return len(wordy) >= max(1, len(sample) // 5) and len(set(wordy)) * 2 > len(wordy)


@dataclass(frozen=True, eq=False)
class NameSets:
    """A set of names for each of n users, as ascending keys user · 2²⁴ + name."""

    keys: Longs
    users: int

    @classmethod
    def of(cls, pairs: Iterable[tuple[int, int]], users: int) -> NameSets:
        """From (user, name) in any order."""
        flat = np.fromiter((user << _SHIFT | name for user, name in pairs), np.int64)
        return cls(np.unique(flat), users)

    @property
    def user(self) -> Longs:
        """The user of each key."""
        return self.keys >> _SHIFT

    @property
    def name(self) -> Longs:
        """The name of each key."""
        return self.keys & ((1 << _SHIFT) - 1)

    def sizes(self) -> Longs:
        """Names of each user; shape (n,)."""
        return np.bincount(self.user, minlength=self.users).astype(np.int64)

    def only(self, users: NDArray[np.bool_]) -> NameSets:
        """The sets of some users, empty ones for the rest."""
        return NameSets(self.keys[users[self.user]], self.users)


@dataclass(frozen=True, eq=False)
class Names:
    """What is known of n users' names.

    `words` are the names by number; `profile` and `userid` say which of them each user has.
    """

    words: tuple[str, ...]
    profile: NameSets
    userid: NameSets

    def by(self, way: str, least: int) -> NameSets:
        """Names by one of `WAYS`, of users with `least` names at least, none for the others.

        O(users + names).
        """
        p, s = self.profile, self.userid
        if way == "profile":
            return p.only(p.sizes() >= least)
        if way == "userid":
            return s.only(s.sizes() >= least)
        if way == "common":
            common = NameSets(np.intersect1d(p.keys, s.keys, assume_unique=True), p.users)
            return common.only(common.sizes() >= least)
        many_p, many_s = p.sizes() >= least, s.sizes() >= least
        union = NameSets(np.union1d(p.keys, s.keys), p.users)
        return union.only(many_p | many_s if way == "either" else many_p & many_s)


def extract(names: Iterable[str], userids: Iterable[str], users: int, progress: Progress) -> Names:
    """Names from real names and userids, one of each for each user, empty where unknown."""
    codes: dict[str, int] = {}
    sets = []
    for label, texts, read in (
        ("names in profiles", names, names_of_profile),
        ("names in userids", userids, names_of_userid),
    ):
        progress.stage(label, users)
        pairs: list[tuple[int, int]] = []
        for user, text in enumerate(texts):
            if user % _STEP == 0:
                progress.update(user)
            if text:
                pairs += [(user, codes.setdefault(name, len(codes))) for name in read(text)]
        sets.append(NameSets.of(pairs, users))
    return Names(tuple(codes), sets[0], sets[1])
