"""Small logs that differ by one user, made so that this user's presence shows where it can.

Every scenario is a pair of neighbouring logs: a crowd that stands in both, and one user who is in
the first alone (or, for guarantees of exchange, does the one thing here and the mirrored thing
there). Strings that only they use carry a random token: no mechanism that didn't read their rows
could guess them, so an output that holds one is impossible without them.

All scenarios of a group share one log, each with its own strings and people, and each user has a
coin of their own: whatever the other coins show, their two sides are neighbours, and a mixture of
neighbours is held to the same (ε, δ). So one run of the method is a trial of every scenario.

Nothing here comes from anybody's log. Cost: O(rows written).

Of users far over each limit there are scenarios of their own: a method that limits users is only as
private as its limits, so here users do far more than counts, of each kind. What they add is looked
for in the first ones beyond the limit, which a limit somewhat too high lets through, and in all of
them. One common query by itself, in a log with nothing else, shows what the other scenarios' coins
would hide: noise drawn from the same seed again, and users who displace each other.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from auditor.arrays import Bools, UInt32s
from auditor.attacks.planted_strings.canaries import GAP
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import LogOrigin, QueryLog, Vocabulary
from auditor.messages import as_phrase, phrase

catalogue = MetricCatalogue("attacks", "dp_audit")

Key = str | tuple[str, str]
Row = tuple[str, str, int, str | None]
"""User, query, time, clicked page."""

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


@dataclass(frozen=True, kw_only=True)
class ScenarioConfig:
    """What decides which rows tell most.

    Attributes
    ----------
    queries, clicks
        How many of a user's queries and clicks the method counts.
    tau
        Rarest query that the method keeps before it limits users.
    once
        Whether a user counts at most once a query.
    exchange
        Whether the guarantee is about exchanging a user's history, not about leaving it out.
    popular
        A query of so many users is released surely enough; None where nothing is.
    edge
        A query of so many users is released about every other time.
    has_clicks, has_transitions
        Which tables the method releases.
    """

    queries: int
    clicks: int
    tau: int
    once: bool
    exchange: bool
    popular: int | None
    edge: int | None
    has_clicks: bool
    has_transitions: bool
    occurred: bool = False
    """Whether the method, by its own statement, releases only transitions that occurred."""
    share: float | None = None
    """The chance with which each user is in the sample that is released; None for all."""
    days: int | None = None
    """How many days, or weeks, of a whole history the method counts; None without a limit."""
    words: int = 1
    """How many words what is released may have, where it is runs of words."""

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
    """Where in the output to look: queries, or pairs of a query and a page or a next query.

    `base` is how often the crowd alone used each. `canary` says that `mine` are strings that only
    the user used. `others` are the mirrored strings of an exchange, empty otherwise.
    """

    name: str
    title: str
    mine: tuple[Key, ...]
    others: tuple[Key, ...] = ()
    base: int = 0
    canary: bool = False


@dataclass(frozen=True, eq=False)
class Scenario:
    """A pair of neighbours: `crowd` in both, `victim` in the one, `instead` in the other."""

    name: str
    about: str
    crowd: tuple[Row, ...]
    victim: tuple[Row, ...]
    instead: tuple[Row, ...]
    looks: tuple[OutputObservation, ...]


@dataclass(eq=False)
class ScenarioWriter:
    """Collects rows of people with a clock each."""

    token: str
    rows: list[Row] = field(default_factory=list)

    def add_queries(self, user: str, queries: Iterable[str], pages: Sequence[str] = ()) -> None:
        """One event a query, in order; the first one with a click on each of `pages`."""
        issued = list(queries)
        for number, (query, moment) in enumerate(zip(issued, moments(len(issued)), strict=True)):
            clicked: Sequence[str | None] = pages if pages and number == 0 else (None,)
            self.rows += [(user, query, moment, page) for page in clicked]

    def add_crowd(self, name: str, users: int, queries: Sequence[str], *pages: str) -> None:
        """`users` people who issue all of `queries`, and click `pages` on the first."""
        for number in range(users):
            self.add_queries(f"{self.token} {name} {number}", queries, pages)

    def add_crowds(self, name: str, users: int, queries: Sequence[str]) -> None:
        """`users` people for each of `queries`, whose whole weight it has."""
        for place, query in enumerate(queries):
            self.add_crowd(f"{name} {place}", users, [query])


def moments(number: int) -> list[int]:
    """So many moments of one day, in order: what a user does then is within every period."""
    step = min(STEP, (DAY - 1) // max(number, 1))
    return [BEGIN + place * step for place in range(number)]


def make_unique_query(setting: ScenarioConfig, token: str) -> Scenario:
    """One user issues a query that nobody else issued, as often as counts."""
    times = 1 if setting.once else min(setting.queries, MOST_REPEATED)
    words = [f"{token} unseen {side}" for side in setting.sides]
    look = make_observation("unseen", "unseen query", [[w] for w in words], canary=True)
    about = (
        phrase("The user issues one query that nobody else issued, {times:,} times.", times=times)
        if times > 1
        else "The user issues one query that nobody else issued."
    )
    return _build_scenario("unseen", about, token, [[word] * times for word in words], (look,))


def unseen_many(setting: ScenarioConfig, token: str) -> Scenario | None:
    """One user issues many queries that nobody else issued, once each."""
    size = min(setting.queries, WIDE)
    if size < 2:
        return None
    words = list_strings(setting, token, "rare", size)
    title = phrase("{size} unseen queries", size=size)
    look = make_observation("unseen-many", title, words, canary=True)
    about = phrase("The user issues {size} queries that nobody else issued, once each.", size=size)
    return _build_scenario("unseen-many", about, token, words, (look,))


def lift_to_frequency(setting: ScenarioConfig, token: str, *, shared: str = "") -> Scenario | None:
    """One user lifts queries from τ − 1 to τ, and so changes what their other users contribute.

    Each of τ − 1 friends issues the queries first, then common ones: those count only where the
    rare ones are dropped. With `shared` the common ones have a crowd elsewhere already.
    """
    if not 1 < setting.tau <= MOST_TAU or setting.popular is None:
        return None
    most = max(1, MOST_ROWS // setting.tau)
    size, times = min(setting.different, most), min(setting.queries, MOST_REPEATED, most)
    writer = ScenarioWriter(token)
    words = list_strings(setting, token, "lifted", size)
    common = [_make_fallback_queries(shared or token, side, setting) for side in setting.sides]
    for side, rare, then in zip(setting.sides, words, common, strict=True):
        after = then[:most] if setting.once else then * times
        writer.add_crowd(f"friend {side}", setting.tau - 1, [*rare, *after])
        if not shared:
            writer.add_crowd(f"crowd {side}", setting.popular, then)
    looks = [make_observation("lifted", "query lifted to τ", words, base=setting.tau - 1)]
    if not shared:
        base = setting.popular
        looks.append(make_observation("fallback", "others, raised by the user", common, base=base))
    about = catalogue.say("lift", size=in_numbers(size, "query", "queries"), tau=setting.tau - 1)
    return _build_scenario("lift", about, token, words, tuple(looks), crowd=writer.rows)


def make_unique_clicks(setting: ScenarioConfig, token: str, *, shared: str = "") -> Scenario | None:
    """One user clicks pages that nobody else clicked, of a query that many issue."""
    if setting.popular is None or not setting.has_clicks:
        return None
    writer = ScenarioWriter(token)
    size = min(setting.clicks, setting.queries, WIDE)
    words, clicked = [], []
    for side in setting.sides:
        asked = common_queries(shared or token, "common", side, 1)
        if not shared:
            writer.add_crowd(f"page {side}", setting.popular, asked)
        words.append(asked)
        clicked.append([f"http://{token}.{side}.example/{i}" for i in range(size)])
    pairs = [[(w[0], url) for url in urls] for w, urls in zip(words, clicked, strict=True)]
    looks = (make_observation("page", "page that only this user clicked", pairs, canary=True),)
    about = catalogue.say("page", size=in_numbers(size, "page"))
    return _build_scenario("page", about, token, words, looks, pages=clicked, crowd=writer.rows)


def make_regular_user(setting: ScenarioConfig, token: str) -> Scenario | None:
    """One user issues what many issue and clicks what many click, as much as counts."""
    if setting.popular is None:
        return None
    writer = ScenarioWriter(token)
    each = 1 if setting.once else min(setting.queries, MOST_REPEATED)
    size = setting.different if setting.once else 1
    pages = min(setting.clicks, setting.queries) if setting.has_clicks else 0
    kinds = min(pages, setting.different) if setting.once else min(pages, 1)
    pairs: list[list[Key]] = []
    words, clicked, asked = [], [], []
    for side in setting.sides:
        common = common_queries(token, "common", side, size)
        urls = [f"http://{token}.{side}.example/common/{i}" for i in range(kinds)]
        writer.add_crowd(f"regular {side}", setting.popular, common[:1], *urls)
        writer.add_crowds(f"regular {side}", setting.popular, common[1:])
        words.append(common)
        asked.append(common * each)
        pairs.append([(common[0], url) for url in urls])
        clicked.append(urls if setting.once else urls * min(pages, MOST_REPEATED))
    base = setting.popular
    looks = [make_observation("common", "common queries", words, base=base)]
    if kinds:
        together: list[list[Key]] = [[*w, *p] for w, p in zip(words, pairs, strict=True)]
        looks += [
            make_observation("clicks", "common pages", pairs, base=base),
            make_observation("together", "common, all together", together, base=base),
        ]
    about = catalogue.say("regular", size=in_numbers(size, "common query", "common queries"))
    about += phrase(", {each:,} times", each=each) if each > 1 else ""
    about += (
        phrase(", and clicks common pages {clicked}.", clicked=in_numbers(len(clicked[0]), "time"))
        if kinds
        else "."
    )
    return _build_scenario(
        "regular", about, token, asked, tuple(looks), pages=clicked, crowd=writer.rows
    )


def make_unique_order(setting: ScenarioConfig, token: str) -> Scenario | None:
    """One user issues common queries in an order of their own; the crowd has the reverse."""
    if setting.popular is None or not setting.has_transitions or setting.queries < 2:
        return None
    size = max(2, setting.different)
    words = list_strings(setting, token, "step", size)
    reverse = [steps[::-1] for steps in words]
    crowd = list_crowd(setting, token, "follow", setting.popular, reverse)
    pairs = [list(itertools.pairwise(steps)) for steps in words]
    # All queries are common. But where only pairs that occurred are released, theirs prove them.
    look = make_observation("order", "new order of queries", pairs, canary=setting.occurred)
    about = catalogue.say("order", size=size)
    return _build_scenario("follow", about, token, words, (look,), crowd=crowd)


def make_borderline_queries(
    setting: ScenarioConfig, token: str, *, single: bool = False
) -> Scenario | None:
    """The user issues queries that are released about every other time; if `single`, one."""
    if not setting.edge:
        return None
    name = "single" if single else "edge"
    words = list_strings(
        setting, token, name, setting.different if setting.once and not single else 1
    )
    times = 1 if setting.once or single else min(setting.queries, MOST_REPEATED)
    crowd = list_crowd(setting, token, name, setting.edge, words, apart=True)
    title = "single query on the edge" if single else "queries on the edge"
    look = make_observation(name, title, words, base=setting.edge)
    about = (
        "The user issues a single query, one that is released about every other time."
        if single
        else "The user issues queries that are released about every other time."
    )
    issued = [some * times for some in words]
    return _build_scenario(name, about, token, issued, (look,), crowd=crowd)


def list_behind(setting: ScenarioConfig, token: str) -> list[Scenario]:
    """Users whose other queries stand behind common ones of far more users than are needed.

    What a method takes from such queries and gives to others shows where the user has a query of
    their own, and where they have one on the edge.
    """
    if setting.popular is None or setting.queries < 2:
        return []
    above = list_strings(setting, token, "above", 1)
    crowd = list_crowd(setting, token, "above", FAR_ABOVE * setting.popular, above, apart=True)
    kinds: list[tuple[str, int, str, str, Sequence[Row]]] = [
        (
            "own",
            0,
            "own query behind common ones",
            "The user issues a query of far more users than are needed, and one of their own.",
            crowd,
        )
    ]
    if setting.edge:
        words = list_strings(setting, token, "behind edge", 1)
        kinds.append(
            (
                "edge",
                setting.edge,
                "query on the edge behind common ones",
                "The user issues a query of far more users than are needed, and one on the edge.",
                list_crowd(setting, token, "behind", setting.edge, words, apart=True),
            )
        )
    scenarios = []
    for kind, base, title, about, rows in kinds:
        name = f"behind-{kind}"
        behind = list_strings(setting, token, f"behind {kind}", 1)
        look = make_observation(name, title, behind, base=base, canary=not base)
        issued = [[*first, *then] for first, then in zip(above, behind, strict=True)]
        scenarios.append(
            _build_scenario(name, about, f"{token} {kind}", issued, (look,), crowd=rows)
        )
    return scenarios


def make_phrase(setting: ScenarioConfig, token: str) -> Scenario | None:
    """The user issues a common phrase, all of whose runs of words may be released."""
    size = min(setting.words, MOST_WORDS)
    if setting.popular is None or size < 2:
        return None
    writer = ScenarioWriter(token)
    keys, issued = [], []
    for side, words in zip(setting.sides, list_strings(setting, token, "word", size), strict=True):
        runs = [
            GAP.join(words[first : first + length])
            for length in range(1, size + 1)
            for first in range(size - length + 1)
        ]
        writer.add_crowds(f"phrase {side}", setting.popular, runs)
        keys.append(runs)
        issued.append(runs[-1:])
    look = make_observation("phrase", "runs of words", keys, base=setting.popular)
    about = phrase("The user issues one common phrase of {size} words.", size=size)
    return _build_scenario("phrase", about, token, issued, (look,), crowd=writer.rows)


def shared_crowd(setting: ScenarioConfig, token: str) -> tuple[Row, ...]:
    """The people behind the common queries that many copies of a scenario share."""
    if setting.popular is None:
        return ()
    writer = ScenarioWriter(token)
    for side in setting.sides:
        writer.add_crowd(
            f"common {side}", setting.popular, common_queries(token, "common", side, 1)
        )
        writer.add_crowd(
            f"fallback {side}", setting.popular, _make_fallback_queries(token, side, setting)
        )
    return tuple(writer.rows)


def list_scenarios(setting: ScenarioConfig, token: str) -> list[Scenario]:
    """All scenarios that this setting allows, in the order in which people should read them."""
    made = (
        make_unique_query(setting, token),
        unseen_many(setting, token),
        lift_to_frequency(setting, token),
        make_unique_clicks(setting, token),
        make_regular_user(setting, token),
        make_unique_order(setting, token),
        make_borderline_queries(setting, token),
        make_borderline_queries(setting, token, single=True),
        make_phrase(setting, token),
    )
    return [scenario for scenario in made if scenario is not None] + list_behind(setting, token)


def log_of(rows: Iterable[Row], address: UInt32s | None = None) -> QueryLog:
    """The rows as a log, each with an address if there are any; O(rows)."""
    kept = list(rows)
    return QueryLog.from_columns(  # no `zip`, which keeps the window's thread from its turn
        user=[row[0] for row in kept],
        query=[row[1] for row in kept],
        time=np.fromiter((row[2] for row in kept), np.int64, len(kept)),
        url=[row[3] for row in kept],
        ip=address,
    )


def build_log(scenarios: Sequence[Scenario], present: Bools, extra: Iterable[Row] = ()) -> QueryLog:
    """The log of all `scenarios`, in which user i does what is asked where `present[i]`."""
    return ScenarioLogs(scenarios, extra).build(present)


class ScenarioLogs:
    """Logs of the same scenarios with other users in them: all rows are coded once; O(rows).

    A log is as if it had been coded by itself, so that nothing in it tells of who is not there.
    """

    def __init__(self, scenarios: Sequence[Scenario], extra: Iterable[Row] = ()) -> None:
        # A log must not be empty: without anybody else, one bystander stands in both neighbours.
        rows: list[Row] = [("bystander", "bystander", BEGIN, None), *extra]
        parts = [len(rows)]
        for scenario in scenarios:
            for some in (scenario.crowd, scenario.victim, scenario.instead):
                rows += some
                parts.append(len(some))
        # The address column carries through the sorting which part of which scenario a row is of.
        part = np.repeat(np.arange(len(parts), dtype=np.uint32), parts)
        self._all = log_of(rows, part)
        assert self._all.ip is not None
        self._part = self._all.ip

    @property
    def strings(self) -> Vocabulary:
        """The queries of all of these logs."""
        return self._all.queries

    def build(self, present: Bools) -> QueryLog:
        """The log in which user i does what is asked where `present[i]`; O(rows)."""
        there = np.ones((len(present), 3), dtype=np.bool_)  # crowd, victim, instead
        there[:, 1], there[:, 2] = present, ~present
        kept = self._all.rows(np.concatenate([[True], there.ravel()])[self._part])
        return dataclasses.replace(kept, ip=None, origin=LogOrigin(rows_read=len(kept)))


def make_observation(
    name: str, title: str, keys: Sequence[Sequence[Key]], *, base: int = 0, canary: bool = False
) -> OutputObservation:
    """A look at the strings of one side, or at both of an exchange."""
    mine, *others = keys
    return OutputObservation(
        name, title, tuple(mine), tuple(others[0]) if others else (), base, canary
    )


def common_queries(token: str, name: str, side: str, size: int) -> list[str]:
    """`size` different strings of one side."""
    return [f"{token} {name} {side} {i}" for i in range(size)]


def list_strings(setting: ScenarioConfig, token: str, name: str, size: int) -> list[list[str]]:
    """`size` different strings for each side."""
    return [common_queries(token, name, side, size) for side in setting.sides]


def list_crowd(
    setting: ScenarioConfig,
    token: str,
    name: str,
    users: int,
    words: Sequence[Sequence[str]],
    *,
    apart: bool = False,
) -> list[Row]:
    """`users` people who issue all `words` of a side; `apart`: as many for each word."""
    writer = ScenarioWriter(token)
    add = writer.add_crowds if apart else writer.add_crowd
    for side, some in zip(setting.sides, words, strict=True):
        add(f"{name} {side}", users, some)
    return writer.rows


def _make_fallback_queries(token: str, side: str, setting: ScenarioConfig) -> list[str]:
    """Different common queries, or one that is issued again and again where that counts."""
    return common_queries(token, "fallback", side, setting.different if setting.once else 1)


def in_numbers(number: int, one: str, many: str = "") -> str:
    """How many there are of something, in words."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _build_scenario(
    name: str,
    about: str,
    token: str,
    asked: Sequence[Sequence[str]],
    looks: tuple[OutputObservation, ...],
    *,
    pages: Sequence[Sequence[str]] | None = None,
    crowd: Sequence[Row] = (),
) -> Scenario:
    """The two sides of what the user does, under one id."""
    clicked = pages or [()] * len(asked)
    done: list[Sequence[Row]] = []
    for queries, urls in zip(asked, clicked, strict=True):
        writer = ScenarioWriter(token)
        writer.add_queries(f"{token} {name} user", queries, urls)
        done.append(writer.rows)
    return scenario_of(name, about, done, looks, crowd=crowd)


