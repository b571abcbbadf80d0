"""One log judged: which sessions are at risk and why, and what of them a release shows.

The steps behind `auditor.attacks.surviving_content.attack`, from marks in distinct queries to
counts over sessions and users. Everything is O(rows + query bytes). Besides the log it needs, for n
rows, m distinct queries and f sessions with any reason: n bytes, 50 m bytes, 36 f bytes, and the
marks; about 2 GB on a log of 36 million rows with 10 million queries.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from auditor.arrays import Bools, Float64s, Int32s, Int64s, UInt8s, UInt64s
from auditor.attacks.detection.detector import DetectorOptions, detect_marks, rule_names
from auditor.attacks.detection.entity_detection import (
    EntityMarks,
    detect_entities,
    find_marked_rows,
    index_marks,
)
from auditor.attacks.detection.kinds import TOPICS, EntityKind
from auditor.attacks.detection.lexicon import split_words
from auditor.attacks.detection.marked_strings import MARKS
from auditor.attacks.detection.rules import LOOKUP_RULE
from auditor.attacks.risk import reasons as why
from auditor.attacks.risk.clicked_identifiers import find_clicked_identifiers, rarity_chances
from auditor.attacks.vanity.own_name_queries import own_names
from auditor.log import gazetteers
from auditor.log.columns import count_query_users
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.sessions import find_sessions
from auditor.privacy.blank_queries import spell_queries
from auditor.privacy.release import Anonymized
from auditor.progress import Progress

if TYPE_CHECKING:
    from auditor.attacks.surviving_content.kernels import JudgedQueries, LoggedRows, ReasonRules

ROW_BLOCK = 1 << 20
SESSION_BLOCK = 1 << 17
ALL_FULLY = np.zeros(0, dtype=np.int32), np.zeros((0, 0), dtype=np.float64)
"""No rule's weight was changed: every reason of every query counts fully."""
LEAST_SESSIONS = 2
"""Sessions of one user that hold a name, from which they come back to it."""


@dataclass(frozen=True, kw_only=True)
class ScoringRules:
    """What is looked for, and when it counts."""

    kinds: frozenset[EntityKind]
    gap_seconds: int
    non_star: int
    rare_below: float
    min_risk: float
    unique: bool = True
    own_name: bool = True
    addresses: bool = True
    """Whether identifiers in clicked addresses count; under the default rules alone."""
    repeated: bool = True
    """Whether names that a user comes back to count; under the default rules alone."""
    variant: str = "source"
    """Whose rules: ``source`` for those of Kumar et al. 2007, ``default`` for the detector's."""
    rule_weights: tuple[tuple[str, float], ...] = ()
    """(rule of the detector, how much its marks count, from 0 to 1); others count fully.

    0 switches a rule off. Anything between leaves its marks and reasons as they are, and makes
    each of its queries count as that part of one in a session's risk.
    """


class JudgedRows(NamedTuple):
    """Sessions that have a reason, or users; columns of shape (f,).

    First row and the one behind the last, reasons, reasons that surviving strings still give, risk,
    bit of the reason that counts most, distinct marked strings (queries and clicked addresses), and
    those that survive.
    """

    start: Int64s
    stop: Int64s
    reason: UInt64s
    remaining: UInt64s
    risk: Float64s
    decided: UInt8s
    marked: Int32s
    standing: Int32s


