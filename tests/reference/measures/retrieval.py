"""Web search (Zhang, Yang, Singh and Xiong 2016): three rankings of pages, and nDCG@10 and MAP.

Relevant are the pages clicked for a query in the test part. A walker stands at the query, stays
with chance s, else goes along a click or a transition in proportion to its count; pages keep
whoever gets there. With impact, a page draws in proportion to 1 + log(1 + clicks), rows being
normalised. Implicit feedback: λ/(I + 1) + (1 − λ)/(O + 1) where there is feedback, else 1/(O +
1).
"""

import math
from collections import defaultdict

from tests.reference.methods.counting import Pair

Chain = dict[str, dict[tuple[str, str], float]]
PAGE, QUERY = "page", "query"


def walk_chain(clicks: dict[Pair, int], steps: dict[Pair, int], stay: float) -> Chain:
    """Where the walker goes from each query, and how likely."""
    total: dict[str, float] = defaultdict(float)
    for counts in (clicks, steps):
        for (query, _), count in counts.items():
            total[query] += count
    chain: Chain = defaultdict(lambda: defaultdict(float))
    for kind, counts in ((PAGE, clicks), (QUERY, steps)):
        for (query, there), count in counts.items():
            chain[query][kind, there] += (1 - stay) * count / total[query]
            chain[there] if kind == QUERY else None
    for query in list(chain):
        chain[query][QUERY, query] += stay
    return chain


def impact_chain(clicks: dict[Pair, int], steps: dict[Pair, int], stay: float) -> Chain:
    """The same, drawn to pages that are clicked often."""
    clicked: dict[str, float] = defaultdict(float)
    for (_, page), count in clicks.items():
        clicked[page] += count
    chain: Chain = {}
    for query, edges in walk_chain(clicks, steps, stay).items():
        drawn = {
            (kind, there): chance * (1 + math.log(1 + clicked[there]) if kind == PAGE else 1.0)
            for (kind, there), chance in edges.items()
        }
        total = sum(drawn.values())
        chain[query] = {node: weight / total for node, weight in drawn.items()}
    return chain


def walk(chain: Chain, query: str, moves: int) -> list[str]:
    """Pages by the chance of being there after so many moves; equal ones by their text."""
    current: dict[tuple[str, str], float] = {(QUERY, query): 1.0}
    for _ in range(moves):
        after: dict[tuple[str, str], float] = defaultdict(float)
        for (kind, name), chance in current.items():
            if kind == PAGE:
                after[kind, name] += chance
            else:
                for node, part in chain.get(name, {}).items():
                    after[node] += chance * part
        current = after
    pages = [(-round(chance, 12), name) for (kind, name), chance in current.items() if kind == PAGE]
    return [name for _, name in sorted(pages)]


def by_feedback(
    clicks: dict[Pair, int], query: str, feedback: dict[str, float], lam: float
) -> list[str]:
    """The order by clicks merged with the rank that feedback gives a page."""
    ranking = sorted((-count, page) for (name, page), count in clicks.items() if name == query)
    scores = []
    for place, (_, page) in enumerate(ranking, 1):
        score = 1 / (place + 1)
        if page in feedback:
            score = lam / (feedback[page] + 1) + (1 - lam) * score
        scores.append((-round(score, 12), place, page))
    return [page for _, _, page in sorted(scores)]


def ndcg(ranking: list[str], relevant: set[str]) -> float:
    """nDCG@10 with gains of 1."""
    gained = sum(1 / math.log2(i + 1) for i, p in enumerate(ranking[:10], 1) if p in relevant)
    best = sum(1 / math.log2(i + 1) for i in range(1, min(10, len(relevant)) + 1))
    return gained / best


def average_precision(ranking: list[str], relevant: set[str]) -> float:
    """The mean over relevant pages of the precision at their place; 0 for one that isn't ranked."""
    hits, total = 0, 0.0
    for place, page in enumerate(ranking[:100], 1):
        if page in relevant:
            hits += 1
            total += hits / place
    return total / len(relevant)
