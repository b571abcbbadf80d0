"""What holds for every method, attack and measure that is registered, now or later."""

import contextlib
import functools
import itertools
import json
import threading
from typing import Any

import numpy as np
import pytest

from auditor.attacks.base import Evidence
from auditor.attacks.registry import ATTACKS
from auditor.engine.backends import local
from auditor.engine.costs import CostEstimator
from auditor.errors import AuditorError, Cancelled, MissingInput, ParameterError
from auditor.figures import Table
from auditor.log.model import QueryLog
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS
from auditor.params import ParamKind, Params, ParamSpec
from auditor.privacy.noise import PreviewRandomness
from auditor.privacy.release import Preview
from auditor.progress import Progress, silent_progress
from auditor.registry import Registry
from tests.measures.fakes import made_by, run_attack, take

COSTS = CostEstimator.load_shipped()
KINDS = (("method", METHODS), ("attack", ATTACKS), ("measure", MEASURES))
SHIPPED = [(kind, name) for kind, registry in KINDS for name in registry]
LONGEST_FIRST = list(dict.fromkeys(("day-pseudonyms", "entity-allowlist", *METHODS)))
"""The methods; those that find identifiers take a minute to compile, if nothing has been yet."""
ENTRIES = [(registry, name) for registry in (METHODS, ATTACKS, MEASURES) for name in registry]


def small_log(rows: int = 400, seed: int = 7) -> QueryLog:
    rng = np.random.default_rng(seed)
    words = [f"{a} {b}" for a in ("red", "blue", "old", "big") for b in ("car", "dog", "bank")]
    query = [words[min(int(x), 11)] for x in rng.geometric(0.25, rows) - 1]
    return QueryLog.from_columns(
        user=[f"u{x}" for x in rng.integers(0, 40, rows)],
        query=query,
        time=rng.integers(0, 10**6, rows) + 10**9,
        url=[f"http://{q.split()[1]}.example" if rng.random() < 0.5 else None for q in query],
        rank=np.full(rows, 1, np.int16),
    )


LOG = small_log()


@functools.cache
def released(name: str) -> Preview:
    """A preview of `LOG` by a method with its default parameters."""
    return made_by(name, LOG)


def bounds() -> list[tuple[str, str, Any]]:
    return [
        (name, spec.name, value)
        for name in METHODS
        for spec in METHODS[name].params.specs()
        for value in extremes(spec)
    ]


def extremes(spec: ParamSpec) -> list[Any]:
    match spec.kind:
        case ParamKind.FLAG:
            return [True, False]
        case ParamKind.CHOICE:
            return [option.value for option in spec.options]
        case ParamKind.INTEGER | ParamKind.REAL:
            assert spec.bounds is not None
            low, high = spec.bounds.low, spec.bounds.high
            if spec.kind is ParamKind.INTEGER:
                return [int(low), int(high)]
            inner_low = low if low in spec.bounds else low + (high - low) * 1e-9
            inner_high = high if high in spec.bounds else high - (high - low) * 1e-9
            return [inner_low, inner_high]
        case ParamKind.PATH:
            return [None]


FEW_USERS = "The log has 40 users, fewer than k = 1,000,000"
REFUSED: dict[tuple[str, str, Any], tuple[type[AuditorError], str]] = {
    ("safelog", "pool", "file"): (MissingInput, "needs a file"),
    ("safelog", "pool", "reference"): (MissingInput, "needs a file"),
    ("korolova", "clicks", "results"): (MissingInput, "need the file of these"),
    ("k-delta", "k", 1_000_000): (ParameterError, FEW_USERS),
    ("m-k-delta-epsilon", "k", 1_000_000): (ParameterError, FEW_USERS),
    ("m-k-delta-epsilon", "k", 2): (ParameterError, "must be at most k = 2. Got 3"),
    ("m-k-delta-epsilon", "m", 1_000_000): (ParameterError, "must be at most k = 10"),
    ("microaggregation", "k", 1_000_000): (ParameterError, FEW_USERS),
    ("dp-relative-index", "first_day", 19700101): (ParameterError, "more than anybody can count"),
    ("dp-relative-index", "last_day", 99991231): (ParameterError, "more than anybody can count"),
    ("bundling", "by", "ip-mask"): (MissingInput, "no IP addresses to mask"),
    ("bundling", "by", "cookie-hash"): (MissingInput, "no cookies to hash"),
    **{
        ("safelog", "group_by", option.value): (ParameterError, "of queries alone")
        for option in METHODS["safelog"].params.spec("group_by").options[1:]
    },
}
"""The only ends of parameters' ranges at which a method can't run on `LOG`, and what it says."""


@pytest.mark.parametrize(("registry", "name"), ENTRIES)
def test_that_an_entry_is_described_for_people(registry: Registry[Any], name: str) -> None:
    entry = registry[name]
    assert entry.name == name
    assert entry.title
    assert entry.summary.endswith(".")
    assert entry.source
    assert entry.cost
    assert entry.params.owner == name
    for spec in entry.params.specs():
        assert spec.label, spec.name
        assert len(spec.help) > 20, spec.name
        assert spec.help.endswith("."), spec.name
        if spec.kind in (ParamKind.INTEGER, ParamKind.REAL):
            assert spec.slider is not None
            assert spec.bounds is not None
            assert spec.bounds.low <= spec.slider[0] < spec.slider[1] <= spec.bounds.high
        for key, values in spec.when.items():
            other = entry.params.spec(key)
            for value in values:
                other.validate(value, name)


