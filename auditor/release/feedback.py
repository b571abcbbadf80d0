"""What a steward says of a log's marks, as a file that a second program can read and check.

The file holds counts by rule, the weights that this project gives to rules, how a random sample
came out, and dismissals of flagged sessions. A session is named by a keyed digest of its rows:
without the audit key of whoever made the file nobody can tell which session of which log it is,
or try. No query, user or time stands in it.

Weights and dismissals count for a gate only if the file is signed by somebody with a name; a
dismissal, if it also has one of the fixed reasons, and if the session is flagged for nothing that
its signer wasn't shown: what else is found there later, nobody has dismissed.

In sentences it is said from the plain values that the evidence holds (`summarize`), which name no
session and no query.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.arrays import Bools
from auditor.attacks.base import FlaggedFindings
from auditor.attacks.risk.feedback import DISMISSAL_REASONS, RuleFeedback
from auditor.attacks.risk.query_sample import JudgedStratum, QueryStratum, estimate_content
from auditor.attacks.risk.reasons import WRONG_REASON
from auditor.bounded_files import UnfitFile, parse_json, read_bounded
from auditor.engine.plan import checked_weights
from auditor.errors import ExportRefused, MissingInput, ParameterError
from auditor.figures import ShortRepr, format_share
from auditor.log.escaping import printable_text
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.release import signing
from auditor.release.export_target import quote_name
from auditor.release.manifest import keyed_digest
from auditor.release.shape import NUMBER, TEXT, Count, Needs, describe_misfit

if TYPE_CHECKING:
    from auditor.release.signing import Ed25519PrivateKey


FORMAT = "auditor feedback 1"
PREFIX = b"auditor feedback 1\n"
LARGEST = 64 << 20
"""Bytes of the largest file that is read: some 200,000 dismissals."""
_LONGEST_NAME = 200

SHAPE = Needs(
    {
        "format": TEXT,
        "log": TEXT,
        "rules": {"confirmed": {str: Count()}, "dismissed": {str: Count()}},
        "weights": {str: NUMBER},
        "sample": [
            Needs(
                {
                    "name": TEXT,
                    "marked": (bool,),
                    "size": Count(),
                    "judged": Count(),
                    "sensitive": Count(),
                }
            )
        ],
        "dismissals": [
            Needs(
                {"session": TEXT, "reason": TEXT, "covers": [TEXT]}, optional=frozenset({"covers"})
            )
        ],
        "signer": Needs({"name": TEXT, "at": TEXT, "public_key": TEXT}),
        "signature": TEXT,
    },
    optional=frozenset({"rules", "weights", "sample", "dismissals", "signer", "signature"}),
)


@dataclass(frozen=True)
class Dismissal:
    """One session that somebody dismissed: keyed digest, reason, and what it was flagged for."""

    session: str
    reason: str
    covers: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        return {"session": self.session, "reason": self.reason, "covers": list(self.covers)}


@dataclass(frozen=True)
class FeedbackSigner:
    """Who signed: the name that they gave, when, and the fingerprint of their key."""

    name: str
    at: str
    fingerprint: str


@dataclass(frozen=True, kw_only=True)
class StewardFeedback(ShortRepr):
    """What stands in a feedback file; `log` is the keyed digest of the log that it is about."""

    log: str
    rules: RuleFeedback = field(default_factory=RuleFeedback)
    weights: Mapping[str, float] = field(default_factory=dict)
    sample: tuple[JudgedStratum, ...] = ()
    dismissals: tuple[Dismissal, ...] = ()
    signer: FeedbackSigner | None = None
    """None where nobody signed it: then no dismissal counts, and no weight."""

    @property
    def is_signed(self) -> bool:
        """Whether somebody with a name signed it."""
        return self.signer is not None and bool(self.signer.name.strip())

    @property
    def counting(self) -> tuple[Dismissal, ...]:
        """The dismissals that may count: signed by somebody with a name, for a known reason."""
        if not self.is_signed:
            return ()
        return tuple(item for item in self.dismissals if item.reason in DISMISSAL_REASONS)

    @property
    def counting_weights(self) -> Mapping[str, float]:
        """The weights of rules that may count: signed by somebody with a name."""
        return self.weights if self.is_signed else {}

    def of_log(self, log: QueryLog, secret: bytes) -> bool:
        """Whether it is about this log, and was made with this audit key."""
        return self.log == keyed_digest(log.digest, secret)

    def summarize(self) -> dict[str, Any]:
        """Counts and estimates for people and programs; nothing that names a session."""
        plain: dict[str, Any] = {
            "dismissals": len(self.dismissals),
            "dismissals_counting": len(self.counting),
        }
        if self.signer is not None:
            plain["signer"] = {
                "name": self.signer.name,
                "at": self.signer.at,
                "key_fingerprint": self.signer.fingerprint,
            }
        if self.weights:
            plain |= {"weights": dict(self.weights), "weights_counting": self.is_signed}
        rules = [
            {
                "rule": rule.rule,
                "confirmed": rule.confirmed,
                "dismissed": rule.dismissed,
                "precision": rule.precision,
                "interval": [rule.low, rule.high],
                "suggested_weight": rule.suggested_weight,
            }
            for rule in self.rules.list_precisions()
        ]
        plain |= {"rules": rules} if rules else {}
        if any(stratum.sampled for stratum in self.sample):
            plain["estimate"] = estimate_content(self.sample).to_dict()
        return plain


@dataclass(frozen=True, eq=False)
class SignedFeedback:
    """The dismissals and weights that may count for a log, ready to be looked up in findings."""

    log: str
    secret: bytes
    covers: Mapping[str, frozenset[str]]
    """Keyed digest of a session → the reasons that its signer was shown."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """Rule of the detector → how much it counts."""

    @classmethod
    def of(cls, feedback: StewardFeedback, log: QueryLog, secret: bytes) -> SignedFeedback:
        """Those of a file; raises `ExportRefused` for another log or another audit key."""
        if not feedback.of_log(log, secret):
            raise ExportRefused(sentence("feedback.of_another_log"))
        covers = {dismissal.session: frozenset(dismissal.covers) for dismissal in feedback.counting}
        return cls(log.digest, secret, covers, feedback.counting_weights)

    def find_dismissed(self, findings: FlaggedFindings) -> Bools:
        """Which flagged sessions are dismissed; shape (m,); O(m)."""
        gone = np.zeros(len(findings), dtype=np.bool_)
        if not self.covers:
            return gone
        for index in range(len(findings)):
            rows = int(findings.start[index]), int(findings.stop[index])
            reasons = self.covers.get(session_digest(self.log, *rows, self.secret))
            gone[index] = reasons is not None and reasons.issuperset(flagged_for(findings, index))
        return gone


def session_digest(log: str, start: int, stop: int, secret: bytes) -> str:
    """What a session of these rows is called by whoever holds the audit key, and by nobody else."""
    data = f"auditor session 1\0{log}\0{start}\0{stop}".encode()
    return hashlib.blake2b(data, key=secret, digest_size=32).hexdigest()


def flagged_for(findings: FlaggedFindings, index: int) -> set[str]:
    """Why a session is flagged; a word that an attacker recovers wrongly exposes nothing."""
    return set(findings.list_reasons(index)) - {WRONG_REASON.label}


def collect_dismissals(
    log: QueryLog,
    reasons: Mapping[tuple[int, int], str],
    all_findings: Iterable[FlaggedFindings],
    secret: bytes,
) -> tuple[Dismissal, ...]:
    """Dismissals of sessions by their rows, with all that `all_findings` flag them for; by digest.

    Sessions that nothing flags are left out: there is nothing to dismiss.
    """
    covers: dict[tuple[int, int], set[str]] = {}
    for findings in all_findings:
        starts = np.array([start for start, _ in reasons], dtype=np.int64)
        for index in np.flatnonzero(np.isin(findings.start, starts)).tolist():
            rows = int(findings.start[index]), int(findings.stop[index])
            if reasons.get(rows):
                covers.setdefault(rows, set()).update(flagged_for(findings, index))
    dismissals = [
        Dismissal(
            session_digest(log.digest, *rows, secret), reasons[rows], tuple(sorted(reason_set))
        )
        for rows, reason_set in covers.items()
    ]
    return tuple(sorted(dismissals, key=lambda dismissal: dismissal.session))


# --- the file ---------------------------------------------------------------------------------


def feedback_bytes(
    feedback: StewardFeedback, key: Ed25519PrivateKey | None = None, name: str = ""
) -> bytes:
    """The file's content, signed with a key in somebody's name if one is given.

    Raises `ParameterError` for a key without a name.
    """
    plain: dict[str, Any] = {
        "format": FORMAT,
        "log": feedback.log,
        "rules": feedback.rules.to_dict(),
        "weights": dict(feedback.weights),
        "sample": [
            {**vars(stratum.stratum), "judged": stratum.sampled, "sensitive": stratum.sensitive}
            for stratum in feedback.sample
        ],
        "dismissals": [dismissal.to_dict() for dismissal in feedback.dismissals],
    }
    if key is not None:
        signer_name = printable_text(name).strip()[:_LONGEST_NAME]
        if not signer_name:
            raise ParameterError("signer", "A signature needs the name of whoever signs.")
        plain["signer"] = {
            "name": signer_name,
            "at": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "public_key": signing.public_text(key.public_key()),
        }
        plain["signature"] = signing.sign_text(PREFIX + _encode_canonical(plain), key)
    text = json.dumps(plain, indent=1, ensure_ascii=False, allow_nan=False)
    return (text + "\n").encode("utf-8", "backslashreplace")


def read_feedback(path: Path) -> StewardFeedback:
    """A feedback file, its signature checked.

    Raises `MissingInput` where it can't be read, `ParameterError` where it isn't such a file, and
    `ExportRefused` where it was changed after it was signed.
    """
    try:
        data = read_bounded(path, LARGEST)
    except UnfitFile as error:
        label = quote_name(path)
        message = phrase("{path} can't be read: it is {error}.", path=label, error=error.reason)
        raise MissingInput(message) from None
    return parse_feedback(data)


def parse_feedback(data: bytes) -> StewardFeedback:
    """A feedback file's content; raises as `read_feedback` does."""
    try:
        plain = parse_json(data)
    except ValueError as error:
        raise _make_unfit_error(phrase("is no such file ({error})", error=error)) from None
    if not isinstance(plain, dict) or plain.get("format") != FORMAT:
        raise _make_unfit_error(phrase('does not say "format": "{format}"', format=FORMAT))
    if misfit := describe_misfit(plain, SHAPE):
        raise _make_unfit_error(phrase("is not as it must be: {misfit}", misfit=as_phrase(misfit)))
    sample = tuple(
        JudgedStratum(
            stratum=QueryStratum(name=row["name"], marked=row["marked"], size=row["size"]),
            sampled=row["judged"],
            sensitive=row["sensitive"],
        )
        for row in plain.get("sample", ())
    )
    estimate_content(sample)  # refuses counts that can't be
    return StewardFeedback(
        log=plain["log"],
        rules=RuleFeedback.from_dict(plain.get("rules", {})),
        weights=dict(checked_weights(plain.get("weights", {}))),
        sample=sample,
        dismissals=tuple(
            Dismissal(dismissal["session"], dismissal["reason"], tuple(dismissal.get("covers", ())))
            for dismissal in plain.get("dismissals", ())
        ),
        signer=_read_signer(plain),
    )


