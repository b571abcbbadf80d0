"""Why a session is at risk: the reasons, how much each weighs, and what to tell a steward.

A reason is one of 64 bits. The first ones are the kinds of marks; the rest are made of them.
Weights are a judgement, not a measurement: they order sessions, and say nothing of a probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from auditor.attacks.detection.kinds import PII, TOPICS, EntityKind
from auditor.messages import phrase

NON_STAR = len(EntityKind)
UNIQUE = NON_STAR + 1
OWN_NAME = NON_STAR + 2
WITH_PLACE, WITH_COMPANY = NON_STAR + 3, NON_STAR + 4
WITH_ADULT, WITH_REVEALING = NON_STAR + 5, NON_STAR + 6
LOOKED_UP = NON_STAR + 7
CLICKED, REPEATED = NON_STAR + 8, NON_STAR + 9


@dataclass(frozen=True)
class RiskReason:
    """One reason: what it is called, its weight in [0, 1), and why it matters to somebody."""

    label: str
    weight: float
    explain: str


REASONS: tuple[RiskReason, ...] = (
    RiskReason(
        EntityKind.PERSON.label,
        0.03,
        "A person's name that many queries hold, so most likely a famous one. It shows an "
        "interest, seldom an acquaintance.",
    ),
    RiskReason(
        EntityKind.PLACE.label,
        0.02,
        "A town, city or county. By itself it is harmless; with other queries it narrows down "
        "where the user lives.",
    ),
    RiskReason(
        EntityKind.COMPANY.label, 0.01, "A company. It may be the user's employer, bank or insurer."
    ),
    RiskReason(
        EntityKind.ADULT.label, 0.25, "A sexual term. Nobody expects such a search to be seen."
    ),
    RiskReason(
        EntityKind.REVEALING.label,
        0.05,
        "A term on health, work or orientation that an employer or a spouse should not learn "
        "about.",
    ),
    RiskReason(
        EntityKind.EMAIL.label,
        0.6,
        "A valid e-mail address: it reaches one person, and often is a name.",
    ),
    RiskReason(
        EntityKind.PHONE.label,
        0.6,
        "A valid phone number with its area code: it reaches one person or household.",
    ),
    RiskReason(
        EntityKind.SSN.label,
        0.9,
        "A number that the US Social Security Administration can have issued: it belongs to "
        "one person, for life, and allows credit in that person's name.",
    ),
    RiskReason(
        EntityKind.CARD.label,
        0.9,
        "A payment card number with a right check digit: it can be used to steal money.",
    ),
    RiskReason(
        EntityKind.STREET.label,
        0.6,
        "A house number and street: somebody's home, often the user's own.",
    ),
    RiskReason(
        EntityKind.IP.label, 0.4, "A public internet address: a provider can tell whose line it is."
    ),
    RiskReason(
        EntityKind.PLATE.label, 0.5, "A vehicle's registration number: it belongs to one keeper."
    ),
    RiskReason(
        EntityKind.COORDINATES.label,
        0.5,
        "A position on the map within 100 metres: most often a home.",
    ),
    RiskReason(
        EntityKind.HEALTH.label,
        0.3,
        "An illness, a symptom, a medicine, a pregnancy or who treats it: health data under "
        "Article 9 of the GDPR.",
    ),
    RiskReason(
        EntityKind.SEXUALITY.label, 0.35, "Sexual orientation or gender: Article 9 of the GDPR."
    ),
    RiskReason(
        EntityKind.RELIGION.label,
        0.18,
        "A faith, a church or what people believe: Article 9 of the GDPR.",
    ),
    RiskReason(
        EntityKind.POLITICS.label,
        0.12,
        "A party, a cause or an office. An opinion is under Article 9 of the GDPR.",
    ),
    RiskReason(EntityKind.UNION.label, 0.2, "A trade union: Article 9 of the GDPR."),
    RiskReason(
        EntityKind.ETHNICITY.label,
        0.12,
        "An ethnic or national group of people: Article 9 of the GDPR.",
    ),
    RiskReason(
        EntityKind.GENETIC.label,
        0.3,
        "A genetic test or a body's measurements: Article 9 of the GDPR.",
    ),
    RiskReason(
        EntityKind.CRIME.label,
        0.25,
        "Offences, police, prison, courts or lawyers: Article 10 of the GDPR.",
    ),
    RiskReason(EntityKind.MONEY.label, 0.3, "Debt, bankruptcy or help for people without money."),
    RiskReason(
        EntityKind.MINORS.label,
        0.5,
        "A child or teenager beside something sexual, criminal or violent.",
    ),
    RiskReason(EntityKind.DISTRESS.label, 0.4, "Grief, abuse, addiction, violence or suicide."),
    RiskReason(
        EntityKind.USER_ID.label,
        0.35,
        "A name under which somebody is known on a site, or the number of an account: often the "
        "user's own, and often used on other sites, too.",
    ),
    RiskReason(
        "private person's name",
        0.3,
        "A person's name that few users searched for, so not a famous one: an "
        "acquaintance, a relative, or the user.",
    ),
    RiskReason(
        "unique query with sensitive content",
        0.1,
        "A whole query that nobody else sent and that holds a sensitive term, a private person's "
        "name or an identifier: who finds it anywhere else knows whose history this is.",
    ),
    RiskReason(
        "user's own name",
        0.6,
        "The user searched for the name in their own profile: everything else in their "
        "history is then tied to that name.",
    ),
    RiskReason(
        "private person's name and a place",
        0.3,
        "A name that is not famous, and a place in the same session: together they often "
        "single out one person.",
    ),
    RiskReason(
        "private person's name and a company",
        0.02,
        "A name that is not famous, and a company in the same session: perhaps a person and "
        "their employer.",
    ),
    RiskReason(
        "private person's name and an adult term",
        0.6,
        "A name that is not famous, and a sexual term in the same session.",
    ),
    RiskReason(
        "private person's name and a revealing term",
        0.6,
        "A name that is not famous, and a sensitive topic in the same session: a secret with a "
        "name to it.",
    ),
    RiskReason(
        "private person's name that is looked up",
        0.3,
        "A name that is not famous, in one query with what is asked of people: an address, a "
        "number, a profession, a school class, an obituary or a place.",
    ),
    RiskReason(
        "identifier in a clicked address",
        0.05,
        "A web address that the user clicked holds an e-mail address, a number, a street or a user "
        "name. Who has the address has it, too, even if the query is gone.",
    ),
    RiskReason(
        "name that this user searched for again and again",
        0.35,
        "A name that is not famous and that the user comes back to in several sessions: most often "
        "their own, or that of somebody close to them.",
    ),
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
    topics = {int(kind) for kind in TOPICS}
    share = dict.fromkeys(topics, 0.6) | {NON_STAR: 0.35}
    return tuple(share.get(bit, 0.9) for bit in range(len(REASONS)))


WRONG = len(REASONS)
WRONG_REASON = RiskReason(
    "word recovered wrongly",
    0.0,
    "An attacker takes a hash for this word and would see a name or a term that nobody here "
    "asked for. It exposes nothing that is true, and may still accuse somebody.",
)
"""What only attacks that recover words can add to the reasons."""

PAIRS = (
    (NON_STAR, int(EntityKind.PLACE), WITH_PLACE),
    (NON_STAR, int(EntityKind.COMPANY), WITH_COMPANY),
    (NON_STAR, int(EntityKind.ADULT), WITH_ADULT),
    (NON_STAR, int(EntityKind.REVEALING), WITH_REVEALING),
)
"""(a, b, c): a session with bits a and b has bit c; under the source's rules."""


