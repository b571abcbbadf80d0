"""The marks of a log's strings, found once, and which strings point at a person by their text.

The marks are those of the default rules without what a log adds to them: how many users issued a
name, or clicked an address, plays no part. So a name counts here unless a list knows it, and an
address unless it holds no identifier. Whatever `session_scoring` takes for identifying in a query
of several users is marked here, too. Cost O(bytes).
"""

import numpy as np

from auditor.arrays import Bools
from auditor.attacks.detection.clicked_addresses import find_in_addresses
from auditor.attacks.detection.detector import DetectorOptions, detect_marks
from auditor.attacks.detection.entity_detection import EntityMarks
from auditor.attacks.detection.kinds import PII, EntityKind
from auditor.log.lifetime_cache import LifetimeCache
from auditor.log.model import Vocabulary
from auditor.progress import Progress

MARKS = LifetimeCache[Vocabulary, EntityMarks](2)
"""Two sets for each log: a project's own weights are held against all rules counting fully."""
_IDENTIFYING = LifetimeCache[Vocabulary, Bools]()
"""Which queries hold an identifier, and which that or a private name; shape (2, queries)."""
_ADDRESSES = LifetimeCache[Vocabulary, Bools]()


def mark_everything(queries: Vocabulary, progress: Progress) -> EntityMarks:
    """The marks of all kinds by the default rules, remembered. Raises `Cancelled`."""
    options = DetectorOptions()
    return MARKS.get(queries, options, lambda: detect_marks(queries, options, progress=progress))


def mark_identifying(queries: Vocabulary, progress: Progress, *, names: bool) -> Bools:
    """Queries that hold an identifier of a person or, with `names`, a private name.

    Remembered as long as the vocabulary lives; shape (len(queries),).

    Raises `Cancelled`.
    """

    def find() -> Bools:
        marks = mark_everything(queries, progress)
        private = marks.is_of_kind(EntityKind.PERSON) & ~marks.is_public
        identifying = np.zeros((2, len(queries)), dtype=np.bool_)
        identifying[:, marks.query[np.isin(marks.kind, PII)]] = True
        identifying[1, marks.query[private]] = True
        return identifying

    flags: Bools = _IDENTIFYING.get(queries, None, find)[int(names)]
    return flags


def is_marked(queries: Vocabulary) -> bool:
    """Whether it is known already which of these queries are marked."""
    return queries in _IDENTIFYING


def mark_identifying_addresses(urls: Vocabulary) -> Bools:
    """Web addresses that hold an identifier of a person, remembered; shape (len(urls),)."""

    def find() -> Bools:
        flags = np.zeros(len(urls), dtype=np.bool_)
        flags[[mark.address for mark in find_in_addresses(urls, DetectorOptions())]] = True
        return flags

    return _ADDRESSES.get(urls, None, find)
