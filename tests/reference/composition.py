"""What several noisy counts, and several releases, cost together.

The privacy loss of a count with discrete Laplace noise of scale b, changed by 1, is 1/b or −1/b,
the former e^(1/b) times as likely. Losses of independent noise add; ε holds at δ where Σ
P(L)·max(0, 1 − e^(ε − L)) ≤ δ. Releases of one log add: (Σε, Σδ). One user more or less at (ε, δ)
is one user exchanged at (2ε, (1 + e^ε)·δ).
"""

import math


def losses(mechanisms: list[tuple[float, int]]) -> dict[float, float]:
    """The chances of all sums of losses of (scale, how many counts)."""
    chances = {0.0: 1.0}
    for scale, count in mechanisms:
        up = 1 / (1 + math.exp(-1 / scale))
        for _ in range(count):
            after: dict[float, float] = {}
            for loss, chance in chances.items():
                for step, part in ((1 / scale, up), (-1 / scale, 1 - up)):
                    key = round(loss + step, 9)
                    after[key] = after.get(key, 0.0) + chance * part
            chances = after
    return chances


def tight_epsilon(mechanisms: list[tuple[float, int]], delta: float) -> float:
    """The least ε of all of them at δ, by halving."""
    chances = losses(mechanisms)

    def missing(epsilon: float) -> float:
        return math.fsum(
            chance * -math.expm1(epsilon - loss)
            for loss, chance in chances.items()
            if loss > epsilon
        )

    low, high = 0.0, max(chances)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if missing(middle) > delta else (low, middle)
    return high


def together(releases: list[tuple[float, float]]) -> tuple[float, float]:
    """(Σε, Σδ)."""
    return math.fsum(e for e, _ in releases), math.fsum(d for _, d in releases)


def exchanged(epsilon: float, delta: float) -> tuple[float, float]:
    """What hides that a user comes or goes, as what hides which user is there."""
    return 2 * epsilon, (1 + math.exp(epsilon)) * delta
