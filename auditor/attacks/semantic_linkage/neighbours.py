"""The released queries that are closest to known ones in meaning.

All known queries are compared with all released ones by the cosine of their vectors, block by
block: O(known · released · dimensions) multiplications in a matrix product that lets other threads
run, and memory for one block and for the neighbours. Only those above a cutoff are kept, and of
them the closest few.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Float32s, Int64s
from auditor.attacks.semantic_linkage.embeddings import TextEncoder
from auditor.log.model import Vocabulary
from auditor.progress import Progress

RELEASED_BLOCK = 2_048
KNOWN_BLOCK = 1_024
"""Two blocks are compared in some 40 ms, with 8 MB for their cosines."""

DECIMALS = 5
"""Of a cosine, so that the same words in another order tie: the product is only about so exact."""


@dataclass(frozen=True, eq=False)
class SemanticNeighbours:
    """Released queries close to each of k known ones, as pairs ordered by known query.

    Attributes
    ----------
    known
        Which known query; ascending; shape (pairs,).
    place
        Code of the released query; shape (pairs,).
    cosine
        Of their vectors, the closest first; shape (pairs,).
    """

    known: Int64s
    place: Int64s
    cosine: Float32s


def find_neighbours(
    known: Float32s,
    released: Vocabulary,
    encode: TextEncoder,
    *,
    least: float,
    most: int,
    progress: Progress,
) -> SemanticNeighbours:
    """At most `most` released queries with a cosine of at least `least`, for each known one.

    Parameters
    ----------
    known
        Unit vectors, or zero; shape (k, dimensions).
    """
    found = SemanticNeighbours(
        np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
    )
    floor = np.full(len(known), np.nextafter(np.float32(least), np.float32(-1)), dtype=np.float32)
    arrow = released.as_arrow()
    for first, last in progress.blocks(
        "comparing meanings", len(released) if len(known) else 0, RELEASED_BLOCK
    ):
        vectors = encode(arrow[first:last].to_pylist())
        parts = [found]
        for begin in range(0, len(known), KNOWN_BLOCK):
            progress.check()
            cosine = known[begin : begin + KNOWN_BLOCK] @ vectors.T
            row, column = np.nonzero(cosine > floor[begin : begin + KNOWN_BLOCK, None])
            alike = cosine[row, column].round(DECIMALS)
            parts.append(SemanticNeighbours(row + begin, column + first, alike))
        if any(len(part.known) for part in parts[1:]):
            found = _keep_closest(parts, most)
            full = np.bincount(found.known, minlength=len(known)) == most
            last_of = np.searchsorted(found.known, np.arange(len(known)), side="right") - 1
            floor[full] = found.cosine[last_of[full]]
    return found


def _keep_closest(parts: list[SemanticNeighbours], most: int) -> SemanticNeighbours:
    """The closest `most` of each known query among all the parts; of equals the first."""
    known = np.concatenate([part.known for part in parts])
    place = np.concatenate([part.place for part in parts])
    cosine = np.concatenate([part.cosine for part in parts])
    order = np.lexsort((place, -cosine, known))
    known, place, cosine = known[order], place[order], cosine[order]
    rank = np.arange(len(known)) - np.searchsorted(known, known)
    kept = rank < most
    return SemanticNeighbours(known[kept], place[kept], cosine[kept])
