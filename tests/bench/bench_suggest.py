"""Suggest against an exhaustive grid: utility, processor seconds, and whether suggestions pass.

``python -m tests.bench.bench_suggest [log …] [--goal queries] [--seeds 20] [--growth]`` for the
logs sample, excite, and numbers of synthetic users such as 5000; mode *free*, the bundled policy.

The grid runs every combination of `LIMITS` queries per user and of the kinds of each method with ε
(which tables, how many rounds, how much for the counts) with seeded noise, as `sweep` does. Its
best cell is the most useful one that passes in each of `seeds` full runs; which cells an attack
with planted strings refuses in one of three quick runs is not tried in full. A grid of the same
quality judges each cell by the policy: that takes the attacks' seconds of one full run for each
cell (marked "judged", not run). With `--every N` only every Nth limit is run, and the others are
reckoned to take as long. Every suggestion that passes is made `seeds` times with secure noise and
judged in full each time. Times are processor seconds of this process, once everything is compiled.
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
from auditor.engine.plan import Intent, resolve
from auditor.engine.runner import RunHandle, execute_plan
from auditor.log.gazetteers import sample_log
from auditor.log.model import QueryLog
from auditor.log.reading.reader import read_log
from auditor.log.synthetic.generator import synthesize
from auditor.methods.registry import METHODS
from auditor.params import Params
from auditor.privacy.noise import PreviewRandomness, Randomness, SecureRandomness
from auditor.progress import silent_progress
from auditor.release.kept_content import KeptContent
from auditor.release.policy.policy import Policy, default_policy
from auditor.release.verdict import ReleaseVerdict, verdict_of_run
from auditor.suggestions.goals import parse_goal
from auditor.suggestions.limits import PolicyLimits, needed_attacks
from auditor.suggestions.request import SearchRequest
from auditor.suggestions.result import Suggestion, Suggestions
from auditor.suggestions.runs.evaluation import CandidateRunner
from auditor.suggestions.search import suggest_release
from auditor.suggestions.store import SearchStore
from tests.reference.logs import EXCITE

LIMITS = (1, 2, 3, 4, 6, 9, 14, 20, 30, 45, 70, 100, 150, 220, 330)
SMALL = 10_000
"""Up to so many users each cell is run `REPEATS` times, since noise tells cells apart less."""
REPEATS = 3


@dataclass(frozen=True)
class GridCell:
    """A setting of the grid and what it released."""

    method: str
    params: Params
    utility: float


def open_log(name: str) -> QueryLog:
    """The sample, the Excite log, or a synthetic one of so many users."""
    if name == "sample":
        return read_log(sample_log())
    if name == "excite":
        return read_log(EXCITE)
    return synthesize(int(name), seed=11).log


def list_settings(limits: PolicyLimits, every: int = 1) -> Iterator[tuple[str, Params]]:
    """Every setting of the grid at the policy's ε and δ."""
    epsilon, delta = limits.epsilon, limits.delta
    safelog, korolova = METHODS["safelog"].params(), METHODS["korolova"].params()
    zealous, union = METHODS["zealous"].params(), METHODS["set-union"].params()
    truncated = METHODS["partition-selection"].params()
    for limit in LIMITS[:: max(every, 1)]:
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
            yield "korolova", korolova.replace(q_f=limit, b=b, b_q=b_q, delta=delta, unit="users")
        yield "zealous", zealous.replace(m=limit, epsilon=epsilon, delta=delta)
        yield "partition-selection", truncated.replace(q_f=limit, epsilon=epsilon, delta=delta)
        for rounds in (1, 2, 3):
            for counting in (0.1, 0.3):
                yield (
                    "set-union",
                    union.replace(
                        epsilon=epsilon,
                        delta=delta * (1 - 1e-6),
                        q_f=limit,
                        rounds=rounds,
                        counting=counting,
                    ),
                )


def release_utility(
    log: QueryLog, method: str, params: Params, goal: str, rng: Randomness
) -> float:
    """What one run of the method alone is worth."""
    made = local.apply_method(log, method, params, rng, silent_progress())
    kept = KeptContent.of(log, made)
    return float(kept.queries or 0) if goal == "queries" else float(kept.share or 0.0)


@dataclass(frozen=True)
class GridResult:
    """The best cell that always passes, the best of all, and the seconds of all runs.

    `cells` and `seconds` are those of the whole grid, where only a part of it was run.
    """

    best: GridCell | None
    top: GridCell
    cells: int
    seconds: float


def run_grid(
    log: QueryLog, policy: Policy, goal: str, seeds: int, every: int, least: float
) -> GridResult:
    """Run the grid and judge its cells, the most useful first, until one always passes.

    Cells of less utility than `least` are not judged: they are no match for the suggestion.
    """
    began = time.process_time()
    limits = PolicyLimits.of(policy, len(log.users))
    repeats = REPEATS if len(log.users) <= SMALL else 1
    settings = list(list_settings(limits, every))
    cells = [
        GridCell(method, params, average_utility(log, method, params, goal, repeats, 10 * at))
        for at, (method, params) in enumerate(settings)
    ]
    every_cell = len(list(list_settings(limits)))
    spent = (time.process_time() - began) / repeats * every_cell / len(settings)
    ordered = sorted(cells, key=lambda cell: -cell.utility)
    best = None
    for cell in ordered:
        if cell.utility < least:
            break
        if withstands(log, policy, cell) and all(
            judge_cell(log, policy, cell, draw)[0].releasable for draw in range(1, seeds + 1)
        ):
            mean = average_utility(log, cell.method, cell.params, goal, max(seeds, 5), 1_000)
            best = GridCell(cell.method, cell.params, mean)
            break
    return GridResult(best, ordered[0], every_cell, spent)


