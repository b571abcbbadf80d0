"""Logs of events: searches, results shown and clicks become a row a click, or a search without."""

import csv
import dataclasses
import json
import random
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from auditor.errors import LogFormatError, ParameterError
from auditor.log.model import QueryLog
from auditor.log.out_of_core.splits import plan_splits
from auditor.log.reading.reader import ReadOptions, read_log
from auditor.log.reading.search_events import SEARCH_REASON, classify_events

START = 1_767_225_600
Event = tuple[str, str, str, str, int, str, str]
"""User, id of the search, what it is, query, seconds, URL, place."""
NAMES = ("user_id", "search_id", "event", "query", "time", "url", "position")
Row = tuple[str, str, int, str]
"""User, query, seconds, clicked URL."""


def write(path: Path, events: Sequence[Event], names: Sequence[str] = NAMES) -> Path:
    """The events as a table of the columns `names`."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        for event in events:
            value = dict(zip(NAMES, event, strict=True))
            moment = datetime.fromtimestamp(START + event[4], UTC)
            value["time"] = moment.strftime("%Y-%m-%d %H:%M:%S")
            writer.writerow([value.get(name, "") for name in names])
    return path


def rows_of(log: QueryLog) -> Counter[Row]:
    """The rows of a log as text."""
    urls = ["" if code < 0 else log.urls[int(code)] for code in log.url]
    users, queries = log.users.list_strings(log.user), log.queries.list_strings(log.query)
    return Counter(zip(users, queries, (log.time - START).tolist(), urls, strict=True))


def fold_naively(events: Sequence[Event], *, named: bool) -> Counter[Row]:
    """The rule in plain words: one search after the other, each event put to the one before."""
    open_searches: dict[tuple[str, ...], list[Event]] = {}
    searches: list[list[Event]] = []
    last: dict[str, Event] = {}
    for event in sorted(events, key=lambda item: (item[4], item[2] != "query")):
        user, name, kind, query, second, url, place = event
        if not named and not query and kind != "query" and user in last:
            query = last[user][3] if second - last[user][4] <= 1800 else ""
        if query:
            last[user] = (user, name, kind, query, second, url, place)
        key = (user, name) if named else (user, query)
        current = open_searches.get(key)
        begins = current is None or (
            not named
            and (second - current[-1][4] > 1800 or (kind == "query" and second > current[-1][4]))
        )
        if begins:
            current = open_searches[key] = []
            searches.append(current)
        assert current is not None
        current.append((user, name, kind, query, second, url, place))
    rows: Counter[Row] = Counter()
    for search in searches:
        query = next((item[3] for item in search if item[3]), "")
        clicks = [item[5] for item in search if item[2] == "click" and item[5]]
        rows.update((search[0][0], query, search[0][4], url) for url in clicks or [""])
    return rows


def make_events(seed: int, *, named: bool) -> list[Event]:
    """Random searches of a few users, some of the same query soon after each other."""
    draw = random.Random(seed)
    events: list[Event] = []
    for number in range(60):
        user, query = f"reader-{draw.randrange(5)}{'abcde'[number % 5]}", draw.choice("abc") + " x"
        begin, name = draw.randrange(40_000), f"s{number}"
        if named or draw.random() < 0.9:
            events.append((user, name, "query", query, begin, "", ""))
        for place in range(draw.randrange(1, 4)):
            url = f"http://{draw.randrange(9)}.example"
            events.append((user, name, "impression", query, begin + 1, url, str(place + 1)))
            if draw.random() < 0.4:
                text = "" if named and draw.random() < 0.5 else query
                wait = draw.randrange(1, 2_500)
                events.append((user, name, "click", text, begin + wait, url, str(place + 1)))
    draw.shuffle(events)
    return events


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("seed", range(8))
def test_events_become_the_rows_of_the_rule(tmp_path: Path, seed: int, named: bool) -> None:
    events = make_events(seed, named=named)
    names = NAMES if named else tuple(name for name in NAMES if name != "search_id")
    log = read_log(write(tmp_path / "log.csv", events, names))
    assert rows_of(log) == fold_naively(events, named=named)
    assert not log.attributes


RESULTS = [(place, f"http://{place}.example") for place in (1, 2, 3)]


def flagged(search: int, place: int, url: str) -> Event:
    """A result shown in one of some searches, the second of which is clicked in odd ones."""
    clicked = "1" if place == 2 and search % 2 else "0"
    user = f"reader-{'abcd'[search % 4]}{search % 4}7"
    return (user, "", clicked, "red shoes", search * 60, url, str(place))


def test_a_flag_says_which_of_the_results_shown_were_clicked(tmp_path: Path) -> None:
    events = [flagged(search, place, url) for search in range(20) for place, url in RESULTS]
    path = tmp_path / "log.csv"
    write(path, events)
    text = path.read_text().replace("search_id,event", "shop,clicked", 1)
    path.write_text(text)
    log = read_log(path)
    assert log.clicks == 10
    assert int(log.event_starts.sum()) == 20
    assert set(log.rank[log.url >= 0].tolist()) == {2}


@pytest.mark.parametrize("named", [True, False])
def test_what_searches_showed_is_kept_beside_them_where_it_is_wanted(
    tmp_path: Path, named: bool
) -> None:
    """Against each search's impressions, put in the order of their places."""
    events = [
        (f"reader-{'abcde'[n % 5]}7", f"s{n}", kind, f"query {n}", 60 * n + wait, url, place)
        for n in range(30)
        for kind, wait, url, place in (
            ("query", 0, "", ""),
            *(("impression", 1, f"http://{r}.example/a b", str(r)) for r in range(n % 4, 0, -1)),
            *([("click", 9, "http://1.example/a b", "1")] if n % 4 > 1 else []),
        )
    ]
    names = NAMES if named else tuple(name for name in NAMES if name != "search_id")
    path = write(tmp_path / "log.csv", events, names)
    lines = path.read_text().splitlines()
    kinds = [
        "result_type",
        *(event[6] and ["ad", "organic"][int(event[6]) % 2] for event in events),
    ]
    path.write_text("\n".join(f"{line},{kind}" for line, kind in zip(lines, kinds, strict=True)))
    options = ReadOptions(columns={"result_type": "result_type"}, keep_shown=True)
    log = read_log(path, options)
    plain = read_log(path, dataclasses.replace(options, keep_shown=False))
    assert rows_of(log) == rows_of(plain)
    assert log.without_attributes.digest == plain.without_attributes.digest
    assert set(plain.attributes) == {"result_type"}, "by default nothing is kept"
    for row in range(len(log)):
        places = range(1, int(log.queries[int(log.query[row])].split()[1]) % 4 + 1)
        result = {
            name: attribute.texts[int(attribute.codes[row])] if attribute.codes[row] >= 0 else None
            for name, attribute in log.attributes.items()
            if name != "result_type"
        }
        expected = {
            "views": str(len(places)),
            "results_shown": " ".join(f"http://{place}.example/a_b" for place in places),
            "positions_shown": " ".join(map(str, places)),
            "result_type_shown": " ".join(["ad", "organic"][place % 2] for place in places),
        }
        assert result == (expected if places else dict.fromkeys(expected)), row


