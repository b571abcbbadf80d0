"""Suggest against an exhaustive grid: utility, processor seconds, and whether suggestions pass.

``python -m tests.bench.bench_suggest [log …] [--grid calculated|run|full|none] [--seeds 20]``
prints a line of a Markdown table for each log: sample, excite, or a number of synthetic users such
as 5000; mode *free*, the bundled policy. ``excite:5`` is judged by a looser policy that wants five
queries left, no least share of the searches, and lets one more search show what it shows.

The grid has every combination of `LIMITS` queries per user, of the kinds of each method with ε
(which tables, how many rounds, how weight is shared, how much for the counts), and of the policy's
δ and smaller ones, `DELTAS`; each suppresses what suggestions do. The suggestion is compared with
the best cell that passes by the standard of suggestions: what gates want kept back stays back with
the same chance, calculated for every cell. How the grid is made:

calculated
    What each cell releases and whether it passes is calculated. A grid of the same quality judges
    each cell by the policy, so the time that is compared is that of one full run for each cell.
run
    Each cell's method runs with seeded noise, as `sweep` does; the most useful cell that passes
    `--grid-seeds` runs is shown, too, whatever its chance was: of many cells some are lucky.
full
    A smaller grid (`FULL_LIMITS`, `FULL_DELTAS`, no clicks), of which every cell runs in full with
    secure noise, all attacks and gates; the audit of ε, which takes most of a run, only where
    nothing else fails. The time that is compared is measured. The most useful
    cell that passed its one run is shown, too, and how often it passes `--grid-seeds` further runs.

With `--every N` only every Nth limit is looked at, and the others are reckoned to take as long.
Every suggestion that passes is made `--seeds` times with secure noise and judged by all gates
(`--seeds-others` for all but the best), those on the audit of ε in the first run only: it makes its
own logs, not the release's. `--private N` instead makes N private choices, each paid for anew, and
runs and judges each once. `--budgets` searches once more under so many seconds each and says
after how many it ended. Times are processor seconds of this process, once everything is compiled.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from auditor.attacks.base import Evidence
from auditor.engine.backends import local
from auditor.engine.plan import Intent, resolve_intent
from auditor.engine.runner import RunHandle, execute_plan
from auditor.log.gazetteers import sample_log
from auditor.log.model import QueryLog
from auditor.log.reading.reader import read_log
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods.registry import METHODS
from auditor.params import Params
from auditor.privacy.noise import PreviewRandomness, Randomness, SecureRandomness
from auditor.privacy.selection import ParameterSelection
from auditor.progress import silent_progress
from auditor.release.kept_content import KeptContent
from auditor.release.policy.policy import SURVIVING, Policy, default_policy
from auditor.release.verdict import ReleaseVerdict
from auditor.suggestions.candidates import SearchCandidate
from auditor.suggestions.estimates import SAFE, LogPart, estimate_content, find_hidden
from auditor.suggestions.limits import PolicyLimits, needed_attacks
from auditor.suggestions.passing import PlantedGates
from auditor.suggestions.request import SearchHearing, SearchRequest, parse_goal
from auditor.suggestions.result import Suggestion, Suggestions
from auditor.suggestions.search import suggest_release
from auditor.suggestions.store import SearchStore
from auditor.suggestions.table import CandidateRunner
from tests.reference.logs import EXCITE
from tests.release.judging import judge_run

LIMITS = (1, 2, 3, 4, 6, 9, 14, 20, 30, 45, 70, 100, 150, 220, 330)
DELTAS = (1.0, 0.1, 0.01, 0.001)
"""Shares of the policy's δ: a smaller one raises thresholds at the same noise."""
FULL_LIMITS = (2, 9, 45, 150, 330)
FULL_DELTAS = (0.1, 0.001)
"""The grid of which every cell is run in full."""
LOOSENED = ("release.searches_share", "attack.planted-strings.n_minus_one")
"""Gates of which a looser policy is free: what a log of few users can hardly pass."""
AUDIT = "dp-audit"
SMALL = 10_000
"""Up to so many users each cell is run `REPEATS` times, since noise tells cells apart less."""
REPEATS = 3


@dataclass(frozen=True)
class GridCell:
    """A setting of the grid and what it released."""

    method: str
    params: Params
    utility: float
    selection: ParameterSelection | None = None


def open_log(name: str) -> QueryLog:
    """The sample, the Excite log, or a synthetic one of so many users."""
    if name == "sample":
        return read_log(sample_log())
    if name == "excite":
        return read_log(EXCITE)
    return synthesize_log(int(name), seed=11).log


def list_settings(
    limits: PolicyLimits, every: int = 1, *, full: bool = False
) -> Iterator[tuple[str, Params]]:
    """Every setting of the grid at the policy's ε and δ; `full` for the one that is run in full."""
    for share in FULL_DELTAS if full else DELTAS:
        for limit in (FULL_LIMITS if full else LIMITS)[:: max(every, 1)]:
            for method, params in list_kinds(limits.of_delta(share), limit):
                if not (full and getattr(params, "clicks", False)):
                    yield method, params.replace(suppress=limits.suppress)


def list_kinds(limits: PolicyLimits, limit: int) -> Iterator[tuple[str, Params]]:
    """The kinds of each method at one ε and δ and one limit per user."""
    epsilon, delta = limits.epsilon, limits.delta
    safelog, korolova = METHODS["safelog"].params(), METHODS["korolova"].params()
    zealous, union = METHODS["zealous"].params(), METHODS["set-union"].params()
    truncated = METHODS["partition-selection"].params()
    alone = safelog.replace(q_f=limit, c_f=limit, delta=delta)
    for clicks, moves in ((0.0, 0.0), (0.3, 0.0), (0.3, 0.2), (0.5, 0.0)):
        yield (
            "safelog",
            alone.replace(
                b=limit / ((1 - clicks - moves) * epsilon),
                clicks=clicks > 0,
                transitions=moves > 0,
                b_c=limit / ((clicks or 1) * epsilon),
                b_t=max(limit - 1, 1) / ((moves or 1) * epsilon),
            ),
        )
    for part in (0.5, 0.7, 0.9):
        b, b_q = limit / (part * epsilon), limit / ((1 - part) * epsilon)
        yield (
            "korolova",
            korolova.replace(q_f=limit, b=b, b_q=b_q, delta=delta, counting_unit="users"),
        )
    yield "zealous", zealous.replace(m=limit, epsilon=epsilon, delta=delta)
    yield "partition-selection", truncated.replace(q_f=limit, epsilon=epsilon, delta=delta)
    for counting in (0.1, 0.3):
        shared = union.replace(
            epsilon=epsilon, delta=delta * (1 - 1e-6), q_f=limit, counting=counting
        )
        yield from (("set-union", shared.replace(rounds=rounds)) for rounds in (1, 2, 3))
        yield "set-union", shared.replace(weighting="screened")


def release_utility(
    log: QueryLog, method: str, params: Params, goal: str, rng: Randomness
) -> float:
    """What one run of the method alone is worth."""
    made = local.apply_method(log, method, params, rng, silent_progress())
    kept = KeptContent.of(log, made)
    return float(kept.queries or 0) if goal == "queries" else float(kept.share or 0.0)


@dataclass(frozen=True)
class GridResult:
    """The best cell that passes for sure, the best that passed its runs, the best of all; seconds.

    `cells` and `seconds` are those of the whole grid, where only a part of it was looked at.
    `passed` says how often the best that passed does so in further runs.
    """

    sure: GridCell | None
    best: GridCell | None
    top: GridCell
    cells: int
    seconds: float
    passed: str = ""


@dataclass(frozen=True)
class GridTask:
    """What a grid is made of, and how; see the module's description."""

    log: QueryLog
    policy: Policy
    goal: str
    seeds: int
    every: int
    least: float
    """Utility of the suggestion: cells that are no match for it are not run again."""

    @property
    def limits(self) -> PolicyLimits:
        """The policy's limits for the log."""
        return PolicyLimits.of(self.policy, len(self.log.users))

    @property
    def part(self) -> LogPart:
        """The whole log with the queries that gates want kept back."""
        hidden = find_hidden(self.log, self.policy, None, silent_progress())
        return LogPart(self.log, 1.0, hidden=hidden)

    def average(self, cell: GridCell) -> GridCell:
        """A cell with its utility as the mean over seeded runs."""
        runs = max(self.seeds, 5)
        mean = average_utility(self.log, cell.method, cell.params, self.goal, runs, 1_000)
        return replace(cell, utility=mean)

    def first_sure(self, ordered: list[GridCell], part: LogPart) -> GridCell | None:
        """The most useful cell that passes by the standard of suggestions, with its mean."""
        limits = self.limits
        found = next((c for c in ordered if is_sure(self.policy, limits, part, c)), None)
        return None if found is None else self.average(found)


def run_grid(task: GridTask) -> GridResult:
    """Run each cell's method and judge cells, the most useful first, until one always passes."""
    began = time.process_time()
    repeats = REPEATS if len(task.log.users) <= SMALL else 1
    settings = list(list_settings(task.limits, task.every))
    cells = [
        GridCell(
            method, params, average_utility(task.log, method, params, task.goal, repeats, 10 * at)
        )
        for at, (method, params) in enumerate(settings)
    ]
    print(f"grid: {len(cells)} cells run", file=sys.stderr, flush=True)
    every_cell = len(list(list_settings(task.limits)))
    spent = (time.process_time() - began) / repeats * every_cell / len(settings)
    ordered = sorted(cells, key=lambda cell: -cell.utility)
    sure = task.first_sure(ordered, task.part)
    for cell in ordered:
        if cell.utility < 0.97 * task.least:
            break
        if count_passing(task, cell, stop=True) == task.seeds:
            passed = f"{task.seeds} of {task.seeds}"
            best = task.average(cell)
            return GridResult(sure, best, ordered[0], every_cell, spent, passed)
    return GridResult(sure, None, ordered[0], every_cell, spent)


def calculate_grid(task: GridTask) -> GridResult:
    """Calculate what each cell releases and whether it passes."""
    began = time.process_time()
    part = task.part
    settings = list(list_settings(task.limits, task.every))
    cells = []
    for method, params in settings:
        found = estimate_content(method, params, part, silent_progress())
        assert found is not None
        cells.append(GridCell(method, params, found.figures[task.goal]))
    every_cell = len(list(list_settings(task.limits)))
    spent = (time.process_time() - began) * every_cell / len(settings)
    print(f"grid: {len(cells)} cells calculated", file=sys.stderr, flush=True)
    ordered = sorted(cells, key=lambda cell: -cell.utility)
    return GridResult(task.first_sure(ordered, part), None, ordered[0], every_cell, spent)


def judge_grid(task: GridTask) -> GridResult:
    """Run every cell of the smaller grid in full, with secure noise and all attacks and gates."""
    settings = list(list_settings(task.limits, task.every, full=True))
    passing, cells, spent = [], [], 0.0
    for at, (method, params) in enumerate(settings):
        cell = GridCell(method, params, 0.0)
        verdict, seconds = judge_cell(task.log, task.policy, cell, 2)
        spent += seconds
        if verdict.releasable:
            verdict, seconds = judge_cell(task.log, task.policy, cell, 1)
            spent += seconds
        kept = verdict.kept
        utility = float(kept.queries or 0) if task.goal == "queries" else kept.share or 0.0
        cells.append(replace(cell, utility=utility))
        if verdict.releasable:
            passing.append(cells[-1])
        if at % 10 == 9:
            said = f"grid: {at + 1} of {len(settings)} cells in {spent:.0f} s"
            print(f"{said}, {len(passing)} pass", file=sys.stderr, flush=True)
    ordered = sorted(cells, key=lambda cell: -cell.utility)
    sure = task.first_sure(sorted(passing, key=lambda cell: -cell.utility), task.part)
    best, passed = max(passing, key=lambda cell: cell.utility, default=None), ""
    if best is not None:
        passed = f"{count_passing(task, best, stop=False)} of {task.seeds}"
        best = task.average(best)
    every_cell = len(list(list_settings(task.limits, full=True)))
    return GridResult(
        sure, best, ordered[0], every_cell, spent * every_cell / len(settings), passed
    )


GRIDS = {"calculated": calculate_grid, "run": run_grid, "full": judge_grid}


def is_sure(policy: Policy, limits: PolicyLimits, part: LogPart, cell: GridCell) -> bool:
    """Whether a cell passes by the standard of suggestions, by calculation."""
    found = estimate_content(cell.method, cell.params, part, silent_progress())
    candidate = SearchCandidate(cell.method, cell.params, "", 0)
    return (
        found is not None
        and found.safe >= SAFE
        and found.least_queries >= limits.queries
        and found.share >= limits.share
        and PlantedGates(policy).withstands(candidate)
    )


def count_passing(task: GridTask, cell: GridCell, *, stop: bool) -> int:
    """In how many of so many seeded runs a cell passes all gates on its noise.

    With `stop`, the first that fails ends the count.
    """
    request = SearchRequest(policy=task.policy, goal=parse_goal("queries"))
    runner = CandidateRunner(task.log, request, SearchStore(), RunHandle(0), lambda _: None)
    wanted = (SURVIVING, "n_minus_one", "queries", "searches_share")
    gates = [gate for gate in task.policy.gates if gate.figure.rpartition(".")[2] in wanted]
    passed = 0
    for draw in range(task.seeds):
        good = all(one.ok for one in runner.judge_again(cell.method, cell.params, gates, draw))
        passed += good
        if stop and not good:
            break
    return passed


def judge_cell(
    log: QueryLog, policy: Policy, cell: GridCell, draw: int
) -> tuple[ReleaseVerdict, float]:
    """The verdict of a run with secure noise, and its processor seconds; audits in draw 1 only."""
    attacks = needed_attacks(policy)
    assert attacks is not None
    if draw > 1:
        policy = without_audit(policy)
        attacks = tuple(name for name in attacks if name != AUDIT)
    intent = Intent(
        method=cell.method,
        values=((cell.method, cell.params),),
        attacks=attacks,
        measures=(),
        selection=cell.selection,
    )
    plan = resolve_intent(intent, log)
    began = time.process_time()
    evidence = Evidence(log=log)
    result = execute_plan(plan, evidence, SecureRandomness(), RunHandle(0), lambda _: None, draw)
    return judge_run(result, log, policy), time.process_time() - began


def without_audit(policy: Policy) -> Policy:
    """The policy without gates on the audit of ε."""
    return replace(
        policy,
        gates=tuple(gate for gate in policy.gates if f".{AUDIT}." not in gate.figure),
        requires=tuple(name for name in policy.requires if name != AUDIT),
    )


def average_utility(
    log: QueryLog, method: str, params: Params, goal: str, runs: int, seed: int
) -> float:
    """The mean over some seeded runs."""
    made = [
        release_utility(log, method, params, goal, PreviewRandomness(seed + at))
        for at in range(runs)
    ]
    return float(np.mean(made))


def judge_often(
    log: QueryLog, policy: Policy, point: Suggestion, goal: str, seeds: int
) -> tuple[int, float, float]:
    """How many runs with secure noise pass, their mean utility, and the seconds of a full one."""
    passed, utilities, attacking = 0, [], []
    for draw in range(1, seeds + 1):
        cell = GridCell(point.method, point.params, 0.0)
        verdict, spent = judge_cell(log, policy, cell, draw)
        for gate in verdict.failed:
            print(f"run {draw} fails {gate.gate.name}: {gate.evidence}", file=sys.stderr)
        attacking.extend([spent] if draw == 1 else [])
        passed += verdict.releasable
        kept = verdict.kept
        said = f"run {draw}: {kept.queries} queries, {passed} of {draw} passed, {spent:.1f} s"
        print(said, file=sys.stderr, flush=True)
        utilities.append(float(kept.queries or 0) if goal == "queries" else kept.share or 0.0)
    return passed, float(np.mean(utilities)), float(np.median(attacking))


def measured(work: Callable[[], Suggestions]) -> tuple[Suggestions, float]:
    """A result and its processor seconds."""
    began = time.process_time()
    found = work()
    return found, time.process_time() - began


def loosen(policy: Policy, least: int) -> Policy:
    """The policy with another least number of queries and without the gates in `LOOSENED`."""
    gates = tuple(
        replace(gate, least=float(least)) if gate.figure == "release.queries" else gate
        for gate in policy.gates
        if gate.figure not in LOOSENED
    )
    return replace(policy, gates=gates, sha256=f"{policy.sha256} {least}")


def main() -> None:
    """Print a line of a Markdown table for each log."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", nargs="*", default=["sample", "excite", "excite:5", "5000"])
    parser.add_argument("--goal", choices=["queries", "volume"], default="queries")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--seeds-others", type=int, help="of suggestions that are not the best")
    parser.add_argument("--grid", choices=[*GRIDS, "none"], default="calculated")
    parser.add_argument("--grid-seeds", type=int, default=20)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--private", type=int, default=0, metavar="N")
    parser.add_argument("--growth", action="store_true")
    parser.add_argument("--budgets", type=float, nargs="*", default=[])
    parser.add_argument("--budget", type=float, help="of the search that is compared")
    arguments = parser.parse_args()
    warm = synthesize_log(300, days=5, seed=1).log
    policy, goal = default_policy(), arguments.goal
    suggest_release(SearchRequest(policy=policy, goal=parse_goal(goal), mode="free"), warm)
    for settings in list_kinds(PolicyLimits.of(policy, 300), LIMITS[3]):
        release_utility(warm, *settings, goal, PreviewRandomness(0))
    if arguments.private:
        print("| log | users | choices | passed | expected (mean) | released (mean) |")
        print("|---|---|---|---|---|---|", flush=True)
        for name in arguments.logs:
            print(measure_private(name, policy, arguments), flush=True)
        return
    print(
        "| log | users | suggestion (mean) | grid's best by its standard | "
        "best that passed a run | best of all | search | grid; judged | times faster | pass |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|", flush=True)
    for name in arguments.logs:
        print(measure_log(name, policy, arguments), flush=True)


def measure_private(name: str, policy: Policy, arguments: argparse.Namespace) -> str:
    """The line of one log: private choices, each with a store of its own, and a run of each."""
    log, goal = open_log(name), arguments.goal
    wanted = SearchRequest(policy=policy, goal=parse_goal(goal), mode="private")
    expected, released, passed = [], [], 0
    for draw in range(1, arguments.private + 1):
        point = suggest_release(wanted, log, store=SearchStore()).points[0]
        cell = GridCell(point.method, point.params, point.utility, point.selection)
        verdict, spent = judge_cell(log, policy, cell, draw)
        passed += verdict.releasable
        kept = verdict.kept
        expected.append(point.utility)
        released.append(float(kept.queries or 0) if goal == "queries" else kept.share or 0.0)
        failed = "; ".join(f"{gate.gate.name}: {gate.evidence}" for gate in verdict.failed)
        print(
            f"choice {draw}: {point.title}, {point.utility:,.0f} expected, {released[-1]:,.4g} "
            f"released, {passed} of {draw} passed, {spent:.1f} s {failed}",
            file=sys.stderr,
            flush=True,
        )
    return (
        f"| {name} | {len(log.users):,} | {arguments.private} | {passed} | "
        f"{np.mean(expected):,.4g} | {np.mean(released):,.4g} |"
    )


def measure_log(name: str, policy: Policy, arguments: argparse.Namespace) -> str:
    """The line of one log."""
    named, _, least_queries = name.partition(":")
    log, goal = open_log(named), arguments.goal
    if least_queries:
        policy = loosen(policy, int(least_queries))
    request = SearchRequest(
        policy=policy,
        goal=parse_goal(goal),
        mode="free",
        growth=arguments.growth,
        budget=arguments.budget,
    )
    first_heard: list[tuple[float, float]] = []
    began = time.perf_counter(), time.process_time()

    def hear(point: Suggestion) -> None:
        if not point.expected and point.verdict.releasable and point.may_pass:
            first_heard.append((time.perf_counter() - began[0], time.process_time() - began[1]))

    found, in_all = measured(lambda: suggest_release(request, log, SearchHearing(found=hear)))
    print(found.text(), file=sys.stderr, flush=True)
    heard = "{:.1f} s, {:.1f} processor seconds".format(*first_heard[0]) if first_heard else "no"
    print(
        f"first that passes after {heard}; search {in_all:.1f} processor seconds",
        file=sys.stderr,
        flush=True,
    )
    for budget in arguments.budgets:
        start = time.perf_counter()
        some = suggest_release(replace(request, budget=budget), log)
        took = time.perf_counter() - start
        best = some.best.title if some.best else "nothing"
        print(f"budget {budget:g} s: {took:.2f} s, {best}", file=sys.stderr, flush=True)
    passing = [point for point in found.points if point.verdict.releasable and point.may_pass]
    passed: list[str] = []
    means: list[float] = []
    full: list[float] = []
    for point in passing:
        others = arguments.seeds if arguments.seeds_others is None else arguments.seeds_others
        seeds = others if passed else arguments.seeds
        if not seeds:
            continue
        good, mean, spent = judge_often(log, policy, point, goal, seeds)
        passed.append(f"{good} of {seeds}")
        means.append(mean)
        full.append(spent)
        said = f"{point.title}: {passed[-1]}, mean {mean:.4g}, {spent:.1f} s a full run"
        print(said, file=sys.stderr, flush=True)
    head = f"| {name} | {len(log.users):,} |"
    line = f" {passing[0].title} {means[0]:.4g} |" if means else " nothing passes |"
    if arguments.grid == "none":
        return f"{head}{line} – | – | – | {in_all:.1f} s | – | – | {', '.join(passed)} |"
    least = means[0] if means else 0.0
    task = GridTask(log, policy, goal, arguments.grid_seeds, arguments.every, least)
    grid = GRIDS[arguments.grid](task)

    def compare(cell: GridCell | None, passes: str = "") -> str:
        if cell is None:
            return "none"
        share = f", {100 * least / cell.utility:.1f} %" if least else ""
        return f"{cell.utility:.4g} ({cell.method}){share}{passes and ', passes '}{passes}"

    judged = grid.seconds
    if arguments.grid != "full":
        each = full[0] if full else judge_cell(log, policy, grid.top, 1)[1]
        judged += grid.cells * each
    return (
        f"{head}{line} {compare(grid.sure)} | {compare(grid.best, grid.passed)} | "
        f"{grid.top.utility:.4g} | {in_all:.1f} s | {grid.cells} cells: {grid.seconds:.1f}; "
        f"{judged:.0f} s | {judged / in_all:.0f} | {', '.join(passed)} |"
    )


if __name__ == "__main__":
    main()
