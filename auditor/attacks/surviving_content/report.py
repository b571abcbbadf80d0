"""What the attack on surviving content tells: counts of a survey as values, tables, plots.

Counts alone: nothing here holds a query, a user or a name. Where the survey is at hand, what is
told knows whom it is about.
"""

from __future__ import annotations

import numpy as np

from auditor.arrays import Bools
from auditor.attacks.detection.kinds import EntityKind
from auditor.attacks.risk import reasons as why
from auditor.attacks.risk.session_scoring import SessionScores
from auditor.attacks.surviving_content import counts
from auditor.attacks.surviving_content.counts import SHOWN, SurvivalCounts
from auditor.figures import Axis, Figure, MetricValue, PlotMark, Series, Table, UserReference
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.messages import as_phrase, phrase

catalogue = MetricCatalogue("attacks", "surviving_content")

SOURCE = "Kumar et al., WWW 2007, section 5"


def _refer_to_queries(*parts: Bools) -> UserReference:
    """The distinct queries of every line."""
    return UserReference.from_parts(
        "queries", [np.flatnonzero(part).astype(np.int32) for part in parts]
    )


def build_metrics(
    told: SurvivalCounts, released: bool, found: SessionScores | None = None, least: float = 0.0
) -> tuple[MetricValue, ...]:
    """The figures; without a survey nobody is behind them. `least` is the risk that is flagged."""
    who: dict[str, UserReference] = {} if found is None else _collect_references(found)
    listed = [catalogue("users_flagged", told.users_flagged, who=who.get("users"))]
    if found is not None:
        at_risk = found.people.start[found.people.risk >= least]
        people = UserReference.from_parts("rows", [at_risk])
        listed.append(catalogue("users_at_risk", len(at_risk), who=people))
    listed += [
        catalogue("sessions_flagged", told.sessions.flagged, who=who.get("sessions")),
        catalogue("sessions", told.sessions.whole),
        catalogue("strings_flagged", told.strings_flagged),
    ]
    if told.addresses_flagged:
        listed.append(catalogue("addresses_flagged", told.addresses_flagged))
    if told.addresses_flagged and released:
        listed.append(catalogue("addresses_surviving", told.addresses_surviving))
    if released:
        listed += [
            catalogue("strings_surviving", told.strings_surviving, who=who.get("surviving")),
            catalogue("single_user_strings_surviving", told.strings.single, who=who.get("single")),
            catalogue("users_with_single_user_strings_surviving", told.single_users),
        ]
    for bit, (strings, left) in zip(SHOWN, told.strings.shown.tolist(), strict=True):
        name, label = (
            _name_bit(bit),
            phrase("strings with: {labels}", labels=as_phrase(why.LABELS[bit])),
        )
        carry = found.has(bit) if found is not None else None
        behind = None if carry is None else _refer_to_queries(carry)
        listed.append(MetricValue(f"{name}.strings", label, strings, who=behind))
        if released:
            behind = (
                None
                if found is None or carry is None
                else _refer_to_queries(carry & found.survives)
            )
            listed.append(
                catalogue(
                    "surviving", left, named=f"{name}.surviving", who=behind, label=as_phrase(label)
                )
            )
    return tuple(listed)


def _collect_references(found: SessionScores) -> dict[str, UserReference]:
    flagged = np.flatnonzero(found.user_flagged).astype(np.int32)
    return {
        "users": UserReference.from_parts("users", [flagged]),
        "sessions": UserReference.from_parts("rows", [found.judged.start[found.flagged]]),
        "surviving": _refer_to_queries(found.string & found.survives),
        "single": _refer_to_queries((found.users == 1) & found.survives),
    }


def _name_bit(bit: int) -> str:
    if bit < len(EntityKind):
        return EntityKind(bit).name.lower()
    return {why.NON_STAR: "non_star", why.UNIQUE: "unique"}[bit]


