"""How fast queries are spotted: ``python -m tests.bench.bench_detection [users | LOG] [--source]``.

Marks the distinct queries of a log with the detector, or with ``--source`` by the source's rules,
and prints the time, the peak memory above that of the log, and the marks of each kind.
"""

import argparse
import time

import numpy as np

from auditor.attacks.detection.detector import detect_marks
from auditor.attacks.detection.entity_detection import detect_entities
from auditor.attacks.detection.kinds import EntityKind
from tests.bench.measuring import Clock, Peak, open_log


def main() -> None:
    """Mark the queries of a log."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("log", nargs="?", default="100000")
    parser.add_argument("--source", action="store_true", help="the rules of Kumar et al. 2007")
    options = parser.parse_args()
    queries = open_log(options.log).queries
    find = detect_entities if options.source else detect_marks
    began = time.perf_counter()
    with Peak() as peak:
        find(queries.take(np.arange(min(1000, len(queries)))))
        ready = time.perf_counter() - began
        with Clock() as clock:
            marks = find(queries)
    print(
        f"{len(queries):,} queries, {queries.nbytes / 1e6:.0f} MB: {clock.wall:.1f} s, "
        f"{clock.wall / len(queries) * 1e6:.1f} µs each, {clock.work:.0f} s of processors; lists "
        f"and kernels {ready:.1f} s; {len(marks):,} marks; peak {peak.gigabytes:.2f} GB"
    )
    for kind in EntityKind:
        print(f"  {kind.label:24} {int(marks.is_of_kind(kind).sum()):>9,}")


if __name__ == "__main__":
    main()
