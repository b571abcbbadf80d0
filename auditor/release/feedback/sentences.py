"""What a steward's feedback comes to, in sentences: for reports, and for a terminal.

They are made from the plain values that the evidence holds (`StewardFeedback.summarize`), which
name no session and no query.
"""

from collections.abc import Mapping
from typing import Any

from auditor.figures import format_share
from auditor.log.sentences import sentence
from auditor.messages import phrase


def feedback_sentences(summary: Mapping[str, Any]) -> list[str]:
    """Weights, dismissals and what a judged sample says; empty if there is nothing."""
    lines = []
    if weights := summary.get("weights"):
        listed = ", ".join(f"{rule} {weight:g}" for rule, weight in weights.items())
        signer = summary.get("signer")
        lines.append(
            sentence("feedback.signed_weights", name=signer["name"], listed=listed)
            if signer and summary.get("weights_counting")
            else sentence("feedback.unsigned_weights", listed=listed)
        )
    if summary.get("dismissals"):
        signer = summary.get("signer")
        signature, key = "signed by nobody", ""
        if signer:
            signature = phrase("signed by {name} on {at}", name=signer["name"], at=signer["at"])
            key = phrase(" (key {key_fingerprint})", key_fingerprint=signer["key_fingerprint"])
        lines.append(
            sentence(
                "feedback.dismissed",
                dismissals=summary["dismissals"],
                who=signature,
                key=key,
                dismissals_counting=summary["dismissals_counting"],
            )
        )
    return lines + estimate_sentences(summary.get("estimate", {}))


def estimate_sentences(facts: Mapping[str, Any]) -> list[str]:
    """What a random sample says of precision and of what is missed (`ContentEstimate.to_dict`)."""
    if not facts:
        return []
    lines = [
        sentence(
            "feedback.judged_at_random",
            judged_marked=facts["judged_marked"],
            marked=facts["marked"],
            judged_unmarked=facts["judged_unmarked"],
            unmarked=facts["unmarked"],
        )
    ]
    if "precision" in facts:
        lines.append(
            sentence("feedback.marked_sensitive", share=_format_estimate(facts["precision"]))
        )
    if "missed" in facts:
        share, missed = _format_estimate(facts["missed"]), facts["missed_queries"]
        value, low, high = missed["value"], missed["low"], missed["high"]
        lines.append(
            sentence("feedback.unmarked_sensitive", share=share, value=value, low=low, high=high)
        )
    if "recall" in facts:
        lines.append(sentence("feedback.sensitive_marked", share=_format_estimate(facts["recall"])))
    return lines


def _format_estimate(estimate: Mapping[str, float]) -> str:
    low, high = format_share(estimate["low"]), format_share(estimate["high"])
    return sentence("feedback.estimate", value=format_share(estimate["value"]), low=low, high=high)
