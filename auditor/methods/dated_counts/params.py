"""The parameters of dated tables, and what follows from them alone.

What a dated table costs, and the noise that it takes: by parameters alone.

**Steps.** (1) Rows are grouped into *parts*: what one user did within one step of the table (day or
week) and one unit of protection. Of each unit only the first m parts count; of each part the first
q_f different queries. (2) Each (query, step) cell counts the parts that hold it. (3) Each cell that
is not 0 gets noise and is shown if it reaches the threshold. (4) Only the cells of the days asked
for are released.

**Claim.** Between logs of which one has one unit more (a user, or a user's day, week or month): one
unit more adds at most

    c = q_f · min(m, r)

to the cells, 1 to each of c different ones, where r is how many parts a unit can have (∞ for a
whole history). So with either noise below the release is (ε, δ).

**Proof.** Which parts of a unit count, and what of them, is decided within the unit, so a unit more
changes nobody else's share: cells rise by 1 at c places at most. *Truncated noise*: each of these
moves by one, and `privacy.truncated_geometric` composes their losses exactly; support is part of
the law. *Gaussian noise*: let S be the cells that are 0 without the unit. Outside S both logs show
a function of counts with discrete Gaussian noise at ℓ2 distance √c: ρ = c/(2σ²), (ε, δ/2). That any
of S is shown has chance 1 − (1 − P[1 + X ≥ T])^c ≤ δ/2 at most, and P[X ≥ T − 1] ≤ Φ((2 − T)/σ)
(`privacy.gaussian`). The other way, let E be outputs without S, a the chance of E outside S with
the unit, p ≤ δ/2 that some of S is shown: E has e^ε·a + δ/2 at most without the unit, and a(1 − p)
with it. The gap e^ε·a·p is p at most where e^ε·a ≤ 1, and elsewhere e^ε·a(1 − p) + p ≥ 1. Which
noise is taken follows from the parameters: the one that shows a count of fewer users more likely
than not. Step 4 drops what is released, which costs nothing. ∎

**As days arrive.** A part never changes once its day is over, since later rows come after it, and
which m parts of a unit count depends on earlier ones alone. So the release of the days up to t and
that of the days after t, made later of the log that has grown, are together what one release of all
days would be: cells have noise of their own. Together they are (ε, δ), not twice that, if the
parameters stay and each log holds the earlier days as they were.
"""

import datetime
import functools
import math
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Float64s, Int64s
from auditor.errors import ParameterError
from auditor.messages import phrase
from auditor.methods.noisy_counts.grouped_queries import NO_GROUPS
from auditor.methods.noisy_counts.period_units import DAY, HISTORY, MONTH, WEEK, period_of
from auditor.params import Params
from auditor.privacy import count_error, gaussian, truncated_geometric
from auditor.privacy.randomness import Randomness
from auditor.privacy.truncated_geometric import TruncatedGeometric
from auditor.progress import Progress

MOST_PARTS = {
    (DAY, DAY): 1,
    (WEEK, DAY): 7,
    (MONTH, DAY): 31,
    (DAY, WEEK): 1,
    (WEEK, WEEK): 1,
    (MONTH, WEEK): 6,
}
"""How many parts a unit can have, by unit and step: a month touches six weeks at most."""

MOST_TRUNCATED = 1_000
"""Beyond so many cells of one unit only the Gaussian is tried: it is ahead long before."""


@dataclass(frozen=True)
class DatedBudget:
    """The noise of each cell: one of the two, and the δ that it really has."""

    cells: int  # how many cells one unit changes at most (c)
    threshold: int  # the release threshold: the lowest noisy count that is released
    # delta, delta_alone: δ in all, and what of it covers cells that one unit alone has
    delta: float
    delta_alone: float
    # The truncated noise, or None where the Gaussian of `sigma` is taken.
    truncated: TruncatedGeometric | None = None
    sigma: float = 0.0
    rho: float = 0.0

    def draw(self, size: int, rng: Randomness, progress: Progress) -> Int64s:
        """Noise for so many cells, from the secure sampler of the run."""
        if self.truncated is not None:
            return self.truncated.draw(size, rng, progress)
        return rng.discrete_gaussian(self.sigma, size, progress)

    def compute_chances(self, counts: Float64s) -> Float64s:
        """P[shown] of counts ≥ 0, 0 for none; of the Gaussian to about 10⁻³ of itself."""
        from scipy.stats import norm

        if self.truncated is not None:
            return self.truncated.compute_chances(counts)
        passes: Float64s = norm.sf((self.threshold - 0.5 - counts) / self.sigma)
        return np.where(counts > 0, passes, 0.0)

    @property
    def width(self) -> int:
        """How far 95 % of noisy counts are at most from what was counted."""
        if self.truncated is not None:
            return count_error.of_law(self.truncated.law)
        return count_error.of_gaussian(self.sigma)

    @property
    def error(self) -> float:
        """Standard deviation of the noise."""
        return self.sigma if self.truncated is None else self.truncated.error


