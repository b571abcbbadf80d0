"""Web search over a grid: ``python -m tests.bench.bench_retrieval [users [noises]]``.

Runs the grid of SafeLog's Figures 4 and 5, five K by so many b (25 by default), on a synthetic
log (16,500 users have a million rows), every cell with all five folds, four algorithms and the
original. Prints the split and the original's part, the time of the grid, of a cell by K, peak
memory, how soon a cancel is heard, and the ratio to plain pandas and dicts: one fold of one cell
with one algorithm, which is then a fifth of a quarter of a cell.
"""

from __future__ import annotations

import argparse
import collections
import math
import resource
import threading
import time
from typing import Any

import numpy as np

from auditor.engine.events import RunEvent
from auditor.engine.runner import RunHandle
from auditor.engine.sweep import ParameterSweep, SweepAxis, SweepCell, run_sweep
from auditor.errors import Cancelled
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods.registry import METHODS
from auditor.progress import silent_progress

KS = (10, 30, 50, 100, 500)


def nobody(event: RunEvent) -> None:
    """Hears nothing."""


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def grid(noises: int, ks: tuple[int, ...] = KS) -> ParameterSweep:
    kind = METHODS["safelog"].params
    base = kind().replace(
        mode="published", unit="events", q_f=100, c_f=100, b_q=10, b_c=10, b_t=10, tau=5
    )
    scales = np.geomspace(1, 100, noises).round(3).tolist()
    return ParameterSweep(
        method="safelog",
        base=base,
        axes=(SweepAxis(("K",), ks), SweepAxis(("b",), tuple(scales))),
        measures=("retrieval",),
    )


def plain(log: QueryLog, least: int, scale: float, seed: int = 0) -> tuple[float, float]:
    """Seconds and nDCG@10 of one fold with pandas, dicts, and the random walk of two moves."""
    import pandas as pd

    rng = np.random.default_rng(seed)
    began = time.perf_counter()
    rows = pd.DataFrame({"user": log.user, "query": log.query, "time": log.time, "url": log.url})
    fold = rng.integers(0, 5, len(rows))
    train, test = rows[fold > 0], rows[(fold == 0) & (rows.url >= 0)]
    train = train[train.groupby("query")["user"].transform("size") >= 5]
    train = train[train.groupby("user").cumcount() < 100]
    counts = train.groupby("query").size()
    kept = set(counts.index[counts + rng.laplace(0, scale, len(counts)) >= least])
    train = train.assign(next=train.groupby("user")["query"].shift(-1))
    train = train[train["query"].isin(kept)]
    out: dict[int, dict[tuple[str, int], float]] = collections.defaultdict(dict)
    clicks = train[train.url >= 0].groupby(["query", "url"], as_index=False).size()
    for query, url, count in clicks.to_numpy().tolist():
        out[query]["page", url] = max(count + rng.laplace(0, 10), 1e-6)
    steps = train[train.next.isin(kept) & (train.next != train["query"])]
    steps = steps.groupby(["query", "next"], as_index=False).size()
    for query, other, count in steps.to_numpy().astype(int).tolist():
        out[query]["query", other] = max(count + rng.laplace(0, 10), 0)
    gains = []
    for query, pages in test.groupby("query")["url"].agg(set).items():
        if query not in kept:
            continue
        found: dict[int, float] = collections.defaultdict(float)
        here: dict[Any, float] = {query: 1.0}
        for _ in range(2):
            there: dict[int, float] = collections.defaultdict(float)
            for place, chance in here.items():
                total = sum(out[place].values()) or 1.0
                there[place] += 0.1 * chance
                for (kind, node), weight in out[place].items():
                    (found if kind == "page" else there)[node] += 0.9 * chance * weight / total
            here = there
        first = sorted(found, key=lambda page: -found[page])[:10]
        gain = sum(1 / math.log2(i + 2) for i, page in enumerate(first) if page in pages)
        gains.append(gain / sum(1 / math.log2(i + 2) for i in range(min(10, len(pages)))))
    return time.perf_counter() - began, float(np.mean(gains))


def cancelled(log: QueryLog, after: float) -> float:
    """Seconds from a cancel, `after` seconds into a cell of a new split, to its answer."""
    handle = RunHandle(2)
    sent: list[float] = []

    def stop() -> None:
        sent.append(time.perf_counter())
        handle.cancel()

    fresh = log.rows(np.ones(len(log), dtype=np.bool_))
    timer = threading.Timer(after, stop)
    timer.start()
    try:
        for _ in run_sweep(grid(1, (10,)), fresh, handle, nobody):
            pass
    except Cancelled:
        return time.perf_counter() - sent[0]
    timer.cancel()
    return 0.0


def main(users: int, noises: int) -> None:
    log = synthesize_log(users, days=60, seed=1, progress=silent_progress()).log
    print(
        f"{len(log):,} rows, {len(log.users):,} users, {len(log.queries):,} queries, "
        f"{log.clicks:,} clicks"
    )
    warm = synthesize_log(40, days=5, seed=2, progress=silent_progress()).log
    list(run_sweep(grid(1), warm, RunHandle(1), nobody))
    began = time.perf_counter()
    first = next(run_sweep(grid(1, (500,)), log, RunHandle(1), nobody))
    prepared = time.perf_counter() - began
    print(f"split, original and first cell  {prepared:8.2f} s")
    cells: list[SweepCell] = []
    began = time.perf_counter()
    for cell in run_sweep(grid(noises), log, RunHandle(1), nobody):
        cells.append(cell)
    spent = time.perf_counter() - began
    print(f"grid of {len(cells)} cells             {spent:8.2f} s   peak {peak():.2f} GB")
    by_k = collections.defaultdict(list)
    for cell in cells:
        by_k[cell.place[0]].append(cell)
    for least, some in by_k.items():
        seconds = float(np.mean([cell.row["seconds"] for cell in some]))
        found = [cell.row.get("retrieval.feedback.ndcg", math.nan) for cell in some]
        ends = f"{found[0]:.3f} … {found[-1]:.3f}"
        print(f"  K = {least:<4} {seconds:6.2f} s a cell   nDCG@10 by honest feedback {ends}")
    for least in (KS[0], KS[1]):
        slow, gain = plain(log, least, 10)
        near = min(by_k[least], key=lambda cell: abs(cell.place[1] - 10))
        fast = near.row["seconds"]
        print(
            f"  K = {least:<4} plain: one fold, one algorithm {slow:6.2f} s (nDCG@10 {gain:.3f}, "
            f"here {near.row['retrieval.walk.ndcg']:.3f}); five folds {5 * slow / fast:.1f} times "
            f"a whole cell, with four algorithms and the original"
        )
    worst = max(cancelled(log, prepared * at / 8) for at in range(1, 8))
    print(f"cancel answers within {1000 * worst:.0f} ms")
    print(f"{first.row['retrieval.test_queries']:,} test queries")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("users", nargs="?", type=int, default=16_500)
    parser.add_argument("noises", nargs="?", type=int, default=25)
    asked = parser.parse_args()
    main(asked.users, asked.noises)
