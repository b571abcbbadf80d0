"""How fast own names and own places are found, and what they tell: tables and curves.

``python -m tests.bench.bench_vanity [users[/days] …]`` makes synthetic logs with profiles, 10,000
and 100,000 users of 30 days by default. The baseline in the same run is splitting the same queries
into words, which any attack on query text needs.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.attacks.detection.places import classify_places
from auditor.attacks.registry import ATTACKS
from auditor.attacks.vanity.user_names import names_of_userids
from auditor.log.model import Vocabulary
from auditor.log.synthetic.generator import SyntheticLog, synthesize_log
from auditor.log.text import tokenize_strings
from auditor.progress import Progress, silent_progress

Say = Callable[[str], Any]


def main(sizes: list[str]) -> None:
    """Make a log of each size and attack it."""
    say: Say = lambda text: sys.stdout.write(f"{text}\n")  # noqa: E731
    classify_places(Vocabulary.of(["springfield il"]), silent_progress())  # compile and load first
    for size in sizes:
        users, days = [*map(int, size.split("/")), 30][:2]
        made = synthesize_log(users, days=days, seed=3)
        log = made.log
        megabytes = log.queries.data.nbytes / 1e6
        say(
            f"\n{users:,} users, {len(log):,} rows, {len(log.queries):,} distinct queries, "
            f"{megabytes:.1f} MB of them"
        )
        baseline = timed(
            say, "words of the queries (baseline)", None, tokenize_strings, log.queries
        )
        timed(say, "places of the queries", baseline, classify_places, log.queries)
        ids = made.profiles["userid"].tolist()
        timed(say, "names in userids", baseline, cut, ids)
        with tempfile.TemporaryDirectory() as folder:
            attack_all(made, Path(folder), baseline, say)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        say(f"peak memory {peak:,.0f} MB, the making of the log included")


def timed(
    say: Say, name: str, baseline: float | None, work: Callable[..., Any], *arguments: Any
) -> float:
    """Processor seconds, which other work on the machine doesn't stretch as it does the clock."""
    clock, start = time.perf_counter(), time.process_time()
    work(*arguments, silent_progress())
    seconds = time.process_time() - start
    against = f", {seconds / baseline:.2f} × baseline" if baseline else ""
    say(f"{name}: {seconds:.2f} s of the processor{against}; {time.perf_counter() - clock:.2f} s")
    return seconds


def cut(userids: list[str], _: Progress) -> list[tuple[str, ...]]:
    return names_of_userids(userids)


def attack_all(made: SyntheticLog, folder: Path, baseline: float, say: Say) -> None:
    profiles = folder / "profiles.csv"
    made.profiles.to_csv(profiles, index=False)
    for name in ("vanity", "geo-vanity"):
        attack = ATTACKS[name]
        evidence = Evidence(log=made.log, profiles=profiles)
        results: list[AttackResult] = []

        def work(
            attack: Attack, evidence: Evidence, results: list[AttackResult], progress: Progress
        ) -> None:
            rng = np.random.default_rng(1)
            results.append(attack.run(evidence, attack.params(), rng=rng, progress=progress))

        timed(say, name, baseline, work, attack, evidence, results)
        told(results[0], say)


def told(result: AttackResult, say: Say) -> None:
    low, high = result.interval
    say(
        f"  rate {result.rate:.4f} [{low:.4f}, {high:.4f}], baseline {result.baseline:.5f}, "
        f"control {result.control:.5f}"
    )
    for table in result.tables:
        if table.private:
            continue
        say(f"  {table.title} ({table.source})")
        say("    " + " | ".join(column.strip() for column in table.columns))
        for row in table.rows:
            say("    " + " | ".join(map(str, row)))


if __name__ == "__main__":
    main(sys.argv[1:] or ["10000", "100000"])
