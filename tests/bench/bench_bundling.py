"""Bundling and the structure of bundles: ``python -m tests.bench.bench_bundling [users …]``.

Made-up logs of 30 days, 10,000 and 100,000 users (some 32 rows a user). Timed: the method in its
three forms; the events seen as attackers see them, without a release and matched to the rows of
one; the measure of sizes; the whole attack with chance, masks 8, 12 and 16, places and flagged
sessions. The baselines are pandas' plain way to make bundles (a masked column, and a sort of the
frame by bundle and time) and to count Table 6 alone (`drop_duplicates`, two `groupby`).
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from auditor.attacks.base import Evidence
from auditor.attacks.bundle_view import BundleParams, find_bundles
from auditor.attacks.structural.attack import ATTACK, StructuralParams
from auditor.attacks.structural.dominant_users import LEVELS, reaches_level
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.measures import bundle_sizes
from auditor.methods.bundling.method import METHOD, BundlingParams
from auditor.privacy.randomness import PreviewRandomness
from auditor.privacy.release import Preview
from auditor.progress import silent_progress

FORMS: tuple[dict[str, Any], ...] = (
    {"by": "ip-mask", "bits": 8},
    {"by": "cookie-hash", "buckets": 1000},
    {"by": "random-users", "group": 20},
)


def released(log: QueryLog, form: dict[str, Any]) -> Preview:
    params = BundlingParams(**form)
    product = METHOD.run(log, params, rng=PreviewRandomness(1), progress=silent_progress())
    return Preview(
        method="bundling",
        params=params.to_dict(),
        content=product.content,
        statement=product.statement,
        changes=product.changes,
    )


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    found = work()
    return time.perf_counter() - began, found


def plain(log: QueryLog) -> tuple[float, float, list[int]]:
    """Seconds for pandas to bundle, seconds to count Table 6 at mask 8, and the counts."""
    import pandas as pd

    columns = {"ip": log.ip, "user": log.user, "query": log.query, "time": log.time}
    frame = pd.DataFrame(columns | {"url": log.url, "rank": log.rank})

    def bundle() -> Any:
        made = frame.assign(bundle=frame["ip"].to_numpy() >> 8)
        return made.drop(columns=["user", "ip"]).sort_values(["bundle", "time"], kind="stable")

    def count() -> list[int]:
        made = frame[["user", "query", "time"]].assign(bundle=frame["ip"].to_numpy() >> 8)
        events = made.drop_duplicates(["user", "query", "time"])
        fibers = events.groupby(["bundle", "user"]).size()
        of_bundle = fibers.groupby("bundle")
        total = of_bundle.sum()
        share = np.asarray((of_bundle.max() / total)[total >= 100], dtype=np.float64)
        return [int(reaches_level(share, level).sum()) for level in LEVELS]

    bundling, _ = timed(bundle)
    counting, counts = timed(count)
    return bundling, counting, counts


def megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(users: int) -> None:
    log = synthesize_log(users, days=30, seed=1).log
    print(
        f"{users:,} users, {len(log):,} rows, {log.nbytes / 2**20:,.0f} MiB; peak so far "
        f"{megabytes():,.0f} MiB"
    )
    bundling, counting, counts = plain(log)
    print(f"  pandas: bundle {bundling:.2f} s, Table 6 {counting:.2f} s")
    quiet = silent_progress()
    for form in FORMS:
        seconds, release = timed(partial(released, log, form))
        seen, _ = timed(partial(find_bundles, Evidence(log=log), BundleParams(**form), quiet))
        held = Evidence(log=log, release=release)
        match, found = timed(partial(find_bundles, held, BundleParams(), quiet))
        print(
            f"  {form['by']:<13} bundling {seconds:6.2f} s ({seconds / bundling:4.2f} x pandas), "
            f"events by bundle {seen:5.2f} s, matched to the release {match:5.2f} s; "
            f"{found.count:,} bundles, {found.ambiguous:,} ambiguous, {found.guessed:,} guessed"
        )
    release = released(log, FORMS[0])
    params = bundle_sizes.BundleSizesParams()
    rng = np.random.default_rng(0)
    seconds, _ = timed(partial(bundle_sizes.run, log, release, params, rng=rng, progress=quiet))
    print(f"  measure of sizes, Tables 1 and 2: {seconds:.2f} s")
    for name, evidence in (
        ("log", Evidence(log=log)),
        ("release", Evidence(log=log, release=release)),
    ):
        chosen = StructuralParams(by="ip-mask")
        seconds, result = timed(partial(ATTACK.run, evidence, chosen, rng=rng, progress=quiet))
        same = result.details["dominated"]["address, 8 bits"] == counts
        print(
            f"  structural on the {name}: {seconds:.2f} s ({seconds / counting:.2f} x pandas' "
            f"Table 6 alone, {'equal' if same else 'OTHER'} counts), rate {result.rate:.4f}, "
            f"guessing {result.baseline:.4f}, control {result.control:.4f}"
        )
    print(f"  peak {megabytes():,.0f} MiB")


def main(sizes: list[int]) -> None:
    measure(300)  # compiles what is compiled
    for users in sizes:
        measure(users)


if __name__ == "__main__":
    main([int(text.replace(",", "")) for text in sys.argv[1:]] or [10_000, 100_000])
