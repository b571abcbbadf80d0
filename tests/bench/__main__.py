"""Every benchmark, one after the other: ``python -m tests.bench [name …]``; all without a name.

Each runs in a process of its own, so that peak memory is its own, too.
"""

import subprocess
import sys
from pathlib import Path

NAMES = sorted(
    path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py")
)


def main(names: list[str]) -> int:
    """Run the named benchmarks; returns how many failed."""
    unknown = sorted(set(names) - set(NAMES))
    if unknown:
        print(f"There is no benchmark {', '.join(unknown)}. There are: {', '.join(NAMES)}.")
        return 2
    failed = 0
    for name in names or NAMES:
        print(f"\n== {name}", flush=True)
        command = [sys.executable, "-m", f"tests.bench.bench_{name}"]
        failed += subprocess.run(command, check=False).returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