@dataclass(frozen=True, eq=False, kw_only=True)
class SessionScores:
    """A log's sessions with reasons, by row; f of them, m distinct queries, u users."""

    log: QueryLog
    # spots, mark_reason: marks in distinct queries, and the reason bit each stands for
    spots: EntityMarks
    mark_reason: UInt8s
    # bits, users: reasons of each query by itself, and which are unsure (`_find_reasons`); how
    # many users issued it; shape (m,)
    bits: UInt64s
    users: Int64s
    # survives, string: which queries stand verbatim in the release, and which are marked strings of
    # somebody at risk; shape (m,)
    survives: Bools
    # session_rows, people: each session with a reason, and each user, by all that they issued; see
    # `judge_log`
    session_rows: JudgedRows
    people: JudgedRows
    flagged: Bools  # which of the sessions reach the least risk; shape (f,)
    at_risk: Int64s  # places in `people` of those who are listed and reach it
    # Of each user at risk, the chance that of as many ordinary strings as they have marked ones, as
    # rare, none would survive; shape (u,).
    user_missed: Float64s
    # row_flags, flag_bits: what rows hold beside their strings' reasons, or (0,); the reasons that
    # each flag gives
    row_flags: UInt8s
    flag_bits: UInt64s
    string: Bools
    single_users: int  # users of whom a string that nobody else issued survives
    sessions: int
    # addresses, addresses_surviving: clicked addresses that are marked strings of somebody at risk,
    # and those that survive
    addresses: int
    addresses_surviving: int

    def list_people(self) -> Int64s:
        """Places in `people` of those who are listed: not who searched for a place alone."""
        return np.flatnonzero(_is_listed(self.people))

    def count_exposed(self) -> tuple[int, int]:
        """Users at risk of whom a marked string survives, and all users at risk."""
        return int(np.count_nonzero(self.people.standing[self.at_risk])), len(self.at_risk)

    def has_marked_string(self, rows: Int64s, reason: UInt64s) -> Bools:
        """Whether the queries of rows are among the strings that count as marked.

        `reason` are those of each row's user: where one of them identifies, strings that don't
        are no marked ones. Shape (rows,).
        """
        identifying = np.uint64(why.IDENTIFYING)
        counts = np.where(reason & identifying != 0, identifying, ~np.uint64(0))
        bits = self.bits[self.log.query[rows]]
        if len(self.row_flags):
            bits |= self.flag_bits[self.row_flags[rows]]
        marked: Bools = bits & counts != 0
        return marked

    def has(self, *bits: int) -> Bools:
        """Queries that carry any of `bits`; shape (m,)."""
        flags: Bools = (self.bits & np.uint64(why.reason_mask(*bits))) != 0
        return flags


def score_log(
    log: QueryLog,
    release: Anonymized | None,
    profiles: Any,
    rules: ScoringRules,
    progress: Progress,
) -> SessionScores:
    """Judge every session of `log` and look up its strings in `release`.

    Raises `MissingInput`: `profiles` can't be read; `Cancelled`.
    """
    from auditor.attacks.surviving_content import kernels

    users = count_query_users(log, progress)
    spots, mark_reason, bits = _find_reasons(log, rules, users, progress)
    flags = np.zeros(0, dtype=np.uint8)
    if rules.own_name and profiles is not None:
        own_rows, names = own_names(log, profiles, progress)
        flags = own_rows.astype(np.uint8) * np.uint8(kernels.OWN_NAME)
        names = dataclasses.replace(names, name=np.full_like(names.name, -1))
        spots = EntityMarks.concatenate_marks([spots, names])
        mark_reason = np.append(mark_reason, np.full(len(names), why.OWN_NAME, dtype=np.uint8))
        order = np.lexsort((mark_reason, spots.start, spots.query))
        spots, mark_reason = spots.take(order), mark_reason[order]
    if rules.repeated and rules.variant != "source":
        is_repeated = _find_repeated_names(log, spots, mark_reason, rules.gap_seconds, progress)
        if is_repeated.any():
            repeat_flags = is_repeated.astype(np.uint8) * np.uint8(kernels.AGAIN)
            flags = flags | repeat_flags if len(flags) else repeat_flags
    survives = standing_verbatim(log.queries, release)
    progress.check()
    clicked = find_clicked_identifiers(log, release, clicked_kinds(rules), rules.non_star, progress)

    size = len(log.queries)
    all_bits, all_users = np.append(bits, clicked.bits), np.append(users, clicked.users)
    standing = np.append(survives, clicked.survives)
    row, weights = _weigh_reasons(spots, mark_reason, bits, rules)
    if len(row):
        row = np.append(row, np.full(len(clicked), -1, dtype=np.int32))
    rarity = 1.0 / np.maximum(all_users, 1)
    query_table = kernels.JudgedQueries(all_bits, rarity, standing, row, weights)
    rows = kernels.LoggedRows(log.user, log.query, flags, clicked.find_rows(log, size))
    reason_rules = _build_reason_rules(rules.variant)
    sessions, people, session_rows = judge_log(
        log, rules, reason_rules, query_table, rows, progress
    )
    flagged = sessions.risk >= rules.min_risk
    at_risk = np.flatnonzero(_is_listed(people) & (people.risk >= rules.min_risk))
    missed = np.ones(len(log.users), dtype=np.float64)
    marked = np.zeros(len(all_bits), dtype=np.bool_)
    chance = np.append(rarity_chances(bits, users, survives), clicked.chance)
    queries = kernels.JudgedQueries(all_bits, chance, standing, *ALL_FULLY)
    stamp = np.full(len(all_bits), -1, dtype=np.int32)
    columns = [column[at_risk] for column in (people.start, people.stop, people.reason)]
    for first, last in progress.blocks("what survives of each user", len(at_risk), SESSION_BLOCK):
        part = (column[first:last] for column in columns)
        kernels.mark_strings(*part, rows, queries, reason_rules, stamp, missed, marked)
    string, address = marked[:size], marked[size:]
    single = log.user[((users == 1) & survives)[log.query]]
    return SessionScores(
        log=log,
        spots=spots,
        mark_reason=mark_reason,
        bits=bits,
        users=users,
        survives=survives,
        session_rows=sessions,
        people=people,
        flagged=flagged,
        at_risk=at_risk,
        user_missed=missed,
        row_flags=flags,
        flag_bits=reason_rules.row_bits,
        string=string,
        addresses=int(address.sum()),
        addresses_surviving=int((address & clicked.survives).sum()),
        single_users=len(sorted_distinct(single)),
        sessions=session_rows,
    )


