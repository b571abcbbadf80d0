"""Released queries of hardly anybody, made of parts that many used.

Rules that count users of words let a query leave if each of its parts is shared. Put together they
may be one person's: "allowed words compose unique queries" (Olejnik 2026, on the sharing order of
the Digital Markets Act; spec 7, section 4). The auditor holds the log and counts.

* Rate: of the released queries that stand in the log, those of two parts or more that fewer than k
  users issued although each part (a word, or a name, address or number that the detector marks) was
  used by k.
* Baseline: 0, what a threshold on whole queries gives.
* Control: the words of released queries exchanged at random among queries of as many words; how
  often that makes such a query of the log.

Besides it says how many users the rarest released query has, its rarest part, and the rarest pair
of a released query and page (the rarest query where no page is released).

Cost: O(rows log rows + bytes), and the detector once a log.
"""

from dataclasses import dataclass

import numpy as np

from auditor.attacks.base import QUERY_USERS, Attack, AttackResult, Evidence
from auditor.attacks.intervals import describe_share
from auditor.figures import UserReference
from auditor.log.columns import count_query_users, count_users
from auditor.log.gil_friendly import is_among, sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.text import tokenize_strings
from auditor.params import Params
from auditor.privacy.entities import count_entity_users, split_entities
from auditor.privacy.records import is_readable
from auditor.privacy.release import QUERY, URL, Tables
from auditor.progress import Progress

catalogue = MetricCatalogue("attacks", "composition_exposure")

ENTITY_USERS, CELL_USERS = "entity_users", "smallest_cell"
"""The least number of users of a part, a query with a page, where all released queries stand in the
log; `QUERY_USERS` is that of a query."""
_MADE_UP = 20_000
"""Queries that are put together at random for the control, at most."""


@dataclass(frozen=True, kw_only=True)
class CompositionExposureParams(Params, owner="composition-exposure"):
    """How many users make a query or a word common."""

    k: int = 5


def run(
    evidence: Evidence,
    params: CompositionExposureParams,
    *,
    rng: np.random.Generator,
    progress: Progress,
) -> AttackResult:
    """Count released queries that few issued and whose parts many used."""
    log, release = evidence.log, evidence.release
    assert release is not None
    released = release.local_content.queries
    holders = count_query_users(log, progress)
    parts = split_entities(log.queries, progress)
    part_users = count_entity_users(log, parts, progress)
    rare = part_users < params.k
    with_rare = np.bincount(parts.find_owners()[rare[parts.codes]], minlength=len(holders)) > 0
    composed = (holders < params.k) & ~with_rare & (parts.compute_lengths() > 1)
    place = released.match(log.queries)
    log_codes = place[place != NONE]
    hits = log_codes[composed[log_codes]]
    exposed = np.zeros(len(log.queries), dtype=np.bool_)
    exposed[hits] = True
    users = sorted_distinct(log.user[exposed[log.query]])
    made_up = _put_together(released, rng, progress)
    guessed = made_up.match(log.queries)
    control = float(composed[guessed[guessed != NONE]].sum()) / max(1, len(made_up))
    exposed_users = UserReference.from_parts("users", [users])
    details = {"queries": len(log_codes), "made_up": len(made_up)}
    if len(log_codes) and (place[~released.find_blank()] != NONE).all():
        is_released = np.zeros(len(log.queries), dtype=np.bool_)
        is_released[log_codes] = True
        entity_users = part_users[parts.codes[is_released[parts.find_owners()]]]
        details |= {ENTITY_USERS: int(entity_users.min())} if len(entity_users) else {}
        details[QUERY_USERS] = int(holders[log_codes].min())
        details[CELL_USERS] = _count_least_pair(log, release.local_content) or details[QUERY_USERS]
    return ATTACK.build_result(
        params,
        len(hits),
        len(log_codes),
        baseline=0.0,
        control=control,
        rate_label=catalogue.say("rate", k=params.k),
        values=(
            describe_share(catalogue, "lone", int((holders[hits] == 1).sum()), len(log_codes)),
            describe_share(catalogue, "users", len(users), len(log.users), who=exposed_users),
        ),
        notes=(catalogue.say("control", made_up=len(made_up)),),
        details=details,
    )


def _count_least_pair(log: QueryLog, content: QueryLog | Tables) -> int:
    """The fewest users of the log with a query and page that are released together; 0 of none."""
    query = url = np.empty(0, dtype=np.int32)
    if isinstance(content, QueryLog):
        query, url = content.query[content.url != NONE], content.url[content.url != NONE]
    elif content.alone is None:
        query, url = content.click_query, content.click_url
    else:
        keys = map(content.alone.find_key, (QUERY, URL))
        codes = [key.codes for key in keys if key is not None]
        query, url = codes if len(codes) == 2 else (query, url)
    width = len(log.urls) + 1
    clicks = log.url != NONE
    pairs, users = count_users(
        log.query[clicks].astype(np.int64) * width + log.url[clicks],
        log.user[clicks],
        len(log.users),
    )
    code = content.queries.match(log.queries).astype(np.int64)[query]
    page = content.urls.match(log.urls)[url]
    released = code[page != NONE] * width + page[page != NONE]
    return int(min(users[is_among(pairs, released)], default=0))


def _put_together(released: Vocabulary, rng: np.random.Generator, progress: Progress) -> Vocabulary:
    """Queries of several words with each word from another one of as many words."""
    words = tokenize_strings(released, progress)
    lengths = words.compute_lengths()
    long_queries = np.flatnonzero(lengths > 1)
    if len(long_queries) > _MADE_UP:
        long_queries = np.sort(rng.choice(long_queries, _MADE_UP, replace=False))
    compositions: list[str] = []
    for size in np.unique(lengths[long_queries]).tolist():
        queries = long_queries[lengths[long_queries] == size]
        codes = words.codes[words.offsets[queries][:, None] + np.arange(size)]
        exchanged = rng.permuted(codes, axis=0)
        texts = words.vocabulary.list_strings(exchanged.ravel())
        compositions += [
            " ".join(texts[start : start + size]) for start in range(0, len(texts), size)
        ]
    return Vocabulary.of(compositions)


def explain_unfit(evidence: Evidence) -> str:
    """Why no query can be looked at, in words; empty if some can."""
    release = evidence.release
    if release is None:
        return "needs a release"
    if release.log is not None and not is_readable(release.log, evidence.log):
        return "needs released queries that can be read"
    return ""


ATTACK = Attack(
    **catalogue.card,
    criterion="singling out",
    params=CompositionExposureParams,
    run=run,
    applies=("log", "tables"),
    counts=(ENTITY_USERS, QUERY_USERS, CELL_USERS),
    in_worst=False,  # its rate is of strings, and others say what becomes of people
    unfit=explain_unfit,
)
