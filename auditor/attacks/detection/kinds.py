"""What a detector can find in a query, what it is called, and why it matters to a person."""

from __future__ import annotations

import enum

from auditor.messages import phrase


class EntityKind(enum.IntEnum):
    """Kind of a mark; the value is what a uint8 column of marks holds."""

    label: str
    """The kind's name in a table or on an axis."""

    def __new__(cls, value: int, label: str = "") -> EntityKind:
        """A value with its label."""
        kind = int.__new__(cls, value)
        kind._value_, kind.label = value, label
        return kind

    PERSON = 0, "person name"
    PLACE = 1, "place"
    COMPANY = 2, "company"
    ADULT = 3, "adult term"
    REVEALING = 4, "revealing term"
    EMAIL = 5, "e-mail address"
    PHONE = 6, "phone number"
    SSN = 7, "social security number"
    CARD = 8, "payment card"
    STREET = 9, "street address"
    IP = 10, "IP address"
    PLATE = 11, "license plate"
    COORDINATES = 12, phrase("coordinates")
    HEALTH = 13, phrase("health")
    SEXUALITY = 14, "sexual orientation or gender"
    RELIGION = 15, "religion or belief"
    POLITICS = 16, "politics or government"
    UNION = 17, "trade union"
    ETHNICITY = 18, "ethnic origin"
    GENETIC = 19, "genetic or biometric data"
    CRIME = 20, "crime or courts"
    MONEY = 21, "money trouble"
    MINORS = 22, phrase("minors")
    DISTRESS = 23, "grief, abuse, addiction or violence"
    USER_ID = 24, "user name or account"


PII = (
    EntityKind.EMAIL,
    EntityKind.PHONE,
    EntityKind.SSN,
    EntityKind.CARD,
    EntityKind.STREET,
    EntityKind.IP,
    EntityKind.PLATE,
    EntityKind.COORDINATES,
    EntityKind.USER_ID,
)
"""Kinds that reach one person or household by themselves."""

TOPICS = (
    EntityKind.HEALTH,
    EntityKind.SEXUALITY,
    EntityKind.RELIGION,
    EntityKind.POLITICS,
    EntityKind.UNION,
    EntityKind.ETHNICITY,
    EntityKind.GENETIC,
    EntityKind.CRIME,
    EntityKind.MONEY,
    EntityKind.MINORS,
    EntityKind.DISTRESS,
    EntityKind.ADULT,
)
"""Kinds that a person may not want known: the special categories of Articles 9 and 10 of the
GDPR, and what else embarrasses or harms."""

SOURCE_KINDS = tuple(kind for kind in EntityKind if kind <= EntityKind.IP)
"""Kinds that the source's rules look for (Kumar et al., WWW 2007, section 5), and identifiers."""