def _is_listed(people: JudgedRows) -> Bools:
    telling: Bools = people.reason & np.uint64(why.SENSITIVE | why.IDENTIFYING) != 0
    return telling


def clicked_kinds(rules: ScoringRules) -> frozenset[EntityKind]:
    """The kinds that are looked for in clicked addresses."""
    enabled = rules.addresses and rules.variant != "source"
    return rules.kinds if enabled else frozenset[EntityKind]()


def standing_verbatim(queries: Vocabulary, release: Anonymized | None) -> Bools:
    """Which of `queries` stand, byte for byte, in a release; none without one. Empty ones don't.

    In tables that is the query table and what the other two name; in a log, its query column.
    Where the method merged spellings, every spelling of what is released does.
    """
    if release is None:
        return np.zeros(len(queries), dtype=np.bool_)
    places = spell_queries(queries, release).match(release.local_content.queries)
    return (places >= 0) & (queries.compute_lengths() > 0)


def marks_of_rules(queries: Vocabulary, rules: ScoringRules, progress: Progress) -> EntityMarks:
    """The marks under either set of rules, remembered for as long as the vocabulary lives."""
    if rules.variant == "source":
        return MARKS.get(
            queries,
            (rules.kinds, rules.rare_below),
            lambda: detect_entities(
                queries, rules.kinds, rare_below=rules.rare_below, progress=progress
            ),
        )
    off = tuple((rule, weight) for rule, weight in rules.rule_weights if weight == 0.0)
    options = DetectorOptions(kinds=rules.kinds, rule_weights=off)
    return MARKS.get(queries, options, lambda: detect_marks(queries, options, progress=progress))


def _weigh_reasons(
    spots: EntityMarks, mark_reason: UInt8s, bits: UInt64s, rules: ScoringRules
) -> tuple[Int32s, Float64s]:
    """How much each reason of a query counts under changed weights; see `JudgedQueries`.

    A reason counts as much as the weightiest rule that gives it; that a string is one user's alone,
    as much as the weightiest sensitive mark in it. O(marks).
    """
    weights = dict(rules.rule_weights)
    if rules.variant == "source" or not any(0.0 < weight < 1.0 for weight in weights.values()):
        return ALL_FULLY
    by_rule = np.array([weights.get(name, 1.0) for name in rule_names()])
    touched = sorted_distinct(spots.query[by_rule[spots.rule] < 1.0])
    row = np.full(len(bits), -1, dtype=np.int32)
    row[touched] = np.arange(len(touched), dtype=np.int32)
    factors = np.zeros((len(touched), len(why.REASONS)), dtype=np.float64)
    marks = np.flatnonzero(row[spots.query] >= 0)
    cells = row[spots.query[marks]], mark_reason[marks].astype(np.int64)
    np.maximum.at(factors, cells, by_rule[spots.rule[marks]])
    sensitive = [bit for bit in range(len(why.REASONS)) if why.SENSITIVE >> bit & 1]
    unique = (bits[touched] >> np.uint64(why.UNIQUE) & np.uint64(1)).astype(np.bool_)
    factors[unique, why.UNIQUE] = factors[unique][:, sensitive].max(axis=1, initial=0.0)
    factors[:, why.LOOKED_UP] = factors[:, why.NON_STAR]
    factors[:, [why.OWN_NAME, why.REPEATED]] = 1.0
    return row, factors


_BESIDE_NAMES = (EntityKind.PLACE, EntityKind.STREET, EntityKind.PHONE, EntityKind.EMAIL)


