"""Small logs that differ by one user, made so that her presence shows where it can.

Every scenario is a pair of neighbouring logs: a crowd that stands in both, and one user who is in
the first alone (or, for guarantees of exchange, does the one thing here and the mirrored thing
there). Strings that only she uses carry a random token: no mechanism that didn't read her rows
could guess them, so an output that holds one is impossible without her.

All scenarios of a `Stage` share one log, each with its own strings and people, and each user has a
coin of her own: whatever the other coins show, her two sides are neighbours, and a mixture of
neighbours is held to the same (ε, δ). So one run of the method is a trial of every scenario.

Nothing here comes from anybody's log. Cost: O(rows written).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from auditor.log.model import NONE, QueryLog
from auditor.privacy.release import Anonymized, Tables

Kind = Literal["query", "click", "transition"]
Key = str | tuple[str, str]
Row = tuple[str, str, int, str | None]
"""User, query, time, clicked page."""

WIDE = 50
"""So many different strings of a user are enough: more of them cost time and show little more."""
MOST_REPEATED = 1_000
MOST_TAU = 2_000
MOST_ROWS = 20_000
"""Rows that one crowd may take."""
_BEGIN, _STEP = 1_000_000_000, 600


@dataclass(frozen=True, kw_only=True)
class Setting:
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

    @property
    def different(self) -> int:
        """Different common queries that a crowd can ask without becoming too long."""
        return max(1, min(self.queries, WIDE, MOST_ROWS // max(self.popular or 1, self.edge or 1)))


@dataclass(frozen=True, eq=False)
class Look:
    """Where in the output to look: which strings, and what their presence means.

    `canary` says that `mine` are strings that only the user used. `others` are the mirrored
    strings of an exchange, empty otherwise.
    """

    name: str
    title: str
    kind: Kind
    mine: tuple[Key, ...]
    others: tuple[Key, ...] = ()
    canary: bool = False


@dataclass(frozen=True, eq=False)
class Scenario:
    """A pair of neighbours: `crowd` in both, `victim` in the one, `instead` in the other."""

    name: str
    about: str
    crowd: tuple[Row, ...]
    victim: tuple[Row, ...]
    instead: tuple[Row, ...]
    looks: tuple[Look, ...]


@dataclass(eq=False)
class Writer:
    """Collects rows of people with a clock each."""

    token: str
    rows: list[Row] = field(default_factory=list)

    def ask(self, user: str, queries: Iterable[str], pages: Sequence[str] = ()) -> None:
        """One event a query, in order; the first one with a click on each of `pages`."""
        now = _BEGIN
        for number, query in enumerate(queries):
            clicked: Sequence[str | None] = pages if pages and number == 0 else (None,)
            self.rows += [(user, query, now, page) for page in clicked]
            now += _STEP

    def crowd(self, name: str, users: int, queries: Sequence[str], *pages: str) -> None:
        """`users` people who ask all of `queries`, and click `pages` on the first."""
        for number in range(users):
            self.ask(f"{self.token} {name} {number}", queries, pages)


def sides(setting: Setting) -> tuple[str, ...]:
    """The two sides of an exchange, or the one that a user is left out of."""
    return ("a", "b") if setting.exchange else ("a",)


def unseen(setting: Setting, token: str) -> Scenario:
    """She asks one query that nobody else asked, as often as counts."""
    times = 1 if setting.once else min(setting.queries, MOST_REPEATED)
    words = [f"{token} unseen {side}" for side in sides(setting)]
    look = _look("unseen", "a query nobody else asked", "query", [[w] for w in words], canary=True)
    about = "She asks one query that nobody else asked"
    about += f", {times:,} times." if times > 1 else "."
    return _scenario("unseen", about, setting, token, [[word] * times for word in words], (look,))


def unseen_many(setting: Setting, token: str) -> Scenario | None:
    """She asks many queries that nobody else asked, once each."""
    size = min(setting.queries, WIDE)
    if size < 2:
        return None
    words = [[f"{token} rare {side} {i}" for i in range(size)] for side in sides(setting)]
    title = f"{size} queries nobody else asked"
    look = _look("unseen-many", title, "query", words, canary=True)
    about = f"She asks {size} queries that nobody else asked, once each."
    return _scenario("unseen-many", about, setting, token, words, (look,))


def lift(setting: Setting, token: str, *, shared: str = "") -> Scenario | None:
    """She lifts queries from τ − 1 to τ, and so changes what their other askers contribute.

    Each of τ − 1 friends asks the queries first, then common ones: those count only where the
    rare ones are dropped. With `shared` the common ones have a crowd elsewhere already.
    """
    if not 1 < setting.tau <= MOST_TAU or setting.popular is None:
        return None
    size = setting.different
    writer = Writer(token)
    words = [[f"{token} lifted {side} {i}" for i in range(size)] for side in sides(setting)]
    common = [_common(shared or token, "fallback", side, size, setting) for side in sides(setting)]
    for side, rare, then in zip(sides(setting), words, common, strict=True):
        after = then if setting.once else then * min(setting.queries, MOST_REPEATED)
        writer.crowd(f"friend {side}", setting.tau - 1, [*rare, *after])
        if not shared:
            writer.crowd(f"crowd {side}", setting.popular, then)
    looks = [_look("lifted", "a query she lifts to τ", "query", words)]
    if not shared:
        looks.append(_look("fallback", "what others then add to", "query", common))
    about = (
        f"She asks {size} {'query' if size == 1 else 'queries'} that τ − 1 = {setting.tau - 1:,} "
        "others asked, too: with her they reach τ, and take the place of those people's later "
        "queries."
    )
    return _scenario("lift", about, setting, token, words, tuple(looks), crowd=writer.rows)


def regular(setting: Setting, token: str, *, shared: str = "") -> Scenario | None:
    """She asks common queries, and clicks pages that nobody else clicked."""
    if setting.popular is None:
        return None
    writer = Writer(token)
    pages = min(setting.clicks, setting.queries, WIDE) if setting.has_clicks else 0
    common, clicked, asked = [], [], []
    for side in sides(setting):
        words = _common(shared or token, "common", side, setting.different, setting)
        urls = [f"http://{token}.{side}.example/{i}" for i in range(pages)]
        common.append(words)
        clicked.append(urls)
        asked.append(words if setting.once else words * min(setting.queries, MOST_REPEATED))
        if not shared:
            writer.crowd(f"regular {side}", setting.popular, words)
    looks = []
    if not shared:
        looks.append(_look("common", "how often common queries were asked", "query", common))
    if pages:
        pairs = [
            [(words[0], url) for url in urls] for words, urls in zip(common, clicked, strict=True)
        ]
        looks.append(_look("page", "a page nobody else clicked", "click", pairs, canary=True))
    if not looks:
        return None
    about = "She asks what many ask" + (
        f", and clicks {pages} {'page' if pages == 1 else 'pages'} that nobody else clicked."
        if pages
        else "."
    )
    return _scenario(
        "regular", about, setting, token, asked, tuple(looks), pages=clicked, crowd=writer.rows
    )


def click(setting: Setting, token: str) -> Scenario | None:
    """She clicks common pages of a common query, as many as count."""
    if setting.popular is None or not setting.has_clicks:
        return None
    writer = Writer(token)
    size = min(setting.clicks, setting.queries, setting.different) if setting.once else 1
    again = 1 if setting.once else min(setting.clicks, setting.queries, MOST_REPEATED)
    words, pairs, clicked = [], [], []
    for side in sides(setting):
        word = f"{token} clicked {side}"
        pages = [f"http://{token}.{side}.example/common/{i}" for i in range(size)]
        writer.crowd(f"click {side}", setting.popular, [word], *pages)
        words.append([word])
        pairs.append([(word, page) for page in pages])
        clicked.append(pages * again)
    look = _look("clicks", "how often common pages were clicked", "click", pairs)
    about = f"She clicks {size * again} times on common pages of a common query."
    return _scenario(
        "click", about, setting, token, words, (look,), pages=clicked, crowd=writer.rows
    )


def follow(setting: Setting, token: str) -> Scenario | None:
    """She asks common queries in an order that nobody else had; the crowd has the reverse."""
    if setting.popular is None or not setting.has_transitions or setting.queries < 2:
        return None
    size = max(2, setting.different)
    writer = Writer(token)
    words = [[f"{token} step {side} {i}" for i in range(size)] for side in sides(setting)]
    for side, steps in zip(sides(setting), words, strict=True):
        writer.crowd(f"follow {side}", setting.popular, steps[::-1])
    pairs = [list(itertools.pairwise(steps)) for steps in words]
    look = _look("order", "common queries in an order nobody else had", "transition", pairs)
    about = f"She asks {size} common queries in an order that nobody else had."
    return _scenario("follow", about, setting, token, words, (look,), crowd=writer.rows)


def edge(setting: Setting, token: str) -> Scenario | None:
    """She asks queries that are released about every other time."""
    if not setting.edge:
        return None
    writer = Writer(token)
    words, asked = [], []
    for side in sides(setting):
        some = _common(token, "edge", side, setting.different, setting)
        writer.crowd(f"edge {side}", setting.edge, some)
        words.append(some)
        asked.append(some if setting.once else some * min(setting.queries, MOST_REPEATED))
    look = _look("edge", "queries that only just come out", "query", words)
    about = "She asks queries that are released about every other time."
    return _scenario("edge", about, setting, token, asked, (look,), crowd=writer.rows)


def shared_crowd(setting: Setting, token: str) -> tuple[Row, ...]:
    """The people behind the common queries that many copies of a scenario share."""
    if setting.popular is None:
        return ()
    writer = Writer(token)
    for side in sides(setting):
        for name in ("common", "fallback"):
            words = _common(token, name, side, setting.different, setting)
            writer.crowd(f"{name} {side}", setting.popular, words)
    return tuple(writer.rows)


def every(setting: Setting, token: str) -> list[Scenario]:
    """All scenarios that this setting allows, in the order in which people should read them."""
    made = (
        unseen(setting, token),
        unseen_many(setting, token),
        lift(setting, token),
        regular(setting, token),
        click(setting, token),
        follow(setting, token),
        edge(setting, token),
    )
    return [scenario for scenario in made if scenario is not None]


def log_of(rows: Iterable[Row]) -> QueryLog:
    """The rows as a log; O(rows)."""
    user, query, time, url = zip(*rows, strict=True)
    return QueryLog.from_columns(user=user, query=query, time=np.array(time, np.int64), url=url)


def stage(
    scenarios: Sequence[Scenario], present: NDArray[np.bool_], extra: Iterable[Row] = ()
) -> QueryLog:
    """The log of all `scenarios`, in which user i does what is asked where `present[i]`."""
    rows = list(extra)
    for scenario, there in zip(scenarios, present, strict=True):
        rows += scenario.crowd
        rows += scenario.victim if there else scenario.instead
    # A log must not be empty: without anybody else, one bystander stands in both neighbours.
    return log_of([("bystander", "bystander", _BEGIN, None), *rows])


class Reading:
    """What an output says of each string; O(size of the output) once."""

    def __init__(self, content: QueryLog | Tables) -> None:
        tables = content if isinstance(content, Tables) else _tables_of(content)
        queries, urls = tables.queries.strings(), tables.urls.strings()
        self._found: Mapping[Kind, Mapping[Key, int]] = {
            "query": dict(zip(queries, tables.query_count.tolist(), strict=True)),
            "click": _pairs(
                queries, tables.click_query, urls, tables.click_url, tables.click_count
            ),
            "transition": _pairs(
                queries, tables.from_query, queries, tables.to_query, tables.transition_count
            ),
        }

    def of(self, look: Look) -> tuple[float, float]:
        """How many of the look's strings are there, and what they count together."""
        found = self._found[look.kind]
        mine = [found[key] for key in look.mine if key in found]
        others = [found[key] for key in look.others if key in found]
        return float(len(mine) - len(others)), float(sum(mine) - sum(others))


