"""Matches by meaning beside near and exact ones: ``python -m tests.bench.bench_semantic_linkage``.

A synthetic log of 10,000 users (or as many as are named), the sample, and the searches of Excite
are attacked in a release under random ids; half of each target's events are known. Of Excite every
query is released, of the others every query of five users. Printed are seconds, the peak of
memory, and for 0, 50 and 100 % of the known queries paraphrased the rates of the three attacks.
Needs the extra ``semantic``.
"""

import sys
import time

import numpy as np

import auditor
from auditor.attacks.base import Evidence
from auditor.attacks.semantic_linkage import ATTACK, SemanticLinkageParams
from auditor.log.gazetteers import sample_reference
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.progress import silent_progress
from tests.bench.measuring import open_log, peak_memory


def attack_log(name: str, log: QueryLog, reference: QueryLog | None, least: int) -> None:
    """Attack a release of every query of `least` users, and print how it went."""
    release = auditor.preview(log, "frequency-threshold", seed=1, n=least, ids="random")
    assert release.log is not None
    began = time.perf_counter()
    result = ATTACK.run(
        Evidence(log=log, release=release, reference=reference),
        SemanticLinkageParams(targets=2_000),
        rng=np.random.default_rng(0),
        progress=silent_progress(),
    )
    seconds = time.perf_counter() - began
    print(f"{name}: {len(log):,} rows, {len(release.log.queries):,} queries released")
    print(f"  {seconds:.1f} s, {peak_memory():.2f} GiB; baseline {result.baseline:.2g}")
    for series in result.figures[0].series:
        assert series.low is not None
        assert series.high is not None
        rates = [
            f"{100 * rate:.1f} ({100 * low:.1f}-{100 * high:.1f})"
            for rate, low, high in zip(series.y, series.low, series.high, strict=True)
        ]
        print(f"  {series.name}: {', '.join(rates)}")
    print(f"  control {result.control}, {result.details}")
    print(f"  {result.tables[0].rows} {result.notes[:2]}")


def main(sizes: list[int]) -> None:
    for size in sizes:
        synthetic = synthesize_log(size, seed=1)
        attack_log(f"{size:,} synthetic users", synthetic.log, synthetic.reference, 5)
    attack_log("sample", open_log("sample"), auditor.read_log(sample_reference()), 5)
    attack_log("Excite", open_log("excite"), None, 1)


if __name__ == "__main__":
    main([int(text) for text in sys.argv[1:]] or [10_000])
