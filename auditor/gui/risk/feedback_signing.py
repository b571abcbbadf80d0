"""Puts a steward's feedback together, signs it and writes it; for a worker thread, no Qt."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from auditor.attacks.base import FlaggedFindings
from auditor.gui.state.feedback_book import FeedbackSnapshot, steward_feedback
from auditor.log.model import QueryLog


def sign_feedback(
    log: QueryLog,
    said: FeedbackSnapshot,
    weights: Sequence[tuple[str, float]],
    shown: Sequence[FlaggedFindings],
    *,
    name: str,
    key: Path | None,
    path: Path | None,
) -> str:
    """The feedback file's content, signed if a key is given, and written to `path` if one is.

    Without a key what was signed last is written as long as nothing was said since, else an
    unsigned file. A key that isn't there yet is made. Raises `AuditorError`.
    """
    from auditor.release import signing
    from auditor.release.atomic_write import write_file
    from auditor.release.feedback.file import feedback_bytes, parse_feedback

    secret = signing.audit_secret(signing.audit_key())
    wanted = steward_feedback(log, said, secret, weights, shown)
    private = None
    if key is not None:
        if not key.exists():
            signing.new_key(key)
        private = signing.private_key(key)
    text = feedback_bytes(wanted, private, name).decode()
    if private is None and said.signed:
        before = parse_feedback(said.signed.encode())
        same = (before.rules, before.weights, before.sample, before.dismissals)
        if same == (wanted.rules, wanted.weights, wanted.sample, wanted.dismissals):
            text = said.signed
    if path is not None:
        write_file(path, [text.encode()])
    return text
