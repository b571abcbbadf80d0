"""Scenarios of users far over each limit, and of one common query by itself.

A method that limits users is only as private as its limits: whoever does more than counts must
show no more than the limit. So here users do far more than counts, of each kind: different
queries, repetitions of one query, clicked pages, and transitions. What they add is looked for in
the first ones beyond the limit, which a limit somewhat too high lets through, and in all of them.

One common query by itself, in a log with nothing else, shows what the other scenarios' coins would
hide: noise that is drawn from the same seed again, and users who displace each other.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from auditor.attacks.dp_audit.neighbouring_logs import (
    BEGIN,
    Key,
    OutputObservation,
    Row,
    Scenario,
    ScenarioConfig,
    ScenarioWriter,
    common_queries,
    in_numbers,
    list_sides,
    make_observation,
    moments,
    scenario_of,
)
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.messages import as_phrase, phrase

catalogue = MetricCatalogue("attacks", "dp_audit")

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
    words = [f"{token} insisted {side}" for side in list_sides(setting)]
    look = make_observation(
        "unseen-repeated", "unseen query, repeated", [[w] for w in words], canary=True
    )
    about = phrase("They issue one query that nobody else issued, {often:,} times.", often=often)
    rows = [_repeat_words(f"{token} insists", [word], often) for word in words]
    return scenario_of("unseen-repeated", about, rows, (look,))


def unseen_beyond(setting: ScenarioConfig, token: str) -> Scenario:
    """They issue many queries of their own, far more than count."""
    size = _choose_excess(setting.queries)
    words = [common_queries(token, "rare beyond", side, size) for side in list_sides(setting)]
    look = make_observation("unseen-beyond", "unseen queries beyond the limit", words, canary=True)
    about = catalogue.say("unseen_beyond", size=size, queries=setting.queries)
    rows = [_once_each(f"{token} beyond", some) for some in words]
    return scenario_of("unseen-beyond", about, rows, (look,))


def unseen_days(setting: ScenarioConfig, token: str) -> Scenario | None:
    """They issue a query of their own each week, in far more weeks than count."""
    if setting.days is None:
        return None
    size = _choose_excess(setting.days)
    words = [common_queries(token, "rare week", side, size) for side in list_sides(setting)]
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
    for side in list_sides(setting):
        (word,) = common_queries(token, "pages beyond", side, 1)
        writer.add_crowd(phrase("pages beyond {side}", side=side), setting.popular, [word])
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
    for side in list_sides(setting):
        two = common_queries(token, "again", side, 2 if both else 1)
        urls = [f"http://{token}.{side}.example/again"] if setting.has_clicks else []
        writer.add_crowd(phrase("again {side}", side=side), setting.popular, two, *urls)
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
    words = [common_queries(token, "much", side, size) for side in list_sides(setting)]
    for side, some in zip(list_sides(setting), words, strict=True):
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
    for side in list_sides(setting):
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
    writer = ScenarioWriter(token)
    size = setting.popular
    if setting.share is not None and not setting.exchange:
        size = _rounded_up(setting.popular, setting.share)
    words = [common_queries(token, "alone", side, 1) for side in list_sides(setting)]
    for side, some in zip(list_sides(setting), words, strict=True):
        writer.add_crowd(phrase("alone {side}", side=side), size, some)
    look = make_observation("alone", "one common query by itself", words, base=size)
    about = phrase("They issue the one common query of a log of {size:,} users.", size=size)
    rows = [_once_each(f"{token} alone", some) for some in words]
    made = scenario_of("alone", about, rows, (look,), crowd=writer.rows)
    return [made]


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
    crowd = max(setting.popular or 1, 1) * len(list_sides(setting))
    size = min(max(FAR * limit, LEAST), MOST_COMMON, MOST_CROWD_ROWS // crowd)
    return size if size >= 2 * limit else 0


def _first_and_all(
    name: str, title: str, keys: Sequence[Sequence[Key]], near: int, setting: ScenarioConfig
) -> list[OutputObservation]:
    base = setting.popular or 0
    looks = [make_observation(name, title, keys, base=base)]
    if near < len(keys[0]):
        first = [side[:near] for side in keys]
        looks.insert(
            0,
            make_observation(
                f"{name}-first",
                phrase("{title}, the first {near:,}", title=as_phrase(title), near=near),
                first,
                base=base,
            ),
        )
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
