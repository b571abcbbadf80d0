"""How often the audit of ε accuses honest methods, how sharp it is, and what a run costs.

``python -m tests.bench.bench_dp_audit [SEEDS] [RUNS]``. Accusations are counted over many seeds of
settings whose guarantee is proven; at 95 % confidence at most one seed in twenty may accuse. The
sharpness is the bound against the claim of a mechanism whose ε is known exactly.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from auditor.attacks.base import Evidence
from auditor.attacks.dp_audit.attack import ATTACK, DpAuditParams
from auditor.engine.backends import local
from auditor.log.model import QueryLog
from auditor.methods.registry import METHODS
from auditor.privacy.noise import PreviewRandomness
from auditor.progress import Progress, silent_progress

LOG = QueryLog.from_columns(user=["a", "b"], query=["x", "x"], time=[1, 2])
BARE = {"clicks": False, "transitions": False}
HONEST: tuple[tuple[str, dict[str, Any]], ...] = (
    ("safelog", {"q_f": 1, "b": 1.0, **BARE}),
    ("safelog", {"q_f": 3, "c_f": 3, "b": 2.0, "b_c": 2.0, "b_t": 2.0, "delta": 0.01}),
    ("korolova", {"q_f": 1, "b": 1.0, "b_q": 1.0, "delta": 0.01}),
    ("zealous", {"m": 2, "epsilon": 2.0, "delta": 0.01}),
)


def details(method: str, values: dict[str, Any], seed: int, runs: int) -> dict[str, Any]:
    """One audit of a setting."""
    params = METHODS[method].params(**values)
    release = local.apply_method(LOG, method, params, PreviewRandomness(1), silent_progress())
    again = local.make_rerun(method, params, 0)

    def rerun(log: QueryLog, number: int, progress: Progress) -> Any:
        return again(log, 100_000_000 * seed + number, progress)

    result = ATTACK.run(
        Evidence(log=LOG, release=release, rerun=rerun),
        DpAuditParams(runs=runs, copies=10 * runs),
        rng=np.random.default_rng(seed),
        progress=silent_progress(),
    )
    return dict(result.details)


def main(seeds: int, runs: int) -> None:
    """Print a line a setting."""
    print(f"{'setting':70} {'claim':>7} {'most shown':>10} {'accused':>9} {'s a seed':>8}")
    for method, values in HONEST:
        began = time.perf_counter()
        told = [details(method, values, seed, runs) for seed in range(seeds)]
        spent = (time.perf_counter() - began) / seeds
        accused = sum(one["verdict"] == "refuted" for one in told)
        most = max(one["sampled_epsilon"] for one in told)
        claim = told[0]["claimed_epsilon"]
        name = f"{method} {' '.join(f'{key}={value}' for key, value in values.items())}"
        print(f"{name:70} {claim:7.3g} {most:10.3g} {accused:4}/{seeds:<4} {spent:8.2f}")


if __name__ == "__main__":
    given = [int(text) for text in sys.argv[1:]]
    main(*(given + [20, 400][len(given) :]))
