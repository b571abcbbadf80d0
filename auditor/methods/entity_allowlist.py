"""Entity allowlist: rows whose every word, name, address and number enough users used.

The order of 2026 under Article 6(11) of the Digital Markets Act (spec 7, sections 1 and 4). A query
is split into entities (`privacy.entities`). An entity is allowed if `k_entity` users or more used
it within some window of so many months that ended at most `life` years before the release begins;
a query is released if all of its entities are, and if it is no longer than allowed. Rows go out
without user and second, under random ids that are new for each mini-session of a user's day.

Numbers of the published texts: 50 users, 13 months and 5 years of the draft of April 2026; groups
of 1,000 users for location, device and language of the decision of July 2026. Lengths and cuts of
mini-sessions are not published: without a value no such rule applies. Nothing counts how many users
issued a whole query: allowed words make up queries of one user, and the statement counts them.
Where a log does not say who was signed in, all users count.
Cost: O(rows log rows) a window, and the detector once a log.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from auditor.arrays import Bools, Int64s
from auditor.log.columns import SIGNED_IN
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.sentences import sentence
from auditor.log.text import TokenizedQueries
from auditor.messages import join_phrases, phrase
from auditor.methods.base import ExpectedRelease, Method, Recheck, SparkSupport
from auditor.methods.counted_windows import (
    describe_users,
    find_released,
    find_signed_in,
    list_windows,
)
from auditor.methods.daily_records import expect_records, release_records
from auditor.methods.explanation.explanation import (
    Explanation,
    ExplanationRequest,
    find_threshold_turn,
)
from auditor.methods.noisy_counts.expectations import extrapolate_counts
from auditor.methods.noisy_counts.histograms import CountingUnit, unit_counts
from auditor.methods.noisy_counts.outlook import metric_of_searches
from auditor.methods.noisy_counts.period_units import check_days
from auditor.methods.released_columns import shows_rare_values
from auditor.methods.released_ids import MiniSessions, number_records
from auditor.params import Params
from auditor.privacy.entities import MASK, count_entity_users, split_entities
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import Product
from auditor.privacy.statement import Statement, assume
from auditor.progress import Progress

describe_metric = MetricCatalogue("methods", "entity_allowlist")


@dataclass(frozen=True, kw_only=True)
class EntityAllowlistParams(Params, owner="entity-allowlist"):
    """Which entities are allowed, how long a query may be, and what links two of them."""

    k_entity: int = 50
    window: int = 13
    life: int = 5
    first_day: int | None = None
    max_words: int | None = None
    max_characters: int | None = None
    forbidden: str = "drop"
    session_queries: int | None = None
    session_gap: int | None = None
    times: str = "day"
    columns: str = "drop"
    group: int = 1_000

    @property
    def cell(self) -> int:
        """No rule counts users of a query with a combination of columns."""
        return 1

    @property
    def sessions(self) -> MiniSessions:
        """Where a user's day is cut."""
        gap = None if self.session_gap is None else 60 * self.session_gap
        return MiniSessions(self.session_queries, gap)

    def check(self) -> None:
        """Refuse what is no date."""
        check_days(self.first_day, None)


@dataclass(frozen=True, eq=False)
class SplitQueries:
    """Of what the queries of a log are made, and how many users used each part."""

    # queries, entities: the log's queries, and the entities of each
    queries: Vocabulary
    entities: TokenizedQueries
    users: Int64s  # the most users that each entity had in one window; shape (entities,)

    def count_forbidden(self, allowed: Bools) -> Int64s:
        """How many entities of each query are not allowed; shape (queries,)."""
        owners = self.entities.find_owners()[~allowed[self.entities.codes]]
        return np.bincount(owners, minlength=len(self.queries)).astype(np.int64)

    def is_short(self, params: EntityAllowlistParams) -> Bools:
        """Queries that are not longer than allowed; shape (queries,)."""
        import pyarrow.compute as pc

        short: Bools = np.ones(len(self.queries), dtype=np.bool_)
        if params.max_words is not None:
            blanks = pc.count_substring(self.entities.vocabulary.as_arrow(), " ")
            words = 1 + blanks.to_numpy(zero_copy_only=False).astype(np.int64)
            owners = self.entities.find_owners()
            total = np.bincount(owners, words[self.entities.codes], minlength=len(short))
            short &= total <= params.max_words
        if params.max_characters is not None:
            size = pc.utf8_length(self.queries.as_arrow()).to_numpy(zero_copy_only=False)
            short &= size <= params.max_characters
        return short


