"""Runs a method on small neighbouring logs and counts what shows; judges nothing.

Two designs. *Independent runs*: one small log of all scenarios, new coins and new noise each time;
the first half of the runs chooses the event of each look, the second half is counted. *One run*:
thousands of copies of one scenario in one log, a coin for each, and guesses of all the coins. A
rehearsal with coins and noise of its own chooses beforehand what to guess by and how often, as the
theorem wants: neither may depend on the output that is guessed from. Both see outputs alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from auditor.arrays import Bools, Float64s
from auditor.attacks.dp_audit import neighbouring_logs as logs
from auditor.attacks.dp_audit.neighbouring_logs import (
    Key,
    OutputObservation,
    Scenario,
    ScenarioConfig,
)
from auditor.errors import ParameterError
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.messages import phrase
from auditor.privacy.planted_keys import plant_keys
from auditor.privacy.release import MethodRerun, Tables
from auditor.progress import Progress, SilentProgress, split_progress

STATISTICS = (
    "how many are shown",
    "what they count together",
    "how many count more than the crowd did",
)


class OutputReading:
    """What an output says of each string; O(size of the output) once."""

    def __init__(self, content: QueryLog | Tables) -> None:
        tables = content if isinstance(content, Tables) else _tables_of(content)
        queries, urls = tables.queries.list_strings(), tables.urls.list_strings()
        # Pages and queries are never the same string here, so one table serves all pairs.
        self._found: dict[Key, int] = dict(zip(queries, tables.query_count.tolist(), strict=True))
        for first, second, strings, count in (
            (tables.click_query, tables.click_url, urls, tables.click_count),
            (tables.from_query, tables.to_query, queries, tables.transition_count),
        ):
            pairs = zip(first.tolist(), second.tolist(), count.tolist(), strict=True)
            self._found |= {(queries[i], strings[j]): n for i, j, n in pairs}

    @property
    def is_empty(self) -> bool:
        """Whether it holds no string at all."""
        return not self._found

    def compute_statistics(self, look: OutputObservation) -> Float64s:
        """The `STATISTICS` of a look's strings, those of the other side taken off; shape (3,)."""
        return self._count_side(look.own, look.base) - self._count_side(look.mirrored, look.base)

    def _count_side(self, keys: tuple[Key, ...], base: int) -> Float64s:
        counts = [self._found[key] for key in keys if key in self._found]
        return np.array([len(counts), sum(counts), sum(c > base for c in counts)], dtype=np.float64)


