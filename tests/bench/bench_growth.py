"""How often the growth curve's interval holds, on synthetic logs: predict more users from fewer.

``python -m tests.bench.bench_growth [USERS …] [--logs 10]``: of a synthetic log of four times as
many users, some are drawn; their curve is held against what is expected of twice and of four times
as many users of the same log.
"""

from __future__ import annotations

import argparse

from auditor.log.synthetic.generator import synthesize_log
from auditor.progress import silent_progress
from auditor.release.policy.policy import default_policy
from auditor.suggestions.candidates import find_family
from auditor.suggestions.estimates import LogPart
from auditor.suggestions.family_search import find_most_queries
from auditor.suggestions.growth import Expect, measure_growth
from auditor.suggestions.limits import PolicyLimits

FAMILIES = (
    ("set-union", "1 round"),
    ("set-union", "3 rounds"),
    ("safelog", "queries alone"),
    ("partition-selection", "whole histories"),
)


def expect_family(method: str, family: str, limits: PolicyLimits) -> Expect:
    """The most queries of a family, for a log of any size."""

    def expect(part: LogPart, users: int) -> float:
        scaled = find_family(limits.of_users(users), method, family)
        peak = None if scaled is None else find_most_queries(scaled, part, silent_progress())
        return 0.0 if peak is None else peak[1].queries

    return expect


def main() -> None:
    """Print a line of a Markdown table for each size and family."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("users", nargs="*", type=int, default=[1_000, 3_000])
    parser.add_argument("--logs", type=int, default=10)
    arguments = parser.parse_args()
    policy = default_policy()
    print("| users | family | holds at 2 × | at 4 × | median of predicted ÷ true, 2 × and 4 × |")
    print("|---|---|---|---|---|", flush=True)
    for users in arguments.users:
        for method, family in FAMILIES:
            expect = expect_family(method, family, PolicyLimits.of(policy, users))
            held = {2: 0, 4: 0}
            ratios: dict[int, list[float]] = {2: [], 4: []}
            for seed in range(arguments.logs):
                large = synthesize_log(4 * users, days=20, seed=300 + seed).log
                few = large.sample_users(users, seed)
                curve = measure_growth(few, expect, "", silent_progress(), (1.0, 2.0, 4.0))
                for step in (2, 4):
                    part = LogPart.of(large, step * users, seed + 1)
                    truth = expect(LogPart(part.log, 1.0), step * users)
                    point = next(one for one in curve.points if one.users == step * users)
                    held[step] += point.low <= truth <= point.high
                    ratios[step].append(point.queries / max(truth, 1.0))
            middle = [sorted(ratios[step])[len(ratios[step]) // 2] for step in (2, 4)]
            print(
                f"| {users:,} | {method}, {family} | {held[2]} of {arguments.logs} | "
                f"{held[4]} of {arguments.logs} | {middle[0]:.2f}; {middle[1]:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
