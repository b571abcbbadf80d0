"""Korolova, Kenthapadi, Mishra and Ntoulas (WWW 2009), where no noise is felt.

No pool and no τ: limit every user to q_f queries and c_f clicks, release the queries that count K
or more, and clicks on the pages that a public list names for them, zeros included.
"""

from tests.reference.logs import Row, histories
from tests.reference.methods.counting import Pair, count_clicks, count_queries, cut


def release(
    rows: list[Row], *, q_f: int, c_f: int, K: int, unit: str, results: list[Pair] | None = None
) -> tuple[dict[str, int], dict[Pair, int]]:
    """Counts of queries, and of clicks on `results` or, without these, on any page."""
    limited = [cut(history, q_f, unit) for history in histories(rows).values()]
    queries = {q: n for q, n in count_queries(limited, unit).items() if n >= K}
    clicked = count_clicks(limited, c_f, unit)
    pages = clicked if results is None else dict.fromkeys(results)
    return queries, {pair: clicked[pair] for pair in pages if pair[0] in queries}