def limits_of(params: Mapping[str, Any]) -> dict[str, Any]:
    """The limits of a `ScenarioConfig`, by the names that a method's parameters have."""
    strict, queries = params.get("mode") == "strict", int(params.get("q_f", params.get("m", 10)))
    has_days = params.get("protected_unit") == "history" and "days" in params
    return {
        "queries": queries,
        "clicks": int(params.get("c_f", queries)),
        "tau": 1 if strict else int(params.get("tau", 1)),
        "once": strict or params.get("counting_unit") not in ("rows", "events"),
        "days": int(params["days"]) if has_days else None,
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


LADDER = 14
"""Crowds of up to 2^14 users are tried for a query that is released surely enough."""
MOST_COPIED = 100_000
"""Rows of all copies in one log."""
_LADDER_RUNS = 10
_EDGE_RUNS = 20
_EDGE_STEPS = 12
_CHUNK = 500


@dataclass(eq=False)
class TrialBench:
    """The method under audit, and a number for each of its runs.

    Where its keys are `public`, the list holds all strings of the neighbours, and no output proves
    by a string alone that anybody issued it. `by` is the column that it counts queries by.
    """

    rerun: MethodRerun
    rng: np.random.Generator
    progress: Progress
    number: int = 0
    public: bool = False
    by: str = "none"
    had_output: bool = False
    """Whether any output held a string: where none does, nothing can be told apart."""

    def run(self, log: QueryLog, strings: Vocabulary) -> OutputReading:
        """One output of the method on `log`; `strings` are those of either neighbour."""
        self.number += 1
        with plant_keys(strings if self.public else None):
            release = self.rerun(log, self.number, SilentProgress(self.progress))
        reading = OutputReading(release.local_content)
        self.had_output |= not reading.is_empty
        return reading

    def show(self, look: OutputObservation) -> OutputObservation:
        """What a look shows of this method's outputs."""
        return replace(look, canary=False) if self.public else look


@dataclass(frozen=True, eq=False)
class Trials:
    """What one look showed, in n trials."""

    scenario: Scenario
    look: OutputObservation
    is_inside: Bools  # whether the user was in the log; shape (n,)
    statistics: Float64s  # the `STATISTICS` of the look's strings; shape (3, n)

    def take_half(self, second: bool) -> Trials:
        """The trials that choose an event, or those that it is counted on."""
        middle = len(self.is_inside) // 2
        part = slice(middle, None) if second else slice(middle)
        return Trials(self.scenario, self.look, self.is_inside[part], self.statistics[:, part])

    def append_trials(self, new_trials: Trials) -> Trials:
        """These trials, which choose, and as many others, which are counted."""
        is_inside = np.concatenate([self.is_inside, new_trials.is_inside])
        statistics = np.concatenate([self.statistics, new_trials.statistics], axis=1)
        return Trials(self.scenario, self.look, is_inside, statistics)

    def split_by_side(self, statistic: int) -> tuple[Float64s, Float64s]:
        """One statistic with the user in the log, and without them."""
        values = self.statistics[statistic]
        return values[self.is_inside], values[~self.is_inside]


def calibrate_crowds(bench: TrialBench, token: str, tau: int) -> tuple[int | None, int | None]:
    """(popular, edge): crowds of which a query comes out surely, and about every other time.

    Found by trying, as anybody could: what the thresholds are is not asked.
    """
    bench.progress.stage("finding queries that are brought out")
    sizes = [1 << power for power in range(LADDER + 1)]
    shares = _measure_shares(bench, token, sizes, _LADDER_RUNS)
    sure = [size for i, size in enumerate(sizes) if min(shares[i:]) >= 1]
    if not sure:
        return None, None
    popular = 2 * sure[0]
    never = max([0, *(size for size, share in zip(sizes, shares, strict=True) if share == 0)])
    between = np.unique(np.linspace(max(never, 1), sure[0], _EDGE_STEPS).astype(int)).tolist()
    rates = _measure_shares(bench, token, between, _EDGE_RUNS)
    edge = between[int(np.argmin(np.abs(np.array(rates) - 0.5)))]
    return popular, edge if edge >= tau else None


def _measure_shares(bench: TrialBench, token: str, sizes: Sequence[int], runs: int) -> list[float]:
    """How often a query of each size came out."""
    writer = logs.CrowdWriter(token)
    looks = []
    for size in sizes:
        bench.progress.check()
        query = f"{token} ladder {size}"
        writer.add_crowd(f"ladder {size}", size, [query])
        looks.append(OutputObservation("", "", (query,)))
    log = logs.log_of(writer.rows, by=bench.by)
    counts = np.zeros(len(sizes))
    for _ in range(runs):
        bench.progress.check()
        reading = bench.run(log, log.queries)
        counts += [reading.compute_statistics(look)[0] for look in looks]
    return [float(share) for share in counts / runs]


def independent_runs(bench: TrialBench, scenarios: Sequence[Scenario], runs: int) -> list[Trials]:
    """A trial of every scenario in each of `runs` runs; O(runs · rows of the log)."""
    coins = bench.rng.random((runs, len(scenarios))) < 0.5
    places = [(index, look) for index, scenario in enumerate(scenarios) for look in scenario.looks]
    values = np.zeros((len(STATISTICS), len(places), runs))
    drafts = logs.ScenarioLogs(scenarios, by=bench.by)
    cache: dict[bytes, QueryLog] = {}
    bench.progress.stage("running the method on neighbouring logs", runs)
    for run in range(runs):
        key = coins[run].tobytes()
        if key not in cache:
            cache[key] = drafts.build(coins[run])
        reading = bench.run(cache[key], drafts.strings)
        for place, (_, look) in enumerate(places):
            values[:, place, run] = reading.compute_statistics(look)
        bench.progress.advance()
    return [
        Trials(scenarios[index], bench.show(look), coins[:, index], values[:, place])
        for place, (index, look) in enumerate(places)
    ]


def one_run(
    bench: TrialBench, config: ScenarioConfig, token: str, copies: int
) -> Iterator[tuple[list[Trials], str]]:
    """For each scenario that can be copied: its looks in one run, or why it could not be run."""
    copied: dict[str, Callable[[str], Scenario | None]] = {
        "unseen": lambda own_token: logs.make_unique_query(config, own_token),
        "unseen-many": lambda own_token: logs.unseen_many(config, own_token),
        "lift": lambda own_token: logs.lift_to_frequency(config, own_token, shared=token),
        "page": lambda own_token: logs.make_unique_clicks(config, own_token, shared=token),
    }
    phases = split_progress(bench.progress, [1.0] * len(copied))
    for (name, make), bench.progress in zip(copied.items(), phases, strict=True):
        first = make(f"{token} {name} 0")
        if first is None:
            continue
        rows = len(first.crowd) + max(len(first.victim), len(first.instead))
        size = min(copies // 2, MOST_COPIED // max(rows, 1))
        if size < 50:
            continue
        bench.progress.stage(
            phrase("one run with {size:,} users who may be there", size=size), size
        )
        scenarios = []
        for number in range(size):
            scenario = make(f"{token} {name} {number}")
            assert scenario is not None
            scenarios.append(scenario)
            if number % _CHUNK == 0:
                bench.progress.update(number)
        try:
            drafts = logs.ScenarioLogs(scenarios, logs.shared_crowd(config, token), by=bench.by)
            rehearsal, final = (_run_scenarios(bench, scenarios, drafts) for _ in range(2))
        except ParameterError as error:
            yield [], str(error)
            continue
        pairs = zip(rehearsal, final, strict=True)
        yield [chooses.append_trials(counts) for chooses, counts in pairs], ""


def _run_scenarios(
    bench: TrialBench, scenarios: Sequence[Scenario], drafts: logs.ScenarioLogs
) -> list[Trials]:
    """New coins, one run, and what each look shows of every copy."""
    is_inside = bench.rng.random(len(scenarios)) < 0.5
    log = drafts.build(is_inside)
    bench.progress.check()
    reading = bench.run(log, drafts.strings)
    trials = []
    for place, look in enumerate(scenarios[0].looks):
        statistics = np.zeros((len(STATISTICS), len(scenarios)))
        for number, scenario in enumerate(scenarios):
            statistics[:, number] = reading.compute_statistics(scenario.looks[place])
            if number % _CHUNK == 0:
                bench.progress.check()
        trials.append(Trials(scenarios[0], bench.show(look), is_inside, statistics))
    return trials
