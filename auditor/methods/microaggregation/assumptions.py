"""What lists of merged queries rest on; the same before a run and after it."""

from __future__ import annotations

from typing import Any

import numpy as np

from auditor.arrays import Int64s
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog
from auditor.messages import phrase
from auditor.privacy.statement import Assumption, Status


def same_lists(params: Any, status: Status, evidence: str) -> Assumption:
    """The guarantee itself, as it is checked on a release."""
    return Assumption(
        "every record stands k times",
        phrase("Each user's released list equals those of at least {k:,} others.", k=params.k - 1),
        status,
        evidence,
    )


def revealing_strings(lonely: int, evidence: str) -> Assumption:
    """A list holds strings as they were typed; `lonely` of them are of one user.

    Where there is none, a string that several users typed may still name one of them.
    """
    return Assumption(
        "the strings give nobody away",
        "No released query names or describes its user. Strings are released as they were "
        "typed: those of one user are in the list of the whole group.",
        "fails" if lonely else "unknown",
        evidence,
    )


def one_id() -> Assumption:
    """Groups are of ids, and a person may have several."""
    return Assumption(
        "one person, one user id",
        "Each person has one user id. A person with several ids can form a group alone.",
        "unknown",
    )


def count_askers(log: QueryLog) -> Int64s:
    """How many users issued each query."""
    pairs = sorted_distinct(log.query.astype(np.int64) * len(log.users) + log.user)
    return np.bincount(pairs // len(log.users), minlength=len(log.queries))
