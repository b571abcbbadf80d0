"""ε, δ and thresholds of noisy counts, from the tail of the noise and by trying every case.

The noise of releases is the discrete Laplace: P[X = x] ∝ e^(−|x|/b). Golden numbers of the source
are for the continuous one.
"""

import math
from collections.abc import Iterator


def tail(least: int, b: float) -> float:
    """P[X ≥ least] of the discrete Laplace: a geometric series, or what it lacks of 1."""
    if least < 1:
        return 1 - tail(1 - least, b)
    ratio = math.exp(-1 / b)
    return ratio**least / (1 + ratio)


def partitions(total: int, most: int | None = None) -> Iterator[list[int]]:
    """The ways to write a number as a sum, the greatest part first."""
    if total == 0:
        yield []
        return
    for part in range(min(total, most or total), 0, -1):
        yield from ([part, *rest] for rest in partitions(total - part, part))


def leak(parts: list[int], K: int, b: float) -> float:
    """The chance that any of one user's own queries, asked so often each, reaches K."""
    return 1 - math.prod(1 - tail(K - part, b) for part in parts)


def delta(q_f: int, K: int, b: float, *, once: bool) -> float:
    """δ of a threshold: the worst way in which one user can spend q_f counts on own queries."""
    spreads = [[1] * q_f] if once else partitions(q_f)
    return max(leak(parts, K, b) for parts in spreads)


def threshold(q_f: int, target: float, b: float, *, once: bool) -> int:
    """The least K whose δ is at most the wanted one, by trying one after the other."""
    K = 2
    while delta(q_f, K, b, once=once) > target:
        K += 1
    return K


def safelog_epsilon(
    *, q_f: int, c_f: int, b: float, K: int, b_q: float, b_c: float, p_g: float = 1.0
) -> float:
    """Theorem 1 without transitions, as printed (continuous noise)."""
    alpha = max(math.exp(1 / b) / p_g, 1 + 1 / (2 * math.exp((K - 1) / b) - 1))
    return q_f * math.log(alpha) + q_f / b_q + c_f / b_c
