"""A release shaped like a log: ``python -m tests.bench.bench_log_shaped [USERS | LOG ...]``.

Web search (nDCG@10), next query and clusters of web sites, measured on the tables of a release, on
the synthetic log that is made of the same tables, and on the original. Methods that measures run
anew, fold by fold, have sessions made of each fold's tables, too. At last the rows that come of
each, and the time that making them takes.

Without arguments the logs are a synthetic one of 10,000 users, the shipped sample, and Excite's.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import auditor
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.privacy.release import Anonymized

EXCITE = Path(__file__).parents[1] / "data" / "excite-small.log"
SAMPLE = Path(__file__).parents[2] / "resources" / "sample" / "log.tsv.gz"
WANTED = {
    "retrieval": ("retrieval.walk.ndcg_all", "retrieval.feedback.ndcg_all"),
    "next-query": ("next_query.hit10",),
    "site-clustering": ("sites.found", "sites.agreement_all"),
}
SETTINGS: tuple[tuple[str, dict[str, Any]], ...] = (
    (
        "safelog",
        {"mode": "published", "unit": "events", "q_f": 50, "c_f": 50, "K": 5, "b": 1.0, "b_q": 1.0}
        | {"b_c": 1.0, "b_t": 1.0},
    ),
    ("safelog", {"q_f": 10, "c_f": 10, "b": 2.0, "b_q": 2.0, "b_c": 2.0, "b_t": 2.0}),
    ("zealous", {"m": 5, "epsilon": 8.0}),
    ("set-union", {"epsilon": 8.0}),
    ("partition-selection", {"epsilon": 8.0, "unit": "day"}),
    ("dated-counts", {"epsilon": 8.0, "unit": "day", "q_f": 1}),
)


def take(log: QueryLog, release: Anonymized) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, wanted in WANTED.items():
        if name != "next-query" and not log.clicks:
            continue
        for value in auditor.measure(name, log, release).values:
            if value.name in wanted:
                found[value.name] = f"{value.value:.4f}"
    return found


def compare(log: QueryLog) -> None:
    original = take(log, auditor.anonymize(log, "frequency-threshold", n=1))
    for method, params in SETTINGS:
        tables = auditor.anonymize(log, method, **params)
        began = time.process_time()
        made = auditor.synthesize_release(tables)
        seconds = time.process_time() - began
        assert tables.tables is not None
        assert made.log is not None
        print(
            f"  {method} {params}: {len(tables.tables.queries):,} queries, "
            f"{len(tables.tables.click_count):,} clicked pairs, "
            f"{len(tables.tables.transition_count):,} transitions → {len(made.log):,} rows of "
            f"{len(made.log.users):,} sessions in {seconds:.2f} s"
        )
        if not len(made.log):
            continue
        one, two = take(log, tables), take(log, made)
        for name in sorted({*one, *two}):
            values = (one.get(name, "-"), two.get(name, "-"), original.get(name, "-"))
            print("    {:28} tables {:8} log {:8} original {}".format(name, *values))
        sys.stdout.flush()


def main(names: list[str]) -> None:
    for name in names or ["10000", str(SAMPLE), str(EXCITE)]:
        log = (
            synthesize_log(int(name), days=30, seed=1).log
            if name.isdigit()
            else auditor.read_log(name)
        )
        print(f"{Path(name).name}: {len(log.users):,} users, {len(log):,} rows", flush=True)
        compare(log)


if __name__ == "__main__":
    main(sys.argv[1:])
