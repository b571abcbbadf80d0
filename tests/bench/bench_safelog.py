"""SafeLog on an AOL-shaped log in memory: python -m tests.bench.bench_safelog [--rows 36389567]

Prints, for so many rows of `aol_shape`, the seconds of strict mode, the peak of extra
memory, and the ratio to a baseline in the same run: pandas ``groupby`` doing the same limits and
counts (on the same log, or on `--baseline-rows` of it with time per row compared).
"""

import argparse
import time

import numpy as np

from auditor.log.model import QueryLog
from auditor.methods.noisy_counts.histograms import limit_users
from auditor.methods.safelog import METHOD, SafeLogParams
from auditor.privacy.randomness import PreviewRandomness, SecureRandomness
from auditor.progress import silent_progress
from tests.bench.measuring import Peak, open_log, timed


def pandas_baseline(log: QueryLog, rows: int, params: SafeLogParams, K: int) -> tuple[float, int]:
    """Seconds and rows of the same limits and three counts by pandas groupby, without noise."""
    import pandas as pd

    last = int(np.searchsorted(log.user_starts, rows, side="right")) - 1
    rows = int(log.user_starts[last])
    part = slice(0, rows)
    frame = pd.DataFrame({"u": log.user[part], "q": log.query[part], "p": log.url[part]})
    began = time.perf_counter()
    new = ~frame.duplicated(["u", "q"])
    distinct = new.groupby(frame["u"]).cumsum()
    limited = frame[distinct <= params.q_f]
    queries = limited[new[limited.index]].groupby("q").size()
    chosen = queries.index[queries >= K]
    clicks = limited[limited["p"] >= 0].drop_duplicates(["u", "q", "p"])
    clicks = clicks[clicks.groupby("u").cumcount() < params.c_f]
    clicks[clicks["q"].isin(chosen)].groupby(["q", "p"]).size()
    steps = limited.assign(n=limited.groupby("u")["q"].shift(-1, fill_value=-1))
    steps = steps[(steps["n"] >= 0) & (steps["n"] != steps["q"])].drop_duplicates(["u", "q", "n"])
    steps = steps[steps.groupby("u").cumcount() < params.q_f - 1]
    steps[steps["q"].isin(chosen) & steps["n"].isin(chosen)].groupby(["q", "n"]).size()
    return time.perf_counter() - began, rows


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=3_600_000)
    parser.add_argument("--baseline-rows", type=int, default=4_000_000)
    args = parser.parse_args()
    log = open_log(f"aol:{args.rows}")
    assert len(log.user_starts)
    print(f"log        {log!r}, {log.clicks:,} clicks, {log.nbytes / 1e9:.2f} GB")
    params = SafeLogParams(q_f=40, c_f=20)
    METHOD.run(log.sample_users(500, 1), params, rng=SecureRandomness(), progress=silent_progress())

    with Peak() as peak:
        total, product = timed(
            lambda: METHOD.run(log, params, rng=SecureRandomness(), progress=silent_progress()), 1
        )
    print(f"strict     {total:.2f} s end to end with release noise, {peak.gigabytes:.2f} GB extra")
    seeded, _ = timed(
        lambda: METHOD.run(log, params, rng=PreviewRandomness(1), progress=silent_progress())
    )
    print(f"preview    {seeded:.2f} s end to end with seeded noise (median of 3)")
    limiting, _ = timed(lambda: limit_users(log, params.limits, silent_progress()))
    print(f"limits     {limiting:.2f} s for user limits and query counts alone")
    K = int(product.statement.measured["K"])
    spent, rows = pandas_baseline(log, min(args.baseline_rows, len(log)), params, K)
    ours, theirs = 1e9 * seeded / len(log), 1e9 * spent / rows
    print(
        f"baseline   pandas groupby, same limits and counts: {spent:.2f} s for {rows:,} rows; "
        f"{theirs:.0f} ns a row against {ours:.0f}: ratio {theirs / ours:.1f}"
    )


if __name__ == "__main__":
    main()
