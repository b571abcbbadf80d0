"""The page of the data protection officer: what a release's record answers to whom it may concern.

Questions are those of the Article 29 Working Party's Opinion 05/2014 (WP 216), the ICO's guidance
of 28 March 2025, C-413/23 P (4 September 2025), ISO/IEC 27559:2022 and NIST SP 800-226 (6 March
2025). Each answer is measured, or says that nothing was measured; none is a legal conclusion.
"""

import contextlib
import dataclasses
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from auditor.attacks.adversaries import find_adversary
from auditor.attacks.base import Criterion
from auditor.attacks.registry import ATTACKS, list_content_attacks
from auditor.errors import ParameterError
from auditor.figures import format_share
from auditor.log.sentences import sentence
from auditor.messages import DisplayText, as_phrase, join_phrases, phrase
from auditor.methods.registry import METHODS
from auditor.release.guarantee import meaning_of, strength_of
from auditor.release.record import MISSING, AttackRecord, ReleaseRecord, find_worst
from auditor.release.verdict import describe_rate, stated_bound

Finding = Literal["found", "as stated", "not found", "not measured", "does not apply", "stated"]
QUESTIONS: tuple[tuple[Criterion, DisplayText], ...] = (
    ("singling out", phrase("Can one person be singled out?")),
    ("linkability", phrase("Can records, or another dataset, be linked to a person?")),
    ("inference", phrase("Can something be inferred about a person?")),
)
UNSTATED = phrase("not stated")


