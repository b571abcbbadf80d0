"""Why a session is at risk: the reasons, how much each weighs, and what to tell a steward.

A reason is one of 64 bits. The first ones are the kinds of marks; the rest are made of them.
Weights are a judgement, not a measurement: they order sessions, and say nothing of a probability.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from auditor.attacks.detection.kinds import PII, TOPICS, EntityKind
from auditor.log.sentences import sentence
from auditor.messages import phrase

NON_STAR, UNIQUE, OWN_NAME, WITH_PLACE, WITH_COMPANY = range(len(EntityKind), len(EntityKind) + 5)
WITH_ADULT, WITH_REVEALING, LOOKED_UP, CLICKED, REPEATED = range(WITH_COMPANY + 1, WITH_COMPANY + 6)


@dataclass(frozen=True)
class RiskReason:
    """One reason: what it is called, and its weight in [0, 1).

    `key` names the sentence that says why it matters to somebody, see `explain_reason`.
    """

    key: str
    label: str
    weight: float


REASONS: tuple[RiskReason, ...] = (
    *(RiskReason(kind.name.lower(), kind.label, kind.weight) for kind in EntityKind),
    RiskReason("private_name", "private person's name", 0.3),
    RiskReason("unique", "unique query with sensitive content", 0.1),
    RiskReason("own_name", "user's own name", 0.6),
    RiskReason("with_place", "private person's name and a place", 0.3),
    RiskReason("with_company", "private person's name and a company", 0.02),
    RiskReason("with_adult", "private person's name and an adult term", 0.6),
    RiskReason("with_revealing", "private person's name and a revealing term", 0.6),
    RiskReason("looked_up", "private person's name that is looked up", 0.3),
    RiskReason("clicked", "identifier in a clicked address", 0.05),
    RiskReason("repeated", "name that this user searched for again and again", 0.35),
)
"""By bit."""

_SOURCE_WEIGHTS = {
    EntityKind.PERSON.label: 0.05,
    EntityKind.PLACE.label: 0.05,
    EntityKind.COMPANY.label: 0.02,
    EntityKind.ADULT.label: 0.05,
    EntityKind.EMAIL.label: 0.6,
    EntityKind.PHONE.label: 0.6,
    "private person's name": 0.3,
    "unique query with sensitive content": 0.2,
    "private person's name and a place": 0.35,
    "private person's name and a company": 0.15,
    "private person's name and an adult term": 0.5,
    "private person's name and a revealing term": 0.5,
}
"""Weights under the source's rules, where they differ."""


def weights_of(rules: str) -> tuple[float, ...]:
    """The weight of each reason under the ``default`` or the ``source`` rules, by bit."""
    if rules != "source":
        return tuple(reason.weight for reason in REASONS)
    return tuple(_SOURCE_WEIGHTS.get(reason.label, reason.weight) for reason in REASONS)


def first_shares(rules: str) -> tuple[float, ...]:
    """Share of a reason's weight that one query gives; n distinct ones give 1 − (1 − share)ⁿ.

    One query on a topic may be idle curiosity, three are not. A name alone may be that of
    somebody famous whom no list has, or of nobody: it counts below a topic until there are
    several, or until it is looked up. An identifier or a combination tells nearly all at once,
    and so does anything under the source's rules.
    """
    if rules == "source":
        return (1.0,) * len(REASONS)
    share = dict.fromkeys(map(int, TOPICS), 0.6) | {NON_STAR: 0.35}
    return tuple(share.get(bit, 0.9) for bit in range(len(REASONS)))


WRONG = len(REASONS)
WRONG_REASON = RiskReason("recovered_wrongly", "word recovered wrongly", 0.0)
"""What only attacks that recover words can add to the reasons."""

_PAIRS = (
    (NON_STAR, int(EntityKind.PLACE), WITH_PLACE),
    (NON_STAR, int(EntityKind.COMPANY), WITH_COMPANY),
    (NON_STAR, int(EntityKind.ADULT), WITH_ADULT),
    (NON_STAR, int(EntityKind.REVEALING), WITH_REVEALING),
)


def pairs_of(rules: str) -> tuple[tuple[int, int, int], ...]:
    """The combinations that count, (a, b, c): a session with bits a and b has bit c.

    Under the default rules with any sensitive topic.
    """
    if rules == "source":
        return _PAIRS
    topics = [kind for kind in TOPICS if kind not in (EntityKind.ETHNICITY, EntityKind.POLITICS)]
    return _PAIRS + tuple(
        (name, int(kind), WITH_ADULT if kind == EntityKind.ADULT else WITH_REVEALING)
        for name in (NON_STAR, LOOKED_UP)
        for kind in topics
    )


def reason_mask(*bits: int) -> int:
    """A bit set."""
    return sum(1 << int(bit) for bit in set(bits))


IDENTIFYING = reason_mask(NON_STAR, LOOKED_UP, UNIQUE, OWN_NAME, CLICKED, REPEATED, *PII)
"""Reasons that point at a person, whatever else the session holds."""

SENSITIVE = reason_mask(*TOPICS, EntityKind.REVEALING, NON_STAR, *PII)
"""What makes a string that only one user issued a danger to them."""

UNSURE_SHIFT = 38
"""How far above the bit of a topic its bit stands that says that only unsure marks give it."""
SURE = 0.64
"""Chance from which one mark is enough to say that a query is about a topic."""
UNSURE_PART = 0.5
"""What a query counts in a session's risk if only unsure marks say what it is about."""

LABELS = tuple(reason.label for reason in REASONS)

_PROFESSIONALS = {
    LABELS[NON_STAR]: phrase("professional's name"),
    LABELS[WITH_PLACE]: phrase("professional's name and a place"),
    LABELS[WITH_COMPANY]: phrase("professional's name and a company"),
    LABELS[WITH_ADULT]: phrase("professional's name and an adult term"),
    LABELS[WITH_REVEALING]: phrase("professional's name and a revealing term"),
    LABELS[LOOKED_UP]: phrase("professional's name that is looked up"),
}


def name_professional(label: str) -> str:
    """A reason's label where the person named is one whom people consult: no acquaintance."""
    return _PROFESSIONALS.get(label, label)


MOST_SHOWN = 3
"""Reasons of one session that are shown at once: more of them tell nobody anything."""


def main_reasons(whys: Sequence[str], *, decided: bool = False) -> list[str]:
    """The gravest reasons of a session, three at most; where one `decided`, the first, that one.

    That a whole query is somebody's alone stands beside nearly everything sensitive: it is said
    only where there is nothing else. A name with something beside it says the name, too.
    """
    weights = {name_professional(reason.label): reason.weight for reason in REASONS}
    weights |= {reason.label: reason.weight for reason in REASONS}
    first = whys[0] if decided and whys else ""
    ranked = sorted(
        dict.fromkeys(whys), key=lambda cause: (cause != first, -weights.get(cause, 0.0))
    )
    covered = {LABELS[UNIQUE]}
    for name in (LABELS[NON_STAR], _PROFESSIONALS[LABELS[NON_STAR]]):
        if any(cause != name and cause.startswith(name) for cause in ranked):
            covered.add(name)
    return [cause for cause in ranked if cause not in covered][:MOST_SHOWN] or ranked[:1]


def explain_reason(label: str) -> str:
    """What a reason, called by its label, means for the person; empty for an unknown one."""
    if label in _PROFESSIONALS.values():
        return sentence("risk_reason.professional")
    keys = {reason.label: reason.key for reason in (*REASONS, WRONG_REASON)}
    return sentence(f"risk_reason.{keys[label]}") if label in keys else ""
