"""Tables by date at one (ε, δ): ``python -m tests.bench.bench_dated_counts [users | LOG]``.

Expected counts by date and distinct queries for ε of 1, 2, 4 and 8 and δ = 10⁻⁶, by day and by
week, for a user's day and for whole histories; then time, memory and trends of one release.
"""

import sys
from typing import Any

import auditor
from auditor.log.model import QueryLog
from auditor.methods.registry import METHODS
from tests.bench.measuring import Clock, expect_release, open_log, peak_memory

EPSILONS = (1.0, 2.0, 4.0, 8.0)
SETTINGS: tuple[dict[str, Any], ...] = (
    {"protected_unit": "day", "q_f": 1},
    {"protected_unit": "day", "q_f": 5},
    {"protected_unit": "week", "q_f": 1, "step": "week"},
    {"protected_unit": "week", "q_f": 5, "step": "week"},
    {"protected_unit": "history", "q_f": 1, "days": 1, "step": "week"},
    {"protected_unit": "history", "q_f": 1, "days": 5, "step": "week"},
    {"protected_unit": "history", "q_f": 1, "days": 7},
)


def count_expected(log: QueryLog, **values: Any) -> tuple[float, float]:
    params = METHODS["dated-counts"].params().replace(delta=1e-6, **values)
    forecast = expect_release(log, "dated-counts", params)
    expected = {value.name: round(float(value.value), 1) for value in forecast.values}
    return expected["expected.cells"], expected["expected.queries"]


def main(of: str) -> None:
    log = open_log(of)
    print(f"{len(log.users):,} users, {len(log):,} rows; (counts, queries) at ε = {EPSILONS}")
    for values in SETTINGS:
        print(values, [count_expected(log, epsilon=e, **values) for e in EPSILONS], flush=True)
    with Clock() as clock:
        release = auditor.anonymize(
            log, "dated-counts", epsilon=4.0, delta=1e-6, protected_unit="day", q_f=5
        )
    print(f"one release: {clock.work:.1f} s, {peak_memory():.2f} GiB at most")
    result = auditor.measure("trends", log, release)
    print({value.name: round(float(value.value), 4) for value in result.values})


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "10000")