def scenario_of(
    name: str,
    about: str,
    done: Sequence[Sequence[Row]],
    looks: tuple[OutputObservation, ...],
    *,
    crowd: Sequence[Row] = (),
) -> Scenario:
    """A scenario of what the user does: of one side, or of both of an exchange."""
    victim, *instead = (tuple(rows) for rows in done)
    return Scenario(name, about, tuple(crowd), victim, instead[0] if instead else (), looks)


FAR = 10
"""So many times what counts is far over a limit, if it is `LEAST` at least."""
LEAST = 100
MOST = 500
NEAR = 4
"""Beyond a limit that is so many times too high the first look sees all there is."""
WEEK_SECONDS = 7 * 86_400
MOST_COMMON = 200
MOST_CROWD_ROWS = 16_000
"""Rows that the crowd behind the queries, or pages, beyond a limit may take."""


def list_excessive(setting: ScenarioConfig, token: str) -> list[Scenario]:
    """All scenarios beyond the limits that this setting allows."""
    made = (
        unseen_repeated(setting, token),
        unseen_beyond(setting, token),
        unseen_days(setting, token),
        pages_beyond(setting, token),
        build_repeated(setting, token),
        queries_beyond(setting, token),
        clicks_beyond(setting, token),
    )
    return [scenario for scenario in made if scenario is not None]


