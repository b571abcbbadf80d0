"""What a steward's feedback comes to, in sentences: for reports, and for a terminal.

They are made from the plain values that the evidence holds (`StewardFeedback.summarize`), which
name no session and no query.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from auditor.figures import format_share
from auditor.log.sentences import sentence
from auditor.messages import phrase


def feedback_sentences(told: Mapping[str, Any]) -> list[str]:
    """Weights, dismissals and what a judged sample says; empty if there is nothing."""
    found = []
    if weights := told.get("weights"):
        listed = ", ".join(f"{rule} {weight:g}" for rule, weight in weights.items())
        signer = told.get("signer")
        found.append(
            sentence("feedback.signed_weights", name=signer["name"], listed=listed)
            if signer and told.get("weights_counting")
            else sentence("feedback.unsigned_weights", listed=listed)
        )
    if told.get("dismissals"):
        signer = told.get("signer")
        who, key = "signed by nobody", ""
        if signer:
            who = phrase("signed by {name} on {at}", name=signer["name"], at=signer["at"])
            key = phrase(" (key {key_fingerprint})", key_fingerprint=signer["key_fingerprint"])
        found.append(
            sentence(
                "feedback.dismissed",
                dismissals=told["dismissals"],
                who=who,
                key=key,
                dismissals_counting=told["dismissals_counting"],
            )
        )
    return found + estimate_sentences(told.get("estimate", {}))


def estimate_sentences(told: Mapping[str, Any]) -> list[str]:
    """What a random sample says of precision and of what is missed (`ContentEstimate.to_dict`)."""
    if not told:
        return []
    found = [
        sentence(
            "feedback.judged_at_random",
            judged_marked=told["judged_marked"],
            marked=told["marked"],
            judged_unmarked=told["judged_unmarked"],
            unmarked=told["unmarked"],
        )
    ]
    if "precision" in told:
        found.append(
            sentence("feedback.marked_sensitive", share=_format_estimate(told["precision"]))
        )
    if "missed" in told:
        share, some = _format_estimate(told["missed"]), told["missed_queries"]
        value, low, high = some["value"], some["low"], some["high"]
        found.append(
            sentence("feedback.unmarked_sensitive", share=share, value=value, low=low, high=high)
        )
    if "recall" in told:
        found.append(sentence("feedback.sensitive_marked", share=_format_estimate(told["recall"])))
    return found


def _format_estimate(one: Mapping[str, float]) -> str:
    low, high = format_share(one["low"]), format_share(one["high"])
    return sentence("feedback.estimate", value=format_share(one["value"]), low=low, high=high)
