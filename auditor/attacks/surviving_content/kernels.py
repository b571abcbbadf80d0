"""Walks over the rows of a log, session by session and user by user; each is O(rows)."""

from typing import NamedTuple

import numpy as np
from numba import njit

from auditor.arrays import Bools, Float64s, Int32s, Int64s, UInt8s, UInt64s


class JudgedQueries(NamedTuple):
    """Of each query, and behind them of each address: its reasons as bits, its rarity, and whether
    it survives.

    ``row[q]`` is the row of `factors` that says how much each reason of query q counts, or −1 where
    all count fully; `row` is empty where no query has one.
    """

    bits: UInt64s
    rarity: Float64s
    survives: Bools
    row: Int32s
    factors: Float64s


class ReasonRules(NamedTuple):
    """Of each reason its weight and share, and what makes a pair of reasons a reason.

    ``row_bits`` are the reasons that a row's flags give by themselves, by the flags' value;
    ``silent`` is one that never decides (−1 for none); a row of `pairs` (a, b, c) sets bit c where
    a session has bits a and b; `identifying` are the bits that identify; `unsure` says how far
    above a reason its bit stands that says that it is unsure, and what part of a query such
    counts; `lasting` are the bits that weigh more where they stand in several parts.
    """

    row_bits: UInt64s
    silent: int
    weights: Float64s
    shares: Float64s
    pairs: Int64s
    identifying: int
    unsure: tuple[int, float]
    lasting: int


class LoggedRows(NamedTuple):
    """User and query of each row; its flags, and the code of its address.

    ``flags`` say what a row is besides its query (`OWN_NAME`, `AGAIN`); empty where none is any.
    ``address`` is the code of a clicked address with reasons, which follow those of queries in
    `JudgedQueries`, or −1; empty where there are none.
    """

    user: Int32s
    query: Int32s
    flags: UInt8s
    address: Int32s


OWN_NAME, AGAIN = 1, 2
"""Flags of a row: it holds the user's own name, a name that the user comes back to."""


class SessionVerdicts(NamedTuple):
    """What each span was judged to be; shape (spans,) each."""

    reason: UInt64s
    remaining: UInt64s
    risk: Float64s
    decided: UInt8s
    marked: Int32s
    standing: Int32s


def allocate_verdicts(spans: int) -> SessionVerdicts:
    """Verdicts on so many spans, to be filled in."""
    types = np.uint64, np.uint64, np.float64, np.uint8, np.int32, np.int32
    return SessionVerdicts._make(np.zeros(spans, kind) for kind in types)


@njit(cache=True, nogil=True)
def _read_string(
    row: int, turn: int, rows: LoggedRows, queries: JudgedQueries, rules: ReasonRules
) -> tuple[np.int64, np.uint64]:
    """The code of a row's query, in the second turn of its address, and its reasons."""
    if turn == 0:
        code = np.int64(rows.query[row])
        bits = queries.bits[code]
        return code, bits | rules.row_bits[rows.flags[row]] if len(rows.flags) else bits
    code = np.int64(rows.address[row]) if len(rows.address) else np.int64(-1)
    return code, queries.bits[code] if code >= 0 else np.uint64(0)