def unseen_repeated(setting: ScenarioConfig, token: str) -> Scenario:
    """They issue a query of their own again and again: users are to be counted, not events."""
    often = _choose_excess(setting.queries)
    words = [f"{token} insisted {side}" for side in setting.sides]
    look = make_observation(
        "unseen-repeated", "unseen query, repeated", [[w] for w in words], canary=True
    )
    about = phrase("They issue one query that nobody else issued, {often:,} times.", often=often)
    rows = [_repeat_words(f"{token} insists", [word], often) for word in words]
    return scenario_of("unseen-repeated", about, rows, (look,))


def unseen_beyond(setting: ScenarioConfig, token: str) -> Scenario:
    """They issue many queries of their own, far more than count."""
    size = _choose_excess(setting.queries)
    words = list_strings(setting, token, "rare beyond", size)
    look = make_observation("unseen-beyond", "unseen queries beyond the limit", words, canary=True)
    about = catalogue.say("unseen_beyond", size=size, queries=setting.queries)
    rows = [_once_each(f"{token} beyond", some) for some in words]
    return scenario_of("unseen-beyond", about, rows, (look,))


def unseen_days(setting: ScenarioConfig, token: str) -> Scenario | None:
    """They issue a query of their own each week, in far more weeks than count."""
    if setting.days is None:
        return None
    size = _choose_excess(setting.days)
    words = list_strings(setting, token, "rare week", size)
    look = make_observation(
        "unseen-days", "unseen queries beyond the limit of days", words, canary=True
    )
    about = catalogue.say("unseen_days", size=size, days=setting.days)
    rows = [
        [(f"{token} weekly", word, BEGIN + i * WEEK_SECONDS, None) for i, word in enumerate(some)]
        for some in words
    ]
    return scenario_of("unseen-days", about, rows, (look,))


