"""Randomness of two kinds that can't be mistaken: `SecureRandomness` and `PreviewRandomness`."""

import functools
import math
import os
import threading
from collections.abc import Callable
from typing import Any, Literal, NoReturn, Protocol, final

import numpy as np

from auditor.arrays import Int64s, UInt64s
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.sentences import sentence
from auditor.messages import phrase
from auditor.progress import Progress

LARGEST_SCALE = 1e15
"""Noise of this scale stays within int64 but for a chance of e^(−4,000)."""

_DRAWS = 4096  # about 50 ms of the secure sampler: cancel is heard in between
_BLOCK = 1 << 20


class Randomness(Protocol):
    """Where a method draws from; it can't tell, and needn't know, which kind it was given.

    Draws advance the progress by one unit each, in the stage that the caller has begun.
    """

    __slots__ = ()

    @property
    def secure(self) -> bool:
        """Whether what is drawn may go into a release."""

    def discrete_laplace(self, scale: float, size: int, progress: Progress) -> Int64s:
        """`size` independent draws X with P[X = x] ∝ exp(−|x|/scale)."""

    def geometric(self, scale: float, size: int, progress: Progress) -> Int64s:
        """`size` draws G ≥ 0 with P[G ≥ g] = exp(−g/scale): a discrete Laplace given ≥ 0."""

    def discrete_gaussian(self, scale: float, size: int, progress: Progress) -> Int64s:
        """`size` independent draws X with P[X = x] ∝ exp(−x²/2·scale²)."""

    def integers(self, high: int, size: int) -> Int64s:
        """`size` independent uniform integers in [0, high), 1 ≤ high ≤ 2⁶³."""

    def sample(self, n: int, size: int) -> Int64s:
        """`size` distinct members of ``range(n)``, every subset equally likely; ascending.

        O(size): of more than half, the complement is drawn, so that a draw is new with a chance of
        1/2 at least. No member is ever favoured over another.
        """
        if not 0 <= size <= n:
            raise ValueError(
                phrase("can't take {size} distinct members out of {n}", size=size, n=n)
            )
        if size > n // 2:
            mask = np.ones(n, dtype=np.bool_)
            mask[self.sample(n, n - size)] = False
            return np.flatnonzero(mask)
        sampled = np.zeros(0, dtype=np.int64)
        while len(sampled) < size:
            sampled = sorted_distinct(
                np.concatenate([sampled, self.integers(n, size - len(sampled))])
            )
        return sampled

    def permutation(self, n: int) -> Int64s:
        """A uniformly random order of ``range(n)``."""


@final
class SecureRandomness(Randomness):
    """The operating system's randomness, for releases: no seed, nothing to store, no replay.

    OpenDP is imported at the first draw (about two seconds); `load_sampler` does it ahead of time,
    in a thread of its own if the caller likes. Draws release the GIL and may come from any thread.
    """

    __slots__ = ()

    @property
    def secure(self) -> Literal[True]:
        """What is drawn may go into a release."""
        return True

    def __repr__(self) -> str:
        return "SecureRandomness()"

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError("randomness for a release is never stored or copied")

    def load_sampler(self) -> None:
        """Import the sampler now, so that the first draw needn't."""
        _vetted_sampler(1.0)

    def discrete_laplace(self, scale: float, size: int, progress: Progress) -> Int64s:
        """`size` draws by OpenDP, about 10 µs each; P[X = x] ∝ exp(−|x|/scale)."""
        draw = _vetted_sampler(checked_scale(scale, math.inf))
        return _draw_blocks(draw, size, _DRAWS, progress)

    def discrete_gaussian(self, scale: float, size: int, progress: Progress) -> Int64s:
        """`size` draws by OpenDP, about 10 µs each; P[X = x] ∝ exp(−x²/2·scale²)."""
        draw = _vetted_sampler(checked_scale(scale), "gaussian")
        return _draw_blocks(draw, size, _DRAWS, progress)

    def geometric(self, scale: float, size: int, progress: Progress) -> Int64s:
        """`size` draws G ≥ 0 with P[G ≥ g] = exp(−g/scale), at 2⁶³ − 1 where it is beyond.

        One Laplace draw X gives one: G = X where X ≥ 0, and −X − 1 where X < 0. Then P[G = g] =
        P[X = g] + P[X = −g − 1] ∝ e^(−g/scale)(1 + e^(−1/scale)), which is the geometric.
        """
        noise = self.discrete_laplace(scale, size, progress)
        return noise ^ (noise >> 63)  # ~x = −x − 1 where x < 0

    def integers(self, high: int, size: int) -> Int64s:
        """`size` uniform integers in [0, high); bits beyond `high` are drawn again."""
        return _draw_integers(high, size, _os_words)

    def permutation(self, n: int) -> Int64s:
        """A uniform order: that of n distinct random 64-bit keys; O(n log n).

        Keys that are not all distinct are thrown away as a whole, so no order is favoured.
        """
        while True:
            keys = _os_words(n)
            order = np.argsort(keys)
            ordered = keys[order]
            if not np.any(ordered[1:] == ordered[:-1]):
                return order