def judge_queries(log: QueryLog, params: EntityAllowlistParams, progress: Progress) -> SplitQueries:
    """Count users of the entities of a log's queries within each window, if signed in."""
    entities = split_entities(log.queries, progress)
    users = np.zeros(len(entities.vocabulary), dtype=np.int64)
    signed_in = find_signed_in(log)
    for start, stop in list_windows(log.period, params.window, params.first_day, 12 * params.life):
        is_counted = signed_in & (log.time >= start) & (log.time < stop)
        users = np.maximum(users, count_entity_users(log, entities, progress, is_counted))
    return SplitQueries(log.queries, entities, users)


def run(
    log: QueryLog, params: EntityAllowlistParams, *, rng: Randomness, progress: Progress
) -> Product:
    """Release the rows of allowed queries, under fresh ids."""
    progress.check()
    split, allowed, is_released, kept_log = _choose_rows(log, params, progress)
    return release_records(
        log.rows(is_released),
        kept_log,
        params,
        state_allowlist(
            params, log.attributes, *_count_rare_queries(params, log, kept_log, progress)
        ),
        rng=rng,
        progress=progress,
        sessions=params.sessions,
        changes={
            "entities": len(np.unique(split.entities.codes)),
            "entities_allowed": int(allowed.sum()),
            "queries_too_long": int(np.count_nonzero(~split.is_short(params))),
        },
    )


def _choose_rows(
    log: QueryLog, params: EntityAllowlistParams, progress: Progress, scale: float = 1.0
) -> tuple[SplitQueries, Bools, Bools, QueryLog]:
    """The queries' parts, which are allowed, rows of released days, and the log that is released.

    One of a sample's users stands for `scale`.
    """
    split, is_released = judge_queries(log, params, progress), find_released(log, params.first_day)
    totals, _ = extrapolate_counts(np.maximum(split.users, 1).astype(np.float64), scale)
    allowed: Bools = (totals >= params.k_entity) & (split.users > 0)
    forbidden_limit = split.entities.compute_lengths() if params.forbidden == "mask" else 1
    passing = (split.count_forbidden(allowed) < forbidden_limit) & split.is_short(params)
    passing &= ~log.queries.find_blank()
    kept_log = log.rows(passing[log.query] & is_released)
    if params.forbidden == "mask":
        kept_log = _mask_forbidden(kept_log, split, allowed)
    return split, allowed, is_released, kept_log


def _mask_forbidden(kept_log: QueryLog, split: SplitQueries, allowed: Bools) -> QueryLog:
    """The rows with `MASK` for each entity that is not allowed; what is rewritten is lower case."""
    code = kept_log.queries.match(split.queries)
    touched = np.flatnonzero(split.count_forbidden(allowed)[code])
    texts = kept_log.queries.list_strings()
    words = split.entities.vocabulary.list_strings()
    for query in touched.tolist():
        parts = split.entities[int(code[query])].tolist()
        texts[query] = " ".join(words[part] if allowed[part] else MASK for part in parts)
    numbers: dict[str, int] = {}
    new = np.array([numbers.setdefault(text, len(numbers)) for text in texts], dtype=np.int32)
    masked = replace(kept_log, query=new[kept_log.query], queries=Vocabulary.of(numbers))
    return masked.rows(np.ones(len(masked), dtype=np.bool_))


def _count_rare_queries(
    params: EntityAllowlistParams, log: QueryLog, kept_log: QueryLog, progress: Progress
) -> tuple[int, int, int]:
    """Released queries of fewer users than k, of one, and all."""
    users = unit_counts(kept_log, CountingUnit.USERS, progress).astype(np.int64)
    place = kept_log.queries.match(log.queries)
    logged = np.flatnonzero(place != NONE)
    log_users = unit_counts(log, CountingUnit.USERS, progress)
    users[logged] = np.maximum(users[logged], log_users[place[logged]])
    return int((users < params.k_entity).sum()), int((users == 1).sum()), len(users)


def state_allowlist(
    params: EntityAllowlistParams, columns: Collection[str], rare: int, single: int, queries: int
) -> Statement:
    """The statement of a release of so many queries: few users issued some, one user others.

    `columns` are the columns beside the log.
    """
    unset = [
        params.spec(name).label
        for name in ("max_words", "max_characters", "session_queries", "session_gap")
        if getattr(params, name) is None
    ]
    return Statement(
        model="none",
        claim=join_phrases(
            " ", [sentence("entity_allowlist.claim", k=params.k_entity), describe_users(columns)]
        ),
        unit="one word, name, address or number",
        assumptions=(
            assume(
                "entity_allowlist.every_entity_has_k_users",
                "holds",
                sentence("entity_allowlist.detected"),
                k=params.k_entity,
                window=params.window,
            ),
            assume(
                "entity_allowlist.whole_queries_are_shared_too",
                "fails" if rare else "holds",
                sentence(
                    "entity_allowlist.few",
                    few=rare,
                    lone=single,
                    queries=queries,
                    k=params.k_entity,
                ),
                k=params.k_entity,
            ),
            assume(
                "entity_allowlist.rules_that_are_not_published_are_set",
                "fails" if unset else "holds",
                sentence("entity_allowlist.unset", names=", ".join(unset) or "–"),
            ),
        ),
        measured={
            "entity_users": float(params.k_entity),
            "composed_queries": float(rare),
            "lone_queries": float(single),
            "unset_rules": float(len(unset)),
        },
    )


