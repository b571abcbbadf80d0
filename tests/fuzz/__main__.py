"""Look for bytes that do harm: ``python -m tests.fuzz --target log,project --seconds 3600``.

Needs atheris, which is no part of the development environment. Each target is fuzzed in a process
of its own, which ends with the first input that breaks a promise: its bytes stay in the folder that
is named. Otherwise the shortest of those that reached new code are kept in ``corpus``, where the
suite reads them. Without ``--target`` all are fuzzed; ``--write`` brings the page up to date.
"""

import argparse
import importlib
import itertools
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"
LONGEST = 4_000
"""Bytes of an input that is tried, where no seed is longer than half of it."""
MOST_BYTES = 2_000
"""Of an input that is kept."""
MOST_FILES = 20
"""Kept of each target, the shortest first."""
PAGE = Path(__file__).parents[2] / "resources" / "docs" / "security.md"
HEADING = "| in place of | tried | failed |\n|---|---|---|\n"


def fuzz(target: str, options: list[str]) -> None:
    """Fuzz in this process; never returns."""
    atheris = importlib.import_module("atheris")
    kernels = [
        ".".join(path.with_suffix("").parts) for path in Path("auditor").rglob("*kernels.py")
    ]
    with atheris.instrument_imports(include=["auditor"], exclude=kernels):
        targets = importlib.import_module("tests.fuzz.targets")
    for seed in targets.seeds()[target]:  # compiles what is compiled, which no input is slow for
        targets.TARGETS[target](seed)
    atheris.Setup([sys.argv[0], *options], targets.TARGETS[target])
    atheris.Fuzz()


def run_child(target: str, *options: str) -> tuple[int, int]:
    """`fuzz` in a process of its own: how it ended, and how many inputs were tried."""
    command = [sys.executable, "-m", "tests.fuzz", "--target", target, "--options", *options]
    ended = subprocess.run(command, check=False, stderr=subprocess.PIPE, text=True)
    executed = re.search(r"stat::number_of_executed_units:\s+(\d+)", ended.stderr)
    if ended.returncode:
        sys.stderr.write(ended.stderr[-4000:])
    return ended.returncode, int(executed[1]) if executed else 0


def fuzz_target(target: str, seconds: int, known_inputs: list[bytes]) -> tuple[int, bool]:
    """Fuzz one target and keep what is worth it; inputs tried, and whether a promise was broken."""
    folder = Path(tempfile.mkdtemp(prefix="found-"))
    fresh, seeded, pool = folder / "fresh", folder / "known", CORPUS / target
    pool.mkdir(parents=True, exist_ok=True)
    shutil.copytree(pool, seeded)
    fresh.mkdir()
    for number, seed in enumerate(known_inputs):
        (seeded / f"seed-{number}").write_bytes(seed)
    longest = max(LONGEST, *(2 * len(seed) for seed in known_inputs))
    limits = [f"-max_total_time={seconds}", f"-max_len={longest}", "-timeout=20",
              "-rss_limit_mb=4096", "-reduce_inputs=1", "-print_final_stats=1",
              f"-artifact_prefix={folder}/"]  # fmt: skip
    code, tried = run_child(target, str(fresh), str(seeded), *limits)
    if code:
        print(f"{target}: a promise was broken; the input is in {folder}.")
        return tried, True
    inputs = [path for path in (*pool.glob("*"), *fresh.glob("*")) if not path.name.startswith(".")]
    inputs.sort(key=lambda path: (path.stat().st_size, path.name))
    small = [path for path in inputs if path.stat().st_size <= MOST_BYTES][:MOST_FILES]
    for path in small:
        if path.parent != pool:
            shutil.copy(path, pool)
    for path in pool.glob("*"):
        if path.name not in {item.name for item in small}:
            path.unlink()
    shutil.rmtree(folder)
    return tried, False


def write_row(target: str, tried: int) -> None:
    """Bring a target's row of the page up to date."""
    text = PAGE.read_text(encoding="utf-8")
    before, heading, after = text.partition(HEADING)
    lines = after.splitlines(keepends=True)
    old = list(itertools.takewhile(lambda line: line.startswith("| "), lines))
    rows = {line.split()[1]: line for line in old} | {target: f"| {target} | {tried:,} | 0 |\n"}
    rest = "".join(lines[len(old) :])
    PAGE.write_text(before + heading + "".join(rows[name] for name in sorted(rows)) + rest, "utf-8")


def main() -> int:
    """Fuzz one target, or all of them one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", default="all", help="one of them; all is the default")
    parser.add_argument("--seconds", type=int, default=120, help="for each target")
    parser.add_argument("--write", action="store_true", help="write the counts into the page")
    parser.add_argument("--options", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.options:
        fuzz(options.target, options.options)
    from tests.fuzz.targets import TARGETS, seeds

    known_inputs = seeds()
    broken = 0
    for target in sorted(TARGETS) if options.target == "all" else options.target.split(","):
        tried, failed = fuzz_target(target, options.seconds, known_inputs[target])
        print(f"| {target} | {tried:,} | {int(failed)} |", flush=True)
        broken += failed
        if options.write and not failed:
            write_row(target, tried)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