def pages_beyond(setting: ScenarioConfig, token: str) -> Scenario | None:
    """They click many pages that nobody else clicked, far more than count, of a common query."""
    if setting.popular is None or not setting.has_clicks:
        return None
    size = _choose_excess(setting.clicks)
    writer = ScenarioWriter(token)
    pairs, rows = [], []
    for side in setting.sides:
        (word,) = common_queries(token, "pages beyond", side, 1)
        writer.add_crowd(f"pages beyond {side}", setting.popular, [word])
        urls = [f"http://{token}.{side}.example/beyond/{i}" for i in range(size)]
        pairs.append([(word, url) for url in urls])
        rows.append(_click_each(f"{token} clicks", word, urls))
    look = make_observation("pages-beyond", "own pages beyond the limit", pairs, canary=True)
    about = catalogue.say("pages_beyond", size=size, clicks=setting.clicks)
    return scenario_of("pages-beyond", about, rows, (look,), crowd=writer.rows)


def build_repeated(setting: ScenarioConfig, token: str) -> Scenario | None:
    """They issue two common queries in turn, and click a common page each time, far too often."""
    if setting.popular is None:
        return None
    often, both = _choose_excess(setting.queries), setting.queries >= 2
    writer = ScenarioWriter(token)
    words, pages, steps, rows = [], [], [], []
    for side in setting.sides:
        two = common_queries(token, "again", side, 2 if both else 1)
        urls = [f"http://{token}.{side}.example/again"] if setting.has_clicks else []
        writer.add_crowd(f"again {side}", setting.popular, two, *urls)
        words.append(two)
        pages.append([(two[0], url) for url in urls])
        steps.append(list(itertools.pairwise(two)))
        rows.append(_repeat_words(f"{token} again", two, often, urls[0] if urls else None))
    base = setting.popular
    looks = [make_observation("repeated", "common query, repeated", words, base=base)]
    if setting.has_clicks:
        looks.append(make_observation("repeated-clicks", "common page, repeated", pages, base=base))
    if setting.has_transitions and both:
        looks.append(make_observation("repeated-order", "transition, repeated", steps, base=base))
    about = catalogue.say(
        "repeated",
        words=as_phrase(in_numbers(len(words[0]), "common query", "common queries")),
        often=often,
    )
    return scenario_of("repeated", about, rows, tuple(looks), crowd=writer.rows)


