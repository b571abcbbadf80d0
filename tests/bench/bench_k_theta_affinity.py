"""kΘ-affinity beside the frequency threshold: ``python -m tests.bench.bench_k_theta_affinity``.

At equal k: released queries, those of one user, rows, flagged strings and names of private people
that survive, records linked, what planted strings show, and how often k − 1 accounts that issue all
but the last word of a query bring out a query of one user that stayed back before. On Excite's log,
the sample log and a synthetic one of so many users (10,000 unless told).
"""

import argparse
from typing import Any, NamedTuple

import numpy as np

import auditor
from auditor.log.model import QueryLog
from tests.bench.measuring import open_log, print_head, print_row

METHOD = "k-theta-affinity"
PLANTED = 300
COLUMNS = (
    *("", "queries", "of one user", "rows", "flagged strings", "private names", "linked"),
    *("accounts", "n − 1", "last word"),
)


class Line(NamedTuple):
    """One line of the table: a method with its parameters."""

    name: str
    method: str
    params: dict[str, Any]


def list_settings(k: int) -> list[Line]:
    """The threshold and what Θ, the weights of words and w change."""
    lines = [Line("frequency threshold", "frequency-threshold", {"n": k})]
    for theta in (0.8, 0.7, 0.6, 0.5):
        lines.append(Line(f"Θ = {theta}", METHOD, {"k": k, "theta": theta, "w": k}))
    lines.append(Line("Θ = 0.6, w = 1", METHOD, {"k": k, "theta": 0.6, "w": 1}))
    by_words = {"k": k, "theta": 0.6, "similarity": "words"}
    lines.append(Line("Θ = 0.6, by words", METHOD, by_words | {"w": k}))
    lines.append(Line("Θ = 0.6, by words, w = 1", METHOD, by_words | {"w": 1}))
    return lines


def make_release(log: QueryLog, line: Line) -> Any:
    return auditor.anonymize(log, line.method, **line.params)


def add_accounts(log: QueryLog, stems: list[str], accounts: int) -> QueryLog:
    """The log with every stem issued by that many accounts of its own."""
    more = [stem for stem in stems for _ in range(accounts)]
    return QueryLog.from_columns(
        user=log.users.list_strings(log.user)
        + [f"account {number}" for number in range(len(more))],
        query=log.queries.list_strings(log.query) + more,
        time=[*log.time.tolist(), *[int(log.time[0])] * len(more)],
    )


def count_brought_out(log: QueryLog, line: Line, release: Any, k: int) -> float:
    """The share of single users' queries that k − 1 accounts on all but their last word release."""
    texts = log.queries.list_strings()
    users = [set() for _ in texts]  # type: list[set[int]]
    for user, query in zip(log.user.tolist(), log.query.tolist(), strict=True):
        users[query].add(user)
    released = set(release.log.queries.list_strings())
    alone = [
        text
        for text, owners in zip(texts, users, strict=True)
        if len(owners) == 1 and len(text.split()) > 1 and text not in released
    ]
    rng = np.random.default_rng(1)
    drawn = [alone[place] for place in rng.permutation(len(alone))[:PLANTED]]
    stems = [text.rsplit(None, 1)[0] for text in drawn]
    after = make_release(add_accounts(log, stems, k - 1), line).log.queries.list_strings()
    return len(set(after) & set(drawn)) / max(len(drawn), 1)


def make_cells(log: QueryLog, line: Line, k: int) -> list[str]:
    """The cells of one line."""
    release = make_release(log, line)
    released = release.log
    if not len(released):
        return ["0"] * 2 + ["0.0 %", *["–"] * 5, f"{count_brought_out(log, line, release, k):.0%}"]
    content = auditor.attack("surviving-content", log, release)
    values = {value.name: value.value for value in content.values}
    linked = auditor.attack("record-linkage", log, release).rate
    planted = auditor.attack("planted-strings", log, release).details
    return [
        f"{len(released.queries):,}",
        f"{values['single_user_strings_surviving']:,.0f}",
        f"{len(released) / len(log):.1%}",
        f"{values['strings_surviving']:,.0f} of {values['strings_flagged']:,.0f}",
        f"{values['non_star.surviving']:,.0f} of {values['non_star.strings']:,.0f}",
        f"{linked:.0%}",
        f"{planted.get('accounts_to_force', '–')}",
        f"{planted.get('n_minus_one', float('nan')):.0%}",
        f"{count_brought_out(log, line, release, k):.0%}",
    ]


def compare(name: str, log: QueryLog, k: int) -> None:
    """Print the table of one log."""
    log = log.without_blank
    print(f"\n{name}: {len(log.users):,} users, {len(log):,} rows, k = {k}", flush=True)
    print_head(COLUMNS, numbers=len(COLUMNS) - 1)
    for line in list_settings(k):
        print_row([line.name, *make_cells(log, line, k)])


def main() -> None:
    """Compare the methods."""
    parser = argparse.ArgumentParser()
    parser.add_argument("users", nargs="?", default="10000")
    options = parser.parse_args()
    compare("Excite", open_log("excite"), 3)
    compare("sample", open_log("sample"), 10)
    compare("synthetic", open_log(options.users), 10)


if __name__ == "__main__":
    main()
