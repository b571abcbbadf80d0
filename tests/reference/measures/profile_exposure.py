"""PEL (Navarro-Arribas et al. 2012, section 4.1): I(φ, φ')/H(φ)·100, averaged over users.

H is the entropy of a user's query strings; I sums −p·log₂ p over those that stand in the release
under the same id. Where H is 0, PEL is 100 if the one string survived, else 0.
"""

import math
from collections import Counter

from tests.reference.logs import Row, histories


def pel(before: list[Row], after: list[Row]) -> float:
    """The mean over the users of the original, in per cent."""
    original, released = histories(before), histories(after)
    levels = []
    for user, rows in original.items():
        there = {row.query for row in released.get(user, [])}
        often = Counter(row.query for row in rows)
        bits = {q: -n / len(rows) * math.log2(n / len(rows)) for q, n in often.items()}
        total = sum(bits.values())
        if total == 0:
            levels.append(100.0 if there & set(often) else 0.0)
        else:
            levels.append(100 * sum(b for q, b in bits.items() if q in there) / total)
    return sum(levels) / len(levels)
