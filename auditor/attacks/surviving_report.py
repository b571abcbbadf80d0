"""What the attack on surviving content tells: figures of its survey as values, tables, plots.

Counts alone: nothing here holds a query, a user or a name.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from auditor.attacks import reasons as why
from auditor.attacks.kinds import PII, Kind
from auditor.attacks.survey import Survey
from auditor.figures import Axis, Figure, Mark, Series, Table, Value, Who

SOURCE = "Kumar et al., WWW 2007, section 5"

Flags = NDArray[np.bool_]

SHOWN = (why.NON_STAR, *(int(kind) for kind in Kind), why.UNIQUE)
"""Reasons that single queries carry, in the order of tables and axes."""


def _strings(*parts: Flags) -> Who:
    """The distinct queries of every line."""
    return Who.parts("queries", [np.flatnonzero(part).astype(np.int32) for part in parts])


def values(found: Survey, released: bool) -> tuple[Value, ...]:
    single = found.users == 1
    flagged_users = np.flatnonzero(found.user_flagged).astype(np.int32)
    begins = found.start[found.flagged]
    told = [
        Value(
            "users_flagged",
            "users with a flagged session",
            int((found.user_flagged > 0).sum()),
            unit="users",
            who=Who.parts("users", [flagged_users]),
        ),
        Value(
            "sessions_flagged",
            "sessions flagged",
            int(found.flagged.sum()),
            unit="sessions",
            who=Who.parts("rows", [begins]),
        ),
        Value("sessions", "sessions in all", found.sessions, unit="sessions"),
        Value("strings_flagged", "distinct strings flagged", int(found.string.sum())),
    ]
    if released:
        told += [
            Value(
                "strings_surviving",
                "flagged strings that survive",
                int((found.string & found.survives).sum()),
                help="Distinct flagged strings that stand in the release byte for byte.",
                better="lower",
                side="privacy",
                who=_strings(found.string & found.survives),
            ),
            Value(
                "single_user_strings_surviving",
                "strings of one user that survive",
                int((single & found.survives).sum()),
                help="Distinct strings, flagged or not, that stand in the release though only one "
                "user of the raw log ever asked them.",
                better="lower",
                side="privacy",
                who=_strings(single & found.survives),
            ),
            Value(
                "users_with_single_user_strings_surviving",
                "users of whom such a string survives",
                found.single_users,
                unit="users",
                better="lower",
                side="privacy",
            ),
        ]
    for bit in SHOWN:
        name = _name(bit)
        strings = found.has(bit)
        label = f"strings with: {why.LABELS[bit]}"
        told.append(Value(f"{name}.strings", label, int(strings.sum()), who=_strings(strings)))
        if released:
            told.append(
                Value(
                    f"{name}.surviving",
                    f"surviving {label}",
                    int((strings & found.survives).sum()),
                    better="lower",
                    who=_strings(strings & found.survives),
                )
            )
    return tuple(told)


def _name(bit: int) -> str:
    if bit < len(Kind):
        return Kind(bit).name.lower()
    return {why.NON_STAR: "non_star", why.UNIQUE: "unique"}[bit]


def sessions_table(found: Survey) -> Table:
    """Table 6's shape: sessions with each entity or combination."""
    people = why.mask(Kind.PERSON, why.NON_STAR)
    lines = [("unique person name", people)]
    lines += [
        (f"unique {why.LABELS[bit]}", 1 << bit) for bit in (Kind.COMPANY, Kind.PLACE, why.NON_STAR)
    ]
    lines += [
        (why.LABELS[bit], 1 << bit)
        for bit in (
            why.WITH_PLACE,
            why.WITH_COMPANY,
            why.WITH_ADULT,
            why.WITH_REVEALING,
            Kind.ADULT,
            Kind.REVEALING,
            *PII,
            why.UNIQUE,
            why.OWN_NAME,
        )
    ]
    masks = [bits for _, bits in lines]
    rows = [
        (
            int(((found.reason & np.uint32(bits)) != 0).sum()),
            int(((found.left & np.uint32(bits)) != 0).sum()),
            label,
        )
        for label, bits in lines
    ]
    return Table(
        "sessions",
        "Sessions with entities that tell of a person",
        ("Sessions in the input", "Sessions of which the release still shows it", "Entity"),
        rows,
        note="A session counts once however often an entity recurs in it. The first four lines "
        "and the combinations are the source's; the rest are beyond it. The second column counts "
        "by the strings that survive verbatim; tables do not say which strings belong together.",
        source=f"{SOURCE}, Table 6",
        who={
            0: Who.masked("rows", found.start, found.reason, masks),
            1: Who.masked("rows", found.start, found.left, masks),
        },
        own_words=True,
    )


