"""Tell whether an audit did its work: ``python packaging/judged.py AUDIT.json STATUS``.

For `packaging/smoke`. Exit code 1 is what a gate that failed leaves behind, and what a crash does;
only what was printed tells the one from the other.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

FINE = {"passed", "does not apply"}


def judge_audit(text: str, status: int) -> tuple[bool, str]:
    """Whether `text` is an audit that fits its exit code, and what to say."""
    try:
        gates = json.loads(text)["gates"]
        verdicts = [gate["verdict"] for gate in gates["results"]]
        passed = gates["passed"]
    except (ValueError, LookupError, TypeError):
        return False, f"exit code {status}, and what was printed is no audit"
    if not verdicts:
        return False, "no gate was judged"
    if passed is not all(verdict in FINE for verdict in verdicts):
        return False, f"said to be {'passed' if passed else 'failed'}, but {', '.join(verdicts)}"
    if status != (0 if passed else 1):
        return False, f"gates {'passed' if passed else 'failed'}, but exit code {status}"
    fine = sum(verdict in FINE for verdict in verdicts)
    return True, f"{fine} of {len(verdicts)} gates passed or do not apply"


def main() -> None:
    """Read the file and say what it holds."""
    fine, message = judge_audit(Path(sys.argv[1]).read_text("utf-8"), int(sys.argv[2]))
    sys.stdout.write(f"{message}\n")
    sys.exit(not fine)


if __name__ == "__main__":
    main()
