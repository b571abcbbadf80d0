"""Numbered sessions: random numbers in the place of users, words and pages, and no unit of time.

As Yandex's log of 2013–14 and, in part, Baidu's of 2022 were published (spec 7, section 2). Each
word stands as a number, the same everywhere, so a query is the list of its words' numbers; a page
is the number of its host and its own. Of a time the day remains, counted from the log's first, and
within it a user's sessions in order, whose seconds were all multiplied by one secret factor of a
quarter to one (different ones stay different) or became order numbers; between sessions lies their
shortest pause. Sessions with one of the most frequent queries may be dropped; how many were is not
published. Numbers are drawn at random and kept nowhere. How often each stands beside which others
is kept, so words are found again as those of hashes are (`hash-inversion`). Nothing is guaranteed.
Cost: O(rows log rows + bytes of distinct queries).
"""

from dataclasses import dataclass, replace

import numpy as np

from auditor.arrays import Bools, Int64s, mark_run_starts, mean_of
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.sentences import sentence
from auditor.log.text import TokenizedQueries, join_tokens, tokenize_strings
from auditor.log.user_distance.features import host_name
from auditor.messages import phrase
from auditor.methods.base import ExpectedRelease, Method, Recheck, SparkSupport
from auditor.methods.explanation.explanation import Explanation, ExplanationRequest
from auditor.methods.frequency_threshold import unique_users
from auditor.methods.released_ids import (
    RANDOM,
    MiniSessions,
    count_dropped,
    number_records,
    order_events,
    replace_user_ids,
)
from auditor.params import Params
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import Product
from auditor.privacy.release_times import EXACT
from auditor.privacy.statement import Statement, assume
from auditor.progress import Progress

describe_metric = MetricCatalogue("methods", "numbered_sessions")

_SECONDS = 86_400
_LEAST_FACTOR = 0.25
"""With a factor below one a day's sessions fit into it."""


@dataclass(frozen=True, kw_only=True)
class NumberedSessionsParams(Params, owner="numbered-sessions"):
    """Which sessions are dropped, and what is left of times."""

    top_queries: int | None = None
    clock: str = "scaled"
    session_gap: int = 30
    times: str = "exact"


