"""SafeLog's parameters, for both modes, and what follows from them alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from auditor.methods.noisy_counts import query_pool
from auditor.methods.noisy_counts.histograms import ContributionLimits, CountingUnit
from auditor.methods.noisy_counts.query_pool import QueryPool
from auditor.params import Params
from auditor.progress import Progress


@dataclass(frozen=True, kw_only=True)
class SafeLogParams(Params, owner="safelog"):
    """What Algorithm 1 takes, and what the strict variant takes in its place."""

    mode: str = "strict"
    tau: int = 5
    q_f: int = 10
    c_f: int = 10
    b: float = 5.0
    K: int | None = None
    delta: float = 1e-6
    b_q: float = 5.0
    clicks: bool = True
    b_c: float = 5.0
    K_c: int | None = None
    transitions: bool = True
    b_t: float = 5.0
    K_t: int | None = None
    counting_unit: str = "events"
    pool: str = "none"
    pool_file: Path | None = None
    pool_size: int = 1_000_000
    p_g: float = 1.0
    protected_unit: str = "history"
    periods: int | None = None
    suppress: str = "nothing"

    def load_pool(self, progress: Progress) -> QueryPool | None:
        """The queries that stand in with a count of 0, None where there are none."""
        return query_pool.load_pool(self.pool, self.pool_file, self.pool_size, progress)

    @property
    def limits(self) -> ContributionLimits:
        """How users are limited, and what counts, in the chosen mode."""
        if self.mode == "strict":
            return ContributionLimits(CountingUnit.USERS, self.q_f, self.c_f)
        return ContributionLimits(CountingUnit(self.counting_unit), self.q_f, self.c_f, self.tau)