def pairs_of(rules: str) -> tuple[tuple[int, int, int], ...]:
    """The combinations that count: with any sensitive topic under the default rules."""
    if rules == "source":
        return PAIRS
    told = tuple(
        (name, int(kind), WITH_ADULT if kind == EntityKind.ADULT else WITH_REVEALING)
        for name in (NON_STAR, LOOKED_UP)
        for kind in TOPICS
        if kind not in (EntityKind.ETHNICITY, EntityKind.POLITICS)
    )
    return PAIRS + told


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

_FORMER_LABELS = {
    "political opinion": EntityKind.POLITICS.label,
    "non-star name": LABELS[NON_STAR],
    "string only this user asked, with something sensitive": LABELS[UNIQUE],
    "non-star name and a place": LABELS[WITH_PLACE],
    "non-star name and a company": LABELS[WITH_COMPANY],
    "non-star name and an adult term": LABELS[WITH_ADULT],
    "non-star name and a revealing term": LABELS[WITH_REVEALING],
    "non-star name that is looked up": LABELS[LOOKED_UP],
}
"""What reasons are called in policies and releases that earlier versions wrote."""


def current_label(label: str) -> str:
    """What a reason is called now, by the label that a file has; another text as it is."""
    return _FORMER_LABELS.get(label, label)


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


_ABOUT_PROFESSIONALS = phrase(
    "Somebody whom people consult for their profession, such as a doctor, a lawyer or a pastor, no "
    "acquaintance: with what else the session holds the name shows what the user may need help "
    "with, and where."
)


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
    found = sorted(dict.fromkeys(whys), key=lambda why: (why != first, -weights.get(why, 0.0)))
    beside = {LABELS[UNIQUE]}
    for name in (LABELS[NON_STAR], _PROFESSIONALS[LABELS[NON_STAR]]):
        if any(why != name and why.startswith(name) for why in found):
            beside.add(name)
    return [why for why in found if why not in beside][:MOST_SHOWN] or found[:1]


def explain_reason(label: str) -> str:
    """What a reason, called by its label, means for the person; empty for an unknown one."""
    if label in _PROFESSIONALS.values():
        return _ABOUT_PROFESSIONALS
    return next(
        (reason.explain for reason in (*REASONS, WRONG_REASON) if reason.label == label), ""
    )
