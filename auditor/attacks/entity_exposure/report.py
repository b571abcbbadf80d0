"""Tables 6 and 7 of Kumar et al., and the figures that go with them; counts alone."""

from __future__ import annotations

import numpy as np

from auditor.arrays import Bools, Int32s, Int64s
from auditor.attacks.detection.kinds import PII, EntityKind
from auditor.attacks.risk import reasons as why
from auditor.attacks.risk.session_scoring import SessionScores
from auditor.figures import MetricValue, Table, UserReference
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.messages import phrase

catalogue = MetricCatalogue("attacks", "entity_exposure")

SOURCE = "Kumar et al., WWW 2007, section 5"

SESSION_LINES: tuple[tuple[str, int], ...] = (
    ("unique person name", why.reason_mask(EntityKind.PERSON, why.NON_STAR)),
    ("unique company name", why.reason_mask(EntityKind.COMPANY)),
    ("unique place name", why.reason_mask(EntityKind.PLACE)),
    ("unique non-star name", why.reason_mask(why.NON_STAR)),
    ("non-star name and a place name", why.reason_mask(why.WITH_PLACE)),
    ("non-star name and a company name", why.reason_mask(why.WITH_COMPANY)),
    ("non-star name and an adult term", why.reason_mask(why.WITH_ADULT)),
    ("non-star name and a revealing term", why.reason_mask(why.WITH_REVEALING)),
    *(
        (kind.label, why.reason_mask(kind))
        for kind in (EntityKind.ADULT, EntityKind.REVEALING, *PII)
    ),
)
"""Rows of Table 6; those after the eighth are beyond the source."""


def query_lines(found: SessionScores) -> list[tuple[str, Bools]]:
    """Rows of Table 7 and the distinct queries of each; those after the fifth are beyond it."""
    people, place = found.has(EntityKind.PERSON, why.NON_STAR), found.has(EntityKind.PLACE)
    company, star = found.has(EntityKind.COMPANY), found.has(why.NON_STAR)
    more = [
        (kind.label, found.has(kind)) for kind in (EntityKind.ADULT, EntityKind.REVEALING, *PII)
    ]
    return [
        ("name", people),
        ("place", place),
        ("company", company),
        ("name and place", people & place),
        ("non-star name and place", star & place),
        ("non-star name", star),
        ("non-star name and company", star & company),
        ("non-star name and adult term", star & found.has(EntityKind.ADULT)),
        ("non-star name and revealing term", star & found.has(EntityKind.REVEALING)),
        *more,
    ]


def sessions_with(found: SessionScores, bits: int) -> int:
    return int(((found.reason & np.uint64(bits)) != 0).sum())


def sessions_table(
    believed: SessionScores, right: SessionScores, guessed: SessionScores, n: int
) -> Table:
    rows = [
        (
            sessions_with(right, bits),
            label,
            sessions_with(believed, bits),
            sessions_with(guessed, bits),
        )
        for label, bits in SESSION_LINES
    ]
    return catalogue.table(
        "sessions",
        rows,
        source=phrase("{source}, Table 6", source=SOURCE),
        own_words=True,
        n=n,
        sessions=right.sessions,
    )


def queries_table(
    believed: SessionScores, right: SessionScores, guessed: SessionScores, n: int
) -> Table:
    seen, random = query_lines(believed), query_lines(guessed)
    rows = [
        (
            int(strings.sum()),
            label,
            int(right.events[strings].sum()),
            int(seen[line][1].sum()),
            int(random[line][1].sum()),
        )
        for line, (label, strings) in enumerate(query_lines(right))
    ]
    return catalogue.table(
        "queries", rows, source=phrase("{source}, Table 7", source=SOURCE), own_words=True, n=n
    )


def build_metrics(
    believed: SessionScores, right: SessionScores, wide: SessionScores, hits: int, users: int
) -> tuple[MetricValue, ...]:
    return (
        catalogue("users_exposed", hits),
        catalogue("users", users),
        catalogue("sessions", right.sessions),
        catalogue("sessions_non_star", sessions_with(right, why.reason_mask(why.NON_STAR))),
        catalogue("sessions_non_star_seen", sessions_with(believed, why.reason_mask(why.NON_STAR))),
        catalogue("queries_non_star", int(wide.has(why.NON_STAR).sum())),
    )


def sessions_who(
    believed: SessionScores, right: SessionScores, rows: Int64s
) -> dict[int, UserReference]:
    """The sessions behind each count of `sessions_table`; `rows` are those of the raw log."""
    masks = [bits for _, bits in SESSION_LINES]
    return {
        column: UserReference.from_masks("rows", rows[found.start], found.reason, masks)
        for column, found in ((0, right), (2, believed))
    }


def queries_who(
    believed: SessionScores, right: SessionScores, code: Int32s
) -> dict[int, UserReference]:
    """The queries behind each count of `queries_table`; `code` is theirs in the raw log."""
    shown, seen = (
        UserReference.from_parts("queries", [code[strings] for _, strings in query_lines(found)])
        for found in (right, believed)
    )
    return {0: shown, 2: shown, 3: seen}