def queries_beyond(setting: ScenarioConfig, token: str) -> Scenario | None:
    """They issue far more common queries than count, in an order that nobody else had."""
    size = _common_size(setting, setting.queries)
    if not size or setting.popular is None:
        return None
    writer = ScenarioWriter(token)
    words = list_strings(setting, token, "much", size)
    for side, some in zip(setting.sides, words, strict=True):
        for number, block in enumerate(_split_blocks(some, setting.queries)):
            writer.add_crowd(f"much {side} {number}", setting.popular, block[::-1])
    near = NEAR * setting.queries
    looks = _first_and_all(
        "queries-beyond", "common queries beyond the limit", words, near, setting
    )
    if setting.has_transitions:
        pairs = [list(itertools.pairwise(some)) for some in words]
        title = "transitions beyond the limit"
        look = make_observation("order-beyond", title, pairs, canary=setting.occurred)
        looks.append(look)
    about = catalogue.say("queries_beyond", size=size, queries=setting.queries)
    rows = [_once_each(f"{token} much", some) for some in words]
    return scenario_of("queries-beyond", about, rows, tuple(looks), crowd=writer.rows)


def clicks_beyond(setting: ScenarioConfig, token: str) -> Scenario | None:
    """They click far more common pages than count, of one common query."""
    size = _common_size(setting, setting.clicks) if setting.has_clicks else 0
    if not size or setting.popular is None:
        return None
    writer = ScenarioWriter(token)
    pairs, rows = [], []
    for side in setting.sides:
        (word,) = common_queries(token, "pages", side, 1)
        urls = [f"http://{token}.{side}.example/much/{i}" for i in range(size)]
        for number, block in enumerate(_split_blocks(urls, setting.clicks)):
            writer.add_crowd(f"pages {side} {number}", setting.popular, [word], *block)
        pairs.append([(word, url) for url in urls])
        rows.append(_click_each(f"{token} pages", word, urls))
    near = NEAR * setting.clicks
    looks = _first_and_all("clicks-beyond", "common pages beyond the limit", pairs, near, setting)
    about = catalogue.say("clicks_beyond", size=size, clicks=setting.clicks)
    return scenario_of("clicks-beyond", about, rows, tuple(looks), crowd=writer.rows)


