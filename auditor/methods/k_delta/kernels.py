"""Compiled parts of (k,δ): numbering events, blending targets, and the counts to edit towards."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from auditor.arrays import Array

KEEP, LEAST_CHANGE, EXACT = 0, 1, 2
BOTH, ADD, SUPPRESS = 0, 1, 2


class ClusterCounts(NamedTuple):
    """Events by cluster, ascending: those of row i are ``starts[i]:starts[i + 1]``."""

    starts: Array
    clusters: Array
    counts: Array


class CountEdits(NamedTuple):
    """Events of each (user, cluster) before and after, by user; one entry where either is not 0."""

    user: Array
    cluster: Array
    before: Array
    after: Array


@njit(cache=True, nogil=True)
def number_events(
    first: int, last: int, number: int, query: Array, begins: Array, event: Array
) -> int:
    """Number the events of rows ``first:last`` from `number`; returns the next number.

    `begins` is true at the first row of each event. Rows of one event may stand apart within
    their second, so a row that begins nothing looks back for its query. O(rows) but for that.
    """
    for row in range(first, last):
        if begins[row]:
            event[row] = number
            number += 1
        else:
            back = row - 1
            while query[back] != query[row]:
                back -= 1
            event[row] = event[back]
    return number


@njit(cache=True, nogil=True)
def _round_counts(target: Array, total: int, size: int, out: Array) -> None:
    """Largest-remainder rounding of ``target / total · size`` into `out`; sums to `size`."""
    remainder = size
    n = len(target)
    keys = np.empty(n, dtype=np.int64)
    for i in range(n):
        exact = target[i] * size
        out[i] = exact // total
        remainder -= out[i]
        keys[i] = -(exact % total)
    order = np.argsort(keys, kind="mergesort")
    for i in range(remainder):
        out[order[i]] += 1


@njit(cache=True, nogil=True)
def _compute_cost(counts: Array, target: Array, total: int, size: int) -> float:
    change = 0.0
    for i in range(len(counts)):
        change += abs(counts[i] - target[i] * size / total)
    return change


@njit(cache=True, nogil=True)
def _final_size(counts: Array, target: Array, total: int, rule: int, mode: int, unit: int) -> int:
    """The final number of events N: see the module `editing`."""
    events = 0
    n = 0
    for i in range(len(counts)):
        events += counts[i]
        if target[i] > 0:
            n += 1
    if rule == KEEP:
        return events
    ratios = np.empty(n)
    weights = np.empty(n)
    n = 0
    for i in range(len(counts)):
        if target[i] > 0:
            ratios[n] = counts[i] / target[i]  # of the target's own total
            weights[n] = target[i]
            n += 1
    order = np.argsort(ratios, kind="mergesort")
    step = unit if rule == EXACT else 1
    if mode == ADD:
        most = ratios[order[n - 1]] * total / step
        return max(int(np.ceil(most - 1e-9)), 1) * step
    if mode == SUPPRESS:
        least = int(np.floor(ratios[order[0]] * total / step + 1e-9)) * step
        if least > 0:
            return least
    half, passed, index = weights.sum() / 2, 0.0, 0
    while index < n - 1 and passed + weights[order[index]] < half:
        passed += weights[order[index]]
        index += 1
    best = ratios[order[index]] * total
    lower = int(np.floor(best / step + 1e-9)) * step
    upper = int(np.ceil(best / step - 1e-9)) * step
    if lower < step:
        return max(upper, step)
    if _compute_cost(counts, target, total, lower) <= _compute_cost(counts, target, total, upper):
        return lower
    return upper


@njit(cache=True, nogil=True)
def edit_counts(
    first: int,
    last: int,
    users: ClusterCounts,
    part: Array,
    targets: ClusterCounts,
    options: tuple[int, int],
    out: CountEdits,
) -> int:
    """Write (user, cluster, events before, events after) for users ``first:last``.

    User u is edited towards the target of ``part[u]``, by a rule and a mode (`options`); rows where
    both are 0 don't occur. Returns how many were written. O(entries log entries) a user.
    """
    starts, clusters, counts = users
    target_starts, target_clusters, target_counts = targets
    rule, mode = options
    out_user, out_cluster, out_before, out_after = out
    written = 0
    for user in range(first, last):
        low, high = target_starts[part[user]], target_starts[part[user] + 1]
        room = starts[user + 1] - starts[user] + high - low
        before = np.zeros(room, dtype=np.int64)
        target = np.zeros(room, dtype=np.int64)
        n, i, j = 0, starts[user], low
        total, unit = 0, 0
        while i < starts[user + 1] or j < high:
            mine = clusters[i] if i < starts[user + 1] else np.int64(1 << 62)
            theirs = target_clusters[j] if j < high else np.int64(1 << 62)
            out_user[written + n] = user
            out_cluster[written + n] = min(mine, theirs)
            if mine <= theirs:
                before[n] = counts[i]
                i += 1
            if theirs <= mine:
                target[n] = target_counts[j]
                total += target[n]
                unit = math.gcd(unit, target[n])
                j += 1
            n += 1
        size = _final_size(before[:n], target[:n], total, rule, mode, total // unit)
        after = np.zeros(n, dtype=np.int64)
        _round_counts(target[:n], total, size, after)
        for index in range(n):
            if mode == ADD:
                after[index] = max(after[index], before[index])
            elif mode == SUPPRESS:
                after[index] = min(after[index], before[index])
            out_before[written + index] = before[index]
            out_after[written + index] = after[index]
        written += n
    return written


@njit(cache=True, nogil=True)
def blend_counts(base: Array, lead: Array, half: float, out: Array) -> None:
    """Move counts `base` towards counts `lead` until their shares are at most `half` apart.

    The counts go into `out`, as many events as `base` has. λ, the part of the way that is gone,
    starts at 1 − half / distance and grows until rounding leaves the distance within `half`; where
    it doesn't, `out` is `lead`. All three have the same clusters.
    """
    a, b = base.sum(), lead.sum()
    distance = _compute_distance(base, a, lead, b)
    if distance <= half:
        out[:] = base
        return
    least = 1.0 - half / distance
    n = len(base)
    for step in range(4):
        weight = least + (1.0 - least) * step / 4
        remainder = a
        keys = np.empty(n)
        for i in range(n):
            exact = (1.0 - weight) * base[i] + weight * lead[i] * (a / b)
            out[i] = int(exact)
            remainder -= out[i]
            keys[i] = out[i] - exact
        order = np.argsort(keys, kind="mergesort")
        for i in range(remainder):
            out[order[i % n]] += 1
        if _compute_distance(out, a, lead, b) <= half:
            return
    out[:] = lead


@njit(cache=True, nogil=True)
def blend_all(
    first: int, last: int, starts: Array, base: Array, lead: Array, half: float, out: Array
) -> None:
    """`blend_counts` for the rows `first` to `last` of CSR rows with the same clusters."""
    for row in range(first, last):
        part = slice(starts[row], starts[row + 1])
        blend_counts(base[part], lead[part], half, out[part])


@njit(cache=True, nogil=True)
def _compute_distance(x: Array, a: int, y: Array, b: int) -> float:
    """½ Σ|x/a − y/b| from whole numbers: one rounding, at the division."""
    total = 0
    for i in range(len(x)):
        total += abs(x[i] * b - y[i] * a)
    return total / (2 * a * b)
