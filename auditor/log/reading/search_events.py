"""Logs of events: searches, results shown and clicks, a row each, folded into rows of searches.

A column says what a row is: in words (query, impression, click), or by a flag whether a result that
was shown was clicked. A result shown is neither a search nor a click. So a search becomes a row for
each of its clicks, or one row without any, at the time of its first row.

Rows are one search if they have one search id, or where there is none, if they are of one user and
query without a pause and no other row says that it is a search. What becomes of a row depends on
rows of the same user alone. O(rows log rows), and nothing for logs without such a column.
"""

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from auditor.arrays import Bools, Int32s, Int64s
from auditor.errors import LogFormatError, ParameterError
from auditor.log.model import NONE, Attribute, QueryLog, Vocabulary
from auditor.log.reading.column_names import ALIKE, plain_name
from auditor.log.reading.presets.base import SHOWN
from auditor.log.sentences import sentence
from auditor.log.sessions import GAP_SECONDS

EVENT, SEARCH_ID = "event", "search_id"
"""The attributes that say what a row is, and of which search; gone where they were folded."""
SEARCH_REASON = "event other than a search"
MOST_WORDS = 12
"""Different words for kinds of events, at most."""
FEW_GROUPS = 5
"""Searches from which on all of them may show that results are listed."""
_DAY = 86_400
_QUERY, _VIEW, _CLICK, _PAGE, _OTHER = range(5)
_SEARCH = (
    r"\b(query|queries|search|searche[ds]|searching|suchen?|gesucht|serps?|recherch\w*|"
    r"b[uú]s[qc]\w*|ricerca|pesquisa|zoek\w*)\b"
)
_STEP = (
    r"\b(view\w*|pages?|results?|load(ed)?|render(ed)?|complet\w*|finish(ed)?|succe\w*|"
    r"respon\w*|return(ed)?|filter\w*|facet\w*|sort\w*|paginat\w*|scroll\w*)\b"
)
_RESULT = r"(results?|items?|content|docs?|documents?|hits?|products?|records?)"
_CHOICE = r"(select(ed|s)?|opens?|opened|tap(ped|s)?|chosen|chooses?)"
_VIEWED = re.compile(r"^((search )?(result|docs?|documents?|items?|hits?) |results )?view(s|ed)?$")
"""A result that was shown or, where no other word says click, may have been opened."""
_WORDS = (
    (_VIEW, re.compile(r"\b(no|not|non|without|un|kein|nicht|ohne)\s*(click|klick|geklickt)")),
    (_CLICK, re.compile(r"\b(click\w*|klick\w*|geklickt|klik\w*|clics?|cliqu\w*)\b")),
    (
        _CLICK,
        re.compile(
            rf"(?!.*\b(pages?|lists?|filter|facet|sort)\b)"
            rf".*\b({_RESULT} {_CHOICE}|{_CHOICE} (search )?{_RESULT})\b"
        ),
    ),
    (
        _VIEW,
        re.compile(r"\b(impress?i[oó]n\w*|impr\w*|shown?|displayed|an(ge)?zeigt?e?n?|affich\w*)\b"),
    ),
    (_VIEW, _VIEWED),
    (_PAGE, re.compile(rf"(?=.*{_STEP}).*{_SEARCH}|\bresults? (pages?|lists?|load|render|return)")),
    (_QUERY, re.compile(_SEARCH)),
)
"""What the words of an event say that it is, the first that fit.

That a page of results came, was read or was filtered is a step of a search: a search itself only
where no other word says search.
"""
_MISSING = ("", "null", "\\n", "none")
"""What databases write where a flag isn't set."""
_YES, _NO = (
    ("1", "1.0", "true", "yes", "y", "t", "ja", "x", "clicked"),
    ("0", "0.0", "false", "no", "n", "f", "nein", "not clicked", "not_clicked", *_MISSING),
)
_PLAIN = re.compile(r"[\w -]{1,40}")
"""Words rather than an address, which may hold any."""
_EVENT_NAME = re.compile(
    r"((event|action|interaction|activity|operation)+|record|message|hit|row)"
    r"(type|name|kind|category)|(event|action|interaction|activity|operation)+|verb|ereignis|aktion"
)
_FLAG_NAME = re.compile(
    r"(results?|hits?|docs?|items?)?((is|was|has|ist)?(click|clicked|klick|geklickt)(flag|ed)?|clicks)"
)
_CLICK_TIME = re.compile(r"click(ed)?(at|time|timestamp|date)|geklicktam")
_RESULT_NAME = re.compile(
    r"\w*(url|uri|link|website|document|docid|resultid|itemid|productid|hitid)|ergebnis(id)?|"
    r"(item)?(position|pos|rank|rang)|(result|item)"
)
_ADDRESS = re.compile(r"(?i)(https?:/)?/|www\.")
_ID_NAME = re.compile(r"(search|query|serp|impression|request|such|suche)+(event)?u?u?id")


