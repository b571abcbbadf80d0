"""Whom a linkage attack looks for, what it knows of them, and which released records hold that.

An event is known by its query string and, if the attacker knows more, by its clicked page and
its minute; where the release has columns beside its rows, by their values, too. Where the released
strings can't be read, a query is known by what hashing leaves of it: how many words it has, and how
often it is asked, to a factor of two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from auditor.arrays import (
    Bools,
    Float64s,
    Int64s,
    UInt32s,
    expand_ranges,
    find_sorted,
    mark_run_starts,
)
from auditor.attacks.base import Evidence
from auditor.attacks.intervals import wilson_interval
from auditor.errors import MissingInput
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.overlap import SparseRows
from auditor.log.text import tokenize_strings
from auditor.privacy.identity import kept_ids, rows_of
from auditor.privacy.records import RecordTruth, records_of, rows_tell
from auditor.privacy.release import Anonymized
from auditor.privacy.release_times import EXACT, STEPS, floor_times
from auditor.progress import Progress, silent_progress

QUERY, PAGE, MINUTE, COLUMN = range(4)
"""The kinds of events, as the upper bits of their keys."""
KNOWS = {"queries": (QUERY,), "pages": (QUERY, PAGE), "times": (QUERY, PAGE, MINUTE)}

_SHIFT = 58
_OFFSET = 1 << 40  # times before 1970 are negative
_ROWS = 1 << 19
_DAY = STEPS["day"]
_STEPS = 4_000_000  # index entries a compiled call walks, some 20 ms


@dataclass(frozen=True, eq=False)
class LinkageSide:
    """One log's rows as keys of some `kinds` that both logs share; a key below 0 is nothing.

    `query`, `page` and, of each attribute that both logs have, `columns` hold a key for each of the
    log's strings. `times` says how exact the release's times are: those cut off are compared by
    their hour, day or week. Where its clock was hidden, which leaves days counted from the first,
    `first_day` is the second at which that begins.
    """

    log: QueryLog
    query: Int64s
    page: Int64s
    kinds: tuple[int, ...]
    times: str = EXACT
    columns: Mapping[str, Int64s] = field(default_factory=dict)
    first_day: int | None = None

    def iterate_keys(self, rows: slice | Int64s) -> Iterator[tuple[int, Bools, Int64s]]:
        """For each kind (kind, which of `rows` have it, their keys); clicks count by the row."""
        log = self.log
        begins = log.event_starts[rows]
        for kind in self.kinds:
            if kind == QUERY:
                yield kind, begins, self.query[log.query[rows][begins]]
            elif kind == PAGE:
                clicked = log.url[rows] != NONE
                yield kind, clicked, self.page[log.url[rows][clicked]]
            else:
                time = log.time[rows][begins]
                if self.first_day is not None:
                    moment = (time - self.first_day) // _DAY
                else:
                    moment = floor_times(time, self.times) // 60
                yield kind, begins, moment + _OFFSET + (MINUTE << _SHIFT)
        for name, keys in self.columns.items():
            codes = log.attributes[name].codes[rows]
            has_value = begins & (codes != NONE)
            yield COLUMN, has_value, keys[codes[has_value]]


def build_side(
    log: QueryLog,
    released: QueryLog,
    plain: bool,
    kinds: tuple[int, ...],
    progress: Progress,
    times: str = EXACT,
) -> LinkageSide:
    """A log's side (the release's, too) in the release's codes; `plain` if words are readable."""
    if plain:
        query = _match_strings(log.queries, released.queries)
    else:
        words = tokenize_strings(log.queries, progress).compute_lengths()
        events = np.bincount(log.query[log.event_starts], minlength=len(log.queries))
        query = words * 64 + np.log2(np.maximum(events, 1)).astype(np.int64)
    page = _match_strings(log.urls, released.urls)
    page = np.where(page < 0, -1, page + (PAGE << _SHIFT))
    return LinkageSide(log, query, page, kinds, times, column_keys(log, released))


