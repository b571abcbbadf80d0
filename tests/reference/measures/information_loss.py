"""ILR (Navarro-Arribas et al. 2012, section 4.2): |H_orig − H_new|/H_orig·100 of query strings.

For the log, and per user averaged. Where H_orig is 0 nothing can be lost: 0 if H_new is 0, too, and
100 else.
"""

import math
from collections import Counter

from tests.reference.logs import Row, histories


def entropy(rows: list[Row]) -> float:
    """Bits of the distribution of query strings; 0 for no rows."""
    often = Counter(row.query for row in rows)
    return -sum(n / len(rows) * math.log2(n / len(rows)) for n in often.values())


def rate(before: list[Row], after: list[Row]) -> float:
    """The loss of one set of rows, in per cent."""
    first, second = entropy(before), entropy(after)
    if first < 1e-12:
        return 0.0 if second < 1e-12 else 100.0
    return 100 * abs(first - second) / first


def ilr(before: list[Row], after: list[Row]) -> tuple[float, float]:
    """The mean over users of the original, and the loss of the log."""
    original, released = histories(before), histories(after)
    users = [rate(rows, released.get(user, [])) for user, rows in original.items()]
    return sum(users) / len(users), rate(before, after)
