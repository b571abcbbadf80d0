"""Queries released at one (ε, δ): ``python -m tests.bench.bench_partition_selection [users]``.

Expected numbers of distinct queries for ε of 1, 2, 4 and 8 and δ = 10⁻⁶ on a synthetic log, of
partition selection, set union and ZEALOUS, and of partition selection with shorter units.
"""

from __future__ import annotations

import sys
from typing import Any

from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods.registry import METHODS
from auditor.progress import silent_progress

EPSILONS = (1.0, 2.0, 4.0, 8.0)


def count_expected(log: QueryLog, method: str, **values: Any) -> float:
    what = METHODS[method]
    assert what.outlook is not None
    params = what.params().replace(delta=1e-6, **values)
    found = what.outlook(log, params, scale=1.0, progress=silent_progress())
    return next(float(one.value) for one in found.values if one.name == "expected.queries")


def main(users: int) -> None:
    log = synthesize_log(users, days=30, seed=1).log
    print(f"{users:,} users, {len(log):,} rows; ε = {EPSILONS}")
    settings: list[tuple[str, dict[str, Any]]] = [("zealous", {"m": 1})]
    settings += [("set-union", {"q_f": q_f}) for q_f in (1, 5, 20)]
    settings += [("partition-selection", {"q_f": q_f}) for q_f in (1, 5, 20)]
    settings += [
        ("partition-selection", {"q_f": 5, "protected_unit": unit}) for unit in ("week", "day")
    ]
    for method, values in settings:
        told = [round(count_expected(log, method, epsilon=e, **values), 1) for e in EPSILONS]
        print(f"{method:20} {values}: {told}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
