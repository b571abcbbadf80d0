"""What a reviewer is shown of a run before it is exported, as plain values; no Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

import numpy as np

from auditor.attacks.base import FlaggedFindings
from auditor.attacks.registry import choose_first
from auditor.engine.run import Run
from auditor.figures import MetricValue
from auditor.gui.app.translation import tr
from auditor.gui.risk import session_filter
from auditor.gui.widgets import formats, safe_text
from auditor.privacy.statement import Statement
from auditor.project.model import SessionNote


@dataclass(frozen=True)
class SurvivalSummary:
    """What of the flagged sessions stands in the release; by reason, the most surviving first.

    `reasons` holds (reason, sessions flagged for it, of which something marked survives).
    """

    sessions: int
    surviving: int
    queries: int
    reasons: tuple[tuple[str, int, int], ...]
    dismissed: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Reason → (flagged sessions that were put away for it, of which something survives)."""
    noted: int = 0
    """Flagged sessions of which somebody said something."""

    def format_sentence(self) -> str:
        if not self.sessions:
            return tr(
                "No session was flagged. Nothing was recognised, which does not mean that nobody "
                "can be recognised."
            )
        flagged = safe_text.format_plural(
            self.sessions, "session was flagged", "sessions were flagged"
        )
        if not self.surviving:
            text = tr(
                "{flagged}. None of their marked queries stands in the release word for word."
            )
            return text.format(flagged=flagged)
        text = tr(
            "{flagged}. In {surviving} of them a marked query stands in the release word for word "
            "({queries} in all, counted by session)."
        )
        return text.format(
            flagged=flagged,
            surviving=formats.format_count(self.surviving),
            queries=safe_text.format_plural(self.queries, "marked query", "marked queries"),
        )


def findings_of(result: Run) -> FlaggedFindings | None:
    return result.findings.get(choose_first(result.findings))


def count_survival(findings: FlaggedFindings) -> SurvivalSummary:
    """Count what survives; O(sessions × reasons)."""
    stands = findings.surviving > 0
    rows = []
    for bit, text in enumerate(findings.reasons):
        has = (findings.reason >> np.uint64(bit)) & np.uint64(1) == 1
        if has.any():
            rows.append((text, int(has.sum()), int((has & stands).sum())))
    rows.sort(key=lambda row: (-row[2], -row[1]))
    return SurvivalSummary(
        len(findings), int(stands.sum()), int(findings.surviving.sum(dtype=np.int64)), tuple(rows)
    )


def survival_of(result: Run, notes: Sequence[SessionNote]) -> SurvivalSummary | None:
    """What survives of the sessions shown first; of any attack's, which were put away or noted."""
    findings = findings_of(result)
    if findings is None:
        return None
    every = [attack.findings for attack in result.attacks if attack.findings is not None]
    away = session_filter.count_dismissals(every, notes)
    noted = session_filter.count_noted(every, notes)
    return replace(count_survival(findings), dismissed=away, noted=noted)


def key_figures(result: Run) -> tuple[list[MetricValue], list[MetricValue]]:
    """(those to read first, all the others), each in the run's order.

    First come the claim, every attack's rate, and of each measure and attack the first figure
    that speaks of privacy or utility.
    """
    parts = [m.values for m in result.measures] + [a.values for a in result.attacks]
    first = [next((value for value in values if value.side), None) for values in parts]
    names = {value.name for value in first if value is not None}
    names |= {"epsilon", "delta"} | {f"{attack.attack}.rate" for attack in result.attacks}
    key = [value for value in result.values if value.name in names]
    return key, [value for value in result.values if value.name not in names]


def list_confirmations(statement: Statement, survived: SurvivalSummary | None) -> list[str]:
    """What a reviewer has to say yes to before this run may leave the house."""
    confirmed = [tr("I have read what is guaranteed here, and what is not.")]
    if failing := len(statement.failing):
        which = safe_text.format_plural(failing, "assumption fails", "assumptions fail")
        text = tr("I know that {which}: the guarantee does not hold as stated.")
        confirmed.append(text.format(which=which))
    if survived is not None and survived.dismissed:
        away = sum(count for count, _ in survived.dismissed.values())
        which = safe_text.format_plural(away, "session was", "sessions were")
        confirmed.append(tr("I agree that {which} dismissed by hand.").format(which=which))
    if survived is not None and survived.surviving:
        surviving = formats.format_count(survived.surviving)
        text = tr(
            "I have looked at the flagged sessions of which something survives ({surviving})."
        )
        confirmed.append(text.format(surviving=surviving))
    return confirmed


def suggested_folder(result: Run, beside: Path) -> Path:
    """A folder that doesn't exist yet, named after method and day."""
    name = f"release-{result.release.method}-{date.today().isoformat()}"
    folder, number = beside / name, 2
    while folder.exists():
        folder, number = beside / f"{name}-{number}", number + 1
    return folder
