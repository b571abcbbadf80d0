"""The exact law of what small mechanisms release: every outcome with its chance, and no draws.

Written from the methods' descriptions, in plain loops, and with nothing of theirs but parameters.
An outcome is a tuple of what is shown of each item: None, or a count. Noise beyond `WIDE` scales is
one outcome.
"""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from auditor.arrays import Float64s, Int64s
from auditor.log.model import QueryLog
from auditor.privacy.selection import selection_scale
from auditor.privacy.truncated_geometric import TruncatedGeometric
from tests.methods import logs

User = tuple[str, ...]
Item = str | tuple[str, str]
Outcome = tuple[int | None, ...]
Law = dict[Outcome, float]
Mechanism = Callable[[Sequence[User]], Law]
"""From the histories of the users to the law of the release."""
WIDE = 30


def laplace(b: float) -> dict[int, float]:
    """P[X = x] of the discrete Laplace; the ends hold all that is beyond them."""
    reach = math.ceil(WIDE * b)
    chance = {
        x: (1 - math.exp(-1 / b)) / (1 + math.exp(-1 / b)) * math.exp(-abs(x) / b)
        for x in range(-reach + 1, reach)
    }
    rest = (1 - math.fsum(chance.values())) / 2
    return chance | {reach: rest, -reach: rest}


def gaussian(sigma: float) -> dict[int, float]:
    """P[X = x] of the discrete Gaussian."""
    reach = math.ceil(8 * sigma)
    weight = {x: math.exp(-x * x / (2 * sigma * sigma)) for x in range(-reach, reach + 1)}
    total = math.fsum(weight.values())
    return {x: w / total for x, w in weight.items()}


def truncated(noise: TruncatedGeometric) -> dict[int, float]:
    """P[X = x] of truncated geometric noise, as the program has it."""
    return dict(zip(range(-noise.bound, noise.bound + 1), noise.law.tolist(), strict=True))


def thresholded(count: int, noise: Mapping[int, float], least: int) -> dict[int | None, float]:
    """One noisy count that is shown if it reaches `least`; a count of 0 is of no string."""
    if not count:
        return {None: 1.0}
    law: dict[int | None, float] = {None: 0.0}
    for x, chance in noise.items():
        value = count + x if count + x >= least else None
        law[value] = law.get(value, 0.0) + chance
    return law


def product(*parts: Mapping[int | None, float] | Mapping[int, float]) -> Law:
    """Independent parts side by side."""
    law: Law = {(): 1.0}
    for part in parts:
        law = {(*before, value): p * q for before, p in law.items() for value, q in part.items()}
    return law


def counts(users: Iterable[User], limit: int) -> Counter[Item]:
    """Users of each of the first `limit` different items."""
    result: Counter[Item] = Counter()
    for history in users:
        result.update(list(dict.fromkeys(history))[:limit])
    return result


def sampled(mechanism: Mechanism, users: Sequence[User], share: float) -> Law:
    """The law after one coin for each user, by going through all samples there are."""
    samples: dict[tuple[User, ...], float] = {}
    for coins in itertools.product((False, True), repeat=len(users)):
        chosen = tuple(sorted(user for user, coin in zip(users, coins, strict=True) if coin))
        chance = share ** sum(coins) * (1 - share) ** (len(coins) - sum(coins))
        samples[chosen] = samples.get(chosen, 0.0) + chance
    return mixture((chance, mechanism(chosen)) for chosen, chance in samples.items())


def mixture(parts: Iterable[tuple[float, Law]]) -> Law:
    """One of several laws, by chance."""
    law: Law = {}
    for chance, part in parts:
        for outcome, p in part.items():
            law[outcome] = law.get(outcome, 0.0) + chance * p
    return law


def delta_at(first: Law, second: Law, epsilon: float) -> float:
    """The least δ with which `first` ≤ e^ε `second` + δ for every set of outcomes."""
    factor = math.exp(epsilon)
    return math.fsum(
        max(0.0, chance - factor * second.get(outcome, 0.0)) for outcome, chance in first.items()
    )


def exact_delta(first: Law, second: Law, epsilon: float) -> float:
    """The same both ways round: the privacy curve of a pair of neighbours."""
    return max(delta_at(first, second, epsilon), delta_at(second, first, epsilon))


def log_of(users: Sequence[User], page: str | None = None) -> QueryLog:
    """A log in which each user issues their queries in order, clicking `page` on the first."""
    return logs.log_of(
        [
            (f"user {n}", query, 60 * place, None if place else page)
            for n, user in enumerate(users)
            for place, query in enumerate(user)
        ]
    )


def selection_chances(scores: Sequence[int], sensitivity: int, epsilon: float) -> Float64s:
    """The exact chance of each candidate, by the integral in `privacy.selection`; shape (n,).

    The product is a polynomial in t of degree n − 1, which Gauss–Legendre quadrature with n/2
    points integrates exactly. O(n³).
    """
    utility: Int64s = np.asarray(scores, dtype=np.int64)
    chance = np.exp((utility - utility.max()) / selection_scale(sensitivity, epsilon))
    points, weights = np.polynomial.legendre.leggauss(len(utility) // 2 + 1)
    times, weights = (points + 1) / 2, weights / 2
    fails = 1 - times[:, None] * chance[None, :]
    result = np.empty(len(utility))
    for place in range(len(utility)):
        others = np.delete(fails, place, axis=1).prod(axis=1)
        result[place] = chance[place] * float(weights @ others)
    return result
