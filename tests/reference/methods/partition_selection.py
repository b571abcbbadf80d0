"""Partition selection (Desfontaines et al. 2022), as far as the noise leaves it determined.

Each user counts once for each of their first q_f different queries. Each count gets noise of the
law P[X = x] ∝ e^(−ε₀|x|) on −k … k, and is shown where it is above k. One user more shows a new
query with P[X = k]; that is at most δ₀ for k = ⌈ln((e^ε₀ + 2δ₀ − 1) / ((e^ε₀ + 1)δ₀)) / ε₀⌉.
"""

import itertools
import math

from tests.reference.logs import Row, histories
from tests.reference.methods.counting import cut


def users_of(rows: list[Row], q_f: int) -> dict[str, int]:
    """Users of each query within the limited histories."""
    users: dict[str, int] = {}
    for history in histories(rows).values():
        for query in {row.query for row in cut(history, q_f, "users")}:
            users[query] = users.get(query, 0) + 1
    return users


def bound(epsilon: float, delta: float) -> int:
    """k for one count."""
    share = (math.exp(epsilon) + 2 * delta - 1) / ((math.exp(epsilon) + 1) * delta)
    return math.ceil(math.log(share) / epsilon)


def law(step: float, k: int) -> dict[int, float]:
    """P[X = x]."""
    size = {x: math.exp(-step * abs(x)) for x in range(-k, k + 1)}
    total = math.fsum(size.values())
    return {x: part / total for x, part in size.items()}


def delta_of(step: float, k: int, q: int, epsilon: float) -> float:
    """δ at ε of q counts with one user and without, over all outcomes one by one."""
    chance = law(step, k)
    losses: dict[float, float] = {}
    for x, p in chance.items():
        other = chance.get(x + 1, 0.0)
        loss = math.log(p / other) if other else math.inf
        key = round(loss / step) if loss < math.inf else math.inf
        losses[key] = losses.get(key, 0.0) + p
    delta = 0.0
    for outcome in itertools.product(losses.items(), repeat=q):
        loss = sum(key for key, _ in outcome) * step
        p = math.prod(p for _, p in outcome)
        delta += p * max(0.0, 1 - math.exp(min(0.0, epsilon - loss))) if loss > epsilon else 0.0
    return delta
