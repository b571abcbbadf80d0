"""Released strings whose support is not independent, and how many accounts force a string out.

A threshold counts users, and users can be made up. Three questions are answered:

* Which released queries, or n-grams, come from few parties though several users issued them?
  Users of one string are joined to a party if their histories are nearly equal, if they issued it
  from one address range (the first three bytes of an IPv4 address), or if they hardly did anything
  else and issued it in one burst: each within so many minutes of the next. The rate is the share of
  such strings; the control is the same log with times and addresses dealt out anew, where only
  chance joins users.
* How many accounts does somebody need to force a string of their own into a release? The method
  runs on logs that hold nothing but planted strings, each issued by so many made-up accounts: first
  numbers of accounts far apart, then those between.
* Who holds all accounts behind a string but one: how surely do they learn that somebody else
  issued it (the n − 1 attack)? The method runs with m − 1 and m accounts and new noise, m being the
  number found. Without noise it is always.

The last two need a method that is known.
Source: n − 1 attacks on query restrictions, Denning and Schlörer, 1983; sybil accounts, Douceur,
IPTPS 2002. Cost: O(rows · log rows), and three to five runs of the method on some 60,000 rows.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Float64s, Int32s, Int64s, Integers, expand_ranges, mean_of
from auditor.attacks.base import QUERY_USERS, Attack, AttackResult, Evidence
from auditor.attacks.intervals import wilson_interval
from auditor.errors import AuditorError, Cancelled
from auditor.figures import MetricValue, UserReference
from auditor.log.equal_histories import join_accounts
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.params import Params
from auditor.privacy.ngram_tree import pair_queries
from auditor.privacy.release import URL, Anonymized, DistributedProduct, MethodRerun
from auditor.progress import Progress

JOINT = "\N{MIDDLE DOT}"
"""What stands between the parts of a planted word; in no planted string."""
GAP = "\N{OPEN BOX}"
"""What stands between the words of a planted phrase."""


def plant_words(rerun: MethodRerun, release: Anonymized) -> MethodRerun:
    """`rerun`, or, where `release` holds n-grams, a method that sees every query as one word.

    A planted phrase has `GAP` between its words, and is seen as several. Released words come back
    as the strings that were planted. O(distinct queries) a run.
    """
    if release.tables is None or not release.tables.ngrams:
        return rerun

    def rerun_on_words(log: QueryLog, number: int, progress: Progress) -> Anonymized:
        planted_queries = Vocabulary.of(
            JOINT.join(text.split()).replace(GAP, " ") for text in log.queries.list_strings()
        )
        release = rerun(dataclasses.replace(log, queries=planted_queries), number, progress)
        assert release.tables is not None
        texts = [
            text.replace(" ", GAP).replace(JOINT, " ")
            for text in release.tables.queries.list_strings()
        ]
        tables = dataclasses.replace(release.tables, queries=Vocabulary.of(texts))
        return dataclasses.replace(release, content=tables)

    return rerun_on_words


MOST_ROWS = 60_000
"""Rows of a log of planted strings."""
LADDER = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)
LADDER_COPIES = 5
STEPS = 24
LAST_COPIES = 1_500
_FEWEST = 20
_FIRST_DAY = 86_400 * 11_574


@dataclass(frozen=True)
class ForcedStrings:
    """What planting showed."""

    accounts: int | None  # fewest whose string comes out every other time at least; None if none do
    # How often strings of one account less come out, of `copies` in the last run.
    before: float = 0.0
    after: float = 0.0  # and of that many
    copies: int = 0

    @property
    def advantage(self) -> float:
        """How much more often a string comes out because one more person issued it."""
        return max(0.0, self.after - self.before)


def needs_clicks(release: Anonymized) -> bool:
    """Whether it shows queries with a clicked page alone."""
    cells = None if release.tables is None else release.tables.alone
    return cells is not None and cells.find_key(URL) is not None


def plant_strings(
    sizes: Sequence[int], copies: int, repeats: int, *, clicked: bool = False
) -> tuple[QueryLog, list[str]]:
    """A log of planted strings, `copies` of each size, and the strings, size by size.

    Each is issued within one day. All are followed by the same click if they are `clicked`.
    """
    texts = ["planted " + str(number) for number in range(len(sizes) * copies)]
    size = np.repeat(np.asarray(sizes, dtype=np.int64), copies)
    string = np.repeat(np.arange(len(texts)), size * repeats)
    moment = expand_ranges(np.zeros(len(texts), dtype=np.int64), size * repeats)
    account = np.repeat(np.arange(int(size.sum())), repeats)
    log = QueryLog.from_columns(
        user=[f"account{number}" for number in account.tolist()],
        query=[texts[number] for number in string.tolist()],
        time=_FIRST_DAY + 86_400 * (string % 28) + 20 * moment % 86_400,
        url=["planted.example"] * len(string) if clicked else None,
    )
    return log, texts


def force_strings(
    rerun: MethodRerun, repeats: int, seed: int, progress: Progress, *, clicked: bool = False
) -> ForcedStrings | None:
    """Find how many accounts force a string out, and measure what one more shows.

    `seed` numbers the runs. None if the method refuses such a log. With `clicked`, accounts click.
    """
    numbers = itertools.count(seed + 1)

    def measure_shares(sizes: Sequence[int], copies: int) -> Float64s | None:
        """The share of the copies of each size that come out; None if the method refuses."""
        log, texts = plant_strings(sizes, copies, repeats, clicked=clicked)
        progress.stage("planting strings")
        try:
            release = rerun(log, next(numbers), progress)
        except Cancelled:
            raise
        except AuditorError:
            return None
        is_released = release.local_content.queries.find(texts) >= 0
        return np.asarray(is_released.reshape(len(sizes), copies).mean(axis=1))

    ladder = [size for size in LADDER if size * repeats * LADDER_COPIES <= MOST_ROWS // 4]
    out = measure_shares(ladder, LADDER_COPIES)
    if out is None:
        return None
    if not (out >= 0.5).any():
        return ForcedStrings(None)
    top = int(np.flatnonzero(out >= 0.5)[0])
    # By chance few copies of the rung below may have stayed back.
    low, accounts = ladder[top - 2] + 1 if top > 1 else 1, ladder[top]
    is_exact = False
    while not is_exact:
        between = sorted({int(x) for x in np.linspace(low, accounts, STEPS).round()})
        is_exact = len(between) == accounts - low + 1
        shares = measure_shares(between, choose_copies(between, repeats))
        if shares is None or not (shares >= 0.5).any():
            break
        place = int(np.flatnonzero(shares >= 0.5)[0])
        low, accounts = between[place - 1] + 1 if place else low, between[place]
    last = [size for size in (accounts - 1, accounts) if size]
    copies = choose_copies(last, repeats)
    ends = measure_shares(last, copies)
    if ends is None:
        return None
    before = float(ends[0]) if accounts > 1 else 0.0  # nobody's string never comes out
    return ForcedStrings(accounts, before, float(ends[-1]), copies)


def choose_copies(sizes: Sequence[int], repeats: int) -> int:
    """How many strings of each size a run plants."""
    return max(_FEWEST, min(LAST_COPIES, MOST_ROWS // max(1, repeats * sum(sizes))))


@dataclass(frozen=True)
class PartyRules:
    """When two users of a query count as one party."""

    burst: int  # seconds
    few: int  # distinct queries at most of a user who hardly did anything
    ranges: bool  # whether address ranges join users, where the log has addresses


@dataclass(frozen=True, eq=False)
class ReleasedStrings:
    """The released strings that can be read (`texts`), and which of the log's queries hold them.

    Query q of the log holds the strings ``codes[offsets[q]:offsets[q + 1]]``, codes into `texts`;
    shapes (pairs,) and (queries + 1,).
    """

    texts: Vocabulary
    offsets: Int64s
    codes: Int32s

    @classmethod
    def of_queries(cls, log: QueryLog, released: Bools) -> ReleasedStrings:
        """Whole queries: those of the log's that are `released` and show something."""
        keep = released & ~log.queries.find_blank()
        offsets = np.concatenate([[0], np.cumsum(keep)]).astype(np.int64)
        return cls(log.queries, offsets, np.flatnonzero(keep).astype(np.int32))

    @classmethod
    def of_ngrams(cls, log: QueryLog, ngrams: Vocabulary, progress: Progress) -> ReleasedStrings:
        """Runs of words, wherever they stand in the log's queries."""
        query, code = pair_queries(log.queries, ngrams, progress)
        offsets = np.searchsorted(query, np.arange(len(log.queries) + 1)).astype(np.int64)
        return cls(ngrams, offsets, code)

    def find_queries(self, strings: Integers) -> Int32s:
        """Codes of the log's queries that hold any of these strings, ascending."""
        mask = np.zeros(len(self.texts), dtype=np.bool_)
        mask[strings] = True
        pairs = np.flatnonzero(mask[self.codes])
        return sorted_distinct(np.searchsorted(self.offsets, pairs, side="right") - 1).astype(
            np.int32
        )

    def refer_to(self, parts: Iterable[Integers]) -> UserReference:
        """The queries that hold any string of each part."""
        return UserReference.from_parts("queries", [self.find_queries(part) for part in parts])