def sessions_table(told: SurvivalCounts, found: SessionScores | None = None) -> Table:
    """Table 6's shape: sessions with each entity or combination."""
    named = zip(counts.SESSION_LINES, told.sessions.lines.tolist(), strict=True)
    masks = [mask for _, mask in counts.SESSION_LINES]
    sides = () if found is None else (found.judged.reason, found.judged.left)
    return catalogue.table(
        "sessions",
        [(here, left, label) for (label, _), (here, left) in named],
        source=phrase("{source}, Table 6", source=SOURCE),
        who={
            column: UserReference.from_masks("rows", found.judged.start, side, masks)
            for column, side in enumerate(sides)
            if found is not None
        },
        own_words=True,
    )


def queries_table(told: SurvivalCounts, found: SessionScores | None = None) -> Table:
    """Table 7's shape: single queries with each entity or combination."""
    named = zip(counts.QUERY_LINES, told.strings.lines.tolist(), strict=True)
    return catalogue.table(
        "queries",
        [(*numbers, label) for (label, _), numbers in named],
        source=phrase("{source}, Table 7", source=SOURCE),
        who={} if found is None else _queries_who(found),
        own_words=True,
    )


def _queries_who(found: SessionScores) -> dict[int, UserReference]:
    lines = [counts.on_line(found.bits, masks) for _, masks in counts.QUERY_LINES]
    alone = found.users == 1
    every = _refer_to_queries(*lines)
    return {
        0: every,
        1: every,
        2: _refer_to_queries(*(strings & alone for strings in lines)),
        3: _refer_to_queries(*(strings & found.survives for strings in lines)),
        4: _refer_to_queries(*(strings & alone & found.survives for strings in lines)),
    }


MOST_KINDS = 12
"""Kinds that the bar chart has room for; the tables list all of them."""


def by_kind(told: SurvivalCounts, released: bool, found: SessionScores | None = None) -> Figure:
    """The kinds of content that occur, in their usual order; of many, the most frequent."""
    strings, left = told.strings.shown.astype(np.float64).T
    frequent = np.argsort(-strings, kind="stable")[:MOST_KINDS]
    chosen = sorted(place for place in frequent.tolist() if strings[place])
    bits = [SHOWN[place] for place in chosen]
    places = np.arange(len(bits), dtype=np.float64)
    behind = None if found is None else _refer_to_queries(*(found.has(bit) for bit in bits))
    series = [Series("in the input", places, strings[chosen], "bars", who=behind)]
    if released:
        if found is not None:
            behind = _refer_to_queries(*(found.has(bit) & found.survives for bit in bits))
        series.append(Series("surviving", places, left[chosen], "bars", who=behind))
    return Figure(
        "by-kind",
        "Distinct strings with each kind of content, and what survives"
        if released
        else "Distinct strings with each kind of content",
        Axis("content", categories=tuple(why.LABELS[bit] for bit in bits)),
        Axis("distinct strings"),
        tuple(series),
        own_words=True,
    )


def by_risk(told: SurvivalCounts, least: float, found: SessionScores | None = None) -> Figure:
    middle = (counts.RISKS[1:] + counts.RISKS[:-1]) / 2
    sessions, left = told.sessions.risks.astype(np.float64).T
    behind = [None, None] if found is None else _by_class(found, len(middle))
    series = [Series("sessions with a reason", middle, sessions, "bars", who=behind[0])]
    if left.any():
        label = "… of which a marked string survives"
        series.append(Series(label, middle, left, "bars", who=behind[1]))
    return catalogue.figure(
        "by-risk", series, marks=(PlotMark("x", least, "least risk shown", "limit"),)
    )


def _by_class(found: SessionScores, classes: int) -> list[UserReference | None]:
    """The sessions of each class of risk, and those of which a marked string survives."""
    bit = np.left_shift(np.uint32(1), counts.risk_class(found.judged.risk).astype(np.uint32))
    masks = [1 << at for at in range(classes)]
    left = found.judged.standing > 0
    return [
        UserReference.from_masks("rows", found.judged.start, bit, masks),
        UserReference.from_masks("rows", found.judged.start[left], bit[left], masks),
    ]