def _read_signer(plain: Mapping[str, Any]) -> FeedbackSigner | None:
    """Who signed; None where nobody did. Raises `ExportRefused` if the signature doesn't fit."""
    if "signer" not in plain and "signature" not in plain:
        return None
    try:
        signer = plain["signer"]
        body = {name: value for name, value in plain.items() if name != "signature"}
        text = PREFIX + _encode_canonical(body)
        print_of = signing.check_text(text, signer["public_key"], plain["signature"])
        return FeedbackSigner(str(signer["name"]), str(signer["at"]), print_of)
    except (KeyError, TypeError, ValueError):
        raise ExportRefused(sentence("feedback.changed")) from None


def _encode_canonical(plain: Mapping[str, Any]) -> bytes:
    """The same bytes for the same values, whatever the order of keys."""
    return json.dumps(plain, sort_keys=True, separators=(",", ":")).encode()


def _make_unfit_error(fault: str) -> ParameterError:
    return ParameterError("feedback", phrase("The feedback file {what}.", what=fault))


def judged_strata(
    strata: Sequence[QueryStratum], answers: Iterable[tuple[int, bool]]
) -> tuple[JudgedStratum, ...]:
    """How each stratum came out, from (its position, whether the query was sensitive)."""
    counts = [[0, 0] for _ in strata]
    for index, sensitive in answers:
        counts[index][0] += 1
        counts[index][1] += sensitive
    return tuple(
        JudgedStratum(stratum=stratum, sampled=reviewed, sensitive=hits)
        for stratum, (reviewed, hits) in zip(strata, counts, strict=True)
    )


