"""Small logs that differ by one user, made so that this user's presence shows where it can.

Every scenario is a pair of neighbouring logs: a crowd that stands in both, and one user who is in
the first alone (or, for guarantees of exchange, does the one thing here and the mirrored thing
there). Strings that only they use carry a random token: no mechanism that didn't read their rows
could guess them, so an output that holds one is impossible without them.

All scenarios of a group share one log, each with its own strings and people, and each user has a
coin of their own: whatever the other coins show, their two sides are neighbours, and a mixture of
neighbours is held to the same (ε, δ). So one run of the method is a trial of every scenario.

A method that limits users is only as private as its limits, so some users do far more than counts:
what they add is looked for in the first strings beyond the limit, which a limit somewhat too high
lets through, and in all of them. One common query by itself, in a log with nothing else, shows what
the other scenarios' coins would hide: noise drawn from the same seed again, and users who displace
each other.

Nothing here comes from anybody's log. Cost: O(rows written).
"""

import dataclasses
import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from zlib import crc32

import numpy as np

from auditor.arrays import Bools, UInt32s
from auditor.attacks.planted_strings import GAP
from auditor.figures import format_count
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import Attribute, LogOrigin, QueryLog, Vocabulary
from auditor.messages import as_phrase, phrase

catalogue = MetricCatalogue("attacks", "dp_audit")

Key = str | tuple[str, str]
Row = tuple[str, str, int, str | None]
"""User, query, time, clicked page."""
Event = tuple[str, Sequence[str]]
"""A query and the pages clicked for it."""

WIDE = 32
"""So many different strings of a user are enough: more of them cost time and show little more."""
MOST_REPEATED = 1_000
MOST_TAU = 2_000
MOST_ROWS = 8_000
"""Rows that one crowd may take."""
BEGIN = 1_001_894_400
"""Midnight (UTC) of a Monday that begins a month: what happens on this day is one period's."""
STEP, DAY = 600, 86_400
FAR_ABOVE = 4
"""A query of so many times `popular` users is far above what is released surely."""
MOST_WORDS = 3
FAR = 10
"""So many times what counts is far over a limit, if it is `LEAST` at least."""
LEAST = 100
MOST = 500
NEAR = 4
"""Beyond a limit that is so many times too high the first look sees all there is."""
MOST_COMMON = 200
GROUPS = 16
MOST_CROWD_ROWS = 16_000
"""Rows that the crowd behind the queries, or pages, beyond a limit may take."""


