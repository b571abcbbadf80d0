"""What stands in a method's place for a release that somebody else made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from auditor.errors import MissingInput
from auditor.log.model import QueryLog
from auditor.methods.base import Method
from auditor.params import Params
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import UNKNOWN as UNKNOWN
from auditor.privacy.statement import Statement
from auditor.progress import Progress


@dataclass(frozen=True, kw_only=True)
class ElsewhereParams(Params, owner=UNKNOWN):
    """Nobody knows any."""


def _refuse(
    log: QueryLog, params: ElsewhereParams, *, rng: Randomness, progress: Progress
) -> NoReturn:
    del log, params, rng, progress
    raise MissingInput("This release was made elsewhere: it can be judged, and not made again.")


ELSEWHERE = Method(
    name=UNKNOWN,
    title="Made elsewhere",
    summary="A release that somebody else made: nothing is known of how.",
    source="",
    params=ElsewhereParams,
    yields="tables",
    randomised=False,
    run=_refuse,
)


def unknown_statement() -> Statement:
    """What is claimed of a release of which nobody says how it was made."""
    return Statement("none", "Nothing is known of how this release was made.", UNKNOWN)
