"""A log with rows of blank queries gives what the log without them gives, wherever it is used."""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.attacks.base import AttackResult, Evidence
from auditor.attacks.registry import ATTACKS
from auditor.engine.backends import local
from auditor.engine.explanation import explain_query
from auditor.engine.plan import Intent, resolve_intent
from auditor.engine.run import Run
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.synthetic.generator import synthesize_log
from auditor.measures.base import MeasureResult
from auditor.measures.registry import MEASURES
from auditor.methods.base import ExpectedRelease
from auditor.methods.registry import METHODS
from auditor.privacy.blank_queries import CHANGE
from auditor.privacy.noise import PreviewRandomness
from auditor.privacy.planted_keys import plant_keys
from auditor.privacy.release import Anonymized, Release, Tables
from auditor.progress import silent_progress
from auditor.release.policy.policy import read_bundled
from tests.measures.fakes import release_of, run_attack, take
from tests.methods.logs import expect
from tests.narrowing import present
from tests.release.judging import judged_record
from tests.test_conformance import LONGEST_FIRST

BLANKS = ("", "  ", "\t", "\u200b\u00a0", "\x07", "\u3164\u2800\ufe0f")
SYNTHETIC = synthesize_log(60, days=10, seed=4)
LOG, REFERENCE = SYNTHETIC.log, SYNTHETIC.reference
QUIET = silent_progress()
PARAMS: dict[str, dict[str, Any]] = {
    "safelog": {"K": 3.0, "b": 0.5},
    "korolova": {"K": 3.0},
    "zealous": {"tau": 2, "epsilon": 50.0, "delta": 0.5},
    "set-union": {"epsilon": 20.0, "delta": 0.1},
    "n-grams": {"epsilon": 20.0, "delta": 0.1},
    "partition-selection": {"epsilon": 20.0, "delta": 0.1},
    "frequency-threshold": {"n": 2},
    "click-pairs": {"k": 2},
    "popularity-score": {"k": 2},
    "trends-index": {"T": 2},
    "dp-public-key-counts": {"rho": 10.0, "threshold": 1},
    "dp-relative-index": {"epsilon": 50.0, "m": 1, "signal": 0.0},
    "k-theta-affinity": {"k": 2, "w": 2},
}
LOGS = [name for name in METHODS if METHODS[name].yields == "log"]
LONGEST_LAST = LONGEST_FIRST[::-1]
"""Two workers begin with this file and with the other one, and compile different kernels."""


def with_blanks(log: QueryLog, seed: int) -> QueryLog:
    """The log with blank rows among everybody's, some clicked, and users of blank rows alone."""
    rng = np.random.default_rng(seed)
    more = 300
    users = log.users.list_strings()
    low, high = log.period or (0, 1)
    user = [users[code] for code in log.user]
    user += [users[int(code)] for code in rng.integers(0, len(users), more)]
    user += [f"blank{number % 7}" for number in range(20)]
    extra = more + 20
    order = [len(user) - 1, *range(len(user) - 1)]  # the first of all users has blank rows alone
    urls = [None if code == NONE else log.urls[int(code)] for code in log.url]
    clicked = rng.random(extra) < 0.5
    columns: dict[str, Any] = {
        "query": log.queries.list_strings(log.query)
        + [BLANKS[n % len(BLANKS)] for n in range(extra)],
        "time": [*log.time.tolist(), *rng.integers(low, high, extra).tolist()],
        "url": urls + [log.urls[0] if hit and len(log.urls) else None for hit in clicked],
        "rank": [*log.rank.tolist(), *[1 if hit else NONE for hit in clicked]],
        "ip": None if log.ip is None else [*log.ip.tolist(), *[7] * extra],
        "cookie": None,
    }
    if log.cookie is not None and log.cookies is not None:
        names = [None if code == NONE else log.cookies[int(code)] for code in log.cookie]
        columns["cookie"] = names + [None] * extra
    columns["user"] = user
    for name, column in columns.items():
        columns[name] = None if column is None else [column[place] for place in order]
    return QueryLog.from_columns(**columns)


FULL = with_blanks(LOG, 1)
COMMON = QueryLog.from_columns(  # small, and noise leaves something of it
    user=[f"u{number % 200}" for number in range(1200)],
    query=[f"common {(number * number) % 7}" for number in range(1200)],
    time=[1_000_000_000 + 60 * number for number in range(1200)],
    url=["a.example" if number % 3 else None for number in range(1200)],
    rank=[1 if number % 3 else NONE for number in range(1200)],
)
FULL_REFERENCE = with_blanks(REFERENCE, 2)


def settled(value: Any) -> Any:
    """Values that can be compared: sums of floats may differ in their last digits."""
    if isinstance(value, dict):
        return {str(key): settled(item) for key, item in sorted(value.items(), key=str)}
    if isinstance(value, list | tuple):
        return [settled(item) for item in value]
    if isinstance(value, np.ndarray):
        return settled(value.tolist())
    if isinstance(value, np.generic):
        return settled(value.item())
    if isinstance(value, float):
        return "nan" if math.isnan(value) else f"{value:.9g}"
    return value


