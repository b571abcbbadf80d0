"""Tell what pip-audit found: ``python packaging/weaknesses.py FOUND.json``; for `packaging/audit`.

A package that the service knows nothing of is no package without weaknesses: pip-audit passes over
it, this doesn't.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def told(report: Mapping[str, Sequence[Mapping[str, Any]]]) -> tuple[int, list[str]]:
    """The exit code, and what to say."""
    every = report.get("dependencies", [])
    unknown = [package["name"] for package in every if "skip_reason" in package]
    lines = [
        f"{package['name']} {package['version']}: {weakness['id']}, mended in "
        + (", ".join(weakness.get("fix_versions", [])) or "no version yet")
        for package in every
        for weakness in package.get("vulns", [])
    ]
    if lines:
        return 1, lines
    if unknown or not every:
        scope = f"{len(unknown)} of {len(every)} packages" if every else "anything"
        return 3, [f"The advisory service told nothing about {scope}: they are not audited."]
    return 0, [f"No weakness is known of {len(every)} packages."]


def main() -> None:
    """Read the file and say what it holds."""
    text = Path(sys.argv[1]).read_text("utf-8")
    code, lines = told(json.loads(text) if text.strip() else {})
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.exit(code)


if __name__ == "__main__":
    main()
