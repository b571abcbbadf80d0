"""Run a table: ``python -m tests.tables hostile``; ``--write`` brings the page up to date."""

from __future__ import annotations

import argparse
import sys

from tests.tables import table


def main() -> int:
    """Run what is asked for; exits with 1 if any case ended wrongly."""
    parser = argparse.ArgumentParser(prog="python -m tests.tables", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *table.TITLES], metavar="TABLE")
    parser.add_argument("--write", action="store_true", help="write the counts into the page")
    asked = parser.parse_args()
    if asked.write:
        text = table.PAGE.read_text(encoding="utf-8")
        table.PAGE.write_text(table.page_with(text), encoding="utf-8")
        return 0
    total = 0
    for name in asked.names or table.TITLES:
        wrong = table.failures(table.cases_of(name))
        for case, why in wrong.items():
            print(f"WRONG  {case.kind}: {case.name}: {why}")
        print("\n".join(table.lines(name, wrong)), end="\n\n")
        total += len(wrong)
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