def count_cells(q_f: int, parts: int, unit: str, step: str) -> int:
    """How many cells one unit changes at most."""
    return q_f * (parts if unit == HISTORY else min(parts, MOST_PARTS[unit, step]))


@functools.lru_cache(maxsize=256)
def derive_budget(epsilon: float, delta: float, cells: int) -> DatedBudget:
    """The noise that shows a count of fewer users more likely than not; milliseconds."""
    from scipy.stats import norm

    truncated = None
    if cells <= MOST_TRUNCATED:
        truncated = truncated_geometric.noise_for(epsilon, delta, cells)
    rho = gaussian.rho_for(epsilon, delta / 2)
    sigma = math.sqrt(cells / (2 * rho))
    # The least T with 1 − (1 − Φ((2 − T)/σ))^c ≤ δ/2.
    cell_delta = -math.expm1(math.log1p(-delta / 2) / cells)
    threshold = max(1, math.ceil(2 + sigma * float(norm.isf(cell_delta))))
    if truncated is not None and truncated.bound + 1 <= threshold:
        edge_delta = -math.expm1(cells * math.log1p(-truncated.edge))
        spent = truncated_geometric.delta_of(truncated, cells, epsilon)
        return DatedBudget(cells, truncated.bound + 1, spent, min(edge_delta, spent), truncated)
    edge_delta = delta / 2
    spent = gaussian.delta_of(rho, epsilon) + edge_delta
    return DatedBudget(cells, threshold, min(1.0, spent), edge_delta, None, sigma, rho)


@dataclass(frozen=True, kw_only=True)
class DatedCountsParams(Params, owner="dated-counts"):
    """What is wanted, whom it protects, how much of each user is counted, and of which days."""

    epsilon: float = 2.0
    delta: float = 1e-06
    step: str = DAY
    q_f: int = 1
    days: int = 7
    protected_unit: str = "history"
    group_by: str = NO_GROUPS
    first_day: int | None = None
    last_day: int | None = None
    suppress: str = "nothing"

    def matters(self, name: str) -> bool:
        """Days are limited where a unit of protection can have several."""
        unit = self.protected_unit
        return name != "days" or unit == HISTORY or MOST_PARTS[unit, self.step] > 1

    def check(self) -> None:
        """Refuse what is no date, and a last day before the first."""
        check_days(self.first_day, self.last_day)

    @property
    def budget(self) -> DatedBudget:
        """The noise that these parameters need."""
        cells = count_cells(self.q_f, self.days, self.protected_unit, self.step)
        return derive_budget(self.epsilon, self.delta, cells)

    def compute_window(self) -> tuple[int | None, int | None]:
        """Numbers of the first and last step that are released, None where there is no end.

        A week is released where it begins within the days.
        """
        ends: list[int | None] = []
        for value, is_first_monday in ((self.first_day, self.step == WEEK), (self.last_day, False)):
            if value is None:
                ends.append(None)
                continue
            late_days = 6 if is_first_monday else 0  # the first Monday from there on
            seconds = np.array([(number_day(value) + late_days) * 86_400], dtype=np.int64)
            ends.append(int(period_of(seconds, self.step)[0]))
        return ends[0], ends[1]


def check_days(first: int | None, last: int | None) -> None:
    """Refuse ends of days released that are no dates, and a last day before the first."""
    for name, value in (("first_day", first), ("last_day", last)):
        if value is not None and date_of(value) is None:
            raise ParameterError(
                name, phrase("{value} is no date: give year, month and day.", value=value)
            )
    if first is not None and last is not None and last < first:
        raise ParameterError("last_day", "The last day released is before the first.")


def number_day(value: int) -> int:
    """The number since 1970 of a day that is a date, such as 20060301."""
    date = date_of(value)
    assert date is not None
    return (date - datetime.date(1970, 1, 1)).days


def date_of(value: int) -> datetime.date | None:
    """20060301 as a date; None if there is no such day."""
    year, month_and_day = divmod(value, 10_000)
    month, day = divmod(month_and_day, 100)
    try:
        return datetime.date(year, month, day)
    except ValueError:
        return None