def _find_reasons(
    log: QueryLog, rules: ScoringRules, users: Int64s, progress: Progress
) -> tuple[EntityMarks, UInt8s, UInt64s]:
    """The marks, the reason of each, and the reasons of each query by itself, as bits.

    A mark's reason is its kind, or non-star for a name in few events of the log (under the default
    rules: that few users searched). A private name is looked up beside a word that asks for a
    person, a place or an address. An unsure mark of a topic is a term of several meanings that
    stands alone, or one beside words that speak against it; what only such give a query is noted
    `UNSURE_SHIFT` up. O(marks).
    """
    spots, size = marks_of_rules(log.queries, rules, progress), len(log.queries)
    bits = np.zeros(size, dtype=np.uint64)
    if rules.variant == "source":
        reason = spots.kind.copy()
        persons = np.flatnonzero(spots.is_of_kind(EntityKind.PERSON))
        pairs = np.stack([spots.name[persons], spots.query[persons].astype(np.int64)])
        name, query = np.unique(pairs, axis=1)
        count = np.bincount(name, log.searches_by_query[query])
        reason[persons[count[spots.name[persons]] < rules.non_star]] = why.NON_STAR
    else:
        reason = _reasons_by_users(log, spots, rules.non_star, progress)
        private = reason == why.NON_STAR
        is_named, looked_up = np.zeros((2, size), dtype=np.bool_)
        is_named[spots.query[private]] = True
        looked_up[spots.query[private & (spots.rule == LOOKUP_RULE)]] = True
        looked_up[spots.query[np.isin(spots.kind, _BESIDE_NAMES)]] = True
        bits[is_named & looked_up] = np.uint64(1 << why.LOOKED_UP)
        topic, plain = np.isin(spots.kind, TOPICS), spots.confidence >= why.SURE
        sure, unsure = (spots.take(topic & side).build_bit_sets(size) for side in (plain, ~plain))
        bits |= (unsure & ~sure) << np.uint64(why.UNSURE_SHIFT)
    np.bitwise_or.at(bits, spots.query, np.uint64(1) << reason.astype(np.uint64))
    if rules.unique:
        is_unique = (users == 1) & ((bits & np.uint64(why.SENSITIVE)) != 0)
        bits[is_unique] |= np.uint64(1 << why.UNIQUE)
    return spots, reason, bits


def _reasons_by_users(
    log: QueryLog, spots: EntityMarks, non_star: int, progress: Progress
) -> UInt8s:
    """The reason of each mark: its kind, or non-star for a name that few users searched.

    Different users, not searches: one user's own relatives stay private however often they search.
    """
    reason = spots.kind.copy()
    unknown = np.flatnonzero(spots.is_of_kind(EntityKind.PERSON) & ~spots.is_public)
    if not len(unknown):
        return reason
    names, name = np.unique(spots.name[unknown], return_inverse=True)
    query = spots.query[unknown]
    pairs = []
    begin = index_marks(query, len(log.queries))
    for first, last in progress.blocks("counting who searched for whom", len(log), ROW_BLOCK):
        row, mark = find_marked_rows(log.query[first:last], begin)
        user = log.user[first:last][row].astype(np.int64)
        pairs.append(sorted_distinct((name[mark].astype(np.int64) << 32) | user))
    users = np.bincount(sorted_distinct(np.concatenate(pairs)) >> 32, minlength=len(names))
    reason[unknown[users[name] < non_star]] = why.NON_STAR
    return reason


def _find_repeated_names(
    log: QueryLog, spots: EntityMarks, reason: UInt8s, gap_seconds: int, progress: Progress
) -> Bools:
    """Rows whose query holds a private name that its user searched for in several sessions.

    Their own, as people search for themselves, or of somebody near: a name that a user comes back
    to says more of them than one they searched for once (Jones et al., CIKM 2008, section 4). Of
    each user the name, or the names, of most sessions. Shape (rows,); O(rows + marks).
    """
    is_repeated = np.zeros(len(log), dtype=np.bool_)
    private = np.flatnonzero((reason == why.NON_STAR) & (spots.name >= 0))
    if not len(private):
        return is_repeated
    names = np.unique(spots.name[private], return_inverse=True)[1].astype(np.int64)
    begin = index_marks(spots.query[private], len(log.queries))
    row, mark = find_marked_rows(log.query, begin)
    progress.check()
    session = np.searchsorted(find_sessions(log, gap_seconds), row, side="right")
    pairs = log.user[row].astype(np.int64) << 32 | names[mark]
    pairs, place = np.unique(pairs, return_inverse=True)
    distinct = np.unique(np.stack([place, session]), axis=1)[0]
    count = np.bincount(distinct, minlength=len(pairs))
    most_sessions = np.zeros(len(log.users), dtype=np.int64)
    np.maximum.at(most_sessions, pairs >> 32, count)
    is_main_name = (count >= LEAST_SESSIONS) & (count == most_sessions[pairs >> 32])
    is_repeated[row[is_main_name[place]]] = True
    return is_repeated


