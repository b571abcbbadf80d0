"""Strings that an audit puts in the place of a method's public list, for one run.

A method whose keys are public promises the same whatever the list: so its audit chooses one that
holds what the audit's users issue. Nothing else ever does.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from auditor.log.model import Vocabulary

_planted: ContextVar[Vocabulary | None] = ContextVar("planted_keys", default=None)


@contextmanager
def plant_keys(strings: Vocabulary | None) -> Iterator[None]:
    """Within, methods with public keys count these queries alone; None changes nothing."""
    token = _planted.set(strings)
    try:
        yield
    finally:
        _planted.reset(token)


def find_planted_keys() -> Vocabulary | None:
    """The list of the audit that is running here, if one is."""
    return _planted.get()
