"""A release made on Spark is that of one machine: where nothing is drawn, byte for byte.

What is drawn differs: the order of ids, numbers and keys, and which second of a step a row has.
There all that the chance leaves is compared. With a scale of 0.01 noise is 0 but for a chance of
e^−100; at ε = 100 the truncated noise is 0, too.
"""

import dataclasses
import functools
import itertools
import operator
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from auditor.api.run import anonymize
from auditor.log.model import NONE, QueryLog
from auditor.log.reading.reader import ReadOptions, read_log
from auditor.methods import numbered_sessions
from auditor.methods.n_grams import method as n_grams
from auditor.privacy.release import Tables
from auditor.privacy.release_times import floor_times
from tests.engine.spark.spark_logs import (
    HARDLY_ANY_NOISE,
    HEADING,
    OPTIONS,
    Compare,
    cut_log,
    silence_union,
    write_lines,
)
from tests.log.rows import rows_of
from tests.narrowing import present


def draw_places(draw: random.Random) -> Iterator[str]:
    """Spellings, blank and refused rows, equal seconds with other columns, over five months."""
    for number in range(2500):
        user = "bot" if number % 5 == 0 else f"u{draw.randrange(60)}é"
        query = draw.choice(["Rose", "rose ", "rose  bud", "it's", "hot\\", "hot", "née", "NÉE"])
        query = draw.choice(["", "  ", f"lone {number}"]) if draw.random() < 0.1 else query
        month, day = draw.choice([(1, 1), (3, 31), (4, 1), (5, 2), (5, 3)])
        when = f"2006-{month:02d}-{day:02d} 00:00:{draw.randint(0, 9):02d}"
        click = "\t" if draw.random() < 0.4 else f"{draw.randint(0, 9)}\thttp://{number % 4}.org"
        country, signed = draw.choice(["DE", "FR", ""]), draw.choice(["yes", "TRUE", "0", ""])
        region = draw.choice(["north", "süd", ""])
        yield "\t".join([user, query, when, click, country, signed, region])
        if draw.random() < 0.03:
            yield "a line of another kind"


def draw_months(draw: random.Random) -> Iterator[str]:
    """Names, numbers and pages of persons, over some months, with columns beside."""
    words = ["red", "ox", "weather", "anna", "müller", "Anna Müller", "call 555-123-4567", "Berlin"]
    for number in range(1500):
        user = "half" if number % 2 else f"u{draw.randrange(40)}"
        query = " ".join(draw.choices(words, range(len(words), 0, -1), k=draw.randint(1, 3)))
        query = "hot" if draw.random() < 0.3 else query
        if draw.random() < 0.02:
            query = draw.choice(["  ", f"lone{number}", "mail to anna.weber@gmail.com"])
        month, day, minute = draw.randint(1, 5), draw.randint(1, 3), draw.randint(0, 9)
        when = f"2006-{month:02d}-{day:02d} 00:{minute:02d}:00"
        page = draw.choice(["http://a.org", "http://b.org/?mail=anna.weber@gmail.com"])
        click = f"{draw.randint(1, 9)}\t{page}" if draw.random() < 0.4 else "\t"
        country, signed = draw.choice(["DE", "FR", ""]), ("no", "yes", "")[number % 3]
        yield f"{user}\t{query}\t{when}\t{click}\t{country}\t{signed}"


def draw_days(draw: random.Random) -> Iterator[str]:
    """Some days with pauses within them, equal seconds, blank queries, and a user of most rows."""
    for number in range(900):
        user = "busy" if number % 3 == 0 else f"u{draw.randrange(30)}é"
        words = [f"w{int(draw.expovariate(0.2))}" for _ in range(draw.randint(1, 3))]
        query = draw.choice([" ", "  "]).join(words) if draw.random() < 0.9 else " "
        query = draw.choice(["hot", "warm words", "a\u00a0b"]) if draw.random() < 0.2 else query
        hour, minute = draw.randint(0, 3), draw.randint(0, 9)
        when = f"2006-03-{draw.randint(2, 4):02d} {hour:02d}:{minute:02d}:{draw.randint(0, 9):02d}"
        page = f"http://{draw.randrange(4)}.org/{draw.randrange(5)}"
        click = f"{draw.randint(1, 9)}\t{page}" if draw.random() < 0.4 else "\t"
        yield f"{user}\t{query}\t{when}\t{click}\t10.0.0.{number % 9}\tc{number % 7}"


