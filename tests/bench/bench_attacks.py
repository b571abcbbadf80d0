"""Every attack on two logs, as one Markdown table: ``python -m tests.bench.bench_attacks``.

Each attack of the registry is made on a release to which it applies, with its usual parameters but
for what the table says, and the rate stands beside that of the exact attack (where there is one on
the same targets), guessing, and a control. The logs are a synthetic one of 10,000 users (or as
many as are named), whose truth is known, and Excite's searches. What Excite's log lacks, the table
says; another log for hashes is made of every second user of its own, who are then not attacked.

    python -m tests.bench.bench_attacks [USERS] [--only NAME …] [--logs synthetic,excite]
"""

import argparse
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import auditor
from auditor.attacks.base import AttackResult
from auditor.attacks.registry import ATTACKS
from auditor.errors import AuditorError
from auditor.figures import format_share
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.privacy.release import Anonymized
from tests.bench.measuring import open_log, print_head, print_row


@dataclass(frozen=True)
class Case:
    """An attack on a release; `small` changes the method's parameters for a log like Excite's."""

    attack: str
    method: str
    params: Mapping[str, Any] = field(default_factory=dict)
    small: Mapping[str, Any] = field(default_factory=dict)
    given: Mapping[str, Any] = field(default_factory=dict)
    other: str = ""
    reference: bool = False
    profiles: bool = False

    def describe(self, *, small: bool) -> str:
        """The release and the attack's own parameters, in words."""
        params = {**self.params, **(self.small if small else {})}
        parts = [self.method, *(f"{key} = {value}" for key, value in params.items())]
        if self.given:
            parts.append("attack: " + ", ".join(f"{k} = {v}" for k, v in self.given.items()))
        return ", ".join(parts)


THRESHOLD = {"n": 5, "ids": "random"}
ALL = {"n": 1}
"""Excite's users share hardly any query: all of them are released under random ids."""
CASES = (
    Case("entity-exposure", "token-hashing", reference=True),
    Case("hash-inversion", "token-hashing", reference=True),
    Case("hash-inversion", "numbered-sessions", reference=True),
    Case("record-linkage", "frequency-threshold", THRESHOLD, ALL),
    Case("near-linkage", "frequency-threshold", THRESHOLD, ALL, {"misremembered": 0.5}),
    Case("semantic-linkage", "frequency-threshold", THRESHOLD, ALL, {"paraphrased": 0.5}),
    Case("unicity", "frequency-threshold", THRESHOLD, ALL),
    Case("composition-exposure", "entity-allowlist", {"k_entity": 20}, {"k_entity": 3}),
    Case(
        "masked-completion",
        "entity-allowlist",
        {"k_entity": 20, "forbidden": "mask"},
        {"k_entity": 3},
        reference=True,
    ),
    Case("mini-session-linkage", "day-pseudonyms"),
    Case("attribute-inference", "microaggregation", {"k": 5}, reference=True),
    Case("attribute-inference", "k-delta", {"k": 5}, reference=True),
    Case("planted-strings", "frequency-threshold", {"n": 5}, {"n": 3}),
    Case("planted-strings", "set-union", {"epsilon": 8.0}),
    Case("planted-stems", "k-theta-affinity", {"k": 10, "w": 10, "theta": 0.6}, {"k": 3, "w": 3}),
    Case("planted-stems", "frequency-threshold", {"n": 10}, {"n": 3}),
    Case("differencing", "frequency-threshold", THRESHOLD, {"n": 2}, other="k-delta"),
    Case("structural", "bundling", profiles=True),
    Case("surviving-content", "frequency-threshold", {"n": 2}),
    Case("vanity", "bundling", profiles=True),
    Case("geo-vanity", "bundling", profiles=True),
    Case("unbundling", "bundling", reference=True),
    Case("dp-audit", "set-union"),
)


def read_logs(users: int, folder: Path) -> dict[str, tuple[QueryLog, QueryLog, Path | None]]:
    """Name, and log, another log and profiles."""
    synthetic = synthesize_log(users, days=30, seed=1)
    profiles = folder / "profiles.csv"
    synthetic.profiles.to_csv(profiles, index=False)
    return {
        "synthetic": (synthetic.log, synthetic.reference, profiles),
        "excite": (open_log("excite"), open_log("excite"), None),
    }


def attack_log(
    case: Case, log: QueryLog, reference: QueryLog, profiles: Path | None, *, small: bool
) -> AttackResult:
    """The attack on a release of the log, or of every second user where they are the reference."""
    more: dict[str, Any] = dict(case.given)
    if case.reference and small:
        odd = log.user % 2 == 1
        log, reference = log.rows(odd), log.rows(~odd)
    if case.reference:
        more["reference"] = reference
    if case.profiles:
        more["profiles"] = profiles
    release = make_release(log, case.method, {**case.params, **(case.small if small else {})})
    if case.other:
        more["others"] = (make_release(log, case.other, {}),)
    return auditor.attack(case.attack, log, release, **more)


def make_release(log: QueryLog, method: str, params: Mapping[str, Any]) -> Anonymized:
    return auditor.preview(log, method, seed=1, **params)


def format_cells(result: AttackResult) -> list[str]:
    """Exact attack, rate with interval, guessing, control."""
    low, high = map(format_share, result.interval)
    exact = result.details.get("exact_rate")
    return [
        "–" if exact is None else format_share(exact),
        f"{format_share(result.rate)} ({low} to {high})",
        format_share(result.baseline),
        "–" if result.control is None else format_share(result.control),
    ]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("users", nargs="?", type=int, default=10_000)
    parser.add_argument("--only", nargs="*", default=sorted(ATTACKS))
    parser.add_argument("--logs", default="synthetic,excite")
    options = parser.parse_args()
    missing = set(ATTACKS) - {case.attack for case in CASES}
    if missing:
        raise SystemExit(f"No release is named here for: {', '.join(sorted(missing))}")
    with tempfile.TemporaryDirectory() as folder:
        logs = read_logs(options.users, Path(folder))
        for name in options.logs.split(","):
            log, reference, profiles = logs[name]
            print(f"\n{name}: {len(log.users):,} users, {len(log):,} rows\n")
            columns = "attack", "release", "exact attack", "rate (95 %)", "guessing", "control"
            print_head(columns, numbers=4)
            for case in CASES:
                if case.attack not in options.only:
                    continue
                small = name == "excite"
                try:
                    cells = format_cells(attack_log(case, log, reference, profiles, small=small))
                except AuditorError as error:
                    cells = ["–", str(error), "–", "–"]
                print_row([case.attack, case.describe(small=small), *cells])


if __name__ == "__main__":
    main()
