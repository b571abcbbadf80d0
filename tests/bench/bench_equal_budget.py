"""What each method releases at one (ε, δ) and unit: ``python -m tests.bench.bench_equal_budget``.

Expected distinct queries of every method with an ε, at ε of 1, 2, 4 and 8 and δ = 10⁻⁶, for whole
histories and for a user's day, week and month. Of each method the best of a few limits on users is
shown, with the limit: the same look for all, so the rows can be compared with each other, but each
is a little better than what a steward would get who chooses blindly. What a statement says is read
back and checked: a setting that claims more than the ε and δ of its column is an error.

    python -m tests.bench.bench_equal_budget [USERS | LOG ...] [--units history,day]

Without arguments the logs are a synthetic one of 10,000 users, the shipped sample, and Excite's.
"""

import argparse
import math
from collections.abc import Iterator
from typing import Any

from auditor.log.model import QueryLog
from auditor.methods.registry import METHODS
from auditor.params import Params
from tests.bench.measuring import expect_release, open_log, print_head, print_row

EPSILONS = (1.0, 2.0, 4.0, 8.0)
DELTA = 1e-6
LIMITS = (1, 3, 10, 20)


def list_settings(epsilon: float, unit: str) -> Iterator[tuple[str, str, Params]]:
    """Label, method and parameters whose statement keeps (ε, δ) for the unit."""
    for q in LIMITS:
        bare = {"clicks": False, "transitions": False, "protected_unit": unit}
        yield "safelog, queries alone", "safelog", make("safelog", q_f=q, b=q / epsilon, **bare)
        # Half of Korolova's ε selects, half counts; ln α ≤ 1/b needs a K that δ asks for anyway.
        yield (
            "korolova",
            "korolova",
            make(
                "korolova", q_f=q, b=2 * q / epsilon, b_q=2 * q / epsilon, counting_unit="users",
                protected_unit=unit,
            ),
        )  # fmt: skip
        # Under exchange ε' is twice that of one more or less, so ZEALOUS gets twice ε here.
        yield (
            "zealous (exchange: 2ε)",
            "zealous",
            make("zealous", m=q, epsilon=2 * epsilon, protected_unit=unit),
        )
        yield "partition-selection", "partition-selection", make(
            "partition-selection", q_f=q, epsilon=epsilon, protected_unit=unit
        )  # fmt: skip
        for rounds in (1, 3):
            label = "set-union" if rounds == 1 else "set-union, 3 rounds (DP-SIPS)"
            params = make("set-union", q_f=q, epsilon=epsilon, rounds=rounds, protected_unit=unit)
            yield label, "set-union", params
        for weighting, label in (("adaptive", "MAD"), ("screened", "MAD2R")):
            params = make(
                "set-union", q_f=q, epsilon=epsilon, weighting=weighting, protected_unit=unit
            )
            yield f"set-union, {weighting} ({label})", "set-union", params
        for longest in (1, 3):
            params = make("n-grams", q_f=q, epsilon=epsilon, longest=longest, protected_unit=unit)
            yield f"n-grams of up to {longest} (no queries)", "n-grams", params
    for days in (1, 4) if unit in ("history", "month") else (1,):
        params = make(
            "dated-counts", q_f=1, days=days, epsilon=epsilon, protected_unit=unit, step="week"
        )
        yield "dated-counts by week", "dated-counts", params


def make(method: str, **values: Any) -> Params:
    """The method's parameters with the common δ."""
    return METHODS[method].params().replace(delta=DELTA, **values)


def print_table(log: QueryLog, unit: str) -> None:
    """A row for each method, a column for each ε: expected queries, and the limit they need."""
    best: dict[str, dict[float, tuple[float, int]]] = {}
    for epsilon in EPSILONS:
        for label, method, params in list_settings(epsilon, unit):
            forecast = expect_release(log, method, params)
            claimed, delta = forecast.statement.epsilon, forecast.statement.delta
            allowed = 2 * epsilon if method == "zealous" else epsilon
            if (
                claimed is None
                or delta is None
                or claimed > allowed * (1 + 1e-9)
                or delta > DELTA * 1.001
            ):
                raise ValueError(f"{method} claims ({claimed}, {delta}) for ({allowed}, {DELTA})")
            queries = next(
                float(value.value)
                for value in forecast.values
                if value.name in ("expected.queries", "expected.ngrams")
            )
            limit = int(getattr(params, "m" if method == "zealous" else "q_f"))
            row = best.setdefault(label, {})
            if queries > row.get(epsilon, (-math.inf, 0))[0]:
                row[epsilon] = queries, limit
    print(f"\nunit: {unit}")
    print_head(["method", *(f"ε = {e:g}" for e in EPSILONS)], numbers=len(EPSILONS))
    for label, row in best.items():
        print_row([label, *(f"{row[e][0]:,.1f} ({row[e][1]})" for e in EPSILONS)])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("logs", nargs="*", default=["10000", "sample", "excite"])
    parser.add_argument("--units", default="history,day,week,month")
    options = parser.parse_args()
    for name in options.logs:
        log = open_log(name)
        print(f"\n{name}: {len(log.users):,} users, {len(log):,} rows, δ = {DELTA:g}")
        for unit in options.units.split(","):
            print_table(log, unit)


if __name__ == "__main__":
    main()