def classify_events(values: Sequence[str]) -> list[int]:
    """What rows with each of these words are: searches, results shown, clicks, or other events."""
    kinds = [_classify_event(value) for value in values]
    return kinds if _QUERY in kinds else [_QUERY if kind == _PAGE else kind for kind in kinds]


def _classify_event(value: str) -> int:
    words = _split_words(value)
    return next((kind for kind, shape in _WORDS if shape.search(words)), _OTHER)


def _split_words(value: str) -> str:
    return re.sub(r"[\W_]+", " ", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", value)).strip().lower()


def _are_flags(values: Iterable[str]) -> bool:
    plain = {value.strip().lower() for value in values} - {*_MISSING}
    counts = "0" in plain and all(value.isdecimal() and len(value) < 3 for value in plain)
    # "clicked" alone is an event.
    return bool(plain) and plain != {"clicked"} and (counts or plain <= {*_YES, *_NO})


def _kinds_of(values: Iterable[str]) -> set[int]:
    return {*classify_events([value for value in {*values} if value])}


def _are_events(values: Sequence[str], results: Sequence[Sequence[str]]) -> bool:
    """Whether values, whatever they are called, are a few words of several kinds of events.

    Where other words are among them, one of the columns of `results` must be filled in rows of
    clicks and empty in rows of searches.
    """
    words = sorted({value for value in values if value})
    if len(words) > MOST_WORDS or not all(map(_PLAIN.fullmatch, words)):
        return False
    kind_of = dict(zip(words, classify_events(words), strict=True))
    kinds = {*kind_of.values()}
    if _OTHER not in kinds:
        return len(kinds) > 1
    fills = (
        {(kind_of[value], bool(cell)) for value, cell in zip(values, cells, strict=True) if value}
        for cells in results
    )
    of_searches = {(kind, is_filled) for kind in (_QUERY, _CLICK) for is_filled in (False, True)}
    return any(fill & of_searches == {(_QUERY, False), (_CLICK, True)} for fill in fills)


def find_unknown_events(names: Sequence[str], columns: Sequence[Sequence[str]]) -> str:
    """A column whose name says that it tells events, in words that nobody knows; "" if none."""
    for name, values in zip(names, columns, strict=False):
        words = {value for value in values if value}
        is_few = 1 < len(words) <= MOST_WORDS
        if is_few and _EVENT_NAME.fullmatch(plain_name(name)) and _kinds_of(words) == {_OTHER}:
            return name
    return ""


def find_coded_events(
    names: Sequence[str], columns: Sequence[Sequence[str]], roles: Mapping[str, int]
) -> str:
    """A column whose codes tell the rows of one search apart, which nobody knows; "" if none.

    Most rows stand beside another of the same user and query with another code. The column's name
    says that it tells events, or all rows with one code have a URL and none with another.
    """
    users, queries = columns[roles["user"]], columns[roles["query"]]
    urls = columns[roles["url"]] if "url" in roles else []
    for place, (name, codes) in enumerate(zip(names, columns, strict=True)):
        words = {code for code in codes if code}
        is_few = 1 < len(words) <= min(MOST_WORDS, len(codes) // 2)
        if not is_few or place in roles.values() or _kinds_of(words) != {_OTHER}:
            continue
        pairs = [*zip(codes, urls, strict=False)]
        clicked = {code for code, url in pairs if url}
        unclicked = {code for code, url in pairs if not url}
        is_decisive = bool(clicked and unclicked) and clicked.isdisjoint(unclicked)
        is_named = _EVENT_NAME.fullmatch(plain_name(name)) is not None
        if not is_named and not (is_decisive and all(map(str.isalpha, words))):
            continue
        last: dict[str, tuple[str, str, int]] = {}
        beside: set[int] = set()
        for row, (user, query, code) in enumerate(zip(users, queries, codes, strict=True)):
            previous_query, previous_code, previous_row = last.get(user, ("", code, row))
            if query == previous_query and code != previous_code:
                beside |= {previous_row, row}
            last[user] = query, code, row
        if len(beside) * 2 > len(codes):
            return name
    return ""


def find_event_columns(
    names: Sequence[str], columns: Sequence[Sequence[str]], used_places: Sequence[int]
) -> dict[str, int]:
    """The columns that say what each row is and of which search, by names and contents."""
    free = [
        (place, plain_name(name))
        for place, name in enumerate(names)
        if place not in used_places and place < len(columns)
    ]
    events = [
        place
        for place, name in free
        if _EVENT_NAME.fullmatch(name) and not {_OTHER} >= _kinds_of(columns[place])
    ]
    results = [
        values
        for name, values in zip(names, columns, strict=False)
        if _RESULT_NAME.fullmatch(plain_name(name))
    ]
    events = events or [place for place, _ in free if _are_events(columns[place], results)]
    # Of a category and an action, the action.
    events.sort(key=lambda place: -len(_kinds_of(columns[place]) - {_OTHER}))
    # A flag beside no result says of a search that something was clicked, and is no event.
    if not events and results:
        events = [
            place
            for place, name in free
            if _FLAG_NAME.fullmatch(name) and _are_flags(columns[place])
        ]
    ids = [place for place, name in free if _ID_NAME.fullmatch(name)]
    # An id of rows is none of searches.
    ids = [place for place in ids if len(set(columns[place])) < len(columns[place])]
    roles = {EVENT: events[0]} if events else {}
    return roles | ({SEARCH_ID: ids[0]} if events and ids else {})


def find_clicked_column(
    names: Sequence[str], columns: Sequence[Sequence[str]], roles: Mapping[str, int]
) -> int | None:
    """The only column of pages, by its name or contents, that is filled in results alone."""
    words = sorted({*columns[roles[EVENT]]})
    kind_of = dict(zip(words, classify_events(words), strict=True))
    kinds = [kind_of[value] for value in columns[roles[EVENT]]]
    fits = []
    for place, (name, values) in enumerate(zip(names, columns, strict=True)):
        filled = [(kind, value) for kind, value in zip(kinds, values, strict=True) if value]
        is_page = plain_name(name) in ALIKE["url"] or all(
            _ADDRESS.match(page) for _, page in filled
        )
        clicks = sum(kind == _CLICK for kind, _ in filled)
        is_of_results = {kind for kind, _ in filled} <= {_CLICK, _VIEW}
        is_of_clicks = clicks and clicks >= 0.8 * kinds.count(_CLICK)
        if place not in roles.values() and is_page and is_of_results and is_of_clicks:
            fits.append(place)
    return fits[0] if len(fits) == 1 else None


def leaves_clicks_open(
    names: Sequence[str], columns: Sequence[Sequence[str]], used_places: Sequence[int], url: int
) -> bool:
    """Whether a column that isn't taken may say which of the URLs were clicked, and nobody knows.

    Its name says so, and its values are no flags, or times of some of the URLs alone.
    """
    if plain_name(names[url]).startswith("click"):
        return False
    for place, name in enumerate(names):
        is_time = _CLICK_TIME.fullmatch(plain_name(name)) is not None
        if place in used_places or not (is_time or _FLAG_NAME.fullmatch(plain_name(name))):
            continue
        pairs = zip(columns[place], columns[url], strict=True)
        values_of_clicks = [value.strip().lower() for value, address in pairs if address]
        if any(value in _MISSING for value in values_of_clicks) if is_time else values_of_clicks:
            return True
    return False


def lists_results(rows: Iterable[Sequence[str]]) -> bool:
    """Whether rows (user, query, time, rank, URL) are the results that each search showed.

    In each search these have all places from the first on, or, without places, there are as many.
    """
    groups: dict[tuple[str, str, str], list[str]] = {}
    for user, query, time, rank, url in rows:
        if url:
            groups.setdefault((user, query, time), []).append(rank.removesuffix(".0"))
    searches = list(groups.values())[:-1]  # the last one may be cut
    sizes = [*map(len, searches)]
    if len(sizes) < FEW_GROUPS or min(sizes) < 2:
        return False
    expected_ranks = [[{*map(str, range(base, base + size))} for base in (0, 1)] for size in sizes]
    placed = all(
        {*ranks} in expected for ranks, expected in zip(searches, expected_ranks, strict=True)
    )
    return placed or (not any(map(any, searches)) and min(sizes) == max(sizes) > 2)


def fold_events(log: QueryLog, file: str, *, keep_shown: bool = False) -> QueryLog:
    """The log with a row for each click, or for a search without one; unchanged without events.

    With `keep_shown` each row has beside it what its search showed: see `_describe_shown`.

    Raises `LogFormatError`: the column of events has none that is known; `ParameterError`: what
    searches showed is to be kept, and no row is a result that was shown.
    """
    kinds, flags, opened_note = np.zeros(0, dtype=np.int64), False, ""
    if EVENT in log.attributes and len(log):
        codes, texts = log.attributes[EVENT]
        values = texts.list_strings()
        flags = _are_flags(values)
        if flags:
            events = [_VIEW if value.strip().lower() in _NO else _CLICK for value in values]
        else:
            events = classify_events(values)
            if {_OTHER} >= {*events} or {*events} == {_CLICK, _OTHER}:
                raise LogFormatError(sentence("search_events.unknown"), path=file, columns=True)
        kinds = np.array([*events, _VIEW if flags else _OTHER], dtype=np.int64)[codes]
        if not flags and _CLICK not in events:
            are_viewed = [_VIEWED.search(_split_words(value)) is not None for value in values]
            views = np.array([*are_viewed, False])[codes]
            if _are_openings(log, np.flatnonzero(views & (log.url != NONE))):
                kinds[views] = _CLICK
                opened_note = sentence("search_events.opened", views=int(views.sum()))
    if keep_shown and {*SHOWN} <= {*log.attributes}:  # listed in the records
        note = sentence("search_events.kept", names=", ".join(SHOWN))
        return dataclasses.replace(log, origin=log.origin.add_notes(note))
    if keep_shown and not ((kinds == _VIEW) | flags).any():
        raise ParameterError("keep_shown", sentence("search_events.none_shown"))
    if not len(kinds):
        return log
    other_events = int(np.count_nonzero(kinds == _OTHER))
    ids = log.attributes.get(SEARCH_ID)
    plain_attributes = {n: a for n, a in log.attributes.items() if n not in (EVENT, SEARCH_ID)}
    origin = log.origin
    if other_events:
        rejected = {**origin.rejected, SEARCH_REASON: other_events}
        origin = dataclasses.replace(origin, rejected=rejected)
    if not np.isin(kinds, (_VIEW, _CLICK, _PAGE)).any():
        return dataclasses.replace(log, attributes=plain_attributes, origin=origin).rows(
            kinds == _QUERY
        )
    log = dataclasses.replace(log, attributes=plain_attributes)
    searching = np.flatnonzero(kinds != _OTHER)
    rows = log.rows(searching) if other_events else log
    kinds = kinds[searching]
    code = np.full(len(rows), NONE, dtype=np.int32) if ids is None else ids.codes[searching]
    query = _fill_queries(rows, code, kinds)
    order, first = _order_searches(rows, query, code, kinds, flags)
    number = np.cumsum(first) - 1
    clicks = (kinds == _CLICK) & (rows.url != NONE)
    unclicked = np.ones(number[-1] + 1, dtype=np.bool_)
    unclicked[number[clicks[order]]] = False
    is_kept = clicks[order] | (first & unclicked[number])
    keep, time = np.zeros(len(rows), dtype=np.bool_), np.empty_like(rows.time)
    keep[order[is_kept]] = True
    time[order] = rows.time[order[first]][number]
    rows = dataclasses.replace(rows, query=query)
    if keep_shown:
        search = np.empty(len(rows), dtype=np.int64)
        search[order] = number
        results = np.flatnonzero((kinds == _VIEW) | flags)
        shown_columns = _describe_shown(rows, search, results)
        origin = origin.add_notes(sentence("search_events.kept", names=", ".join(shown_columns)))
        rows = dataclasses.replace(rows, attributes={**rows.attributes, **shown_columns})
    summary = sentence(
        "search_events.counts",
        rows=len(rows),
        searches=len(unclicked),
        shown=int(np.count_nonzero((kinds == _VIEW) | flags)),
        clicks=int(np.count_nonzero(clicks)),
    )
    guessed = sentence("search_events.guessed", minutes=GAP_SECONDS // 60)
    notes = [summary, guessed] if (code == NONE).any() else [summary]
    notes += [opened_note] if opened_note else []
    pageless = 0 if flags else int(np.count_nonzero(kinds == _CLICK) - np.count_nonzero(clicks))
    if pageless:
        notes.append(sentence("search_events.pageless", clicks=pageless))
    folded = dataclasses.replace(
        rows,
        time=time,
        url=np.where(clicks, rows.url, np.int32(NONE)),
        rank=np.where(clicks, rows.rank, np.int16(NONE)),
        origin=origin.add_notes(*notes),
    )
    return folded.rows(keep)


def _are_openings(log: QueryLog, views: Int64s) -> bool:
    """Whether results that were viewed were opened: shown ones come several at once, from place 1.

    `views` are rows of results, of a log sorted by user and time.
    """
    at_once = (np.diff(log.user[views]) == 0) & (np.diff(log.time[views]) == 0)
    return len(views) >= FEW_GROUPS and not at_once.any() and not (log.rank[views] <= 1).all()


def _describe_shown(log: QueryLog, search: Int64s, results: Int64s) -> dict[str, Attribute]:
    """Of each row's search how many results it showed, which, at which places, and what they are.

    The results of a search stand with blanks between, in the order of their places; blanks within a
    value become underscores, and what is missing "-". `search` is the search of each row, `results`
    are the rows of results. O(rows log rows).
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    results = results[np.lexsort((log.time[results], log.rank[results], search[results]))]
    views = np.bincount(search[results], minlength=int(search.max()) + 1)
    starts = pa.array(np.concatenate(([0], np.cumsum(views))), pa.int64())
    blank = pa.scalar(" ", pa.large_string())
    rank = log.rank[results]
    values = {"positions": pa.array(rank, mask=rank == NONE).cast(pa.large_string())}
    for name, (codes, texts) in {"results": (log.url, log.urls), **log.attributes}.items():
        values[name] = texts.as_arrow().take(pa.array(codes[results], mask=codes[results] == NONE))
    lists = {"views": pa.array(views).cast(pa.large_string())}
    for name, texts in values.items():
        plain = pc.replace_substring_regex(texts.fill_null("-"), r"\s+", "_")
        values_by_search = pa.LargeListArray.from_arrays(starts, plain)
        lists[f"{name[:26]}_shown"] = pc.binary_join(values_by_search, blank)
    attributes = {}
    for name, texts in lists.items():
        encoded = pc.if_else(pa.array(views > 0), texts, None).dictionary_encode()
        codes = encoded.indices.fill_null(NONE).to_numpy(zero_copy_only=False).astype(np.int32)
        attributes[name] = Attribute(codes[search], Vocabulary.of_arrow(encoded.dictionary))
    return attributes


def _fill_queries(log: QueryLog, ids: Int32s, kinds: Int64s) -> Int32s:
    """The rows' queries; of a result without one, that of its search: by its id, or just before."""
    has_query = ~log.queries.find_blank()[log.query] | (kinds == _QUERY)
    if has_query.all():
        return log.query
    order = np.lexsort((kinds != _QUERY, log.time, ids, log.user))
    size, place, has_query = len(order), np.arange(len(order)), has_query[order]
    user, code, query, time = log.user[order], ids[order], log.query[order], log.time[order]
    before = np.maximum.accumulate(np.where(has_query, place, 0))
    after = np.minimum.accumulate(np.where(has_query, place, size - 1)[::-1])[::-1]
    filled = query.copy()
    for source in (after, before):  # what stands before goes first
        fits = has_query[source] & (user[source] == user) & (code[source] == code)
        fits &= np.where(
            code == NONE, (source <= place) & (time - time[source] <= GAP_SECONDS), True
        )
        filled[fits] = query[source[fits]]
    result = np.empty_like(filled)
    result[order] = filled
    return result


def _order_searches(
    log: QueryLog, query: Int32s, ids: Int32s, kinds: Int64s, flags: bool
) -> tuple[Int64s, Bools]:
    """The rows with those of a search side by side, and which of them begin one."""
    order = np.lexsort((kinds != _QUERY, log.time, query, ids, log.user))
    user, text, code = log.user[order], query[order], ids[order]
    kind, rank = kinds[order], log.rank[order]
    step, has_id = np.diff(log.time[order]), code[1:] != NONE
    new = (user[1:] != user[:-1]) | (text[1:] != text[:-1]) | (code[1:] != code[:-1])
    new |= step > np.where(has_id, _DAY, GAP_SECONDS)
    if (kinds == _QUERY).any():
        new |= ~has_id & (kind[1:] == _QUERY) & (step > 0)
    else:
        # A place that comes again, or one before it, is that of another search.
        results = np.flatnonzero((kind == _VIEW) | flags)
        last, next_ = results[:-1], results[1:]
        restarts = (rank[next_] <= rank[last]) & (rank[next_] != NONE)
        restarts &= log.time[order[next_]] > log.time[order[last]]
        owner = np.cumsum(np.concatenate(([True], new)))
        restarts &= owner[next_] == owner[last]
        new[next_[restarts] - 1] |= ~has_id[next_[restarts] - 1]
    return order, np.concatenate(([True], new))