def released(method: str, log: QueryLog) -> Anonymized:
    params = METHODS[method].params(**PARAMS.get(method, {}))
    with plant_keys(COMMON.queries):  # for methods that count what a public list holds
        return local.apply_method(log, method, params, PreviewRandomness(3), QUIET)


def with_blank_rows_released(release: Anonymized) -> Anonymized:
    """What somebody released who knew nothing of blank queries."""
    if release.log is None:
        return release
    copied = ("method", "params", "statement", "changes", "truth")
    facts: dict[str, Any] = {name: getattr(release, name) for name in copied}
    return Release(content=with_blanks(release.log, 3), **facts)


KINDS = ("token-hashing", "bundling", "k-delta", "microaggregation", "safelog", "n-grams")
"""Methods whose releases differ in kind: hashes, bundles, logs, tables of queries, of n-grams."""


@pytest.fixture(scope="module", params=KINDS)
def pair(request: pytest.FixtureRequest) -> tuple[Anonymized, Anonymized]:
    """A release of the log, and one of the log with blank rows that releases such rows, too."""
    plain = released(request.param, LOG)
    return plain, with_blank_rows_released(plain)


def test_that_the_logs_differ_in_blank_rows_alone() -> None:
    assert len(FULL) == len(LOG) + 320
    assert len(FULL.users) == len(LOG.users) + 7
    assert FULL.without_blank.digest == LOG.without_blank.digest == LOG.digest
    assert FULL.without_blank is FULL.without_blank
    assert LOG.without_blank is LOG


def content_of(release: Anonymized) -> Any:
    if release.log is not None:
        return release.log.digest
    assert release.tables is not None
    plain = vars(release.tables).items()
    facts: dict[str, Any] = {
        k: v.list_strings() if isinstance(v, Vocabulary) else v for k, v in plain
    }
    if (cells := facts.pop("cells")) is not None:
        facts |= {column.heading: column.list_texts() for column in (*cells.keys, *cells.figures)}
    return settled(facts)


@pytest.mark.parametrize("name", LONGEST_LAST)
def test_that_a_method_gives_the_same_release(name: str) -> None:
    plain, full = released(name, COMMON), released(name, with_blanks(COMMON, 5))
    assert len(plain.content.queries) > 0
    assert content_of(full) == content_of(plain)
    assert full.statement == plain.statement
    assert full.changes == {**plain.changes, CHANGE: 320}


def metrics_of(result: ExpectedRelease | MeasureResult | AttackResult) -> Any:
    return settled({value.name: value.value for value in result.values})


@pytest.mark.parametrize("name", [name for name in METHODS if METHODS[name].outlook])
def test_that_an_outlook_is_the_same(name: str) -> None:
    plain, full = (expect(name, log, **PARAMS.get(name, {})) for log in (LOG, FULL))
    assert metrics_of(full) == metrics_of(plain)
    assert full.statement == plain.statement


@pytest.mark.parametrize("measure", MEASURES)
def test_that_every_measure_is_the_same(pair: tuple[Anonymized, Anonymized], measure: str) -> None:
    method = pair[0].method
    if MEASURES[measure].why_not(pair[0]):
        return
    again = local.make_rerun(method, METHODS[method].params(**PARAMS.get(method, {})), 1)
    plain, full = (
        take(MEASURES[measure], log, release, again=again)
        for log, release in zip((LOG, FULL), pair, strict=True)
    )
    assert metrics_of(full) == metrics_of(plain)
    assert settled(full.details) == settled(plain.details)
    assert full.notes == plain.notes
    tables, others = (
        {table.name: settled(table.rows) for table in result.tables if not table.own_words}
        for result in (plain, full)
    )
    assert others == tables


def list_references(result: AttackResult, log: QueryLog) -> Iterator[list[Any]]:
    """Whom or what each value, point and line of a table is about, as texts."""
    references = [(value.who, 1) for value in result.values]
    references += [(who, len(table.rows)) for table in result.tables for who in table.who.values()]
    series = [series for figure in result.figures for series in figure.series]
    references += [(line.who, len(line.x)) for line in series]
    for who, line in [(who, line) for who, lines in references if who for line in range(lines)]:
        codes = who.find(line).tolist()
        if who.unit == "users":
            yield [log.users[code] for code in codes]
        elif who.unit == "queries":
            yield [log.queries[code] for code in codes]
        else:
            yield [
                f"{log.users[int(log.user[code])]} {log.queries[int(log.query[code])]}"
                for code in codes
            ]


