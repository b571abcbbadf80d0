"""Suggest against an exhaustive grid: utility, processor seconds, and whether suggestions pass.

``python -m tests.bench.bench_suggest [log …] [--goal queries] [--seeds 20] [--growth]`` for the
logs sample, excite, and numbers of synthetic users such as 5000; mode *free*, the bundled policy.

The grid runs every combination of `LIMITS` queries per user, of the kinds of each method with ε
(which tables, how many rounds, how weight is shared, how much for the counts), and of the policy's
δ and `DELTAS` below it, with seeded noise, as `sweep` does. Two
cells of it are compared with the suggestion. One passes by the standard of suggestions: what gates
want kept back stays back with the same chance, calculated for every cell. The other is the most
useful one that passes `seeds` runs, whatever its chance was: of many cells some are lucky; cells
below 97 % of the suggestion are no match for it and are not tried. A grid of the same quality
judges each cell by the policy: that takes the seconds of one full run for each cell (marked
"judged", not run). With `--every N` only every Nth limit is run, and the others are reckoned to
take as long. Every suggestion that passes is made `seeds` times with secure noise and judged by all
gates, those on the audit of ε in the first run only: it makes its own logs, not the release's.
`--budgets` searches once more under so many seconds each and says after how many it ended. Times
are processor seconds of this process, once everything is compiled.
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
from auditor.progress import silent_progress
from auditor.release.kept_content import KeptContent
from auditor.release.policy.policy import SURVIVING, Policy, default_policy
from auditor.release.verdict import ReleaseVerdict, verdict_of_run
from auditor.suggestions.candidates import SearchCandidate
from auditor.suggestions.content_gates import find_hidden
from auditor.suggestions.estimates import LogPart, estimate_content
from auditor.suggestions.goals import parse_goal
from auditor.suggestions.limits import PolicyLimits, needed_attacks
from auditor.suggestions.request import SearchHearing, SearchRequest
from auditor.suggestions.result import Suggestion, Suggestions
from auditor.suggestions.runs.evaluation import SAFE, CandidateRunner
from auditor.suggestions.runs.planted_gates import PlantedGates
from auditor.suggestions.search import suggest_release
from auditor.suggestions.store import SearchStore
from tests.reference.logs import EXCITE

LIMITS = (1, 2, 3, 4, 6, 9, 14, 20, 30, 45, 70, 100, 150, 220, 330)
DELTAS = (1.0, 0.1, 0.01, 0.001)
"""Shares of the policy's δ: a smaller one raises thresholds at the same noise."""
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


def open_log(name: str) -> QueryLog:
    """The sample, the Excite log, or a synthetic one of so many users."""
    if name == "sample":
        return read_log(sample_log())
    if name == "excite":
        return read_log(EXCITE)
    return synthesize_log(int(name), seed=11).log


def list_settings(limits: PolicyLimits, every: int = 1) -> Iterator[tuple[str, Params]]:
    """Every setting of the grid at the policy's ε and δ."""
    for share in DELTAS:
        for limit in LIMITS[:: max(every, 1)]:
            yield from list_kinds(limits.of_delta(share), limit)


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
        yield "korolova", korolova.replace(q_f=limit, b=b, b_q=b_q, delta=delta, unit="users")
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
    """The best cell that passes for sure, that passed all runs, of all, and the runs' seconds.

    `cells` and `seconds` are those of the whole grid, where only a part of it was run.
    """

    sure: GridCell | None
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
    print(f"grid: {len(cells)} cells run", file=sys.stderr, flush=True)
    every_cell = len(list(list_settings(limits)))
    spent = (time.process_time() - began) / repeats * every_cell / len(settings)
    ordered = sorted(cells, key=lambda cell: -cell.utility)
    part = LogPart(log, 1.0, hidden=find_hidden(log, policy, None, silent_progress()))
    sure = next((cell for cell in ordered if is_sure(policy, limits, part, cell)), None)
    best = None
    for cell in ordered:
        if cell.utility < 0.97 * least:
            break
        if passes_often(log, policy, cell, seeds):
            mean = average_utility(log, cell.method, cell.params, goal, max(seeds, 5), 1_000)
            best = GridCell(cell.method, cell.params, mean)
            break
    if sure is not None:
        mean = average_utility(log, sure.method, sure.params, goal, max(seeds, 5), 1_000)
        sure = GridCell(sure.method, sure.params, mean)
    return GridResult(sure, best, ordered[0], every_cell, spent)


def is_sure(policy: Policy, limits: PolicyLimits, part: LogPart, cell: GridCell) -> bool:
    """Whether a cell passes by the standard of suggestions, by calculation."""
    found = estimate_content(cell.method, cell.params, part, silent_progress())
    candidate = SearchCandidate(cell.method, cell.params, "", 0)
    return (
        found is not None
        and found.safe >= SAFE
        and found.queries >= limits.queries
        and found.share >= limits.share
        and PlantedGates(policy).withstands(candidate)
    )


