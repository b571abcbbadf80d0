"""What a detector can find in a query, what it is called, and why it matters to a person."""

from __future__ import annotations

import enum

from auditor.messages import phrase


class EntityKind(enum.IntEnum):
    """Kind of a mark; the value is what a uint8 column of marks holds."""

    PERSON = 0
    PLACE = 1
    COMPANY = 2
    ADULT = 3
    REVEALING = 4
    EMAIL = 5
    PHONE = 6
    SSN = 7
    CARD = 8
    STREET = 9
    IP = 10
    PLATE = 11
    COORDINATES = 12
    HEALTH = 13
    SEXUALITY = 14
    RELIGION = 15
    POLITICS = 16
    UNION = 17
    ETHNICITY = 18
    GENETIC = 19
    CRIME = 20
    MONEY = 21
    MINORS = 22
    DISTRESS = 23
    USER_ID = 24

    @property
    def label(self) -> str:
        """The kind's name in a table or on an axis."""
        return _LABELS[self]


_LABELS = {
    EntityKind.PERSON: "person name",
    EntityKind.PLACE: "place",
    EntityKind.COMPANY: "company",
    EntityKind.ADULT: "adult term",
    EntityKind.REVEALING: "revealing term",
    EntityKind.EMAIL: "e-mail address",
    EntityKind.PHONE: "phone number",
    EntityKind.SSN: "social security number",
    EntityKind.CARD: "payment card",
    EntityKind.STREET: "street address",
    EntityKind.IP: "IP address",
    EntityKind.PLATE: "license plate",
    EntityKind.COORDINATES: phrase("coordinates"),
    EntityKind.HEALTH: phrase("health"),
    EntityKind.SEXUALITY: "sexual orientation or gender",
    EntityKind.RELIGION: "religion or belief",
    EntityKind.POLITICS: "politics or government",
    EntityKind.UNION: "trade union",
    EntityKind.ETHNICITY: "ethnic origin",
    EntityKind.GENETIC: "genetic or biometric data",
    EntityKind.CRIME: "crime or courts",
    EntityKind.MONEY: "money trouble",
    EntityKind.MINORS: phrase("minors"),
    EntityKind.DISTRESS: "grief, abuse, addiction or violence",
    EntityKind.USER_ID: "user name or account",
}

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

SOURCE_KINDS = (
    EntityKind.PERSON,
    EntityKind.PLACE,
    EntityKind.COMPANY,
    EntityKind.ADULT,
    EntityKind.REVEALING,
    EntityKind.EMAIL,
    EntityKind.PHONE,
    EntityKind.SSN,
    EntityKind.CARD,
    EntityKind.STREET,
    EntityKind.IP,
)
"""Kinds that the source's rules look for (Kumar et al., WWW 2007, section 5), and identifiers."""
