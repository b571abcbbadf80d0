"""Record linkage: the attacker knows what a user searched for and picks the closest record.

Overlap: Σ over queries of min(known, there)·ln(1 + records/records that hold it). Likelihood: for
each known search ln(1 + share in the record ÷ share in the release). Records that are equally
close are picked among at random, so the rate is a mean of chances. What is known counts by
searches (distinct query and time); what a record holds, by its rows or searches as `events` says.
"""

import math
from collections import Counter
from collections.abc import Mapping

from tests.reference.logs import Row, histories


def searches(rows: list[Row]) -> Counter[str]:
    """How often each query was submitted: distinct seconds."""
    return Counter(query for query, _ in {(row.query, row.time) for row in rows})


def score_records(
    known: Counter[str], records: Mapping[str, Counter[str]], closeness: str
) -> dict[str, float]:
    """How close each record is to what is known of somebody."""
    holding = Counter(query for record in records.values() for query in record)
    totals: Counter[str] = Counter()
    for record in records.values():
        totals.update(record)
    total = totals.total()

    def close(record: Counter[str]) -> float:
        value = 0.0
        for query, often in known.items():
            if not record[query]:
                continue
            if closeness == "overlap":
                weight = math.log(1 + len(records) / holding[query])
                value += min(often, record[query]) * weight
            else:
                share = record[query] / record.total()
                value += often * math.log(1 + share / (totals[query] / total))
        return value

    return {name: close(record) for name, record in records.items()}


def rate(known_rows: list[Row], released: list[Row], *, closeness: str, first: int) -> float:
    """The share of users whose own record is among the `first` closest; ids tell the truth."""
    records = {user: searches(rows) for user, rows in histories(released).items()}
    chances = []
    for user, rows in histories(known_rows).items():
        if user not in records:
            continue
        score = score_records(searches(rows), records, closeness)
        slack = 1e-9 * score[user]
        before = sum(value > score[user] + slack for value in score.values())
        level = sum(abs(value - score[user]) <= slack for value in score.values())
        chances.append(min(1.0, max(0.0, (first - before) / level)))
    return sum(chances) / len(chances)