def find_consulted(scores: SessionScores) -> tuple[Bools, Bools]:
    """Queries that name a private person beside a profession ("dr", "attorney"), and without one.

    Shape (queries,) each; O(bytes of the queries that name one).
    """
    names = gazetteers.cue_words()["profession"]
    professions = frozenset(name for name in names if " " not in name)
    longer = [f" {name} " for name in names if " " in name]
    consulted, personal = np.zeros((2, len(scores.log.queries)), dtype=np.bool_)
    codes = np.unique(scores.spots.query[scores.mark_reason == why.NON_STAR]).tolist()
    for code, text in zip(codes, scores.log.queries.list_strings(codes), strict=True):
        words = split_words(text)
        spaced = f" {' '.join(words)} "
        professional = not professions.isdisjoint(words) or any(name in spaced for name in longer)
        (consulted if professional else personal)[code] = True
    return consulted, personal


def has_query(log: QueryLog, queries: Bools, start: Int64s, stop: Int64s) -> Bools:
    """Whether spans of rows hold one of some queries; shape (spans,). O(rows)."""
    before = np.zeros(len(log) + 1, dtype=np.int32)
    np.cumsum(queries[log.query], out=before[1:])
    has_any: Bools = before[stop] > before[start]
    return has_any


def _build_reason_rules(variant: str) -> ReasonRules:
    from auditor.attacks.surviving_content import kernels

    source = variant == "source"
    of_flags = ((), (why.OWN_NAME,), (why.REPEATED,), (why.OWN_NAME, why.REPEATED))
    return kernels.ReasonRules(
        row_bits=np.array([why.reason_mask(*bits) for bits in of_flags], dtype=np.uint64),
        silent=-1 if source else why.UNIQUE,
        weights=np.asarray(why.weights_of(variant)),
        shares=np.asarray(why.first_shares(variant)),
        pairs=np.asarray(why.pairs_of(variant), dtype=np.int64),
        identifying=why.IDENTIFYING,
        unsure=(why.UNSURE_SHIFT, why.UNSURE_PART),
        lasting=0 if source else why.reason_mask(*TOPICS),
    )


def judge_log(
    log: QueryLog,
    rules: ScoringRules,
    reason_rules: ReasonRules,
    queries: JudgedQueries,
    rows: LoggedRows,
    progress: Progress,
) -> tuple[JudgedRows, JudgedRows, int]:
    """Every session that has a reason, every user who has one, and the number of all sessions.

    All that a user issued is judged as a session is, but that a string counts again in each of
    their sessions, and a topic weighs more in n of them, 1 − (1 − w)^√n: one worry in ten sessions
    is a condition. What a pair of reasons tells, it has to tell in one session: everybody searches
    for a place some day.
    """
    from auditor.attacks.surviving_content import kernels

    starts = find_sessions(log, rules.gap_seconds)

    def judge(spans: Int64s, allowed: UInt64s) -> JudgedRows:
        """The spans of rows that have a reason, of which `allowed` may be those of pairs."""
        stamp = np.full(len(queries.bits), -1, dtype=np.int32)
        parts: list[Any] = [(spans[:0], spans[:0], *kernels.allocate_verdicts(0))]
        for first, last in progress.blocks("judging sessions", len(spans) - 1, SESSION_BLOCK):
            block, out = spans[first : last + 1], kernels.allocate_verdicts(last - first)
            part = max(int(np.searchsorted(starts, block[0], side="right")) - 1, 0)
            inputs = block, starts, part, allowed[first:last], rows, queries, reason_rules
            kernels.judge_spans(*inputs, stamp, first, out)
            hits = np.flatnonzero(out.reason)
            parts.append((block[hits], block[hits + 1], *(column[hits] for column in out)))
        return JudgedRows(*map(np.concatenate, zip(*parts, strict=True)))

    sessions = judge(starts, np.full(len(starts) - 1, ~np.uint64(0)))
    user_bits = np.zeros(len(log.users), dtype=np.uint64)
    np.bitwise_or.at(user_bits, log.user[sessions.start], sessions.reason)
    # A copy may be written to, as `starts` may: else the kernel would be compiled twice.
    return sessions, judge(log.user_starts.copy(), user_bits), len(starts) - 1
