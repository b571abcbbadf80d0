"""Set union (Gopi et al. 2020), one round, as far as the noise leaves it determined.

Each user gives 1/√t to each of the first t ≤ q_f different queries; the Gaussian of deviation σ
is added to the sums, and what reaches T is released, with T such that a user's own t queries,
which weigh 1/√t each, are all hidden but for a chance of δ/2: T = max over t of 1/√t + σ·z((1 −
δ/2)^(1/t)). σ follows from ρ-zCDP: σ = 1/√(2ρ).
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from statistics import NormalDist

from tests.reference.logs import Row, histories
from tests.reference.methods.counting import cut


def weights(rows: list[Row], q_f: int) -> tuple[dict[str, float], dict[str, int]]:
    """The sum of what users give each query, and how many users give."""
    total: dict[str, float] = {}
    users: dict[str, int] = {}
    for history in histories(rows).values():
        mine = {row.query for row in cut(history, q_f, "users")}
        for query in mine:
            total[query] = total.get(query, 0.0) + 1 / math.sqrt(len(mine))
            users[query] = users.get(query, 0) + 1
    return total, users


def share_weights(
    users: Sequence[Sequence[str]], grid: int, ceiling: int | None, q_f: int
) -> dict[str, int]:
    """Weights in steps of 1/`grid`: ⌊grid/√t⌋ to each of a user's t queries, then passed on.

    Of what stands above `ceiling` a user gets the share that they gave, and gives 1/q_f of half
    of it to each of their queries. Exact fractions, rounded down once for each user.
    """
    portions = [math.isqrt(grid * grid // len(user)) if user else 0 for user in users]
    total: dict[str, int] = {}
    for user, each in zip(users, portions, strict=True):
        for query in user:
            total[query] = total.get(query, 0) + each
    if ceiling is None:
        return total
    excess = {q: Fraction(max(w - ceiling, 0), w) for q, w in total.items()}
    result = {q: min(w, ceiling) for q, w in total.items()}
    for user, each in zip(users, portions, strict=True):
        back = math.floor(each * sum(excess[q] for q in user) / (2 * q_f))
        for query in user:
            result[query] += back
    return result


def threshold(q_f: int, sigma: float, delta: float) -> float:
    """T for a wanted chance that any query of one user alone passes."""
    normal = NormalDist()
    return max(
        1 / math.sqrt(t) + sigma * normal.inv_cdf((1 - delta) ** (1 / t)) for t in range(1, q_f + 1)
    )


def delta_of(rho: float, epsilon: float) -> float:
    """δ of ρ-zCDP at ε (Canonne, Kamath and Steinke 2020, Proposition 7), least over orders."""
    orders = (1 + 10 ** (step / 200) for step in range(-600, 600))
    logarithms = (
        (a - 1) * (a * rho - epsilon) - math.log(a - 1) + a * math.log1p(-1 / a) for a in orders
    )
    return math.exp(min(logarithms))
