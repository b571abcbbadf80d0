"""(k,δ)-anonymity (Hong, He, Vaidya, Adam and Atluri 2009), checked by the definition.

Query distance is 1 − Jaccard of the sets of pages clicked; queries without clicks stand alone, as
do queries that share no page. Clusters are merged from the nearest on while no two queries of one
are further apart than δ. A user's vector is the share of each cluster among that user's events;
users are ½ Σ|difference| apart. Every user needs k − 1 others at distance 0.
"""

from fractions import Fraction
from itertools import combinations

from tests.reference.logs import Row

Vector = dict[str, Fraction]


def pages(rows: list[Row]) -> dict[str, set[str]]:
    """The set of pages clicked for each query."""
    clicked: dict[str, set[str]] = {}
    for row in rows:
        clicked.setdefault(row.query, set())
        if row.url is not None:
            clicked[row.query].add(row.url)
    return clicked


def jaccard(first: set[str], second: set[str]) -> Fraction:
    """|A ∩ B| / |A ∪ B|; 0 for empty sets."""
    return Fraction(len(first & second), len(first | second) or 1)


def clusters(rows: list[Row], delta: float) -> dict[str, str] | None:
    """The cluster of each query, named by one of its queries; None where a tie leaves it open."""
    clicked = pages(rows)
    apart = {
        frozenset((a, b)): 1 - jaccard(clicked[a], clicked[b])
        for a, b in combinations(sorted(clicked), 2)
    }
    groups = [{query} for query in sorted(clicked)]
    while True:
        widths = {}
        for i, j in combinations(range(len(groups)), 2):
            across = [apart[frozenset((a, b))] for a in groups[i] for b in groups[j]]
            if max(across) < 1 and max(across) <= delta:
                widths[i, j] = max(across)
        if not widths:
            break
        least = min(widths.values())
        nearest = [pair for pair, width in widths.items() if width == least]
        # Equal sets of pages merge in any order to the same clusters; other ties are choices.
        if len(nearest) > 1 and least > 0:
            places = [place for pair in nearest for place in pair]
            if len(places) != len(set(places)):
                return None
        i, j = nearest[0]
        groups[i] |= groups[j]
        del groups[j]
    return {query: min(group) for group in groups for query in group}


def vectors(rows: list[Row], cluster: dict[str, str]) -> dict[str, Vector]:
    """The share of each cluster among each user's events (distinct query and time)."""
    events: dict[str, set[tuple[str, int]]] = {}
    for row in rows:
        events.setdefault(row.user, set()).add((row.query, row.time))
    result: dict[str, Vector] = {}
    for user, pairs in events.items():
        shares: Vector = {}
        for query, _ in pairs:
            name = cluster.get(query, query)
            shares[name] = shares.get(name, Fraction(0)) + Fraction(1, len(pairs))
        result[user] = shares
    return result


def distance(first: Vector, second: Vector) -> Fraction:
    """½ Σ|difference|: 0 for equal shares, 1 where nothing is shared."""
    if not first.keys() & second.keys():
        return Fraction(1)
    names = first.keys() | second.keys()
    zero = Fraction(0)
    return sum((abs(first.get(n, zero) - second.get(n, zero)) for n in names), zero) / 2


def failing(users: dict[str, Vector], k: int) -> set[str]:
    """The users with fewer than k − 1 others of exactly the same shares."""
    alike: dict[frozenset[tuple[str, Fraction]], int] = {}
    for vector in users.values():
        key = frozenset(vector.items())
        alike[key] = alike.get(key, 0) + 1
    return {user for user, vector in users.items() if alike[frozenset(vector.items())] < k}