def withstands(log: QueryLog, policy: Policy, cell: GridCell) -> bool:
    """Whether planted strings are refused in each of three runs without other attacks."""
    goal = parse_goal("queries")
    part = log.sample_users(1_500, 1)
    runner = CandidateRunner(part, policy, goal, SearchStore(), RunHandle(0), lambda _: None)
    gates = [gate for gate in policy.gates if gate.name == "n-minus-one"]
    judged = [
        one
        for draw in range(3)
        for one in runner.judge_again(cell.method, cell.params, gates, draw)
    ]
    return all(one.verdict != "failed" for one in judged)


def judge_cell(
    log: QueryLog, policy: Policy, cell: GridCell, draw: int
) -> tuple[ReleaseVerdict, float]:
    """The verdict of a full run with secure noise, and the processor seconds of its attacks."""
    intent = Intent(
        method=cell.method,
        values=((cell.method, cell.params),),
        attacks=needed_attacks(policy),
        measures=(),
    )
    plan = resolve(intent, log)
    began = time.process_time()
    evidence = Evidence(log=log)
    result = execute_plan(plan, evidence, SecureRandomness(), RunHandle(0), lambda _: None, draw)
    spent = time.process_time() - began
    share = sum(result.seconds.get(step.name, 0.0) for step in plan.attacks)
    attacking = spent * share / max(sum(result.seconds.values()), 1e-9)
    return verdict_of_run(result, log, policy), attacking


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
    """How many full runs with secure noise pass, their mean utility, and the attacks' seconds."""
    passed, utilities, attacking = 0, [], []
    for draw in range(1, seeds + 1):
        cell = GridCell(point.method, point.params, 0.0)
        verdict, spent = judge_cell(log, policy, cell, draw)
        attacking.append(spent)
        passed += verdict.releasable
        kept = verdict.kept
        utilities.append(float(kept.queries or 0) if goal == "queries" else kept.share or 0.0)
    return passed, float(np.mean(utilities)), float(np.median(attacking))


def measured(work: Callable[[], Suggestions]) -> tuple[Suggestions, float]:
    """A result and its processor seconds."""
    began = time.process_time()
    found = work()
    return found, time.process_time() - began


def loosen(policy: Policy, least: int) -> Policy:
    """The policy with another least number of queries, and no least share of the searches."""
    gates = tuple(
        replace(gate, least=float(least)) if gate.figure == "release.queries" else gate
        for gate in policy.gates
        if gate.figure != "release.searches_share"
    )
    return replace(policy, gates=gates, sha256=f"{policy.sha256} {least}")


def main() -> None:
    """Print a line of a Markdown table for each log."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", nargs="*", default=["excite", "sample", "5000"])
    parser.add_argument("--goal", choices=["queries", "volume"], default="queries")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--grid-seeds", type=int, default=20)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--least-queries", type=int, help="loosen the policy to so many queries")
    parser.add_argument("--growth", action="store_true")
    arguments = parser.parse_args()
    policy, goal = default_policy(), arguments.goal
    if arguments.least_queries is not None:
        policy = loosen(policy, arguments.least_queries)
    warm = synthesize(300, days=5, seed=1).log
    suggest_release(SearchRequest(policy=policy, goal=parse_goal(goal), mode="free"), warm)
    for settings in list_settings(PolicyLimits.of(policy, 300)):
        release_utility(warm, *settings, goal, PreviewRandomness(0))
    print(
        "| log | users | suggestion | of the grid's best that passes | search | "
        "grid (runs; judged) | times faster | pass |"
    )
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for name in arguments.logs:
        print(measure_log(name, policy, arguments), flush=True)


def measure_log(name: str, policy: Policy, arguments: argparse.Namespace) -> str:
    """The line of one log."""
    log, goal = open_log(name), arguments.goal
    request = SearchRequest(
        policy=policy, goal=parse_goal(goal), mode="free", growth=arguments.growth
    )
    found, in_all = measured(lambda: suggest_release(request, log))
    print(found.text(), file=sys.stderr, flush=True)
    passing = [point for point in found.points if point.verdict.releasable and point.may_pass]
    passed, means, attacking = [], [], 0.0
    for point in passing:
        good, mean, attacking = judge_often(log, policy, point, goal, arguments.seeds)
        passed.append(f"{good} of {arguments.seeds}")
        means.append(mean)
        print(f"{point.title}: {passed[-1]}, mean {mean:.4g}", file=sys.stderr, flush=True)
    least = 0.97 * means[0] if means else 0.0
    grid = run_grid(log, policy, goal, arguments.grid_seeds, arguments.every, least)
    print(f"best of all cells: {grid.top}; best that passes: {grid.best}", file=sys.stderr)
    head = f"| {name} | {len(log.users):,} |"
    best = "none passes" if grid.best is None else f"{grid.best.utility:.4g} ({grid.best.method})"
    top = f"best of all {grid.top.utility:.4g}"
    if not passing:
        failing = "; ".join(found.obstacle.gates) if found.obstacle else ""
        return (
            f"{head} nothing passes ({failing}) | {best}; {top} | {in_all:.1f} s | "
            f"{grid.cells} cells: {grid.seconds:.1f} s; – | – | – |"
        )
    first = passing[0]
    share = "–" if grid.best is None else f"{100 * means[0] / grid.best.utility:.1f} %"
    judged = grid.seconds + grid.cells * attacking
    return (
        f"{head} {first.method} {goal} {first.utility:.4g} (mean {means[0]:.4g}) | {share} of "
        f"{best}; {top} | {in_all:.1f} s | {grid.cells} cells: {grid.seconds:.1f}; {judged:.0f} s "
        f"| {judged / in_all:.0f} | {', '.join(passed)} |"
    )


if __name__ == "__main__":
    main()