def limits_of(params: Mapping[str, Any]) -> tuple[int, int, int, bool]:
    """(queries, clicks, τ, once) of a method by the names that its parameters have."""
    queries = int(params.get("q_f", params.get("m", 10)))
    once = params.get("mode") == "strict" or params.get("unit", "users") == "users"
    tau = int(params.get("tau", 1)) if params.get("mode") != "strict" else 1
    return queries, int(params.get("c_f", queries)), tau, once


def has_tables(release: Anonymized) -> tuple[bool, bool]:
    """Whether clicks and transitions stand in the release."""
    if release.tables is not None:
        return release.tables.has_clicks, release.tables.has_transitions
    return True, False


def _look(
    name: str, title: str, kind: Kind, keys: Sequence[Sequence[Key]], *, canary: bool = False
) -> Look:
    """A look at the strings of one side, or at both of an exchange."""
    mine, *others = keys
    return Look(name, title, kind, tuple(mine), tuple(others[0]) if others else (), canary)


def _common(token: str, name: str, side: str, size: int, setting: Setting) -> list[str]:
    """Different common queries, or one that is asked again and again where that counts."""
    return [f"{token} {name} {side} {i}" for i in range(size if setting.once else 1)]


def _scenario(
    name: str,
    about: str,
    setting: Setting,
    token: str,
    asked: Sequence[Sequence[str]],
    looks: tuple[Look, ...],
    *,
    pages: Sequence[Sequence[str]] | None = None,
    crowd: Sequence[Row] = (),
) -> Scenario:
    """The two sides of what she does, under one id."""
    clicked = pages or [()] * len(asked)
    done: list[tuple[Row, ...]] = []
    for queries, urls in zip(asked, clicked, strict=True):
        writer = Writer(token)
        writer.ask(f"{token} {name} she", queries, urls)
        done.append(tuple(writer.rows))
    return Scenario(name, about, tuple(crowd), done[0], done[1] if setting.exchange else (), looks)


def _pairs(
    first: Sequence[str],
    at: NDArray[np.int32],
    second: Sequence[str],
    then: NDArray[np.int32],
    count: NDArray[np.int64],
) -> dict[Key, int]:
    return {
        (first[i], second[j]): n
        for i, j, n in zip(at.tolist(), then.tolist(), count.tolist(), strict=True)
    }


def _tables_of(log: QueryLog) -> Tables:
    """How often each query and each click stands in a released log."""
    clicked = log.url != NONE
    width = max(len(log.urls), 1)
    keys, count = np.unique(
        log.query[clicked].astype(np.int64) * width + log.url[clicked], return_counts=True
    )
    query, url = np.divmod(keys, width)
    return Tables(
        queries=log.queries,
        query_count=np.bincount(log.query, minlength=len(log.queries)).astype(np.int64),
        urls=log.urls,
        click_query=query.astype(np.int32),
        click_url=url.astype(np.int32),
        click_count=count.astype(np.int64),
        has_clicks=True,
    )