def facts_of(result: AttackResult, log: QueryLog) -> Any:
    """What an attack found, its sessions by the rows without blank ones."""
    names = ("rate", "baseline", "control", "interval", "details", "notes")
    plain: dict[str, Any] = {name: getattr(result, name) for name in names}
    plain["values"] = metrics_of(result)
    plain["who"] = [sorted(set(people)) for people in list_references(result, log)]
    finds = result.findings
    if finds is None:
        return settled(plain)
    position = np.cumsum(~log.queries.find_blank()[log.query])
    text = log.queries.list_strings()
    columns = (finds.start, finds.stop, finds.reason, finds.risk, finds.surviving)
    plain["sessions"] = sorted(
        (int(position[start]), int(position[stop - 1]), int(reason), float(risk), int(alive))
        for start, stop, reason, risk, alive in zip(*columns, strict=True)
    )
    exposed = finds.exposed
    plain["exposed"] = sorted(
        (int(position[start]), int(position[stop - 1]))
        for start, stop in zip(exposed.rows, exposed.stops, strict=True)
    )
    marked = np.unique(finds.mark_query).tolist()
    plain["marks"] = sorted(
        (text[code], mark) for code in marked for mark in finds.list_marks(code)
    )
    plain["survives"] = sorted(text[code] for code in np.flatnonzero(finds.survives))
    return settled(plain)


@pytest.mark.parametrize("name", [n for n in ATTACKS if n != "dp-audit"])  # it looks at no log
def test_that_every_attack_is_the_same(
    pair: tuple[Anonymized, Anonymized], name: str, tmp_path: Path
) -> None:
    profiles, method = tmp_path / "profiles.csv", pair[0].method
    SYNTHETIC.profiles.to_csv(profiles, index=False)
    rerun = local.make_rerun(method, METHODS[method].params(**PARAMS.get(method, {})), 9)
    facts = []
    for log, reference, release in zip((LOG, FULL), (REFERENCE, FULL_REFERENCE), pair, strict=True):
        evidence = Evidence(
            log=log, release=release, rerun=rerun,
            reference=reference, profiles=profiles, others=(release,),
        )  # fmt: skip
        if ATTACKS[name].why_not(evidence):
            return
        facts.append(facts_of(run_attack(ATTACKS[name], evidence, seed=1), log))
    assert facts[1] == facts[0]


def test_that_every_spelling_of_a_released_query_stands_in_the_log_as_it_was_read() -> None:
    log = QueryLog.from_columns(
        user=["blank", "ann", "bob", "cyd"],
        query=[" ", "\u3000Jane  Doe Phoenix", "jane doe phoenix", "rose"],
        time=[1, 2, 3, 4],
    )
    queries = Vocabulary.of(["jane doe phoenix"])
    release = release_of(Tables(queries=queries, query_count=np.ones(1, np.int64), folded=True))
    result = run_attack(ATTACKS["surviving-content"], Evidence(log=log, release=release))
    finds = present(result.findings)
    assert finds.survives.tolist() == [False, True, True, False]
    marked = {
        log.queries[code][start:stop]
        for code in (1, 2)
        for start, stop, _ in finds.list_marks(code)
    }
    assert marked == {"Jane  Doe", "Phoenix", "jane doe", "phoenix"}
    who = {value.name: value.who for value in result.values}["person.strings"]
    assert present(who).find(0).tolist() == [1, 2]
    for spelling in ("Jane  Doe Phoenix", "jane doe phoenix"):
        assert explain_query(log, release, spelling, QUIET).released


@pytest.mark.parametrize("name", METHODS)
def test_that_every_gate_is_the_same(name: str) -> None:
    verdicts = []
    for log in (LOG, FULL):
        plan = resolve_intent(Intent(method=name, measures=(), attacks=()), log, {})
        run = Run(plan, released(name, log), (), (), {}, {}, {})
        records = [judged_record(run, log, policy) for policy in read_bundled().values()]
        verdicts.append([check.to_dict() for record in records for check in record.judged])
    assert json.dumps(verdicts[0]) == json.dumps(verdicts[1])


def test_that_a_blank_query_is_explained_as_one_that_nobody_asked() -> None:
    release = released("k-delta", FULL)
    assert not explain_query(FULL, release, "", QUIET).released
    query = LOG.queries[int(LOG.query[0])]
    plain = explain_query(LOG, released("k-delta", LOG), query, QUIET).to_dict()
    assert explain_query(FULL, release, query, QUIET).to_dict() == plain


def test_that_nothing_breaks_on_a_log_of_blank_queries_alone() -> None:
    blank = QueryLog.from_columns(user=["a", "b", "b"], query=["", " ", ""], time=[1, 2, 3])
    assert len(blank.without_blank) == 0
    for name in LOGS:
        release = released(name, blank)
        assert len(release.content.queries) == 0
        for measure in MEASURES:
            if not MEASURES[measure].why_not(release):
                take(MEASURES[measure], blank, release)
