"""The mutation table: what the audit of ε says of methods that are broken on purpose."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from auditor.attacks.dp_audit.attack import DpAuditParams
from tests.attacks.dp_audit.mutants import CASES, MutationCase

NAME, PAGE, HEADING = "mutation", "security.md", "## What the audit of ε finds\n"
SEED = 1
"""Of all audits: the same table comes out again."""


@dataclass(frozen=True)
class AuditedCase:
    """A case and the details of its audit."""

    case: MutationCase
    told: dict[str, Any]

    @property
    def wrong(self) -> bool:
        return bool(self.told["refuted"]) and not self.case.broken

    @property
    def found(self) -> str:
        """By what: the look that shows most, and how much."""
        looks = self.told["bounds"]

        def evidence(name: str) -> tuple[float, float]:
            return _number(looks[name]["epsilon"]), float(looks[name].get("impossible", 0.0))

        name = max(looks, key=evidence)
        epsilon, impossible = evidence(name)
        noise = next((claim for claim in self.told["claims"] if claim["claim"] == "noise"), None)
        if noise and noise["verdict"] == "refuted" and epsilon <= self.told["claimed_epsilon"]:
            return (
                f"as Gaussian noise ε ≥ {noise['audited_epsilon']:.3g}, by the stated ρ "
                f"{noise['epsilon']:.3g}"
            )
        if math.isinf(epsilon):
            return f"impossible in {100 * impossible:.3g} % ({name})"
        return f"ε ≥ {epsilon:.3g} ({name})"

    def line(self) -> str:
        params = ", ".join(
            f"{name}={'off' if value is False else value}"
            for name, value in self.case.values.items()
        )
        if self.case.share is not None:
            params += f"; sampled {self.case.share:g}"
        verdict = "refuted" if self.told["refuted"] else "not refuted"
        if self.case.broken and not self.told["refuted"]:
            verdict = "not refutable at this many runs"
        claim = f"{_number(self.told['claimed_epsilon']):.3g}, {self.told['claimed_delta']:.2g}"
        return (
            f"| {self.case.name} | {self.case.method} ({params}) | {claim} | "
            f"{verdict}: {self.found} |"
        )


def audits(cases: Iterable[MutationCase] = CASES) -> Iterator[AuditedCase]:
    """Every case with the default number of runs; some ten seconds each."""
    for case in cases:
        yield AuditedCase(case, dict(case.audit(SEED).details))


def section(audited: Iterable[AuditedCase]) -> str:
    rows = list(audited)
    broken = [row for row in rows if row.case.broken]
    intact = [row for row in rows if not row.case.broken]
    right = sum(bool(row.told["refuted"]) for row in broken)
    alarms = sum(bool(row.told["refuted"]) for row in intact)
    default = DpAuditParams()
    return "\n".join(
        [
            HEADING,
            f"`python -m tests.tables {NAME}` breaks methods,",
            "one thing at a time, leaves the statement as it was, "
            "and audits with the default of "
            f"{default.runs:,} runs and",
            f"{default.copies:,} users. Of {len(broken)} broken methods {right} are refuted, of "
            f"{len(intact)} whole ones {alarms}.",
            "",
            "| what is broken | method | claimed ε, δ | verdict, by what |",
            "|---|---|---|---|",
            *(row.line() for row in rows),
            "",
            "Parameters are such that the claim lies within what so many runs can show; where it "
            "doesn't, the audit says",
            "so. A sample whose size is fixed is found where one user more changes that size.",
            "",
        ]
    )


def _number(value: float | str) -> float:
    return math.inf if value == "infinite" else float(value)
