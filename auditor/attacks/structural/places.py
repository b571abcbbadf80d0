"""Places in distinct queries, by number, for counting who of a bundle asks for which."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Int32s
from auditor.attacks.detection.places import PlaceMatches, classify_places
from auditor.log.model import NONE, Vocabulary
from auditor.progress import Progress


@dataclass(frozen=True, eq=False)
class LocatedQueries:
    """The place, by postal code, of each of m distinct queries.

    Attributes
    ----------
    place
        int32 postal code, −1 where a query names no place surely enough; shape (m,).
    found
        What the gazetteer found, sure or not.
    """

    place: Int32s
    found: PlaceMatches

    def describe_place(self, query: int) -> str:
        """A query's place in words: "bend, or 97701"."""
        return f"{self.found.label(int(self.found.place[query]))} {self.place[query]:05d}"


def locate_queries(queries: Vocabulary, confidence: float, progress: Progress) -> LocatedQueries:
    """Postal codes of queries whose place is at least so sure; states have none. O(bytes).

    As in the source a place is a postal code: a city's queries count for the code at its middle,
    unless they name another.
    """
    found = classify_places(queries, progress)
    place = np.where(found.is_sure(confidence), found.zip, np.int32(NONE)).astype(np.int32)
    return LocatedQueries(place, found)
