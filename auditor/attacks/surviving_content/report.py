"""What the attack on surviving content tells: counts of a survey as values, tables, plots.

Every count is over all strings, sessions or users of a log, and knows which of them it is of. Those
that are named after a kind of content are of everybody's strings, at risk or not.

A k-anonymous list gives k users the same strings, and with them the string that one of the group
alone asked: it stands there k times, readable, and whoever meets one of the k readers' names may
take it for theirs. Where ids are kept, the searches that a release attributes to people who never
made them can be counted.
"""

from collections.abc import Iterator

import numpy as np

from auditor.arrays import Bools, Int32s
from auditor.attacks.detection.kinds import PII, EntityKind
from auditor.attacks.risk import reasons as why
from auditor.attacks.risk.session_scoring import SessionScores
from auditor.figures import Axis, Figure, MetricValue, PlotMark, Series, Table, UserReference
from auditor.log.columns import count_query_users
from auditor.log.gil_friendly import is_among, sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog
from auditor.messages import as_phrase, phrase
from auditor.privacy.identity import kept_ids, rows_of
from auditor.privacy.release import Anonymized
from auditor.progress import Progress

catalogue = MetricCatalogue("attacks", "surviving_content")


REASONS = (why.NON_STAR, *(int(kind) for kind in EntityKind), why.UNIQUE)
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
_ROWS = 1 << 19


def _refer_to_queries(*parts: Bools) -> UserReference:
    return UserReference.from_parts(
        "queries", [np.flatnonzero(part).astype(np.int32) for part in parts]
    )


def build_metrics(scores: SessionScores, released: bool) -> tuple[MetricValue, ...]:
    """The counts of users, sessions and strings."""
    at_risk = scores.people.start[scores.at_risk]
    sessions = scores.session_rows.start[scores.flagged]
    users = sorted_distinct(scores.log.user[sessions])
    listed = [
        catalogue("users_flagged", len(users), who=UserReference.from_parts("users", [users])),
        catalogue("users_at_risk", len(at_risk), who=UserReference.from_parts("rows", [at_risk])),
        catalogue(
            "sessions_flagged", len(sessions), who=UserReference.from_parts("rows", [sessions])
        ),
        catalogue("sessions", scores.sessions),
        catalogue("strings_flagged", int(scores.string.sum())),
    ]
    if scores.addresses:
        listed.append(catalogue("addresses_flagged", scores.addresses))
    if scores.addresses and released:
        listed.append(catalogue("addresses_surviving", scores.addresses_surviving))
    if released:
        surviving, single = scores.string & scores.survives, (scores.users == 1) & scores.survives
        for name, strings in (("strings", surviving), ("single_user_strings", single)):
            references = _refer_to_queries(strings)
            listed.append(catalogue(f"{name}_surviving", int(strings.sum()), who=references))
        listed.append(catalogue("users_with_single_user_strings_surviving", scores.single_users))
    for bit in REASONS:
        keys = {why.NON_STAR: "non_star", why.UNIQUE: "unique"}
        name = keys.get(bit) or EntityKind(bit).name.lower()
        label = phrase(
            "distinct strings of all users with: {labels}", labels=as_phrase(why.LABELS[bit])
        )
        carry = scores.has(bit)
        who = _refer_to_queries(carry)
        listed.append(MetricValue(f"{name}.strings", label, int(carry.sum()), who=who))
        if released:
            carry &= scores.survives
            named, who, what = f"{name}.surviving", _refer_to_queries(carry), as_phrase(label)
            count = int(carry.sum())
            listed.append(catalogue("surviving", count, named=named, who=who, label=what))
    return tuple(listed)


def describe_released_ids(
    log: QueryLog, release: Anonymized, single: Bools, progress: Progress
) -> Iterator[MetricValue]:
    """Strings of one user under many ids, and borrowed searches; nothing for tables.

    `single` says which of the log's queries one user alone issued. O(rows of both logs · log of a
    block's rows).
    """
    if release.log is None:
        return
    released = release.log
    place = log.queries.take(np.flatnonzero(single)).match(released.queries)
    is_single = np.zeros(len(released.queries), dtype=np.bool_)
    is_single[place[place != NONE]] = True
    ids = count_query_users(released, progress)[is_single]
    yield catalogue("single_user_strings_repeated", int(np.count_nonzero(ids > 1)))
    if len(ids):
        yield catalogue("single_user_string_ids", float(ids.mean()))
    owner_of_record = kept_ids(log, release, progress)
    if owner_of_record is not None:
        searches, users = _count_borrowed(log, released, owner_of_record, progress)
        total = int(released.event_starts.sum())
        yield catalogue("borrowed_searches", searches)
        yield catalogue("borrowed_share", searches / total if total else 0.0)
        yield catalogue("borrowing_users", users)


