"""What bundles hold, told from a sample of the users: for expecting a setting while it is chosen.

A bundle of a sample is too small, and so too often one user's: of bundles that one user in four
dominates, a third of the users show twice as many. So bundles are filled up with those who were
probably left out. How many users bundles have is estimated without assuming a law: the shares of
bundles of 1, 2, 3, … users that make the counts in the sample likeliest, by expectation and
maximisation, each user having been drawn by the same chance. O(fibers + 60 · distinct counts).
"""

from __future__ import annotations

import numpy as np

from auditor.arrays import Float64s, Int64s
from auditor.log.bundles import BundleSizes

_ROUNDS = 200
_SIZES = 60
"""Sizes of bundles that are told apart, at most: every one of the first, then ever fewer."""


def complete_bundles(found: BundleSizes, scale: float) -> BundleSizes:
    """The bundles with users added as many as a sample of 1/`scale` of them probably left out.

    What they issued is drawn from what all of the sample did, which hides little: who is together
    hardly tells how much they search. Whoever is in several bundles of a sample counts in each.
    """
    if scale <= 1 or not len(found.users):
        return found
    rng = np.random.default_rng(0)
    missing = _count_missing(found.users, 1 / scale, rng)
    total = int(missing.sum())
    bundle = np.concatenate([found.fiber_bundle, np.repeat(np.arange(len(missing)), missing)])
    strangers = int(found.fiber_user.max()) + 1 + np.arange(total)
    queries = np.concatenate([found.fiber_queries, rng.choice(found.fiber_queries, total)])
    order = np.argsort(bundle, kind="stable")
    return BundleSizes(
        np.bincount(bundle, queries, minlength=len(missing)).astype(np.int64),
        np.bincount(bundle, minlength=len(missing)).astype(np.int64),
        bundle[order],
        np.concatenate([found.fiber_user, strangers])[order],
        queries[order],
    )


def _count_missing(users: Int64s, drawn: float, rng: np.random.Generator) -> Int64s:
    """How many users each bundle lacks, then those of bundles of which nobody was drawn."""
    counts, place, times = np.unique(users, return_inverse=True, return_counts=True)
    most = 2 * int(np.ceil(counts[-1] / drawn)) + 20
    sizes = np.unique(np.geomspace(1, most, _SIZES).round().astype(np.int64))
    chance = _compute_binomial(counts, sizes, drawn)
    nobody = (1 - drawn) ** sizes
    shares = np.full(len(sizes), 1 / len(sizes))
    for _ in range(_ROUNDS):
        guess = shares * chance
        guess /= np.maximum(guess.sum(axis=1, keepdims=True), 1e-300)
        seen = times @ guess
        shares = seen / (1 - nobody)
        shares /= shares.sum()
    added = []
    for at, count in enumerate(counts.tolist()):
        size = rng.choice(sizes, int(times[at]), p=guess[at] / guess[at].sum())
        added.append(np.maximum(size - count, 0))
    missing = np.empty(len(users), dtype=np.int64)
    missing[np.argsort(place, kind="stable")] = np.concatenate(added)
    unseen = np.repeat(sizes, rng.poisson(seen * nobody / (1 - nobody)))
    return np.concatenate([missing, unseen])


def _compute_binomial(counts: Int64s, sizes: Int64s, drawn: float) -> Float64s:
    """The chance that of `sizes` users `counts` were drawn; shape (counts, sizes)."""
    factorial = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, int(sizes[-1]) + 1)))))
    k, n = counts[:, None], sizes[None, :]
    left = np.maximum(n - k, 0)
    logarithm = factorial[n] - factorial[np.minimum(k, n)] - factorial[left]
    logarithm = logarithm + k * np.log(drawn) + left * np.log1p(-drawn)
    found: Float64s = np.where(k <= n, np.exp(logarithm), 0.0)
    return found
