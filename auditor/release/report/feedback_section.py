"""The section of a report on what a steward said of the detector's marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from auditor.release.feedback.sentences import feedback_sentences
from auditor.release.report.formatting import cell_text


def feedback_lines(facts: Mapping[str, Any]) -> Iterator[str]:
    """Weights, signed dismissals and estimates, and what checks count with and without them."""
    judged = facts.get("gates", {})
    told = judged.get("figures", {}).get("feedback", {})
    yield from feedback_sentences(told)
    for row in judged.get("results", ()):
        if "without_feedback" not in row:
            continue
        before, after = (
            cell_text(int(row[name])) for name in ("without_feedback", "with_feedback")
        )
        yield (
            f"{row['title']}: {before} without signed dismissals and weights of rules, {after} "
            f"with them; the check is {row['verdict']}."
        )
