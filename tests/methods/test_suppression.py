"""Suppression is post-processing: a function of what the method gave out, by text alone."""

from typing import Any

import numpy as np
import pytest

from auditor.attacks.detection.marked_strings import mark_identifying, mark_identifying_addresses
from auditor.engine.backends import local
from auditor.engine.explanation import explain_query
from auditor.log.gazetteers import sample_log
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.reading.reader import read_log
from auditor.methods.registry import METHODS
from auditor.methods.suppression import (
    IDENTIFIERS,
    LEVELS,
    NAMES,
    NOTHING,
    SUPPRESSED_ADDRESSES,
    SUPPRESSED_QUERIES,
    suppress_strings,
)
from auditor.privacy.noise import PreviewRandomness
from auditor.privacy.release import Anonymized, CellFigure, CellKey, CellTable, Tables
from auditor.release.policy.policy import default_policy
from auditor.suggestions.estimates import find_hidden
from tests.methods.logs import (
    QUIET,
    clicks_of,
    log_of,
    present,
    queries_of,
    tables_of,
    transitions_of,
)
from tests.reference.logs import EXCITE

PUBLIC = ("dp-public-key-counts", "dp-relative-index")
"""Methods whose strings are those of a list: nothing of them is suppressed."""
SUPPRESSING = [name for name in METHODS if METHODS[name].yields == "tables" and name not in PUBLIC]
MAIL, NAME, HARMLESS = "jane.miller1962@aol.com", "maria kowalczyk phone number", "weather"
ACCOUNT = "http://forum.example/profile?email=jane.miller1962@aol.com"
QUERIES = [HARMLESS, MAIL, "cheap flights", NAME, "abraham lincoln"]
PAGES = ["http://weather.example/", ACCOUNT]
LOOSE: dict[str, dict[str, Any]] = {
    "safelog": {"q_f": 5, "c_f": 5, "b": 1.0, "b_c": 1.0, "b_t": 1.0, "delta": 0.01},
    "korolova": {"q_f": 5, "c_f": 5, "b": 1.0, "b_q": 1.0, "delta": 0.01, "clicks": "observed"},
    "zealous": {"m": 5, "epsilon": 20.0, "delta": 0.01},
    "set-union": {"epsilon": 20.0, "delta": 0.01, "q_f": 5},
    "partition-selection": {"epsilon": 20.0, "delta": 0.01, "q_f": 5},
    "dated-counts": {"epsilon": 40.0, "delta": 0.01, "q_f": 5},
    "query-result-threshold": {},
    "click-pairs": {"k": 5},
    "popularity-score": {"k": 5},
    "trends-index": {"T": 5},
    "n-grams": {"epsilon": 40.0, "delta": 0.01, "q_f": 5},
}
"""Parameters with which a crowd's queries pass."""


@pytest.fixture(scope="module")
def crowd() -> QueryLog:
    """200 users who issue five queries in turn on one day, with clicks on two pages."""
    return log_of(
        [
            (f"u{user}", query, 60 * place, PAGES[place % 2])
            for user in range(200)
            for place, query in enumerate(QUERIES)
        ]
    )


def release(log: QueryLog, method: str, **values: Any) -> Anonymized:
    params = METHODS[method].params().replace(**LOOSE[method], **values)
    return local.apply_method(log, method, params, PreviewRandomness(5), QUIET)


def dates_of(tables: Tables) -> dict[tuple[str, int], int]:
    return {
        (tables.queries[q], t): n
        for q, t, n in zip(*(column.tolist() for column in tables.dates), strict=True)
    }


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("method", SUPPRESSING)
def test_that_it_is_a_function_of_the_release(crowd: QueryLog, method: str, level: str) -> None:
    """With the same noise, what is left is what was released less what its text condemns."""
    full = tables_of(release(crowd, method).content)
    product = release(crowd, method, suppress=level)
    tables = tables_of(product.content)
    bad = {
        NOTHING: set[str](),
        IDENTIFIERS: {q for q in queries_of(full) if "@" in q},
        NAMES: {q for q in queries_of(full) if "@" in q or "kowalczyk" in q},
    }[level]
    bad_pages = set[str]() if level == NOTHING else {ACCOUNT}
    if full.alone is not None and (pages := full.alone.find_key("url")) is not None:
        query = present(full.alone.find_key("query"))
        pairs = list(zip(query.list_texts(), pages.list_texts(), strict=True))
        bad |= {q for q, _ in pairs} - {q for q, u in pairs if u not in bad_pages}
    assert queries_of(tables) == {q: n for q, n in queries_of(full).items() if q not in bad}
    assert list(queries_of(tables)) == [q for q in queries_of(full) if q not in bad]
    assert clicks_of(tables) == {
        (q, u): n for (q, u), n in clicks_of(full).items() if q not in bad and u not in bad_pages
    }
    assert transitions_of(tables) == {
        (a, b): n for (a, b), n in transitions_of(full).items() if not {a, b} & bad
    }
    assert dates_of(tables) == {(q, t): n for (q, t), n in dates_of(full).items() if q not in bad}
    if full.alone is None:
        clicked = {url for _, url in clicks_of(tables)}
        assert set(tables.urls.list_strings()) == clicked
    assert not bad_pages & set(tables.urls.list_strings())
    if level != NOTHING:
        if full.alone is None:
            assert product.changes[SUPPRESSED_QUERIES] == len(bad)
        assert product.changes[SUPPRESSED_ADDRESSES] == len(
            bad_pages & set(full.urls.list_strings())
        )
        assert "left out afterwards" in product.statement.claim
        assert product.statement.epsilon == release(crowd, method).statement.epsilon


