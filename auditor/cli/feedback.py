"""The verb that says what a steward's feedback comes to."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from auditor.cli.arguments import load_named_log
from auditor.cli.console import Console
from auditor.figures import format_share
from auditor.release.feedback.file import SignedFeedback, read_feedback
from auditor.release.feedback.sentences import feedback_sentences


def show_feedback(arguments: argparse.Namespace, console: Console) -> int:
    """Each rule's precision, what the judged sample says, and which dismissals count."""
    from auditor.release import signing

    said = read_feedback(Path(arguments.feedback))
    facts: dict[str, Any] = said.summarize()
    if arguments.log:
        log = load_named_log(arguments, console)
        SignedFeedback.of(said, log, signing.audit_secret(signing.audit_key()))
        facts["log_matches"] = True
    lines = feedback_sentences(facts) or ["The file holds no feedback yet."]
    rules = [
        f"  {one.rule:44}{one.confirmed:>6,} right{one.dismissed:>6,} wrong   "
        f"{format_share(one.precision):>7} ({format_share(one.low)} to {format_share(one.high)})"
        for one in said.rules.list_precisions()
    ]
    console.print_result(facts, "\n".join([*lines, *rules]))
    return 0