def list_lone_users(setting: ScenarioConfig, token: str) -> list[Scenario]:
    """They issue the one common query of a log in which nothing else stands.

    Where users are sampled, there are so many of them that their share is rounded up with them.
    """
    if setting.popular is None:
        return []
    size = setting.popular
    if setting.share is not None and not setting.exchange:
        size = _rounded_up(setting.popular, setting.share)
    words = list_strings(setting, token, "alone", 1)
    crowd = list_crowd(setting, token, "alone", size, words)
    look = make_observation("alone", "one common query by itself", words, base=size)
    about = phrase("They issue the one common query of a log of {size:,} users.", size=size)
    rows = [_once_each(f"{token} alone", some) for some in words]
    return [scenario_of("alone", about, rows, (look,), crowd=crowd)]


def left_out(setting: ScenarioConfig) -> list[str]:
    """What could not be tried beyond the limits, and why."""
    found: list[str] = []
    if setting.popular is None:
        return found
    if not _common_size(setting, setting.queries):
        found.append("queries")
    if setting.has_clicks and not _common_size(setting, setting.clicks):
        found.append("clicks")
    return [
        catalogue.say("too_large_crowd", what=as_phrase(what), most_crowd_rows=MOST_CROWD_ROWS)
        for what in found
    ]


def _rounded_up(least: int, share: float) -> int:
    """A crowd of `least` or more of which, with the bystander, one user more is one more sampled.

    That is so of samples whose size is fixed by rounding; coins know no such number.
    """
    size = least
    while round((size + 2) * share) == round((size + 1) * share):
        size += 1
    return size


