"""Lines of a figure: how often several ways of an attack succeed, over what is made harder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from auditor.attacks.intervals import wilson_interval
from auditor.figures import Series


def make_rate_lines(
    names: Sequence[str], rates: Mapping[float, Sequence[float]], trials: int
) -> tuple[Series, ...]:
    """One line for each way, with the Wilson intervals of so many trials.

    ``rates[share][way]`` is the rate of a way at that share, which is drawn in per cent.
    """
    shares = np.array(sorted(rates))
    lines = []
    for way, name in enumerate(names):
        values = [rates[share][way] for share in shares.tolist()]
        bounds = [wilson_interval(min(value * trials, trials), trials) for value in values]
        lines.append(
            Series(
                name,
                100 * shares,
                np.array(values),
                low=np.array([low for low, _ in bounds]),
                high=np.array([high for _, high in bounds]),
            )
        )
    return tuple(lines)