@dataclass(frozen=True, kw_only=True)
class ScenarioConfig:
    """What decides which rows tell most."""

    # queries, clicks: how many of a user's queries and clicks the method counts
    queries: int
    clicks: int
    tau: int  # rarest query that the method keeps before it limits users
    once: bool  # whether a user counts at most once a query
    # Whether the guarantee is about exchanging a user's history, not about leaving it out.
    exchange: bool
    # popular, edge: users of a query that is released surely, and about every other time; None
    # where none is
    popular: int | None
    edge: int | None
    # has_clicks, has_transitions: which tables the method releases
    has_clicks: bool
    has_transitions: bool
    # Whether the method, by its own statement, releases only transitions that occurred.
    occurred: bool = False
    # The chance with which each user is in the sample that is released; None for all.
    share: float | None = None
    # How many days, or weeks, of a whole history the method counts; None without a limit.
    days: int | None = None
    words: int = 1  # how many words what is released may have, where it is runs of words

    @property
    def sides(self) -> tuple[str, ...]:
        """The two sides of an exchange, or the one that a user is left out of."""
        return ("a", "b") if self.exchange else ("a",)

    @property
    def different(self) -> int:
        """Different common queries that a crowd can issue without becoming too long."""
        return max(1, min(self.queries, WIDE, MOST_ROWS // max(self.popular or 1, self.edge or 1)))


@dataclass(frozen=True, eq=False)
class OutputObservation:
    """Where in the output to look: queries, or pairs of a query and a page or a next query."""

    name: str
    title: str
    own: tuple[Key, ...]
    mirrored: tuple[Key, ...] = ()  # the mirrored strings of an exchange, empty otherwise
    base: int = 0  # how often the crowd alone used each
    canary: bool = False  # whether `own` are strings that only the user used


@dataclass(frozen=True, eq=False)
class Scenario:
    """A pair of neighbours: `crowd` in both, `victim` in the one, `instead` in the other."""

    name: str
    description: str
    crowd: tuple[Row, ...]
    victim: tuple[Row, ...]
    instead: tuple[Row, ...]
    looks: tuple[OutputObservation, ...]


def moments(number: int, step: int = 0) -> list[int]:
    """So many moments in order: of one day, which is within every period, or `step` apart."""
    step = step or min(STEP, (DAY - 1) // max(number, 1))
    return [BEGIN + place * step for place in range(number)]


def _list_rows(user: str, events: Sequence[Event], step: int = 0) -> list[Row]:
    """The events of one user, with a row for each page."""
    return [
        (user, query, moment, page)
        for (query, pages), moment in zip(events, moments(len(events), step), strict=True)
        for page in pages or (None,)
    ]


def _click_first(queries: Sequence[str], pages: Sequence[str]) -> list[Event]:
    """One event a query; all `pages` are clicked for the first."""
    return [(query, () if place else pages) for place, query in enumerate(queries)]


@dataclass(eq=False)
class CrowdWriter:
    """Collects the rows of people with a clock each."""

    token: str
    rows: list[Row] = field(default_factory=list)

    def add_crowd(self, name: str, users: int, queries: Sequence[str], *pages: str) -> None:
        """`users` people who issue all of `queries`, and click `pages` on the first."""
        events = _click_first(queries, pages)
        for number in range(users):
            self.rows += _list_rows(f"{self.token} {name} {number}", events)

    def add_crowds(self, name: str, users: int, queries: Sequence[str]) -> None:
        """`users` people for each of `queries`, whose whole weight it has."""
        for place, query in enumerate(queries):
            self.add_crowd(f"{name} {place}", users, [query])


@dataclass(eq=False)
class ScenarioWriter(CrowdWriter):
    """Collects a scenario side by side: of each, what `user` does and where it shows."""

    name: str = ""
    user: str = ""
    done: list[list[Row]] = field(default_factory=list)
    looks: dict[str, OutputObservation] = field(default_factory=dict)

    def act(self, events: Sequence[Event], step: int = 0) -> None:
        """What the user does on the next side: on one day, or every `step` seconds."""
        user = self.user or f"{self.name} user"
        self.done.append(_list_rows(f"{self.token} {user}", events, step))

    def issue(self, queries: Sequence[str], pages: Sequence[str] = ()) -> None:
        """The user issues `queries` on the next side, and clicks `pages` on the first."""
        self.act(_click_first(queries, pages))

    def look(
        self, name: str, title: str, keys: Sequence[Key], *, base: int = 0, canary: bool = False
    ) -> None:
        """Look at `keys` on this side; called once for each."""
        if name in self.looks:
            self.looks[name] = dataclasses.replace(self.looks[name], mirrored=tuple(keys))
        else:
            self.looks[name] = OutputObservation(name, title, tuple(keys), (), base, canary)

    def build(self, description: str) -> Scenario:
        """The scenario that was collected."""
        victim, instead = (*map(tuple, self.done), ())[:2]
        looks = tuple(self.looks.values())
        return Scenario(self.name, description, tuple(self.rows), victim, instead, looks)


def common_queries(token: str, name: str, side: str, size: int) -> list[str]:
    """`size` different strings of one side."""
    return [f"{token} {name} {side} {i}" for i in range(size)]


def _make_fallback_queries(token: str, side: str, config: ScenarioConfig) -> list[str]:
    """Different common queries, or one that is issued again and again where that counts."""
    return common_queries(token, "fallback", side, config.different if config.once else 1)


def _issue_own(
    config: ScenarioConfig,
    token: str,
    scenario: str,
    title: str,
    description: str,
    name: str,
    *,
    user: str = "",
    size: int = 0,
    times: int = 1,
    step: int = 0,
) -> Scenario:
    """The user issues one string of their own, or `size` of them, `times` times each."""
    writer = ScenarioWriter(token, name=scenario, user=user)
    for side in config.sides:
        queries = common_queries(token, name, side, size) or [f"{token} {name} {side}"]
        writer.act(_click_first(queries * times, ()), step)
        writer.look(writer.name, title, queries, canary=True)
    return writer.build(description)


def make_unique_query(config: ScenarioConfig, token: str) -> Scenario:
    """One user issues a query that nobody else issued, as often as counts."""
    times = 1 if config.once else min(config.queries, MOST_REPEATED)
    description = (
        phrase("The user issues one query that nobody else issued, {times:,} times.", times=times)
        if times > 1
        else "The user issues one query that nobody else issued."
    )
    return _issue_own(config, token, "unseen", "unseen query", description, "unseen", times=times)


def unseen_many(config: ScenarioConfig, token: str) -> Scenario | None:
    """One user issues many queries that nobody else issued, once each."""
    size = min(config.queries, WIDE)
    if size < 2:
        return None
    title = phrase("{size} unseen queries", size=size)
    description = phrase(
        "The user issues {size} queries that nobody else issued, once each.", size=size
    )
    return _issue_own(config, token, "unseen-many", title, description, "rare", size=size)


def lift_to_frequency(config: ScenarioConfig, token: str, *, shared: str = "") -> Scenario | None:
    """One user lifts queries from τ − 1 to τ, and so changes what their other users contribute.

    Each of τ − 1 friends issues the queries first, then common ones: those count only where the
    rare ones are dropped. With `shared` the common ones have a crowd elsewhere already.
    """
    if not 1 < config.tau <= MOST_TAU or config.popular is None:
        return None
    row_limit = max(1, MOST_ROWS // config.tau)
    size, times = min(config.different, row_limit), min(config.queries, MOST_REPEATED, row_limit)
    writer = ScenarioWriter(token, name="lift")
    for side in config.sides:
        rare = common_queries(token, "lifted", side, size)
        common = _make_fallback_queries(shared or token, side, config)
        after = common[:row_limit] if config.once else common * times
        writer.add_crowd(f"friend {side}", config.tau - 1, [*rare, *after])
        writer.issue(rare)
        writer.look("lifted", "query lifted to τ", rare, base=config.tau - 1)
        if not shared:
            writer.add_crowd(f"crowd {side}", config.popular, common)
            title = "others, raised by the user"
            writer.look("fallback", title, common, base=config.popular)
    size_text = format_count(size, "query", "queries")
    return writer.build(catalogue.say("lift", size=size_text, tau=config.tau - 1))


def make_unique_clicks(config: ScenarioConfig, token: str, *, shared: str = "") -> Scenario | None:
    """One user clicks pages that nobody else clicked, of a query that many issue."""
    if config.popular is None or not config.has_clicks:
        return None
    writer = ScenarioWriter(token, name="page")
    size = min(config.clicks, config.queries, WIDE)
    for side in config.sides:
        query = common_queries(shared or token, "common", side, 1)
        if not shared:
            writer.add_crowd(f"page {side}", config.popular, query)
        urls = [f"http://{token}.{side}.example/{i}" for i in range(size)]
        writer.issue(query, urls)
        pairs = [(query[0], url) for url in urls]
        writer.look("page", "page that only this user clicked", pairs, canary=True)
    return writer.build(catalogue.say("page", size=format_count(size, "page")))


def make_regular_user(config: ScenarioConfig, token: str) -> Scenario | None:
    """One user issues what many issue and clicks what many click, as much as counts."""
    if config.popular is None:
        return None
    repetitions = 1 if config.once else min(config.queries, MOST_REPEATED)
    size = config.different if config.once else 1
    pages = min(config.clicks, config.queries) if config.has_clicks else 0
    kinds = min(pages, config.different) if config.once else min(pages, 1)
    clicks = kinds if config.once else kinds * min(pages, MOST_REPEATED)
    base = config.popular
    writer = ScenarioWriter(token, name="regular")
    for side in config.sides:
        common = common_queries(token, "common", side, size)
        urls = [f"http://{token}.{side}.example/common/{i}" for i in range(kinds)]
        writer.add_crowd(f"regular {side}", base, common[:1], *urls)
        writer.add_crowds(f"regular {side}", base, common[1:])
        writer.issue(common * repetitions, urls if config.once else urls * clicks)
        pairs = [(common[0], url) for url in urls]
        writer.look("common", "common queries", common, base=base)
        if kinds:
            writer.look("clicks", "common pages", pairs, base=base)
            writer.look("together", "common, all together", [*common, *pairs], base=base)
    description = catalogue.say(
        "regular", size=format_count(size, "common query", "common queries")
    )
    description += phrase(", {each:,} times", each=repetitions) if repetitions > 1 else ""
    description += (
        phrase(", and clicks common pages {clicked}.", clicked=format_count(clicks, "time"))
        if kinds
        else "."
    )
    return writer.build(description)


def make_unique_order(config: ScenarioConfig, token: str) -> Scenario | None:
    """One user issues common queries in an order of their own; the crowd has the reverse."""
    if config.popular is None or not config.has_transitions or config.queries < 2:
        return None
    size = max(2, config.different)
    writer = ScenarioWriter(token, name="follow")
    for side in config.sides:
        steps = common_queries(token, "step", side, size)
        writer.add_crowd(f"follow {side}", config.popular, steps[::-1])
        writer.issue(steps)
        # All queries are common. But where only pairs that occurred are released, theirs prove it.
        pairs = list(itertools.pairwise(steps))
        writer.look("order", "new order of queries", pairs, canary=config.occurred)
    return writer.build(catalogue.say("order", size=size))


def make_borderline_queries(
    config: ScenarioConfig, token: str, *, single: bool = False
) -> Scenario | None:
    """The user issues queries that are released about every other time; if `single`, one."""
    if not config.edge:
        return None
    name, title = "edge", "queries on the edge"
    description = "The user issues queries that are released about every other time."
    if single:
        name, title = "single", "single query on the edge"
        description = "The user issues a single query, one that is released about every other time."
    size = config.different if config.once and not single else 1
    times = 1 if config.once or single else min(config.queries, MOST_REPEATED)
    writer = ScenarioWriter(token, name=name)
    for side in config.sides:
        queries = common_queries(token, name, side, size)
        writer.add_crowds(f"{name} {side}", config.edge, queries)
        writer.issue(queries * times)
        writer.look(name, title, queries, base=config.edge)
    return writer.build(description)


def list_behind(config: ScenarioConfig, token: str) -> Iterator[Scenario]:
    """Users whose other queries stand behind common ones of far more users than are needed.

    What a method takes from such queries and gives to others shows where the user has a query of
    their own, and where they have one on the edge.
    """
    if config.popular is None or config.queries < 2:
        return
    for kind, base in (("own", 0), ("edge", config.edge)):
        if base is None or (kind == "edge" and not base):
            continue
        name = f"behind-{kind}"
        writer = ScenarioWriter(token, name=name, user=f"{kind} {name} user")
        for side in config.sides:
            above = common_queries(token, "above", side, 1)
            behind = common_queries(token, f"behind {kind}", side, 1)
            if base:
                writer.add_crowds(f"behind {side}", base, behind)
                title = "query on the edge behind common ones"
            else:
                writer.add_crowds(f"above {side}", FAR_ABOVE * config.popular, above)
                title = "own query behind common ones"
            writer.issue(above + behind)
            writer.look(name, title, behind, base=base, canary=not base)
        yield writer.build(
            "The user issues a query of far more users than are needed, and one on the edge."
            if base
            else "The user issues a query of far more users than are needed, and one of their own."
        )


def make_phrase(config: ScenarioConfig, token: str) -> Scenario | None:
    """The user issues a common phrase, all of whose runs of words may be released."""
    size = min(config.words, MOST_WORDS)
    if config.popular is None or size < 2:
        return None
    writer = ScenarioWriter(token, name="phrase")
    for side in config.sides:
        words = common_queries(token, "word", side, size)
        runs = [
            GAP.join(words[first : first + length])
            for length in range(1, size + 1)
            for first in range(size - length + 1)
        ]
        writer.add_crowds(f"phrase {side}", config.popular, runs)
        writer.issue(runs[-1:])
        writer.look("phrase", "runs of words", runs, base=config.popular)
    return writer.build(phrase("The user issues one common phrase of {size} words.", size=size))


def shared_crowd(config: ScenarioConfig, token: str) -> tuple[Row, ...]:
    """The people behind the common queries that many copies of a scenario share."""
    writer = CrowdWriter(token)
    if config.popular is not None:
        for side in config.sides:
            common = common_queries(token, "common", side, 1)
            writer.add_crowd(f"common {side}", config.popular, common)
            fallback = _make_fallback_queries(token, side, config)
            writer.add_crowd(f"fallback {side}", config.popular, fallback)
    return tuple(writer.rows)


def list_scenarios(config: ScenarioConfig, token: str) -> list[Scenario]:
    """All scenarios that this setting allows, in the order in which people should read them."""
    scenarios = (
        make_unique_query(config, token),
        unseen_many(config, token),
        lift_to_frequency(config, token),
        make_unique_clicks(config, token),
        make_regular_user(config, token),
        make_unique_order(config, token),
        make_borderline_queries(config, token),
        make_borderline_queries(config, token, single=True),
        make_phrase(config, token),
        *list_behind(config, token),
    )
    return [scenario for scenario in scenarios if scenario is not None]


def log_of(rows: Iterable[Row], address: UInt32s | None = None, *, by: str = "none") -> QueryLog:
    """The rows as a log, each with an address if there are any; O(rows).

    Where queries are counted `by` a column, each query has one of `GROUPS` values there, so that
    who issues several of them lies in several groups.
    """
    entries = list(rows)
    log = QueryLog.from_columns(  # no `zip`, which keeps the window's thread from its turn
        user=[row[0] for row in entries],
        query=[row[1] for row in entries],
        time=np.fromiter((row[2] for row in entries), np.int64, len(entries)),
        url=[row[3] for row in entries],
        ip=address,
    )
    if by == "none":
        return log
    group = np.array([crc32(text.encode()) for text in log.queries.list_strings()]) % GROUPS
    values = Vocabulary.of(str(number) for number in range(GROUPS))
    attribute = Attribute(group.astype(np.int32)[log.query], values)
    return dataclasses.replace(log, attributes={by: attribute})


class ScenarioLogs:
    """Logs of the same scenarios with other users in them: all rows are coded once; O(rows).

    A log is as if it had been coded by itself, so that nothing in it tells of who is not there.
    """

    def __init__(
        self, scenarios: Sequence[Scenario], extra: Iterable[Row] = (), *, by: str = "none"
    ) -> None:
        # A log must not be empty: without anybody else, one bystander stands in both neighbours.
        rows: list[Row] = [("bystander", "bystander", BEGIN, None), *extra]
        sizes = [len(rows)]
        for scenario in scenarios:
            for part in (scenario.crowd, scenario.victim, scenario.instead):
                rows += part
                sizes.append(len(part))
        # The address column carries through the sorting which part of which scenario a row is of.
        parts = np.repeat(np.arange(len(sizes), dtype=np.uint32), sizes)
        self._all = log_of(rows, parts, by=by)
        assert self._all.ip is not None
        self._part = self._all.ip

    @property
    def strings(self) -> Vocabulary:
        """The queries of all of these logs."""
        return self._all.queries

    def build(self, present: Bools) -> QueryLog:
        """The log in which user i does what is asked where `present[i]`; O(rows)."""
        is_present = np.ones((len(present), 3), dtype=np.bool_)  # crowd, victim, instead
        is_present[:, 1], is_present[:, 2] = present, ~present
        log = self._all.rows(np.concatenate([[True], is_present.ravel()])[self._part])
        return dataclasses.replace(log, ip=None, origin=LogOrigin(rows_read=len(log)))


# Far beyond the limits


def list_excessive(config: ScenarioConfig, token: str) -> list[Scenario]:
    """All scenarios beyond the limits that this setting allows."""
    size = _choose_excess(config.queries)
    # Of these two the first is one query of their own again and again: users are to be counted, not
    # events. The second is many queries, far more than count.
    own: list[Scenario | None] = [
        _issue_own(
            config, token, "unseen-repeated", "unseen query, repeated",
            phrase("They issue one query that nobody else issued, {often:,} times.", often=size),
            "insisted", user="insists", times=size,
        ),
        _issue_own(
            config, token, "unseen-beyond", "unseen queries beyond the limit",
            catalogue.say("unseen_beyond", size=size, queries=config.queries),
            "rare beyond", user="beyond", size=size,
        ),
    ]  # fmt: skip
    if config.days is not None:  # a query of their own each week, in far more weeks than count
        weeks = _choose_excess(config.days)
        own.append(
            _issue_own(
                config, token, "unseen-days", "unseen queries beyond the limit of days",
                catalogue.say("unseen_days", size=weeks, days=config.days),
                "rare week", user="weekly", size=weeks, step=7 * DAY,
            )
        )  # fmt: skip
    common = (pages_beyond, build_repeated, queries_beyond, clicks_beyond)
    scenarios = [*own, *(make(config, token) for make in common)]
    return [scenario for scenario in scenarios if scenario is not None]


def pages_beyond(config: ScenarioConfig, token: str) -> Scenario | None:
    """They click many pages that nobody else clicked, far more than count, of a common query."""
    if config.popular is None or not config.has_clicks:
        return None
    size = _choose_excess(config.clicks)
    writer = ScenarioWriter(token, name="pages-beyond", user="clicks")
    for side in config.sides:
        (query,) = common_queries(token, "pages beyond", side, 1)
        writer.add_crowd(f"pages beyond {side}", config.popular, [query])
        urls = [f"http://{token}.{side}.example/beyond/{i}" for i in range(size)]
        writer.act([(query, [url]) for url in urls])
        pairs = [(query, url) for url in urls]
        writer.look("pages-beyond", "own pages beyond the limit", pairs, canary=True)
    return writer.build(catalogue.say("pages_beyond", size=size, clicks=config.clicks))


def build_repeated(config: ScenarioConfig, token: str) -> Scenario | None:
    """They issue two common queries in turn, and click a common page each time, far too often."""
    if config.popular is None:
        return None
    repetitions, size = _choose_excess(config.queries), 2 if config.queries >= 2 else 1
    base = config.popular
    writer = ScenarioWriter(token, name="repeated", user="again")
    for side in config.sides:
        queries = common_queries(token, "again", side, size)
        urls = [f"http://{token}.{side}.example/again"] if config.has_clicks else []
        writer.add_crowd(f"again {side}", base, queries, *urls)
        turns = [(query, () if place else urls) for place, query in enumerate(queries)]
        writer.act([turns[place % size] for place in range(repetitions)])
        writer.look("repeated", "common query, repeated", queries, base=base)
        if urls:
            pairs = [(queries[0], url) for url in urls]
            writer.look("repeated-clicks", "common page, repeated", pairs, base=base)
        if config.has_transitions and size == 2:
            steps = list(itertools.pairwise(queries))
            writer.look("repeated-order", "transition, repeated", steps, base=base)
    words = as_phrase(format_count(size, "common query", "common queries"))
    return writer.build(catalogue.say("repeated", words=words, often=repetitions))


def queries_beyond(config: ScenarioConfig, token: str) -> Scenario | None:
    """They issue far more common queries than count, in an order that nobody else had."""
    size = _common_size(config, config.queries)
    if not size or config.popular is None:
        return None
    writer = ScenarioWriter(token, name="queries-beyond", user="much")
    for side in config.sides:
        queries = common_queries(token, "much", side, size)
        for number, first in enumerate(range(0, size, config.queries)):
            block = queries[first : first + config.queries]
            writer.add_crowd(f"much {side} {number}", config.popular, block[::-1])
        writer.issue(queries)
        _look_beyond(config, writer, "common queries beyond the limit", queries, config.queries)
        if config.has_transitions:
            steps = list(itertools.pairwise(queries))
            title = "transitions beyond the limit"
            writer.look("order-beyond", title, steps, canary=config.occurred)
    return writer.build(catalogue.say("queries_beyond", size=size, queries=config.queries))


def clicks_beyond(config: ScenarioConfig, token: str) -> Scenario | None:
    """They click far more common pages than count, of one common query."""
    size = _common_size(config, config.clicks) if config.has_clicks else 0
    if not size or config.popular is None:
        return None
    writer = ScenarioWriter(token, name="clicks-beyond", user="pages")
    for side in config.sides:
        (query,) = common_queries(token, "pages", side, 1)
        urls = [f"http://{token}.{side}.example/much/{i}" for i in range(size)]
        for number, first in enumerate(range(0, size, config.clicks)):
            block = urls[first : first + config.clicks]
            writer.add_crowd(f"pages {side} {number}", config.popular, [query], *block)
        writer.act([(query, [url]) for url in urls])
        pairs = [(query, url) for url in urls]
        _look_beyond(config, writer, "common pages beyond the limit", pairs, config.clicks)
    return writer.build(catalogue.say("clicks_beyond", size=size, clicks=config.clicks))


def list_lone_users(config: ScenarioConfig, token: str) -> list[Scenario]:
    """They issue the one common query of a log in which nothing else stands.

    Where users are sampled by rounding to a fixed size, the crowd is the next one of which, with
    the bystander, one user more is one more sampled; coins know no such number.
    """
    if config.popular is None:
        return []
    size = config.popular
    if config.share is not None and not config.exchange:
        while round((size + 2) * config.share) == round((size + 1) * config.share):
            size += 1
    writer = ScenarioWriter(token, name="alone", user="alone")
    for side in config.sides:
        query = common_queries(token, "alone", side, 1)
        writer.add_crowd(f"alone {side}", size, query)
        writer.issue(query)
        writer.look("alone", "one common query by itself", query, base=size)
    description = phrase("They issue the one common query of a log of {size:,} users.", size=size)
    return [writer.build(description)]


def left_out(config: ScenarioConfig) -> list[str]:
    """What could not be tried beyond the limits, and why."""
    if config.popular is None:
        return []
    missing = [] if _common_size(config, config.queries) else ["queries"]
    if config.has_clicks and not _common_size(config, config.clicks):
        missing.append("clicks")
    return [
        catalogue.say("too_large_crowd", what=as_phrase(part), most_crowd_rows=MOST_CROWD_ROWS)
        for part in missing
    ]


def _choose_excess(limit: int) -> int:
    return min(max(FAR * limit, LEAST), max(MOST, 2 * limit))


def _common_size(config: ScenarioConfig, limit: int) -> int:
    """How many common queries or pages can be tried beyond a limit; 0 if not twice as many."""
    crowd = max(config.popular or 1, 1) * len(config.sides)
    size = min(max(FAR * limit, LEAST), MOST_COMMON, MOST_CROWD_ROWS // crowd)
    return size if size >= 2 * limit else 0


def _look_beyond(
    config: ScenarioConfig, writer: ScenarioWriter, title: str, keys: Sequence[Key], limit: int
) -> None:
    """Look at the first strings beyond a limit, and at all."""
    near_keys, base = NEAR * limit, config.popular or 0
    if near_keys < len(keys):
        shorter = phrase("{title}, the first {near:,}", title=as_phrase(title), near=near_keys)
        writer.look(f"{writer.name}-first", shorter, keys[:near_keys], base=base)
    writer.look(writer.name, title, keys, base=base)
