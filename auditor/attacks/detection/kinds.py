"""What a spotter can find in a query, what it is called, and why it matters to a person."""

from __future__ import annotations

import enum


class Kind(enum.IntEnum):
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
    Kind.PERSON: "person name",
    Kind.PLACE: "place",
    Kind.COMPANY: "company",
    Kind.ADULT: "adult term",
    Kind.REVEALING: "revealing term",
    Kind.EMAIL: "e-mail address",
    Kind.PHONE: "phone number",
    Kind.SSN: "social security number",
    Kind.CARD: "payment card",
    Kind.STREET: "street address",
    Kind.IP: "IP address",
}

PII = (Kind.EMAIL, Kind.PHONE, Kind.SSN, Kind.CARD, Kind.STREET, Kind.IP)
"""Kinds that reach one person or household by themselves."""