@dataclass(frozen=True, eq=False)
class StringSupport:
    """The support of each released string, 0 for those that aren't looked at; shapes (strings,)."""

    users: Int64s  # distinct users
    parties: Int64s  # independent parties that they come to
    histories: Int64s  # parties where only nearly equal histories join users

    @property
    def of_one_history(self) -> Bools:
        """Strings of several users whose histories are all nearly equal."""
        return np.asarray((self.users > 1) & (self.histories == 1))

    def is_judged(self, fewest: int) -> Bools:
        """Strings of `fewest` users or more, or of several with one history."""
        return np.asarray((self.users >= fewest) | self.of_one_history)

    def is_dependent(self, fewest: int) -> Bools:
        """Those judged of whose users half at most are independent."""
        return np.asarray(self.is_judged(fewest) & (2 * self.parties <= self.users))


def count_support(
    log: QueryLog,
    released: ReleasedStrings,
    rules: PartyRules,
    progress: Progress,
    shuffle: np.random.Generator | None = None,
) -> StringSupport:
    """Count users and parties of the released strings; O(m · log m) for the events that hold any.

    With `shuffle` times and addresses are dealt out anew: what is dependent then is so by chance.
    No histories are compared there, since none would be equal.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    accounts = join_accounts(log, progress) if shuffle is None else None
    order = slice(None) if shuffle is None else shuffle.permutation(len(log))
    time, address = log.time[order], None if log.ip is None else log.ip[order]
    progress.stage("counting independent parties")
    user_queries = sorted_distinct((log.user.astype(np.int64) << 32) | log.query)
    distinct = np.bincount(user_queries >> 32, minlength=len(log.users))
    lengths = np.diff(released.offsets)
    rows = np.flatnonzero(log.event_starts & (lengths[log.query] > 0))
    rows, _ = _keep_first(rows, log.query[rows], log.user, time)
    progress.check()
    sizes = lengths[log.query[rows]]
    codes = released.codes[expand_ranges(released.offsets[log.query[rows]], sizes)]
    rows = np.repeat(rows, sizes)
    rows, key = _keep_first(rows, codes, log.user, time)
    string, user = key >> 32, key & 0xFFFFFFFF
    progress.check()
    pairs = len(rows)
    edges: list[tuple[Int64s, Int64s]] = []
    if rules.ranges and address is not None:
        located = np.flatnonzero(address[rows] != 0)
        edges.append(_join_groups(located, (string[located] << 24) | (address[rows[located]] >> 8)))
    thin = np.flatnonzero(distinct[user] <= rules.few)
    thin = thin[np.lexsort((time[rows[thin]], string[thin]))]
    moment = time[rows[thin]]
    close = (np.diff(string[thin]) == 0) & (np.diff(moment) <= rules.burst)
    edges.append((thin[:-1][close], thin[1:][close]))
    history = user
    if accounts is not None:
        history = accounts.party[user].astype(np.int64)
        shared = np.flatnonzero(accounts.shared[user])
        edges.append(_join_groups(shared, (string[shared] << 32) | history[shared]))
    first, second = (np.concatenate(ends) for ends in zip(*edges, strict=True))
    graph = coo_array((np.ones(len(first), np.int8), (first, second)), shape=(pairs, pairs))
    progress.check()
    _, party = connected_components(graph.tocsr(), directed=False)

    def count_distinct(group: Int64s) -> Int64s:
        distinct = sorted_distinct((string << 32) | group)
        return np.bincount(distinct >> 32, minlength=len(released.texts)).astype(np.int64)

    return StringSupport(
        count_distinct(user), count_distinct(party.astype(np.int64)), count_distinct(history)
    )


def _join_groups(places: Int64s, groups: Int64s) -> tuple[Int64s, Int64s]:
    """An edge from each place to the next one of its group."""
    order = np.argsort(groups, kind="stable")
    places, groups = places[order], groups[order]
    is_same_group = np.diff(groups) == 0
    return places[:-1][is_same_group], places[1:][is_same_group]


def _keep_first(
    rows: Int64s, codes: Integers, user: Integers, time: Int64s
) -> tuple[Int64s, Int64s]:
    """Each user's first row of each code, and the pairs as ``code << 32 | user``, ascending."""
    key = (codes.astype(np.int64) << 32) | user[rows]
    order = np.lexsort((time[rows], key))
    rows, key = rows[order], key[order]
    first = np.flatnonzero(np.diff(key, prepend=-1))
    return rows[first], key[first]


