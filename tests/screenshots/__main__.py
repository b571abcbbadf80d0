"""Retake the help's pictures: ``python -m tests.screenshots [sitting …]``; all without a name.

Each sitting is a process of its own: the real window, offscreen, with its own empty home and the
bundled sample log, whose people never lived. Pictures go to ``resources/docs/pictures``.

``python -m tests.screenshots looks --out FOLDER`` takes every workspace in every state (empty,
before a run, busy, cancelled, failed, after, signed, opened again), in three sizes of the window,
in light and dark, in English and German, and with the desktop's text twice as large: to be looked
at, and no part of the help. With the place of a log in the variable QUERY_LOG, of that one, too.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from auditor.resource_files import resource_path
from tests.screenshots import stage
from tests.screenshots.looks import LOOKS

SITTINGS = ("opening", "comparing", "releasing", "dark")
"""Those of the help's pictures."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Take the pictures of the named sittings; returns how many sittings failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.screenshots")
    parser.add_argument("sitting", nargs="*", metavar="sitting", help=", ".join(SITTINGS))
    parser.add_argument("--out", type=Path, default=resource_path("docs") / "pictures")
    options = parser.parse_args(arguments)
    if "looks" in options.sitting:
        looks = [name for name, look in LOOKS.items() if not look.log or look.log in os.environ]
        options.sitting = [name for name in options.sitting if name != "looks"] + looks
    unknown = sorted(set(options.sitting) - {*SITTINGS, *LOOKS})
    if unknown:
        parser.error(f"there is no sitting {', '.join(unknown)}; there are {', '.join(SITTINGS)}")
    options.out.mkdir(parents=True, exist_ok=True)
    failed = 0
    for name in options.sitting or SITTINGS:
        print(f"== {name}", flush=True)
        with stage.home() as home:
            command = [
                sys.executable,
                "-m",
                "tests.screenshots.example_project",
                name,
                str(options.out),
            ]
            env = stage.environment(home, 1 if name in LOOKS else stage.SHARP)
            done = subprocess.run(command, env=env, check=False)
            failed += done.returncode != 0
    size = sum(path.stat().st_size for path in options.out.glob("*.png"))
    print(f"{len(list(options.out.glob('*.png')))} pictures, {size / 1e6:.2f} MB")
    return failed


if __name__ == "__main__":
    sys.exit(main())
