"""What a spotter can find in a query, what it is called, and why it matters to a person."""

from __future__ import annotations

import enum


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
}

PII = (
    EntityKind.EMAIL,
    EntityKind.PHONE,
    EntityKind.SSN,
    EntityKind.CARD,
    EntityKind.STREET,
    EntityKind.IP,
)
"""Kinds that reach one person or household by themselves."""