def run(
    log: QueryLog, params: NumberedSessionsParams, *, rng: Randomness, progress: Progress
) -> Product:
    """Drop the sessions of the most frequent queries, and number all that is left."""
    progress.check()
    kept_log = log.rows(_find_kept(log, params))
    words = tokenize_strings(kept_log.queries, progress)
    statement = state_numbers(params, _count_numbers(kept_log, words, progress))
    factor = draw_factor(params, rng) if len(kept_log) else 1.0
    timed = replace(kept_log, time=hide_clock(kept_log, params, factor))
    if params.clock != "kept" and len(kept_log):
        timed = replace(timed, time=timed.time - kept_log.time.min() // _SECONDS * _SECONDS)
    # Each word is a number; each page the number of its host, and its own.
    numbers = rng.permutation(len(words.vocabulary)).tolist()
    numbered_words = replace(words, vocabulary=Vocabulary.of(f"t{number}" for number in numbers))
    query_of, queries = join_tokens(numbered_words, progress)
    hosts: dict[str, int] = {}
    host = [hosts.setdefault(host_name(url), len(hosts)) for url in timed.urls.list_strings()]
    of_host, of_page = rng.permutation(len(hosts)), rng.permutation(len(timed.urls))
    numbered = QueryLog.from_codes(
        user=timed.user,
        query=query_of[timed.query],
        time=timed.time,
        url=timed.url,
        rank=timed.rank,
        users=timed.users,
        queries=queries,
        urls=Vocabulary.of(
            f"d{of_host[index]}/u{page}" for index, page in zip(host, of_page, strict=True)
        ),
    )
    content, truth = replace_user_ids(numbered, RANDOM, rng, progress)
    return Product(
        content=content,
        statement=statement,
        truth=truth,
        changes={
            **count_dropped(log, kept_log),
            "tokens_numbered": len(words.vocabulary),
            "clicks_changed": kept_log.clicks,
        },
    )


def _find_kept(log: QueryLog, params: NumberedSessionsParams) -> Bools:
    """Rows of sessions without one of the top queries, or one as frequent as their last."""
    searches, top = log.searches_by_query, params.top_queries
    frequent: Bools = np.zeros(len(searches), dtype=np.bool_)
    if top is not None and len(searches):
        top = min(top, len(searches))
        frequent = searches >= np.partition(searches, -top)[-top]
    return find_sessions_without(log, params, frequent)


def find_sessions_without(log: QueryLog, params: NumberedSessionsParams, frequent: Bools) -> Bools:
    """Rows of sessions without one of the `frequent` queries; shapes (rows,), (queries,)."""
    session = _number_sessions(log, params)
    dropped = np.zeros(int(session[-1]) + 1 if len(session) else 0, dtype=np.bool_)
    dropped[session[frequent[log.query]]] = True
    keep: Bools = ~dropped[session]
    return keep


def _number_sessions(log: QueryLog, params: NumberedSessionsParams) -> Int64s:
    """The session of each row, ascending: one user and day, without a longer pause."""
    return number_records(log, MiniSessions(gap=60 * params.session_gap)).astype(np.int64)


def draw_factor(params: NumberedSessionsParams, rng: Randomness) -> float:
    """By what the seconds of all sessions are multiplied, where they are scaled."""
    if params.clock != "scaled":
        return 1.0
    uniform = float(rng.integers(1 << 53, 1)[0]) / (1 << 53)
    return _LEAST_FACTOR + (1 - _LEAST_FACTOR) * uniform


def hide_clock(log: QueryLog, params: NumberedSessionsParams, factor: float) -> Int64s:
    """Times of which day, order and, scaled, the proportions of a session's seconds are left.

    A user's follow from their own rows alone, and stay within the day: order numbers that would
    pass its last second stand there.
    """
    if params.clock == "kept" or not len(log):
        return log.time
    session = _number_sessions(log, params)
    first = np.flatnonzero(np.diff(session, prepend=-1))
    if params.clock == "order":
        search = np.cumsum(log.event_starts) - 1
        if (order := order_events(log)) is not None:
            search[order] = np.cumsum(log.rows(order).event_starts) - 1
        hidden_time = search - search[first][session]
    else:
        exact = (log.time - log.time[first][session]).astype(np.float64)
        # Cut off to whole seconds, of which different ones of a session stay different.
        second = np.cumsum(mark_run_starts(session, log.time))
        room = session << 18  # more than a day's seconds, and as many again
        hidden_time = np.maximum.accumulate((exact * factor).astype(np.int64) - second + room)
        hidden_time += second - room
    last = np.append(first[1:], len(log)) - 1
    stretch = hidden_time[last] + 60 * params.session_gap + 1
    day = number_records(log)
    before = np.cumsum(stretch) - stretch  # of all sessions of the log, and then of the day alone
    begin = before - before[np.searchsorted(day[first], day[first])]
    second = np.minimum(begin[session] + hidden_time, _SECONDS - 1)
    times: Int64s = log.time // _SECONDS * _SECONDS + second
    return times


@dataclass(frozen=True)
class NumberedFacts:
    """Figures of the rows that are kept, for the statement's evidence."""

    rows: int
    users: int
    pages: int
    words: int
    alone: int  # words that occur as often as no other
    unique: int  # users whose set of queries nobody else has


def _count_numbers(
    kept_log: QueryLog, words: TokenizedQueries, progress: Progress
) -> NumberedFacts:
    occurrences = words.count_occurrences(kept_log.searches_by_query)
    return NumberedFacts(
        rows=len(kept_log),
        users=len(kept_log.users),
        pages=len(kept_log.urls),
        words=len(occurrences),
        alone=int((np.unique(occurrences, return_counts=True)[1] == 1).sum()),
        unique=unique_users(kept_log, progress),
    )


def state_numbers(params: NumberedSessionsParams, facts: NumberedFacts) -> Statement:
    """What numbers hide and what they don't, counted on the rows that are released."""
    lone_words, unique = facts.alone, facts.unique
    unset = params.top_queries is None
    return Statement(
        model="none",
        claim=sentence(
            "numbered_sessions.claim", words=facts.words, users=facts.users, pages=facts.pages
        ),
        unit="one word",
        assumptions=(
            assume(
                "numbered_sessions.numbers_cant_be_turned_back",
                "fails" if facts.words else "holds",
                sentence("numbered_sessions.alone", alone=lone_words, words=facts.words),
            ),
            assume(
                "numbered_sessions.users_cant_be_told_apart",
                "fails" if unique else "holds",
                sentence("numbered_sessions.unique", unique=unique, users=facts.users),
            ),
            assume(
                "numbered_sessions.the_clock_stays_hidden",
                "fails" if facts.rows else "holds",
                sentence(
                    "numbered_sessions.coarse"
                    if params.clock != "kept" and params.times != EXACT
                    else "numbered_sessions.scaled"
                    if params.clock == "scaled"
                    else "numbered_sessions.order"
                    if params.clock == "order"
                    else "numbered_sessions.kept"
                ),
            ),
            assume(
                "numbered_sessions.rules_that_are_not_published_are_set",
                "fails" if unset else "holds",
                sentence(
                    "numbered_sessions.unset" if unset else "numbered_sessions.set",
                    top=params.top_queries or 0,
                ),
            ),
        ),
        measured={
            "words": float(facts.words),
            "telling_words": float(lone_words),
            "unique_users": float(unique),
            "unset_rules": float(unset),
        },
    )


def estimate_release(
    log: QueryLog, params: NumberedSessionsParams, *, scale: float, progress: Progress
) -> ExpectedRelease:
    """What is left, and how many words occur once; exact on the whole log."""
    del scale
    is_kept, starts = _find_kept(log, params), log.event_starts
    kept_log = log.rows(is_kept)
    words = tokenize_strings(kept_log.queries, progress)
    occurrences = words.count_occurrences(kept_log.searches_by_query)
    return ExpectedRelease(
        statement=state_numbers(params, _count_numbers(kept_log, words, progress)),
        values=(
            describe_metric("expected.searches_share", mean_of(is_kept[starts])),
            describe_metric("expected.volume", len(kept_log) / max(len(log), 1)),
            describe_metric("expected.words", float(len(occurrences))),
            describe_metric(
                "expected.single", float((occurrences == 1).sum()) / max(len(occurrences), 1)
            ),
        ),
        note="" if len(kept_log) else sentence("numbered_sessions.nothing"),
    )


def explain(
    request: ExplanationRequest, params: NumberedSessionsParams, progress: Progress
) -> Explanation:
    """How many of its rows stand in sessions that are kept, and its rank by frequency."""
    progress.check()
    if request.code == NONE:
        return Explanation(outcome=sentence("numbered_sessions.nobody"), chance=0.0)
    searches = request.log.searches_by_query
    count = int(_find_kept(request.log, params)[request.rows].sum())
    return Explanation(
        outcome=sentence("numbered_sessions.left", left=count, rows=len(request.rows)),
        chance=float(count > 0),
        values=(describe_metric("rank", 1.0 + float((searches > searches[request.code]).sum())),),
        released=count > 0,
    )


def _find_contradiction(
    log: QueryLog, released: QueryLog, params: NumberedSessionsParams, progress: Progress
) -> str:
    """Content of a release that is no numbering of the log's kept sessions."""
    kept_log = log.rows(_find_kept(log, params))
    sides = kept_log, released
    people = [np.sort(np.diff(side.user_starts)) for side in sides]
    words = [
        np.sort(
            tokenize_strings(side.queries, progress).count_occurrences(
                np.bincount(side.query, minlength=len(side.queries)).astype(np.int64)
            )
        )
        for side in sides
    ]
    pages = [np.sort(np.bincount(side.url[side.url != NONE])) for side in sides]
    if all(np.array_equal(*pair) for pair in (people, words, pages)):
        return ""
    return phrase("its users, words and pages occur otherwise than those of the log")


METHOD = Method(
    **describe_metric.card,
    recheck=Recheck(
        "users, words and pages occur as often as in the sessions that are kept",
        _find_contradiction,
    ),
    params=NumberedSessionsParams,
    yields="log",
    hides="hashes",
    randomised=False,
    run=run,
    spark=SparkSupport("logs.release_numbered"),
    outlook=estimate_release,
    explain=explain,
)