def passes_often(log: QueryLog, policy: Policy, cell: GridCell, seeds: int) -> bool:
    """Whether a cell passes all gates on its noise in each of so many seeded runs."""
    goal = parse_goal("queries")
    runner = CandidateRunner(log, policy, goal, SearchStore(), RunHandle(0), lambda _: None)
    wanted = (SURVIVING, "n_minus_one", "queries", "searches_share")
    gates = [gate for gate in policy.gates if gate.figure.rpartition(".")[2] in wanted]
    return all(
        one.ok
        for draw in range(seeds)
        for one in runner.judge_again(cell.method, cell.params, gates, draw)
    )


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
        method=cell.method, values=((cell.method, cell.params),), attacks=attacks, measures=()
    )
    plan = resolve_intent(intent, log)
    began = time.process_time()
    evidence = Evidence(log=log)
    result = execute_plan(plan, evidence, SecureRandomness(), RunHandle(0), lambda _: None, draw)
    return verdict_of_run(result, log, policy), time.process_time() - began


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
    parser.add_argument("--budgets", type=float, nargs="*", default=[])
    parser.add_argument("--budget", type=float, help="of the search that is compared")
    parser.add_argument("--no-grid", action="store_true")
    arguments = parser.parse_args()
    policy, goal = default_policy(), arguments.goal
    if arguments.least_queries is not None:
        policy = loosen(policy, arguments.least_queries)
    warm = synthesize_log(300, days=5, seed=1).log
    suggest_release(SearchRequest(policy=policy, goal=parse_goal(goal), mode="free"), warm)
    for settings in list_settings(PolicyLimits.of(policy, 300)):
        release_utility(warm, *settings, goal, PreviewRandomness(0))
    print(
        "| log | users | suggestion (mean) | best cell by its standard | best that passed | "
        "best of all | search | grid (runs; judged) | times faster | pass |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|", flush=True)
    for name in arguments.logs:
        print(measure_log(name, policy, arguments), flush=True)


def measure_log(name: str, policy: Policy, arguments: argparse.Namespace) -> str:
    """The line of one log."""
    log, goal = open_log(name), arguments.goal
    request = SearchRequest(
        policy=policy,
        goal=parse_goal(goal),
        mode="free",
        growth=arguments.growth,
        budget=arguments.budget,
    )
    first_heard: list[float] = []
    began = time.perf_counter()
    hearing = SearchHearing(found=lambda _: first_heard.append(time.perf_counter() - began))
    found, in_all = measured(lambda: suggest_release(request, log, hearing))
    print(found.text(), file=sys.stderr, flush=True)
    heard = f"{first_heard[0]:.1f}" if first_heard else "no"
    print(f"first point after {heard} s, search {in_all:.1f} s", file=sys.stderr, flush=True)
    for budget in arguments.budgets:
        began = time.perf_counter()
        some = suggest_release(replace(request, budget=budget), log)
        took = time.perf_counter() - began
        best = some.best.title if some.best else "nothing"
        print(f"budget {budget:g} s: {took:.2f} s, {best}", file=sys.stderr, flush=True)
    passing = [point for point in found.points if point.verdict.releasable and point.may_pass]
    passed, means, spent = [], [], 0.0
    for point in passing:
        good, mean, spent = judge_often(log, policy, point, goal, arguments.seeds)
        passed.append(f"{good} of {arguments.seeds}")
        means.append(mean)
        print(f"{point.title}: {passed[-1]}, mean {mean:.4g}", file=sys.stderr, flush=True)
    head = f"| {name} | {len(log.users):,} |"
    first = passing[0] if passing else None
    said = f" {first.title} {means[0]:.4g} |" if first is not None else " nothing passes |"
    if arguments.no_grid:
        return f"{head}{said} – | – | – | {in_all:.1f} s | – | – | {', '.join(passed)} |"
    least = means[0] if means else 0.0
    grid = run_grid(log, policy, goal, arguments.grid_seeds, arguments.every, least)

    def compare(cell: GridCell | None) -> str:
        if cell is None:
            return "none"
        share = f", {100 * least / cell.utility:.1f} %" if least else ""
        return f"{cell.utility:.4g} ({cell.method}){share}"

    judged = grid.seconds + grid.cells * spent
    return (
        f"{head}{said} {compare(grid.sure)} | {compare(grid.best)} | {grid.top.utility:.4g} | "
        f"{in_all:.1f} s | {grid.cells} cells: {grid.seconds:.1f}; {judged:.0f} s | "
        f"{judged / in_all:.0f} | {', '.join(passed)} |"
    )


if __name__ == "__main__":
    main()