@final
class PreviewRandomness(Randomness):
    """Seeded NumPy randomness: fast, repeatable, and never part of a release.

    Its laws are those of `SecureRandomness` up to the rounding of doubles.
    """

    def __init__(self, seed: int) -> None:
        self._generator = np.random.default_rng(seed)

    @property
    def secure(self) -> Literal[False]:
        """What is drawn may only be looked at."""
        return False

    def __repr__(self) -> str:
        return "PreviewRandomness(…)"

    def discrete_laplace(self, scale: float, size: int, progress: Progress) -> Int64s:
        """The difference of two geometrics; 10 million in half a second."""
        checked_scale(scale)

        def draw(size: int) -> Int64s:
            return self._draw_geometric(scale, size) - self._draw_geometric(scale, size)

        return _draw_blocks(draw, size, _BLOCK, progress)

    def geometric(self, scale: float, size: int, progress: Progress) -> Int64s:
        """⌊scale · E⌋ with E exponential of mean 1, at 2⁶³ − 1024 where it is beyond."""
        checked_scale(scale, math.inf)
        draw = functools.partial(self._draw_geometric, scale)
        return _draw_blocks(draw, size, _BLOCK, progress)

    def discrete_gaussian(self, scale: float, size: int, progress: Progress) -> Int64s:
        """Discrete Laplaces, of which a share is kept (Canonne et al. 2020, Algorithm 3)."""
        checked_scale(scale)
        wide = math.floor(scale) + 1.0

        def draw(size: int) -> Int64s:
            noise = np.zeros(0, dtype=np.int64)
            while len(noise) < size:
                count = 2 * (size - len(noise)) + 8
                tried = self._draw_geometric(wide, count) - self._draw_geometric(wide, count)
                distance = np.abs(tried) - scale * scale / wide
                chance = np.exp(-distance * distance / (2 * scale * scale))
                good = tried[self._generator.random(count) < chance]
                noise = np.concatenate([noise, good])
            return noise[:size]

        return _draw_blocks(draw, size, _BLOCK, progress)

    def integers(self, high: int, size: int) -> Int64s:
        """`size` uniform integers in [0, high)."""
        return _draw_integers(high, size, self._draw_words)

    def permutation(self, n: int) -> Int64s:
        """A uniformly random order of ``range(n)``."""
        return self._generator.permutation(n)

    def _draw_geometric(self, scale: float, size: int) -> Int64s:
        noise = self._generator.standard_exponential(size)
        if scale > LARGEST_SCALE:  # beyond int64 here and there, and beyond a double at last
            with np.errstate(over="ignore"):
                noise *= scale
            np.minimum(noise, 2.0**63 - 1024, out=noise)
        else:
            noise *= scale
        return noise.astype(np.int64)

    def _draw_words(self, size: int) -> UInt64s:
        return self._generator.integers(0, 1 << 64, size, dtype=np.uint64)


def checked_scale(scale: float, largest: float = LARGEST_SCALE) -> float:
    """`scale` if it is in (0, largest] and finite; raises `ValueError` otherwise."""
    if not 0 < scale <= largest or math.isinf(scale):
        raise ValueError(sentence("noise.scale", largest=largest, scale=scale))
    return float(scale)


_import = threading.Lock()


def _draw_blocks(
    draw: Callable[[int], Int64s], size: int, block: int, progress: Progress
) -> Int64s:
    """`size` draws, `block` at a time: a cancel is heard in between."""
    noise = np.empty(size, dtype=np.int64)
    for start in range(0, size, block):
        progress.check()
        stop = min(start + block, size)
        noise[start:stop] = draw(stop - start)
        progress.advance(stop - start)
    return noise


def _vetted_sampler(
    scale: float, law: Literal["laplace", "gaussian"] = "laplace"
) -> Callable[[int], Int64s]:
    """So many draws of a discrete noise of `scale` by OpenDP, which adds it to int64 counts."""
    with _import:
        import opendp.prelude as dp

        dp.enable_features("contrib")
        domain = dp.vector_domain(dp.atom_domain(T="i64"))
        add_noise: Callable[[Int64s], Any]
        if law == "laplace":
            add_noise = dp.m.make_laplace(domain, dp.l1_distance(T="i64"), scale=scale)
        else:
            add_noise = dp.m.make_gaussian(domain, dp.l2_distance(T="f64"), scale=scale)

    def draw(size: int) -> Int64s:
        return np.asarray(add_noise(np.zeros(size, dtype=np.int64)), dtype=np.int64)

    return draw


def _os_words(size: int) -> UInt64s:
    return np.frombuffer(os.urandom(8 * size), dtype=np.uint64)


def _draw_integers(high: int, size: int, words: Callable[[int], UInt64s]) -> Int64s:
    """Uniform below `high` by rejection: at most two words a number on average."""
    if not 1 <= high <= 1 << 63:
        raise ValueError(phrase("integers need a bound in [1, 2^63], not {high}", high=high))
    mask = np.uint64((1 << (high - 1).bit_length()) - 1)
    integers = np.zeros(0, dtype=np.int64)
    while (missing := size - len(integers)) > 0:
        tried = words(missing) & mask
        integers = np.concatenate([integers, tried[tried < np.uint64(high)].astype(np.int64)])
    return integers