def _count_borrowed(
    log: QueryLog, released: QueryLog, owner_of_record: Int32s, progress: Progress
) -> tuple[int, int]:
    """Released searches of the log's queries under ids of others, and how many ids these are."""
    query = released.queries.match(log.queries).astype(np.int64)
    owner = np.flatnonzero(owner_of_record != NONE)
    searches, users = 0, 0
    for first, last in progress.whole_blocks(
        "looking for borrowed searches", log.user_starts, _ROWS
    ):
        block = owner[slice(*np.searchsorted(owner, [first, last]))]
        log_rows, released_rows = rows_of(log, block), rows_of(released, owner_of_record[block])
        begins = released.event_starts[released_rows[0]]
        issued_codes = query[released.query[released_rows[0][begins]]]
        pairs = (released_rows[1][begins] << 32) | issued_codes
        # What nobody issued, such as a hashed string, is nobody else's search.
        is_own = is_among(pairs, (log_rows[1] << 32) | log.query[log_rows[0]])
        strange = (issued_codes != NONE) & ~is_own
        searches += int(strange.sum())
        users += len(sorted_distinct(released_rows[1][begins][strange]))
    return searches, users


def sessions_table(scores: SessionScores) -> Table:
    """Table 6's shape: sessions with each entity or combination."""
    sides = scores.session_rows.reason, scores.session_rows.remaining
    masks = [mask for _, mask in SESSION_LINES]
    return catalogue.table(
        "sessions",
        [
            (*(int(np.count_nonzero(side & np.uint64(mask))) for side in sides), label)
            for label, mask in SESSION_LINES
        ],
        who={
            column: UserReference.from_masks("rows", scores.session_rows.start, side, masks)
            for column, side in enumerate(sides)
        },
    )


def queries_table(scores: SessionScores) -> Table:
    """Table 7's shape: single queries with each entity or combination."""
    lines = [
        np.all([(scores.bits & np.uint64(mask)) != 0 for mask in masks], axis=0)
        for _, masks in QUERY_LINES
    ]
    numbers = [[int(scores.log.searches_by_query[line].sum()) for line in lines]]
    references = {0: _refer_to_queries(*lines)}
    is_unique = scores.users == 1
    parts = (np.ones_like(is_unique), is_unique, scores.survives, is_unique & scores.survives)
    for column, part in enumerate(parts, start=1):
        line_parts = [line & part for line in lines]
        numbers.append([int(strings.sum()) for strings in line_parts])
        references[column] = _refer_to_queries(*line_parts)
    return catalogue.table(
        "queries",
        list(zip(*numbers, (label for label, _ in QUERY_LINES), strict=True)),
        who=references,
    )


MOST_KINDS = 12
"""Kinds that the bar chart has room for; the tables list all of them."""


def by_kind(scores: SessionScores, released: bool) -> Figure:
    """The kinds of content that occur, in their usual order; of many, the most frequent."""
    counts = np.array([np.count_nonzero(scores.has(bit)) for bit in REASONS], dtype=np.float64)
    frequent = np.argsort(-counts, kind="stable")[:MOST_KINDS]
    bits = [REASONS[place] for place in sorted(frequent.tolist()) if counts[place]]
    places = np.arange(len(bits), dtype=np.float64)

    def draw_bars(name: str, *parts: Bools) -> Series:
        sizes = np.array([np.count_nonzero(part) for part in parts], dtype=np.float64)
        return Series(name, places, sizes, "bars", who=_refer_to_queries(*parts))

    series = [draw_bars("in the input", *(scores.has(bit) for bit in bits))]
    if released:
        series.append(draw_bars("surviving", *(scores.has(bit) & scores.survives for bit in bits)))
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


def by_risk(scores: SessionScores, least: float) -> Figure:
    """Sessions with a reason by class of risk, and those of which a marked string survives."""
    sessions = scores.session_rows
    middle = (RISKS[1:] + RISKS[:-1]) / 2
    number = np.clip(np.searchsorted(RISKS, sessions.risk, side="right") - 1, 0, len(RISKS) - 2)
    masks = [1 << place for place in range(len(middle))]

    def draw_bars(name: str, part: Bools) -> Series:
        sizes = np.bincount(number[part], minlength=len(middle)).astype(np.float64)
        bit = np.left_shift(np.uint32(1), number[part].astype(np.uint32))
        references = UserReference.from_masks("rows", sessions.start[part], bit, masks)
        return Series(name, middle, sizes, "bars", who=references)

    survives = sessions.standing > 0
    series = [draw_bars("sessions with a reason", np.ones(len(survives), dtype=np.bool_))]
    if survives.any():
        series.append(draw_bars("… of which a marked string survives", survives))
    return catalogue.figure(
        "by-risk", series, marks=(PlotMark("x", least, "least risk shown", "limit"),)
    )