def test_that_the_crowd_tests_what_it_should(crowd: QueryLog) -> None:
    """Every kind of table of some method holds what has to be suppressed."""
    tables = tables_of(release(crowd, "safelog").content)
    assert set(QUERIES) == set(queries_of(tables))
    assert any(url == ACCOUNT for _, url in clicks_of(tables))
    assert any(MAIL in pair for pair in transitions_of(tables))
    assert any(
        query == MAIL for query, _ in dates_of(tables_of(release(crowd, "dated-counts").content))
    )


def test_that_marks_follow_from_each_text_alone() -> None:
    """No other string, no order and no number of users changes them."""
    texts = read_log(EXCITE).queries.list_strings()
    full = Vocabulary.of(texts)
    order = np.random.default_rng(1).permutation(len(texts))
    for names in (False, True):
        marks = mark_identifying(full, QUIET, names=names)
        shuffled = Vocabulary.of([texts[index] for index in order])
        again = mark_identifying(shuffled, QUIET, names=names)
        assert np.array_equal(marks[order], again)
        alone = [
            bool(mark_identifying(Vocabulary.of([texts[index]]), QUIET, names=names)[0])
            for index in order[:20]
        ]
        assert alone == again[:20].tolist()
    assert (mark_identifying(full, QUIET, names=False) <= marks).all()
    assert 0 < marks.sum() < 0.2 * len(texts)


def test_that_what_shows_nothing_keeps_no_string_from_being_suppressed() -> None:
    hidden = [
        "red\x07bel@aol.com",
        "redbel@a\u200bol.com",
        "mari\xada kowal\u2060czyk",
        "weather\x07",
    ]
    marks = mark_identifying(Vocabulary.of(hidden), QUIET, names=True)
    assert marks.tolist() == [True, True, True, False]


@pytest.mark.parametrize("path", [sample_log(), EXCITE], ids=["sample", "excite"])
def test_that_it_covers_what_the_bundled_checks_want_kept_back(path: Any) -> None:
    """All but strings of one user, which thresholds keep back."""
    log = read_log(path)
    marks = mark_identifying(log.queries, QUIET, names=True)
    addresses = mark_identifying_addresses(log.urls)
    users = np.zeros(len(log.queries), dtype=np.int64)
    pairs = np.unique(log.query.astype(np.int64) << 32 | log.user)
    np.add.at(users, pairs >> 32, 1)
    hidden = find_hidden(log, default_policy(), QUIET)
    assert sum(len(check.queries) for check in hidden) > 0
    for check in hidden:
        several = check.queries[users[check.queries] > 1]
        assert marks[several].all()
        assert addresses[check.addresses].all()


def test_that_attackers_rerun_the_method_without_it_and_measures_with_it(crowd: QueryLog) -> None:
    params = METHODS["set-union"].params().replace(**LOOSE["set-union"], suppress=IDENTIFIERS)
    attacked = local.make_rerun("set-union", params, 3, attacked=True)
    measured = local.make_rerun("set-union", params, 3)
    secure = local.make_rerun("set-union", params, None, attacked=True)
    assert MAIL in queries_of(tables_of(attacked(crowd, 0, QUIET).content))
    assert MAIL in queries_of(tables_of(secure(crowd, 0, QUIET).content))
    assert MAIL not in queries_of(tables_of(measured(crowd, 0, QUIET).content))


def test_that_a_suppressed_query_is_explained(crowd: QueryLog) -> None:
    product = release(crowd, "set-union", suppress=IDENTIFIERS)
    answer = explain_query(crowd, product, MAIL, QUIET)
    assert not answer.released
    assert answer.explanation is not None
    assert answer.explanation.outcome.startswith("Its text is marked as pointing at a person")
    assert answer.explanation.chance in (None, 0.0)
    other = explain_query(crowd, product, HARMLESS, QUIET)
    assert other.released
    assert "marked" not in present(other.explanation).outcome


def test_that_cells_go_with_their_query_or_page_and_take_the_others_strings_along() -> None:
    """What is left sums to what is left; a query of which no cell is left is no string of it."""
    words, pages = Vocabulary.of(["rose", "jane", "oak"]), Vocabulary.of(["a.example", "b.example"])
    keys = (
        CellKey("query", np.array([0, 1, 0, 2], dtype=np.int32), words),
        CellKey("url", np.array([0, 0, -1, 1], dtype=np.int32), pages),
        CellKey("country", np.array([0, 0, 0, -1], dtype=np.int32), Vocabulary.of(["AT"])),
    )
    table = CellTable("cells.tsv", keys, (CellFigure("views", np.array([5, 6, 7, 8])),))
    full = Tables.of_cells(table)
    assert full.query_count.tolist() == [12, 6, 8]
    result = suppress_strings(full, np.array([False, True, False]), np.array([False, True]))
    (sheet,) = result.list_sheets()
    assert [key.list_texts() for key in sheet.keys] == [
        ["rose", "rose"],
        ["a.example", ""],
        ["AT", "AT"],
    ]
    assert result.queries.list_strings() == ["rose"]
    assert result.urls.list_strings() == ["a.example"]
    assert result.query_count.tolist() == [12]
