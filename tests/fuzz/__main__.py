"""Look for bytes that do harm: ``python -m tests.fuzz --target log --seconds 120``.

Fuzzing runs in a process of its own, which ends with the first input that breaks a promise: its
bytes stay in the folder that is named. Otherwise the shortest of those that reached new code are
kept in ``corpus``, where the suite reads them.
"""

from __future__ import annotations

import argparse
import importlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"
MOST_BYTES = 2_000
"""Of an input that is kept."""
MOST_FILES = 40
"""Kept of each target, the shortest first."""


def fuzz(target: str, options: list[str]) -> None:
    """Fuzz in this process; never returns."""
    atheris = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["auditor.log", "auditor.release", "auditor.project"]):
        targets = importlib.import_module("tests.fuzz.targets")
    atheris.Setup([sys.argv[0], *options], targets.TARGETS[target])
    atheris.Fuzz()


def child(target: str, *options: str) -> int:
    """`fuzz` in a process of its own."""
    command = [sys.executable, "-m", "tests.fuzz", "--target", target, "--options", *options]
    return subprocess.run(command, check=False).returncode


def main() -> int:
    """Fuzz one target, then keep what is worth it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", default="log")
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--options", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.options:
        fuzz(asked.target, asked.options)
    from tests.fuzz.targets import seeds

    found = Path(tempfile.mkdtemp(prefix="found-"))
    fresh, known, kept = found / "fresh", found / "known", CORPUS / asked.target
    kept.mkdir(parents=True, exist_ok=True)
    shutil.copytree(kept, known)
    fresh.mkdir()
    for number, seed in enumerate(seeds()[asked.target]):
        (known / f"seed-{number}").write_bytes(seed)
    limits = [f"-max_total_time={asked.seconds}", "-max_len=4000", "-timeout=20",
              "-rss_limit_mb=4096", "-reduce_inputs=1", f"-artifact_prefix={found}/"]  # fmt: skip
    if child(asked.target, str(fresh), str(known), *limits):
        print(f"A promise was broken; the input is in {found}.")
        return 1
    inputs = [path for path in (*kept.glob("*"), *fresh.glob("*")) if not path.name.startswith(".")]
    inputs.sort(key=lambda path: (path.stat().st_size, path.name))
    small = [path for path in inputs if path.stat().st_size <= MOST_BYTES][:MOST_FILES]
    for path in small:
        if path.parent != kept:
            shutil.copy(path, kept)
    for path in kept.glob("*"):
        if path.name not in {one.name for one in small}:
            path.unlink()
    shutil.rmtree(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
