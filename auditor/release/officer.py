"""The page of the data protection officer: what a release's record answers to whom it may concern.

Questions are those of the Article 29 Working Party's Opinion 05/2014 (WP 216), the ICO's guidance
of 28 March 2025, C-413/23 P (4 September 2025), ISO/IEC 27559:2022 and NIST SP 800-226 (6 March
2025). Each answer is measured, or says that nothing was measured; none is a legal conclusion.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from auditor.attacks.adversaries import find_adversary
from auditor.attacks.base import Criterion
from auditor.attacks.registry import ATTACKS
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
WP216 = "WP 216"
UNSTATED = phrase("not stated")


@dataclass(frozen=True)
class OfficerAnswer:
    """A question and its source, how it came out, the answer, and what that rests on."""

    question: DisplayText
    source: str
    finding: Finding
    answer: DisplayText
    evidence: tuple[DisplayText, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        plain = {"question": self.question, "source": self.source, "finding": self.finding}
        plain["answer"] = self.answer
        return plain | ({"evidence": list(self.evidence)} if self.evidence else {})


def answer_officer(record: ReleaseRecord, purpose: str = "") -> tuple[OfficerAnswer, ...]:
    """Every answer that the record of a release gives, the three risks of WP 216 first."""
    return (
        *(
            _summarize(
                record, question, WP216, [n for n in ATTACKS if ATTACKS[n].criterion == criterion]
            )
            for criterion, question in QUESTIONS
        ),
        _answer_intruder(record),
        *_answer_for_whom(record),
        _answer_guarantee(record),
        _answer_contract(record, purpose),
    )


def _answer_contract(record: ReleaseRecord, purpose: str) -> OfficerAnswer:
    """Recipient, purpose and terms: what somebody wrote, and what a reviewer attests."""
    attested = record.attestation
    answer: DisplayText = as_phrase(purpose) if purpose else UNSTATED
    evidence = [phrase("Contract, retention and review date are not known to this program.")]
    if attested.fields:
        said = sentence("officer.attested_by", by=attested.by)
        answer, evidence = (as_phrase(purpose) if purpose else said), [said, *attested.lines]
    question = phrase("Who gets it, for what, until when?")
    return OfficerAnswer(question, "ISO/IEC 27559", "stated", answer, tuple(evidence))


def _answer_intruder(record: ReleaseRecord) -> OfficerAnswer:
    """What somebody with general knowledge and a motive achieved, and who that was taken to be."""
    chosen = [name for name in ATTACKS if ATTACKS[name].intruder]
    question = phrase("Would a motivated intruder succeed?")
    said = _summarize(record, question, "ICO", chosen)
    try:
        who = find_adversary(record.adversary)
    except ParameterError:
        return said
    assumed = sentence("verdict.adversary", title=who.title, knows=who.knows)
    return dataclasses.replace(said, evidence=(*said.evidence, assumed))


def _summarize(
    record: ReleaseRecord, question: DisplayText, source: str, attacks: Iterable[str]
) -> OfficerAnswer:
    """What some attacks achieved, the worst first."""
    known = [record.attacks[name] for name in attacks if name in record.attacks]
    made = sorted(
        (one for one in known if one.rated and (one.counts is None or one.counts[1] > 0)),
        key=lambda one: -(one.rate - one.baseline),
    )
    evidence = tuple(_describe(record, one) for one in made)
    worst = find_worst(made)
    if worst is not None:
        beyond = [one for one in made if not _is_within(record, one)]
        bound = stated_bound(record, worst)
        if bound is not None and worst not in beyond and not any(map(_is_above, beyond)):
            said = sentence("officer.within", title=worst.title, bound=format_share(bound))
            return OfficerAnswer(question, source, "as stated", said, evidence)
        # what the guarantee allows must not stand before what it says nothing of
        worst = find_worst(one for one in beyond if _is_above(one)) or worst
        above = _is_above(worst)
        if len(made) == 1:
            said = sentence(
                "officer.above_alone" if above else "officer.not_above_alone", title=worst.title
            )
        else:
            said = sentence(
                "officer.above" if above else "officer.not_above",
                title=worst.title,
                attacks=len(made),
            )
        return OfficerAnswer(question, source, "found" if above else "not found", said, evidence)
    missing = [one for one in known if one.why.startswith(MISSING)]
    if idle := [one for one in known if one.rated and one not in made]:
        said = sentence(
            "officer.idle", titles=join_phrases(", ", [as_phrase(one.title) for one in idle])
        )
        return OfficerAnswer(question, source, "not measured", said)
    if missing or not known:
        titles = join_phrases(", ", [as_phrase(one.title) for one in missing])
        said = sentence("officer.not_measured", titles=titles) if missing else NOT_TRIED
        return OfficerAnswer(question, source, "not measured", said)
    return OfficerAnswer(
        question,
        source,
        "does not apply",
        phrase("No attack of this kind applies to what is released."),
        tuple(
            sentence("officer.why_not", title=one.title, why=one.why) for one in known if one.why
        ),
    )


def _is_above(attack: AttackRecord) -> bool:
    """Whether its interval lies above guessing."""
    low = attack.rate if attack.interval is None else attack.interval[0]
    return low > attack.baseline and not math.isclose(low, attack.baseline)


def _is_within(record: ReleaseRecord, attack: AttackRecord) -> bool:
    """Whether it is above guessing by no more than the guarantee allows."""
    bound = stated_bound(record, attack)
    low = attack.rate if attack.interval is None else attack.interval[0]
    return bound is not None and _is_above(attack) and low <= bound


NOT_TRIED = phrase("Not measured: no attack of this kind was made.")


def _describe(record: ReleaseRecord, attack: AttackRecord) -> DisplayText:
    return sentence(
        "officer.attack",
        title=attack.title,
        rate=describe_rate(record, attack),
        label=attack.label,
        baseline=format_share(attack.baseline) if not math.isnan(attack.baseline) else "–",
        control=phrase("not measured")
        if attack.control is None
        else as_phrase(format_share(attack.control)),
    )


def _answer_for_whom(record: ReleaseRecord) -> Iterator[OfficerAnswer]:
    """Anonymous for whom: a recipient, and whoever holds the log or a key."""
    question = phrase("Anonymous for whom?")
    source = "C-413/23 P"
    recipient = phrase(
        "For a recipient: what the attacks above achieved, and nothing else is known."
    )
    hides = yields = ""
    if record.method in METHODS:
        method = METHODS[record.method]
        hides, yields = method.hides, method.yields
    if hides in ("hashes", "bundles"):
        holder = sentence("officer.holder_of_a_key")
    elif yields == "log":
        holder = phrase("Whoever holds the log can tell whose rows these are.")
    elif record.statement.epsilon is not None:
        holder = sentence("officer.holder_of_the_log")
    else:
        holder = phrase("Whoever holds the log can compare it with the release.")
    yield OfficerAnswer(question, source, "stated", recipient, (holder,))


def _answer_guarantee(record: ReleaseRecord) -> OfficerAnswer:
    """The guarantee with all that it rests on."""
    said = record.statement
    meaning = meaning_of(said)
    evidence: list[DisplayText] = [
        sentence("officer.unit", unit=said.unit),
        *([sentence("officer.neighbours", neighbours=said.neighbours)] if said.neighbours else []),
        sentence("officer.strength", strength=strength_of(said, record.unit).title),
    ]
    if said.terms:
        several = sentence("officer.terms", terms=len(said.terms))
        evidence.append(several if len(said.terms) > 1 else sentence("officer.term"))
    for status in ("fails", "unknown"):
        names = join_phrases(
            "; ", [as_phrase(one.name) for one in said.assumptions if one.status == status]
        )
        if names:
            evidence.append(
                sentence("officer.fails" if status == "fails" else "officer.unknown", names=names)
            )
    return OfficerAnswer(
        phrase("What is guaranteed, in which unit, and on what does it rest?"),
        "NIST SP 800-226",
        "stated",
        as_phrase(meaning.sentence),
        tuple(evidence),
    )