catalogue = MetricCatalogue("attacks", "planted_strings")

LISTED = 200


@dataclass(frozen=True, kw_only=True)
class PlantedStringsParams(Params, owner="planted-strings"):
    """When users count as one party."""

    burst: int = 10
    few: int = 2
    ranges: bool = True
    fewest: int = 3
    repeats: int = 1


def run(
    evidence: Evidence,
    params: PlantedStringsParams,
    *,
    rng: np.random.Generator,
    progress: Progress,
) -> AttackResult:
    """Count independent support, and plant strings where the method is known."""
    log, release = evidence.log, evidence.release
    assert release is not None
    # What of the release can be read in the log: whole queries, or n-grams where it holds them.
    ngrams = release.tables is not None and release.tables.ngrams
    if release.tables is not None and ngrams:
        released_strings = ReleasedStrings.of_ngrams(log, release.tables.queries, progress)
    else:
        released_strings = ReleasedStrings.of_queries(
            log, log.queries.match(release.local_content.queries) != NONE
        )
    rules = PartyRules(60 * params.burst, params.few, params.ranges)
    support = count_support(log, released_strings, rules, progress)
    users = support.users[support.users > 0]
    fewest = {QUERY_USERS: int(users.min())} if ngrams and len(users) else {}
    chance = count_support(log, released_strings, rules, progress, shuffle=rng)
    forced = None
    if evidence.rerun is not None:
        seed = int(rng.integers(1 << 30))
        rerun = plant_words(evidence.rerun, release)
        clicked = needs_clicks(release)
        forced = force_strings(rerun, params.repeats, seed, progress, clicked=clicked)
    trials = int(support.is_judged(params.fewest).sum())
    dependent = support.is_dependent(params.fewest)
    hits = int(dependent.sum())
    by_chance = mean_of(chance.is_dependent(params.fewest)[chance.is_judged(params.fewest)])
    codes = np.flatnonzero(dependent)
    lost = support.users[codes] - support.parties[codes]
    codes = codes[np.argsort(-lost, kind="stable")][:LISTED]
    rows = [
        [released_strings.texts[code], int(support.users[code]), int(support.parties[code])]
        for code in codes.tolist()
    ]
    return ATTACK.build_result(
        params,
        hits,
        trials,
        baseline=by_chance,
        control=by_chance,
        rate_label=catalogue.say("rate", judged=trials, fewest=params.fewest),
        values=tuple(_build_metrics(released_strings, support, dependent, forced)),
        tables=(
            catalogue.table(
                "dependent-queries", rows, who={-1: released_strings.refer_to(codes[:, None])}
            ),
        ),
        notes=tuple(_write_notes(log, release, params, support, forced)),
        details=_build_details(forced) | {"dependent": hits, "judged": trials} | fewest,
    )


