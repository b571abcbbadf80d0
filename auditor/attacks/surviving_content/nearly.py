"""The third verdict on a marked string: it doesn't stand in the release, but nearly does.

A release that drops "jane doe hartford court" and keeps "jane doe court hartford" has kept it from
nobody. For a sample of the users at risk, each marked string gets one of three verdicts: survives
verbatim, survives nearly (see `near_linkage.matching` for what is near), or gone. The baseline is
the same for ordinary strings of the same rarity drawn in their place, the control for users at risk
of the reference log. Cost: O(rows + released queries).

A query holds a user's own name nearly if two neighbouring words of it are like their first and last
name (either order): the last names at least `LAST` alike by Jaro–Winkler, and the first names at
least `FIRST` alike, or both forms of one name in the table of nicknames.
"""

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Int64s, UInt8s, UInt64s
from auditor.attacks.base import Evidence
from auditor.attacks.detection.kinds import EntityKind
from auditor.attacks.intervals import describe_share
from auditor.attacks.near_linkage.matching import LABELS, NearKind, find_near_matches
from auditor.attacks.risk import reasons as why
from auditor.attacks.risk.session_scoring import SessionScores
from auditor.attacks.surviving_content.report import REASONS
from auditor.attacks.vanity.own_name_queries import columns_of, read_profiles
from auditor.bit_mixing import mix_bits
from auditor.figures import MetricValue, Table, UserReference
from auditor.fuzzy_search import fold_text
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog
from auditor.log.text_hashing import hash_texts
from auditor.privacy.identity import rows_of
from auditor.privacy.release import Anonymized
from auditor.progress import Progress
from auditor.resource_files import resource_text

catalogue = MetricCatalogue("attacks", "surviving_content")

FIRST, LAST = 0.9, 0.93
"""Least likeness by Jaro–Winkler of first and of last names."""
SHORTEST_NAME = 3


@dataclass(frozen=True)
class OwnNameCounts:
    """Of `users` with a profile: who searched for their own name exactly, nearly, or another's."""

    users: int
    exactly: int
    nearly: int
    foreign: int | None  # nearly for the next user's other name, the control; None where none has
    queries: tuple[int, ...]  # codes of those that hold the user's own name nearly but not exactly


@functools.lru_cache(maxsize=1)
def read_nicknames() -> Mapping[str, frozenset[int]]:
    """For each first name the groups of forms that it belongs to."""
    groups: dict[str, set[int]] = {}
    text = resource_text("own/nicknames.txt")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    for number, line in enumerate(lines):
        for name in line.split():
            groups.setdefault(name, set()).add(number)
    return {name: frozenset(numbers) for name, numbers in groups.items()}


def match_names(name: str, other: str, least: float) -> bool:
    """Whether two names are at least so much alike."""
    from rapidfuzz.distance import JaroWinkler

    if name == other or min(len(name), len(other)) < SHORTEST_NAME:
        return name == other
    return JaroWinkler.similarity(name, other, score_cutoff=least) > 0


def find_name(words: Sequence[str], first: str, last: str) -> str:
    """How a query's words hold a name: "exactly", "nearly", or an empty string."""
    pairs, forms = list(itertools.pairwise(words)), read_nicknames()
    if (first, last) in pairs:
        return "exactly"
    for left, right in pairs:
        for given_name, family in ((left, right), (right, left)):
            if match_names(family, last, LAST) and (
                forms.get(given_name, frozenset()) & forms.get(first, frozenset())
                or match_names(given_name, first, FIRST)
            ):
                return "nearly"
    return ""


