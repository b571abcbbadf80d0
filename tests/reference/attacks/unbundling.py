"""Un-bundling (Jones, Kumar, Pang and Tomkins 2008, section 6): fibers by shared words, and scores.

Over the searches of heavy users (more than the mean of their bundle) in bundles of enough
searches, with C the searches of the user and D the recovered fiber: F is the harmonic mean of the
means of |C∩D|/|C| and |C∩D|/|D|; Meila's is H(C) + H(D) − 2I, the mean of log₂(|C|·|D|/|C∩D|²);
Rand's is the share of other searches that only one of both keeps together with it. Each bundle
counts alike.
"""

import math
from collections.abc import Callable
from statistics import fmean
from typing import NamedTuple

from tests.reference.logs import Row

Words = Callable[[str], frozenset[str]]


class Scores(NamedTuple):
    """Means over bundles."""

    f: float
    meila: float
    rand: float


def alone(events: list[Row], words: Words) -> list[int]:
    """BL1: every search its own fiber."""
    return list(range(len(events)))


def together(events: list[Row], words: Words) -> list[int]:
    """BL2: the bundle is one fiber."""
    return [0] * len(events)


def by_words(events: list[Row], words: Words) -> list[int]:
    """What hangs together by shared words; labels spread until nothing changes."""
    label = list(range(len(events)))
    spoken = [words(event.query) for event in events]
    changed = True
    while changed:
        changed = False
        for i, mine in enumerate(spoken):
            near = [label[j] for j, other in enumerate(spoken) if mine & other]
            least = min([label[i], *near])
            if least < label[i]:
                label[i], changed = least, True
    return label


def scores(
    bundles: dict[object, list[Row]],
    cut: Callable[[list[Row], Words], list[int]],
    words: Words,
    least: int,
) -> Scores:
    """The three measures of one way to cut bundles into fibers."""
    results = []
    for events in bundles.values():
        users = {event.user for event in events}
        by_user = {user: {i for i, e in enumerate(events) if e.user == user} for user in users}
        heavy = {user for user in users if len(by_user[user]) > len(events) / len(users)}
        if len(events) < least or not heavy:
            continue
        label = cut(events, words)
        fibers: dict[int, set[int]] = {}
        for i, name in enumerate(label):
            fibers.setdefault(name, set()).add(i)
        rows = []
        for i, event in enumerate(events):
            if event.user not in heavy:
                continue
            C, D = by_user[event.user], fibers[label[i]]
            both = len(C & D)
            meila = math.log2(len(C) * len(D) / both**2)
            apart = (len(C) + len(D) - 2 * both) / max(1, len(events) - 1)
            rows.append((both / len(C), both / len(D), meila, apart))
        recall, precision, meila, rand = map(fmean, zip(*rows, strict=True))
        results.append(Scores(2 * recall * precision / (recall + precision), meila, rand))
    return Scores(*map(fmean, zip(*results, strict=True)))