def _build_metrics(
    strings: ReleasedStrings, support: StringSupport, dependent: Bools, forced: ForcedStrings | None
) -> Iterator[MetricValue]:
    equal = support.of_one_history
    users, of_equal = (strings.refer_to([np.flatnonzero(flags)]) for flags in (dependent, equal))
    yield catalogue("dependent", int(dependent.sum()), who=users)
    yield catalogue("one_party", int((dependent & (support.parties == 1)).sum()))
    yield catalogue("equal_histories", int(equal.sum()), who=of_equal)
    if forced is not None and forced.accounts is not None:
        yield catalogue("accounts_to_force", forced.accounts)
        yield catalogue("n_minus_one", forced.advantage, interval=_advantage_interval(forced))


def _advantage_interval(forced: ForcedStrings) -> tuple[float, float]:
    """95 % at least, of a difference of two shares: each within its own 97.5 % interval."""
    n, z = forced.copies, 2.2414
    low, high = (wilson_interval(round(share * n), n, z) for share in (forced.before, forced.after))
    if forced.accounts == 1:
        low = (0.0, 0.0)
    return max(0.0, high[0] - low[1]), max(0.0, high[1] - low[0])


def _build_details(forced: ForcedStrings | None) -> dict[str, float]:
    if forced is None:
        return {}
    if forced.accounts is None:  # more accounts than were tried may do it, and show anything
        return {"n_minus_one_low": 0.0, "n_minus_one_high": 1.0}
    low, high = _advantage_interval(forced)
    return {
        "accounts_to_force": forced.accounts,
        "n_minus_one": forced.advantage,
        "n_minus_one_low": low,
        "n_minus_one_high": high,
    }


