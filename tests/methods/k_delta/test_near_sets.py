"""Pairs of near sets are those that a comparison of all pairs finds, with their distances."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.arrays import Int64s
from auditor.methods.k_delta.query_clusters import near_sets
from tests.methods.logs import QUIET

Sets = list[set[int]]


def as_arrays(sets: Sets) -> tuple[Int64s, Int64s]:
    starts = np.cumsum([0, *map(len, sets)])
    return starts, np.array([page for members in sets for page in sorted(members)], dtype=np.int64)


def compare_all(sets: Sets, delta: float) -> dict[tuple[int, int], float]:
    """Jaccard distance of every pair with a common page that is within delta."""
    pairs = {}
    for b, mine in enumerate(sets):
        for a, theirs in enumerate(sets[:b]):
            union, common = len(mine | theirs), len(mine & theirs)
            if common and (union - common) / union <= delta:
                pairs[a, b] = (union - common) / union
    return pairs


def look_up(sets: Sets, delta: float) -> dict[tuple[int, int], float]:
    a, b, far = near_sets(*as_arrays(sets), delta, QUIET)
    pairs = list(zip(a.tolist(), b.tolist(), strict=True))
    assert len(set(pairs)) == len(pairs)
    return dict(zip(pairs, far.tolist(), strict=True))


@settings(max_examples=100)
@given(
    st.lists(st.sets(st.integers(0, 12), min_size=1, max_size=9), min_size=1, max_size=12),
    st.sampled_from([0.0, 0.1, 0.25, 1 / 3, 0.5, 0.6, 2 / 3, 0.75, 0.9, 1.0]),
)
def test_that_no_near_pair_is_missed_and_no_other_found(sets: Sets, delta: float) -> None:
    assert look_up(sets, delta) == compare_all(sets, delta)


@pytest.mark.parametrize("delta", [0.2, 0.5, 0.7])
def test_that_large_sets_of_popular_pages_are_compared_as_small_ones(delta: float) -> None:
    """Pages by a power law, sets of one to three hundred of them, some nearly alike."""
    rng = np.random.default_rng(5)
    sets: Sets = []
    for _ in range(150):
        size = int(min(300, 1 + rng.pareto(0.7) * 2))
        pages = set((rng.pareto(0.8, size) * 3).astype(int).tolist())
        sets.append(pages)
        sets.append({page for page in pages if rng.random() < 0.8} or pages)
    pairs = look_up(sets, delta)
    assert pairs == compare_all(sets, delta)
    assert pairs