def count_own_names(
    log: QueryLog, names: Mapping[str, str], people_limit: int, progress: Progress
) -> OwnNameCounts:
    """Look for own names among the queries of the first `people_limit` users with a name."""
    users = log.users.find(list(names))
    people = []
    for user, name in zip(users.tolist(), names.values(), strict=True):
        words = fold_text(name).split()
        if user >= 0 and len(words) >= 2:
            people.append((user, words[0], words[-1]))
    people = people[:people_limit]
    exactly = nearly = foreign = 0
    queries: set[int] = set()
    for first, last in progress.blocks("looking for own names", len(people), 50):
        for index in range(first, last):
            user, given_name, family = people[index]
            following = itertools.chain(people[index + 1 :], people[:index])
            strangers = (name for _, *name in following if name != [given_name, family])
            other, stranger = next(strangers, ("", ""))
            rows = slice(int(log.user_starts[user]), int(log.user_starts[user + 1]))
            codes = sorted(set(log.query[rows].tolist()))
            verdicts: dict[int, str] = {}
            strange = False
            for code in codes:
                words = fold_text(log.queries[code]).split()
                verdicts[code] = find_name(words, given_name, family)
                strange |= bool(stranger and find_name(words, other, stranger))
            near_codes = {code for code, verdict in verdicts.items() if verdict == "nearly"}
            queries |= near_codes
            exactly += "exactly" in verdicts.values()
            nearly += bool(near_codes) and "exactly" not in verdicts.values()
            foreign += strange
    control = foreign if len({tuple(name) for _, *name in people}) > 1 else None
    return OwnNameCounts(len(people), exactly, nearly, control, tuple(sorted(queries)))


MOST_USERS = 2_000
"""Users at risk whose strings are compared, at most; so many profiles, too."""
LIKENESS = 0.85
_SEED = 20_061


@dataclass(frozen=True, eq=False)
class NearSurvival:
    """What survives of some users at risk, verbatim and nearly."""

    users: Int64s  # codes of the users that were looked at; shape (u,)
    # verbatim, nearly, ordinary: of whom a marked string survives verbatim; verbatim or nearly; and
    # of whom an ordinary string as rare as one of theirs would; shape (u,)
    verbatim: Bools
    nearly: Bools
    ordinary: Bools
    # strings, kind: their distinct marked strings as query codes, and the verdict on each; shape
    # (s,)
    strings: Int64s
    kind: UInt8s
    users_at_risk: int  # users at risk in all


def compare_nearly(
    log: QueryLog, release: Anonymized, scores: SessionScores, progress: Progress
) -> NearSurvival:
    """Give each marked string of a sample of the users at risk its verdict."""
    # What is drawn hangs on texts alone: the order of the rows changes nothing.
    user_hash = hash_texts(log.users, _SEED, progress)
    query_hash = hash_texts(log.queries, _SEED, progress)
    at_risk = log.user[scores.people.start[scores.at_risk]]
    sample = np.sort(np.argsort(user_hash[at_risk])[:MOST_USERS])
    users, reason = at_risk[sample].astype(np.int64), scores.people.reason[scores.at_risk[sample]]
    rows, row_owner = rows_of(scores.log, users)
    marked = scores.has_marked_string(rows, reason[row_owner])
    pairs = sorted_distinct((row_owner[marked] << 32) | scores.log.query[rows[marked]])
    owner, query = pairs >> 32, pairs & 0xFFFFFFFF  # each marked query of a user once
    draws = mix_bits(user_hash[users[owner]] ^ query_hash[query])
    ordinary = _draw_ordinary(scores, query, query_hash, draws)
    codes, place = np.unique(np.concatenate([query, ordinary]), return_inverse=True)
    matches = find_near_matches(
        log.queries.list_strings(codes), release.local_content.queries, LIKENESS, progress
    )
    kind = matches.kind[place]
    own_kind, ordinary_kind = kind[: len(query)], kind[len(query) :]
    strings, first = np.unique(query, return_index=True)

    parts = own_kind == NearKind.SAME, own_kind != NearKind.NONE, ordinary_kind != NearKind.NONE
    verbatim, nearly, common = (np.bincount(owner[p], minlength=len(users)) > 0 for p in parts)
    return NearSurvival(users, verbatim, nearly, common, strings, own_kind[first], len(at_risk))


