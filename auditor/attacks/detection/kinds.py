"""What a detector can find in a query, what it is called, and why it matters to a person."""

from __future__ import annotations

import enum

from auditor.messages import phrase


class EntityKind(enum.IntEnum):
    """Kind of a mark; the value is what a uint8 column of marks holds."""

    label: str
    """The kind's name in a table or on an axis."""
    weight: float
    """What it counts in a session's risk, in [0, 1): a judgement, see `risk.reasons`."""

    def __new__(cls, value: int, label: str = "", weight: float = 0.0) -> EntityKind:
        """A value with its label and weight."""
        kind = int.__new__(cls, value)
        kind._value_, kind.label, kind.weight = value, label, weight
        return kind

    PERSON = 0, "person name", 0.03
    PLACE = 1, "place", 0.02
    COMPANY = 2, "company", 0.01
    ADULT = 3, "adult term", 0.25
    REVEALING = 4, "revealing term", 0.05
    EMAIL = 5, "e-mail address", 0.6
    PHONE = 6, "phone number", 0.6
    SSN = 7, "social security number", 0.9
    CARD = 8, "payment card", 0.9
    STREET = 9, "street address", 0.6
    IP = 10, "IP address", 0.4
    PLATE = 11, "license plate", 0.5
    COORDINATES = 12, phrase("coordinates"), 0.5
    HEALTH = 13, phrase("health"), 0.3
    SEXUALITY = 14, "sexual orientation or gender", 0.35
    RELIGION = 15, "religion or belief", 0.18
    POLITICS = 16, "politics or government", 0.12
    UNION = 17, "trade union", 0.2
    ETHNICITY = 18, "ethnic origin", 0.12
    GENETIC = 19, "genetic or biometric data", 0.3
    CRIME = 20, "crime or courts", 0.25
    MONEY = 21, "money trouble", 0.3
    MINORS = 22, phrase("minors"), 0.5
    DISTRESS = 23, "grief, abuse, addiction or violence", 0.4
    USER_ID = 24, "user name or account", 0.35


PII = (
    *(k for k in EntityKind if EntityKind.EMAIL <= k <= EntityKind.COORDINATES),
    EntityKind.USER_ID,
)
"""Kinds that reach one person or household by themselves."""
TOPICS = (
    *(k for k in EntityKind if EntityKind.HEALTH <= k <= EntityKind.DISTRESS),
    EntityKind.ADULT,
)
"""Kinds that a person may not want known: the special categories of Articles 9 and 10 of the
GDPR, and what else embarrasses or harms."""
SOURCE_KINDS = tuple(kind for kind in EntityKind if kind <= EntityKind.IP)
"""Kinds that the source's rules look for (Kumar et al., WWW 2007, section 5), and identifiers."""