def test_that_what_nobody_was_shown_cannot_be_kept(tmp_path: Path) -> None:
    events = [("reader-a7", "", "query", "tax form", number * 60, "", "") for number in range(9)]
    for names in (NAMES, ("user_id", "query", "time")):
        with pytest.raises(ParameterError, match="impression"):
            read_log(write(tmp_path / "log.csv", events, names), ReadOptions(keep_shown=True))


def test_results_that_nobody_says_were_clicked_are_asked_about(tmp_path: Path) -> None:
    events = [flagged(search, place, url) for search in range(20) for place, url in RESULTS]
    names = ("user_id", "query", "time", "position", "url")
    path = write(tmp_path / "log.csv", events, names)
    with pytest.raises(LogFormatError, match="result_id"):
        read_log(path)
    assert read_log(path, ReadOptions(columns={"url": "url"})).clicks == 60
    folded = read_log(path, ReadOptions(columns={"result_id": "url"}))
    assert (folded.clicks, int(folded.event_starts.sum())) == (0, 20)


def test_pieces_read_by_several_machines_refuse_events(tmp_path: Path) -> None:
    with pytest.raises(LogFormatError, match="one machine"):
        plan_splits(write(tmp_path / "log.csv", make_events(0, named=True)))


def test_other_events_are_counted_as_rejected(tmp_path: Path) -> None:
    events: list[Event] = []
    for number in range(30):
        user = f"reader-{'abcde'[number % 5]}{number % 5}9"
        events += [
            (user, "", "login", "", number * 60, "", ""),
            (user, "", "search", "tax form", number * 60 + 1, "", ""),
        ]
    log = read_log(write(tmp_path / "log.csv", events))
    assert log.origin.rejected == {SEARCH_REASON: 30}
    assert (len(log), log.clicks) == (30, 0)


def test_a_column_that_is_named_but_holds_no_events_is_refused(tmp_path: Path) -> None:
    events = [flagged(search, 1, "") for search in range(20)]
    changed = [(*event[:2], "alpha", *event[3:]) for event in events]
    path = write(tmp_path / "log.csv", changed)
    assert read_log(path).clicks == 0  # not called so by anybody, it is left out
    with pytest.raises(LogFormatError, match="event"):
        read_log(path, ReadOptions(columns={"event": "event"}))


