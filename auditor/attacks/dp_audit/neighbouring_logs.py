"""Small logs that differ by one user, made so that this user's presence shows where it can.

Every scenario is a pair of neighbouring logs: a crowd that stands in both, and one user who is in
the first alone (or, for guarantees of exchange, does the one thing here and the mirrored thing
there). Strings that only they use carry a random token: no mechanism that didn't read their rows
could guess them, so an output that holds one is impossible without them.

All scenarios of a group share one log, each with its own strings and people, and each user has a
coin of their own: whatever the other coins show, their two sides are neighbours, and a mixture of
neighbours is held to the same (ε, δ). So one run of the method is a trial of every scenario.

Nothing here comes from anybody's log. Cost: O(rows written).
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from auditor.arrays import Bools, UInt32s
from auditor.attacks.planted_words import GAP
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import LogOrigin, QueryLog
from auditor.messages import phrase

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


def list_sides(setting: ScenarioConfig) -> tuple[str, ...]:
    """The two sides of an exchange, or the one that a user is left out of."""
    return ("a", "b") if setting.exchange else ("a",)


def make_unique_query(setting: ScenarioConfig, token: str) -> Scenario:
    """One user issues a query that nobody else issued, as often as counts."""
    times = 1 if setting.once else min(setting.queries, MOST_REPEATED)
    words = [f"{token} unseen {side}" for side in list_sides(setting)]
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
    words = [[f"{token} rare {side} {i}" for i in range(size)] for side in list_sides(setting)]
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
    words = [[f"{token} lifted {side} {i}" for i in range(size)] for side in list_sides(setting)]
    common = [
        _make_fallback_queries(shared or token, side, setting) for side in list_sides(setting)
    ]
    for side, rare, then in zip(list_sides(setting), words, common, strict=True):
        after = then[:most] if setting.once else then * times
        writer.add_crowd(phrase("friend {side}", side=side), setting.tau - 1, [*rare, *after])
        if not shared:
            writer.add_crowd(phrase("crowd {side}", side=side), setting.popular, then)
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
    for side in list_sides(setting):
        asked = common_queries(shared or token, "common", side, 1)
        if not shared:
            writer.add_crowd(phrase("page {side}", side=side), setting.popular, asked)
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
    for side in list_sides(setting):
        common = common_queries(token, "common", side, size)
        urls = [f"http://{token}.{side}.example/common/{i}" for i in range(kinds)]
        writer.add_crowd(phrase("regular {side}", side=side), setting.popular, common[:1], *urls)
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
    writer = ScenarioWriter(token)
    words = [[f"{token} step {side} {i}" for i in range(size)] for side in list_sides(setting)]
    for side, steps in zip(list_sides(setting), words, strict=True):
        writer.add_crowd(phrase("follow {side}", side=side), setting.popular, steps[::-1])
    pairs = [list(itertools.pairwise(steps)) for steps in words]
    # All queries are common. But where only pairs that occurred are released, theirs prove them.
    look = make_observation("order", "new order of queries", pairs, canary=setting.occurred)
    about = catalogue.say("order", size=size)
    return _build_scenario("follow", about, token, words, (look,), crowd=writer.rows)


def make_borderline_queries(setting: ScenarioConfig, token: str) -> Scenario | None:
    "The user issues queries that are released about every other time."
    if not setting.edge:
        return None
    writer = ScenarioWriter(token)
    words, asked = [], []
    for side in list_sides(setting):
        some = common_queries(token, "edge", side, setting.different if setting.once else 1)
        writer.add_crowds(f"edge {side}", setting.edge, some)
        words.append(some)
        asked.append(some if setting.once else some * min(setting.queries, MOST_REPEATED))
    look = make_observation("edge", "queries on the edge", words, base=setting.edge)
    about = "The user issues queries that are released about every other time."
    return _build_scenario("edge", about, token, asked, (look,), crowd=writer.rows)


def make_single_query(setting: ScenarioConfig, token: str) -> Scenario | None:
    """The user issues one query alone, with all their weight, that is released every other time."""
    if not setting.edge:
        return None
    writer = ScenarioWriter(token)
    words = [common_queries(token, "single", side, 1) for side in list_sides(setting)]
    for side, some in zip(list_sides(setting), words, strict=True):
        writer.add_crowds(f"single {side}", setting.edge, some)
    look = make_observation("single", "single query on the edge", words, base=setting.edge)
    about = "The user issues a single query, one that is released about every other time."
    return _build_scenario("single", about, token, words, (look,), crowd=writer.rows)


def list_behind(setting: ScenarioConfig, token: str) -> list[Scenario]:
    """Users whose other queries stand behind common ones of far more users than are needed.

    What a method takes from such queries and gives to others shows where the user has a query of
    their own, and where they have one on the edge.
    """
    if setting.popular is None or setting.queries < 2:
        return []
    writer = ScenarioWriter(token)
    above = [common_queries(token, "above", side, 1) for side in list_sides(setting)]
    for side, some in zip(list_sides(setting), above, strict=True):
        writer.add_crowds(f"above {side}", FAR_ABOVE * setting.popular, some)
    crowds: list[tuple[str, int, Sequence[Row]]] = [("own", 0, writer.rows)]
    if setting.edge:
        writer = ScenarioWriter(token)
        for side in list_sides(setting):
            words = common_queries(token, "behind edge", side, 1)
            writer.add_crowds(f"behind {side}", setting.edge, words)
        crowds.append(("edge", setting.edge, writer.rows))
    scenarios = []
    for kind, base, crowd in crowds:
        behind = [common_queries(token, f"behind {kind}", s, 1) for s in list_sides(setting)]
        title = (
            "own query behind common ones" if not base else "query on the edge behind common ones"
        )
        look = make_observation(f"behind-{kind}", title, behind, base=base, canary=not base)
        about = (
            "The user issues a query of far more users than are needed, and one on the edge."
            if base
            else "The user issues a query of far more users than are needed, and one of their own."
        )
        issued = [[*first, *then] for first, then in zip(above, behind, strict=True)]
        name = f"behind-{kind}"
        scenarios.append(
            _build_scenario(name, about, f"{token} {kind}", issued, (look,), crowd=crowd)
        )
    return scenarios


def make_phrase(setting: ScenarioConfig, token: str) -> Scenario | None:
    """The user issues a common phrase, all of whose runs of words may be released."""
    size = min(setting.words, MOST_WORDS)
    if setting.popular is None or size < 2:
        return None
    writer = ScenarioWriter(token)
    keys, issued = [], []
    for side in list_sides(setting):
        words = [f"{token} word {side} {place}" for place in range(size)]
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
    for side in list_sides(setting):
        writer.add_crowd(
            phrase("common {side}", side=side),
            setting.popular,
            common_queries(token, "common", side, 1),
        )
        writer.add_crowd(
            phrase("fallback {side}", side=side),
            setting.popular,
            _make_fallback_queries(token, side, setting),
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
        make_single_query(setting, token),
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
