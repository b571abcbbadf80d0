"""What a steward's feedback comes to, in sentences: for reports, and for a terminal.

They are made from the plain values that the evidence holds (`StewardFeedback.summary`), which name
no session and no query.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from auditor.figures import format_share


def feedback_sentences(told: Mapping[str, Any]) -> list[str]:
    """Weights, dismissals and what a judged sample says; empty if there is nothing."""
    found = []
    if weights := told.get("weights"):
        listed = ", ".join(f"{rule} {weight:g}" for rule, weight in weights.items())
        found.append(f"Rules of the detector that count less in this project: {listed}.")
    if told.get("dismissals"):
        signer = told.get("signer")
        who = f"signed by {signer['name']} on {signer['at']}" if signer else "signed by nobody"
        key = f" (key {signer['key_fingerprint']})" if signer else ""
        found.append(
            f"Flagged sessions that were dismissed: {told['dismissals']:,}, {who}{key}. Of them "
            f"{told['dismissals_counting']:,} may count, if they are flagged for nothing that the "
            "signer was not shown."
        )
    return found + estimate_sentences(told.get("estimate", {}))


def estimate_sentences(told: Mapping[str, Any]) -> list[str]:
    """What a random sample says of precision and of what is missed (`ContentEstimate.to_dict`)."""
    if not told:
        return []
    found = [
        f"Judged at random: {told['judged_marked']:,} of {told['marked']:,} marked queries and "
        f"{told['judged_unmarked']:,} of {told['unmarked']:,} unmarked ones."
    ]
    if "precision" in told:
        found.append(f"Marked queries that are sensitive: {_share(told['precision'])}.")
    if "missed" in told:
        some = told["missed_queries"]
        found.append(
            f"Unmarked queries that are sensitive: {_share(told['missed'])}. That makes "
            f"{some['value']:,.0f} distinct queries ({some['low']:,.0f} to {some['high']:,.0f})."
        )
    if "recall" in told:
        found.append(f"Sensitive queries that are marked: {_share(told['recall'])}.")
    return found


def _share(one: Mapping[str, float]) -> str:
    low, high = format_share(one["low"]), format_share(one["high"])
    return f"{format_share(one['value'])} (95 % interval {low} to {high})"