def _choose_excess(limit: int) -> int:
    return min(max(FAR * limit, LEAST), max(MOST, 2 * limit))


def _common_size(setting: ScenarioConfig, limit: int) -> int:
    """How many common queries or pages can be tried beyond a limit; 0 if not twice as many."""
    crowd = max(setting.popular or 1, 1) * len(setting.sides)
    size = min(max(FAR * limit, LEAST), MOST_COMMON, MOST_CROWD_ROWS // crowd)
    return size if size >= 2 * limit else 0


def _first_and_all(
    name: str, title: str, keys: Sequence[Sequence[Key]], near: int, setting: ScenarioConfig
) -> list[OutputObservation]:
    base = setting.popular or 0
    looks = [make_observation(name, title, keys, base=base)]
    if near < len(keys[0]):
        first = [side[:near] for side in keys]
        shorter = phrase("{title}, the first {near:,}", title=as_phrase(title), near=near)
        looks.insert(0, make_observation(f"{name}-first", shorter, first, base=base))
    return looks


def _split_blocks(items: Sequence[str], size: int) -> list[Sequence[str]]:
    return [items[at : at + size] for at in range(0, len(items), size)]


def _once_each(user: str, words: Sequence[str]) -> list[Row]:
    return [(user, word, moment, None) for word, moment in _timed(words)]


def _click_each(user: str, word: str, pages: Sequence[str]) -> list[Row]:
    return [(user, word, moment, page) for page, moment in _timed(pages)]


def _repeat_words(
    user: str, words: Sequence[str], often: int, page: str | None = None
) -> list[Row]:
    """`words` in turn, `often` times in all; the page is clicked on the first of them."""
    first = words[0]
    turns = [words[place % len(words)] for place in range(often)]
    return [(user, word, moment, page if word == first else None) for word, moment in _timed(turns)]


def _timed(items: Sequence[str]) -> list[tuple[str, int]]:
    """Each with a moment of one day: an excess within one period, whatever is protected."""
    return list(zip(items, moments(len(items)), strict=True))