@njit(cache=True, nogil=True)
def judge_spans(
    starts: Int64s,
    parts: Int64s,
    part_number: int,
    allowed: UInt64s,
    rows: LoggedRows,
    queries: JudgedQueries,
    rules: ReasonRules,
    stamp: Int32s,
    base: int,
    out: SessionVerdicts,
) -> None:
    """Judge sessions, or what users issued in all, into `out`.

    Span i is the rows ``starts[i]:starts[i + 1]``. A string counts once in each of the `parts`
    (their first rows, ascending, those of spans among them), of which `part_number` is the first
    one's. `allowed` are the reasons that a pair may give a span, as bits.
    A row's flags add reasons to that row, a clicked address counts as a string beside the query.
    ``risk`` is 1 − Π(1 − w_r · s_r · (1 + ρ_r) / 2) over the span's reasons r, where s_r is 1 − Π(1
    − share · f) over the distinct strings of each part with that reason, or the rows where flags
    may give it (f is 1 unless a rule's weight was changed or only unsure marks give the reason) and
    ρ_r the greatest `rarity` of these; w_r is its weight, and where a `lasting` reason stands in n
    parts 1 − (1 − w_r)^√n. Unsure strings alone make s_r no greater than one sure string does; what
    pairs give takes the greatest ρ of their bits a, and of the products of s of both bits.
    ``decided`` is the reason of the greatest w · s · (1 + ρ) / 2 but the silent one, of equals the
    last. ``rest`` are the reasons that the strings which survive give by themselves. ``marked`` and
    ``standing`` count distinct strings with an `identifying` bit (with any bit where none is
    identifying), and those of them that survive. `stamp` remembers, for each string, the last part
    that weighed it, and as −2 − its number the last span (from `base`) that counted it.
    """
    _, rarity, survives, factor_row, factors = queries
    row_bits, silent, weights, shares, pairs, identifying, (shift, part_of), lasting = rules
    reasons = (np.uint64(1) << np.uint64(shift)) - np.uint64(1)
    reason, remaining, risk, decided, marked, standing = out
    highest = np.zeros(len(weights), np.float64)
    unsaid = np.ones(len(weights), np.float64)
    strength = np.zeros(len(weights), np.float64)
    latest = np.full(len(weights), -1, np.int64)
    heard = np.zeros(len(weights), np.int64)
    of_rows = np.uint64(0)
    for flag in range(len(row_bits)):
        of_rows |= row_bits[flag]
    turns = 2 if len(rows.address) else 1
    for index in range(len(starts) - 1):
        all_bits = np.uint64(0)
        sure_bits = np.uint64(0)
        left_bits = np.uint64(0)
        for row in range(starts[index], starts[index + 1]):
            while part_number + 1 < len(parts) and parts[part_number + 1] <= row:
                part_number += 1
            for turn in range(turns):
                code, bits = _read_string(row, turn, rows, queries, rules)
                if bits == 0:
                    continue
                unsure = bits >> np.uint64(shift)
                bits &= reasons
                all_bits |= bits
                sure_bits |= bits & ~unsure
                if survives[code]:
                    left_bits |= bits
                is_new = stamp[code] != part_number
                weighed = factor_row[code] if len(factor_row) else -1
                stamp[code] = part_number
                for reason_number in range(len(weights)):
                    if bits >> np.uint64(reason_number) & np.uint64(1):
                        highest[reason_number] = max(highest[reason_number], rarity[code])
                        if is_new or of_rows >> np.uint64(reason_number) & np.uint64(1):
                            factor = factors[weighed, reason_number] if weighed >= 0 else 1.0
                            if unsure >> np.uint64(reason_number) & np.uint64(1):
                                factor *= part_of
                            elif latest[reason_number] != part_number:
                                latest[reason_number] = part_number
                                heard[reason_number] += 1
                            unsaid[reason_number] *= 1.0 - shares[reason_number] * factor
        if all_bits == 0:
            reason[index] = 0
            continue
        for reason_number in range(len(weights)):
            strength[reason_number] = 1.0 - unsaid[reason_number]
            if not sure_bits >> np.uint64(reason_number) & np.uint64(1):
                strength[reason_number] = min(strength[reason_number], shares[reason_number])
            unsaid[reason_number] = 1.0
        for pair in range(len(pairs)):
            first, second = np.uint64(pairs[pair, 0]), np.uint64(pairs[pair, 1])
            both = np.uint64(1) << first | np.uint64(1) << second
            if not allowed[index] >> np.uint64(pairs[pair, 2]) & np.uint64(1):
                continue
            if all_bits & both == both:
                all_bits |= np.uint64(1) << np.uint64(pairs[pair, 2])
                highest[pairs[pair, 2]] = max(highest[pairs[pair, 2]], highest[pairs[pair, 0]])
                joint = strength[pairs[pair, 0]] * strength[pairs[pair, 1]]
                strength[pairs[pair, 2]] = max(strength[pairs[pair, 2]], joint)
            if left_bits & both == both:
                left_bits |= np.uint64(1) << np.uint64(pairs[pair, 2])
        safe, greatest = 1.0, -1.0
        for reason_number in range(len(weights)):
            if all_bits >> np.uint64(reason_number) & np.uint64(1):
                weight = weights[reason_number]
                if heard[reason_number] > 1 and np.uint64(lasting) >> np.uint64(
                    reason_number
                ) & np.uint64(1):
                    weight = 1.0 - (1.0 - weight) ** np.sqrt(heard[reason_number])
                danger = weight * strength[reason_number] * 0.5 * (1.0 + highest[reason_number])
                safe *= 1.0 - danger
                if danger >= greatest and reason_number != silent:
                    greatest = danger
                    decided[index] = reason_number
            highest[reason_number], heard[reason_number] = 0.0, 0
        reason[index], remaining[index], risk[index] = all_bits, left_bits, 1.0 - safe
        counts = np.uint64(identifying)
        if all_bits & counts == 0:
            counts = ~np.uint64(0)
        marked[index] = standing[index] = 0
        for row in range(starts[index], starts[index + 1]):
            for turn in range(turns):
                code, bits = _read_string(row, turn, rows, queries, rules)
                if bits & counts and stamp[code] != -2 - (base + index):
                    stamp[code] = -2 - (base + index)
                    marked[index] += 1
                    standing[index] += survives[code]


@njit(cache=True, nogil=True)
def mark_strings(
    start: Int64s,
    stop: Int64s,
    reason: UInt64s,
    rows: LoggedRows,
    queries: JudgedQueries,
    rules: ReasonRules,
    stamp: Int32s,
    missed: Float64s,
    string: Bools,
) -> None:
    """Mark what counts as a string of users, of one of whom the rows ``start:stop`` are each.

    The rarity of a query is here the chance that an ordinary one as rare survives. ``missed`` (by
    user, 1 at the start) becomes the chance that none of as many ordinary ones would survive,
    ``string`` true at every string that counted.
    """
    turns = 2 if len(rows.address) else 1
    for index in range(len(start)):
        counts = np.uint64(rules.identifying)
        if reason[index] & counts == 0:
            counts = ~np.uint64(0)
        for row in range(start[index], stop[index]):
            row_user = rows.user[row]
            for turn in range(turns):
                code, bits = _read_string(row, turn, rows, queries, rules)
                if bits & counts and stamp[code] != row_user:
                    stamp[code] = row_user
                    string[code] = True
                    missed[row_user] *= 1.0 - queries.rarity[code]