def estimate_release(
    log: QueryLog, params: EntityAllowlistParams, *, scale: float, progress: Progress
) -> ExpectedRelease:
    """What is left, exactly on the whole log and estimated from a sample of users."""
    split, allowed, is_released, kept_log = _choose_rows(log, params, progress, scale)
    users_of_query = unit_counts(kept_log, CountingUnit.USERS, progress)
    _, stand_for = extrapolate_counts(np.maximum(users_of_query, 1).astype(np.float64), scale)
    most_users = float(split.users.max(initial=0))
    rare = _count_rare_queries(params, log, kept_log, progress)
    empty_note = sentence("entity_allowlist.nothing", most=scale * most_users, k=params.k_entity)
    stated = state_allowlist(params, log.attributes, *rare)
    # a query with a mask in the place of a word is none of the log's
    is_whole = kept_log.queries.match(log.queries) != NONE
    searches = float((kept_log.searches_by_query * is_whole).sum())
    return ExpectedRelease(
        statement=expect_records(stated, kept_log, params, progress, params.sessions),
        values=(
            describe_metric("expected.queries", float(stand_for[is_whole].sum())),
            metric_of_searches(searches / max(int(log.event_starts.sum()), 1)),
            describe_metric("expected.volume", len(kept_log) / max(int(is_released.sum()), 1)),
            describe_metric("expected.entities", float(allowed.sum())),
        ),
        note=""
        if len(kept_log)
        else join_phrases(" ", [empty_note, describe_users(log.attributes)]),
    )


def explain(
    request: ExplanationRequest, params: EntityAllowlistParams, progress: Progress
) -> Explanation:
    """How many users used each of its parts, and which k would turn the answer."""
    if request.code == NONE:
        return Explanation(outcome=sentence("entity_allowlist.nobody"), chance=0.0)
    split = judge_queries(request.log, params, progress)
    parts = split.entities[request.code]
    words = split.entities.vocabulary
    entity_users = split.users[parts]
    short = bool(split.is_short(params)[request.code])
    rarest = int(entity_users.min()) if len(entity_users) else 0
    is_kept = short and rarest >= params.k_entity
    turn = find_threshold_turn(
        params, "k_entity", rarest if short else 0, sentence("entity_allowlist.long")
    )
    return Explanation(
        outcome=sentence(
            "entity_allowlist.kept" if is_kept else "entity_allowlist.dropped",
            rarest=rarest,
            k=params.k_entity,
        ),
        chance=float(is_kept),
        values=(describe_metric("rarest", float(rarest)),),
        tables=(
            describe_metric.table(
                "entities",
                [[words[int(code)], int(n)] for code, n in zip(parts, entity_users, strict=True)],
            ),
        ),
        turns=(turn,),
        notes=(describe_users(request.log.attributes),),
    )


def _find_contradiction(
    log: QueryLog, released: QueryLog, params: EntityAllowlistParams, progress: Progress
) -> str:
    """Content of a release that no allowlist of the log allows."""
    *_, kept_log = _choose_rows(log, params, progress)
    if bool((released.queries.match(kept_log.queries) == NONE).any()):
        least = params.k_entity
        return phrase("it holds words that fewer than {k:,} of the users who count used", k=least)
    if len(released) and int(number_records(released)[-1]) + 1 != len(released.users):
        return "an id of it stands on two days"
    if released.attributes and shows_rare_values(released, params.group, params.cell, True):
        return "it shows columns that fewer users share than were to"
    return ""


METHOD = Method(
    **describe_metric.card,
    recheck=Recheck("every word of it was used by the users that it needs", _find_contradiction),
    params=EntityAllowlistParams,
    yields="log",
    randomised=False,
    run=run,
    reads=(SIGNED_IN,),
    spark=SparkSupport("records.release_allowed", follows=("columns", "times", "suppress")),
    outlook=estimate_release,
    explain=explain,
    main=("k_entity", "session_queries", "session_gap", "columns", "group"),
    strictness=("k_entity",),
)