def align_first_days(log: QueryLog, released: QueryLog) -> tuple[int, int]:
    """At which seconds the first day of a release begins in the log and in the release itself.

    Where days were counted anew, it is the day of the log from which on the events of each day are
    most alike. O(rows + days of the log · days of the release).
    """
    days = [side.time[side.event_starts] // _DAY for side in (log, released)]
    first, released_first = (int(day.min()) for day in days)
    own, released_counts = np.bincount(days[0] - first), np.bincount(days[1] - released_first)
    own = np.append(own, np.zeros(max(0, len(released_counts) - len(own)), dtype=np.int64))
    gaps = [
        int(np.abs(own[shift : shift + len(released_counts)] - released_counts).sum())
        for shift in range(len(own) - len(released_counts) + 1)
    ]
    return (first + int(np.argmin(gaps))) * _DAY, released_first * _DAY


def column_keys(log: QueryLog, released: QueryLog) -> dict[str, Int64s]:
    """Of each released attribute that a log has, a key for each of the log's texts or −1."""
    keys = {}
    for place, (name, attribute) in enumerate(released.attributes.items()):
        if name in log.attributes:
            code = _match_strings(log.attributes[name].texts, attribute.texts)
            keys[name] = np.where(code < 0, -1, code + (place << 32) + (COLUMN << _SHIFT))
    return keys


def _match_strings(strings: Vocabulary, released: Vocabulary) -> Int64s:
    """The released code of each string, −1 where it is not released."""
    if strings is released:
        return np.arange(len(strings), dtype=np.int64)
    return strings.match(released).astype(np.int64)


@dataclass(frozen=True, eq=False)
class AttackerKnowledge:
    """What is known of targets, as sparse rows over distinct keys."""

    starts: Int64s
    keys: Int64s  # of target t those of ``starts[t]:starts[t + 1]`` are known
    counts: Float64s  # how often each is
    rows: Int64s  # of the log, ascending by target
    events: Int64s  # of each target

    @classmethod
    def of(
        cls, target: Int64s, key: Int64s, count: Float64s, rows: Int64s, events: Int64s
    ) -> AttackerKnowledge:
        """From one count of a key of a target each, in any order; equal ones add up."""
        order = np.lexsort((key, target))
        target, key, count = target[order], key[order], count[order]
        new = np.flatnonzero(mark_run_starts(target, key))
        total = np.add.reduceat(count, new) if len(new) else count
        starts = np.searchsorted(target[new], np.arange(len(events) + 1)).astype(np.int64)
        return cls(starts, key[new], total, rows, events)


def draw_knowledge(side: LinkageSide, users: Int64s, share: float, seed: int) -> AttackerKnowledge:
    """What an attacker knows who saw a share of the events of each of `users`, one at least.

    `seed` says which: with the same users and seed, a greater share holds all of a smaller one.
    """
    log = side.log
    rows, owner = rows_of(log, users)
    begins = log.event_starts[rows]
    rows, owner = rows[begins], owner[begins]
    size = np.bincount(owner, minlength=len(users))
    ranked = np.lexsort((np.random.default_rng(seed).random(len(rows)), owner))
    place = expand_ranges(np.zeros_like(size), size)
    quota = np.ceil(size * share - 1e-9).astype(np.int64)
    known_places = np.sort(ranked[place < np.repeat(np.maximum(quota, 1), size)])
    rows, owner = rows[known_places], owner[known_places]
    target, key = [], []
    for _, has_key, keys in side.iterate_keys(rows):
        is_indexed = keys >= 0
        target.append(owner[has_key][is_indexed])
        key.append(keys[is_indexed])
    events = np.bincount(owner, minlength=len(users))
    keys = np.concatenate(key)
    return AttackerKnowledge.of(np.concatenate(target), keys, np.ones(len(keys)), rows, events)


@dataclass(frozen=True, eq=False)
class LinkageIndex:
    """Where the known `keys` (distinct, ascending) stand in `size` released records.

    `begins`, `records`, `gains` and `weights` are as `kernels.score_closest` wants them.
    """

    keys: Int64s
    begins: Int64s
    records: UInt32s
    gains: Float64s
    weights: Float64s
    size: int


def build_index(
    side: LinkageSide, keys: Int64s, closeness: str, progress: Progress
) -> LinkageIndex:
    """Look for `keys` (ascending) in every record of the release; O(rows + entries).

    With "likelihood", an occurrence adds ln(1 + share in the record ÷ share in the release): how
    much likelier the record makes it than the release as a whole does. With "overlap", common
    occurrences count ln(1 + records ÷ records that hold it).
    """
    log = side.log
    totals = np.zeros(4, dtype=np.int64)
    size = np.zeros((4, len(log.users)), dtype=np.int64)

    # Queries and pages are looked up once, not by the row.
    columns = {name: find_sorted(column, keys) for name, column in side.columns.items()}
    places = replace(
        side,
        query=find_sorted(side.query, keys),
        page=find_sorted(side.page, keys),
        columns=columns,
        times=EXACT,
    )
    parts = []
    for first, last in progress.whole_blocks("indexing records", log.user_starts, _ROWS):
        rows = slice(int(log.user_starts[first]), int(log.user_starts[last]))
        user = log.user[rows].astype(np.int64)
        entries = []
        for kind, has_key, place in places.iterate_keys(rows):
            place = find_sorted(place, keys) if kind == MINUTE else place
            owner = user[has_key]
            size[kind, first:last] += np.bincount(owner - first, minlength=last - first)
            totals[kind] += len(owner)
            is_known = place >= 0
            entries.append(owner[is_known] * len(keys) + place[is_known])
        parts.append(np.unique(np.concatenate(entries), return_counts=True))
    if not len(keys) or not parts:
        none = np.zeros(0)
        return LinkageIndex(
            keys, np.zeros(len(keys) + 1, np.int64), none.astype(np.uint32), none,
            np.zeros(len(keys)), len(log.users),
        )  # fmt: skip
    entry = np.concatenate([part[0] for part in parts])
    count = np.concatenate([part[1] for part in parts]).astype(np.float64)
    progress.check()
    column = (entry % len(keys)).astype(np.uint32)
    starts = np.searchsorted(entry // len(keys), np.arange(len(log.users) + 1)).astype(np.int64)
    begins, records, gains = SparseRows(starts, column, count, len(keys)).inverted
    progress.check()
    weights = np.zeros(len(keys))
    holders = np.diff(begins)
    if closeness == "overlap":
        weights = np.log(1 + len(log.users) / np.maximum(holders, 1))
    else:
        key_mass = np.add.reduceat(np.append(gains, 0.0), begins[:-1]) * (holders > 0)
        of = keys >> _SHIFT
        share = key_mass / np.maximum(totals[of], 1)
        key_of_entry = np.repeat(np.arange(len(keys)), holders)
        mass = np.maximum(size[of[key_of_entry], records], 1)
        gains = np.log1p(gains / (mass * share[key_of_entry]))
    return LinkageIndex(keys, begins, records, gains.astype(np.float64), weights, len(log.users))


@dataclass(frozen=True, eq=False)
class LinkageScores:
    """How all records rank for each of t targets, as `kernels.score_closest` writes it."""

    # before, level, true_ties: records closer than the closest true one; as close as it, itself
    # among them; and how many of these are true ones (1, unless a user has several); −1 where there
    # is none; shapes (t,)
    before: Int64s
    level: Int64s
    true_ties: Int64s
    # top, closest: the two highest scores, shape (t, 2), and the record of the first, −1 if none
    # was touched; shape (t,)
    top: Float64s
    closest: Int64s
    # The two highest scores apart from true records and all as close as the closest of them; shape
    # (t, 2).
    runners_up: Float64s

    def compute_chance(self, rank: int) -> Float64s:
        """The chance that a true record is among the first `rank`, ties in random order."""
        draws = np.clip(rank - self.before, 0, self.level)
        chance = draws / np.maximum(self.level, 1)
        tied = np.flatnonzero((self.true_ties > 1) & (draws > 0))
        if len(tied):  # none of those drawn is a true one: hypergeometric
            from scipy.special import gammaln

            level, draws = self.level[tied], draws[tied]
            false_ties = level - self.true_ties[tied]
            undrawn = np.maximum(false_ties - draws, 0)
            log_ratio = gammaln(false_ties + 1) - gammaln(undrawn + 1)
            missed = np.exp(log_ratio - gammaln(level + 1) + gammaln(level - draws + 1))
            chance[tied] = np.where(draws > false_ties, 1.0, 1.0 - missed)
        return np.where(self.before >= 0, chance, 0.0)

    def count_hits(self, rank: int = 1) -> float:
        """Targets whose true record is among the first `rank`: the sum of their chances."""
        return float(self.compute_chance(rank).sum())

    def compute_rate(self, rank: int = 1) -> float:
        """The same as a share of the targets; 0 without any."""
        return self.count_hits(rank) / len(self.before) if len(self.before) else 0.0

    def compute_interval(self, rank: int = 1) -> tuple[float, float]:
        """The 95 % interval of that share."""
        return wilson_interval(self.count_hits(rank), len(self.before))

    def is_sure(self, lead: float, *, held_out: bool = False) -> Bools:
        """Where the closest record, true ones `held_out` or not, leads so many times any other."""
        first, second = (self.runners_up if held_out else self.top).T
        return np.asarray((first > (1 + 1e-9) * second) & (first >= lead * second))


def score_records(
    knowledge: AttackerKnowledge,
    lookup: LinkageIndex,
    truth: Int64s | None,
    progress: Progress,
    person: Int64s | None = None,
) -> LinkageScores:
    """Rank all records for each target; `truth` is each one's own, −1 or None without any.

    `person` numbers the user of each record, where users have several and `truth` is one of them.
    """
    from auditor.attacks.record_linkage import kernels

    targets = len(knowledge.events)
    truth = np.full(targets, -1, dtype=np.int64) if truth is None else truth
    person = np.arange(lookup.size, dtype=np.int64) if person is None else person
    ranks, scores = np.empty((4, targets), dtype=np.int64), np.empty((2, targets, 2))
    out = ranks[0], ranks[1], ranks[2], scores[0], ranks[3], scores[1]
    sizes = np.bincount(person)
    scratch = np.zeros(lookup.size), np.empty(lookup.size, dtype=np.int64)
    places = np.searchsorted(lookup.keys, knowledge.keys)
    work = np.concatenate(([0], np.cumsum(np.diff(lookup.begins)[places] + 1)))[knowledge.starts]
    events = knowledge.starts, places, knowledge.counts
    index = lookup.begins, lookup.records, lookup.gains, lookup.weights
    for first, last in progress.whole_blocks("linking users", work, _STEPS):
        kernels.score_closest(events, index, truth, person, sizes, first, last, scratch, out)
    return LinkageScores(*out)


NEEDS_TRUTH = "needs a truth table"
"""How the reason begins why nobody can say whether a guess was right: with one it would apply."""
NO_OWNERS = "needs a truth table: nobody can tell whose record is whose"


def why_not(evidence: Evidence) -> str:
    """Why nothing can be linked, in words; empty if it can. O(rows), without sorting."""
    release = evidence.release
    if release is None:
        return "needs a release"
    if release.log is None:
        return "needs a release that is a log: tables hold no records of users"
    if not len(evidence.log) or not len(release.log):
        return "needs rows on either side: there is nothing to link"
    if len(release.log.users) < 2:
        return "needs two records at least: here all rows stand under one id"
    return why_unknown_owners(evidence.log, release, release.log)


def why_unknown_owners(log: QueryLog, release: Anonymized, released: QueryLog) -> str:
    """Why the owners of records are unknown, in words; empty if they are known."""
    if release.truth is not None:
        owners = release.truth.find_owners(log, released)
        return "" if (owners >= 0).any() else "needs a truth table that names users of this log"
    if kept_ids(log, release, silent_progress()) is not None:
        return ""
    if not rows_tell(log, release, silent_progress()):
        return (
            "needs a truth table: ids were changed or may be equal by accident, and the rows are "
            "no longer those of the log, so nobody can tell whose record is whose"
        )
    if len(released.users) > len(log.users):
        return (
            "needs a truth table: there are more changed ids than users, and nobody can tell which "
            "are of one user"
        )
    return ""


def explain_no_targets() -> MissingInput:
    """What an attack raises that can't say of any target which record is theirs."""
    return MissingInput(NO_OWNERS)


def draw_users(users: int, size: int, rng: np.random.Generator) -> Int64s:
    """Up to `size` of so many users, ascending."""
    if users <= size:
        return np.arange(users, dtype=np.int64)
    return np.sort(rng.choice(users, size, replace=False)).astype(np.int64)


def draw_strangers(
    candidates: Vocabulary, excluded: Vocabulary, size: int, rng: np.random.Generator
) -> Int64s | None:
    """Up to `size` users of one log who are not in the other; None if all of them are."""
    strangers = np.flatnonzero(candidates.match(excluded) == NONE)
    return strangers[draw_users(len(strangers), size, rng)] if len(strangers) else None


def released_log(evidence: Evidence) -> tuple[Anonymized, QueryLog]:
    """The release and its log, where `why_not` has nothing against them."""
    release = evidence.release
    assert release is not None
    assert release.log is not None
    return release, release.log


def own_queries(log: QueryLog) -> LinkageSide:
    """The log's own query codes as keys; blank queries are nothing."""
    keys = np.where(log.queries.find_blank(), -1, np.arange(len(log.queries))).astype(np.int64)
    return LinkageSide(log, keys, np.full(len(log.urls), -1, dtype=np.int64), (QUERY,))


@dataclass(frozen=True, eq=False, kw_only=True)
class LinkageTargets:
    """The t targets who have a record, and what is known of them and of people not in the log."""

    # users, record: their codes in the log and in the release; shape (t,)
    users: Int64s
    record: Int64s
    truth: RecordTruth  # the true record of every target that was drawn, and how it is known
    side: LinkageSide  # the rows of the log as keys
    # knowledge, outsiders: what is known of the targets, and of users of the reference who are not
    # in the log; None without such users
    knowledge: AttackerKnowledge
    outsiders: AttackerKnowledge | None
    # share, seed: the share of their events that is known, and what decides which
    share: float
    seed: int
    # records, users_total: records in the release; users in the log
    records: int
    users_total: int

    @classmethod
    def draw(
        cls,
        evidence: Evidence,
        size: int,
        share: float,
        rng: np.random.Generator,
        progress: Progress,
        make_side: Callable[[QueryLog], LinkageSide] = own_queries,
    ) -> LinkageTargets:
        """Draw up to `size` users; the same ones for every attack with the same `rng`.

        Raises `MissingInput` where nobody can tell of any of them which record is theirs.
        """
        log, reference = evidence.log, evidence.reference
        release, released = released_log(evidence)
        drawn_users = draw_users(len(log.users), size, rng)
        truth = records_of(log, release, drawn_users, progress)
        users = drawn_users[truth.record >= 0]
        if not len(users):
            raise explain_no_targets()
        seed = int(rng.integers(1 << 62))
        side, outsiders = make_side(log), None
        if reference is not None:
            strangers = draw_strangers(reference.users, log.users, size, rng)
            if strangers is not None:
                stranger_seed = int(rng.integers(1 << 62))
                outsiders = draw_knowledge(make_side(reference), strangers, share, stranger_seed)
        return cls(
            users=users,
            record=truth.record[truth.record >= 0],
            truth=truth,
            side=side,
            knowledge=draw_knowledge(side, users, share, seed),
            outsiders=outsiders,
            share=share,
            seed=seed,
            records=len(released.users),
            users_total=len(log.users),
        )

    def is_own(self, records: Int64s) -> Bools:
        """Whether each target is given one of their own records; shape (t,)."""
        record, person = self.record, self.truth.person
        if person is None:
            return np.equal(records, record)
        return np.asarray((records >= 0) & (person[records] == person[record]))

    @property
    def drawn(self) -> int:
        """Targets drawn."""
        return len(self.truth.record)


@dataclass(frozen=True, eq=False, kw_only=True)
class LinkageSummary(LinkageTargets):
    """How the records rank for each target (`scores`), also by the share of events that is known.

    `strangers` are the scores of people who are not in the log, None without a reference;
    `readable` says whether queries were compared as strings.
    """

    scores: LinkageScores
    shares: dict[float, LinkageScores]
    strangers: LinkageScores | None
    readable: bool = True