def test_that_a_flag_beside_no_result_folds_no_searches(tmp_path: Path) -> None:
    file = tmp_path / "log.csv"
    lines = ["user,query,time,clicked"]
    lines += [f"u{n},weather,2024-01-01 10:0{m}:00,{m}" for n in range(3) for m in range(2)]
    file.write_text("\n".join(lines))
    assert len(read_log(file)) == 6


def read_clicks(folder: Path, header: str, values: tuple[str, str]) -> QueryLog:
    """A log of sixty searches that have one value and the other in turns, and an address each."""
    rows = "".join(
        f"reader-{n % 15},red shoes,2026-01-03 {n % 24:02d}:{n:02d}:00,{values[n % 2]},http://{n}.example\n"
        for n in range(60)
    )
    (folder / "log.csv").write_text(f"user_id,query,timestamp,{header}\n{rows}")
    return read_log(folder / "log.csv")


@pytest.mark.parametrize(
    ("header", "values", "clicks"),
    [
        *(("clicked,url", pair, 30) for pair in (("1", "NULL"), ("1", "\\N"), ("X", ""))),
        ("clicked,url", ("clicked", "not clicked"), 30),
        *(("event,url", ("click", no), 30) for no in ("no_click", "no click", "unclicked")),
        ("clicked_at,url", ("2026-01-03 10:00:09", ""), None),  # asked about
        ("clicked_at,url", ("2026-01-03 10:00:09", "2026-01-03 10:00:10"), 60),
        ("clicked_at,clicked_url", ("2026-01-03 10:00:09", ""), 60),
        ("clicked,url", ("left", "right"), None),
    ],
)
def test_a_column_says_what_was_clicked_or_is_asked_about(
    tmp_path: Path, header: str, values: tuple[str, str], clicks: int | None
) -> None:
    if clicks is None:
        with pytest.raises(LogFormatError, match="which were clicked"):
            read_clicks(tmp_path, header, values)
    else:
        log = read_clicks(tmp_path, header, values)
        assert (len(log), log.clicks) == (60, clicks)


@pytest.mark.parametrize(
    ("listed", "rows"),
    [
        ({"clicks": [{"url": "a", "position": 3, "timestamp": 7}]}, 1),
        ({"clicked_results": [{"docid": "a", "rank": 3}, {"docid": "b", "rank": 3}]}, 2),
        ({"results": [{"doc_id": "a", "rank": 3 + n, "clicked": n < 1} for n in range(2)]}, 1),
    ],
)
def test_clicks_in_lists_are_read(tmp_path: Path, listed: dict[str, Any], rows: int) -> None:
    file = tmp_path / "log.jsonl"
    searches = (
        {"user_id": f"reader-{n % 9}", "query": "red shoes", "timestamp": START + 7_200 * n}
        for n in range(60)
    )
    lines = (json.dumps(search | listed) for search in searches)
    file.write_text("".join(line.replace('"a"', f'"a{n}"') + "\n" for n, line in enumerate(lines)))
    log = read_log(file)
    assert (len(log), log.clicks, {*log.rank.tolist()}) == (60 * rows, 60 * rows, {3})


@pytest.mark.parametrize("name", ["Document URL", "clicked_document_id", "destination_url"])
def test_what_was_clicked_is_known_by_its_name(tmp_path: Path, name: str) -> None:
    (tmp_path / "log.csv").write_text(
        f"user_id,query,timestamp,{name}\n"
        + "".join(f"u{n % 9},x y,{START + n},{'d' * (n % 2)}{n % 2 or ''}\n" for n in range(60))
    )
    assert read_log(tmp_path / "log.csv").clicks == 30


def test_that_choosing_a_result_is_a_click_and_choosing_anything_else_is_none() -> None:
    chosen = ["select_item", "SearchResultSelected", "documentOpen", "product tapped", "click"]
    others = ["view_item", "select_suggestion", "search results page open", "item filter selected"]
    search, *kinds = classify_events(["search", *chosen, *others])
    assert len({*kinds[:5]}) == 1
    assert not {*kinds[:5]} & {search, *kinds[5:]}


@pytest.mark.parametrize("opened", [True, False])
def test_that_views_are_clicks_where_no_two_come_at_once(tmp_path: Path, opened: bool) -> None:
    """A view beside searches alone: of a result that was opened, or of all that were shown."""
    events = [
        (f"reader-{n % 5}7", "", kind, f"query {n}", 60 * n + wait, url, place)
        for n in range(30)
        for kind, wait, url, place in (
            ("search", 0, "", ""),
            *(("impression", 1, f"http://{r}.example", str(r)) for r in (1, 2) if opened),
            *(("view", 9 * opened, f"http://{r}.example", str(r)) for r in (1, 2, 3)[n % 3 :]),
        )
        if not opened or kind != "view" or place == "3"
    ]
    log = read_log(write(tmp_path / "log.csv", events))
    assert (len(log), log.clicks) == (30, 30 if opened else 0)
    assert any("taken for clicks" in note for note in log.origin.notes) == opened
