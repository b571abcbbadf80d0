"""Near matches beside exact ones: ``python -m tests.bench.bench_near_linkage [users …]``.

A synthetic log with known truth is attacked in a release of every query that five users asked,
under random ids; half of each target's events are known. Printed are seconds, and for 0, 50 and
100 % of the known queries misremembered the rates of the exact attack and of this one.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from auditor.attacks.base import Evidence
from auditor.attacks.near_linkage.attack import ATTACK, NearLinkageParams
from auditor.log.synthetic.generator import synthesize_log
from auditor.progress import silent_progress
from tests.bench.bench_linkage import released


def main(sizes: list[int]) -> None:
    for users in sizes:
        made = synthesize_log(users, seed=1)
        release = released(made.log, least=5)
        began = time.perf_counter()
        result = ATTACK.run(
            Evidence(log=made.log, release=release, reference=made.reference),
            NearLinkageParams(),
            rng=np.random.default_rng(0),
            progress=silent_progress(),
        )
        seconds = time.perf_counter() - began
        exact, near = (series.y.round(4).tolist() for series in result.figures[0].series)
        print(f"{users:,} users, {len(made.log):,} rows: {seconds:.1f} s")
        print(f"  exact {exact}, near {near}, baseline {result.baseline:.2g}")
        print(f"  interval {result.interval}, control {result.control}, {result.details}")


if __name__ == "__main__":
    main([int(text) for text in sys.argv[1:]] or [10_000])
