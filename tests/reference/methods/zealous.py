"""ZEALOUS (Götz, Machanavajjhala, Wang, Xiao and Gehrke 2012), where no noise is felt.

Of each user the first m different queries, once each; drop what counts below τ; add noise of scale
λ = 2m/ε'; release what is above τ' = m(1 − ln(2δ'/m)/ε').
"""

import math

from tests.reference.logs import Row, histories
from tests.reference.methods.counting import count_queries, cut


def printed_threshold(m: int, epsilon: float, delta: float) -> float:
    """τ' as printed."""
    return m * (1 - math.log(2 * delta / m) / epsilon)


def release(rows: list[Row], *, m: int, tau: int, above: float) -> dict[str, int]:
    """Counts of users that are at least τ and at least the second threshold."""
    limited = [cut(history, m, "users") for history in histories(rows).values()]
    counts = count_queries(limited, "users")
    return {query: n for query, n in counts.items() if n >= tau and n >= above}