def _write_notes(
    log: QueryLog,
    release: Anonymized,
    params: PlantedStringsParams,
    support: StringSupport,
    forced: ForcedStrings | None,
) -> Iterator[str]:
    ngrams = release.tables is not None and release.tables.ngrams
    is_in_log = (
        support.users > 0 if ngrams else release.local_content.queries.match(log.queries) >= 0
    )
    # Many released strings that the log lacks: the release is of another log.
    if missing := int(np.count_nonzero(~is_in_log)):
        yield catalogue.say("missing_strings", missing=missing, released=len(is_in_log))
    yield "The control is the same log with times and addresses dealt out anew."
    if log.ip is None or not params.ranges:
        yield "Address ranges were not looked at."
    if forced is None:
        yield "The method is not known or refuses planted strings alone: none were planted."
    elif forced.accounts is None:
        yield "No number of accounts that was tried forced a string out."
    else:
        shares = {"after": 100 * forced.after, "before": 100 * forced.before}
        yield catalogue.say("forced", accounts=forced.accounts, **shares)
    if ngrams:
        yield "Every planted string is one word, which takes the fewest accounts."


def explain_unfit(evidence: Evidence) -> str:
    """Why nothing can be said of released strings, in words; empty if it can."""
    release = evidence.release
    if release is None:
        return "needs a release"
    if isinstance(release.content, DistributedProduct):
        return "needs a release in memory"
    queries = release.local_content.queries
    if not len(evidence.log):
        return "needs queries, and the log has none"
    if not len(queries):
        return "needs released queries, and the release has none"
    if release.tables is not None and release.tables.ngrams:
        return ""  # words of a query can always be read
    sample = np.linspace(0, len(queries) - 1, min(200, len(queries))).astype(np.int64)
    if not (queries.take(sample).match(evidence.log.queries) >= 0).any():
        return "needs released queries that stand in the log and can be read"
    return ""


ATTACK = Attack(
    **catalogue.card,
    criterion="inference",
    params=PlantedStringsParams,
    run=run,
    counts=(QUERY_USERS,),
    unfit=explain_unfit,
)