@pytest.mark.parametrize("name", LONGEST_FIRST)
def test_that_a_method_gives_what_it_says_and_a_statement_that_is_data(name: str) -> None:
    product = released(name)
    assert isinstance(product.content, QueryLog) == (METHODS[name].yields == "log")
    plain = product.statement.to_dict()
    json.dumps(plain, allow_nan=False)
    assert plain["claim"]
    assert plain["unit"]
    assert all(count >= 0 for count in product.changes.values())


STAGES = {
    "safelog": {"limiting users", "counting clicks", "counting transitions"},
    "m-k-delta-epsilon": {"grouping users", "clustering queries", "splitting groups"},
}
"""What takes the longest, and is told."""


@pytest.mark.parametrize("name", METHODS)
def test_that_a_method_hears_a_cancel_in_every_stage_but_the_last(name: str) -> None:
    method, seeds = METHODS[name], itertools.count()

    def run(progress: Progress) -> None:
        log = small_log(seed=next(seeds))  # of its own: what is counted of a small one is kept
        method.run(log, method.params(), rng=PreviewRandomness(1), progress=progress)

    stages: dict[str, None] = {}
    run(Progress(lambda stage, *_: stages.setdefault(stage), interval=0))
    assert STAGES.get(name, set()) <= stages.keys()
    for target in list(stages)[:-1] or stages:
        stop = threading.Event()

        def report(stage: str, *_: int, last: str = target, stop: threading.Event = stop) -> None:
            if stage == last:
                stop.set()

        with pytest.raises(Cancelled):
            run(Progress(report, stop, interval=0))


@pytest.mark.parametrize(("name", "parameter", "value"), bounds())
def test_that_a_method_runs_at_every_bound_or_says_why_not(
    name: str, parameter: str, value: Any
) -> None:
    method = METHODS[name]
    error, why = REFUSED.get((name, parameter, value), (None, ""))
    with pytest.raises(error, match=why) if error else contextlib.nullcontext():
        params: Params = method.params().replace(**{parameter: value})
        product = method.run(LOG, params, rng=PreviewRandomness(1), progress=silent_progress())
        assert all(count >= 0 for count in product.changes.values())
        if method.outlook is not None:
            outlook = method.outlook(LOG, params, scale=3.0, progress=silent_progress())
            assert all(np.isfinite(metric.value) for metric in outlook.values)
        if method.curves is not None:
            for figure in method.curves(params, len(LOG.users)):
                assert all(np.isfinite(line.y).all() for line in figure.series), figure.name


@pytest.mark.parametrize("name", METHODS)
def test_that_equal_seeds_give_equal_previews(name: str) -> None:
    again = made_by(name, LOG)
    assert again.changes == released(name).changes
    assert again.statement == released(name).statement


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("measure", MEASURES)
def test_that_every_measure_takes_every_release_it_applies_to(name: str, measure: str) -> None:
    release = released(name)
    if MEASURES[measure].why_not(release):
        return
    again = local.make_rerun(name, METHODS[name].params(), 1)
    result = take(MEASURES[measure], LOG, release, again=again)
    assert result.measure == measure
    assert [column for table in result.tables for column in find_shares_without_unit(table)] == []
    assert len({value.name for value in result.values}) == len(result.values)
    for figure in result.figures:
        assert figure.title
        assert figure.x.label
        assert figure.y.label


NO_SHARES = {"Margin", "Margin from", "to", "p", "p, all", "t", "t, all", "Rand index"}
NO_SHARES |= {"Jaccard index", "correlation", "By independent runs", "By one run"}
"""Columns of numbers from 0 to 1 that are parts of nothing."""
INDICES = {"retrieval", "similarity"}
"""Tables of indices such as MAP, which people know as 0.131; what is a share there has its unit."""


def find_shares_without_unit(table: Table) -> list[str]:
    """Columns that look like shares and would be shown as 0.131."""
    assert len(table.units) <= len(table.columns)
    assert len(table.row_units) <= len(table.rows)
    columns = []
    for place, name in enumerate(table.columns):
        bare = [
            row[place]
            for line, row in enumerate(table.rows)
            if isinstance(row[place], float) and not table.find_unit(line, place)
        ]
        inside = bare and all(0 <= value <= 1 for value in bare)
        exempt = name in NO_SHARES or table.name in INDICES
        if inside and any(0 < value < 1 for value in bare) and not exempt:
            columns.append(f"{table.name}: {name}")
    return columns


@pytest.mark.parametrize("method", ["", "frequency-threshold", "bundling", "token-hashing"])
@pytest.mark.parametrize("name", ATTACKS)
def test_that_every_attack_reports_a_rate_with_its_interval_and_shares_that_say_they_are(
    name: str, method: str
) -> None:
    evidence = Evidence(log=LOG)
    if method:
        evidence = Evidence(log=LOG, release=released(method), reference=LOG)
    if ATTACKS[name].why_not(evidence):
        return
    result = run_attack(ATTACKS[name], evidence)
    low, high = result.interval
    assert 0 <= low <= result.rate <= high <= 1
    assert 0 <= result.baseline <= 1
    assert [column for table in result.tables for column in find_shares_without_unit(table)] == []


@pytest.mark.parametrize(("kind", "entry"), SHIPPED)
def test_that_everything_shipped_has_a_measured_cost(kind: str, entry: str) -> None:
    small, large = (COSTS.estimate_part(kind, entry, rows) for rows in (10_000, 1_000_000))
    assert small is not None, "measure it: python -m tests.bench.bench_costs"
    assert large is not None
    assert 0 < small.seconds <= large.seconds
    assert large.bytes > 0
