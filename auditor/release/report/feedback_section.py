"""The section of a report on what a steward said of the detector's marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from auditor.release.feedback.sentences import feedback_sentences
from auditor.release.report.formatting import cell_text
from auditor.release.report.view import coarse_number


def feedback_lines(facts: Mapping[str, Any], *, inside: bool) -> Iterator[str]:
    """Weights, signed dismissals and estimates, and what checks count with and without them.

    Outside the house the counts are rounded, and what names sizes of the log is left out.
    """
    judged = facts.get("gates", {})
    told = judged.get("figures", {}).get("feedback", {})
    if inside:
        yield from feedback_sentences(told)
    elif told.get("signer") and told.get("dismissals"):
        name = told["signer"]["name"]
        yield f"Flagged sessions were dismissed as false alarms, signed by {name}."
    for row in judged.get("results", ()):
        if "without_feedback" not in row:
            continue
        before, after = (
            cell_text(coarse_number(int(row[name]), inside))
            for name in ("without_feedback", "with_feedback")
        )
        yield (
            f"{row['title']}: {before} without signed dismissals and weights of rules, {after} "
            f"with them; the check is {row['verdict']}."
        )
