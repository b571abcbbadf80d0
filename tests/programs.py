"""Python in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path


def run_python(
    *arguments: object, cwd: Path | None = None, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """What Python does with these arguments and variables; its output is text."""
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
    )


def run_code(code: str, *arguments: object, **environment: str) -> str:
    """What a program prints; fails where it does."""
    done = run_python("-c", code, *arguments, environment=environment)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout
