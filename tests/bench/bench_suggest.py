"""Suggest against an exhaustive grid: utility, processor seconds, and whether suggestions pass.

``python -m tests.bench.bench_suggest [log …] [--grid calculated|full|none] [--seeds 20]`` prints a
line of a Markdown table for each log: sample, excite, or a number of synthetic users such as 5000;
mode *free*, the bundled policy. ``excite:5`` is judged by a looser policy that wants five queries
left, no least share of the searches, and lets one more search show what it shows.

The grid has every combination of `LIMITS` queries per user, of the kinds of each method with ε
(which tables, how many rounds, how weight is shared, how much for the counts), and of the policy's
δ and smaller ones, `DELTAS`; each suppresses what suggestions do. The suggestion is compared with
the best cell that passes by the standard of suggestions: what gates want kept back stays back with
the same chance, calculated for every cell. How the grid is made:

calculated
    What each cell releases and whether it passes is calculated. A grid of the same quality judges
    each cell by the policy, so the time that is compared is that of one full run for each cell.
full
    A smaller grid (`FULL_LIMITS`, `FULL_DELTAS`, no clicks), of which every cell runs in full with
    secure noise, all attacks and gates; the audit of ε, which takes most of a run, only where
    nothing else fails. The time that is compared is measured.

Every suggestion that passes is made `--seeds` times with secure noise and judged by all gates
(`--seeds-others` for all but the best), those on the audit of ε in the first run only: it makes its
own logs, not the release's. Times are processor seconds of this process, once all is compiled.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from auditor.attacks.base import Evidence
from auditor.engine.backends import local
from auditor.engine.plan import Intent, resolve_intent
from auditor.engine.runner import RunHandle, execute_plan
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods.registry import METHODS
from auditor.params import Params
from auditor.privacy.noise import PreviewRandomness, SecureRandomness
from auditor.progress import silent_progress
from auditor.release.kept_content import KeptContent
from auditor.release.policy.policy import Policy, default_policy
from auditor.release.verdict import ReleaseVerdict
from auditor.suggestions.candidates import SearchCandidate
from auditor.suggestions.estimates import SAFE, LogPart, estimate_content, find_hidden
from auditor.suggestions.limits import PolicyLimits, needed_attacks
from auditor.suggestions.passing import PlantedGates
from auditor.suggestions.request import SearchRequest, parse_goal
from auditor.suggestions.result import Suggestion
from auditor.suggestions.search import suggest_release
from tests.bench.measuring import open_log
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


@dataclass(frozen=True)
class GridCell:
    """A setting of the grid and what it released."""

    method: str
    params: Params
    utility: float


def list_settings(limits: PolicyLimits, *, full: bool = False) -> Iterator[tuple[str, Params]]:
    """Every setting of the grid at the policy's ε and δ; `full` for the one that is run in full."""
    for share in FULL_DELTAS if full else DELTAS:
        for limit in FULL_LIMITS if full else LIMITS:
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


def kept_utility(content: KeptContent, goal: str) -> float:
    """What a release is worth."""
    return float(content.queries or 0) if goal == "queries" else content.share or 0.0


@dataclass(frozen=True)
class GridResult:
    """The best cell that passes for sure, with its mean; the best of all; cells and seconds."""

    sure: GridCell | None
    top: GridCell
    cells: int
    seconds: float


@dataclass(frozen=True)
class GridTask:
    """What a grid is made of."""

    log: QueryLog
    policy: Policy
    goal: str

    @property
    def limits(self) -> PolicyLimits:
        """The policy's limits for the log."""
        return PolicyLimits.of(self.policy, len(self.log.users))

    @property
    def part(self) -> LogPart:
        """The whole log with the queries that gates want kept back."""
        hidden = find_hidden(self.log, self.policy, silent_progress())
        return LogPart(self.log, 1.0, hidden=hidden)

    def result(self, cells: list[GridCell], passing: list[GridCell], seconds: float) -> GridResult:
        """The most useful cells; the mean of the one that passes by the standard of suggestions."""
        part, limits = self.part, self.limits
        ordered = sorted(passing, key=lambda cell: -cell.utility)
        sure = next((c for c in ordered if is_sure(self.policy, limits, part, c)), None)
        if sure is not None:
            sure = replace(sure, utility=average_utility(self.log, sure, self.goal))
        return GridResult(sure, max(cells, key=lambda cell: cell.utility), len(cells), seconds)


def calculate_grid(task: GridTask) -> GridResult:
    """Calculate what each cell releases and whether it passes."""
    began = time.process_time()
    part = task.part
    cells = []
    for method, params in list_settings(task.limits):
        content = estimate_content(method, params, part, silent_progress())
        assert content is not None
        cells.append(GridCell(method, params, content.figures[task.goal]))
    return task.result(cells, cells, time.process_time() - began)


def judge_grid(task: GridTask) -> GridResult:
    """Run every cell of the smaller grid in full, with secure noise and all attacks and gates."""
    passing, cells, spent = [], [], 0.0
    for method, params in list_settings(task.limits, full=True):
        cell = GridCell(method, params, 0.0)
        for draw in (2, 1):  # the audit of ε in the second run, only if the first passes
            verdict, seconds = judge_cell(task.log, task.policy, cell, draw)
            spent += seconds
            if not verdict.releasable:
                break
        cells.append(replace(cell, utility=kept_utility(verdict.kept, task.goal)))
        if verdict.releasable:
            passing.append(cells[-1])
        progress = f"grid: {len(cells)} cells in {spent:.0f} s, {len(passing)} pass"
        print(progress, file=sys.stderr, flush=True)
    return task.result(cells, passing, spent)


GRIDS = {"calculated": calculate_grid, "full": judge_grid}


def is_sure(policy: Policy, limits: PolicyLimits, part: LogPart, cell: GridCell) -> bool:
    """Whether a cell passes by the standard of suggestions, by calculation."""
    estimate = estimate_content(cell.method, cell.params, part, silent_progress())
    candidate = SearchCandidate(cell.method, cell.params, "", 0)
    return (
        estimate is not None
        and estimate.safe >= SAFE
        and estimate.least_queries >= limits.queries
        and estimate.share >= limits.share
        and PlantedGates(policy).withstands(candidate)
    )


def judge_cell(
    log: QueryLog, policy: Policy, cell: GridCell, draw: int
) -> tuple[ReleaseVerdict, float]:
    """The verdict of a run with secure noise, and its processor seconds; audits in draw 1 only."""
    attacks = needed_attacks(policy.gates, policy.requires)
    assert attacks is not None
    if draw > 1:
        policy = replace(
            policy,
            gates=tuple(gate for gate in policy.gates if f".{AUDIT}." not in gate.figure),
            requires=tuple(name for name in policy.requires if name != AUDIT),
        )
        attacks = tuple(name for name in attacks if name != AUDIT)
    intent = Intent(
        method=cell.method, values=((cell.method, cell.params),), attacks=attacks, measures=()
    )
    plan = resolve_intent(intent, log)
    began = time.process_time()
    evidence = Evidence(log=log)
    result = execute_plan(plan, evidence, SecureRandomness(), RunHandle(0), lambda _: None, draw)
    return judge_run(result, log, policy), time.process_time() - began


def average_utility(log: QueryLog, cell: GridCell, goal: str, runs: int = 20) -> float:
    """The mean over some seeded runs of the method alone."""
    utilities = []
    for run in range(runs):
        rng = PreviewRandomness(1_000 + run)
        release = local.apply_method(log, cell.method, cell.params, rng, silent_progress())
        utilities.append(kept_utility(KeptContent.of(log, release), goal))
    return float(np.mean(utilities))


def judge_often(
    log: QueryLog, policy: Policy, point: Suggestion, goal: str, seeds: int
) -> tuple[int, float, float]:
    """How many runs with secure noise pass, their mean utility, and the seconds of a full one."""
    passed, utilities, full = 0, [], 0.0
    cell = GridCell(point.method, point.params, 0.0)
    for draw in range(1, seeds + 1):
        verdict, spent = judge_cell(log, policy, cell, draw)
        full = full or spent
        for gate in verdict.failed:
            print(f"run {draw} fails {gate.gate.name}: {gate.evidence}", file=sys.stderr)
        passed += verdict.releasable
        utilities.append(kept_utility(verdict.kept, goal))
    return passed, float(np.mean(utilities)), full


def measure_log(name: str, policy: Policy, arguments: argparse.Namespace) -> str:
    """The line of one log."""
    named, _, least_queries = name.partition(":")
    log = synthesize_log(int(named), seed=11).log if named.isdigit() else open_log(named)
    goal = arguments.goal
    if least_queries:
        least = int(least_queries)
        gates = tuple(
            replace(gate, least=float(least)) if gate.figure == "release.queries" else gate
            for gate in policy.gates
            if gate.figure not in LOOSENED
        )
        policy = replace(policy, gates=gates, sha256=f"{policy.sha256} {least}")
    request = SearchRequest(policy=policy, goal=parse_goal(goal), mode="free")
    began = time.process_time()
    suggestions = suggest_release(request, log)
    searching = time.process_time() - began
    print(suggestions.text(), file=sys.stderr, flush=True)
    passing = [point for point in suggestions.points if point.verdict.releasable and point.may_pass]
    mean, full = 0.0, 0.0
    passed: list[str] = []
    for point in passing:
        seeds = arguments.seeds_others if passed else arguments.seeds
        if not seeds:
            continue
        good, utility, spent = judge_often(log, policy, point, goal, seeds)
        mean, full = (mean, full) if passed else (utility, spent)
        passed.append(f"{good} of {seeds}")
    line = f"| {name} | {len(log.users):,} |"
    line += f" {passing[0].title} {mean:.4g} |" if passed else " nothing passes |"
    if arguments.grid == "none":
        return f"{line} – | – | {searching:.1f} s | – | – | {', '.join(passed)} |"
    grid = GRIDS[arguments.grid](GridTask(log, policy, goal))
    best = "none"
    if grid.sure is not None:
        best = f"{grid.sure.utility:.4g} ({grid.sure.method}), {mean / grid.sure.utility:.1%}"
    judging = grid.seconds
    if arguments.grid == "calculated":
        judging += grid.cells * (full or judge_cell(log, policy, grid.top, 1)[1])
    return (
        f"{line} {best} | {grid.top.utility:.4g} | {searching:.1f} s | "
        f"{grid.cells} cells: {judging:.0f} s | {judging / searching:.0f} | {', '.join(passed)} |"
    )


def main() -> None:
    """Print a line of a Markdown table for each log."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", nargs="*", default=["sample", "excite", "excite:5", "5000"])
    parser.add_argument("--goal", choices=["queries", "volume"], default="queries")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--seeds-others", type=int, default=20, help="of all but the best")
    parser.add_argument("--grid", choices=[*GRIDS, "none"], default="calculated")
    arguments = parser.parse_args()
    policy, warm = default_policy(), synthesize_log(300, days=5, seed=1).log
    suggest_release(SearchRequest(policy=policy, goal=parse_goal("queries"), mode="free"), warm)
    print(
        "| log | users | suggestion (mean) | grid's best by its standard | best of all | search | "
        "grid in full runs | times faster | pass |\n|---|---|---|---|---|---|---|---|---|",
        flush=True,
    )
    for name in arguments.logs:
        print(measure_log(name, policy, arguments), flush=True)


if __name__ == "__main__":
    main()
