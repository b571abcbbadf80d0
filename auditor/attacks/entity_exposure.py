"""Whose sessions open once the frequent words are known: names, places, companies, secrets.

Hashed queries are read with only the recovered words in clear, by an attacker who recovered the
n most frequent words of the log, or what the hash inversion really finds. What can be spotted in
that is counted by session and by query, and each session can be opened.

A view is the log with the rest hidden. It has the rows of the log it was made from and a query of
its own for each of the log's, so that codes agree; two of its queries may read alike.

Source: Kumar, Novak, Pang and Tomkins, WWW 2007, section 5 (Tables 6 and 7). Identifiers and
the comparison with a random mapping are beyond it. O(rows + query bytes), thrice.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from auditor.arrays import Bools, Int32s, Int64s, UInt8s
from auditor.attacks.base import Attack, AttackResult, Evidence, FlaggedFindings
from auditor.attacks.detection.kinds import PII, EntityKind
from auditor.attacks.hash_inversion import ground_truth as truth
from auditor.attacks.hash_inversion.alignment import align_release, labels_of
from auditor.attacks.hash_inversion.attack import HashInversionParams, recover_mapping
from auditor.attacks.hash_inversion.ground_truth import InversionProblem
from auditor.attacks.risk import reasons as why
from auditor.attacks.risk.exposed_sessions import ExposedSessions, count_marked_queries
from auditor.attacks.risk.session_scoring import ScoringRules, SessionScores, score_log
from auditor.figures import Table, UserReference
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.text import TokenizedQueries, join_tokens, tokenize_strings
from auditor.messages import as_phrase, phrase
from auditor.params import Params
from auditor.privacy.records import users_in_release
from auditor.progress import Progress

HIDDEN = "|0|"
"""Stands for a hidden word: no detector reads it as a word or joins others across it."""


@dataclass(frozen=True, eq=False)
class PartialReading:
    """What each token of a log is taken for; t tokens."""

    # log, tokens: the log, and the tokens of its queries
    log: QueryLog
    tokens: TokenizedQueries
    guess: Int32s  # code into `words`, −1 where the token stays hidden; shape (t,)
    words: Vocabulary  # distinct words

    def only_right(self) -> PartialReading:
        """The same with wrongly taken tokens hidden."""
        is_right = self.guess == self.tokens.vocabulary.match(self.words)
        guess = np.where(is_right, self.guess, -1).astype(np.int32)
        return dataclasses.replace(self, guess=guess)

    def shuffle_guesses(self, rng: np.random.Generator) -> PartialReading:
        """The same words handed out to the same tokens at random."""
        guessed = np.flatnonzero(self.guess >= 0)
        guess = self.guess.copy()
        guess[guessed] = self.guess[rng.permutation(guessed)]
        return dataclasses.replace(self, guess=guess)

    def build_view(self, progress: Progress) -> QueryLog:
        """The log as it reads."""
        gap = np.frombuffer(HIDDEN.encode(), dtype=np.uint8)
        words = Vocabulary(
            np.concatenate([gap, self.words.data]), np.append(0, self.words.offsets + len(gap))
        )
        view_tokens = TokenizedQueries(
            self.guess[self.tokens.codes] + 1, self.tokens.offsets, words
        )
        query_of, queries = join_tokens(view_tokens, progress)
        return dataclasses.replace(self.log, queries=queries.take(query_of))

    def map_marks(self, scores: SessionScores, progress: Progress) -> PartialMarks:
        """The marks of a survey of the view, as stretches of the raw queries.

        A mark gives a run for each stretch of its words that are not hidden; a run is wrong if any
        of its words is. O(words of the marked queries).
        """
        columns = scores.spots.query, scores.spots.start, scores.spots.stop, scores.mark_reason
        marks = zip(*(column.tolist() for column in columns), strict=True)
        runs: list[tuple[int, int, int, int, bool]] = []
        progress.stage("marking what is recovered", len(scores.spots))
        for query, group in itertools.groupby(marks, itemgetter(0)):
            words = self._place_words(query)
            for _, start, stop, reason in group:
                progress.advance()
                follows = False
                for word in words:
                    is_inside = (
                        not word.hidden and word.view_start < stop and word.view_stop > start
                    )
                    if is_inside and follows:
                        _, first, _, _, wrong = runs[-1]
                        runs[-1] = query, first, word.stop, reason, wrong or word.wrong
                    elif is_inside:
                        runs.append((query, word.start, word.stop, reason, word.wrong))
                    follows = is_inside
        return PartialMarks.of(runs)

    def _place_words(self, query: int) -> list[_PlacedWord]:
        """Where the words of a query stand in the view and in the raw query."""
        placed, offset = [], 0
        raw_words = re.finditer(r"\S+", self.log.queries[query])
        for token, raw in zip(self.tokens[query].tolist(), raw_words, strict=False):
            code = int(self.guess[token])
            text = HIDDEN if code < 0 else self.words[code]
            stop = offset + len(text)
            placed.append(_PlacedWord(offset, stop, *raw.span(), code < 0, text != raw.group()))
            offset = stop + 1
        return placed


class _PlacedWord(NamedTuple):
    """Characters of one word in a view, and in the raw query."""

    view_start: int
    view_stop: int
    start: int
    stop: int
    hidden: bool
    wrong: bool


class PartialMarks(NamedTuple):
    """Stretches of recovered words: query, characters, reason, and whether any word is wrong."""

    query: Int32s
    start: Int32s
    stop: Int32s
    reason: UInt8s
    wrong: Bools

    @classmethod
    def of(cls, runs: Sequence[tuple[int, int, int, int, bool]] = ()) -> PartialMarks:
        """From one tuple a stretch."""
        query, start, stop, reason, wrong = np.array(runs, dtype=np.int32).reshape(-1, 5).T
        return cls(query, start, stop, reason.astype(np.uint8), wrong.astype(np.bool_))


def most_frequent(log: QueryLog, n: int, progress: Progress) -> PartialReading:
    """The n most frequent tokens read rightly, all others hidden; ties by first appearance."""
    tokens = tokenize_strings(log.queries, progress)
    top = np.argsort(-tokens.count_occurrences(log.searches_by_query), kind="stable")[:n]
    guess = np.full(len(tokens.vocabulary), -1, dtype=np.int32)
    guess[top] = top
    return PartialReading(log, tokens, guess, tokens.vocabulary)


@dataclass(frozen=True, eq=False)
class RecoveredTokens:
    """A reading, and how its log lies in the raw one."""

    reading: PartialReading
    # raw rows of the reading's log, or None where its rows are not the raw log's.
    rows: Int64s | None
    has_truth: bool  # whether the true words are known, so that some can be called right
    comparison: str  # what was compared with what


def by_inversion(
    evidence: Evidence, is_attacked: Bools, n: int, rng: np.random.Generator, progress: Progress
) -> RecoveredTokens:
    """Run the hash inversion with its defaults at vocabulary size n and read the log with it.

    Only the rows of the attacked users are read, `is_attacked` having shape (log's users,); and
    where the log was split, only the part that was not the attacker's reference.

    Raises `MissingInput`: there is nothing to invert, or the release can't be split and no
    reference is given; `Cancelled`.
    """
    game, outcome = recover_mapping(evidence, HashInversionParams(n=n), rng=rng, progress=progress)
    mapping = outcome.mapping
    raw, release = evidence.log, evidence.release.log if evidence.release is not None else None
    words = game.tokens.vocabulary.take(game.tokens.terms[: outcome.pair.shape[1]])
    if release is not None and not game.has_truth:
        reading = _of_hashes(release, game, mapping, progress)
        return RecoveredTokens(
            PartialReading(release, *reading, words), None, False, game.description
        )
    is_read = is_attacked[raw.user]
    if game.split is not None:
        is_read &= ~game.split
    rows = np.flatnonzero(is_read)
    log = raw if len(rows) == len(raw) else raw.rows(rows)
    if release is None:
        return RecoveredTokens(
            PartialReading(log, *_of_hashes(log, game, mapping, progress), words),
            rows, game.has_truth, game.description,
        )  # fmt: skip
    tokens = tokenize_strings(log.queries, progress)
    assert evidence.release is not None
    pairs = align_release(raw, evidence.release, progress)
    guess = np.full(len(tokens.vocabulary), -1, dtype=np.int32)
    if pairs is not None and game.hash_label is not None:
        labels = labels_of(raw, release, pairs, progress)[1]
        raw_words = tokenize_strings(raw.queries, progress).vocabulary
        label = labels[tokens.vocabulary.match(raw_words)]
        by_label = np.full(int(max(label.max(initial=0), game.hash_label.max())) + 1, -1, np.int32)
        labelled = game.hash_label[: len(mapping)] >= 0
        by_label[game.hash_label[: len(mapping)][labelled]] = mapping[labelled]
        guess = np.where(label >= 0, by_label[np.maximum(label, 0)], -1).astype(np.int32)
    return RecoveredTokens(PartialReading(log, tokens, guess, words), rows, True, game.description)


def _of_hashes(
    log: QueryLog, game: InversionProblem, mapping: Int32s, progress: Progress
) -> tuple[TokenizedQueries, Int32s]:
    """The tokens of the attacked log and the rank of the word that each is taken for."""
    tokens = tokenize_strings(log.queries, progress)
    hashes = game.hashes.vocabulary.take(game.hashes.terms[: len(mapping)])
    code = hashes.match(tokens.vocabulary)
    guess = np.full(len(tokens.vocabulary), -1, dtype=np.int32)
    guess[code[code >= 0]] = mapping[code >= 0]
    return tokens, guess


catalogue = MetricCatalogue("attacks", "entity_exposure")


_OTHERS = tuple((kind.label, kind) for kind in (EntityKind.ADULT, EntityKind.REVEALING, *PII))
SESSION_LINES: tuple[tuple[str, int], ...] = (
    ("unique person name", why.reason_mask(EntityKind.PERSON, why.NON_STAR)),
    ("unique company name", why.reason_mask(EntityKind.COMPANY)),
    ("unique place name", why.reason_mask(EntityKind.PLACE)),
    ("unique non-star name", why.reason_mask(why.NON_STAR)),
    ("non-star name and a place name", why.reason_mask(why.WITH_PLACE)),
    ("non-star name and a company name", why.reason_mask(why.WITH_COMPANY)),
    ("non-star name and an adult term", why.reason_mask(why.WITH_ADULT)),
    ("non-star name and a revealing term", why.reason_mask(why.WITH_REVEALING)),
    *((label, why.reason_mask(kind)) for label, kind in _OTHERS),
)
"""Rows of Table 6; those after the eighth are beyond the source."""


def query_lines(scores: SessionScores) -> list[tuple[str, Bools]]:
    """Rows of Table 7 and the distinct queries of each; those after the fifth are beyond it."""
    people, place = scores.has(EntityKind.PERSON, why.NON_STAR), scores.has(EntityKind.PLACE)
    company, star = scores.has(EntityKind.COMPANY), scores.has(why.NON_STAR)
    return [
        ("name", people),
        ("place", place),
        ("company", company),
        ("name and place", people & place),
        ("non-star name and place", star & place),
        ("non-star name", star),
        ("non-star name and company", star & company),
        ("non-star name and adult term", star & scores.has(EntityKind.ADULT)),
        ("non-star name and revealing term", star & scores.has(EntityKind.REVEALING)),
        *((label, scores.has(kind)) for label, kind in _OTHERS),
    ]


def _count_sessions(scores: SessionScores, bits: int) -> int:
    return int(np.count_nonzero(scores.session_rows.reason & np.uint64(bits)))


MOST_FINDINGS = 200_000
"""Sessions kept for the flagged-sessions table, the riskiest first; all are counted."""

RELEVANT = why.reason_mask(
    EntityKind.PERSON, EntityKind.PLACE, EntityKind.COMPANY, why.NON_STAR, *PII
)
"""What makes a session count in the rate."""


@dataclass(frozen=True, kw_only=True)
class EntityExposureParams(Params, owner="entity-exposure"):
    """Which words are recovered, and what counts as a session and as a private name."""

    assume: str = "perfect"
    n: int = 1000
    n_queries: int = 8000
    gap: int = 30
    non_star: int = 10
    frequency: float = 0.006

    @property
    def rules(self) -> ScoringRules:
        """What the survey looks for."""
        return ScoringRules(
            kinds=frozenset(EntityKind),
            gap_seconds=60 * self.gap,
            non_star=self.non_star,
            rare_below=self.frequency,
            min_risk=0.0,
            unique=False,
            own_name=False,
        )


@dataclass(frozen=True, eq=False)
class ExposureCounts:
    """Surveys of one reading: as the attacker believes, as is right, and by a random mapping."""

    read: RecoveredTokens
    right_reading: PartialReading
    believed: SessionScores
    right: SessionScores
    guessed: SessionScores


def run(
    evidence: Evidence,
    params: EntityExposureParams,
    *,
    rng: np.random.Generator,
    progress: Progress,
) -> AttackResult:
    """Count sessions and queries whose recovered words hold an entity.

    Attacked are the users who have, or may have, a record in the release; all of them where nothing
    tells. The rate is the share of them with a name, company, place or identifier made of rightly
    recovered words; the baseline is that rate if the same words were handed out to the same hashes
    at random. Where the true words are not known, both count what is believed.
    """
    everybody = np.ones(len(evidence.log.users), dtype=np.bool_)
    released_users: Bools | None = everybody
    if evidence.release is not None:
        released_users = users_in_release(evidence.log, evidence.release, progress)
    is_attacked = everybody if released_users is None else released_users
    counts = _count_exposed(evidence, is_attacked, params, params.n, rng, progress)
    wide = counts
    if params.n_queries != params.n:
        wide = _count_exposed(evidence, is_attacked, params, params.n_queries, rng, progress)
    users = len(counts.read.reading.log.users)
    hits = _count_users(counts, counts.right)
    findings = None
    if counts.read.rows is not None:
        findings = _build_findings(evidence, counts, progress)
    non_star = why.reason_mask(why.NON_STAR)
    return ATTACK.build_result(
        params,
        hits,
        users,
        baseline=_count_users(counts, counts.guessed) / users if users else 0.0,
        rate_label="users with a name, company, place or identifier in the recovered tokens",
        values=(
            catalogue("users_exposed", hits),
            catalogue("users", users),
            catalogue("sessions", counts.right.sessions),
            catalogue("sessions_non_star", _count_sessions(counts.right, non_star)),
            catalogue("sessions_non_star_seen", _count_sessions(counts.believed, non_star)),
            catalogue("queries_non_star", int(wide.right.has(why.NON_STAR).sum())),
        ),
        tables=(
            _build_sessions_table(counts, params.n),
            _build_queries_table(evidence.log, wide, params.n_queries),
        ),
        findings=findings,
        notes=_write_notes(evidence, params, counts, released_users),
    )


def _count_exposed(
    evidence: Evidence,
    is_attacked: Bools,
    params: EntityExposureParams,
    n: int,
    rng: np.random.Generator,
    progress: Progress,
) -> ExposureCounts:
    if params.assume == "inversion":
        recovered = by_inversion(evidence, is_attacked, n, rng, progress)
    else:
        log = evidence.log
        rows = np.flatnonzero(is_attacked[log.user])
        if len(rows) < len(log):
            log = log.rows(rows)
        comparison = phrase("the {n:,} most frequent tokens are assumed to be recovered", n=n)
        recovered = RecoveredTokens(most_frequent(log, n, progress), rows, True, comparison)
    reading = recovered.reading

    def score(reading: PartialReading) -> SessionScores:
        return score_log(reading.build_view(progress), None, None, params.rules, progress)

    believed = score(reading)
    right_reading, right = reading, believed
    if recovered.has_truth and params.assume == "inversion":
        right_reading = reading.only_right()
        right = score(right_reading)
    random = reading.shuffle_guesses(rng)
    guessed = score(random.only_right() if recovered.has_truth else random)
    return ExposureCounts(recovered, right_reading, believed, right, guessed)


def _count_users(counts: ExposureCounts, scores: SessionScores) -> int:
    relevant = (scores.session_rows.reason & np.uint64(RELEVANT)) != 0
    return len(sorted_distinct(counts.read.reading.log.user[scores.session_rows.start[relevant]]))


def _build_sessions_table(counts: ExposureCounts, n: int) -> Table:
    """Table 6, and whom it counts as far as rows are those of the raw log."""
    references = {}
    if counts.read.rows is not None:
        masks = [bits for _, bits in SESSION_LINES]
        for column, scores in ((0, counts.right), (2, counts.believed)):
            rows, reason = counts.read.rows[scores.session_rows.start], scores.session_rows.reason
            references[column] = UserReference.from_masks("rows", rows, reason, masks)
    sides = counts.right, counts.believed, counts.guessed
    lines = []
    for label, bits in SESSION_LINES:
        right, *other_counts = (_count_sessions(scores, bits) for scores in sides)
        lines.append((right, label, *other_counts))
    return catalogue.table("sessions", lines, who=references, n=n, sessions=counts.right.sessions)


def _build_queries_table(raw: QueryLog, counts: ExposureCounts, n: int) -> Table:
    """Table 7, and the same."""
    sides = [query_lines(scores) for scores in (counts.right, counts.believed, counts.guessed)]
    references = {}
    if counts.read.rows is not None:
        code = counts.read.reading.log.queries.match(raw.queries)
        right, believed = (
            UserReference.from_parts("queries", [code[strings] for _, strings in lines])
            for lines in sides[:2]
        )
        references = {0: right, 2: right, 3: believed}
    searches = counts.right.log.searches_by_query
    rows = []
    for (label, right), *other_sides in zip(*sides, strict=True):
        guessed = (int(queries.sum()) for _, queries in other_sides)
        rows.append((int(right.sum()), label, int(searches[right].sum()), *guessed))
    return catalogue.table("queries", rows, who=references, n=n)


def _build_findings(
    evidence: Evidence, counts: ExposureCounts, progress: Progress
) -> FlaggedFindings:
    """Sessions with a right or a wrongly recovered entity, by risk, in rows of the raw log."""
    log, raw, rows = counts.read.reading.log, evidence.log, counts.read.rows
    assert rows is not None
    right = counts.right_reading.map_marks(counts.right, progress)
    wrong = PartialMarks.of()  # none where nobody knows
    if counts.read.has_truth and counts.believed is not counts.right:
        believed = counts.read.reading.map_marks(counts.believed, progress)
        wrong = PartialMarks._make(column[believed.wrong] for column in believed)
    deceiving = np.zeros(len(log.queries), dtype=np.bool_)
    deceiving[wrong.query] = True
    # Sessions with a reason of either survey, with the reasons and the risk of what is right.
    sessions, others = counts.right.session_rows, counts.believed.session_rows
    start, first = np.unique(np.append(sessions.start, others.start), return_index=True)
    stop = np.append(sessions.stop, others.stop)[first]
    reason = np.zeros(len(start), dtype=np.uint64)
    risk = np.zeros(len(start), dtype=np.float64)
    index = np.searchsorted(start, sessions.start)
    reason[index], risk[index] = sessions.reason, sessions.risk
    sums = np.append(0, np.cumsum(deceiving[log.query]))
    reason[sums[stop] > sums[start]] |= np.uint64(1 << why.WRONG)
    keep = reason != 0
    start, stop, reason, risk = start[keep], stop[keep], reason[keep], risk[keep]
    everybody = ExposedSessions.of(rows[start], rows[stop - 1] + 1, reason, risk)
    order = np.argsort(-risk, kind="stable")[:MOST_FINDINGS]
    start, stop, reason, risk = start[order], stop[order], reason[order], risk[order]
    code = log.queries.match(raw.queries)
    query = code[np.append(right.query, wrong.query)].astype(np.int32)
    begin = np.append(right.start, wrong.start)
    bits = np.append(right.reason, np.full(len(wrong.query), why.WRONG, np.uint8))
    by_place = np.lexsort((bits, begin, query))
    marked = (counts.right.bits != 0) | deceiving
    return FlaggedFindings(
        start=rows[start],
        stop=rows[stop - 1] + 1,
        reason=reason,
        risk=risk,
        surviving=np.zeros(len(order), dtype=np.int32),
        flagged=count_marked_queries(
            log, start, stop, np.flatnonzero(marked).astype(np.int32), marked
        )[0],
        reasons=(*why.LABELS, why.WRONG_REASON.label),
        mark_query=query[by_place],
        mark_start=begin[by_place],
        mark_stop=np.append(right.stop, wrong.stop)[by_place],
        mark_reason=bits[by_place],
        survives=np.zeros(len(raw.queries), dtype=np.bool_),
        everybody=everybody,
    )


def _write_notes(
    evidence: Evidence,
    params: EntityExposureParams,
    counts: ExposureCounts,
    released_users: Bools | None,
) -> tuple[str, ...]:
    log = counts.read.reading.log
    notes = [
        catalogue.say(
            "attacked", told=as_phrase(counts.read.comparison), users=len(log.users), log=len(log)
        ),
        catalogue.say("detection_errors"),
    ]
    if not counts.read.has_truth:
        notes.append("The true tokens are not known: the counts are what the attacker believes.")
    if counts.read.rows is None:
        notes.append(
            "The rows of the release are not those of the raw log, so no session can be opened."
        )
    elif released_users is None:
        notes.append(catalogue.say("log_attacked"))
    users = users_total = len(evidence.log.users)
    if released_users is not None:
        users = int(np.count_nonzero(released_users))
    if users < users_total and counts.read.rows is not None:
        notes.append(catalogue.say("released_users", users=users, all=users_total))
    released = evidence.release.log if evidence.release is not None else None
    if released is not None and len(released.users) < users:
        notes.append(catalogue.say("merged_users"))
    if released is not None and released.digest != evidence.log.digest:
        notes.append(catalogue.say("token_order"))
    if params.assume == "perfect":
        notes.append("The recovery is assumed, not demonstrated; the other choice demonstrates it.")
    return tuple(notes)


ATTACK = Attack(
    **catalogue.card,
    criterion="linkability",
    params=EntityExposureParams,
    run=run,
    applies=("hashes",),
    unfit=truth.why_not,
    reads="tokens",
    without_users=True,
)