def queries_table(found: Survey) -> Table:
    """Table 7's shape: single queries with each entity or combination."""
    people, place = found.has(Kind.PERSON, why.NON_STAR), found.has(Kind.PLACE)
    star = found.has(why.NON_STAR)
    lines: list[tuple[str, NDArray[np.bool_]]] = [
        ("name", people),
        ("place", place),
        ("company", found.has(Kind.COMPANY)),
        ("name and place", people & place),
        ("non-star name and place", star & place),
        ("non-star name", star),
    ]
    lines += [
        (why.LABELS[bit], found.has(bit)) for bit in (Kind.ADULT, Kind.REVEALING, *PII, why.UNIQUE)
    ]
    alone = found.users == 1
    rows = [
        (
            int(found.events[strings].sum()),
            int(strings.sum()),
            int((strings & alone).sum()),
            int((strings & found.survives).sum()),
            int((strings & alone & found.survives).sum()),
            label,
        )
        for label, strings in lines
    ]
    return Table(
        "queries",
        "Queries with entities that tell of a person",
        (
            "Queries",
            "Distinct strings",
            "… asked by one user",
            "Strings surviving",
            "… asked by one user",
            "Entity",
        ),
        rows,
        note="The first five lines are the source's; the rest are beyond it. A query with several "
        "clicks counts once.",
        source=f"{SOURCE}, Table 7",
        who=_queries_who(found, [strings for _, strings in lines], alone),
        own_words=True,
    )


def _queries_who(found: Survey, lines: list[Flags], alone: Flags) -> dict[int, Who]:
    every = _strings(*lines)
    return {
        0: every,
        1: every,
        2: _strings(*(strings & alone for strings in lines)),
        3: _strings(*(strings & found.survives for strings in lines)),
        4: _strings(*(strings & alone & found.survives for strings in lines)),
    }


def by_kind(found: Survey, released: bool) -> Figure:
    places = np.arange(len(SHOWN), dtype=np.float64)
    strings = np.asarray([found.has(bit).sum() for bit in SHOWN], dtype=np.float64)
    behind = _strings(*(found.has(bit) for bit in SHOWN))
    series = [Series("in the input", places, strings, "bars", who=behind)]
    if released:
        left = [found.has(bit) & found.survives for bit in SHOWN]
        counts = np.asarray([part.sum() for part in left], dtype=np.float64)
        series.append(Series("surviving", places, counts, "bars", who=_strings(*left)))
    return Figure(
        "by-kind",
        "Distinct strings with each kind of content" + (", and what survives" if released else ""),
        Axis("content", categories=tuple(why.LABELS[bit] for bit in SHOWN)),
        Axis("distinct strings"),
        tuple(series),
        own_words=True,
    )


def by_risk(found: Survey, least: float) -> Figure:
    edges = np.linspace(0.0, 1.0, 21)
    middle = (edges[1:] + edges[:-1]) / 2
    left = found.standing > 0
    place = np.clip(np.searchsorted(edges, found.risk, side="right") - 1, 0, len(middle) - 1)
    bit = np.left_shift(np.uint32(1), place.astype(np.uint32))
    masks = [1 << at for at in range(len(middle))]
    counts = [
        np.bincount(part, minlength=len(middle)).astype(np.float64) for part in (place, place[left])
    ]
    behind = Who.masked("rows", found.start, bit, masks)
    series = [Series("sessions with a reason", middle, counts[0], "bars", who=behind)]
    if left.any():
        label = "… of which a marked string survives"
        behind = Who.masked("rows", found.start[left], bit[left], masks)
        series.append(Series(label, middle, counts[1], "bars", who=behind))
    return Figure(
        "by-risk",
        "How many sessions are at how much risk",
        Axis("risk"),
        Axis("sessions"),
        tuple(series),
        marks=(Mark("x", least, "least risk shown", "limit"),),
    )
