"""Which flagged sessions somebody put away, for which reason, or said something of; no Qt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np

from auditor.arrays import Bools
from auditor.attacks.base import FlaggedFindings
from auditor.project.model import REASONS, SessionNote

Rows = tuple[int, int]


def put_away(findings: FlaggedFindings, dismissed: Iterable[Rows]) -> Bools:
    """Which of the findings' sessions were dismissed; shape (m,); O(m + notes)."""
    wanted = set(dismissed)
    starts = np.array([start for start, _ in wanted], dtype=np.int64)
    hits: Bools = np.isin(findings.start, starts)
    for place in np.flatnonzero(hits):
        hits[place] = (int(findings.start[place]), int(findings.stop[place])) in wanted
    return hits


def count_dismissals(
    found: Iterable[FlaggedFindings], notes: Iterable[SessionNote]
) -> dict[str, tuple[int, int]]:
    """Reason → (sessions put away for it, of which something survives), the most first.

    Only sessions that one of `found` flags count, each once.
    """
    away = {(note.start, note.stop): note.dismissed for note in notes if note.dismissed}
    flagged: dict[Rows, bool] = {}
    for findings in found:
        for place in np.flatnonzero(put_away(findings, away)):
            rows = int(findings.start[place]), int(findings.stop[place])
            flagged[rows] = flagged.get(rows, False) or bool(findings.surviving[place] > 0)
    told = Counter(away[rows] for rows in flagged)
    survive = Counter(away[rows] for rows, stands in flagged.items() if stands)
    return {reason: (count, survive[reason]) for reason, count in told.most_common()}


def count_noted(found: Iterable[FlaggedFindings], notes: Iterable[SessionNote]) -> int:
    """How many sessions that one of `found` flags have words of somebody."""
    said = {(note.start, note.stop) for note in notes if note.text}
    flagged: set[Rows] = set()
    for findings in found:
        for place in np.flatnonzero(put_away(findings, said)):
            flagged.add((int(findings.start[place]), int(findings.stop[place])))
    return len(flagged)


def dismissal_facts(dismissed: Mapping[str, tuple[int, int]], noted: int = 0) -> dict[str, object]:
    """What a manifest says of it, in words of the program's own; nothing if there were none."""
    notes: dict[str, object] = {"noted": noted} if noted else {}
    if not dismissed:
        return notes
    return notes | {
        "sessions": sum(count for count, _ in dismissed.values()),
        "surviving": sum(stands for _, stands in dismissed.values()),
        "reasons": {REASONS[reason]: count for reason, (count, _) in dismissed.items()},
    }
