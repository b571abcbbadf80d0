"""The marks of a log's strings, found once, and which strings point at a person by their text.

The marks are those of the default rules without what a log adds to them: how many users issued a
name, or clicked an address, plays no part. So a name counts here unless a list knows it, and an
address unless it holds no identifier. Whatever `session_scoring` takes for identifying in a query
of several users is marked here, too. Cost O(bytes).
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Hashable

import numpy as np

from auditor.arrays import Bools
from auditor.attacks.detection.clicked_addresses import find_in_addresses
from auditor.attacks.detection.detector import DetectorOptions, detect_marks
from auditor.attacks.detection.entity_detection import EntityMarks
from auditor.attacks.detection.kinds import PII, EntityKind
from auditor.log.model import Vocabulary
from auditor.progress import Progress

_marks: weakref.WeakKeyDictionary[Vocabulary, dict[Hashable, EntityMarks]]
_marks = weakref.WeakKeyDictionary()
_remembered: weakref.WeakKeyDictionary[Vocabulary, Bools] = weakref.WeakKeyDictionary()
"""Which queries hold an identifier, and which that or a private name; shape (2, queries)."""
_remembered_addresses: weakref.WeakKeyDictionary[Vocabulary, Bools]
_remembered_addresses = weakref.WeakKeyDictionary()
_lock = threading.Lock()


def remember_marks(
    queries: Vocabulary, key: Hashable, find: Callable[[], EntityMarks]
) -> EntityMarks:
    """What `find` finds in some strings, remembered under `key` as long as the vocabulary lives.

    Marks depend on the strings alone, and the auditor tries many settings on one log. Two sets are
    remembered: a project's own weights are held against all rules counting fully.
    """
    with _lock:
        known = _marks.get(queries, {})
    if key in known:
        return known[key]
    marks = find()
    with _lock:
        latest = list(_marks.get(queries, {}).items())[-1:]
        _marks[queries] = dict([*latest, (key, marks)])
    return marks


def mark_everything(queries: Vocabulary, progress: Progress) -> EntityMarks:
    """The marks of all kinds by the default rules, remembered. Raises `Cancelled`."""
    options = DetectorOptions()
    return remember_marks(
        queries, options, lambda: detect_marks(queries, options, progress=progress)
    )


def mark_identifying(queries: Vocabulary, progress: Progress, *, names: bool) -> Bools:
    """Queries that hold an identifier of a person or, with `names`, a private name.

    Remembered for as long as the vocabulary lives. Shape (len(queries),).

    Raises
    ------
    Cancelled
        Somebody asked to stop.
    """
    with _lock:
        identifying = _remembered.get(queries)
    if identifying is None:
        marks = mark_everything(queries, progress)
        identifiers = np.isin(marks.kind, PII)
        private = marks.is_of_kind(EntityKind.PERSON) & ~marks.known
        identifying = np.zeros((2, len(queries)), dtype=np.bool_)
        identifying[:, marks.query[identifiers]] = True
        identifying[1, marks.query[private]] = True
        with _lock:
            _remembered[queries] = identifying
    flags: Bools = identifying[int(names)]
    return flags


def is_marked(queries: Vocabulary) -> bool:
    """Whether it is known already which of these queries are marked."""
    with _lock:
        return queries in _remembered


def mark_identifying_addresses(urls: Vocabulary) -> Bools:
    """Web addresses that hold an identifier of a person; shape (len(urls),).

    Remembered for as long as the vocabulary lives.
    """
    with _lock:
        known = _remembered_addresses.get(urls)
    if known is not None:
        return known
    found = np.zeros(len(urls), dtype=np.bool_)
    for mark in find_in_addresses(urls, DetectorOptions()):
        found[mark.address] = True
    with _lock:
        _remembered_addresses[urls] = found
    return found