@dataclass(frozen=True)
class OfficerAnswer:
    """A question with its source, outcome, answer and evidence."""

    question: DisplayText
    source: str
    finding: Finding
    answer: DisplayText
    evidence: tuple[DisplayText, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        plain = {"question": self.question, "source": self.source, "finding": self.finding}
        plain["answer"] = self.answer
        return plain | ({"evidence": list(self.evidence)} if self.evidence else {})


def answer_officer(record: ReleaseRecord, purpose: str = "") -> Iterator[OfficerAnswer]:
    """Every answer that the record of a release gives, the three risks of WP 216 first."""
    for criterion, question in QUESTIONS:
        names = [name for name in ATTACKS if ATTACKS[name].criterion == criterion]
        answer = _summarize(record, question, "WP 216", names)
        if criterion == "singling out":
            risks = sentence("officer.risks", users=record.users)
            answer = dataclasses.replace(answer, evidence=(*answer.evidence, risks))
        yield answer
    # What somebody with general knowledge and a motive achieved, and who that was taken to be.
    intruder_attacks = [name for name in ATTACKS if ATTACKS[name].intruder]
    intruder = _summarize(
        record, phrase("Would a motivated intruder succeed?"), "ICO", intruder_attacks
    )
    with contextlib.suppress(ParameterError):
        adversary = find_adversary(record.adversary)
        assumed = sentence("verdict.adversary", title=adversary.title, knows=adversary.knows)
        intruder = dataclasses.replace(intruder, evidence=(*intruder.evidence, assumed))
    yield intruder
    yield _answer_for_whom(record)
    yield _answer_guarantee(record)
    # Recipient, purpose and terms: what somebody wrote, and what a reviewer attests.
    attested = record.attestation
    terms: DisplayText = UNSTATED
    evidence = [phrase("Contract and retention are not known to this program.")]
    if attested.fields:
        terms = sentence("officer.attested_by", by=attested.by)
        evidence = [terms, *attested.lines]
    untold = []
    for row in record.made_attacks:  # the effect of mitigations: before, in the log, and after
        if row.counts is not None and row.attack in list_content_attacks("strings"):
            users = record.users if row.sample is None else row.sample[0]
            rate, before = describe_rate(record, row), row.counts[1]
            evidence.append(
                sentence("officer.effect", title=row.title, before=before, of=users, after=rate)
            )
        else:
            untold.append(as_phrase(row.title))
    if untold:
        evidence.append(sentence("officer.no_effect", titles=join_phrases(", ", untold)))
    if (worst := find_worst(record.made_attacks, of_all=True)) is not None:
        rate, baseline = describe_rate(record, worst), _show_baseline(worst)
        evidence.append(
            sentence("officer.residual", title=worst.title, rate=rate, baseline=baseline)
        )
    evidence.append(sentence("officer.review", day=str(attested.fields.get("review_by", "–"))))
    evidence.append(sentence("officer.four_parts"))
    question = phrase("Who gets it, for what, until when?")
    terms = as_phrase(purpose) if purpose else terms
    yield OfficerAnswer(question, "ISO/IEC 27559", "stated", terms, tuple(evidence))


def _summarize(
    record: ReleaseRecord, question: DisplayText, source: str, attacks: Iterable[str]
) -> OfficerAnswer:
    """What some attacks achieved, the worst first."""
    records = [record.attacks[name] for name in attacks if name in record.attacks]
    results = sorted(
        (row for row in records if row.rated and (row.counts is None or row.counts[1] > 0)),
        key=lambda row: -(row.rate - row.baseline),
    )
    lines = []
    for row in results:
        control = None if row.control is None else as_phrase(format_share(row.control))
        lines.append(
            sentence(
                "officer.attack",
                title=row.title,
                rate=describe_rate(record, row),
                label=row.label,
                baseline=_show_baseline(row),
                control=control or phrase("not measured"),
            )
        )
    missing = [as_phrase(row.title) for row in records if row.why.startswith(MISSING)]
    samples = {row.sample for row in results if row.sample is not None}
    lines += [sentence("verdict.sampled", users=n, of=of) for n, of in sorted(samples)]
    evidence = tuple(lines)
    worst = find_worst(results, of_all=True)
    if worst is not None:
        outside = [row for row in results if not _is_within(record, row)]
        bound = stated_bound(record, worst)
        if (
            bound is not None
            and worst not in outside
            and not any(row.is_above_guessing for row in outside)
        ):
            answer = sentence("officer.within", title=worst.title, bound=format_share(bound))
            answer = _add_missing(answer, missing)
            return OfficerAnswer(question, source, "as stated", answer, evidence)
        # what the guarantee allows must not stand before what it says nothing of
        worst = find_worst((row for row in outside if row.is_above_guessing), of_all=True) or worst
        above = worst.is_above_guessing
        if len(results) == 1:
            key = "officer.above_alone" if above else "officer.not_above_alone"
            answer = sentence(key, title=worst.title)
        else:
            key = "officer.above" if above else "officer.not_above"
            answer = sentence(key, title=worst.title, attacks=len(results))
        # Some of the users, or some of the attacks, may find less than all do.
        partial = missing or any(
            row.sample is not None and not ATTACKS[row.attack].bounds_all for row in results
        )
        finding: Finding = "found" if above else "not measured" if partial else "not found"
        return OfficerAnswer(question, source, finding, _add_missing(answer, missing), evidence)
    idle = [as_phrase(row.title) for row in records if row.rated and row not in results]
    if idle or missing or not records:
        answer = phrase("Not measured: no attack of this kind was made.")
        if idle or missing:
            titles = join_phrases(", ", idle or missing)
            answer = sentence("officer.idle" if idle else "officer.not_measured", titles=titles)
        return OfficerAnswer(question, source, "not measured", answer)
    answer = phrase("No attack of this kind applies to what is released.")
    reasons = (sentence("officer.why_not", title=r.title, why=r.why) for r in records if r.why)
    return OfficerAnswer(question, source, "does not apply", answer, tuple(reasons))


def _add_missing(answer: DisplayText, missing: list[DisplayText]) -> DisplayText:
    """An answer with the attacks that could have been made and were not, by title."""
    if not missing:
        return answer
    titles = join_phrases(", ", missing)
    return sentence("officer.partial", answer=as_phrase(answer), titles=titles)


def _show_baseline(attack: AttackRecord) -> str:
    return "–" if math.isnan(attack.baseline) else format_share(attack.baseline)


def _is_within(record: ReleaseRecord, attack: AttackRecord) -> bool:
    """Whether it is above guessing by no more than the guarantee allows."""
    bound = stated_bound(record, attack)
    low = attack.rate if attack.interval is None else attack.interval[0]
    return bound is not None and attack.is_above_guessing and low <= bound


def _answer_for_whom(record: ReleaseRecord) -> OfficerAnswer:
    method = METHODS[record.method] if record.method in METHODS else None  # noqa: SIM401  no mapping
    if method is not None and method.hides in ("hashes", "bundles"):
        holder = sentence("officer.holder_of_a_key")
    elif method is not None and method.yields == "log":
        holder = phrase("Whoever holds the log can tell whose rows these are.")
    elif record.statement.epsilon is not None:
        holder = sentence("officer.holder_of_the_log")
    else:
        holder = phrase("Whoever holds the log can compare it with the release.")
    return OfficerAnswer(
        phrase("Anonymous for whom?"),
        "C-413/23 P",
        "stated",
        phrase("For a recipient: what the attacks above achieved, and nothing else is known."),
        (holder, sentence("officer.kept_apart")),
    )


def _answer_guarantee(record: ReleaseRecord) -> OfficerAnswer:
    statement = record.statement
    evidence: list[DisplayText] = [sentence("officer.unit", unit=statement.unit)]
    if statement.neighbours:
        evidence.append(sentence("officer.neighbours", neighbours=statement.neighbours))
    strength = strength_of(statement, record.unit).title
    evidence.append(sentence("officer.strength", strength=strength))
    if statement.terms:
        term_count = sentence("officer.terms", terms=len(statement.terms))
        evidence.append(term_count if len(statement.terms) > 1 else sentence("officer.term"))
    by_status: dict[str, list[DisplayText]] = {}
    for item in statement.assumptions:
        by_status.setdefault(item.status, []).append(as_phrase(item.name))
    names = {status: join_phrases("; ", listed) for status, listed in by_status.items()}
    if "fails" in names:
        evidence.append(sentence("officer.fails", names=names["fails"]))
    if "unknown" in names:
        evidence.append(sentence("officer.unknown", names=names["unknown"]))
    if "holds" in names:
        evidence.append(sentence("officer.holds", names=names["holds"]))
    if statement.epsilon is not None:
        evidence.append(sentence("officer.beside_noise"))
    if record.rechecked is not None:
        checks = join_phrases("; ", map(as_phrase, record.rechecked)) or phrase("nothing")
        evidence.append(sentence("officer.claimed", checks=checks))
    return OfficerAnswer(
        phrase("What is guaranteed, in which unit, and on what does it rest?"),
        "NIST SP 800-226",
        "stated",
        as_phrase(meaning_of(statement).sentence),
        tuple(evidence),
    )