def _draw_ordinary(
    scores: SessionScores, query: Int64s, query_hash: UInt64s, draws: UInt64s
) -> Int64s:
    """For each string an unmarked one of as many users, to the power of two; any if there is none.

    A log without unmarked strings gives the strings themselves.
    """
    bucket = np.log2(np.maximum(scores.users, 1)).astype(np.int64)
    plain = np.flatnonzero((scores.bits == 0) & (scores.users > 0))
    if not len(plain):
        return query
    order = plain[np.lexsort((query_hash[plain], bucket[plain]))]
    sizes = np.bincount(bucket[order], minlength=int(bucket.max(initial=0)) + 1)
    begins = np.cumsum(sizes) - sizes
    query_bucket = bucket[query]
    bucket_sizes = np.where(sizes[query_bucket] > 0, sizes[query_bucket], len(order))
    low = np.where(sizes[query_bucket] > 0, begins[query_bucket], 0)
    ordinary: Int64s = order[low + (draws % bucket_sizes.astype(np.uint64)).astype(np.int64)]
    return ordinary


def build_metrics(result: NearSurvival, control: NearSurvival | None) -> Iterator[MetricValue]:
    """Rate, baseline, control and interval with near matches, beside those of verbatim ones."""
    trials, hits, exact = len(result.users), int(result.nearly.sum()), int(result.verbatim.sum())
    ordinary = float(result.ordinary.sum()) / max(1, trials)
    who = UserReference.from_parts("users", [result.users[result.nearly].astype(np.int32)])
    words = {"who": who, "trials": trials, "whole": result.users_at_risk}
    yield describe_share(catalogue, "rate_nearly", hits, trials, **words)
    yield describe_share(catalogue, "rate_verbatim", exact, trials)
    yield catalogue("baseline_nearly", ordinary)
    yield catalogue("lead_nearly", hits / max(1, trials) - ordinary)
    if control is not None:
        share = float(control.nearly.sum()) / max(1, len(control.users))
        yield catalogue("control_nearly", share)
    yield catalogue("strings_surviving_nearly", int((result.kind > NearKind.SAME).sum()))


def verdicts_table(survival: NearSurvival, scores: SessionScores) -> Table:
    """Each kind of content by verdict."""
    columns = [NearKind.SAME, NearKind.ORDER, NearKind.PLURAL, NearKind.WORD, NearKind.SPELLING]
    rows = []
    for bit in REASONS:
        kind = survival.kind[scores.has(bit)[survival.strings]]
        if len(kind):
            counts = np.bincount(kind, minlength=len(NearKind)).tolist()
            row_counts = [counts[verdict] for verdict in columns]
            rows.append([len(kind), *row_counts, counts[NearKind.NONE], why.LABELS[bit]])
    return catalogue.table(
        "verdicts",
        rows,
        columns=("Distinct strings", *(LABELS[verdict] for verdict in columns), "gone", "Content"),
    )


def own_names(
    evidence: Evidence, kinds: frozenset[EntityKind], progress: Progress
) -> Iterator[MetricValue]:
    """Users who ask for their own name in another form; nothing without names in the profiles."""
    if EntityKind.PERSON not in kinds or evidence.profiles is None:
        return
    if "name" not in columns_of(evidence.profiles):
        return
    counts = count_own_names(evidence.log, read_profiles(evidence.profiles), MOST_USERS, progress)
    if not counts.users:
        return
    nearly = counts.exactly + counts.nearly
    yield describe_share(catalogue, "own_name_nearly", nearly, counts.users, users=counts.users)
    yield catalogue("own_name_exactly", counts.exactly / counts.users)
    if counts.foreign is not None:
        yield catalogue("own_name_control", counts.foreign / counts.users)
    if evidence.release is not None:
        codes = np.array(counts.queries, dtype=np.int64)
        places = evidence.log.queries.take(codes).match(evidence.release.local_content.queries)
        yield catalogue("own_name_variants_surviving", int(np.count_nonzero(places >= 0)))
