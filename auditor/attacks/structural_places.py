"""Places in distinct queries, by number, for counting who of a bundle asks for which."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from auditor.attacks.kinds import Kind
from auditor.attacks.spotters import spot
from auditor.log.model import Vocabulary
from auditor.progress import Progress

_STEP = 10_000


@dataclass(frozen=True, eq=False, kw_only=True)
class Places:
    """Marks of places in m distinct queries, by query; s marks.

    Attributes
    ----------
    starts
        int64; the marks of query q are ``starts[q]:starts[q + 1]``; shape (m + 1,).
    query, start, stop
        int32 query and characters of each mark; shape (s,).
    place
        int32 in ``range(len(names))``; shape (s,).
    names
        What each place is called.
    """

    starts: NDArray[np.int64]
    query: NDArray[np.int32]
    start: NDArray[np.int32]
    stop: NDArray[np.int32]
    place: NDArray[np.int32]
    names: tuple[str, ...]


def find(queries: Vocabulary, progress: Progress) -> Places:
    """Mark places and number them by their words; O(bytes)."""
    spots = spot(queries, (Kind.PLACE,), progress=progress)
    names: dict[str, int] = {}
    place = np.empty(len(spots), dtype=np.int32)
    columns = (spots.query.tolist(), spots.start.tolist(), spots.stop.tolist())
    for at, (query, start, stop) in enumerate(zip(*columns, strict=True)):
        if at % _STEP == 0:
            progress.check()
        words = " ".join(re.findall(r"\w+", queries[query][start:stop].lower()))
        place[at] = names.setdefault(words, len(names))
    counts = np.bincount(spots.query, minlength=len(queries))
    return Places(
        starts=np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
        query=spots.query,
        start=spots.start,
        stop=spots.stop,
        place=place,
        names=tuple(names),
    )
