"""What a survey comes to: counts over its strings, sessions and users, wherever these are.

Parts of a log are counted apart and their counts added up, so that a log on many machines gives
the figures of one. Nothing here holds a query, a user or a name.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Array, Bools, Float64s, Int64s, UInt64s
from auditor.attacks.detection.kinds import PII, EntityKind
from auditor.attacks.risk import reasons as why
from auditor.attacks.risk.session_scoring import SessionScores
from auditor.messages import as_phrase, phrase

SHOWN = (why.NON_STAR, *(int(kind) for kind in EntityKind), why.UNIQUE)
"""Reasons that single queries carry, in the order of tables and axes."""

_PEOPLE = why.reason_mask(EntityKind.PERSON, why.NON_STAR)
_PLACE, _STAR = why.reason_mask(EntityKind.PLACE), why.reason_mask(why.NON_STAR)

SESSION_LINES: tuple[tuple[str, int], ...] = (
    ("unique person name", _PEOPLE),
    *(
        (phrase("unique {labels}", labels=as_phrase(why.LABELS[bit])), 1 << bit)
        for bit in (EntityKind.COMPANY, EntityKind.PLACE, why.NON_STAR)
    ),
    *(
        (why.LABELS[bit], 1 << bit)
        for bit in (
            why.WITH_PLACE,
            why.WITH_COMPANY,
            why.WITH_ADULT,
            why.WITH_REVEALING,
            EntityKind.ADULT,
            EntityKind.REVEALING,
            *PII,
            why.UNIQUE,
            why.OWN_NAME,
            why.REPEATED,
            why.CLICKED,
        )
    ),
)
"""Lines of the table of sessions: what they are called, and the reasons of which one will do."""

QUERY_LINES: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("name", (_PEOPLE,)),
    ("place", (_PLACE,)),
    ("company", (why.reason_mask(EntityKind.COMPANY),)),
    ("name and place", (_PEOPLE, _PLACE)),
    ("private person's name and place", (_STAR, _PLACE)),
    ("private person's name", (_STAR,)),
    *(
        (why.LABELS[bit], (1 << bit,))
        for bit in (EntityKind.ADULT, EntityKind.REVEALING, *PII, why.UNIQUE)
    ),
)
"""Lines of the table of queries: reasons of which one will do, of each of the sets."""

RISKS = np.linspace(0.0, 1.0, 21)
"""Edges of the classes of risk."""


def on_line(bits: UInt64s, masks: tuple[int, ...]) -> Bools:
    """Which strings belong on a line of the table of queries."""
    found = np.ones(len(bits), dtype=np.bool_)
    for mask in masks:
        found &= (bits & np.uint64(mask)) != 0
    return found


def risk_class(risk: Float64s) -> Int64s:
    """The class of each session's risk."""
    place: Int64s = np.clip(np.searchsorted(RISKS, risk, side="right") - 1, 0, len(RISKS) - 2)
    return place


@dataclass(frozen=True, eq=False)
class FlaggedStrings:
    """Counts over distinct queries.

    Attributes
    ----------
    single
        Those of one user that survive.
    shown
        For each of `SHOWN`, strings that carry it, and those of them that survive; shape (…, 2).
    lines
        For each of `QUERY_LINES`: events, strings, those of one user, those that survive, and
        those of one user that survive; shape (…, 5).
    """

    single: int
    shown: Int64s
    lines: Int64s


def of_strings(bits: UInt64s, users: Array, events: Int64s, survives: Bools) -> FlaggedStrings:
    """Count some of a log's distinct queries; equal shapes."""
    alone = users == 1
    shown = [(bits & np.uint64(1 << bit)) != 0 for bit in SHOWN]
    lines = [on_line(bits, masks) for _, masks in QUERY_LINES]
    return FlaggedStrings(
        int((alone & survives).sum()),
        np.array([[part.sum(), (part & survives).sum()] for part in shown], dtype=np.int64),
        np.array(
            [
                [
                    events[part].sum(),
                    part.sum(),
                    (part & alone).sum(),
                    (part & survives).sum(),
                    (part & alone & survives).sum(),
                ]
                for part in lines
            ],
            dtype=np.int64,
        ),
    )


@dataclass(frozen=True, eq=False)
class FlaggedSessionCounts:
    """Counts over sessions.

    Attributes
    ----------
    whole, flagged
        All of them, and those that reach the least risk.
    lines
        For each of `SESSION_LINES`: sessions with it, and those of which what survives still
        gives it; shape (…, 2).
    risks
        For each class of risk: sessions with a reason, and those of which a marked string
        survives; shape (20, 2).
    """

    whole: int
    flagged: int
    lines: Int64s
    risks: Int64s


def of_sessions(
    whole: int, reason: UInt64s, left: UInt64s, standing: Array, risk: Float64s,
    least: float,
) -> FlaggedSessionCounts:  # fmt: skip
    """Count some of a log's sessions: `whole` of them, and of those with a reason the columns."""
    place = risk_class(risk)
    classes = [np.bincount(part, minlength=len(RISKS) - 1) for part in (place, place[standing > 0])]
    lines = [
        [((part & np.uint64(mask)) != 0).sum() for part in (reason, left)]
        for _, mask in SESSION_LINES
    ]
    return FlaggedSessionCounts(
        whole,
        int((risk >= least).sum()),
        np.array(lines, dtype=np.int64),
        np.stack(classes, axis=1).astype(np.int64),
    )


@dataclass(frozen=True, eq=False)
class SurvivalCounts:
    """All that is told of a survey, but for who and where.

    Attributes
    ----------
    users
        Users of the log.
    users_flagged, users_exposed
        Those with a flagged session, and those of whom a flagged string survives.
    missed
        Mean chance, over users with a flagged session, that none of as many ordinary queries, as
        rare, would survive; 1 where there are none.
    single_users
        Users of whom a string that nobody else issued survives.
    strings_flagged, strings_surviving
        Distinct flagged queries, and those that survive.
    addresses_flagged, addresses_surviving
        The same of clicked addresses.
    """

    users: int
    users_flagged: int
    users_exposed: int
    missed: float
    single_users: int
    strings_flagged: int
    strings_surviving: int
    addresses_flagged: int
    addresses_surviving: int
    strings: FlaggedStrings
    sessions: FlaggedSessionCounts


def count_survivors(found: SessionScores, least: float) -> SurvivalCounts:
    """The counts of a survey in memory; `least` is the least risk that is flagged."""
    users = found.user_flagged > 0
    return SurvivalCounts(
        users=len(users),
        users_flagged=int(users.sum()),
        users_exposed=int((found.user_standing > 0).sum()),
        missed=float(found.user_missed[users].mean()) if users.any() else 1.0,
        single_users=found.single_users,
        strings_flagged=int(found.string.sum()),
        strings_surviving=int((found.string & found.survives).sum()),
        addresses_flagged=found.addresses,
        addresses_surviving=found.addresses_surviving,
        strings=of_strings(found.bits, found.users, found.events, found.survives),
        sessions=of_sessions(
            found.sessions,
            found.judged.reason,
            found.judged.left,
            found.judged.standing,
            found.judged.risk,
            least,
        ),
    )
