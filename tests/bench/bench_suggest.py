"""Suggest against an exhaustive grid: utility, processor seconds, and whether suggestions pass.

``python -m tests.bench.bench_suggest [log …] [--goal queries] [--seeds 20] [--growth]`` for the
logs sample, excite, and numbers of synthetic users such as 5000; mode *free*, the bundled policy.

The grid runs every combination of `LIMITS` queries per user and of the kinds of each method with ε
(which tables, how many rounds, how much for the counts) once with seeded noise, as `sweep` does,
and judges its best cells in full until one passes, which is run `seeds` times more. A grid of the
same quality judges each cell by the policy as well: that takes the attacks' seconds of one full run
for each cell (marked "judged", not run). The suggestion is made `seeds` times with secure noise and
judged in full each time. Times are processor seconds of this process, once everything is compiled.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

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
from auditor.suggestions.result import Suggestions
from auditor.suggestions.search import suggest_release
from tests.reference.logs import EXCITE

LIMITS = (1, 2, 3, 4, 6, 9, 14, 20, 30, 45, 70, 100, 150, 220, 330)
FINALISTS = 40
"""Cells that are judged at most until one passes."""


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


def list_settings(limits: PolicyLimits) -> Iterator[tuple[str, Params]]:
    """Every setting of the grid at the policy's ε and δ."""
    epsilon, delta = limits.epsilon, limits.delta
    safelog, korolova = METHODS["safelog"].params(), METHODS["korolova"].params()
    zealous, union = METHODS["zealous"].params(), METHODS["set-union"].params()
    for limit in LIMITS:
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


def run_grid(
    log: QueryLog, policy: Policy, goal: str, seeds: int
) -> tuple[GridCell, bool, int, float]:
    """The best cell that passes, whether one does, how many cells there are, and their time.

    The cells with the highest utility are judged in full, one after the other, until one passes;
    its utility is the mean over `seeds` runs. Where none passes it is the best of all.
    """
    began = time.process_time()
    limits = PolicyLimits.of(policy, len(log.users))
    cells = [
        GridCell(method, params, release_utility(log, method, params, goal, PreviewRandomness(at)))
        for at, (method, params) in enumerate(list_settings(limits))
    ]
    spent = time.process_time() - began
    ordered = sorted(cells, key=lambda cell: -cell.utility)
    passes = False
    best = ordered[0]
    for cell in ordered[:FINALISTS]:
        if judge_cell(log, policy, cell)[0].releasable:
            best, passes = cell, True
            break
    mean = average_utility(log, best, goal, seeds)
    return GridCell(best.method, best.params, mean), passes, len(cells), spent


def judge_cell(log: QueryLog, policy: Policy, cell: GridCell) -> tuple[ReleaseVerdict, float]:
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
    result = execute_plan(plan, evidence, SecureRandomness(), RunHandle(0), lambda _: None)
    spent = time.process_time() - began
    share = sum(result.seconds.get(step.name, 0.0) for step in plan.attacks)
    attacking = spent * share / max(sum(result.seconds.values()), 1e-9)
    return verdict_of_run(result, log, policy), attacking


def average_utility(log: QueryLog, cell: GridCell, goal: str, seeds: int) -> float:
    """The mean over `seeds` seeded runs."""
    runs = [
        release_utility(log, cell.method, cell.params, goal, PreviewRandomness(1_000 + seed))
        for seed in range(seeds)
    ]
    return float(np.mean(runs))


def judge_often(
    log: QueryLog, policy: Policy, found: Suggestions, goal: str, seeds: int
) -> tuple[int, float, float]:
    """How many full runs with secure noise pass, their mean utility, and the attacks' seconds."""
    best = found.best
    assert best is not None
    passed, utilities, attacking = 0, [], []
    for _ in range(seeds):
        verdict, spent = judge_cell(log, policy, GridCell(best.method, best.params, 0.0))
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


def main() -> None:
    """Print a line of a Markdown table for each log."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", nargs="*", default=["excite", "sample", "5000"])
    parser.add_argument("--goal", choices=["queries", "volume"], default="queries")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--growth", action="store_true")
    arguments = parser.parse_args()
    policy, goal = default_policy(), arguments.goal
    warm = synthesize(300, days=5, seed=1).log
    suggest_release(SearchRequest(policy=policy, goal=parse_goal(goal), mode="free"), warm)
    for settings in list_settings(PolicyLimits.of(policy, 300)):
        release_utility(warm, *settings, goal, PreviewRandomness(0))
    print(
        "| log | users | suggestion | of the grid's best | suggest (without attacks; in all) | "
        "grid (runs; judged) | times faster (without attacks; in all) | pass |"
    )
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for name in arguments.logs:
        print(measure_log(name, policy, arguments), flush=True)


def measure_log(name: str, policy: Policy, arguments: argparse.Namespace) -> str:
    """The line of one log."""
    log, goal = open_log(name), arguments.goal

    def search(runs: bool) -> Suggestions:
        # A policy without attacks leaves expectations and plain runs of the front.
        rules = policy if runs else Policy(policy.name, "", policy.gates[:4], policy.sha256)
        request = SearchRequest(
            policy=rules,
            goal=parse_goal(goal),
            mode="free",
            methods=tuple(METHODS) if runs else ("safelog", "korolova", "zealous", "set-union"),
            growth=arguments.growth,
        )
        return suggest_release(request, log)

    _, comparing = measured(lambda: search(runs=False))
    found, in_all = measured(lambda: search(runs=True))
    best, passes, cells, running = run_grid(log, policy, goal, arguments.seeds)
    shown = found.points[0] if found.points else None
    told = "none" if shown is None else f"{shown.method} {goal} {shown.utility:.4g}"
    if found.best is None:
        failing = "; ".join(found.obstacle.gates) if found.obstacle else ""
        utility = 0.0 if shown is None else shown.utility
        return (
            f"| {name} | {len(log.users):,} | {told}, does not pass ({failing}) | "
            f"{utility:.4g} of {best.utility:.4g} ({best.method}, "
            f"{'passes' if passes else 'none passes'}) | {comparing:.1f}; "
            f"{in_all:.1f} s | {cells} cells: {running:.1f} s; – | "
            f"{running / comparing:.0f}; – | – |"
        )
    passed, utility, attacking = judge_often(log, policy, found, goal, arguments.seeds)
    judged = running + cells * attacking
    return (
        f"| {name} | {len(log.users):,} | {told} (mean {utility:.4g}) | "
        f"{100 * utility / best.utility:.1f} % of {best.utility:.4g} ({best.method}) | "
        f"{comparing:.1f}; {in_all:.1f} s | {cells} cells: {running:.1f}; {judged:.0f} s | "
        f"{running / comparing:.0f}; {judged / in_all:.0f} | {passed} of {arguments.seeds} |"
    )


if __name__ == "__main__":
    main()