def draw_phrases(draw: random.Random) -> Iterator[str]:
    """Queries of up to six words, of which short runs repeat."""
    for _ in range(700):
        words = [f"w{int(draw.expovariate(0.6))}é" for _ in range(draw.randint(1, 6))]
        text = draw.choice([" ", "  "]).join(words) if draw.random() < 0.95 else " "
        when = f"2006-03-01 00:00:{draw.randint(10, 59)}"
        yield f"u{draw.randrange(50)}\t{text}\t{when}\t\t"


def draw_own(draw: random.Random) -> Iterator[str]:
    """Each of twenty users repeats a query of their own on another day."""
    for user, day in itertools.product(range(20), (7, 8)):
        yield f"u{user}\tzebra{user}\t2006-03-0{day} 00:00:00\t\t"


LOGS: Mapping[str, tuple[Callable[[random.Random], Iterator[str]], int, str]] = {
    "places": (draw_places, 6, "\tCountry\tSigned\tRegion"),
    "months": (draw_months, 4, "\tCountry\tSigned"),
    "days": (draw_days, 9, "\tIP\tCookie"),
    "phrases": (draw_phrases, 2, ""),
    "own": (draw_own, 1, ""),
}
"""By name, what draws their lines with which seed, and what their heading has besides."""


@pytest.fixture(scope="module")
def file_of(path: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """``file_of(name)``: one of the logs, or the hostile one."""
    folder = tmp_path_factory.mktemp("logs")

    @functools.cache
    def write(name: str) -> Path:
        draw, seed, columns = LOGS[name]
        return write_lines(folder / f"{name}.tsv", HEADING + columns, draw(random.Random(seed)))

    return lambda name: path if name == "hostile" else write(name)


class Case(NamedTuple):
    """A release of a log in so many pieces, some of whose columns are kept beside it."""

    log: str
    method: str
    params: dict[str, Any] = {}
    beside: tuple[str, ...] = ()
    pieces: int = 3


NO_NOISE = dict.fromkeys(("b", "b_c", "b_t"), HARDLY_ANY_NOISE)
ALONE = {"clicks": False, "transitions": False, "b": HARDLY_ANY_NOISE}
DATES = {"epsilon": 100.0, "q_f": 4, "days": 3, "first_day": 20060331}
SELECTION = {"epsilon": 100.0, "q_f": 3}
UNION = {"epsilon": 8.0, "q_f": 6}
SHARE = {"epsilon": 100.0, "share": 0.5, "signal": 1.0}
ALLOW = {"k_entity": 8, "session_queries": 3, "session_gap": 2}
KEEP: dict[str, Any] = {"columns": "keep", "group": 10}
FORBIDDEN = {"forbidden": "mask", "window": 1, "life": 1, "first_day": 20060402}
GERMANY, SIZES = "country\nDE\nIT\n", "country\tusers\nDE\t40\nIT\t9\n"
LAND, PLACE = ("country",), ("country", "region")

TABLES = [
    # as published, and its rare queries
    Case("hostile", "safelog", {"mode": "published", "tau": 4, "K": 5, "q_f": 7, "c_f": 5,
                                "b_q": HARDLY_ANY_NOISE, **NO_NOISE}),
    # with every clicked page
    Case("hostile", "korolova", {"K": 4, "q_f": 5, "c_f": 3, "counting_unit": "rows", "b_q": 0.01,
                                 "clicks": "observed", "b": 0.01, "b_c": 0.01}),
    # a plan alone, of which Spark and working files know nothing: at this ε' its noise is 0
    Case("hostile", "zealous", {"epsilon": 900.0, "delta": 1e-9}),
    Case("hostile", "zealous", {"epsilon": 900.0, "delta": 1e-9, "tau": 3}),
    Case("hostile", "partition-selection", SELECTION | {"k": 4}),
    Case("hostile", "dated-counts", SELECTION | {"q_f": 2, "days": 2, "last_day": 20060302}),
    Case("hostile", "dated-counts", SELECTION | {"step": "week", "protected_unit": "day"}),
    Case("hostile", "set-union", UNION | {"weighting": "screened"}),
    Case("hostile", "set-union", UNION | {"q_f": 4}),
    Case("hostile", "set-union", UNION | {"rounds": 3}),
    Case("hostile", "set-union", UNION | {"weighting": "adaptive", "rounds": 2, "q_f": 5}),
    Case("phrases", "n-grams", {"longest": 2, "q_f": 4, "epsilon": 8.0}, pieces=7),
    Case("phrases", "n-grams", {"longest": 4, "q_f": 9, "epsilon": 20.0}, pieces=7),
    # cells
    Case("places", "trends-index", {"T": 4, "step": "week"}, PLACE),
    Case("places", "trends-index", {"T": 9}, pieces=7),
    Case("places", "popularity-score", {"k": 3}, PLACE, pieces=5),
    Case("places", "popularity-score", pieces=1),
    Case("places", "click-pairs", {"k": 9}, pieces=4),
    Case("places", "click-pairs", {"k": 5, "corpus": "http://1.org\nhttp://2.org\n",
                                   "blocked": "BUD\n"}),
    Case("places", "query-result-threshold",
         {"k_query": 9, "k_cell": 2, "first_day": 20060401, "window": 1}, ("country", "signed_in")),
    Case("places", "query-result-threshold", {"k_query": 12, "k_cell": 4}, pieces=6),
    # counts by group
    Case("places", "dated-counts", DATES | {"group_by": "country"}, PLACE),
    Case("places", "dated-counts", DATES | {"step": "week", "protected_unit": "day",
                                            "group_by": "region"}, ("region",)),
    Case("places", "partition-selection", SELECTION | {"q_f": 5, "k": 4, "group_by": "country"},
         PLACE, 4),
    Case("places", "partition-selection", SELECTION | {"group_by": "device"}),
    Case("places", "partition-selection", SELECTION | {"group_by": "week"}),
    Case("places", "safelog", ALONE | {"q_f": 5, "K": 3, "group_by": "country"}, PLACE),
    Case("places", "safelog", ALONE | {"mode": "published", "tau": 3, "q_f": 7, "K": 4,
                                       "b_q": HARDLY_ANY_NOISE, "group_by": "region"}, PLACE),
    Case("places", "korolova", {"q_f": 5, "K": 4, "b": 0.01, "b_q": 0.01, "counting_unit": "rows",
                                "group_by": "day"}),
    Case("places", "zealous", {"epsilon": 1000.0, "m": 4, "tau": 3, "group_by": "country"}, PLACE),
    Case("places", "set-union", UNION | {"q_f": 4, "group_by": "country"}, PLACE),
    Case("places", "set-union", UNION | {"weighting": "screened", "group_by": "region"}, PLACE),
    # public keys; of the smallest noise, one of few used keys shows any once in 500 runs
    Case("places", "dp-public-key-counts", {"rho": 10.0, "m": 1, "threshold": 1, "days": 2,
                                            "groups": GERMANY}, PLACE),
    Case("places", "dp-relative-index", SHARE | {"m": 1, "first_day": 20060331,
                                                 "groups": GERMANY}, PLACE),
    Case("places", "dp-relative-index", SHARE | {"m": 2, "days": 3, "groups": SIZES}, PLACE),
    Case("places", "dp-relative-index", SHARE | {"groups": GERMANY}, PLACE),  # no bound of a day
]  # fmt: skip
RECORDS = [
    Case("months", "entity-allowlist", {**ALLOW, "times": "exact", "max_words": 3}, LAND),
    Case("months", "day-pseudonyms", {"suppress": "names", "times": "exact"}, LAND),
    Case("months", "day-pseudonyms", {}, LAND),
    Case("months", "day-pseudonyms", {"suppress": "nothing", "times": "week"}, LAND),
    Case("months", "entity-allowlist", {"k_entity": 8}, LAND),
    Case("months", "entity-allowlist", ALLOW | FORBIDDEN, LAND),
    Case("months", "day-pseudonyms", {"times": "week", "cell": 3} | KEEP, LAND),
    Case("months", "entity-allowlist", ALLOW | FORBIDDEN | KEEP, LAND),
    Case("months", "entity-allowlist", ALLOW | KEEP | {"group": 999}, LAND),
    Case("months", "entity-allowlist", {"k_entity": 8} | KEEP, ("country", "signed_in")),
    Case("hostile", "day-pseudonyms", {"times": "exact"}),
    Case("hostile", "entity-allowlist", {"times": "exact", "k_entity": 20}),
    Case("own", "day-pseudonyms", {"times": "week"}),
]
OTHER_LOGS = [
    Case("hostile", "frequency-threshold", {"n": 5, "ids": "keep"}),
    Case("hostile", "frequency-threshold", {"n": 9}),
    *(Case("months", "frequency-threshold",
           {"n": 3, "ids": ids, "columns": "keep", "group": group, "cell": 3}, LAND)
      for ids, group in (("keep", 10), ("drop", 10), ("keep", 99))),
    Case("hostile", "token-hashing", {"urls": "hashed"}),
    Case("days", "numbered-sessions", {"top_queries": 1, "session_gap": 5}),
    Case("days", "numbered-sessions", {"clock": "order", "session_gap": 2}),
    Case("days", "numbered-sessions", {"top_queries": 2, "clock": "kept"}),
    Case("days", "numbered-sessions", {"top_queries": 9_999}),
]  # fmt: skip
LISTS = {"corpus", "blocked", "groups"}
"""Parameters that are files, which stand here as their content."""


@pytest.mark.parametrize(
    "case",
    [
        RECORDS[0],
        *(pytest.param(case, marks=pytest.mark.slow) for case in [*TABLES, *RECORDS[1:]]),
        *(pytest.param(case, marks=pytest.mark.slow) for case in OTHER_LOGS),
    ],
    ids=lambda case: f"{case.log}-{case.method}",
)
def test_that_a_release_is_that_of_one_machine(
    case: Case, file_of: Callable[[str], Path], compare: Compare, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    silence_union(monkeypatch)
    derive = n_grams.derive_noise
    monkeypatch.setattr(
        n_grams,
        "derive_noise",
        lambda params: dataclasses.replace(derive(params), sigma=HARDLY_ANY_NOISE),
    )
    monkeypatch.setattr(numbered_sessions, "draw_factor", lambda *_: 0.4)
    columns = {name: name.title().partition("_")[0] for name in case.beside}
    cut = cut_log(file_of(case.log), dataclasses.replace(OPTIONS, columns=columns), case.pieces)
    splits, log = cut
    assert len(splits.pieces) >= case.pieces
    result, local = compare(case.method, cut, **write_lists(case, tmp_path))
    release = result.result.release
    assert (len(result.log), len(result.log.users)) == (len(log), len(log.users))
    assert dict(result.log.origin.rejected) == dict(log.origin.rejected)
    if local.tables is not None:
        assert len(release.content.queries) == len(local.tables.queries)
        check_tables(case, release.changes, log, local.tables)
    elif case.params.get("top_queries") == 9_999:
        assert release.content.rows == {"log.tsv": 0}
    else:
        CHECKS[case.method](case, present(local.log), tmp_path / "out")


def write_lists(case: Case, folder: Path) -> dict[str, Any]:
    """The parameters of a case, its lists as files."""
    params = dict(case.params)
    for name in LISTS & params.keys():
        params[name] = folder / name
        params[name].write_text(case.params[name], "utf-8")
    if "groups" in params:
        params["items"] = folder / "items"
        params["items"].write_text("query\nRose\nn\u00e9e\nabsent\n", "utf-8")
    return params


def check_tables(case: Case, changes: Mapping[str, int], log: QueryLog, local: Tables) -> None:
    """Something is released, and not everything; that the tables are equal is found before."""
    if case.log == "hostile":
        assert 3 < changes["queries_released"] < len(log.queries)
    if case.log == "phrases":
        assert changes[f"released_of_length_{case.params['longest']}"] > 3
    if "cells_released" in changes:
        has_bound = case.method != "dp-relative-index" or "m" in case.params
        assert bool(changes["cells_released"]) == bool(case.params and has_bound)
        assert changes.get("items_never_counted", 1) == 1
        if "groups" not in case.params:  # public keys are released whether anybody has them or not
            assert changes.get("cells", 10**9) >= changes["cells_released"]
    if "corpus" in case.params:
        assert local.urls.list_strings() == ["http://1.org", "http://2.org"]
        assert "rose bud" not in local.queries.list_strings()
    if group_by := case.params.get("group_by"):
        group = present(present(local.alone).find_key(group_by))
        if group_by in ("day", "week"):
            assert len(group.texts) > 1
        else:  # without the column all rows are one group
            assert len(group.texts) == (2 if case.beside else 0)
            assert (group.codes == NONE).any()


def read_released(folder: Path, local: QueryLog) -> QueryLog:
    """The released log, which has as many rows as the local one and no column more."""
    columns = list(local.attributes)
    path = folder / "log.tsv"
    assert path.read_text("utf-8").split("\n")[0].split("\t")[5:] == columns
    released = read_log(path, ReadOptions(columns={name: name for name in columns}))
    assert 0 < len(released) == len(local)
    assert not released.origin.rejected
    return released


def is_numbered(log: QueryLog, users: int) -> bool:
    """Whether users are called 1, 2, 3 and so on."""
    return sorted(log.users.list_strings(), key=int) == [str(n + 1) for n in range(users)]


def check_records(case: Case, local: QueryLog, folder: Path) -> None:
    """Ids and orders are drawn, and which second of a step a row has."""
    released = read_released(folder, local)
    assert is_numbered(released, len(local.users))
    kept = case.params.get("columns") == "keep" and case.params["group"] < 99
    assert list(local.attributes) == ["country"] * kept
    times = case.params.get("times", "day")
    assert records_of(released, times) == records_of(local, times)


def records_of(log: QueryLog, times: str) -> Counter[Any]:
    """The rows of each id, in order where times are exact; which second a search of a step has,
    of several of the same query, is drawn, but not which seconds there are."""
    beside = [
        [None if code < 0 else column.texts[code] for code in column.codes.tolist()]
        for column in log.attributes.values()
    ]
    steps = floor_times(log.time, times).tolist()
    by_id: dict[str, list[Any]] = {}
    for row, step, *values in zip(rows_of(log), steps, *beside, strict=True):
        user, query, time, url, rank = row
        by_id.setdefault(user, []).append(((step, query, str(url), rank, *map(str, values)), time))
    return Counter(
        (
            tuple(row for row, _ in (rows if times == "exact" else sorted(rows))),
            frozenset((row[1], time) for row, time in rows),
        )
        for rows in by_id.values()
    )


def check_threshold(case: Case, local: QueryLog, folder: Path) -> None:
    """Random numbers are a renaming; that other rows are equal is found before."""
    if "ids" in case.params:
        assert bool(local.attributes) == (case.params.get("group") == 10)
        return
    released = read_released(folder, local)
    assert is_numbered(released, len(local.users))
    assert histories_of(released) == histories_of(local)


def histories_of(log: QueryLog) -> Counter[tuple[Any, ...]]:
    """Everybody's rows without their id."""
    by_user = itertools.groupby(rows_of(log), key=operator.itemgetter(0))
    return Counter(tuple(row[1:] for row in rows) for _, rows in by_user)


def check_hashes(_case: Case, local: QueryLog, folder: Path) -> None:
    """Every run has a key of its own; what no key changes is equal."""
    released = read_released(folder, local)
    assert shape_of(released) == shape_of(local)
    assert not set(released.queries.list_strings()) & set(local.queries.list_strings())
    assert released.users.list_strings() == sorted(released.users.list_strings())


def shape_of(log: QueryLog) -> Any:
    """How often words and pages stand, and how long histories are."""
    words = Counter(word for text in log.queries.list_strings(log.query) for word in text.split())
    pages, sizes = Counter(log.url.tolist()), sorted(np.diff(log.user_starts).tolist())
    return sorted(words.values()), sorted(pages.values()), sizes, sorted(log.time.tolist())


def check_numbers(_case: Case, local: QueryLog, folder: Path) -> None:
    """Numbers stand for words, pages and sites, and each for one alone."""
    released = read_released(folder, local)
    assert is_numbered(released, len(local.users))
    mine, theirs = named_histories(local), named_histories(released)
    assert mine.keys() == theirs.keys()
    assert len(mine) > 20
    renamed = Counter(
        names
        for history, rows in mine.items()
        for pair in zip(rows, theirs[history], strict=True)
        for names in zip(*pair, strict=True)
    )
    for side in zip(*renamed, strict=True):
        assert len(set(side)) == len(renamed), "one name stands for two"
    words = sorted(name for _, name in renamed if name.startswith("t"))
    assert words == sorted(f"t{number}" for number in range(len(words)))
    assert any(old != new for old, new in renamed)


def named_histories(log: QueryLog) -> dict[tuple[Any, ...], list[tuple[str, ...]]]:
    """Words and page of each row, by the times, ranks and lengths of queries of the history."""
    histories = {}
    for _, rows in itertools.groupby(rows_of(log), key=operator.itemgetter(0)):
        key, names = [], []
        for _user, query, time, url, rank in rows:
            page = url or ""
            names.append((*query.split(), page, page.split("/")[0]))
            key.append((time, rank, len(names[-1])))
        histories[tuple(key)] = names
    return histories


CHECKS: Mapping[str, Callable[[Case, QueryLog, Path], None]] = {
    "day-pseudonyms": check_records,
    "entity-allowlist": check_records,
    "frequency-threshold": check_threshold,
    "token-hashing": check_hashes,
    "numbered-sessions": check_numbers,
}


@pytest.mark.slow
def test_that_signed_in_users_count(file_of: Callable[[str], Path]) -> None:
    allowed = []
    for beside in ({"country": "Country"}, {"country": "Country", "signed_in": "Signed"}):
        log = read_log(file_of("months"), ReadOptions(columns=beside))
        release = anonymize(log, "entity-allowlist", k_entity=8, **KEEP)
        allowed.append(release.changes["entities_allowed"])
    assert allowed[1] < allowed[0]
