"""Randomness of two kinds that can't be mistaken: `SecureRandomness` and `PreviewRandomness`."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from auditor.progress import Progress

Counts = NDArray[np.int64]


class Randomness(Protocol):
    """Where a method draws from; it can't tell, and needn't know, which kind it was given."""

    @property
    def secure(self) -> bool:
        """Whether what is drawn may go into a release."""
        ...

    def discrete_laplace(self, scale: float, size: int, progress: Progress) -> Counts:
        """`size` independent draws X with P[X = x] ∝ exp(−|x|/scale)."""
        ...

    def geometric(self, scale: float, size: int, progress: Progress) -> Counts:
        """`size` draws G ≥ 0 with P[G ≥ g] = exp(−g/scale): a discrete Laplace given ≥ 0."""
        ...

    def permutation(self, n: int) -> NDArray[np.int64]:
        """A uniformly random order of ``range(n)``."""
        ...