# --- in words -------------------------------------------------------------------------------------


def feedback_sentences(summary: Mapping[str, Any]) -> list[str]:
    """Weights, dismissals and what a judged sample says; empty if there is nothing."""
    lines, signer = [], summary.get("signer")
    if weights := summary.get("weights"):
        listed = ", ".join(f"{rule} {weight:g}" for rule, weight in weights.items())
        if signer and summary.get("weights_counting"):
            lines.append(sentence("feedback.signed_weights", name=signer["name"], listed=listed))
        else:
            lines.append(sentence("feedback.unsigned_weights", listed=listed))
    if summary.get("dismissals"):
        signature, fingerprint = "signed by nobody", ""
        if signer:
            signature = phrase("signed by {name} on {at}", name=signer["name"], at=signer["at"])
            fingerprint = phrase(
                " (key {key_fingerprint})", key_fingerprint=signer["key_fingerprint"]
            )
        counts = {name: summary[name] for name in ("dismissals", "dismissals_counting")}
        lines.append(sentence("feedback.dismissed", who=signature, key=fingerprint, **counts))
    if not (facts := summary.get("estimate", {})):
        return lines
    sizes = ("judged_marked", "marked", "judged_unmarked", "unmarked")
    lines.append(sentence("feedback.judged_at_random", **{name: facts[name] for name in sizes}))
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
